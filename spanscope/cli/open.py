"""`spanscope open`: a recorded journal in the app."""

from __future__ import annotations

import sys
from argparse import Namespace

from spanscope.cli.errors import CommandError
from spanscope.cli.journals import STDIN
from spanscope.cli.output import Output
from spanscope.importers.source import find_source
from spanscope.journal.errors import shown
from spanscope.journal.recognising import is_journal


def run(options: Namespace, _out: Output) -> int:
    """Open the journal and stay until the user leaves."""
    if options.follow:
        raise CommandError("--follow is not there yet: open the recording without it")
    if options.path == STDIN:
        raise CommandError(
            "opening standard input is not there yet: name a file, or use `spanscope check -`"
        )
    if not is_journal(options.path) and find_source(options.path) is None:
        raise CommandError(
            f"{shown(options.path)} is no buffer journal and no session that `import` knows: "
            "`spanscope check` says what is wrong with it"
        )
    return open_app(options.path, options.at)


def open_app(path: str, at: int | None) -> int:
    """Run the app on a journal. Raises CommandError where there is no terminal."""
    if not has_terminal():
        raise CommandError(
            "the app needs a terminal: use `spanscope show` or `spanscope log` "
            f"on {shown(path)} to read it without one"
        )
    from spanscope.app.run import run as run_app

    return run_app(path, at=at)


def has_terminal() -> bool:
    """Whether keys come from a terminal and what is drawn goes to one."""
    streams = (sys.stdin, sys.stdout, sys.stderr)
    return all(stream is not None and stream.isatty() for stream in streams)
