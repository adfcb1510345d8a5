"""Codex: sub-agents and segments, in rollouts of their own, read with their session."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest
from support.codex import Rollout
from support.importing import followed, import_files, lines, polled, read_whole, unclosed

from spanscope.journal.tail import Truncated

HUNK = "-alpha = 1\n+alpha = 10\n beta = 2\n"


def parent() -> Rollout:
    made = Rollout("t1", session_id="t1")
    made.turn("Have it searched")
    made.message("assistant", "I ask.")
    return made


def child(id: str = "t2", first: int = 10, **meta: Any) -> Rollout:
    """A sub-agent that looks for something."""
    told = {"session_id": "t1", "parent_thread_id": "t1", "agent_path": f"/root/{id}", **meta}
    made = Rollout(id, first=first, **told)
    made.item(
        {
            "type": "agent_message",
            "author": "/root",
            "content": [{"type": "input_text", "text": "Search"}],
        }
    )
    made.message("assistant", "In line 2.")
    return made


@pytest.fixture
def day(tmp_path: Path) -> Path:
    """The folder of the day on which the session is begun."""
    folder = tmp_path / "sessions" / "2026" / "11" / "11"
    folder.mkdir(parents=True)
    return folder


def put(folder: Path, name: str, made: Rollout) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"rollout-2026-11-11T{name}.jsonl"
    path.write_bytes(lines(made.rows))
    return path


def session(day: Path) -> Path:
    """The session's own rollout, last written a day after it was begun."""
    path = put(day, "09-00-00-t1", parent())
    os.utime(path, (1794474000, 1794474000))
    return path


def test_they_are_actors_with_a_store_each(day: Path) -> None:
    main = session(day)
    put(day, "09-00-10-t2", child())
    put(day.with_name("12"), "09-00-11-t3", child("t3", 20, parent_thread_id="t2"))
    done = import_files(main)
    assert done.texts() == ["Have it searched", "I ask."]
    for name in ("t2", "t3"):
        assert done.texts(f"subagent:{name}") == ["Search", "In line 2."]
    assert done.summary.notes == ["with 2 more files of its session"]
    turns = [mark.label for mark in done.events("mark") if mark.kind == "turn"]
    calls = [mark.actor for mark in done.events("mark") if mark.kind == "llm"]
    assert (turns, calls) == (["Have it searched"], ["agent", "subagent:t2", "subagent:t3"])
    assert done.found() == []


def test_a_relative_path_names_it_too(day: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    main = session(day)
    put(day, "09-00-10-t2", child())
    whole = import_files(main).journal
    monkeypatch.chdir(day)
    assert import_files(Path(main.name)).journal == whole


def test_what_belongs_to_another_session_is_left_alone(day: Path, tmp_path: Path) -> None:
    main = session(day)
    alone = import_files(main).journal
    strange: dict[str, Any] = {"session_id": "t9", "parent_thread_id": "t9"}
    put(day, "09-00-10-t2", child(**strange))
    put(day, "09-00-11-t4", Rollout("t4"))
    put(day, "08-00-00-t5", child("t5"))
    put(day.with_name("20"), "09-00-12-t6", child("t6"))
    outside = put(tmp_path, "09-00-13-t7", child("t7"))
    (day / "rollout-2026-11-11T09-00-13-t7.jsonl").symlink_to(outside)
    (day / "rollout-2026-11-11T09-00-14-x.jsonl").write_bytes(b"\xff\n[]\nnull\n")
    (day / "rollout-2026-11-11T09-00-15-y.jsonl").write_bytes(b"")
    (day / "rollout-2026-11-11T09-00-16-z.jsonl").mkdir()
    assert import_files(main).journal == alone


def test_older_versions_name_the_parent_in_the_source(day: Path) -> None:
    main = put(day, "09-00-00-t1", Rollout("t1"))
    spawn = {"subagent": {"thread_spawn": {"parent_thread_id": "t1", "depth": 1}}}
    put(day, "09-00-10-t2", child(parent_thread_id=None, session_id=None, source=spawn))
    put(day, "09-00-11-t3", child("t3", 20, parent_thread_id="t2", session_id=None))
    done = import_files(main)
    assert {event.actor for event in done.events("ingest")} == {"subagent:t2", "subagent:t3"}


def test_sessions_of_one_folder_are_agents(day: Path) -> None:
    session(day)
    put(day, "09-00-10-t2", child())
    other = Rollout("t9", session_id="t9", first=20)
    other.turn("Another task")
    put(day, "09-00-20-t9", other)
    done = import_files(day)
    actors = dict.fromkeys(event.actor for event in done.events("ingest"))
    assert list(actors) == ["agent", "subagent:t2", "agent:t9"]
    turns = [(mark.actor, mark.label) for mark in done.events("mark") if mark.kind == "turn"]
    assert turns == [("agent", "Have it searched"), ("agent:t9", "Another task")]


def test_a_sub_agent_by_itself_is_the_agent(day: Path) -> None:
    session(day)
    done = import_files(put(day, "09-00-10-t2", child()))
    assert done.texts() == ["Search", "In line 2."]


def test_a_copy_of_the_parents_context_is_its_own(day: Path) -> None:
    """Rows before its own are its parent's: nothing was called or changed by them."""
    told = parent()
    told.patch("c1", HUNK, "ok")
    main = put(day, "09-00-00-t1", told)
    copied = Rollout("t2", session_id="t1", parent_thread_id="t1", agent_path="/root/t2", first=40)
    own_from = copied.ordinal + len(told.rows)
    copied.rows[0]["payload"]["subagent_history_start_ordinal"] = own_from
    for row in told.rows:
        copied.row(row["type"], row["payload"])
    copied.message("assistant", "In line 2.")
    put(day, "09-00-10-t2", copied)
    done = import_files(main)
    assert done.texts("subagent:t2") == [*done.texts(), "In line 2."]
    assert len(done.events("splice")) == 1
    assert [mark.actor for mark in done.events("mark") if mark.kind == "llm"].count(
        "subagent:t2"
    ) == 1
    state = done.history.state
    pairs = {name: state.spans[name].answers for name in done.live("subagent:t2")}
    answered = {answers for answers in pairs.values() if answers}
    assert answered <= pairs.keys()
    assert done.found() == []


def test_a_sub_agent_may_begin_at_a_place_of_its_parent(day: Path) -> None:
    told = parent()
    cut = told.ordinal
    told.message("assistant", "Later.")
    main = put(day, "09-00-00-t1", told)
    base = {"thread_id": "t1", "end_ordinal_exclusive": cut}
    put(day, "09-00-10-t2", child(history_base=base))
    done = import_files(main)
    assert done.texts("subagent:t2") == ["Have it searched", "I ask.", "Search", "In line 2."]
    assert done.texts()[-1] == "Later."
    assert done.events("rollback") == []


def test_items_without_ids_are_counted_in_each_thread(day: Path) -> None:
    rollouts = []
    for id, first in (("t1", 0), ("t2", 10)):
        made = Rollout(id, legacy=True, first=first, parent_thread_id=None if id == "t1" else "t1")
        made.message("user", f"Ask {id}")
        rollouts.append(put(day, f"09-00-{first:02}-{id}", made))
    done = import_files(rollouts[0])
    assert done.texts() == ["Ask t1"]
    assert done.texts("subagent:t2") == ["Ask t2"]
    assert done.events("rewrite") == []


def reverted(thread: Rollout, cut: int) -> Rollout:
    base = {"thread_id": "t1", "end_ordinal_exclusive": cut}
    made = Rollout("t1", first=thread.ordinal, session_id="t1", history_base=base)
    made.turn("Instead")
    return made


@pytest.mark.parametrize("named", [0, 1])
def test_a_session_that_was_reverted_is_one_whichever_file_is_named(day: Path, named: int) -> None:
    thread = parent()
    cut = thread.ordinal
    thread.turn("Second")
    segment = put(day.with_name("12"), "09-00-20-t1_s2", reverted(thread, cut))
    base = put(day, "09-00-00-t1", thread)
    done = import_files((base, segment)[named])
    assert done.texts() == ["Have it searched", "I ask.", "Instead"]
    assert len(done.events("rollback")) == 1
    assert import_files(base, segment).history.state.order == done.history.state.order


@pytest.mark.parametrize("id", ["../../../x", "**", "a\0b", "[", "x" * 5000, "\ud800"])
def test_an_id_is_no_path(day: Path, tmp_path: Path, id: str) -> None:
    put(tmp_path, "09-00-10-x", child("x"))
    made = Rollout(id, session_id=id, history_base={"thread_id": id, "end_ordinal_exclusive": 1})
    made.turn("Go on")
    assert import_files(put(day, "09-00-00-t1", made)).texts() == ["Go on"]


def test_a_session_is_followed_with_its_sub_agents_and_segments(day: Path) -> None:
    thread = parent()
    cut = thread.ordinal
    main = put(day, "09-00-00-t1", thread)
    first = child()
    put(day, "09-00-10-t2", first)
    tail = followed(main)
    found = polled(tail)
    assert found == unclosed(import_files(main).journal)
    first.message("assistant", "And in line 9.")
    put(day, "09-00-10-t2", first)
    found += polled(tail)
    put(day, "09-00-30-t3", child("t3", 30))
    found += polled(tail)
    thread.ordinal = 40
    put(day, "09-00-40-t1_s2", reverted(thread, cut))
    found += polled(tail)
    tail.close()
    assert found == unclosed(import_files(main).journal)
    actors = dict.fromkeys(event.actor for event in read_whole(found).events)
    assert list(actors) == ["agent", "subagent:t2", "subagent:t3"]


def test_one_that_a_known_sub_agent_has_begun_is_followed(day: Path) -> None:
    """Older versions name the parent alone."""
    main = put(day, "09-00-00-t1", Rollout("t1"))
    put(day, "09-00-10-t2", child(session_id=None))
    tail = followed(main)
    assert b"subagent:t2" in polled(tail)
    put(day, "09-00-20-t3", child("t3", 20, parent_thread_id="t2", session_id=None))
    assert b"subagent:t3" in polled(tail)
    tail.close()


def test_a_sub_agents_rollout_that_was_cut_is_read_again(day: Path) -> None:
    main = session(day)
    made = child()
    path = put(day, "09-00-10-t2", made)
    tail = followed(main)
    assert b"In line 2." in polled(tail)
    path.write_bytes(lines(made.rows[:2]))
    assert [type(item) for item in tail.poll()] == [Truncated]
    assert b"In line 2." not in polled(tail)
    tail.close()
