"""Diffs that come and go: DIF311, DIF312, DIF314, DIF315, DIF317 and DIF318."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from spanscope.journal.events import Apply, Reject, Stage
from spanscope.journal.parts import (
    AnyEdit,
    IndexRef,
    IngestEdit,
    LineRef,
    QuoteRef,
    Ref,
    RewriteEdit,
    SpliceEdit,
)
from spanscope.plain.bases import base_of
from spanscope.plain.finding import Finding, finding
from spanscope.plain.reading import Told
from spanscope.plain.referring import lines_of, own_contents
from spanscope.plain.replay import buffer_changed
from spanscope.plain.staged import judge, tried_edits
from spanscope.plain.world import Moment, Step, World, aborted


def findings(told: Told, *, reads_recorded: bool) -> Iterator[Finding]:
    """What is found where a diff is staged, applied or rejected."""
    for at, moment in enumerate(told.moments):
        past, event = _met(told.moments[: at + 1]), moment.event
        if isinstance(event, Stage) and reads_recorded:
            yield from _undeclared(event, told.moments[: at + 1])
        if isinstance(event, Apply):
            yield from _applied(event, moment, past, reads_recorded=reads_recorded)
        if isinstance(event, Reject):
            yield from _rejected(event, moment, past, reads_recorded=reads_recorded)
    yield from _livelocks(told.moments)


def _met(past: tuple[Moment, ...]) -> tuple[Moment, ...]:
    """The moments before the last; what was lost after them is in what that one met."""
    return (*past[:-2], *(replace(moment, after=past[-1].before) for moment in past[-2:-1]))


def _undeclared(stage: Stage, past: tuple[Moment, ...]) -> Iterator[Finding]:
    """DIF314: it splices, or refers into, a span that its reads leave out."""
    if any(read.all for read in stage.reads):
        return
    declared = {read.span for read in stage.reads} | set(own_contents(stage))
    touched = {edit.span for edit in stage.edits if isinstance(edit, SpliceEdit)}
    base = base_of(stage, past).world
    touched |= {name for ref in stage.refs if (name := _referred(ref, base)) is not None}
    if touched - declared:
        yield finding("DIF314", stage.seq, "warning", diff=stage.diff)


def _referred(ref: Ref, base: World | None) -> str | None:
    """The span into which a reference points; of a line of the buffer the one at the base."""
    if isinstance(ref, QuoteRef | IndexRef):
        return ref.span
    if not isinstance(ref, LineRef):
        return None
    return ref.span if ref.span is not None or base is None else _span_of_line(ref.line, base)


def _span_of_line(line: int, base: World) -> str | None:
    if line < 1:
        return None
    for name in base.buffer.order:
        content = base.buffer.spans[name].content
        if content is None:
            return None
        line -= len(lines_of(content))
        if line <= 0:
            return name
    return None


def may_have_left(staged: int, world: World) -> bool:
    """Whether a diff may have been applied, taken back or staged anew where events were lost."""
    return world.order_doubt is not None and world.lost_since(staged)


def _applied(
    event: Apply, moment: Moment, past: tuple[Moment, ...], *, reads_recorded: bool
) -> Iterator[Finding]:
    before, after = moment.before, moment.after
    stage, subject = before.staged.get(event.diff), event.diff
    if event.outcome in {"partial", "failed"} and _moved(event, moment) and not moment.presumed:
        yield finding("DIF318", event.seq, "error", diff=subject)
    if stage is None or event.diff in after.staged:
        return
    if may_have_left(stage.seq, before):
        return
    verdict = judge(stage, past, reads_recorded=reads_recorded).verdict
    if verdict in {"stale", "conflict", "unreachable"}:
        yield finding("DIF311", event.seq, "error", diff=subject)
    if event.edits is not None and _is_another(stage, event.edits, past):
        yield finding("DIF315", event.seq, "warning", diff=subject)


def _moved(event: Apply, moment: Moment) -> bool:
    """Whether it moved content; what it was to do to unknown texts may have been impossible."""
    if event.edits is not None and buffer_changed(moment):
        return True
    if event.outcome == "partial" and any(map(_meant, _first_edits(moment))):
        return True
    then, now = moment.before.buffer, moment.after.buffer
    told = {name for name, span in then.spans.items() if span.doubt is None}
    if moment.before.order_doubt is None:
        told |= now.spans.keys() - then.spans.keys()
    else:
        then = replace(then, order=now.order)
    seen = replace(now, spans={name: span for name, span in now.spans.items() if name in told})
    before = replace(moment.before, buffer=then)
    return buffer_changed(replace(moment, before=before, after=replace(moment.after, buffer=seen)))


def _meant(step: Step) -> bool:
    """Whether it changed a text that was known, or brought one in."""
    then = step.before.spans.get(step.span)
    return then is None or then.doubt is None


def _first_edits(moment: Moment) -> Iterable[Step]:
    """The first edit of each span; later ones meet what that one left."""
    first: dict[str, Step] = {}
    for step in moment.steps:
        if step.kind != "move":
            first.setdefault(step.into or step.span, first.setdefault(step.span, step))
    return first.values()


def _is_another(stage: Stage, edits: list[AnyEdit], past: tuple[Moment, ...]) -> bool:
    """Whether what was applied is not what was staged, but for its place."""
    if len(edits) != len(stage.edits):
        return True
    tried = tried_edits(stage, past)
    for number, (wanted, done) in enumerate(zip(stage.edits, edits, strict=True)):
        if _core(wanted) != _core(done):
            return True
        if not isinstance(wanted, SpliceEdit) or not isinstance(done, SpliceEdit):
            continue
        place = tried[number].at
        if done.at is not None and place is not None and done.at not in {wanted.at, place}:
            return True
    return False


def _core(edit: AnyEdit) -> tuple[object, ...]:
    """What an edit does, without where and without what is claimed of it."""
    match edit:
        case SpliceEdit():
            return "splice", edit.span, edit.delete, edit.insert
        case IngestEdit():
            return "ingest", edit.span, edit.content, edit.store, edit.role
        case RewriteEdit():
            return "rewrite", edit.span, edit.op, edit.into, edit.content
        case _:
            return type(edit), edit.span, getattr(edit, "after", None)


def _rejected(
    event: Reject, moment: Moment, past: tuple[Moment, ...], *, reads_recorded: bool
) -> Iterator[Finding]:
    """DIF312: it could have been applied, and undone."""
    stage = moment.before.staged.get(event.diff)
    if stage is None:
        return
    if may_have_left(stage.seq, moment.before):
        return
    judged = judge(stage, past, reads_recorded=reads_recorded)
    if judged.verdict in {"admissible", "reconcilable"} and not judged.fragile:
        yield finding("DIF312", event.seq, "warning", diff=event.diff)


def _livelocks(moments: tuple[Moment, ...]) -> Iterator[Finding]:
    """DIF317: the third rejection in a row of one author over the same spans."""
    undone = aborted(moments)
    rows: dict[str, tuple[set[str], int]] = {}
    for moment in moments:
        event = moment.event
        if not isinstance(event, Reject | Apply) or event.seq in undone:
            continue
        stage = moment.before.staged.get(event.diff)
        if stage is None or event.diff in moment.after.staged:
            continue
        spans = {edit.span for edit in stage.edits}
        held, count = rows.get(stage.actor, (spans, 0))
        if isinstance(event, Apply):
            if held & spans:
                rows.pop(stage.actor, None)
            continue
        count = count + 1 if held == spans else 1
        rows[stage.actor] = (spans, count)
        if count == 3:
            yield finding("DIF317", event.seq, "info", diff=event.diff)
