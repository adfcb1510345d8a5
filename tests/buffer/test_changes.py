"""Direct changes: journaled with their inverse before anything moves, and judged before that."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.auditing import audit_all
from support.buffers import above_info, events_of, journal_of

from spanscope.buffer import quick
from spanscope.buffer.buffer import ContextBuffer
from spanscope.buffer.errors import (
    AmbiguousAnchorError,
    JournalWriteError,
    SpanscopeError,
    StaleBaseError,
    TombstoneError,
)
from spanscope.journal.events import Ingest, Prune, Rewrite, Splice
from spanscope.journal.reader import Parsed, Record, read_journal
from spanscope.model.anchors import places, sound_inverse
from spanscope.model.content import buffer_digest, content_hash


def last(buffer: ContextBuffer) -> Any:
    return events_of(buffer)[-1]


def test_an_ingest_is_a_new_span_with_all_it_was_told(buffer: ContextBuffer) -> None:
    buffer.ingest("system", "Be brief.", role="system")
    span = buffer.ingest("task", "Fix it.", role="user", after=None, origin="web", store="files")
    assert (span.span, span.version, span.text, span.role) == ("task", 0, "Fix it.", "user")
    assert (span.store, span.produced_by, span.seq) == ("files", "web", 2)
    assert buffer.order == ("task", "system")
    event = last(buffer)
    assert isinstance(event, Ingest)
    assert (event.version, event.hash) == (0, content_hash("Fix it."))


def test_a_splice_carries_an_inverse_with_anchors_hash_and_offset(buffer: ContextBuffer) -> None:
    buffer.ingest("types", "x: int = 3\ny: int = 4\n")
    span = buffer.splice("types", at=3, delete=3, insert="list[int]")
    assert (span.text, span.version) == ("x: list[int] = 3\ny: int = 4\n", 1)
    event = last(buffer)
    assert isinstance(event, Splice)
    assert event.inverse is not None
    assert event.inverse.original == "int"
    assert (event.inverse.inserted, event.inverse.at) == (9, 3)
    assert event.inverse.inserted_hash == content_hash("list[int]")
    assert (event.inverse.before, event.inverse.after) == ("x: ", " = 3\ny: int = 4\n"[:16])


def test_anchors_grow_until_they_fit_in_one_place(buffer: ContextBuffer) -> None:
    line = "    return value\n"
    buffer.ingest("code", line * 40)
    buffer.splice("code", at=20 * len(line) + 4, delete=6, insert="return")
    event = last(buffer)
    assert isinstance(event, Splice)
    # Nothing changed, so nothing is owed; an edit that does change owes unique anchors.
    assert event.inverse is None
    buffer.splice("code", at=20 * len(line) + 4, delete=6, insert="yield")
    inverse = last(buffer).inverse
    sought = inverse.before + "yield" + inverse.after
    assert buffer.text("code").count(sought) == 1
    buffer.splice("code", at=5 * len(line), insert=line)
    inverse = last(buffer).inverse
    assert len(inverse.before) > 16
    assert buffer.text("code").count(inverse.before + line + inverse.after) == 1


def test_a_reader_who_lost_a_line_knows_a_span_again_by_its_next_hash(
    buffer: ContextBuffer,
) -> None:
    buffer.ingest("a", "")
    buffer.ingest("b", "")
    buffer.splice("b", 0, 0, "lost")
    for _ in range(10):
        buffer.splice("a", 0, 0, "x")
    parsed = list(read_journal(journal_of(buffer), live=True))
    audit = audit_all(item for item in parsed if not is_splice_of(item, "b"))
    assert audit.judge.state.spans["a"].text == "x" * 10
    assert audit.judge.state.spans["b"].text is None


def is_splice_of(item: Parsed, span: str) -> bool:
    return (
        isinstance(item, Record)
        and getattr(item.event, "span", "") == span
        and (isinstance(item.event, Splice))
    )


def test_replace_takes_the_one_place(buffer: ContextBuffer) -> None:
    buffer.ingest("types", "x: int, y: int")
    with pytest.raises(AmbiguousAnchorError) as caught:
        buffer.replace("types", "int", "str")
    assert caught.value.places == (3, 11)
    assert caught.value.finding is not None
    assert caught.value.finding.rule == "DIF307"
    with pytest.raises(AmbiguousAnchorError) as none:
        buffer.replace("types", "float", "str")
    assert none.value.places == ()
    assert buffer.text("types") == "x: int, y: int"
    assert buffer.replace("types", "x: int", "x: str").text == "x: str, y: int"
    assert last(buffer).original == "x: int"


def test_strings_of_another_class_are_strings(buffer: ContextBuffer) -> None:
    class Name(str):
        __slots__ = ()

    buffer.ingest(Name("a"), Name("one two"))
    buffer.splice(Name("a"), 0, 0, "x")
    buffer.splice("a", 0, 1, Name("y"))
    buffer.replace(Name("a"), Name("two"), "three")
    buffer.replace("a", "three", Name("four"))
    buffer.as_actor(Name("tool")).splice("a", 0, 1, "z")
    assert buffer.text("a") == "zone four"
    assert above_info(buffer) == []


def test_overlapping_places_all_count(buffer: ContextBuffer) -> None:
    buffer.ingest("a", "aaa")
    with pytest.raises(AmbiguousAnchorError) as caught:
        buffer.replace("a", "aa", "b")
    assert caught.value.places == (0, 1)


def test_a_rewrite_without_holders_is_in_place(buffer: ContextBuffer) -> None:
    buffer.ingest("task", "A long task.")
    span = buffer.rewrite("task", "Short.", op="summarize")
    assert (span.span, span.version, span.produced_by) == ("task", 1, "rewrite:summarize")
    event = last(buffer)
    assert isinstance(event, Rewrite)
    assert event.inverse is not None
    assert (event.inverse.original, event.into) == ("A long task.", None)


def test_a_prune_and_a_move(buffer: ContextBuffer) -> None:
    for name in "abc":
        buffer.ingest(name, name.upper())
    buffer.move("c", None)
    buffer.move("a", "b")
    assert ",".join(buffer.order) == "c,b,a"
    buffer.move("a", "b")
    buffer.prune("b")
    assert ",".join(buffer.order) == "c,a"
    event = last(buffer)
    assert isinstance(event, Prune)
    assert event.inverse is not None
    assert event.inverse.original == "B"
    assert "b" not in buffer
    assert buffer.digest == buffer_digest([("c", content_hash("C")), ("a", content_hash("A"))])
    buffer.rollback(3)
    assert ",".join(buffer.order) == "c,a,b"


def refused(buffer: ContextBuffer, rule: str, do: Any) -> SpanscopeError:
    """The error of something refused; the buffer and its journal are as before."""
    before = buffer.digest, buffer.revision, buffer.seq, len(events_of(buffer))
    with pytest.raises(SpanscopeError) as caught:
        do()
    assert (buffer.digest, buffer.revision, buffer.seq, len(events_of(buffer))) == before
    assert caught.value.finding is not None
    assert caught.value.finding.rule == rule
    assert str(caught.value).startswith(rule)
    return caught.value


def test_what_does_not_exist_can_not_be_changed(buffer: ContextBuffer) -> None:
    buffer.ingest("a", "A")
    buffer.ingest("b", "B")
    buffer.prune("b")
    for do in (
        lambda: buffer.splice("z", 0, 0, "x"),
        lambda: buffer.rewrite("b", "x"),
        lambda: buffer.prune("b"),
        lambda: buffer.move("z", None),
        lambda: buffer.move("a", "b"),
        lambda: buffer.ingest("c", "C", after="b"),
        lambda: buffer.ingest("c", "C", supersedes=["z"]),
        lambda: buffer.ingest("c", "C", answers="z"),
        lambda: buffer.text("b"),
        lambda: buffer.replace("z", "a", "b"),
        lambda: buffer.derive("b", "citation"),
    ):
        refused(buffer, "JNL007", do)


@pytest.mark.parametrize(("at", "delete"), [(0, 2), (2, 0), (-1, 0), (0, -1)])
def test_a_splice_outside_its_span_is_refused(buffer: ContextBuffer, at: int, delete: int) -> None:
    buffer.ingest("a", "A")
    error = refused(buffer, "JNL008", lambda: buffer.splice("a", at, delete, "x"))
    assert f"splice of a at {at}, deleting {delete}, is outside " in str(error)


def test_an_id_is_used_once(buffer: ContextBuffer) -> None:
    buffer.ingest("a", "A")
    refused(buffer, "SPN116", lambda: buffer.ingest("a", "B"))
    buffer.prune("a")
    refused(buffer, "SPN116", lambda: buffer.ingest("a", "B"))
    buffer.ingest("b", "B")
    refused(buffer, "SPN116", lambda: buffer.rewrite("b", "C", into="a"))
    buffer.rollback(1)
    assert buffer.ingest("b", "B again").version == 1


def test_a_tombstone_is_frozen_and_names_its_head(buffer: ContextBuffer) -> None:
    buffer.ingest("a", "one")
    buffer.rewrite("a", "two", "fold", policy="copy")
    buffer.rewrite("a@fold:1", "three", "fold", policy="copy")
    for do in (
        lambda: buffer.splice("a", 0, 0, "x"),
        lambda: buffer.rewrite("a", "x"),
        lambda: buffer.prune("a"),
    ):
        error = refused(buffer, "SPN143", do)
        assert isinstance(error, TombstoneError)
        assert error.head == "a@fold:2"
        assert "a@fold:2" in str(error)
    assert buffer.text("a") == "one"
    assert buffer.head("a").text == "three"
    buffer.prune("a@fold:2")
    error = refused(buffer, "SPN143", lambda: buffer.splice("a", 0, 0, "x"))
    assert isinstance(error, TombstoneError)
    assert error.head is None
    with pytest.raises(SpanscopeError):
        buffer.head("a")


def test_a_change_on_an_old_base_is_a_lost_update(buffer: ContextBuffer) -> None:
    seen = buffer.ingest("plan", "1. read")
    search = buffer.as_actor("tool:search")
    search.splice("plan", 7, 0, "\n2. search")
    error = refused(buffer, "DIF316", lambda: buffer.rewrite("plan", "1. write", base=seen))
    assert isinstance(error, StaleBaseError)
    error = refused(buffer, "DIF316", lambda: buffer.splice("plan", 0, 1, "9", base=seen))
    refused(buffer, "DIF316", lambda: buffer.prune("plan", base=seen))
    refused(buffer, "DIF316", lambda: buffer.replace("plan", "1.", "9.", base=seen))
    now = buffer.span("plan")
    assert buffer.splice("plan", 0, 1, "9", base=now).text == "9. read\n2. search"


def test_answers_stay_with_their_calls(buffer: ContextBuffer) -> None:
    buffer.ingest("call", "search()", role="assistant")
    buffer.ingest("result", "42", role="tool", answers="call")
    refused(buffer, "SPN133", lambda: buffer.rollback(of=[1]))
    refused(buffer, "SPN133", lambda: buffer.prune("call"))
    refused(buffer, "SHN403", lambda: buffer.ingest("again", "43", answers="call"))
    buffer.prune("result")
    buffer.ingest("other", "43", role="tool", answers="call")
    refused(buffer, "SHN403", lambda: buffer.rollback(of=[3]))
    buffer.rollback(2)
    buffer.prune("result")
    buffer.prune("call")
    refused(buffer, "SPN133", lambda: buffer.ingest("late", "44", answers="call"))


def test_actors_share_a_buffer_and_sign_their_changes(buffer: ContextBuffer) -> None:
    search = buffer.as_actor("tool:search")
    search.ingest("docs", "hits")
    buffer.splice("docs", 0, 0, "top ")
    assert search.text("docs") == "top hits"
    assert [event.actor for event in events_of(buffer)] == ["tool:search", "agent"]
    assert search.actor == "tool:search"


def test_wrong_types_are_refused_before_anything_is_written(buffer: ContextBuffer) -> None:
    buffer.ingest("a", "A")
    wrong: Any = b"bytes"
    calls: list[Callable[[], Any]] = [
        lambda: buffer.ingest("b", wrong),
        lambda: buffer.ingest("b", "B", role=wrong),
        lambda: buffer.rewrite("a", wrong),
        lambda: buffer.splice("a", 0, 0, wrong),
        lambda: buffer.replace("a", wrong, "x"),
        lambda: buffer.splice("a", wrong, 0, "x"),
        lambda: buffer.ingest("b", "B", meta={"x": object()}),
    ]
    for do in calls:
        with pytest.raises(TypeError):
            do()
    with pytest.raises(TypeError, match="at must be a number of characters, not str"):
        buffer.splice("a", "0", 0, "x")  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="delete must be a number of characters, not bool"):
        buffer.splice("a", 0, True, "x")
    assert buffer.seq == 1
    assert buffer.text("a") == "A"


def test_in_memory_it_enforces_the_same() -> None:
    buffer = ContextBuffer()
    buffer.ingest("a", "aXa")
    buffer.replace("a", "X", "Y")
    with pytest.raises(AmbiguousAnchorError):
        buffer.replace("a", "a", "b")
    buffer.rollback(1)
    assert buffer.text("a") == "aXa"
    assert buffer.path is None
    buffer.close()
    assert buffer.closed
    with pytest.raises(SpanscopeError, match="closed"):
        buffer.splice("a", 0, 0, "x")
    assert buffer.text("a") == "aXa"


def test_lone_surrogates_are_kept(buffer: ContextBuffer) -> None:
    buffer.ingest("a", "x\ud800y")
    buffer.splice("a", 2, 0, "\udfff")
    buffer.rollback(1)
    assert buffer.text("a") == "x\ud800y"
    with pytest.raises(SpanscopeError) as caught:
        buffer.text("\ud800\n")
    assert str(caught.value).isprintable()


def test_a_surrogate_pair_of_two_characters_is_refused_where_json_would_join_it(
    buffer: ContextBuffer,
) -> None:
    buffer.ingest("a", "x\ud83dy")
    buffer.splice("a", 2, 0, "\ude00")
    before = buffer.digest
    refused: list[Callable[[], object]] = [
        lambda: buffer.ingest("b", "\ud83d\ude00"),
        lambda: buffer.rewrite("a", "gone"),
        lambda: buffer.splice("a", 4, 0, "beside it"),
    ]
    for change in refused:
        with pytest.raises(JournalWriteError, match="surrogate pair"):
            change()
        assert buffer.digest == before
    buffer.splice("a", 2, 1, "z")
    assert buffer.text("a") == "x\ud83dzy"
    assert above_info(buffer) == []


@pytest.mark.parametrize("small", [0, quick.SMALL])
@given(before=st.text("ab", max_size=70), inserted=st.text("ab", max_size=3), after=st.text("ab"))
def test_the_quick_inverse_is_the_sound_one(
    small: int, before: str, inserted: str, after: str
) -> None:
    text = before + inserted + after
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(quick, "SMALL", small)
        found = quick.inverse_in(text, len(before), inserted, "old")
    wanted = sound_inverse(text, len(before), inserted, "old")
    assert (found.before, found.after) == (wanted.before, wanted.after)
    assert places(text, found, inserted) == (len(before),)
