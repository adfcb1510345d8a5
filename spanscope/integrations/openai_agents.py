"""The OpenAI Agents SDK: a session that records, and hooks that tell it what a model is shown.

    session = RecordingSession(SQLiteSession("customer-1"), recorder)
    await Runner.run(agent, "…", session=session, hooks=session.hooks)

Needs `pip install 'spanscope[openai-agents]'`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from difflib import SequenceMatcher
from typing import Any

from agents import RunHooks
from agents.memory import Session

from spanscope.buffer.messages import dumped
from spanscope.buffer.recorder import Recorder
from spanscope.integrations.recording import ListRecording

_TEXTS = frozenset(("input_text", "output_text", "text"))


class RecordingSession:
    """Any session of the SDK, with its history in a journal: added, popped, compacted, cleared.

    With `hooks=session.hooks` the journal also has what each model call was shown, with what an
    input filter left out or changed. Whatever fails in the recording, the agent goes on.
    """

    def __init__(self, session: Session, recorder: Recorder) -> None:
        self.recorder = recorder
        self.hooks = RecordingHooks(self)
        self._session = session
        self._recording = ListRecording(recorder)
        self._system: list[dict[str, Any]] = []
        self._history: list[dict[str, Any]] = []

    @property
    def session_id(self) -> str:
        """The id of the session beneath."""
        return str(self._session.session_id)

    @property
    def session_settings(self) -> Any:
        """The settings of the session beneath."""
        return self._session.session_settings

    @session_settings.setter
    def session_settings(self, settings: Any) -> None:
        self._session.session_settings = settings

    def result_span(self, call: str) -> str | None:
        """The span of what a tool gave back, by its `call_id`; null before it is recorded."""
        return self._recording.result_span(call)

    async def get_items(self, limit: int | None = None) -> list[Any]:
        """The history, or the last `limit` items of it."""
        items = await self._session.get_items(limit)
        if limit is None:
            with self._recording.harmless():
                self._hold(items)
        return list(items)

    async def add_items(self, items: list[Any]) -> None:
        """More of the history."""
        await self._session.add_items(items)
        await self._look()

    async def pop_item(self) -> Any:
        """The last item, which leaves the history."""
        item = await self._session.pop_item()
        await self._look()
        return item

    async def clear_session(self) -> None:
        """All of the history leaves."""
        await self._session.clear_session()
        await self._look()

    def __getattr__(self, name: str) -> Any:
        """What the session beneath can do besides; a compaction is recorded."""
        found = getattr(self._session, name)
        if name != "run_compaction":
            return found

        async def run_compaction(*arguments: Any, **options: Any) -> Any:
            done = await found(*arguments, **options)
            await self._look()
            return done

        return run_compaction

    def called(self, system: str | None, items: Sequence[Any]) -> None:
        """A model is about to be shown these items; for run hooks of your own."""
        with self._recording.harmless():
            self._system = [{"role": "system", "content": system}] if system else []
            messages, shown = merged(self._history, as_messages(items))
            self._recording.sync([*self._system, *messages], shown=[*self._system, *shown])

    def used(self, tool: str) -> None:
        """A tool is about to run; for run hooks of your own."""
        self._recording.mark("tool", tool)

    async def _look(self) -> None:
        # It has done what the agent asked for: a history that can't be read back is no error here.
        with self._recording.harmless():
            self._hold(await self._session.get_items())

    def _hold(self, items: Sequence[Any]) -> None:
        self._history = as_messages(items)
        self._recording.sync([*self._system, *self._history], shown=False)


class RecordingHooks(RunHooks):
    """Run hooks that tell a recording session what its models are shown and its tools do."""

    def __init__(self, session: RecordingSession) -> None:
        self._session = session

    async def on_llm_start(
        self,
        _context: Any,
        _agent: Any,
        system_prompt: str | None,
        input_items: list[Any],
    ) -> None:
        """A model call, with exactly what it is given."""
        self._session.called(system_prompt, input_items)

    async def on_tool_start(self, _context: Any, _agent: Any, tool: Any) -> None:
        """A tool call."""
        self._session.used(str(getattr(tool, "name", tool)))


def merged(
    history: Sequence[dict[str, Any]], given: Sequence[dict[str, Any]]
) -> tuple[list[dict[str, Any]], list[dict[str, Any] | None]]:
    """The history with what a call is given besides, and what of each message the call is shown.

    What an input filter changed of a call or a result is that message, shown otherwise.
    """
    one, other = [dumped(item) for item in history], [dumped(item) for item in given]
    messages: list[dict[str, Any]] = []
    shown: list[dict[str, Any] | None] = []
    matcher = SequenceMatcher(None, one, other, autojunk=False)
    for same, first, last, start, end in matcher.get_opcodes():
        new = list(given[start:end])
        for message in history[first:last]:
            match = message if same == "equal" else _same_pair(message, new)
            if match in new:
                new.remove(match)
            messages.append(message)
            shown.append(match)
        messages += new
        shown += new
    return messages, shown


def _same_pair(message: dict[str, Any], others: Sequence[dict[str, Any]]) -> dict[str, Any] | None:
    pair = _pair(message)
    return next((other for other in others if pair is not None and _pair(other) == pair), None)


def _pair(message: Mapping[str, Any]) -> tuple[str, Any] | None:
    if message.get("tool_call_id") is not None:
        return "result", message["tool_call_id"]
    calls = message.get("tool_calls")
    return ("call", calls[0]["id"]) if calls else None


def as_messages(items: Sequence[Any]) -> list[dict[str, Any]]:
    """Items of the Responses API as `Recorder.sync` takes them."""
    return [_as_message(item) for item in items]


def _as_message(item: Any) -> dict[str, Any]:
    dump = getattr(item, "model_dump", None)
    told = dump(exclude_unset=True) if callable(dump) else item
    if not isinstance(told, Mapping):
        return {"role": "message", "content": str(told)}
    kind = str(told.get("type", "message"))
    if "role" in told and kind == "message":
        return {"role": str(told["role"]), "content": _content(told.get("content"))}
    call = told.get("call_id")
    if isinstance(call, str) and kind.endswith("_output"):
        return {"role": "tool", "tool_call_id": call, "content": _content(told.get("output"))}
    # The id that the service gave an item is not the agent's, and not always sent along.
    rest = {name: value for name, value in told.items() if name not in {"id", "status"}}
    if isinstance(call, str):
        names = ("name", "arguments")
        function = {name: rest[name] for name in names if name in rest}
        made = {"id": call, "type": "function", "function": function}
        said = made if kind == "function_call" else {**rest, "id": call}
        return {"role": "assistant", "content": None, "tool_calls": [said]}
    return {"role": "assistant", "content": [rest]}


def _content(content: Any) -> Any:
    """A text as a text, though it stands in a list of one part."""
    if isinstance(content, list) and all(_is_text(part) for part in content):
        texts = [part["text"] for part in content]
        return texts[0] if len(texts) == 1 else [{"type": "text", "text": text} for text in texts]
    return content


def _is_text(part: Any) -> bool:
    return isinstance(part, Mapping) and part.get("type") in _TEXTS and "text" in part
