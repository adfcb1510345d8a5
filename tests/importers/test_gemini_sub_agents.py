"""Gemini CLI: sub-agents in chats of their own, read with the session that they belong to."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from support.gemini import Chat, call
from support.importing import followed, import_files, lines, polled, read_whole, unclosed

ID = "0196f2a4-1b2c-7d3e-8f40-123456789abc"


def timed(chat: Chat, second: int) -> list[dict[str, Any]]:
    """The rows of a chat, a second each."""
    rows = []
    for number, row in enumerate(chat.rows):
        name = "startTime" if "sessionId" in row else "timestamp"
        rows.append({**row, name: f"2026-11-11T09:00:{second + number:02}Z"})
    return rows


def parent() -> Chat:
    chat = Chat()
    chat.user("u1", "Have it searched")
    chat.says("g1", "", call("c1", "invoke_agent", "It is in line 2."))
    return chat


def child(name: str) -> Chat:
    chat = Chat()
    chat.rows[0] |= {"sessionId": name, "kind": "subagent"}
    chat.user(f"{name}-u", "Search")
    chat.says(f"{name}-g", "In line 2.")
    return chat


@pytest.fixture
def session(tmp_path: Path) -> Path:
    chats = tmp_path / "chats"
    chats.mkdir()
    path = chats / "session-2026-11-11T09-00-abc.jsonl"
    path.write_bytes(lines(timed(parent(), 0)))
    below(path).mkdir()
    return path


def below(session: Path) -> Path:
    return session.parent / "g1"


def test_they_are_actors_with_a_store_each(session: Path) -> None:
    for name in (ID, "b"):
        (below(session) / f"{name}.jsonl").write_bytes(lines(timed(child(name), 1)))
    done = import_files(session)
    assert done.texts()[0] == "Have it searched"
    for actor in ("subagent:0196f2a4", "subagent:b"):
        assert done.texts(actor) == ["Search", "In line 2."]
    assert [mark.label for mark in done.events("mark") if mark.kind == "turn"] == [
        "Have it searched"
    ]
    assert done.summary.notes == ["with 2 more files of its session"]
    assert done.found() == []


def test_sessions_of_one_folder_are_agents(session: Path) -> None:
    """A chat that was resumed in another minute has a second file of one session."""
    other, again, first = Chat(), Chat(), {"id": "context", "type": "user", "content": "Today is"}
    other.rows[0]["sessionId"] = "other"
    for chat in (main := parent(), other):
        chat.rows.insert(1, {"$set": {"messages": [first]}})
    session.write_bytes(lines(timed(main, 0)))
    other.user("o1", "Another task")
    again.user("u2", "Go on")
    for name, chat, second in (("1", other, 10), ("2", again, 20)):
        session.with_name(f"session-{name}.jsonl").write_bytes(lines(timed(chat, second)))
    done = import_files(session.parent)
    turns = [(mark.actor, mark.label) for mark in done.events("mark") if mark.kind == "turn"]
    assert turns == [
        ("agent", "Have it searched"),
        ("agent:other", "Another task"),
        ("agent", "Go on"),
    ]
    assert done.texts("agent:other") == ["Today is", "Another task"]
    assert done.found() == []


def test_two_with_one_beginning_are_two(session: Path) -> None:
    for name in ("0196f2a4-1", "0196f2a4-2"):
        (below(session) / f"{name}.jsonl").write_bytes(lines(timed(child(name), 1)))
    actors = {event.actor for event in import_files(session).events("ingest")}
    assert actors == {"agent", "subagent:0196f2a4", "subagent:0196f2a4.2"}


def test_a_rewind_and_a_clearing_touch_one_chat_only(session: Path) -> None:
    made = child("b")
    made.rewind("b-g")
    made.user("b-u2", "Once more")
    made.rewind("nowhere")
    made.user("b-u3", "At last")
    (below(session) / "b.jsonl").write_bytes(lines(timed(made, 10)))
    done = import_files(session)
    assert done.texts("subagent:b") == ["At last"]
    assert done.texts() == import_files(session.rename(session.with_name("z.jsonl"))).texts()
    assert len(done.texts()) == 3


def test_a_result_comes_when_the_call_was_done(session: Path) -> None:
    """A record that is written again has the time of its first one; its calls have their own."""
    chat = parent()
    rows = timed(chat, 0)
    rows[2]["toolCalls"][0]["timestamp"] = "2026-11-11T09:00:30Z"
    session.write_bytes(lines(rows))
    (below(session) / "b.jsonl").write_bytes(lines(timed(child("b"), 10)))
    made = [event.actor for event in import_files(session).events("ingest")]
    assert made == ["agent", "subagent:b", "subagent:b", "agent", "agent"]


def test_what_is_no_sub_agents_is_left_alone(session: Path, tmp_path: Path) -> None:
    alone = import_files(session).journal
    (below(session) / "main.jsonl").write_bytes(lines(timed(Chat(), 1)))
    (below(session) / "junk.jsonl").write_bytes(b"\xff\n[]\nnull\n")
    (below(session) / "folder.jsonl").mkdir()
    outside = tmp_path / "x.jsonl"
    outside.write_bytes(lines(timed(child("x"), 1)))
    (below(session) / "x.jsonl").symlink_to(outside)
    assert import_files(session).journal == alone


@pytest.mark.parametrize("name", ["..", "a/../b", "", 3, None])
def test_a_session_is_no_path(session: Path, name: object) -> None:
    (session.parent.parent / "x.jsonl").write_bytes(lines(timed(child("x"), 1)))
    rows = timed(parent(), 0)
    rows[0]["sessionId"] = name
    session.write_bytes(lines(rows))
    assert import_files(session).summary.notes == []


def test_a_session_is_followed_with_its_sub_agents(session: Path) -> None:
    tail = followed(session)
    found = polled(tail)
    (below(session) / "b.jsonl").write_bytes(lines(timed(child("b"), 20)))
    found += polled(tail)
    with session.open("ab") as stream:
        done = {"id": "g2", "type": "gemini", "content": "Done."}
        stream.write(lines([{**done, "timestamp": "2026-11-11T09:00:40Z"}]))
    found += polled(tail)
    tail.close()
    assert found == unclosed(import_files(session).journal)
    actors = [event.actor for event in read_whole(found).events]
    assert list(dict.fromkeys(actors)) == ["agent", "subagent:b"]
