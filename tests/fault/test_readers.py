"""Readers never lock, write or slow a journal: they open it to read, and that is all (R8)."""

from __future__ import annotations

import os
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from support.steady import step

from spanscope.buffer.buffer import ContextBuffer
from spanscope.journal.reader import Record, read_journal
from spanscope.journal.sessions import is_live
from spanscope.journal.tail import Tail

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")


def open_flags(path: Path) -> list[int]:
    """The flags of every descriptor of this process on a file, but for the writer's own."""
    found = []
    for entry in Path("/proc/self/fd").iterdir():
        try:
            if entry.readlink() != path:
                continue
            info = Path(f"/proc/self/fdinfo/{entry.name}").read_text()
        except OSError:
            continue
        flags = next(line for line in info.splitlines() if line.startswith("flags:"))
        found.append(int(flags.split()[1], 8))
    return found


def test_a_journal_is_opened_to_read_only(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    buffer = ContextBuffer.record("read", path)
    for number in range(8):
        step(buffer, number)
    mine = open_flags(path)
    assert [flags & os.O_ACCMODE for flags in mine] == [os.O_WRONLY]
    items = read_journal(path, chunk=64, live=True)
    next(items)
    both = sorted(flags & os.O_ACCMODE for flags in open_flags(path))
    assert both == [os.O_RDONLY, os.O_WRONLY]
    # The writer goes on below a reader that has not finished, and is still seen to live.
    before = path.stat()
    step(buffer, 8)
    assert is_live(path) is not None
    seqs = [item.event.seq for item in items if isinstance(item, Record)]
    assert seqs[-1] == buffer.seq
    assert open_flags(path) == mine
    after = path.stat()
    assert (after.st_ino, after.st_mode) == (before.st_ino, before.st_mode)
    assert sorted(tmp_path.iterdir()) == [path, path.with_name("a.jsonl.live")]
    buffer.close()


def test_a_look_leaves_no_trace(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    with ContextBuffer.record("read", path) as buffer:
        buffer.ingest("a", "one")
        # Long ago: the system would note the time of any look.
        os.utime(path, ns=(1, path.stat().st_mtime_ns))
        before = path.stat()
        assert list(read_journal(path, live=True))
        with closing(Tail(path)) as tail:
            assert tail.poll()
    after = path.stat()
    assert (after.st_atime_ns, after.st_ino) == (before.st_atime_ns, before.st_ino)


def test_a_file_of_another_owner_is_read_all_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a.jsonl"
    with ContextBuffer.record("read", path) as buffer:
        buffer.ingest("a", "one")
    real = os.open

    def as_another(file: Any, flags: int, mode: int = 0o777) -> int:
        if flags & os.O_NOATIME:
            raise PermissionError(1, "Operation not permitted")
        return real(file, flags, mode)

    monkeypatch.setattr(os, "open", as_another)
    assert len(list(read_journal(path))) == 3
