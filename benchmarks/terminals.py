"""A command in a terminal of its own: how long until it has drawn something."""

from __future__ import annotations

import fcntl
import os
import select
import struct
import subprocess
import termios
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

PATIENCE = 120.0
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
