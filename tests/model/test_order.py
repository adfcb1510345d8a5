"""Where spans stand, and what the digest of a buffer takes in."""

from __future__ import annotations

import hashlib
import json

import pytest
from support.journals import Fields, copy, ids, ingest, of, prune, recorded, rewrite

from spanscope.model.content import buffer_digest, content_hash

A, B, C = (ingest(name, name.upper()) for name in "abc")


def order(*events: Fields) -> list[str]:
    return recorded(A, B, C, *events).state.order


@pytest.mark.parametrize(
    ("more", "stands"),
    [
        ({}, ["a", "b", "c", "n"]),
        ({"after": None}, ["n", "a", "b", "c"]),
        ({"after": "a"}, ["a", "n", "b", "c"]),
        ({"after": "c"}, ["a", "b", "c", "n"]),
        ({"store": "files"}, ["a", "b", "c", "n"]),
    ],
    ids=["last", "first", "after a", "after the last", "of another store"],
)
def test_a_new_span(more: Fields, stands: list[str]) -> None:
    assert order(ingest("n", "x", **more)) == stands


@pytest.mark.parametrize(
    ("span", "after", "stands"),
    [
        ("a", "c", ["b", "c", "a"]),
        ("a", "b", ["b", "a", "c"]),
        ("c", None, ["c", "a", "b"]),
        ("c", "a", ["a", "c", "b"]),
        ("b", "a", ["a", "b", "c"]),
        ("b", "b", ["a", "b", "c"]),
    ],
)
def test_a_move(span: str, after: str | None, stands: list[str]) -> None:
    history = recorded(A, B, C, of("move", span=span, after=after))
    assert (history.state.order, ids(history)) == (stands, [])
    assert history.state.revision == (3 if stands == ["a", "b", "c"] else 4)


def test_a_copy_takes_the_place_and_a_pruned_span_leaves_it() -> None:
    assert order(copy("b", "b2", "x")) == ["a", "b2", "c"]
    assert order(prune("b", "B")) == ["a", "c"]


def test_a_span_after_one_that_is_not_there_comes_last_and_is_told() -> None:
    history = recorded(A, prune("a", "A"), B, ingest("n", "x", after="a"))
    assert (history.state.order, ids(history)) == (["b", "n"], ["JNL007@4"])


def digest(rows: list[list[str]]) -> str:
    text = json.dumps(rows, ensure_ascii=False, separators=(",", ":"))
    return "sha256:" + hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


@pytest.mark.parametrize(
    ("events", "rows"),
    [
        ([], []),
        ([A, B], [["a", "A"], ["b", "B"]]),
        ([B, A], [["b", "B"], ["a", "A"]]),
        ([A, ingest("f", "F", store="files")], [["a", "A"], ["f", "F"]]),
        ([A, copy("a", "a2", "x"), B, prune("b", "B")], [["a2", "x"]]),
        ([ingest('é"\\', "ü")], [['é"\\', "ü"]]),
        ([ingest("\ud800", "a\ud800")], [["\ud800", "a\ud800"]]),
    ],
    ids=["empty", "two", "their order", "all stores", "only live", "escapes", "surrogates"],
)
def test_the_digest_is_of_ids_and_hashes_of_the_live_spans_in_order(
    events: list[Fields], rows: list[list[str]]
) -> None:
    hashed = [[name, content_hash(text)] for name, text in rows]
    assert recorded(*events).state.digest() == digest(hashed)
    assert buffer_digest([(name, hash) for name, hash in hashed]) == digest(hashed)


def test_no_two_buffers_have_one_digest() -> None:
    one, other = recorded(ingest("ab", "c")), recorded(ingest("a", "bc"))
    assert one.state.digest() != other.state.digest()


def test_a_lone_surrogate_is_hashed_as_surrogatepass_encodes_it() -> None:
    wanted = hashlib.sha256(b"a\xed\xa0\x80").hexdigest()
    assert content_hash("a\ud800") == f"sha256:{wanted}"


def test_the_revision_counts_what_really_changed() -> None:
    events = [
        (A, 1),
        (of("checkpoint", checkpoint="k"), 1),
        (rewrite("a", "A", "A"), 1),
        (of("splice", span="a", at=9, delete=0, insert="x"), 1),
        (rewrite("a", "A", "x", version=2), 2),
        (of("move", span="a", after=None), 2),
        (B, 3),
        (of("move", span="a", after="b"), 4),
        (of("rollback", steps=1, outcome="noop"), 4),
        (of("rollback", steps=1), 5),
        (of("observe", contents={"a": "y"}), 6),
        (of("abort", of=11), 5),
    ]
    history = recorded(*(event for event, _ in events))
    assert [history.revision_at(seq) for seq in history.seqs] == [count for _, count in events]
