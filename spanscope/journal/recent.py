"""The journals that were opened lately, wherever they lie; kept in the state folder."""

from __future__ import annotations

import contextlib
import json
import os
from pathlib import Path

from spanscope.journal.errors import JournalError
from spanscope.journal.files import StrPath
from spanscope.journal.sessions import state_folder

MOST = 50
"""So many are remembered."""


def recent_journals() -> list[Path]:
    """The paths, the last opened first; those that are gone are left out."""
    return [path for path in _kept() if _is_there(path)]


def remember(path: StrPath) -> None:
    """Put a journal at the head of the list. What can't be kept is not worth a word."""
    opened = Path(path).absolute()
    paths = [opened, *(each for each in _kept() if each != opened)][:MOST]
    with contextlib.suppress(OSError, JournalError):
        place = _place()
        place.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        # A path need not be UTF-8: what is not is escaped here, msgspec would refuse it.
        text = json.dumps([os.fspath(each) for each in paths])
        draft = place.with_name(f"{place.name}.{os.getpid()}")
        draft.touch(mode=0o600)
        draft.write_text(text, encoding="ascii")
        draft.replace(place)


def _place() -> Path:
    return state_folder() / "recent.json"


def _kept() -> list[Path]:
    try:
        found = json.loads(_place().read_bytes())
    except (OSError, JournalError, ValueError, RecursionError):
        return []
    if not isinstance(found, list):
        return []
    return [Path(each) for each in found[:MOST] if isinstance(each, str) and "\0" not in each]


def _is_there(path: Path) -> bool:
    try:
        return path.is_file()
    except OSError:
        # It lies where we may not look, or its name is too long for any file.
        return False
