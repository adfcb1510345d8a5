"""Sessions of other agents that were written lately, found in the folders where those keep them.

Whether such an agent still runs, its files don't say; that it wrote a moment ago, they do.
"""

from __future__ import annotations

import os
import re
import time
from collections.abc import Iterable, Iterator
from functools import lru_cache
from pathlib import Path
from typing import Final, NamedTuple

from spanscope.importers.codex_companions import session_of
from spanscope.importers.errors import SourceError
from spanscope.importers.rows import NOTHING, decode

ACTIVE: Final = 30 * 60
"""Seconds since it last wrote in which an agent counts as active."""

MOST_SESSIONS: Final = 20
"""So many are listed of one agent."""

HEAD: Final = 1 << 16
_FOLDER: Final = re.compile(rb'"cwd": ?("(?:[^"\\]|\\.)*")')
_ID: Final = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")


class AgentSession(NamedTuple):
    """A session that another agent writes.

    `project` is the folder that it works in, as far as that is told; `modified` in seconds since
    1970; `branch` says which one of several sessions in a database.
    """

    agent: str
    id: str
    path: Path
    modified: float
    project: str = ""
    branch: str | None = None

    @property
    def name(self) -> str:
        """What a person calls it: its project and the beginning of its id."""
        short = self.id[:8] if _ID.fullmatch(self.id) else self.id
        return f"{self.project} {short}" if self.project else short

    def is_called(self, wanted: str) -> bool:
        """Whether its id, or its file's name, begins so."""
        return self.id.startswith(wanted) or self.path.stem.startswith(wanted)


def active_sessions(now: float | None = None) -> list[AgentSession]:
    """The sessions that agents wrote lately, the last written first."""
    since = (time.time() if now is None else now) - ACTIVE
    found: list[AgentSession] = []
    for agent, written in (
        ("Claude Code", _written(_claude_code(), since)),
        ("Codex", _main_threads(_written(_codex(), since))),
        ("Gemini CLI", _written(_gemini(), since)),
    ):
        found += [_session(agent, path, time) for path, time in written[:MOST_SESSIONS]]
    for path, _ in _written(_opencode(), since)[:MOST_SESSIONS]:
        found += _in_database(path, since)
    return sorted(found, key=lambda session: session.modified, reverse=True)


# Where they are


def _home() -> Path:
    try:
        return Path.home()
    except RuntimeError:
        return Path(os.devnull)


def _named(variable: str, otherwise: Path) -> Path:
    """The folder that an environment variable names, else another one."""
    named = os.environ.get(variable)
    return Path(named).expanduser() if named else otherwise


def _claude_code() -> Iterator[Path]:
    """Transcripts a project; those of sub-agents stand beside or below them."""
    folder = _named("CLAUDE_CONFIG_DIR", _home() / ".claude") / "projects"
    for path in _glob(folder, "*/*.jsonl"):
        if not path.name.startswith("agent-"):
            yield path


def _codex() -> Iterator[Path]:
    return _glob(_named("CODEX_HOME", _home() / ".codex") / "sessions", "*/*/*/rollout-*.jsonl")


def _gemini() -> Iterator[Path]:
    folder = _named("GEMINI_CLI_HOME", _home()) / ".gemini" / "tmp"
    return _glob(folder, "*/chats/session-*.json*")


def _opencode() -> Iterator[Path]:
    named = os.environ.get("OPENCODE_DB")
    if named and named != ":memory:":
        yield Path(named)
        return
    data = _named("XDG_DATA_HOME", _home() / ".local" / "share")
    yield from _glob(data / "opencode", "opencode*.db")


def _glob(folder: Path, pattern: str) -> Iterator[Path]:
    try:
        yield from folder.glob(pattern)
    except (OSError, ValueError):
        return


def _written(paths: Iterable[Path], since: float) -> list[tuple[Path, float]]:
    """The files that were written since then, with the time, the last written first."""
    found = [(path, written) for path in paths if (written := _modified(path)) >= since]
    return sorted(found, key=lambda pair: pair[1], reverse=True)


def _main_threads(written: list[tuple[Path, float]]) -> list[tuple[Path, float]]:
    """One rollout a session, the last one of its main thread; what its sub-agents write counts."""
    found: dict[str, tuple[Path, float, bool]] = {}
    for path, last in written:
        session, below = session_of(path)
        path_now, newest, is_below = found.get(session, (path, last, below))
        if is_below and not below:
            path_now, is_below = path, below
        found[session] = (path_now, newest, is_below)
    return [(path, newest) for path, newest, _ in found.values()]


def _modified(path: Path) -> float:
    """When a file or the log beside it was last written; 0 where it is no file."""
    times = [0.0]
    for each in (path, path.with_name(f"{path.name}-wal")):
        try:
            if each.is_file():
                times.append(each.stat().st_mtime)
        except OSError:
            continue
    return max(times)


# What they are


def _session(agent: str, path: Path, modified: float) -> AgentSession:
    found = _ID.findall(path.stem)
    # A chat of Gemini CLI lies in a folder that is named after its project.
    project = path.parent.parent.name if agent == "Gemini CLI" else _project(path)
    named = project if len(project) < 64 else ""
    # A segment of Codex's is named after its thread and itself.
    return AgentSession(agent, found[0] if found else path.stem, path, modified, named)


@lru_cache(256)
def _project(path: Path) -> str:
    """The name of the folder that a session's first rows say it works in."""
    try:
        with path.open("rb") as stream:
            found = _FOLDER.search(stream.read(HEAD))
    except OSError:
        return ""
    folder = decode(found.group(1)) if found is not None else NOTHING
    return re.split(r"[/\\]", folder.rstrip("/\\"))[-1] if isinstance(folder, str) else ""


def _in_database(path: Path, since: float) -> list[AgentSession]:
    """The sessions in opencode's database; sub-agents' belong to those that started them."""
    # Opening a database takes the replay with it, which a command without one needs not.
    from spanscope.importers.databases import columns_of, opened

    try:
        with opened(path) as connection:
            columns = columns_of(connection, "session")
            if not {"id", "parent_id", "time_updated"} <= columns:
                return []
            folder = "directory" if "directory" in columns else "''"
            rows = connection.execute(
                f"SELECT id, {folder}, time_updated FROM session "  # noqa: S608 names of ours
                "WHERE parent_id IS NULL AND time_updated >= ? ORDER BY time_updated DESC LIMIT ?",
                (since * 1000, MOST_SESSIONS),
            ).fetchall()
    except SourceError:
        return []
    return [
        AgentSession("opencode", str(id), path, float(time) / 1000, Path(str(where)).name, str(id))
        for id, where, time in rows
        if isinstance(time, int | float)
    ]
