"""What is judged at a look is what the rules say of it."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import pytest
from support.journals import Fields, derive, ingest, of, recorded, splice, stage, use

from spanscope.history.history import History
from spanscope.model.content import content_hash
from spanscope.rules import fragility, judge, staging, uses

WORDS = ("one", "two", "three", "limit", "é", "quota", "of", "\n")


def prose(chance: random.Random) -> str:
    return " ".join(chance.choices(WORDS, k=40))


class Session:
    """Mostly sound splices under holders and staged diffs, now and then with a broken promise."""

    def __init__(self, seed: int) -> None:
        self.chance = random.Random(seed)
        self.texts = {name: prose(self.chance) for name in "abcd"}
        self.versions = dict.fromkeys(self.texts, 0)
        self.held: dict[str, list[str]] = {name: [] for name in self.texts}
        self.revision = len(self.texts)

    def events(self) -> list[Fields]:
        found = [ingest(name, text) for name, text in self.texts.items()]
        return found + [self.event(number) for number in range(80)]

    def event(self, number: int) -> Fields:
        chance, name = self.chance, self.chance.choice(list(self.texts))
        text, kind = self.texts[name], self.chance.random()
        if kind < 0.15:
            self.held[name].append(f"p{number}")
            key = {"version": self.versions[name], "range": [2, chance.choice([5, 500])]}
            return derive(f"p{number}", name, text) | chance.choice([key, key | {"version": 0}])
        if kind < 0.25:
            base = self.revision - chance.choice([0, 0, 1])
            edit = of("splice", span=name, at=chance.randrange(30), delete=2, insert="limit")
            reads = [{"span": name, "hash": content_hash(text)}]
            return stage(chance.choice("DEF"), base, reads, [edit])
        if kind < 0.3:
            return of(chance.choice(["withdraw", "apply"]), diff=chance.choice("DEF"))
        if kind < 0.4:
            return use(
                f"p{chance.randrange(number + 1)}", outcome=chance.choice(["used", "caught"])
            )
        if kind < 0.45:
            return of("move", span=name, after=None)
        return self.splice(name, text)

    def splice(self, name: str, text: str) -> Fields:
        at, delete = self.chance.randrange(len(text) - 9), self.chance.randrange(6)
        insert = self.chance.choice(["", "x", "two", "quota of", text[at : at + delete]])
        self.texts[name] = text[:at] + insert + text[at + delete :]
        self.versions[name] += 1
        self.revision += self.texts[name] != text
        told, self.held[name] = self.held[name], []
        event = splice(name, text, at, delete, insert, version=self.versions[name])
        if told and self.chance.random() < 0.8:
            event["invalidates"] = told
        if self.chance.random() < 0.25:
            event |= self.broken(event["inverse"])
        return event

    def broken(self, inverse: Fields) -> Fields:
        return self.chance.choice(
            [
                {"hash": content_hash("else")},
                {"version": 0},
                {"version": None, "hash": None},
                {"base": {"version": 0}},
                {"inverse": None},
                {"inverse": inverse | {"at": 3}},
                {"inverse": inverse | {"before": inverse["before"][-1:], "after": ""}},
                {"inverse": inverse | {"original": "else"}},
                {"inverse": inverse | {"before": "", "after": "", "at": 3}},
                {"invalidates": ["p1", "nobody"]},
                {"redacted": True},
            ]
        )


def told(history: History) -> tuple[Any, ...]:
    """All that is said of a session, and what is remembered for what comes."""
    memory = history._audit.judge.memory
    states = {name: judged.state for name, judged in memory.artifacts.items()}
    verdicts = {name: judged.verdict for name, judged in memory.verdicts.items()}
    stack = [(row.entry.seq, row.reachable) for row in history.at(history.last).undo()]
    return history.findings, states, verdicts, vars(memory.reach), stack


@pytest.mark.parametrize("seed", range(20))
def test_a_look_says_what_the_rules_say(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    events = Session(seed).events()
    looks: Counter[tuple[str, bool]] = Counter()
    for module, name in (
        (judge, "judge_quietly"),
        (staging, "is_apart"),
        (fragility, "_stands_apart"),
        (uses, "_keyed_truly"),
    ):
        look = getattr(module, name)

        def counted(*given: Any, look: Any = look, name: str = name) -> bool:
            answer: bool = look(*given)
            looks[name, answer] += 1
            return answer

        monkeypatch.setattr(module, name, counted)
    quick = told(recorded(*events))
    for module, name in ((judge, "judge_quietly"), (staging, "is_apart")):
        monkeypatch.setattr(module, name, lambda *_: False)
    for module, name in ((fragility, "_stands_apart"), (uses, "_keyed_truly")):
        monkeypatch.setattr(module, name, lambda *_: False)
    assert quick == told(recorded(*events))
    assert looks["judge_quietly", True] > 5
    assert looks["judge_quietly", False] > 5
    assert looks["is_apart", True]
