"""What can be found in an event: what its row says, and the texts that it carries."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from spanscope.history.describing import about
from spanscope.journal import events
from spanscope.journal.events import AnyEvent, Unknown, type_of
from spanscope.journal.parts import AnyEdit, IngestEdit, RewriteEdit, SpliceEdit

Where = Literal["id", "kind", "actor", "content"]
"""What a text of an event is: an id that it names, what happened, who did it, or other text."""

_CONTENTS: dict[type, tuple[str, ...]] = {
    events.Ingest: ("content",),
    events.Rewrite: ("content",),
    events.Splice: ("insert", "original"),
    events.Mark: ("label",),
    events.Use: ("got",),
    events.Reject: ("reason",),
    events.Abort: ("reason",),
    events.Gap: ("reason",),
}
_KINDS: dict[type, tuple[str, ...]] = {
    events.Rewrite: ("op",),
    events.Derive: ("kind",),
}
_IDS: dict[type, tuple[str, ...]] = {
    events.Rewrite: ("into",),
    events.Derive: ("span",),
}
_ACTORS: dict[type, tuple[str, ...]] = {events.Derive: ("holder",)}


def texts_of(event: AnyEvent | Unknown) -> Iterator[str]:
    """The row's words, then the texts that the event carries."""
    yield row_of(event)
    yield from (text for _, text in places_of(event))


def row_of(event: AnyEvent | Unknown) -> str:
    """What happened to what, and who did it."""
    return f"{type_of(event)} {about(event)} {event.actor}"


def places_of(event: AnyEvent | Unknown) -> Iterator[tuple[Where, str]]:
    """Every text of an event with what it is: short ones first."""
    yield "id", about(event)
    yield "kind", type_of(event)
    yield "actor", event.actor
    named: tuple[tuple[Where, dict[type, tuple[str, ...]]], ...] = (
        ("id", _IDS),
        ("kind", _KINDS),
        ("actor", _ACTORS),
        ("content", _CONTENTS),
    )
    for where, fields in named:
        for field in fields.get(type(event), ()):
            yield where, getattr(event, field) or ""
    if isinstance(event, events.Stage | events.Apply):
        for edit in event.edits or ():
            yield from _edit_texts(edit)
    elif isinstance(event, events.Observe):
        yield from (("content", text) for text in event.contents.values())
    elif isinstance(event, events.Render):
        shown = [item.shown for item in event.items if item.shown is not None]
        yield from (("content", text) for text in shown)


def _edit_texts(edit: AnyEdit) -> Iterator[tuple[Where, str]]:
    yield "id", edit.span
    if isinstance(edit, IngestEdit | RewriteEdit):
        yield "content", edit.content
    elif isinstance(edit, SpliceEdit):
        yield "content", edit.insert
