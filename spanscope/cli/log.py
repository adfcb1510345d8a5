"""`spanscope log`: the events, a line each, with what was found at them."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Iterable, Iterator
from typing import Any

import msgspec
from msgspec.structs import asdict

from spanscope.cli.describing import describe
from spanscope.cli.errors import ExitCode
from spanscope.cli.output import SIGNS, Output, bold, muted, of_severity
from spanscope.cli.reading import read_history
from spanscope.cli.selecting import selection
from spanscope.history.history import History
from spanscope.history.rows import EventRow
from spanscope.journal.events import AnyEvent, Unknown
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
    _findings(_of_the_file(history, wanted), out)
    digits = len(str(history.last))
    for row in _rows(history, out):
        words = describe(row.event)
        out.line(
            bold(f"{row.seq:>{digits}}"),
            muted(f"  {row.event.time}  {row.event.actor}  "),
            "  ".join(word for word in words if word),
        )
        _findings(_wanted(row.findings, wanted), out)


def _findings(findings: Iterable[Finding], out: Output) -> None:
    for finding in findings:
        where = "" if finding.seq is not None else f" {finding.id.partition('@')[2]}"
        out.line(
            "    ",
            of_severity(finding.severity, f"{SIGNS[finding.severity]} {finding.rule}"),
            f" {finding.name}{where}: {finding.message}",
        )


def _json(history: History, wanted: Selection, out: Output) -> None:
    """One document, with each event on a line of its own."""
    session = history.session.session if history.session is not None else None
    of_the_file = [asdict(finding) for finding in _of_the_file(history, wanted)]
    out.punctuation('{"version": 1, "session": ')
    out.json(session, end=', "findings": ')
    out.json(of_the_file, end=', "events": [')
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


def _of_the_file(history: History, wanted: Selection) -> list[Finding]:
    return _wanted((finding for finding in history.findings if finding.seq is None), wanted)


def _wanted(findings: Iterable[Finding], wanted: Selection) -> list[Finding]:
    return [finding for finding in findings if wanted.matches(finding.rule)]
