"""Stories about undo: what makes it sound and unsound, and every way to ask for it."""

from __future__ import annotations

from spanscope.model.content import content_hash, differing_middle
from spanscope.model.undo import Entry
from support.journals import Fields, of
from support.telling import Story

CHECKPOINTS = ("k", "l")


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
