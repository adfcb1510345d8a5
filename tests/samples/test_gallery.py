"""docs/gallery.md is what the samples say of themselves."""

from __future__ import annotations

import re

import pytest
from support.checkout import ROOT

from spanscope.sample_sessions import NAMES
from spanscope.sample_sessions.gallery import gallery

PAGE = ROOT / "docs" / "gallery.md"


def test_the_page_is_made_from_the_samples() -> None:
    assert PAGE.read_text(encoding="utf-8") == gallery()


def test_every_scenario_has_a_chapter_and_a_row() -> None:
    assert re.findall(r"^## (\S+)$", gallery(), re.MULTILINE) == list(NAMES)
    assert re.findall(r"^\| \[(\S+)\]\(#\1\) ", gallery(), re.MULTILINE) == list(NAMES)


@pytest.mark.parametrize("target", sorted(set(re.findall(r"\]\(([^)#]+)\)", gallery()))))
def test_links_lead_to_the_pages_of_rules(target: str) -> None:
    assert (PAGE.parent / target).is_file()
