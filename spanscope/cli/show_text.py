"""What `show` prints for people: spans with their artifacts, undo stack, staging area."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence

from spanscope.cli.columns import columns, shorten
from spanscope.cli.output import SIGNS, Output, Piece, bold, muted, of_severity
from spanscope.history.describing import headline
from spanscope.history.history import History
from spanscope.history.moment import Moment
from spanscope.history.rows import ArtifactRow, DiffRow, SpanRow, UndoRow

_PREVIEW = 48
_HASH = 6
_MOST_PLACES = 4
_BAD_STATES = frozenset({"stale", "invalidated", "dangling"})
_BAD_VERDICTS = frozenset({"stale", "unreachable", "conflict"})


def show_text(history: History, moment: Moment, out: Output) -> None:
    """Print a moment: a heading, then each part with its counts."""
    _heading(history, moment, out)
    _spans(moment.spans(), moment.artifacts(), out)
    _undo(moment.undo(), moment.reachable, out)
    _staging(moment.staging(), out)


def _heading(history: History, moment: Moment, out: Output) -> None:
    revision = "?" if moment.revision is None else str(moment.revision)
    digest = "unknown" if moment.digest is None else moment.digest
    out.line(
        bold(history.name or "no header"), f"  step {moment.seq}/{history.last}  rev {revision}"
    )
    out.line(muted("digest "), digest)
    event = history.event(moment.seq)
    if event is not None:
        out.line(muted("event  "), f"{moment.seq} {headline(event)}")
    for finding in history.findings_at(moment.seq):
        sign = f"{SIGNS[finding.severity]} {finding.rule}"
        out.line("  ", of_severity(finding.severity, sign), f" {finding.message}")


def _title(out: Output, name: str, count: int, rest: str = "") -> None:
    out.line()
    out.line(bold(f"{name} {count}"), rest)


def _spans(rows: Sequence[SpanRow], artifacts: Sequence[ArtifactRow], out: Output) -> None:
    states: Counter[str] = Counter(row.span.life for row in rows)
    others = [
        f"  {word} {states[life]}"
        for life, word in (("tombstone", "tombstones"), ("pruned", "pruned"))
        if states[life]
    ]
    _title(out, "Spans", states["live"], "".join(others))
    held = defaultdict(list)
    for artifact in artifacts:
        held[artifact.artifact.span].append(artifact)
    lines = columns([_span_cells(row) for row in rows], numbers=(4, 5))
    for row, line in zip(rows, lines, strict=True):
        out.line(line)
        _artifacts(held.pop(row.name, []), out)
    if held:
        out.line(muted("  of spans that are gone"))
        for of_gone in held.values():
            _artifacts(of_gone, out)


def _span_cells(row: SpanRow) -> list[str]:
    span, text = row.span, row.span.text
    gutter = {"tombstone": "-", "pruned": "x", "unknown": "?"}.get(row.state, " ")
    return [
        f"{gutter} {row.name}",
        f"v{span.version}",
        "" if row.state == "live" else row.state,
        _short(span.hash),
        "?" if text is None else f"{len(text):,}",
        str(span.written),
        span.op,
        "" if text is None else shorten(text, _PREVIEW),
    ]


def _short(hash: str | None) -> str:
    return "?" if hash is None else hash.removeprefix("sha256:")[:_HASH]


def _artifacts(rows: Iterable[ArtifactRow], out: Output) -> None:
    for row in rows:
        out.line("    ", row.artifact.artifact, "  ", *_artifact_words(row))


def _artifact_words(row: ArtifactRow) -> list[Piece]:
    state, signals = row.judgement.state, ", ".join(row.judgement.signals)
    artifact = row.artifact
    ends = "" if artifact.range is None else f"{artifact.range[0]}..{artifact.range[1]}"
    unit = artifact.unit if ends and artifact.unit != "chars" else ""
    facts = (artifact.kind, artifact.holder or artifact.actor, ends, unit)
    pieces: list[Piece] = [_signed(state, state in _BAD_STATES)]
    if signals:
        pieces.append(f"  {signals}")
    pieces.append(muted("  " + " ".join(fact for fact in facts if fact)))
    return pieces


def _signed(word: str, bad: bool) -> Piece:
    """A verdict with the sign of what it is worth; a good one has none."""
    if word == "unknown":
        return of_severity("unknown", f"{SIGNS['unknown']} {word}")
    return of_severity("warning", f"{SIGNS['warning']} {word}") if bad else word


def _undo(rows: Sequence[UndoRow], reachable: int, out: Output) -> None:
    everything = reachable == len(rows)
    _title(out, "Undo", len(rows), f"  reachable {'all' if everything else reachable}")
    lines = columns([_entry_cells(row) for row in rows])
    ended: bool | None = True
    for number, (row, line) in enumerate(zip(rows, lines, strict=True)):
        if row.reachable is not ended and ended is not False:
            ended = row.reachable
            out.line(*_end_of_reach(row, len(rows) - number))
        out.line("  ", line if row.reachable else muted(line))


def _end_of_reach(row: UndoRow, left: int) -> list[Piece]:
    if row.reachable is None:
        return ["  ", of_severity("unknown", f"-- {left} unknown from #{row.entry.seq} on --")]
    return ["  ", of_severity("error", f"-- {left} blocked by #{row.blocked_by} --")]


def _entry_cells(row: UndoRow) -> list[str]:
    entry = row.entry
    span = entry.span if entry.span is not None else f"{len(entry.spans)} spans"
    direct = "offset only" if row.by_offset_alone else row.status.direct
    return [f"#{entry.seq}", entry.op, span, direct, _places(row)]


def _places(row: UndoRow) -> str:
    """Where several places fit, or one that is not where the edit was made; the true one first."""
    if row.status.direct not in {"ambiguous", "misleading", "moved"} or row.by_offset_alone:
        return ""
    places = sorted(row.places, key=lambda place: not place.true)
    shown = [f"{place.span} {place.at}{' (true)' * place.true}" for place in places[:_MOST_PLACES]]
    more = len(places) - len(shown)
    return ", ".join(shown) + (f" and {more} more" if more else "")


def _staging(rows: Sequence[DiffRow], out: Output) -> None:
    _title(out, "Staging", len(rows))
    for row in rows:
        judgement = row.judgement
        base = f"  base r{row.diff.claimed.revision} by {row.diff.author}"
        fragile = "  fragile" if judgement.fragile else ""
        verdict = _signed(judgement.verdict, judgement.verdict in _BAD_VERDICTS)
        out.line("  ", row.diff.diff, "  ", verdict, fragile, muted(base))
        for line in judgement.lines:
            thing = f"    {line.kind} {line.subject}".rstrip()
            out.line(thing, "  ", _signed(line.word, line.bad), muted(f"  {line.detail}".rstrip()))
        if judgement.why is not None:
            out.line("    ", judgement.why)
