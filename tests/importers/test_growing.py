"""Another tool's session that grows is read as a growing journal."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from support.claude import Transcript
from support.importing import import_bytes, lines, read_whole
from support.langgraph import Thread, ai, human
from support.sessions import otel_rows

from spanscope.importers.claude_code import ClaudeCode
from spanscope.importers.errors import SourceError
from spanscope.importers.growing import DatabaseTail, TranslatedTail, follow
from spanscope.importers.source import find_source
from spanscope.journal.tail import Appended, Truncated

Tail = TranslatedTail | DatabaseTail


def followed(path: Path) -> Tail:
    source = find_source(path)
    assert source is not None
    return follow(path, source)


def polled(tail: Tail) -> bytes:
    """All that there is now."""
    found = b""
    for _ in range(50):
        found += b"".join(item.data for item in tail.poll() if isinstance(item, Appended))
        if not tail.more:
            break
    return found


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
    assert found == whole[: whole.rindex(b'{"type":"close"')]
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


@pytest.mark.parametrize("indent", [None, 1])
def test_what_is_known_only_at_the_end_is_refused(tmp_path: Path, indent: int | None) -> None:
    path = tmp_path / "trace.json"
    rows = otel_rows()[0] if indent is None else {"messages": [{"role": "user", "content": "x"}]}
    path.write_text(json.dumps(rows, indent=indent) + "\n")
    with pytest.raises(SourceError, match="can't be followed"):
        followed(path)
