"""Random journals of every kind of event with every field, mostly senseless, as lines of JSON.

Spans, artifacts and diffs are few and their texts short, so that events hit each other often.
"""

from __future__ import annotations

import random
from typing import Any

from spanscope.history.history import History
from spanscope.model.content import content_hash
from spanscope.model.state import BufferState
from support.journals import Fields, line, of

SPANS = ("a", "b", "c")
ARTIFACTS = ("p", "q")
DIFFS = ("D", "E")
CHECKPOINTS = ("k", "l")
TEXTS = ("", "x", "ab", "abab", "one two", "é🧠", "a\nb\n")
RECORDS = ("versions", "hashes", "inverses", "reads", "holders")
WEIGHTS = {
    "ingest": 8,
    "rewrite": 6,
    "splice": 10,
    "prune": 4,
    "move": 3,
    "derive": 6,
    "use": 5,
    "release": 1,
    "inverse": 3,
    "evict": 1,
    "abort": 2,
    "checkpoint": 3,
    "rollback": 7,
    "stage": 8,
    "apply": 6,
    "reject": 2,
    "withdraw": 1,
    "compact": 2,
    "observe": 6,
    "render": 3,
    "gap": 1,
    "mark": 2,
}


class Anything:
    """Makes events that a journal in this state could hold next."""

    def __init__(self, seed: int, state: BufferState) -> None:
        self.chance = random.Random(seed)
        self.state = state

    def event(self) -> Fields:
        """The next one."""
        kind = self.chance.choices(list(WEIGHTS), list(WEIGHTS.values()))[0]
        fields: Fields = getattr(self, kind)()
        return of(kind, **fields)

    def likely(self, share: float, **fields: Any) -> Fields:
        """The fields, or none of them; a callable gives its value."""
        if self.chance.random() >= share:
            return {}
        return {name: value() if callable(value) else value for name, value in fields.items()}

    def name(self) -> str:
        return self.chance.choice(SPANS)

    def text(self) -> str:
        return self.chance.choice(TEXTS)

    def held(self, span: str) -> str:
        found = self.state.spans.get(span)
        return "" if found is None else found.node.text

    def number(self) -> int:
        return self.chance.randrange(-1, 6)

    def hash(self) -> str:
        return content_hash(self.text() if self.chance.random() < 0.5 else self.held(self.name()))

    def hashes(self) -> dict[str, str]:
        return {self.name(): self.hash() for _ in range(2)}

    def digest(self) -> str:
        return self.state.digest(presumed=True) or self.hash()

    def range(self) -> list[int]:
        start = self.chance.randrange(0, 5)
        return [start, start + self.chance.randrange(0, 4)]

    def after(self) -> str | None:
        return self.chance.choice((None, *SPANS))

    def seq(self) -> int:
        return max(1, self.state.seq + self.chance.choice((2, 1, 0, 0, -1, -2, -4)))

    def record(self, span: str) -> Fields:
        text = self.held(span)
        return {
            "original": self.chance.choice((text, self.text())),
            "inserted": self.chance.choice((0, 1, 2, len(text))),
            "before": self.chance.choice(("", self.text(), text[:2])),
            "after": self.chance.choice(("", self.text(), text[-2:])),
            **self.likely(0.4, at=self.number),
            **self.likely(0.3, inserted_hash=self.hash),
            **self.likely(0.2, anchored=False),
        }

    def mutation(self, span: str) -> Fields:
        return {
            **self.likely(0.4, version=self.number),
            **self.likely(0.4, hash=self.hash),
            **self.likely(0.4, inverse=lambda: self.record(span)),
            **self.likely(0.2, invalidates=[self.chance.choice(ARTIFACTS)]),
            **self.likely(0.15, redacted=True),
            **self.likely(0.1, base={"version": self.number()}),
            **self.likely(0.1, base={"hash": self.hash()}),
        }

    def ingest(self) -> Fields:
        return {
            "span": self.name(),
            "content": self.text(),
            **self.likely(0.3, version=self.number),
            **self.likely(0.3, hash=self.hash),
            **self.likely(0.1, redacted=True),
            **self.bringing_in(),
        }

    def bringing_in(self) -> Fields:
        return {
            **self.likely(0.3, after=self.after),
            **self.likely(0.3, store="files"),
            **self.likely(0.2, answers=self.name),
            **self.likely(0.2, supersedes=[self.name()]),
        }

    def rewrite(self) -> Fields:
        span = self.name()
        copied = self.likely(0.3, into=self.name)
        return {"span": span, "op": "o", "content": self.text(), **copied, **self.mutation(span)}

    def splice(self) -> Fields:
        span = self.name()
        return {
            "span": span,
            "at": self.chance.randrange(-1, len(self.held(span)) + 2),
            "delete": self.chance.randrange(0, 3),
            "insert": self.text(),
            **self.likely(0.2, anchor=self.anchor),
            **self.likely(0.2, original=self.text),
            **self.mutation(span),
        }

    def anchor(self) -> Fields:
        return {"before": self.chance.choice(("", self.text())), "after": self.text()}

    def prune(self) -> Fields:
        span = self.name()
        return {"span": span, **self.mutation(span)}

    def move(self) -> Fields:
        return {"span": self.name(), "after": self.after()}

    def derive(self) -> Fields:
        return {
            "artifact": self.chance.choice(ARTIFACTS),
            "span": self.name(),
            "kind": self.chance.choice(("embedding", "note")),
            "unit": self.chance.choice(("chars", "bytes", "tokens")),
            **self.likely(0.6, range=self.range),
            **self.likely(0.5, version=self.number),
            **self.likely(0.5, hash=self.hash),
            **self.likely(0.3, sources=[{"span": self.name(), **self.likely(0.5, hash=self.hash)}]),
            **self.likely(0.2, quote={"exact": self.text()}),
        }

    def use(self) -> Fields:
        outcome = self.chance.choice(("used", "caught", "rederived"))
        artifact = self.chance.choice(ARTIFACTS)
        return {"artifact": artifact, "outcome": outcome, **self.likely(0.5, range=self.range)}

    def release(self) -> Fields:
        return {"artifact": self.chance.choice(ARTIFACTS)}

    def inverse(self) -> Fields:
        edit = self.likely(0.3, edit=self.chance.randrange(-1, 2))
        return {"of": self.seq(), **self.record(self.name()), **edit}

    def evict(self) -> Fields:
        return {"of": [self.seq(), self.seq()]}

    def abort(self) -> Fields:
        return {"of": self.seq()}

    def checkpoint(self) -> Fields:
        name, snapshot = self.chance.choice(CHECKPOINTS), self.chance.random() < 0.5
        return {"checkpoint": name, "snapshot": snapshot, **self.likely(0.4, digest=self.digest)}

    def rollback(self) -> Fields:
        stack = [entry.seq for entry in self.state.stack] or [1]
        targets: list[Fields] = [
            {"steps": self.chance.randrange(0, 4)},
            {"to": self.chance.choice(CHECKPOINTS)},
            {"of": [self.chance.choice(stack) for _ in range(self.chance.randrange(1, 3))]},
        ]
        return {
            **self.chance.choice(targets),
            **self.likely(0.3, method="restore"),
            **self.likely(0.2, stores=["context"]),
            **self.likely(0.3, edits=self.edits),
            **self.likely(0.3, outcome=self.chance.choice(("failed", "noop", "partial"))),
            **self.likely(0.3, hashes=self.hashes),
            **self.likely(0.2, versions={self.name(): self.number()}),
        }

    def edits(self) -> list[Fields]:
        return [self.edit() for _ in range(self.chance.randrange(0, 4))]

    def edit(self) -> Fields:
        span = self.name()
        edits: list[Fields] = [
            of("ingest", span=span, content=self.text(), **self.bringing_in()),
            of(
                "rewrite",
                span=span,
                op="o",
                content=self.text(),
                **self.likely(0.4, into=self.name),
            ),
            self.staged_splice(span),
            self.staged_splice(span),
            of("prune", span=span),
            of("move", span=span, after=self.after()),
        ]
        return self.chance.choice(edits)

    def staged_splice(self, span: str) -> Fields:
        return of(
            "splice",
            span=span,
            delete=self.chance.randrange(0, 3),
            insert=self.chance.choice((self.text(), self.hash())),
            **self.likely(0.5, at=self.number),
            **self.likely(0.4, anchor=self.anchor),
            **self.likely(0.3, original=self.held(span)[:2]),
        )

    def stage(self) -> Fields:
        revision = self.chance.choice((self.state.revision or 0, self.state.revision or 0, 0, 99))
        return {
            "diff": self.chance.choice(DIFFS),
            "base": {"revision": revision, **self.likely(0.2, digest=self.digest)},
            "reads": [self.read() for _ in range(self.chance.randrange(0, 3))],
            "refs": [self.ref() for _ in range(self.chance.randrange(0, 3))],
            "edits": self.edits(),
        }

    def read(self) -> Fields:
        span = {"span": self.name()}
        reads: list[Fields] = [
            {"all": True},
            span,
            span | {"range": self.range()},
            span | {"hash": self.hash()},
            span | {"all": False},
        ]
        return self.chance.choice(reads)

    def ref(self) -> Fields:
        refs: list[Fields] = [
            {"kind": "span", "span": self.name()},
            {"kind": "quote", "span": self.name(), "text": self.text()},
            {"kind": "line", "line": self.number(), **self.likely(0.5, span=self.name)},
            {"kind": "index", "span": self.name(), "index": self.number()},
            {"kind": "hash", "hash": self.hash()},
        ]
        return self.chance.choice(refs)

    def apply(self) -> Fields:
        return {
            "diff": self.chance.choice(DIFFS),
            **self.likely(0.3, edits=self.edits),
            **self.likely(0.3, outcome=self.chance.choice(("failed", "noop", "partial"))),
            **self.likely(0.4, inverses=[None, self.record(self.name())]),
            **self.likely(0.4, hashes=self.hashes),
        }

    def reject(self) -> Fields:
        return {"diff": self.chance.choice(DIFFS)}

    def withdraw(self) -> Fields:
        return {"diff": self.chance.choice(DIFFS)}

    def compact(self) -> Fields:
        return {"spans": [self.name(), self.name()]}

    def observe(self) -> Fields:
        return {
            **self.likely(0.6, hashes=self.hashes),
            **self.likely(0.5, contents={self.name(): self.text()}),
            **self.likely(0.3, digest=self.digest),
        }

    def render(self) -> Fields:
        shown = [{"span": self.name(), **self.likely(0.3, shown=self.text)} for _ in range(3)]
        return {"items": shown}

    def gap(self) -> Fields:
        return {"reason": "x"}

    def mark(self) -> Fields:
        return {"kind": self.chance.choice(("llm", "turn")), "label": "x"}


def any_journal(seed: int, events: int) -> bytes:
    """A journal of so many random events."""
    history = History()
    anything = Anything(seed, history.state)
    header = anything.likely(0.2, records=anything.chance.sample(RECORDS, 3))
    session = of("session", format="spanscope.journal/1", session="s", tokenizer="o200k_base")
    lines = [line(session | header)]
    history.feed(lines[0])
    for seq in range(1, events + 1):
        lines.append(line(anything.event(), seq))
        history.feed(lines[-1])
    return b"".join(lines)
