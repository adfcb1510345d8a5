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
from collections.abc import Iterator, Mapping, Sequence
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
        self.everything = b""

    def until(self, text: str) -> None:
        """Read what is drawn until a text has come since the last key."""
        wanted = text.encode()
        end = time.monotonic() + PATIENCE
        while wanted not in self.drawn:
            if time.monotonic() > end or not self._read(0.5):
                raise AssertionError(f"{text!r} was never drawn: {self.drawn[-2000:]!r}")

    def settle(self, begins: float = 2.0) -> None:
        """Read until nothing more is drawn for a moment; wait so long for it to begin."""
        if not self.drawn:
            self._read(begins)
        count = -1
        while count != len(self.everything):
            count = len(self.everything)
            self._read(0.06)

    def resize(self, width: int, height: int) -> None:
        """Give the terminal another size."""
        _set_size(self._descriptor, width, height)

    def close(self) -> None:
        """Close the terminal, as a lost connection does."""
        if self._descriptor >= 0:
            os.close(self._descriptor)
        self._descriptor = -1

    @property
    def modes(self) -> list[int]:
        """The terminal's settings, as `termios` has them."""
        return termios.tcgetattr(self._descriptor)[:4]

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
        self.everything += data
        return bool(data)


def _set_size(descriptor: int, width: int, height: int) -> None:
    fcntl.ioctl(descriptor, termios.TIOCSWINSZ, struct.pack("HHHH", height, width, 0, 0))


def _control() -> None:
    """Make the terminal on standard output the one that controls the process."""
    fcntl.ioctl(1, termios.TIOCSCTTY, 0)


@contextmanager
def terminal(
    *arguments: str | Path,
    stdin: int | None = None,
    size: tuple[int, int] = (120, 40),
    environment: Mapping[str, str | None] | None = None,
    program: Sequence[str] = ("-m", "spanscope"),
) -> Iterator[Terminal]:
    """`spanscope` with these arguments in a terminal; `stdin` replaces its standard input.

    `program` is what Python runs in its place. `environment`: variables that are other than here;
    those that are null are not set.
    """
    master, slave = os.openpty()
    _set_size(slave, *size)
    changed = {**os.environ, **(environment or {})}
    command = [sys.executable, *program, *map(str, arguments)]
    process = subprocess.Popen(
        command,
        cwd=ROOT,
        stdin=slave if stdin is None else stdin,
        stdout=slave,
        stderr=slave,
        env={name: value for name, value in changed.items() if value is not None},
        start_new_session=True,
        preexec_fn=_control,  # noqa: PLW1509 it takes no lock
    )
    os.close(slave)
    opened = Terminal(master, process)
    try:
        yield opened
    finally:
        process.kill()
        process.wait()
        opened.close()
