"""Every write and every fsync failing, for every reason: refused, unchanged, and gone on with."""

from __future__ import annotations

import errno
import os
import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any
from unittest import mock

import pytest
from support.buffers import audited, events_of, journal_of
from support.lines import parse, rules
from support.steady import Expected, step

from spanscope.buffer.buffer import ContextBuffer
from spanscope.buffer.errors import JournalWriteError
from spanscope.journal.errors import JournalError
from spanscope.journal.events import Splice
from spanscope.journal.sessions import is_live
from spanscope.journal.writer import JournalWriter

STEPS = 36
REASONS = [errno.ENOSPC, errno.EIO, errno.EDQUOT, errno.EFBIG]


class Faulty:
    """A call of the system that fails from its n-th time on, `times` times."""

    def __init__(self, real: Callable[..., Any], at: int, times: int, code: int) -> None:
        self.real = real
        self.at = at
        self.times = times
        self.code = code
        self.calls = 0

    def fails(self) -> bool:
        self.calls += 1
        return self.at <= self.calls < self.at + self.times

    def __call__(self, *arguments: Any) -> Any:
        if self.fails():
            raise OSError(self.code, os.strerror(self.code))
        return self.real(*arguments)


class ShortThenFaulty(Faulty):
    """A write that takes a few bytes, and then none, `times` times."""

    def fails(self) -> bool:
        self.calls += 1
        return self.at < self.calls <= self.at + self.times

    def __call__(self, fd: int, data: bytes) -> Any:
        if self.calls + 1 == self.at:
            self.calls += 1
            return self.real(fd, bytes(data)[: len(bytes(data)) // 2])
        if self.fails():
            raise OSError(self.code, os.strerror(self.code))
        return self.real(fd, data)


def held(buffer: ContextBuffer) -> tuple[Any, ...]:
    """Everything of a buffer that a refusal must leave alone."""
    state = buffer._core.state
    spans = [(s.span, s.version, s.life, s.node.text) for s in state.spans.values()]
    return spans, list(state.order), [entry.seq for entry in state.stack], state.revision, state.seq


def work(buffer: ContextBuffer, *, refusals: int) -> int:
    """Do all steps, each again while it is refused; how often one was."""
    refused = number = 0
    while number < STEPS:
        before = held(buffer)
        try:
            step(buffer, number)
        except JournalWriteError as error:
            assert held(buffer) == before
            assert error.finding is not None or number % 12 == 11  # noqa: PT017
            refused += 1
            assert refused <= refusals
            continue
        number += 1
    return refused


@pytest.mark.parametrize("make", [Faulty, ShortThenFaulty])
@pytest.mark.parametrize("times", [1, 3])
def test_every_write_may_fail(tmp_path: Path, make: type[Faulty], times: int) -> None:
    expected = Expected().digest(STEPS)
    total = 0
    for at in range(1, 60):
        path = tmp_path / f"{at}.jsonl"
        buffer = ContextBuffer.record("faulty", path)
        disk = make(os.write, at, times, REASONS[at % len(REASONS)])
        with mock.patch.object(os, "write", disk):
            total += work(buffer, refusals=times)
        assert buffer.digest == expected
        assert rules(parse(path.read_bytes(), live=True)) == []
        audit = audited(buffer)
        bad = [f for f in audit.findings if f.severity != "info" and f.rule != "DIF305"]
        assert bad == []
        assert audit.judge.state.digest() == expected
        if disk.calls < at:
            break
    else:
        pytest.fail("there was a write more each time")
    assert total > STEPS // 2


def test_short_writes_are_gone_on_with(tmp_path: Path) -> None:
    real = os.write
    buffer = ContextBuffer.record("short", tmp_path / "a.jsonl")
    with mock.patch.object(os, "write", lambda fd, data: real(fd, bytes(data)[:7])):
        assert work(buffer, refusals=0) == 0
    assert buffer.digest == Expected().digest(STEPS)
    assert [f.rule for f in audited(buffer).findings if f.severity == "error"] == []


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="needs timers")
def test_signals_interrupt_no_write(tmp_path: Path) -> None:
    """A handler that runs at any moment (EINTR): what it interrupted is gone on with."""
    handled = 0

    def handle(_number: int, _frame: object) -> None:
        nonlocal handled
        handled += 1

    before = signal.signal(signal.SIGALRM, handle)
    signal.setitimer(signal.ITIMER_REAL, 0.0002, 0.0002)
    try:
        buffer = ContextBuffer.record("signals", tmp_path / "a.jsonl", durable=True)
        assert work(buffer, refusals=0) == 0
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert handled
    assert buffer.digest == Expected().digest(STEPS)
    assert above_warning(buffer) == []


def test_a_record_that_can_not_be_taken_back_ends_the_journal(tmp_path: Path) -> None:
    buffer = ContextBuffer.record("stuck", tmp_path / "a.jsonl")
    buffer.ingest("a", "one")
    before = held(buffer)
    disk = ShortThenFaulty(os.write, 1, 9, errno.ENOSPC)
    stuck = Faulty(os.ftruncate, 1, 1, errno.EIO)
    with mock.patch.object(os, "write", disk), mock.patch.object(os, "ftruncate", stuck):
        for _ in range(3):
            with pytest.raises(JournalWriteError):
                buffer.splice("a", 0, 0, "x")
            assert held(buffer) == before
    with pytest.raises(JournalWriteError, match="taken back"):
        buffer.splice("a", 0, 0, "x")
    assert buffer.closed
    buffer.close()
    with ContextBuffer.resume(journal_of(buffer)) as again:
        assert again.text("a") == "one"
        again.splice("a", 0, 0, "x")


def test_after_a_failed_fsync_nothing_is_acknowledged(tmp_path: Path) -> None:
    expected = Expected()
    for at in range(1, 60):
        path = tmp_path / f"{at}.jsonl"
        buffer = ContextBuffer.record("durable", path, durable=True)
        sync = Faulty(getattr(os, "fdatasync", os.fsync), at, 1, errno.EIO)
        with mock.patch("spanscope.journal.writer._sync_data", sync):
            acknowledged = acknowledged_before_refusal(buffer)
            if sync.calls < at:
                break
            before = held(buffer)
            for _ in range(3):
                with pytest.raises(JournalWriteError, match="fsync failed"):
                    buffer.ingest("more", "x")
            assert sync.calls == at
        assert held(buffer) == before
        assert buffer.digest == expected.digest(acknowledged)
        buffer.close()
        with ContextBuffer.resume(path, durable=True) as again:
            wanted = (expected.digest(acknowledged), expected.digest(acknowledged + 1))
            assert again.digest in wanted
        assert above_warning(again) == []
    else:
        pytest.fail("there was an fsync more each time")


def acknowledged_before_refusal(buffer: ContextBuffer) -> int:
    """Steps that were done before one was refused, which must have changed nothing."""
    for number in range(STEPS):
        before = held(buffer)
        try:
            step(buffer, number)
        except JournalWriteError:
            assert held(buffer) == before
            return number
    return STEPS


def above_warning(buffer: ContextBuffer) -> list[str]:
    """The rules of errors in a journal."""
    return [f.rule for f in audited(buffer).findings if f.severity == "error"]


def test_a_durable_writer_syncs_every_record_before_it_says_so(tmp_path: Path) -> None:
    synced: list[int] = []
    real = getattr(os, "fdatasync", os.fsync)

    def sync(fd: int) -> None:
        real(fd)
        synced.append(os.fstat(fd).st_size)

    with mock.patch("spanscope.journal.writer._sync_data", sync):
        buffer = ContextBuffer.record("durable", tmp_path / "a.jsonl", durable=True)
        for number in range(12):
            step(buffer, number)
            assert synced[-1] == journal_of(buffer).stat().st_size
    count = len(synced)
    with mock.patch("spanscope.journal.writer._sync_data", sync):
        usual = ContextBuffer.record("usual", tmp_path / "b.jsonl")
        usual.ingest("a", "one")
    assert len(synced) == count


def test_the_inverse_is_written_before_a_character_moves(tmp_path: Path) -> None:
    buffer = ContextBuffer.record("ahead", tmp_path / "a.jsonl")
    buffer.ingest("types", "x: int")
    seen: list[str] = []
    put = JournalWriter.put

    def look(writer: JournalWriter, events: Any) -> None:
        put(writer, events)
        # The journal has the record and its inverse; the buffer has not moved.
        event = events_of(buffer)[-1]
        assert isinstance(event, Splice)
        assert event.inverse is not None
        seen.append(buffer.text("types"))

    with mock.patch.object(JournalWriter, "put", look):
        buffer.splice("types", 3, 3, "list[int]")
    assert seen == ["x: int"]
    assert buffer.text("types") == "x: list[int]"


def test_a_file_that_can_not_be_closed_is_said_and_let_go(tmp_path: Path) -> None:
    buffer = ContextBuffer.record("closing", tmp_path / "a.jsonl")
    buffer.ingest("a", "one")
    closing = Faulty(os.close, 1, 1, errno.EIO)
    with mock.patch.object(os, "close", closing), pytest.raises(JournalWriteError, match="lost"):
        buffer.close()
    assert buffer.closed
    assert is_live(journal_of(buffer)) is None
    buffer.close()


def test_a_live_file_that_can_not_be_removed_is_no_error(tmp_path: Path) -> None:
    buffer = ContextBuffer.record("closing", tmp_path / "a.jsonl")
    unlink = Faulty(os.unlink, 1, 1, errno.EROFS)
    with mock.patch.object(os, "unlink", lambda path, **_: unlink(path)):
        buffer.close()
    assert unlink.calls == 1
    assert buffer.closed


def test_a_folder_that_can_not_be_synced_leaves_no_journal(tmp_path: Path) -> None:
    sync = Faulty(os.fsync, 1, 1, errno.EIO)
    with mock.patch.object(os, "fsync", sync), pytest.raises(JournalError, match="sync the folder"):
        ContextBuffer.record("folder", tmp_path / "a.jsonl", durable=True)
    assert list(tmp_path.iterdir()) == []


def test_a_record_that_no_reader_takes_is_refused(tmp_path: Path) -> None:
    buffer = ContextBuffer.record("large", tmp_path / "a.jsonl")
    buffer.ingest("a", "one")
    with (
        mock.patch("spanscope.journal.writer.MOST_BYTES", 4096),
        pytest.raises(JournalWriteError, match="longer than"),
    ):
        buffer.rewrite("a", "x" * 5000)
    assert buffer.text("a") == "one"
    buffer.rewrite("a", "x" * 5000)
    assert above_warning(buffer) == []
