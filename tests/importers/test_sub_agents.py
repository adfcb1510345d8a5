"""Claude Code: sub-agents in files of their own, read with the session that they belong to."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from support.claude import Transcript
from support.importing import followed, import_files, lines, polled, read_whole, unclosed

from spanscope.journal.tail import Truncated

TEXT = "alpha = 1\nbeta = 2\n"


def child(agent: str, session: str = "s1", second: int = 10) -> Transcript:
    """A sub-agent that looks for something."""
    made = Transcript(session)
    side: dict[str, Any] = {"isSidechain": True, "agentId": agent}
    made.user("Where is beta?", uuid=f"{agent}/u1", **side)
    made.says("In line 2.", "m9", uuid=f"{agent}/a1", **side)
    for number, row in enumerate(made.rows):
        row["timestamp"] = f"2026-11-11T09:00:{second + number:02}Z"
    return made


def parent() -> Transcript:
    made = Transcript()
    made.user("Ask where beta is")
    made.read("t1", "/p/a.py", TEXT)
    return made


@pytest.fixture
def session(tmp_path: Path) -> Path:
    path = tmp_path / "s1.jsonl"
    path.write_bytes(lines(parent().rows))
    (tmp_path / "s1" / "agents").mkdir(parents=True)
    return path


def agent_file(session: Path, name: str) -> Path:
    return session.with_suffix("") / "agents" / f"agent-{name}.jsonl"


def test_they_are_actors_with_a_store_each(session: Path) -> None:
    for name in ("x", "y"):
        agent_file(session, name).write_bytes(lines(child(name).rows))
    done = import_files(session)
    actors = {event.actor for event in done.events("ingest")} - {"agent"}
    assert {actor.partition(":")[2] for actor in actors} == {"x", "y"}
    for actor in actors:
        assert done.texts(actor) == ["Where is beta?", "In line 2."]
    assert len(done.texts()) == len(
        import_files(session.rename(session.with_name("z.jsonl"))).texts()
    )
    assert done.summary.notes == ["with 2 more files of its session"]
    assert done.found() == []


def test_naming_them_too_reads_them_once(session: Path) -> None:
    agent_file(session, "x").write_bytes(lines(child("x").rows))
    done = import_files(session)
    assert import_files(session, agent_file(session, "x")).journal == done.journal
    assert import_files(session.parent).journal == done.journal


def test_rows_are_merged_by_time(session: Path) -> None:
    agent_file(session, "x").write_bytes(lines(child("x", second=2).rows))
    made = [event.actor == "agent" for event in import_files(session).events("ingest")]
    assert made == [True, True, False, True, True, False]


def test_what_belongs_to_another_session_is_left_alone(session: Path, tmp_path: Path) -> None:
    alone = import_files(session).journal
    agent_file(session, "other").write_bytes(lines(child("other", "s2").rows))
    agent_file(session, "empty").write_bytes(b"")
    agent_file(session, "junk").write_bytes(b"\xff\n[]\nnull\n")
    agent_file(session, "folder").mkdir()
    outside = tmp_path / "agent-x.jsonl"
    outside.write_bytes(lines(child("x").rows))
    agent_file(session, "link").symlink_to(outside)
    assert import_files(session).journal == alone


def test_a_folder_that_is_a_link_is_left_alone(session: Path, tmp_path: Path) -> None:
    alone = import_files(session).journal
    agent_file(session, "x").write_bytes(lines(child("x").rows))
    elsewhere = tmp_path / "elsewhere"
    session.with_suffix("").rename(elsewhere)
    session.with_suffix("").symlink_to(elsewhere)
    assert import_files(session).journal == alone


def asked(calls: dict[str, Any], **row: Any) -> Transcript:
    """A sub-agent whose rows do not say what its tools did, as newer versions write them."""
    made = child("x")
    uuid = made.calls("t9", calls.pop("tool"), "m10", **calls)
    made.result("t9", "done", **row)
    for each in made.rows[2:]:
        each |= {"isSidechain": True, "agentId": "x", "timestamp": "2026-11-11T09:00:20Z"}
    made.rows[2]["parentUuid"], made.rows[3]["parentUuid"] = made.rows[1]["uuid"], uuid
    return made


@pytest.mark.parametrize(
    ("calls", "left"),
    [
        (
            {"tool": "Edit", "old_string": "beta = 2", "new_string": "beta = 20"},
            "alpha = 1\nbeta = 20\n",
        ),
        ({"tool": "Write", "content": "gamma\n"}, "gamma\n"),
        (
            {"tool": "Edit", "old_string": " = ", "new_string": "=", "replace_all": True},
            "alpha=1\nbeta=2\n",
        ),
        ({"tool": "Edit", "old_string": "delta", "new_string": "x"}, None),
        ({"tool": "Read"}, TEXT),
    ],
)
def test_what_only_the_call_says_was_done(
    session: Path, calls: dict[str, Any], left: str | None
) -> None:
    made = asked({**calls, "file_path": "/p/a.py"})
    agent_file(session, "x").write_bytes(lines(made.rows))
    done = import_files(session)
    assert done.text("file:/p/a.py") == left
    assert done.found() == []


def test_a_notice_of_what_a_sub_agent_did_is_no_foreign_write(session: Path) -> None:
    made = asked(
        {"tool": "Edit", "file_path": "/p/a.py", "old_string": "beta = 2", "new_string": "beta = 3"}
    )
    agent_file(session, "x").write_bytes(lines(made.rows))
    told = parent()
    notice = {"type": "edited_text_file", "filename": "/p/a.py", "snippet": ""}
    told.add("attachment", attachment=notice)
    told.rows[-1]["timestamp"] = "2026-11-11T09:00:30Z"
    session.write_bytes(lines(told.rows))
    assert import_files(session).text("file:/p/a.py") == "alpha = 1\nbeta = 3\n"
    agent_file(session, "x").unlink()
    assert import_files(session).text("file:/p/a.py") is None


# Followed


def test_a_session_is_followed_with_its_sub_agents(session: Path) -> None:
    agent_file(session, "x").write_bytes(lines(child("x").rows))
    tail = followed(session)
    found = polled(tail)
    whole = import_files(session).journal
    assert found == unclosed(whole)
    with agent_file(session, "x").open("ab") as stream:
        more = child("x", second=40).rows[1]
        stream.write(json.dumps({**more, "uuid": "x/more"}).encode())
        assert polled(tail) == b""
        stream.write(b"\n")
    found += polled(tail)
    agent_file(session, "late").write_bytes(lines(child("late", second=50).rows))
    found += polled(tail)
    told = parent()
    told.says("Thanks.", "m3")
    told.rows[-1]["timestamp"] = "2026-11-11T09:00:59Z"
    session.write_bytes(lines(told.rows))
    found += polled(tail)
    tail.close()
    whole = import_files(session).journal
    assert found == unclosed(whole)
    actors = dict.fromkeys(event.actor for event in read_whole(found).events)
    assert [actor.rpartition(":")[2] for actor in actors] == ["agent", "x", "late"]


def test_a_long_session_is_merged_by_time_while_it_is_read(session: Path) -> None:
    told = parent()
    for number in range(2000):
        told.user(f"Prompt {number}: {'x' * 100}")
    session.write_bytes(lines(told.rows))
    agent_file(session, "x").write_bytes(lines(child("x", second=30).rows))
    tail = followed(session)
    found = polled(tail)
    tail.close()
    whole = import_files(session).journal
    assert found == unclosed(whole)


def test_a_sub_agents_file_that_was_cut_is_read_again(session: Path) -> None:
    agent_file(session, "x").write_bytes(lines(child("x").rows))
    tail = followed(session)
    polled(tail)
    agent_file(session, "x").write_bytes(lines(child("x").rows[:1]))
    assert [type(item) for item in tail.poll()] == [Truncated]
    found = polled(tail)
    assert b"In line 2." not in found
    assert b"Where is beta?" in found
    tail.close()
