"""Importing what a test made, and the history that comes of it."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple

from spanscope.history.history import History
from spanscope.importers.builder import JournalBuilder
from spanscope.importers.growing import TranslatedTail, follow
from spanscope.importers.growing_databases import DatabaseTail
from spanscope.importers.lines import LineImporter
from spanscope.importers.source import find_source, open_source
from spanscope.importers.summary import Summary
from spanscope.journal.tail import Appended


class Imported(NamedTuple):
    """A finished import: its journal, the history of it, and what was left aside."""

    journal: bytes
    history: History
    summary: Summary

    def found(self, *severities: str) -> list[tuple[str, dict[str, str | int]]]:
        """(rule, subject) of the findings of these severities (default: warnings and errors)."""
        wanted = severities or ("warning", "error")
        return [(f.rule, f.subject) for f in self.history.findings if f.severity in wanted]

    def at(self, rule: str) -> list[Any]:
        """The events at which a rule fired."""
        return [self.history.event(f.seq or 0) for f in self.history.findings if f.rule == rule]

    def live(self, store: str | None = None) -> list[str]:
        """The live spans at the end, in buffer order."""
        state = self.history.state
        return [name for name in state.order if store in (None, state.spans[name].store)]

    def text(self, span: str) -> str | None:
        """The content of a span at the end."""
        return self.history.state.spans[span].text

    def events(self, kind: str) -> list[Any]:
        """The events of a type."""
        events = self.history.events
        return [e for e in events if str(getattr(e, "__struct_config__").tag) == kind]  # noqa: B009

    def texts(self, store: str = "context") -> list[str | None]:
        """The contents of the live spans of a store, in buffer order."""
        return [self.text(name) for name in self.live(store)]

    def shown(self, number: int = -1) -> list[str | None]:
        """The texts that a render (default: the last) says the model was given."""
        render = self.events("render")[number]
        state = self.history.state
        found = []
        for item in render.items:
            span = state.span_at(item.span, render.seq)
            found.append(item.shown if item.shown is not None or span is None else span.text)
        return found


def lines(rows: Iterable[Any]) -> bytes:
    """Rows as JSON Lines."""
    return b"".join(json.dumps(row).encode() + b"\n" for row in rows)


def import_bytes(importer: LineImporter, data: bytes, piece: int = 1 << 20) -> Imported:
    """Feed bytes in pieces; the journal must be one that the reader accepts as whole."""
    pieces = [importer.feed(data[at : at + piece]) for at in range(0, len(data), piece)]
    journal = b"".join([*pieces, importer.finish()])
    check_followed(importer.builder)
    return Imported(journal, read_whole(journal), importer.summary)


def check_followed(builder: JournalBuilder) -> None:
    """What the builder followed by itself must be what a replay of its events leaves."""
    spans, order = builder.spans, list(builder.standing.order)
    stores = {name: list(store) for name, store in builder.standing.stores.items()}
    revision = builder.standing.revision
    state = builder.state
    assert order == state.order
    assert revision == state.revision
    assert spans.keys() == state.spans.keys()
    for name, span in state.spans.items():
        held = spans[name]
        assert (held.live, held.role, held.store) == (span.live, span.role, span.store)
        assert (held.answers, held.produced_by) == (span.answers, span.produced_by)
        last = span.node.text if span.node.text_known else None
        assert held.text == (span.text if span.live else None)
        assert span.live or (held.was is None if last is None else held.held(last))
    for store, names in stores.items():
        assert names == [name for name in order if spans[name].store == store]


def read_whole(journal: bytes) -> History:
    """The history of a journal that must have no fault as a file."""
    history = History()
    history.feed(journal)
    history.finish()
    faults = [(f.id, f.message) for f in history.findings if f.rule.startswith("JNL")]
    assert not faults, faults
    return history


def import_files(*paths: Path) -> Imported:
    """Import several files as one session."""
    source = open_source(paths)
    journal = b"".join(source.journal())
    check_followed(source.importer.builder)
    return Imported(journal, read_whole(journal), source.summary)


def import_rows(importer: LineImporter, rows: Iterable[Any]) -> Imported:
    """Import rows given as Python values."""
    return import_bytes(importer, lines(rows))


def followed(path: Path) -> TranslatedTail | DatabaseTail:
    """A session that is followed."""
    source = find_source(path)
    assert source is not None
    return follow(path, source)


def polled(tail: TranslatedTail | DatabaseTail) -> bytes:
    """All that there is now of a session that is followed."""
    found = b""
    for _ in range(50):
        found += b"".join(item.data for item in tail.poll() if isinstance(item, Appended))
        if not tail.more:
            break
    return found


def unclosed(journal: bytes) -> bytes:
    """A journal without the event that ends it: so much of it is told while it is followed."""
    return journal[: journal.rindex(b'{"type":"close"')]
