"""What a history holds of its texts does not rest on the file that they came from."""

from __future__ import annotations

import errno
import os
import random
import tempfile
from pathlib import Path
from typing import BinaryIO
from unittest.mock import patch

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.programs import TIME
from support.wild import wild_event

from spanscope.history.history import History, load
from spanscope.history.kept_texts import KeptTexts
from spanscope.journal.events import AnyEvent, Ingest, Splice
from spanscope.journal.index import LineSource
from spanscope.rules.judge import Judge

HEADER = b'{"type":"session","format":"spanscope.journal/1","session":"s"}\n'
NO_ROOM = OSError(errno.ENOSPC, "No space left on device")


def line(event: AnyEvent) -> bytes:
    return msgspec.json.encode(event) + b"\n"


def wild_lines(seed: int, events: int) -> list[bytes]:
    """A journal with every kind of event; every other content is long."""
    chance, judge, lines = random.Random(seed), Judge(), [HEADER]
    for _ in range(events):
        event = wild_event(chance, judge.state)
        if isinstance(event, Ingest) and chance.random() < 0.5:
            event = msgspec.structs.replace(event, content=event.content + "ä long tail " * 40)
        if isinstance(event, Splice) and chance.random() < 0.5:
            event = msgspec.structs.replace(event, insert="a löng insertion " * 30)
        judge.feed(event)
        lines.append(line(event))
    return lines


def told(history: History, seq: int) -> list[object]:
    """What there is to see at a step, texts and all."""
    moment = history.at(seq)
    spans = [(row.state, row.span.version, row.span.text) for row in moment.spans()]
    undo = [(row.entry, row.status, row.reachable) for row in moment.undo()]
    entries = [
        (
            entry.seq,
            status,
            can,
            [(part.inverse, part.before and part.before.text) for part in entry.parts],
        )
        for entry, status, can in undo
    ]
    artifacts = [(row.artifact.artifact, row.judgement) for row in moment.artifacts()]
    return [spans, entries, artifacts, [row.judgement for row in moment.staging()], moment.digest]


def all_told(history: History) -> list[list[object]]:
    return [told(history, seq) for seq in (*history.seqs, *reversed(history.seqs))]


@given(st.integers(0, 10**6))
@settings(max_examples=40)
def test_every_step_is_the_same_with_texts_in_a_file(seed: int) -> None:
    lines = wild_lines(seed, 40)
    plain = History()
    plain.state.recording = None
    plain.feed(b"".join(lines))
    with pytest.MonkeyPatch.context() as patch:
        # Every content gives way at once, and every text is read again.
        patch.setattr("spanscope.history.store.IN_MEMORY", 100)
        patch.setattr("spanscope.history.kept_texts.RECORDED_FROM", 1)
        patch.setattr("spanscope.model.node.RECORDED_FROM", 1)
        patch.setattr("spanscope.model.keeping.LEAST_RECENT", 0)
        patch.setattr("spanscope.history.audit.MOST_RECENT", 0)
        in_file = History()
        for one in lines:
            in_file.feed(one)
            told(in_file, in_file.last)
        assert all_told(in_file) == all_told(plain)
    assert in_file.findings == plain.findings


@pytest.mark.parametrize("how", ["truncated", "overwritten", "deleted", "replaced"])
def test_what_befalls_the_file_takes_no_text_away(tmp_path: Path, how: str) -> None:
    path = tmp_path / "journal.jsonl"
    path.write_bytes(b"".join(wild_lines(7, 120)))
    wanted = all_told(load(path))
    with patch("spanscope.history.store.IN_MEMORY", 0):
        history = load(path)
    if how == "truncated":
        os.truncate(path, 0)
    elif how == "overwritten":
        path.write_bytes(b"x" * path.stat().st_size)
    else:
        path.unlink()
        if how == "replaced":
            path.write_bytes(HEADER)
    assert all_told(history) == wanted


def test_a_file_that_is_cut_while_it_is_read(tmp_path: Path) -> None:
    path, lines = tmp_path / "journal.jsonl", wild_lines(3, 120)
    path.write_bytes(b"".join(lines))
    with patch("spanscope.history.store.IN_MEMORY", 0):
        history = History(source=LineSource(path))
        history.feed(b"".join(lines[:80]))
        os.truncate(path, len(lines[0]))
        history.feed(b"".join(lines[80:]))
    plain = History()
    plain.feed(b"".join(lines))
    assert [told(history, seq)[0] for seq in history.seqs] == [
        told(plain, seq)[0] for seq in plain.seqs
    ]


def ingest(seq: int, content: str) -> Ingest:
    return Ingest(seq=seq, time=TIME, span=f"s{seq}", content=content)


CONTENTS = ["", "short", "ä\ud800" * 300, "long " * 400, "x" * 70_000]


def assert_keeps(texts: KeptTexts) -> None:
    for seq, content in enumerate(CONTENTS, 1):
        texts.add(ingest(seq, content))
    for _ in range(2):
        assert [texts.text(seq) for seq in range(1, len(CONTENTS) + 1)] == CONTENTS


@pytest.mark.parametrize("room", [0, 1000, 1 << 20])
def test_texts_come_back_as_they_were(room: int) -> None:
    with patch("spanscope.history.store.IN_MEMORY", room):
        assert_keeps(KeptTexts())


def test_where_no_file_can_be_made_texts_stay_in_memory() -> None:
    with patch("spanscope.history.store.IN_MEMORY", 0):
        texts = KeptTexts()
    with patch("tempfile.TemporaryFile", side_effect=NO_ROOM):
        assert_keeps(texts)


class Small:
    """A file with room for so many bytes, of the last of which it takes a part."""

    def __init__(self, room: int) -> None:
        self._file: BinaryIO = tempfile.TemporaryFile(buffering=0)  # noqa: SIM115
        self._room = room

    def fileno(self) -> int:
        return self._file.fileno()

    def seek(self, at: int) -> int:
        return self._file.seek(at)

    def close(self) -> None:
        self._file.close()

    def write(self, data: bytes) -> int:
        taken = self._file.write(data[: self._room])
        self._room -= taken
        return taken


def test_a_file_that_is_full_is_read_as_far_as_it_goes() -> None:
    with patch("spanscope.history.store.IN_MEMORY", 0):
        texts = KeptTexts()
    with patch("tempfile.TemporaryFile", return_value=Small(2500)):
        assert_keeps(texts)
