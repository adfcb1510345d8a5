"""The look: roles as styles, in colour and without, and the last border before the terminal."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.style import Style
from support.screens import assert_inert
from textual.color import Color

from spanscope.app.themes import DARK
from spanscope.app.themes import THEMES as OURS
from spanscope.widgets.lines import Fill, Line, Role
from spanscope.widgets.look import FILLS, REMEMBERED, ROLES, Look

THEMES = {name: theme for name, theme in OURS.items() if not theme.ansi}


@pytest.fixture(params=THEMES)
def look(request: pytest.FixtureRequest) -> Look:
    theme = THEMES[request.param]
    return Look(
        {**theme.to_color_system().generate(), **theme.variables}, dark=theme.dark, mono=False
    )


def _contrast(look: Look, role: str, fill: str = "") -> float:
    style = look.style(role, fill)  # type: ignore[arg-type]
    assert style.color is not None
    assert style.bgcolor is not None
    one, other = Color.from_rich_color(style.color), Color.from_rich_color(style.bgcolor)
    light, dark = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def _luminance(colour: Color) -> float:
    def linear(part: int) -> float:
        share = part / 255
        return share / 12.92 if share <= 0.03928 else ((share + 0.055) / 1.055) ** 2.4

    return 0.2126 * linear(colour.r) + 0.7152 * linear(colour.g) + 0.0722 * linear(colour.b)


@pytest.mark.parametrize("role", ["plain", "muted", "error", "warning", "good", "added", "key"])
def test_text_can_be_read(look: Look, role: str) -> None:
    assert _contrast(look, role) >= 4.5


@pytest.mark.parametrize("role", ["plain", "muted", "error", "warning", "good", "added", "key"])
@pytest.mark.parametrize("name", ["high-contrast-dark", "high-contrast-light"])
def test_high_contrast_is_high(name: str, role: str) -> None:
    theme = OURS[name]
    look = Look(
        {**theme.to_color_system().generate(), **theme.variables}, dark=theme.dark, mono=False
    )
    assert _contrast(look, role) >= 7


@pytest.mark.parametrize("fill", FILLS)
def test_text_can_be_read_on_every_ground(look: Look, fill: str) -> None:
    assert _contrast(look, "plain", fill) >= 4.5


def test_what_is_ahead_can_be_read(look: Look) -> None:
    assert _contrast(look, "future") >= 3


def test_only_badges_cursor_and_matches_are_reversed_and_only_changed_words_underlined(
    look: Look,
) -> None:
    reverse = {role for role in ROLES if look.style(role).reverse}
    badges = {role for role in ROLES if role.startswith("badge-")}
    assert reverse == {*badges, "cursor", "found"}
    assert {role for role in ROLES if look.style(role).underline} == {"added", "removed"}
    assert not any(look.style(role).italic or look.style(role).blink for role in ROLES)


def test_without_colour_there_is_none() -> None:
    look = Look({}, mono=True)
    for role in ROLES:
        for fill in FILLS:
            style = look.style(role, fill)
            assert style.color is None
            assert style.bgcolor is None
    assert look.style("plain", "selected").reverse
    assert look.style("error").bold
    assert look.style("added").underline
    assert look.style("future").dim


def test_a_theme_that_leaves_colours_to_the_terminal_is_drawn_without() -> None:
    look = Look({"background": "ansi_default"}, mono=False)
    assert look.style("error").color is None


@given(st.text(st.characters(codec=None), max_size=40), st.integers(1, 50))
def test_nothing_that_acts_gets_past(text: str, width: int) -> None:
    strip = Look({}, mono=True).strip(Line(((text, "plain"),)), width)
    assert_inert(strip.text)
    assert strip.cell_length == width


def test_a_frame_does_not_share_the_ground_of_its_row() -> None:
    look = Look(DARK.to_color_system().generate(), mono=False)
    line = Line((("│ ", "border"), ("x", "plain"), (" │", "border")), "selected", edged=True)
    grounds = [segment.style.bgcolor for segment in look.strip(line, 5) if segment.style]
    assert grounds[0] == grounds[2] != grounds[1]


def test_ascii_frames_are_as_wide_as_others() -> None:
    line = Line((("╭─│╯┏╍╏┛▁▂▃▄▅▆▇█", "border"), ("a é\x1b\n", "plain")))
    strip = Look({}, mono=True, ascii_frames=True).strip(line, 24)
    assert strip.text == "+-|+#=:#_,-=+oO#a é^^   "
    assert strip.cell_length == 24


CELLS = st.lists(
    st.tuples(st.text(st.sampled_from("ab \u4e00"), max_size=5), st.sampled_from(ROLES)), max_size=9
)


@given(CELLS, st.sampled_from(FILLS), st.booleans())
def test_cells_that_are_joined_look_as_they_would_apart(
    cells: list[tuple[str, Role]], fill: Fill, edged: bool
) -> None:
    theme = THEMES["dark"]
    look = Look({**theme.to_color_system().generate(), **theme.variables}, mono=False)
    line = Line(tuple(cells), fill, edged)
    frame = (0, len(cells) - 1) if edged else ()
    wanted = [
        (character, look.style(role, "" if index in frame else fill))
        for index, (text, role) in enumerate(cells)
        for character in text
    ]
    strip = look.strip(line, line.width)
    drawn = [(character, style) for text, style, _ in strip for character in text]
    assert [character for character, _ in drawn] == [character for character, _ in wanted]
    for (character, found), (_, meant) in zip(drawn, wanted, strict=True):
        assert found is not None
        assert _seen(found, character) == _seen(meant, character)
    assert len(strip._segments) <= max(1, len([text for text, _ in cells if text]))


def _seen(style: Style, character: str) -> object:
    """What of a style can be seen at a character."""
    if character.isspace() and not style.reverse and not style.underline:
        return style.bgcolor
    return style


def test_a_line_that_was_made_is_made_once() -> None:
    theme = THEMES["dark"]
    look = Look({**theme.to_color_system().generate(), **theme.variables}, mono=False)
    line, same = (Line((("a", "plain"), ("b", "muted"))) for _ in range(2))
    assert look.strip(line, 10) is look.strip(same, 10)
    assert look.strip(line, 11) is not look.strip(line, 10)
    for number in range(2 * REMEMBERED):
        look.strip(Line(((str(number), "plain"),)), 10)
    assert len(look._made) <= REMEMBERED
