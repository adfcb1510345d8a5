"""A list at any step, and what remembering it costs."""

from __future__ import annotations

import random

import pytest

from spanscope.model.steps import Step, StepLog, redo_step


class Grown:
    """A log fed with random steps, beside every list that it went through."""

    def __init__(self, seed: int, events: int, *, growing: float) -> None:
        chance = random.Random(seed)
        self.log: StepLog[int] = StepLog()
        self.lists: list[list[int]] = [[]]
        for seq in range(1, events + 1):
            items = list(self.lists[-1])
            steps = []
            for _ in range(chance.choice([0, 1, 1, 1, 3])):
                step = self._step(chance, items, seq, growing)
                redo_step(items, step)
                steps.append(step)
            self.log.extend(steps, items)
            self.lists.append(items)

    def _step(self, chance: random.Random, items: list[int], seq: int, growing: float) -> Step[int]:
        if items and chance.random() > growing:
            place = chance.randrange(len(items))
            other = chance.choice([None, -seq])
            return Step(seq, place, items[place], other)
        return Step(seq, chance.choice([0, len(items), len(items) // 2]), None, seq)


@pytest.mark.parametrize("growing", [0.9, 0.5])
def test_the_list_after_any_event_asked_for_in_any_order(growing: float) -> None:
    grown = Grown(3, 2500, growing=growing)
    chance, last = random.Random(5), len(grown.lists) - 1
    near = [*range(1200, 1230), *range(1230, 1200, -1)]
    for seq in [*chance.choices(range(last + 1), k=300), *near, 0, last]:
        assert grown.log.at(seq, grown.lists[-1]) == grown.lists[seq]


def test_the_lists_before_the_changes_newest_first() -> None:
    grown = Grown(4, 900, growing=0.7)
    back = [(seq, list(items)) for seq, items in grown.log.back_from(800, grown.lists[-1])]
    changing = [seq for seq in range(800, 0, -1) if any(s.seq == seq for s in grown.log.steps)]
    assert back == [(seq, grown.lists[seq - 1]) for seq in changing]


def test_copies_of_a_list_that_only_grows_stay_few_words_a_step() -> None:
    log: StepLog[int] = StepLog()
    items: list[int] = []
    for seq in range(1, 60_001):
        items.append(seq)
        log.extend([Step(seq, seq - 1, None, seq)], items)
    kept = sum(len(copy) for _, copy in log._snapshots)
    assert kept < 8 * len(log.steps)
    assert log.at(41_234, items) == list(range(1, 41_235))


def test_the_places_of_one_item_before_the_changes_newest_first() -> None:
    chance, log, items, lists = random.Random(6), StepLog[str](), list[str](), [list[str]()]
    for seq in range(1, 400):
        steps: list[Step[str]] = []
        for name in chance.sample("abcdef", chance.choice([0, 1, 1, 2])):
            if name in items:
                place = items.index(name)
                other = chance.choice([None, f"{name}{seq}"])
                steps.append(Step(seq, place, name, other))
                redo_step(items, steps[-1])
            if name not in items and chance.random() < 0.8:
                steps.append(Step(seq, chance.randint(0, len(items)), None, name))
                redo_step(items, steps[-1])
        log.extend(steps, items)
        lists.append(list(items))
    changing = sorted({step.seq for step in log.steps}, reverse=True)
    for name in "abcdef":
        now = items.index(name) if name in items else None
        was = [(s, lists[s - 1].index(name) if name in lists[s - 1] else None) for s in changing]
        assert list(log.places_back(name, now)) == was
    assert len(changing) > 200
