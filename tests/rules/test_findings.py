"""What every finding has: its place in the report, its id, its cause, its words."""

from __future__ import annotations

import re
from itertools import groupby

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
    put,
    recorded,
    rewrite,
    splice,
    stage,
    the,
    use,
)

from spanscope.history.history import History, load
from spanscope.model.content import content_hash
from spanscope.rules.catalogue import RULES, page
from spanscope.rules.finding import Finding
from spanscope.sample_sessions import sample_path, scenarios

T = "one two three"
A = ingest("a", T)
B = ingest("b", "other")
C = derive("c", "a", T)
TWO = splice("a", T, 4, 3, "2")
N = "one 2 three"
BARE = {**TWO, "inverse": None}
READ_A = [{"span": "a"}]
D = stage("D", 1, READ_A, [put("a", "one ", "two", "and ")])
R = ingest("r", "ok", answers="a")
COPY = copy("a", "a2", "x")
CALL = of("mark", kind="llm", label="call")
BACK = of("rollback", steps=1)
OFFSET: Fields = {"original": "two", "inserted": 1, "at": 4, "anchored": False}
OVER: Fields = {"original": "2", "inserted": 1, "at": 4, "anchored": False}
NOW = derive("c", "a", N, version=1)
ANEW = rewrite("a", T, N)
LONGER = splice("a", N, 0, 0, "x", version=2)
AS_BEFORE = splice("a", "x" + N, 0, 1, "", version=3)
FROM_BOTH = derive("c", "a", T, sources=[{"span": "b"}])
OTHER = rewrite("b", "other", "x")
TOLD = rewrite("a", T, T, invalidates=["c"])
NEVER = of("derive", artifact="c", span="a", kind="note", hash="sha256:" + "0" * 64)
HEADER = b'{"type":"session","format":"spanscope.journal/1","session":"page"}\n'


def of_a_page(code: str) -> list[Finding]:
    """Everything that is found in the examples of a rule's page."""
    history = History()
    for block in re.findall(r"```(?:jsonl|text)\n(.*?)```", page(code), re.DOTALL):
        history.feed(block.encode() if block.startswith('{"type":"session"') else HEADER)
        history.feed(block.encode())
        break
    history.finish()
    return history.findings


@pytest.mark.parametrize(
    ("rule", "events", "cause"),
    [
        ("SPN101", [A, C, TWO], None),
        ("SPN102", [A, C, TWO, use("c")], 3),
        ("SPN102", [A, TWO, NOW, BACK, use("c")], 4),
        ("SPN102", [A, TWO, NOW, BACK, splice("a", T, 0, 0, "x"), use("c")], 4),
        ("SPN102", [A, C, TWO, BACK, splice("a", T, 0, 0, "x"), use("c")], 5),
        ("SPN102", [A, C, TWO, splice("a", N, 0, 0, "x", version=2), use("c"), use("c")], 3),
        ("SPN102", [A, B, FROM_BOTH, OTHER, TWO, use("c")], 4),
        ("SPN102", [A, B, FROM_BOTH, TWO, OTHER, use("c")], 4),
        ("SPN102", [A, B, FROM_BOTH, OTHER, TWO, BACK, use("c")], 4),
        ("SPN102", [A, B, FROM_BOTH, OTHER, prune("b", "x"), use("c")], 4),
        ("SPN102", [A, C, TOLD, splice("a", T, 0, 0, "x", version=2), use("c")], 3),
        ("SPN102", [A, C, TWO, rewrite("a", N, N, version=2, invalidates=["c"]), use("c")], 3),
        ("SPN102", [A, TWO, C, use("c")], 2),
        ("SPN102", [A, TWO, NEVER, use("c")], 3),
        ("SPN102", [A, derive("c", "a", T, range=[8, 99]), use("c")], 2),
        ("SPN103", [A, C, TWO, use("c", outcome="caught")], 3),
        ("SPN103", [A, C, rewrite("a", T, T), use("c", outcome="caught")], 3),
        ("SPN103", [A, C, TWO, BACK, use("c", outcome="caught")], 3),
        ("SPN103", [A, ANEW, NOW, LONGER, AS_BEFORE, use("c", outcome="caught")], 4),
        ("SPN104", [A, C, use("c", outcome="caught")], None),
        ("SPN106", [A, derive("c", "a", T, range=[8, 13]), TWO, use("c", range=[0, 5])], 3),
        ("SPN111", [A, {**TWO, "version": 0}], None),
        ("SPN112", [A, {**TWO, "hash": content_hash("x")}], None),
        ("SPN113", [A, C, {**TWO, "version": None, "hash": None}], None),
        ("SPN116", [A, A], None),
        ("SPN131", [A, C, prune("a", T)], None),
        ("SPN132", [A, C, prune("a", T), use("c")], 3),
        ("SPN133", [A, R, prune("a", T), CALL], 3),
        ("SPN143", [A, COPY, TWO], 2),
        ("SPN144", [A, ingest("n", "x", supersedes=["a"]), C, use("c")], 2),
        ("UND201", [A, BARE], None),
        ("UND202", [A, BARE, of("inverse", of=2, **TWO["inverse"])], 2),
        ("UND203", [A, TWO, of("evict", of=[2])], 2),
        (
            "UND207",
            [
                A,
                {**TWO, "inverse": OFFSET},
                splice("a", N, 4, 1, "3", version=2, inverse=OVER),
            ],
            2,
        ),
        ("UND211", [A, BARE], None),
        ("UND211", [A, TWO, of("evict", of=[2])], 2),
        ("UND221", [A, TWO, of("rollback", steps=1, edits=[])], None),
        ("UND221", [A, B, BARE, of("rollback", steps=1, edits=[])], 3),
        ("UND222", [A, BARE, of("rollback", steps=1, edits=[])], 2),
        ("UND223", [A, of("rollback", steps=2)], None),
        (
            "UND224",
            [A, of("checkpoint", checkpoint="k"), of("rollback", to="k", method="restore")],
            2,
        ),
        ("UND226", [A, TWO | {"actor": "x"}, BACK], 2),
        ("DIF301", [A, D, TWO], None),
        ("DIF301", [A, TWO, D | {"reads": [{"span": "a", "hash": content_hash(T)}]}], 2),
        (
            "DIF302",
            [
                A,
                splice("a", T, 0, 0, "x"),
                stage("D", 1, [], [of("splice", span="a", at=4, delete=0, insert="y")]),
            ],
            2,
        ),
        ("DIF304", [A, D, prune("a", T)], None),
        ("DIF304", [A, prune("a", T), D], 2),
        ("DIF306", [A, TWO, stage("D", 1, [], [put("a", "one ", " three", "x", 3)])], 2),
        ("DIF311", [A, D, TWO, of("apply", diff="D")], 3),
        ("DIF312", [A, D, of("reject", diff="D")], None),
        ("DIF313", [A, stage("D", 9, [], [])], None),
        ("DIF316", [A, TWO, splice("a", N, 0, 3, "1", version=2, base={"version": 0})], 2),
        ("SHN402", [A, prune("a", T), of("render", items=[{"span": "a"}])], 2),
    ],
)
def test_the_cause_is_the_earliest_other_event_that_by_itself_makes_it_true(
    rule: str, events: list[Fields], cause: int | None
) -> None:
    assert found(recorded(*events), rule)[-1].caused_by == cause


@pytest.mark.parametrize("code", RULES)
def test_a_cause_comes_before_its_finding(code: str) -> None:
    for finding in of_a_page(code):
        if finding.caused_by is not None:
            assert finding.seq is not None
            assert 1 <= finding.caused_by < finding.seq


def test_findings_come_in_file_order_then_by_rule_then_by_subject() -> None:
    events = (A, derive("z", "a", T), derive("c", "a", T), derive("m", "a", T))
    bad = {**TWO, "inverse": None, "version": 0}
    history = recorded(*events, bad, b"}\n", use("m"), of("release", artifact="q"))
    listed = [(f.id, f.subject.get("artifact")) for f in history.findings]
    assert listed == [
        ("SPN101@5", "c"),
        ("SPN101@5.2", "m"),
        ("SPN101@5.3", "z"),
        ("SPN111@5", None),
        ("UND201@5", None),
        ("UND211@5", None),
        (history.findings[6].id, None),
    ]
    assert history.findings[6].id.startswith("JNL002@+")


def test_subjects_are_ordered_by_their_ids_entries_by_number() -> None:
    theirs = {"actor": "x"}
    events = [ingest(f"s{n}", "t") | theirs for n in range(11)]
    history = recorded(*events, of("rollback", steps=11))
    assert [f.subject["entry"] for f in history.findings] == list(range(1, 12))
    assert [f.id for f in history.findings][:2] == ["UND226@12", "UND226@12.2"]


def test_the_end_of_a_recording_counts_as_its_last_event() -> None:
    history = recorded(A, R, prune("a", T), of("render", items=[{"span": "x"}, {"span": "x2"}]))
    again = recorded(A, R, ingest("b", "q"), prune("a", T))
    assert ids(history) == ["JNL007@4", "JNL007@4.2", "SPN133@4"]
    assert (ids(again), the(again, "SPN133").seq) == (["SPN133@4"], 4)


def test_ids_are_unique_wherever_findings_come_from() -> None:
    for scenario in scenarios():
        for safe in (False, True):
            history = load(sample_path(scenario.name, safe=safe))
            names = [finding.id for finding in history.findings]
            assert len(names) == len(set(names))
            for _, same in groupby(history.findings, key=lambda f: (f.rule, f.seq)):
                subjects = [tuple(sorted(f.subject.items())) for f in same]
                assert len(subjects) == len(set(subjects))


@pytest.mark.parametrize("code", RULES)
def test_a_finding_names_rule_subject_and_remedy_in_one_sentence(code: str) -> None:
    mine = [finding for finding in of_a_page(code) if finding.rule == code]
    for finding in mine:
        assert (finding.name, finding.remedy) == (RULES[code].name, RULES[code].remedy)
        assert finding.message.endswith(".")
        assert "\n" not in finding.message
        for kind, name in finding.subject.items():
            assert str(name) in finding.message, (kind, finding.message)
