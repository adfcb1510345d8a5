"""Random journals about rollbacks of single entries: few short texts, edited side by side.

Every inverse is sound, so that a rollback is refused only where a kept edit can't be made again.
Artifacts and staged diffs are there to be followed through it.
"""

from __future__ import annotations

import random
from collections.abc import Callable

from spanscope.history.history import History
from spanscope.model.anchors import sound_inverse
from spanscope.model.content import content_hash
from support.journals import Fields, copy, derive, ingest, line, of, prune, stage, use

SPANS = ("a", "b")
PIECES = ("", "", "x", "ab", "cde")


class Selective:
    """A journal that is being written, and the buffer as it is."""

    def __init__(self, seed: int) -> None:
        self.chance = random.Random(seed)
        self.history = History()
        self.lines: list[bytes] = []
        self.news = 0
        self.tell(of("session", format="spanscope.journal/1", session="s"))
        for span in SPANS:
            self.tell(ingest(span, "".join(self.chance.choices("abcxy", k=5))))

    def tell(self, fields: Fields) -> None:
        seq = self.history.state.seq + 1 if self.lines else None
        self.lines.append(line(fields, seq))
        self.history.feed(self.lines[-1])

    def go_on(self, most: int) -> None:
        """Some edits with what holds on to them, then a rollback of some."""
        kinds: list[Callable[[], Fields]] = [self.splice] * 12
        kinds += [self.rewrite, self.rewrite, self.apply, self.apply, self.derived, self.staged]
        kinds += [self.whole, self.step_back]
        for _ in range(self.chance.randint(2, most)):
            self.tell(self.chance.choice(kinds)())
        self.tell(self.rollback())
        for _ in range(self.chance.randint(0, 2)):
            self.tell(self.chance.choice([self.used, self.splice, self.step_back])())

    def span(self) -> str:
        live = self.history.state.order
        return self.chance.choice([*live, *live, *SPANS[:1]])

    def held(self, span: str) -> str:
        return self.history.state.spans[span].node.text

    def piece(self) -> str:
        """Something short, that may stand there already or not."""
        if self.chance.random() < 0.5:
            return self.chance.choice(PIECES)
        self.news += 1
        return chr(ord("A") + self.news % 26) * self.chance.randint(1, 3)

    def place(self, text: str) -> tuple[int, int]:
        at = self.chance.randint(0, len(text))
        return at, min(self.chance.choice((0, 0, 1, 2, 3)), len(text) - at)

    def splice_of(self, span: str, text: str) -> tuple[Fields, str]:
        """A splice and what it leaves."""
        at, delete = self.place(text)
        insert = self.piece()
        left = text[:at] + insert + text[at + delete :]
        sound = sound_inverse(left, at, insert, text[at : at + delete])
        record = {name: getattr(sound, name) for name in sound.__struct_fields__}
        inverse = {name: value for name, value in record.items() if value is not None}
        edit = of("splice", span=span, at=at, delete=delete, insert=insert, inverse=inverse)
        return edit, left

    def splice(self) -> Fields:
        span = self.span()
        return self.splice_of(span, self.held(span))[0]

    def rewrite(self) -> Fields:
        span = self.span()
        old, (_, new) = self.held(span), self.splice_of(span, self.held(span))
        inverse = {"original": old, "inserted": len(new)}
        return of("rewrite", span=span, op="o", content=new, inverse=inverse)

    def apply(self) -> Fields:
        edits = []
        texts = {name: self.held(name) for name in self.history.state.order}
        for _ in range(self.chance.randint(1, 3) if texts else 0):
            span = self.chance.choice(list(texts))
            edit, texts[span] = self.splice_of(span, texts[span])
            edits.append(edit)
        inverses = [edit.pop("inverse") for edit in edits]
        self.tell(stage("A", self.history.state.revision or 0, [], edits))
        return of("apply", diff="A", inverses=inverses)

    def whole(self) -> Fields:
        """A span comes, goes or is moved."""
        span = self.span()
        whole = [
            prune(span, self.held(span)),
            of("move", span=span, after=self.chance.choice((None, *SPANS))),
            ingest(self.chance.choice(("c", "d", "a")), self.piece()),
            copy(span, self.chance.choice(("c", "d")), self.piece()),
        ]
        return self.chance.choice(whole)

    def range(self, text: str) -> list[int]:
        at, length = self.place(text)
        return [at, at + length]

    def derived(self) -> Fields:
        span = self.span()
        text, version = self.held(span), self.history.state.spans[span].version
        return derive("p", span, text, version=version, range=self.range(text))

    def used(self) -> Fields:
        return use("p", range=self.range(self.held(self.span())))

    def staged(self) -> Fields:
        span = self.span()
        text = self.held(span)
        edit, _ = self.splice_of(span, text)
        start, end = self.range(text)
        read = {"span": span, "range": [start, end], "hash": content_hash(text[start:end])}
        revision = self.history.state.revision or 0
        return stage(self.chance.choice(("D", "E")), revision, [read], [edit])

    def step_back(self) -> Fields:
        return of("rollback", steps=1)

    def rollback(self) -> Fields:
        stack = [entry.seq for entry in self.history.state.stack[2:]]
        named = [seq for seq in stack if self.chance.random() < 0.5]
        return of("rollback", of=named or stack[:1])


def a_selective_journal(seed: int, rounds: int = 1, most: int = 6) -> bytes:
    """So many times some edits and a rollback of some of them."""
    journal = Selective(seed)
    for _ in range(rounds):
        journal.go_on(most)
    return b"".join(journal.lines)
