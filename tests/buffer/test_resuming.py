"""Going on with a journal after a close, a crash, or in the face of damage."""

from __future__ import annotations

import gc
import json
import stat
from pathlib import Path

import pytest
from support.buffers import above_info, events_of, journal_of
from support.lines import HEADER, journal, mark, parse, rules, text

from spanscope.buffer.buffer import ContextBuffer
from spanscope.buffer.errors import RollbackIntegrityError
from spanscope.journal.errors import JournalError, JournalTakenError
from spanscope.journal.events import Release, Resume
from spanscope.journal.sessions import is_live


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "planner.jsonl"


def abandoned(buffer: ContextBuffer) -> None:
    """Lets go of the journal as a crash would."""
    writer = buffer._core.writer
    assert writer is not None
    writer.abandon()


def filled(path: Path) -> ContextBuffer:
    buffer = ContextBuffer.record("planner", path)
    buffer.ingest("a", "one")
    buffer.checkpoint("there")
    buffer.splice("a", 3, 0, " two")
    return buffer


def test_it_goes_on_in_the_same_file(path: Path) -> None:
    first = filled(path)
    cite = first.derive("a", "citation", quote="two")
    abandoned(first)
    second = ContextBuffer.resume(path)
    assert second.path == path
    assert (second.text("a"), second.digest, second.revision) == (first.text("a"), first.digest, 2)
    assert [type(event) for event in events_of(second)[-2:]] == [Resume, Release]
    assert cite.artifact not in second._core.state.artifacts
    second.rollback(to="there")
    assert second.text("a") == "one"
    assert [event.seq for event in events_of(second)] == list(range(1, second.seq + 1))
    assert above_info(second) == []


def test_one_that_was_forgotten_without_a_close_is_cut_short_and_can_be_resumed(
    path: Path,
) -> None:
    buffer = filled(path)
    with pytest.raises(JournalTakenError, match="this very process; close it there"):
        ContextBuffer.resume(path)
    del buffer
    gc.collect()
    assert is_live(path) is None
    assert path.with_name(path.name + ".live").exists()
    with ContextBuffer.resume(path) as again:
        assert again.text("a") == "one two"
    assert above_info(again) == []


def test_after_a_close_too_and_again(path: Path) -> None:
    with filled(path):
        pass
    for _ in range(3):
        with ContextBuffer.resume(path) as buffer:
            buffer.splice("a", 0, 0, "x")
    assert buffer.text("a") == "xxxone two"
    assert above_info(buffer) == []


def test_a_session_is_found_by_its_name(state_folder: Path) -> None:
    with ContextBuffer.record("planner") as buffer:
        buffer.ingest("a", "one")
    with ContextBuffer.resume("planner") as again:
        assert again.path == buffer.path
    with ContextBuffer.resume(journal_of(buffer).stem) as again:
        assert again.path == buffer.path
    with pytest.raises(JournalError, match="no such session"):
        ContextBuffer.resume("plan")


def test_a_journal_with_a_writer_is_refused(path: Path) -> None:
    with filled(path) as buffer:
        data = path.read_bytes()
        with pytest.raises(JournalTakenError):
            ContextBuffer.resume(path)
        assert path.read_bytes() == data
        buffer.splice("a", 0, 0, "x")


def test_a_torn_tail_is_moved_aside(path: Path) -> None:
    buffer = filled(path)
    abandoned(buffer)
    whole = path.read_bytes()
    for number in (1, 2):
        with path.open("ab") as stream:
            stream.write(b'{"type":"splice","seq":9')
        before = path.read_bytes()
        resumed = ContextBuffer.resume(path)
        beside = path.with_name(f"{path.name}.torn-{number}")
        assert beside.read_bytes() == b'{"type":"splice","seq":9'
        assert stat.S_IMODE(beside.stat().st_mode) == 0o600
        assert path.read_bytes().startswith(before.removesuffix(beside.read_bytes()))
        event = events_of(resumed)[-1]
        assert isinstance(event, Resume)
        assert event.meta == {"torn": {"bytes": 24, "file": beside.name}}
        abandoned(resumed)
    assert path.read_bytes().startswith(whole)
    assert rules(parse(path.read_bytes())) == []


def test_damage_at_the_end_is_moved_aside_and_damage_before_it_refused(path: Path) -> None:
    abandoned(filled(path))
    lines = path.read_bytes().splitlines(keepends=True)
    flipped = lines[-1].replace(b"two", b"six")
    path.write_bytes(b"".join(lines[:-1]) + flipped + b"\0" * 512)
    resumed = ContextBuffer.resume(path)
    assert resumed.text("a") == "one"
    assert path.with_name(path.name + ".torn-1").read_bytes() == flipped + b"\0" * 512
    assert above_info(resumed) == []
    path.write_bytes(b"".join([lines[0], flipped, *lines[1:]]))
    damaged = path.read_bytes()
    with pytest.raises(RollbackIntegrityError, match="damaged"):
        ContextBuffer.resume(path)
    assert path.read_bytes() == damaged
    assert is_live(path) is None


@pytest.mark.parametrize("drop", [1, 2])
def test_a_missing_line_is_refused(path: Path, drop: int) -> None:
    with filled(path):
        pass
    lines = path.read_bytes().splitlines(keepends=True)
    del lines[drop]
    path.write_bytes(b"".join(lines))
    with pytest.raises(RollbackIntegrityError, match="follows"):
        ContextBuffer.resume(path)


def test_what_is_unknown_is_refused(path: Path) -> None:
    gap = {"type": "gap", "seq": 1, "time": "2026-11-11T09:00:00Z", "reason": "lost"}
    path.write_bytes(journal(gap))
    with pytest.raises(RollbackIntegrityError, match="missing"):
        ContextBuffer.resume(path)
    secret = {**mark(1), "type": "ingest", "span": "a", "content": "***", "redacted": True}
    path.write_bytes(journal({**secret, "hash": "sha256:" + "0" * 64}))
    with pytest.raises(RollbackIntegrityError, match="span a is unknown"):
        ContextBuffer.resume(path)


def test_what_is_no_journal_is_refused(path: Path) -> None:
    for data in (b"", b"hello\n", text(mark(1)) + b"\n", text(HEADER)):
        path.write_bytes(data)
        with pytest.raises(JournalError, match="header"):
            ContextBuffer.resume(path)
        assert path.read_bytes() == data
    with pytest.raises(JournalError, match="folder"):
        ContextBuffer.resume(path.parent)
    assert list(path.parent.iterdir()) == [path]


def test_a_journal_without_checksums_is_gone_on_with_without(path: Path) -> None:
    ingest = {**mark(1), "type": "ingest", "span": "a", "content": "one"}
    path.write_bytes(journal(ingest).replace(b"\n", b"\r\n"))
    with ContextBuffer.resume(path) as buffer:
        buffer.splice("a", 0, 0, "x")
    assert b'"crc"' not in path.read_bytes()
    assert above_info(buffer) == []


def test_staged_diffs_of_the_process_that_ended_are_withdrawn(path: Path) -> None:
    stage = {**mark(1), "type": "stage", "diff": "d", "base": {"revision": 0}, "reads": []}
    path.write_bytes(journal({**stage, "edits": []}))
    with ContextBuffer.resume(path):
        pass
    last = [json.loads(line) for line in path.read_bytes().splitlines()][-2]
    assert (last["type"], last["diff"]) == ("withdraw", "d")
