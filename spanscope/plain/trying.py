"""Putting a diff's edits into texts, to see what would come of it. Nothing here is believed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Protocol

from msgspec import UnsetType
from msgspec.structs import replace as with_fields

from spanscope.journal.parts import (
    AnyEdit,
    IngestEdit,
    MoveEdit,
    PruneEdit,
    RewriteEdit,
    SpliceEdit,
)
from spanscope.plain.following import followed
from spanscope.plain.locating import anchor_places, edit_places
from spanscope.plain.texts import Text, fresh, rewritten, string
from spanscope.plain.world import World

Texts = Mapping[str, Text | None]
"""What the live spans hold; null where that can't be told."""


@dataclass(frozen=True)
class Tried:
    """One edit of a diff in the live texts, and in those of its base.

    `missing`: a span that it needs and that is not there. `places`: where it can go; null where
    that can't be told. `at`, `removed` and `inserted` say what it did there, `before` and `left`
    are the whole text around it.
    `base_at` and `base_text` are its place in the base, as the diff's own edits before it leave
    the base; null where it has none. `own`: the diff itself wrote the whole span before.
    `over_another`: an ingest under the id of a span that is there. `taken`: what stood under the
    id that a copy takes.
    """

    edit: AnyEdit
    places: tuple[int, ...] | None = None
    at: int | None = None
    missing: str | None = None
    removed: Text = ()
    inserted: Text = ()
    before: Text = ()
    left: Text = ()
    base_at: int | None = None
    base_text: Text | None = None
    own: bool = False
    over_another: bool = False
    taken: Text | None = None

    def over(self, base_text: Text | None, base_at: int | None) -> Tried:
        """The same with its place in the base."""
        return replace(self, base_text=base_text, base_at=base_at)

    @property
    def went_in(self) -> bool:
        """Whether it had a place."""
        return self.at is not None

    @property
    def idle(self) -> bool:
        """A splice that changes no character, and so owes no inverse."""
        return isinstance(self.edit, SpliceEdit) and string(self.removed) == string(self.inserted)


def live_texts(world: World) -> dict[str, Text | None]:
    """What the live spans hold; null where that can't be told."""
    spans = (world.buffer.spans[name] for name in world.buffer.order)
    return {span.id: None if span.doubt is not None else span.text for span in spans}


class Ground(Protocol):
    """What the changes since the base make of places in it."""

    def clashes(self, edit: SpliceEdit, text: Text, at: int) -> bool:
        """Whether a change wants what an edit wants, at its place in the base."""

    def own(self, name: str, text: Text) -> Text:
        """The characters of a text that are not the base's."""

    def lead(self, name: str, text: Text, at: int) -> int:
        """Where a place of the base stands in the live text."""


def try_edits(
    edits: list[AnyEdit], base: Texts | None, now: Texts, ground: Ground
) -> tuple[tuple[Tried, ...], Texts]:
    """Each edit tried in the texts that those before it left, and the texts after the last.

    What is put in is the same in the base and in the live texts, so that a later edit's offset can
    be followed from one to the other.
    """
    trial = _Trial(base, now, ground)
    return tuple(trial.put(trial.attempt(edit)) for edit in edits), trial.here


def written(edits: list[AnyEdit], texts: Texts) -> Texts:
    """The texts after an apply of these edits as they stand; one without a place changes none."""
    here = dict(texts)
    for edit in edits:
        text = here.get(edit.span)
        match edit:
            case IngestEdit():
                here[edit.span] = fresh(edit.content)
            case PruneEdit():
                here.pop(edit.span, None)
            case RewriteEdit() if edit.into not in {None, edit.span} and edit.span in here:
                here.pop(edit.span)
                here[str(edit.into)] = fresh(edit.content)
            case RewriteEdit() if text is not None:
                here[edit.span] = rewritten(text, edit.content)
            case SpliceEdit() if text is not None:
                places = staged_places(string(text), edit)
                if len(places) == 1:
                    at, end = places[0], places[0] + edit.delete
                    new = rewritten(text[at:end], edit.insert)
                    here[edit.span] = text[:at] + new + text[end:]
            case _:
                pass
    return here


class _Trial:
    """The base and the live texts as a diff's edits leave them, one after the other."""

    def __init__(self, base: Texts | None, now: Texts, ground: Ground) -> None:
        self.then = dict(base or {})
        self.here = dict(now)
        self._base_known = base is not None
        self._now = now
        self._ground = ground
        self._own: set[str] = set()

    def attempt(self, edit: AnyEdit) -> Tried:
        """An edit in the texts as they are; nothing is put in yet."""
        name = edit.span
        own = name in self._own
        if isinstance(edit, IngestEdit):
            missing = self._missing(edit.after)
            at, new, old = 0 if missing is None else None, fresh(edit.content), self.here.get(name)
            again = name in self.here and not own
            taken = missing in self._now
            return Tried(edit, (0,), at, missing, (), new, old or (), own=taken, over_another=again)
        if name not in self.here:
            return Tried(edit, missing=name, own=own or name in self._now)
        text = self.here[name] or ()
        if isinstance(edit, MoveEdit):
            missing = self._missing(edit.after)
            taken = own if missing is None else missing in self._now
            return Tried(edit, (0,), 0 if missing is None else None, missing, own=taken)
        if isinstance(edit, PruneEdit):
            return Tried(edit, (0,), 0, removed=text, before=text, own=own)
        if isinstance(edit, RewriteEdit):
            new, base = fresh(edit.content), self.then.get(name)
            covered = None if edit.into in {None, name} else self.here.get(str(edit.into))
            tried = Tried(edit, (0,), 0, own=own, removed=text, inserted=new, before=text, left=new)
            return replace(tried.over(base, 0), taken=covered)
        return self._splice(edit, own=own)

    def _missing(self, after: str | None | UnsetType) -> str | None:
        """The span that another is to stand after, where that is not there."""
        return after if isinstance(after, str) and after not in self.here else None

    def _splice(self, edit: SpliceEdit, *, own: bool) -> Tried:
        base, text = self.then.get(edit.span), self.here[edit.span]
        found = () if base is None else staged_places(string(base), edit)
        base_at = found[0] if len(found) == 1 else None
        tried = Tried(edit, own=own, before=text or ()).over(base, base_at)
        if text is None:
            return tried
        places = self._places(edit, base, base_at, text, own=own)
        if places is None or len(places) != 1:
            return replace(tried, places=places)
        at, end = places[0], places[0] + edit.delete
        same = string(text[at:end]) == edit.insert
        inserted = text[at:end] if same else fresh(edit.insert)
        left = text[:at] + inserted + text[end:]
        removed = text[at:end]
        return replace(tried, places=places, at=at, removed=removed, inserted=inserted, left=left)

    def _places(
        self, edit: SpliceEdit, base: Text | None, base_at: int | None, text: Text, *, own: bool
    ) -> tuple[int, ...] | None:
        """Every place that an edit can have now; null where that can't be told."""
        if not is_positional(edit):
            found = staged_places(string(text), edit)
            if found or own or base is None or base_at is None or edit.anchor is None:
                return found
            if not self._ground.clashes(edit, base, base_at):
                return found
            # The conflict is all that its original says.
            return anchor_places(string(text), edit.anchor, edit.delete)
        if base is None:
            return () if self._base_known and edit.span not in self.then else None
        if base_at is None or (not own and self._ground.clashes(edit, base, base_at)):
            return ()
        if edit.original not in {None, string(base[base_at : base_at + edit.delete])}:
            return ()
        live = self._now.get(edit.span) or ()
        today = _today(edit, base, base_at, live, text, self._ground)
        return () if today is None else (today,)

    def put(self, tried: Tried) -> Tried:
        """Put an edit into the texts, where it has its place."""
        edit, then, here = tried.edit, self.then, self.here
        match edit:
            case IngestEdit():
                self._own.add(edit.span)
                then[edit.span] = here[edit.span] = tried.inserted
            case PruneEdit():
                then.pop(edit.span, None)
                here.pop(edit.span, None)
            case RewriteEdit() if tried.went_in:
                if edit.into is not None:
                    then.pop(edit.span, None)
                    here.pop(edit.span, None)
                name = edit.into or edit.span
                self._own.add(name)
                then[name] = here[name] = tried.inserted
            case SpliceEdit():
                if tried.went_in:
                    here[edit.span] = tried.left
                elif tried.places is None and tried.missing is None:
                    # What the next edit meets there can't be told.
                    here[edit.span] = None
                base, at = tried.base_text, tried.base_at
                if base is not None and at is not None:
                    end = at + edit.delete
                    new = tried.inserted if tried.went_in else fresh(edit.insert)
                    then[edit.span] = base[:at] + new + base[end:]
            case _:
                pass
        return tried


def staged_places(content: str, edit: SpliceEdit) -> tuple[int, ...]:
    """Every offset that a staged splice can mean: what it is sought by comes before its `at`."""
    sought = edit if edit.anchor is None else with_fields(edit, at=None)
    return edit_places(content, sought)


def sought_places(content: str, edit: SpliceEdit) -> tuple[int, ...]:
    """Every offset at which what a splice was sought by fits: its anchor, else its original."""
    if edit.anchor is not None:
        return anchor_places(content, edit.anchor, edit.delete)
    return () if edit.at is not None else edit_places(content, edit)


def is_positional(edit: AnyEdit) -> bool:
    """Whether an edit says its place by nothing but an offset."""
    return isinstance(edit, SpliceEdit) and edit.at is not None and edit.anchor is None


def _today(
    edit: SpliceEdit, base: Text, at: int, live: Text, text: Text, ground: Ground
) -> int | None:
    """Where a place of the base, with the diff's own edits, is in the live text with them.

    Beside text that the diff itself put in, it stays beside that. Null where it has no place.
    """
    if edit.delete:
        wanted = base[at : at + edit.delete]
        start = text.index(wanted[0]) if wanted[0] in text else 0
        return start if text[start : start + edit.delete] == wanted else None
    own = ground.own(edit.span, base)
    for place, beside in ((at, 0), (at - 1, 1)):
        if 0 <= place < len(base) and base[place] in own:
            return text.index(base[place]) + beside if base[place] in text else None
    now = ground.lead(edit.span, base, at)
    return followed(now, now, [live, text])[0]
