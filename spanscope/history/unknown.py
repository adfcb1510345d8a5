"""What can't be told: every unknown subject, since when and why. It is never called clean."""

from __future__ import annotations

from bisect import bisect_left

from spanscope.history.rows import UnknownSubject
from spanscope.model.diffs import Diff
from spanscope.model.spans import Doubt
from spanscope.rules.judge import Judge


def unknown_now(judge: Judge) -> list[UnknownSubject]:
    """Subjects that were unknown at a use, apply, rollback or compact, or are at the end."""
    found = {
        key: UnknownSubject(subject=listed.subject, since=listed.doubt.since, why=listed.doubt.why)
        for key, listed in judge.memory.unknown.items()
    }
    for kind, name, doubt in (*_spans(judge), *_artifacts(judge), *_entries(judge), *_diffs(judge)):
        if (kind, name) not in found:
            found[kind, name] = UnknownSubject(
                subject={kind: name}, since=doubt.since, why=doubt.why
            )
    return list(found.values())


def _spans(judge: Judge) -> list[tuple[str, str | int, Doubt]]:
    return [
        ("span", span.span, span.doubt or Doubt(span.seq, "its content is not recorded"))
        for span in judge.state.spans.values()
        if not span.gone and span.unknown
    ]


def _artifacts(judge: Judge) -> list[tuple[str, str | int, Doubt]]:
    found: list[tuple[str, str | int, Doubt]] = []
    for name, judgement in judge.memory.artifacts.items():
        artifact = judge.state.artifacts.get(name)
        if artifact is None or judgement.state != "unknown":
            continue
        span = judge.state.spans.get(artifact.span)
        doubt = artifact.doubt or (span.doubt if span is not None else None)
        found.append(("artifact", name, doubt or Doubt(artifact.seq, judgement.why or "unknown")))
    return found


def _entries(judge: Judge) -> list[tuple[str, str | int, Doubt]]:
    stack, doubt = judge.state.stack, judge.state.doubt
    unknown = 0 if doubt is None else min(judge.state.known_from, len(stack))
    found: list[tuple[str, str | int, Doubt]] = []
    if doubt is not None:
        found += [("entry", entry.seq, doubt) for entry in stack[:unknown]]
    for seq in judge.memory.reach.all_uncertain():
        place = bisect_left(stack, seq, unknown, key=lambda entry: entry.seq)
        if place < len(stack) and stack[place].seq == seq:
            why = Doubt(seq, "what it replaced or its inverse is not recorded")
            found.append(("entry", seq, stack[place].doubt or why))
    return found


def _diffs(judge: Judge) -> list[tuple[str, str | int, Doubt]]:
    found: list[tuple[str, str | int, Doubt]] = []
    for name, diff in judge.state.staged.items():
        verdict = judge.memory.verdicts.get(name)
        if verdict is not None and verdict.verdict == "unknown":
            doubt = diff.doubt or judge.state.doubt
            found.append(("diff", name, doubt or _doubt_of(judge, diff, verdict.why or "unknown")))
    return found


def _doubt_of(judge: Judge, diff: Diff, why: str) -> Doubt:
    """Since when a diff is unknown where its spans are, but not before it was staged."""
    spans = (judge.state.spans.get(name) for name in diff.named_spans)
    doubts = [span.doubt for span in spans if span is not None and span.doubt is not None]
    told = [doubt.since for doubt in doubts if doubt.why == why]
    since = min(told or (doubt.since for doubt in doubts), default=diff.seq)
    return Doubt(max(diff.seq, since), why)
