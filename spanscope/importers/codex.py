"""Codex rollouts: `~/.codex/sessions/Y/M/D/rollout-….jsonl`, one row a line.

What the model is given is the `response_item` rows; a `compacted` row replaces all of them. A
revert goes on in a new file that names how far the old one counts.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from spanscope.importers.blocks import THINKING, call_text, first_line, message_text, result_text
from spanscope.importers.builder import AGENT, CONTEXT, Wanted
from spanscope.importers.codex_rows import EVENTS, FIELDS, IGNORED, SILENT
from spanscope.importers.codex_threads import Thread, Threads
from spanscope.importers.files import Files
from spanscope.importers.lines import LineImporter
from spanscope.importers.patches import Regions, patch_hunks, unified_hunks
from spanscope.importers.restoring import roll_back
from spanscope.importers.syncing import Mirror
from spanscope.importers.values import Row, compact, mapping, number, sequence, string
from spanscope.journal import events

_CONTEXTUAL: Final = (
    *("<environment_context", "<user_instructions", "<turn_aborted", "<skill", "# AGENTS.md"),
    *("<permissions", "<subagent_notification"),
)
_REFUSED: Final = "apply_patch verification failed"


class Codex(LineImporter):
    """Reads the rollout of one thread, with those of its sub-agents and its segments."""

    name = "codex"

    def __init__(self) -> None:
        super().__init__(packed=True)
        self._threads = Threads()
        self._copying = False
        """Whether the row is a copy of one of the parent thread's."""
        self._files = Files(self.builder)
        self._regions = Regions(self.builder, self._files)

    def row(self, row: Row) -> None:
        """One row of the rollout."""
        kind = string(row, "type") or ""
        handler = _ROWS.get(kind)
        if handler is None:
            if kind not in IGNORED:
                self.summary.unknown_row(kind or "without a type")
            return
        self.summary.fields(row, FIELDS)
        if kind != "session_meta" and not self.builder.started:
            self._header(row, {})
        payload = mapping(row, "payload")
        if kind == "event_msg" and string(payload, "type") in SILENT:
            return
        thread = self._threads.of(self.part)
        self._copying = thread.copies(row)
        if self._copying and kind == "event_msg":
            return
        self.builder.actor = thread.actor
        self.builder.at(row.get("timestamp"))
        handler(self, thread, row, payload)
        ordinal = number(row, "ordinal")
        if ordinal is not None:
            seq = self.builder.seq
            if not thread.ordinals or thread.ordinals[-1][1] != seq:
                thread.ordinals.append((ordinal, seq))
        self.builder.actor = AGENT

    def _header(self, row: Row, payload: Row) -> None:
        id = string(payload, "id") or string(payload, "session_id")
        self.builder.header(
            id or "rollout",
            "codex",
            source=self.name,
            identity="the item's id; without one, its number",
            records=("reads",),
            time=payload.get("timestamp") or row.get("timestamp"),
            version=string(payload, "cli_version"),
            forked_from=string(payload, "forked_from_id"),
        )

    def _meta(self, thread: Thread, row: Row, payload: Row) -> None:
        if not self.builder.started:
            self._header(row, payload)
        base = mapping(payload, "history_base") if thread.id is None else {}
        if not base:
            self._threads.begin(self.part, payload)
        elif string(payload, "id") in (None, string(base, "thread_id")):
            self._segment(thread, base)
        else:
            self._threads.begin(self.part, payload)
            self._inherit(thread, base)

    def _segment(self, thread: Thread, base: Row) -> None:
        """A new file goes on with the first rows of an older one: the rest was taken back."""
        older, seq = self._base(base)
        if older is None:
            thread.id = thread.id or string(base, "thread_id")
            return
        self._threads.goes_on(self.part, older)
        self._back_to(older, seq)

    def _inherit(self, thread: Thread, base: Row) -> None:
        """A sub-agent begins with what another thread's first rows left in its context."""
        older, seq = self._base(base)
        if older is None or older.store == thread.store:
            return
        self.builder.actor = thread.actor
        for wanted in self._context_at(older, seq):
            name = thread.copied[wanted.span] = f"{thread.actor}/{wanted.span}"
            answers = thread.copied.get(wanted.answers or "")
            copy = wanted._replace(span=name, answers=answers)
            self.builder.ingest(copy, store=thread.store)

    def _base(self, base: Row) -> tuple[Thread | None, int]:
        """The thread that a file goes on from, and the seq up to which it does."""
        older = self._threads.called(string(base, "thread_id"))
        end = number(base, "end_ordinal_exclusive")
        if older is None or end is None:
            self.summary.note("the history before this file is in another one: name that too")
            return None, 0
        return older, max((seq for ordinal, seq in older.ordinals if ordinal < end), default=0)

    def _context_at(self, thread: Thread, seq: int) -> list[Wanted]:
        """What a thread had in its context after an event."""
        later = self.builder.brought_in_since(thread.store, seq)
        if later is not None:
            gone, spans = set(later), self.builder.spans
            kept = [spans[name] for name in self.builder.order(thread.store) if name not in gone]
            return [Wanted(s.span, s.text or "", s.role, s.answers, s.produced_by) for s in kept]
        state = self.builder.state
        found = []
        for name in state.order_at(seq):
            span = state.span_at(name, seq)
            if span is not None and span.store == thread.store:
                text = span.node.text if span.node.text_known else ""
                found.append(Wanted(name, text, span.role, span.answers, span.produced_by))
        return found

    def _back_to(self, thread: Thread, seq: int) -> None:
        """The thread's history as it was after an event; of files the source tells nothing."""
        wanted = self._context_at(thread, seq)
        self.builder.actor = thread.actor
        roll_back(self.builder, thread.store, wanted, {"files": "not told"})
        names = {span.span for span in wanted}
        thread.turns = [name for name in thread.turns if name in names]
        thread.ordinals = [pair for pair in thread.ordinals if pair[1] <= seq]

    # Items

    def _item(self, thread: Thread, row: Row, payload: Row) -> None:
        kind = string(payload, "type") or ""
        if kind == "ghost_snapshot":
            commit = string(mapping(payload, "ghost_commit"), "id")
            self.builder.add(events.Checkpoint, checkpoint=f"files:{commit}")
            return
        wanted = self._wanted(thread, payload, kind)
        if wanted is None:
            self.summary.unknown_row(f"response_item {kind}")
            return
        now = self.builder.live(wanted.span)
        if now is not None:
            if now.text != wanted.content:
                self.builder.rewrite(wanted.span, wanted.content, "again")
            return
        if not self._copying:
            self._call(thread, row, wanted)
            said = wanted.role == "user" and kind == "message"
            if said and not wanted.content.startswith(_CONTEXTUAL):
                self._turn(thread, wanted)
        self.builder.ingest(wanted, store=thread.store)
        self._patch_refused(thread, payload, wanted)

    def _turn(self, thread: Thread, wanted: Wanted) -> None:
        thread.turns.append(wanted.span)
        if thread.spoken_to:
            self.builder.mark("turn", first_line(wanted.content))

    def _call(self, thread: Thread, row: Row, wanted: Wanted) -> None:
        """A model call: told by how far it had read, else by who speaks."""
        facts = mapping(row, "metadata")
        sampled: object = facts.get("sampled_through_sequence")
        if facts.get("compaction_output") is True:
            sampled = "compaction"
        spoken = wanted.role == "assistant"
        if not spoken:
            thread.sampled = None if sampled is None else thread.sampled
            return
        if sampled is None:
            sampled = "speaks"
        if sampled != thread.sampled:
            self.builder.mark("llm", wanted.span)
        thread.sampled = sampled

    def _wanted(self, thread: Thread, payload: Row, kind: str) -> Wanted | None:
        thread.items += 1
        pair = string(payload, "call_id")
        name = self._name(thread, string(payload, "id"))
        span = self.builder.spans.get(name)
        if span is not None and not span.live and name not in self.builder.state.undone_ids:
            name = f"{name}/{thread.items}"
        if kind in ("message", "agent_message"):
            # What another agent says comes in as a user's message does.
            role = string(payload, "role") or ("user" if kind == "agent_message" else "assistant")
            return Wanted(name, message_text(payload.get("content")), role)
        if kind == "reasoning":
            text = message_text(payload.get("summary")) or message_text(payload.get("content"))
            hidden = len(string(payload, "encrypted_content") or "")
            text = text or f"[encrypted reasoning, {hidden} characters]"
            return Wanted(name, text, "assistant", None, THINKING)
        if kind.endswith("_output"):
            answers = thread.calls.get(pair or "")
            output = payload.get("output", payload.get("tools"))
            return Wanted(name, result_text(output), "tool", answers, "tool-result")
        if kind.endswith("_call"):
            return self._tool_call(thread, payload, name, pair)
        if kind in ("additional_tools", "compaction", "context_compaction"):
            role = string(payload, "role") or "developer"
            return Wanted(name, compact(payload.get("tools", payload)), role, None, kind)
        return None

    def _name(self, thread: Thread, id: str | None) -> str:
        """The span that an item is: a copy of another thread's is one of its own."""
        own = "" if thread.store == CONTEXT else f"{thread.actor}/"
        if id is None:
            return f"{own}item/{thread.items}"
        held = self.builder.spans.get(id)
        if own and (self._copying or (held is not None and held.store != thread.store)):
            thread.copied.setdefault(id, f"{own}{id}")
        return thread.copied.get(id, id)

    def _tool_call(self, thread: Thread, payload: Row, name: str, pair: str | None) -> Wanted:
        given = payload.get("arguments", payload.get("input", payload.get("action")))
        tool = string(payload, "name") or (string(payload, "type") or "")
        if pair is not None:
            thread.calls[pair] = name
            patch = string(payload, "input")
            if tool == "apply_patch" and patch is not None:
                thread.patches[pair] = patch
        return Wanted(name, call_text(tool, given), "assistant", None, "tool-call")

    def _patch_refused(self, thread: Thread, payload: Row, wanted: Wanted) -> None:
        if wanted.origin != "tool-result" or not wanted.content.startswith(_REFUSED):
            return
        pair = string(payload, "call_id") or ""
        reason, _, quoted = wanted.content.partition("\n")
        hunks = patch_hunks(thread.patches.get(pair, ""))
        failed = [each for each in hunks if each[1].before.strip() == quoted.strip()]
        for path, hunk in failed or hunks:
            words = (word.rstrip(":") for word in reason.split())
            named = next((word for word in words if word.endswith(path)), path)
            self._regions.refused(named, hunk.before, hunk.after, "missing", pair, reason)

    # Compactions, rollbacks and files

    def _compacted(self, thread: Thread, row: Row, payload: Row) -> None:
        before = self.builder.order(thread.store)
        # Whoever speaks next was called after it.
        thread.sampled = None
        message = string(payload, "message") or ""
        if "replacement_history" not in payload:
            self.summary.untold["compactions do not say what they kept"] += 1
            self._compacted_blindly(thread, message, before)
            return
        target = self._replacement(thread, sequence(payload, "replacement_history"), before)
        names = {span.span for span in target}
        gone = [name for name in before if name not in names]
        summary = next((span.span for span in reversed(target) if span.content == message), None)
        if gone and summary is not None:
            self.builder.derive(f"summary:{summary}", gone, "summary", holder=summary)
        window = string(payload, "window_id") or str(
            payload.get("window_number") or row.get("ordinal")
        )
        mirror = Mirror(self.builder, thread.store)
        mirror.hold(target, "compaction", f"compaction:{window}", gone)
        thread.turns = [name for name in thread.turns if name in names]

    def _replacement(self, thread: Thread, history: list[Any], before: list[str]) -> list[Wanted]:
        """The new history; an item without an id is the live one that says the same."""
        target: list[Wanted] = []
        free = list(before)
        for payload in history:
            if not isinstance(payload, dict):
                continue
            wanted = self._wanted(thread, payload, string(payload, "type") or "")
            if wanted is None:
                continue
            if string(payload, "id") is None:
                same = (wanted.content, wanted.role)
                spans = (self.builder.spans[name] for name in free)
                found = next((s.span for s in spans if (s.text, s.role) == same), None)
                wanted = wanted if found is None else wanted._replace(span=found)
            if wanted.span in free:
                free.remove(wanted.span)
            target.append(wanted)
        return target

    def _compacted_blindly(self, thread: Thread, message: str, before: list[str]) -> None:
        """Old rows tell the summary only; users' messages are what Codex keeps beside it."""
        spans = [self.builder.spans[name] for name in before]
        kept = [span for span in spans if span.role not in ("assistant", "tool")]
        target = [Wanted(s.span, s.text or "", s.role, s.answers, s.produced_by) for s in kept]
        summary = Wanted(f"summary/{self.builder.seq + 1}", message, "user", None, "summary")
        names = {span.span for span in kept}
        gone = [name for name in before if name not in names]
        if gone:
            self.builder.derive(f"summary:{summary.span}", gone, "summary", holder=summary.span)
        name = f"compaction:{self.builder.seq}"
        Mirror(self.builder, thread.store).hold([*target, summary], "compaction", name, gone)

    def _event(self, thread: Thread, _row: Row, payload: Row) -> None:
        kind = string(payload, "type") or ""
        item = mapping(payload, "item")
        if kind == "item_completed" and string(item, "type") == "FileChange":
            if string(item, "status") in (None, "completed"):
                self._changed(mapping(item, "changes"))
        elif kind == "patch_apply_end":
            if payload.get("success") is not False:
                self._changed(mapping(payload, "changes"))
        elif kind == "thread_rolled_back":
            self._turns_back(thread, number(payload, "num_turns") or 0)
        elif kind == "task_started":
            turn = string(payload, "turn_id") or str(self.builder.seq + 1)
            self.builder.add(events.Checkpoint, checkpoint=f"turn:{turn}")
        elif kind == "undo_completed" and payload.get("success") is True:
            for path in self._files.paths():
                self._files.changed(path, "operator")
        elif kind not in EVENTS:
            self.summary.unknown_row(f"event_msg {kind}")

    def _turns_back(self, thread: Thread, count: int) -> None:
        """The last turns were taken back."""
        if count < 1 or not thread.turns:
            return
        first = thread.turns[-min(count, len(thread.turns))]
        self._back_to(thread, (self.builder.entered(first) or 1) - 1)

    def _changed(self, changes: Row) -> None:
        for path, change in changes.items():
            if not isinstance(change, dict):
                continue
            # Older rows have the kind as the only name, newer ones as `type`.
            kind = string(change, "type") or next(iter(change), "")
            facts = mapping(change, kind) or change
            diff, content = string(facts, "unified_diff"), string(facts, "content")
            if kind == "delete":
                self._files.removed(path)
            elif kind == "add" and content is not None:
                self._files.rewritten(path, None, content, "patch")
            elif diff is not None:
                self._regions.updated(path, unified_hunks(diff))


_ROWS: Final[dict[str, Callable[[Codex, Thread, Row, Row], None]]] = {
    "session_meta": Codex._meta,
    "response_item": Codex._item,
    "compacted": Codex._compacted,
    "event_msg": Codex._event,
}
