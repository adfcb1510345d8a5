"""What an import read and left aside: unknown rows and fields are counted, never hidden."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from spanscope.importers.values import Row

MOST_NAMED = 3


class Summary:
    """Counts of one import.

    `rows` were read, `unreadable` of them said nothing at all. `unknown_rows` and
    `unknown_fields` count kinds and names that the importer does not know; `untold` counts what
    the source leaves open, in plain words. `notes` are facts a user should know.
    """

    def __init__(self, source: str) -> None:
        self.source = source
        self.rows = 0
        self.unreadable = 0
        self.unknown_rows: Counter[str] = Counter()
        self.unknown_fields: Counter[str] = Counter()
        self.untold: Counter[str] = Counter()
        self.notes: list[str] = []

    def unknown_row(self, kind: str) -> None:
        """A row of a kind that the importer does not know."""
        self.unknown_rows[kind] += 1

    def fields(self, row: Row, known: frozenset[str]) -> None:
        """Count the fields of a row that are not known."""
        if not row.keys() <= known:
            self.unknown_fields.update(row.keys() - known)

    def note(self, text: str) -> None:
        """A fact a user should know, once."""
        if text not in self.notes:
            self.notes.append(text)

    def lines(self) -> list[str]:
        """The summary for people, a line each."""
        told = [f"{self.source}: {_count(self.rows, 'row')} read"]
        if self.unreadable:
            told[0] += f", {self.unreadable} unreadable"
        for counts, what in ((self.unknown_rows, "row"), (self.unknown_fields, "field")):
            total = sum(counts.values())
            if total:
                told.append(f"{_count(total, f'unknown {what}')}: {_named(counts)}")
        told += [f"{count} {what}" for what, count in sorted(self.untold.items())]
        return told + self.notes


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"


def _named(counts: Counter[str]) -> str:
    ordered = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    named = [f"{name[:40]} ({count})" for name, count in ordered]
    more = len(named) - MOST_NAMED
    return ", ".join(named[:MOST_NAMED]) + (f" and {more} more" if more > 0 else "")
