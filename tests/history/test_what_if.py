"""What-if: told before it happens, and nothing of the history moves."""

from __future__ import annotations

import random
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.histories import HEADER, a_program, told, whole
from support.journals import ingest, of, put, recorded, stage
from support.programs import next_event

from spanscope import ContextBuffer
from spanscope.history.history import History, load
from spanscope.history.what_if.applying import apply_here
from spanscope.history.what_if.rewriting import rewrite_here
from spanscope.history.what_if.rolling import RolledBack, roll_back
from spanscope.journal.events import Apply, Rollback
from spanscope.model.anchors import fits_at
from spanscope.model.spans import Span
from spanscope.model.undo import Part
from spanscope.rules.judge import Judge
from spanscope.sample_sessions import NAMES, sample


def session(name: str) -> History:
    return load(sample(name).path)


# The shipped incidents


def test_the_dropped_inverse_is_told_before_the_rollback() -> None:
    history = session("dropped-inverse")
    found = roll_back(history, 31, 2)
    assert (found.possible, found.size) == (0, 12)
    assert found.stopped is not None
    assert (found.stopped.entry.seq, found.stopped.why) == (26, "it has no inverse")
    skipped, hit = (step.worst for step in found.steps)
    assert skipped is not None
    assert (skipped.did, skipped.why) == ("skips", "it has no record")
    assert hit is not None
    assert (hit.did, hit.at, hit.true, hit.destroyed) == ("elsewhere", 122, 65, "fter ever")
    after = history.at(32).span("types")
    assert after is not None
    assert [(each.wanted.name, each.got.text) for each in found.damaged] == [("types", after.text)]
    assert found.damaged[0].got.hash == after.hash
    before = history.at(19).span("types")
    assert before is not None
    wanted = found.meant[0].span
    assert wanted is not None
    assert (found.meant[0].before, wanted.hash) == (20, before.hash)


def test_the_twin_block_is_told_before_the_undo() -> None:
    history = session("twin-blocks")
    found = roll_back(history, 24, 4)
    assert (found.possible, found.asked) == (3, 4)
    hit = found.steps[3].worst
    assert hit is not None
    assert (hit.did, hit.at, hit.true, hit.destroyed, hit.written) == (
        "elsewhere",
        191,
        370,
        "15",
        "10",
    )
    after = history.at(25).span("ci")
    assert after is not None
    assert [each.got.text for each in found.damaged] == [after.text]


def test_the_safe_twin_does_the_same_either_way() -> None:
    found = roll_back(load(sample("twin-blocks", safe=True).path), 24, 5)
    assert (found.possible, found.damaged) == (5, ())


def test_a_holder_is_fresh_again_after_the_rollback() -> None:
    found = roll_back(session("stale-base"), 75, 3)
    assert [(one.name, one.before) for one in found.restored] == [
        ("plan", 75),
        ("rules", 74),
        ("docs/limits", 72),
    ]
    changes = [(c.artifact.artifact, c.before.state, c.after.state) for c in found.holders]
    assert changes == [("cite:limits", "stale", "fresh")]


def test_the_stale_diff_that_a_write_set_check_lets_through() -> None:
    history = session("stale-base")
    found = apply_here(history, 74, "D7")
    assert found is not None
    assert (found.seq, found.left, found.judgement.verdict) == (73, "applied at 74", "stale")
    assert found.slips_through
    assert not found.allowed
    after = history.at(74).span("rules")
    assert after is not None
    assert [(one.name, one.after.hash) for one in found.written if one.after] == [
        ("rules", after.hash)
    ]
    assert apply_here(history, 75, "D7") is None


def test_the_reconcilable_diff_may_be_applied() -> None:
    found = apply_here(session("stale-base"), 74, "D8")
    assert found is not None
    assert (found.judgement.verdict, found.allowed, found.slips_through) == (
        "reconcilable",
        True,
        False,
    )
    assert (found.undoable, found.fragile, found.unplaced) == (True, None, ())


def test_a_diff_that_one_more_write_makes_lost_is_not_allowed() -> None:
    at_the_end = put("a", "two", "", " three")
    history = recorded(ingest("a", "one two"), stage("D1", 1, [{"span": "a"}], [at_the_end]))
    found = apply_here(history, 2, "D1")
    assert found is not None
    assert (found.judgement.verdict, found.undoable, found.allowed) == ("admissible", True, False)
    assert found.fragile is not None
    assert [one.after.text for one in found.written if one.after] == ["one two three"]


def test_what_is_not_staged_is_not_applied() -> None:
    history = session("stale-base")
    for seq in (0, 1, 5, history.last):
        assert apply_here(history, seq, "D7") is None
    assert apply_here(history, 74, "no such diff") is None
    edits = [put("a", "one", "", "!")]
    later = recorded(of("withdraw", diff="D1"), ingest("a", "one"), stage("D1", 1, [], edits))
    assert apply_here(later, 1, "D1") is None


def test_the_conflict_has_no_place() -> None:
    found = apply_here(session("stale-base"), 91, "D9")
    assert found is not None
    assert (found.undoable, found.unplaced, found.slips_through) == (False, ("rules",), False)


def test_the_embedding_is_owed_a_copy() -> None:
    found = rewrite_here(session("stale-embedding"), 22, "damage")
    assert found is not None
    assert found.due == "copy on rewrite"
    assert [(one.artifact.artifact, one.goes_stale, one.expensive) for one in found.holders] == [
        ("emb:damage", True, True)
    ]


def test_the_citation_is_told_and_the_diff_goes_stale() -> None:
    found = rewrite_here(session("stale-base"), 71, "docs/limits")
    assert found is not None
    assert found.due == "tell and re-key"
    assert [one.artifact.artifact for one in found.holders if one.goes_stale] == ["cite:limits"]
    verdicts = {one.diff.diff: one.after.verdict for one in found.diffs}
    assert verdicts == {"D7": "stale", "D8": "reconcilable"}
    assert rewrite_here(session("stale-base"), 71, "nothing") is None


# Nothing moves, whatever is asked


def _everything(history: History, seq: int) -> list[object]:
    moment = history.at(seq)
    asked: list[object] = [roll_back(history, seq, n, 2) for n in (1, 3, moment.undo_size)]
    asked += [apply_here(history, seq, name) for name in history.staged_at(seq)]
    asked += [rewrite_here(history, seq, name) for name in moment.order]
    return asked


def _kept(history: History) -> tuple[Any, ...]:
    state, memory = history.state, history._audit.judge.memory
    return (
        [told(history, seq) for seq in (0, *history.seqs)],
        [history.at(seq).order for seq in history.seqs],
        [[span.text for span in states] for states in state.chronicle.values()],
        list(state.order),
        [entry.seq for entry in state.stack],
        dict(state.staged),
        dict(state.artifacts),
        (memory.reach.hindering(), memory.reach.floor, dict(memory.verdicts)),
        state.revision,
    )


@pytest.mark.parametrize("name", NAMES)
def test_a_shipped_session_is_as_it_was(name: str) -> None:
    history = session(name)
    before = _kept(history)
    for seq in history.seqs[::3]:
        _everything(history, seq)
    assert _kept(history) == before


@given(st.integers(0, 10**6))
def test_any_history_is_as_it_was(seed: int) -> None:
    history = whole(a_program(seed, 16))
    before = _kept(history)
    for seq in random.Random(seed).sample(list(history.seqs), min(4, len(history.seqs))):
        _everything(history, seq)
    assert _kept(history) == before


# Against what really happens


def _sound_program(seed: int, events: int) -> History:
    """A journal of changes and rollbacks, each with its inverse."""
    chance, judge = random.Random(seed), Judge()
    lines = [HEADER]
    for _ in range(events):
        event = next_event(chance, judge.state)
        judge.feed(event)
        lines.append(msgspec.json.encode(event) + b"\n")
    return whole(b"".join(lines))


def _standing(history: History, seq: int, name: str) -> str | None:
    span = history.at(seq).span(name)
    return span.text if span is not None and span.live else None


def _text(span: Span | None) -> str | None:
    return span.text if span is not None and span.live else None


@given(st.integers(0, 10**6))
def test_undone_spans_are_as_the_journal_had_them(seed: int) -> None:
    history = _sound_program(seed, 18)
    seq = random.Random(seed).choice(list(history.seqs))
    size = history.at(seq).undo_size
    for count in range(1, size + 1):
        found = roll_back(history, seq, count)
        assert found.possible == found.asked == count
        for one in found.restored:
            assert _text(one.span) == _standing(history, one.before - 1, one.name)


@given(st.integers(0, 10**6), st.integers(1, 6))
def test_a_recorded_rollback_does_what_was_told(seed: int, steps: int) -> None:
    history = _sound_program(seed, 25)
    steps = min(steps, history.at(history.last).undo_size)
    found = roll_back(history, history.last, steps)
    event = Rollback(seq=history.last + 1, time="2026-11-11T10:00:00Z", actor="agent", steps=steps)
    history.feed(msgspec.json.encode(event) + b"\n")
    assert found.possible == steps
    for one in found.restored:
        assert _text(one.span) == _standing(history, history.last, one.name)


def test_the_library_plans_the_same_rollback(tmp_path: Any) -> None:
    path = tmp_path / "planner.jsonl"
    with ContextBuffer.record("planner", path) as buffer:
        buffer.ingest("a", "one two three")
        buffer.ingest("b", "four")
        buffer.splice("a", 4, 3, "2")
        buffer.rewrite("b", "five", op="count")
        buffer.prune("a")
        plans = [buffer.plan_rollback(steps).contents for steps in range(1, 6)]
        history = load(path, live=True)
        for steps, plan in enumerate(plans, 1):
            found = roll_back(history, history.last, steps)
            assert {one.name: _text(one.span) for one in found.restored} == plan


# The naive undo against its plain twin


class _Twin:
    """The naive undo on bare strings, the first place sought one offset after the other."""

    def __init__(self, texts: dict[str, str | None]) -> None:
        self.texts = texts

    def undo(self, part: Part) -> None:
        inverse = part.inverse
        if part.kind == "ingest":
            was = part.before
            self.texts[part.span] = was.text if was is not None and was.live else None
        elif part.owes_inverse and inverse is not None:
            self._write(part)

    def _write(self, part: Part) -> None:
        inverse, text = part.inverse, self.texts[part.span]
        assert inverse is not None
        if part.kind == "prune":
            self.texts[part.span] = inverse.original
        elif text is None:
            return
        elif part.kind == "rewrite":
            self.texts[part.span] = inverse.original
        else:
            only_offset = not inverse.anchored or not (
                inverse.before or inverse.after or inverse.inserted_hash
            )
            if inverse.at is not None and only_offset:
                at: int | None = min(inverse.at, len(text))
            else:
                tried = range(len(text) - inverse.inserted + 1)
                at = next((place for place in tried if fits_at(text, place, inverse)), None)
            if at is not None:
                self.texts[part.span] = text[:at] + inverse.original + text[at + inverse.inserted :]


@given(st.integers(0, 10**6), st.floats(0, 0.6))
def test_the_naive_undo_is_its_plain_twin(seed: int, dropped: float) -> None:
    history = _dropping(seed, dropped)
    entries = [row.entry for row in history.at(history.last).undo()]
    kinds = {part.kind for entry in entries for part in entry.parts}
    assert kinds <= {"ingest", "splice", "rewrite", "prune", "move"}
    names = {name for entry in entries for name in entry.spans}
    for count in range(1, len(entries) + 1):
        twin = _Twin({name: _standing(history, history.last, name) for name in names})
        for entry in entries[:count]:
            for part in reversed(entry.parts):
                twin.undo(part)
        found = roll_back(history, history.last, count)
        _agrees(found, twin)


def _agrees(found: RolledBack, twin: _Twin) -> None:
    damaged = {one.wanted.name: one.got for one in found.damaged}
    for wanted in found.meant:
        got = twin.texts[wanted.name]
        if got == _text(wanted.span):
            assert wanted.name not in damaged
        else:
            assert damaged[wanted.name].text == got
            assert damaged[wanted.name].gone == (got is None)


def _dropping(seed: int, share: float) -> History:
    """A journal in which a share of the inverses is dropped, and some know but an offset."""
    chance, judge = random.Random(seed), Judge()
    lines = [HEADER]
    while len(lines) < 18:
        event = next_event(chance, judge.state)
        inverse = getattr(event, "inverse", None)
        if isinstance(event, Rollback | Apply) or getattr(event, "into", None) is not None:
            continue
        if inverse is not None and chance.random() < share:
            how = chance.choice(("none", "offset", "short"))
            if how == "none":
                inverse = None
            elif how == "offset" and hasattr(event, "at"):
                inverse = msgspec.structs.replace(
                    inverse, at=event.at, anchored=False, inserted_hash=None, before="", after=""
                )
            else:
                inverse = msgspec.structs.replace(
                    inverse,
                    before=inverse.before[-2:],
                    after=inverse.after[:2],
                    inserted_hash=None,
                    at=None,
                )
            event = msgspec.structs.replace(event, inverse=inverse)
        judge.feed(event)
        lines.append(msgspec.json.encode(event) + b"\n")
    return whole(b"".join(lines))
