"""The findings of a history by what they are about, what is behind them and when."""

from __future__ import annotations

from bisect import bisect_left, bisect_right, insort
from collections.abc import Callable, Iterable, Sequence
from itertools import islice

from spanscope.history.incidents import Incident, Incidents
from spanscope.rules.finding import SEVERITY_ORDER, Finding
from spanscope.widgets.about import About
from spanscope.widgets.lines import Role
from spanscope.widgets.subject import Subject, subjects_of

SIGNS = {"error": "!", "warning": "~", "info": "i"}
"""Severity as a character, always before the code."""

ROLES: dict[str, Role] = {"error": "error", "warning": "warning", "info": "muted"}
"""Severity as a role."""


def sign(finding: Finding) -> str:
    """The severity's sign."""
    return SIGNS[finding.severity]


def role(finding: Finding) -> Role:
    """The severity's role."""
    return ROLES[finding.severity]


def worst_first(findings: Iterable[Finding]) -> list[Finding]:
    """By severity, then as they came."""
    return sorted(findings, key=lambda finding: SEVERITY_ORDER[finding.severity])


def label(findings: Sequence[Finding]) -> str:
    """The worst of some findings and how many there are besides: `~ DIF301 +2`."""
    if not findings:
        return ""
    worst = worst_first(findings)[0]
    more = f" +{len(findings) - 1}" if len(findings) > 1 else ""
    return f"{sign(worst)} {worst.rule}{more}"


Ids = dict[str, str | int]
"""A thing as histories name it."""

NOTHING = About()
"""Of what nothing was found."""


FILE_KEPT = 20
"""Of what is found about the file itself so many of each severity are at hand."""


class FindingIndex:
    """Findings by subject, by incident and by seq; grows with its history's list."""

    def __init__(
        self, findings: Sequence[Finding], touched: Callable[[Ids], Sequence[int]]
    ) -> None:
        """`touched` tells which events touched a thing, ascending."""
        self._findings = findings
        self._touched = touched
        self._read = 0
        self._first: Finding | None = None
        self._by_subject: dict[Subject, About] = {}
        self.incidents = Incidents()
        self._worst: tuple[int, list[Incident]] = (0, [])
        self._seqs: dict[str, list[int]] = {"error": [], "warning": [], "info": []}
        self._about_file: dict[str, list[Finding]] = {severity: [] for severity in self._seqs}
        self._file = dict.fromkeys(self._seqs, 0)
        self.update()

    def update(self) -> None:
        """Take in what the history has found since."""
        for finding in self._new():
            for subject in subjects_of(finding):
                about = self._by_subject.get(subject)
                if about is None:
                    about = self._by_subject[subject] = About()
                about.add(finding, self._touched(subject.ids))
            self.incidents.add(finding)
            if finding.seq is None:
                self._file[finding.severity] += 1
                if len(kept := self._about_file[finding.severity]) < FILE_KEPT:
                    kept.append(finding)
            else:
                insort(self._seqs[finding.severity], finding.seq)
        self._read = len(self._findings)
        self._first = self._findings[0] if self._findings else None

    def _new(self) -> list[Finding]:
        """What came at the end, and before the first: one about the file's first line."""
        if self._first is None:
            return list(self._findings[self._read :])
        before = next(i for i, finding in enumerate(self._findings) if finding is self._first)
        return [*self._findings[:before], *self._findings[self._read + before :]]

    def about(self, subject: Subject) -> About:
        """All findings about a subject."""
        return self._by_subject.get(subject, NOTHING)

    @property
    def about_file(self) -> list[Finding]:
        """The first findings about the file itself, the worst first."""
        return [finding for kept in self._about_file.values() for finding in kept]

    @property
    def known(self) -> int:
        """How many findings there are so far."""
        return self._read

    def worst_incidents(self) -> Sequence[Incident]:
        """All incidents, the worst first; among equals the earliest."""
        known, ranked = self._worst
        if known != self._read:
            ranked += list(islice(self.incidents, len(ranked), None))
            ranked.sort(key=_rank)
            self._worst = (self._read, ranked)
        return ranked

    def count(self, severity: str, upto: int | None = None) -> int:
        """How many there are of a severity, up to a seq where one is given.

        One about the file itself has no seq: it counts at every step.
        """
        seqs = self._seqs[severity]
        return self._file[severity] + (len(seqs) if upto is None else bisect_right(seqs, upto))

    def first(self, severity: str) -> int | None:
        """The seq of the first finding of a severity."""
        seqs = self._seqs[severity]
        return seqs[0] if seqs else None

    def following(self, seq: int, severities: Iterable[str]) -> int | None:
        """The next seq after `seq` with a finding of these severities."""
        found = []
        for severity in severities:
            seqs = self._seqs[severity]
            place = bisect_right(seqs, seq)
            found += seqs[place : place + 1]
        return min(found, default=None)

    def preceding(self, seq: int, severities: Iterable[str]) -> int | None:
        """The last seq before `seq` with a finding of these severities."""
        found = []
        for severity in severities:
            seqs = self._seqs[severity]
            place = bisect_left(seqs, seq)
            found += seqs[place - 1 : place] if place else []
        return max(found, default=None)


def _rank(incident: Incident) -> tuple[int, int]:
    return SEVERITY_ORDER[incident.worst.severity], incident.seq or 0
