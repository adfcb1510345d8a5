"""Journals cut, overwritten and appended to at their end: every whole record survives."""

from __future__ import annotations

import os
import random
from pathlib import Path

import pytest
from support.auditing import audit_all
from support.buffers import audited
from support.lines import journal, mark, parse, records
from support.steady import Expected, step

from spanscope.buffer.buffer import ContextBuffer
from spanscope.buffer.errors import RollbackIntegrityError
from spanscope.journal.errors import JournalError
from spanscope.journal.reader import Fault, Record, read_journal

STEPS = 24


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """The journal of a steady program that was killed."""
    path = tmp_path_factory.mktemp("whole") / "a.jsonl"
    buffer = ContextBuffer.record("steady", path)
    for number in range(STEPS):
        step(buffer, number)
    assert buffer._core.writer is not None
    buffer._core.writer.abandon()
    return path.read_bytes()


def kept(data: bytes) -> int:
    """How many records stand whole at the start of the data."""
    return len(records(parse(data[: data.rfind(b"\n") + 1])))


def digests(whole: bytes) -> list[str]:
    """The digest after each record, by the audit of what stands before it."""
    from spanscope.rules.judge import Judge

    judge = Judge()
    found = [judge.state.digest()]
    for record in records(parse(whole)):
        judge.feed(record.event)
        found.append(judge.state.digest())
    return [str(digest) for digest in found]


def cuts(size: int, first: int) -> list[int]:
    """Every byte of the last lines, and some before them; more where a change is judged."""
    last, some = (1500, 500) if "CI" in os.environ else (300, 60)
    spread = random.Random(1).sample(range(first, size), some)
    return sorted({*range(size - last, size + 1), *spread})


def test_cut_anywhere_every_whole_record_is_gone_on_from(whole: bytes, tmp_path: Path) -> None:
    wanted = digests(whole)
    first = whole.index(b"\n") + 1
    path = tmp_path / "a.jsonl"
    for size in cuts(len(whole), first):
        path.write_bytes(whole[:size])
        buffer = ContextBuffer.resume(path)
        count = kept(whole[:size])
        assert buffer.digest == wanted[count]
        aside = path.with_name(path.name + ".torn-1")
        torn = whole[whole.rfind(b"\n", 0, size) + 1 : size]
        assert aside.exists() == bool(torn)
        if torn:
            assert aside.read_bytes() == torn
            aside.unlink()
        assert buffer._core.writer is not None
        buffer._core.writer.abandon()
        assert path.read_bytes().startswith(whole[: whole.rfind(b"\n", 0, size) + 1])


def test_a_header_that_was_not_written_whole_holds_nothing(whole: bytes, tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    for size in range(whole.index(b"\n") + 1):
        path.write_bytes(whole[:size])
        with pytest.raises(JournalError, match="header"):
            ContextBuffer.resume(path)
        assert path.read_bytes() == whole[:size]


@pytest.mark.parametrize("fill", ["zero", "garbage", "lines"])
@pytest.mark.parametrize("size", [512, 4096])
def test_a_tail_that_was_overwritten(whole: bytes, tmp_path: Path, fill: str, size: int) -> None:
    chance = random.Random(size)
    tail = {
        "zero": bytes(size),
        "garbage": chance.randbytes(size),
        "lines": b"no event\n" * (size // 9),
    }[fill]
    wanted = digests(whole)
    for data in (whole[:-size] + tail, whole + tail):
        path = tmp_path / f"{len(data)}.jsonl"
        path.write_bytes(data)
        buffer = ContextBuffer.resume(path)
        count = kept(whole if data.startswith(whole) else whole[:-size])
        assert buffer.digest == wanted[count]
        step(buffer, 1)
        audit = audited(buffer)
        assert [f.rule for f in audit.findings if f.severity == "error"] == []
        assert audit.judge.state.digest() == buffer.digest


def test_pages_that_a_power_cut_lost(whole: bytes, tmp_path: Path) -> None:
    """Of what was not synced any pages may be missing: any of the last ones is zeros, and cut."""
    page, last = 512, 5
    wanted = digests(whole)
    path = tmp_path / "a.jsonl"
    first = len(whole) // page - last
    resumed = 0
    for size in (len(whole), len(whole) - 100, (first + last) * page):
        for lost in range(1, 1 << last):
            data = bytearray(whole[:size])
            for number in range(last):
                if lost >> number & 1:
                    start = (first + number) * page
                    data[start : start + page] = bytes(len(data[start : start + page]))
            begin = next(at for at, byte in enumerate(data) if byte != whole[at])
            path.write_bytes(data)
            items = list(read_journal(path))
            seqs = [item.event.seq for item in items if isinstance(item, Record)]
            before = kept(whole[:begin])
            assert seqs[:before] == list(range(1, before + 1))
            assert any(isinstance(item, Fault) for item in items)
            try:
                buffer = ContextBuffer.resume(path)
            except RollbackIntegrityError:
                # Whole records stand behind the loss: nothing is cut off, and nothing guessed.
                assert len(seqs) > before
                assert path.read_bytes() == data
                continue
            resumed += 1
            assert buffer.digest == wanted[before]
            assert buffer._core.writer is not None
            buffer._core.writer.abandon()
            for left in tmp_path.iterdir():
                left.unlink()
    assert resumed > 3


def test_every_changed_bit_is_seen_where_it_is(tmp_path: Path) -> None:
    """A journal of few short lines, every bit of it changed in turn (R4)."""
    path = tmp_path / "a.jsonl"
    with ContextBuffer.record("bits", path) as buffer:
        buffer.ingest("a", "one")
        buffer.splice("a", 0, 0, "x")
    data = path.read_bytes()
    starts = [0, *(at + 1 for at, byte in enumerate(data[:-1]) if byte == 10)]
    for bit in range(8 * len(data)):
        at = bit // 8
        changed = bytearray(data)
        changed[at] ^= 1 << bit % 8
        audit = audit_all(parse(bytes(changed)))
        bad = [f for f in audit.findings if f.severity != "info"]
        assert bad, (at, bit)
        line = max(start for start in starts if start <= at)
        offsets = {f.evidence.get("offset") for f in bad}
        # A flip of a newline damages the line before or after it too.
        assert line in offsets or data[at] == 10 or 0 in offsets, (at, bad)


def test_lost_doubled_and_swapped_lines_are_seen(whole: bytes, tmp_path: Path) -> None:
    lines = whole.splitlines(keepends=True)
    path = tmp_path / "a.jsonl"
    for number in range(1, len(lines) - 1):
        lost = [*lines[:number], *lines[number + 1 :]]
        doubled = [*lines[: number + 1], *lines[number:]]
        swapped = [*lines[:number], lines[number + 1], lines[number], *lines[number + 2 :]]
        for changed in (lost, doubled, swapped):
            path.write_bytes(b"".join(changed))
            audit = audit_all(read_journal(path))
            assert "JNL003" in {f.rule for f in audit.findings}


def test_expectations_are_of_steps_and_digests_of_records(whole: bytes) -> None:
    assert digests(whole)[-1] == Expected().digest(STEPS)
    assert kept(journal(mark(1), mark(2))) == 2
