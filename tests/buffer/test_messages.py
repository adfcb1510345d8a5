"""Message lists through a buffer and back: what went in comes out, edited where it was edited."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.buffers import events_of, said

from spanscope.buffer.buffer import ContextBuffer
from spanscope.buffer.errors import SpanscopeError, StaleBaseError
from spanscope.buffer.messages import MessageError
from spanscope.journal.errors import JournalWriteError
from spanscope.journal.events import Ingest, Render

OPENAI: list[dict[str, Any]] = [
    {"role": "system", "content": "Be brief."},
    {
        "role": "user",
        "content": [
            {"type": "text", "text": "What is on it?"},
            {"type": "image_url", "image_url": {"url": "data:…"}},
        ],
        "name": "ana",
    },
    {
        "role": "assistant",
        "content": None,
        "tool_calls": [
            {"id": "c1", "type": "function", "function": {"name": "look", "arguments": '{"x": 1}'}},
            {"id": "c2", "type": "function", "function": {"name": "ask", "arguments": "{}"}},
        ],
    },
    {"role": "tool", "tool_call_id": "c2", "content": "nobody is there"},
    {"role": "tool", "tool_call_id": "c1", "content": [{"type": "text", "text": "a cat"}]},
    {"role": "assistant", "content": "A cat.", "refusal": None},
]
ANTHROPIC: list[dict[str, Any]] = [
    {"role": "user", "content": "Look."},
    {
        "role": "assistant",
        "content": [
            {"type": "thinking", "thinking": "hm", "signature": "s"},
            {"type": "text", "text": "I look.", "cache_control": {"type": "ephemeral"}},
            {"type": "tool_use", "id": "t1", "name": "look", "input": {"at": [1, None]}},
        ],
    },
    {
        "role": "user",
        "content": [
            {
                "type": "tool_result",
                "tool_use_id": "t1",
                "content": [{"type": "text", "text": "a cat"}, {"type": "image", "source": {}}],
                "is_error": False,
            },
            {"type": "text", "text": "So?"},
        ],
    },
    {"role": "assistant", "content": []},
    {"role": "user"},
]


@pytest.mark.parametrize("messages", [OPENAI, ANTHROPIC])
def test_what_went_in_comes_out(buffer: ContextBuffer, messages: list[dict[str, Any]]) -> None:
    buffer.extend(messages)
    assert buffer.messages() == messages


def test_one_span_a_block_and_results_answer_their_calls(buffer: ContextBuffer) -> None:
    names = buffer.extend(OPENAI)
    assert names == [
        "system-1", "user-2", "user-2.2", "assistant-3", "assistant-3.2", "tool-4", "tool-5",
        "assistant-6",
    ]  # fmt: skip
    answers = {e.span: e.answers for e in events_of(buffer) if isinstance(e, Ingest) and e.answers}
    assert answers == {"tool-4": "assistant-3.2", "tool-5": "assistant-3"}
    assert buffer.text("tool-5") == "a cat"
    assert buffer.span("tool-5").role == "tool"


def test_a_tool_result_in_a_users_message_is_the_tools(buffer: ContextBuffer) -> None:
    buffer.extend(ANTHROPIC)
    assert buffer.span("user-3").answers == "assistant-2.3"
    assert buffer.span("user-3").role == "tool"
    assert buffer.span("user-3.2").role == "user"


def test_edits_show_and_a_render_says_what_was_shown(buffer: ContextBuffer) -> None:
    buffer.extend(OPENAI)
    buffer.rewrite("tool-5", "[cleared]", op="clear")
    buffer.splice("assistant-6", 2, 3, "dog")
    buffer.prune("user-2.2")
    buffer.ingest("note", "Mind the quota.", after="system-1")
    buffer.ingest("file", "x = 1", store="files")
    messages = buffer.messages("call-1")
    assert messages[1] == {"role": "user", "content": "Mind the quota."}
    assert messages[2] == {"role": "user", "name": "ana", "content": OPENAI[1]["content"][:1]}
    assert messages[5]["content"] == [{"type": "text", "text": "[cleared]"}]
    assert messages[6] == {"role": "assistant", "content": "A dog.", "refusal": None}
    assert len(messages) == 7
    render = events_of(buffer)[-1]
    assert isinstance(render, Render)
    assert render.call == "call-1"
    assert [item.span for item in render.items] == [n for n in buffer.order if n != "file"]


def test_a_copy_is_the_message_that_its_original_was(buffer: ContextBuffer) -> None:
    buffer.extend([{"role": "user", "content": "Look.", "name": "ana"}])
    buffer.rewrite("user-1", "See.", "fold", policy="copy")
    with buffer.draft("planner") as draft:
        draft.rewrite("user-1@fold:1", "Saw.", "fold", policy="copy")
    assert buffer.messages() == [{"role": "user", "content": "Saw.", "name": "ana"}]


def test_all_or_none(buffer: ContextBuffer) -> None:
    wrong: list[Any] = [{"content": "no role"}, "text", {"role": "user", "content": object()}]
    for message in wrong:
        with pytest.raises(MessageError):
            buffer.extend([OPENAI[0], message])
    with pytest.raises(MessageError, match="can't hold a object: make a dict of it"):
        buffer.extend([object()])  # type: ignore[list-item]
    twice = {"role": "tool", "tool_call_id": "c1", "content": "again"}
    with pytest.raises(SpanscopeError, match="SHN403"):
        buffer.extend([*OPENAI, twice])
    assert buffer.seq == 0
    buffer.extend(OPENAI)
    with pytest.raises(SpanscopeError, match="SHN403"):
        buffer.extend([twice])
    assert len(buffer.messages()) == len(OPENAI)
    assert buffer.extend([]) == []


def test_a_result_whose_call_is_unknown_answers_nothing(buffer: ContextBuffer) -> None:
    buffer.extend([{"role": "tool", "tool_call_id": "elsewhere", "content": "42"}])
    assert buffer.span("tool-1").answers is None


def test_a_late_result_finds_its_call_and_its_copy(buffer: ContextBuffer) -> None:
    buffer.extend(ANTHROPIC[:2])
    buffer.rewrite("assistant-2.3", buffer.text("assistant-2.3"), "fold", policy="copy")
    buffer.extend(ANTHROPIC[2:3])
    assert buffer.span("user-3").answers == "assistant-2.3@fold:1"


def test_ids_that_are_taken_are_passed_over(buffer: ContextBuffer) -> None:
    buffer.ingest("user-1", "mine")
    assert buffer.extend([{"role": "user", "content": "Look."}]) == ["user-2"]


def test_what_stood_for_json_must_stay_json(buffer: ContextBuffer) -> None:
    buffer.extend(ANTHROPIC[:2])
    buffer.rewrite("assistant-2.3", "no json")
    with pytest.raises(SpanscopeError, match=r"assistant-2\.?\d* as a message"):
        buffer.messages()


def test_a_resumed_buffer_says_the_same_messages(buffer: ContextBuffer) -> None:
    buffer.extend(OPENAI)
    buffer.close()
    assert buffer.path is not None
    with ContextBuffer.resume(buffer.path) as again:
        assert again.messages() == OPENAI
        assert again.extend([{"role": "user", "content": "More."}]) == ["user-7"]


class TextBlock:
    """An object of a client library, which says itself as a dict."""

    def model_dump(self, exclude_unset: bool) -> dict[str, Any]:
        assert exclude_unset
        return {"type": "text", "text": "A cat."}


def test_objects_of_client_libraries_are_taken(buffer: ContextBuffer) -> None:
    buffer.extend([{"role": "assistant", "content": [TextBlock()]}])
    assert buffer.messages() == [
        {"role": "assistant", "content": [{"type": "text", "text": "A cat."}]}
    ]


def test_a_draft_of_what_a_model_wrote_has_read_all_it_was_shown(buffer: ContextBuffer) -> None:
    with pytest.raises(SpanscopeError, match="messages"):
        buffer.draft("planner", reads="rendered")
    buffer.extend(OPENAI)
    buffer.messages()
    first = buffer.draft("planner", reads="rendered")
    second = buffer.draft("planner", reads="rendered")
    for draft in (first, second):
        draft.replace("assistant-6", "cat", "dog")
    buffer.ingest("note", "elsewhere")
    first.apply()
    with pytest.raises(StaleBaseError):
        second.apply()
    # What has changed since it was shown is stale from the start.
    third = buffer.draft("planner", reads="rendered")
    third.replace("assistant-6", "cat", "cow")
    with pytest.raises(StaleBaseError):
        third.apply()
    buffer.messages()
    with buffer.draft("planner", reads="rendered") as draft:
        draft.replace("assistant-6", "dog", "cow")
    assert "SPN102" not in said(buffer)


def test_a_meta_of_somebody_else_is_no_message(buffer: ContextBuffer) -> None:
    for number, told in enumerate([3, {"fields": 3}, {"shape": "x", "fields": {}}]):
        buffer.ingest(f"s{number}", "text", role="user", meta={"message": told})
    assert buffer.messages() == [{"role": "user", "content": "text"}] * 3


texts = st.text(max_size=5)
parts = st.one_of(
    st.builds(lambda t: {"type": "text", "text": t}, texts),
    st.builds(lambda t: {"type": "image", "source": {"data": t}}, texts),
    texts,
)
messages_ = st.one_of(
    st.builds(lambda r, c: {"role": r, "content": c}, st.sampled_from(["user", "system"]), texts),
    st.builds(lambda c: {"role": "user", "content": c}, st.lists(parts, max_size=3)),
    st.builds(
        lambda c, t, n: {
            "role": "assistant",
            "content": c,
            "tool_calls": [{"id": i, "function": {"arguments": t}} for i in n],
        },
        st.one_of(st.none(), texts),
        texts,
        st.lists(texts, max_size=2, unique=True),
    ),
    st.builds(
        lambda c: {"role": "user", "content": [{"type": "tool_result", "content": c}]},
        st.one_of(texts, st.lists(parts, max_size=2), st.none()),
    ),
)


@given(st.lists(messages_, max_size=4))
def test_any_list_comes_out_as_it_went_in(messages: list[dict[str, Any]]) -> None:
    buffer = ContextBuffer()
    buffer.extend(messages)
    assert buffer.messages() == messages


def test_marks_are_places_to_navigate_to(buffer: ContextBuffer) -> None:
    revision = buffer.revision
    seq = buffer.mark("turn", "1  read the code")
    assert seq == buffer.seq
    assert buffer.as_actor("planner").mark("note", "nothing has changed") == seq + 1
    assert buffer.revision == revision
    with pytest.raises(TypeError):
        buffer.mark("turn", 2)  # type: ignore[arg-type]
    buffer.close()
    with pytest.raises(JournalWriteError):
        buffer.mark("turn", "2")


def test_a_mark_of_another_kind_is_an_error(buffer: ContextBuffer) -> None:
    kind: Any = "turns"
    with pytest.raises(ValueError, match="one of turn, llm, tool, note"):
        buffer.mark(kind, "1")
    assert buffer.seq == 0
