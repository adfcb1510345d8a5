"""Writing a journal: canonical lines, and a file that ends on a line end whatever happens."""

from __future__ import annotations

import errno
import json
import os
import stat
import sys
import threading
import zlib
from datetime import UTC, datetime, timedelta, timezone
from enum import StrEnum
from pathlib import Path
from types import MappingProxyType
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.checkout import ROOT
from support.lines import headers, parse, records, rules, seqs
from support.processes import output

from spanscope.journal.clock import rfc3339
from spanscope.journal.encoding import encode_line
from spanscope.journal.errors import JournalError, JournalTakenError, JournalWriteError
from spanscope.journal.events import FORMAT, Ingest, Mark, Session, Splice, Stage
from spanscope.journal.parts import DiffBase, Inverse, Read, SpliceEdit
from spanscope.journal.writer import JournalWriter

HEADER = Session(format=FORMAT, session="s")
needs_posix = pytest.mark.skipif(os.name != "posix", reason="modes and forks are not like this")


def clock() -> datetime:
    return datetime(2026, 11, 11, 9, 0, 0, 123999, tzinfo=UTC)


@pytest.fixture
def writer(tmp_path: Path) -> Any:
    made = JournalWriter.create(tmp_path / "a.jsonl", HEADER, clock)
    yield made
    made.close()


def note(writer: JournalWriter, label: str = "x", **more: Any) -> int:
    return writer.append(Mark, kind="note", label=label, **more)


def read(writer: JournalWriter) -> list[Any]:
    found = parse(writer.path.read_bytes(), live=True)
    assert rules(found) == []
    return found


def test_the_file_in_full(writer: JournalWriter) -> None:
    writer.append(Ingest, span="task", content="Fix é", role="user")
    writer.append(
        Splice,
        insert="b",
        inverse={"original": "a", "before": "", "inserted": 1, "after": "c", "at": 0},
        delete=1,
        at=0,
        span="task",
        actor="tool:edit",
    )
    writer.close()
    assert writer.path.read_text(encoding="utf-8") == (
        '{"type":"session","format":"spanscope.journal/1","session":"s","crc":"cda92228"}\n'
        '{"type":"ingest","seq":1,"time":"2026-11-11T09:00:00.123Z","span":"task","role":"user",'
        '"content":"Fix é","crc":"0a908746"}\n'
        '{"type":"splice","seq":2,"time":"2026-11-11T09:00:00.123Z","actor":"tool:edit",'
        '"span":"task","at":0,"delete":1,"inverse":{"inserted":1,"at":0,"before":"","after":"c",'
        '"original":"a"},"insert":"b","crc":"72dcfbae"}\n'
        '{"type":"close","seq":3,"time":"2026-11-11T09:00:00.123Z","events":2,"crc":"a2a79539"}\n'
    )


def test_every_line_ends_in_the_checksum_of_what_stands_before_it(writer: JournalWriter) -> None:
    note(writer, "\ud800")
    for line in writer.path.read_bytes().splitlines():
        body, _, tail = line.rpartition(b',"crc":"')
        assert tail == b'%08x"}' % zlib.crc32(body)


def test_seq_counts_from_1_and_is_returned(writer: JournalWriter) -> None:
    assert writer.seq == 0
    assert [note(writer), note(writer), note(writer)] == [1, 2, 3]
    assert seqs(read(writer)) == [1, 2, 3]
    assert writer.seq == 3


@pytest.mark.parametrize(
    ("moment", "written"),
    [
        (datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC), "2026-01-02T03:04:05.000Z"),
        (datetime(2026, 1, 2, 3, 4, 5), "2026-01-02T03:04:05.000Z"),  # noqa: DTZ001
        (
            datetime(2026, 1, 2, 3, 4, 5, 6789, tzinfo=timezone(timedelta(hours=-5))),
            "2026-01-02T08:04:05.006Z",
        ),
    ],
)
def test_times_are_utc_in_milliseconds(moment: datetime, written: str) -> None:
    assert rfc3339(moment) == written


@given(st.text(st.characters(exclude_categories=())))
def test_any_text_is_read_back(text: str) -> None:
    event = Mark(seq=1, time="t", kind="note", label=text, meta={text: [text]})
    found = parse(bytes(encode_line(HEADER) + encode_line(event)))
    assert rules(found) == []
    assert [record.event for record in records(found)] == [event]


def test_parts_are_structs_or_dicts(writer: JournalWriter) -> None:
    edit = SpliceEdit(span="a", at=0, delete=1, insert="b")
    fields = {"type": "splice", "span": "a", "at": 0, "delete": 1, "insert": "b"}
    for base, reads, edits in (
        (DiffBase(revision=1), [Read(all=True)], [edit]),
        ({"revision": 1}, ({"all": True},), (MappingProxyType(fields),)),
    ):
        writer.append(Stage, diff="d", base=base, reads=reads, edits=edits)
    first, second = writer.path.read_bytes().splitlines()[1:]
    assert first.partition(b'"diff"')[2][:-10] == second.partition(b'"diff"')[2][:-10]


def test_what_only_looks_like_text_or_a_number_is_written_as_such(writer: JournalWriter) -> None:
    class Name(StrEnum):
        TASK = "task"

    class Text(str):
        __slots__ = ()

        def __str__(self) -> str:
            return "not this"

    class Number(int):
        pass

    writer.append(Splice, span=Name.TASK, at=Number(3), delete=0, insert=Text("x"))
    (record,) = records(read(writer))
    assert isinstance(record.event, Splice)
    assert (record.event.span, record.event.at, record.event.insert) == ("task", 3, "x")


BAD: list[dict[str, Any]] = [
    {"label": None},
    {"label": b"x"},
    {"label": 3},
    {"lable": "x"},
    {"seq": 7},
    {"time": "t"},
    {"type": "gap"},
    {"actor": None},
    {"meta": {"a": object()}},
    {"meta": [1]},
]


@pytest.mark.parametrize("fields", BAD, ids=range(len(BAD)))
def test_what_no_reader_could_read_is_refused_before_it_is_written(
    writer: JournalWriter, fields: dict[str, Any]
) -> None:
    before = writer.path.read_bytes()
    with pytest.raises(TypeError, match="can't record `mark`"):
        writer.append(Mark, **{"kind": "note", "label": "x", **fields})
    assert writer.path.read_bytes() == before
    assert note(writer) == 1


def test_a_part_of_a_wrong_type_inside_a_struct_is_refused(writer: JournalWriter) -> None:
    inverse = Inverse(inserted="x", original="")  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="inserted"):
        writer.append(Splice, span="a", at=0, delete=0, insert="", inverse=inverse)


# The file


@needs_posix
def test_the_file_is_its_owners_only(writer: JournalWriter) -> None:
    assert stat.S_IMODE(writer.path.stat().st_mode) == 0o600


def test_an_existing_file_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text("mine")
    with pytest.raises(JournalTakenError, match="exists"):
        JournalWriter.create(path, HEADER)
    assert path.read_text() == "mine"
    assert list(tmp_path.iterdir()) == [path]


@needs_posix
def test_a_symlink_is_not_followed_to_create_a_file(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").symlink_to(tmp_path / "b.jsonl")
    with pytest.raises(JournalTakenError):
        JournalWriter.create(tmp_path / "a.jsonl", HEADER)
    assert not (tmp_path / "b.jsonl").exists()


@pytest.mark.parametrize("path", ["none/a.jsonl", "a\0b", "x" * 300])
def test_a_path_that_can_not_be_created_is_said_in_one_line(tmp_path: Path, path: str) -> None:
    with pytest.raises(JournalError) as caught:
        JournalWriter.create(tmp_path / path, HEADER)
    assert str(caught.value).isprintable()
    assert list(tmp_path.iterdir()) == []


def test_a_header_that_can_not_be_written_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(fd: int, data: bytes) -> int:
        raise OSError(errno.ENOSPC, "No space left on device")

    real = os.write
    monkeypatch.setattr(
        os, "write", lambda fd, d: full(fd, d) if b'session",' in d[:20] else real(fd, d)
    )
    with pytest.raises(JournalWriteError, match="no space left"):
        JournalWriter.create(tmp_path / "a.jsonl", HEADER)
    assert list(tmp_path.iterdir()) == []


labels = st.one_of(
    st.text(max_size=40),
    st.sampled_from(["x" * 5000, "é" * 70_000, "lone \ud800", "\ud800" * 20_000]),
)


@given(labels=st.lists(st.lists(labels, min_size=1, max_size=3), max_size=6))
def test_every_line_is_its_events_own_whatever_was_written_before(
    tmp_path_factory: pytest.TempPathFactory, labels: list[list[str]]
) -> None:
    writer = JournalWriter.create(tmp_path_factory.mktemp("lines") / "a.jsonl", HEADER)
    wanted = encode_line(HEADER)
    for together in labels:
        events = [
            Mark(seq=writer.seq + number, time="", kind="note", label=label)
            for number, label in enumerate(together, 1)
        ]
        writer.put(events)
        with pytest.raises(TypeError):
            writer.put([Mark(seq=1, time="", kind="note", label=object())])  # type: ignore[arg-type]
        wanted += b"".join(map(encode_line, events))
        assert writer.path.read_bytes() == wanted
    writer.close()


# Writes that fail


class Disk:
    """`os.write` of at most `step` bytes a call, until `room` is used up."""

    def __init__(self, step: int, room: int) -> None:
        self.step, self.room = step, room
        self.write = os.write

    def __call__(self, fd: int, data: bytes) -> int:
        allowed = min(self.step, self.room)
        if not allowed:
            raise OSError(errno.ENOSPC, "No space left on device")
        written = self.write(fd, data[:allowed])
        self.room -= written
        return written


def test_short_writes_are_gone_on_with(
    writer: JournalWriter, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "write", Disk(step=7, room=10_000))
    note(writer, "é" * 50)
    note(writer)
    assert seqs(read(writer)) == [1, 2]


def test_a_record_that_is_not_written_whole_is_taken_back(
    writer: JournalWriter, monkeypatch: pytest.MonkeyPatch
) -> None:
    note(writer)
    before = writer.path.read_bytes()
    for room in range(100):
        with monkeypatch.context() as patch:
            patch.setattr(os, "write", Disk(step=9, room=room))
            with pytest.raises(
                JournalWriteError, match="no space left on device; the event was not"
            ):
                note(writer, "y" * 50)
        assert writer.path.read_bytes() == before
    assert note(writer) == 2
    assert seqs(read(writer)) == [1, 2]


def test_an_interrupt_in_the_middle_of_a_record_takes_it_back(
    writer: JournalWriter, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = os.write

    def interrupted(fd: int, data: bytes) -> int:
        real(fd, data[:10])
        raise KeyboardInterrupt

    before = writer.path.read_bytes()
    with monkeypatch.context() as patch:
        patch.setattr(os, "write", interrupted)
        with pytest.raises(KeyboardInterrupt):
            note(writer)
    assert writer.path.read_bytes() == before
    assert note(writer) == 1


def test_a_record_that_can_not_be_taken_back_is_the_last(
    writer: JournalWriter, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(fd: int, length: int) -> None:
        raise OSError(errno.EIO, "Input/output error")

    note(writer)
    with monkeypatch.context() as patch:
        patch.setattr(os, "write", Disk(step=9, room=30))
        patch.setattr(os, "ftruncate", refuse)
        with pytest.raises(JournalWriteError):
            note(writer)
    with pytest.raises(JournalWriteError, match="could not be taken back"):
        note(writer)
    assert writer.closed
    writer.close()
    found = parse(writer.path.read_bytes())
    assert seqs(found) == [1]
    assert [rule for rule, _ in rules(found)] == ["JNL001"]
    assert list(writer.path.parent.iterdir()) == [writer.path]


@needs_posix
def test_a_file_that_may_not_grow_stays_on_a_line_end(tmp_path: Path) -> None:
    code = """
import resource, signal, sys
from spanscope.journal.errors import JournalWriteError
from spanscope.journal.events import Mark, Session
from spanscope.journal.writer import JournalWriter
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
writer = JournalWriter.create(sys.argv[1], Session(format="spanscope.journal/1", session="s"))
resource.setrlimit(resource.RLIMIT_FSIZE, (2000, resource.RLIM_INFINITY))
refused = 0
for number in range(50):
    try:
        writer.append(Mark, kind="note", label="x" * 100)
    except JournalWriteError as error:
        refused += 1
resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
writer.append(Mark, kind="note", label="room again")
writer.close()
print(refused)
"""
    path = tmp_path / "a.jsonl"
    refused = int(output(sys.executable, "-c", code, path, cwd=ROOT))
    found = parse(path.read_bytes())
    assert rules(found) == []
    assert 0 < refused < 50
    assert seqs(found) == list(range(1, 50 - refused + 3))


# Closing, threads, forks


def test_closing_says_how_many_events_there_were_and_ends_it(writer: JournalWriter) -> None:
    note(writer)
    note(writer)
    writer.close()
    writer.close()
    last = json.loads(writer.path.read_bytes().splitlines()[-1])
    assert (last["type"], last["seq"], last["events"]) == ("close", 3, 2)
    with pytest.raises(JournalWriteError, match="closed"):
        note(writer)


def test_threads_share_a_writer(writer: JournalWriter) -> None:
    got: list[int] = []

    def work() -> None:
        got.extend([note(writer, "y" * 100) for _ in range(50)])

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(got) == list(range(1, 201))
    assert seqs(read(writer)) == list(range(1, 201))


@needs_posix
def test_a_forked_child_is_refused_and_ends_nothing(tmp_path: Path) -> None:
    code = """
import os, sys
from spanscope import Recorder
from spanscope.journal.errors import JournalWriteError
from spanscope.journal.sessions import is_live
with Recorder.open("parent", sys.argv[1]) as recorder:
    recorder.mark("note", "before")
    child = os.fork()
    if not child:
        with recorder:
            try:
                recorder.mark("note", "child")
            except JournalWriteError as error:
                os._exit(0 if "forked" in str(error) else 3)
        os._exit(4)
    print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
    recorder.mark("note", "after")
    print(is_live(recorder.path) is not None)
"""
    path = tmp_path / "a.jsonl"
    assert output(sys.executable, "-c", code, path, cwd=ROOT).split() == ["0", "True"]
    found = parse(path.read_bytes())
    assert len(headers(found)) == 1
    assert rules(found) == []
    assert seqs(found) == [1, 2, 3]
