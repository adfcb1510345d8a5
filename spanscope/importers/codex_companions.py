"""Rollouts that belong to a Codex session: those of its sub-agents, and what reverts went on in.

Each is a file of its own in the folder of the day on which it was begun.
"""

from __future__ import annotations

import os
import re
from collections.abc import Container, Iterator
from datetime import UTC, date, datetime, timedelta
from functools import lru_cache
from pathlib import Path
from typing import Any, Final, NamedTuple

from spanscope.importers.rows import decode
from spanscope.importers.values import mapping, string

_LOOK: Final = 1 << 18
"""Bytes in which the first row stands; it holds the instructions."""
_SAFE: Final = re.compile(r"[A-Za-z0-9_-]{1,128}")
"""What an id may be to be sought in names."""
_NAMED: Final = len("rollout-2026-11-30T17-33-24")
_DAY: Final = timedelta(days=1)


class _Thread(NamedTuple):
    """What the first row of a rollout says: the thread's id, the session's and the parent's."""

    id: str
    session: str
    parent: str | None
    goes_on: bool
    """Whether it goes on with the beginning of an older file."""


def rollouts_of(path: Path, known: Container[Path] = ()) -> list[Path]:
    """The other rollouts of the session in a file, but the `known` ones.

    They are sought by their first rows where the session can have begun them: in the folders of
    the days from its own to shortly after it was last written. Links are left alone.
    """
    path = path.absolute()
    try:
        own = _thread(path)
        others = [each for each in _candidates(path, own) if each != path]
        found = _belonging(own, [(each, thread) for each in others if (thread := _read(each))])
        return [each for each in found if each not in known]
    except (OSError, LookupError):
        return []


def session_of(path: Path) -> tuple[str, bool]:
    """The session that a rollout belongs to, and whether it is a sub-agent's."""
    thread = _read(path)
    if thread is None:
        return path.stem, False
    return (thread.session, True) if thread.parent is not None else (thread.id, False)


def _belonging(own: _Thread, others: list[tuple[Path, _Thread]]) -> list[Path]:
    """Those of the same thread, and those that it or one of its sub-agents has begun."""
    ids = {own.id}
    for _, thread in sorted(others, key=lambda pair: pair[0].name):
        begun = thread.parent in ids or (own.parent is None and thread.session == own.id)
        if thread.parent is not None and begun:
            ids.add(thread.id)
    return [path for path, thread in others if thread.id in ids]


def _candidates(path: Path, own: _Thread) -> Iterator[Path]:
    """The rollouts that may belong to it, in the order of their names."""
    begun = _day(path)
    if begun is None:
        yield from _rollouts(path.parent)
        return
    home = path.parents[3].resolve()
    if own.goes_on:
        older = sorted(path.parents[3].glob(f"*/*/*/rollout-*-{own.id}.jsonl"))
        yield from (each for each in older if home in each.resolve().parents)
    # The folders have local dates, which are at most a day ahead.
    last = datetime.fromtimestamp(path.stat().st_mtime, UTC).date() + 2 * _DAY
    # A clock that was set back leaves sessions that end before they begin.
    for number in range(max(1, (last - begun).days + 1)):
        day = begun + number * _DAY
        folder = path.parents[3] / f"{day.year:04}" / f"{day.month:02}" / f"{day.day:02}"
        if home in folder.resolve().parents:
            yield from _rollouts(folder, "" if number else path.name[:_NAMED])


def _rollouts(folder: Path, since: str = "") -> list[Path]:
    """The rollouts in a folder whose names begin so, or are later."""
    try:
        with os.scandir(folder) as entries:
            names = [entry.name for entry in entries if _is_rollout(entry)]
    except OSError:
        return []
    return [folder / name for name in sorted(names) if name[:_NAMED] >= since]


def _is_rollout(entry: os.DirEntry[str]) -> bool:
    named = entry.name.startswith("rollout-") and entry.name.endswith(".jsonl")
    return named and entry.is_file(follow_symlinks=False)


def _day(path: Path) -> date | None:
    names = path.parts[-4:-1]
    try:
        return date(*map(int, names)) if len(names) == 3 else None
    except ValueError:
        return None


def _read(path: Path) -> _Thread | None:
    try:
        return _thread(path)
    except (OSError, LookupError):
        return None


@lru_cache(4096)
def _thread(path: Path) -> _Thread:
    """Raises LookupError, which no cache keeps, where the first row is none yet."""
    with path.open("rb") as stream:
        line = stream.readline(_LOOK)
    row: Any = decode(line) if line.endswith(b"\n") else None
    meta = mapping(row, "payload")
    id = string(meta, "id")
    if string(row, "type") != "session_meta" or id is None:
        raise LookupError(path)
    source = mapping(mapping(mapping(meta, "source"), "subagent"), "thread_spawn")
    parent = string(meta, "parent_thread_id") or string(source, "parent_thread_id")
    session = string(meta, "session_id") or id
    goes_on = bool(mapping(meta, "history_base")) and _SAFE.fullmatch(id) is not None
    return _Thread(id, session, parent, goes_on)
