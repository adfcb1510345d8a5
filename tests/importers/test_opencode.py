"""opencode: parts that change under their id, pruning, reverts, compactions, sub-agents."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from support.importing import Imported, read_whole
from support.opencode import Database, Session

from spanscope.importers.errors import SourceError
from spanscope.importers.opencode import CLEARED, OpenCode
from spanscope.importers.opencode_parts import QUESTION
from spanscope.importers.source import open_source

PATH = "/p/a.py"
REGION = f"file:{PATH}#1"
PATCH = f"--- {PATH}\n+++ {PATH}\n@@ -1,2 +1,2 @@\n-alpha = 1\n+alpha = 10\n beta = 2\n"


@pytest.fixture
def session(tmp_path: Path) -> Session:
    """A session that has answered one prompt."""
    made = Database(tmp_path / "opencode.db").session()
    made.user("List the files")
    made.tool("bash", "a.py", command="ls")
    made.says("There is a.py.")
    return made


def imported(session: Session, branch: str | None = None) -> Imported:
    source = open_source([session.database.path], branch=branch)
    journal = b"".join(source.journal())
    return Imported(journal, read_whole(journal), source.summary)


def test_a_healthy_session_has_no_findings(session: Session) -> None:
    done = imported(session)
    assert done.history.findings == []
    assert done.history.unknown == []
    assert done.texts() == ["List the files", 'bash {"command": "ls"}', "a.py", "There is a.py."]
    result = next(n for n in done.live() if n.endswith("/result"))
    assert done.history.state.spans[result].answers == result.removesuffix("/result")
    assert [mark.kind for mark in done.events("mark")] == ["turn", "llm", "llm"]


def test_parts_stand_in_the_order_in_which_they_came(session: Session) -> None:
    message = session.message("assistant")
    text = session.part(message, "text", text="")
    session.part(message, "tool", tool="bash", state={"status": "running", "input": {}})
    session.part(message, "text", text, text="First I say this.")
    assert imported(session).texts()[-2:] == ["First I say this.", "bash {}"]


def test_a_part_that_changes_is_a_rewrite_without_a_version(session: Session) -> None:
    message = session.message("assistant")
    part = session.part(message, "text", text="One")
    session.part(message, "text", part, text="One, two")
    [rewrite] = imported(session).events("rewrite")
    assert (rewrite.span, rewrite.content, rewrite.version) == (part, "One, two", None)


def test_pruning_changes_what_is_shown_and_not_what_is_stored(session: Session) -> None:
    message = session.message("assistant")
    part = session.part(message, "tool", tool="read", state={"status": "running", "input": {}})
    session.finish(message, part, "read", {}, "long text")
    session.finish(message, part, "read", {}, "long text", time={"compacted": 1})
    session.says("Next.")
    session.says("And next.")
    done = imported(session)
    assert done.text(f"{part}/result") == "long text"
    [render] = done.events("render")
    assert done.shown()[-1] == CLEARED
    assert render.meta["inferred"]
    assert done.found("info") == [("SHN401", {"span": f"{part}/result"})]
    assert done.found() == []


def test_a_revert_is_a_pointer_until_the_next_prompt(session: Session) -> None:
    before = imported(session).texts()
    second = session.user("Again")
    session.says("No.")
    pointer = {"messageID": second, "diff": ""}
    session.log("session.updated", {"info": {"revert": pointer}})
    session.log("session.updated", {"info": {}})
    assert imported(session).texts() == [*before, "Again", "No."]
    session.log("session.updated", {"info": {"revert": pointer}})
    session.log("message.removed", {"messageID": second})
    session.log("message.removed", {"messageID": "msg_ses_1_005"})
    session.user("Instead")
    done = imported(session)
    assert done.texts() == [*before, "Instead"]
    [rollback] = done.events("rollback")
    assert (rollback.steps, rollback.stores) == (2, ["context"])
    assert done.found() == []


def test_a_message_that_is_removed_by_itself_is_pruned(session: Session) -> None:
    second = session.user("Again")
    session.log("message.removed", {"messageID": second})
    done = imported(session)
    assert len(done.events("prune")) == 1
    assert done.found() == []


def test_a_compaction_leaves_its_question_and_summary(session: Session) -> None:
    asked = session.message("user")
    session.part(asked, "compaction", auto=False)
    answer = session.message("assistant", summary=True)
    session.part(answer, "text", text="They listed files.")
    session.message("assistant", answer, summary=True, time={"completed": session.database.now})
    session.user("Go on")
    done = imported(session)
    assert done.texts() == [QUESTION, "They listed files.", "Go on"]
    [derive] = done.events("derive")
    assert (derive.kind, len(derive.sources)) == ("summary", 3)
    assert len(done.events("apply")) == 1
    assert done.found() == []


def compaction(session: Session, summary: str, tail: str | None, **fields: object) -> None:
    """As newer versions do it: the part says which messages stay once the summary is done."""
    asked = session.message("user")
    part = session.part(asked, "compaction", auto=False)
    answer = session.message("assistant", summary=True)
    session.part(answer, "text", text=summary)
    done = {"completed": session.database.now}
    session.message("assistant", answer, summary=True, time=done, **fields)
    if tail is not None:
        session.part(asked, "compaction", part, auto=False, tail_start_id=tail)
    session.log("session.updated", {"info": {}})


def test_a_compaction_keeps_its_tail_behind_the_summary(session: Session) -> None:
    before = imported(session).texts()
    tail = session.user("Again")
    session.says("No.")
    compaction(session, "They listed files.", tail)
    session.user("Go on")
    done = imported(session)
    assert done.texts() == [QUESTION, "They listed files.", "Again", "No.", "Go on"]
    [derive] = done.events("derive")
    assert len(derive.sources) == len(before) - 1
    assert done.found() == []


def test_a_second_compaction_takes_the_tail_of_the_first(session: Session) -> None:
    compaction(session, "One.", session.user("Again"))
    tail = session.user("Go on")
    compaction(session, "Two.", tail)
    done = imported(session)
    assert done.texts() == [QUESTION, "Two.", "Go on"]
    assert done.found() == []


@pytest.mark.parametrize("back", [1, 3])
def test_a_revert_with_a_tail(session: Session, back: int) -> None:
    """To after the compaction, or to before it."""
    before = imported(session).texts()
    tail = session.user("Again")
    compaction(session, "They listed files.", tail)
    session.user("Go on")
    ids = [f"msg_ses_1_{number:03}" for number in range(4, 8)]
    to = ids[-back:]
    session.log("session.updated", {"info": {"revert": {"messageID": to[0], "diff": ""}}})
    for id in to:
        session.log("message.removed", {"messageID": id})
    done = imported(session)
    compacted = [QUESTION, "They listed files.", "Again"]
    assert done.texts() == (compacted if back == 1 else [*before, "Again"])
    assert done.found() == []


def test_a_summary_that_failed_takes_nothing_away(session: Session) -> None:
    before = imported(session).texts()
    compaction(session, "", None, error={"name": "UnknownError"})
    assert imported(session).texts() == [*before, QUESTION]


def test_results_stand_behind_all_calls_of_their_step(session: Session) -> None:
    message = session.message("assistant")
    session.part(message, "step-start")
    parts = [session.part(message, "tool", tool=name, state={}) for name in ("ls", "pwd")]
    for part, name in zip(parts, ("ls", "pwd"), strict=True):
        given = {"status": "running", "input": {}}
        session.part(message, "tool", part, tool=name, state=given)
        session.finish(message, part, name, {}, f"out of {name}")
    session.part(message, "step-start")
    session.part(message, "text", text="Done.")
    done = imported(session)
    assert done.texts()[-5:] == ["ls {}", "pwd {}", "out of ls", "out of pwd", "Done."]
    assert done.found() == []


def test_a_revert_across_a_compaction_brings_everything_back(session: Session) -> None:
    before = imported(session).texts()
    test_a_compaction_leaves_its_question_and_summary(session)
    asked = "msg_ses_1_004"
    session.log("session.updated", {"info": {"revert": {"messageID": asked, "diff": ""}}})
    session.log("message.removed", {"messageID": asked})
    done = imported(session)
    assert done.texts() == before
    assert done.found() == []


def test_sub_agents_are_sessions_of_their_own(session: Session) -> None:
    child = session.database.session("ses_2", parent="ses_1")
    child.user("Search")
    session.says("Found.")
    done = imported(session)
    assert done.texts("subagent:ses_2") == ["Search"]
    assert done.texts()[-1] == "Found."
    actors = [event.actor for event in done.history.events if event.actor != "agent"]
    assert actors == ["subagent:ses_2"]


def test_the_newest_session_is_taken_and_others_can_be_asked_for(session: Session) -> None:
    other = session.database.session("ses_9")
    other.user("Another session")
    done = imported(session)
    assert done.texts() == ["Another session"]
    assert "2 sessions, the newest was taken; others: ses_1" in done.summary.notes
    assert len(imported(session, "ses_1").texts()) == 4
    with pytest.raises(SourceError, match="there is no branch ses_7"):
        imported(session, "ses_7")


def read(session: Session, text: str) -> None:
    message = session.message("assistant")
    part = session.part(message, "tool", tool="read", state={"status": "running", "input": {}})
    count = text.count("\n") + 1
    display = {"text": text, "lineStart": 1, "lineEnd": count, "totalLines": count}
    facts = {"display": {**display, "truncated": False}}
    session.finish(message, part, "read", {"filePath": PATH}, "…", metadata=facts)


def edit(session: Session, old: str, new: str, **more: object) -> None:
    message = session.message("assistant")
    part = session.part(message, "tool", tool="edit", state={"status": "running", "input": {}})
    given = {"filePath": PATH, "oldString": old, "newString": new}
    output = None if "error" in more else "ok"
    session.finish(message, part, "edit", given, output, **more)


def test_an_edit_is_followed_through_what_was_read(session: Session) -> None:
    read(session, "alpha = 1\nbeta = 2")
    edit(session, "alpha = 1", "alpha = 10", metadata={"filediff": {"patch": PATCH}})
    done = imported(session)
    assert done.text(REGION) == "alpha = 10\nbeta = 2\n"
    assert done.found() == []
    read(session, "alpha = 10\nbeta = 2\nforeign = 7")
    done = imported(session)
    assert done.text(REGION) == "alpha = 10\nbeta = 2\nforeign = 7\n"
    [foreign] = [event for event in done.events("rewrite") if event.span == REGION]
    assert foreign.actor == "foreign"
    assert done.found() == []


def test_an_edit_whose_text_is_gone(session: Session) -> None:
    read(session, "alpha = 1\nbeta = 2")
    edit(session, "alpha = 1", "alpha = 10", metadata={"diff": PATCH})
    edit(session, "alpha = 1\nbeta", "x", error="Could not find oldString in the file.")
    done = imported(session)
    assert [rule for rule, _ in done.found()] == ["DIF303", "DIF304"]
    assert done.at("DIF303") == done.events("stage")
    assert len(done.events("reject")) == 1


def test_an_edit_whose_text_stands_in_several_places(session: Session) -> None:
    read(session, "alpha = 1\nbeta = 2")
    edit(session, " = ", ": ", error="Found multiple matches for oldString.")
    assert "DIF307" in [rule for rule, _ in imported(session).found()]


def test_files_that_a_revert_restored_are_unknown(session: Session) -> None:
    read(session, "alpha = 1\nbeta = 2")
    pointer = {"messageID": "msg_ses_1_001", "diff": "diff --git a/a.py b/a.py\n"}
    session.log("session.updated", {"info": {"revert": pointer}})
    assert imported(session).text(REGION) is None


def test_a_database_without_an_event_log_has_only_the_last_state(tmp_path: Path) -> None:
    session = Database(tmp_path / "old.db", old=True).session()
    session.user("List the files")
    session.tool("bash", "a.py", command="ls")
    done = imported(session)
    assert done.texts() == ["List the files", 'bash {"command": "ls"}', "a.py"]
    assert any("no event log" in note for note in done.summary.notes)
    assert done.history.findings == []


def test_it_is_polled_while_it_grows(session: Session) -> None:
    importer = OpenCode()
    found = []
    for number in range(3):
        with closing(sqlite3.connect(session.database.path)) as connection:
            found.append(importer.read(connection))
        session.says(str(number))
    with closing(sqlite3.connect(session.database.path)) as connection:
        found.append(importer.read(connection))
    journal = b"".join([*found, importer.finish()])
    assert journal == imported(session).journal


def test_unknown_events_and_parts_are_counted(session: Session) -> None:
    session.log("session.shiny", {})
    session.part(session.message("user"), "hologram")
    unknown = imported(session).summary.unknown_rows
    assert unknown == {"session.shiny": 1, "part hologram": 1}
