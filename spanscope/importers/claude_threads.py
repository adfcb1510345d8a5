"""A Claude Code conversation: rows chained by `parentUuid`, compactions and rewinds.

A row whose parent is not the row before it is a rewind, unless it is one of several answers to
parallel tool calls or one more block of the same message. After a compaction the effective order
is the summary, the preserved rows, then what follows the boundary.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import pairwise
from typing import Final

from spanscope.importers.builder import JournalBuilder, Wanted, ingest_edit
from spanscope.importers.restoring import roll_back
from spanscope.importers.summary import Summary
from spanscope.importers.syncing import before_store
from spanscope.journal.parts import AnyEdit, PruneEdit

MOST_BROUGHT_BACK: Final = 10_000
"""Rows that rewinds bring back into the context, all together, before they count as appended."""

SPOKEN: Final = ("user", "assistant")


@dataclass(slots=True)
class Node:
    """A row with a uuid. `calls` and `answers` are tool-call ids; no spans: not in the context."""

    uuid: str
    parent: str | None
    role: str
    time: object = None
    message: str | None = None
    spans: list[Wanted] = field(default_factory=list)
    calls: dict[str, str] = field(default_factory=dict)
    answers: tuple[str, ...] = ()
    turn: str | None = None
    summary: bool = False
    called: bool = False


@dataclass(slots=True)
class Compaction:
    """A boundary on its way: its summary and, where it says so, the rows that it preserves."""

    boundary: str
    preserved: list[str] | None
    summary: Node | None = None
    emitted: list[str] = field(default_factory=list)


class Thread:
    """One actor's conversation, in a store of its own."""

    def __init__(
        self, builder: JournalBuilder, summary: Summary, store: str, nodes: dict[str, Node]
    ) -> None:
        self.store = store
        self.live: list[str] = []
        self.calls: dict[str, str] = {}
        self._builder = builder
        self._summary = summary
        self._nodes = nodes
        self._head: str | None = None
        self._relinked: dict[str, str] = {}
        self._anchors: dict[str, list[str]] = {}
        self._pending: Compaction | None = None
        self._message: str | None = None
        self._brought_back = 0
        self._answered: dict[str, list[str]] = {}

    def take(self, node: Node) -> None:
        """The next row of the conversation."""
        if self._pending is not None and self._in_compaction(self._pending, node):
            return
        if node.uuid in self._nodes:
            self._again(node)
            return
        self._nodes[node.uuid] = node
        if node.parent != self._head:
            self._settle(node)
        self._head = node.uuid
        self._append(node)

    def boundary(self, node: Node, preserved: list[str] | None, segment: list[str]) -> None:
        """A compaction starts: `preserved` rows by uuid, or a segment's head and tail."""
        self.flush()
        self._nodes.setdefault(node.uuid, node)
        self._head = node.uuid
        if preserved is None and segment:
            preserved = self._segment(*segment)
        self._pending = Compaction(node.uuid, preserved)

    def flush(self) -> None:
        """Let a compaction that waits for its summary or its re-emitted rows take effect."""
        if self._pending is not None:
            self._compact(self._pending)

    def forget_calls(self, ids: list[str]) -> None:
        """The results of these calls were cleared in place; their new text is not recorded."""
        for id in ids:
            for uuid in self._answered.get(id, []):
                for wanted in self._nodes[uuid].spans:
                    if self._builder.live(wanted.span) is not None:
                        self._builder.forget(wanted.span, "microcompact")

    def retract(self, uuids: list[str]) -> None:
        """The program took these rows back."""
        gone = [uuid for uuid in self.live if uuid in uuids]
        names = [span.span for uuid in gone for span in self._nodes[uuid].spans]
        if names:
            edits = [PruneEdit(span=name) for name in dict.fromkeys(names) if self._stands(name)]
            self._builder.change(edits, f"retraction:{gone[0]}", names)
        self.live = [uuid for uuid in self.live if uuid not in gone]

    def _append(self, node: Node) -> None:
        for id in node.calls:
            self.calls[id] = node.calls[id]
        for id in node.answers:
            self._answered.setdefault(id, []).append(node.uuid)
        if not node.spans:
            return
        self._builder.at(node.time)
        if node.role == "assistant" and node.message != self._message:
            self._message = node.message
            if not node.called:
                self._builder.mark("llm", node.message or node.uuid)
        if node.turn is not None:
            self._builder.mark("turn", node.turn)
        for wanted in node.spans:
            self._builder.ingest(wanted, store=self.store)
        self.live.append(node.uuid)

    def _again(self, node: Node) -> None:
        """A row whose uuid was there already: a copy, or another content under the same id."""
        old = self._nodes[node.uuid]
        self._builder.at(node.time)
        if node.uuid not in self.live:
            self._summary.untold["rows stand twice under one uuid"] += 1
            return
        if not node.spans:
            return
        now = [
            wanted._replace(span=old.spans[index].span) if index < len(old.spans) else wanted
            for index, wanted in enumerate(node.spans)
        ]
        for wanted in now[: len(old.spans)]:
            span = self._builder.live(wanted.span)
            if span is not None and span.text != wanted.content:
                self._builder.rewrite(wanted.span, wanted.content, "again")
        for before, wanted in pairwise(now):
            if wanted not in now[: len(old.spans)]:
                self._builder.ingest(wanted, store=self.store, after=before.span)
        for wanted in old.spans[len(now) :]:
            self._builder.change([PruneEdit(span=wanted.span)], "again")
        old.spans = now

    # Rewinds

    def _settle(self, node: Node) -> None:
        """Where a row does not follow the last one: did the conversation go back?"""
        if node.role not in SPOKEN or not self.live or not node.spans:
            return
        if node.parent is not None and node.parent not in self._nodes:
            self._summary.untold["rows whose parent is not in the file"] += 1
            return
        if self._stays(node):
            return
        base = self._spoken_ancestor(node.parent)
        self._builder.at(node.time)
        if base is None:
            if node.turn is not None:
                self._rewind([], node.parent)
        elif base in self.live:
            self._back_to(base, node)
        else:
            self._rewind(self._chain(base), node.parent)

    def _stays(self, node: Node) -> bool:
        """One more answer to a call that stands, or one more block of a message that does."""
        if any(id in self.calls and self._stands(self.calls[id]) for id in node.answers):
            return True
        return node.message is not None and any(
            self._nodes[uuid].message == node.message for uuid in self.live
        )

    def _stands(self, span: str) -> bool:
        return self._builder.live(span) is not None

    def _spoken_ancestor(self, uuid: str | None) -> str | None:
        """The nearest row at or above one that is in the context."""
        seen: set[str] = set()
        while uuid is not None and uuid in self._nodes and uuid not in seen:
            seen.add(uuid)
            if self._nodes[uuid].spans:
                return uuid
            uuid = self._relinked.get(uuid, self._nodes[uuid].parent)
        return None

    def _back_to(self, base: str, node: Node) -> None:
        at = self.live.index(base)
        before, after = self.live[: at + 1], self.live[at + 1 :]
        calls = {id for uuid in before for id in self._nodes[uuid].calls}
        kept = [uuid for uuid in after if calls & set(self._nodes[uuid].answers)]
        message = self._nodes[base].message
        kept += [u for u in after if message is not None and self._nodes[u].message == message]
        dropped = [uuid for uuid in after if uuid not in kept]
        if any(self._nodes[uuid].role in SPOKEN for uuid in dropped):
            self._rewind([*before, *(uuid for uuid in after if uuid in kept)], node.parent)

    def _chain(self, uuid: str | None) -> list[str]:
        """The rows in the context of a row, oldest first, itself included."""
        found: list[str] = []
        seen: set[str] = set()
        while uuid is not None and uuid in self._nodes and uuid not in seen:
            seen.add(uuid)
            kept = [u for u in self._anchors.get(uuid, []) if u not in seen]
            found += reversed(kept)
            seen.update(kept)
            node = self._nodes[uuid]
            siblings = [u for id in node.calls for u in self._answered.get(id, [])]
            found += [u for u in reversed(siblings) if u not in seen]
            seen.update(siblings)
            if node.spans:
                found.append(uuid)
            uuid = self._relinked.get(uuid, node.parent)
        return found[::-1]

    def _rewind(self, target: list[str], parent: str | None) -> None:
        """The conversation goes back: only the target's rows are in the context."""
        target = list(dict.fromkeys(target))
        if not self._affords(target):
            return
        wanted = [span for uuid in target for span in self._nodes[uuid].spans]
        roll_back(self._builder, self.store, wanted, {"parent": parent})
        self.live = list(target)

    def _affords(self, target: list[str]) -> bool:
        """Whether what was left is brought back once more: two writers may take turns for ever."""
        live = set(self.live)
        self._brought_back += sum(uuid not in live for uuid in target)
        if self._brought_back <= MOST_BROUGHT_BACK:
            return True
        self._summary.untold["rows go on where others were left too often to follow"] += 1
        return False

    # Compactions

    def _in_compaction(self, pending: Compaction, node: Node) -> bool:
        """Whether a row belongs to the compaction that is under way."""
        follows = node.parent == pending.boundary and node.role == "user"
        fresh = node.uuid not in self._nodes
        if pending.summary is None and fresh and (node.summary or follows):
            pending.summary = node
            self._nodes[node.uuid] = node
            self._head = node.uuid
            if pending.preserved is not None:
                self._compact(pending)
            return True
        if not fresh and node.uuid in self.live:
            pending.emitted.append(node.uuid)
            if node.parent is not None:
                self._relinked[node.uuid] = node.parent
            self._head = node.uuid
            return True
        if not node.spans and fresh:
            self._nodes[node.uuid] = node
            self._head = node.uuid
            return True
        self._compact(pending)
        return False

    def _segment(self, head: str, tail: str) -> list[str] | None:
        """The live rows from a head to a tail, where both are live."""
        if head not in self.live or tail not in self.live:
            return None
        return self.live[self.live.index(head) : self.live.index(tail) + 1]

    def _compact(self, pending: Compaction) -> None:
        self._pending = None
        kept = set(pending.preserved or ()) | set(pending.emitted)
        preserved = [uuid for uuid in self.live if uuid in kept]
        gone = [uuid for uuid in self.live if uuid not in kept]
        summary = pending.summary
        self._builder.at((summary or self._nodes[pending.boundary]).time)
        names = [span.span for uuid in gone for span in self._nodes[uuid].spans]
        names = [name for name in dict.fromkeys(names) if self._stands(name)]
        edits: list[AnyEdit] = [] if summary is None else self._summary_edits(summary)
        edits += [PruneEdit(span=name) for name in names]
        if summary is not None and names:
            holder = summary.spans[0].span if summary.spans else summary.uuid
            self._builder.derive(f"summary:{summary.uuid}", names, "summary", holder=holder)
        if edits:
            self._builder.change(edits, f"compaction:{pending.boundary}", names)
        self._anchors[pending.boundary if summary is None else summary.uuid] = preserved
        if summary is not None and preserved:
            self._relinked[preserved[0]] = summary.uuid
        first = [summary.uuid] if summary is not None and summary.spans else []
        self.live = first + preserved

    def _summary_edits(self, summary: Node) -> list[AnyEdit]:
        """The summary comes before everything else of the conversation."""
        after = before_store(self._builder, self.store)
        edits: list[AnyEdit] = []
        for wanted in summary.spans:
            edits.append(ingest_edit(wanted, store=self.store, after=after))
            after = wanted.span
        return edits
