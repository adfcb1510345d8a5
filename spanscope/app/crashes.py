"""What is left of a crash: a report in the state folder and one line for the person."""

from __future__ import annotations

import os
import platform
import sys
import traceback
from datetime import UTC, datetime
from pathlib import Path

from spanscope import __version__
from spanscope.app.private import write_private
from spanscope.journal.errors import JournalError, shown
from spanscope.journal.sessions import make_state_folder
from spanscope.text.visible import visible_line, visible_lines

FOLDER = "crashes"
MOST_SAID = 200
"""Characters of the error itself that a line repeats; the report has it whole."""


def report_crash(error: BaseException) -> str:
    """Write a report of an unexpected error; one line that says what happened and where it is.

    With `SPANSCOPE_DEBUG=1` the traceback goes to standard error too.
    """
    text = _report(error)
    if os.environ.get("SPANSCOPE_DEBUG") == "1":
        sys.stderr.write(text)
    said = visible_line(traceback.format_exception_only(error)[-1].strip()[:MOST_SAID])
    what = f"this is a fault in spanscope ({said})"
    try:
        path = _path()
        write_private(path, text)
    except (OSError, JournalError) as failure:
        return f"{what}; no report could be written: {visible_line(str(failure))}"
    return f"{what}; please report it with {shown(path)}"


def _path() -> Path:
    now = datetime.now(UTC).strftime("%Y%m%dT%H%M%SZ")
    return make_state_folder(FOLDER) / f"{now}-{os.getpid()}.txt"


def _report(error: BaseException) -> str:
    """Versions and the traceback. It holds no value of a variable: those may be the journal's."""
    lines = [
        f"spanscope {__version__}, python {platform.python_version()}, {platform.platform()}",
        f"terminal {os.environ.get('TERM', '')} {os.environ.get('COLORTERM', '')}".rstrip(),
        *visible_lines("".join(traceback.format_exception(error)).rstrip("\n")),
    ]
    return "\n".join(lines) + "\n"
