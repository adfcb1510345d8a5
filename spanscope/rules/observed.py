"""Does the agent's real buffer hold what its journal says? JNL005 (seed 003)."""

from __future__ import annotations

from typing import Any

from spanscope.journal.events import Checkpoint, Observe
from spanscope.model.effects import Effect, SpanChange
from spanscope.model.state import BufferState
from spanscope.rules.report import Report, damage_evidence, excerpt, short_hash


def judge_observe(state: BufferState, effect: Effect, report: Report) -> None:
    """Every observed span that is not what the journal made of it."""
    event = effect.event
    if not isinstance(event, Observe):
        return
    complete = state.doubt is None and not effect.cleared
    for name, hash in event.hashes.items():
        span = state.spans.get(name)
        if complete and name not in event.contents and (span is None or span.gone):
            message = f"the buffer holds {name} ({short_hash(hash)}), which its log never put there"
            if span is not None:
                message = f"the buffer holds {name}, which its log has {span.life} at {span.seq}"
            report.add("JNL005", {"span": name}, message + ".", {"actual_hash": hash})
    for change in effect.spans:
        if not complete and (change.before is None or change.before.gone):
            continue
        found = _outran(change, event)
        if found is not None:
            message, evidence = found
            report.add("JNL005", {"span": change.after.span}, message, evidence)


def _outran(change: SpanChange, event: Observe) -> tuple[str, dict[str, Any]] | None:
    before, after = change.before, change.after
    name = after.span
    if before is None or before.gone:
        message = f"the buffer holds {name} ({after.node.length} chars), which its log never put "
        return message + "there.", {"actual_hash": after.hash}
    if before.doubt is not None or before.unknown or not change.changed:
        return None
    if name not in event.contents or not before.node.text_known:
        message = (
            f"the buffer holds another {name} ({short_hash(after.hash)}) than its log says "
            f"({short_hash(before.hash)})."
        )
        return message, {"expected_hash": before.hash, "actual_hash": after.hash}
    first, evidence = damage_evidence(before.node.text, after.node.text)
    message = (
        f"the buffer outran its log in {name}: at {first.at} it holds "
        f'"{excerpt(first.actual, 40)}", the log says "{excerpt(first.expected, 40)}".'
    )
    evidence |= {"expected_hash": before.hash, "actual_hash": after.hash}
    return message, evidence


def judge_digest(state: BufferState, effect: Effect, report: Report) -> None:
    """The digest of the whole buffer, where the journal claims one."""
    event = effect.event
    if not isinstance(event, Observe | Checkpoint) or event.digest is None:
        return
    digest = state.digest()
    if digest is None or digest == event.digest:
        return
    kind = "buffer" if isinstance(event, Observe) else f"checkpoint {event.checkpoint}"
    message = (
        f"the digest of the {kind}, {short_hash(event.digest)}, is not that of the replay, "
        f"{short_hash(digest)}."
    )
    report.add("JNL005", {}, message, {"claimed": event.digest, "actual": digest})
