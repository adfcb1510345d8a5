"""Gemini CLI chats: `~/.gemini/tmp/PROJECT/chats/session-*.jsonl`, or one JSON document of old.

A record is written again, whole, under its id when it changes. `$set` replaces fields, its
`messages` the whole context; `$rewindTo` cuts from a record on, and an id that is not there clears
everything.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any, Final

from spanscope.importers.blocks import first_line
from spanscope.importers.builder import CONTEXT, Wanted
from spanscope.importers.files import Files, Refusal
from spanscope.importers.gemini_records import Records, output, text_of
from spanscope.importers.lines import LineImporter
from spanscope.importers.restoring import roll_back
from spanscope.importers.syncing import Mirror
from spanscope.importers.values import Row, compact, mapping, objects, string
from spanscope.journal import events
from spanscope.journal.parts import PruneEdit

SPOKEN: Final = ("user", "gemini")
_NOTES: Final = ("info", "error", "warning")
_FIELDS: Final = frozenset(
    """
    content displayContent id model thoughts timestamp tokens toolCalls type $set $rewindTo
    sessionId projectHash startTime lastUpdated kind messages summary directories memoryScratchpad
    """.split()  # noqa: SIM905 words read better than a list of strings
)
_REFUSALS: Final[tuple[tuple[str, Refusal], ...]] = (
    ("0 occurrences found", "missing"),
    ("could not find the string to replace", "missing"),
    ("ould not find an exact match", "missing"),
    ("occurrence but found", "ambiguous"),
    ("occurrences but found", "ambiguous"),
)


class Gemini(LineImporter):
    """Reads one chat."""

    name = "gemini"

    def __init__(self) -> None:
        super().__init__()
        self._records: dict[str, list[Wanted]] = {}
        self._mirror = Mirror(self.builder, CONTEXT)
        self._files = Files(self.builder)
        self._done: set[str] = set()
        self._sets = 0
        self._says = Records()
        self._resuming = False
        self._waiting: list[Row] | None = None

    def time_of(self, value: Any) -> str | None:
        """When a row was written."""
        return super().time_of(value) or super().time_of({"timestamp": value.get("startTime")})

    def row(self, row: Row) -> None:
        """A header, a record, a change or a rewind."""
        self.summary.fields(row, _FIELDS)
        if not self.builder.started:
            self._header(row)
        elif "sessionId" in row and "messages" not in row:
            self._resuming = True
        if "$set" in row:
            if "messages" in mapping(row, "$set"):
                self._is_set(row, list(objects(row["$set"], "messages")))
            return
        self.builder.at(row.get("timestamp"))
        if "$rewindTo" in row:
            self._resumed()
            self._rewind(row["$rewindTo"])
        elif string(row, "id") is not None:
            self._resumed()
            self._record(row)
        elif "messages" in row:
            for record in objects(row, "messages"):
                self.builder.at(record.get("timestamp"))
                self._record(record)
        elif "sessionId" not in row:
            self.summary.unknown_row("neither a record nor a change")

    def _header(self, row: Row) -> None:
        self.builder.header(
            string(row, "sessionId") or "chat",
            "gemini-cli",
            source=self.name,
            identity="the record's id; its calls and results by the call's id",
            records=("reads",),
            time=row.get("startTime") or row.get("timestamp"),
        )

    def _record(self, row: Row) -> None:
        """A record comes, or comes again under its id."""
        id, kind = string(row, "id"), string(row, "type")
        if kind not in SPOKEN or id is None:
            if kind not in _NOTES:
                self.summary.unknown_row(f"record {kind or 'without a type'}")
            return
        before = self._records.get(id, [])
        fresh = id not in self._records
        if fresh:
            self._mark(id, row, kind)
        self._records[id] = self._says.spans(row, id, kind)
        if fresh:
            for wanted in self._records[id]:
                self._bring(wanted)
        elif not (self._said_late(id, before) or self._changed_alone(before, self._records[id])):
            self._hold("again", f"record:{id}")
        self._tools(row)

    def _said_late(self, id: str, before: list[Wanted]) -> bool:
        """Let the last record, which said nothing yet, say something; whether it was done."""
        late = not before and not self._says.shared and id == next(reversed(self._records))
        for wanted in self._records[id] if late else []:
            self._bring(wanted)
        return late

    def _changed_alone(self, before: list[Wanted], now: list[Wanted]) -> bool:
        """Let a record say something else, where that touches no other; whether it was done."""
        names = [wanted.span for wanted in now]
        live = [self.builder.live(wanted.span) for wanted in now]
        known = sum(span is not None for span in live)
        stay = names[: len(before)] == [wanted.span for wanted in before] and all(live[:known])
        fresh = not any(name in self.builder.spans for name in names[known:])
        if self._says.shared or not before or known != len(before) or not (stay and fresh):
            return False
        for wanted, span in zip(now, live, strict=True):
            if span is not None and span.text != wanted.content:
                self.builder.rewrite(wanted.span, wanted.content, "again")
        for previous, wanted in pairwise(now[known - 1 :]):
            self.builder.ingest(wanted, after=previous.span)
        return True

    def _bring(self, wanted: Wanted) -> None:
        if self.builder.live(wanted.span) is None:
            self.builder.ingest(wanted)

    def _mark(self, id: str, row: Row, kind: str) -> None:
        if kind == "gemini":
            self.builder.mark("llm", id)
        else:
            text = text_of(row.get("content"))
            if text or not isinstance(row.get("content"), list):
                self.builder.mark("turn", first_line(text))

    def _hold(self, op: str, name: str) -> None:
        target = [wanted for spans in self._records.values() for wanted in spans]
        self._mirror.hold(target, op, name)

    def _is_set(self, row: Row, messages: list[Row]) -> None:
        """The whole context is given. A resume gives it in steps, of which the last one counts."""
        self.builder.at(mapping(row, "$set").get("lastUpdated"))
        if self._resuming:
            self._waiting = messages
        else:
            self._set(messages)

    def _resumed(self) -> None:
        """A resume is done: what it gave last is the context."""
        if self._resuming:
            self.builder.mark("note", "the chat is resumed")
        messages, self._waiting, self._resuming = self._waiting, None, False
        if messages is not None:
            self._set(messages)

    def end(self) -> None:
        """The file ends, also in the middle of a resume."""
        self._resumed()

    def _set(self, messages: list[Row]) -> None:
        """The whole context is another list."""
        self._sets += 1
        known = {id: spans for id, spans in self._records.items() if spans}
        target: list[Wanted] = []
        self._records = {}
        self._says.forget()
        for row in messages:
            id, kind = string(row, "id"), string(row, "type")
            if id is None or kind not in SPOKEN:
                continue
            spans = self._says.spans(row, id, kind)
            if id in self._records and spans == self._records[id]:
                self.summary.untold["messages stand twice under one id"] += 1
                continue
            self._records[id] = spans
            target += spans
        names = {wanted.span for wanted in target}
        gone = [w.span for spans in known.values() for w in spans if w.span not in names]
        reads = [name for name in map(self._mirror.name, gone) if self.builder.live(name)]
        self._mirror.hold(target, "set", f"set:{self._sets}", reads)

    def _rewind(self, to: Any) -> None:
        """The context is cut from a record on; an id that is not there clears it."""
        ids = list(self._records)
        if isinstance(to, str) and to in self._records:
            cut = ids.index(to)
            self._records = {id: self._records[id] for id in ids[:cut]}
            target = [self._mirror.renamed(w) for spans in self._records.values() for w in spans]
            roll_back(self.builder, CONTEXT, target, {"to": to})
            return
        self._records = {}
        self.builder.mark(
            "note", f"rewound to {compact(to)[:60]}, which is not there: all is cleared"
        )
        self._clear(to)

    def _clear(self, to: Any) -> None:
        """Everything goes, though only what came since the record should."""
        live = self.builder.order(CONTEXT)
        if not live:
            return
        edits = [PruneEdit(span=name) for name in live]
        entered = self.builder.entered(to) if isinstance(to, str) else None
        if entered is not None and self.builder.state.entry(entered) is not None:
            steps = len(self.builder.entries_above(entered - 1, CONTEXT))
            self.builder.add(
                events.Rollback, steps=steps, stores=[CONTEXT], edits=edits, meta={"to": to}
            )
        else:
            self.builder.add(events.Rollback, of=[], edits=edits, meta={"to": to})

    def _tools(self, row: Row) -> None:
        """What the finished calls of a record did to files, each told once."""
        for call in objects(row, "toolCalls"):
            id, status = string(call, "id"), string(call, "status")
            if id is None or id in self._done or status not in ("success", "error"):
                continue
            self._done.add(id)
            given = mapping(call, "args")
            path = string(given, "file_path") or string(given, "absolute_path")
            if status == "error":
                self._refused(id, call, given, path)
            elif string(call, "name") == "run_shell_command":
                self._files.all_read_in_part()
            elif path is not None:
                self._changed(call, given, path)

    def _changed(self, call: Row, given: Row, path: str) -> None:
        shown = mapping(call, "resultDisplay")
        before, after = string(shown, "originalContent"), string(shown, "newContent")
        if after is None:
            self._files.read_in_part(path)
            return
        old, new = string(given, "old_string"), string(given, "new_string")
        once = before is not None and old and before.count(old) == 1
        if (
            before is not None
            and old
            and new is not None
            and once
            and before.replace(old, new) == after
        ):
            self._files.replaced(path, before, old, new)
        else:
            blind = string(call, "name") == "write_file" and before is not None
            op = string(call, "name") or "edit"
            self._files.rewritten(path, before, after, op, blind=blind)

    def _refused(self, id: str, call: Row, given: Row, path: str | None) -> None:
        old, new = string(given, "old_string"), string(given, "new_string")
        text = f"{output(call.get('result'))}\n{compact(call.get('resultDisplay'))}"
        why = next((kind for words, kind in _REFUSALS if words in text), None)
        if path is not None and old and new is not None and why is not None:
            self._files.refused(path, old, new, why, id, first_line(text))
