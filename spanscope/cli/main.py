"""`spanscope`: runs one command and says by its exit code how it went."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from importlib import import_module
from typing import TYPE_CHECKING

from spanscope.cli.errors import CommandError, ExitCode

if TYPE_CHECKING:
    from argparse import Namespace

    from spanscope.cli.output import Output

ASCII = "--ascii"
"""Taken out of the command line before any command sees it."""

READERS = tuple(f"spanscope.cli.{name}:run" for name in ("check", "show", "log"))
"""The commands that read journals before anything else."""


def main(arguments: Sequence[str] | None = None, ready: Callable[[], None] | None = None) -> int:
    """Run a command line (default: the process's own) and return the exit code.

    Whatever happens, a user sees one line about it and no traceback; with `SPANSCOPE_DEBUG=1`
    the traceback comes too. `ready` is called when an interrupt may raise KeyboardInterrupt.
    """
    try:
        return _run(sys.argv[1:] if arguments is None else list(arguments), ready)
    except KeyboardInterrupt:
        return ExitCode.INTERRUPTED
    except Exception as error:  # noqa: BLE001 the last guard: no traceback reaches a user
        return _failed(error)


def _run(arguments: list[str], ready: Callable[[], None] | None) -> int:
    from spanscope.history.collecting import collection_held

    # Modules make no garbage: looking for it would take a fourth of the time of their start.
    with collection_held():
        from spanscope.cli.output import Output
        from spanscope.cli.quick import opening
        from spanscope.text.environment import ASCII_VARIABLE

        if ASCII in arguments:
            arguments = [argument for argument in arguments if argument != ASCII]
            os.environ[ASCII_VARIABLE] = "1"
        out = Output(sys.stdout)
        options: Namespace | int | None = opening(arguments)
        if options is None:
            from spanscope.cli.parser import parse

            options = parse(arguments)
        if isinstance(options, int):
            out.flush()
            return options
        command = _command(options.run)
        if ready is not None:
            _prepare(options.run)
            ready()
    try:
        return command(options, out)
    finally:
        out.flush()


def _prepare(place: str) -> None:
    """Make what reads lines, where lines are read at once.

    An interrupt while it is made would end the process with a fault of msgspec (0.23).
    """
    if place in READERS:
        from spanscope.journal.lines import prepare

        prepare()


def _command(place: str) -> Callable[[Namespace, Output], int]:
    """The function of a command, from a module that is loaded only now."""
    module, _, name = place.partition(":")
    command: Callable[[Namespace, Output], int] = getattr(import_module(module), name)
    return command


def _failed(error: Exception) -> int:
    from spanscope.cli.output import complain
    from spanscope.journal.errors import JournalError

    if os.environ.get("SPANSCOPE_DEBUG") == "1":
        _show_traceback(error)
    if isinstance(error, CommandError | JournalError):
        complain(str(error))
    else:
        what = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
        complain(
            f"this is a fault in spanscope ({what}); "
            "please report it with what SPANSCOPE_DEBUG=1 says"
        )
    return ExitCode.FAILED


def _show_traceback(error: Exception) -> None:
    import traceback

    from spanscope.text.visible import visible_lines

    if sys.stderr is not None:
        for line in visible_lines("".join(traceback.format_exception(error)).rstrip("\n")):
            print(line, file=sys.stderr)
