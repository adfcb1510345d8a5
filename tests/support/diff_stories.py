"""Stories about staged diffs: bases drift, anchors move, references stop resolving."""

from __future__ import annotations

import random
from typing import Any

from spanscope.model.content import content_hash
from support.journals import Fields, of
from support.telling import Story

DIFFS = ("D", "E", "F")


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
