"""What `check` keeps of a journal once it is judged, and what its exit code says."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, TypeAlias

from msgspec import Struct

from spanscope.cli.errors import CommandError
from spanscope.cli.reading import read_audited
from spanscope.history.audited import Audited
from spanscope.history.describing import headline
from spanscope.history.incidents import Incident as Group
from spanscope.history.incidents import Incidents
from spanscope.history.rows import UnknownSubject
from spanscope.journal.errors import JournalError
from spanscope.rules.catalogue import Selection
from spanscope.rules.finding import Finding

if TYPE_CHECKING:
    from spanscope.cli.second_opinion import SecondOpinion

_FAILING = {
    "error": ("error",),
    "warning": ("error", "warning"),
    "info": ("error", "warning", "info"),
    "unknown": ("error",),
    "never": (),
}


class Incident(Struct, frozen=True):
    """Findings with one cause, in file order.

    `seq` is the event behind them all, null for a finding about the file; `cause` says what that
    event was.
    """

    seq: int | None
    cause: str
    findings: list[Finding]


class Judged(Struct, frozen=True):
    """A journal's selected findings, and what can't be told. `session` null: no header.

    `second_opinion` is null where none was asked for.
    """

    path: str
    session: str | None
    events: int
    incidents: list[Incident]
    findings: list[Finding]
    unknown: Sequence[UnknownSubject]
    second_opinion: SecondOpinion | None = None
    cut_short_at: int | None = None
    """The last event of a recording that ends without `close`."""

    @property
    def holds_nothing(self) -> bool:
        """Whether no line of the file is a header or an event."""
        return self.session is None and not self.events

    @property
    def summary(self) -> dict[str, int]:
        """How many findings of each severity, and how many unknown subjects."""
        counts = Counter(finding.severity for finding in self.findings)
        found = {severity: counts[severity] for severity in ("error", "warning", "info")}
        return {**found, "unknown": len(self.unknown)}

    def fails(self, fail_on: str) -> bool:
        """Whether something is at or above `--fail-on`."""
        if fail_on == "unknown" and self.unknown:
            return True
        return any(finding.severity in _FAILING[fail_on] for finding in self.findings)


Outcome: TypeAlias = Judged | str
"""A journal that was judged, or why it can't be, in one line."""


class Judging(Struct, frozen=True):
    """How the journals of one command are judged; can be sent to another process."""

    max_line: int | None
    wanted: Selection
    verify: bool

    def __call__(self, path: str) -> Outcome:
        """Judge the journal at a path of the command line."""
        opinion = None
        try:
            if self.verify:
                # Loaded only where it is asked for.
                from spanscope.cli.verifying import audit_twice

                history, opinion = audit_twice(path, self.max_line)
            else:
                history = read_audited(path, self.max_line)
        except (CommandError, JournalError) as error:
            return str(error)
        return judge(path, history, self.wanted, opinion)


def judge(
    path: str,
    history: Audited,
    wanted: Selection,
    second_opinion: SecondOpinion | None = None,
) -> Judged:
    """What is to be said of a journal, without keeping its history."""
    findings = [finding for finding in history.findings if wanted.matches(finding.rule)]
    return Judged(
        path=path,
        session=history.session.session if history.session is not None else None,
        events=len(history),
        incidents=[_said(history, each) for each in Incidents(findings)],
        findings=findings,
        unknown=history.unknown,
        second_opinion=second_opinion,
        cut_short_at=history.last if history.cut_short else None,
    )


def _said(history: Audited, incident: Group) -> Incident:
    event = None if incident.seq is None else history.event(incident.seq)
    return Incident(incident.seq, "" if event is None else headline(event), list(incident.findings))
