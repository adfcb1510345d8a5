"""Opening the app on a recording; textual is imported only once there is a terminal."""

from __future__ import annotations

import os
import sys
from contextlib import closing
from pathlib import Path

from spanscope.journal.errors import JournalError, shown

NO_TERMINAL = (
    "spanscope: the app needs a terminal; use `spanscope check`, `show` or `log` without one"
)


def run(path: str | os.PathLike[str], *, at: int | None = None) -> int:
    """Show a recording until the user leaves, and return the exit code.

    2 where there is no terminal or the journal can't be read: a line on standard error says why.
    """
    if not has_terminal():
        return _refused(NO_TERMINAL)
    if os.environ.get("NO_COLOR") == "":
        # Only a value that is not empty means it; Textual looks at the name alone.
        del os.environ["NO_COLOR"]
    from spanscope.app.app import SpanscopeApp
    from spanscope.app.loading import Loader

    try:
        loader = Loader(Path(path))
    except JournalError as error:
        return _refused(f"spanscope: {error}")
    except OSError as error:
        return _refused(f"spanscope: can't open {shown(path)}: {error.strerror}")
    with closing(loader):
        return SpanscopeApp(loader, path, at=at).run() or 0


def has_terminal() -> bool:
    """Whether keys come from a terminal and what is drawn goes to one."""
    return all(
        stream is not None and stream.isatty() for stream in (sys.stdin, sys.stdout, sys.stderr)
    )


def _refused(message: str) -> int:
    sys.stderr.write(message + "\n")
    return 2
