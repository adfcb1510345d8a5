"""Chats of a Gemini CLI session's sub-agents, in the folder that is named after the session."""

from __future__ import annotations

import re
from collections.abc import Container
from pathlib import Path
from typing import Any, Final

from spanscope.importers.rows import decode
from spanscope.importers.values import string

_LOOK: Final = 1 << 16
_SAFE: Final = re.compile(r"[A-Za-z0-9_-]{1,128}")


def chats_below(path: Path, known: Container[Path] = ()) -> list[Path]:
    """The files `SESSION/*.jsonl` beside a chat of that session, each a sub-agent's by its header.

    Links that lead out of the folder are left alone, and so are the `known` ones.
    """
    try:
        session = string(_header(path), "sessionId") or ""
        if _SAFE.fullmatch(session) is None:
            return []
        home = path.parent.resolve() / session
        found = sorted((path.parent / session).glob("*.jsonl"))
        fresh = [each for each in found if each not in known and each.is_file()]
        inside = [each for each in fresh if each.resolve().parent == home]
        return [each for each in inside if string(_header(each), "kind") == "subagent"]
    except OSError:
        return []


def _header(path: Path) -> Any:
    """The first row of a file."""
    with path.open("rb") as stream:
        line = stream.readline(_LOOK)
    return decode(line) if line.endswith(b"\n") else None
