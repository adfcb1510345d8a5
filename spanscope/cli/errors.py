"""How a command ends, and what it says where it can't be done."""

from __future__ import annotations

from enum import IntEnum


class ExitCode(IntEnum):
    """What a command's exit code means."""

    OK = 0
    """Done, and nothing at or above `--fail-on`."""
    FOUND = 1
    """Done, and something was found."""
    FAILED = 2
    """It could not be done: wrong use, an unreadable journal, no terminal. Beats `FOUND`."""
    DOUBTED = 3
    """`check --verify`: the second opinion is another, so that verdicts can't be trusted. Beats
    `FOUND`."""
    INTERRUPTED = 130
    """By ctrl-c."""


class CommandError(Exception):
    """A command can't be done; the message is one line that says why and what to do."""
