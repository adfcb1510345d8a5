"""The header of a journal that grows, in each of its states and widths."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from msgspec.structs import replace

from spanscope.widgets.header import header
from spanscope.widgets.live import Live, Words, age_words, state_words
from spanscope.widgets.scene import Audit, Scene

SceneOf = Callable[..., Scene]

NOW = 1_000_000.0


@pytest.mark.parametrize(
    ("live", "most", "some", "few"),
    [
        (
            Live("live", 4711, NOW - 2),
            "LIVE planner pid 4711, last event 2 s ago",
            "LIVE pid 4711, 2 s ago",
            "LIVE 2 s ago",
        ),
        (
            Live("watched", None, NOW - 2),
            "WATCHED, no writer seen, last event 2 s ago",
            "WATCHED, 2 s ago",
            "WATCHED 2 s ago",
        ),
        (
            Live("live", None, NOW),
            "LIVE planner, last event 0 s ago",
            "LIVE, 0 s ago",
            "LIVE 0 s ago",
        ),
        (
            Live("stream", None, NOW - 41),
            "STREAM, no event for 41 s",
            "STREAM, quiet 41 s",
            "STREAM quiet 41 s",
        ),
        (
            Live("dead", 4711, NOW),
            "DEAD planner pid 4711 ended at 97, no close",
            "DEAD pid 4711, no close",
            "DEAD",
        ),
        (Live("closed", 4711, NOW), "recording, closed 13:57:27", "recording", "recording"),
        (
            Live("written", 4711, NOW),
            "recording, written by pid 4711",
            "recording, written by pid 4711",
            "recording",
        ),
        (
            Live("live", 4711, NOW, place="rotated"),
            "ROTATED at 97, still reading the old file",
            "ROTATED, the old file",
            "ROTATED",
        ),
        (
            Live("live", 4711, NOW, place="moved"),
            "MOVED at 97, still reading it",
            "MOVED, still read",
            "MOVED",
        ),
        (
            Live("dead", 4711, NOW, place="deleted"),
            "DELETED, what was read stays here",
            "DELETED, the rest stays",
            "DELETED",
        ),
        (
            Live("live", 4711, NOW, again="truncated", at=90),
            "TRUNCATED to 90, read again from the start",
            "TRUNCATED, read again",
            "TRUNCATED",
        ),
        (
            Live("live", 4711, NOW, again="recreated"),
            "REPLACED by another file, read from its start",
            "REPLACED, read anew",
            "REPLACED",
        ),
    ],
)
def test_the_state_in_all_some_and_few_words(
    scene: SceneOf, live: Live, most: str, some: str, few: str
) -> None:
    history = scene("stale-base", 97).history
    tiers: tuple[tuple[Words, str], ...] = (("all", most), ("some", some), ("few", few))
    for words, said in tiers:
        assert state_words(live, history, now=NOW, words=words).line().text == said
    least = state_words(live, history, now=NOW, words="least").line().text
    assert few.startswith(least)
    assert " " not in least


def test_an_agent_is_named_once(scene: SceneOf) -> None:
    made = replace(scene("stale-base", 97), live=Live("live", 1, NOW), now=NOW)
    session = made.history.session
    assert session is not None
    assert (session.agent, session.session) == ("planner", "stale-base")
    assert "stale-base   LIVE planner pid 1" in header(made, 180).text


def test_behind_and_following(scene: SceneOf) -> None:
    live = Live("live", 4711, NOW)
    behind = replace(scene("stale-base", 84), live=live, now=NOW)
    assert "last event 0 s ago   13 behind, f " in header(behind, 180).text
    assert "+13 f " in header(behind, 60).text
    at_end = replace(scene("stale-base", 97), live=live, now=NOW)
    assert "last event 0 s ago   f follows " in header(at_end, 180).text
    followed = replace(at_end, following=True)
    assert "last event 0 s ago   following " in header(followed, 180).text
    closed = replace(at_end, live=Live("closed", 4711, NOW))
    assert "f follows" not in header(closed, 180).text


def test_errors_before_and_since(scene: SceneOf) -> None:
    made = replace(scene("stale-base", 97), live=Live("live", 1, NOW, before=1), now=NOW)
    assert "errors 2/2" in header(made, 180).text
    followed = replace(made, following=True)
    assert "errors 2 (1 before, 1 since)" in header(followed, 180).text
    assert "errors 2/2" in header(followed, 120).text


def test_what_needs_a_person_is_reversed_and_live_is_green(scene: SceneOf) -> None:
    def role(live: Live, word: str) -> str:
        made = replace(scene("stale-base", 97), live=live, now=NOW)
        return next(role for text, role in header(made, 180).cells if text.startswith(word))

    assert role(Live("live", 1, NOW), "LIVE") == "good"
    for word, live in (
        ("DEAD", Live("dead", 1, NOW)),
        ("TRUNCATED", Live("live", 1, NOW, again="truncated")),
        ("DELETED", Live("live", 1, NOW, place="deleted")),
    ):
        assert role(live, word) == "badge-warning"
    assert role(Live("live", 1, NOW - 31), " planner pid 1, no event for 31 s") == "warning"
    assert role(Live("live", 1, NOW - 30), " planner pid 1, last event 30 s ago") == "muted"


def test_auditing_comes_first(scene: SceneOf) -> None:
    made = replace(
        scene("stale-base", 97), live=Live("live", 1, NOW), audit=Audit(1, 2, done=False)
    )
    assert "AUDITING 50%" in header(made, 180).text
    assert "LIVE" not in header(made, 180).text


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (-3, ("last event 0 s ago", "0 s ago")),
        (30.9, ("last event 30 s ago", "30 s ago")),
        (31, ("no event for 31 s", "quiet 31 s")),
        (120, ("no event for 2 min", "quiet 2 min")),
        (7200, ("no event for 2 h", "quiet 2 h")),
        (200_000, ("no event for 2 days", "quiet 2 days")),
    ],
)
def test_ages(seconds: float, words: tuple[str, str]) -> None:
    assert age_words(seconds) == words


def test_the_fewer_cells_the_fewer_words(scene: SceneOf) -> None:
    made = replace(scene("stale-base", 84), live=Live("live", 4711, NOW), now=NOW)
    for width in range(60, 200):
        line = header(made, width)
        assert line.width == width
        assert ("13 behind, f" in line.text) != ("+13 f" in line.text)
