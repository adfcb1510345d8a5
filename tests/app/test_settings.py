"""The user's file: what it settles, and that whatever is wrong with it is said and left out."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.screens import opened_with, press, screen_lines, screen_text

from spanscope.app.action import KEY_NAMES, UNTAUGHT
from spanscope.app.actions import ACTIONS, BY_ID
from spanscope.app.keymap import key_named, remapped
from spanscope.app.palette import title
from spanscope.app.settings import Settings, read_settings, settings_path
from spanscope.app.themes import THEMES
from spanscope.history.history import History


@pytest.fixture
def config(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the file is looked for."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    path = tmp_path / "spanscope" / "config.toml"
    path.parent.mkdir()
    return path


def test_where_the_file_is(tmp_path: Path) -> None:
    home = Path.home()
    assert settings_path({"XDG_CONFIG_HOME": str(tmp_path)}) == tmp_path / "spanscope/config.toml"
    assert settings_path({}) == home / ".config/spanscope/config.toml"
    assert settings_path({"XDG_CONFIG_HOME": "relative"}) == home / ".config/spanscope/config.toml"


def test_without_a_file_the_defaults_hold(config: Path) -> None:
    config.parent.rmdir()
    assert read_settings() == Settings()


def test_everything_can_be_settled(config: Path) -> None:
    config.write_text(
        'theme = "high-contrast-light"\nascii = true\nfollow = true\n'
        '[keys]\nstep_forward = "J"\nzoom = ["Z", "ctrl+z"]\n'
    )
    settings = read_settings()
    assert (settings.theme, settings.ascii, settings.follow) == ("high-contrast-light", True, True)
    keys = {action.id: action.keys for action in settings.actions}
    assert keys["step_forward"] == ("J",)
    assert keys["zoom"] == ("Z", "ctrl+z")
    assert settings.problems == []


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        ('theme = "drak"', 1, "there is no theme 'drak': did you mean dark?"),
        ("\nascii = 1", 2, "ascii is true or false, not 1"),
        ('follow = "yes"', 1, "follow is true or false, not 'yes'"),
        ("colour = 1\nthem = 2", 2, "there is no setting 'them': did you mean theme?"),
        ("keys = 3", 1, "[keys] is a table"),
        ('[keys]\nstep_foward = "J"', 2, "no action 'step_foward': did you mean step_forward"),
        ("[keys]\nzoom = []", 2, "zoom needs a key or a list of keys, not []"),
        ('[keys]\nzoom = "pagedwn"', 2, "there is no key 'pagedwn': did you mean pagedown"),
        ('[keys]\nzoom = "5"', 2, "'5' is a count"),
        ('[keys]\n\nzoom = "l"', 3, "l is step_forward's key"),
        ('[keys]\nzoom = "\\u001b[31m"', 2, "there is no key"),
    ],
)
def test_what_is_wrong_is_said_with_its_place(
    config: Path, text: str, line: int, said: str
) -> None:
    config.write_text(text)
    settings = read_settings()
    problem = settings.problems[-1]
    assert problem.startswith(f"{config}:{line}: ")
    assert said in problem
    assert problem.isprintable()
    assert settings.actions == ACTIONS


def test_a_file_that_is_no_toml(config: Path) -> None:
    config.write_text("theme = dark\n")
    (problem,) = read_settings().problems
    assert problem.startswith(f"{config}: ")
    assert "line 1" in problem
    config.write_bytes(b"\xff\xfe")
    assert "the defaults are used" in read_settings().problems[0]
    config.unlink()
    config.mkdir()
    assert "is a directory; the defaults are used" in read_settings().problems[0]
    config.rmdir()
    config.symlink_to(os.devnull)
    said = f"{config}: it is a pipe or a device; the defaults are used"
    assert read_settings().problems == [said]


@given(data=st.binary(max_size=60))
def test_no_file_is_too_odd(data: bytes, tmp_path_factory: pytest.TempPathFactory) -> None:
    folder = tmp_path_factory.mktemp("odd")
    path = folder / "spanscope" / "config.toml"
    path.parent.mkdir()
    path.write_bytes(data)
    settings = read_settings({"XDG_CONFIG_HOME": str(folder)})
    assert all(problem.isprintable() for problem in settings.problems)


def test_keys_can_be_swapped_and_the_default_stays_where_two_want_one() -> None:
    actions, refused = remapped({"step_forward": ["h"], "step_back": ["l"]})
    keys = {action.id: action.keys for action in actions}
    assert not refused
    assert (keys["step_forward"], keys["step_back"]) == (("h",), ("l",))
    actions, refused = remapped({"zoom": ["X"], "watch": ["X"], "filter": ["Y"]})
    keys = {action.id: action.keys for action in actions}
    assert [entry.id for entry in refused] == ["zoom"]
    assert (keys["zoom"], keys["watch"], keys["filter"]) == (("z",), ("X",), ("Y",))
    shown = [key for action in actions for key in action.keys]
    assert len(shown) == len(set(shown))


@pytest.mark.parametrize(
    ("written", "key"),
    [
        ("l", "l"),
        (":", "colon"),
        ("page up", "pageup"),
        ("ctrl+s", "ctrl+s"),
        ("+", "plus"),
        ("colon", "colon"),
        ("f5", "f5"),
        ("0", "0"),
    ],
)
def test_how_keys_are_written(written: str, key: str) -> None:
    assert key_named(written) == key


def test_every_key_of_the_registry_is_one() -> None:
    for action in ACTIONS:
        for key in set(action.keys) - UNTAUGHT:
            assert key_named(key) == key
            assert key_named(KEY_NAMES.get(key, key)) == key


async def test_other_keys_work_and_are_shown_everywhere(stale_base: History) -> None:
    actions, _ = remapped({"step_forward": ["J"], "zoom": ["ctrl+z"], "palette": ["P"]})
    async with opened_with(stale_base, Settings(actions=actions), at=5) as (app, pilot):
        await press(pilot, "J")
        assert app.navigator.seq == 6
        await press(pilot, "l", "right")
        assert app.navigator.seq == 6
        await press(pilot, "h")
        assert app.navigator.seq == 5
        assert screen_lines(app)[-1].startswith(" h J step")
        assert "ctrl+z zoom" in screen_lines(app)[-1]
        await press(pilot, "question_mark")
        assert "J         next event" in screen_text(app)
        assert "ctrl+z    zoom" in screen_text(app)
    assert "(J)" in title(next(each for each in actions if each.id == "step_forward"))


async def test_what_if_names_the_keys_as_they_are_mapped(stale_base: History) -> None:
    actions, _ = remapped({"select_next": ["J"], "enter": ["ctrl+e"], "help": ["f1"]})
    async with opened_with(stale_base, Settings(actions=actions), at=74) as (app, pilot):
        await press(pilot, "alt+2", "r")
        assert screen_lines(app)[-1] == (
            " J k how many   ctrl+e the texts   escape back to 74   f1 help"
        )
        await press(pilot, "ctrl+e")
        assert screen_lines(app)[-1] == " J k scroll   escape the answer   f1 help"


async def test_two_actions_can_change_their_keys_with_each_other(stale_base: History) -> None:
    actions, refused = remapped({"step_forward": ["h"], "step_back": ["l"]})
    assert not refused
    async with opened_with(stale_base, Settings(actions=actions), at=5) as (app, pilot):
        await press(pilot, "h")
        assert app.navigator.seq == 6
        await press(pilot, "2", "l")
        assert app.navigator.seq == 4
        await press(pilot, "s", "z")
        assert app.desk.zoomed
        # Every key is looked up in what this mapping makes of all bindings.
        assert set(app._keymap) == {"step_forward", "step_back"}


async def test_what_is_wrong_is_shown_when_the_app_opens(stale_base: History) -> None:
    settings = Settings(theme="light", problems=["config.toml:3: no such key", "another"])
    async with opened_with(stale_base, settings) as (app, pilot):
        assert app.theme == THEMES["light"].name
        assert "2 settings are wrong: config.toml:3: no such key" in screen_text(app)
        await press(pilot, "l")
        assert "config.toml" not in screen_text(app)
    assert set(BY_ID) == {action.id for action in settings.actions}


def test_ascii_of_the_file_yields_to_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    from spanscope.text.environment import wants_ascii

    monkeypatch.setenv("SPANSCOPE_ASCII", "0")
    Settings(ascii=True).use_ascii()
    assert not wants_ascii()
    monkeypatch.delenv("SPANSCOPE_ASCII")
    Settings(ascii=True).use_ascii()
    assert wants_ascii()
    monkeypatch.setenv("SPANSCOPE_ASCII", "")
