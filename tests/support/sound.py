"""Random journals that no rule has anything against, of every kind of event; and lines lost.

Every event is one that the buffer allows, as a careful agent would log it. What a rule would have
something against all the same is left out.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from typing import Any

import msgspec

from spanscope.history.audited import audit_pieces
from spanscope.history.history import History
from spanscope.journal.parts import AnyEdit, IngestEdit, PruneEdit, RewriteEdit, SpliceEdit
from spanscope.model.anchors import sound_inverse
from spanscope.model.content import content_hash
from spanscope.model.state import BufferState
from spanscope.model.versions import prior_version
from spanscope.rules.finding import Finding
from support.anything import ARTIFACTS, CHECKPOINTS, DIFFS, WEIGHTS, Anything
from support.journals import Fields, line, of

HEADER = line(of("session", format="spanscope.journal/1", session="s", tokenizer="o200k_base"))
SPANS = ("a", "b", "c", "d", "e")
TEXTS = ("x", "one", "ab", "abab", "one two", "é🧠", "a\nb\n", "abcdefgh")
UNREADABLE = b'{"type":"mar\n'
DAMAGE = ("JNL001", "JNL002", "JNL003", "JNL004", "JNL010", "JNL011")
"""What is said of the lines themselves."""

KINDS = WEIGHTS | {
    "derive": 9,
    "use": 8,
    "release": 3,
    "stage": 10,
    "apply": 10,
    "reject": 3,
    "withdraw": 3,
    "checkpoint": 4,
    "compact": 3,
    "inverse": 1,
}


class SoundEvents(Anything):
    """Makes the events of a careful agent."""

    def event(self) -> Fields:
        kind = self.chance.choices(list(KINDS), list(KINDS.values()))[0]
        if not self.state.order:
            kind = "ingest"
        return of(kind, **getattr(self, kind)())

    def name(self) -> str:
        live = self.state.order
        return self.chance.choice(live if live and self.chance.random() < 0.75 else SPANS)

    def new_name(self) -> str:
        new = [name for name in SPANS if name not in self.state.spans]
        return self.chance.choice(new if new and self.chance.random() < 0.9 else SPANS)

    def text(self) -> str:
        return self.chance.choice(TEXTS)

    def part(self, text: str) -> list[int]:
        start = self.chance.randint(0, len(text))
        return [start, self.chance.randint(start, len(text))]

    def ingest(self) -> Fields:
        content = self.text()
        return {
            "span": self.new_name(),
            "content": content,
            **self.likely(0.5, hash=content_hash(content)),
            **self.likely(0.03, redacted=True),
            **self.bringing_in(),
        }

    def claims(self, span: str, text: str) -> Fields:
        """What holds after a change, and whom it told."""
        held, before = self.state.holders.get(span), self.state.spans.get(span)
        version = 1 if before is None else prior_version(self.state, before) + 1
        told = self.likely(0.8, invalidates=list(held)) if held else {}
        return {"version": version, "hash": content_hash(text), **told}

    def rewrite(self) -> Fields:
        span, new = self.name(), self.text()
        fields = {"span": span, "op": "o", "content": new, **self.claims(span, new)}
        if self.chance.random() < 0.3:
            del fields["version"]
            return {**fields, "into": self.new_name()}
        return {**fields, "inverse": {"original": self.held(span), "inserted": len(new)}}

    def splice(self) -> Fields:
        span = self.name()
        text = self.held(span)
        at = self.chance.randint(0, len(text))
        delete = min(self.chance.randrange(3), len(text) - at)
        insert = self.chance.choice(("", "Q", self.text()))
        return {
            "span": span,
            "at": at,
            "delete": delete,
            "insert": insert,
            "inverse": inverse_of(text, at, delete, insert),
            **self.claims(span, text[:at] + insert + text[at + delete :]),
            **self.likely(0.1, base={"hash": content_hash(text)}),
        }

    def prune(self) -> Fields:
        span = self.name()
        inverse = {"original": self.held(span), "inserted": 0}
        held = list(self.state.holders.get(span, ()))
        return {"span": span, "inverse": inverse, **self.likely(0.8, invalidates=held)}

    def derive(self) -> Fields:
        span = self.name()
        now, text = self.state.spans.get(span), self.held(span)
        keyed = now is not None and now.claimed in (None, now.version)
        source = self.name()
        hashed = self.likely(0.6, hash=content_hash(self.held(source)))
        return {
            "artifact": self.chance.choice((*ARTIFACTS, "r")),
            "span": span,
            "kind": self.chance.choice(("embedding", "note", "note")),
            **self.likely(0.9, hash=content_hash(text)),
            **(self.likely(0.5, version=now.version) if now is not None and keyed else {}),
            **self.likely(0.5, range=self.part(text)),
            **self.likely(0.25, sources=[{"span": source, **hashed}]),
        }

    def use(self) -> Fields:
        outcome = self.chance.choice(("used", "used", "caught", "rederived"))
        return {"artifact": self.artifact(), "outcome": outcome, **self.likely(0.2, range=[0, 2])}

    def release(self) -> Fields:
        return {"artifact": self.artifact()}

    def artifact(self) -> str:
        return self.chance.choice(list(self.state.artifacts) or ARTIFACTS)

    def abort(self) -> Fields:
        newest = self.state.last_change
        return {"of": self.state.seq if newest is None else newest.seq}

    def rollback(self) -> Fields:
        stack = [entry.seq for entry in self.state.stack] or [1]
        targets: list[Fields] = [
            {"steps": self.chance.randrange(4)},
            {"steps": 1},
            {"to": self.chance.choice(CHECKPOINTS)},
            {"of": [self.chance.choice(stack)]},
        ]
        restored, told = self.likely(0.2, method="restore"), self.likely(0.3, hashes=self.hashes)
        return {**self.chance.choice(targets), **restored, **told}

    def compact(self) -> Fields:
        spans = self.state.spans.values()
        names = [span.span for span in spans if span.life == "tombstone"]
        return {"spans": [self.chance.choice(names or SPANS)]}

    def observe(self) -> Fields:
        name = self.name()
        all_held = {live: content_hash(self.held(live)) for live in self.state.order}
        seen: list[Fields] = [
            {"hashes": {name: content_hash(self.held(name))}},
            {"contents": {name: self.held(name)}},
            {"digest": self.digest()},
            {"hashes": all_held},
        ]
        return self.chance.choice(seen)

    def render(self) -> Fields:
        return {"items": [{"span": n} for n in self.state.order if self.chance.random() < 0.8]}

    def stage(self) -> Fields:
        edits = [self.edit() for _ in range(self.chance.randrange(3))]
        reads = [self.read() for _ in range(self.chance.randrange(2))]
        reads += [{"span": edit["span"]} for edit in edits if edit["type"] == "splice"]
        revision = (self.state.revision or 0) - self.chance.choice((0, 0, 0, 0, 1, 2))
        return {
            "diff": self.chance.choice(DIFFS),
            "base": {"revision": max(0, revision), **self.likely(0.3, digest=self.digest)},
            "reads": reads,
            "edits": edits,
            "refs": [self.ref() for _ in range(self.chance.choice((0, 0, 1)))],
        }

    def read(self) -> Fields:
        name = self.name()
        text = self.held(name)
        start, end = self.part(text)
        reads: list[Fields] = [
            {"all": True},
            {"span": name},
            {"span": name, "hash": content_hash(text)},
            {"span": name, "range": [start, end]},
            {"span": name, "range": [start, end], "hash": content_hash(text[start:end])},
        ]
        return self.chance.choice(reads)

    def ref(self) -> Fields:
        name, order = self.name(), self.state.order
        text = self.held(name)
        refs: list[Fields] = [
            {"kind": "span", "span": name},
            {"kind": "quote", "span": name, "text": text[:2]},
            {"kind": "line", "line": 1, "span": name},
            {"kind": "line", "line": 1},
            {"kind": "index", "span": name, "index": order.index(name) if name in order else 0},
            {"kind": "hash", "hash": content_hash(text)},
        ]
        return self.chance.choice(refs)

    def edit(self) -> Fields:
        name = self.name()
        text = self.held(name)
        start, end = self.part(text)
        splice = of("splice", span=name, delete=end - start, insert=self.chance.choice(("", "Q")))
        edits: list[Fields] = [
            splice | {"anchor": {"before": text[:start], "after": text[end:]}},
            splice | {"anchor": {"before": text[:start], "after": text[end:]}},
            splice | {"at": start},
            of("ingest", span=self.new_name(), content=self.text(), **self.bringing_in()),
            of("rewrite", span=name, op="o", content=self.text(), **self.copied()),
            of("prune", span=name),
            of("move", span=name, after=self.after()),
        ]
        return self.chance.choice(edits)

    def copied(self) -> Fields:
        return self.likely(0.4, into=self.new_name)

    def apply(self) -> Fields:
        """One of the staged diffs, with the inverses of its edits and what it left."""
        staged = self.state.staged
        if not staged:
            return {"diff": "D"}
        diff = self.chance.choice(list(staged.values()))
        texts = {name: self.held(name) for name in self.state.spans}
        inverses = [inverse_by(edit, texts) for edit in diff.edits]
        left = {edit.span for edit in diff.edits if isinstance(edit, SpliceEdit | IngestEdit)}
        hashes = {name: content_hash(texts[name]) for name in left if name in texts}
        return {"diff": diff.diff, "inverses": inverses, "hashes": hashes}


def inverse_of(text: str, at: int, delete: int, insert: str) -> Any:
    """The inverse that our writer would make of a splice."""
    after = text[:at] + insert + text[at + delete :]
    return json.loads(msgspec.json.encode(sound_inverse(after, at, insert, text[at : at + delete])))


def inverse_by(edit: AnyEdit, texts: dict[str, str]) -> Any:
    """The inverse of a staged edit; the texts become what it leaves."""
    text = texts.get(edit.span, "")
    if isinstance(edit, IngestEdit):
        texts[edit.span] = edit.content
    elif isinstance(edit, PruneEdit):
        texts.pop(edit.span, None)
        return {"original": text, "inserted": 0}
    elif isinstance(edit, RewriteEdit) and edit.into is None:
        texts[edit.span] = edit.content
        return {"original": text, "inserted": len(edit.content)}
    elif isinstance(edit, SpliceEdit):
        at = len(edit.anchor.before) if edit.anchor is not None else edit.at or 0
        texts[edit.span] = text[:at] + edit.insert + text[at + edit.delete :]
        return inverse_of(text, at, edit.delete, edit.insert)
    return None


def sound_journal(seed: int, events: int) -> list[bytes]:
    """The lines of a whole journal of up to so many events, none of which any rule accuses."""
    made, lines, history = SoundEvents(seed, BufferState()), [HEADER], _told([HEADER])
    for _ in range(8 * events):
        made.state = history.state
        lines.append(line(made.event(), len(lines)))
        known = len(history.findings)
        history.feed(lines[-1])
        if any(finding.severity != "info" for finding in history.findings[known:]):
            lines.pop()
            history = _told(lines)
        if len(lines) > events:
            break
    while accusations(b"".join(lines)):
        # What only its end tells.
        lines.pop()
    return lines


def _told(lines: list[bytes]) -> History:
    history = History()
    history.feed(b"".join(lines))
    return history


def losses(lines: list[bytes]) -> Iterator[tuple[str, bytes]]:
    """What is left of a journal whose lines were lost, all but the first and the last, and how.

    One or several are gone, unreadable, or a gap says so; or none, and a line that is no event
    makes it seem so.
    """
    for at in range(1, len(lines) - 1):
        before, after = b"".join(lines[:at]), b"".join(lines[at + 1 :])
        yield f"without {at}", before + after
        yield f"{at} unreadable", before + UNREADABLE + after
        yield f"a gap for {at}", before + line(of("gap", reason="x"), at) + after
        yield f"a line before {at}", before + UNREADABLE + lines[at] + after
        for end in range(at + 2, min(at + 5, len(lines))):
            yield f"without {at} to {end - 1}", before + b"".join(lines[end:])


def some_loss(seed: int, events: int) -> bytes:
    """A sound journal of which lines were lost."""
    lines = sound_journal(seed, events)
    left = list(losses(lines)) or [("nothing", b"".join(lines))]
    return random.Random(seed).choice(left)[1]


def accusations(journal: bytes) -> list[Finding]:
    """The findings above info that are not about the lines themselves."""
    findings = audit_pieces([journal]).findings
    return [f for f in findings if f.severity != "info" and f.rule not in DAMAGE]
