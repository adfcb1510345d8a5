"""What panes are about: a span, an artifact, an undo entry or a diff, by its id."""

from __future__ import annotations

from typing import Literal, NamedTuple

from spanscope.journal import events
from spanscope.journal.events import AnyEvent, Unknown
from spanscope.rules.finding import Finding

Kind = Literal["span", "artifact", "entry", "diff"]

_NAMED_FIRST: tuple[Kind, ...] = ("diff", "artifact", "entry", "span")


class Subject(NamedTuple):
    """One thing that can be selected; `id` is the seq for an entry."""

    kind: Kind
    id: str | int

    @property
    def ids(self) -> dict[str, str | int]:
        """As findings and histories name it."""
        return {self.kind: self.id}

    @property
    def name(self) -> str:
        """As people read it: `docs/3`, `#112`."""
        return f"#{self.id}" if self.kind == "entry" else str(self.id)


def subjects_of(finding: Finding) -> list[Subject]:
    """Everything that a finding is about, what it is most about first."""
    return [
        Subject(kind, finding.subject[kind]) for kind in _NAMED_FIRST if kind in finding.subject
    ]


_FIELDS: dict[type, tuple[Kind, str]] = {
    events.Derive: ("artifact", "artifact"),
    events.Use: ("artifact", "artifact"),
    events.Release: ("artifact", "artifact"),
    events.Stage: ("diff", "diff"),
    events.Apply: ("diff", "diff"),
    events.Reject: ("diff", "diff"),
    events.Withdraw: ("diff", "diff"),
    events.Ingest: ("span", "span"),
    events.Splice: ("span", "span"),
    events.Prune: ("span", "span"),
    events.Move: ("span", "span"),
    events.InverseRecord: ("entry", "of"),
    events.Abort: ("entry", "of"),
}


def subject_of(event: AnyEvent | Unknown | None) -> Subject | None:
    """What an event is about; null where it is about nothing that can be selected."""
    found = _FIELDS.get(type(event))
    if found is not None:
        kind, field = found
        return Subject(kind, getattr(event, field))
    match event:
        case events.Rewrite(span=span, into=into):
            return Subject("span", into or span)
        case events.Evict(of=[seq, *_]) | events.Rollback(of=[seq, *_]):
            return Subject("entry", seq)
        case events.Compact(spans=[span, *_]):
            return Subject("span", span)
        case _:
            return None
