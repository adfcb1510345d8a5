"""The page of a rule as it is read in the app: all its words, at every width."""

from __future__ import annotations

import pytest

from spanscope.rules.catalogue import RULES, page
from spanscope.widgets.rule_page import rule_lines


def words(text: str) -> list[str]:
    """The words of a text, without the marks of Markdown and however they are broken."""
    return "".join(text.replace("**", "").replace("#", "").replace("`", "").split()).split()


@pytest.mark.parametrize("width", [56, 76])
@pytest.mark.parametrize("code", RULES)
def test_all_words_of_the_page_fit(code: str, width: int) -> None:
    lines = rule_lines(RULES[code], page(code), width)
    assert max(line.width for line in lines) <= width
    said = words("\n".join(line.text for line in lines))
    rest = page(code).partition("\n")[2].replace("```jsonl", "").replace("```text", "")
    assert said == words(f"What must hold {RULES[code].invariant} {rest}")


def test_headings_paragraphs_lists_and_events() -> None:
    markdown = "# T\n\n## What it means\n\nOne **bold**\nline.\n\n- a b\n  c\n\n```jsonl\n{}\n```\n"
    lines = rule_lines(RULES["DIF311"], markdown, 8)
    texts = [line.text for line in lines]
    assert texts[-9:] == ["means", "", "One bold", "line.", "", "- a b", "  c", "", "{}"]
    assert [lines[at].cells[-1][1] for at in (-9, -7, -1)] == ["strong", "plain", "muted"]
