"""Events that are read again from the file are those that were read first."""

from __future__ import annotations

import os
from pathlib import Path
from zlib import crc32

import pytest

from spanscope.history.audited import audit_file, audit_pieces
from spanscope.history.history import History, load
from spanscope.journal.index import AHEAD, GONE, REMEMBERED, EventLog, LineSource
from spanscope.journal.reader import Record, read_journal
from spanscope.sample_sessions import sample_path

LINES = (
    b'{"type":"mark","seq":1,"time":"2026-11-11T09:00:00Z","kind":"note","label":"one"}',
    b'{"type":"mark","seq":2,"time":"2026-11-11T09:00:00Z","kind":"note","label":"zw\xc3\xb6lf"}',
    b'{"type":"mark","seq":3,"time":"2026-11-11T09:00:00Z","kind":"note","label":"\\ud800"}',
)


def kept_and_read_again(path: Path) -> tuple[EventLog, EventLog]:
    kept, again = EventLog(), EventLog(LineSource(path))
    for item in read_journal(path):
        if isinstance(item, Record):
            kept.add(item)
            again.add(item)
    return kept, again


@pytest.mark.parametrize("start", [b"", b"\xef\xbb\xbf"])
@pytest.mark.parametrize("end", [b"\n", b"\r\n"])
def test_every_event_read_again_is_the_same(tmp_path: Path, start: bytes, end: bytes) -> None:
    path = tmp_path / "j.jsonl"
    path.write_bytes(start + b"".join(line + end for line in LINES))
    kept, again = kept_and_read_again(path)
    assert len(again) == len(LINES)
    assert [again.at(place) for place in range(3)] == [kept.at(place) for place in range(3)]
    assert again.of(2) == kept.of(2)
    assert again.of(9) is None


def test_what_is_asked_for_by_its_seq_is_that_or_nothing(tmp_path: Path) -> None:
    path = tmp_path / "j.jsonl"
    path.write_bytes(LINES[0] + b"\n" + LINES[2] + b"\n")
    _, log = kept_and_read_again(path)
    assert [event and event.seq for event in map(log.of, range(5))] == [None, 1, None, 3, None]
    sums = [crc32(LINES[0]), crc32(LINES[2])]
    assert [log.fingerprint(seq) for seq in range(5)] == [None, sums[0], None, sums[1], None]


def test_seqs_of_more_than_four_bytes_stand_behind_those_of_less(tmp_path: Path) -> None:
    path = tmp_path / "j.jsonl"
    large = (1 << 32, (1 << 53) - 1)
    lines = [LINES[0], *(LINES[0].replace(b":1,", b":%d," % seq) for seq in large)]
    path.write_bytes(b"".join(line + b"\n" for line in lines))
    _, log = kept_and_read_again(path)
    assert list(log.seqs) == [1, *large]
    assert [event and event.seq for event in map(log.of, (1, 2, *large))] == [1, None, *large]


class FarAway(LineSource):
    """A file of terabytes with a line here and there."""

    def __init__(self, lines: dict[int, bytes]) -> None:
        self._lines = lines

    def read(self, offset: int, length: int, ahead: int = 0) -> bytes:
        return self._lines[offset]


def test_lines_beyond_four_gigabytes_are_found(tmp_path: Path) -> None:
    path = tmp_path / "j.jsonl"
    path.write_bytes(b"\n".join(LINES) + b"\n")
    records = [item for item in read_journal(path) if isinstance(item, Record)]
    offsets = (7, (1 << 32) - 1, 5 << 32)
    log = EventLog(FarAway(dict(zip(offsets, LINES, strict=True))))
    for record, offset in zip(records, offsets, strict=True):
        log.add(Record(record.event, offset, record.length, record.fingerprint))
    assert [log.at(place) for place in (2, 0, 1)] == [records[at].event for at in (2, 0, 1)]


def test_a_system_that_reads_only_from_where_it_stands_reads_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delattr(os, "pread", raising=False)
    kept, again = kept_and_read_again(sample_path("stale-base", safe=False))
    assert [again.of(seq) for seq in reversed(again.seqs)] == [
        kept.of(seq) for seq in reversed(kept.seqs)
    ]


def test_events_of_a_sample_are_read_again(tmp_path: Path) -> None:
    kept, again = kept_and_read_again(sample_path("stale-base", safe=False))
    assert [again.of(seq) for seq in again.seqs] == [kept.of(seq) for seq in kept.seqs]


def test_a_line_that_is_no_longer_there_is_said_to_be_gone(tmp_path: Path) -> None:
    path = tmp_path / "j.jsonl"
    path.write_bytes(b"".join(line + b"\n" for line in LINES))
    _, again = kept_and_read_again(path)
    changed = path.read_bytes().replace(b"one", b"two")
    path.write_bytes(changed[: len(changed) // 2])
    first, last = again.at(0), again.at(2)
    assert (first.seq, getattr(first, "type", None)) == (1, GONE)
    assert (last.seq, getattr(last, "type", None)) == (3, GONE)


def test_lines_longer_than_what_is_read_at_once_are_read_in_any_order(tmp_path: Path) -> None:
    path = tmp_path / "j.jsonl"
    long = (b'{"type":"mark","kind":"note","label":"%s"' % (b"x" * (2 * AHEAD)),)
    short = tuple(b'{"type":"mark","kind":"turn","label":"%d"' % n for n in range(2 * REMEMBERED))
    lines = [
        b'%s,"seq":%d,"time":"2026-11-11T00:00:00Z"}\n' % (line, seq)
        for seq, line in enumerate(long + short + long, start=1)
    ]
    path.write_bytes(b"".join(lines))
    kept, again = kept_and_read_again(path)
    for seq in (1, 2, 1, len(kept), 3, REMEMBERED + 3, 3, len(kept), *again.seqs):
        assert again.of(seq) == kept.of(seq)


def test_a_deleted_file_is_still_read(tmp_path: Path) -> None:
    path = tmp_path / "j.jsonl"
    path.write_bytes(b"".join(line + b"\n" for line in LINES))
    kept, again = kept_and_read_again(path)
    path.unlink()
    assert again.at(1) == kept.at(1)


def test_a_loaded_history_has_the_events_of_a_fed_one() -> None:
    path = sample_path("dropped-inverse", safe=False)
    fed = History()
    fed.feed(path.read_bytes())
    loaded = load(path)
    assert [loaded.event(seq) for seq in loaded.seqs] == [fed.event(seq) for seq in fed.seqs]


def test_a_journal_through_a_pipe_is_judged_as_the_file() -> None:
    path = sample_path("dropped-inverse", safe=False)
    data = path.read_bytes()
    piped = audit_pieces(data[start : start + 100] for start in range(0, len(data), 100))
    named = audit_file(path)
    assert piped.findings == named.findings
    assert len(piped) == len(named)
    assert piped.event(5) == named.event(5) == load(path).event(5)
