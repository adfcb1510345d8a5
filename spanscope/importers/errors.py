"""What can go wrong with a foreign session as a whole; each message is one line."""

from __future__ import annotations

from spanscope.journal.errors import JournalError


class SourceError(JournalError):
    """A source can't be imported; the message says why and what to do."""
