"""What can go wrong with a journal as a whole; each message is one line."""

from __future__ import annotations


class JournalError(Exception):
    """A journal can't be opened, read or created; the message says why and what to do."""


class JournalTakenError(JournalError):
    """The file of a new journal exists already, or has a writer."""


class JournalWriteError(JournalError):
    """A record was not written: the journal ends where it ended before."""


class JournalClosedError(JournalWriteError):
    """The journal was closed, or this process was forked from its writer."""


def shown(path: object) -> str:
    """A path for an error message: on one line, with control characters escaped."""
    text = str(path)
    return text if text.isprintable() else ascii(text)[1:-1]


def reason(error: Exception) -> str:
    """Why the system refused, in its own words, to stand within a sentence."""
    words = error.strerror if isinstance(error, OSError) else None
    said = (words or str(error)).strip()
    return shown(said[:1].lower() + said[1:])
