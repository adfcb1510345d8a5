"""The inverses of changes: UND201 to UND207."""

from __future__ import annotations

from collections.abc import Iterator

from spanscope.journal.events import Checkpoint, Evict, InverseRecord
from spanscope.plain.direct import evidence_places, has_hashed_anchors
from spanscope.plain.finding import Finding, entry_subject, finding
from spanscope.plain.locating import after_agrees, before_agrees
from spanscope.plain.reading import Told
from spanscope.plain.texts import content_hash, string
from spanscope.plain.world import Entry, Moment, Step, World


def findings(told: Told, *, recorded: bool) -> Iterator[Finding]:
    """What each change, late inverse and eviction brings."""
    checkpoint = 0
    for moment in told.moments:
        event = moment.event
        # A checkpoint may have been lost too.
        checkpoint = max(checkpoint, (moment.after.lost_at or 1) - 1)
        entry = _entry(moment.after, event.seq)
        if entry is not None and entry.steps and moment.steps and not moment.presumed:
            if entry.op != "observe" and lacks_inverse(entry, recorded=recorded):
                yield finding("UND201", event.seq, "error", **entry_subject(entry))
            for step in entry.steps:
                yield from _judged(entry, step, moment, checkpoint)
        if isinstance(event, InverseRecord):
            yield from _late(moment, event, checkpoint)
        if isinstance(event, Evict):
            yield from _evicted(moment, event)
        if isinstance(event, Checkpoint):
            checkpoint = event.seq


def _entry(world: World, seq: int) -> Entry | None:
    return next((entry for entry in world.stack if entry.seq == seq), None)


def on_unknown_ground(entry: Entry) -> bool:
    """Whether an edit of a text met one that was not known, or a move an order that was not."""
    return any(
        not step.order_known
        if step.kind == "move"
        else step.kind in {"splice", "rewrite", "prune", "observe"}
        and step.before.spans[step.span].doubt is not None
        for step in entry.steps
    )


def lacks_inverse(entry: Entry, *, recorded: bool) -> bool:
    """Whether an edit owes an inverse record and has none, and that is its writer's fault."""
    owing = any(step.owes_inverse and step.inverse is None for step in entry.steps)
    return owing and recorded and not on_unknown_ground(entry)


def _late(moment: Moment, event: InverseRecord, checkpoint: int) -> Iterator[Finding]:
    """UND202, and what there is to say of the inverse itself."""
    before, after = _entry(moment.before, event.of), _entry(moment.after, event.of)
    if event.of >= event.seq or before is None or after is None:
        return
    if _before_a_loss(moment, event.of) or on_unknown_ground(after):
        return
    for old, new in zip(before.steps, after.steps, strict=True):
        if old.inverse == new.inverse:
            continue
        if old.inverse is None and old.owes_inverse:
            yield finding("UND202", event.seq, "error", **entry_subject(after))
        yield from _judged(after, new, moment, checkpoint)


def _before_a_loss(moment: Moment, seq: int) -> bool:
    """Whether an entry may have been undone where events were lost, and no digest came since."""
    return moment.after.order_doubt is not None and moment.after.lost_since(seq)


def _evicted(moment: Moment, event: Evict) -> Iterator[Finding]:
    for seq in dict.fromkeys(event.of):
        before, after = _entry(moment.before, seq), _entry(moment.after, seq)
        if before is None or after is None:
            continue
        if _before_a_loss(moment, seq) or on_unknown_ground(after):
            continue
        steps = zip(before.steps, after.steps, strict=True)
        if any(old.owes_inverse and old.inverse and not new.inverse for old, new in steps):
            yield finding("UND203", event.seq, "error", **entry_subject(after))


def _judged(entry: Entry, step: Step, moment: Moment, checkpoint: int) -> Iterator[Finding]:
    """UND204 to UND207 of one inverse."""
    if step.inverse is None or not step.owes_inverse or on_unknown_ground(entry):
        return
    seq, subject = moment.event.seq, entry_subject(entry)
    if _is_wrong(step):
        yield finding("UND204", seq, "error", **subject)
    if step.kind != "splice":
        return
    if not offset_only(step):
        yield from _ambiguous(entry, step, seq)
        return
    yield finding("UND206", seq, "info", **subject)
    if _over_another(step, moment.after, checkpoint):
        yield finding("UND207", seq, "warning", **subject)


def _is_wrong(step: Step) -> bool:
    """Whether the inverse says of the change what is not so, as far as that can be told."""
    inverse = step.inverse
    assert inverse is not None
    if step.unsure:
        return False
    was, left = step.before.spans[step.span].content, step.after.spans[step.span].presumed
    if step.kind != "splice":
        put = "" if step.kind == "prune" else left
        return (was is not None and inverse.original != was) or (
            put is not None and _says_another(inverse.inserted, inverse.inserted_hash, put)
        )
    if was is None or left is None or step.somewhere:
        return False
    end = step.at + len(step.inserted)
    around = (
        not inverse.anchored
        or has_hashed_anchors(inverse)
        or (left[: step.at].endswith(inverse.before) and left[end:].startswith(inverse.after))
    )
    if inverse.anchored and has_hashed_anchors(inverse):
        around = _digests_agree(step, left)
    replaced = was[step.at : step.at + step.deleted]
    put = string(step.inserted)
    wrong = _says_another(inverse.inserted, inverse.inserted_hash, put)
    return inverse.original != replaced or wrong or not around


def _digests_agree(step: Step, left: str) -> bool:
    assert step.inverse is not None
    behind = before_agrees(left, step.at, step.inverse)
    return behind and after_agrees(left, step.at, step.inverse)


def _says_another(length: int, hash: str | None, put: str) -> bool:
    return length != len(put) or hash not in {None, content_hash(put)}


def offset_only(step: Step) -> bool:
    """Whether nothing but an offset finds the place of an inverse; a whole span has its own."""
    inverse = step.inverse
    if step.kind != "splice" or inverse is None or inverse.at is None:
        return False
    bare = not inverse.before and not inverse.after and inverse.inserted_hash is None
    return bare or not inverse.anchored


def _ambiguous(entry: Entry, step: Step, seq: int) -> Iterator[Finding]:
    """UND205: right after the change its evidence fits in several places, or in a wrong one."""
    inverse, left = step.inverse, step.after.spans[step.span].content
    assert inverse is not None
    if left is None or step.somewhere or has_hashed_anchors(inverse):
        return
    places = evidence_places(left, inverse)
    if len(places) > 1 or (places and places[0] != step.at):
        severity = "info" if inverse.at is not None else "warning"
        yield finding("UND205", seq, severity, **entry_subject(entry))


def _over_another(step: Step, world: World, checkpoint: int) -> bool:
    """UND207: whether the change lies over text that another such one since then changed."""
    for other in world.stack:
        for earlier in other.steps:
            if earlier is step:
                return False
            if other.seq <= checkpoint or earlier.span != step.span or not offset_only(earlier):
                continue
            if _all_known_between(earlier, step, world) and _cuts(step, earlier):
                return True
    return False


def _cuts(step: Step, earlier: Step) -> bool:
    """Whether a change takes away characters that an earlier one put in, or comes between two.

    Of one that only took text out, the characters between which that stood count.
    """
    met = (None, *(step.before.spans[step.span].text or ()), None)
    ahead, taken, behind = met[step.at], met[step.at + 1 :][: step.deleted], met[step.at + 1]
    left = (None, *(earlier.after.spans[step.span].text or ()), None)
    if earlier.inserted:
        if step.deleted:
            return bool(set(taken) & set(earlier.inserted))
        return bool(step.inserted) and {ahead, behind} <= set(earlier.inserted)
    around = left[earlier.at], left[earlier.at + 1]
    if step.deleted:
        return bool(earlier.deleted) and set(around) <= set(taken)
    return bool(earlier.deleted and step.inserted) and (ahead, behind) == around


def _all_known_between(earlier: Step, step: Step, world: World) -> bool:
    """Whether the text of every change from the one to the other is known."""
    steps = [other for entry in world.stack for other in entry.steps if other.span == step.span]
    first = next(at for at, other in enumerate(steps) if other is earlier)
    last = next(at for at, other in enumerate(steps) if other is step)
    texts = [other.after.spans[step.span].text for other in steps[first:last]]
    texts.append(step.before.spans[step.span].text)
    return None not in texts
