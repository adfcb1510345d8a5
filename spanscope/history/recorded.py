"""Texts of a journal that is being judged, read again from its file where they are asked for."""

from __future__ import annotations

from spanscope.journal.errors import JournalError
from spanscope.journal.events import Ingest, Splice
from spanscope.journal.index import EventLog

MOST_KEPT = 32
"""So many texts that were read are kept: one event's rules ask for the same ones."""

LONGEST_KEPT = 1 << 16
"""Code points up to which one is kept."""


class RecordedTexts:
    """What the events of a journal put into the buffer, by seq (a `Recording`)."""

    quick = False

    def __init__(self, events: EventLog, name: str = "the journal") -> None:
        """`name`: what to call the journal in an error."""
        self._events = events
        self._name = name
        self._kept: dict[int, str] = {}

    def text(self, seq: int) -> str:
        """The content of an `ingest`, or the text that a `splice` put there.

        Raises JournalError where the line is no longer what was read.
        """
        text = self._kept.get(seq)
        if text is None:
            text = self._read(seq)
            if len(text) <= LONGEST_KEPT:
                self._kept[seq] = text
                if len(self._kept) > MOST_KEPT:
                    del self._kept[next(iter(self._kept))]
        return text

    def _read(self, seq: int) -> str:
        event = self._events.once(seq)
        if isinstance(event, Splice):
            return event.insert
        if isinstance(event, Ingest):
            return event.content
        raise JournalError(
            f"{self._name} was changed while it was judged: the line of seq {seq} is no longer "
            "what was read; judge it again once nothing but its writer changes it"
        )
