"""Measuring whole processes: CPU time and peak memory, as the system counts them."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

FLOOR = """
import json, sys
with open(sys.argv[1], "rb", buffering=1 << 20) as lines:
    for line in lines:
        json.loads(line)
"""


class Cost(NamedTuple):
    """CPU seconds (user and system) and peak resident memory in bytes of one process."""

    cpu: float
    memory: int


def cost_of(command: Sequence[str]) -> Cost:
    """Run a command to its end, without its output.

    Raises RuntimeError where it fails otherwise than by finding something (exit code 1).
    """
    with subprocess.Popen(command, stdout=subprocess.DEVNULL) as process:
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode not in (0, 1):
        raise RuntimeError(f"{command[0]} ended with {process.returncode}")
    return Cost(usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024)


def best_of(times: int, command: Sequence[str]) -> Cost:
    """The cheapest of some runs: what other processes took is not ours."""
    return min(cost_of(command) for _ in range(times))


def floor_of(path: str, times: int = 3) -> Cost:
    """`json.loads` over the lines of a journal, and nothing else."""
    return best_of(times, [sys.executable, "-c", FLOOR, path])


def spanscope(*arguments: str) -> list[str]:
    """The command line of a spanscope command of this checkout."""
    return [sys.executable, "-m", "spanscope", *arguments]


def peak_memory() -> int:
    """Peak resident bytes of this process."""
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak * 1024


def held_memory() -> int:
    """Resident bytes of this process now, where the system tells it; else the peak so far.

    A process's peak begins with that of the one that started it.
    """
    try:
        pages = int(Path("/proc/self/statm").read_text("ascii").split()[1])
    except OSError:
        return peak_memory()
    return pages * resource.getpagesize()
