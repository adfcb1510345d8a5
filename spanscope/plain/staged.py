"""The verdict on a staged diff: staleness first, then the way back, then conflict (seed 004)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Literal

from spanscope.journal.events import Stage
from spanscope.journal.parts import AnyEdit, SpliceEdit
from spanscope.plain.bases import Base, base_of
from spanscope.plain.conflicting import Since, in_conflict, position_drifted
from spanscope.plain.edits import with_spans
from spanscope.plain.fragile import can_be_undone, is_fragile
from spanscope.plain.reads import read_stands
from spanscope.plain.referring import all_refs, own_contents, ref_drifted, resolves
from spanscope.plain.texts import string, unless_other
from spanscope.plain.trying import Texts, Tried, is_positional, live_texts, sought_places, try_edits
from spanscope.plain.world import Moment, World, same_content

Verdict = Literal["unknown", "stale", "unreachable", "conflict", "admissible", "reconcilable"]


@dataclass(frozen=True)
class Judgement:
    """A verdict, whether it stands beside fragility, and the rules that hold now.

    `untold`: the rules of which it can't be told whether they hold.
    """

    verdict: Verdict
    fragile: bool
    reasons: tuple[str, ...]
    untold: frozenset[str]


def tried_edits(stage: Stage, past: tuple[Moment, ...]) -> tuple[Tried, ...]:
    """Where the edits of a staged diff go after the last of these moments."""
    base, now = base_of(stage, past), past[-1].after
    ground = Since(base.world, now, past)
    return try_edits(stage.edits, base_texts(base, now), live_texts(now), ground)[0]


def judge(stage: Stage, past: tuple[Moment, ...], *, reads_recorded: bool = True) -> Judgement:
    """The verdict on a staged diff after the last of these moments.

    What a diff read can't be told where its source can't record it.
    """
    now = past[-1].after
    if not now.lost_since(stage.seq):
        now = _not_surely_gone(now)
        past = (*past[:-1], replace(past[-1], after=now))
    base = base_of(stage, past)
    texts = live_texts(now)
    tried, after = try_edits(
        stage.edits, base_texts(base, now), texts, Since(base.world, now, past)
    )
    unplaced = [_unplaced(one, base, now, past) for one in tried]
    conflicts = list(_conflicts(tried, base, now, past))
    asked: dict[str, bool | None] = {
        "DIF301": _some(_read(stage, base, now, past, "drifted")),
        "DIF302": _some(_positions(stage, tried, base, now, past)),
        "DIF303": _none_false(resolves(ref, stage, base.world, now) for ref in all_refs(stage)),
        "DIF304": _some(unplaced),
        "DIF306": _some(conflicts),
        "DIF307": _some(_ambiguous(one, now) for one in tried),
        "DIF313": _some([_phantom(base), *_read(stage, base, now, past, "never")]),
    }
    reachable = asked["DIF304"] is False and can_be_undone(tried, after)
    if asked["DIF304"] is False and not reachable:
        asked["DIF304"] = True
    fragile = (
        reachable
        and all(one.went_in for one in tried)
        and is_fragile(tried, after, _others(stage, now))
    )
    asked["DIF305"] = fragile
    verdict = _verdict(asked, base, now, reads_recorded=reads_recorded)
    holding = tuple(sorted(rule for rule in asked if asked[rule]))
    on_known_ground = reads_recorded and now.order_doubt is None
    untold = {rule for rule in asked if asked[rule] is None or not on_known_ground}
    if None in {*unplaced, *conflicts}:
        untold |= {"DIF304", "DIF305", "DIF306"}
    return Judgement(verdict, fragile, holding, frozenset(untold))


def _not_surely_gone(world: World) -> World:
    """The world in which of what may be back since events were lost nobody knows whether it is."""
    spans = world.buffer.spans.values()
    unsure = (span.doubted(world.order_doubt or 0) for span in spans if world.may_be_back(span))
    return replace(world, buffer=with_spans(world.buffer, *unsure))


def _phantom(base: Base) -> bool | None:
    """Whether the base never was; null where it is not known which one is meant."""
    if base.never:
        return True
    return None if base.world is None or base.unsure else False


def base_texts(base: Base, now: World) -> Texts | None:
    """What the live spans held at a base; null where it is not known."""
    if base.world is None:
        return None
    held, here = live_texts(base.world), live_texts(now)
    return {
        name: None if text is None else unless_other(text, here.get(name))
        for name, text in held.items()
    }


def _verdict(
    asked: dict[str, bool | None], base: Base, now: World, *, reads_recorded: bool
) -> Verdict:
    stale = [asked[rule] for rule in ("DIF301", "DIF302", "DIF303", "DIF313")]
    stale += [] if reads_recorded and now.order_doubt is None else [None]
    order: tuple[tuple[Verdict, list[bool | None]], ...] = (
        ("stale", stale),
        ("unreachable", [asked["DIF304"]]),
        ("conflict", [asked["DIF306"]]),
    )
    for verdict, answers in order:
        if True in answers:
            return verdict
        if None in answers:
            return "unknown"
    if base.world is None:
        return "unknown"
    same = _identical(base.world, now)
    if same is None:
        return "unknown"
    return "admissible" if same else "reconcilable"


def _identical(base: World, now: World) -> bool | None:
    if base.order_doubt is not None or now.order_doubt is not None:
        return None
    if base.buffer.order != now.buffer.order:
        return False
    lost_since = now.lost_at is not None and now.lost_at > base.seq
    compared = []
    for name in now.buffer.order:
        then, here = base.buffer.spans[name], now.buffer.spans[name]
        untouched = then == here and not lost_since
        compared.append(untouched or same_content(then, here))
    if False in compared:
        return False
    return None if None in compared else True


def _some(answers: Iterable[bool | None]) -> bool | None:
    """Whether any holds; null where none does for sure and one can't be told."""
    held = list(answers)
    if True in held:
        return True
    return None if None in held else False


def _none_false(answers: Iterable[bool | None]) -> bool | None:
    return _some(None if answer is None else not answer for answer in answers)


def _read(
    stage: Stage, base: Base, now: World, past: tuple[Moment, ...], wanted: str
) -> Iterable[bool | None]:
    own = own_contents(stage)
    for read in stage.reads:
        if read.span in own:
            continue
        found = read_stands(read, stage, base, now, past)
        yield None if found == "unknown" else found == wanted


def _positions(
    stage: Stage, tried: tuple[Tried, ...], base: Base, now: World, past: tuple[Moment, ...]
) -> Iterable[bool | None]:
    if base.never and base.world is None:
        return
    positional = any(is_positional(edit) for edit in stage.edits)
    if base.world is None:
        if positional:
            yield None
        return
    for one in tried:
        yield position_drifted(one, base.world, now, past)
    for ref in stage.refs:
        yield ref_drifted(ref, base.world, now)


def _unplaced(one: Tried, base: Base, now: World, past: tuple[Moment, ...]) -> bool | None:
    """Whether an edit has no one place. Of a positional one in conflict that is for DIF306."""
    if one.missing is not None:
        return True if _is_surely_missing(one.missing, now) or one.own else None
    if one.places is None:
        return None
    if one.went_in:
        return False
    positional = is_positional(one.edit)
    conflict = base.world is not None and in_conflict(one, base.world, now, past)
    return not (positional and conflict)


def _is_surely_missing(name: str, now: World) -> bool:
    span = now.buffer.spans.get(name)
    return now.order_doubt is None if span is None else span.surely_gone


def _conflicts(
    tried: tuple[Tried, ...], base: Base, now: World, past: tuple[Moment, ...]
) -> Iterable[bool | None]:
    if base.never and base.world is None:
        return
    for one in tried:
        yield None if base.world is None else in_conflict(one, base.world, now, past)


def _ambiguous(one: Tried, now: World) -> bool | None:
    """Whether the text by which an edit was sought stands in several places; null: who knows."""
    if not isinstance(one.edit, SpliceEdit) or is_positional(one.edit):
        return False
    if one.missing is not None:
        return False if _is_surely_missing(one.missing, now) or one.own else None
    if one.places is None:
        return None
    return len(sought_places(string(one.before), one.edit)) > 1


def _others(stage: Stage, now: World) -> list[list[AnyEdit]]:
    """The edits of each other staged diff that did not leave where events were lost."""
    others = [other for name, other in now.staged.items() if name != stage.diff]
    if now.order_doubt is not None and not now.lost_since(stage.seq):
        others = [other for other in others if not now.lost_since(other.seq)]
    return [other.edits for other in others]
