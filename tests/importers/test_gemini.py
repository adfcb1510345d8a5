"""Gemini CLI: records that change under their id, `$set` and `$rewindTo`."""

from __future__ import annotations

import json

from support.gemini import Chat, call, edited
from support.importing import import_bytes

from spanscope.importers.gemini import Gemini

FILE = "file:/p/a.py"
TEXT = "alpha = 1\nbeta = 2\n"


def chatting() -> Chat:
    chat = Chat()
    chat.user("u1", "List the files")
    chat.says("g1", "", call("c1", "ls"))
    chat.says("g1", "", call("c1", "ls", "a.py"))
    chat.says("g2", "There is a.py.")
    return chat


def test_a_healthy_chat_has_no_findings() -> None:
    done = chatting().imported()
    assert done.history.findings == []
    assert done.history.unknown == []
    assert done.texts() == ["List the files", "ls {}", "a.py", "There is a.py."]
    assert done.history.state.spans["c1/result"].answers == "c1/call"
    assert [mark.kind for mark in done.events("mark")] == ["turn", "llm", "llm"]


def test_a_record_that_comes_again_is_a_rewrite_without_a_version() -> None:
    chat = chatting()
    chat.says("g2", "There is a.py and b.py.")
    done = chat.imported()
    [rewrite] = done.events("rewrite")
    assert (rewrite.span, rewrite.version) == ("g2", None)
    assert done.text("g2") == "There is a.py and b.py."
    assert done.found() == []


def test_a_document_of_old() -> None:
    chat = chatting()
    header, *records = chat.rows
    data = json.dumps({**header, "messages": [records[0], *records[2:]]}, indent=1).encode()
    done = import_bytes(Gemini(), data)
    assert done.texts() == chat.imported().texts()


def test_other_fields_that_are_set_change_nothing() -> None:
    chat = chatting()
    chat.rows.append({"$set": {"lastUpdated": "2026-11-11T09:10:00Z"}})
    assert chat.imported().texts() == chatting().imported().texts()


def test_a_compaction_is_one_change() -> None:
    chat = chatting()
    last = chat.rows[-1]
    summary = {"id": "s1", "type": "user", "content": "They listed files."}
    chat.set(summary, last)
    done = chat.imported()
    assert done.texts() == ["They listed files.", "There is a.py."]
    assert len(done.events("apply")) == 1
    assert done.found() == []


def test_a_rewind_cuts_the_record_itself_too() -> None:
    chat = chatting()
    chat.user("u2", "Again")
    chat.says("g3", "No.")
    chat.rewind("u2")
    chat.user("u3", "Please")
    done = chat.imported()
    assert done.texts() == [*chatting().imported().texts(), "Please"]
    [rollback] = done.events("rollback")
    assert (rollback.steps, rollback.stores, rollback.edits) == (2, ["context"], None)
    assert done.found() == []


def test_a_rewind_across_a_compaction_clears_everything() -> None:
    chat = chatting()
    chat.user("u2", "Again")
    chat.set({"id": "s1", "type": "user", "content": "They listed files."})
    chat.rewind("u2")
    done = chat.imported()
    assert done.live("context") == []
    gone = [subject["span"] for rule, subject in done.found() if rule == "UND221"]
    assert gone == ["c1/call", "c1/result", "g2", "u1"]
    assert done.at("UND221") == done.events("rollback") * 4


def test_a_rewind_to_what_never_was_clears_everything() -> None:
    chat = chatting()
    chat.rewind("nowhere")
    done = chat.imported()
    assert done.live("context") == []
    assert {rule for rule, _ in done.found()} == {"UND221"}
    assert "nowhere" in done.events("mark")[-1].label


def test_a_resume_is_no_fault() -> None:
    """A new header, one message, then the whole list: a torn window, and the same ids."""
    chat = chatting()
    records = [chat.rows[1], chat.rows[3], chat.rows[4]]
    chat.header()
    chat.set(records[0])
    chat.set(*records)
    chat.user("u2", "Go on")
    done = chat.imported()
    assert done.texts() == [*chatting().imported().texts(), "Go on"]
    assert done.found() == []


def test_a_resume_that_starts_from_the_last_message_is_no_fault() -> None:
    chat = chatting()
    records = [chat.rows[1], chat.rows[3], chat.rows[4]]
    chat.set(records[-1])
    chat.set(*records)
    done = chat.imported()
    assert done.texts() == chatting().imported().texts()
    assert done.found() == []


def test_two_live_messages_with_one_id() -> None:
    chat = chatting()
    first = {"id": "d1", "type": "user", "content": "One"}
    chat.set(first, {**first, "content": "Another"})
    done = chat.imported()
    assert done.found() == [("SPN116", {"span": "d1"})]
    assert done.texts() == ["Another"]


def test_the_same_message_twice_is_counted() -> None:
    chat = chatting()
    first = {"id": "d1", "type": "user", "content": "One"}
    chat.set(first, first)
    done = chat.imported()
    assert done.found() == []
    assert done.summary.untold == {"messages stand twice under one id": 1}


def test_an_edit_records_the_file_before_and_after() -> None:
    chat = chatting()
    after = TEXT.replace("1", "10")
    chat.says("g3", "", edited("c2", TEXT, after, old_string="alpha = 1", new_string="alpha = 10"))
    chat.says("g3", "", edited("c2", TEXT, after, old_string="alpha = 1", new_string="alpha = 10"))
    done = chat.imported()
    [splice] = done.events("splice")
    assert splice.inverse.original == "alpha = 1"
    assert done.text(FILE) == after
    assert done.history.unknown == []
    assert done.found() == []


def refused(error: str, old: str) -> Chat:
    chat = chatting()
    chat.says("g3", "", edited("c2", None, TEXT))
    given = {"file_path": "/p/a.py", "old_string": old, "new_string": "x"}
    response = {"functionResponse": {"response": {"error": error}}}
    failed = call("c3", "replace", args=given, status="error", result=[response])
    chat.says("g4", "", failed)
    return chat


def test_an_edit_whose_text_is_gone() -> None:
    done = refused("Failed to edit, 0 occurrences found for old_string.", "gamma").imported()
    assert [rule for rule, _ in done.found()] == ["DIF303", "DIF304"]
    assert len(done.events("reject")) == 1


def test_an_edit_whose_text_stands_in_several_places() -> None:
    error = "Failed to edit, expected 1 occurrence but found 2."
    assert "DIF307" in [rule for rule, _ in refused(error, " = ").imported().found()]


def test_unknown_records_are_counted() -> None:
    chat = chatting()
    chat.record("x1", "hologram", "")
    chat.record("i1", "info", "Model switched")
    chat.rows.append({"shiny": 1})
    summary = chat.imported().summary
    assert summary.unknown_rows == {"record hologram": 1, "neither a record nor a change": 1}
    assert summary.unknown_fields == {"shiny": 1}


def test_a_result_that_stands_before_its_call_answers_nothing_yet() -> None:
    chat = Chat()
    answer = {"functionResponse": {"id": "c1", "response": {"output": "a.py"}}}
    chat.record("u1", "user", [answer])
    chat.says("g1", "", call("c1", "ls", "a.py"))
    done = chat.imported()
    assert done.texts() == ["a.py", "ls {}"]
    assert done.history.state.spans["c1/result"].answers is None
    assert done.found() == []


def test_a_resume_gives_a_result_twice() -> None:
    """As the program lists it: the calls in contents, and what answers them in two records."""
    chat = chatting()
    asked = {"functionCall": {"id": "c1", "name": "ls", "args": {}}}
    answer = {"functionResponse": {"id": "c1", "response": {"output": "a.py"}}}
    chat.record("u2", "user", [answer])
    assert chat.imported().texts() == chatting().imported().texts()
    chat.header()
    records = [
        {"id": "u1", "type": "user", "content": [{"text": "List the files"}]},
        {"id": "g1", "type": "gemini", "content": [asked]},
        {"id": "g1_response", "type": "user", "content": [answer]},
        {"id": "u2", "type": "user", "content": [answer]},
        {"id": "g2", "type": "gemini", "content": [{"text": "There is a.py."}]},
    ]
    chat.set(records[0])
    chat.set(*records)
    chat.user("u3", "Go on")
    done = chat.imported()
    assert done.texts() == ["List the files", "ls {}", "a.py", "a.py", "There is a.py.", "Go on"]
    assert [done.history.state.spans[name].answers for name in done.live()[2:4]] == ["c1/call"] * 2
    assert done.events("rollback") == []
    assert done.found() == []


def test_a_result_whose_call_a_compaction_took_is_an_orphan_at_the_next_call() -> None:
    chat = Chat()
    chat.user("u1", "Read a.py")
    chat.says("m1", "", call("c1", "read_file", "a = 1"))
    response = {"id": "c1", "name": "read_file", "response": {"output": "a = 1"}}
    told = chat.record("u2", "user", [{"functionResponse": response}])
    chat.says("m2", "It is 1.")
    summary = {"id": "s1", "type": "user", "content": "They read a.py."}
    chat.set(summary, told)
    chat.user("u3", "Go on")
    chat.says("m3", "Yes.")
    done = chat.imported()
    [event] = done.at("SPN133")
    assert event.kind == "llm"
    assert done.found() == [("SPN133", {"span": "c1/result"})]
