"""What events put into the buffer, beside the journal, whatever becomes of that.

A journal that is looked at may be cut, overwritten or replaced, and a stream stands nowhere: the
texts are therefore kept once more, where nobody else changes them.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left

from spanscope.history.store import Store
from spanscope.journal.events import AnyEvent, Ingest, Splice, Unknown
from spanscope.journal.numbers import appended
from spanscope.model.keeping import RECORDED_FROM, in_text, in_utf8


class KeptTexts:
    """What the events of a history put into the buffer, by seq (a `Recording`)."""

    quick = True

    def __init__(self) -> None:
        self._seqs = array("I")
        self._store = Store()

    def add(self, event: AnyEvent | Unknown) -> None:
        """Keep what an event puts into the buffer; its seq is higher than all before."""
        if isinstance(event, Ingest):
            self._keep(event.seq, event.content)
        elif isinstance(event, Splice) and len(event.insert) >= RECORDED_FROM:
            self._keep(event.seq, event.insert)

    def _keep(self, seq: int, text: str) -> None:
        self._store.put(in_utf8(text))
        self._seqs = appended(self._seqs, seq)

    def text(self, seq: int) -> str:
        """The content of an `ingest`, or the long text that a `splice` put there."""
        return in_text(self._store.get(bisect_left(self._seqs, seq)))
