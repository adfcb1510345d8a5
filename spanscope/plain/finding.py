"""What the second opinion finds: enough to compare, no message and no evidence."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from spanscope.plain.reading import Told
from spanscope.plain.world import Entry


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


def entry_subject(entry: Entry) -> dict[str, str | int]:
    """The subject of a finding about an undo entry: its seq, and its span where it is one."""
    names = {step.into or step.span for step in entry.steps}
    return {"entry": entry.seq, **({"span": names.pop()} if len(names) == 1 else {})}


def can_record(told: Told, what: str) -> bool:
    """Whether the source of a journal can record something at all."""
    records = None if told.session is None else told.session.records
    return records is None or what in records
