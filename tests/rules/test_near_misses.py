"""For every rule a journal that comes close and must not make it fire."""

from __future__ import annotations

import pytest
from support.journals import Fields, derive, ingest, of, put, recorded, rewrite, splice, stage

from spanscope.model.content import content_hash
from spanscope.rules.catalogue import RULES

T = "one two three"
A = ingest("a", T)
B = ingest("b", "other text")
COPY = of("rewrite", span="a", op="fold", into="a2", content="1 2 3", version=1)
PRUNE = of("prune", span="a", inverse={"original": T, "inserted": 0, "before": "", "after": ""})
TWO = splice("a", T, 4, 3, "2")
UNDO_TWO = of("splice", span="a", at=4, delete=1, insert="two")
READ_A = [{"span": "a"}]
D = stage("D", 1, READ_A, [put("a", "one ", "two", "and ")])
D_BASE = [A, B, stage("D", 2, READ_A, [put("a", "one ", "two", "and ")])]
OTHER = rewrite("b", "other text", "another")

NEAR: dict[str, list[Fields]] = {
    "SPN101": [A, derive("c", "a", T), rewrite("a", T, T)],
    "SPN102": [A, derive("c", "a", T), TWO, of("use", artifact="c", outcome="caught")],
    "SPN103": [A, derive("c", "a", T), of("use", artifact="c", outcome="rederived")],
    "SPN104": [
        A,
        derive("c", "a", T),
        rewrite("a", T, T),
        of("use", artifact="c", outcome="caught"),
    ],
    "SPN106": [
        *(A, derive("c", "a", T, range=[8, 13]), TWO),
        of("use", artifact="c", range=[6, 11]),
    ],
    "SPN111": [A, rewrite("a", T, T, version=0)],
    "SPN112": [A, rewrite("a", T, "x")],
    "SPN113": [A, derive("c", "a", T), rewrite("a", T, "x", hash=None)],
    "SPN114": [A, derive("c", "a", T, hash=None), TWO],
    "SPN115": [A, TWO, derive("c", "a", "one 2 three", version=1, range=[0, 11])],
    "SPN116": [A, of("rollback", steps=1), A],
    "SPN121": [A, derive("c", "a", T, cost="expensive"), COPY],
    "SPN131": [A, derive("c", "a", T), of("release", artifact="c"), PRUNE],
    "SPN132": [A, derive("c", "a", T), COPY, of("use", artifact="c")],
    "SPN133": [
        *(A, ingest("r", "ok", answers="a"), COPY),
        of("mark", kind="llm", label="call"),
    ],
    "SPN141": [A, derive("c", "a2", T), COPY, of("compact", spans=["a"])],
    "SPN142": [A, COPY, of("compact", spans=["a"])],
    "SPN143": [A, COPY, rewrite("a2", "1 2 3", "x", version=2)],
    "SPN144": [
        A,
        ingest("b", "x", supersedes=["a"]),
        derive("c", "b", "x"),
        of("use", artifact="c"),
    ],
    "UND201": [A, rewrite("a", T, T, inverse=None)],
    "UND202": [
        A,
        of("inverse", of=3, original="two", inserted=1, before="one ", after=" three"),
        splice("a", T, 4, 3, "2", inverse=None),
    ],
    "UND203": [A, TWO, of("rollback", steps=1), of("evict", of=[2])],
    "UND204": [A, TWO],
    "UND205": [ingest("a", "x\nx\n"), splice("a", "x\nx\n", 2, 1, "y")],
    "UND206": [A, splice("a", T, 4, 3, "2")],
    "UND207": [
        A,
        splice("a", T, 4, 3, "2"),
        of("checkpoint", checkpoint="c"),
        splice(
            *("a", "one 2 three", 4, 1, "II"),
            version=2,
            inverse={"original": "2", "inserted": 2, "at": 4, "anchored": False},
        ),
    ],
    "UND211": [A, TWO, COPY],
    "UND221": [
        A,
        TWO,
        of("rollback", steps=1, edits=[of("splice", span="a", at=4, delete=1, insert="two")]),
    ],
    "UND222": [
        *(A, B, TWO, OTHER),
        of("rollback", of=[3], edits=[UNDO_TWO]),
    ],
    "UND223": [A, TWO, of("rollback", steps=2)],
    "UND224": [
        A,
        of("checkpoint", checkpoint="c", snapshot=True),
        TWO,
        of("rollback", to="c", method="restore"),
    ],
    "UND225": [
        *(A, ingest("f", "x", store="files"), of("checkpoint", checkpoint="c"), TWO),
        of("rollback", to="c", stores=["context"]),
    ],
    "UND226": [A, TWO, of("rollback", steps=1)],
    "UND227": [A, rewrite("a", T, T), of("rollback", steps=1, edits=[])],
    "DIF301": [*D_BASE, OTHER],
    "DIF302": [
        *(A, stage("D", 1, READ_A, [of("splice", span="a", at=0, delete=0, insert="x")])),
        splice("a", T, 4, 3, "2"),
    ],
    "DIF303": [A, stage("D", 1, READ_A, [], refs=[{"kind": "quote", "span": "a", "text": "two"}])],
    "DIF304": [*D_BASE, OTHER],
    "DIF305": [A, D],
    "DIF306": [A, D, splice("a", T, 9, 4, "ree")],
    "DIF307": [A, D],
    "DIF311": [*D_BASE, OTHER, of("apply", diff="D")],
    "DIF312": [A, D, TWO, of("reject", diff="D")],
    "DIF313": [A, stage("D", 1, [{"span": "a", "hash": content_hash(T)}], [])],
    "DIF314": [A, B, stage("D", 2, READ_A, [of("rewrite", span="b", op="x", content="y")])],
    "DIF315": [
        A,
        D,
        of("apply", diff="D", edits=[of("splice", span="a", at=4, delete=0, insert="and ")]),
    ],
    "DIF316": [A, splice("a", T, 4, 3, "2", base={"version": 0, "hash": content_hash(T)})],
    "DIF317": [A, D, of("reject", diff="D"), D, of("reject", diff="D"), D, of("apply", diff="D")],
    "DIF318": [A, D, of("apply", diff="D", outcome="failed")],
    "SHN401": [A, of("render", items=[{"span": "a", "shown": T}])],
    "SHN402": [A, of("render", items=[{"span": "a"}]), PRUNE],
    "SHN403": [A, B, of("render", items=[{"span": "a"}, {"span": "b"}])],
    "SHN404": [
        A,
        of("render", items=[{"span": "a"}]),
        B,
        of("render", items=[{"span": "a"}, {"span": "b"}]),
    ],
    "JNL001": [A],
    "JNL002": [{**A, "unheard": {"of": 1}}],
    "JNL003": [A, B],
    "JNL004": [A],
    "JNL005": [A, of("observe", contents={"a": T}, hashes={"a": content_hash(T)})],
    "JNL006": [of("mark", kind="unheard of", label="x")],
    "JNL007": [A, of("gap", reason="x"), of("prune", span="b")],
    "JNL008": [A, splice("a", T, 13, 0, "!")],
    "JNL009": [{**A, "time": "2026-11-11T09:00:00.5Z"}, {**B, "time": "2026-11-11T09:00:00.50Z"}],
    "JNL010": [],
    "JNL011": [of("resume")],
}


@pytest.mark.parametrize("code", RULES)
def test_what_comes_close_does_not_fire_it(code: str) -> None:
    history = recorded(*NEAR[code])
    assert len(history) == len(NEAR[code])
    assert code not in {finding.rule for finding in history.findings}
