"""Opening the app on a recording; textual is imported only once there is a terminal."""

from __future__ import annotations

import os
import sys
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

from spanscope.journal.errors import JournalError, shown

if TYPE_CHECKING:
    from spanscope.app.app import SpanscopeApp

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
        return _until_left(SpanscopeApp(loader, path, at=at))


def _until_left(app: SpanscopeApp) -> int:
    """Run the app; whatever goes wrong in it, a person sees one line about it."""
    from spanscope.app.crashes import report_crash

    code: int | None = None
    error: BaseException | None = None
    try:
        code = app.run()
        error = app.crash
    except Exception as raised:  # noqa: BLE001 no traceback reaches a user
        error = raised
    return code or 0 if error is None else _refused(f"spanscope: {report_crash(error)}")


def has_terminal() -> bool:
    """Whether keys come from a terminal and what is drawn goes to one."""
    return all(
        stream is not None and stream.isatty() for stream in (sys.stdin, sys.stdout, sys.stderr)
    )


def _refused(message: str) -> int:
    sys.stderr.write(message + "\n")
    return 2
