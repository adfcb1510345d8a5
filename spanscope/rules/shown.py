"""Was the model shown what the buffer holds? SHN401 to SHN404, and SPN133 (seed 000)."""

from __future__ import annotations

from collections.abc import Callable

from spanscope.journal.events import Render
from spanscope.model.effects import Effect
from spanscope.model.node import Node
from spanscope.model.spans import Span
from spanscope.model.state import BufferState
from spanscope.rules.endings import ending
from spanscope.rules.memory import Content, Memory, Shown
from spanscope.rules.report import Report, excerpt


def judge_render(state: BufferState, effect: Effect, memory: Memory, report: Report) -> None:
    """What a model call was given against what the buffer holds."""
    event = effect.event
    if not isinstance(event, Render):
        return
    items: list[tuple[str, Content]] = []
    seen: dict[str, int] = {}
    answers: dict[str, str] = {}
    for number, item in enumerate(event.items):
        name, text = item.span, item.shown
        span = state.spans.get(name)
        if span is None:
            if state.doubt is None:
                message = f"render shows span {name}, which was never ingested."
                report.add("JNL007", {"span": name}, message, {"item": number})
            items.append((name, text))
            continue
        if not span.live:
            _gone(state, span, number, text, report)
        elif text is not None and span.text is not None and text != span.text:
            message = (
                f"render shows {name} as {len(text)} chars, it holds {len(span.text)}: "
                f'"{excerpt(text, 40)}".'
            )
            evidence = {"item": number, "shown": text, "stored": span.text}
            report.add("SHN401", {"span": name}, message, evidence)
        if name in seen or span.answers is not None:
            _twice(name, span.answers, number, seen, answers, report)
        else:
            seen[name] = number
        items.append((name, _stored(span) if text is None else text))
    before = memory.shown.get(event.actor)
    if before is not None:
        _prefix(state, items, before, report)
    memory.shown[event.actor] = Shown(event.seq, items)


def _stored(span: Span) -> Node | None:
    """The content of a span; null where its text is unknown."""
    return span.node if span.doubt is None and span.node.text_known else None


def _gone(state: BufferState, span: Span, number: int, text: str | None, report: Report) -> None:
    """SHN402, if the span was not brought back among events that were lost."""
    if not state.may_be_back(span):
        message = f"render shows {span.span}, which {ending(span)}."
        evidence = {"item": number, "state": span.life, "into": span.into}
        evidence |= _replaced(state, span, text)
        report.add("SHN402", {"span": span.span}, message, evidence, caused_by=span.since)


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
    state: BufferState, items: list[tuple[str, Content]], before: Shown, report: Report
) -> None:
    """SHN404: the first item of the last call that this one does not begin with."""
    number = _first_difference(before.items, items)
    if number is None:
        return
    (old, _), new = before.items[number], items[number] if number < len(items) else None
    follows = sum(_length(content) for _, content in items[number:])
    cause = _differs_since(state, before, number, new)
    what = "was left out" if new is None else f"became {new[0]}"
    if new is not None and new[0] == old:
        what = "was changed"
    message = (
        f"item {number} of this call, {old}, {what} since the call at {before.seq}: the "
        f"prompt cache misses from there, {follows} chars follow."
    )
    evidence = {"item": number, "changed_at": cause, "chars": follows, "before": before.seq}
    report.add("SHN404", {"span": old}, message, evidence, caused_by=cause)


def _first_difference(
    before: list[tuple[str, Content]], items: list[tuple[str, Content]]
) -> int | None:
    """The first item of a call that is another now, or not there; null where there is none."""
    for number, ((_, old), (_, new)) in enumerate(zip(before, items, strict=False)):
        if old is new or old is None or new is None:
            continue
        if _text(old) != _text(new):
            return number
    return len(items) if len(items) < len(before) else None


def _text(content: Content) -> str | None:
    return content.text if isinstance(content, Node) else content


def _length(content: Content) -> int:
    if content is None:
        return 0
    return content.length if isinstance(content, Node) else len(content)


def _differs_since(
    state: BufferState, before: Shown, number: int, new: tuple[str, Content] | None
) -> int | None:
    """The event since which an item can't be what it was; null: the calls differ by themselves."""
    old, content = before.items[number]
    gone_since = _since(state, old, before.seq, lambda span: span.live)
    if gone_since is not None or new is None:
        return gone_since
    name, now = new
    if name != old:
        return _before_since(state, name, old, before.seq)
    if not isinstance(content, Node) or not isinstance(now, Node):
        return None
    return _since(state, old, before.seq, lambda span: span.node.same_content(content))


def _since(
    state: BufferState, name: str, call: int, was: Callable[[Span], bool | None]
) -> int | None:
    """The event after a call since which a span is no more as it `was`; null: there is none."""
    found = None
    for span in reversed(state.chronicle.get(name, [])):
        if was(span) is not False:
            return found
        if span.seq <= call:
            return None
        found = span.seq
    return found


def _before_since(state: BufferState, name: str, other: str, call: int) -> int | None:
    """The event after a call since which a span stands before another one."""
    first, second = (state.index_in(state.order, one) for one in (name, other))
    if not _stands_before(first, second):
        return None
    steps = state.order_log
    ways = zip(steps.places_back(name, first), steps.places_back(other, second), strict=True)
    for (seq, was_first), (_, was_second) in ways:
        if seq <= call:
            return None
        if not _stands_before(was_first, was_second):
            return seq
    return None


def _stands_before(first: int | None, second: int | None) -> bool:
    return first is not None and second is not None and first < second


def judge_orphans(state: BufferState, memory: Memory, report: Report) -> None:
    """SPN133: at a model call or at the end, a live span answers a span that is gone.

    Only spans that were touched since the last call, as answer or as what is answered, can have
    become orphans.
    """
    found_again = set(memory.unsure_orphans) if state.doubt is None else set()
    if memory.orphans_at >= state.lives_changed_at and not found_again:
        return
    touched = list(state.touched_since(memory.orphans_at))
    memory.orphans_at = state.seq
    concerned = {*touched}.union(*(state.answers_to.get(name, ()) for name in touched))
    concerned |= found_again
    for name in concerned:
        call = _lost_call(state, name)
        memory.unsure_orphans.discard(name)
        if call is not None and state.doubt is not None and call.seq < state.lost_at:
            # What took it may have been undone where events were lost.
            memory.unsure_orphans.add(name)
            call = None
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
