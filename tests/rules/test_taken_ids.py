"""A copy under an id that was used (SPN116): its undo brings back what stood there."""

from __future__ import annotations

import pytest
from support.journals import (
    Fields,
    copy,
    derive,
    found,
    ids,
    ingest,
    of,
    prune,
    recorded,
    splice,
    state_of,
)

from spanscope.history.history import History
from spanscope.model.content import content_hash
from spanscope.model.spans import Span

T = "one two three"
A, B, C = ingest("a", T), ingest("b", "other"), ingest("c", "last")
TAKING = copy("a", "b", "x")
BACK = of("rollback", steps=1)


def span(history: History, name: str) -> Span:
    return history.state.spans[name]


@pytest.mark.parametrize("how", [{"steps": 1}, {"of": [4]}, {"to": "k"}])
def test_its_content_comes_back_in_its_place(how: Fields) -> None:
    point = of("checkpoint", checkpoint="k")
    events = (A, B, C, TAKING) if "to" not in how else (A, B, C, point, TAKING)
    history = recorded(*events, of("rollback", **how))
    assert history.state.order == ["a", "b", "c"]
    assert [span(history, name).text for name in "abc"] == [T, "other", "last"]
    assert found(history, "UND") == []


def test_its_origin_goes_back_and_its_version_goes_on() -> None:
    history = recorded(A, ingest("b", "other", origin="user", role="user"), TAKING, BACK)
    assert (span(history, "b").produced_by, span(history, "b").role) == ("user", "user")
    assert [history.at(seq).span("b").version for seq in (2, 3, 4)] == [0, 1, 2]  # type: ignore[union-attr]


def test_what_was_before_it_can_be_undone_too() -> None:
    edit = splice("b", "other", 0, 0, "an")
    history = recorded(A, B, edit, TAKING)
    assert [row.reachable for row in history.at(4).undo()] == [True] * 4
    history = recorded(A, B, edit, TAKING, of("rollback", steps=2))
    assert (history.state.order, span(history, "b").text) == (["a", "b"], "other")
    assert found(history, "UND") == []


@pytest.mark.parametrize(
    ("events", "life"),
    [
        ([A, B, copy("b", "c", "y"), TAKING], "tombstone"),
        ([A, B, prune("b", "other"), TAKING], "pruned"),
        ([A, B, copy("b", "c", "y"), of("compact", spans=["b"]), TAKING], "collected"),
    ],
    ids=["tombstone", "pruned", "collected"],
)
def test_one_that_was_not_live_is_not_live_again(events: list[Fields], life: str) -> None:
    history = recorded(*events, BACK)
    assert span(history, "b").life == life
    assert "b" not in history.state.order
    assert found(history, "UND22") == []


def test_a_holder_of_what_came_back_is_fresh_again() -> None:
    held = derive("h", "b", "other")
    assert state_of(recorded(A, B, held, TAKING), "h") == "stale"
    assert state_of(recorded(A, B, held, TAKING, BACK), "h") == "fresh"


REVIVED = of("ingest", span="a", content=T, after=None)


def test_edits_that_only_prune_the_copy_are_a_corruption() -> None:
    undone = {**BACK, "edits": [REVIVED, of("prune", span="b")]}
    assert ids(recorded(A, B, TAKING, undone), "UND221") == ["UND221@4"]


def test_edits_that_bring_back_what_it_took_are_none() -> None:
    edits = [REVIVED, of("rewrite", span="b", op="undo", content="other")]
    undone = {**BACK, "edits": edits, "hashes": {"b": content_hash("other")}}
    assert found(recorded(A, B, TAKING, undone), "UND221") == []


def test_in_an_apply_too() -> None:
    edits = [{**TAKING}, of("splice", span="b", at=0, delete=0, insert="y")]
    sound = {
        "original": "",
        "inserted": 1,
        "before": "",
        "after": "x",
        "inserted_hash": content_hash("y"),
    }
    applied = of("apply", diff="D", edits=edits, inverses=[None, sound])
    history = recorded(A, B, C, applied, BACK)
    assert history.state.order == ["a", "b", "c"]
    assert span(history, "b").text == "other"
    assert found(history, "UND") == []
