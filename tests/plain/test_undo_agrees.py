"""The engine and the plain audit agree about undo and staged diffs, event by event."""

from __future__ import annotations

from typing import NamedTuple

import pytest
from support.histories import whole
from support.stories import About, a_story

from spanscope.history.history import History
from spanscope.journal.reader import JournalParser
from spanscope.plain.direct import entry_status
from spanscope.plain.families import dif, und
from spanscope.plain.finding import Finding
from spanscope.plain.reach import reachable
from spanscope.plain.reading import Told, read
from spanscope.plain.staged import judge
from spanscope.plain.world import Moment, World

STORIES: dict[About, tuple[int, int]] = {"undo": (55, 35), "diff": (200, 25)}
"""How many stories are told, of how many events."""


class Entry(NamedTuple):
    """An undo entry at a step."""

    seq: int
    direct: str
    reachable: bool | None


def told_by(data: bytes) -> Told:
    parser = JournalParser()
    return read([*parser.feed(data), *parser.finish()])


def engine_findings(history: History, rules: tuple[str, ...]) -> set[Finding]:
    return {
        Finding(found.rule, found.seq, tuple(sorted(found.subject.items())), found.severity)
        for found in history.findings
        if found.rule.startswith(rules)
    }


def engine_stack(history: History, seq: int) -> list[Entry]:
    rows = reversed(history.at(seq).undo())
    return [Entry(row.entry.seq, row.status.direct, row.reachable) for row in rows]


def engine_verdicts(history: History, seq: int) -> dict[str, tuple[str, bool, tuple[str, ...]]]:
    return {
        row.diff.diff: (row.judgement.verdict, row.judgement.fragile, tuple(row.judgement.rules))
        for row in history.at(seq).staging()
    }


def agree_on_undo(history: History, world: World) -> None:
    reach = reachable(world)
    assert engine_stack(history, world.seq) == [
        Entry(entry.seq, entry_status(entry, world).direct, reach[entry.seq])
        for entry in world.stack
    ]


def agree_on_diffs(history: History, past: tuple[Moment, ...]) -> None:
    world = past[-1].after
    verdicts = {name: judge(diff, past) for name, diff in world.staged.items()}
    assert engine_verdicts(history, world.seq) == {
        name: (found.verdict, found.fragile, found.reasons) for name, found in verdicts.items()
    }


@pytest.mark.parametrize("seed", range(STORIES["undo"][0]))
def test_a_story_of_undo_is_judged_the_same_twice(seed: int) -> None:
    data = a_story(seed, "undo", STORIES["undo"][1])
    history, told = whole(data), told_by(data)
    for moment in told.moments_shown:
        agree_on_undo(history, moment.after)
    assert engine_findings(history, ("UND",)) == set(und.findings(told))


@pytest.mark.parametrize("seed", range(STORIES["diff"][0]))
def test_a_story_of_diffs_is_judged_the_same_twice(seed: int) -> None:
    data = a_story(seed, "diff", STORIES["diff"][1])
    history, told = whole(data), told_by(data)
    for place, moment in enumerate(told.moments_shown):
        agree_on_undo(history, moment.after)
        agree_on_diffs(history, told.moments_shown[: place + 1])
    found = {*und.findings(told), *dif.findings(told)}
    assert engine_findings(history, ("UND", "DIF")) == found
