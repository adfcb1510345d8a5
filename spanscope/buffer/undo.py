"""Checkpoints, exact undo, and the collection of tombstones (seeds 000 and 003).

A rollback is worked out on a draft of the buffer, checked, journaled, and only then made. What
can't be undone exactly is refused, and nothing moves.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, NamedTuple

from msgspec import Struct

from spanscope.buffer.anchoring import inverse_of
from spanscope.buffer.changes import check_answers
from spanscope.buffer.core import BufferCore
from spanscope.buffer.errors import RollbackIntegrityError, refusal, worded
from spanscope.buffer.redaction import NOTHING_TOLD, Told
from spanscope.buffer.restating import edits_to
from spanscope.buffer.views import ActorView
from spanscope.journal.events import (
    AnyEvent,
    Checkpoint,
    Compact,
    InverseRecord,
    Release,
    Rollback,
)
from spanscope.model.content import buffer_digest
from spanscope.model.effects import Problem, Undoing
from spanscope.model.rollback import WorkedOut, expect, perform, select
from spanscope.model.transaction import Transaction
from spanscope.model.undo import Entry, part_sound
from spanscope.rules.changes import is_true
from spanscope.rules.holders import judge_artifact
from spanscope.rules.mutations import needed_by
from spanscope.rules.reach import why_blocked
from spanscope.rules.report import Report
from spanscope.rules.rollbacks import past_start


class RollbackPlan(Struct, kw_only=True, frozen=True):
    """What a rollback does, or would do.

    `undone` and `kept` are the seqs of undo entries, head first; kept ones above an undone one
    are undone with it and made again. `contents` is what the touched spans hold then (None: gone
    from the buffer), `order` and `digest` are the whole buffer's. `withdrawn` are artifacts that
    it makes untrue. `method` is `restore` where a full copy is put back.
    """

    undone: tuple[int, ...]
    kept: tuple[int, ...]
    contents: dict[str, str | None]
    order: tuple[str, ...]
    digest: str
    withdrawn: tuple[str, ...] = ()
    method: Literal["replay", "restore"] = "replay"


class Undo(ActorView):
    """What a view offers to go back."""

    def checkpoint(self, name: str, *, snapshot: bool = False) -> int:
        """A named point to roll back to; its seq. A name that is used again moves there.

        `snapshot` keeps a full copy, which can be restored even where entries are lost; until
        then no tombstone that was there is collected.
        """
        core = self._core
        with core.lock:
            core.check_open()
            digest = self.digest
            event = core.make(
                Checkpoint, self._actor, checkpoint=name, snapshot=snapshot, digest=digest
            )
            core.commit(event)
            return event.seq

    def plan_rollback(
        self,
        steps: int | None = None,
        *,
        to: str | None = None,
        of: Sequence[int] | None = None,
    ) -> RollbackPlan:
        """What `rollback` with the same arguments would do; nothing moves, nothing is journaled.

        Raises RollbackIntegrityError as `rollback` would.
        """
        with self._core.lock:
            return _worked_out(self._core, self._actor, steps, to, of).plan

    def rollback(
        self,
        steps: int | None = None,
        *,
        to: str | None = None,
        of: Sequence[int] | None = None,
    ) -> RollbackPlan:
        """Undoes the last `steps` changes (default 1), or all since a checkpoint (`to`).

        `of` undoes the changes of these seqs alone: all above the oldest are undone from the
        head down, and those not named are made again at their places, never jumped over.
        Artifacts that it makes untrue are withdrawn.

        Raises RollbackIntegrityError where that can't be exact; then nothing moves.
        """
        core = self._core
        with core.lock:
            undo = _worked_out(core, self._actor, steps, to, of)
            if undo.events:
                core.commit(*undo.events, told=undo.told)
            return undo.plan

    def compact(self) -> list[str]:
        """Collects the tombstones that nobody needs; their ids.

        Live artifacts, snapshots, staged diffs and live answers keep a tombstone. Undo entries
        do not: a copy whose tombstone is collected can't be undone any more.
        """
        core = self._core
        with core.lock:
            core.check_open()
            state = core.state
            names = [
                name
                for name, span in state.spans.items()
                if span.life == "tombstone"
                and not state.live_answers(name)
                and not needed_by(state, span)
            ]
            if names:
                core.commit(core.make(Compact, self._actor, spans=names))
            return names


class _WorkedOut(NamedTuple):
    plan: RollbackPlan
    events: list[AnyEvent]
    told: Told


def _worked_out(
    core: BufferCore,
    actor: str,
    steps: int | None,
    to: str | None,
    of: Sequence[int] | None,
) -> _WorkedOut:
    core.check_open()
    if sum(given is not None for given in (steps, to, of)) > 1:
        raise TypeError("give one of steps, to and of")
    fields: dict[str, Any] = {"steps": steps, "to": to, "of": of}
    if to is None and of is None:
        fields["steps"] = 1 if steps is None else steps
    event = core.make(Rollback, actor, **fields)
    assert isinstance(event, Rollback)
    undoing = _selected(core, event)
    fault = _hindered(core, undoing)
    meant = None if fault else expect(core.state, undoing, event.seq, event.actor)
    if undoing.impossible is not None:
        why = f"the selective rollback is impossible: {undoing.impossible}"
        fault = _impossible(core, undoing.named[-1], why)
    if fault is None:
        draft = _performed(core, event, undoing, meant)
        if to is None or core.digests.get(to) == _digest(draft):
            return _events(core, actor, draft, undoing, fields)
        fault = _went_past(event, to)
    savepoint = undoing.savepoint
    if savepoint is None or not savepoint.snapshot:
        raise fault
    fields["method"] = "restore"
    restoring = core.make(Rollback, actor, **fields)
    assert isinstance(restoring, Rollback)
    undoing = _selected(core, restoring)
    return _events(core, actor, _performed(core, restoring, undoing, None), undoing, fields)


def _selected(core: BufferCore, event: Rollback) -> Undoing:
    """The entries that the rollback names.

    Raises:
        RollbackIntegrityError: there are not so many, or no such checkpoint or entry.
    """
    problems: list[Problem] = []
    undoing = select(core.state, event, problems)
    report = Report(event.seq)
    for problem in problems:
        report.add(problem.rule, problem.subject, problem.message, problem.evidence)
    if undoing.past_start is not None:
        past_start(event, undoing.past_start, report)
    if event.steps is not None and event.steps < 0:
        raise ValueError(f"can't undo {event.steps} steps: give a number from 0")
    if report.findings:
        finding = report.sorted()[0]
        raise RollbackIntegrityError(worded(finding, "nothing was moved"), finding)
    return undoing


def _hindered(core: BufferCore, undoing: Undoing) -> RollbackIntegrityError | None:
    """What no undo of the entries one after the other can be sure to go through; null: nothing."""
    named = {entry.seq: entry for entry in undoing.named}
    for seq in sorted(core.memory.reach.hindering(), reverse=True):
        found = core.state.entry(seq)
        if found is not None and (seq in named or undoing.skipped.has(seq)):
            why = f"the rollback goes through entry {seq}: {why_blocked(found[1])}"
            return _impossible(core, found[1], why)
    if undoing.skipped and core.redaction is not None:
        entries = [*undoing.named, *undoing.skipped]
        if core.redaction.hides_any([part for entry in entries for part in entry.parts]):
            return _impossible(core, undoing.named[-1], "a selective rollback can't be redacted")
    entangled = _entangled(undoing)
    if entangled is not None:
        one, other = entangled
        why = f"entry {one.seq} changed the order, and so did entry {other.seq} after it"
        return _impossible(core, one, f"the selective rollback is impossible: {why}")
    return None


def _entangled(undoing: Undoing) -> tuple[Entry, Entry] | None:
    """An entry whose undo may change places, below one that must find its place again.

    To take out an ingest leaves all others where they stand to each other; anything else would
    let a later move or prune go back to where it never was.
    """
    moving = [entry for entry in undoing.named if _has(entry, {"copy", "prune", "move"})]
    if not moving:
        return None
    kept = next((kept for kept in undoing.skipped if _has(kept, {"prune", "move"})), None)
    found = (entry for entry in moving if kept is not None and kept.seq > entry.seq)
    entry = next(found, None)
    return None if entry is None or kept is None else (entry, kept)


def _has(entry: Entry, kinds: set[str]) -> bool:
    return any(part.kind in kinds for part in entry.parts)


def _impossible(core: BufferCore, entry: Entry, why: str) -> RollbackIntegrityError:
    report = Report(core.state.seq + 1)
    subject: dict[str, str | int] = {"entry": entry.seq}
    if entry.span is not None:
        subject["span"] = entry.span
    report.add("UND222", subject, f"{why}.", {}, caused_by=entry.seq)
    found = report.sorted()
    error = refusal(found, "nothing was moved")
    assert isinstance(error, RollbackIntegrityError)
    return error


def _went_past(event: Rollback, to: str) -> RollbackIntegrityError:
    """The checkpoint's own changes were undone since: replay does not lead there."""
    report = Report(event.seq)
    message = f"what stood at checkpoint {to} was itself undone since: undo does not lead there."
    report.add("UND221", {}, message, {"checkpoint": to})
    finding = report.sorted()[0]
    return RollbackIntegrityError(worded(finding, "nothing was moved"), finding)


def _performed(
    core: BufferCore, event: Rollback, undoing: Undoing, meant: WorkedOut | None
) -> Transaction:
    """The buffer after the rollback, as a draft, its answers checked."""
    draft = perform(core.state, event, undoing, meant)
    draft.settle({}, {})
    check_answers(core.state, draft, "nothing was moved")
    return draft


def _digest(draft: Transaction) -> str:
    rows: list[tuple[str, str]] = []
    for name in draft.order:
        span = draft.get(name)
        assert span is not None
        assert span.hash is not None
        rows.append((name, span.hash))
    return buffer_digest(rows)


def _events(
    core: BufferCore, actor: str, draft: Transaction, undoing: Undoing, fields: dict[str, Any]
) -> _WorkedOut:
    method = fields.get("method", "replay")
    if not undoing.named and method == "replay":
        return _WorkedOut(_plan(draft, undoing, [], method), [], NOTHING_TOLD)
    withdrawn = withdrawals(core, draft)
    events: list[AnyEvent] = [
        core.make(Release, actor, number, artifact=name) for number, name in enumerate(withdrawn)
    ]
    there = {name: span for name, span in draft.work.items() if not span.gone}
    claims = {
        "versions": {name: span.version for name, span in there.items()},
        "hashes": {name: span.hash for name, span in there.items()},
    }
    events.append(core.make(Rollback, actor, len(events), **fields, **claims))
    for seq, number, inverse in _renewed(undoing):
        record = {**inverse, "of": seq, "edit": number}
        events.append(core.make(InverseRecord, actor, len(events), **record))
    told = NOTHING_TOLD
    if core.redaction is not None:
        parts = [part for entry in undoing.named for part in entry.parts]
        told = Told(parts, edits_to(core.state, draft))
    return _WorkedOut(_plan(draft, undoing, withdrawn, method), events, told)


def _renewed(undoing: Undoing) -> list[tuple[int, int, dict[str, Any]]]:
    """New inverses for entries that were made again where their old anchors are gone."""
    found: list[tuple[int, int, dict[str, Any]]] = []
    for _, entry in undoing.redone:
        for number, part in enumerate(entry.parts):
            if part.owes_inverse and part_sound(part) is not True:
                inverse = inverse_of(part)
                assert inverse is not None
                names = inverse.__struct_fields__
                found.append((entry.seq, number, {n: getattr(inverse, n) for n in names}))
    return found


def withdrawals(core: BufferCore, draft: Transaction) -> list[str]:
    """The artifacts that the draft makes untrue, or takes the span of."""
    names: dict[str, None] = {}
    for span in draft.work:
        for artifact in core.state.artifacts_on(span):
            before = core.memory.artifacts[artifact.artifact]
            after = judge_artifact(artifact, draft.get)
            if (is_true(before) and not is_true(after)) or after.state == "dangling":
                names[artifact.artifact] = None
    return list(names)


def _plan(
    draft: Transaction,
    undoing: Undoing,
    withdrawn: list[str],
    method: Literal["replay", "restore"],
) -> RollbackPlan:
    return RollbackPlan(
        undone=tuple(entry.seq for entry in undoing.named),
        kept=tuple(entry.seq for entry in undoing.skipped),
        contents={name: span.node.text if span.live else None for name, span in draft.work.items()},
        order=tuple(draft.order),
        digest=_digest(draft),
        withdrawn=tuple(withdrawn),
        method=method,
    )
