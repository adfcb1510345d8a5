"""What the second opinion finds: enough to compare, no message and no evidence."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple


class Finding(NamedTuple):
    """A finding. `seq` is null for one about the file; then `offset` is the byte of its line."""

    rule: str
    seq: int | None
    subject: tuple[tuple[str, str | int], ...]
    severity: str
    offset: int | None = None


def finding(rule: str, seq: int, severity: str, **subject: str | int) -> Finding:
    """A finding at an event; the subject's ids in alphabetical order."""
    return Finding(rule, seq, tuple(sorted(subject.items())), severity)


def one_a_subject(found: Iterable[Finding]) -> Iterator[Finding]:
    """The findings without those that say the same once more."""
    yield from dict.fromkeys(found)
