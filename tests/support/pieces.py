"""Work for other processes, which have to be able to import it."""

from __future__ import annotations

import os
import signal
import time

DEADLY = "deadly"
WRONG = "wrong"


def shouted(item: str) -> str:
    """An item in capitals; one kills the process, one is an error, and "slow" ones take a while."""
    if item == DEADLY:
        os.kill(os.getpid(), signal.SIGKILL)
    if item == WRONG:
        raise KeyError(item)
    if item.startswith("slow"):
        time.sleep(0.2)
    return item.upper()
