"""Claude Code transcripts: `~/.claude/projects/<folder>/<sessionId>.jsonl`, one row a line.

A row with a `uuid` is one step of a conversation; a message is one or more rows. Sub-agents are
actors with a store of their own, whether their rows stand in the same file or in files beside it.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from spanscope.importers.blocks import (
    CALL,
    RESULT,
    THINKING,
    Block,
    blocks_of,
    first_line,
    message_text,
)
from spanscope.importers.builder import AGENT, CONTEXT, Wanted
from spanscope.importers.claude_requests import Requests, SaidRow, Told
from spanscope.importers.claude_rows import FIELDS, IGNORED, KNOWN_ATTACHMENTS
from spanscope.importers.claude_threads import Node, Thread
from spanscope.importers.claude_tools import Call, file_shown, tool_finished
from spanscope.importers.files import Files
from spanscope.importers.lines import LineImporter
from spanscope.importers.values import Row, mapping, objects, sequence, string, strings
from spanscope.journal import events

_REMINDER: Final = re.compile(r"\A<system-reminder>\n?(.*?)\n?</system-reminder>\Z", re.DOTALL)
_COMMANDS: Final = ("<command-", "<local-command-")


class ClaudeCode(LineImporter):
    """Reads the rows of one session."""

    name = "claude-code"

    def __init__(self) -> None:
        super().__init__()
        self._nodes: dict[str, Node] = {}
        self._threads: dict[str, Thread] = {}
        self._actors: dict[str, str] = {}
        self._agents: dict[str, str] = {}
        self._calls: dict[str, Call] = {}
        self._files = Files(self.builder)
        self._told = Told()
        self._requests: dict[str, Requests] = {}
        self._rendered: set[str] = set()

    def row(self, row: Row) -> None:
        """One row of the transcript."""
        self._start(row)
        self.summary.fields(row, FIELDS)
        kind = string(row, "type") or ""
        handler = _ROWS.get(kind)
        if handler is not None:
            handler(self, row)
        elif kind not in IGNORED:
            self.summary.unknown_row(kind or "without a type")

    def end(self) -> None:
        """The file ends: what waited for more rows takes effect."""
        for actor, thread in self._threads.items():
            self.builder.actor = actor
            thread.flush()
        self.builder.actor = AGENT

    def _start(self, row: Row) -> None:
        session = string(row, "sessionId")
        if self.builder.started or (session is None and "uuid" not in row):
            return
        agent = string(row, "agentId") if row.get("isSidechain") is True else None
        self.builder.header(
            f"{session or 'session'}{'' if agent is None else f'/{agent}'}",
            "claude-code",
            source=self.name,
            identity="the row's uuid",
            records=("reads",),
            time=row.get("timestamp"),
            version=string(row, "version"),
            forked_from=string(mapping(row, "forkedFrom"), "sessionId"),
        )

    # Conversations

    def _thread(self, row: Row) -> Thread:
        """The conversation that a row belongs to; the builder writes as its actor from here."""
        actor = AGENT
        if row.get("isSidechain") is True:
            agent = string(row, "agentId")
            parent = string(row, "parentUuid")
            actor = self._actors.get(parent or "", AGENT) if agent is None else f"subagent:{agent}"
            if agent is None and actor == AGENT:
                actor = f"subagent:{(string(row, 'uuid') or '?')[:8]}"
            if agent is not None:
                self._agents[agent] = actor
        uuid = string(row, "uuid")
        if uuid is not None:
            self._actors[uuid] = actor
        self.builder.actor = actor
        if actor not in self._threads:
            store = CONTEXT if actor == AGENT else actor
            self._threads[actor] = Thread(self.builder, self.summary, store, self._nodes)
        return self._threads[actor]

    def _node(self, row: Row, role: str) -> Node:
        uuid = string(row, "uuid") or f"row:{self.summary.rows}"
        return Node(uuid, string(row, "parentUuid"), role, row.get("timestamp"))

    def _user(self, row: Row) -> None:
        thread, node = self._thread(row), self._node(row, "user")
        content = mapping(row, "message").get("content")
        blocks = blocks_of(content)
        if row.get("isCompactSummary") is True:
            node.summary = True
        self._spans(node, blocks, thread, "user")
        results = [block for block in blocks if block.kind == RESULT]
        node.answers = tuple(block.pair for block in results if block.pair is not None)
        if results and not node.answers:
            node.spans = [self._answer_of_row(wanted, row) for wanted in node.spans]
        human = not results and row.get("isMeta") is not True and not node.summary
        if human and self.builder.actor == AGENT:
            text = message_text(content)
            node.turn = None if text.startswith(_COMMANDS) else first_line(text)
        fresh = node.uuid not in self._nodes
        thread.take(node)
        self._say("user", None, content, node)
        if fresh:
            self._tools(row, content)

    def _answer_of_row(self, wanted: Wanted, row: Row) -> Wanted:
        """Older rows name the assistant's row instead of the call."""
        source = self._nodes.get(string(row, "sourceToolAssistantUUID") or "")
        calls = [] if source is None else list(source.calls.values())
        return wanted._replace(answers=calls[0]) if len(calls) == 1 else wanted

    def _assistant(self, row: Row) -> None:
        thread, node = self._thread(row), self._node(row, "assistant")
        message = mapping(row, "message")
        if row.get("isApiErrorMessage") is True:
            thread.take(node)
            self.builder.mark("note", first_line(message_text(message.get("content"))))
            return
        node.message = string(message, "id")
        # What the program says in the model's place was no call, and the next call is shown it.
        made_up = string(message, "model") == "<synthetic>"
        node.called = made_up or (string(row, "requestRef") or "") in self._rendered
        content = message.get("content")
        self._spans(node, blocks_of(content), thread, "assistant")
        self._retracted(thread, row, "supersedesUuids")
        for block in objects(message, "content"):
            id, name = string(block, "id"), string(block, "name")
            if id is not None and name is not None:
                self._calls[id] = Call(id, name, mapping(block, "input"))
        thread.take(node)
        self._say("assistant", node.message, content, node)

    def _spans(self, node: Node, blocks: list[Block], thread: Thread, role: str) -> None:
        """One span a block: a row with one block is that span, others count theirs."""
        for index, block in enumerate(blocks):
            name = node.uuid if len(blocks) == 1 else f"{node.uuid}/{index}"
            origin, answers, who = None, None, role
            if block.kind == CALL:
                node.calls[block.pair or name] = name
                origin = "tool-call"
            elif block.kind == RESULT:
                answers = thread.calls.get(block.pair or "")
                origin, who = "tool-result", "tool"
            elif block.kind == THINKING:
                origin = "thinking"
            if node.summary:
                origin = "summary"
            node.spans.append(Wanted(name, block.text, who, answers, origin))

    def _say(self, role: str, message: str | None, content: object, node: Node) -> None:
        """Tell the request journal what this row says."""
        self._requests_of(self.builder.actor).said(SaidRow(role, message, content, node.spans))

    def _requests_of(self, actor: str) -> Requests:
        """The requests of a conversation."""
        if actor not in self._requests:
            store, prefix = (CONTEXT, "") if actor == AGENT else (actor, f"{actor}/")
            self._requests[actor] = Requests(self.builder, self.summary, self._told, store, prefix)
        return self._requests[actor]

    def _tools(self, row: Row, content: object) -> None:
        for block in content if isinstance(content, list) else []:
            id = string(block, "tool_use_id")
            if string(block, "type") != "tool_result":
                continue
            failed = isinstance(block, dict) and block.get("is_error") is True
            error = blocks_of([block])[0].text if failed else None
            tool_finished(self._files, self._calls.get(id or ""), row, error)

    # Other rows

    def _attachment(self, row: Row) -> None:
        thread, node = self._thread(row), self._node(row, "attachment")
        attachment = mapping(row, "attachment")
        kind = string(attachment, "type") or ""
        if kind not in KNOWN_ATTACHMENTS:
            self.summary.unknown_row(f"attachment {kind}")
        text = _rendered(row)
        role = string(row, "renderedRole") or "user"
        if text is None and kind == "queued_command":
            text = string(attachment, "prompt")
        if text is not None:
            node.spans = [Wanted(node.uuid, text, role, None, f"attachment:{kind}")]
        fresh = node.uuid not in self._nodes
        thread.take(node)
        path = string(attachment, "filename")
        if fresh and kind == "file":
            content = mapping(attachment, "content")
            file_shown(self._files, mapping(content, "file"))
        elif fresh and kind == "edited_text_file" and path is not None:
            self.builder.at(row.get("timestamp"))
            self._files.noticed(path)

    def _system(self, row: Row) -> None:
        thread, node = self._thread(row), self._node(row, "system")
        kind = string(row, "subtype")
        if kind == "compact_boundary":
            facts = mapping(row, "compactMetadata")
            preserved = mapping(facts, "preservedMessages")
            kept = strings(preserved, "uuids") if preserved else None
            segment = mapping(facts, "preservedSegment")
            ends = [string(segment, "headUuid") or "", string(segment, "tailUuid") or ""]
            thread.boundary(node, kept, ends if segment else [])
            return
        thread.take(node)
        self._retracted(thread, row, "retractedMessageUuids")
        if kind == "microcompact_boundary":
            self.builder.at(row.get("timestamp"))
            thread.forget_calls(strings(mapping(row, "microcompactMetadata"), "compactedToolIds"))

    def _retracted(self, thread: Thread, row: Row, field: str) -> None:
        """Rows that the program took back itself."""
        gone = strings(row, field)
        if gone:
            self.builder.at(row.get("timestamp"))
            thread.retract(gone)

    def _progress(self, row: Row) -> None:
        if string(row, "uuid") is not None:
            self._thread(row).take(self._node(row, "progress"))

    def _snapshot(self, row: Row) -> None:
        """A file-history snapshot: the user can rewind files to here."""
        message = string(row, "messageId")
        if message is not None and row.get("isSnapshotUpdate") is not True:
            tracked = mapping(mapping(row, "snapshot"), "trackedFileBackups")
            self.builder.actor = AGENT
            self.builder.at(mapping(row, "snapshot").get("timestamp"))
            self.builder.add(
                events.Checkpoint,
                checkpoint=f"files:{message}",
                meta={"files": sorted(tracked)} if tracked else None,
            )

    def _replacement(self, row: Row) -> None:
        count = len(sequence(row, "replacements"))
        self.summary.untold["tool results were shown to the model shortened"] += count

    def _request(self, row: Row) -> None:
        agent, id = string(row, "agentId"), string(row, "id")
        self.builder.actor = self._agents.get(agent or "", AGENT)
        if self._requests_of(self.builder.actor).request(row) and id is not None:
            self._rendered.add(id)


def _rendered(row: Row) -> str | None:
    """What an attachment says to the model; null where the row does not tell."""
    texts = [message_text(part.get("content")) for part in objects(row, "rendered")]
    if not texts:
        return None
    text = "\n".join(texts)
    found = _REMINDER.match(text) if string(row, "renderedRole") == "system" else None
    return text if found is None else found.group(1)


_ROWS: Final[dict[str, Callable[[ClaudeCode, Row], None]]] = {
    "user": ClaudeCode._user,
    "assistant": ClaudeCode._assistant,
    "attachment": ClaudeCode._attachment,
    "system": ClaudeCode._system,
    "progress": ClaudeCode._progress,
    "file-history-snapshot": ClaudeCode._snapshot,
    "content-replacement": ClaudeCode._replacement,
    "api-request": ClaudeCode._request,
    "api-request-shape": lambda importer, row: importer._told.shape(row),
    "api-request-blob": lambda importer, row: importer._told.blob(row),
}
