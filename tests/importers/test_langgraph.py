"""LangGraph: states under their parents, rewrites under an id, branches, values never run."""

from __future__ import annotations

import sqlite3
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec.msgpack import Ext
from support.importing import Imported, import_files, read_whole
from support.langgraph import Thread, ai, human, message, removal, tool

from spanscope.importers.errors import SourceError
from spanscope.importers.langgraph import LangGraph
from spanscope.importers.langgraph_values import messages_of, value_of
from spanscope.importers.source import find_source, open_source

TEXT = "Alpha keeps tokens in Redis. Beta keeps them 90 days."
START = [human("h-1", "How long?"), ai("ai-1", "", "c1"), tool("tool-1", "c1", TEXT)]
CITED = {"message_id": "tool-1", "start": 29, "end": 53, "quote": "Beta keeps them 90 days."}


@pytest.fixture
def thread(tmp_path: Path) -> Thread:
    """A thread that was asked and has looked something up."""
    made = Thread(tmp_path / "checkpoints.db")
    made.step({}, source="input")
    made.step({"messages": START[:1]}, [("__start__", "messages", START[:1])])
    made.step({"messages": START[:2]}, [("model", "messages", START[1])])
    made.step({"messages": START}, [("tools", "messages", START[2:])])
    return made


def imported(thread: Thread, branch: str | None = None) -> Imported:
    source = open_source([thread.path], branch=branch)
    journal = b"".join(source.journal())
    return Imported(journal, read_whole(journal), source.summary)


def test_a_healthy_thread_has_no_findings(thread: Thread) -> None:
    thread.step({"messages": [*START, ai("ai-2", "90 days.")]}, [("model", "messages", ())])
    done = imported(thread)
    assert done.history.findings == []
    assert done.history.unknown == []
    assert done.live() == ["h-1", "ai-1", "tool-1", "ai-2"]
    assert done.history.state.spans["tool-1"].answers == "ai-1"
    kinds = [(mark.kind, mark.label) for mark in done.events("mark")]
    assert kinds == [("turn", "How long?"), ("llm", "ai-1"), ("llm", "ai-2")]
    assert {event.actor for event in done.history.events} == {"agent", "node:model", "node:tools"}


def test_each_checkpoint_is_one_with_a_full_copy(thread: Thread) -> None:
    found = imported(thread).events("checkpoint")
    assert [(each.checkpoint, each.snapshot) for each in found] == [
        (f"1f1ec3c7-{number:04}", True) for number in range(1, 5)
    ]


def test_a_message_rewritten_under_its_id_while_a_citation_stays(thread: Thread) -> None:
    state: dict[str, Any] = {"messages": START, "citations": [CITED]}
    thread.step(state, [("cite", "citations", [CITED])])
    new = tool("tool-1", "c1", "Redis: Alpha; 90 d: Beta.")
    thread.step({**state, "messages": [*START[:2], new]}, [("shorten", "messages", [new])])
    done = imported(thread)
    assert done.found() == [("SPN101", {"artifact": "citations/0", "span": "tool-1"})]
    [event] = done.at("SPN101")
    assert (event.actor, event.op, event.version) == ("node:shorten", "shorten", None)
    [derive] = done.events("derive")
    assert (derive.range, derive.quote.exact, derive.version) == ((29, 53), CITED["quote"], None)


def test_a_vector_that_outlives_its_text(thread: Thread) -> None:
    index = {"doc": {"source_id": "tool-1", "embedding": [0.1, 0.2]}}
    thread.step({"messages": START, "index": index})
    new = tool("tool-1", "c1", "Another text.")
    thread.step({"messages": [*START[:2], new], "index": index}, [("n", "messages", [new])])
    assert {rule for rule, _ in imported(thread).found()} == {"SPN101", "SPN121"}


def test_a_citation_that_is_made_again_is_no_fault(thread: Thread) -> None:
    thread.step({"messages": START, "citations": [CITED]})
    thread.step({"messages": START, "citations": []})
    new = tool("tool-1", "c1", "Another text.")
    thread.step({"messages": [*START[:2], new], "citations": []}, [("n", "messages", [new])])
    done = imported(thread)
    assert [event.artifact for event in done.events("release")] == ["citations/0"]
    assert done.found() == []


def test_two_nodes_of_one_step_that_write_one_message(thread: Thread) -> None:
    first, second = (tool("tool-1", "c1", text) for text in ("A's text", "B's text"))
    writes = [("a", "messages", [first]), ("b", "messages", [second])]
    thread.step({"messages": [*START[:2], second]}, writes)
    done = imported(thread)
    assert done.found() == [("DIF316", {"span": "tool-1"})]
    [event] = done.at("DIF316")
    assert event.actor == "node:b"
    assert done.text("tool-1") == "B's text"


def test_a_node_that_was_sent_something_is_named(thread: Thread) -> None:
    """The path of its task has only the number of what was sent."""
    sent = [
        Ext(1, msgspec.msgpack.encode(["langgraph.types", "Send", [node, {}]]))
        for node in ("tools", "other")
    ]
    messages = [*START, ai("ai-2", "", "c2")]
    thread.step({"messages": messages, "__pregel_tasks": sent}, [("model", "messages", messages)])
    for number in (1, 7):
        found = tool(f"tool-{number + 1}", "c2", f"{number}.py")
        messages = [*messages, found]
        path = f"~__pregel_push, {number:010}, {0:010}"
        thread.step({"messages": messages}, [(path, "messages", [found])])
    actors = [event.actor for event in imported(thread).events("ingest")]
    assert actors[-3:] == ["node:model", "node:other", "node:node"]


def test_two_nodes_that_write_different_messages_are_no_fault(thread: Thread) -> None:
    new = [tool("tool-1", "c1", "New"), human("h-1", "New too")]
    writes = [(node, "messages", [each]) for node, each in zip("ab", new, strict=True)]
    thread.step({"messages": [new[1], START[1], new[0]]}, writes)
    assert imported(thread).found() == []


def test_two_live_messages_with_one_id(thread: Thread) -> None:
    twice = [human("d", "one"), human("d", "two")]
    thread.step({"messages": twice}, [("n", "messages", [removal("__remove_all__"), *twice])])
    thread.step({"messages": [*twice, ai("ai-9", "Hm.")]})
    done = imported(thread)
    assert done.found() == [("SPN116", {"span": "d"})]
    assert done.text("d") == "two"


def test_a_result_whose_call_was_removed_is_an_orphan_at_the_next_call(thread: Thread) -> None:
    thread.step({"messages": [START[0], START[2]]}, [("trim", "messages", [removal("ai-1")])])
    thread.step({"messages": [START[0], START[2], ai("ai-9", "Hm.")]})
    done = imported(thread)
    assert done.found() == [("SPN133", {"span": "tool-1"})]
    [event] = done.at("SPN133")
    assert (event.kind, event.label) == ("llm", "ai-9")


def test_a_summarization_is_one_change_and_keeps_its_sources(thread: Thread) -> None:
    summary = human("s-1", "Summary.", additional_kwargs={"lc_source": "summarization"})
    new = [summary, human("h-2", "And now?")]
    thread.step({"messages": new}, [("sum", "messages", [removal("__remove_all__"), *new])])
    done = imported(thread)
    assert done.live() == ["s-1", "h-2"]
    assert len(done.events("apply")) == 1
    summarised = done.events("ingest")[-2]
    assert (summarised.span, summarised.supersedes) == ("s-1", ["h-1", "ai-1", "tool-1"])
    assert done.found() == []


def test_text_channels_are_spans_of_the_state(thread: Thread) -> None:
    thread.step({"messages": START, "note": "one", "__internal": "x", "branch:to:n": "y"})
    thread.step({"messages": START, "note": "two"})
    done = imported(thread)
    assert done.live("state") == ["state/note"]
    assert done.text("state/note") == "two"


def test_a_channel_without_a_value_is_folded_from_what_was_written(thread: Thread) -> None:
    assert thread.last is not None
    with closing(sqlite3.connect(thread.path)) as connection, connection:
        data = connection.execute(
            "SELECT checkpoint FROM checkpoints WHERE checkpoint_id = ?", (thread.last,)
        ).fetchone()[0]
        raw = msgspec.msgpack.decode(data, ext_hook=Ext)
        del raw["channel_values"]["messages"]
        connection.execute(
            "UPDATE checkpoints SET checkpoint = ? WHERE checkpoint_id = ?",
            (msgspec.msgpack.encode(raw), thread.last),
        )
    assert imported(thread).live() == ["h-1", "ai-1", "tool-1"]


def branched(thread: Thread) -> tuple[str, str]:
    """An older and a newer branch from the checkpoint where the thread is now."""
    fork = thread.last
    older = thread.step({"messages": [*START, ai("ai-2", "Older.")]})
    newer = thread.step({"messages": [*START, ai("ai-3", "Newer.")]}, parent=fork, source="fork")
    return older, newer


def test_the_newest_branch_is_taken_and_names_the_one_it_left(thread: Thread) -> None:
    older, newer = branched(thread)
    done = imported(thread)
    session = done.history.session
    assert session is not None
    assert session.parent is not None
    assert session.session == f"t1@{newer}"
    assert session.parent.session == f"t1@{older}"
    assert done.live()[-1] == "ai-3"
    assert f"others: t1@{older}" in done.summary.notes[0]
    assert done.history.findings == []


def test_another_branch_shares_the_events_up_to_the_fork(thread: Thread) -> None:
    older, _ = branched(thread)
    other, newest = imported(thread, older), imported(thread)
    assert other.live()[-1] == "ai-2"
    assert other.history.session is not None
    assert other.history.session.parent is None
    parent = newest.history.session.parent if newest.history.session else None
    assert parent is not None
    one, two = other.journal.split(b"\n"), newest.journal.split(b"\n")
    assert one[1 : parent.seq + 1] == two[1 : parent.seq + 1]
    assert one[parent.seq + 1] != two[parent.seq + 1]


def test_several_threads_are_branches_too(thread: Thread) -> None:
    other = Thread(thread.path, "t2")
    other.says([human("x", "Another thread")])
    assert imported(thread, "t2").live() == ["x"]
    assert imported(thread, "t1").live() == ["h-1", "ai-1", "tool-1"]
    with pytest.raises(SourceError, match="there is no branch nowhere"):
        imported(thread, "nowhere")


def test_subgraphs_are_left_aside_and_said_so(thread: Thread) -> None:
    thread.step({"messages": START}, namespace="sub:1")
    assert "1 checkpoints of subgraphs were left aside" in imported(thread).summary.notes


def test_it_is_polled_while_it_grows(thread: Thread) -> None:
    importer = LangGraph()
    found = []
    for number in range(3):
        with closing(sqlite3.connect(thread.path)) as connection:
            found.append(importer.read(connection))
        said = [ai(f"ai-{2 + each}", str(each)) for each in range(number + 1)]
        thread.step({"messages": [*START, *said]}, [("model", "messages", said[-1:])])
    with closing(sqlite3.connect(thread.path)) as connection:
        found.append(importer.read(connection))
    journal = b"".join([*found, importer.finish()])
    assert journal == imported(thread).journal


def test_values_are_never_made_into_what_they_name() -> None:
    bad = msgspec.msgpack.encode(["os", "system", ["exit 1"]])
    data = msgspec.msgpack.encode({"x": Ext(1, bad), "y": Ext(99, b"\xc1"), "z": Ext(0, b"")})
    before = set(sys.modules)
    found = value_of("msgpack", data)
    assert found["x"] == ("os", "system", ["exit 1"])
    assert set(sys.modules) == before
    assert repr(value_of("pickle", b"cos\nsystem\n(S'exit 1'\ntR.")) == repr(
        value_of("msgpack", b"\xc1")
    )


def test_older_messages_in_json() -> None:
    kwargs = {"content": "Hi", "id": "h"}
    old = {
        "lc": 1,
        "type": "constructor",
        "id": ["langchain", "schema", "messages", "HumanMessage"],
    }

    found = messages_of([{**old, "kwargs": kwargs}])
    assert found is not None
    assert (found[0].id, found[0].role, found[0].text) == ("h", "user", "Hi")


def test_nothing_is_left_beside_the_database(thread: Thread, tmp_path: Path) -> None:
    with closing(sqlite3.connect(thread.path)) as connection:
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute("CREATE TABLE other (x)")
        connection.commit()
        beside = {path.name: path.stat().st_size for path in tmp_path.iterdir()}
        assert len(beside) == 3
        assert import_files(thread.path).live() == ["h-1", "ai-1", "tool-1"]
        assert {path.name: path.stat().st_size for path in tmp_path.iterdir()} == beside
        (tmp_path / "copied.db").write_bytes(thread.path.read_bytes())
        (tmp_path / "copied.db-wal").write_bytes((tmp_path / "checkpoints.db-wal").read_bytes())
    before = sorted(tmp_path.iterdir())
    assert import_files(tmp_path / "copied.db").live() == ["h-1", "ai-1", "tool-1"]
    assert sorted(tmp_path.iterdir()) == before


def test_a_database_of_something_else_is_not_taken(tmp_path: Path) -> None:
    path = tmp_path / "other.db"
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE checkpoints (id, weights)")
    assert find_source(path) is None


def test_a_message_of_content_blocks(thread: Thread) -> None:
    blocks = [{"type": "text", "text": "One"}, {"type": "text", "text": "Two"}]
    thread.step({"messages": [message("ai", "b", blocks)]})
    assert imported(thread).text("b") == "One\nTwo"
