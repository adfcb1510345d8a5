"""`spanscope open`: a journal in the app, recorded, growing or on standard input."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from spanscope.cli.errors import CommandError
from spanscope.cli.journals import STDIN, no_journal
from spanscope.cli.output import Output
from spanscope.importers.foreign import foreign_source
from spanscope.journal.errors import shown
from spanscope.journal.recognising import is_journal
from spanscope.text.environment import can_draw, has_terminal

if TYPE_CHECKING:
    from argparse import Namespace

    from spanscope.importers.source import Source


def run(options: Namespace, _out: Output) -> int:
    """Open the journal and stay until the user leaves."""
    if options.path == STDIN:
        return _open_stream(options.at)
    session = foreign_source(options.path)
    if session is None and not is_journal(options.path):
        _refuse(options.path, follow=options.follow)
    return open_app(options.path, options.at, follow=options.follow, session=session)


def open_app(
    path: str,
    at: int | None,
    *,
    follow: bool = False,
    branch: str | None = None,
    session: Source | None = None,
) -> int:
    """Run the app on a journal; `branch`: one of several sessions in it.

    `session`: the other tool's session that was found there already.

    Raises CommandError where there is no terminal.
    """
    if not has_terminal():
        raise CommandError(
            f"{_needed()}: use `spanscope show` or `spanscope log` "
            f"on {shown(path)} to read it without one"
        )
    from spanscope.app.run import run as run_app

    return run_app(path, at=at, follow=follow, branch=branch, session=session)


def _needed() -> str:
    """What the app needs, and what is wrong with the terminal that there is."""
    name = os.environ.get("TERM")
    return "the app needs a terminal" + (
        "" if can_draw() else f" that can draw, and TERM is {name}"
    )


def _refuse(path: str, *, follow: bool) -> None:
    """Say that a path holds no journal; an empty file that is followed may become one."""
    if not follow:
        raise CommandError(f"{no_journal(path)}: `spanscope check` says what is wrong with it")
    if Path(path).stat().st_size:
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
