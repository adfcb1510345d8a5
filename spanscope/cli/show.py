"""`spanscope show`: the buffer after one event."""

from __future__ import annotations

from argparse import Namespace
from typing import Any

from spanscope.cli.errors import CommandError, ExitCode
from spanscope.cli.output import Output
from spanscope.cli.reading import read_history
from spanscope.cli.show_text import show_text
from spanscope.history.history import History
from spanscope.history.moment import Moment
from spanscope.history.rows import ArtifactRow, DiffRow, SpanRow, UndoRow
from spanscope.journal.errors import shown


def run(options: Namespace, out: Output) -> int:
    """Print spans, artifacts, undo stack and staging area as they are after an event."""
    history = read_history(options.path, options.max_line)
    moment = history.at(_seq(options, history))
    if options.output_format == "json":
        out.json(moment_as_json(moment))
    else:
        show_text(history, moment, out)
    return ExitCode.OK


def moment_as_json(moment: Moment) -> dict[str, Any]:
    """A moment as `show --output-format json` prints it."""
    return {
        "version": 1,
        "seq": moment.seq,
        "revision": moment.revision,
        "digest": moment.digest,
        "spans": [_span(row) for row in moment.spans()],
        "artifacts": [_artifact(row) for row in moment.artifacts()],
        "undo": [_entry(row) for row in moment.undo()],
        "staging": [_diff(row) for row in moment.staging()],
    }


def _seq(options: Namespace, history: History) -> int:
    if options.at is None:
        return history.last
    if options.at > history.last:
        raise CommandError(
            f"{shown(options.path)} has no event {options.at}: its last is {history.last}"
        )
    seq: int = options.at
    return seq


def _span(row: SpanRow) -> dict[str, Any]:
    span, text = row.span, row.span.text
    return {
        "span": span.span,
        "state": row.state,
        "version": span.version,
        "hash": span.hash,
        "produced_by": span.produced_by,
        "role": span.role,
        "store": span.store,
        "length": None if text is None else len(text),
        "content": text,
    }


def _artifact(row: ArtifactRow) -> dict[str, Any]:
    return {
        "artifact": row.artifact.artifact,
        "span": row.artifact.span,
        "kind": row.artifact.kind,
        "state": row.judgement.state,
        "signals": list(row.judgement.signals),
    }


def _entry(row: UndoRow) -> dict[str, Any]:
    return {
        "entry": row.entry.seq,
        "span": row.entry.span,
        "op": row.entry.op,
        "direct": row.status.direct,
        "reachable": row.reachable,
        "places": [place._asdict() for place in row.places],
    }


def _diff(row: DiffRow) -> dict[str, Any]:
    return {
        "diff": row.diff.diff,
        "verdict": row.judgement.verdict,
        "fragile": row.judgement.fragile,
        "reasons": list(row.judgement.rules),
    }
