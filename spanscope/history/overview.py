"""A journal at a glance: what a list of journals says of each."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from msgspec import Struct

from spanscope.history.audit import Audit
from spanscope.journal.errors import JournalError
from spanscope.journal.events import Close
from spanscope.journal.reader import JournalParser, Parsed, Record, read_journal
from spanscope.journal.sessions import is_live

MOST_BYTES = 8_000_000
"""Larger journals are not audited for a list."""


class Overview(Struct, frozen=True):
    """What there is to say of a journal. Counts are null where it is too large to be audited."""

    closed: bool = False
    events: int | None = None
    errors: int | None = None
    warnings: int | None = None
    unknown: int | None = None
    trouble: str = ""

    @property
    def found(self) -> str:
        """The findings in words, the worst first."""
        if self.trouble:
            return self.trouble
        if self.errors is None:
            return "large, not audited"
        counts = (("!", self.errors, "error"), ("~", self.warnings, ""), ("?", self.unknown, ""))
        said = []
        for sign, count, word in counts:
            if count:
                plural = "" if count == 1 else "s"
                said.append(f"{sign} {count} {word}{plural}" if word else f"{sign} {count}")
        return "  ".join(said) or "no findings"


def look_over(
    path: Path,
    translated: Callable[[Path], Iterable[bytes] | None] = lambda _: None,
    cancelled: Callable[[], bool] = lambda: False,
) -> Overview | None:
    """Audit a journal for a list; whatever is wrong with it is said in it.

    `translated` gives the journal that another tool's session is; null for a journal. Null where
    it was cancelled.
    """
    try:
        size = path.stat().st_size
        if size > MOST_BYTES:
            return Overview()
        live = is_live(path) is not None
        audit, last = Audit(), None
        pieces = None if live else translated(path)
        until = size if live else None
        read = read_journal(path, until=until, live=live) if pieces is None else _parsed(pieces)
        for item in read:
            if cancelled():
                return None
            audit.take(item)
            last = item.event if isinstance(item, Record) else last
        if not live:
            audit.finish()
    except (JournalError, OSError) as error:
        reason = error.strerror if isinstance(error, OSError) else None
        return Overview(trouble=reason or "can't be read")
    counts = dict.fromkeys(("error", "warning", "info"), 0)
    for finding in audit.findings:
        counts[finding.severity] += 1
    return Overview(
        closed=isinstance(last, Close),
        events=audit.seen,
        errors=counts["error"],
        warnings=counts["warning"],
        unknown=len(audit.unknown()),
    )


def _parsed(pieces: Iterable[bytes]) -> Iterator[Parsed]:
    parser = JournalParser()
    for piece in pieces:
        yield from parser.feed(piece)
    yield from parser.finish()
