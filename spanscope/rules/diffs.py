"""May a diff still be applied? The verdict: staleness first, reconciliation for the survivors.

Source: seed 004, "run staleness checking first; only then invoke reconciliation".
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from spanscope.model.diffs import BaseState, Diff
from spanscope.model.spans import Span, same_content
from spanscope.rules.judgements import DiffJudgement, DiffLine, Reason, Verdict
from spanscope.rules.positions import View, positional
from spanscope.rules.reads import check_read
from spanscope.rules.refs import check_ref
from spanscope.rules.view import AfterLoss
from spanscope.rules.writes import Writes, check_writes

UNTOLD_GROUND = "whether the buffer is still the base can't be told"

STALE_RULES = ("DIF301", "DIF302", "DIF303", "DIF313")

WRITE_RULES = ("DIF304", "DIF305", "DIF306", "DIF307")

REPORTED = tuple(sorted((*STALE_RULES, *WRITE_RULES)))
"""The rules that a verdict tells of."""


class Ground(NamedTuple):
    """Whether the buffer is byte for byte the base.

    `witness` is a span that differs; `order_steps` how many steps had led to another order.
    """

    same: bool | None
    witness: str | None = None
    order_steps: int | None = None


class Judged(NamedTuple):
    """A verdict and, where it had to be asked, how the buffer compares with the base."""

    judgement: DiffJudgement
    ground: Ground | None


def judge_diff(diff: Diff, view: View, *, reads_recorded: bool = True) -> DiffJudgement:
    """The verdict on a staged diff in the buffer that `view` shows, with its reasons."""
    return judge_diff_from(diff, view, None, (), reads_recorded=reads_recorded).judgement


def judge_diff_from(
    diff: Diff,
    view: View,
    last: Ground | None,
    near: Iterable[str],
    *,
    before: DiffJudgement | None = None,
    reads_recorded: bool,
) -> Judged:
    """As `judge_diff`; `last` and `near` say where to look first, as `same_ground` does.

    `before` is the verdict at the last event that could have changed it: what held then and
    still holds keeps its cause.
    """
    if view.doubt is not None and diff.seq >= view.lost_at:
        # Nothing is reported of one that was staged before.
        view = AfterLoss(view)
    held = before.reasons if before is not None else ()
    known = {(reason.rule, reason.thing, reason.detail): reason.cause for reason in held}
    reasons: list[Reason] = []
    lines: list[DiffLine] = []
    unknown: str | None = _unknown_ground(diff, view, reads_recorded)
    untold = set() if unknown is None else _untold_on(diff, view, reads_recorded)
    if diff.phantom is not None:
        reasons.append(Reason("DIF313", "base", None, None, None, diff.phantom))
    for read in diff.reads:
        checked = check_read(diff, read, view, known)
        if checked is not None:
            reasons += checked.reasons
            lines.append(checked.line)
            if checked.unknown is not None and not diff.baseless:
                unknown = unknown or checked.unknown
                untold |= {"DIF301", "DIF313"}
    for ref in diff.all_refs:
        found = check_ref(diff, ref, view, known)
        reasons += found.reasons
        lines.append(found.line)
        untold |= set() if found.unknown is None else {"DIF303"}
        drift = positional(diff, ref, view, known)
        reasons += drift.reasons
        untold |= set() if drift.unknown is None else {"DIF302"}
        unknown = unknown or found.unknown or drift.unknown
    writes = check_writes(diff, view)
    reasons += writes.reasons
    lines += writes.lines
    untold |= set() if writes.untold_position is None else {"DIF302"}
    untold |= set() if writes.unknown is None else {"DIF304", "DIF305", "DIF306"}
    untold |= {"DIF307"} if writes.untold_search else set()
    unknown = unknown or writes.untold_position
    if writes.fragile is not None:
        reasons.append(Reason("DIF305", "undo", None, None, None, writes.fragile))
    lines.append(_undo_line(writes))
    ground: Ground | None = None
    verdict = _verdict({reason.rule for reason in reasons}, unknown, writes.unknown)
    unknown = unknown or writes.unknown
    if verdict is None:
        ground = same_ground(diff, view, last, near)
        verdict = on_ground(ground)
    if verdict == "unknown" and unknown is None:
        unknown = UNTOLD_GROUND
    judgement = DiffJudgement(
        verdict=verdict,
        fragile=writes.fragile is not None,
        reasons=tuple(sorted(reasons, key=lambda r: (r.rule, r.cause or 0))),
        lines=tuple(lines),
        write_set_passes=not any(reason.rule == "DIF306" for reason in writes.reasons),
        why=unknown if verdict == "unknown" else None,
        untold=frozenset(untold),
    )
    return Judged(judgement, ground)


def _unknown_ground(diff: Diff, view: View, reads_recorded: bool) -> str | None:
    if diff.doubt is not None:
        return diff.doubt.why
    if view.doubt is not None:
        return view.doubt.why
    if not reads_recorded:
        return "the source does not record what a diff reads"
    return None


def _untold_on(diff: Diff, view: View, reads_recorded: bool) -> set[str]:
    """The rules that can't be told on unknown ground.

    A reference, and what an edit was sought by, is looked up in the live buffer, whatever the base
    is. Of a base that is there, only whether it had its digest may be unknown.
    """
    by_base_alone = view.doubt is None and reads_recorded
    if by_base_alone and diff.base is not None:
        return {"DIF313"}
    return set(REPORTED) - ({"DIF303", "DIF307"} if by_base_alone else set())


def _verdict(rules: set[str], unknown: str | None, unplaced: str | None) -> Verdict | None:
    """The verdict that what was found against a diff gives it; null where nothing was.

    `unknown`: why it can't be told whether it is stale; `unplaced`: what its edits would do.
    """
    if rules & set(STALE_RULES):
        return "stale"
    if unknown is not None:
        return "unknown"
    if "DIF304" in rules:
        return "unreachable"
    if unplaced is not None:
        return "unknown"
    if "DIF306" in rules:
        return "conflict"
    return None


def on_ground(ground: Ground) -> Verdict:
    """The verdict on a diff that nothing stands against."""
    if ground.same is None:
        return "unknown"
    return "admissible" if ground.same else "reconcilable"


def _undo_line(writes: Writes) -> DiffLine:
    if any(reason.rule == "DIF304" for reason in writes.reasons):
        return DiffLine("undo", "", "lost", "no place for the edit")
    if writes.fragile is not None:
        return DiffLine("undo", "", "exact", f"fragile: {writes.fragile}")
    return DiffLine("undo", "", "exact", "not fragile")


def same_ground(
    diff: Diff, view: View, last: Ground | None = None, near: Iterable[str] = ()
) -> Ground:
    """Whether the buffer is byte for byte the base, order included.

    `last` is what was found before and `near` the spans changed since: where a difference is
    looked for first.
    """
    base = diff.base
    if base is None or view.doubt is not None:
        return Ground(None)
    steps = view.order_steps
    if last is not None and last.order_steps == steps:
        return last
    if last is not None and last.witness is not None and _differs(diff, view, last.witness):
        return last
    for name in near:
        if _differs(diff, view, name):
            return Ground(same=False, witness=name)
    if steps != base.order_steps and view.order != base.order:
        return Ground(same=False, order_steps=steps)
    return _same_spans(base, view)


def _same_spans(base: BaseState, view: View) -> Ground:
    """The live spans compared, where their order is the base's."""
    unknown = False
    for name in view.touched_since(base.seq):
        was, now = base.span(name), view.span(name)
        if was is None or (now is not None and _untouched(was, now, base, view)):
            continue
        same = None if now is None else same_content(was, now)
        if same is False:
            return Ground(same=False, witness=name)
        unknown = unknown or same is None
    return Ground(None if unknown else True)


def _untouched(was: Span, now: Span, base: BaseState, view: View) -> bool:
    """Whether nothing was done to a span since the base, or it was aborted: whatever it holds."""
    if now is was:
        return True
    stands = (now.node, now.version, now.doubt) == (was.node, was.version, was.doubt)
    return stands and view.lost_at <= base.seq


def _differs(diff: Diff, view: View, name: str) -> bool:
    was = None if diff.base is None else diff.base.span(name)
    now = view.span(name)
    return was is not None and now is not None and same_content(was, now) is False
