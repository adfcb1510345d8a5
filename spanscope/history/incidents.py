"""Incidents: the findings of a history by the one event that is behind them."""

from __future__ import annotations

from bisect import bisect_right, insort
from collections.abc import Iterable, Iterator

from spanscope.rules.finding import SEVERITY_ORDER, Finding

Root = int | str
"""The seq of the event behind an incident; for a finding about the file itself the finding's id."""


def root_of(finding: Finding) -> Root:
    """What a finding comes from: its cause, else its own event, which made it true by itself."""
    if finding.caused_by is not None:
        return finding.caused_by
    return finding.id if finding.seq is None else finding.seq


class Incident:
    """Findings with one root, in file order."""

    __slots__ = ("_seqs", "findings", "root", "worst")

    def __init__(self, root: Root, first: Finding) -> None:
        self.root = root
        self.findings: list[Finding] = []
        self.worst = first
        self._seqs: dict[str, list[int]] = {}
        self.add(first)

    def add(self, finding: Finding) -> None:
        """Take one more finding in."""
        self.findings.append(finding)
        if SEVERITY_ORDER[finding.severity] < SEVERITY_ORDER[self.worst.severity]:
            self.worst = finding
        insort(self._seqs.setdefault(finding.severity, []), finding.seq or 0)

    @property
    def shared(self) -> bool:
        """Whether there are several."""
        return len(self.findings) > 1

    @property
    def seq(self) -> int | None:
        """The event behind it; null: it is about the file itself."""
        return self.root if isinstance(self.root, int) else None

    def worst_first(self) -> Iterator[Finding]:
        """Its findings by severity, then in file order."""
        order = sorted(self._seqs, key=lambda severity: SEVERITY_ORDER[severity])
        return (f for severity in order for f in self.findings if f.severity == severity)

    def count(self, severity: str, upto: int | None = None) -> int:
        """How many findings of a severity it has, up to a seq where one is given."""
        seqs = self._seqs.get(severity, [])
        return len(seqs) if upto is None else bisect_right(seqs, upto)

    def between(self, after: int, upto: int) -> int:
        """How many findings it has behind one seq, up to another."""
        ranges = self._seqs.values()
        return sum(bisect_right(seqs, upto) - bisect_right(seqs, after) for seqs in ranges)

    def __len__(self) -> int:
        """How many findings it has."""
        return len(self.findings)


class Incidents:
    """All incidents of the findings that were added, in the order of their first ones."""

    def __init__(self, findings: Iterable[Finding] = ()) -> None:
        self._by_root: dict[Root, Incident] = {}
        for finding in findings:
            self.add(finding)

    def add(self, finding: Finding) -> None:
        """Take a finding into the incident that it belongs to."""
        root = root_of(finding)
        incident = self._by_root.get(root)
        if incident is None:
            self._by_root[root] = Incident(root, finding)
        else:
            incident.add(finding)

    def at(self, root: Root) -> Incident | None:
        """The incident with this root; null: nothing comes from it."""
        return self._by_root.get(root)

    def of(self, finding: Finding) -> Incident:
        """The incident of a finding that was added."""
        return self._by_root[root_of(finding)]

    def __iter__(self) -> Iterator[Incident]:
        """Every incident."""
        return iter(self._by_root.values())

    def __len__(self) -> int:
        """How many there are."""
        return len(self._by_root)
