"""Sub-agents of a Claude Code session that have files of their own, in the session's folder."""

from __future__ import annotations

from collections.abc import Container, Iterator
from pathlib import Path
from typing import Any, Final

from spanscope.importers.rows import NOTHING, decode
from spanscope.importers.values import string

_LOOK: Final = 1 << 16
_MOST_ROWS: Final = 20


def sub_agents_of(path: Path, known: Container[Path] = ()) -> list[Path]:
    """The files `SESSION/*/agent-*.jsonl` beside `SESSION.jsonl` that belong to it.

    Each names its session in its first rows. Links that lead out of the folder are left alone, and
    so are the `known` ones.
    """
    folder = path.with_suffix("")
    try:
        found = [file for file in sorted(folder.glob("*/agent-*.jsonl")) if file not in known]
        home = path.parent.resolve() / path.stem
        inside = [file for file in found if file.is_file() and file.resolve().parent.parent == home]
        ids = {path.stem, *_sessions(path)} if inside else set()
        return [file for file in inside if ids.intersection(_sessions(file))]
    except OSError:
        return []


def _sessions(path: Path) -> Iterator[str]:
    """The sessions that the first rows of a file name."""
    with path.open("rb") as stream:
        start = stream.read(_LOOK)
    for line in start.split(b"\n", _MOST_ROWS)[:_MOST_ROWS]:
        row: Any = decode(line) if line.strip() else NOTHING
        id = string(row, "sessionId")
        if id is not None:
            yield id
