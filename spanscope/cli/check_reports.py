"""The forms in which `check` reports: full, concise and JSON."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any, Protocol

from msgspec.structs import asdict

from spanscope.cli.evidence import evidence_lines
from spanscope.cli.judging import Incident, Judged
from spanscope.cli.output import SIGNS, Output, Piece, bold, muted, of_severity
from spanscope.history.rows import UnknownSubject
from spanscope.rules.finding import Finding

if TYPE_CHECKING:
    from spanscope.cli.second_opinion import SecondOpinion


class Report(Protocol):
    """Writes journals as they are judged."""

    def __init__(self, out: Output) -> None:
        """The output that it writes to."""

    def begin(self) -> None:
        """Write what stands before all journals."""

    def journal(self, judged: Judged) -> None:
        """Write one journal."""

    def end(self) -> None:
        """Write what stands after all journals."""


class FullReport:
    """For people: findings by incident, with evidence and remedy, and a summary."""

    def __init__(self, out: Output) -> None:
        self._out = out
        self._totals: Counter[str] = Counter()

    def begin(self) -> None:
        """Nothing stands before the first journal."""

    def journal(self, judged: Judged) -> None:
        """Its incidents, and what can't be told of it."""
        self._totals.update(judged.summary)
        self._totals.update(journal=1, event=judged.events)
        for incident in judged.incidents:
            self._incident(judged.path, incident)
        for unknown in judged.unknown:
            self._unknown(judged.path, unknown)
        if judged.cut_short_at is not None and not judged.holds_nothing:
            self._cut_short(judged.path, judged.cut_short_at)

    def end(self) -> None:
        """How many of each there were."""
        if self._totals["journal"]:
            self._out.line(*_summary(self._totals))

    def _incident(self, path: str, incident: Incident) -> None:
        grouped = len(incident.findings) > 1
        if grouped:
            what = f"  {incident.cause}" if incident.cause else ""
            size = f"  {len(incident.findings)} findings"
            self._out.line(bold(f"incident {incident.seq}"), what, muted(size))
        for finding in incident.findings:
            self._finding(path, finding, "  " if grouped else "")
        if not grouped and incident.cause and incident.findings[0].caused_by is not None:
            self._out.line(muted("  cause   "), f"{incident.seq} {incident.cause}")
        self._out.line()

    def _finding(self, path: str, finding: Finding, indent: str) -> None:
        sign = f"{SIGNS[finding.severity]} {finding.rule}"
        self._out.line(
            indent,
            bold(f"{path}:{place(finding)}"),
            " ",
            of_severity(finding.severity, sign),
            f" {finding.name} ",
            muted(f"({finding.severity})"),
        )
        self._out.line(indent, "  ", finding.message)
        for name, text in evidence_lines(finding.evidence):
            self._out.line(indent, muted(f"    {name}: "), text)
        self._out.line(indent, muted("  instead "), finding.remedy)
        self._out.line(indent, muted("  more    "), f"spanscope rule {finding.rule}")

    def _unknown(self, path: str, unknown: UnknownSubject) -> None:
        self._out.line(
            bold(f"{path}:{unknown.since}"),
            of_severity("unknown", " ? unknown"),
            f" {subject_words(unknown.subject)}",
        )
        self._out.line("  ", unknown.why)
        self._out.line()

    def _cut_short(self, path: str, last: int) -> None:
        self._out.line(bold(f"{path}:{last}"), " ends without a `close` event")
        self._out.line("  its writer was cut short there, or never writes one")
        self._out.line()


class ConciseReport:
    """For grep and editors: a line a finding, and one for each subject that can't be told."""

    def __init__(self, out: Output) -> None:
        self._out = out

    def begin(self) -> None:
        """Nothing stands before the first finding."""

    def journal(self, judged: Judged) -> None:
        """A line a finding: path, seq, rule, severity, message."""
        for finding in judged.findings:
            self._out.line(
                f"{judged.path}:{place(finding)}: {finding.rule} {finding.name} ",
                of_severity(finding.severity, finding.severity),
                f" {finding.message}",
            )
        for unknown in judged.unknown:
            self._out.line(
                f"{judged.path}:{unknown.since}: ",
                of_severity("unknown", "unknown"),
                f" {subject_words(unknown.subject)}: {unknown.why}",
            )

    def end(self) -> None:
        """Nothing stands after the last finding."""


class JsonReport:
    """For programs: one JSON document."""

    def __init__(self, out: Output) -> None:
        self._out = out
        self._separator = ""

    def begin(self) -> None:
        """Open the document."""
        self._out.punctuation('{"version": 1, "journals": [')

    def journal(self, judged: Judged) -> None:
        """One journal, written as soon as it is judged."""
        self._out.punctuation(self._separator)
        self._out.json(_journal_as_json(judged), end="")
        self._separator = ", "

    def end(self) -> None:
        """Close the document."""
        self._out.punctuation("]}\n")


REPORTS: dict[str, type[Report]] = {
    "full": FullReport,
    "concise": ConciseReport,
    "json": JsonReport,
}


def place(finding: Finding) -> str:
    """Where a finding is: its seq, or `+` and the byte offset for one about the file itself."""
    if finding.seq is not None:
        return str(finding.seq)
    return finding.id.partition("@")[2]


def subject_words(subject: dict[str, str | int]) -> str:
    """What a finding is about, such as `span docs/3`."""
    return ", ".join(f"{kind} {name}" for kind, name in subject.items())


def _journal_as_json(judged: Judged) -> dict[str, Any]:
    told: dict[str, Any] = {
        "path": judged.path,
        "session": judged.session,
        "events": judged.events,
        "summary": judged.summary,
        "unknown": [asdict(unknown) for unknown in judged.unknown],
        "findings": [asdict(finding) for finding in judged.findings],
    }
    if judged.second_opinion is not None:
        told["second_opinion"] = _opinion_as_json(judged.second_opinion)
    return told


def _opinion_as_json(opinion: SecondOpinion) -> dict[str, Any]:
    return {
        "agrees": opinion.agrees,
        "findings": opinion.findings,
        "events": opinion.events,
        "differences": [asdict(difference) for difference in opinion.differences],
    }


def _summary(totals: Counter[str]) -> list[Piece]:
    read = f"{_count(totals, 'event')} in {_count(totals, 'journal')}"
    found: list[Piece] = []
    for severity in ("error", "warning", "info", "unknown"):
        if totals[severity]:
            found += [", " if found else "Found ", of_severity(severity, _count(totals, severity))]
    return [*found, f": {read}."] if found else [f"Found nothing: {read}."]


def _count(totals: Counter[str], thing: str) -> str:
    number = totals[thing]
    plural = "" if number == 1 or thing in {"info", "unknown"} else "s"
    return f"{number:,} {thing}{plural}"
