"""A command in a terminal of its own, as a person has it: a pseudo-terminal with a size."""

from __future__ import annotations

import fcntl
import os
import select
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from support.checkout import ROOT

PATIENCE = 60.0
"""Seconds after which a test that waits for a terminal has failed."""


class Terminal:
    """What a command drew, and where its keys come from."""

    def __init__(self, descriptor: int, process: subprocess.Popen[bytes]) -> None:
        self._descriptor = descriptor
        self.process = process
        self.drawn = b""

    def until(self, text: str) -> None:
        """Read what is drawn until a text has come since the last key."""
        wanted = text.encode()
        end = time.monotonic() + PATIENCE
        while wanted not in self.drawn:
            if time.monotonic() > end or not self._read(0.5):
                raise AssertionError(f"{text!r} was never drawn: {self.drawn[-2000:]!r}")

    def press(self, keys: str) -> None:
        """Send keys."""
        self.drawn = b""
        os.write(self._descriptor, keys.encode())

    def ended(self) -> int:
        """Read until the command has ended; its exit code."""
        while self._read(PATIENCE):
            pass
        return self.process.wait(PATIENCE)

    def _read(self, seconds: float) -> bool:
        """Whether the terminal is still open."""
        if not select.select([self._descriptor], [], [], seconds)[0]:
            return self.process.poll() is None
        try:
            data = os.read(self._descriptor, 1 << 16)
        except OSError:
            return False
        self.drawn += data
        return bool(data)


def _control() -> None:
    """Make the terminal on standard output the one that controls the process."""
    fcntl.ioctl(1, termios.TIOCSCTTY, 0)


@contextmanager
def terminal(
    *arguments: str | Path, stdin: int | None = None, size: tuple[int, int] = (120, 40)
) -> Iterator[Terminal]:
    """`spanscope` with these arguments in a terminal; `stdin` replaces its standard input."""
    master, slave = os.openpty()
    width, height = size
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", height, width, 0, 0))
    command = [sys.executable, "-m", "spanscope", *map(str, arguments)]
    process = subprocess.Popen(
        command,
        cwd=ROOT,
        stdin=slave if stdin is None else stdin,
        stdout=slave,
        stderr=slave,
        start_new_session=True,
        preexec_fn=_control,  # noqa: PLW1509 it takes no lock
    )
    os.close(slave)
    try:
        yield Terminal(master, process)
    finally:
        process.kill()
        process.wait()
        os.close(master)
