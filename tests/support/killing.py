"""Kills writers: `python -m support.killing FOLDER KILLS SEED [durable] [torn]`.

Each writer is a fork that works until SIGKILL ends it, at any moment or (`torn`) in the middle of
a write; shared memory says how many changes were acknowledged. Its journal must hold all of them,
at most one more, and be gone on with. Prints how many were acknowledged, and how many kills left
a torn tail. Forks need a process without threads, so this is no test but run by one.
"""

from __future__ import annotations

import mmap
import os
import random
import signal
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

from spanscope.buffer.buffer import ContextBuffer
from spanscope.journal.errors import JournalError
from spanscope.journal.reader import Fault, read_journal
from support.auditing import audit_all
from support.steady import Expected, step

if TYPE_CHECKING:
    from collections.abc import Buffer  # type: ignore[attr-defined]


def work(path: Path, acknowledged: memoryview, *, durable: bool) -> None:
    """Change a buffer until somebody ends it."""
    buffer = ContextBuffer.record("killed", path, durable=durable)
    number = 0
    while True:
        step(buffer, number)
        number += 1
        acknowledged[0] = number


def die_writing(number: int, part: float) -> None:
    """From now on the write of that number is made in part, and is the last thing done."""
    left, real = number, os.write

    def write(fd: int, data: Buffer) -> int:
        nonlocal left
        left -= 1
        if left:
            return real(fd, data)
        real(fd, bytes(data)[: round(part * len(bytes(data)))])
        os.kill(os.getpid(), signal.SIGKILL)
        raise AssertionError("it lives")

    os.write = write


def torn_one(path: Path, number: int, part: float, *, durable: bool) -> int:
    """Fork a writer that dies in its write of that number; how many changes it had acknowledged."""
    shared = mmap.mmap(-1, 8)
    acknowledged = memoryview(shared).cast("Q")
    child = os.fork()
    if not child:
        try:
            die_writing(number, part)
            work(path, acknowledged, durable=durable)
        finally:
            os._exit(3)
    _, status = os.waitpid(child, 0)
    assert os.waitstatus_to_exitcode(status) == -signal.SIGKILL
    return int(acknowledged[0])


def kill_one(path: Path, wait: float, *, at_work: bool, durable: bool) -> int:
    """Fork a writer, kill it after so many seconds; how many changes it had acknowledged.

    `at_work`: the seconds count from its first change.
    """
    shared = mmap.mmap(-1, 8)
    acknowledged = memoryview(shared).cast("Q")
    child = os.fork()
    if not child:
        try:
            work(path, acknowledged, durable=durable)
        finally:
            os._exit(3)
    while at_work and not acknowledged[0]:
        time.sleep(0.0002)
    time.sleep(wait)
    os.kill(child, signal.SIGKILL)
    _, status = os.waitpid(child, 0)
    assert os.waitstatus_to_exitcode(status) == -signal.SIGKILL
    return int(acknowledged[0])


def judge(path: Path, acknowledged: int, expected: Expected) -> bool:
    """Check one journal; whether its tail was torn."""
    if not path.exists():
        assert not acknowledged
        return False
    faults = [item for item in read_journal(path) if isinstance(item, Fault)]
    torn = bool(faults)
    assert [fault.rule for fault in faults] in ([], ["JNL001"], ["JNL010"], ["JNL001", "JNL010"])
    try:
        buffer = ContextBuffer.resume(path)
    except JournalError:
        # The header itself was not written whole: nothing was acknowledged.
        assert not acknowledged
        return torn
    assert buffer.digest in (expected.digest(acknowledged), expected.digest(acknowledged + 1))
    step(buffer, 1)
    buffer.close()
    audit = audit_all(read_journal(path))
    # Every fourth step wants its draft fragile.
    bad = [f for f in audit.findings if f.severity != "info" and f.rule != "DIF305"]
    assert bad == []
    assert audit.judge.state.digest() == buffer.digest
    return torn


def main(folder: Path, kills: int, seed: int, *, durable: bool, tear: bool) -> None:
    """Kill so many writers and check what each left."""
    chance = random.Random(seed)
    expected = Expected()
    total = torn = 0
    for number in range(kills):
        path = folder / f"{number}.jsonl"
        if tear:
            part = chance.choice([0, 0.01, chance.random(), 0.99, 1])
            acknowledged = torn_one(path, 1 + number % 60, part, durable=durable)
        else:
            at_work = chance.random() < 0.9
            wait = chance.uniform(0, 0.006)
            acknowledged = kill_one(path, wait, at_work=at_work, durable=durable)
        total += acknowledged
        torn += judge(path, acknowledged, expected)
        for left in folder.iterdir():
            left.unlink()
    print(total, torn)  # noqa: T201


if __name__ == "__main__":
    words = sys.argv[4:]
    main(
        Path(sys.argv[1]),
        int(sys.argv[2]),
        int(sys.argv[3]),
        durable="durable" in words,
        tear="torn" in words,
    )
