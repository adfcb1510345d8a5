"""Lists of requests: identity is inferred, and what each call was given is rebuilt exactly."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.importing import Imported, import_bytes, import_rows, lines
from support.sessions import user

from spanscope.importers.requests import Requests

Message = dict[str, Any]


def says(text: str | None, *calls: str) -> Message:
    asked = [{"id": id, "function": {"name": "grep", "arguments": "{}"}} for id in calls]
    return {"role": "assistant", "content": text, **({"tool_calls": asked} if asked else {})}


def result(id: str, text: str) -> Message:
    return {"role": "tool", "tool_call_id": id, "content": text}


SYSTEM = {"role": "system", "content": "Be brief."}
START = [SYSTEM, user("Find it"), says("I look.", "c1"), result("c1", "a.py:1")]
GOES_ON = [*START, says("It is in a.py."), user("Fix it"), says(None, "c2"), result("c2", "done")]


def requests(*messages: list[Message]) -> Imported:
    return import_rows(Requests(), [{"messages": each} for each in messages])


def test_a_conversation_that_grows_has_no_findings() -> None:
    done = requests(START[:2], START, GOES_ON)
    assert done.history.findings == []
    assert done.history.unknown == []
    assert done.events("rewrite") == done.events("prune") == []
    assert done.live() == [
        "system/1",
        "user/1",
        "assistant/1",
        "call/c1",
        "result/c1",
        "assistant/2",
        "user/2",
        "call/c2",
        "result/c2",
    ]


def test_the_header_says_that_ids_are_inferred() -> None:
    done = requests(START)
    session = done.history.session
    assert session is not None
    assert session.meta is not None
    assert session.meta["imported"]["identity"].startswith("inferred")
    assert session.records == []
    assert "ids are inferred" in " ".join(done.summary.lines())


def test_a_recorded_reply_is_the_message_of_the_next_request() -> None:
    reply = {"choices": [{"message": START[2]}], "id": "r1"}
    rows = [{"messages": START[:2], "response": reply}, {"messages": START}]
    done = import_rows(Requests(), rows)
    assert [span for span in done.live() if span.startswith("assistant")] == ["assistant/1"]
    assert [render.call for render in done.events("render")] == ["r1", None]
    assert len(done.events("render")[0].items) == 2


def test_a_result_that_says_something_else_is_rewritten_without_a_version() -> None:
    cleared = [*GOES_ON[:3], result("c1", "[cleared]"), *GOES_ON[4:]]
    done = requests(GOES_ON, cleared)
    [rewrite] = done.events("rewrite")
    assert (rewrite.span, rewrite.content, rewrite.version) == ("result/c1", "[cleared]", None)
    assert done.found("info") == [("SHN404", {"span": "result/c1"})]
    assert done.found() == []


def test_a_text_that_says_something_else_at_its_place_is_rewritten() -> None:
    done = requests(GOES_ON, [*GOES_ON[:4], says("It was in a.py."), *GOES_ON[5:]])
    assert [rewrite.span for rewrite in done.events("rewrite")] == ["assistant/2"]


def test_a_compaction_is_one_change() -> None:
    done = requests(GOES_ON, [SYSTEM, user("Summary: found and fixed."), *GOES_ON[5:]])
    assert done.live()[:3] == ["system/1", "user/3", "user/2"]
    assert len(done.events("apply")) == 1
    assert done.events("rewrite") == []
    assert done.found() == []


def test_a_result_without_its_call_is_an_orphan_in_the_call_that_shows_it() -> None:
    done = requests(GOES_ON, [SYSTEM, user("Summary."), *GOES_ON[3:]])
    assert ("SPN133", {"span": "result/c1"}) in done.found()
    [event] = done.at("SPN133")
    assert event == done.events("render")[-1]


def test_two_answers_to_one_call_are_shown_twice() -> None:
    done = requests(START, [*START, result("c1", "a.py:1")])
    assert [rule for rule, _ in done.found()] == ["SHN403"]


def test_two_conversations_in_one_log_are_two_actors() -> None:
    other = [SYSTEM, user("Quite another thing"), says("Yes?")]
    done = requests(START, other, GOES_ON, [*other, user("Go on")])
    assert done.texts("context:2")[1:] == ["Quite another thing", "Yes?", "Go on"]
    assert {render.actor for render in done.events("render")} == {"agent", "agent:2"}
    assert done.history.findings == []


def test_a_key_tells_conversations_apart() -> None:
    rows = [
        {"messages": START, "session_id": "a"},
        {"messages": START, "session_id": "b"},
        {"messages": GOES_ON, "session_id": "a"},
    ]
    done = import_rows(Requests(), rows)
    assert len(done.live("context")) == 9
    assert len(done.live("context:2")) == 5


def test_tools_are_part_of_what_is_shown() -> None:
    rows = [{"messages": START, "tools": [{"name": name}]} for name in ("grep", "ls")]
    done = import_rows(Requests(), rows)
    assert done.live()[0] == "tools"
    assert [rewrite.span for rewrite in done.events("rewrite")] == ["tools"]


def test_what_the_api_cleared_is_noted_and_not_guessed() -> None:
    edits = {"applied_edits": [{"type": "clear_tool_uses_20250919", "cleared_tool_uses": 3}]}
    row = {"messages": START, "response": {"content": [], "context_management": edits}}
    done = import_rows(Requests(), [row])
    [note] = [mark for mark in done.events("mark") if mark.kind == "note"]
    assert note.label == "cleared by the API before this call: clear_tool_uses_20250919: 3"


def test_single_messages_a_row_are_a_conversation_without_renders() -> None:
    done = import_rows(Requests(), GOES_ON)
    assert len(done.live()) == 9
    assert done.events("render") == []
    assert [mark.kind for mark in done.events("mark")] == ["llm"] * 3
    assert done.history.findings == []


@pytest.mark.parametrize("indent", [None, 2])
def test_a_file_that_is_one_request(indent: int | None) -> None:
    done = import_bytes(Requests(), json.dumps({"messages": START}, indent=indent).encode())
    assert len(done.live()) == 5


ANTHROPIC = [
    {"role": "user", "content": "Find it"},
    {
        "role": "assistant",
        "content": [
            {"type": "thinking", "thinking": "Hm."},
            {"type": "text", "text": "I look."},
            {"type": "tool_use", "id": "t1", "name": "grep", "input": {"q": "x"}},
        ],
    },
    {
        "role": "user",
        "content": [
            {"type": "tool_result", "tool_use_id": "t1", "content": [{"type": "text", "text": "a"}]}
        ],
    },
]


def test_lists_of_anthropic() -> None:
    rows = [{"system": [{"type": "text", "text": "Be brief."}], "messages": ANTHROPIC}]
    done = import_rows(Requests(), rows)
    assert done.texts() == ["Be brief.", "Find it", "Hm.", "I look.", 'grep {"q": "x"}', "a"]
    assert done.history.state.spans["result/t1"].answers == "call/t1"


def test_lists_of_the_responses_api() -> None:
    given = [
        {"role": "user", "content": [{"type": "input_text", "text": "Find it"}]},
        {"type": "function_call", "call_id": "f1", "name": "grep", "arguments": '{"q": 1}'},
        {"type": "function_call_output", "call_id": "f1", "output": "a"},
    ]
    output = [{"type": "message", "content": [{"type": "output_text", "text": "In a."}]}]
    row = {
        "model": "m",
        "instructions": "Be brief.",
        "input": given,
        "response": {"output": output},
    }
    done = import_rows(Requests(), [row])
    assert done.texts() == ["Be brief.", "Find it", 'grep {"q": 1}', "a", "In a."]


def test_pictures_stand_as_a_line() -> None:
    source = {"type": "base64", "media_type": "image/png", "data": "aGVsbG8="}
    content = [{"type": "image", "source": source}]
    done = requests([{"role": "user", "content": content}])
    assert done.texts() == ["[image/png, 8 characters in base64, sha256 333d6b3a3c1f]"]


TEXTS = st.sampled_from(("a", "b", "c", "long text"))
MESSAGES = st.lists(
    st.one_of(
        st.builds(user, TEXTS),
        st.builds(says, TEXTS),
        st.builds(lambda id: says(None, id), st.sampled_from("xyz")),
        st.builds(result, st.sampled_from("xyz"), TEXTS),
    ),
    min_size=1,
    max_size=8,
)


@given(st.lists(MESSAGES, min_size=1, max_size=6))
def test_each_call_is_shown_exactly_what_its_request_lists(lists: list[list[Message]]) -> None:
    rows = [{"messages": each, "session_id": "one"} for each in lists]
    done = import_bytes(Requests(), lines(rows))
    for number, messages in enumerate(lists):
        said = [
            "grep {}" if message.get("tool_calls") else message["content"] for message in messages
        ]
        assert done.shown(number) == said
