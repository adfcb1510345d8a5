"""Gemini CLI chats: `~/.gemini/tmp/PROJECT/chats/session-*.jsonl`, or one JSON document of old.

A record is written again, whole, under its id when it changes. `$set` replaces fields, its
`messages` the whole context; `$rewindTo` cuts from a record on, and an id that is not there clears
everything.
"""

from __future__ import annotations

from typing import Any, Final

from spanscope.importers.blocks import first_line
from spanscope.importers.builder import AGENT
from spanscope.importers.files import Files, Refusal
from spanscope.importers.gemini_chats import SPOKEN, Chat
from spanscope.importers.gemini_records import output
from spanscope.importers.lines import LineImporter
from spanscope.importers.values import Row, compact, mapping, moment, objects, string

_FIELDS: Final = frozenset(
    """
    content displayContent id model thoughts timestamp tokens toolCalls type $set $rewindTo
    sessionId projectHash startTime lastUpdated kind messages summary directories memoryScratchpad
    """.split()  # noqa: SIM905 words read better than a list of strings
)
_WHOLE: Final = frozenset(("file_path", "absolute_path"))
"""Arguments of a reading tool that ask for all of a file."""
_REFUSALS: Final[tuple[tuple[str, Refusal], ...]] = (
    ("0 occurrences found", "missing"),
    ("could not find the string to replace", "missing"),
    ("ould not find an exact match", "missing"),
    ("occurrence but found", "ambiguous"),
    ("occurrences but found", "ambiguous"),
)


class Gemini(LineImporter):
    """Reads one chat, with those of its sub-agents."""

    name = "gemini"

    def __init__(self) -> None:
        super().__init__()
        self._chats: dict[int, Chat] = {}
        self._sessions: dict[str | None, Chat] = {}
        self._actors: set[str] = set()
        self._files = Files(self.builder)
        self._done: set[str] = set()

    def time_of(self, value: Any) -> str | None:
        """When a row was written: a record that is written again has the time of its first one."""
        if not isinstance(value, dict):
            return None
        calls = (moment(call.get("timestamp")) for call in objects(value, "toolCalls"))
        first = moment(value.get("timestamp") or value.get("startTime"))
        return max((time for time in (first, *calls) if time is not None), default=None)

    def row(self, row: Row) -> None:
        """A header, a record, a change or a rewind."""
        self.summary.fields(row, _FIELDS)
        chat = self._chat(row)
        self.builder.actor = chat.actor
        self._tell(chat, row)
        self.builder.actor = AGENT

    def _chat(self, row: Row) -> Chat:
        """The chat that a file is of: by its header, the one of its session or a sub-agent's."""
        if not self.builder.started:
            self._header(row)
        if self.part not in self._chats:
            session, below = string(row, "sessionId"), string(row, "kind") == "subagent"
            found = None if below else self._sessions.get(session)
            if found is None:
                found = self._begin(session, below=below)
                self._chats[self.part] = self._sessions[session] = found
                return found
            self._chats[self.part] = found
        chat = self._chats[self.part]
        if "sessionId" in row and "messages" not in row:
            chat.resuming = True
        return chat

    def _begin(self, session: str | None, *, below: bool) -> Chat:
        """A chat whose actor is told by the beginning of its id, each once; the first is plain."""
        if not self._chats:
            return Chat(self.builder, self.summary, AGENT)
        name = f"{'subagent' if below else AGENT}:{(session or str(self.part))[:8]}"
        count = 1
        while (actor := name if count == 1 else f"{name}.{count}") in self._actors:
            count += 1
        self._actors.add(actor)
        return Chat(self.builder, self.summary, actor)

    def _tell(self, chat: Chat, row: Row) -> None:
        if "$set" in row:
            if "messages" in mapping(row, "$set"):
                chat.is_set(row, list(objects(row["$set"], "messages")))
            return
        self.builder.at(self.time_of(row))
        if "$rewindTo" in row:
            chat.resumed()
            chat.rewind(row["$rewindTo"])
        elif string(row, "id") is not None:
            chat.resumed()
            self._record(chat, row)
        elif "messages" in row:
            for record in objects(row, "messages"):
                self.builder.at(self.time_of(record))
                self._record(chat, record)
        elif "sessionId" not in row:
            self.summary.unknown_row("neither a record nor a change")

    def _record(self, chat: Chat, row: Row) -> None:
        chat.record(row)
        if string(row, "type") in SPOKEN:
            self._tools(row)

    def end(self) -> None:
        """The files end, also in the middle of a resume."""
        for chat in self._chats.values():
            self.builder.actor = chat.actor
            chat.resumed()
        self.builder.actor = AGENT

    def _header(self, row: Row) -> None:
        self.builder.header(
            string(row, "sessionId") or "chat",
            "gemini-cli",
            source=self.name,
            identity="the record's id; its calls and results by the call's id",
            records=("reads",),
            time=row.get("startTime") or row.get("timestamp"),
        )

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
            if string(call, "name") == "read_file" and given.keys() <= _WHOLE:
                self._files.shown(path, output(call.get("result")))
            else:
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
