"""LangChain agents with the recording middleware: what a journal has of them, and what not."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any
from unittest import mock

import pytest
from support.recordings import events_of, rules_above_info, shown_by

from spanscope import Recorder
from spanscope.journal.events import Gap, Ingest, Mark, Prune, Rewrite

pytest.importorskip("langchain", reason="needs the extra `langchain`")

from langchain.agents import create_agent
from langchain.agents.middleware import (
    ClearToolUsesEdit,
    ContextEditingMiddleware,
    SummarizationMiddleware,
)
from langchain_core.language_models.fake_chat_models import GenericFakeChatModel
from langchain_core.messages import AIMessage, HumanMessage, RemoveMessage
from langchain_core.tools import tool
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import START, MessagesState, StateGraph

from spanscope.integrations.langchain import RecordingMiddleware, as_messages

ASK = {"messages": [{"role": "user", "content": "Look."}]}


class Scripted(GenericFakeChatModel):
    def bind_tools(self, _tools: Sequence[Any], **_options: Any) -> Scripted:
        return self


@tool
def look(at: str) -> str:
    """Look at something."""
    return f"{at}: " + "words " * 30


def calls(count: int) -> list[AIMessage]:
    return [
        AIMessage("", tool_calls=[{"name": "look", "args": {"at": f"a{n}"}, "id": f"c{n}"}])
        for n in range(1, count + 1)
    ]


def agent(recorder: Recorder, said: list[AIMessage], *before: Any, **options: Any) -> Any:
    middleware = [*before, RecordingMiddleware(recorder)]
    return create_agent(Scripted(messages=iter(said)), [look], middleware=middleware, **options)


def test_each_call_its_answer_and_its_tools_are_recorded(recorder: Recorder) -> None:
    made = agent(recorder, [*calls(1), AIMessage("Seen.")], system_prompt="Be brief.")
    made.invoke(ASK)
    assert shown_by(recorder) == [
        ["system-1", "user-2"],
        ["system-1", "user-2", "assistant-3", "tool-4"],
    ]
    ingests = {e.span: e for e in events_of(recorder) if isinstance(e, Ingest)}
    assert ingests["tool-4"].answers == "assistant-3"
    assert ingests["assistant-5"].content == "Seen."
    assert [e.label for e in events_of(recorder) if isinstance(e, Mark)] == ["look"]
    assert not rules_above_info(recorder)


async def test_an_asynchronous_agent_is_recorded_as_a_synchronous_one(tmp_path: Path) -> None:
    recorders = [Recorder.open("agent", tmp_path / f"{n}.jsonl") for n in range(2)]
    agents = [agent(each, [*calls(2), AIMessage("Seen.")]) for each in recorders]
    agents[0].invoke(ASK)
    await agents[1].ainvoke(ASK)
    assert shown_by(recorders[0]) == shown_by(recorders[1]) != []


def test_a_summary_stands_in_the_place_of_what_it_sums_up(recorder: Recorder) -> None:
    summary = Scripted(messages=iter([AIMessage("It looked at a1.")]))
    summarise = SummarizationMiddleware(summary, trigger=("messages", 5), keep=("messages", 2))
    agent(recorder, [*calls(2), AIMessage("Seen.")], summarise).invoke(ASK)
    pruned = {e.span for e in events_of(recorder) if isinstance(e, Prune)}
    assert pruned == {"user-1", "assistant-2", "tool-3"}
    assert shown_by(recorder)[-1] == ["user-5", "assistant-4", "tool-6"]
    assert not rules_above_info(recorder)


def test_what_another_middleware_clears_for_one_call_is_what_the_model_was_shown(
    recorder: Recorder,
) -> None:
    clear = ContextEditingMiddleware(edits=[ClearToolUsesEdit(trigger=1, keep=0)])
    agent(recorder, [*calls(1), AIMessage("Seen.")], clear).invoke(ASK)
    [result] = [e for e in events_of(recorder) if isinstance(e, Ingest) and e.role == "tool"]
    assert "words" not in result.content
    assert not rules_above_info(recorder)


def test_a_message_whose_text_changes_keeps_its_span(recorder: Recorder) -> None:
    said = HumanMessage("A long question about many things.", id="m1")
    recorder.sync(as_messages([said]))
    recorder.sync(as_messages([said.model_copy(update={"content": "Short."})]))
    [_, change] = [e for e in events_of(recorder) if isinstance(e, Ingest | Rewrite)]
    assert (change.span, change.content) == ("user-1", "Short.")


def test_the_span_of_a_result_is_found_by_its_call(recorder: Recorder) -> None:
    middleware = RecordingMiddleware(recorder)
    model = Scripted(messages=iter([*calls(1), AIMessage("Seen.")]))
    create_agent(model, [look], middleware=[middleware]).invoke(ASK)
    assert middleware.result_span("c1") == "tool-3"
    assert middleware.result_span("c2") is None


def test_another_thread_is_not_mixed_in(recorder: Recorder) -> None:
    said = [AIMessage("One."), AIMessage("Two."), AIMessage("Three."), AIMessage("Four.")]
    made = agent(recorder, said, checkpointer=InMemorySaver())
    for thread in ("a", "b", "c", "a"):
        made.invoke(ASK, {"configurable": {"thread_id": thread}})
    texts = [e.content for e in events_of(recorder) if isinstance(e, Ingest)]
    assert texts == ["Look.", "One.", "Look.", "Four."]
    [note] = [e.label for e in events_of(recorder) if isinstance(e, Mark)]
    assert "thread b" in note
    assert not rules_above_info(recorder)


def test_an_agent_without_tools(recorder: Recorder) -> None:
    model = Scripted(messages=iter([AIMessage("Yes.")]))
    made = create_agent(model, [], middleware=[RecordingMiddleware(recorder)])
    chunks = list(made.stream(ASK, stream_mode="updates"))
    assert chunks
    assert [e.content for e in events_of(recorder) if isinstance(e, Ingest)] == ["Look.", "Yes."]


def test_a_graph_that_calls_its_model_itself(recorder: Recorder) -> None:
    model = Scripted(messages=iter([AIMessage("One."), AIMessage("Two.")]))

    def speak(state: Any) -> dict[str, Any]:
        recorder.sync(as_messages(state["messages"]), system="Be brief.")
        return {"messages": [model.invoke(state["messages"])]}

    def shorten(state: Any) -> dict[str, Any]:
        return {"messages": [RemoveMessage(id=state["messages"][0].id)]}

    graph = StateGraph(MessagesState)
    for name, node in (("first", speak), ("shorten", shorten), ("second", speak)):
        graph.add_node(name, node)
    graph.add_edge(START, "first")
    graph.add_edge("first", "shorten")
    graph.add_edge("shorten", "second")
    graph.compile().invoke(ASK)
    assert shown_by(recorder) == [["system-1", "user-2"], ["system-1", "assistant-3"]]
    assert [e.span for e in events_of(recorder) if isinstance(e, Prune)] == ["user-2"]
    assert not rules_above_info(recorder)


def test_nothing_that_fails_in_recording_reaches_the_agent(recorder: Recorder) -> None:
    made = agent(recorder, [*calls(1), AIMessage("Seen.")])
    target = "spanscope.integrations.langchain.convert_to_openai_messages"
    with mock.patch(target, side_effect=ValueError("no")):
        assert made.invoke(ASK)["messages"][-1].content == "Seen."
    assert "Seen." in {e.content for e in events_of(recorder) if isinstance(e, Ingest)}


def test_messages_that_can_not_even_be_told_are_a_gap_and_prune_nothing(
    recorder: Recorder,
) -> None:
    made = agent(recorder, [*calls(1), AIMessage("Seen.")])
    target = "spanscope.integrations.langchain._as_message"
    made.invoke(ASK)
    before = len(events_of(recorder))
    with mock.patch(target, side_effect=RuntimeError("no")):
        assert (
            agent(recorder, [AIMessage("Again.")]).invoke(ASK)["messages"][-1].content == "Again."
        )
    [gap] = events_of(recorder)[before:]
    assert isinstance(gap, Gap)
    assert (gap.reason, gap.lost) == ("not recorded: RuntimeError: no", 1)


def test_a_closed_recorder_leaves_the_agent_alone(recorder: Recorder) -> None:
    made = agent(recorder, [*calls(1), AIMessage("Seen.")])
    recorder.close()
    assert made.invoke(ASK)["messages"][-1].content == "Seen."


def test_an_error_of_the_model_is_the_agents(recorder: Recorder) -> None:
    made = agent(recorder, [])
    with pytest.raises(RuntimeError):
        made.invoke(ASK)
    assert shown_by(recorder) == [["user-1"]]
