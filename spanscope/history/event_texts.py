"""What can be found in an event: what its row says, and the texts that it carries."""

from __future__ import annotations

from collections.abc import Iterator

from spanscope.history.describing import about, type_of
from spanscope.journal import events
from spanscope.journal.events import AnyEvent, Unknown
from spanscope.journal.parts import AnyEdit, IngestEdit, RewriteEdit, SpliceEdit

_FIELDS: dict[type, tuple[str, ...]] = {
    events.Ingest: ("content",),
    events.Rewrite: ("content", "op"),
    events.Splice: ("insert", "original"),
    events.Mark: ("label",),
    events.Derive: ("span", "holder"),
    events.Use: ("got",),
    events.Reject: ("reason",),
    events.Abort: ("reason",),
    events.Gap: ("reason",),
}


def texts_of(event: AnyEvent | Unknown) -> Iterator[str]:
    """The row's words, then the texts that the event carries."""
    yield f"{type_of(event)} {about(event)} {event.actor}"
    for field in _FIELDS.get(type(event), ()):
        yield getattr(event, field) or ""
    if isinstance(event, events.Stage | events.Apply):
        for edit in event.edits or ():
            yield from _edit_texts(edit)
    elif isinstance(event, events.Observe):
        yield from event.contents.values()
    elif isinstance(event, events.Render):
        yield from (item.shown for item in event.items if item.shown is not None)


def _edit_texts(edit: AnyEdit) -> Iterator[str]:
    yield edit.span
    if isinstance(edit, IngestEdit | RewriteEdit):
        yield edit.content
    elif isinstance(edit, SpliceEdit):
        yield edit.insert
