"""A second opinion on a journal: where the engine and the plain implementation differ."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from msgspec import Struct

from spanscope.cli.show import moment_as_json
from spanscope.history.collecting import collection_paused
from spanscope.history.history import History
from spanscope.journal.reader import JournalParser
from spanscope.plain import audit, states
from spanscope.plain.finding import Finding as PlainFinding
from spanscope.plain.reading import Told, read
from spanscope.rules.finding import Finding

Heard = Callable[[int, int], None]
"""Is told how many of how many events are compared."""

_NAMED_BY = {"spans": "span", "artifacts": "artifact", "undo": "entry", "staging": "diff"}

Said = tuple[str, Any, Any]
"""What differs, what the engine says and what the second opinion says."""


class Difference(Struct, frozen=True):
    """One thing that the two say differently; `seq` null: about the file itself.

    A state that differs is told where that begins, not again while it lasts.
    """

    seq: int | None
    what: str
    engine: Any
    plain: Any


class SecondOpinion(Struct, frozen=True):
    """What was compared: so many findings, and the state after each of so many events."""

    findings: int
    events: int
    differences: list[Difference]

    @property
    def agrees(self) -> bool:
        """Whether the two say the same of everything that was compared."""
        return not self.differences


def second_opinion(
    journal: bytes, findings: Sequence[Finding], *, max_line: int, live: bool, heard: Heard
) -> SecondOpinion:
    """Compare findings, and the state at every step, with those of the plain implementation.

    `live`: its writer lives, so its end tells nothing. A second opinion that fails is one that
    differs.
    """
    history = _history(journal, max_line, live=live)
    differences: list[Difference] = []
    try:
        told = _told(journal, max_line, live=live)
        differences += _in_states(history, told, heard)
        differences += _in_findings(findings, audit.findings(told))
    except Exception as error:  # noqa: BLE001 whatever it is, the engine's verdicts still stand
        said = f"{type(error).__name__}: {error}"
        differences.append(Difference(None, "the second opinion failed", None, said))
    return SecondOpinion(len(findings), len(history), differences)


def _history(journal: bytes, max_line: int, *, live: bool) -> History:
    history = History(max_line)
    with collection_paused():
        history.feed(journal)
        history.finish(live=live)
    return history


def _told(journal: bytes, max_line: int, *, live: bool) -> Told:
    parser = JournalParser(max_line)
    return read([*parser.feed(journal), *parser.finish(live=live)], ended=not live)


def _in_findings(engine: Iterable[Finding], plain: Iterable[PlainFinding]) -> list[Difference]:
    """The findings that only one of them has, by rule, seq, subject and severity."""
    ours = Counter(_of_engine(found) for found in engine)
    theirs = Counter(plain)
    only_ours, only_theirs = (ours - theirs).elements(), (theirs - ours).elements()
    found = [(finding, True) for finding in only_ours]
    found += [(finding, False) for finding in only_theirs]
    return [
        Difference(finding.seq, _named(finding), ours, not ours)
        for finding, ours in sorted(found, key=lambda one: _in_file_order(one[0]))
    ]


def _of_engine(finding: Finding) -> PlainFinding:
    offset = finding.evidence.get("offset") if finding.seq is None else None
    subject = tuple(sorted(finding.subject.items()))
    return PlainFinding(finding.rule, finding.seq, subject, finding.severity, offset)


def _in_file_order(finding: PlainFinding) -> tuple[int, int, str, str]:
    return finding.seq or 0, finding.offset or 0, finding.rule, repr(finding.subject)


def _named(finding: PlainFinding) -> str:
    subject = "".join(f", {kind} {name}" for kind, name in finding.subject)
    place = "" if finding.offset is None else f" at byte {finding.offset}"
    return f"{finding.rule} ({finding.severity}){place}{subject}"


def _in_states(history: History, told: Told, heard: Heard) -> Iterator[Difference]:
    """What differs after each event, where it begins to."""
    seqs = [moment.event.seq for moment in told.moments]
    if list(history.seqs) != seqs:
        yield Difference(None, "the events that count", list(history.seqs), seqs)
        return
    differing: set[str] = set()
    for index, moment in enumerate(told.moments_shown):
        heard(index, len(seqs))
        here = history.at(moment.event.seq)
        found = [
            *_in_order(here.order, list(moment.after.buffer.order)),
            *_in_step(moment_as_json(here), states.shown(told, index)),
        ]
        for what, engine, plain in found:
            if what not in differing:
                yield Difference(here.seq, what, engine, plain)
        differing = {what for what, _, _ in found}


def _in_order(engine: list[str], plain: list[str]) -> Iterator[Said]:
    if engine != plain:
        yield "the order of the live spans", engine, plain


def _in_step(engine: dict[str, Any], plain: dict[str, Any]) -> Iterator[Said]:
    """What differs in two states that are told in the shape of `show`."""
    yield from _in_fields("the buffer", ("revision", "digest"), engine, plain)
    for kind, key in _NAMED_BY.items():
        ours = {row[key]: row for row in engine[kind]}
        theirs = {row[key]: row for row in plain[kind]}
        for name in dict.fromkeys((*ours, *theirs)):
            if name in ours and name in theirs:
                one, other = _in_place_order(ours[name]), _in_place_order(theirs[name])
                yield from _in_fields(f"{key} {name}", one, one, other)
            else:
                yield f"{key} {name}", name in ours, name in theirs


def _in_fields(
    whose: str, fields: Iterable[str], engine: dict[str, Any], plain: dict[str, Any]
) -> Iterator[Said]:
    for field in fields:
        if engine[field] != plain[field]:
            yield f"{whose}, {field}", engine[field], plain[field]


def _in_place_order(row: dict[str, Any]) -> dict[str, Any]:
    """The row with its places ascending: which comes first says nothing."""
    if "places" not in row:
        return row
    return {**row, "places": sorted(row["places"], key=lambda place: (place["span"], place["at"]))}
