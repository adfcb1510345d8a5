"""The rules at a use and at a derivation: SPN102 to SPN106, SPN115, SPN132, SPN144."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from typing import Any

from msgspec.structs import replace

from spanscope.journal.events import Derive, Use
from spanscope.model.effects import Effect
from spanscope.model.spans import Artifact, DerivedFrom, Doubt, Span, same_content
from spanscope.model.state import BufferState
from spanscope.model.versions import may_be_at
from spanscope.rules.endings import ending
from spanscope.rules.finding import Severity
from spanscope.rules.holders import FRESH, is_untouched, judge_artifact
from spanscope.rules.judgements import ArtifactJudgement
from spanscope.rules.memory import Memory
from spanscope.rules.ranged import may_be_intact, stands_now, why_no_range
from spanscope.rules.report import Report, excerpt, short_hash


def judge_use(state: BufferState, event: Use, memory: Memory, report: Report) -> None:
    """What a use of an artifact says about it."""
    artifact = state.artifacts.get(event.artifact)
    plain = event.outcome != "caught" and event.range is None
    untouched = plain and artifact is not None and is_untouched(artifact, state.spans.get)
    if untouched and not state.superseded:
        return
    subject = {"artifact": event.artifact}
    if artifact is None:
        if state.surely_left("artifact", event.artifact):
            message = f"use names artifact {event.artifact}, which is not live."
            report.add("JNL007", subject, message, dict(subject))
        else:
            lost = Doubt(event.seq, "its derive may be among the events that were lost")
            memory.note_unknown("artifact", event.artifact, state.doubt or lost)
        return
    subject["span"] = artifact.span
    if untouched:
        _superseded(state, artifact, report, subject)
        return
    found = judge_artifact(artifact, state.spans.get, memory.since_in(state))
    if _may_be_another(state, artifact, event, found):
        why = "it may have been derived again where events were lost"
        memory.note_unknown("artifact", event.artifact, Doubt(state.lost_at, why))
        return
    own = state.spans.get(artifact.span)
    if found.state == "dangling" and own is not None and state.may_be_back(own):
        why = f"{own.span} may have come back where events were lost"
        memory.note_unknown("artifact", event.artifact, Doubt(state.lost_at, why))
        return
    if found.state == "dangling":
        _dangling(artifact, event, found, subject, report)
        return
    _superseded(state, artifact, report, subject)
    if found.state == "unknown":
        since = artifact.doubt or _doubt(state, artifact, found)
        memory.note_unknown("artifact", event.artifact, since)
        return
    if event.outcome == "used":
        _used(state, artifact, event, found, subject, report)
    else:
        _caught(state, artifact, event, found, subject, report)


def _may_be_another(
    state: BufferState, artifact: Artifact, event: Use, found: ArtifactJudgement
) -> bool:
    """Whether it may have been derived again where events were lost, and nothing is to be said.

    That its holder was told since holds of that one too; where its range stands does not. Once a
    digest has shown that the buffer is as it was, only what was untrue before them is in question.
    """
    if artifact.seq >= state.lost_at:
        return False
    if event.range is not None and state.may_be_another(artifact):
        return True
    if found.state in ("fresh", "unknown") or (artifact.told or 0) >= state.lost_at:
        return False
    return state.may_be_another(artifact) or not _changed_since(state, artifact)


def _changed_since(state: BufferState, artifact: Artifact) -> bool:
    """Whether anything that an artifact rests on is another than before events were lost."""
    for name in artifact.spans:
        then, now = state.span_at(name, state.lost_at - 1), state.spans.get(name)
        if then is None or now is None:
            continue
        # What the digest knows again it was then, too.
        then = replace(then, doubt=None)
        if then.gone != now.gone or same_content(then, now) is False:
            return True
    return False


def _doubt(state: BufferState, artifact: Artifact, found: ArtifactJudgement) -> Doubt:
    if found.content_same and found.why is not None:
        return Doubt(artifact.seq, found.why)
    for name in artifact.spans:
        span = state.spans.get(name)
        if span is not None and span.doubt is not None:
            return span.doubt
        if span is not None and span.unknown:
            return Doubt(span.seq, f"the content of {name} is not recorded")
    return state.doubt or Doubt(artifact.seq, "what it was derived from is not recorded")


def _dangling(
    artifact: Artifact,
    event: Use,
    found: ArtifactJudgement,
    subject: dict[str, str],
    report: Report,
) -> None:
    caught = event.outcome != "used"
    verb = "refused" if caught else "used"
    message = f"{artifact.artifact} was {verb} though its span {artifact.span} has been gone since "
    message += f"{found.cause}."
    evidence = {"span": artifact.span, "gone_at": found.cause, "outcome": event.outcome}
    severity: Severity | None = "info" if caught else None
    report.add("SPN132", subject, message, evidence, severity=severity, caused_by=found.cause)


def _superseded(
    state: BufferState, artifact: Artifact, report: Report, subject: dict[str, str]
) -> None:
    found = state.superseded.get(artifact.span)
    if found:
        first, later = found[0], found[-1]
        message = f"{artifact.artifact} was used though {later.span} supersedes its span "
        message += f"{artifact.span} since {later.seq}."
        evidence = {"superseded_by": later.span}
        report.add("SPN144", subject, message, evidence, caused_by=first.seq)


def _used(
    state: BufferState,
    artifact: Artifact,
    event: Use,
    found: ArtifactJudgement,
    subject: dict[str, str],
    report: Report,
) -> None:
    own = artifact.range
    stale = found.state in ("stale", "invalidated")
    span = state.spans.get(artifact.span)
    evidence = _evidence(artifact, event, found)
    if event.range is not None and own is not None and span is not None:
        place = stands_now(artifact, span)
        if place is not None:
            intact = place.text == found.meant
            if event.range == place.range and intact:
                return
            if event.range != place.range:
                stands = place.range if intact else None
                _elsewhere(artifact, event, stands, found, subject, report)
    if not stale:
        return
    severity: Severity | None = "warning" if may_be_intact(state, artifact, found) else None
    message = f"{artifact.artifact} was used stale: {_what_changed(artifact, found, state)}"
    report.add("SPN102", subject, message, evidence, severity=severity, caused_by=found.cause)


def _elsewhere(
    artifact: Artifact,
    event: Use,
    stands: tuple[int, int] | None,
    found: ArtifactJudgement,
    subject: dict[str, str],
    report: Report,
) -> None:
    assert event.range is not None
    where = f"stands at {stands[0]}..{stands[1]}" if stands else "no longer stands anywhere"
    message = (
        f"{artifact.artifact} was used at {event.range[0]}..{event.range[1]} of {artifact.span}, "
        f"but its own range {where}: a look-alike."
    )
    evidence = {"used_range": event.range, "own_range": stands, "meant": found.meant}
    report.add("SPN106", subject, message, evidence, caused_by=found.cause)


def _what_changed(artifact: Artifact, found: ArtifactJudgement, state: BufferState) -> str:
    culprit = found.culprit or artifact.span
    source = next((s for s in artifact.base if s.span == culprit), artifact.base[0])
    span = state.spans.get(culprit)
    if span is None:
        return f"its source {culprit} is not there."
    if span.gone:
        return f"its source {culprit} {ending(span)}."
    text = _since_when(artifact, found, source, span)
    if found.range_intact:
        return text + ", the text in its range happens to be the same."
    if found.meant is not None and found.obtained is not None:
        return f'{text}; it means "{excerpt(found.meant)}" and gets "{excerpt(found.obtained)}".'
    if found.why is not None:
        return f"{text}; whether the text in its range is the same can't be told: {found.why}."
    return text + "."


def _since_when(
    artifact: Artifact, found: ArtifactJudgement, source: DerivedFrom, span: Span
) -> str:
    """What made it stale: not always a change of its span."""
    if found.cause == artifact.seq:
        return f"it was derived stale at {artifact.seq}"
    if found.cause == artifact.told and source.hash == span.hash is not None:
        return f"its holder was told at {artifact.told} that it is invalid"
    return (
        f"{span.span} was changed at {found.cause} "
        f"(v{source.version} {short_hash(source.hash)} > v{span.version} {short_hash(span.hash)})"
    )


def _evidence(artifact: Artifact, event: Use, found: ArtifactJudgement) -> dict[str, Any]:
    evidence: dict[str, Any] = {
        "signals": list(found.signals),
        "checked": list(event.checked),
        "got": found.obtained if event.got is None else event.got,
        "meant": found.meant,
        "culprit": found.culprit,
        "derived_at": artifact.seq,
    }
    if artifact.range is not None:
        evidence["range"] = list(artifact.range)
        evidence["range_intact"] = found.range_intact
    if found.moved_to is not None:
        evidence["moved_to"] = list(found.moved_to)
    return evidence


def _caught(
    state: BufferState,
    artifact: Artifact,
    event: Use,
    found: ArtifactJudgement,
    subject: dict[str, str],
    report: Report,
) -> None:
    first_move = _first_move(state, artifact)
    moved = found.state in ("stale", "invalidated") or found.signals or first_move is not None
    evidence = _evidence(artifact, event, found)
    did = "refused" if event.outcome == "caught" else "derived it again"
    if moved:
        cause = found.cause or first_move
        message = f"{_moved_words(artifact, found)} and its holder {did}."
        report.add("SPN103", subject, message, evidence, caused_by=cause)
    elif event.outcome == "caught" and not _may_be_right(state, artifact):
        message = (
            f"{artifact.artifact} was refused as stale, but {artifact.span} has the content, "
            f"version and origin it was derived from at {artifact.seq}."
        )
        report.add("SPN104", subject, message, evidence)


def _may_be_right(state: BufferState, artifact: Artifact) -> bool:
    """Whether what was lost may have told that a version or origin moved under an artifact."""
    lost_since = state.damaged and state.lost_at > artifact.seq
    return lost_since or any(source.produced_by == "unknown" for source in artifact.base)


def _moved_words(artifact: Artifact, found: ArtifactJudgement) -> str:
    if found.state == "fresh":
        return f"a version or origin moved under {artifact.artifact} on {artifact.span}"
    return f"{artifact.artifact} on {artifact.span} was {found.state}"


def _first_move(state: BufferState, artifact: Artifact) -> int | None:
    """The first event since which the version or origin of a source is another than when keyed."""
    moves = []
    for source in artifact.base:
        now = state.spans.get(source.span)
        if now is None or not _has_moved(now, source):
            continue
        moves.append(_moved_at(state.chronicle[source.span], artifact.seq, source))
    return min(moves, default=None)


def _moved_at(states: Sequence[Span], derived_at: int, source: DerivedFrom) -> int:
    """The first event that left a span, which has moved, with another version or origin."""
    start = bisect_right(states, derived_at, key=lambda span: span.seq)
    later = (states[index] for index in range(start, len(states)))
    if not start or _has_moved(states[start - 1], source):
        # The key is of an older state than the one that it was derived at.
        later = (span for span in states if span.version >= source.version)
    return next((span.seq for span in later if _has_moved(span, source)), states[-1].seq)


def _has_moved(span: Span, source: DerivedFrom) -> bool:
    another = source.produced_by not in ("unknown", span.produced_by)
    return span.version != source.version or another


def _keyed_truly(artifact: Artifact, event: Derive) -> bool:
    """Whether a look tells that the key of an untouched artifact is what it was derived from."""
    base = artifact.base[0]
    same = event.version in (None, base.version) and event.hash in (None, base.hash)
    return same and not event.sources


def judge_derive(
    state: BufferState, event: Derive, effect: Effect, memory: Memory, report: Report
) -> None:
    """Whether what a holder keeps was true when it was derived."""
    artifact = effect.artifact
    if artifact is None:
        return
    lookup = state.spans.get
    untouched = is_untouched(artifact, lookup)
    memory.artifacts[artifact.artifact] = FRESH if untouched else judge_artifact(artifact, lookup)
    if untouched and _keyed_truly(artifact, event):
        return
    span = state.spans.get(artifact.span)
    if span is None or span.gone:
        return
    faults: list[str] = []
    evidence: dict[str, Any] = {}
    if span.doubt is None and not may_be_at(state, span, event.version):
        faults.append(f"with version {event.version}, but {span.span} is at v{span.version}")
        evidence["version"] = {"key": event.version, "actual": span.version}
    if event.hash is not None and span.hash is not None and event.hash != span.hash:
        faults.append(
            f"with hash {short_hash(event.hash)}, but {span.span} has {short_hash(span.hash)}"
        )
        evidence["hash"] = {"key": event.hash, "actual": span.hash}
    text = span.text
    no_range = None if text is None else why_no_range(artifact, text)
    if event.range is not None and no_range is not None:
        (start, end), (why, length) = event.range, no_range
        faults.append(f"with range {start}..{end}, {why}")
        evidence["range"] = {"key": [start, end], "length": length}
    for source in event.sources:
        other = state.spans.get(source.span)
        if other is None or source.hash is None or other.hash in (None, source.hash):
            continue
        faults.append(f"with hash {short_hash(source.hash)} of its source {source.span}")
        evidence.setdefault("sources", {})[source.span] = {
            "key": source.hash,
            "actual": other.hash,
        }
    if faults:
        message = f"{event.artifact} was derived {' and '.join(faults)}."
        report.add("SPN115", {"artifact": event.artifact, "span": span.span}, message, evidence)
