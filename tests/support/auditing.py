"""What the audit says of a whole recording."""

from __future__ import annotations

from collections.abc import Iterable

from spanscope.history.audit import Audit
from spanscope.journal.reader import Parsed


def audit_all(items: Iterable[Parsed]) -> Audit:
    """The audit of all that a journal says, to its end."""
    audit = Audit()
    for item in items:
        audit.take(item)
    audit.finish()
    return audit
