"""A terminal that is gone ends the program, whatever that is doing."""

from __future__ import annotations

import os
import select
import signal
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Final

SIGNALLED: Final = 128
"""The exit code of a process that was asked to end is this and the signal's number."""

PATIENCE = 2.0
"""Seconds that leaving in good order may take, without a terminal to give back."""


def end_with_terminal(
    descriptor: int, leave: Callable[[], object], patience: float = PATIENCE
) -> None:
    """Once a terminal is gone, call `leave`, and end after `patience` seconds at the latest.

    No signal helps there: drawing waits for ever for a terminal that takes nothing, and keys are
    read for ever from one that has none. Does nothing where the system tells of no hang-up.
    """
    if hasattr(select, "poll"):
        watch = threading.Thread(
            target=_watch, args=(descriptor, leave, patience), daemon=True, name="terminal"
        )
        watch.start()


def _watch(descriptor: int, leave: Callable[[], object], patience: float) -> None:
    terminal = select.poll()
    terminal.register(descriptor, 0)
    if not any(happened & select.POLLHUP for _, happened in terminal.poll()):
        return
    with suppress(RuntimeError):
        leave()
    time.sleep(patience)
    os._exit(SIGNALLED + signal.SIGHUP)
