"""Sessions of the OpenAI Agents SDK, recorded: what a journal has of them."""

from __future__ import annotations

import random
from typing import Any

import pytest
from support.recordings import events_of, rules_above_info, shown_by

from spanscope import Recorder
from spanscope.journal.events import Gap, Ingest, Mark, Prune, Render

pytest.importorskip("agents", reason="needs the extra `openai-agents`")

from agents import Agent, RunConfig, Runner, SQLiteSession, function_tool, set_tracing_disabled
from agents.memory import Session
from agents.run import CallModelData, ModelInputData
from agents.testing import ScriptedModel, assistant_message, function_call

from spanscope.integrations.openai_agents import RecordingSession, as_messages, merged

set_tracing_disabled(disabled=True)


@function_tool
def look() -> str:
    """Look."""
    return "A long look. " * 9


def agent(*steps: Any) -> Any:
    script = [[step] for step in steps]
    return Agent(name="A", instructions="Be brief.", model=ScriptedModel(script), tools=[look])


def call(number: int) -> Any:
    return function_call("look", {}, call_id=f"c{number}")


@pytest.fixture
def session(recorder: Recorder) -> RecordingSession:
    return RecordingSession(SQLiteSession("s"), recorder)


async def run(made: Any, session: RecordingSession, **options: Any) -> str:
    told = await Runner.run(made, "Look.", session=session, hooks=session.hooks, **options)
    return str(told.final_output)


async def test_calls_results_and_answers_are_recorded(session: RecordingSession) -> None:
    made = agent(call(1), assistant_message("Seen."), assistant_message("Again."))
    assert await run(made, session) == "Seen."
    assert await run(made, session) == "Again."
    system = "system-2"
    assert shown_by(session.recorder) == [
        [system, "user-1"],
        [system, "user-1", "assistant-3", "tool-4"],
        [system, "user-1", "assistant-3", "tool-4", "assistant-5", "user-6"],
    ]
    events = events_of(session.recorder)
    ingests = {e.span: e for e in events if isinstance(e, Ingest)}
    assert ingests["tool-4"].answers == "assistant-3"
    assert ingests["assistant-7"].content == "Again."
    assert [e.label for e in events if isinstance(e, Mark)] == ["look"]
    assert session.result_span("c1") == "tool-4"
    assert session.result_span("c2") is None
    assert not rules_above_info(session.recorder)


async def test_a_streamed_run_is_recorded_as_any_other(session: RecordingSession) -> None:
    made = agent(call(1), assistant_message("Seen."))
    streamed = Runner.run_streamed(made, "Look.", session=session, hooks=session.hooks)
    async for _ in streamed.stream_events():
        pass
    assert streamed.final_output == "Seen."
    assert len(shown_by(session.recorder)) == 2
    ingests = [e.content for e in events_of(session.recorder) if isinstance(e, Ingest)]
    assert ingests[-1] == "Seen."
    assert not rules_above_info(session.recorder)


async def test_it_is_a_session_like_the_one_beneath(session: RecordingSession) -> None:
    assert isinstance(session, Session)
    assert session.session_id == "s"
    settings = session.session_settings
    session.session_settings = settings
    items: list[Any] = [{"role": "user", "content": str(number)} for number in range(3)]
    await session.add_items(items)
    assert await session.get_items() == items
    assert await session.get_items(2) == items[1:]
    assert await session.pop_item() == items[2]
    await session.clear_session()
    assert await session.get_items() == []
    assert await session.pop_item() is None
    events = [e for e in events_of(session.recorder) if isinstance(e, Ingest | Prune)]
    assert [e.span for e in events] == ["user-1", "user-2", "user-3", "user-3", "user-2", "user-1"]
    with pytest.raises(AttributeError):
        session.nothing_of_the_kind  # noqa: B018


async def test_a_history_that_was_there_before_is_recorded_when_it_is_read(
    recorder: Recorder,
) -> None:
    beneath = SQLiteSession("s")
    await beneath.add_items([{"role": "user", "content": "Before."}])
    session = RecordingSession(beneath, recorder)
    await run(agent(assistant_message("Seen.")), session)
    assert shown_by(recorder) == [["system-3", "user-1", "user-2"]]


async def test_what_a_filter_leaves_out_is_not_shown_and_what_it_changes_shown_otherwise(
    session: RecordingSession,
) -> None:
    def shorter(data: CallModelData[Any]) -> ModelInputData:
        kept = [item for item in data.model_data.input if item.get("content") != "Seen."]
        cut = [{**i, "output": "cut"} if "output" in i else i for i in kept]
        return ModelInputData(input=cut, instructions=data.model_data.instructions)

    made = agent(call(1), assistant_message("Seen."))
    await run(made, session, run_config=RunConfig(call_model_input_filter=shorter))
    renders = [e for e in events_of(session.recorder) if isinstance(e, Render)]
    assert [(i.span, i.shown) for i in renders[-1].items if i.shown] == [("tool-4", "cut")]
    assert "tool-4" not in {e.span for e in events_of(session.recorder) if isinstance(e, Prune)}
    assert not rules_above_info(session.recorder)


def test_a_call_has_no_result_span_before_its_result(session: RecordingSession) -> None:
    asked = {"type": "function_call", "call_id": "c1", "name": "look", "arguments": "{}"}
    session.called(None, [asked])
    assert session.result_span("c1") is None
    session.called(None, [asked, {"type": "function_call_output", "call_id": "c1", "output": "a"}])
    assert session.result_span("c1") == "tool-2"


async def test_a_limit_hides_and_takes_nothing_away(session: RecordingSession) -> None:
    await session.add_items([{"role": "user", "content": str(number)} for number in range(5)])
    session.called(None, (await session.get_items())[-2:])
    assert shown_by(session.recorder) == [["user-4", "user-5"]]
    assert not [e for e in events_of(session.recorder) if isinstance(e, Prune)]


async def test_a_compaction_keeps_the_spans_of_what_it_keeps(recorder: Recorder) -> None:
    class Folding(SQLiteSession):
        async def run_compaction(self, _arguments: object = None) -> str:
            items = await self.get_items()
            await self.clear_session()
            await self.add_items([{"role": "user", "content": "In short."}, *items[-1:]])
            return "folded"

    session = RecordingSession(Folding("s"), recorder)
    await session.add_items([{"role": "user", "content": str(number)} for number in range(3)])
    assert await session.run_compaction() == "folded"
    session.called(None, await session.get_items())
    assert shown_by(recorder) == [["user-4", "user-3"]]


async def test_what_the_session_raises_is_raised_and_what_recording_raises_is_not(
    recorder: Recorder,
) -> None:
    class Broken(SQLiteSession):
        async def get_items(self, *_arguments: Any, **_options: Any) -> Any:
            raise OSError("gone")

    session = RecordingSession(Broken("s"), recorder)
    await session.add_items([{"role": "user", "content": "Added all the same."}])
    with pytest.raises(OSError, match="gone"):
        await session.get_items()
    recorder.close()
    whole = RecordingSession(SQLiteSession("t"), recorder)
    assert await run(agent(call(1), assistant_message("Seen.")), whole) == "Seen."


class Odd:
    def model_dump(self, **_options: Any) -> Any:
        raise RuntimeError("no")


@pytest.mark.parametrize(
    "item", [Odd(), {"role": "user", "content": {1, 2}}, {"type": "reasoning", "summary": [b"x"]}]
)
async def test_what_can_not_be_told_is_a_gap_and_no_error(recorder: Recorder, item: object) -> None:
    class Holding(SQLiteSession):
        async def get_items(self, *_arguments: Any, **_options: Any) -> Any:
            return [item]

    session = RecordingSession(Holding("s"), recorder)
    session.called("Be brief.", [item])
    assert await session.get_items() == [item]
    recorder.mark("note", "still recording")
    told = events_of(recorder)
    assert isinstance(told[-1], Mark)
    assert [e.reason for e in told if isinstance(e, Gap)]


def test_items_of_every_kind_become_messages() -> None:
    reasoning = {"type": "reasoning", "id": "rs_1", "summary": []}
    shell = {"type": "local_shell_call", "id": "x", "call_id": "c2", "action": {"command": ["ls"]}}
    done = {"type": "local_shell_call_output", "call_id": "c2", "output": "a.py"}
    parts = [{"type": "input_text", "text": "Look:"}, {"type": "input_image", "image_url": "u"}]
    told = as_messages([reasoning, shell, done, {"role": "user", "content": parts}, 7])
    assert told[0] == {"role": "assistant", "content": [{"type": "reasoning", "summary": []}]}
    assert told[1]["tool_calls"][0]["id"] == "c2"
    assert told[2] == {"role": "tool", "tool_call_id": "c2", "content": "a.py"}
    assert told[3] == {"role": "user", "content": parts}
    assert told[4] == {"role": "message", "content": "7"}


@pytest.mark.parametrize("seed", range(20))
def test_what_a_call_is_shown_is_what_it_was_given_and_no_history_is_lost(seed: int) -> None:
    chance = random.Random(seed)
    texts = [{"role": "user", "content": chance.choice("abc")} for _ in range(8)]
    history = [m for m in texts if chance.random() < 0.7]
    given = [m for m in texts if chance.random() < 0.7]
    messages, shown = merged(history, given)
    assert len(messages) == len(shown)
    assert [message for message in shown if message is not None] == given
    left = iter(messages)
    assert all(message in left for message in history)
