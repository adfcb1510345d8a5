"""Whether a staged diff and a change since its base want the same characters (DIF306).

The changes since the base that still stand are made once more, in a text whose every character
was there at the base or was put in by one of them: what a splice replaces is gone, even where it
puts the same back.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from spanscope.journal.events import Abort, Rollback
from spanscope.journal.parts import RewriteEdit, SpliceEdit
from spanscope.plain.bases import happened_since, restored_world
from spanscope.plain.following import followed
from spanscope.plain.remade import Redoing, edits_text, redoing
from spanscope.plain.texts import Text, fresh, rewritten, string, unless_other
from spanscope.plain.trying import Tried, is_positional
from spanscope.plain.world import Entry, Moment, Step, World, same_content


@dataclass(frozen=True)
class Change:
    """One change of a span since a base: `deleted` characters at `at` gave way to `inserted`.

    `whole`: it replaced the whole text. `left` is the text after it. `goes_back`: it is no edit of
    its own, it takes others back. `met`: the text before an edit of its own.
    """

    at: int
    deleted: int
    inserted: str
    whole: bool
    left: Text
    goes_back: bool = False
    met: Text | None = None


@dataclass(frozen=True)
class Restored:
    """A span is what it was in another world: all that led to it stands again, nothing since."""

    world: World


@dataclass(frozen=True)
class Hunk:
    """What a diff's edit wants of the base: characters from `start` to `end`, or a point there."""

    start: int
    end: int
    inserts: bool


def standing_changes(name: str, base: World, past: tuple[Moment, ...]) -> list[Change]:
    """The changes of a span since a base, without those that were undone since.

    One that happens to put back what stood there before another undoes nothing: both stand.
    """
    start = base.buffer.spans[name].text
    changes = list(_changes(name, base, past))
    made: list[Change] = []
    for number in reversed(range(len(changes))):
        restored = changes[number]
        if isinstance(restored, Restored):
            changes[: number + 1] = _led_to(name, restored.world, base, past)
            break
    for change in changes:
        states = [start or (), *(one.left for one in made)]
        if isinstance(change, Redoing):
            count = change.texts.left_from(states)
            if count is not None:
                del made[states.index(change.texts.was[count]) :]
                made += _made_again(change, count)
        elif isinstance(change, Change) and change.goes_back and change.left in states:
            del made[states.index(change.left) :]
        elif isinstance(change, Change):
            made.append(change)
    return made


def _changes(
    name: str, base: World, past: tuple[Moment, ...]
) -> Iterator[Change | Redoing | Restored]:
    text = base.buffer.spans[name].text or ()
    for moment in happened_since(name, base, past):
        again = redoing(moment, name)
        if again is not None:
            text = again.texts.now[-1]
            yield again
            continue
        restored = _of_copy(name, moment, past) or _of_undone(name, moment, past)
        if restored is not None:
            text = moment.after.buffer.spans[name].text or ()
            yield restored
            continue
        for change in _of_moment(name, moment, past):
            if change.met not in {None, text}:
                # What led to the text that it met is not known.
                yield _middle(text, change.met or ())
            text = change.left
            yield change
        now = moment.after.buffer.spans.get(name)
        if now is not None and now.text is not None and now.text != text:
            yield _middle(text, now.text)
            text = now.text


def _of_copy(name: str, moment: Moment, past: tuple[Moment, ...]) -> Restored | None:
    """The world of the full copy that a rollback put back, whatever came of it since."""
    world = restored_world(moment, past)
    was = None if world is None else world.buffer.spans.get(name)
    if world is None or was is None or was.text is None:
        return None
    return Restored(world) if was.text == moment.after.buffer.spans[name].text else None


def _of_undone(name: str, moment: Moment, past: tuple[Moment, ...]) -> Restored | None:
    """The world before all that a rollback undid, if nothing since was kept."""
    undone = [
        entry.seq for entry in moment.undone for step in entry.steps if edits_text(step, name)
    ]
    if not undone or moment.steps:
        return None
    oldest = min(undone)
    kept = (entry for entry in moment.after.stack if entry.seq > oldest)
    if any(edits_text(step, name) for entry in kept for step in entry.steps):
        return None
    world = next(moment.before for moment in past if moment.event.seq == oldest)
    before, now = world.buffer.spans[name].text, moment.after.buffer.spans[name].text
    return Restored(world) if before is not None and before == now else None


def _led_to(name: str, world: World, base: World, past: tuple[Moment, ...]) -> list[Change]:
    """What leads from a base to another world, which may be older."""
    if world.seq < base.seq:
        older = world.buffer.spans[name].text or ()
        return _back(older, standing_changes(name, world, _until(base.seq, past)))
    return standing_changes(name, base, _until(world.seq, past))


def _until(seq: int, past: tuple[Moment, ...]) -> tuple[Moment, ...]:
    return tuple(moment for moment in past if moment.after.seq <= seq)


def _back(start: Text, changes: list[Change]) -> list[Change]:
    """What takes these changes of a text back, the last one first."""
    back: list[Change] = []
    for change in changes:
        gone = string(start[change.at : change.at + change.deleted])
        put = len(change.inserted)
        back.insert(0, Change(change.at, put, gone, change.whole, start, goes_back=True))
        start = change.left
    return back


def _of_moment(name: str, moment: Moment, past: tuple[Moment, ...]) -> Iterator[Change]:
    event = moment.event
    if isinstance(event, Abort):
        was = next((other for other in past if other.event.seq == event.of), moment)
        for step in reversed(tuple(_steps(was.steps, name))):
            yield _taken_back(step, name)
    elif isinstance(event, Rollback) and not moment.steps:
        back = [_taken_back(step, name) for step in _undone(moment.undone, name)]
        now = moment.after.buffer.spans[name].text if back else None
        if back and back[-1].left == now:
            yield from back
    # Edits of a rollback may lead back to what stood before the undone entries, or change nothing.
    undone = [step.before for step in _undone(moment.undone, name)]
    ends = [world.spans[name].text for world in (moment.before.buffer, *undone[-1:]) if undone]
    for step in _steps(moment.steps, name):
        change = _made(step)
        yield replace(change, goes_back=change.left in ends)


def _made(step: Step) -> Change:
    at, removed, inserted = _replaced(step)
    met, left = (world.spans[step.span].text or () for world in (step.before, step.after))
    return Change(at, len(removed), string(inserted), step.kind != "splice", left, met=met)


def _made_again(redone: Redoing, count: int) -> Iterator[Change]:
    """From what the first `count` edits left: the undone ones of them back, then the others on."""
    text, target = redone.texts.was[count], redone.texts.now[count]
    for step, again in reversed(redone.edits[:count]):
        if again is not None or not step.changed:
            continue
        _, removed, inserted = _replaced(step)
        at = _place_of(step, text, target)
        text = text[:at] + removed + text[at + len(inserted) :]
        whole = step.kind != "splice"
        yield Change(at, len(inserted), string(removed), whole, text, goes_back=True)
    for _, again in redone.edits[count:]:
        if again is not None and again.changed:
            yield _made(again)


def _place_of(step: Step, text: Text, target: Text) -> int:
    """Where an undone edit is in a text: at what it put in, else where what it took comes back."""
    at, removed, inserted = _replaced(step)
    if inserted:
        return text.index(inserted[0])
    ahead = (step.before.spans[step.span].text or ())[:at]
    if removed[0] in target:
        ahead += target[: target.index(removed[0])]
    return max((text.index(char) + 1 for char in ahead if char in text), default=0)


def _taken_back(step: Step, name: str) -> Change:
    at, removed, inserted = _replaced(step)
    left = step.before.spans[name].text or ()
    return Change(at, len(inserted), string(removed), step.kind != "splice", left, goes_back=True)


def _replaced(step: Step) -> tuple[int, Text, Text]:
    """Where an edit was made, what it replaced and what it put there; of a rewrite the middle."""
    if step.kind != "splice":
        return step.hunk
    old = step.before.spans[step.span].text or ()
    return step.at, old[step.at : step.at + step.deleted], step.inserted


def _steps(steps: tuple[Step, ...], name: str) -> Iterator[Step]:
    """The edits of a span's text that changed it."""
    for step in steps:
        if edits_text(step, name) and step.changed:
            around = (step.before.spans[name].text, step.after.spans[name].text)
            if None not in around:
                yield step


def _undone(entries: tuple[Entry, ...], name: str) -> Iterator[Step]:
    for entry in reversed(entries):
        yield from reversed(tuple(_steps(entry.steps, name)))


def _middle(was: Text, now: Text) -> Change:
    new = rewritten(was, string(now))
    gone = [at for at, char in enumerate(was) if char not in new]
    put = [at for at, char in enumerate(new) if char not in was]
    at = min([*gone[:1], *put[:1]], default=0)
    return Change(
        at, len(gone), string(new[at : at + len(put)]), whole=True, left=now, goes_back=True
    )


def splice_wants(text: Text, at: int, delete: int, base: Text, *, inserts: bool) -> Hunk | None:
    """What a splice wants of the base, where `text` is the base with the diff's edits before it.

    Null where it only wants what the diff itself put in.
    """
    wanted = [base.index(char) for char in text[at : at + delete] if char in base]
    if wanted:
        return Hunk(min(wanted), max(wanted) + 1, inserts=inserts)
    if delete:
        return None
    point = base_point(text, at, base)
    return Hunk(point, point, inserts=inserts)


def base_point(text: Text, at: int, base: Text) -> int:
    """A place in the base with the diff's own edits, as one of the base.

    Before what the diff put in, it is where that was put; within it, where that ends.
    """
    puts_after = at < len(text) and text[at] not in base
    if puts_after and (at == 0 or text[at - 1] in base):
        return base.index(text[at - 1]) + 1 if at else 0
    return min((base.index(char) for char in text[at:] if char in base), default=len(base))


def clashing(hunk: Hunk, base: Text, changes: list[Change]) -> bool:
    """Whether a hunk and one of the changes touch the same text."""
    for start, end, change in _meetings(hunk.start, hunk.end, base, changes):
        if collide(start, end, hunk, change):
            return True
    return False


def changed_up_to(point: int, base: Text, changes: list[Change]) -> bool:
    """Whether one of the changes is at or before a point of the base."""
    met = _meetings(point, point, base, changes)
    return any(change.at <= start for start, _, change in met)


def led(point: int, base: Text, changes: list[Change]) -> int:
    """Where a point of the base is after all changes."""
    text = base
    for change in changes:
        after = text[: change.at] + fresh(change.inserted) + text[change.at + change.deleted :]
        point, text = followed(point, point, [text, after])[0], after
    return point


def _meetings(
    start: int, end: int, base: Text, changes: list[Change]
) -> Iterator[tuple[int, int, Change]]:
    """Each change, and where the place stands when it comes."""
    text = base
    for change in changes:
        yield start, end, change
        stop = change.at + change.deleted
        after = text[: change.at] + fresh(change.inserted) + text[stop:]
        place = followed(start, end, [text, after])
        start, end = place if start < end else (place[0], place[0])
        text = after


def collide(start: int, end: int, hunk: Hunk, change: Change) -> bool:
    """They share a character, or one puts text strictly inside the other, or both at one point."""
    stop = change.at + change.deleted
    if start < end and change.at < stop:
        return max(start, change.at) < min(end, stop)
    if start < end:
        return bool(change.inserted) and start < change.at < end
    if change.at < stop:
        return hunk.inserts and change.at < start < stop
    return hunk.inserts and bool(change.inserted) and start == change.at


def in_conflict(tried: Tried, base: World, now: World, past: tuple[Moment, ...]) -> bool | None:
    """Whether an edit of a diff and a change since its base touch the same; null: can't be told."""
    edit = tried.edit
    if not isinstance(edit, RewriteEdit | SpliceEdit) or tried.own:
        return False
    asked = base_if_changed(edit.span, base, now)
    if asked is None or isinstance(asked, bool):
        return asked
    text = tried.base_text or ()
    changes = standing_changes(edit.span, base, past)
    if isinstance(edit, RewriteEdit):
        # It would silently take back whatever changed.
        return any(change.deleted or change.inserted for change in changes)
    if tried.base_at is None:
        return False
    hunk = splice_wants(text, tried.base_at, edit.delete, asked, inserts=bool(edit.insert))
    return hunk is not None and clashing(hunk, asked, changes)


class Since:
    """What the changes since a diff's base make of places in it. A base that is not known: nothing.

    The base of a span is what it held there; what a text has beside that is the diff's own.
    """

    def __init__(self, base: World | None, now: World, past: tuple[Moment, ...]) -> None:
        self._base = base
        self._now = now
        self._past = past

    def _ground(self, name: str) -> tuple[Text, list[Change]]:
        if self._base is None or name not in self._base.buffer.spans:
            return (), []
        asked = base_if_changed(name, self._base, self._now)
        text = self._base.buffer.spans[name].text or ()
        now = self._now.buffer.spans.get(name)
        if now is not None and now.doubt is None:
            text = unless_other(text, now.text)
        unchanged = asked is None or isinstance(asked, bool)
        return text, [] if unchanged else standing_changes(name, self._base, self._past)

    def clashes(self, edit: SpliceEdit, text: Text, at: int) -> bool:
        """Whether a change wants what an edit wants, at its place in the base."""
        base, changes = self._ground(edit.span)
        hunk = splice_wants(text, at, edit.delete, base, inserts=bool(edit.insert))
        return hunk is not None and clashing(hunk, base, changes)

    def own(self, name: str, text: Text) -> Text:
        """The characters of a text that are not the base's."""
        base, _ = self._ground(name)
        return tuple(char for char in text if char not in base)

    def lead(self, name: str, text: Text, at: int) -> int:
        """Where a place of the base stands in the live text."""
        base, changes = self._ground(name)
        return led(base_point(text, at, base), base, changes)


def position_drifted(
    tried: Tried, base: World, now: World, past: tuple[Moment, ...]
) -> bool | None:
    """Whether something changed at or before a positional edit since the base."""
    edit = tried.edit
    if not isinstance(edit, SpliceEdit) or not is_positional(edit) or tried.own:
        return False
    asked = base_if_changed(edit.span, base, now)
    if asked is None or isinstance(asked, bool):
        return asked
    if tried.base_text is None or tried.base_at is None:
        return False
    changes = standing_changes(edit.span, base, past)
    return changed_up_to(base_point(tried.base_text, tried.base_at, asked), asked, changes)


def base_if_changed(name: str, base: World, now: World) -> Text | bool | None:
    """The base's text of a span, where it is another now and both are known; else the answer."""
    then, here = base.buffer.spans.get(name), now.buffer.spans.get(name)
    if then is None or here is None or not then.live or not here.live:
        return False
    same = same_content(then, here)
    if same is not False:
        return None if same is None else False
    return None if here.text is None else then.text
