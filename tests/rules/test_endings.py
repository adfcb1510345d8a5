"""A span that was taken from the buffer is gone since then, whatever happened to it later."""

from __future__ import annotations

import pytest
from support.journals import Fields, copy, ingest, of, prune, put, recorded, splice, stage, the

from spanscope.model.content import buffer_digest, content_hash

T = "one two three"
A = ingest("a", T)
COPIED = copy("a", "a2", "x")
CHANGED = splice("a", T, 4, 3, "2")
KNOWN = of("observe", digest=buffer_digest([("a2", content_hash("x"))]))
GAP = of("gap", reason="x")
SHOWN = of("render", items=[{"span": "a"}])
EDIT = put("a", "one ", " three", "2", 3)


@pytest.mark.parametrize(
    "later",
    [[], [CHANGED], [CHANGED, of("rollback", steps=1)], [GAP, KNOWN]],
    ids=["nothing", "changed", "changed back", "known again"],
)
@pytest.mark.parametrize(
    ("event", "rule"),
    [
        (SHOWN, "SHN402"),
        (stage("D", 2, [{"span": "a"}], []), "DIF301"),
        (stage("D", 2, [], [], refs=[{"kind": "span", "span": "a"}]), "DIF303"),
        (stage("D", 2, [], [EDIT]), "DIF304"),
    ],
    ids=["shown", "read", "referred to", "edited"],
)
def test_a_tombstone_is_one_since_it_was_copied(
    later: list[Fields], event: Fields, rule: str
) -> None:
    said = the(recorded(A, COPIED, *later, event), rule)
    assert said.caused_by == 2
    assert "since 2" in said.message or rule == "DIF303"


def test_changed_twice_it_is_one_since_it_was_copied() -> None:
    again = splice("a", "one 2 three", 4, 1, "two", version=2)
    history = recorded(A, COPIED, CHANGED, again)
    causes = [found.caused_by for found in history.findings if found.rule == "SPN143"]
    assert causes == [2, 2]


def test_copied_again_it_is_one_since_then() -> None:
    history = recorded(A, COPIED, of("rollback", steps=1), copy("a", "a3", "y"), SHOWN)
    assert the(history, "SHN402").caused_by == 4


def test_pruned_again_it_is_gone_since_then() -> None:
    history = recorded(A, prune("a", T), of("rollback", steps=1), prune("a", T), SHOWN)
    assert the(history, "SHN402").caused_by == 4
