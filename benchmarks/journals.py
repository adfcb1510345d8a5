"""Journals to measure with: any number of events, every kind, over 10,000 spans of 2 to 4 KB.

The same seed gives the same bytes. A line has about the size asked for; every change carries its
claims and a sound inverse, so what is measured is a journal with everything to check and little
to report.
"""

from __future__ import annotations

import hashlib
import json
import random
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

WORDS = (
    *("limit", "quota", "request", "retry", "context", "window", "token", "budget", "summary"),
    *("planner", "retriever", "queue", "index", "offset", "buffer", "schema", "policy", "deploy"),
    *("rollback", "latency", "cache", "shard", "région", "naïve", "über", "señal", "résumé", "–"),
    *("the", "of", "and", "to", "in", "is", "for", "with", "not", "must", "may", "should", "after"),
)
SECONDS_A_DAY = 86_400


def sha(text: str) -> str:
    """The content hash of a text."""
    return "sha256:" + hashlib.sha256(text.encode()).hexdigest()


def prose(chance: random.Random, size: int) -> str:
    """About `size` code points of plain words, a line every so often."""
    words = chance.choices(WORDS, k=size // 6)
    return "\n".join(" ".join(words[start : start + 12]) for start in range(0, len(words), 12))


class Writer:
    """Makes events one after another and keeps the buffer that they lead to."""

    def __init__(self, events: int, line: int, spans: int, seed: int) -> None:
        self.chance = random.Random(seed)
        self.events = events
        self.padding = max(0, line - 250)
        self.spans = spans
        self.seq = 0
        self.texts: dict[str, str] = {}
        self.versions: dict[str, int] = {}
        self.names: list[str] = []
        self.artifacts: list[tuple[str, str]] = []
        self.holders: dict[str, list[str]] = {}
        self.told: list[str] = []
        self.tombstones: list[str] = []
        self.staged: list[tuple[str, str, dict[str, Any]]] = []
        self.made = 0
        self.last_staged = 0
        self.last_splice: tuple[str, str, int] | None = None
        self.revision = 0

    def lines(self) -> Iterator[bytes]:
        """The journal's lines, the header first."""
        yield self._line({"type": "session", "format": "spanscope.journal/1", "session": "bench"})
        while self.seq < self.events:
            yield self._line(self._event())

    def _line(self, event: dict[str, Any]) -> bytes:
        if event["type"] != "session":
            self.seq += 1
            second = self.seq // 20 % SECONDS_A_DAY
            clock = f"{second // 3600:02}:{second // 60 % 60:02}:{second % 60:02}"
            event = {"type": event["type"], "seq": self.seq, "time": f"2026-11-11T{clock}Z"} | event
        body = json.dumps(event, ensure_ascii=False, separators=(",", ":")).encode()[:-1]
        return b'%s,"crc":"%08x"}\n' % (body, zlib.crc32(body))

    def _event(self) -> dict[str, Any]:
        if len(self.names) < self.spans and (not self.names or self.seq % 3 == 0):
            return self._ingest()
        if self.last_staged == self.seq and self.chance.random() < 0.4:
            return self._apply() or self._mark()
        make = self.chance.choices(KINDS, cum_weights=CUMULATIVE)[0]
        return make(self) or self._mark()

    def _some(self) -> str:
        return self.chance.choice(self.names)

    def _name(self, kind: str) -> str:
        self.made += 1
        return f"{kind}-{self.made}"

    def _pad(self) -> str:
        return prose(self.chance, self.padding) if self.padding else ""

    def _ingest(self) -> dict[str, Any]:
        name = self._name("span")
        text = prose(self.chance, self.chance.randint(2000, 4000))
        self.texts[name], self.versions[name] = text, 0
        self.names.append(name)
        self.revision += 1
        return {
            "type": "ingest",
            "span": name,
            "role": "tool",
            "origin": "tool:search",
            "version": 0,
            "hash": sha(text),
            "content": text,
        }

    def _change(self, name: str, text: str) -> dict[str, Any]:
        self.revision += text != self.texts[name]
        self.texts[name] = text
        self.versions[name] += 1
        return {"version": self.versions[name], "hash": sha(text)}

    def _tell(self, name: str) -> dict[str, Any]:
        told = self.holders.pop(name, [])
        self.told += told
        return {"invalidates": told} if told else {}

    def _splice(self) -> dict[str, Any]:
        name = self._some()
        text = self.texts[name]
        at = self.chance.randrange(len(text) - 40)
        size = self.chance.randint(4, 24)
        insert = prose(self.chance, size + self.padding // 2)
        original = text[at : at + size]
        if self.padding:
            original = text[at : at + min(len(insert), len(text) - at - 20)]
        after = text[:at] + insert + text[at + len(original) :]
        self.last_splice = (name, text, self.seq + 1)
        claims = self._change(name, after) | self._tell(name)
        end = at + len(insert)
        return {
            "type": "splice",
            "actor": "agent",
            "span": name,
            "at": at,
            "delete": len(original),
            **claims,
            "insert": insert,
            "inverse": {
                "inserted": len(insert),
                "at": at,
                "original": original,
                "before": after[max(0, at - 16) : at],
                "after": after[end : end + 16],
            },
        }

    def _rewrite(self) -> dict[str, Any]:
        name = self._some()
        old = self.texts[name]
        text = prose(self.chance, self.chance.randint(2000, 4000))
        claims = self._change(name, text) | self._tell(name)
        return {
            "type": "rewrite",
            "span": name,
            "op": "summarize",
            **claims,
            "content": text,
            "inverse": {"inserted": len(text), "original": old, "before": "", "after": ""},
        }

    def _copy(self) -> dict[str, Any]:
        place = self.chance.randrange(len(self.names))
        name, copy = self.names[place], self._name("span")
        text = prose(self.chance, self.chance.randint(2000, 4000))
        self.names[place] = copy
        self.texts[copy], self.versions[copy] = text, self.versions[name] + 1
        self.tombstones.append(name)
        self.told += self.holders.pop(name, [])
        self.revision += 1
        return {
            "type": "rewrite",
            "span": name,
            "op": "fold",
            "into": copy,
            "version": self.versions[copy],
            "hash": sha(text),
            "content": text,
        }

    def _prune(self) -> dict[str, Any] | None:
        if len(self.names) < self.spans // 2:
            return None
        place = self.chance.randrange(len(self.names))
        if self.holders.get(self.names[place]):
            return None
        name = self.names.pop(place)
        self.revision += 1
        text = self.texts[name]
        inverse = {"inserted": 0, "original": text, "before": "", "after": ""}
        return {"type": "prune", "span": name, "inverse": inverse}

    def _move(self) -> dict[str, Any]:
        self.revision += 1
        name, after = self.chance.sample(self.names, 2)
        return {"type": "move", "span": name, "after": after}

    def _derive(self) -> dict[str, Any]:
        name, artifact = self._some(), self._name("cite")
        text = self.texts[name]
        start = self.chance.randrange(len(text) - 60)
        self.artifacts.append((artifact, name))
        self.holders.setdefault(name, []).append(artifact)
        return {
            "type": "derive",
            "actor": "tool:cite",
            "artifact": artifact,
            "span": name,
            "kind": self.chance.choice(["citation", "offset-map", "token-count"]),
            "range": [start, start + 40],
            "version": self.versions[name],
            "hash": sha(text),
            "holder": "retriever",
        }

    def _use(self) -> dict[str, Any] | None:
        if not self.artifacts:
            return None
        artifact, name = self.artifacts[self.chance.randrange(len(self.artifacts))]
        if artifact not in self.holders.get(name, ()):
            return None
        return {
            "type": "use",
            "actor": "agent",
            "artifact": artifact,
            "outcome": "rederived",
            "checked": ["version", "hash"],
            "meta": {"call": f"call-{self.seq}", "span": name, "note": self._pad()},
        }

    def _release(self) -> dict[str, Any] | None:
        artifact = self._no_longer_cited()
        if artifact is None:
            return None
        meta = {"why": "no longer cited", "note": self._pad()}
        return {"type": "release", "actor": "tool:cite", "artifact": artifact, "meta": meta}

    def _no_longer_cited(self) -> str | None:
        if self.told:
            return self.told.pop()
        if len(self.artifacts) < 500:
            return None
        place = self.chance.randrange(len(self.artifacts))
        artifact, name = self.artifacts[place]
        self.artifacts[place] = self.artifacts[-1]
        self.artifacts.pop()
        held = self.holders.get(name, [])
        if artifact not in held:
            return None
        held.remove(artifact)
        return artifact

    def _mark(self) -> dict[str, Any]:
        kind = self.chance.choice(["turn", "llm", "tool", "note"])
        label = f"{kind} {self.seq}: {prose(self.chance, 90 + self.padding)}"
        return {"type": "mark", "actor": "agent", "kind": kind, "label": label}

    def _stage(self) -> dict[str, Any] | None:
        if len(self.staged) >= 5:
            return self._settle()
        name, diff = self._some(), self._name("diff")
        text = self.texts[name]
        at = self.chance.randrange(len(text) - 60)
        edit = {
            "type": "splice",
            "span": name,
            "at": at,
            "delete": 3,
            "insert": prose(self.chance, 12 + self.padding // 2),
        }
        self.staged.append((diff, name, edit))
        self.last_staged = self.seq + 1
        return {
            "type": "stage",
            "actor": "subagent:2",
            "diff": diff,
            "base": {"revision": self.revision},
            "reads": [{"span": name, "hash": sha(text)}],
            "edits": [edit],
        }

    def _settle(self) -> dict[str, Any] | None:
        if not self.staged:
            return None
        diff, _, _ = self.staged.pop(self.chance.randrange(len(self.staged)))
        kind = "withdraw" if self.chance.random() < 0.95 else "reject"
        return {"type": kind, "actor": "subagent:2", "diff": diff}

    def _apply(self) -> dict[str, Any] | None:
        if not self.staged or self.last_staged != self.seq or self.holders.get(self.staged[-1][1]):
            return None
        diff, name, edit = self.staged.pop()
        text, at, insert = self.texts[name], edit["at"], edit["insert"]
        after = text[:at] + insert + text[at + edit["delete"] :]
        claims = self._change(name, after)
        inverse = {
            "inserted": len(insert),
            "at": at,
            "original": text[at : at + edit["delete"]],
            "before": after[max(0, at - 16) : at],
            "after": after[at + len(insert) : at + len(insert) + 16],
        }
        return {
            "type": "apply",
            "actor": "subagent:2",
            "diff": diff,
            "versions": {name: claims["version"]},
            "hashes": {name: claims["hash"]},
            "inverses": [inverse],
        }

    def _rollback(self) -> dict[str, Any] | None:
        if self.last_splice is None or self.last_splice[2] != self.seq:
            return None
        name, text, _ = self.last_splice
        claims = self._change(name, text)
        self.last_splice = None
        hashes, versions = {name: claims["hash"]}, {name: claims["version"]}
        return {"type": "rollback", "steps": 1, "hashes": hashes, "versions": versions}

    def _abort(self) -> dict[str, Any] | None:
        if self.last_splice is None or self.last_splice[2] != self.seq:
            return None
        name, text, seq = self.last_splice
        self.texts[name] = text
        self.versions[name] -= 1
        self.revision -= 1
        self.last_splice = None
        return {"type": "abort", "of": seq, "reason": "the tool timed out"}

    def _compact(self) -> dict[str, Any] | None:
        if not self.tombstones:
            return None
        spans, self.tombstones = self.tombstones, []
        return {"type": "compact", "spans": spans}

    def _observe(self) -> dict[str, Any]:
        names = sorted({self._some() for _ in range(2)})
        return {"type": "observe", "hashes": {name: sha(self.texts[name]) for name in names}}

    def _render(self) -> dict[str, Any]:
        names = dict.fromkeys(self._some() for _ in range(8))
        return {"type": "render", "call": f"c{self.seq}", "items": [{"span": n} for n in names]}

    def _checkpoint(self) -> dict[str, Any]:
        return {"type": "checkpoint", "checkpoint": self._name("point")}

    def _resume(self) -> dict[str, Any]:
        return {"type": "resume"}

    def _unknown(self) -> dict[str, Any]:
        return {"type": "x-heartbeat", "load": self.chance.random(), "note": self._pad()}


KINDS: list[Callable[[Writer], dict[str, Any] | None]] = [
    Writer._splice,
    Writer._use,
    Writer._derive,
    Writer._release,
    Writer._mark,
    Writer._stage,
    Writer._settle,
    Writer._apply,
    Writer._rollback,
    Writer._abort,
    Writer._move,
    Writer._rewrite,
    Writer._copy,
    Writer._prune,
    Writer._compact,
    Writer._observe,
    Writer._render,
    Writer._checkpoint,
    Writer._resume,
    Writer._unknown,
]
WEIGHTS = [150, 340, 150, 140, 120, 20, 20, 20, 10, 5, 5, 1, 1, 1, 1, 5, 5, 2, 1, 3]
CUMULATIVE = [sum(WEIGHTS[: place + 1]) for place in range(len(WEIGHTS))]


def write_journal(
    path: Path, events: int, line: int = 250, spans: int | None = None, seed: int = 7
) -> None:
    """Write a journal of so many events with lines of about so many bytes."""
    live = min(10_000, events // 6) if spans is None else spans
    with path.open("wb") as file:
        file.writelines(Writer(events, line, live, seed).lines())
