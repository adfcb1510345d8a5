"""LangChain and LangGraph agents: a middleware that records what the model is shown.

    agent = create_agent(model, tools, middleware=[..., RecordingMiddleware(recorder)])

Needs `pip install 'spanscope[langchain]'`.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from typing import Any

from langchain.agents.middleware import AgentMiddleware
from langchain.agents.middleware.types import ModelRequest, ToolCallRequest
from langchain_core.messages import BaseMessage, convert_to_openai_messages
from langgraph.config import get_config

from spanscope.buffer.recorder import Recorder
from spanscope.integrations.recording import ListRecording


class RecordingMiddleware(AgentMiddleware):
    """Records one conversation of an agent: each model call, its answer, and its tools.

    Stands last in the list of middleware, so that it sees what the others leave for the model.
    Its journal is one conversation: where the agent serves several threads, the first one is
    recorded, and the journal notes that there are others. Whatever fails in it, the agent goes on.
    """

    def __init__(self, recorder: Recorder) -> None:
        super().__init__()
        self.recorder = recorder
        self._recording = ListRecording(recorder)
        self._thread: str | None = None
        self._begun = False
        self._noted = False

    def result_span(self, call: str) -> str | None:
        """The span of what a tool gave back, by its `tool_call_id`; null before it is recorded.

        A result is in the journal from the next model call on.
        """
        return self._recording.result_span(call)

    def wrap_model_call(self, request: ModelRequest, handler: Callable[[ModelRequest], Any]) -> Any:
        """Journal the call, make it, journal its answer."""
        if not self._is_ours():
            return handler(request)
        shown = self._called(request)
        response = handler(request)
        self._answered(shown, response)
        return response

    async def awrap_model_call(
        self, request: ModelRequest, handler: Callable[[ModelRequest], Awaitable[Any]]
    ) -> Any:
        """As `wrap_model_call`."""
        if not self._is_ours():
            return await handler(request)
        shown = self._called(request)
        response = await handler(request)
        self._answered(shown, response)
        return response

    def wrap_tool_call(
        self, request: ToolCallRequest, handler: Callable[[ToolCallRequest], Any]
    ) -> Any:
        """Mark the tool, run it."""
        self._used(request)
        return handler(request)

    async def awrap_tool_call(
        self, request: ToolCallRequest, handler: Callable[[ToolCallRequest], Awaitable[Any]]
    ) -> Any:
        """As `wrap_tool_call`."""
        self._used(request)
        return await handler(request)

    def _is_ours(self) -> bool:
        """Whether this is the conversation that is recorded: the first one."""
        thread = _thread()
        if not self._begun:
            self._begun, self._thread = True, thread
        if thread != self._thread and not self._noted:
            self._noted = True
            label = f"thread {thread} and others are not in this journal, which is one conversation"
            self._recording.mark("note", label)
        return thread == self._thread

    def _called(self, request: ModelRequest) -> list[dict[str, Any]] | None:
        """The messages that the model is shown; null where they could not be recorded."""
        with self._recording.harmless():
            system = [] if request.system_message is None else [request.system_message]
            messages = as_messages([*system, *request.messages])
            self._recording.sync(messages)
            return messages
        return None

    def _answered(self, shown: list[dict[str, Any]] | None, response: Any) -> None:
        if shown is None:
            return
        with self._recording.harmless():
            response = getattr(response, "model_response", response)
            result = getattr(response, "result", response)
            answers = result if isinstance(result, list) else [result]
            self._recording.sync([*shown, *as_messages(answers)], shown=False)

    def _used(self, request: ToolCallRequest) -> None:
        if self._is_ours():
            self._recording.mark("tool", str(request.tool_call.get("name")))


def as_messages(messages: Sequence[BaseMessage]) -> list[dict[str, Any]]:
    """LangChain's messages as `Recorder.sync` takes them, for a graph that calls models itself.

    Their ids go along, so that a message keeps its span when its text changes.
    """
    return [_as_message(message) for message in messages]


def _as_message(message: BaseMessage) -> dict[str, Any]:
    # What it can't convert is recorded as it says itself; no agent fails for that.
    with suppress(Exception):
        converted: dict[str, Any] = convert_to_openai_messages(message, include_id=True)
        if converted.get("tool_calls") and converted.get("content") == "":
            # A model that only calls tools says nothing: no empty span for that.
            converted["content"] = None
        return converted
    role = getattr(message, "type", "message")
    return {"role": str(role), "content": str(getattr(message, "content", message))}


def _thread() -> str | None:
    try:
        configurable = get_config().get("configurable", {})
    except RuntimeError:  # outside of a graph
        return None
    thread = configurable.get("thread_id")
    return None if thread is None else str(thread)
