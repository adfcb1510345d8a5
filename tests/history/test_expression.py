"""The language of filter, watch and `:`: what a text says, and which events it means."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.journals import derive, ingest, of, recorded

from spanscope.history.expression import (
    AllOf,
    AnyOf,
    Expression,
    ExpressionError,
    Not,
    Term,
    parse,
)
from spanscope.history.history import History, load
from spanscope.history.matching import Matcher
from spanscope.journal.events import type_of
from spanscope.sample_sessions import sample_path


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("SPN102", Term("rule", "SPN102")),
        ("und", Term("rule", "UND")),
        ("rule:stale-use", Term("rule", "SPN102")),
        ("error", Term("severity", "error")),
        ("Splice", Term("kind", "splice")),
        ("stale", Term("verdict", "stale")),
        ("verdict:D1=stale", Term("verdict", "D1=stale")),
        ("#12", Term("entry", "12")),
        ("tool:search", Term("id", "tool:search")),
        ("docs/3", Term("id", "docs/3")),
        ("actor:tool:*", Term("actor", "tool:*")),
        ('"quota is 100"', Term("text", "quota is 100")),
        ("'it'", Term("text", "it")),
        ('text:"a b"', Term("text", "a b")),
        ("\"a\"'b'(c)", AllOf((Term("text", "a"), Term("text", "b"), Term("id", "c")))),
        ("seq>=100", Term("seq", "100", ">=")),
        ("seq:10..20", Term("seq", "10", "=", "20")),
        ("time>12:00", Term("time", "12:00", ">")),
        ("revision<=" + "9" * 18, Term("revision", "9" * 18, "<=")),
        ("other: http://a?b=1", AllOf((Term("id", "other:"), Term("id", "http://a?b=1")))),
        ("(" * 100 + "b" + ")" * 100, Term("id", "b")),
        ("(!" * 3 + "b" + ")" * 3 + "c", AllOf((Not(Not(Not(Term("id", "b")))), Term("id", "c")))),
        ("not error", Not(Term("severity", "error"))),
        ("!splice", Not(Term("kind", "splice"))),
        ("splice docs/3", AllOf((Term("kind", "splice"), Term("id", "docs/3")))),
        ("splice and docs/3", AllOf((Term("kind", "splice"), Term("id", "docs/3")))),
        ("error | warning", AnyOf((Term("severity", "error"), Term("severity", "warning")))),
        (
            "splice (error or not x) y",
            AllOf(
                (
                    Term("kind", "splice"),
                    AnyOf((Term("severity", "error"), Not(Term("id", "x")))),
                    Term("id", "y"),
                )
            ),
        ),
    ],
)
def test_what_a_text_says(text: str, meant: Expression) -> None:
    assert parse(text) == meant


@pytest.mark.parametrize(
    ("text", "place", "said"),
    [
        ("", "^", "empty"),
        ("   ", "^", "empty"),
        ("splice and", "          ^", "missing after 'and'"),
        ("or splice", "^^", "'or' can't stand here"),
        ("(splice", "^", "not closed"),
        ("splice)", "      ^", "belong to"),
        ('splice "quo', "       ^^^^", "no end"),
        ('""', "^^", "empty"),
        ("rule:XYZ", "     ^^^", "no rule is called XYZ"),
        ("severity:bad", "         ^^^", "error, warning or info"),
        ("verdict:D1=fine", "        ^^^^^^^", "a verdict is"),
        ("seq>=ten", "     ^^^", "needs a number"),
        ("seq>1..2", "^^^^", "a range needs seq:"),
        ("seq:20..10", "    ^^^^^^", "a range goes up: 10..20"),
        ("sequence>=10", "^^^^^^^^", "only seq, turn, revision, time can be compared"),
        ("actor>=me", "^^^^^^^", "can't be compared"),
        ("time:noon", "     ^^^^", "14:07:12"),
        ("actor:)", "^^^^^^", "actor: needs a value"),
        ("splice seq:", "       ^^^^", "seq: needs a value"),
        ("seq>= 5", "^^^^^", "seq>= needs a value"),
        ("text: 'a'", "^^^^^", "text: needs a value"),
        ("seq:1..1234567890123456789", " " * 4 + "^" * 22, "at most 18 digits"),
        ("a " + "(" * 101 + "b" + ")" * 101, " " * 102 + "^", "nested more than 100 deep"),
        ("!" * 101 + "b", " " * 100 + "^", "nested more than 100 deep"),
    ],
)
def test_an_error_says_what_is_wrong_and_where(text: str, place: str, said: str) -> None:
    with pytest.raises(ExpressionError, match=said) as caught:
        parse(text)
    assert " " * caught.value.at + "^" * caught.value.length == place


@given(st.text(alphabet="ab:()\"' |&!<>=.#*@1/é\u2028orSPN", max_size=30))
def test_any_text_is_an_expression_or_an_error_in_it(text: str) -> None:
    error = refused(text)
    if error is not None:
        assert 0 <= error.at <= len(text)
        assert 1 <= error.length <= max(1, len(text) - error.at)
        assert str(error)


def refused(text: str) -> ExpressionError | None:
    try:
        parse(text)
    except ExpressionError as error:
        return error
    return None


def seqs(history: History, text: str) -> list[int]:
    return meant(Matcher(history, parse(text)), history)


def meant(matcher: Matcher, history: History) -> list[int]:
    return [seq for seq in history.seqs if matcher.fits(seq)]


@pytest.fixture(scope="module")
def base() -> History:
    return load(sample_path("stale-base", safe=False))


def test_rules_and_severities_are_those_of_the_findings(base: History) -> None:
    for text, start in (("DIF311", "DIF311"), ("DIF", "DIF")):
        wanted = {f.seq for f in base.findings if f.rule.startswith(start)}
        assert wanted
        assert seqs(base, text) == sorted(seq for seq in wanted if seq is not None)
    wanted = {f.seq for f in base.findings if f.severity == "error"}
    assert seqs(base, "error") == sorted(seq for seq in wanted if seq is not None)


def test_kinds_actors_and_ids(base: History) -> None:
    events = list(base.events)
    assert seqs(base, "splice") == [e.seq for e in events if type_of(e) == "splice"]
    actors = {e.actor for e in events}
    for actor in actors:
        assert seqs(base, f"actor:{actor}") == [e.seq for e in events if e.actor == actor]
    diff = next(e for e in events if type_of(e) == "stage")
    name = str(getattr(diff, "diff"))  # noqa: B009
    assert seqs(base, f"diff:{name}") == list(base.touched({"diff": name}))
    assert set(base.touched({"diff": name})) <= set(seqs(base, name))
    assert set(seqs(base, f"diff:{name[:1]}*")) > set(seqs(base, f"diff:{name}"))
    assert seqs(base, "diff:[a-z]") == []


def test_a_verdict_is_meant_where_it_changes(base: History) -> None:
    changes = {
        seq: {(c.diff, c.verdict) for c in base.verdict_changes(seq)}
        for seq in base.seqs
        if base.verdict_changes(seq)
    }
    assert changes
    assert seqs(base, "verdict:stale") == [
        seq for seq, found in changes.items() if any(verdict == "stale" for _, verdict in found)
    ]
    pairs = {pair for found in changes.values() for pair in found}
    assert len({diff for diff, _ in pairs}) > 1
    for diff, verdict in pairs:
        for text, fits in (
            (f"verdict:{diff}={verdict}", lambda pair, one=(diff, verdict): pair == one),
            (f"verdict:{diff}", lambda pair, one=diff: pair[0] == one),
            (f"verdict:{verdict}", lambda pair, one=verdict: pair[1] == one),
        ):
            assert seqs(base, text) == [
                seq for seq, found in changes.items() if any(map(fits, found))
            ]
    for seq in base.seqs:
        now = {row.diff.diff: row.judgement.verdict for row in base.at(seq).staging()}
        before = {row.diff.diff: row.judgement.verdict for row in base.at(seq - 1).staging()}
        changed = {(d, v) for d, v in now.items() if before.get(d) not in (None, v)}
        assert changed <= changes.get(seq, set())


def test_places_and_turns(base: History) -> None:
    last = base.last
    assert seqs(base, "seq:3..5") == [3, 4, 5]
    assert seqs(base, f"seq>{last - 2}") == [last - 1, last]
    assert seqs(base, "seq<3") == [1, 2]
    second = base.turns[1]
    assert seqs(base, "turn:1")[-1] == second - 1
    assert seqs(base, "turn>=2")[0] == second


def test_a_word_alone_is_an_id_or_an_actor(base: History) -> None:
    for actor in {event.actor for event in base.events}:
        said = {event.seq for event in base.events if event.actor == actor}
        assert said <= set(seqs(base, f"{actor[:-1]}*"))
        touched = {
            seq
            for kind, name in base.subjects()
            if name == actor
            for seq in base.touched({kind: name})
        }
        assert set(seqs(base, f"id:{actor}")) == said | touched


def test_a_field_tells_a_span_from_an_artifact_of_the_same_name() -> None:
    history = recorded(
        ingest("x", "one"), ingest("y", "two"), derive("x", "y", "two", range=[0, 1])
    )
    assert seqs(history, "span:x") == [1]
    assert seqs(history, "artifact:x") == [3]
    assert seqs(history, "x") == [1, 3]


def test_a_revision_that_is_unknown_is_none_of_those_meant() -> None:
    history = recorded(ingest("x", "one"), of("gap", reason="lost"), ingest("y", "two"))
    assert seqs(history, "revision>=0") == [1]
    assert seqs(history, "revision:0..9") == [1]


def test_a_time_is_compared_as_far_as_it_is_given() -> None:
    marks = [of("mark", kind="note", label="-") for _ in range(3)]
    times = ("2026-11-11T09:59:59Z", "2026-11-11T10:00:00Z", "2026-11-11T10:00:30Z")
    history = recorded(*({**mark, "time": time} for mark, time in zip(marks, times, strict=True)))
    assert seqs(history, "time:10:00") == [2, 3]
    assert seqs(history, "time>10:00") == []
    assert seqs(history, "time>10:00:00") == [3]
    assert seqs(history, "time<10:00") == [1]
    assert seqs(history, "time<=10:00:00") == [1, 2]


def test_text_is_found_in_contents_and_findings(base: History) -> None:
    ingest = next(e for e in base.events if type_of(e) == "ingest")
    words = str(getattr(ingest, "content"))[:20]  # noqa: B009
    assert ingest.seq in seqs(base, f'"{words.upper()}"'.replace("\n", " ")) or "\n" in words
    assert seqs(base, '"stale-apply"') == seqs(base, "DIF311")


def test_combinations_are_those_of_sets(base: History) -> None:
    every = set(base.seqs)
    one, other = set(seqs(base, "splice")), set(seqs(base, "warning"))
    assert set(seqs(base, "splice or warning")) == one | other
    assert set(seqs(base, "splice warning")) == one & other
    assert set(seqs(base, "not splice")) == every - one
    assert set(seqs(base, "!(splice | warning)")) == every - one - other


def test_a_growing_history_is_matched_anew() -> None:
    data = sample_path("stale-base", safe=False).read_bytes().splitlines(keepends=True)
    history = History()
    for line in data[: len(data) // 2]:
        history.feed(line)
    matcher = Matcher(history, parse("span:*"))
    before = meant(matcher, history)
    for line in data[len(data) // 2 :]:
        history.feed(line)
    after = meant(matcher, history)
    assert after[: len(before)] == before
    assert len(after) > len(before)
