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
from spanscope.model.anchors import edit_places, locate, sound_inverse
from spanscope.model.content import differing_middle
from spanscope.model.diffs import Diff
from spanscope.model.mapping import Change, collides, follow_one
from spanscope.model.node import branches
from spanscope.model.spans import Span
from spanscope.rules.judgements import DiffLine, Reason
from spanscope.rules.positions import View

FRESH_CHARACTERS = "\ue000\ue001\ue002\ue003"
"""Private characters: one that is not in the text stands for any other write."""


class Placed(NamedTuple):
    """A splice of the diff as it would be done now: after it, the span holds `text`."""

    span: str
    at: int
    deleted: str
    inserted: str
    text: str


@dataclass
class Writes:
    """What was found of a diff's edits."""

    reasons: list[Reason] = field(default_factory=list)
    lines: list[DiffLine] = field(default_factory=list)
    placed: list[Placed] = field(default_factory=list)
    unknown: str | None = None
    fragile: str | None = None

    def against(self, rule: str, thing: str, span: str, cause: int | None, detail: str) -> None:
        """Note a reason against the diff; one a rule and thing."""
        if not any(r.rule == rule and r.thing == thing for r in self.reasons):
            self.reasons.append(Reason(rule, thing, span, cause, None, detail))


@dataclass
class Target:
    """One span that a diff edits: its text at the base and now, as the diff's own edits leave it.

    `changes` are those since the base that still stand; `whole` says which replaced all.
    `own` are the diff's edits so far, in the base's and in today's text.
    """

    name: str
    base: str | None
    now: str
    changes: list[Change]
    whole: list[bool]
    own_base: list[Change] = field(default_factory=list)
    own_now: list[Change] = field(default_factory=list)


def check_writes(diff: Diff, view: View, *, fragility: bool = True) -> Writes:
    """Place every edit in the live buffer, in order, and see what stands against it."""
    found = Writes()
    targets: dict[str, Target] = {}
    own: dict[str, str] = {}
    for edit in diff.edits:
        _check_edit(diff, edit, view, targets, own, found)
    for name in dict.fromkeys(edit.span for edit in diff.edits):
        _line(name, found)
    if fragility and found.unknown is None and found.placed:
        found.fragile = _fragile(diff, view, found)
    return found


def _check_edit(
    diff: Diff,
    edit: AnyEdit,
    view: View,
    targets: dict[str, Target],
    own: dict[str, str],
    found: Writes,
) -> None:
    name = edit.span
    if isinstance(edit, IngestEdit):
        own[name] = edit.content
        _check_after(edit.after if isinstance(edit.after, str) else None, name, own, view, found)
        return
    if name in own:
        _edit_own(edit, own, found)
        return
    span = view.span(name)
    if span is None or not span.live:
        _target_gone(name, span, view, found)
        return
    if isinstance(edit, MoveEdit):
        _check_after(edit.after, name, own, view, found)
    if isinstance(edit, RewriteEdit) and edit.into:
        own[edit.into] = edit.content
    if isinstance(edit, PruneEdit | MoveEdit):
        return
    target = targets.get(name) or _target(diff, span, found)
    if target is None:
        return
    targets[name] = target
    if isinstance(edit, RewriteEdit):
        _check_rewrite(edit, target, found)
    else:
        _check_splice(edit, target, found)


def _check_after(
    after: str | None, name: str, own: dict[str, str], view: View, found: Writes
) -> None:
    if after is None or after in own:
        return
    anchor = view.span(after)
    if anchor is None or not anchor.live:
        detail = f"{name} is to stand after {after}, which is gone"
        cause = None if anchor is None else anchor.seq
        found.against("DIF304", f"write {name}", name, cause, detail)


def _target_gone(name: str, span: Span | None, view: View, found: Writes) -> None:
    if span is None and view.doubt is not None:
        found.unknown = view.doubt.why
        return
    fate = "was never there" if span is None else f"is {span.life} since {span.seq}"
    cause = None if span is None else span.seq
    found.against("DIF304", f"write {name}", name, cause, f"its target {name} {fate}")


def _edit_own(edit: AnyEdit, own: dict[str, str], found: Writes) -> None:
    """An edit of a span that the diff itself brings in."""
    text = own[edit.span]
    if isinstance(edit, RewriteEdit):
        own[edit.into or edit.span] = edit.content
    elif isinstance(edit, SpliceEdit):
        places = _places(edit, text)
        if len(places) != 1:
            detail = f"its edit of {edit.span} can't be placed in what it brings in itself"
            found.against("DIF304", f"write {edit.span}", edit.span, None, detail)
            return
        at = places[0]
        own[edit.span] = text[:at] + edit.insert + text[at + edit.delete :]


def _target(diff: Diff, span: Span, found: Writes) -> Target | None:
    if span.text is None:
        found.unknown = found.unknown or f"the content of {span.span} is unknown"
        return None
    base = None if diff.base is None else diff.base.span(span.span)
    if base is None or base.text is None:
        if diff.base is not None and base is None:
            return Target(span.span, None, span.text, [], [])
        found.unknown = found.unknown or f"the content of {span.span} at the base is unknown"
        return None
    changes, whole = _since(base, span)
    return Target(span.span, base.text, span.text, changes, whole)


def _since(base: Span, now: Span) -> tuple[list[Change], list[bool]]:
    """The changes since the base that still stand, as the journal has them."""
    if base.node is now.node or base.node.same_content(now.node):
        return [], []
    undone, done = branches(base.node, now.node)
    if undone and undone[-1].parent is None:
        at, deleted, inserted = differing_middle(base.node.text, now.node.text)
        return [Change(at, len(deleted), len(inserted), now.node.seq)], [True]
    nodes = [(node.change.inverted(node.seq), node.whole) for node in undone]
    nodes += [(node.change, node.whole) for node in done]
    return [change for change, _ in nodes], [whole for _, whole in nodes]


def _places(edit: SpliceEdit, text: str) -> tuple[int, ...]:
    if edit.anchor is not None:
        return edit_places(text, edit.anchor.before, edit.anchor.after, edit.delete, edit.original)
    if edit.at is not None:
        return (edit.at,) if edit.at >= 0 and edit.at + edit.delete <= len(text) else ()
    return edit_places(text, "", "", edit.delete, edit.original)


def _check_rewrite(edit: RewriteEdit, target: Target, found: Writes) -> None:
    thing = f"write {target.name}"
    if target.base is not None:
        at, deleted, inserted = differing_middle(target.base, edit.content)
        start, end = at, at + len(deleted)
        for change, whole in zip(target.changes, target.whole, strict=True):
            if whole or collides(start, end, bool(inserted), change):
                detail = f"{target.name} was changed at {change.seq} where it is rewritten"
                found.against("DIF306", thing, target.name, change.seq, detail)
                break
            start, end, _ = follow_one(start, end, change)
    target.now = target.base = edit.content
    target.changes, target.whole, target.own_base, target.own_now = [], [], [], []


def _check_splice(edit: SpliceEdit, target: Target, found: Writes) -> None:
    _note_ambiguous(edit, target, found)
    positional = edit.at is not None and edit.anchor is None
    start = _base_place(edit, target)
    followed = None
    if start is not None:
        followed = _follow_hunk(edit, start, positional, target, found)
    if positional:
        at = None if followed is None else _forward(followed, target.own_now)
    else:
        places = _places(edit, target.now)
        at = places[0] if len(places) == 1 else None
    if at is None or at + edit.delete > len(target.now):
        conflicts = any(r.rule == "DIF306" and r.span == target.name for r in found.reasons)
        if not (positional and conflicts):
            _unplaced(edit, target, found)
        return
    if start is not None and target.base is not None:
        back = _forward_base(edit, target)
        if back is not None:
            target.own_base.append(Change(back, edit.delete, len(edit.insert), 0))
            target.base = target.base[:back] + edit.insert + target.base[back + edit.delete :]
    deleted = target.now[at : at + edit.delete]
    target.now = target.now[:at] + edit.insert + target.now[at + edit.delete :]
    target.own_now.append(Change(at, edit.delete, len(edit.insert), 0))
    found.placed.append(Placed(target.name, at, deleted, edit.insert, target.now))


def _unplaced(edit: SpliceEdit, target: Target, found: Writes) -> None:
    count = len(_places(edit, target.now))
    how = f"fits in {count} places" if count > 1 else "fits nowhere"
    by = "anchor" if edit.anchor is not None else "place"
    cause = target.changes[0].seq if target.changes else None
    detail = f"the {by} of its edit {how} in {target.name} as it is now"
    found.against("DIF304", f"write {target.name}", target.name, cause, detail)


def _note_ambiguous(edit: SpliceEdit, target: Target, found: Writes) -> None:
    """DIF307: what the edit was sought by fits in several places."""
    if edit.anchor is not None:
        anchor = edit.anchor
        places = edit_places(target.now, anchor.before, anchor.after, edit.delete, None)
    elif edit.at is None:
        places = edit_places(target.now, "", "", edit.delete, edit.original)
    else:
        return
    if len(places) > 1:
        cause = target.changes[0].seq if target.changes else None
        detail = f"what its edit was sought by fits in {len(places)} places of {target.name}"
        found.against("DIF307", f"write {target.name}", target.name, cause, detail)


def _forward_base(edit: SpliceEdit, target: Target) -> int | None:
    """The edit's place in the base's text as its own earlier edits left it."""
    if target.base is None:
        return None
    places = _places(edit, target.base)
    return places[0] if len(places) == 1 else None


def _base_place(edit: SpliceEdit, target: Target) -> int | None:
    """The same in the base's own text; null where it stands in what the diff inserted."""
    at = _forward_base(edit, target)
    if at is None:
        return None
    for change in reversed(target.own_base):
        if at >= change.at + change.inserted:
            at += change.deleted - change.inserted
        elif at > change.at:
            return None
    return at


def _follow_hunk(
    edit: SpliceEdit, start: int, positional: bool, target: Target, found: Writes
) -> int | None:
    """Follow a hunk of the base through the changes since; null where it conflicts."""
    end = start + edit.delete
    thing = f"write {target.name}"
    for change in target.changes:
        if positional and change.at <= start:
            detail = f"{target.name} was changed at {change.seq} at or before offset {edit.at}"
            found.against("DIF302", thing, target.name, change.seq, detail)
        if collides(start, end, bool(edit.insert), change):
            detail = f"{target.name} was changed at {change.seq} in the very place it edits"
            found.against("DIF306", thing, target.name, change.seq, detail)
            return None
        start, end, _ = follow_one(start, end, change)
    return start


def _forward(at: int, own: list[Change]) -> int:
    for change in own:
        if at >= change.at + change.deleted:
            at += change.inserted - change.deleted
    return at


def _line(name: str, found: Writes) -> None:
    against = [r for r in found.reasons if r.span == name and r.thing == f"write {name}"]
    worst = next((r for r in against if r.rule == "DIF306"), None)
    worst = worst or next((r for r in against if r.rule == "DIF304"), None)
    if worst is not None:
        word = "overlaps" if worst.rule == "DIF306" else "not located"
        found.lines.append(DiffLine("write", name, word, worst.detail, worst.cause))
        return
    found.lines.append(DiffLine("write", name, "no overlap", ""))


def _fragile(diff: Diff, view: View, found: Writes) -> str | None:
    """The write that would make an inverse unlocatable; null where none does."""
    for placed in found.placed:
        if not placed.deleted and not placed.inserted:
            continue
        broken = _breaks_beside(placed) or _breaks_by_others(diff, placed, view)
        if broken is not None:
            return broken
    return None


def _breaks_beside(placed: Placed) -> str | None:
    """One character directly before or after the edit."""
    text, at, inserted = placed.text, placed.at, placed.inserted
    inverse = sound_inverse(text, at, inserted, placed.deleted)
    end = at + len(inserted)
    mark = next((c for c in FRESH_CHARACTERS if c not in text), FRESH_CHARACTERS[0])
    for place, where in ((at, "before"), (end, "after")):
        written = text[:place] + mark + text[place:]
        true = (at + 1, end + 1) if where == "before" else (at, end)
        if not inserted:
            true = (at, at + 1)
        if locate(written, inverse, inserted, true, at).status not in ("exact", "moved"):
            return f"one character inserted in {placed.span} at {place}, directly {where} it"
    return None


def _breaks_by_others(diff: Diff, placed: Placed, view: View) -> str | None:
    """The edits of another staged diff."""
    start, end = placed.at, placed.at + len(placed.inserted)
    inverse = sound_inverse(placed.text, placed.at, placed.inserted, placed.deleted)
    for other in view.staged.values():
        if other.diff == diff.diff:
            continue
        for edit in other.edits:
            if edit.span != placed.span or isinstance(edit, IngestEdit | MoveEdit):
                continue
            how = f"the {edit.__struct_config__.tag} of {placed.span} in staged diff {other.diff}"
            if isinstance(edit, PruneEdit):
                return how
            written = _with_other(edit, placed.text)
            if written is None:
                continue
            text, change = written
            at, stop, cut = follow_one(start, end, change)
            if cut:
                return how
            found = locate(text, inverse, placed.inserted, (at, stop), placed.at)
            if found.status not in ("exact", "moved"):
                return how
    return None


def _with_other(edit: RewriteEdit | SpliceEdit, text: str) -> tuple[str, Change] | None:
    if isinstance(edit, RewriteEdit):
        at, deleted, inserted = differing_middle(text, edit.content)
        return edit.content, Change(at, len(deleted), len(inserted), 0)
    places = _places(edit, text)
    if len(places) != 1:
        return None
    at = places[0]
    written = text[:at] + edit.insert + text[at + edit.delete :]
    return written, Change(at, edit.delete, len(edit.insert), 0)
