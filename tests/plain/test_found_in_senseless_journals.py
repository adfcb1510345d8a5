"""Faults that senseless journals showed of the engine or the second opinion, as small stories."""

from __future__ import annotations

import pytest
from support.journals import (
    Fields,
    copy,
    found,
    ids,
    ingest,
    of,
    prune,
    recorded,
    rewrite,
    splice,
    stage,
)
from support.second_opinion import differences

from spanscope.model.content import buffer_digest, content_hash

T = "one two three"
A, B = ingest("a", T), ingest("b", "other")
GAP = of("gap", reason="x")
ITSELF = of("rewrite", span="a", op="o", content="x", into="a")


def apply(*edits: Fields, **more: object) -> Fields:
    return of("apply", diff="D", edits=list(edits), **more)


def test_an_edit_that_did_not_happen_uses_no_id() -> None:
    for events in ((apply(ITSELF, A),), (B, apply(ITSELF, copy("b", "a", "x")))):
        assert ids(recorded(*events), "SPN116") == []
        assert differences(*events) == []
    assert ids(recorded(A, apply(ITSELF)), "SPN116") == ["SPN116@2"]


SOMEWHERE = of("splice", span="a", delete=1, insert="x")


@pytest.mark.parametrize("edits", [[SOMEWHERE], [A, SOMEWHERE]])
def test_an_id_whose_span_was_left_by_the_rollback_of_its_ingest_is_in_use(
    edits: list[Fields],
) -> None:
    """What it holds is unknown then, but not whether it is there."""
    events = (A, of("rollback", steps=1, edits=edits), ingest("a", "again"))
    assert ids(recorded(*events), "SPN116") == ["SPN116@3"]
    assert differences(*events) == []


def test_an_id_is_in_use_that_a_later_use_brought_in_again() -> None:
    first = of("rollback", of=[1], outcome="partial")
    events = (A, ingest("a", "again"), first, ingest("a", "third"))
    assert ids(recorded(*events), "SPN116") == ["SPN116@2", "SPN116@4"]
    assert differences(*events) == []


def test_a_rule_that_is_known_not_to_hold_is_said_when_it_holds_again() -> None:
    """Of another one it can't be told: that is no matter of this one."""
    put = of("splice", span="b", at=-1, delete=0, insert=content_hash(""))
    staged = stage("D", 99, [], [put])
    events = (
        staged,
        of("observe", contents={"b": ""}),
        of("observe", hashes={"b": content_hash("x")}),
    )
    assert ids(recorded(*events), "DIF303") == ["DIF303@1", "DIF303@3"]
    assert differences(*events) == []


def test_a_claim_that_matches_nothing_makes_nothing_known_on_unknown_ground() -> None:
    hidden = ingest("b", "", redacted=True)
    back = of("rollback", to="k", hashes={"b": content_hash("")})
    assert recorded(GAP, hidden, back).state.spans["b"].hash is None
    assert differences(GAP, hidden, back) == []
    told = ingest("b", "", redacted=True, hash=content_hash(""))
    assert recorded(GAP, told, back).state.spans["b"].hash == content_hash("")
    assert differences(GAP, told, back) == []


def test_a_rewrite_into_its_own_id_brings_nothing_in() -> None:
    """Aborted behind lost lines, it leaves the span that it was of, which may be there."""
    events = (GAP, ITSELF, of("abort", of=2), of("splice", span="a", at=0, delete=0, insert="x"))
    assert ids(recorded(*events), "JNL007") == []
    assert differences(*events) == []


def test_a_splice_between_two_texts_of_one_hash_changed_nothing() -> None:
    empty = content_hash("")
    hidden = ingest("a", "x", redacted=True, hash=empty)
    taken = of("splice", span="a", at=0, delete=1, insert="", hash=empty)
    history = recorded(hidden, taken)
    [row, _] = history.at(2).undo()
    assert (row.status.direct, row.reachable) == ("exact", True)
    assert ids(history, "UND201") == []
    assert differences(hidden, taken) == []


def test_a_copy_over_what_a_diff_edited_gives_it_back_when_it_is_undone() -> None:
    edit = of("splice", span="a", at=0, delete=3, insert="1")
    events = (A, B, stage("D", 2, [{"span": "a"}], [edit, copy("b", "a", "x")]))
    assert ids(recorded(*events), "DIF304") + ids(recorded(*events), "DIF305") == []
    assert differences(*events) == []


def test_a_whole_span_is_found_without_an_offset() -> None:
    bare = {"original": T, "inserted": 1, "before": "", "after": "", "at": 0}
    whole = of("rewrite", span="a", op="o", content="x", inverse=bare)
    alone = {"original": "x", "inserted": 1, "before": "", "after": "", "at": 0}
    edit = splice("a", "x", 0, 1, "y", version=2, inverse=alone)
    events = (A, whole, edit)
    assert [finding.rule for finding in found(recorded(*events), "UND20")] == ["UND206"]
    assert differences(*events) == []


def test_undoing_nothing_brings_nothing_back() -> None:
    hidden = ingest("a", "x", redacted=True, hash=content_hash("held"))
    nothing = of("splice", span="a", at=0, delete=0, insert="")
    seen = of("observe", hashes={"a": content_hash("other")})
    events = (hidden, nothing, seen)
    assert next(row.reachable for row in recorded(*events).at(3).undo()) is False
    assert differences(*events) == []


def test_what_a_partial_rollback_may_have_made_again_may_be_another() -> None:
    hidden = rewrite("b", "other", "x", redacted=True, hash=None)
    partial = of("rollback", of=[1], outcome="partial")
    events = (A, B, hidden, partial)
    assert recorded(*events).state.spans["b"].version == 2
    assert differences(*events) == []


def test_what_a_rollback_brought_in_by_edits_supersedes_too() -> None:
    held = of("derive", artifact="p", span="a", kind="note")
    told = of("rollback", steps=0, edits=[ingest("b", "x", supersedes=["a"])])
    events = (A, held, told, of("use", artifact="p"))
    assert ids(recorded(*events), "SPN144") == ["SPN144@4"]
    assert differences(*events) == []


def test_a_copy_over_a_text_has_nothing_to_do_with_what_that_was_before() -> None:
    """Not even where it was unknown: what an edit put in is no longer there."""
    hidden = ingest("a", "x", redacted=True)
    whole = of("rewrite", span="a", op="o", content=T)
    edit = splice("a", T, 0, 3, "1", version=2)
    events = (hidden, B, whole, edit, copy("b", "a", "zz"))
    statuses = {row.entry.seq: row.status.direct for row in recorded(*events).at(5).undo()}
    assert statuses[4] == "clobbered"
    assert differences(*events) == []


def test_whether_a_reference_resolves_is_known_whatever_the_base_of_its_diff_is() -> None:
    staged = stage("D", 0, [], [], refs=[{"kind": "span", "span": "a"}])
    known = of("observe", digest=buffer_digest([("b", content_hash("other"))]))
    events = (B, GAP, staged, known, A, of("prune", span="a"))
    assert ids(recorded(*events), "DIF303") == ["DIF303@4", "DIF303@6"]
    assert differences(*events) == []


def test_what_was_seen_since_a_change_stays_when_that_is_aborted() -> None:
    seen = of("observe", contents={"s": "x"})
    events = (A, GAP, copy("a", "c", "x"), seen, of("abort", of=3))
    assert recorded(*events).state.order == ["a", "s"]
    assert differences(*events) == []


def test_a_checkpoint_that_was_lost_may_have_kept_a_full_copy() -> None:
    held = of("observe", hashes={"a": content_hash("one")})
    restored = of("rollback", to="k", method="restore")
    for events in ((A, GAP, held, restored), (GAP, restored)):
        assert ids(recorded(*events), "UND224") == []
        assert differences(*events) == []


def test_a_restore_that_may_have_changed_an_untold_span_counts_a_version() -> None:
    kept = of("checkpoint", checkpoint="k", snapshot=True)
    change = splice("s", "x", 0, 0, "", hash=None)
    events = (GAP, kept, change, of("rollback", to="k", method="restore"))
    assert recorded(*events).state.spans["s"].version == 2
    assert differences(*events) == []


def test_a_restore_counts_no_version_of_another_store() -> None:
    kept = of("checkpoint", checkpoint="k", snapshot=True)
    restored = of("rollback", to="k", method="restore", stores=["context"])
    events = (A, kept, ingest("f", "x", store="files"), restored)
    assert recorded(*events).state.spans["f"].version == 0
    assert differences(*events) == []


def test_edits_of_a_tombstone_leave_the_order_without_an_undone_prune_told() -> None:
    stays, first = (of("move", span="e", after=after) for after in ("e", None))
    edits = (stays, copy("e", "f", "D"), of("prune", span="e"), first)
    before = (ingest("h", "B"), ingest("n", ""), prune("h", "B"), copy("n", "e", "C"))
    undone = (of("rollback", of=[1, 3]), apply(*edits), GAP, of("rollback", of=[2, 4]))
    assert differences(*before, *undone) == []
    assert recorded(*before, *undone).state.order == ["f"]
