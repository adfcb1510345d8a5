"""Whatever a journal holds and whatever is selected, every pane can be drawn, within its width."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from support.panes import WIDTHS, listings, subjects
from support.screens import HOSTILE, assert_inert, hostile_events, write_journal

from spanscope.history.history import History, load
from spanscope.sample_sessions import NAMES, sample
from spanscope.widgets.findings import FindingIndex
from spanscope.widgets.header import header
from spanscope.widgets.message import message
from spanscope.widgets.scene import Scene
from spanscope.widgets.tabs import pane_tabs
from spanscope.widgets.timeline import Timeline


def draw_all(history: History, chance: random.Random) -> str:
    """Draw every step with some subjects at some widths; everything that was drawn."""
    index = FindingIndex(history.findings, history.touched)
    drawn = []
    for seq in (0, *history.seqs):
        subject = chance.choice(subjects(Scene(history, index, seq)))
        scene = Scene(history, index, seq, subject)
        width = chance.choice(WIDTHS)
        for listing in listings(scene, width):
            anchor = listing.anchor()
            numbers = list(listing.numbers())
            assert anchor is None or anchor in numbers
            assert numbers == sorted(set(numbers))
            back = [] if not numbers else [listing.settle(1 << 62)]
            while back and (above := listing.before(back[-1] or 0)) is not None:
                back.append(above)
            assert back[::-1] == numbers
            for line in (listing.row(number) for number in numbers):
                assert line.width <= width
                drawn.append(line.text)
        for line in (header(scene, 80), message(scene, 80), pane_tabs(scene, "undo", 80)):
            assert line.width == 80
            drawn.append(line.text)
        drawn.append(Timeline(history, 60).strip(scene).text)
    return "\n".join(drawn)


@pytest.mark.parametrize("name", NAMES)
def test_damaged_journals(name: str) -> None:
    chance = random.Random(name)
    whole = sample(name).path.read_bytes().split(b"\n")
    for _ in range(3):
        lines = list(whole)
        for _ in range(3):
            place = chance.randrange(1, len(lines) - 1)
            half = lines[place][: len(lines[place]) // 2]
            lines[place] = chance.choice([b"garbage", half, chance.choice(lines[1:-1])])
        history = History()
        history.feed(b"\n".join(lines))
        history.finish()
        draw_all(history, chance)


@pytest.mark.parametrize("text", HOSTILE, ids=[ascii(text)[1:14] for text in HOSTILE])
def test_hostile_journals(text: str, journal: Path) -> None:
    history = load(write_journal(journal, hostile_events(text), session=text))
    drawn = draw_all(history, random.Random(1))
    assert_inert(drawn)
