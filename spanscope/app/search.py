"""Searching: a text in what events say and in the contents that they bring."""

from __future__ import annotations

from collections.abc import Iterator

from spanscope.history.describing import about, type_of
from spanscope.history.history import History
from spanscope.journal import events
from spanscope.journal.events import AnyEvent, Unknown
from spanscope.journal.parts import AnyEdit, IngestEdit, RewriteEdit, SpliceEdit
from spanscope.widgets.findings import label

COUNTED = 20_000
"""In a longer session matches are sought one by one and not counted."""


class Search:
    """One text that is sought, without regard to case; everything it has found so far."""

    def __init__(self, history: History, text: str) -> None:
        self._history = history
        self.text = text
        self._wanted = text.casefold()
        self._all: list[int] | None = None
        self._upto = -1

    @property
    def countable(self) -> bool:
        """Whether the session is short enough to count all matches."""
        return len(self._history) <= COUNTED

    @property
    def matches(self) -> list[int]:
        """The seqs of all matching events."""
        if self._all is None or self._upto != self._history.last:
            self._all = [seq for seq in self._history.seqs if self._fits(seq)]
            self._upto = self._history.last
        return self._all

    def next(self, cursor: int, *, back: bool = False) -> int | None:
        """The next match after the cursor, or before it, then from the other end."""
        return next((seq for seq in self._onward(cursor, back=back) if self._fits(seq)), None)

    def _onward(self, cursor: int, *, back: bool) -> Iterator[int]:
        seqs = self._history.seqs
        here = self._history.position(cursor) if seqs and cursor >= seqs[0] else -1
        count = len(seqs)
        for offset in range(1, count + 1):
            yield seqs[(here - offset if back else here + offset) % count]

    def answer(self, cursor: int) -> str:
        """What was found, for the message line."""
        if not self._wanted:
            return "text in events and contents"
        if not self.countable:
            return f"enter seeks {self.text!r} from {cursor} on"
        matches = self.matches
        if not matches:
            return f"{self.text!r}: no match in events or contents"
        number = sum(seq <= cursor for seq in matches)
        where = f"{number} of {len(matches)}" if cursor in matches else f"{len(matches)}"
        return f"{self.text!r}: {where} match{'' if len(matches) == 1 else 'es'}   n N"

    def _fits(self, seq: int) -> bool:
        event = self._history.event(seq)
        if event is None or not self._wanted:
            return False
        if any(self._wanted in text.casefold() for text in _texts(event)):
            return True
        return self._wanted in label(self._history.findings_at(seq)).casefold()


_FIELDS: dict[type, tuple[str, ...]] = {
    events.Ingest: ("content",),
    events.Rewrite: ("content", "op"),
    events.Splice: ("insert", "original"),
    events.Mark: ("label",),
    events.Derive: ("span", "holder"),
    events.Use: ("got",),
    events.Reject: ("reason",),
    events.Abort: ("reason",),
    events.Gap: ("reason",),
}


def _texts(event: AnyEvent | Unknown) -> Iterator[str]:
    """What can be found in an event: what its row says, then what it carries."""
    yield f"{type_of(event)} {about(event)} {event.actor}"
    for field in _FIELDS.get(type(event), ()):
        yield getattr(event, field) or ""
    if isinstance(event, events.Stage | events.Apply):
        for edit in event.edits or ():
            yield from _edit_texts(edit)


def _edit_texts(edit: AnyEdit) -> Iterator[str]:
    yield edit.span
    if isinstance(edit, IngestEdit | RewriteEdit):
        yield edit.content
    elif isinstance(edit, SpliceEdit):
        yield edit.insert
