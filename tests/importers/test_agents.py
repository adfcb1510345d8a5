"""Sessions of other agents, found in homes that are made up."""

from __future__ import annotations

import json
import os
import time
from pathlib import Path
from typing import Any

import pytest
from support.claude import Transcript
from support.importing import lines
from support.opencode import Database

from spanscope.importers.agents import ACTIVE, MOST_SESSIONS, active_sessions

ID = "0196f2a4-1b2c-7d3e-8f40-123456789abc"
FOLDERS = ("CLAUDE_CONFIG_DIR", "CODEX_HOME", "GEMINI_CLI_HOME", "XDG_DATA_HOME")


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home folder; no variable says that the agents keep their sessions elsewhere."""
    for name in FOLDERS:
        monkeypatch.delenv(name)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("USERPROFILE", str(tmp_path))
    return tmp_path


def put(path: Path, rows: list[Any], age: float = 0) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(lines(rows))
    if age:
        os.utime(path, (time.time() - age,) * 2)
    return path


def claude(folder: Path, name: str = ID, age: float = 0, cwd: str = "/home/me/shop") -> Path:
    session = Transcript(name)
    session.user("Hi", cwd=cwd)
    return put(folder / "projects" / "-home-me-shop" / f"{name}.jsonl", session.rows, age)


def codex(folder: Path) -> Path:
    name = f"rollout-2026-11-11T09-00-00-{ID}.jsonl"
    meta = {"type": "session_meta", "payload": {"id": ID, "cwd": "C:\\work\\till"}}
    return put(folder / "sessions" / "2026" / "11" / "11" / name, [meta])


def gemini(folder: Path) -> Path:
    path = folder / ".gemini" / "tmp" / "shop" / "chats" / "session-2026-11-11T09-00-abc.jsonl"
    return put(path, [{"sessionId": "g1", "projectHash": "x"}])


def opencode(path: Path) -> Database:
    path.parent.mkdir(parents=True, exist_ok=True)
    database = Database(path)
    database.session("ses_old")
    database.session("ses_new")
    database.session("ses_child", parent="ses_new")
    query = "UPDATE session SET time_updated = ? WHERE id != 'ses_old'"
    database.execute(query, int(time.time() * 1000))
    return database


def found() -> list[tuple[str, str, Path, str | None]]:
    return [(each.agent, each.name, each.path, each.branch) for each in active_sessions()]


def test_no_agent_was_ever_here(home: Path) -> None:
    assert active_sessions() == []


def test_each_agent_is_found_in_the_home_folder(home: Path) -> None:
    database = opencode(home / ".local" / "share" / "opencode" / "opencode.db")
    expected = [
        ("Claude Code", "shop 0196f2a4", claude(home / ".claude"), None),
        ("Codex", "till 0196f2a4", codex(home / ".codex"), None),
        ("Gemini CLI", "shop session-2026-11-11T09-00-abc", gemini(home), None),
        ("opencode", "ses_new", database.path, "ses_new"),
    ]
    assert sorted(found(), key=str) == expected


def test_the_agents_variables_name_other_folders(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, make in zip(FOLDERS, (claude, codex, gemini), strict=False):
        make(home / "ignored")
        monkeypatch.setenv(name, str(home / name))
        make(home / name)
    monkeypatch.setenv("OPENCODE_DB", str(home / "other.db"))
    opencode(home / "other.db")
    where = {path.relative_to(home).parts[0] for _, _, path, _ in found()}
    assert where == {*FOLDERS[:3], "other.db"}
    monkeypatch.setenv("OPENCODE_DB", ":memory:")
    monkeypatch.setenv("XDG_DATA_HOME", str(home / "data"))
    opencode(home / "data" / "opencode" / "opencode-dev.db")
    assert [path.name for agent, _, path, _ in found() if agent == "opencode"] == [
        "opencode-dev.db"
    ]


def test_the_last_written_comes_first_and_old_ones_are_left_out(home: Path) -> None:
    claude(home / ".claude", "a" * 36, 60)
    claude(home / ".claude", "b" * 36, 5)
    claude(home / ".claude", "c" * 36, ACTIVE + 60)
    claude(home / ".claude", "agent-1")
    assert [each.id[0] for each in active_sessions()] == ["b", "a"]
    assert active_sessions(time.time() + ACTIVE) == []


def test_a_codex_session_is_one_with_its_sub_agents_and_segments(home: Path) -> None:
    main = codex(home / ".codex")
    now = time.time()
    os.utime(main, (now - 90,) * 2)
    other = "0196f2a4-9999-7d3e-8f40-123456789abc"
    below = {"id": other, "session_id": ID, "parent_thread_id": ID}
    path = main.with_name(f"rollout-2026-11-11T10-00-00-{other}.jsonl")
    put(path, [{"type": "session_meta", "payload": below}], 5)
    [session] = active_sessions()
    assert (session.id, session.path) == (ID, main)
    assert now - session.modified < 60
    meta = {"id": ID, "session_id": ID, "history_base": {"thread_id": ID}}
    segment = main.with_name(f"rollout-2026-11-11T11-00-00-{ID}_{other}.jsonl")
    put(segment, [{"type": "session_meta", "payload": meta}], 30)
    [session] = active_sessions()
    assert (session.id, session.path) == (ID, segment)


def test_there_is_a_most_of_each_agent(home: Path) -> None:
    for number in range(MOST_SESSIONS + 3):
        claude(home / ".claude", f"s{number}")
    assert len(active_sessions()) == MOST_SESSIONS


def test_what_is_written_beside_a_database_counts(home: Path) -> None:
    database = opencode(home / ".local" / "share" / "opencode" / "opencode.db")
    os.utime(database.path, (1, 1))
    assert active_sessions() == []
    log = database.path.with_name("opencode.db-wal")
    log.write_bytes(b"")
    assert [each.branch for each in active_sessions()] == ["ses_new"]


def test_files_that_hold_something_else_are_no_fault(home: Path) -> None:
    data = home / ".local" / "share" / "opencode"
    data.mkdir(parents=True)
    (data / "opencode.db").write_bytes(b"no database")
    (data / "opencode-2.db").write_bytes(b"SQLite format 3\0 but broken")
    claude(home / ".claude", cwd='"\ud800')
    (home / ".claude" / "projects" / "-home-me-shop" / "folder.jsonl").mkdir()
    put(home / ".codex" / "sessions" / "1" / "2" / "3" / "rollout-x.jsonl", [{"cwd": 3}])
    names = {name for _, name, _, _ in found()}
    assert names == {json.loads('"\\"\\ud800 0196f2a4"'), "rollout-x"}
