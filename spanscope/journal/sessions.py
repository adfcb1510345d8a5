"""The state folder: where recorded sessions lie, and which of them are live."""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

from msgspec import Struct

from spanscope.journal.errors import JournalError, reason, shown
from spanscope.journal.live import LiveFile, LiveInfo, is_live, live_path

__all__ = [
    "LiveFile",
    "LiveInfo",
    "SessionFile",
    "is_live",
    "list_sessions",
    "live_path",
    "make_sessions_folder",
    "make_state_folder",
    "session_paths",
    "sessions_folder",
    "state_folder",
    "state_folder_trouble",
]

_MAX_NAME = 80


class SessionFile(Struct, gc=False):
    """A journal in the state folder. `size` in bytes, `modified` in seconds since 1970."""

    path: Path
    live: LiveInfo | None
    size: int
    modified: float


def state_folder() -> Path:
    """`$SPANSCOPE_HOME`, else `$XDG_STATE_HOME/spanscope`, else `~/.local/state/spanscope`.

    Raises JournalError where there is no home folder.
    """
    own = os.environ.get("SPANSCOPE_HOME")
    if own:
        return Path(own).absolute()
    shared = os.environ.get("XDG_STATE_HOME")
    if shared and Path(shared).is_absolute():
        return Path(shared) / "spanscope"
    try:
        return Path.home() / ".local" / "state" / "spanscope"
    except RuntimeError as error:
        raise JournalError("there is no home folder; set SPANSCOPE_HOME") from error


def sessions_folder() -> Path:
    """Where sessions are recorded unless the agent names a path."""
    return state_folder() / "sessions"


def make_sessions_folder() -> Path:
    """The sessions folder, made where it was missing, for its owner only."""
    return make_state_folder("sessions")


def make_state_folder(name: str) -> Path:
    """A folder in the state folder, made where it was missing, for its owner only.

    Raises JournalError where it can't be made, or where there is no home folder.
    """
    folder = state_folder() / name
    try:
        folder.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        folder.mkdir(mode=0o700, exist_ok=True)
    except OSError as error:
        raise JournalError(
            f"can't create {shown(folder)}: {_why_no_folder(error)}; "
            "set SPANSCOPE_HOME to a folder that can be written"
        ) from error
    return folder


def state_folder_trouble() -> str:
    """Why the state folder can't be read, and what to do; empty where it can or is still to come.

    Raises JournalError where there is no home folder.
    """
    folder = state_folder()
    try:
        os.scandir(folder).close()
    except FileNotFoundError:
        return ""
    except OSError as error:
        why = _why_no_folder(error)
        return f"can't read {shown(folder)}: {why}; set SPANSCOPE_HOME to a folder of yours"
    return ""


def _why_no_folder(error: OSError) -> str:
    if isinstance(error, FileExistsError | NotADirectoryError):
        return "a file is in its place"
    return reason(error)


def file_name(name: str) -> str:
    """A session's name as a part of a file name: ASCII letters, digits, `.`, `_` and `-`."""
    plain = re.sub(r"[^A-Za-z0-9._-]+", "-", name).strip("-.")
    return plain[:_MAX_NAME] or "session"


def session_id(name: str, started: datetime) -> str:
    """`<name>-<UTC>-<pid>`: what a session is called unless it is given an id."""
    moment = started.replace(tzinfo=UTC) if started.tzinfo is None else started.astimezone(UTC)
    return f"{file_name(name)}-{moment:%Y%m%dT%H%M%SZ}-{os.getpid()}"


def session_paths(name: str, started: datetime) -> Iterator[Path]:
    """File names for a new session, to be tried in turn: several may start within a second."""
    folder = make_sessions_folder()
    stem = session_id(name, started)
    yield folder / f"{stem}.jsonl"
    for number in range(2, 1000):
        yield folder / f"{stem}.{number}.jsonl"


def list_sessions() -> list[SessionFile]:
    """The journals in the state folder, the newest first.

    Raises JournalError where there is no home folder.
    """
    try:
        paths = list(sessions_folder().glob("*.jsonl"))
    except OSError:
        return []
    found = [session for path in paths if (session := _look_at(path))]
    return sorted(found, key=lambda session: session.modified, reverse=True)


def _look_at(path: Path) -> SessionFile | None:
    try:
        facts = path.stat()
    except OSError:
        return None
    if not stat.S_ISREG(facts.st_mode):
        return None
    return SessionFile(path, is_live(path), facts.st_size, facts.st_mtime)
