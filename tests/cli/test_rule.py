"""`spanscope rule`: the pages and the list."""

from __future__ import annotations

import json

import pytest
from support.commands import Run

from spanscope.rules.catalogue import RULES, page


def test_the_list_has_a_line_for_every_rule(run: Run) -> None:
    code, out, _ = run("rule")
    assert code == 0
    facts = [line.split()[:3] for line in out.splitlines()]
    assert facts == [[rule.code, rule.name, rule.severity] for rule in RULES.values()]


@pytest.mark.parametrize("code", RULES)
def test_every_page_is_printed_as_it_is(run: Run, code: str) -> None:
    assert run("rule", code) == (0, page(code), "")


def test_the_list_as_json(run: Run) -> None:
    answer = json.loads(run("rule", "--output-format", "json").out)
    assert answer["version"] == 1
    assert [rule["code"] for rule in answer["rules"]] == list(RULES)


def test_one_rule_as_json(run: Run) -> None:
    [rule] = json.loads(run("rule", "DIF301", "--output-format", "json").out)["rules"]
    assert rule["name"] == "read-set-drift"
    assert rule["remedy"] == RULES["DIF301"].remedy
    assert rule["explanation"] == page("DIF301")


@pytest.mark.parametrize(
    ("asked", "hint"),
    [("dif301", "did you mean DIF301?"), ("stale-use", "did you mean SPN102?"), ("", "see")],
)
def test_an_unknown_rule_is_refused_with_what_is_near(run: Run, asked: str, hint: str) -> None:
    code, out, err = run("rule", asked)
    assert (code, out) == (2, "")
    assert f"unknown rule {asked!r}" in err
    assert hint in err


def test_the_beginning_of_codes_is_no_rule(run: Run) -> None:
    assert run("rule", "JNL01") == (
        2,
        "",
        "spanscope: JNL01 is the beginning of several rules: name one of JNL010, JNL011\n",
    )
