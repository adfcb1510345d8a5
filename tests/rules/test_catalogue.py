"""The catalogue, its pages and its index say the same, and rules are selected as in Ruff."""

from __future__ import annotations

import re
from pathlib import Path

import msgspec
import pytest

from spanscope.journal.events import (
    AnyEvent,
    Apply,
    Event,
    Ingest,
    Rewrite,
    Session,
    Splice,
)
from spanscope.journal.parts import Inverse, SpliceEdit
from spanscope.rules.catalogue import RULES, Rule, Selection, UnknownRuleError, fill, page

CONTRACT = """
SPN101 stale-holder warning
SPN102 stale-use error
SPN103 stale-use-caught info
SPN104 false-alarm warning
SPN106 re-anchored-elsewhere error
SPN111 version-not-advanced error
SPN112 hash-not-recomputed error
SPN113 unversioned-mutation warning
SPN114 keyed-on-id-alone warning
SPN115 born-stale error
SPN116 id-reused error
SPN121 in-place-under-holder warning
SPN131 dangling-holder warning
SPN132 dangling-use error
SPN133 orphaned-answer error
SPN141 collected-while-held error
SPN142 not-a-tombstone error
SPN143 tombstone-mutated error
SPN144 superseded-use info
UND201 missing-inverse error
UND202 late-inverse error
UND203 evicted-inverse error
UND204 wrong-inverse error
UND205 ambiguous-anchor warning
UND206 offset-only-inverse info
UND207 overlapping-offsets warning
UND211 entries-unreachable info
UND221 rollback-corrupted error
UND222 rollback-out-of-order error
UND223 rollback-past-start error
UND224 restore-without-snapshot error
UND225 partial-rollback warning
UND226 undid-another-actor info
UND227 rollback-did-nothing error
DIF301 read-set-drift warning
DIF302 positional-drift warning
DIF303 unresolved-reference warning
DIF304 unreachable-rollback warning
DIF305 fragile-rollback warning
DIF306 conflict warning
DIF307 ambiguous-edit warning
DIF311 stale-apply error
DIF312 needless-reject warning
DIF313 phantom-base error
DIF314 undeclared-read warning
DIF315 applied-otherwise warning
DIF316 lost-update error
DIF317 livelock info
DIF318 partial-apply error
SHN401 shown-otherwise info
SHN402 gone-span-shown error
SHN403 shown-twice warning
SHN404 prefix-rewritten info
JNL001 torn-tail warning
JNL002 unreadable-line error
JNL003 sequence-gap error
JNL004 bad-checksum error
JNL005 buffer-outran-log error
JNL006 unknown-event info
JNL007 unknown-name error
JNL008 impossible-edit error
JNL009 clock-backwards info
JNL010 no-header error
JNL011 gap error
"""

SECTIONS = [
    "## What it means",
    "## Why it matters",
    "## How to fix it",
    "## Where it comes from",
]

DECODER = msgspec.json.Decoder(AnyEvent | Session)

each_rule = pytest.mark.parametrize("rule", RULES.values(), ids=list(RULES))


def examples(code: str) -> list[list[bytes]]:
    """The lines of each journal excerpt on a page."""
    fences = re.findall(r"^```jsonl\n(.*?)^```$", page(code), re.MULTILINE | re.DOTALL)
    return [fence.encode().splitlines() for fence in fences]


def example_events(code: str) -> list[list[Event]]:
    decoded = [[DECODER.decode(line) for line in lines] for lines in examples(code)]
    return [[each for each in lines if isinstance(each, Event)] for lines in decoded]


def test_codes_names_and_severities_are_the_contract() -> None:
    assert [f"{r.code} {r.name} {r.severity}" for r in RULES.values()] == CONTRACT.split("\n")[1:-1]


@each_rule
def test_a_rule_belongs_to_the_seed_of_its_family(rule: Rule) -> None:
    seeds = {"SPN": "000", "UND": "003", "DIF": "004", "SHN": "", "JNL": ""}
    assert rule.seed == seeds[rule.code[:3]]


@each_rule
def test_words_are_single_lines_that_end_as_sentences(rule: Rule) -> None:
    for words in (rule.summary, rule.remedy, rule.invariant, rule.claim):
        assert re.fullmatch(r"[A-Z{][^\n]*\.", words)
        assert "  " not in words
    assert not re.search(r"\. [A-Z]", rule.summary), "a summary is one sentence"
    assert "{" not in rule.summary + rule.remedy + rule.invariant


@each_rule
def test_brief_words_fit_a_narrow_message_line(rule: Rule) -> None:
    subject = {"span": "docs/123", "artifact": "cite:123", "diff": "D1234567", "entry": 1234567}
    said = fill(rule.brief, subject)
    assert len(said) <= 48
    assert re.fullmatch(r"[^\n{}.]+", said)


def test_no_two_rules_say_the_same() -> None:
    for field in ("name", "summary", "remedy", "invariant", "claim", "brief"):
        said = [getattr(rule, field) for rule in RULES.values()]
        assert len(set(said)) == len(said), field


@each_rule
def test_claims_are_whole_sentences_with_and_without_a_subject(rule: Rule) -> None:
    subject = {"span": "rules", "artifact": "cite:1", "diff": "D1", "entry": 7, "seq": 9}
    for filled in (fill(rule.claim, subject), fill(rule.claim, {})):
        assert not set("{}") & set(filled)
        assert filled[0].isupper() or filled[0] == "#" or filled.startswith(("rules", "cite:1"))


def test_fill_puts_ids_in_as_they_are() -> None:
    hostile = "{diff} {0.__class__}"
    assert fill("{artifact} of {span}.", {"artifact": hostile, "span": "a"}) == f"{hostile} of a."
    assert fill("{entry} at {seq}.", {"entry": 4, "seq": 6}) == "#4 at #6."
    assert fill("{diff} or {diff}.", {}) == "The diff or the diff."
    assert fill("Kept: {other}.", {"other": 1}) == "Kept: {other}."


@each_rule
def test_the_page_begins_with_code_name_and_severity(rule: Rule) -> None:
    lines = page(rule.code).splitlines()
    assert lines[0] == f"# {rule.code} {rule.name}"
    assert lines[2].startswith(f"Severity: **{rule.severity}**")


@each_rule
def test_the_page_is_whole_and_short(rule: Rule) -> None:
    text = page(rule.code)
    assert [line for line in text.splitlines() if line.startswith("## ")] == SECTIONS
    assert 25 <= text.count("\n") <= 50
    assert text.endswith(".\n")
    assert all(len(line) <= 78 for line in text.splitlines() if not line.startswith("{"))
    origin = text.partition(SECTIONS[-1])[2]
    assert f"Seed {rule.seed}" in origin if rule.seed else "contract" in origin or "seed" in origin


@each_rule
def test_pages_refer_to_rules_that_exist(rule: Rule) -> None:
    assert set(re.findall(r"\b(?:SPN|UND|DIF|SHN|JNL)\d{3}\b", page(rule.code))) <= set(RULES)


def test_there_is_a_page_for_every_rule_and_no_other() -> None:
    pages = Path(__file__).parents[2] / "spanscope" / "rules" / "pages"
    assert {path.stem for path in pages.iterdir()} == set(RULES)


@each_rule
def test_a_page_shows_journal_lines(rule: Rule) -> None:
    damaged = {"JNL001", "JNL002", "JNL006"}
    assert bool(examples(rule.code)) != (rule.code in damaged)
    assert page(rule.code).count("\n```") == 2


@each_rule
def test_example_lines_are_events_in_sequence(rule: Rule) -> None:
    for events in example_events(rule.code):
        numbers = [event.seq for event in events]
        unbroken = list(range(numbers[0], numbers[0] + len(numbers)))
        assert (numbers == unbroken) == (rule.code != "JNL003")
        times = [event.time for event in events]
        assert (times == sorted(times)) == (rule.code != "JNL009")


@each_rule
def test_examples_say_what_their_texts_say(rule: Rule) -> None:
    """Offsets, inverses and anchors fit the texts, but for the rule that is about just that."""
    problems = [problem for events in example_events(rule.code) for problem in misfits(events)]
    expected = {"UND204": ["original"], "JNL008": ["range"], "JNL010": ["range"]}
    assert problems == expected.get(rule.code, [])


def misfits(events: list[Event]) -> list[str]:
    texts: dict[str, str] = {}
    problems: list[str] = []
    for event in events:
        match event:
            case Ingest():
                texts[event.span] = event.content
            case Rewrite():
                if event.inverse and event.inverse.original != texts[event.span]:
                    problems.append("original")
                texts[event.into or event.span] = event.content
            case Splice():
                problems += splice_misfits(texts, event, event.inverse)
            case Apply(edits=[SpliceEdit() as edit], inverses=[inverse]):
                problems += splice_misfits(texts, edit, inverse)
    return problems


def splice_misfits(
    texts: dict[str, str], edit: Splice | SpliceEdit, inverse: Inverse | None
) -> list[str]:
    text = texts.get(edit.span, "")
    at = edit.at
    assert at is not None
    end = at + edit.delete
    if not 0 <= at <= end <= len(text):
        return ["range"]
    head, tail = text[:at], text[end:]
    texts[edit.span] = head + edit.insert + tail
    if inverse is None:
        return []
    fits = {
        "original": inverse.original == text[at:end],
        "inserted": inverse.inserted == len(edit.insert),
        "before": head.endswith(inverse.before),
        "after": tail.startswith(inverse.after),
    }
    return [field for field, fit in fits.items() if not fit]


def test_the_index_lists_every_rule() -> None:
    index = (Path(__file__).parents[2] / "docs" / "rules.md").read_text(encoding="utf-8")
    rows = [line for line in index.splitlines() if line.startswith("| [")]
    assert rows == [
        f"| [{r.code}](../spanscope/rules/pages/{r.code}.md) | {r.name} | {r.severity}"
        f" | {r.summary} |"
        for r in RULES.values()
    ]


@pytest.mark.parametrize(
    ("select", "ignore", "wanted", "unwanted"),
    [
        ([], [], ["SPN101", "JNL011"], []),
        (["ALL"], [], ["SPN101", "JNL011"], []),
        (["DIF"], [], ["DIF301", "DIF318"], ["SPN101", "UND201"]),
        (["DIF30", "SPN102"], [], ["DIF301", "SPN102"], ["DIF311", "SPN101"]),
        ([], ["JNL"], ["SPN101"], ["JNL001", "JNL011"]),
        (["UND"], ["UND21"], ["UND201", "UND221"], ["UND211"]),
        (["UND211"], ["UND"], ["UND211"], ["UND201", "SPN101"]),
        (["UND2"], ["UND2"], [], ["UND201", "UND211", "SPN101"]),
        (["UND", "UND211"], ["UND21"], ["UND201", "UND211"], ["SPN101"]),
        (["SPN"], ["ALL"], ["SPN101"], ["DIF301"]),
        ([], ["ALL"], [], ["SPN101", "JNL011"]),
    ],
)
def test_the_longest_prefix_wins_and_ignore_at_equal_length(
    select: list[str], ignore: list[str], wanted: list[str], unwanted: list[str]
) -> None:
    selection = Selection(select, ignore)
    assert [code for code in wanted if not selection.matches(code)] == []
    assert [code for code in unwanted if selection.matches(code)] == []


@pytest.mark.parametrize(
    ("selector", "near"),
    [
        ("dif301", ["DIF301"]),
        ("spn", ["SPN"]),
        ("stale-use", ["SPN102"]),
        ("stale-uze", ["SPN102"]),
        ("Livelock", ["DIF317"]),
        ("zzzz", []),
        ("", []),
    ],
)
def test_an_unknown_selector_is_named_with_what_was_meant(selector: str, near: list[str]) -> None:
    for select, ignore in (([selector], []), ([], [selector])):
        with pytest.raises(UnknownRuleError) as caught:
            Selection(select, ignore)
        assert caught.value.selector == selector
        assert caught.value.near == near
        assert repr(selector) in str(caught.value)
        assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("selector", "meant"),
    [
        ("SPN1O2", "SPN102"),
        ("SPNI02", "SPN102"),
        ("spn10l", "SPN101"),
        ("D1F3O1", "DIF301"),
        ("DFI301", "DIF301"),
        ("UND2211", "UND221"),
        ("JN001", "JNL001"),
    ],
)
def test_look_alikes_and_slips_of_the_finger_are_near(selector: str, meant: str) -> None:
    with pytest.raises(UnknownRuleError) as caught:
        Selection([selector])
    assert meant in caught.value.near
    assert len(caught.value.near) <= 3


def test_a_mistyped_code_gets_near_ones() -> None:
    with pytest.raises(UnknownRuleError) as caught:
        Selection(["SPN105"])
    assert caught.value.near
    assert set(caught.value.near) <= {"SPN", *RULES}


@pytest.mark.parametrize("code", ["SPN1", "SPN999", "../catalogue", "spn101"])
def test_only_a_whole_code_has_a_page(code: str) -> None:
    with pytest.raises(UnknownRuleError):
        page(code)
