"""Was the model shown what the buffer holds? SHN401 to SHN404, and SPN133 (seed 000)."""

from __future__ import annotations

from bisect import bisect_right

from spanscope.journal.events import Render
from spanscope.model.effects import Effect
from spanscope.model.spans import Span
from spanscope.model.state import BufferState
from spanscope.rules.endings import ending
from spanscope.rules.memory import Memory, Shown
from spanscope.rules.report import Report, excerpt


def judge_render(state: BufferState, effect: Effect, memory: Memory, report: Report) -> None:
    """What a model call was given against what the buffer holds."""
    event = effect.event
    if not isinstance(event, Render):
        return
    items: list[tuple[str, str | None]] = []
    seen: dict[str, int] = {}
    answers: dict[str, str] = {}
    for number, item in enumerate(event.items):
        span = state.spans.get(item.span)
        subject = {"span": item.span}
        text = item.shown
        if span is None:
            if state.doubt is None:
                message = f"render shows span {item.span}, which was never ingested."
                report.add("JNL007", subject, message, {"item": number})
            items.append((item.span, text))
            continue
        if not span.live:
            if state.doubt is None or (span.life_known and span.seq >= state.lost_at):
                message = f"render shows {item.span}, which {ending(span)}."
                evidence = {"item": number, "state": span.life, "into": span.into}
                evidence |= _replaced(state, span, text)
                report.add("SHN402", subject, message, evidence, caused_by=span.seq)
        elif text is not None and span.text is not None and text != span.text:
            message = (
                f"render shows {item.span} as {len(text)} chars, it holds {len(span.text)}: "
                f'"{excerpt(text, 40)}".'
            )
            evidence_text = {"item": number, "shown": text, "stored": span.text}
            report.add("SHN401", subject, message, evidence_text)
        _twice(item.span, span.answers, number, seen, answers, report)
        items.append((item.span, text if text is not None else span.text))
    _prefix(state, event, tuple(items), memory, report)
    memory.shown[event.actor] = Shown(event.seq, tuple(items))


def _replaced(state: BufferState, span: Span, shown: str | None) -> dict[str, str]:
    """The text shown of a tombstone, and what is stored in its place; empty where not known."""
    now: Span | None = span
    while now is not None and now.life == "tombstone" and now.into is not None:
        now = state.spans.get(now.into)
    shown = span.text if shown is None else shown
    if now is None or not now.live or now.text is None or shown is None:
        return {}
    return {"stored": now.text, "shown": shown}


def _twice(
    name: str,
    answered: str | None,
    number: int,
    seen: dict[str, int],
    answers: dict[str, str],
    report: Report,
) -> None:
    if name in seen:
        message = f"render shows {name} twice, as items {seen[name]} and {number}."
        report.add("SHN403", {"span": name}, message, {"items": [seen[name], number]})
        return
    seen[name] = number
    if answered is None:
        return
    if answered in answers:
        message = f"render shows two answers to {answered}: {answers[answered]} and {name}."
        report.add("SHN403", {"span": name}, message, {"answers": answered})
        return
    answers[answered] = name


def _prefix(
    state: BufferState,
    event: Render,
    items: tuple[tuple[str, str | None], ...],
    memory: Memory,
    report: Report,
) -> None:
    before = memory.shown.get(event.actor)
    if before is None:
        return
    for number, old in enumerate(before.items):
        new = items[number] if number < len(items) else None
        if new is not None and (None in {old[1], new[1]} or new[1] == old[1]):
            continue
        follows = sum(len(text or "") for _, text in items[number:])
        cause = _changed_at(state, old[0], before.seq)
        what = "was left out" if new is None else f"became {new[0]}"
        if new is not None and new[0] == old[0]:
            what = "was changed"
        message = (
            f"item {number} of this call, {old[0]}, {what} since the call at {before.seq}: the "
            f"prompt cache misses from there, {follows} chars follow."
        )
        evidence = {"item": number, "changed_at": cause, "chars": follows, "before": before.seq}
        report.add("SHN404", {"span": old[0]}, message, evidence, caused_by=cause)
        return


def _changed_at(state: BufferState, name: str, since: int) -> int | None:
    """The first event after a call that touched a span."""
    states = state.chronicle.get(name, [])
    index = bisect_right(states, since, key=lambda span: span.seq)
    return states[index].seq if index < len(states) else None


def judge_orphans(state: BufferState, memory: Memory, report: Report) -> None:
    """SPN133: at a model call or at the end, a live span answers a span that is gone.

    Only spans that were touched since the last call, as answer or as what is answered, can have
    become orphans.
    """
    if memory.orphans_at >= state.lives_changed_at:
        return
    touched = list(state.touched_since(memory.orphans_at))
    memory.orphans_at = state.seq
    concerned = {*touched}.union(*(state.answers_to.get(name, ()) for name in touched))
    for name in concerned:
        call = _lost_call(state, name)
        if call is None:
            memory.orphans.discard(name)
        elif name not in memory.orphans:
            memory.orphans.add(name)
            message = f"{name} answers {call.span}, which {ending(call)}."
            evidence = {"answers": call.span, "gone_at": call.seq}
            report.add("SPN133", {"span": name}, message, evidence, caused_by=call.seq)


def _lost_call(state: BufferState, name: str) -> Span | None:
    """The span that a live one answers, where it is gone for sure."""
    span = state.spans[name]
    if not span.live or span.answers is None or span.doubt is not None:
        return None
    call = state.spans.get(span.answers)
    return call if call is not None and call.gone else None
