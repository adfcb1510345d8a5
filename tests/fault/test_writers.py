"""One writer a journal: a second is refused, a dead one is in nobody's way, a fork is none."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
from support.buffers import above_info, audited, events_of, journal_of
from support.checkout import ROOT
from support.processes import output

from spanscope.buffer.buffer import ContextBuffer
from spanscope.buffer.errors import StaleBaseError
from spanscope.journal.errors import JournalTakenError
from spanscope.journal.sessions import is_live

HOLD = """
import sys, time
from spanscope import ContextBuffer
buffer = ContextBuffer.record("holder", sys.argv[1])
buffer.ingest("a", "one")
print("ready", flush=True)
time.sleep(600)
"""


def test_a_second_process_is_refused_until_the_first_is_dead(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    holder = subprocess.Popen(
        [sys.executable, "-c", HOLD, path], cwd=ROOT, stdout=subprocess.PIPE, text=True
    )
    with holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "ready\n"
        data = path.read_bytes()
        with pytest.raises(JournalTakenError, match=str(holder.pid)):
            ContextBuffer.resume(path)
        with pytest.raises(JournalTakenError):
            ContextBuffer.record("second", path)
        assert path.read_bytes() == data
        holder.send_signal(signal.SIGKILL)
        holder.wait()
    assert is_live(path) is None
    with ContextBuffer.resume(path) as buffer:
        assert buffer.text("a") == "one"
    assert above_info(buffer) == []


FORK = """
import os, sys
from spanscope import ContextBuffer, JournalWriteError
with ContextBuffer.record("parent", sys.argv[1]) as buffer:
    buffer.ingest("a", "one")
    cite = buffer.derive("a", "citation", range=(0, 3))
    draft = buffer.draft("planner")
    draft.rewrite("a", "child")
    child = os.fork()
    if not child:
        refused = 0
        for change in (
            lambda: buffer.ingest("b", "two"),
            lambda: buffer.splice("a", 0, 0, "x"),
            lambda: buffer.rollback(1),
            lambda: buffer.messages(),
            cite.text,
            draft.apply,
        ):
            try:
                change()
            except JournalWriteError as error:
                refused += "forked" in str(error)
        same = buffer.text("a") == "one" and buffer.order == ("a",)
        buffer.close()
        os._exit(refused if same else 99)
    print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
    buffer.splice("a", 3, 0, "!")
    draft.check()
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_a_forked_child_is_refused_and_the_parent_goes_on(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    assert output(sys.executable, "-c", FORK, path, cwd=ROOT).split() == ["6"]
    with ContextBuffer.resume(path) as buffer:
        assert buffer.text("a") == "one!"
        assert [event.seq for event in events_of(buffer)] == list(range(1, buffer.seq + 1))


FORK_BUSY = """
import os, sys, threading
from spanscope import ContextBuffer, SpanscopeError
buffer = ContextBuffer.record("busy", sys.argv[1])
buffer.ingest("a", "")
stop = threading.Event()
def work():
    while not stop.is_set():
        buffer.splice("a", 0, 0, "x")
        buffer.rollback(1)
thread = threading.Thread(target=work)
thread.start()
bad = 0
for _ in range(40):
    child = os.fork()
    if not child:
        try:
            buffer.ingest("b", "two")
        except SpanscopeError:
            # Refused as forked, or as interrupted where the fork fell into a change.
            os._exit(0)
        finally:
            os._exit(2)
    bad += os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) != 0
stop.set()
thread.join()
buffer.close()
print(bad)
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_a_fork_in_the_middle_of_another_threads_change_does_not_hang(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    command = [sys.executable, "-W", "ignore", "-c", FORK_BUSY, str(path)]
    assert output(*command, cwd=ROOT).split() == ["0"]
    with ContextBuffer.resume(path) as buffer:
        assert buffer.order == ("a",)


def test_threads_share_a_buffer(tmp_path: Path) -> None:
    buffer = ContextBuffer.record("threads", tmp_path / "a.jsonl")
    buffer.ingest("a", "")
    failed: list[BaseException] = []

    def work(actor: str) -> None:
        view = buffer.as_actor(actor)
        try:
            for number in range(25):
                view.splice("a", 0, 0, actor)
                view.ingest(f"{actor}-{number}", actor)
                cite = view.derive(f"{actor}-{number}", "citation", range=(0, 1))
                assert cite.text() == actor
                assert len(view.text("a")) >= number
        except BaseException as error:  # noqa: BLE001
            failed.append(error)

    threads = [threading.Thread(target=work, args=(actor,)) for actor in "bcde"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failed == []
    assert sorted(buffer.text("a")) == sorted("bcde" * 25)
    assert len(buffer.order) == 101
    assert above_info(buffer) == []


def test_drafts_of_threads_lose_no_update(tmp_path: Path) -> None:
    buffer = ContextBuffer.record("drafts", tmp_path / "a.jsonl")
    buffer.ingest("count", "total: 0 done")
    failed: list[BaseException] = []

    def work(actor: str) -> None:
        try:
            for _ in range(6):
                for draft in buffer.attempts(actor, limit=200):
                    with draft:
                        text = draft.read("count")
                        now = int(text.split()[1])
                        time.sleep(0)
                        draft.rewrite("count", f"total: {now + 1} done")
        except BaseException as error:  # noqa: BLE001
            failed.append(error)

    threads = [threading.Thread(target=work, args=(actor,)) for actor in "bcd"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failed == []
    assert buffer.text("count") == "total: 18 done"
    assert above_info(buffer) == []


async def test_tasks_share_a_buffer_and_no_lock_is_held_over_an_await(tmp_path: Path) -> None:
    buffer = ContextBuffer.record("tasks", tmp_path / "a.jsonl")
    buffer.ingest("count", "total: 0 done")
    refused = 0

    async def work(actor: str) -> None:
        nonlocal refused
        for _ in range(4):
            while True:
                try:
                    with buffer.draft(actor) as draft:
                        now = int(draft.read("count").split()[1])
                        await asyncio.sleep(0)
                        draft.rewrite("count", f"total: {now + 1} done")
                except StaleBaseError:
                    refused += 1
                else:
                    break

    await asyncio.gather(*(work(actor) for actor in "bcd"))
    assert buffer.text("count") == "total: 12 done"
    assert refused > 0
    audit = audited(buffer)
    assert [f for f in audit.findings if f.severity != "info"] == []
    assert journal_of(buffer).exists()
