"""Readers never lock, write or slow a journal: they open it to read, and that is all (R8)."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest
from support.steady import step

from spanscope.buffer.buffer import ContextBuffer
from spanscope.journal.reader import Record, read_journal
from spanscope.journal.sessions import is_live

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
    assert (
        list(tmp_path.iterdir()) == [path, path.with_name("a.jsonl.live")]
        or len(list(tmp_path.iterdir())) == 2
    )
    buffer.close()
