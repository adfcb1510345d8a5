"""What the undo stack says of changes made where the journal can't tell what stood there."""

from __future__ import annotations

from typing import Any

from support.lines import journal

from spanscope.history.history import History
from spanscope.model.content import content_hash

T = "one two three"
Rows = dict[int, tuple[str, bool | None]]


def undo(*events: dict[str, Any]) -> Rows:
    """Direct status and reachability of each entry after the last event."""
    lines = [
        {"seq": seq, "time": "2026-11-11T09:00:00Z", **fields}
        for seq, fields in enumerate(events, 1)
    ]
    history = History()
    history.feed(journal(*lines))
    history.finish()
    rows = history.at(len(events)).undo()
    return {row.entry.seq: (row.status.direct, row.reachable) for row in rows}


A = {"type": "ingest", "span": "a", "content": T}
B = {"type": "ingest", "span": "b", "content": "other"}
GAP = {"type": "gap", "reason": "full"}


def cut(**more: Any) -> dict[str, Any]:
    return {"type": "splice", "span": "a", "at": 0, "delete": 4, "insert": "", **more}


CUT_INVERSE = {"original": "one ", "inserted": 0, "before": "", "after": "two three"}
TO_X = {"type": "splice", "span": "a", "at": 0, "delete": 3, "insert": "x"}


def stage(*edits: dict[str, Any]) -> dict[str, Any]:
    return {
        "type": "stage",
        "diff": "D",
        "base": {"revision": 1},
        "reads": [{"span": "a"}],
        "edits": list(edits),
    }


def test_a_missing_inverse_is_missing_on_unknown_ground_too() -> None:
    rows = undo(A, GAP, cut(hash=content_hash("two three")))
    assert rows[3] == ("missing", False)


def test_a_copy_needs_no_content_to_be_undone() -> None:
    copy = {"type": "rewrite", "span": "a", "op": "fold", "into": "a2", "content": "1 2 3"}
    assert undo(A, GAP, copy)[3] == ("exact", True)


def test_a_move_in_an_unknown_order_can_not_be_told_to_go_back() -> None:
    move = {"type": "move", "span": "b", "after": None}
    assert undo(A, B, move)[3] == ("exact", True)
    assert undo(A, B, GAP, {"type": "observe", "contents": {"b": "other"}}, move)[5] == (
        "unknown",
        None,
    )


def test_below_a_span_that_a_rollback_left_unknown_nothing_is_called_reachable() -> None:
    sound = cut(inverse=CUT_INVERSE, hash=content_hash("two three"))
    rollback = {"type": "rollback", "steps": 1}
    rows = undo(A, sound, TO_X, rollback)
    assert rows == {2: ("unknown", None), 1: ("unknown", None)}
    known = undo(A, sound, TO_X, {**rollback, "hashes": {"a": content_hash("two three")}})
    assert known == {2: ("exact", True), 1: ("clobbered", True)}


def test_an_edit_that_writes_nothing_makes_nothing_unknown_wherever_its_anchor_fits() -> None:
    nothing = {"type": "splice", "span": "a", "anchor": {"before": "", "after": ""}}
    rows = undo(A, stage({**nothing, "delete": 0, "insert": ""}), {"type": "apply", "diff": "D"})
    assert rows == {3: ("exact", True), 1: ("exact", True)}


def test_a_span_that_may_have_been_pruned_is_not_lost_for_sure() -> None:
    prune = {"type": "prune", "span": "a"}
    half = {"type": "apply", "diff": "D", "outcome": "partial"}
    assert undo(A, stage(prune), half)[1][0] == "unknown"
    assert undo(A, stage(TO_X), half, prune)[1][0] == "lost"
