"""A command in a terminal of its own: how long until it has drawn something."""

from __future__ import annotations

import fcntl
import os
import select
import statistics
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

EMPTY = """
from textual.app import App
from textual.widgets import Static

class Empty(App):
    def compose(self):
        yield Static("nothing in it")

Empty().run()
"""
"""An app of Textual's with one line of text."""

PATIENCE = 600.0
"""Seconds after which what should have been drawn never will be."""


class Terminal:
    """What a command drew since the last key, and when."""

    def __init__(self, descriptor: int, process: subprocess.Popen[bytes]) -> None:
        self._descriptor = descriptor
        self.process = process
        self.drawn = b""

    def until(self, text: bytes) -> float:
        """Read until a text has been drawn; the time then, in seconds (monotonic).

        Raises TimeoutError where it never is.
        """
        end = time.monotonic() + PATIENCE
        while text not in self.drawn:
            left = end - time.monotonic()
            if left <= 0 or not self.read(left):
                raise TimeoutError(f"{text!r} was never drawn: {self.drawn[-300:]!r}")
        return time.monotonic()

    def read(self, seconds: float) -> bool:
        """Take in what is drawn within a time; false once the command has ended."""
        if not select.select([self._descriptor], [], [], seconds)[0]:
            return self.process.poll() is None
        try:
            data = os.read(self._descriptor, 1 << 16)
        except OSError:
            return False
        self.drawn += data
        return bool(data)

    def settle(self, seconds: float) -> None:
        """Take in what is drawn until nothing was for so long."""
        while select.select([self._descriptor], [], [], seconds)[0]:
            if not self.read(0):
                return

    @property
    def cpu(self) -> float:
        """CPU seconds that all threads of the command have taken so far. Linux only."""
        threads = Path(f"/proc/{self.process.pid}/task").glob("*/schedstat")
        return sum(int(each.read_text().split()[0]) for each in threads) / 1e9

    def press(self, keys: bytes) -> float:
        """Send keys; the time then, in seconds (monotonic)."""
        self.drawn = b""
        at = time.monotonic()
        os.write(self._descriptor, keys)
        return at


@contextmanager
def terminal(command: Sequence[str], size: tuple[int, int] = (180, 50)) -> Iterator[Terminal]:
    """A command in a terminal of this size, until the block is left."""
    master, slave = os.openpty()
    width, height = size
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", height, width, 0, 0))
    environment = os.environ | {"TERM": "xterm-256color"}
    # A user has compiled modules.
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    process = subprocess.Popen(
        command, stdin=slave, stdout=slave, stderr=slave, env=environment, start_new_session=True
    )
    os.close(slave)
    try:
        yield Terminal(master, process)
    finally:
        process.kill()
        process.wait()
        os.close(master)


class Start(NamedTuple):
    """What it took from the start of a command to its first screen, in seconds."""

    cpu: float
    wall: float


def first_screens(times: int, text: bytes, *commands: Sequence[str]) -> list[Start]:
    """The medians of so many starts of each command, in turn; an empty app's come first.

    `text` is painted with their first screens.
    """
    wanted = [
        ([sys.executable, "-c", EMPTY], b"nothing in it"),
        *((each, text) for each in commands),
    ]
    taken: list[list[Start]] = [[] for _ in wanted]
    for _ in range(times):
        for starts, (command, painted) in zip(taken, wanted, strict=True):
            starts.append(_start(command, painted))
    return [Start(*map(statistics.median, zip(*starts, strict=True))) for starts in taken]


def _start(command: Sequence[str], text: bytes) -> Start:
    began = time.monotonic()
    with terminal(command) as opened:
        wall = opened.until(text) - began
        return Start(opened.cpu, wall)
