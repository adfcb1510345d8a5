"""`spanscope open`: a journal in the app, recorded, growing or on standard input."""

from __future__ import annotations

import os
import sys
from argparse import Namespace
from pathlib import Path

from spanscope.cli.errors import CommandError
from spanscope.cli.journals import STDIN, no_journal
from spanscope.cli.output import Output
from spanscope.importers.foreign import foreign_source
from spanscope.journal.errors import shown
from spanscope.journal.recognising import is_journal
from spanscope.text.environment import can_draw, has_terminal


def run(options: Namespace, _out: Output) -> int:
    """Open the journal and stay until the user leaves."""
    if options.path == STDIN:
        return _open_stream(options.at)
    if options.follow:
        _check_followed(options.path)
    elif not is_journal(options.path) and foreign_source(options.path) is None:
        raise CommandError(
            f"{no_journal(options.path)}: `spanscope check` says what is wrong with it"
        )
    return open_app(options.path, options.at, follow=options.follow)


def open_app(path: str, at: int | None, *, follow: bool = False, branch: str | None = None) -> int:
    """Run the app on a journal; `branch`: one of several sessions in it.

    Raises CommandError where there is no terminal.
    """
    if not has_terminal():
        raise CommandError(
            f"{_needed()}: use `spanscope show` or `spanscope log` "
            f"on {shown(path)} to read it without one"
        )
    from spanscope.app.run import run as run_app

    if branch is not None:
        return run_app(path, at=at, follow=follow, branch=branch)
    return run_app(path, at=at, follow=follow)


def _needed() -> str:
    """What the app needs, and what is wrong with the terminal that there is."""
    name = os.environ.get("TERM")
    return "the app needs a terminal" + (
        "" if can_draw() else f" that can draw, and TERM is {name}"
    )


def _check_followed(path: str) -> None:
    """Refuse to follow what is no journal; an empty file may become one."""
    if is_journal(path) or not Path(path).stat().st_size:
        return
    if foreign_source(path) is not None:
        return
    raise CommandError(f"{shown(path)} is no buffer journal: `spanscope check` says why")


def _open_stream(at: int | None) -> int:
    if os.name == "nt":
        raise CommandError(
            "the app can't read standard input on Windows: write the journal to a file and "
            "open that with --follow"
        )
    if sys.stdin is None or sys.stdin.isatty():
        raise CommandError(
            "standard input is no journal but the terminal: send one, as in `agent | spanscope -`"
        )
    if not has_terminal(keys=False):
        raise CommandError(f"{_needed()}: use `spanscope show -` or `spanscope log -`")
    from spanscope.app.run import run_stream

    return run_stream(at=at)
