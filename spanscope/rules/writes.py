"""Can a diff's edits still be placed, and undone again? DIF302, 304, 305, 306, 307 (seed 004)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from spanscope.journal.parts import (
    AnyEdit,
    IngestEdit,
    MoveEdit,
    PruneEdit,
    RewriteEdit,
    SpliceEdit,
)
from spanscope.model.diffs import Diff
from spanscope.model.mapping import collides, follow_one
from spanscope.model.spans import same_content
from spanscope.rules.endings import ending
from spanscope.rules.fragility import Placed, fragile_write
from spanscope.rules.judgements import DiffLine, Reason
from spanscope.rules.placing import Target, changes_since, is_positional, places, sought_places
from spanscope.rules.positions import View


@dataclass
class Writes:
    """What was found of a diff's edits.

    `placed` are those of a span's text that have a place, by their number in the diff;
    `all_placed`: all of them have, for sure. `untold_position` says why it can't be told whether
    the text before a positional edit is as it was, `untold_search` that it can't be told where the
    text stands that an edit was sought by. `covered` are the ids that its copies take.
    """

    reasons: list[Reason] = field(default_factory=list)
    lines: list[DiffLine] = field(default_factory=list)
    placed: dict[int, Placed] = field(default_factory=dict)
    all_placed: bool = True
    unknown: str | None = None
    untold_position: str | None = None
    untold_search: bool = False
    fragile: str | None = None
    covered: set[str] = field(default_factory=set)

    def against(self, rule: str, thing: str, span: str, cause: int | None, detail: str) -> None:
        """Note a reason against the diff; one a rule and thing."""
        self.all_placed = self.all_placed and rule != "DIF304"
        if not any(r.rule == rule and r.thing == thing for r in self.reasons):
            self.reasons.append(Reason(rule, thing, span, cause, None, detail))

    def untold(self, why: str) -> None:
        """Note that an edit's place can't be told."""
        self.unknown = self.unknown or why
        self.all_placed = False


class Hunk(NamedTuple):
    """What an edit wants of its base: characters from `start` to `end`, or a point there."""

    start: int
    end: int
    inserts: bool


def check_writes(
    diff: Diff, view: View, *, fragility: bool = True, beside: Diff | None = None
) -> Writes:
    """Place every edit in the live buffer, in order, and see what stands against it.

    `beside`: the one other staged diff that is looked at (default: all).
    """
    found = Writes()
    draft = _Draft(diff, view, found)
    for number, edit in enumerate(diff.edits):
        draft.check(number, edit)
    for name in dict.fromkeys(edit.span for edit in diff.edits):
        _line(name, found)
    if fragility and found.all_placed:
        staged = view.staged.values() if beside is None else [beside]
        others = [other for other in staged if other.diff != diff.diff]
        if view.doubt is not None and view.lost_at <= diff.seq:
            # One that was staged before events were lost may have left since.
            others = [other for other in others if other.seq >= view.lost_at]
        placed = list(found.placed.values())
        found.fragile = fragile_write(placed, others, draft.leaves, found.covered)
    return found


def _line(name: str, found: Writes) -> None:
    against = [r for r in found.reasons if r.span == name and r.thing == f"write {name}"]
    worst = next((r for r in against if r.rule == "DIF306"), None)
    worst = worst or next((r for r in against if r.rule == "DIF304"), None)
    if worst is not None:
        word = "overlaps" if worst.rule == "DIF306" else "not located"
        found.lines.append(DiffLine("write", name, word, worst.detail, worst.cause))
        return
    found.lines.append(DiffLine("write", name, "no overlap", ""))


class _Draft:
    """The buffer as a diff's own edits leave it, one after the other."""

    def __init__(self, diff: Diff, view: View, found: Writes) -> None:
        self._diff = diff
        self._view = view
        self._found = found
        self._targets: dict[str, Target] = {}
        self._own: set[str] = set()
        self._taken: set[str] = set()

    def check(self, number: int, edit: AnyEdit) -> None:
        """One edit: whether its target is there, its place, and what stands against it."""
        name = edit.span
        if isinstance(edit, IngestEdit):
            self._check_after(edit.after if isinstance(edit.after, str) else None, name)
            self._take_over(number, name)
            self._brings(name, edit.content)
            return
        if not self._is_there(name):
            self._note_untold_search(edit, untold=not self._is_surely_missing(name))
            return
        if isinstance(edit, MoveEdit):
            self._check_after(edit.after, name)
        elif isinstance(edit, PruneEdit):
            self._takes(number, name)
        elif isinstance(edit, RewriteEdit):
            self._rewrite(number, edit)
        elif (target := self._target(name)) is not None:
            self._splice(number, edit, target)
        if isinstance(edit, SpliceEdit) and is_positional(edit):
            self._note_untold_position(name)
        self._note_untold_search(edit, untold=name not in self._targets)

    def _note_untold_search(self, edit: AnyEdit, *, untold: bool) -> None:
        sought = isinstance(edit, SpliceEdit) and not is_positional(edit)
        self._found.untold_search = self._found.untold_search or (sought and untold)

    def _is_surely_missing(self, name: str) -> bool:
        span = self._view.span(name)
        known = self._view.doubt is None if span is None else span.life_known
        return known or name in self._taken

    def leaves(self, name: str) -> bool:
        """Whether a span lives after the edits."""
        span = self._view.span(name)
        lived = span is not None and span.live and name not in self._taken
        return name in self._own or lived

    def _note_untold_position(self, name: str) -> None:
        target = self._targets.get(name)
        untold = not self._is_untouched(name) if target is None else target.untold
        if untold:
            why = f"whether {name} is as it was at the base is unknown"
            self._found.untold_position = self._found.untold_position or why

    def _take_over(self, number: int, name: str) -> None:
        """A span that is there gets another text; undoing that brings its very text back."""
        span = self._view.span(name)
        if name not in self._own | self._taken and span is not None and span.live:
            self._found.placed[number] = Placed(name, None, "", "", "", "")

    def _brings(self, name: str, content: str) -> None:
        self._own.add(name)
        self._taken.discard(name)
        self._targets[name] = Target(name, content, content, [])

    def _takes(self, number: int, name: str) -> None:
        """The span leaves the buffer; its inverse brings the very text back."""
        self._found.placed[number] = Placed(name, None, "", "", "", "")
        self._own.discard(name)
        self._taken.add(name)
        self._targets.pop(name, None)

    def _is_there(self, name: str) -> bool:
        if name in self._own:
            return True
        span = self._view.span(name)
        thing = f"write {name}"
        if name in self._taken:
            detail = f"its target {name} is taken away by an earlier edit of its own"
            self._found.against("DIF304", thing, name, None, detail)
        elif span is None and self._view.doubt is not None:
            self._found.untold(self._view.doubt.why)
        elif span is not None and not span.live and not span.life_known:
            self._found.untold(f"whether {name} is gone is unknown")
        elif span is None or not span.live:
            fate = "was never there" if span is None else ending(span)
            cause = None if span is None else span.since
            detail = f"its target {name} {fate}"
            self._found.against("DIF304", thing, name, cause, detail)
        else:
            return True
        return False

    def _check_after(self, after: str | None, name: str) -> None:
        if after is None or after in self._own:
            return
        anchor = self._view.span(after)
        if after not in self._taken and anchor is not None and anchor.live:
            return
        if anchor is None and self._view.doubt is not None:
            self._found.untold(self._view.doubt.why)
            return
        if anchor is not None and not anchor.live and not anchor.life_known:
            self._found.untold(f"whether {after} is gone is unknown")
            return
        detail = f"{name} is to stand after {after}, which is gone"
        cause = None if anchor is None or after in self._taken else anchor.since
        self._found.against("DIF304", f"write {name}", name, cause, detail)

    def _target(self, name: str, *, whole: bool = False) -> Target | None:
        """The span's texts; null where what it holds can't be told.

        `whole`: the place of the edit is the span itself, whatever that holds.
        """
        if name in self._targets:
            return self._targets[name]
        span, base = self._view.span(name), self._diff.base
        assert span is not None
        if span.text is None and whole and (self._diff.baseless or self._is_untouched(name)):
            return None
        if span.text is None:
            why = f"the content of {name} is unknown"
            self._found.unknown = self._found.unknown or why
            self._found.all_placed = self._found.all_placed and whole
            return None
        was = None if base is None else base.span(name)
        if base is not None and was is None:
            self._targets[name] = Target(name, None, span.text, [])
        elif was is None or was.text is None:
            if not self._diff.baseless:
                why = f"the content of {name} at the base is unknown"
                self._found.unknown = self._found.unknown or why
            self._targets[name] = Target(name, None, span.text, [], untold=True)
        else:
            self._targets[name] = Target(name, was.text, span.text, changes_since(was, span))
        return self._targets[name]

    def _is_untouched(self, name: str) -> bool:
        """Whether nobody changed since the base what a span held there, if it was there."""
        came_later = self._diff.base is not None and self._diff.base.span(name) is None
        return came_later or self._is_as_at_base(name)

    def _is_as_at_base(self, name: str) -> bool:
        """Whether a span holds what it held at the base, whatever that is."""
        was = None if self._diff.base is None else self._diff.base.span(name)
        return was is not None and same_content(was, self._view.span(name)) is True

    def _rewrite(self, number: int, edit: RewriteEdit) -> None:
        name = edit.span
        target = self._target(name, whole=True)
        if target is not None:
            _rewrite_conflict(target, self._found)
        if edit.into is not None:
            self._takes(number, name)
            self._found.covered.add(edit.into)
            self._brings(edit.into, edit.content)
            return
        before = "" if target is None else target.now
        self._found.placed[number] = Placed(name, None, before, edit.content, before, edit.content)
        if target is None:
            self._targets[name] = Target(name, edit.content, edit.content, [])
        else:
            target.rewritten(edit.content)

    def _splice(self, number: int, edit: SpliceEdit, target: Target) -> None:
        found, name = self._found, target.name
        if target.blind or (target.untold and is_positional(edit)):
            target.blind = True
            self._note_untold_search(edit, untold=True)
            found.untold(f"the content of {name} at the base is unknown")
            return
        _note_ambiguous(edit, target, found)
        in_base = () if target.base is None else places(edit, target.base)
        base_at = in_base[0] if len(in_base) == 1 else None
        hunk = None if base_at is None else _splice_hunk(edit, base_at, target)
        clashes = hunk is not None and _conflict(hunk, target, found)
        if is_positional(edit) and base_at is not None:
            _position_drift(edit, target.in_base.point(base_at), target, found)
        at: int | None
        if not is_positional(edit):
            here = places(edit, target.now)
            if clashes and not here and edit.anchor is not None:
                # The anchor finds its place; that another text stands there is the conflict.
                here = sought_places(edit, target.now)
            at = here[0] if len(here) == 1 else None
        else:
            meant = base_at is not None and _is_original(edit, base_at, target)
            at = (
                _today(edit, base_at, target)
                if base_at is not None and meant and not clashes
                else None
            )
        if at is None or at + edit.delete > len(target.now):
            target.spliced(edit, base_at, None)
            found.all_placed = False
            if not is_positional(edit) or not clashes:
                _unplaced(edit, target, found)
            return
        before = target.now
        deleted = before[at : at + edit.delete]
        target.spliced(edit, base_at, at)
        own = name in self._own
        found.placed[number] = Placed(name, at, deleted, edit.insert, before, target.now, own)


def _is_original(edit: SpliceEdit, base_at: int, target: Target) -> bool:
    """Whether a positional edit replaces the text that it expects, if it says which."""
    assert target.base is not None
    return edit.original in (None, target.base[base_at:][: edit.delete])


def _today(edit: SpliceEdit, base_at: int, target: Target) -> int | None:
    """Where the place of a positional edit is now; null where what it deletes is not all there."""

    def followed(point: int) -> int:
        start, end = point, point + (1 if edit.delete else 0)
        for change in target.changes:
            start, end, _ = follow_one(start, end, change)
        return start

    assert target.base is not None
    at = target.today(base_at, followed, character=bool(edit.delete))
    if at is not None and any(None in (own.base_at, own.now_at) for own in target.own):
        # What reads the same may be text of the diff itself, and that may have no place.
        for nth in range(1, edit.delete):
            if target.today(base_at + nth, followed, character=True) != at + nth:
                return None
    if at is None or target.base[base_at:][: edit.delete] != target.now[at:][: edit.delete]:
        return None
    return at


def _splice_hunk(edit: SpliceEdit, at: int, target: Target) -> Hunk | None:
    if not edit.delete:
        point = target.in_base.point(at)
        return Hunk(point, point, bool(edit.insert))
    wanted = target.in_base.range(at, at + edit.delete)
    return None if wanted is None else Hunk(*wanted, bool(edit.insert))


def _rewrite_conflict(target: Target, found: Writes) -> None:
    """DIF306: a whole rewrite would silently take back whatever changed since the base."""
    if target.base is not None and target.changes:
        name, seq = target.name, target.changes[0].seq
        detail = f"{name} was changed at {seq} where it is rewritten"
        found.against("DIF306", f"write {name}", name, seq, detail)


def _conflict(hunk: Hunk, target: Target, found: Writes) -> bool:
    """DIF306: whether a change since the base wants what the hunk wants."""
    start, end = hunk.start, hunk.end
    for change in target.changes:
        if collides(start, end, hunk.inserts, change):
            detail = f"{target.name} was changed at {change.seq} in the very place it edits"
            found.against("DIF306", f"write {target.name}", target.name, change.seq, detail)
            return True
        start, end, _ = follow_one(start, end, change)
    return False


def _position_drift(edit: SpliceEdit, point: int, target: Target, found: Writes) -> None:
    """DIF302: a change at or before a positional edit since the base."""
    start = end = point
    for change in target.changes:
        if change.at <= start:
            detail = f"{target.name} was changed at {change.seq} at or before offset {edit.at}"
            found.against("DIF302", f"write {target.name}", target.name, change.seq, detail)
            return
        start, end, _ = follow_one(start, end, change)


def _note_ambiguous(edit: SpliceEdit, target: Target, found: Writes) -> None:
    """DIF307: what the edit was sought by fits in several places."""
    sought = sought_places(edit, target.now)
    if len(sought) > 1:
        cause = target.changes[0].seq if target.changes else None
        detail = f"what its edit was sought by fits in {len(sought)} places of {target.name}"
        found.against("DIF307", f"write {target.name}", target.name, cause, detail)


def _unplaced(edit: SpliceEdit, target: Target, found: Writes) -> None:
    count = len(places(edit, target.now))
    how = f"fits in {count} places" if count > 1 else "fits nowhere"
    by = "place" if is_positional(edit) else "anchor"
    cause = target.changes[0].seq if target.changes else None
    detail = f"the {by} of its edit {how} in {target.name} as it is now"
    if is_positional(edit) and count == 1 and edit.original is not None:
        detail = (
            f"the text at {edit.at} of {target.name} is not the one that its edit expects there"
        )
    found.against("DIF304", f"write {target.name}", target.name, cause, detail)
