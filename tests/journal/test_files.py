"""What may be opened as a journal, and reading it in pieces."""

from __future__ import annotations

import errno
import io
import os
import socket
import tracemalloc
from pathlib import Path
from typing import Any

import pytest
from support.lines import journal, mark, parse, rules, seqs, text

from spanscope.journal.errors import JournalError, reason
from spanscope.journal.reader import open_journal, read_journal

needs_posix = pytest.mark.skipif(os.name != "posix", reason="no such files here")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    file = tmp_path / "a.jsonl"
    file.write_bytes(journal(mark(1), mark(2)))
    return file


def refusal(path: Any) -> str:
    with pytest.raises(JournalError) as caught:
        read_journal(path)
    message = str(caught.value)
    assert message.isprintable()
    return message


def test_a_journal_is_read_by_path_or_from_a_stream(path: Path) -> None:
    data = path.read_bytes()
    assert list(read_journal(path)) == parse(data)
    assert list(read_journal(str(path), chunk=1)) == parse(data)
    stream = io.BytesIO(data)
    assert list(read_journal(stream, chunk=7)) == parse(data)
    assert not stream.closed


def test_reading_ends_at_the_size_that_a_live_file_had(path: Path) -> None:
    size = path.stat().st_size
    with path.open("ab") as file:
        file.write(text(mark(3)) + b"\n" + text(mark(4)))
    assert seqs(list(read_journal(path, until=size))) == [1, 2]
    inside = list(read_journal(path, until=size + 10, chunk=16))
    assert (seqs(inside), rules(inside)) == ([1, 2], [])
    assert rules(list(read_journal(path, until=size + 10, live=False))) == [("JNL001", size)]
    assert rules(list(read_journal(path))) == [("JNL001", size + len(text(mark(3))) + 1)]
    assert rules(list(read_journal(path, live=True))) == []


def test_a_file_is_never_read_whole(tmp_path: Path) -> None:
    file = tmp_path / "big.jsonl"
    with file.open("wb") as out:
        out.write(journal())
        for seq in range(1, 20_000):
            out.write(text(mark(seq, "g" * 1000)) + b"\n")
    tracemalloc.start()
    assert sum(1 for _ in read_journal(file)) == 20_000
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < file.stat().st_size / 3


def test_what_is_missing_is_said(tmp_path: Path) -> None:
    assert "no such file" in refusal(tmp_path / "none.jsonl")


def test_a_folder_is_refused(tmp_path: Path) -> None:
    assert "folder" in refusal(tmp_path)


def test_an_empty_path_is_no_folder(tmp_path: Path) -> None:
    assert refusal("") == "the path is empty: name a journal file (.jsonl)"


@pytest.mark.skipif(not hasattr(os, "O_NOATIME"), reason="no such flag here")
def test_a_look_leaves_no_trace(path: Path) -> None:
    os.utime(path, (1_000_000, 2_000_000))
    assert list(read_journal(path))
    assert path.stat().st_atime == 1_000_000


def test_a_path_no_system_takes_is_refused() -> None:
    refusal("a\0b")
    refusal("\x1b]0;owned\x07")
    refusal("x" * 5000)


@needs_posix
def test_a_pipe_is_refused_without_waiting_for_its_writer(tmp_path: Path) -> None:
    fifo = tmp_path / "pipe"
    os.mkfifo(fifo)
    assert "it is a pipe; send it to standard input (-)" in refusal(fifo)


@needs_posix
def test_a_device_is_refused() -> None:
    assert "device" in refusal("/dev/zero")
    assert "device" in refusal("/dev/null")


@needs_posix
def test_a_socket_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with socket.socket(socket.AF_UNIX) as server:
        server.bind("s")
        assert "socket" in refusal("s")


def test_what_may_not_be_read_is_refused(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def deny(*arguments: object) -> int:
        raise PermissionError(errno.EACCES, "Permission denied")

    monkeypatch.setattr(os, "open", deny)
    assert "permission denied" in refusal(path)


@needs_posix
def test_what_becomes_a_pipe_after_the_first_look_is_refused(
    tmp_path: Path, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = os.open

    opened: list[int] = []

    def swap(name: Path, flags: int) -> int:
        path.unlink()
        os.mkfifo(path)
        opened.append(real(name, flags))
        return opened[-1]

    monkeypatch.setattr(os, "open", swap)
    assert "pipe" in refusal(path)
    with pytest.raises(OSError, match="Bad file descriptor"):
        os.fstat(opened[0])


@pytest.mark.skipif(not Path("/proc/self/mem").exists(), reason="no such file here")
def test_a_file_that_opens_but_gives_no_bytes_is_refused() -> None:
    with pytest.raises(JournalError, match="can't read"):
        list(read_journal("/proc/self/mem"))


def test_a_stream_that_fails_is_said_in_one_line() -> None:
    class Broken(io.RawIOBase):
        name = "broken\n"

        def read(self, size: int = -1) -> bytes:
            raise OSError(5, "Input/output error")

    stream: Any = Broken()
    with pytest.raises(JournalError, match=r"can't read broken\\n: input/output error"):
        list(read_journal(stream))


def test_a_stream_without_data_that_goes_on_is_refused() -> None:
    class Waiting(io.RawIOBase):
        def read(self, size: int = -1) -> None:
            return None

    stream: Any = Waiting()
    with pytest.raises(JournalError, match="no data"):
        list(read_journal(stream))


def test_an_opened_journal_is_not_inherited_by_other_programs(path: Path) -> None:
    with open_journal(path) as stream:
        assert not os.get_inheritable(stream.fileno())
        assert stream.read(1) == b"{"


def test_the_file_is_closed_when_reading_stops_early(path: Path) -> None:
    items: Any = read_journal(path)
    next(items)
    stream = items.gi_frame.f_locals["stream"]
    items.close()
    assert stream.closed


@pytest.mark.parametrize(
    ("error", "what_to_do"),
    [
        (PermissionError(13, "Permission denied"), "ask its owner for the right to read it"),
        (NotADirectoryError(20, "Not a directory"), "name a journal that is there"),
        (OSError(40, "Too many levels of symbolic links"), "name a journal file (.jsonl)"),
    ],
)
def test_what_is_not_opened_is_said_with_what_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: OSError, what_to_do: str
) -> None:
    def refuse(*_: object) -> int:
        raise error

    journal = tmp_path / "x.jsonl"
    journal.touch()
    monkeypatch.setattr("spanscope.journal.files.os.open", refuse)
    with pytest.raises(JournalError) as raised:
        open_journal(journal)
    assert str(raised.value) == f"can't open {journal}: {reason(error)}; {what_to_do}"


def test_a_reason_stands_within_a_sentence() -> None:
    assert reason(PermissionError(13, "Permission denied")) == "permission denied"
    assert reason(JournalError("there is none; set SPANSCOPE_HOME")).endswith("set SPANSCOPE_HOME")
