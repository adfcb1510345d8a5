"""A journal that grows: what is read, and every thing that can happen to its file meanwhile.

Nothing here waits: each step is done, then looked at.
"""

from __future__ import annotations

import mmap
import os
import shutil
import signal
import stat
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import IO

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.checkout import ROOT

from spanscope.buffer import Recorder
from spanscope.journal.errors import JournalError
from spanscope.journal.live import LiveInfo
from spanscope.journal.tail import (
    Appended,
    Happening,
    PlaceChanged,
    Recreated,
    Tail,
    Truncated,
    WriterAlive,
    WriterGone,
)

needs_posix = pytest.mark.skipif(os.name != "posix", reason="no such files, modes or signals")

WRITER = """
import sys
from spanscope import Recorder
recorder = Recorder.open("other", sys.argv[1])
print("ready", flush=True)
for line in sys.stdin:
    recorder.mark("note", line.strip())
    print("done", flush=True)
recorder.close()
print("closed", flush=True)
"""


OVERLAY = """
import sys
from contextlib import closing
from pathlib import Path
from spanscope.journal.tail import Appended, Tail
path = Path(sys.argv[1])
with closing(Tail(path)) as tail:
    def look():
        found = tail.poll()
        while tail.more:
            found += tail.poll()
        for item in found:
            print(item.data.decode().strip() if isinstance(item, Appended) else item)
    look()
    for word in ("two", "three"):
        with path.open("a") as stream:
            stream.write(word + "\\n")
        look()
"""


@pytest.fixture(params=["disk", "memory"])
def path(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Path]:
    """A path on the disk, and one on a file system in memory, which some things happen to."""
    if request.param == "disk":
        yield tmp_path / "folder" / "session.jsonl"
        return
    memory = Path("/dev/shm")  # noqa: S108 a file system, not a place for secrets
    if not memory.is_dir() or memory.stat().st_dev == tmp_path.stat().st_dev:
        pytest.skip("has no other file system in memory")
    with tempfile.TemporaryDirectory(dir=memory) as folder:
        yield Path(folder) / "folder" / "session.jsonl"


@pytest.fixture
def tail(path: Path) -> Iterator[Tail]:
    """A tail on a file of two lines that have been read."""
    path.parent.mkdir()
    path.write_bytes(b"one\ntwo\n")
    with closing(Tail(path, piece=64)) as opened:
        assert read(opened) == b"one\ntwo\n"
        yield opened


def append(path: Path, data: bytes) -> None:
    with path.open("ab", buffering=0) as file:
        file.write(data)


def look(tail: Tail) -> list[Happening]:
    """Everything that can be read now."""
    found = tail.poll()
    while tail.more:
        found += tail.poll()
    return found


def data_of(found: list[Happening]) -> bytes:
    return b"".join(item.data for item in found if isinstance(item, Appended))


def others(found: list[Happening]) -> list[Happening]:
    return [item for item in found if not isinstance(item, Appended)]


def read(tail: Tail) -> bytes:
    """What can be read now, where nothing else has happened."""
    found = look(tail)
    assert others(found) == []
    return data_of(found)


# Bytes


def test_appended_lines_are_read_once(tail: Tail, path: Path) -> None:
    assert read(tail) == b""
    append(path, b"three\nfour\n")
    assert look(tail) == [Appended(b"three\nfour\n", 8)]
    assert read(tail) == b""
    assert (tail.offset, tail.size) == (19, 19)


def test_a_line_in_pieces_is_read_when_it_is_whole(tail: Tail, path: Path) -> None:
    for byte in b"three":
        append(path, bytes([byte]))
        assert read(tail) == b""
    assert b"".join(tail.rest()) == b"three"
    append(path, b"\nfo")
    assert read(tail) == b"three\n"
    assert b"".join(tail.rest()) == b"fo"


@pytest.mark.parametrize("size", [63, 64, 65, 127, 128, 129, 1000])
def test_a_line_longer_than_a_piece_comes_in_pieces(tail: Tail, path: Path, size: int) -> None:
    line = bytes(65 + place % 26 for place in range(size))
    append(path, line)
    assert read(tail) == b""
    append(path, b"\nnext\n")
    found = look(tail)
    assert data_of(found) == line + b"\nnext\n"
    assert all(len(item.data) <= 64 for item in found if isinstance(item, Appended))


def test_no_look_reads_more_than_a_piece(path: Path) -> None:
    path.parent.mkdir()
    path.write_bytes(b"".join(b"line %d\n" % number for number in range(1000)))
    with closing(Tail(path, piece=100)) as tail:
        looks = 0
        while tail.more:
            assert len(data_of(tail.poll())) <= 100
            looks += 1
        assert tail.offset == path.stat().st_size
        assert looks >= tail.offset // 100


def test_a_line_that_is_taken_back_was_never_read(tail: Tail, path: Path) -> None:
    append(path, b"thr")
    assert read(tail) == b""
    os.truncate(path, 8)
    assert read(tail) == b""
    append(path, b"other\n")
    assert read(tail) == b"other\n"


def test_a_line_that_is_taken_back_and_replaced_between_two_looks(tail: Tail, path: Path) -> None:
    append(path, b"a torn line")
    assert read(tail) == b""
    os.truncate(path, 8)
    append(path, b"resumed\nand longer than before\n")
    assert read(tail) == b"resumed\nand longer than before\n"


def test_a_long_line_that_is_taken_back(tail: Tail, path: Path) -> None:
    append(path, b"x" * 1000)
    assert read(tail) == b""
    os.truncate(path, 8)
    append(path, b"y" * 300 + b"\n")
    assert read(tail) == b"y" * 300 + b"\n"


def test_an_empty_file_is_waited_for(path: Path) -> None:
    path.parent.mkdir()
    path.touch()
    with closing(Tail(path)) as tail:
        assert read(tail) == b""
        append(path, b"one\n")
        assert read(tail) == b"one\n"


def test_reading_can_start_again(tail: Tail, path: Path) -> None:
    tail.restart()
    append(path, b"three\n")
    assert read(tail) == b"one\ntwo\nthree\n"


@needs_posix
def test_a_file_that_can_only_be_read(tail: Tail, path: Path) -> None:
    writing = path.open("ab", buffering=0)
    path.chmod(0o400)
    path.parent.chmod(0o500)
    try:
        with writing, closing(Tail(path)) as other:
            writing.write(b"three\n")
            assert read(tail) == b"three\n"
            assert read(other) == b"one\ntwo\nthree\n"
    finally:
        path.parent.chmod(0o700)
    assert stat.S_IMODE(path.stat().st_mode) == 0o400


def test_what_can_not_be_opened_is_said(path: Path) -> None:
    with pytest.raises(JournalError, match="can't open"):
        Tail(path)


def test_a_disk_that_fails_is_said(tail: Tail) -> None:
    tail.close()
    with pytest.raises(JournalError, match=r"can't read .*session\.jsonl"):
        tail.poll()


# Truncation


@pytest.mark.parametrize("size", [0, 3, 4])
def test_a_truncated_file_is_read_again(tail: Tail, path: Path, size: int) -> None:
    os.truncate(path, size)
    assert others(look(tail)) == [Truncated(size)]
    append(path, b"\nnew\n")
    assert data_of(look(tail)).endswith(b"new\n")
    assert tail.offset == path.stat().st_size


@pytest.mark.parametrize("more", [b"", b"more\n" * 40])
def test_a_file_that_was_cut_and_has_grown_again_is_read_again(
    tail: Tail, path: Path, more: bytes
) -> None:
    path.write_bytes(b"new\nnew\n" + more)
    found = look(tail)
    assert found[0] == Truncated(8 + len(more))
    assert data_of(found) == b"new\nnew\n" + more


def test_only_the_line_before_our_place_is_another(path: Path) -> None:
    path.parent.mkdir()
    head = b"".join(b"the same line %4d\n" % number for number in range(1000))
    path.write_bytes(head + b"old\n")
    with closing(Tail(path)) as tail:
        look(tail)
        path.write_bytes(head + b"new\n")
        found = look(tail)
        assert others(found) == [Truncated(len(head) + 4)]
        assert data_of(found) == head + b"new\n"


def test_only_the_beginning_is_another(path: Path) -> None:
    path.parent.mkdir()
    rest = b"".join(b"the same line %4d\n" % number for number in range(1000))
    path.write_bytes(b"old\n" + rest)
    with closing(Tail(path)) as tail:
        look(tail)
        path.write_bytes(b"new\n" + rest)
        assert others(look(tail)) == [Truncated(len(rest) + 4)]


def test_a_store_into_mapped_memory(tail: Tail, path: Path) -> None:
    with path.open("r+b") as file, mmap.mmap(file.fileno(), 0) as memory:
        memory[4:7] = b"TWO"
        found = look(tail)
    assert others(found) == [Truncated(8)]
    assert data_of(found) == b"one\nTWO\n"


def test_copied_away_and_truncated(tail: Tail, path: Path) -> None:
    shutil.copy(path, path.with_suffix(".1"))
    with path.open("ab", buffering=0) as writing:
        os.truncate(path, 0)
        writing.write(b"three\n")
    found = look(tail)
    assert others(found) == [Truncated(6)]
    assert data_of(found) == b"three\n"


# Another file


def test_a_file_of_a_lower_layer_that_is_copied_up(tmp_path: Path) -> None:
    """An overlay, as containers have it: the first append copies the file into the upper layer."""
    unshare = shutil.which("unshare")
    if unshare is None or subprocess.run([unshare, "-rm", "true"], check=False).returncode:
        pytest.skip("needs user namespaces")
    script = """
        set -e
        mount -t tmpfs none "$1"; cd "$1"; mkdir lower upper work merged; echo one > lower/a
        mount -t overlay none -o lowerdir=lower,upperdir=upper,workdir=work,userxattr merged
        "$2" -c "$3" "$1/merged/a"
    """
    command = [unshare, "-rm", "sh", "-c", script, "sh", str(tmp_path), sys.executable, OVERLAY]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    if "mount" in done.stderr:
        pytest.skip(f"can't mount: {done.stderr}")
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == ["one", "two", "three"]


def test_a_rotated_file_is_read_on(tail: Tail, path: Path) -> None:
    with path.open("ab", buffering=0) as writing:
        path.rename(path.with_suffix(".1"))
        assert look(tail) == [PlaceChanged("moved")]
        path.write_bytes(b"another\n")
        writing.write(b"three\n")
        assert look(tail) == [PlaceChanged("rotated"), Appended(b"three\n", 8)]
        writing.write(b"four\n")
        append(path, b"another\n" * 10)
        assert look(tail) == [Appended(b"four\n", 14)]


def test_a_rotated_file_stays_what_is_read_once_it_is_deleted(tail: Tail, path: Path) -> None:
    path.rename(path.with_suffix(".1"))
    path.write_bytes(b"another\n")
    assert look(tail) == [PlaceChanged("rotated")]
    path.with_suffix(".1").unlink()
    assert look(tail) == []


@needs_posix
def test_a_deleted_file_is_read_on(tail: Tail, path: Path) -> None:
    with path.open("ab", buffering=0) as writing:
        path.unlink()
        assert look(tail) == [PlaceChanged("deleted")]
        writing.write(b"three\n")
        assert look(tail) == [Appended(b"three\n", 8)]


@needs_posix
@pytest.mark.parametrize("looked", [False, True])
def test_a_file_made_again_is_read_from_its_start(tail: Tail, path: Path, looked: bool) -> None:
    path.unlink()
    if looked:
        assert look(tail) == [PlaceChanged("deleted")]
    path.write_bytes(b"new\n")
    assert look(tail) == [Recreated(), Appended(b"new\n", 0)]
    append(path, b"more\n")
    assert look(tail) == [Appended(b"more\n", 4)]


@needs_posix
def test_an_atomic_replacement_is_read_from_its_start(tail: Tail, path: Path) -> None:
    other = path.with_suffix(".tmp")
    other.write_bytes(b"new\n")
    other.replace(path)
    assert look(tail) == [Recreated(), Appended(b"new\n", 0)]


@needs_posix
def test_a_copy_that_goes_on_where_ours_ends_is_the_same_journal(tail: Tail, path: Path) -> None:
    other = path.with_suffix(".tmp")
    other.write_bytes(b"one\ntwo\nthree\n")
    other.replace(path)
    assert look(tail) == [Appended(b"three\n", 8)]
    path.unlink()
    assert look(tail) == [PlaceChanged("deleted")]
    path.write_bytes(b"one\ntwo\nthree\nfour\n")
    assert look(tail) == [PlaceChanged("here"), Appended(b"four\n", 14)]


def test_a_file_that_comes_back_is_the_same(tail: Tail, path: Path) -> None:
    away = path.with_suffix(".away")
    path.rename(away)
    append(away, b"three\n")
    assert look(tail) == [PlaceChanged("moved"), Appended(b"three\n", 8)]
    away.rename(path)
    append(path, b"four\n")
    assert look(tail) == [PlaceChanged("here"), Appended(b"four\n", 14)]


def test_a_folder_that_is_renamed_and_comes_back(tail: Tail, path: Path) -> None:
    away = path.parent.with_name("away")
    path.parent.rename(away)
    append(away / path.name, b"three\n")
    assert look(tail) == [PlaceChanged("moved"), Appended(b"three\n", 8)]
    away.rename(path.parent)
    assert look(tail) == [PlaceChanged("here")]


@needs_posix
def test_a_folder_that_is_a_file_now(tail: Tail, path: Path) -> None:
    shutil.rmtree(path.parent)
    path.parent.write_bytes(b"")
    assert look(tail) == [PlaceChanged("deleted")]


def test_what_is_written_through_another_name_is_read(tail: Tail, path: Path) -> None:
    other = path.parent.parent / "other.jsonl"
    other.hardlink_to(path)
    append(other, b"three\n")
    assert read(tail) == b"three\n"


@needs_posix
def test_a_link_that_points_elsewhere(tmp_path: Path) -> None:
    for name in ("a", "b"):
        (tmp_path / name).write_bytes(name.encode() + b"\n")
    link = tmp_path / "current.jsonl"
    link.symlink_to("a")
    with closing(Tail(link)) as tail:
        assert read(tail) == b"a\n"
        link.unlink()
        link.symlink_to("b")
        append(tmp_path / "a", b"more\n")
        assert look(tail) == [PlaceChanged("rotated"), Appended(b"more\n", 2)]


@needs_posix
@pytest.mark.parametrize("kind", ["pipe", "folder"])
def test_what_is_no_file_in_its_place_is_not_opened(tail: Tail, path: Path, kind: str) -> None:
    path.unlink()
    os.mkfifo(path) if kind == "pipe" else path.mkdir()
    assert look(tail) == [PlaceChanged("deleted")]
    assert look(tail) == []


# Writers


def said(stream: IO[str] | None) -> str:
    assert stream is not None
    return stream.readline().strip()


def tell(process: subprocess.Popen[str], line: str) -> None:
    assert process.stdin is not None
    process.stdin.write(line + "\n")
    process.stdin.flush()
    assert said(process.stdout) == "done"


@contextmanager
def writing(path: Path) -> Iterator[subprocess.Popen[str]]:
    pipe = subprocess.PIPE
    command = [sys.executable, "-c", WRITER, str(path)]
    with subprocess.Popen(command, cwd=ROOT, stdin=pipe, stdout=pipe, text=True) as process:
        assert said(process.stdout) == "ready"
        try:
            yield process
        finally:
            process.kill()


def writers(found: list[Happening]) -> list[str]:
    """`alive` and `gone`, in order."""
    words = {WriterAlive: "alive", WriterGone: "gone"}
    return [words[type(item)] for item in found if isinstance(item, WriterAlive | WriterGone)]


def test_a_writer_is_seen_and_its_end_after_all_that_it_wrote(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    with writing(path) as process, closing(Tail(path, piece=64)) as tail:
        found = look(tail)
        assert writers(found) == ["alive"]
        assert tail.writer is not None
        assert tail.writer.pid == process.pid
        for number in range(10):
            tell(process, f"note {number}")
        process.kill()
        process.wait()
        found = look(tail)
        assert writers(found) == ["gone"]
        assert isinstance(found[-1], WriterGone)
        assert data_of(found).count(b"\n") == 10
        assert tail.writer is None


@needs_posix
def test_a_writer_that_was_killed_in_the_middle_of_a_line(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    with writing(path) as process, closing(Tail(path)) as tail:
        look(tail)
        append(path, b'{"type":"mark"')
        process.send_signal(signal.SIGSTOP)
        assert look(tail) == []
        process.kill()
        process.wait()
        assert writers(look(tail)) == ["gone"]
        assert b"".join(tail.rest()) == b'{"type":"mark"'


def test_a_writer_that_closes_and_one_that_comes_back(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    recorder = Recorder.open("planner", path)
    with closing(Tail(path)) as tail:
        assert writers(look(tail)) == ["alive"]
        recorder.close()
        found = look(tail)
        assert b'"type":"close"' in data_of(found)
        assert writers(found) == ["gone"]
        path.with_name("a.jsonl.live").write_text(f'{{"pid": {os.getpid()}, "locked": false}}')
        assert look(tail) == []  # no lock, and another boot: nobody


def test_another_writer_takes_over(tail: Tail, monkeypatch: pytest.MonkeyPatch) -> None:
    first, second = LiveInfo(pid=1, start=1), LiveInfo(pid=2, start=2)
    writer: list[LiveInfo | None] = [LiveInfo()]
    monkeypatch.setattr("spanscope.journal.tail.is_live", lambda _: writer[0])
    assert look(tail) == [WriterAlive(LiveInfo())]
    writer[0] = first  # its `.live` file was empty for a moment
    assert look(tail) == [WriterAlive(first)]
    writer[0] = second
    assert look(tail) == [WriterGone(first), WriterAlive(second)]
    writer[0] = None
    assert look(tail) == [WriterGone(second)]


def test_the_writer_of_the_new_file_is_not_that_of_the_rotated_one(
    tail: Tail, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = LiveInfo(pid=1, start=1), LiveInfo(pid=2, start=2)
    writer: list[LiveInfo | None] = [first]
    monkeypatch.setattr("spanscope.journal.tail.is_live", lambda _: writer[0])
    look(tail)
    path.rename(path.with_suffix(".1"))
    path.write_bytes(b"another\n")
    assert look(tail) == [PlaceChanged("rotated")]
    writer[0] = second
    assert look(tail) == [WriterGone(first)]
    assert look(tail) == []


@needs_posix
def test_the_writer_of_the_old_file_is_not_told_of_a_new_one(
    tail: Tail, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    writer: list[LiveInfo | None] = [LiveInfo(pid=1, start=1)]
    monkeypatch.setattr("spanscope.journal.tail.is_live", lambda _: writer[0])
    look(tail)
    path.unlink()
    path.write_bytes(b"new\n")
    writer[0] = None
    assert look(tail) == [Recreated(), Appended(b"new\n", 0)]


def test_a_folder_that_is_renamed_kills_no_writer(tmp_path: Path) -> None:
    path = tmp_path / "here" / "a.jsonl"
    path.parent.mkdir()
    with Recorder.open("planner", path) as recorder, closing(Tail(path)) as tail:
        assert writers(look(tail)) == ["alive"]
        path.parent.rename(tmp_path / "there")
        recorder.mark("note", "still here")
        found = look(tail)
        assert others(found) == [PlaceChanged("moved")]
        assert b"still here" in data_of(found)


def test_a_writer_in_a_hurry_loses_nothing(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    code = (
        "import sys\n"
        "from spanscope import Recorder\n"
        "with Recorder.open('fast', sys.argv[1]) as recorder:\n"
        "    print('ready', flush=True)\n"
        "    for number in range(10_000): recorder.mark('note', str(number))\n"
    )
    command = [sys.executable, "-c", code, str(path)]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as process:
        assert said(process.stdout) == "ready"
        found: list[Happening] = []
        with closing(Tail(path)) as tail:
            while "gone" not in writers(found):
                found += tail.poll()
    assert data_of(found) == path.read_bytes()
    assert data_of(found).count(b"\n") == 10_002


# Anything at all


class World:
    """A file that things happen to, and what a reader has of it since it last started anew."""

    def __init__(self, folder: Path, piece: int) -> None:
        self.path = folder / "a"
        self.path.write_bytes(b"begin\n")
        self.current = self.path
        self.number = 0
        self.taken = b""
        self.tail = Tail(self.path, piece=piece)

    @property
    def content(self) -> bytes:
        return self.current.read_bytes()

    def look(self, times: int = 0) -> None:
        """Look so many times, or until there is nothing more."""
        found = [item for _ in range(times) for item in self.tail.poll()] or look(self.tail)
        for item in found:
            if isinstance(item, Truncated | Recreated):
                self.taken = b""
            elif isinstance(item, Appended):
                assert item.offset == len(self.taken)
                self.taken += item.data

    def write(self, size: int) -> None:
        append(self.current, (b"%d-" % self.number * size)[:size])

    def end_line(self, _: int) -> None:
        append(self.current, b"%d\n" % self.number)

    def take_back(self, _: int) -> None:
        os.truncate(self.current, self.content.rfind(b"\n") + 1)

    def truncate(self, size: int) -> None:
        os.truncate(self.current, min(len(self.content), size))

    def replace(self, times: int) -> None:
        other = self.path.with_name("other")
        other.write_bytes(b"%d other\n" % self.number * (times % 4))
        other.replace(self.path)

    def rotate(self, _: int) -> None:
        if self.current != self.path:
            return
        self.look()
        self.current = self.path.with_name("rotated")
        self.path.rename(self.current)
        self.path.write_bytes(b"%d\n" % self.number)


STEPS = ("write", "end_line", "take_back", "truncate", "replace", "rotate", "look")


@given(
    steps=st.lists(st.tuples(st.sampled_from(STEPS), st.integers(1, 200)), max_size=40),
    piece=st.integers(1, 70),
)
def test_whatever_happens_what_was_read_is_what_the_file_holds(
    tmp_path_factory: pytest.TempPathFactory, steps: list[tuple[str, int]], piece: int
) -> None:
    world = World(tmp_path_factory.mktemp("any"), piece)
    with closing(world.tail):
        for name, amount in steps:
            world.number += 1
            getattr(world, name)(amount % 4 if name == "look" else amount)
        world.look()
        assert world.content.startswith(world.taken)
        assert b"\n" not in world.content[len(world.taken) :]
