"""A journal at a glance: what a list of journals says of each."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path

from msgspec import Struct

from spanscope.history.audited import audit_file, audit_pieces
from spanscope.journal.errors import JournalError
from spanscope.journal.events import Close
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
            return "large: open it to audit"
        counts = (("!", self.errors, "error"), ("~", self.warnings, ""), ("?", self.unknown, ""))
        said = []
        for sign, count, word in counts:
            if count:
                plural = "" if count == 1 else "s"
                said.append(f"{sign} {count} {word}{plural}" if word else f"{sign} {count}")
        return "  ".join(said) or "no findings"


def look_over(
    path: Path, translated: Callable[[Path], Iterable[bytes] | None] = lambda _: None
) -> Overview:
    """Audit a journal for a list; whatever is wrong with it is said in it.

    `translated` gives the journal that another tool's session is; null for a journal.
    """
    try:
        size = path.stat().st_size
        if size > MOST_BYTES:
            return Overview()
        live = is_live(path) is not None
        pieces = None if live else translated(path)
        if pieces is not None:
            audited = audit_pieces(pieces)
        else:
            audited = audit_file(path, until=size if live else None, live=live)
    except (JournalError, OSError) as error:
        reason = error.strerror if isinstance(error, OSError) else None
        return Overview(trouble=reason or "can't be read")
    counts = dict.fromkeys(("error", "warning", "info"), 0)
    for finding in audited.findings:
        counts[finding.severity] += 1
    last = audited.last_event
    return Overview(
        closed=isinstance(last, Close),
        events=len(audited),
        errors=counts["error"],
        warnings=counts["warning"],
        unknown=len(audited.unknown),
    )
