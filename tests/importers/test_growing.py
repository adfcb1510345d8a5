"""Another tool's session that grows is read as a growing journal."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from support.claude import Transcript
from support.importing import followed, import_bytes, lines, polled, read_whole, unclosed
from support.langgraph import Thread, ai, human
from support.opencode import Database
from support.sessions import otel_rows

from spanscope.importers.claude_code import ClaudeCode
from spanscope.importers.errors import SourceError
from spanscope.importers.growing_databases import MOST_FAILURES
from spanscope.importers.otel import Otel
from spanscope.journal.tail import Appended, PlaceChanged, Recreated, Truncated


def test_lines_are_translated_as_they_come(tmp_path: Path) -> None:
    session = Transcript()
    session.user("One")
    path = tmp_path / "session.jsonl"
    path.write_bytes(lines(session.rows))
    tail = followed(path)
    found = polled(tail)
    assert b'"content":"One"' in found
    assert polled(tail) == b""
    session.says("1", "m1")
    session.compaction("One was said.", [])
    session.user("Two")
    data = lines(session.rows)
    path.write_bytes(data[:-9])
    torn = polled(tail)
    assert b'"content":"Two"' not in torn
    path.write_bytes(data)
    found += torn + polled(tail)
    tail.close()
    whole = import_bytes(ClaudeCode(), data).journal
    assert found == unclosed(whole)
    assert list(tail.rest()) == []


def test_a_session_that_was_replaced_is_translated_anew(tmp_path: Path) -> None:
    session, other = Transcript(), Transcript("s2")
    session.user("A long first prompt, which makes the file longer than the second one")
    other.user("Other")
    path = tmp_path / "session.jsonl"
    path.write_bytes(lines(session.rows))
    tail = followed(path)
    polled(tail)
    path.write_bytes(lines(other.rows))
    assert [type(item) for item in tail.poll()] == [Truncated]
    assert b'"session":"s2"' in polled(tail)
    tail.restart()
    assert b'"session":"s2"' in polled(tail)
    tail.close()


def test_a_database_is_asked_again_when_it_has_changed(tmp_path: Path) -> None:
    thread = Thread(tmp_path / "checkpoints.db")
    thread.says([human("h", "One")])
    tail = followed(thread.path)
    found = polled(tail)
    assert b'"content":"One"' in found
    assert polled(tail) == b""
    thread.says([human("h", "One"), ai("a", "1")])
    found += polled(tail)
    assert [event.seq for event in read_whole(found).events][-1] == read_whole(found).last
    assert b'"content":"1"' in found
    assert tail.size == tail.offset
    tail.restart()
    assert polled(tail).startswith(b'{"type":"session"')
    tail.close()


def test_a_trace_is_told_span_by_span(tmp_path: Path) -> None:
    rows = otel_rows()
    path = tmp_path / "trace.jsonl"
    path.write_bytes(lines(rows[:1]))
    tail = followed(path)
    found = polled(tail)
    assert found.count(b'{"type":"render"') == 2
    with path.open("ab") as stream:
        stream.write(lines(rows[1:]))
    found += polled(tail)
    tail.close()
    assert found.count(b'{"type":"render"') == 4
    whole = import_bytes(Otel(), lines(rows)).history
    assert [type(event) for event in read_whole(found).events] == [
        type(event) for event in whole.events
    ][:-1]


def test_a_document_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "log.json"
    path.write_text(json.dumps({"messages": [{"role": "user", "content": "x"}]}, indent=1) + "\n")
    with pytest.raises(SourceError, match="can't be followed"):
        followed(path)


# Writers in a process of their own


WRITER = """
import json, sqlite3, sys
connection = sqlite3.connect(sys.argv[1], isolation_level=None)
connection.execute("PRAGMA journal_mode = WAL")
connection.execute("PRAGMA wal_autocheckpoint = 4")
for line in sys.stdin:
    query, values = json.loads(line)
    connection.execute(query, values)
    print("done", flush=True)
connection.close()
"""
LINES = """
import sys
with open(sys.argv[1], "ab", buffering=0) as stream:
    for line in sys.stdin:
        stream.write(bytes.fromhex(line))
        print("done", flush=True)
"""


class Writing:
    """A process that writes what it is told, and says when it has."""

    def __init__(self, program: str, path: Path) -> None:
        command = [sys.executable, "-c", program, str(path)]
        pipe = subprocess.PIPE
        self.process = subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True)

    def write(self, line: str) -> None:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()
        assert self.process.stdout.readline() == "done\n"

    def end(self) -> None:
        self.process.communicate()


@contextmanager
def writing(program: str, path: Path) -> Iterator[Writing]:
    writer = Writing(program, path)
    try:
        yield writer
    finally:
        writer.process.kill()
        writer.process.communicate()


def logged(seq: int, text: str) -> str:
    """An event of opencode's as a statement."""
    id = f"msg_{seq:03}"
    if seq % 2:
        part = {"id": f"prt_{seq}", "messageID": f"msg_{seq - 1:03}", "type": "text", "text": text}
        kind, data = "message.part.updated.1", {"part": part}
    else:
        kind, data = "message.updated.1", {"info": {"id": id, "role": "user"}}
    values = (f"evt_9{seq:05}", "ses_1", seq, kind, json.dumps(data))
    return json.dumps(["INSERT INTO event VALUES (?, ?, ?, ?, ?)", values])


@pytest.mark.parametrize("ending", ["closed", "killed", "killed and its index gone"])
def test_a_database_that_another_process_writes(tmp_path: Path, ending: str) -> None:
    database = Database(tmp_path / "opencode.db")
    database.session()
    tail = followed(database.path)
    found = polled(tail)
    with writing(WRITER, database.path) as writer:
        for seq in range(1, 12):
            writer.write(logged(seq, f"said {seq}"))
            more = polled(tail)
            assert (f"said {seq}".encode() in more) == (seq % 2 == 1)
            found += more
        writer.write(logged(12, ""))
        writer.write(logged(13, "the last word"))
        if ending == "closed":
            writer.end()
        else:
            writer.process.kill()
            writer.process.wait()
        if ending == "killed and its index gone":
            database.path.with_name("opencode.db-shm").unlink()
        beside = sorted(each.name for each in tmp_path.iterdir())
        found += polled(tail)
        assert b"the last word" in found
        assert sorted(each.name for each in tmp_path.iterdir()) == beside
    tail.close()
    texts = [span.text for span in read_whole(found).state.spans.values()]
    assert texts == [*(f"said {seq}" for seq in range(1, 12, 2)), "the last word"]


def test_lines_that_another_process_writes_in_pieces(tmp_path: Path) -> None:
    session = Transcript()
    session.user("One")
    path = tmp_path / "session.jsonl"
    path.write_bytes(lines(session.rows))
    tail = followed(path)
    found = polled(tail)
    for number in range(20):
        session.says(f"said {number}", f"m{number}")
    rest = lines(session.rows[1:])
    with writing(LINES, path) as writer:
        for at in range(0, len(rest), 701):
            writer.write(rest[at : at + 701].hex())
            found += polled(tail)
    tail.close()
    whole = import_bytes(ClaudeCode(), lines(session.rows)).journal
    assert found == unclosed(whole)


def test_a_database_that_is_replaced_is_translated_anew(tmp_path: Path) -> None:
    path = tmp_path / "checkpoints.db"
    Thread(path, "t1").says([human("h", "One")])
    tail = followed(path)
    assert b'"session":"t1"' in polled(tail)
    path.unlink()
    assert tail.poll() == [PlaceChanged("deleted")]
    assert tail.poll() == []
    Thread(path, "t2").says([human("h", "Two")])
    happened = tail.poll()
    assert happened[:2] == [PlaceChanged("here"), Recreated()]
    assert b'"session":"t2"' in b"".join(e.data for e in happened if isinstance(e, Appended))
    tail.close()


def test_a_database_that_can_not_be_read_for_a_moment_is_asked_again(tmp_path: Path) -> None:
    thread = Thread(tmp_path / "checkpoints.db")
    thread.says([human("h", "One")])
    tail = followed(thread.path)
    found = polled(tail)
    whole = thread.path.read_bytes()
    thread.path.write_bytes(whole[:100] + b"\0" * (len(whole) - 100))
    assert tail.poll() == []
    thread.path.write_bytes(whole)
    thread.says([human("h", "One"), ai("a", "1")])
    found += polled(tail)
    assert b'"content":"1"' in found
    thread.path.write_bytes(b"no database any more")
    for _ in range(MOST_FAILURES):
        assert tail.poll() == []
    with pytest.raises(SourceError, match="can't read"):
        tail.poll()
    tail.close()
