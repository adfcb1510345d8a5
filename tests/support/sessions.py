"""One rich session of each format, for what all importers must stand."""

from __future__ import annotations

from typing import Any

from spanscope.importers.claude_code import ClaudeCode
from spanscope.importers.lines import LineImporter
from support.claude import Transcript


def claude_rows() -> list[Any]:
    """Edits, refusals, sub-agents, requests, compactions and rewinds of Claude Code."""
    session = Transcript()
    session.user("Change alpha")
    session.read("t1", "/p/a.py", "alpha = 1\nbeta = 2\n")
    session.edit("t2", "/p/a.py", "alpha = 1\nbeta = 2\n", "alpha = 1", "alpha = 10", message="m1")
    error = "String to replace not found in file."
    main = session.refused("t3", "/p/a.py", "alpha = 1\n", "alpha = 9\n", error)
    side = {"isSidechain": True, "agentId": "abc"}
    session.user("Search", parent=None, **side)
    session.says("Found it.", "m7", **side)
    session.request([{"role": "user", "content": "Change alpha"}])
    session.says("Done.", "m8", parent=main, requestRef="req_11")
    kept = session.head or ""
    session.compaction("Alpha is 10 now.", [kept])
    session.user("Go on")
    session.says("Gone on.", "m9")
    session.user("Back", parent=kept)
    session.user("Far back", parent=main)
    session.compaction("Nothing is left.")
    return session.rows


RICH: list[tuple[type[LineImporter], list[Any]]] = [(ClaudeCode, claude_rows())]
