"""Making findings: the catalogue's words, ids that are unique at an event."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from spanscope.model.content import Damage, damages
from spanscope.rules.catalogue import RULES
from spanscope.rules.finding import Finding, Severity


class Report:
    """Collects the findings of one event."""

    def __init__(self, seq: int) -> None:
        self.seq = seq
        self.findings: list[Finding] = []
        self._said: set[tuple[str, frozenset[tuple[str, str | int]]]] = set()

    def add(
        self,
        rule: str,
        subject: Mapping[str, str | int],
        message: str,
        evidence: dict[str, Any] | None = None,
        *,
        severity: Severity | None = None,
        caused_by: int | None = None,
    ) -> None:
        """Report a rule for a subject; one a subject."""
        entry = RULES[rule]
        wanted = dict(subject)
        key = (rule, frozenset(wanted.items()))
        if key in self._said:
            return
        self._said.add(key)
        self.findings.append(
            Finding(
                id="",
                rule=rule,
                name=entry.name,
                severity=severity or entry.severity,
                seq=self.seq,
                subject=wanted,
                message=message,
                evidence=evidence or {},
                remedy=entry.remedy,
                caused_by=None if caused_by == self.seq else caused_by,
            )
        )

    def sorted(self) -> list[Finding]:
        """By rule, then by subject, with their ids."""
        ordered = sorted(self.findings, key=lambda f: (f.rule, _key(f.subject)))
        counts: dict[str, int] = {}
        named = []
        for finding in ordered:
            number = counts[finding.rule] = counts.get(finding.rule, 0) + 1
            suffix = "" if number == 1 else f".{number}"
            named.append(_with_id(finding, f"{finding.rule}@{self.seq}{suffix}"))
        return named


def _key(subject: Mapping[str, str | int]) -> list[tuple[str, int, str]]:
    return [
        (name, value if isinstance(value, int) else 0, str(value))
        for name, value in sorted(subject.items())
    ]


def _with_id(finding: Finding, id: str) -> Finding:
    from msgspec.structs import replace

    return replace(finding, id=id)


def excerpt(text: str, most: int = 60) -> str:
    """The start of a text, for a message; `..` where it was cut."""
    return text if len(text) <= most else text[: most - 2] + ".."


def damage_evidence(expected: str, actual: str) -> tuple[Damage, dict[str, Any]]:
    """The first place where two known texts differ, and the evidence of all of them."""
    found = damages(expected, actual)
    first = found[0]
    return first, {
        "ranges": [[each.at, each.at + len(each.actual)] for each in found],
        "expected": first.expected,
        "actual": first.actual,
    }


def short_hash(hash: str | None) -> str:
    """The first six hex digits of a hash."""
    return "unknown" if hash is None else hash.removeprefix("sha256:")[:6]
