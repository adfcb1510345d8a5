"""Random programs on a recording buffer, beside a plain one; then the audit of its journal.

Several actors edit, hold, draft and roll back while writes fail now and then. After every step
the buffer holds what the plain one holds; after every error it holds what it held before. What
it wrote has no finding above info, and replays to the same buffer.
"""

from __future__ import annotations

import errno
import os
import tempfile
from pathlib import Path
from typing import Any
from unittest import mock

import pytest
from hypothesis import note, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule
from support.auditing import audit_all
from support.second_opinion import complaints, contents_of, told_by

from spanscope.buffer.artifacts import Artifact
from spanscope.buffer.buffer import BufferView, ContextBuffer
from spanscope.buffer.drafts import Draft
from spanscope.buffer.errors import JournalWriteError, SpanscopeError
from spanscope.journal.reader import read_journal
from spanscope.model.content import buffer_digest, content_hash
from spanscope.model.spans import Span
from spanscope.model.state import BufferState
from spanscope.model.undo import Part

texts = st.text("ab\né", max_size=8)
pick = st.integers(0, 2**16)
actors = st.sampled_from(["agent", "tool:search", "subagent:2"])

Contents = list[tuple[str, str]]


def everything(state: BufferState, seq: int) -> dict[str, Any]:
    """All that a state holds after so many events, as plain data."""
    return {
        "spans": [told(span) for span in state.spans.values()],
        "chronicle": {n: [told(span) for span in spans] for n, spans in state.chronicle.items()},
        "order": state.order,
        "orders": [state.order_at(at) for at in range(seq + 1)],
        "stack": [(e.seq, e.op, e.actor, [told_part(p) for p in e.parts]) for e in state.stack],
        "touched": list(state.touched_at.items()),
        "touching": state.touches.spans,
        "revisions": state.revision_seq,
        "revision": state.revision,
        "artifacts": sorted(state.artifacts),
        "undone": state.undone_ids,
        "savepoints": sorted(state.savepoints),
    }


def told(span: Span) -> tuple[Any, ...]:
    node = span.node
    names = span.__struct_fields__
    return (
        *(getattr(span, name) for name in names if name != "node"),
        *(node.seq, node.actor, node.at, node.deleted, node.inserted, node.depth, node.text),
    )


def told_part(part: Part) -> tuple[Any, ...]:
    return (
        *(part.kind, part.span, part.store, part.index, part.was_at, part.source, part.inverse),
        None if part.before is None else told(part.before),
        None if part.after is None else part.after.text,
    )


class Disk:
    """`os.write` for a disk that has so many bytes left."""

    def __init__(self, left: int) -> None:
        self.left = left
        self.real = os.write

    def write(self, fd: int, data: bytes) -> int:
        if not self.left:
            raise OSError(errno.ENOSPC, "No space left on device")
        written = self.real(fd, data[: self.left])
        self.left -= written
        return written


class Programs(RuleBasedStateMachine):
    def __init__(self) -> None:
        super().__init__()
        self.folder = tempfile.TemporaryDirectory()
        self.buffer = ContextBuffer.record("random", Path(self.folder.name) / "a.jsonl")
        self.plain: Contents = []
        self.stack: list[Contents | None] = []
        self.checkpoints: dict[str, tuple[Contents, int]] = {}
        self.artifacts: list[tuple[Artifact, str]] = []
        self.names = 0
        self.room: int | None = None
        self.full = False

    # The plain twin

    def name(self, number: int) -> str:
        return self.plain[number % len(self.plain)][0]

    def text(self, name: str) -> str:
        return dict(self.plain)[name]

    def index(self, name: str) -> int:
        return [other for other, _ in self.plain].index(name)

    def with_text(self, name: str, text: str, into: str | None = None) -> Contents:
        return [(into or n, text) if n == name else (n, t) for n, t in self.plain]

    def did(self, now: Contents) -> None:
        self.stack.append(self.plain)
        self.plain = now

    def fresh_name(self) -> str:
        self.names += 1
        return f"s{self.names}"

    def held(self) -> tuple[Any, ...]:
        """Everything of the buffer that an error must leave as it was."""
        state = self.buffer._core.state
        spans = [(s.span, s.version, s.life, s.node.text) for s in state.spans.values()]
        stack = [entry.seq for entry in state.stack]
        return spans, list(state.order), stack, state.revision, sorted(state.staged)

    def attempt(self, do: Any, *, writes: bool = True) -> Any:
        """Run it; an error must leave everything as it was. None where it was refused.

        Where the disk is about to be full, nothing that is refused may be in the journal either.
        """
        before = self.held()
        room, self.room = (self.room, None) if writes else (None, self.room)
        self.full = False
        assert self.buffer.path is not None
        size = self.buffer.path.stat().st_size
        try:
            if room is None:
                return do()
            with mock.patch.object(os, "write", Disk(room).write):
                return do()
        except SpanscopeError as error:
            refused = error
        note(f"refused: {refused}")
        assert str(refused).isprintable()
        assert refused.finding is not None or room is not None
        assert self.held() == before
        if isinstance(refused, JournalWriteError):
            assert room is not None
            assert self.buffer.path.stat().st_size == size
            self.full = True
        return None

    def view(self, actor: str) -> BufferView:
        return self.buffer.as_actor(actor)

    # Changes

    @initialize(texts=st.lists(st.text("ab\né", min_size=4, max_size=24), min_size=2, max_size=4))
    def begin(self, texts: list[str]) -> None:
        for text in texts:
            name = self.fresh_name()
            self.buffer.ingest(name, text)
            self.did([*self.plain, (name, text)])

    @rule(actor=actors, text=texts, place=pick)
    def ingest(self, actor: str, text: str, place: int) -> None:
        name = self.fresh_name()
        at = place % (len(self.plain) + 1)
        after = self.plain[at - 1][0] if at else None
        if self.attempt(lambda: self.view(actor).ingest(name, text, after=after)) is not None:
            self.did([*self.plain[:at], (name, text), *self.plain[at:]])

    @precondition(lambda self: self.plain)
    @rule(actor=actors, at=pick, text=texts, policy=st.sampled_from([None, "tell", "copy"]))
    def rewrite(self, actor: str, at: int, text: str, policy: Any) -> None:
        name = self.name(at)
        owed = text != self.text(name) and any(
            held.fresh and held.kind == "embedding"
            for held, _ in self.artifacts
            if held.span == name
        )
        span = self.attempt(lambda: self.view(actor).rewrite(name, text, "fold", policy=policy))
        if span is not None:
            assert (span.span != name) == (policy == "copy") or policy is None
            assert span.span != name or not owed or policy == "tell"
            self.did(self.with_text(name, text, span.span))

    @precondition(lambda self: self.plain)
    @rule(actor=actors, number=pick, at=pick, delete=st.integers(0, 3), insert=texts)
    def splice(self, actor: str, number: int, at: int, delete: int, insert: str) -> None:
        name = self.name(number)
        text = self.text(name)
        at %= len(text) + 2
        found = self.attempt(lambda: self.view(actor).splice(name, at, delete, insert))
        if found is not None:
            assert at + delete <= len(text)
            self.did(self.with_text(name, text[:at] + insert + text[at + delete :]))

    @precondition(lambda self: self.plain)
    @rule(number=pick, old=texts, new=texts, at=pick)
    def replace(self, number: int, old: str, new: str, at: int) -> None:
        name = self.name(number)
        text = self.text(name)
        if at % 3:
            old = text[at % (len(text) + 1) :][:9]
        found = self.attempt(lambda: self.buffer.replace(name, old, new))
        if found is not None:
            assert sum(text.startswith(old, at) for at in range(len(text) + 1)) == 1
            self.did(self.with_text(name, text.replace(old, new, 1)))

    @precondition(lambda self: self.plain)
    @rule(actor=actors, number=pick)
    def prune(self, actor: str, number: int) -> None:
        name = self.name(number)

        def do() -> bool:
            self.view(actor).prune(name)
            return True

        if self.attempt(do):
            self.did([(n, t) for n, t in self.plain if n != name])

    @precondition(lambda self: self.plain)
    @rule(number=pick, place=pick)
    def move(self, number: int, place: int) -> None:
        name = self.name(number)
        rest = [(n, t) for n, t in self.plain if n != name]
        at = place % (len(rest) + 1)

        def do() -> bool:
            self.buffer.move(name, rest[at - 1][0] if at else None)
            return True

        if self.attempt(do):
            self.did([*rest[:at], (name, self.text(name)), *rest[at:]])

    # Holders

    @precondition(lambda self: self.plain)
    @rule(actor=actors, number=pick, kind=st.sampled_from(["citation", "embedding"]), at=pick)
    def derive(self, actor: str, number: int, kind: str, at: int) -> None:
        name = self.name(number)
        text = self.text(name)
        start = at % (len(text) + 1)
        end = min(len(text), start + 3)
        sources = [self.plain[0][0]] if at % 3 == 0 else []

        def do() -> Artifact:
            return self.view(actor).derive(
                name, kind, range=(start, end), sources=sources, rebuild=len
            )

        artifact = self.attempt(do)
        if artifact is not None:
            self.artifacts.append((artifact, text[start:end]))

    @precondition(lambda self: self.artifacts)
    @rule(number=pick, actor=actors, insert=texts, whole=st.booleans())
    def change_what_is_held(self, number: int, actor: str, insert: str, whole: bool) -> None:
        artifact, _ = self.artifacts[number % len(self.artifacts)]
        if artifact.span not in self.buffer or artifact.range is None:
            return
        name = artifact.span
        at, text = artifact.range[0], self.text(name)
        if whole:
            owed = artifact.fresh and artifact.kind == "embedding" and insert != text
            span = self.attempt(lambda: self.view(actor).rewrite(name, insert, "fold"))
            if span is not None:
                assert span.span != name or not owed
                self.did(self.with_text(name, insert, span.span))
        elif at < len(text):
            done = self.attempt(lambda: self.view(actor).splice(name, at, 1, insert))
            if done is not None:
                self.did(self.with_text(name, text[:at] + insert + text[at + 1 :]))

    @precondition(lambda self: self.artifacts)
    @rule(number=pick)
    def use(self, number: int) -> None:
        artifact, meant = self.artifacts[number % len(self.artifacts)]
        fresh = artifact.fresh
        found = self.attempt(artifact.text)
        if found is not None:
            assert fresh
            assert found == meant
            assert artifact.value == len(meant)
        else:
            assert not fresh or artifact.released or self.full

    @precondition(lambda self: self.artifacts)
    @rule(number=pick)
    def rebuild(self, number: int) -> None:
        place = number % len(self.artifacts)
        artifact, meant = self.artifacts[place]
        if self.attempt(artifact.rebuild) is not None:
            assert artifact.fresh
            assert artifact.range is not None
            start, end = artifact.range
            assert self.buffer.text(artifact.span)[start:end] == meant
            assert artifact.value == len(meant)

    @precondition(lambda self: self.artifacts)
    @rule(number=pick)
    def release(self, number: int) -> None:
        artifact, _ = self.artifacts[number % len(self.artifacts)]
        self.attempt(artifact.release)

    # Undo

    @rule(actor=actors, steps=st.integers(0, 4))
    def rollback(self, actor: str, steps: int) -> None:
        plan = self.attempt(lambda: self.buffer.as_actor(actor).plan_rollback(steps), writes=False)
        done = self.attempt(lambda: self.buffer.as_actor(actor).rollback(steps))
        if done is not None:
            assert plan == done
            self.undone(steps)

    def undone(self, steps: int) -> None:
        kept = len(self.stack) - steps
        wanted = self.stack[kept] if steps else self.plain
        del self.stack[kept:]
        if wanted is not None:
            assert self.now() == wanted
        self.plain = self.now()

    @rule(which=st.lists(st.integers(0, 5), min_size=1, max_size=3))
    def rollback_some(self, which: list[int]) -> None:
        entries = self.buffer._core.state.stack
        seqs = sorted({entries[-1 - n].seq for n in which if n < len(entries)})
        if not seqs:
            return
        before = [entry.seq for entry in entries]
        plan = self.attempt(lambda: self.buffer.plan_rollback(of=seqs), writes=False)
        if self.attempt(lambda: self.buffer.rollback(of=seqs)) is None:
            return
        assert plan is not None
        assert buffer_digest((n, content_hash(t)) for n, t in self.now()) == plan.digest
        first = before.index(seqs[0])
        taken = {before.index(seq) for seq in seqs}
        self.stack = [
            (wanted if number <= first else None)
            for number, wanted in enumerate(self.stack)
            if number not in taken
        ]
        self.plain = self.now()

    @rule(name=st.sampled_from("xyz"), snapshot=st.booleans())
    def checkpoint(self, name: str, snapshot: bool) -> None:
        if self.attempt(lambda: self.buffer.checkpoint(name, snapshot=snapshot)) is not None:
            self.checkpoints[name] = (self.plain, len(self.stack))

    @precondition(lambda self: self.checkpoints)
    @rule(number=pick)
    def rollback_to(self, number: int) -> None:
        name = sorted(self.checkpoints)[number % len(self.checkpoints)]
        wanted, _ = self.checkpoints[name]
        plan = self.attempt(lambda: self.buffer.rollback(to=name))
        if plan is None:
            return
        assert self.now() == wanted
        left = len(self.buffer._core.state.stack)
        self.stack = self.stack[:left]
        if plan.method == "restore":
            self.stack = [None] * left
        self.plain = wanted

    @rule()
    def compact(self) -> None:
        gone = self.attempt(self.buffer.compact)
        frozen = {a.span for a, _ in self.artifacts if not a.released and a._live}
        assert not frozen & set(gone or ())

    # Drafts

    @precondition(lambda self: self.plain)
    @rule(data=st.data(), drifting=st.booleans())
    def draft(self, data: st.DataObject, drifting: bool) -> None:
        draft = self.buffer.draft("planner")
        if not self.read_and_edit(draft, data):
            return
        if drifting:
            self.interleaved(data)
        verdict = self.attempt(draft.check, writes=False)
        if self.attempt(draft.apply) is None:
            return
        assert verdict is not None
        assert verdict.verdict in {"admissible", "reconcilable"}
        if not drifting:
            assert verdict.verdict == "admissible"
            for name, text in draft._texts.items():
                assert self.buffer.head(name).text == text
        self.did(self.now())

    def read_and_edit(self, draft: Draft, data: st.DataObject) -> bool:
        edits = 0
        for _ in range(data.draw(st.integers(1, 3))):
            name = self.name(data.draw(pick))
            what = data.draw(st.sampled_from(["read", "insert", "replace", "rewrite", "splice"]))
            text = data.draw(texts)
            sought = data.draw(texts)
            at = data.draw(st.integers(0, 6))

            def do(
                what: str = what,
                name: str = name,
                text: str = text,
                sought: str = sought,
                at: int = at,
            ) -> bool:
                if what == "read":
                    draft.read(name)
                elif what == "insert":
                    draft.insert(name, text, following=sought)
                elif what == "replace":
                    draft.replace(name, sought, text)
                elif what == "rewrite":
                    draft.rewrite(name, text, "fold")
                else:
                    draft.splice(name, at, 1, text)
                return True

            edits += bool(self.attempt(do, writes=False)) and what != "read"
        return bool(edits)

    def interleaved(self, data: st.DataObject) -> None:
        self.splice("tool:search", data.draw(pick), data.draw(pick), 1, data.draw(texts))

    # Messages

    @rule(texts=st.lists(texts, min_size=1, max_size=2), answered=st.booleans())
    def converse(self, texts: list[str], answered: bool) -> None:
        self.names += 1
        pair = f"c{self.names}"
        call: dict[str, Any] = {
            "role": "assistant",
            "content": texts[0],
            "tool_calls": [{"id": pair}],
        }
        result: dict[str, Any] = {"role": "tool", "tool_call_id": pair, "content": texts[-1]}
        messages = [call, result] if answered else [call]
        names = self.attempt(lambda: self.buffer.extend(messages))
        for name in names or ():
            self.did([*self.plain, (name, self.buffer.text(name))])

    @rule()
    def show(self) -> None:
        """What the model is shown is what the plain one holds, unless it is no JSON any more."""
        before = self.held()
        try:
            messages = self.buffer.messages()
        except SpanscopeError as error:
            assert "as a message" in str(error)  # noqa: PT017
            assert self.held() == before
        else:
            assert len(messages) <= len(self.plain)

    # Faults

    @rule(room=st.integers(0, 900))
    def the_disk_is_about_to_be_full(self, room: int) -> None:
        self.room = room

    @rule(after=st.integers(0, 400))
    def next_write_fails(self, after: int) -> None:
        before = self.held()
        assert self.buffer.path is not None
        size = self.buffer.path.stat().st_size
        disk = Disk(after)
        with (
            mock.patch.object(os, "write", disk.write),
            pytest.raises(JournalWriteError, match="no space left") as caught,
        ):
            self.buffer.ingest(self.fresh_name(), "x" * 400)
        assert caught.value.finding is not None
        assert self.held() == before
        assert self.buffer.path.stat().st_size == size

    @rule(how=st.sampled_from(["closed", "killed", "torn"]))
    def resume(self, how: str) -> None:
        path, digest = self.buffer.path, self.buffer.digest
        assert path is not None
        writer = self.buffer._core.writer
        assert writer is not None
        if how == "closed":
            self.buffer.close()
        else:
            writer.abandon()
        if how == "torn":
            with path.open("ab") as stream:
                stream.write(b'{"type":"splice","seq":')
        self.buffer = ContextBuffer.resume(path)
        assert self.buffer.digest == digest
        self.artifacts = []

    # What always holds

    def now(self) -> Contents:
        return [(name, self.buffer.text(name)) for name in self.buffer.order]

    @invariant()
    def holds_what_the_plain_one_holds(self) -> None:
        assert self.now() == self.plain
        hashes = [(name, content_hash(text)) for name, text in self.plain]
        assert self.buffer.digest == buffer_digest(hashes)
        assert len(self.buffer._core.state.stack) == len(self.stack)

    @invariant()
    def nothing_true_is_refused_and_nothing_untrue_is_called_fresh(self) -> None:
        for artifact, meant in self.artifacts:
            if artifact.fresh and artifact.range is not None:
                start, end = artifact.range
                assert self.buffer.text(artifact.span)[start:end] == meant

    def teardown(self) -> None:
        try:
            self.buffer.close()
            assert self.buffer.path is not None
            audit = audit_all(read_journal(self.buffer.path))
            bad = [f for f in audit.findings if f.severity != "info"]
            assert bad == []
            assert audit.unknown() == []
            assert audit.judge.state.digest() == self.buffer.digest
            # A second opinion replays it from its characters, and finds nothing either.
            told = told_by(self.buffer.path)
            assert contents_of(told) == self.now()
            assert complaints(told) == []
            mine, seq = self.buffer._core.state, self.buffer.seq
            assert everything(audit.judge.state, seq) == everything(mine, seq)
        finally:
            self.folder.cleanup()


Programs.TestCase.settings = settings(
    max_examples=settings().max_examples * 2 // 5,
    stateful_step_count=50,
    report_multiple_bugs=False,
)
TestPrograms = Programs.TestCase
