"""A call of every method of a recorder with every field, and the line that it must write."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from spanscope.buffer import EventMethods, MoveEdit, PruneEdit, SpliceEdit
from spanscope.journal.parts import Inverse

HASH = "sha256:" + "0" * 64
INVERSE: dict[str, Any] = {"inserted": 1, "at": 0, "before": "", "after": "b", "original": "a"}
MUTATION: dict[str, Any] = {
    "version": 1,
    "hash": HASH,
    "base": {"version": 0, "hash": HASH},
    "invalidates": ["x"],
    "redacted": True,
    "inverse": INVERSE,
    "actor": "tool:edit",
    "meta": {"why": ["because", 1]},
}
EDIT = {"type": "splice", "span": "a", "at": 0, "delete": 1, "insert": "b", "original": "a"}

Call = Callable[[EventMethods], int]

CALLS: list[tuple[Call, dict[str, Any]]] = [
    (
        lambda r: r.ingest(
            "a",
            "text",
            role="tool",
            after=None,
            origin="o",
            store="files",
            answers="c",
            supersedes=["z"],
            version=3,
            hash=HASH,
        ),
        {
            "type": "ingest",
            "span": "a",
            "role": "tool",
            "after": None,
            "origin": "o",
            "store": "files",
            "answers": "c",
            "supersedes": ["z"],
            "version": 3,
            "hash": HASH,
            "content": "text",
        },
    ),
    (lambda r: r.ingest("a", ""), {"type": "ingest", "span": "a", "content": ""}),
    (
        lambda r: r.rewrite("a", "new", op="summarize", into="b", **MUTATION),
        {"type": "rewrite", "span": "a", "op": "summarize", "into": "b", "content": "new"}
        | MUTATION,
    ),
    (
        lambda r: r.splice(
            "a", 0, 1, "b", anchor={"before": "", "after": "c"}, original="a", **MUTATION
        ),
        {
            "type": "splice",
            "span": "a",
            "at": 0,
            "delete": 1,
            "insert": "b",
            "anchor": {"before": "", "after": "c"},
            "original": "a",
        }
        | MUTATION,
    ),
    (lambda r: r.prune("a", **MUTATION), {"type": "prune", "span": "a"} | MUTATION),
    (lambda r: r.move("a", None), {"type": "move", "span": "a", "after": None}),
    (
        lambda r: r.derive(
            "c",
            "a",
            "citation",
            range=(1, 2),
            unit="bytes",
            quote={"exact": "x", "prefix": "p"},
            version=0,
            hash=HASH,
            holder="h",
            cost="cheap",
            sources=["b", {"span": "d", "hash": HASH}],
        ),
        {
            "type": "derive",
            "artifact": "c",
            "span": "a",
            "kind": "citation",
            "range": [1, 2],
            "unit": "bytes",
            "quote": {"exact": "x", "prefix": "p"},
            "version": 0,
            "hash": HASH,
            "holder": "h",
            "cost": "cheap",
            "sources": [{"span": "b"}, {"span": "d", "hash": HASH}],
        },
    ),
    (
        lambda r: r.use("c", outcome="caught", checked=["version"], range=(0, 1), got="x"),
        {
            "type": "use",
            "artifact": "c",
            "outcome": "caught",
            "checked": ["version"],
            "range": [0, 1],
            "got": "x",
        },
    ),
    (lambda r: r.release("c"), {"type": "release", "artifact": "c"}),
    (
        lambda r: r.inverse(
            4,
            original="a",
            inserted=1,
            before="x",
            after="y",
            at=0,
            anchored=False,
            inserted_hash=HASH,
            window=16,
            edit=0,
        ),
        {
            "type": "inverse",
            "of": 4,
            "original": "a",
            "inserted": 1,
            "before": "x",
            "after": "y",
            "at": 0,
            "anchored": False,
            "inserted_hash": HASH,
            "window": 16,
            "edit": 0,
        },
    ),
    (lambda r: r.evict([1, 2], reason="ttl"), {"type": "evict", "of": [1, 2], "reason": "ttl"}),
    (lambda r: r.abort(3, reason="full"), {"type": "abort", "of": 3, "reason": "full"}),
    (
        lambda r: r.checkpoint("c", snapshot=True, digest=HASH),
        {"type": "checkpoint", "checkpoint": "c", "snapshot": True, "digest": HASH},
    ),
    (lambda r: r.rollback(2), {"type": "rollback", "steps": 2}),
    (
        lambda r: r.rollback(
            to="c",
            of=[4],
            method="restore",
            stores=["files"],
            edits=[EDIT],
            outcome="partial",
            versions={"a": 2},
            hashes={"a": HASH},
        ),
        {
            "type": "rollback",
            "to": "c",
            "of": [4],
            "method": "restore",
            "stores": ["files"],
            "edits": [EDIT],
            "outcome": "partial",
            "versions": {"a": 2},
            "hashes": {"a": HASH},
        },
    ),
    (
        lambda r: r.stage(
            "d",
            {"revision": 3, "digest": HASH},
            reads=[{"all": True}],
            edits=[EDIT, MoveEdit(span="a", after=None), PruneEdit(span="b")],
            refs=[{"kind": "quote", "span": "a", "text": "x"}],
            compensates=2,
        ),
        {
            "type": "stage",
            "diff": "d",
            "base": {"revision": 3, "digest": HASH},
            "reads": [{"all": True}],
            "edits": [
                EDIT,
                {"type": "move", "span": "a", "after": None},
                {"type": "prune", "span": "b"},
            ],
            "refs": [{"kind": "quote", "span": "a", "text": "x"}],
            "compensates": 2,
        },
    ),
    (
        lambda r: r.apply(
            "d",
            edits=[SpliceEdit(span="a", at=0, delete=1, insert="b", original="a")],
            inverses=[Inverse(**INVERSE), None],
            outcome="partial",
            versions={"a": 1},
            hashes={"a": HASH},
        ),
        {
            "type": "apply",
            "diff": "d",
            "edits": [EDIT],
            "inverses": [INVERSE, None],
            "outcome": "partial",
            "versions": {"a": 1},
            "hashes": {"a": HASH},
        },
    ),
    (
        lambda r: r.reject("d", reason="stale", rule="DIF301"),
        {"type": "reject", "diff": "d", "reason": "stale", "rule": "DIF301"},
    ),
    (lambda r: r.withdraw("d"), {"type": "withdraw", "diff": "d"}),
    (lambda r: r.compact(["a"]), {"type": "compact", "spans": ["a"]}),
    (
        lambda r: r.observe(hashes={"a": HASH}, contents={"b": "x"}, digest=HASH),
        {"type": "observe", "hashes": {"a": HASH}, "contents": {"b": "x"}, "digest": HASH},
    ),
    (
        lambda r: r.render(["a", {"span": "b", "shown": "…"}], call="7"),
        {"type": "render", "call": "7", "items": [{"span": "a"}, {"span": "b", "shown": "…"}]},
    ),
    (lambda r: r.gap("crash", lost=3), {"type": "gap", "reason": "crash", "lost": 3}),
    (lambda r: r.resume(), {"type": "resume"}),
    (lambda r: r.mark("turn", "1"), {"type": "mark", "kind": "turn", "label": "1"}),
]
