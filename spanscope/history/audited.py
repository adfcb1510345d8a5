"""A journal judged to its end, without its steps: all that `check` needs of it."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterable
from typing import BinaryIO

from spanscope.history.audit import Audit
from spanscope.history.collecting import collection_paused
from spanscope.history.recorded import RecordedTexts
from spanscope.history.rows import UnknownSubject
from spanscope.journal.errors import JournalError, reason, shown
from spanscope.journal.events import AnyEvent, Close, Session, Unknown
from spanscope.journal.files import StrPath
from spanscope.journal.index import EventLog, LineSource
from spanscope.journal.reader import DEFAULT_MAX_LINE, read_journal
from spanscope.rules.finding import Finding

PIECE = 1 << 16
"""So many bytes are read at once: the events of many leave gaps in memory among what stays."""


class Audited:
    """Findings and unknown subjects of a whole journal; events are read again where asked for."""

    def __init__(self, audit: Audit) -> None:
        self._events = audit.events
        self.session: Session | None = audit.session
        self.findings: list[Finding] = audit.findings
        self.unknown: list[UnknownSubject] = audit.unknown()
        self.last = audit.seq
        """The seq of the last event; 0 where there is none."""
        self.cut_short = audit.finished and not isinstance(self.event(self.last), Close)
        """Whether it is at its end and the last event is no `close`."""

    def __len__(self) -> int:
        return len(self._events)

    def event(self, seq: int) -> AnyEvent | Unknown | None:
        """The event with this seq; null where there is none."""
        return self._events.of(seq)


def audit_file(
    path: StrPath, *, max_line: int = DEFAULT_MAX_LINE, until: int | None = None, live: bool = False
) -> Audited:
    """Judge a journal file.

    `until`: read only so many bytes (the size at opening of a file whose writer lives).

    Raises:
        JournalError: the file can't be read.
    """
    return _audit(path, LineSource(path), max_line, until, live=live)


def audit_pieces(
    pieces: Iterable[bytes], *, max_line: int = DEFAULT_MAX_LINE, live: bool = False
) -> Audited:
    """Judge a journal that comes through a pipe or from another tool's session.

    It is kept in a nameless temporary file, so that events can be read again. `live`: its writer
    lives, so that its end tells nothing.

    Raises:
        JournalError: there is no room to keep it, or whatever the pieces raise.
    """
    with tempfile.TemporaryFile() as kept:
        for piece in pieces:
            _keep(kept, piece)
        kept.seek(0)
        return _audit(kept, LineSource(kept.fileno()), max_line, None, live=live)


def _keep(kept: BinaryIO, piece: bytes) -> None:
    try:
        kept.write(piece)
        kept.flush()
    except OSError as error:
        folder = tempfile.gettempdir()
        raise JournalError(f"can't keep the journal in {folder}: {reason(error)}") from error


# The whole of it, so that what goes once it is judged is not looked through before.
@collection_paused()
def _audit(
    source: StrPath | BinaryIO,
    lines: LineSource,
    max_line: int,
    until: int | None,
    *,
    live: bool,
) -> Audited:
    audit = Audit(EventLog(lines))
    name = shown(source) if isinstance(source, str | os.PathLike) else "the journal"
    audit.judge.state.recording = RecordedTexts(audit.events, name)
    growing = live or until is not None
    for item in read_journal(source, max_line, PIECE, until, live=growing):
        audit.take(item)
    if not live and until is None:
        audit.finish()
    return Audited(audit)
