"""Healthy sessions of each format, however long, give nothing above info.

They are made by chance: what the programs do in the order in which they could do it.
`SPANSCOPE_SESSIONS=200` tries as many of each format.
"""

from __future__ import annotations

import os
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from support.claude import Transcript
from support.codex import Rollout
from support.gemini import Chat, call, edited
from support.importing import Imported, check_followed, import_rows, read_whole
from support.langgraph import Thread, ai, human, removal, tool
from support.opencode import Database

from spanscope.importers.builder import JournalBuilder
from spanscope.importers.otel import Otel
from spanscope.importers.requests import Requests
from spanscope.importers.source import open_source

SEEDS = range(int(os.environ.get("SPANSCOPE_SESSIONS", "5")))
STEPS = 60
Row = dict[str, Any]


class Chance(random.Random):
    """Choices, and ids that are never given twice."""

    count = 0

    def id(self, kind: str) -> str:
        """A new id."""
        self.count += 1
        return f"{kind}{self.count}"

    def text(self) -> str:
        """Something that is said."""
        return " ".join(self.choices(("limit", "quota", "retry", "the", "is", "100"), k=6))


class Coding:
    """A session of Claude Code's, a step at a time."""

    def __init__(self, chance: Chance) -> None:
        self.chance = chance
        self.session = Transcript()
        self.files = {f"/p/{name}.py": f"{name} = 1\nlast = 2\n" for name in "abc"}
        self.session.user("Begin")
        self.answers = [self.session.says("Begun.")]

    def prompt(self) -> None:
        self.session.user(self.chance.text())

    def read(self) -> None:
        path = self.chance.choice(list(self.files))
        self.session.read(self.chance.id("t"), path, self.files[path])

    def edit(self) -> None:
        path = self.chance.choice(list(self.files))
        before = self.files[path]
        old, new = before.split("\n")[0], f"{path[3]} = {self.chance.id('')}"
        self.session.edit(self.chance.id("t"), path, before, old, new)
        self.files[path] = before.replace(old, new)

    def call_in_parallel(self) -> None:
        calls = [self.chance.id("t") for _ in range(3)]
        message = self.chance.id("m")
        rows = [self.session.calls(id, "Bash", message, command="ls") for id in calls]
        for id, row in zip(calls, rows, strict=True):
            self.session.result(id, self.chance.text(), parent=row)

    def write_beside(self) -> None:
        path = self.chance.choice(list(self.files))
        self.files[path] += f"{self.chance.text()}\n"
        notice = {"type": "edited_text_file", "filename": path, "snippet": "..."}
        self.session.add("attachment", attachment=notice)

    def compact(self) -> None:
        self.prompt()
        said = [self.session.says(self.chance.text()) for _ in range(self.chance.randrange(3))]
        self.session.compaction(self.chance.text(), said)
        self.answers = [*said, self.session.says("I go on.")]

    def rewind(self) -> None:
        self.session.user(self.chance.text(), parent=self.chance.choice(self.answers[-3:]))

    def delegate(self) -> None:
        main, agent = self.session.head, self.chance.id("agent")
        self.session.user(self.chance.text(), parent=None, isSidechain=True, agentId=agent)
        self.session.says(self.chance.text(), isSidechain=True, agentId=agent)
        self.session.head = main

    def note(self) -> None:
        self.session.rows.append({"type": "queue-operation", "sessionId": "s1", "content": "x"})
        self.session.add("progress", data={"type": "hook"})


def claude_code(chance: Chance, _: Path) -> Imported:
    """Prompts, reads, edits, parallel calls, notices, compactions, rewinds, sub-agents."""
    coding = Coding(chance)
    steps = [coding.prompt, coding.read, coding.edit, coding.call_in_parallel, coding.write_beside]
    rare = [coding.compact, coding.rewind, coding.delegate, coding.note]
    for _step in range(STEPS):
        chance.choice(rare if chance.random() < 0.2 else steps)()
        coding.answers.append(coding.session.says(chance.text()))
    return coding.session.imported()


def codex(chance: Chance, _: Path) -> Imported:
    """Turns, commands, patches, compactions, turns taken back."""
    thread = Rollout(legacy=chance.random() < 0.3)
    users = [thread.turn("Begin")]
    value = 1
    held: dict[int, int] = {}
    for _step in range(STEPS):
        what = chance.randrange(7)
        if what == 0:
            held[len(users)] = value
            users.append(thread.turn(chance.text()))
        elif what == 1:
            thread.tool(chance.id("c"), "shell", '{"cmd": "ls"}', chance.text())
        elif what == 2:
            hunk = f"-alpha = {value}\n+alpha = {value + 1}\n beta = 2\n"
            thread.patch(chance.id("c"), hunk, "ok")
            value += 1
        elif what == 3 and chance.random() < 0.4:
            text = chance.text()
            kept = users[-2:]
            thread.compacted(text, [*kept, thread.summary(text)])
            users = kept
            held.clear()
        elif what == 4 and len(users) > 1:
            # Whether a person puts the files back too, no row tells.
            back = chance.randrange(1, len(users))
            thread.row("event_msg", {"type": "thread_rolled_back", "num_turns": back})
            del users[-back:]
            if chance.random() < 0.5:
                value = held.get(len(users), value)
            users.append(thread.turn(chance.text()))
        thread.message("assistant", chance.text())
    return thread.imported()


def gemini(chance: Chance, _: Path) -> Imported:
    """Records that come again, edits, compressions, rewinds, resumes."""
    chat = Chat()
    context = [chat.user(chance.id("u"), "Begin")]
    text = "alpha = 1\nbeta = 2\n"
    for _step in range(STEPS):
        what = chance.randrange(7)
        if what == 0:
            context.append(chat.user(chance.id("u"), chance.text()))
        elif what == 1:
            id, name = chance.id("g"), chance.id("c")
            chat.says(id, "", call(name, "run_shell_command", status="executing"))
            done = call(name, "run_shell_command", chance.text())
            context.append(chat.says(id, "", done))
        elif what == 2:
            first = text.split("\n", maxsplit=1)[0]
            after = text.replace(first, f"alpha = {chance.id('')}")
            change = {"old_string": first, "new_string": after.split("\n")[0]}
            record = chat.says(chance.id("g"), "", edited(chance.id("c"), text, after, **change))
            context.append(record)
            text = after
        elif what == 3 and chance.random() < 0.3:
            summary = {"id": chance.id("s"), "type": "user", "content": chance.text()}
            context = [summary, *context[-2:]]
            chat.set(*context)
        elif what == 4 and len(context) > 4 and chance.random() < 0.3:
            at = chance.randrange(len(context) - 3, len(context))
            chat.rewind(context[at]["id"])
            context = context[:at]
        elif what == 5 and chance.random() < 0.2:
            chat.header()
            chat.set(context[0])
            chat.set(*context)
        context.append(chat.says(chance.id("g"), chance.text()))
    return chat.imported()


def message_lists(chance: Chance) -> list[list[Row]]:
    """A conversation's requests: it grows, is cleared and is compacted."""
    messages: list[Row] = [{"role": "system", "content": "Be brief."}]
    lists = []
    for _step in range(STEPS // 2):
        what = chance.randrange(5)
        messages.append({"role": "user", "content": f"{chance.text()} {chance.id('')}"})
        if what < 3:
            id = chance.id("c")
            asked = [{"id": id, "function": {"name": "ls", "arguments": "{}"}}]
            messages.append({"role": "assistant", "content": None, "tool_calls": asked})
            output = f"{chance.text()} {id}"
            messages.append({"role": "tool", "tool_call_id": id, "content": output})
        elif what == 3:
            messages = [
                {**each, "content": "[cleared]"} if each["role"] == "tool" else each
                for each in messages
            ]
        elif len(messages) > 12:
            start = max(n for n, each in enumerate(messages) if each["role"] == "user")
            summary = {"role": "user", "content": f"Summary {chance.id('')}"}
            messages = [messages[0], summary, *messages[start:]]
        lists.append(list(messages))
        messages.append({"role": "assistant", "content": f"{chance.text()} {chance.id('')}"})
    return lists


def requests(chance: Chance, _: Path) -> Imported:
    """Several conversations in one log, as they come."""
    logs = [(key, each) for key in "ab" for each in message_lists(chance)]
    rows = [{"messages": each, "session_id": key} for key, each in logs]
    return import_rows(Requests(), rows)


def otel(chance: Chance, _: Path) -> Imported:
    """The same in a trace, with nothing but the messages to tell what goes together."""
    spans = []
    for number, messages in enumerate(message_lists(chance)):
        flat: Row = {"openinference.span.kind": "LLM", "session.id": "s"}
        for index, each in enumerate(messages):
            name = f"llm.input_messages.{index}.message"
            flat[f"{name}.role"] = each["role"]
            flat[f"{name}.content"] = each["content"] or ""
            if "tool_call_id" in each:
                flat[f"{name}.tool_call_id"] = each["tool_call_id"]
            for asked in each.get("tool_calls", ()):
                flat[f"{name}.tool_calls.0.tool_call.id"] = asked["id"]
                flat[f"{name}.tool_calls.0.tool_call.function.name"] = "ls"
        pairs = [{"key": key, "value": {"stringValue": value}} for key, value in flat.items()]
        ids = {"traceId": "t", "spanId": str(number), "startTimeUnixNano": str(10**9 * number)}
        spans.append({**ids, "attributes": pairs})
    return import_rows(Otel(), spans)


def read(path: Path) -> Imported:
    """A database as a journal."""
    source = open_source([path])
    journal = b"".join(source.journal())
    check_followed(source.importer.builder)
    return Imported(journal, read_whole(journal), source.summary)


def langgraph(chance: Chance, folder: Path) -> Imported:
    """A thread that is asked, looks up, cites what it has, trims and summarises."""
    thread = Thread(folder / "checkpoints.db")
    messages: list[Any] = []
    for _step in range(STEPS // 3):
        what = chance.randrange(4)
        if what == 3 and len(messages) > 6:
            summary = {"additional_kwargs": {"lc_source": "summarization"}}
            messages = [human(chance.id("s"), chance.text(), **summary), human(chance.id("h"), "?")]
            written = [removal("__remove_all__"), *messages]
            thread.step({"messages": messages}, [("sum", "messages", written)])
        else:
            asked = human(chance.id("h"), chance.text())
            name, made = chance.id("call"), chance.id("a")
            new = [asked, ai(made, "", name), tool(chance.id("t"), name, chance.text())]
            messages = [*messages, *new]
            thread.step({"messages": messages}, [("model", "messages", new)])
        messages = [*messages, ai(chance.id("a"), chance.text())]
        thread.says(messages)
    return read(thread.path)


def opencode(chance: Chance, folder: Path) -> Imported:
    """Prompts, tools whose output is pruned, compactions, sub-agents."""
    session = Database(folder / "opencode.db").session()
    session.user("Begin")
    for _step in range(STEPS // 2):
        what = chance.randrange(6)
        if what == 0:
            session.user(chance.text())
        elif what == 1:
            message, output = session.message("assistant"), chance.text()
            part = session.part(message, "tool", tool="bash", state={"status": "pending"})
            session.finish(message, part, "bash", {}, output)
            if chance.random() < 0.3:
                session.finish(message, part, "bash", {}, output, time={"compacted": 1})
        elif what == 2 and chance.random() < 0.4:
            session.part(session.message("user"), "compaction", auto=True)
            answer = session.message("assistant", summary=True)
            session.part(answer, "text", text=chance.text())
            done = {"created": 1, "completed": session.database.now}
            session.message("assistant", answer, summary=True, time=done)
        elif what == 3:
            child = session.database.session(chance.id("ses_child"), parent="ses_1")
            child.user(chance.text())
            child.says(chance.text())
        session.says(chance.text())
    session.database.execute("UPDATE session SET time_updated = 999999 WHERE id = 'ses_1'")
    return read(session.database.path)


FORMATS: list[Callable[[Chance, Path], Imported]] = [
    *(claude_code, codex, gemini, requests, otel, langgraph, opencode),
]


@pytest.mark.parametrize("make", FORMATS, ids=lambda make: make.__name__)
@pytest.mark.parametrize("seed", SEEDS)
def test_a_healthy_session_is_silent(
    make: Callable[[Chance, Path], Imported], seed: int, tmp_path: Path
) -> None:
    done = make(Chance(seed), tmp_path)
    assert len(done.history) > STEPS / 2
    assert done.found() == []
    assert done.summary.unknown_rows == {}


@pytest.mark.parametrize("make", FORMATS, ids=lambda make: make.__name__)
@pytest.mark.parametrize("seed", SEEDS)
def test_a_rewind_is_told_alike_with_a_replay_and_without(
    make: Callable[[Chance, Path], Imported],
    seed: int,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    folders = [tmp_path / name for name in ("without", "with")]
    for folder in folders:
        folder.mkdir()
    done = make(Chance(seed), folders[0])
    monkeypatch.setattr(JournalBuilder, "brought_in_since", lambda *_: None)
    assert make(Chance(seed), folders[1]).journal == done.journal
