"""The journals that were opened lately, wherever they lie; kept in the state folder."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path

import msgspec

from spanscope.journal.errors import JournalError
from spanscope.journal.files import StrPath
from spanscope.journal.sessions import state_folder

MOST = 50
"""So many are remembered."""


def recent_journals() -> list[Path]:
    """The paths, the last opened first; those that are gone are left out."""
    return [path for path in _kept() if path.is_file()]


def remember(path: StrPath) -> None:
    """Put a journal at the head of the list. What can't be kept is not worth a word."""
    opened = Path(path).absolute()
    paths = [opened, *(each for each in _kept() if each != opened)][:MOST]
    with contextlib.suppress(OSError, JournalError):
        place = _place()
        place.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        data = msgspec.json.encode([os.fspath(each) for each in paths])
        draft = place.with_name(f"{place.name}.{os.getpid()}")
        draft.touch(mode=0o600)
        draft.write_bytes(data)
        draft.replace(place)


def _place() -> Path:
    return state_folder() / "recent.json"


def _kept() -> list[Path]:
    try:
        found = msgspec.json.decode(_place().read_bytes(), type=list[str])
    except (OSError, JournalError, msgspec.DecodeError, UnicodeError):
        return []
    return [Path(each) for each in found[:MOST] if "\0" not in each]
