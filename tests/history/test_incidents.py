"""Incidents: findings by what is behind them, grown one by one or seen all at once."""

from __future__ import annotations

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from spanscope.history.incidents import Incidents, root_of
from spanscope.rules.finding import SEVERITY_ORDER, Finding, Severity

SEVERITIES: tuple[Severity, ...] = ("error", "warning", "info")


def a_finding(number: int, seq: int | None, severity: Severity, cause: int | None) -> Finding:
    return Finding(
        id=f"UND201@{number}",
        rule="UND201",
        name="missing-inverse",
        severity=severity,
        seq=seq,
        subject={},
        message="",
        evidence={},
        remedy="",
        caused_by=cause,
    )


@st.composite
def some_findings(draw: st.DrawFn) -> list[Finding]:
    seqs = sorted(draw(st.lists(st.integers(1, 12), max_size=25)))
    found = []
    for number, seq in enumerate(seqs):
        cause = draw(st.one_of(st.none(), st.integers(1, seq)))
        about_file = draw(st.integers(0, 9)) == 0
        severity = draw(st.sampled_from(SEVERITIES))
        found.append(a_finding(number, None if about_file else seq, severity, cause))
    return found


@given(some_findings())
def test_every_finding_is_in_the_incident_of_its_cause(findings: list[Finding]) -> None:
    incidents = Incidents(findings)
    plain: dict[object, list[Finding]] = {}
    for finding in findings:
        cause = finding.caused_by if finding.caused_by is not None else finding.seq
        plain.setdefault(finding.id if cause is None else cause, []).append(finding)
    assert {each.root: each.findings for each in incidents} == plain
    assert [each.root for each in incidents] == list(plain)
    assert len(incidents) == len(plain)
    for each in incidents:
        assert incidents.at(each.root) is each
        assert each.seq == (each.root if isinstance(each.root, int) else None)
        assert len(each) == len(each.findings)
        assert each.worst is min(each.findings, key=lambda one: SEVERITY_ORDER[one.severity])
        assert each.shared == (len(each.findings) > 1)
        worst_first = sorted(each.findings, key=lambda one: SEVERITY_ORDER[one.severity])
        assert list(each.worst_first()) == worst_first
        for after, end in ((0, 12), (3, 7), (7, 7), (11, 12)):
            between = [one for one in each.findings if after < (one.seq or 0) <= end]
            assert each.between(after, end) == len(between)
        for upto in (None, 0, 3, 7, 12):
            counts = Counter(
                one.severity for one in each.findings if upto is None or (one.seq or 0) <= upto
            )
            for severity in SEVERITIES:
                assert each.count(severity, upto) == counts[severity]
        for finding in each.findings:
            assert incidents.of(finding) is each
            assert root_of(finding) == each.root


def test_nothing_comes_from_nothing() -> None:
    assert Incidents().at(3) is None
    assert list(Incidents()) == []
