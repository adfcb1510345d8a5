"""Undo: exactly what stood there before, or refused; nothing is skipped over (seed 003)."""

from __future__ import annotations

import random
from typing import Any

import pytest
from support.buffers import above_info, audited, events_of, journal_of
from support.journals import line, of
from support.lines import with_crc
from support.second_opinion import opinion

from spanscope.buffer.buffer import BufferView, ContextBuffer
from spanscope.buffer.errors import RollbackIntegrityError, SpanscopeError
from spanscope.history.audited import audit_pieces
from spanscope.journal.events import InverseRecord, Rollback


def test_the_scene_of_the_seed_in_full(buffer: ContextBuffer) -> None:
    text = "The variable x is an int. It holds ids. Everything else is an int as well."
    buffer.ingest("types", text)
    before = buffer.digest
    buffer.replace("types", "x is an int", "x is a list[int]")
    buffer.splice("types", at=17, delete=20, insert="list of many ids, each of them an int")
    buffer.splice("types", at=0, delete=3, insert="One")
    assert buffer.rollback(3).digest == before
    assert buffer.text("types") == text


def test_a_rollback_says_what_it_left(buffer: ContextBuffer) -> None:
    buffer.ingest("a", "one")
    buffer.splice("a", 3, 0, " two")
    buffer.rollback(1)
    event = events_of(buffer)[-1]
    assert isinstance(event, Rollback)
    span = buffer.span("a")
    assert (event.steps, event.edits) == (1, None)
    assert (event.versions, event.hashes) == ({"a": span.version}, {"a": span.hash})
    assert span.version == 2


def test_a_plan_moves_nothing_and_comes_true(buffer: ContextBuffer) -> None:
    buffer.ingest("a", "one")
    buffer.ingest("b", "two")
    buffer.rewrite("a", "eins")
    buffer.prune("b")
    seq, digest = buffer.seq, buffer.digest
    plan = buffer.plan_rollback(3)
    assert (buffer.seq, buffer.digest) == (seq, digest)
    assert plan.undone == (4, 3, 2)
    assert plan.contents == {"a": "one", "b": None}
    assert plan.order == ("a",)
    assert buffer.rollback(3) == plan
    assert buffer.digest == plan.digest
    assert buffer.plan_rollback(0).undone == ()
    assert buffer.rollback(0).digest == plan.digest
    assert buffer.seq == seq + 1


@pytest.mark.parametrize("steps", [3, 99])
def test_more_steps_than_there_are_move_nothing(buffer: ContextBuffer, steps: int) -> None:
    buffer.ingest("a", "one")
    buffer.splice("a", 0, 0, "x")
    for do in (buffer.plan_rollback, buffer.rollback):
        with pytest.raises(RollbackIntegrityError) as caught:
            do(steps)
        assert caught.value.finding is not None
        assert caught.value.finding.rule == "UND223"
    assert buffer.text("a") == "xone"
    with pytest.raises(ValueError, match="-1"):
        buffer.rollback(-1)
    with pytest.raises(TypeError, match="one of"):
        buffer.rollback(1, to="x")


def test_unknown_checkpoints_and_entries_move_nothing(buffer: ContextBuffer) -> None:
    buffer.ingest("a", "one")
    for call in ({"to": "nowhere"}, {"of": [99]}):
        with pytest.raises(RollbackIntegrityError) as caught:
            buffer.rollback(**call)
        assert caught.value.finding is not None
        assert caught.value.finding.rule == "JNL007"


def test_to_a_checkpoint(buffer: ContextBuffer) -> None:
    buffer.ingest("a", "one")
    seq = buffer.checkpoint("before")
    assert events_of(buffer)[-1].seq == seq
    digest = buffer.digest
    buffer.rewrite("a", "two")
    buffer.ingest("b", "three")
    buffer.checkpoint("later")
    buffer.move("b", None)
    assert buffer.rollback(to="before").undone == (6, 4, 3)
    assert buffer.digest == digest
    assert buffer.rollback(to="before").undone == ()


def test_a_checkpoint_that_was_undone_past_is_not_led_to(buffer: ContextBuffer) -> None:
    buffer.ingest("a", "one")
    buffer.splice("a", 0, 0, "x")
    buffer.checkpoint("there")
    buffer.rollback(1)
    with pytest.raises(RollbackIntegrityError, match="was itself undone"):
        buffer.rollback(to="there")
    assert buffer.text("a") == "one"


def test_a_snapshot_is_put_back_where_undo_does_not_lead(buffer: ContextBuffer) -> None:
    buffer.ingest("a", "one")
    buffer.splice("a", 0, 0, "y")
    buffer.splice("a", 0, 0, "x")
    buffer.checkpoint("there", snapshot=True)
    buffer.rollback(1)
    buffer.ingest("b", "two")
    plan = buffer.rollback(to="there")
    assert plan.method == "restore"
    assert (buffer.text("a"), buffer.order) == ("xyone", ("a",))
    # What is below was made for another content: it can't be undone any more.
    with pytest.raises(RollbackIntegrityError):
        buffer.rollback(1)
    buffer.splice("a", 0, 0, "z")
    buffer.rollback(1)
    assert buffer.text("a") == "xyone"


def test_a_snapshot_keeps_its_tombstones(buffer: ContextBuffer) -> None:
    buffer.ingest("a", "one")
    buffer.rewrite("a", "two", "fold", policy="copy")
    buffer.checkpoint("there", snapshot=True)
    assert buffer.compact() == []


def test_a_copy_is_undone_by_reviving_its_tombstone(buffer: ContextBuffer) -> None:
    buffer.ingest("a", "one")
    buffer.rewrite("a", "two", "fold", policy="copy")
    buffer.rollback(1)
    assert buffer.order == ("a",)
    assert buffer.text("a") == "one"
    buffer.rewrite("a", "three", "fold", policy="copy")
    assert buffer.compact() == ["a"]
    with pytest.raises(RollbackIntegrityError) as caught:
        buffer.rollback(1)
    assert caught.value.finding is not None
    assert caught.value.finding.rule == "UND222"


def test_one_change_of_several_is_undone_and_the_rest_made_again(buffer: ContextBuffer) -> None:
    buffer.ingest("a", "alpha beta gamma delta")
    first = buffer.replace("a", "alpha", "A")
    buffer.replace("a", "gamma", "G")
    buffer.ingest("b", "other")
    plan = buffer.rollback(of=[first.seq])
    assert plan.undone == (2,)
    assert plan.kept == (4, 3)
    assert buffer.text("a") == "alpha beta G delta"
    buffer.rollback(2)
    assert buffer.text("a") == "alpha beta gamma delta"


def test_what_was_made_again_gets_new_anchors_where_the_old_are_gone(
    buffer: ContextBuffer,
) -> None:
    buffer.ingest("a", "x = 1; y = 2")
    first = buffer.replace("a", "x = 1", "x = 100")
    buffer.replace("a", "; y = 2", "")
    buffer.rollback(of=[first.seq])
    record = events_of(buffer)[-1]
    assert isinstance(record, InverseRecord)
    assert (record.of, record.before, record.original) == (3, "x = 1", "; y = 2")
    assert buffer.text("a") == "x = 1"
    buffer.rollback(1)
    assert buffer.text("a") == "x = 1; y = 2"


def test_a_change_on_top_of_the_undone_one_forbids_it(buffer: ContextBuffer) -> None:
    buffer.ingest("a", "one two three")
    first = buffer.replace("a", "two", "2 two 2")
    buffer.replace("a", "two", "TWO")
    before = buffer.digest
    with pytest.raises(RollbackIntegrityError, match="selective") as caught:
        buffer.rollback(of=[first.seq])
    assert caught.value.finding is not None
    assert caught.value.finding.rule == "UND222"
    assert buffer.digest == before


def test_a_change_of_the_order_is_not_undone_from_under_another(buffer: ContextBuffer) -> None:
    for name in "abc":
        buffer.ingest(name, name)
    seq = buffer.seq + 1
    buffer.move("c", None)
    buffer.prune("a")
    with pytest.raises(RollbackIntegrityError, match="changed the order"):
        buffer.rollback(of=[seq])
    assert ",".join(buffer.order) == "c,b"
    buffer.ingest("d", "d")
    # What was brought in is taken out from under others.
    buffer.move("b", None)
    buffer.rollback(of=[buffer.seq - 1])
    assert ",".join(buffer.order) == "b,c"
    buffer.rollback(3)
    assert ",".join(buffer.order) == "a,b,c"


def test_undoing_anothers_change_is_noted(buffer: ContextBuffer) -> None:
    buffer.ingest("a", "one")
    buffer.as_actor("operator").rollback(1)
    assert [f.rule for f in audited(buffer).findings] == ["UND226"]


def test_nothing_is_collected_that_somebody_needs(buffer: ContextBuffer) -> None:
    buffer.ingest("call", "search()")
    buffer.ingest("result", "42", answers="call")
    buffer.rewrite("call", "find()", "fold", policy="copy")
    assert buffer.compact() == []
    buffer.prune("result")
    assert buffer.compact() == ["call"]
    with pytest.raises(SpanscopeError, match="collected"):
        buffer.text("call")
    assert buffer.compact() == []


def test_any_order_of_overlapping_edits_is_undone_to_the_byte() -> None:
    chance = random.Random(3)
    for _ in range(60):
        buffer = ContextBuffer()
        buffer.ingest("a", "".join(chance.choice("ab") for _ in range(30)))
        seen = [buffer.text("a")]
        for _ in range(25):
            text = buffer.text("a")
            at = chance.randint(0, len(text))
            delete = chance.randint(0, min(5, len(text) - at))
            buffer.splice("a", at, delete, chance.choice(["", "a", "ab", "bbbb"]))
            seen.append(buffer.text("a"))
        while len(seen) > 1:
            steps = chance.randint(1, min(4, len(seen) - 1))
            buffer.rollback(steps)
            del seen[-steps:]
            assert buffer.text("a") == seen[-1]


class Characters:
    """A text whose characters have identities: what selective undo must leave, told plainly."""

    def __init__(self, text: str) -> None:
        self.now: list[tuple[str, int]] = [(char, 0) for char in text]

    def splice(self, seq: int, at: int, delete: int, insert: str) -> None:
        self.now[at : at + delete] = [(char, seq) for char in insert]

    def without(self, seq: int) -> str:
        """The text without what an insertion brought; nothing must have been deleted by it."""
        return "".join(char for char, made in self.now if made != seq)


def test_undoing_one_insertion_takes_out_its_own_characters() -> None:
    chance = random.Random(5)
    done = 0
    for _ in range(150):
        buffer: BufferView = ContextBuffer()
        text = "".join(chance.choice("abc") for _ in range(12))
        buffer.ingest("a", text)
        plain = Characters(text)
        for _ in range(5):
            at = chance.randint(0, len(plain.now))
            insert = "".join(chance.choice("abc") for _ in range(chance.randint(1, 3)))
            seq = buffer.splice("a", at, 0, insert).seq
            plain.splice(seq, at, 0, insert)
        chosen = chance.randint(2, 6)
        # An insertion inside another one's text depends on it: then it is refused.
        try:
            buffer.rollback(of=[chosen])
        except RollbackIntegrityError:
            continue
        done += 1
        assert buffer.text("a") == plain.without(chosen)
    assert done > 50


def test_keyword_calls_only_differ_in_what_they_name(buffer: ContextBuffer) -> None:
    buffer.ingest("a", "one")
    seq = buffer.splice("a", 0, 0, "x").seq
    calls: list[dict[str, Any]] = [{"steps": 1}, {"of": [seq]}]
    plans = [buffer.plan_rollback(**call) for call in calls]
    assert plans[0] == plans[1]


def test_an_undone_prune_does_not_bring_back_what_is_undone_below_it(buffer: ContextBuffer) -> None:
    buffer.ingest("a", "a abab")
    first = buffer.splice("a", 5, 0, "0").seq
    buffer.splice("a", 0, 1, "4")
    buffer.prune("a")
    buffer.rollback(of=[buffer.seq, first])
    assert buffer.text("a") == "4 abab"


def test_a_pruned_copy_comes_back_as_it_was(buffer: ContextBuffer) -> None:
    buffer.ingest("c", "c abab")
    first = buffer.rewrite("c", "other", policy="tell").seq
    copy = buffer.rewrite("c", "6 abc", op="fold", policy="copy")
    buffer.rollback(of=[first])
    buffer.prune(copy.span)
    buffer.rollback(1)
    assert buffer.text(copy.span) == "6 abc"
    # Its journal has nothing above info: no version of another span is taken for its own.


@pytest.mark.parametrize("seed", range(40))
def test_what_is_undone_from_between_is_what_the_audit_allows(
    buffer: ContextBuffer, seed: int
) -> None:
    chance = random.Random(seed)
    buffer.ingest("a", "".join(chance.choices("pq", k=chance.randint(0, 4))))
    seqs = []
    for number in range(chance.randint(2, 6)):
        text = buffer.text("a")
        at = chance.randint(0, len(text))
        insert = "ABCDEF"[number] * chance.randint(0, 3)
        change = buffer.splice("a", at, min(chance.choice((0, 0, 1, 3)), len(text) - at), insert)
        seqs.append(change.seq)
    named = [seq for seq in seqs if chance.random() < 0.5] or seqs[:1]
    try:
        buffer.rollback(of=named)
    except RollbackIntegrityError:
        buffer.close()
        journal = journal_of(buffer).read_bytes().splitlines(keepends=True)[:-1]
        asked = line(of("rollback", of=named), len(journal))
        journal.append(with_crc(asked.rstrip()) + b"\n")
        assert "UND222" in [finding.rule for finding in audit_pieces(journal).findings]
    else:
        buffer.rollback(len(seqs) - len(named))
        assert above_info(buffer) == []
        journal = [journal_of(buffer).read_bytes()]
    assert opinion(b"".join(journal)).differences == []
