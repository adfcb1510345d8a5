"""docs/app.md: its keys are those of the registry, its settings are read, its numbers hold."""

from __future__ import annotations

import os
import re
from pathlib import Path

from support.checkout import ROOT
from support.key_table import key_table

from spanscope.app.settings import read_settings
from spanscope.app.themes import THEMES
from spanscope.history.slicing import MOST_EVENTS

DOCUMENT = ROOT / "docs" / "app.md"
HEADING = "## Keys\n\n"


def test_the_keys_are_those_of_the_registry() -> None:
    before, _, told = DOCUMENT.read_text(encoding="utf-8").partition(HEADING)
    if os.environ.get("SPANSCOPE_WRITE_GOLDEN"):
        DOCUMENT.write_text(before + HEADING + key_table(), encoding="utf-8")
    assert told == key_table()


def test_the_settings_are_taken(tmp_path: Path) -> None:
    [example] = re.findall(r"```toml\n(.*?)```", DOCUMENT.read_text(encoding="utf-8"), re.DOTALL)
    path = tmp_path / "spanscope" / "config.toml"
    path.parent.mkdir()
    path.write_text(example)
    settings = read_settings({"XDG_CONFIG_HOME": str(tmp_path)})
    assert settings.problems == []
    assert (settings.theme, settings.follow) == ("high-contrast-dark", True)
    keys = {action.id: action.keys for action in settings.actions}
    assert (keys["step_forward"], keys["zoom"]) == (("J",), ("Z", "ctrl+z"))


def test_themes_and_numbers_are_named() -> None:
    text = DOCUMENT.read_text(encoding="utf-8")
    assert all(f"`{name}`" in text for name in THEMES)
    assert f"{MOST_EVENTS:,} events" in text


def test_links_lead_somewhere() -> None:
    for target in re.findall(r"\]\(([^)#]+)", DOCUMENT.read_text(encoding="utf-8")):
        assert (DOCUMENT.parent / target).exists(), target
