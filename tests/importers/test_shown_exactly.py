"""What the model was shown is what the program sent, where the source lets that be checked.

A made-up program keeps its own list of what it sends and writes the rows that Claude Code or a
trace writes beside it; the renders of the import must be that list.
"""

from __future__ import annotations

import json
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from support.claude import Transcript, digest
from support.importing import Imported, import_rows

from spanscope.importers.blocks import block_of
from spanscope.importers.otel import Otel

Message = dict[str, Any]
FEWER = settings(max_examples=settings().max_examples // 5)
TEXT = st.sampled_from(("Hi", "x" * 200, " padded\n", "<b>ü</b>", "sha256:" + "0" * 64, ""))
CLEARED = "[Old tool result content cleared]"


def texts(message: Message) -> list[str]:
    content = message["content"]
    blocks = [{"type": "text", "text": content}] if isinstance(content, str) else content
    return [block_of(block).text for block in blocks]


class Program:
    """Talks and logs as Claude Code does: rows, and requests by the hashes of their messages."""

    def __init__(self) -> None:
        self.session = Transcript()
        self.sent: list[list[Message]] = []
        self._list: list[Message] = []
        self._rows: list[str] = []
        self._logged: list[str] = []
        self._known: set[str] = set()
        self._calls = 0

    def prompt(self, text: str) -> None:
        self._rows.append(self.session.user(text))
        self._add("user", [{"type": "text", "text": text}])

    def answer(self, said: list[str], calls: int) -> None:
        """A request, and a message in as many rows as it has blocks; then the results."""
        self.request()
        name = f"m{len(self.sent)}"
        blocks: list[Message] = []
        for text in said:
            row = self.session.says(text, name)
            blocks.append({"type": "text", "text": text})
            self._rows.append(row)
        asked = []
        for _ in range(calls):
            self._calls += 1
            id = f"t{self._calls}"
            asked.append(id)
            self._rows.append(self.session.calls(id, "Bash", name, command="ls"))
            call = {"type": "tool_use", "id": id, "name": "Bash", "input": {"command": "ls"}}
            blocks.append(call)
        self._add("assistant", blocks)
        for id in asked:
            self._rows.append(self.session.result(id, f"output of {id}"))
            result = {"type": "tool_result", "tool_use_id": id, "content": f"output of {id}"}
            self._add("user", [result])

    def clear(self) -> None:
        """All results are sent cleared from here; rows stay as they are."""
        for message in self._list:
            for index, block in enumerate(message["content"]):
                if block["type"] == "tool_result":
                    message["content"][index] = {**block, "content": CLEARED}

    def compact(self) -> None:
        summary = f"Summary {len(self.sent)}."
        self._rows = [self.session.compaction(summary, [])]
        self._list = [{"role": "user", "content": [{"type": "text", "text": summary}]}]

    def _add(self, role: str, blocks: list[Message]) -> None:
        last = self._list[-1] if self._list else None
        if last is not None and last["role"] == role == "user":
            last["content"] = [*last["content"], *blocks]
        else:
            self._list.append({"role": role, "content": blocks})

    def request(self) -> None:
        """Log what is sent now, by what it shares with the request before."""
        now = [{**message, "content": list(message["content"])} for message in self._list]
        self.sent.append(now)
        names = [digest(message) for message in now]
        keep = 0
        while keep < min(len(names), len(self._logged)) and names[keep] == self._logged[keep]:
            keep += 1
        for name, message in zip(names[keep:], now[keep:], strict=True):
            if CLEARED in json.dumps(message) and name not in self._known:
                self._known.add(name)
                blob = {"type": "api-request-blob", "hash": name, "message": message}
                self.session.rows.append({**blob, "sessionId": "s1"})
        row: Message = {"type": "api-request", "id": f"r{len(self.sent)}", "keep": keep}
        if self._logged:
            row["base"] = f"r{len(self.sent) - 1}"
        facts = {"sessionId": "s1", "querySource": "sdk", "timestamp": self.session.time()}
        self.session.rows.append({**row, "tail": names[keep:], **facts})
        self._logged = names


STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("prompt"), TEXT),
        st.tuples(st.just("answer"), st.lists(TEXT, min_size=1, max_size=2), st.integers(0, 2)),
        st.tuples(st.just("clear")),
        st.tuples(st.just("compact")),
    ),
    max_size=12,
)


def shown(done: Imported, number: int) -> list[str | None]:
    return done.shown(number)


@FEWER
@given(STEPS)
def test_requests_of_claude_code_are_rebuilt_from_rows_and_hashes(steps: list[Any]) -> None:
    program = Program()
    program.prompt("Begin")
    for name, *arguments in steps:
        getattr(program, name)(*arguments)
    program.request()
    done = program.session.imported()
    assert len(done.events("render")) == len(program.sent)
    for number, messages in enumerate(program.sent):
        assert shown(done, number) == [text for each in messages for text in texts(each)]
    assert done.summary.untold == {}


PART = st.one_of(
    st.builds(lambda text: {"type": "text", "content": text}, TEXT.filter(bool)),
    st.builds(
        lambda id: {"type": "tool_call", "id": id, "name": "ls", "arguments": {}},
        st.sampled_from("xyz"),
    ),
    st.builds(
        lambda id, text: {"type": "tool_call_response", "id": id, "response": text},
        st.sampled_from("xyz"),
        TEXT,
    ),
)
GIVEN = st.lists(
    st.builds(
        lambda role, parts: {"role": role, "parts": parts},
        st.sampled_from(("user", "assistant", "system")),
        st.lists(PART, min_size=1, max_size=3),
    ),
    min_size=1,
    max_size=6,
)


@FEWER
@given(st.lists(GIVEN, min_size=1, max_size=5))
def test_calls_of_a_trace_are_shown_as_they_were_captured(lists: list[list[Message]]) -> None:
    spans = []
    for number, messages in enumerate(lists):
        found = {
            "gen_ai.operation.name": "chat",
            "gen_ai.input.messages": json.dumps(messages),
            "gen_ai.conversation.id": "one",
        }
        pairs = [{"key": key, "value": {"stringValue": text}} for key, text in found.items()]
        ids = {"traceId": "t", "spanId": str(number), "startTimeUnixNano": str(number)}
        spans.append({**ids, "attributes": pairs})
    done = import_rows(Otel(), spans)
    for number, messages in enumerate(lists):
        said = [block_of(part).text for message in messages for part in message["parts"]]
        assert done.shown(number) == said
