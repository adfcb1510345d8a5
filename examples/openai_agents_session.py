"""An OpenAI Agents SDK agent with a session that folds old items away, recorded.

    python examples/openai_agents_session.py [--unsafe] [JOURNAL]

Needs `pip install '.[openai-agents]'`. A support agent looks a price list up, notes where in it a
price stands, and goes on talking until its session folds what is old into a summary. Asked again,
the careful agent has given its note up with the text, and looks once more; with `--unsafe` it
quotes from the note. The model is a stand-in, so that it runs anywhere; look at the journal with
`spanscope open`.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from agents import Agent, Runner, SQLiteSession, function_tool, set_tracing_disabled
from agents.testing import ScriptedModel, assistant_message, function_call

from spanscope import JournalError, Recorder
from spanscope.integrations.openai_agents import RecordingSession

PRICES = "Basic: 9 EUR a month. Team: 29 EUR a month. Business: 99 EUR a month."
PRICE = "29 EUR a month"
KEPT = 3


@function_tool
def price_list() -> str:
    """What every plan costs."""
    return PRICES


class FoldingSession(SQLiteSession):
    """A session that keeps the last items and folds what is older into one.

    The runner calls `run_compaction` after each of its turns; `before_folding` is told then.
    """

    def __init__(self, session_id: str) -> None:
        super().__init__(session_id)
        self.before_folding: Callable[[], None] = lambda: None

    async def run_compaction(self, _arguments: object = None) -> None:
        """Fold what is older than the last items."""
        items = await self.get_items()
        if len(items) > KEPT + 1:
            self.before_folding()
            summary = {"role": "user", "content": "Before: the customer asked for the Team plan."}
            await self.clear_session()
            await self.add_items([summary, *items[-KEPT:]])


class Note:
    """The agent's note of where a price stands: a citation of what the tool gave back."""

    def __init__(self, session: RecordingSession) -> None:
        self._session = session
        self._name = ""

    def take(self, call: str) -> None:
        """Note where the price stands in the result of a call."""
        span = self._session.result_span(call)
        assert span is not None
        start = PRICES.index(PRICE)
        self._name = f"price-in-{span}"
        self._session.recorder.derive(
            self._name, span, "citation", range=(start, start + len(PRICE)), version=0
        )

    def quote(self) -> None:
        """Say the price from the note, wherever the text is by now."""
        self._session.recorder.use(self._name, got=PRICE)

    def drop(self) -> None:
        """The text is about to go, and the note with it."""
        if self._name:
            self._session.recorder.release(self._name)
            self._name = ""


def script(*, unsafe: bool) -> list[Any]:
    """What the model says, turn by turn."""
    look_again = [] if unsafe else [[function_call("price_list", {}, call_id="call-2")]]
    return [
        [function_call("price_list", {}, call_id="call-1")],
        [assistant_message(f"The Team plan is {PRICE}.")],
        [assistant_message("Yes, you can change plans later.")],
        *look_again,
        [assistant_message(f"As I said: {PRICE}.")],
    ]


async def run(recorder: Recorder, *, unsafe: bool) -> str:
    """Three questions; the agent's last answer."""
    set_tracing_disabled(disabled=True)
    model = ScriptedModel(script(unsafe=unsafe))
    agent = Agent(name="Support", instructions="Be brief.", model=model, tools=[price_list])
    history = FoldingSession("customer-1")
    session = RecordingSession(history, recorder)
    note = Note(session)
    if not unsafe:
        history.before_folding = note.drop

    await Runner.run(agent, "What is the Team plan?", session=session, hooks=session.hooks)
    note.take("call-1")
    note.quote()
    await Runner.run(agent, "Can I change later?", session=session, hooks=session.hooks)
    told = await Runner.run(agent, "How much was it?", session=session, hooks=session.hooks)
    if not unsafe:
        note.take("call-2")
    note.quote()
    return str(told.final_output)


def main() -> None:
    """Run it, recording to the path given or into the state folder."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("journal", nargs="?", type=Path)
    parser.add_argument("--unsafe", action="store_true", help="quote from a note of what is gone")
    options = parser.parse_args()
    with Recorder.open("support-agent", options.journal) as recorder:
        print(asyncio.run(run(recorder, unsafe=options.unsafe)))
        print(f"journal: {recorder.path}")


if __name__ == "__main__":
    try:
        main()
    except JournalError as error:
        sys.exit(str(error))
