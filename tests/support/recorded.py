"""Sessions that the real programs wrote, and what they asked the scripted model meanwhile."""

from __future__ import annotations

import json
import re
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any, Final

from spanscope.importers.blocks import blocks_of, call_text, message_text, result_text
from spanscope.journal import events
from support.importing import Imported

FIXTURES: Final = Path(__file__).parents[1] / "importers" / "fixtures"


def rows_of(file: str) -> list[Any]:
    """The rows of a fixture."""
    text = (FIXTURES / file).read_text(encoding="utf-8")
    return [json.loads(line) for line in text.split("\n") if line]


def requests(folder: str) -> list[Any]:
    """What the model was asked."""
    return rows_of(f"{folder}/requests.jsonl")


def shown_at_calls(
    done: Imported, without: str = "", actor: str = "agent"
) -> list[list[str | None]]:
    """The texts in an actor's context at each model call, or its render's; one call left out."""
    store = "context" if actor == "agent" else actor
    state = done.history.state
    found: list[list[str | None]] = []
    renders = 0
    for event in (each for each in done.history.events if each.actor == actor):
        if isinstance(event, events.Render):
            found.append(done.shown(renders))
            renders += 1
        elif isinstance(event, events.Mark) and (event.kind, event.label != without) == (
            "llm",
            True,
        ):
            spans = [state.span_at(name, event.seq) for name in state.order_at(event.seq)]
            found.append([s.node.text for s in spans if s is not None and s.store == store])
    return found


def shown_in_renders(done: Imported) -> list[list[str | None]]:
    """The texts that Claude Code's calls were shown, without system prompts and tools."""
    first = re.compile(r"(\w+:\w+/)?(system/\d+|tools)")
    found = []
    for number, render in enumerate(done.events("render")):
        pairs = zip(render.items, done.shown(number), strict=True)
        found.append([text for item, text in pairs if not first.fullmatch(item.span)])
    return found


def asked_by_claude_code(folder: str) -> list[list[str]]:
    """The texts that the model was asked with, without the calls that the transcript leaves out."""
    asked = [
        [block.text for message in each["messages"] for block in blocks_of(message["content"])]
        for each in requests(folder)
    ]
    # Those are the calls by which a compaction makes its summary.
    question = "CRITICAL: Respond with TEXT ONLY"
    return [texts for texts in asked if not texts[-1].startswith(question)]


def asked_by_codex(folder: str, instructions: int = 1) -> list[list[str]]:
    """The same of Codex, which sends its instructions in so many messages."""
    asked = [[_of_codex(item) for item in each["input"]] for each in requests(folder)]
    # The rollout keeps neither the instructions as they were sent nor a compaction's question.
    question = "You are performing a CONTEXT CHECKPOINT"
    told = [texts[instructions:] for texts in asked]
    return [[text for text in texts if not text.startswith(question)] for texts in told]


def asked_by_gemini(folder: str) -> list[list[str]]:
    """The same of Gemini CLI."""
    asked = [
        [_of_gemini(part) for content in each["contents"] for part in content["parts"]]
        for each in requests(folder)
    ]
    # The chat does not keep the calls by which a compaction makes and checks its summary.
    aside = ("Generate a new <state_snapshot>", "Critically evaluate the <state_snapshot>")
    return [texts for texts in asked if not texts[-1].startswith(aside)]


def asked_by_opencode(folder: str) -> list[list[str]]:
    """The same of opencode."""
    asked = [
        [text for each in request["messages"][1:] for text in of_chat(each)]
        for request in requests(folder)
    ]
    # The database keeps neither the system prompt nor what a title or a summary is made from.
    return [texts for texts in asked if not texts[0].startswith(("Generate a title", "Here is"))]


def _of_codex(item: Any) -> str:
    if "content" in item:
        return message_text(item["content"])
    if item["type"].endswith("_output"):
        return result_text(item["output"])
    return call_text(item["name"], item.get("arguments", item.get("input")))


def _of_gemini(part: Any) -> str:
    if "text" in part:
        return str(part["text"])
    if "functionCall" in part:
        return call_text(part["functionCall"]["name"], part["functionCall"]["args"])
    said = part["functionResponse"]["response"]
    return str(said.get("output", said.get("error")))


def of_chat(message: Any) -> list[str]:
    """The texts of a message in the shape of OpenAI's chat."""
    calls = [call["function"] for call in message.get("tool_calls", ())]
    said = [message_text(message["content"])] if message.get("content") else []
    return said + [call_text(call["name"], call["arguments"]) for call in calls]


def made_from_sql(folder: str, path: Path) -> Path:
    """The database that is kept as SQL."""
    with closing(sqlite3.connect(path)) as connection:
        dump = (FIXTURES / folder / "database.sql").read_text(encoding="utf-8")
        connection.executescript(f"BEGIN;{dump}COMMIT;")
    return path
