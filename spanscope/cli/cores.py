"""Work that processes share out where there are several cores, its results in order."""

from __future__ import annotations

import os
import signal
import traceback
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager, suppress
from multiprocessing import get_context, parent_process
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from typing import Generic, NamedTuple, TypeVar

Result = TypeVar("Result")

MOST = 8
"""Processes at the most: each takes memory of its own."""


class Ended(NamedTuple):
    """A process that was killed over a piece of work, or ended by itself; why, in words."""

    why: str


def cores() -> int:
    """The cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def shared_out(
    work: Callable[[str], Result], items: Sequence[str], sizes: Sequence[int], processes: int
) -> Generator[Result | Ended, None, None]:
    """The result for each item, in their order; large ones are begun in different processes.

    `work` and its results are sent to other processes. Where this ends early, the processes do too.
    Raises RuntimeError for what `work` raises.
    """
    shares = _shares(sizes, processes)
    running = [_Share(work, items, share) for share in shares if share]
    ready: dict[int, Result | Ended] = {}
    try:
        for place in range(len(items)):
            while place not in ready:
                heard = wait([share.results for share in running])
                for share in [share for share in running if share.results in heard]:
                    share.receive(ready)
                    if not share.left:
                        share.end()
                        running.remove(share)
            yield ready.pop(place)
    finally:
        for share in running:
            share.end()


def _shares(sizes: Sequence[int], processes: int) -> list[list[int]]:
    """Places of items, of about the same size in all for each process, ascending."""
    shares: list[list[int]] = [[] for _ in range(processes)]
    loads = [0] * processes
    for place in sorted(range(len(sizes)), key=lambda place: -sizes[place]):
        least = loads.index(min(loads))
        shares[least].append(place)
        loads[least] += sizes[place]
    return [sorted(share) for share in shares]


class _Share(Generic[Result]):
    """The work of one process; of another one where that was killed."""

    def __init__(
        self, work: Callable[[str], Result], items: Sequence[str], places: list[int]
    ) -> None:
        self._work = work
        self._items = items
        self.left = places
        self._start()

    def _start(self) -> None:
        # A process that begins anew has neither our buffers nor our threads: fork copies both.
        context = get_context("spawn")
        self.results: Connection
        self.results, results = context.Pipe(duplex=False)
        items = [self._items[place] for place in self.left]
        self._process: BaseProcess = context.Process(
            target=_work, args=(self._work, items, results), daemon=True
        )
        with _interrupts_blocked():
            self._process.start()
        results.close()

    def receive(self, ready: dict[int, Result | Ended]) -> None:
        """Take the next result."""
        try:
            result = self.results.recv()
        except EOFError:
            self._process.join()
            result = Ended(_how_it_ended(self._process.exitcode))
        place = self.left.pop(0)
        if isinstance(result, Exception):
            raise result
        ready[place] = result
        if isinstance(result, Ended) and self.left:
            self.results.close()
            self._start()

    def end(self) -> None:
        """End the process, whatever it is about."""
        self._process.kill()
        self._process.join()
        self.results.close()


@contextmanager
def _interrupts_blocked() -> Iterator[None]:
    """What is started here never hears of an interrupt: it is ended where its results are taken."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _how_it_ended(code: int | None) -> str:
    if code is not None and code < 0:
        return f"was ended by signal {-code} ({signal.strsignal(-code)})"
    return f"ended with {code}"


def _work(work: Callable[[str], object], items: list[str], results: Connection) -> None:
    """What a process does: send a result for each item, or what was raised."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = parent_process()
    for item in items:
        if parent is not None and not parent.is_alive():
            return
        result: object
        try:
            result = work(item)
        except Exception as error:  # noqa: BLE001 it is raised where it is heard of
            # Of another class, since not every error can be sent.
            result = RuntimeError(f"{type(error).__name__}: {error}")
            result.add_note(traceback.format_exc())
        with suppress(BrokenPipeError):
            results.send(result)
