"""The request journal of Claude Code: what each model call was really given.

A request is the first `keep` messages of another one and a tail, each by the hash of its JSON
(keys sorted, no blanks, no `cache_control`, a string as one text block). Messages that rows can
make are not logged again; they are found by building them from the rows.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from itertools import groupby
from typing import Any, Final, NamedTuple

from spanscope.importers.blocks import block_of
from spanscope.importers.builder import JournalBuilder, Wanted
from spanscope.importers.summary import Summary
from spanscope.importers.values import Row, compact, mapping, number, sequence, string, strings
from spanscope.journal import events
from spanscope.journal.parts import Item, PruneEdit

MAIN_SOURCES: Final = ("sdk", "repl_main_thread")
MOST_MERGED: Final = 64


class Piece(NamedTuple):
    """One block of a message as JSON has it, and the span that holds it."""

    block: Any
    span: str


class SaidRow(NamedTuple):
    """A row that says something: its role and message id, its content, and the spans of that."""

    role: str
    message: str | None
    content: object
    spans: list[Wanted]


def message_hash(role: str, content: object, **more: object) -> str | None:
    """The hash that the request journal knows a message by; null where it has none.

    `more`: what the message says beside role and content.
    """
    blocks = content
    if isinstance(content, str) and not more:
        blocks = [{"type": "text", "text": content}]
    message = {**more, "role": role, "content": _without_cache_control(blocks)}
    try:
        text = json.dumps(message, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
        return hashlib.sha256(text.encode()).hexdigest()
    except (TypeError, ValueError, RecursionError):
        return None


def _without_cache_control(blocks: object) -> object:
    if not isinstance(blocks, list):
        return blocks
    return [
        {name: value for name, value in block.items() if name != "cache_control"}
        if isinstance(block, dict)
        else block
        for block in blocks
    ]


class Told:
    """What the request journal tells once for all conversations of a session."""

    def __init__(self) -> None:
        self.blobs: dict[str, Row] = {}
        self.shapes: dict[str, Row] = {}

    def shape(self, row: Row) -> None:
        """An `api-request-shape` row: system prompt and tools."""
        name = string(row, "shapeHash")
        if name is not None:
            self.shapes[name] = mapping(row, "shape")

    def blob(self, row: Row) -> None:
        """An `api-request-blob` row: a message that rows can't give."""
        name = string(row, "hash")
        if name is not None:
            self.blobs[name] = mapping(row, "message")


class Requests:
    """Rebuilds what each logged request of one conversation showed, as renders.

    `store` holds the conversation. Spans that only requests show begin with `prefix`.
    """

    def __init__(
        self, builder: JournalBuilder, summary: Summary, told: Told, store: str, prefix: str = ""
    ) -> None:
        self._builder = builder
        self._summary = summary
        self._told = told
        self._store = store
        self._prefix = prefix
        self._messages: dict[str, list[Piece]] = {}
        self._requests: dict[str, list[str]] = {}
        self._unread: list[SaidRow] = []
        self._said: dict[str, tuple[str, str | None, Piece]] = {}
        self._run: list[Piece] = []
        self._run_of: str | None = None
        self._system: list[str] = []
        self._sent: dict[str, None] = {}
        self._used: set[str] = set()
        self._pairs: dict[tuple[str, str], str] = {}

    def said(self, row: SaidRow) -> None:
        """A row of the transcript was added, from which messages can be built."""
        self._unread.append(row)

    def _read(self) -> None:
        """Name the messages that rows give by their hashes: only requests ask for them."""
        for row in self._unread:
            text = row.content
            blocks = [{"type": "text", "text": text}] if isinstance(text, str) else text
            if isinstance(blocks, list) and len(blocks) == len(row.spans):
                pairs = zip(blocks, row.spans, strict=True)
                self._build(row, [Piece(block, wanted.span) for block, wanted in pairs])
        self._unread.clear()

    def _build(self, row: SaidRow, pieces: list[Piece]) -> None:
        """The row may be a message by itself, or with those right before it."""
        run_of = row.message or row.role
        if self._run_of != run_of or len(self._run) >= MOST_MERGED:
            self._run = []
        self._run_of = run_of
        self._run += pieces
        for piece in pieces:
            self._said[piece.span] = (row.role, row.message, piece)
            block = block_of(piece.block)
            if block.pair is not None:
                self._pairs[block.kind, block.pair] = piece.span
        for run in (pieces, list(self._run))[: 1 + (len(self._run) > len(pieces))]:
            found = message_hash(row.role, [piece.block for piece in run])
            if found is not None:
                self._messages[found] = run

    def request(self, row: Row) -> bool:
        """An `api-request` row; whether it was a call of this conversation."""
        id, keep = string(row, "id"), number(row, "keep") or 0
        base = self._requests.get(string(row, "base") or "", [])
        hashes = base[: max(keep, 0)] + strings(row, "tail")
        source = string(row, "querySource") or MAIN_SOURCES[0]
        complete = 0 <= keep <= len(base)
        if id is not None:
            self._requests[id] = hashes
        self._builder.at(row.get("timestamp"))
        if not self._prefix and not source.startswith(MAIN_SOURCES):
            self._builder.mark("llm", id or source, actor=f"request:{source}"[:80])
            return False
        if not complete:
            self._summary.untold["requests build on one that is not in the file"] += 1
            self._builder.mark("llm", id or source)
            return True
        self._read()
        self._show_shape(string(row, "shapeHash"))
        self._render(hashes, id)
        return True

    def _holds(self, name: str) -> bool:
        """Whether a blob holds the message, byte for byte as its hash says."""
        blob = self._told.blobs.get(name)
        if blob is None:
            return False
        more = {key: value for key, value in blob.items() if key not in ("role", "content")}
        return message_hash(string(blob, "role") or "", blob.get("content"), **more) == name

    def _show_shape(self, shape_hash: str | None) -> None:
        """The system prompt and the tools come first; a change of them is a rewrite."""
        shape = self._told.shapes.get(shape_hash or "")
        if shape is None:
            return
        texts = [block_of(block).text for block in sequence(shape, "system")]
        name = f"{self._prefix}system"
        wanted = [Wanted(f"{name}/{n}", text, "system") for n, text in enumerate(texts)]
        tools = shape.get("tools")
        if tools is not None:
            wanted.append(Wanted(f"{self._prefix}tools", compact(tools), "system"))
        after: str | None = None
        for span in wanted:
            now = self._builder.live(span.span)
            if now is None:
                self._builder.ingest(span, store="system", after=after)
            elif now.text != span.content:
                self._builder.rewrite(span.span, span.content, "request")
            after = span.span
        names = {span.span for span in wanted}
        for gone in [name for name in self._system if name not in names]:
            self._builder.add(events.Prune, span=gone)
        self._system = [span.span for span in wanted]

    def _render(self, hashes: list[str], id: str | None) -> None:
        items = [Item(span=name) for name in self._system]
        sent: dict[str, None] = {}
        self._used = set()
        for name in hashes:
            items += self._message(name, sent)
        gone = [name for name in self._sent if name not in sent and self._builder.live(name)]
        if gone:
            self._builder.change([PruneEdit(span=name) for name in gone], f"request:{id}")
        self._sent = sent
        self._builder.render(items, call=id)

    def _message(self, name: str, sent: dict[str, None]) -> list[Item]:
        built = self._messages.get(name)
        if built is not None and all(self._builder.live(piece.span) for piece in built):
            self._used.update(piece.span for piece in built)
            return [self._item(piece) for piece in built]
        if built is not None:
            return self._blocks([piece.block for piece in built], "user", name, sent)
        if not self._holds(name):
            found = self._find(name)
            return [self._unknown(name, sent)] if found is None else list(map(self._item, found))
        blob = self._told.blobs[name]
        content = blob.get("content")
        blocks = content if isinstance(content, list) else [content]
        return self._blocks(blocks, string(blob, "role") or "user", name, sent)

    def _find(self, name: str) -> list[Piece] | None:
        """The rows side by side that are a message together: after a compaction, others are."""
        for role, run in self._runs():
            for start in range(len(run)):
                found = message_hash(role, [piece.block for piece in run[start:]])
                if found is not None:
                    self._messages.setdefault(found, run[start:])
        return self._messages.get(name)

    def _runs(self) -> Iterator[tuple[str, list[Piece]]]:
        """Live rows side by side that may be one message, shortened to what is looked at."""
        said = [self._said[name] for name in self._builder.order(self._store) if name in self._said]
        for (role, _), run in groupby(said, key=lambda each: each[:2]):
            yield role, [piece for _, _, piece in run][-MOST_MERGED:]

    def _unknown(self, name: str, sent: dict[str, None]) -> Item:
        """A message that neither rows nor a blob give: it was there, its text is not known."""
        span = f"{self._prefix}sent/{name[:12]}"
        sent[span] = None
        if self._builder.live(span) is None:
            self._summary.untold["messages of requests can't be rebuilt from the file"] += 1
            unknown = {"span": span, "content": "", "origin": "request", "redacted": True}
            self._builder.add(events.Ingest, store="request", **unknown)
        return Item(span=span)

    def _item(self, piece: Piece) -> Item:
        text = block_of(piece.block).text
        span = self._builder.live(piece.span)
        return Item(span=piece.span, shown=None if span is None or span.text == text else text)

    def _blocks(self, blocks: list[Any], role: str, name: str, sent: dict[str, None]) -> list[Item]:
        """Blocks that stand only in the request, on the spans that hold them."""
        items: list[Item] = []
        for index, raw in enumerate(blocks):
            block = block_of(raw)
            text = block.text
            paired = self._pairs.get((block.kind, block.pair or ""))
            if paired is not None and self._builder.live(paired) is not None:
                found = [self._item(Piece(raw, paired))]
            else:
                found = self._holders(text)
            if not found:
                span = f"{self._prefix}sent/{name[:12]}/{index}"
                sent[span] = None
                if self._builder.live(span) is None:
                    wanted = Wanted(span, text, role, origin="request")
                    self._builder.ingest(wanted, store="request")
                found = [Item(span=span)]
            self._used.update(item.span for item in found)
            items += found
        return items

    def _holders(self, text: str) -> list[Item]:
        """The live spans that hold the text: one, or several that stand in it in order."""
        names = [name for name in self._builder.order(self._store) if name not in self._used]
        texts = {name: self._builder.spans[name].text or "" for name in names}
        for name in names:
            if texts[name] == text:
                return [Item(span=name)]
        plain = text.strip()
        for name in names:
            if plain and texts[name].strip() == plain:
                return [Item(span=name, shown=text)]
        rest, items = plain, []
        for name in names:
            part = texts[name].strip()
            if part and rest.startswith(part):
                items.append(Item(span=name))
                rest = rest[len(part) :].lstrip()
        return items if not rest else []
