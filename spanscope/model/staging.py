"""Diffs coming and going: `stage`, and the edits of an `apply`."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from spanscope.journal.events import Stage
from spanscope.journal.parts import AnyEdit, IngestEdit, Inverse, MoveEdit
from spanscope.model.diffs import BaseState, Diff
from spanscope.model.effects import Problem
from spanscope.model.spans import Doubt
from spanscope.model.state import BufferState, base_digest
from spanscope.model.transaction import Transaction
from spanscope.model.undo import recorded


def stage_diff(state: BufferState, event: Stage, problems: list[Problem]) -> Diff:
    """The diff as staged, with the buffer that it was authored against."""
    base, phantom, doubt = _base(state, event)
    diff = Diff(
        diff=event.diff,
        author=event.actor,
        seq=event.seq,
        claimed=event.base,
        base=base,
        reads=tuple(event.reads),
        edits=tuple(event.edits),
        refs=tuple(event.refs),
        compensates=event.compensates,
        phantom=phantom,
        doubt=doubt,
    )
    for name in diff.named_spans:
        if name not in state.spans and not state.damaged:
            message = f"stage of {event.diff} names span {name}, which was never ingested."
            subject: dict[str, str | int] = {"diff": event.diff, "span": name}
            problems.append(Problem("JNL007", subject, message, {"span": name}))
    if event.compensates is not None and event.compensates >= event.seq:
        message = f"stage of {event.diff} compensates entry {event.compensates}, which can't be."
        subject = {"diff": event.diff, "entry": event.compensates}
        problems.append(Problem("JNL007", subject, message, {"entry": event.compensates}))
    return diff


def _base(state: BufferState, event: Stage) -> tuple[BaseState | None, str | None, Doubt | None]:
    claimed = event.base
    if state.revision is None:
        if claimed.digest is not None and state.doubt is None and claimed.digest == state.digest():
            return state.base_now(), None, None
        since = state.doubt.since if state.doubt is not None else state.seq
        return None, None, Doubt(since, "revisions are unknown since lines were lost")
    base = state.base_state(claimed.revision)
    if base is None:
        return None, f"there was no revision {claimed.revision}", None
    if claimed.digest is not None:
        digest = base_digest(base)
        if digest is None:
            why = f"whether revision {claimed.revision} had this digest is unknown"
            return base, None, Doubt(state.seq, why)
        if digest != claimed.digest:
            return base, f"revision {claimed.revision} never had this digest", None
    return base, None, None


def applied_edits(
    draft: Transaction,
    edits: Sequence[AnyEdit],
    inverses: list[Inverse | None] | None,
) -> None:
    """Do the edits of an apply in order, each with its inverse: its own where none is listed."""
    for number, edit in enumerate(edits):
        done = draft.edit(edit)
        inverse = inverses[number] if inverses is not None and number < len(inverses) else None
        if inverse is None and not isinstance(edit, IngestEdit | MoveEdit):
            inverse = edit.inverse
        if done:
            draft.parts[-1] = replace(recorded(draft.parts[-1], inverse), edit=number)
