"""A recorder on a bad disk: the agent goes on, and the journal says what it missed (R12)."""

from __future__ import annotations

import errno
import logging
import os
import sys
from datetime import datetime
from pathlib import Path
from typing import Any
from unittest import mock

import pytest
from support.auditing import audit_all
from support.every_event import CALLS
from support.lines import parse, records, rules

from spanscope.buffer.recorder import Recorder
from spanscope.journal.errors import JournalClosedError
from spanscope.journal.events import Gap
from spanscope.journal.reader import read_journal


def full(_fd: int, _data: Any) -> int:
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def gaps(recorder: Recorder) -> list[tuple[int, int | None]]:
    found = parse(recorder.path.read_bytes(), live=True)
    assert rules(found) == []
    return [(r.event.seq, r.event.lost) for r in records(found) if isinstance(r.event, Gap)]


def test_every_event_may_be_lost_and_the_journal_says_how_many(tmp_path: Path) -> None:
    recorder = Recorder.open("planner", tmp_path / "a.jsonl")
    assert recorder.mark("note", "before") == 1
    with mock.patch.object(os, "write", full):
        for call, _ in CALLS:
            assert call(recorder) == 0
        assert recorder.lost == len(CALLS)
    assert recorder.mark("note", "after") == 3
    assert recorder.lost == 0
    assert gaps(recorder) == [(2, len(CALLS))]
    recorder.close()


def test_every_single_write_may_fail(tmp_path: Path) -> None:
    real = os.write
    for at in range(1, len(CALLS) + 1):
        recorder = Recorder.open("planner", tmp_path / f"{at}.jsonl")
        calls = 0

        def write(fd: int, data: Any, at: int = at) -> int:
            nonlocal calls
            calls += 1
            if calls == at:
                real(fd, bytes(data)[:9])
                raise OSError(errno.EIO, os.strerror(errno.EIO))
            return real(fd, data)

        with mock.patch.object(os, "write", write):
            told = [call(recorder) for call, _ in CALLS]
        assert told.count(0) == 1
        assert told.index(0) == at - 1
        recorder.close()
        assert (at, 1) in gaps(recorder)


def test_the_log_of_the_program_says_it_once(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    recorder = Recorder.open("planner", tmp_path / "a.jsonl")
    with mock.patch.object(os, "write", full), caplog.at_level(logging.WARNING, "spanscope"):
        for _ in range(3):
            recorder.mark("note", "x")
    assert len(caplog.records) == 1
    assert "no space left" in caplog.text.lower()


def test_a_log_that_fails_itself_is_no_fault_of_the_agent(tmp_path: Path) -> None:
    class Failing(logging.Handler):
        def emit(self, _record: logging.LogRecord) -> None:
            raise ValueError("the log is full too")

    recorder = Recorder.open("planner", tmp_path / "a.jsonl")
    logger, handler = logging.getLogger("spanscope"), Failing()
    logger.addHandler(handler)
    try:
        with mock.patch.object(os, "write", full):
            assert recorder.mark("note", "x") == 0
    finally:
        logger.removeHandler(handler)
    recorder.close()
    assert gaps(recorder) == [(1, 1)]


@pytest.mark.parametrize("module", ["logging", "json"])
def test_a_module_that_can_not_be_imported_is_no_fault_of_the_agent(
    tmp_path: Path, module: str
) -> None:
    recorder = Recorder.open("planner", tmp_path / "a.jsonl")
    with mock.patch.dict(sys.modules, {module: None}), mock.patch.object(os, "write", full):
        assert recorder.mark("note", "\ud800") == 0
        assert recorder.sync([{"role": "user", "content": "x"}]) == ["user-1"]
    recorder.close()
    assert sum(lost or 0 for _, lost in gaps(recorder)) == 3


def test_closing_on_a_full_disk_cuts_the_journal_short(tmp_path: Path) -> None:
    with Recorder.open("planner", tmp_path / "a.jsonl") as recorder:
        recorder.mark("note", "x")
        patch = mock.patch.object(os, "write", full)
        patch.start()
    patch.stop()
    assert recorder.closed
    assert list(tmp_path.iterdir()) == [recorder.path]
    assert rules(parse(recorder.path.read_bytes())) == []
    with pytest.raises(JournalClosedError):
        recorder.mark("note", "y")
    recorder.close()


@pytest.mark.parametrize("error", [MemoryError(), RecursionError(), ValueError("odd"), OSError(5)])
def test_whatever_fails_inside_is_a_loss(tmp_path: Path, error: Exception) -> None:
    recorder = Recorder.open("planner", tmp_path / "a.jsonl")
    with mock.patch("spanscope.journal.encoding._encode_into", side_effect=error):
        assert recorder.mark("note", "x") == 0
        assert recorder.sync([{"role": "user", "content": "x"}]) == ["user-1"]
    recorder.sync([{"role": "user", "content": "x"}])
    assert gaps(recorder) == [(1, 3)]
    recorder.close()


def test_a_clock_that_fails_is_a_loss(tmp_path: Path) -> None:
    ticks = 0

    def clock() -> datetime:
        nonlocal ticks
        ticks += 1
        if ticks == 3:
            raise OSError(errno.EIO, "no clock")
        return datetime.fromisoformat("2026-11-11T09:00:00+00:00")

    recorder = Recorder.open("planner", tmp_path / "a.jsonl", clock=clock)
    assert [recorder.mark("note", "x") for _ in range(3)] == [1, 0, 3]
    recorder.close()


def test_wrong_use_is_still_an_error(tmp_path: Path) -> None:
    recorder = Recorder.open("planner", tmp_path / "a.jsonl")
    wrong: Any = b"bytes"
    with pytest.raises(TypeError):
        recorder.ingest("a", wrong)
    assert recorder.lost == 0
    recorder.close()


@pytest.mark.parametrize("lost", [1, 2])
def test_sync_says_the_gap_and_then_what_the_agent_holds(tmp_path: Path, lost: int) -> None:
    recorder = Recorder.open("planner", tmp_path / "a.jsonl")
    lists = [
        [{"role": "user", "content": "Fix the flaky test before Friday."}],
        [{"role": "user", "content": "Fix the flaky test."}, {"role": "user", "content": "Now."}],
        [{"role": "user", "content": "Other words."}, {"role": "user", "content": "Now."}],
        [{"role": "user", "content": "Now."}, {"role": "assistant", "content": "Yes."}],
    ]
    recorder.sync(lists[0])
    with mock.patch.object(os, "write", full):
        for messages in lists[1 : 1 + lost]:
            recorder.sync(messages)
    for messages in lists[1 + lost :]:
        names = recorder.sync(messages)
    recorder.close()
    assert len(gaps(recorder)) == 1
    audit = audit_all(read_journal(recorder.path))
    # The gap is all that there is to complain of: what the agent holds is known again.
    assert [f.rule for f in audit.findings if f.severity != "info"] == ["JNL011"]
    state = audit.judge.state
    assert state.doubt is None
    assert state.order == names
    assert [state.spans[name].text for name in names] == ["Now.", "Yes."]


def test_after_a_gap_spans_of_others_stay_unknown(tmp_path: Path) -> None:
    recorder = Recorder.open("planner", tmp_path / "a.jsonl")
    recorder.ingest("mine", "text")
    recorder.sync([{"role": "user", "content": "x"}])
    with mock.patch.object(os, "write", full):
        recorder.rewrite("mine", "other")
    recorder.sync([{"role": "user", "content": "x"}])
    recorder.close()
    audit = audit_all(read_journal(recorder.path))
    assert [f.rule for f in audit.findings if f.severity != "info"] == ["JNL011"]
    assert audit.judge.state.spans["user-1"].text == "x"
    assert audit.judge.state.spans["mine"].text is None
