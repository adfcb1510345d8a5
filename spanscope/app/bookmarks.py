"""Bookmarks with their notes, kept in the state folder by what a journal is, wherever it lies."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

from spanscope.app.private import write_private
from spanscope.history.history import History
from spanscope.journal.errors import JournalError, reason, shown
from spanscope.journal.sessions import make_state_folder

FOLDER = "bookmarks"
LONGEST_NOTE = 400
MOST_BYTES = 1 << 20
"""A larger file is none of ours."""


def identity(history: History) -> str | None:
    """What tells a journal from others wherever it lies; null before its first event."""
    if not len(history):
        return None
    session, first = history.session, history.event(history.seqs[0])
    facts = [
        session.session if session is not None else None,
        session.started if session is not None else None,
        history.seqs[0],
        first.time if first is not None else None,
    ]
    return hashlib.sha256(json.dumps(facts).encode()).hexdigest()[:32]


class Bookmarks:
    """Steps with a note each, of one journal at a time."""

    def __init__(self) -> None:
        self.notes: dict[int, str] = {}
        self._identity: str | None = None

    def follow(self, history: History) -> str | None:
        """Those of this journal, once it has an event; what can't be read is said."""
        found = identity(history)
        if found == self._identity:
            return None
        self._identity = found
        self.notes = {}
        return None if found is None else self._load()

    def set(self, history: History, seq: int, note: str) -> str | None:
        """Mark a step, or change its note; why it can't be kept, in words."""
        self.notes = dict(sorted({**self.notes, seq: note.strip()[:LONGEST_NOTE]}.items()))
        return self._save(history)

    def remove(self, history: History, seq: int) -> str | None:
        """Mark a step no more; why that can't be kept, in words."""
        self.notes = {each: note for each, note in self.notes.items() if each != seq}
        return self._save(history)

    def _path(self) -> Path:
        return make_state_folder(FOLDER) / f"{self._identity}.json"

    def _load(self) -> str | None:
        try:
            path = self._path()
            data = path.read_bytes() if path.exists() else b""
        except (OSError, JournalError) as error:
            return f"can't read the bookmarks: {reason(error)}"
        if not data:
            return None
        notes = _decoded(data)
        if notes is None:
            return self._set_aside(path)
        self.notes = notes
        return None

    @staticmethod
    def _set_aside(path: Path) -> str:
        """A file that is none of ours is not written over."""
        aside = path.with_suffix(".unreadable")
        try:
            path.replace(aside)
        except OSError as error:
            return f"can't read the bookmarks in {shown(path)}: {reason(error)}"
        return f"the bookmarks could not be read; they are kept in {shown(aside)}"

    def _save(self, history: History) -> str | None:
        marks = [{"seq": seq, "note": note} for seq, note in self.notes.items()]
        kept = {"version": 1, "session": history.name, "bookmarks": marks}
        try:
            write_private(self._path(), json.dumps(kept, indent=1) + "\n")
        except (OSError, JournalError) as error:
            return f"the bookmark holds until you leave: {reason(error)}"
        return None


def _decoded(data: bytes) -> dict[int, str] | None:
    """The notes by step; null where the file does not hold any."""
    try:
        kept: Any = json.loads(data) if len(data) <= MOST_BYTES else None
        marks = [(mark["seq"], mark["note"]) for mark in kept["bookmarks"]]
    except (ValueError, TypeError, KeyError, RecursionError):
        return None
    if not all(isinstance(seq, int) and isinstance(note, str) for seq, note in marks):
        return None
    return dict(sorted(marks))
