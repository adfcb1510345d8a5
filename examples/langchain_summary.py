"""A LangChain agent with summarisation, recorded by a middleware.

    python examples/langchain_summary.py [--unsafe] [JOURNAL]

Needs `pip install '.[langchain]'`. The agent reads three files and says what it found; its list is
kept short by LangChain's own summarisation. With `--unsafe` a hook of its own keeps the last three
messages instead, wherever that cuts. The models are stand-ins, so that it runs anywhere; look at
the journal with `spanscope open`.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from langchain.agents import create_agent
from langchain.agents.middleware import SummarizationMiddleware, before_model
from langchain_core.language_models.fake_chat_models import GenericFakeChatModel
from langchain_core.messages import AIMessage, RemoveMessage
from langchain_core.tools import tool
from langgraph.graph.message import REMOVE_ALL_MESSAGES

from spanscope import JournalError, Recorder
from spanscope.integrations.langchain import RecordingMiddleware

FILES = {
    "tests/test_retry.py": "assert elapsed < 0.2  # three attempts, " + "CI is slow today. " * 8,
    "retry/policy.py": "BACKOFF = (0.1, 0.2, 0.4)  # seconds, " + "see the RFC. " * 8,
    "tests/clock.py": "class FakeClock:  # nobody uses it yet, " + "it has sleep(). " * 8,
}
ANSWER = "Three attempts sleep 0.3 s and the test allows 0.2 s: give it the fake clock."
SUMMARY = "test_retry allows 0.2 s; tests/test_retry.py was read."


class ScriptedModel(GenericFakeChatModel):
    """A chat model that says what it was told to, tools or not."""

    def bind_tools(self, _tools: Sequence[Any], **_options: Any) -> ScriptedModel:
        """The script knows the tools already."""
        return self


@tool
def read_file(path: str) -> str:
    """The text of a file of the repository."""
    return FILES[path]


@before_model
def keep_the_last_three(state: Any, _runtime: Any) -> dict[str, Any] | None:
    """What many agents do about a long list: it may part a tool's result from its call."""
    messages = state["messages"]
    if len(messages) <= 3:
        return None
    return {"messages": [RemoveMessage(id=REMOVE_ALL_MESSAGES), *messages[-3:]]}


def script() -> Iterable[AIMessage]:
    """One file after the other, then the answer."""
    for number, path in enumerate(FILES, 1):
        call = {"name": "read_file", "args": {"path": path}, "id": f"call-{number}"}
        yield AIMessage("", tool_calls=[call])
    yield AIMessage(ANSWER)


def run(recorder: Recorder, *, unsafe: bool) -> str:
    """The agent's answer; what its models were shown is in the journal."""
    summarise = SummarizationMiddleware(
        ScriptedModel(messages=iter([AIMessage(SUMMARY)] * 3)),
        trigger=("messages", 5),
        keep=("messages", 3),
    )
    agent = create_agent(
        ScriptedModel(messages=iter(script())),
        [read_file],
        system_prompt="You find out why tests fail.",
        middleware=[keep_the_last_three if unsafe else summarise, RecordingMiddleware(recorder)],
    )
    told = agent.invoke({"messages": [{"role": "user", "content": "Why does test_retry fail?"}]})
    return str(told["messages"][-1].text)


def main() -> None:
    """Run it, recording to the path given or into the state folder."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("journal", nargs="?", type=Path)
    parser.add_argument("--unsafe", action="store_true", help="cut the list anywhere")
    options = parser.parse_args()
    with Recorder.open("langchain-agent", options.journal) as recorder:
        print(run(recorder, unsafe=options.unsafe))
        print(f"journal: {recorder.path}")


if __name__ == "__main__":
    try:
        main()
    except JournalError as error:
        sys.exit(str(error))
