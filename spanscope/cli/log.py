"""`spanscope log`: the events, a line each, with what was found at them."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Iterable, Iterator
from typing import Any

import msgspec
from msgspec.structs import asdict

from spanscope.cli.errors import ExitCode
from spanscope.cli.output import SIGNS, Output, bold, muted, of_severity
from spanscope.cli.reading import read_history
from spanscope.cli.selecting import selection
from spanscope.history.describing import about, details
from spanscope.history.history import History
from spanscope.history.rows import EventRow
from spanscope.journal.events import AnyEvent, Unknown, type_of
from spanscope.rules.catalogue import Selection
from spanscope.rules.finding import Finding


def run(options: Namespace, out: Output) -> int:
    """Print what is wrong with the file itself, then every event with its findings."""
    wanted = selection(options)
    history = read_history(options.path, options.max_line)
    print_log = _json if options.output_format == "json" else _text
    print_log(history, wanted, out)
    return ExitCode.OK


def _text(history: History, wanted: Selection, out: Output) -> None:
    _findings(_of_no_event(history, wanted), out, placed=True)
    digits = len(str(history.last))
    for row in _rows(history, out):
        words = (type_of(row.event), about(row.event), ", ".join(details(row.event, history)))
        out.line(
            bold(f"{row.seq:>{digits}}"),
            muted(f"  {row.event.time}  {row.event.actor}  "),
            "  ".join(word for word in words if word),
        )
        _findings(_wanted(row.findings, wanted), out)


def _findings(findings: Iterable[Finding], out: Output, *, placed: bool = False) -> None:
    for finding in findings:
        where = f" {finding.id.partition('@')[2]}" if placed else ""
        out.line(
            "    ",
            of_severity(finding.severity, f"{SIGNS[finding.severity]} {finding.rule}"),
            f" {finding.name}{where}: {finding.message}",
        )


def _json(history: History, wanted: Selection, out: Output) -> None:
    """One document, with each event on a line of its own."""
    session = history.session.session if history.session is not None else None
    of_no_event = [asdict(finding) for finding in _of_no_event(history, wanted)]
    out.punctuation('{"version": 1, "session": ')
    out.json(session, end=', "findings": ')
    out.json(of_no_event, end=', "events": [')
    separator = "\n"
    for row in _rows(history, out):
        out.punctuation(separator)
        found = [asdict(finding) for finding in _wanted(row.findings, wanted)]
        out.json({"seq": row.seq, "event": event_fields(row.event), "findings": found}, end="")
        separator = ",\n"
    out.punctuation("\n]}\n")


def event_fields(event: AnyEvent | Unknown) -> dict[str, Any]:
    """An event with the fields that its line in the journal has."""
    fields: dict[str, Any] = msgspec.to_builtins(event)
    if isinstance(event, Unknown):
        fields |= fields.pop("fields")
    return fields


def _rows(history: History, out: Output) -> Iterator[EventRow]:
    """Every event, as long as somebody reads them."""
    for position in range(len(history)):
        if out.closed:
            return
        yield history.event_row(position)


def _of_no_event(history: History, wanted: Selection) -> list[Finding]:
    """What is wrong with the file itself, or with a line that was not taken as an event."""
    return [
        finding
        for finding in _wanted(history.findings, wanted)
        if finding.seq is None or history.event(finding.seq) is None
    ]


def _wanted(findings: Iterable[Finding], wanted: Selection) -> list[Finding]:
    return [finding for finding in findings if wanted.matches(finding.rule)]
