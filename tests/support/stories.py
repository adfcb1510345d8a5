"""Random journals that mean something: an agent edits, its inverses are good or bad, it undoes.

Texts are a few lines that repeat, so that anchors are ambiguous and places move. Every event is
one that the buffer allows, or nearly. `a_story` makes one about undo or about staged diffs.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any, Literal

from spanscope.history.history import History
from spanscope.model.anchors import sound_inverse
from spanscope.model.content import content_hash, differing_middle
from spanscope.model.undo import Entry
from support.journals import Fields, line, of

About = Literal["undo", "diff"]

LINES = ("x = 1\n", "x = 1\n", "y = 2\n", "é 🧠\n", "ab", "abab\n", "\n")
PIECES = ("", "x", "1", "x = 1\n", "y = 2\n", "é", "🧠", "ab", "b\n")
ACTORS = ("agent", "agent", "agent", "tool:search", "subagent:2")
CHECKPOINTS = ("k", "l")
DIFFS = ("D", "E", "F")


def a_story(seed: int, about: About, events: int) -> bytes:
    """The bytes of a journal of so many events."""
    chance = random.Random(f"{about} {seed}")
    story = UndoStory(chance) if about == "undo" else DiffStory(chance)
    while story.seq < events:
        story.go_on()
    return b"".join(story.lines)


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


class UndoStory(Story):
    """About undo: what makes it sound and unsound, and every way to ask for it."""

    def next(self) -> Fields:
        return self.pick(
            {
                self.splice: 30,
                self.by_hand: 6,
                self.rewrite: 8,
                self.copy: 3,
                self.prune: 5,
                self.move: 5,
                self.ingest: 6,
                self.rollback: 22,
                self.checkpoint: 6,
                self.abort: 3,
                self.evict: 2,
                self.apply: 4,
                self.observe: 4,
                self.redacted: 2,
                self.compact: 2,
                self.gap: 2,
                self.digest: 2,
            }
        )

    def by_hand(self) -> Fields | None:
        """A change whose result is an older text: undone by hand."""
        entries = [entry for entry in self.history.state.stack if entry.op == "splice"]
        if not entries:
            return None
        part = self.chance.choice(entries[-3:]).parts[0]
        if part.span not in self.live or part.before is None:
            return None
        old, text = part.before.node.text, self.held(part.span)
        at, removed, added = differing_middle(text, old)
        return self.splice_of(part.span, text, at, len(removed), added)

    def rollback(self) -> Fields | None:
        """One of the newest entries, of single ones, or to a checkpoint; told or not."""
        asked = self.chance.choice([self.steps, self.steps, self.to, self.single, self.single])()
        if asked is None:
            return None
        if self.likely(0.2):
            asked["stores"] = [self.chance.choice(["context", "files"])]
        if self.likely(0.3):
            asked["edits"] = self.edits_back()
        if self.likely(0.25):
            asked["outcome"] = self.chance.choice(["partial", "failed", "noop"])
        if self.likely(0.25):
            asked["hashes"] = self.hashes()
        return asked

    def to(self) -> Fields | None:
        made = list(self.history.state.savepoints)
        if not made:
            return None
        method = self.chance.choice(["replay", "restore"])
        return of("rollback", to=self.chance.choice(made), method=method)

    def single(self) -> Fields | None:
        stack = self.history.state.stack
        if not stack:
            return None
        named = self.chance.sample(stack[-6:], min(len(stack), self.chance.randint(1, 2)))
        return of("rollback", of=[entry.seq for entry in named])

    def edits_back(self) -> list[Fields]:
        """What the agent really did: its inverses as it finds them, or something else."""
        edits: list[Fields] = []
        for entry in self.history.state.stack[: -1 - self.chance.randint(1, 2) : -1]:
            edits += self.edits_of(entry)
        if edits and self.likely(0.2):
            edits.pop()
        return edits

    def edits_of(self, entry: Entry) -> list[Fields]:
        edits: list[Fields] = []
        for part in reversed(entry.parts):
            if part.kind == "ingest" and part.span in self.live:
                edits.append(of("prune", span=part.span))
            elif part.kind == "prune" and part.before is not None and part.span not in self.live:
                edits.append(of("ingest", span=part.span, content=part.before.node.text))
            elif part.before is not None and self.is_known(part.span):
                edits.append(self.put_back(part.span, part.before.node.text))
        return edits

    def is_known(self, span: str) -> bool:
        """Whether a span is live and its text known."""
        state = self.history.state.spans[span]
        return state.live and state.text is not None

    def put_back(self, span: str, old: str) -> Fields:
        if self.likely(0.5):
            return of("rewrite", span=span, op="undo", content=old)
        at, removed, added = differing_middle(self.held(span), old)
        if self.likely(0.2):
            at = max(0, at - 1)
        return of("splice", span=span, at=at, delete=len(removed), insert=added)

    def hashes(self) -> dict[str, str]:
        """Claims: of what is held, of what was, of something else."""
        span = self.chance.choice(self.live)
        older = [state.node.text for state in self.history.state.chronicle[span]]
        return {span: self.hash_of(span, self.chance.choice([*older, self.held(span), "?"]))}

    def checkpoint(self) -> Fields:
        digest = self.history.state.digest(presumed=True) if self.likely(0.3) else None
        name, snapshot = self.chance.choice(CHECKPOINTS), self.likely(0.5)
        return of("checkpoint", checkpoint=name, snapshot=snapshot, digest=digest)

    def evict(self) -> Fields | None:
        stack = self.history.state.stack
        return of("evict", of=[self.chance.choice(stack[-6:]).seq]) if stack else None

    def apply(self) -> Fields:
        """A diff of several edits; it is staged just before."""
        edits: list[Fields] = []
        inverses: list[Fields | None] = []
        texts = {name: self.held(name) for name in self.live}
        for _ in range(self.chance.randint(1, 3)):
            span = self.chance.choice(self.live)
            at, delete, insert = self.place(texts[span])
            edits.append(of("splice", span=span, at=at, delete=delete, insert=insert))
            inverses.append(self.inverse(texts[span], at, delete, insert))
            texts[span] = texts[span][:at] + insert + texts[span][at + delete :]
        base = {"revision": self.history.state.revision or 0}
        self.tell(of("stage", diff="D", base=base, reads=[{"span": edits[0]["span"]}], edits=edits))
        outcome = self.chance.choice(["done", "done", "done", "partial", "failed"])
        hashes = {name: self.hash_of(name, texts[name]) for name in texts if self.likely(0.5)}
        return of("apply", diff="D", inverses=inverses, outcome=outcome, hashes=hashes)

    def observe(self) -> Fields:
        span = self.chance.choice(self.live)
        held = self.held(span)
        text = held if self.likely(0.5) else held + "x"
        if self.likely(0.5):
            return of("observe", contents={span: text})
        return of("observe", hashes={span: self.hash_of(span, text)})

    def redacted(self) -> Fields:
        made = self.chance.choice([self.splice, self.rewrite, self.ingest])()
        made.pop("inverse", None)
        return made | {"redacted": True, "hash": content_hash("?")}

    def compact(self) -> Fields | None:
        kept = [s.span for s in self.history.state.spans.values() if s.life == "tombstone"]
        return of("compact", spans=[self.chance.choice(kept)]) if kept else None


class DiffStory(Story):
    """About staged diffs: bases that drift, anchors that move, refs that stop resolving."""

    def __init__(self, chance: random.Random) -> None:
        super().__init__(chance)
        self.bases: dict[int, dict[str, str]] = {}

    def go_on(self) -> None:
        super().go_on()
        state = self.history.state
        if state.revision is not None:
            self.bases[state.revision] = {name: self.held(name) for name in state.order}

    def next(self) -> Fields:
        return self.pick(
            {
                self.stage: 30,
                self.apply: 12,
                self.unstage: 4,
                self.splice: 20,
                self.rewrite: 6,
                self.copy: 2,
                self.prune: 4,
                self.move: 5,
                self.ingest: 6,
                self.steps: 10,
                self.abort: 4,
                self.gap: 1,
                self.digest: 2,
            }
        )

    def stage(self) -> Fields | None:
        """A diff authored against what was there a moment ago."""
        known = [revision for revision in self.bases if self.bases[revision]]
        if not known:
            return None
        near = known[-1 - min(self.chance.choice([0, 0, 0, 1, 3]), len(known) - 1)]
        base: Fields = {"revision": near}
        if self.likely(0.2) and near == self.history.state.revision:
            base["digest"] = self.history.state.digest()
        texts = dict(self.bases[near])
        own = f"n{self.seq + 1}"
        edits = [self.edit(texts, own) for _ in range(self.chance.randint(1, 3))]
        touched = [edit["span"] for edit in edits if edit["span"] in self.bases[near]]
        reads = [self.read(name, self.bases[near][name]) for name in dict.fromkeys(touched)]
        if self.likely(0.15):
            reads = [{"all": True}]
        refs = [self.ref(self.bases[near])] if self.likely(0.4) else []
        diff = self.chance.choice(DIFFS)
        return of("stage", diff=diff, base=base, reads=reads, edits=edits, refs=refs)

    def edit(self, texts: dict[str, str], own: str) -> Fields:
        """An edit of the texts, which are what it leaves."""
        span = self.chance.choice(list(texts)) if texts else own
        text = texts.get(span, "")
        kind = self.chance.random()
        if not texts or (kind < 0.1 and own not in texts):
            texts[own] = self.some_lines()
            return of("ingest", span=own, content=texts[own])
        if kind < 0.15:
            del texts[span]
            return of("prune", span=span)
        if kind < 0.2:
            return of("move", span=span, after=None)
        at, delete, insert = self.place(text)
        texts[span] = text[:at] + insert + text[at + delete :]
        if kind < 0.3:
            return of("rewrite", span=span, op="fold", content=texts[span])
        put = of("splice", span=span, delete=delete, insert=insert)
        if self.likely(0.4):
            put["original"] = text[at : at + delete]
        if self.likely(0.3):
            return put | {"at": at}
        wide = self.chance.choice([0, 2, 6, 12])
        end = at + delete
        return put | {
            "anchor": {"before": text[max(0, at - wide) : at], "after": text[end:][:wide]}
        }

    def read(self, span: str, text: str) -> Fields:
        read: Fields = {"span": span}
        part = text
        if self.likely(0.4):
            start = self.chance.randint(0, len(text))
            end = self.chance.randint(start, len(text))
            read["range"], part = [start, end], text[start:end]
        if self.likely(0.3):
            read["hash"] = content_hash(part)
        return read

    def ref(self, texts: dict[str, str]) -> Fields:
        span = self.chance.choice(list(texts))
        text = texts[span]
        at = self.chance.randint(0, len(text))
        told: Any = text.split("\n")[0] if self.likely(0.5) else None
        refs: list[Fields] = [
            {"kind": "span", "span": span},
            {"kind": "quote", "span": span, "text": text[at : at + 4]},
            {"kind": "line", "span": span, "line": 1, **({"text": told} if told else {})},
            {"kind": "index", "span": span, "index": list(texts).index(span)},
            {"kind": "hash", "hash": content_hash(text)},
        ]
        if all(self.history.state.spans[name].text is not None for name in self.live):
            refs.append({"kind": "line", "line": self.chance.randint(1, 4)})
        return self.chance.choice(refs)

    def apply(self) -> Fields | None:
        staged = self.history.state.staged
        if not staged:
            return None
        outcome = self.chance.choice(["done", "done", "done", "done", "partial", "failed"])
        return of("apply", diff=self.chance.choice(list(staged)), outcome=outcome)

    def unstage(self) -> Fields | None:
        staged = self.history.state.staged
        if not staged:
            return None
        return of(self.chance.choice(["reject", "withdraw"]), diff=self.chance.choice(list(staged)))
