"""A random journal that is being written: an agent changes a buffer, with good and bad inverses.

Texts are a few lines that repeat, so that anchors are ambiguous and places move. Every event is
one that the buffer allows, or nearly.
"""

from __future__ import annotations

import random
from collections.abc import Callable

from spanscope.history.history import History
from spanscope.model.anchors import sound_inverse
from spanscope.model.content import content_hash
from support.journals import Fields, line, of

LINES = ("x = 1\n", "x = 1\n", "y = 2\n", "é 🧠\n", "ab", "abab\n", "\n")
PIECES = ("", "x", "1", "x = 1\n", "y = 2\n", "é", "🧠", "ab", "b\n")
ACTORS = ("agent", "agent", "agent", "tool:search", "subagent:2")


class Story:
    """A journal that is being written, and the buffer as it is."""

    def __init__(self, chance: random.Random) -> None:
        self.chance = chance
        self.history = History()
        self.lines: list[bytes] = []
        self.due: list[tuple[int, Fields]] = []
        self._write(line(of("session", format="spanscope.journal/1", session="s")))

    def _write(self, written: bytes) -> None:
        self.lines.append(written)
        self.history.feed(written)

    @property
    def seq(self) -> int:
        """The last event's."""
        return self.history.state.seq

    def tell(self, fields: Fields) -> None:
        """Let an event happen."""
        self._write(line({"actor": self.chance.choice(ACTORS), **fields}, self.seq + 1))

    def go_on(self) -> None:
        """The next event: one that was put off, or another."""
        late = next((item for item in self.due if item[0] <= self.seq), None)
        if late is not None:
            self.due.remove(late)
            self.tell(late[1])
        elif len(self.live) < 2:
            self.tell(self.ingest())
        else:
            self.tell(self.next())

    def next(self) -> Fields:
        """The next event of this kind of story."""
        raise NotImplementedError

    def pick(self, weights: dict[Callable[[], Fields | None], int]) -> Fields:
        """An event of one of these kinds that is possible now."""
        while True:
            made = self.chance.choices(list(weights), list(weights.values()))[0]()
            if made is not None:
                return made

    @property
    def live(self) -> list[str]:
        return self.history.state.order

    def held(self, span: str) -> str:
        return self.history.state.spans[span].node.text

    def likely(self, share: float) -> bool:
        return self.chance.random() < share

    def hash_of(self, span: str, text: str) -> str:
        """The hash of a text; of a span that holds no known text, of one that nobody wrote."""
        state = self.history.state.spans[span]
        return content_hash(text if state.node.text_known else "?")

    def some_lines(self) -> str:
        return "".join(self.chance.choices(LINES, k=self.chance.randint(1, 4)))

    def ingest(self) -> Fields:
        name = f"s{self.seq + 1}"
        gone = [span.span for span in self.history.state.spans.values() if span.gone]
        if gone and self.likely(0.1):
            name = self.chance.choice(gone)
        more: Fields = {"store": "files"} if self.likely(0.3) else {}
        if self.likely(0.3):
            more["after"] = self.chance.choice([None, *self.live])
        return of("ingest", span=name, content=self.some_lines(), **more)

    def place(self, text: str) -> tuple[int, int, str]:
        """(at, delete, insert) of a splice; by lines or in between."""
        starts = [0, *(at + 1 for at, char in enumerate(text) if char == "\n")]
        at = self.chance.choice(starts) if self.likely(0.5) else self.chance.randint(0, len(text))
        delete = self.chance.choice([0, 1, 2, 6, len(text)])
        return at, min(delete, len(text) - at), self.chance.choice(PIECES)

    def splice(self) -> Fields:
        span = self.chance.choice(self.live)
        text = self.held(span)
        return self.splice_of(span, text, *self.place(text))

    def splice_of(self, span: str, text: str, at: int, delete: int, insert: str) -> Fields:
        inverse = self.inverse(text, at, delete, insert)
        return of("splice", span=span, at=at, delete=delete, insert=insert, inverse=inverse)

    def inverse(self, text: str, at: int, delete: int, insert: str) -> Fields | None:
        """The inverse of a splice, as good as its writer is."""
        after, end = text[:at] + insert + text[at + delete :], at + len(insert)
        sound = sound_inverse(after, at, insert, text[at : at + delete])
        whole: Fields = {
            "original": sound.original,
            "inserted": sound.inserted,
            "inserted_hash": sound.inserted_hash,
            "before": sound.before,
            "after": sound.after,
        }
        short = {**whole, "before": after[max(0, at - 2) : at], "after": after[end : end + 2]}
        hashed = {
            **whole,
            "before": content_hash(after[max(0, at - 4) : at]),
            "after": content_hash(after[end : end + 4]),
            "window": 4,
        }
        kinds: list[tuple[int, Fields | None]] = [
            (6, whole),
            (3, {**whole, "at": at}),
            (3, short),
            (2, {**short, "inserted_hash": None}),
            (1, {**short, "inserted_hash": None, "at": at}),
            (1, {**whole, "at": at, "anchored": False}),
            (1, {"original": sound.original, "inserted": sound.inserted, "at": at}),
            (1, {"original": sound.original, "inserted": sound.inserted, "at": max(0, at - 1)}),
            (1, {**whole, "original": sound.original + "x"}),
            (1, {**whole, "before": "", "inserted": sound.inserted + 1, "inserted_hash": None}),
            (1, {**whole, "inserted_hash": content_hash("?")}),
            (1, {**whole, "before": sound.before + "x"}),
            (1, hashed),
            (1, {**hashed, "at": at}),
            (2, None),
        ]
        return self._in_time(self.chance.choices([k for _, k in kinds], [n for n, _ in kinds])[0])

    def _in_time(self, inverse: Fields | None) -> Fields | None:
        """The inverse, with its change; or not yet, some events later, or never."""
        if inverse is None or self.likely(0.9):
            return inverse
        if self.likely(0.8):
            fields = of("inverse", of=self.seq + 1, **inverse)
            self.due.append((self.seq + self.chance.randint(1, 4), fields))
        return None

    def whole_inverse(self, text: str, inserted: int) -> Fields | None:
        """The inverse of a rewrite or prune."""
        inverse: Fields = {"original": text, "inserted": inserted}
        if self.likely(0.1):
            inverse["original"] += "x"
        if self.likely(0.05):
            inverse["inserted"] += 1
        return None if self.likely(0.07) else self._in_time(inverse)

    def rewrite(self) -> Fields:
        span = self.chance.choice(self.live)
        old = self.held(span)
        new = old if self.likely(0.1) else self.some_lines()
        if self.likely(0.5):
            at, delete, insert = self.place(old)
            new = old[:at] + insert + old[at + delete :]
        inverse = self.whole_inverse(old, len(new))
        return of("rewrite", span=span, op="fold", content=new, inverse=inverse)

    def copy(self) -> Fields:
        span, into = self.chance.choice(self.live), f"c{self.seq + 1}"
        return of("rewrite", span=span, op="fold", into=into, content=self.some_lines())

    def prune(self) -> Fields:
        span = self.chance.choice(self.live)
        return of("prune", span=span, inverse=self.whole_inverse(self.held(span), 0))

    def move(self) -> Fields:
        span = self.chance.choice(self.live)
        others = [name for name in self.live if name != span]
        return of("move", span=span, after=self.chance.choice([None, *others]))

    def steps(self) -> Fields | None:
        """A rollback of the newest entries."""
        size = len(self.history.state.stack)
        return of("rollback", steps=self.chance.randint(1, min(size, 4))) if size else None

    def abort(self) -> Fields | None:
        last = self.history.state.last_change
        return None if last is None else of("abort", of=last.seq)

    def gap(self) -> Fields | None:
        return of("gap", reason="x") if self.likely(0.3) else None

    def digest(self) -> Fields:
        found = self.history.state.digest(presumed=True)
        return of("observe", digest=found if self.likely(0.8) else content_hash("?"))
