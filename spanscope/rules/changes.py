"""The rules at a change, for the holders of what changed: SPN101, 113, 114, 121, 131."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from spanscope.journal.events import Apply, Compact, Rewrite, Splice
from spanscope.model.effects import Effect, SpanChange
from spanscope.model.spans import Artifact
from spanscope.model.state import BufferState
from spanscope.rules.finding import Severity
from spanscope.rules.holders import TOLD, judge_artifact
from spanscope.rules.judgements import ArtifactJudgement
from spanscope.rules.memory import Memory
from spanscope.rules.ranged import may_be_intact
from spanscope.rules.report import Report, excerpt, short_hash

IN_PLACE = (Rewrite, Splice, Apply)
"""What changes a span in place, where its writer could claim, tell or copy."""


def judge_holders(state: BufferState, effect: Effect, memory: Memory, report: Report) -> None:
    """Judge anew every artifact on a span that the event touched."""
    names = [change.after.span for change in effect.spans]
    names += [span.span for span in effect.collected]
    touched = {name: None for name in names if state.holders.get(name)}
    if not touched and not effect.told:
        return
    holders = {holder: None for name in touched for holder in state.holders[name]}
    holders.update({artifact.artifact: None for artifact in effect.told})
    told = {artifact.artifact for artifact in effect.told}
    changes = {change.after.span: change for change in effect.spans}
    _unversioned(state, effect, touched, report)
    for name in holders:
        artifact = state.artifacts.get(name)
        if artifact is None:
            continue
        before = memory.artifacts.get(name)
        own = state.spans.get(artifact.span)
        if artifact.told is not None and own is not None and not own.gone:
            memory.artifacts[name] = now = TOLD
        else:
            memory.artifacts[name] = now = judge_artifact(artifact, state.spans.get)
        if state.may_be_another(artifact):
            # It may have been released, or derived from what is there now.
            continue
        change = changes.get(artifact.span)
        if change is not None and change.changed and _stood(change):
            _on_id_alone(state, artifact, change, memory, report)
        if before is None or name in told or not state.can_record("holders"):
            continue
        if now.state == "stale" and is_true(before):
            _stale(artifact, now, effect, state, report)
            _in_place(artifact, now, changes, effect, report)
        elif now.state == "dangling" != before.state and not isinstance(effect.event, Compact):
            _dangling(artifact, report)


def rejudge_holders(state: BufferState, memory: Memory, spans: Iterable[str]) -> None:
    """Judge the artifacts on these spans anew, which became unknown or known again."""
    holders = {name for span in spans for name in state.holders.get(span, ())}
    for name in holders:
        memory.artifacts[name] = judge_artifact(state.artifacts[name], state.spans.get)


def is_true(judged: ArtifactJudgement) -> bool:
    """Whether an artifact's content is the one it was derived from, and nobody told its holder."""
    return judged.state == "fresh" or (judged.state == "unknown" and judged.content_same)


def owed_a_copy(artifact: Artifact, judged: ArtifactJudgement) -> bool:
    """Whether copy-on-rewrite is due for a holder: what it has is expensive and still true."""
    return artifact.expensive and is_true(judged)


def _stood(change: SpanChange) -> bool:
    """Whether the span was there before the event and after it."""
    return change.before is not None and not (change.before.gone or change.after.gone)


def _subject(artifact: Artifact) -> dict[str, str | int]:
    return {"artifact": artifact.artifact, "span": artifact.span}


def _holder(artifact: Artifact) -> str:
    return artifact.holder or artifact.actor


def _stale(
    artifact: Artifact, now: ArtifactJudgement, effect: Effect, state: BufferState, report: Report
) -> None:
    culprit = now.culprit or artifact.span
    source = next((s for s in artifact.base if s.span == culprit), artifact.base[0])
    span = state.spans.get(culprit)
    then = f"v{source.version} {short_hash(source.hash)}"
    after = "gone" if span is None or span.gone else f"v{span.version} {short_hash(span.hash)}"
    message = (
        f"{culprit} changed under {artifact.artifact} ({then} > {after}) and nobody told "
        f"{_holder(artifact)}"
    )
    if now.range_intact:
        message += "; the text in its range is the same"
    elif now.meant is not None and now.obtained is not None:
        message += f': "{excerpt(now.meant)}" is now "{excerpt(now.obtained)}"'
    elif now.why is not None:
        message += f"; whether the text in its range is the same can't be told: {now.why}"
    evidence: dict[str, Any] = {
        "signals": list(now.signals),
        "culprit": culprit,
        "actor": effect.event.actor,
        "derived_at": artifact.seq,
        "then": {"version": source.version, "hash": source.hash, "length": source.length},
    }
    if span is not None:
        evidence["now"] = {
            "version": span.version,
            "hash": span.hash,
            "length": span.node.length,
        }
    if artifact.range is not None:
        evidence |= {
            "range": list(artifact.range),
            "range_intact": now.range_intact,
            "meant": now.meant,
            "got": now.obtained,
        }
        if now.moved_to is not None:
            evidence["moved_to"] = list(now.moved_to)
    severity: Severity | None = "info" if may_be_intact(state, artifact, now) else None
    report.add("SPN101", _subject(artifact), message + ".", evidence, severity=severity)


def _in_place(
    artifact: Artifact,
    now: ArtifactJudgement,
    changes: dict[str, SpanChange],
    effect: Effect,
    report: Report,
) -> None:
    change = changes.get(now.culprit or artifact.span)
    if not artifact.expensive or change is None or not (change.changed and _stood(change)):
        return
    if not isinstance(effect.event, IN_PLACE):
        return
    message = (
        f"{change.after.span} was changed in place under {artifact.artifact}, an expensive "
        f"{artifact.kind} of {_holder(artifact)}, which was not told; copy-on-rewrite was due."
    )
    evidence = {"kind": artifact.kind, "holder": artifact.holder, "due": "copy-on-rewrite"}
    report.add("SPN121", _subject(artifact), message, evidence)


def _on_id_alone(
    state: BufferState, artifact: Artifact, change: SpanChange, memory: Memory, report: Report
) -> None:
    key = (artifact.artifact, artifact.seq)
    recordable = state.can_record("versions") or state.can_record("hashes")
    if artifact.keyed or key in memory.on_id_alone or not recordable:
        return
    memory.on_id_alone.add(key)
    message = (
        f"{artifact.artifact} was derived at {artifact.seq} with neither version nor hash, and "
        f"{change.after.span} has now changed in place: its holder can't notice."
    )
    report.add("SPN114", _subject(artifact), message, {"derived_at": artifact.seq})


def _dangling(artifact: Artifact, report: Report) -> None:
    message = (
        f"{artifact.span} was pruned under {artifact.artifact}, which {_holder(artifact)} "
        "still holds."
    )
    evidence = {"holder": artifact.holder, "kind": artifact.kind, "derived_at": artifact.seq}
    report.add("SPN131", _subject(artifact), message, evidence)


def _unversioned(
    state: BufferState, effect: Effect, touched: dict[str, None], report: Report
) -> None:
    event = effect.event
    if not isinstance(event, IN_PLACE):
        return
    if not (state.can_record("versions") or state.can_record("hashes")):
        return
    claimed = {claim.span for claim in effect.claims}
    silent = [
        change.after.span
        for change in effect.spans
        if change.changed
        and _stood(change)
        and change.after.span in touched
        and change.after.span not in claimed
    ]
    holders = [holder for name in silent for holder in _surely_holding(state, name)]
    if not holders:
        return
    silent = [name for name in silent if _surely_holding(state, name)]
    message = (
        f"{', '.join(silent)} changed in place with neither version nor hash, under "
        f"{len(holders)} live holder{'s' if len(holders) > 1 else ''} ({', '.join(holders[:3])})."
    )
    report.add("SPN113", {"span": silent[0]}, message, {"spans": silent, "holders": holders})


def _surely_holding(state: BufferState, name: str) -> list[str]:
    """The live artifacts on a span that were not released where events were lost."""
    held = (state.artifacts[holder] for holder in state.holders[name])
    return [artifact.artifact for artifact in held if not state.may_be_another(artifact)]
