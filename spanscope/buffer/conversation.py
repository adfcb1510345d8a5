"""Message lists in and out of a buffer, and what the model was shown."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Literal, get_args

from msgspec import to_builtins
from msgspec.structs import replace

from spanscope.buffer.changes import check_answer
from spanscope.buffer.core import BufferCore, Shown
from spanscope.buffer.errors import SpanscopeError, one_line, refusal
from spanscope.buffer.messages import Block, Frame, Message, MessageError, blocks_of, message_of
from spanscope.buffer.trial import head_of
from spanscope.buffer.views import ActorView
from spanscope.journal.events import Ingest, Mark, Render
from spanscope.model.content import content_hash
from spanscope.rules.report import Report

MarkKind = Literal["turn", "llm", "tool", "note"]


class Conversation(ActorView):
    """What a view offers to agents that speak in message lists."""

    def extend(self, messages: Iterable[Message]) -> list[str]:
        """Appends messages of OpenAI's or Anthropic's shape: one span a content block, all or none.

        A span is called after its message's role and number (`user-1`), further blocks of a
        message with a point (`assistant-2.2`). A tool's result `answers` the span of its call.
        Text is a span's content as it is; what is no text stands as JSON. Returns the ids.

        Raises MessageError for what is no message.
        """
        told = [blocks_of(message) for message in messages]
        core = self._core
        with core.lock:
            core.check_open()
            events = _ingests(core, self._actor, told)
            if events:
                core.commit(*events)
            return [event.span for event in events]

    def messages(self, call: str | None = None) -> list[dict[str, Any]]:
        """The buffer as a message list, for a model call: journaled as what the model was shown.

        Spans that came by `extend` are the messages that they were, with their texts as they are
        now; others are messages of their role (default `user`). Spans of other stores than
        `context` are left out.

        Raises SpanscopeError for a span that stood for JSON and no longer does.
        """
        core = self._core
        with core.lock:
            core.check_open()
            spans = [core.state.spans[name] for name in core.state.order]
            shown = [span for span in spans if span.store == "context"]
            built = _built(core, [span.span for span in shown])
            items = [{"span": span.span} for span in shown]
            core.commit(core.make(Render, self._actor, call=call, items=items))
            core.shown[self._actor] = Shown(
                self.revision, tuple((span.span, str(span.hash)) for span in shown)
            )
            return built

    def mark(self, kind: MarkKind, label: str) -> int:
        """A place to navigate to: a turn, a model call (`llm`), a tool's or a note; its seq.

        Raises ValueError for another kind.
        """
        if kind not in get_args(MarkKind):
            kinds = ", ".join(get_args(MarkKind))
            raise ValueError(f"can't mark {kind!r}: a mark is one of {kinds}")
        core = self._core
        with core.lock:
            core.check_open()
            event = core.make(Mark, self._actor, kind=kind, label=label)
            core.commit(event)
            return event.seq


def _ingests(core: BufferCore, actor: str, told: Sequence[Sequence[Block]]) -> list[Ingest]:
    """One ingest a block, with the spans that they answer."""
    events: list[Ingest] = []
    answered: dict[str, str] = {}
    calls: dict[str, str] = {}
    number = core.message_count
    for blocks in told:
        number, names = _names(core, blocks, number + 1)
        for name, block in zip(names, blocks, strict=True):
            frame = replace(block.frame, number=number)
            answers = _answers(core, frame, calls)
            if answers in answered:
                raise _second(core.state.seq + 1, name, answers, answered[answers])
            if answers is not None:
                answered[answers] = name
                if answers in core.state.spans:
                    check_answer(core.state, core.state.seq + 1, name, answers)
            if frame.kind == "call" and frame.pair is not None:
                calls[frame.pair] = name
            event = core.make(
                Ingest,
                actor,
                len(events),
                span=name,
                content=block.text,
                role=block.role,
                answers=answers,
                version=0,
                hash=content_hash(block.text),
                meta={"message": to_builtins(frame)},
            )
            assert isinstance(event, Ingest)
            events.append(event)
    return events


def _answers(core: BufferCore, frame: Frame, calls: dict[str, str]) -> str | None:
    """The span of the call whose result it is: of these messages, or in the buffer."""
    if frame.kind != "result" or frame.pair is None:
        return None
    if frame.pair in calls:
        return calls[frame.pair]
    known = core.calls.get(frame.pair)
    return known if known is None else head_of(core.state, known) or known


def _names(core: BufferCore, blocks: Sequence[Block], number: int) -> tuple[int, list[str]]:
    """Ids that were never used for the blocks of a message, and its number."""
    role = str(blocks[0].frame.fields["role"])
    while True:
        first = f"{role}-{number}"
        names = [first, *(f"{first}.{place}" for place in range(2, len(blocks) + 1))]
        if not any(name in core.state.spans for name in names):
            return number, names
        number += 1


def _second(seq: int, name: str, call: str, other: str) -> SpanscopeError:
    report = Report(seq)
    message = f"{name} would be the second answer to {call}, beside {other}."
    report.add("SHN403", {"span": name}, message, {"answers": call})
    return refusal(report.sorted(), "give one result a call")


def _built(core: BufferCore, names: Sequence[str]) -> list[dict[str, Any]]:
    """The messages that spans are, in order; blocks of one message that stand together are one."""
    found: list[dict[str, Any]] = []
    together: list[str] = []
    for name in names:
        if together and _number(core, name) != _number(core, together[-1]):
            found.append(_message(core, together))
            together = []
        together.append(name)
        if _number(core, name) is None:
            found.append(_message(core, together))
            together = []
    return [*found, _message(core, together)] if together else found


def _number(core: BufferCore, name: str) -> int | None:
    frame = core.frames.get(name)
    return None if frame is None else frame.number


def _message(core: BufferCore, names: Sequence[str]) -> dict[str, Any]:
    spans = [core.state.spans[name] for name in names]
    if names[0] not in core.frames:
        return {"role": spans[0].role or "user", "content": spans[0].node.text}
    try:
        return message_of((span.node.text, core.frames[span.span]) for span in spans)
    except MessageError as error:
        raise SpanscopeError(
            one_line(f"can't say {names[0]} as a message: {error}; rewrite or prune it")
        ) from None
