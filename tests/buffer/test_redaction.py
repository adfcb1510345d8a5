"""Redaction: the journal never holds a hidden text, and still says nothing false."""

from __future__ import annotations

import random
import re
from pathlib import Path
from typing import Any

import pytest
from support.buffers import audited, events_of, journal_of

from spanscope.buffer.buffer import ContextBuffer
from spanscope.buffer.errors import ConflictError, RollbackIntegrityError, SpanscopeError
from spanscope.journal.events import Ingest, Rewrite, Splice, Stage
from spanscope.journal.parts import IngestEdit, RewriteEdit

KEY = "sk-12345"


def mask(text: str) -> str:
    return re.sub(r"sk-\d+", "***", text)


@pytest.fixture
def buffer(tmp_path: Path) -> ContextBuffer:
    return ContextBuffer.record("planner", tmp_path / "a.jsonl", redact=mask)


def silent(buffer: ContextBuffer) -> None:
    """The journal has neither the key nor a finding above info."""
    found = [f for f in audited(buffer).findings if f.severity != "info"]
    assert found == []
    assert KEY.encode() not in journal_of(buffer).read_bytes()


def test_the_buffer_holds_the_text_and_the_journal_another(buffer: ContextBuffer) -> None:
    buffer.ingest("env", f"KEY={KEY}")
    buffer.ingest("task", "Fix it.")
    buffer.splice("env", 0, 0, "A=1 ")
    buffer.rewrite("task", f"Use {KEY}.")
    buffer.prune("env")
    assert buffer.text("task") == f"Use {KEY}."
    env, task, splice, rewrite, _ = events_of(buffer)
    assert isinstance(env, Ingest)
    assert (env.content, env.redacted) == ("KEY=***", True)
    assert isinstance(task, Ingest)
    assert (task.content, task.redacted) == ("Fix it.", False)
    assert isinstance(splice, Splice)
    assert splice.redacted
    assert splice.inverse is not None
    assert (splice.inverse.before, splice.inverse.after) == ("", "")
    assert isinstance(rewrite, Rewrite)
    assert (rewrite.content, rewrite.redacted) == ("Use ***.", True)
    buffer.rollback(3)
    assert buffer.text("env") == f"KEY={KEY}"
    silent(buffer)


def test_a_key_that_an_edit_completes_is_hidden_too(buffer: ContextBuffer) -> None:
    buffer.ingest("env", "KEY=12345")
    buffer.splice("env", 4, 0, "sk-")
    buffer.splice("env", 0, 4, "")
    silent(buffer)


def test_what_was_rewritten_clean_is_known_again(buffer: ContextBuffer) -> None:
    buffer.ingest("env", KEY)
    buffer.rewrite("env", "clean")
    event = events_of(buffer)[-1]
    assert isinstance(event, Rewrite)
    assert (event.content, event.redacted) == ("clean", False)
    assert event.inverse is not None
    assert event.inverse.original == "***"
    assert audited(buffer).judge.state.spans["env"].text == "clean"
    silent(buffer)


def test_drafts_quotes_notes_and_meta(buffer: ContextBuffer) -> None:
    buffer.ingest("env", f"the key: {KEY} is ours", meta={"from": [KEY, 3]})
    buffer.ingest("task", "Fix it. Now.")
    cite = buffer.derive("env", "citation", quote=KEY)
    with buffer.draft("planner") as draft:
        draft.quote("env", KEY)
        draft.replace("task", "it", f"it with {KEY}")
        draft.ingest("note", f"{KEY}!")
        draft.splice("note", 0, 0, "Mind ")
    assert buffer.text("task") == f"Fix it with {KEY}. Now."
    assert buffer.text("note") == f"Mind {KEY}!"
    stage = next(event for event in events_of(buffer) if isinstance(event, Stage))
    first, second = stage.edits
    assert isinstance(first, RewriteEdit)
    assert (first.content, first.redacted) == ("Fix it with ***. Now.", True)
    assert isinstance(second, IngestEdit)
    assert (second.content, second.redacted) == ("Mind ***!", True)
    stale = buffer.draft("planner")
    stale.quote("env", f"key: {KEY}")
    stale.replace("task", "Now", "Then")
    buffer.replace("env", KEY, "gone")
    with pytest.raises(SpanscopeError):
        stale.apply()
    with pytest.raises(SpanscopeError):
        cite.text()
    buffer.extend([{"role": "user", "content": KEY, "name": KEY}])
    assert buffer.messages()[-1] == {"role": "user", "content": KEY, "name": KEY}
    silent(buffer)


def test_a_draft_of_a_hidden_text_is_refused_where_its_record_would_conflict(
    buffer: ContextBuffer,
) -> None:
    buffer.ingest("env", f"the key: {KEY}. Some more.")
    draft = buffer.draft("planner")
    draft.replace("env", "more", "less")
    buffer.splice("env", 0, 3, "our")
    with pytest.raises(ConflictError, match="DIF306"):
        draft.apply()
    for again in buffer.attempts("planner"):
        with again:
            again.replace("env", "more", "less")
    assert buffer.text("env") == f"our key: {KEY}. Some less."
    silent(buffer)


def test_a_function_that_fails_stops_the_change(tmp_path: Path) -> None:
    def fail(text: str) -> str:
        if "bad" in text:
            raise ZeroDivisionError
        wrong: Any = None
        return wrong if "none" in text else text

    buffer = ContextBuffer.record("planner", tmp_path / "a.jsonl", redact=fail)
    buffer.ingest("a", "good")
    for text, error in (("bad", ZeroDivisionError), ("none", TypeError)):
        with pytest.raises(error):
            buffer.rewrite("a", text)
        assert (buffer.text("a"), buffer.seq) == ("good", 1)
    buffer.rewrite("a", "better")
    silent(buffer)


def test_a_redacted_journal_can_not_be_resumed_and_a_clean_one_can(tmp_path: Path) -> None:
    for name, text in (("clean", "clean"), ("hidden", KEY)):
        with ContextBuffer.record(name, tmp_path / f"{name}.jsonl", redact=mask) as buffer:
            buffer.ingest("a", text)
    with ContextBuffer.resume(tmp_path / "clean.jsonl", redact=mask) as again:
        again.rewrite("a", KEY)
    silent(again)
    with pytest.raises(RollbackIntegrityError, match="unknown"):
        ContextBuffer.resume(tmp_path / "hidden.jsonl")


def edit(buffer: ContextBuffer, chance: random.Random) -> None:
    """One random change of many kinds."""
    words = ["", "a", "sk-", "12345", KEY, f"x{KEY}y", "\n"]
    kind, word = chance.randrange(7), chance.choice(words)
    if not buffer.order or kind == 0:
        buffer.ingest(f"s{buffer.seq}", word)
        return
    name = chance.choice(buffer.order)
    text = buffer.text(name)
    at = chance.randint(0, len(text))
    if kind == 1:
        buffer.rewrite(name, word + chance.choice(words), policy=chance.choice([None, "copy"]))
    elif kind == 2:
        buffer.rollback(chance.randint(0, 2))
    elif kind == 3:
        with buffer.draft("planner", allow_fragile=False) as draft:
            draft.splice(name, at, min(1, len(text) - at), word)
            draft.ingest(f"d{buffer.seq}", word)
    elif kind == 4 and chance.random() < 0.3:
        buffer.prune(name)
    elif kind == 5:
        buffer.derive(name, "citation", range=(0, at))
    else:
        buffer.splice(name, at, chance.randint(0, len(text) - at), word)


@pytest.mark.parametrize("seed", range(25))
def test_no_program_lets_it_through(buffer: ContextBuffer, seed: int) -> None:
    chance = random.Random(seed)
    plain = ContextBuffer()
    mirror = random.Random(seed)
    for _ in range(60):
        for each, dice in ((buffer, chance), (plain, mirror)):
            try:
                edit(each, dice)
            except SpanscopeError as error:
                assert error.finding is not None  # noqa: PT017
    names = [re.sub(r"\d+", "", name) for name in buffer.order]
    assert names == [re.sub(r"\d+", "", name) for name in plain.order]
    assert [buffer.text(name) for name in buffer.order] == [plain.text(n) for n in plain.order]
    silent(buffer)
