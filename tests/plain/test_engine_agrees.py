"""The engine against the second opinion: every finding, and the state after every event.

Random journals, the shipped ones and the examples of the rule pages. `SPANSCOPE_SEEDS=5000` tries
so many seeds of each kind instead of the usual ones, `SPANSCOPE_SEEDS=300:900` those from 300 on.
"""

from __future__ import annotations

import os
import random
from collections.abc import Callable, Iterator
from functools import partial

import pytest
from support.anything import any_journal
from support.histories import a_program
from support.journals import derive, ingest, line, of, splice, use
from support.pages import page_journals
from support.second_opinion import opinion
from support.selective import a_selective_journal
from support.sound import some_loss
from support.stories import a_story

from spanscope.rules.catalogue import RULES
from spanscope.sample_sessions import NAMES, sample_path

GROUPS = 8
"""Test functions a kind, so that they are shared out to the cores."""


def seeds(usual: int, group: int) -> Iterator[int]:
    wanted = os.environ.get("SPANSCOPE_SEEDS", str(usual))
    first, _, last = wanted.rpartition(":")
    yield from range(int(first or 0) + group, int(last), GROUPS)


def agree(kind: str, group: int) -> None:
    journals, usual = KINDS[kind]
    for seed in seeds(usual, group):
        journal = journals(seed)
        assert opinion(journal).differences == [], (seed, journal)


def damaged(seed: int) -> bytes:
    """A program whose lines were lost, doubled, swapped, changed or cut."""
    chance = random.Random(seed)
    lines = a_program(seed, 20).splitlines(keepends=True)
    for _ in range(chance.randint(1, 3)):
        at = chance.randrange(1, len(lines))
        harm = chance.randrange(6)
        if harm == 0:
            del lines[at:]
            lines.append(b'{"type":"mark","se')
        elif harm == 1:
            lines[at] = b"\xff" + lines[at]
        elif harm == 2:
            lines.insert(at, lines[at])
        elif harm == 3 and at > 1:
            lines[at - 1 : at + 1] = [lines[at], lines[at - 1]]
        elif harm == 4 and len(lines) > 3:
            del lines[at]
        else:
            lines[at] = lines[at].replace(b'"content"', b'"contend"')
        if len(lines) < 3:
            break
    return b"".join(lines)


KINDS: dict[str, tuple[Callable[[int], bytes], int]] = {
    "programs": (partial(a_program, events=25), 500),
    "long programs": (partial(a_program, events=80), 16),
    "damaged programs": (damaged, 300),
    "lost lines": (partial(some_loss, events=13), 240),
    "anything": (partial(any_journal, events=12), 1500),
    "rollbacks of single entries": (a_selective_journal, 400),
    "several such rollbacks": (partial(a_selective_journal, rounds=3), 120),
    "stories of undo": (partial(a_story, about="undo", events=35), 150),
    "stories of diffs": (partial(a_story, about="diff", events=35), 40),
}
"""What is tried, and how many seeds."""

ONCE_DIFFERENT = {
    "anything": (
        *(2681, 8161, 11059, 20060, 20850, 21499, 23775, 50338, 300851),
        *(601207, 601559, 602243, 700060, 710056, 720523, 730263),
    ),
    "damaged programs": (11554, 12832, 60138, 60159),
    "lost lines": (252, 466, 592, 20052),
    "programs": (11400, 11872, 30225),
    "rollbacks of single entries": (11828, 12233),
    "several such rollbacks": (367, 382, 551, 1147, 20008),
    "stories of diffs": (6129, 6821),
    "stories of undo": (
        *(152, 161, 169, 216, 218, 220, 262, 284, 295, 314, 336, 373, 443, 446, 450, 483, 546),
        *(628, 662, 698, 759, 919, 984, 1028, 1137, 1230, 1452, 1589, 2228, 2352),
        *(2370, 4524, 9010, 9018, 9288, 9416, 9445, 30028, 31089, 31260, 31334, 31360),
        *(33164, 33178, 40120, 40154, 40363, 41092, 41177, 41324, 43252, 43371, 43556),
        *(45122, 45306, 45643, 45664, 47365, 47388),
    ),
}
"""Seeds beyond those of which the two said something different once."""


@pytest.mark.parametrize("group", range(GROUPS))
@pytest.mark.parametrize("kind", KINDS)
def test_random_journals(kind: str, group: int) -> None:
    agree(kind, group)


@pytest.mark.parametrize("kind", ONCE_DIFFERENT)
def test_journals_that_were_judged_differently_once(kind: str) -> None:
    for seed in ONCE_DIFFERENT[kind]:
        journal = KINDS[kind][0](seed)
        assert opinion(journal).differences == [], (seed, journal)


@pytest.mark.parametrize("safe", [False, True], ids=["unsafe", "safe"])
@pytest.mark.parametrize("name", NAMES)
def test_samples(name: str, safe: bool) -> None:
    assert opinion(sample_path(name, safe=safe).read_bytes()).differences == []


@pytest.mark.parametrize("rule", RULES)
def test_the_examples_of_the_rule_pages(rule: str) -> None:
    for journal in page_journals(rule):
        assert opinion(journal).differences == []


@pytest.mark.parametrize("unit", ["chars", "bytes", "tokens"])
def test_ranges_in_every_unit(unit: str) -> None:
    text = "counted by a tokenizer that is here"
    held = derive("c", "a", text, range=[1, 3], unit=unit)
    change = splice("a", text, 0, 3, "x")
    uses = (use("c", range=[1, 3]), use("c", range=[0, 2]), use("c"))
    header = of("session", format="spanscope.journal/1", session="s", tokenizer="o200k_base")
    events = (ingest("a", text), held, use("c"), change, *uses)
    lines = [line(header), *(line(event, seq) for seq, event in enumerate(events, 1))]
    assert opinion(b"".join(lines)).differences == []
