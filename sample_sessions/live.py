"""`python -m spanscope.sample_sessions.live NAME`: an agent that lives through a scenario now.

The scripts of the recordings, by the clock on the wall: each actor (planner, retriever,
summariser and so on) acts in a thread of its own, at a pace that a person can follow, and its
journal goes to the state folder. The unsafe agent only records what it does; the safe one keeps its
context in a `ContextBuffer`. No model and no network.
"""

from __future__ import annotations

import argparse
import os
import signal
import time
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any, Final

from spanscope.buffer.buffer import ContextBuffer
from spanscope.buffer.recorder import Recorder
from spanscope.journal.events import Event, Mark, Render, Session
from spanscope.journal.writer import JournalWriter
from spanscope.sample_sessions import NAMES
from spanscope.sample_sessions.buffered import BufferSession
from spanscope.sample_sessions.build import SCRIPTS
from spanscope.sample_sessions.cast import CALL, CAPTION, PACE, Cast
from spanscope.sample_sessions.clock import Clock
from spanscope.sample_sessions.session import SampleSession, Script, Story

LONGEST_PAUSE: Final = 12
"""No pause of a script lasts longer than so many events."""

_TORN: Final = b'{"type":"splice","seq":'


class WallClock(Clock):
    """The time now; what a script waits for is waited for in short."""

    def __init__(self, pace: float) -> None:
        super().__init__(datetime.now(UTC))
        self._pace = pace

    def __call__(self) -> datetime:
        """The time now."""
        return datetime.now(UTC)

    def pause(self, seconds: float) -> None:
        """A model thinks, a tool runs, a person reads."""
        time.sleep(self._pace * min(seconds, LONGEST_PAUSE))

    def until(self, hour: str) -> None:
        """A late hour is not waited for."""
        del hour
        self.pause(LONGEST_PAUSE)


class LiveRecorder(Recorder):
    """A recorder whose actors write from a thread each, in the order of the script."""

    def __init__(self, writer: JournalWriter, session: Session) -> None:
        super().__init__(writer, session)
        self.actors = Cast()

    def _record(self, struct: type[Event], /, **fields: Any) -> int:
        record = super()._record
        is_caption = struct is Mark and fields.get("kind") == "note"
        length = CAPTION if is_caption else CALL if struct is Render else 1
        actor = fields.get("actor", "agent")
        return self.actors.act(actor, lambda: record(struct, **fields), length=length)

    def close(self) -> None:
        """Ends the journal once every actor has ended."""
        self.actors.leave()
        super().close()


class LiveSession(SampleSession):
    """A session in which a process that is killed really is."""

    def killed(self) -> None:
        """Die in the middle of the next line."""
        super().killed()
        with self.recorder.path.open("ab", buffering=0) as journal:
            journal.write(_TORN)
        if hasattr(signal, "SIGKILL"):
            os.kill(os.getpid(), signal.SIGKILL)
        os._exit(9)


def live(name: str, *, safe: bool, pace: float) -> None:
    """Live through a scenario, or its safe twin; the first line printed is the journal's path."""
    story: Story = SCRIPTS[name].STORY
    clock = WallClock(pace)
    if safe:
        _live_safely(f"{name}-safe", story.safe[1], clock, Cast(pace))
        return
    with LiveRecorder.open(name, agent=story.agent, clock=clock) as recorder:
        recorder.actors.pace = pace
        print(recorder.path, flush=True)
        story.unsafe[1](LiveSession(recorder, clock))


def _live_safely(name: str, script: Script, clock: Clock, actors: Cast) -> None:
    """The safe twin keeps its context in a buffer that refuses what is unsafe."""
    with ContextBuffer.record(name, clock=clock) as buffer:
        print(buffer.path, flush=True)
        try:
            script(BufferSession(buffer, clock, actors))
        finally:
            actors.leave()


def main(arguments: Sequence[str] | None = None) -> None:
    """Run one scenario."""
    parser = argparse.ArgumentParser(prog="python -m spanscope.sample_sessions.live")
    parser.add_argument("name", choices=NAMES)
    parser.add_argument("--safe", action="store_true")
    parser.add_argument("--pace", type=float, default=PACE, help="seconds an event")
    options = parser.parse_args(arguments)
    live(options.name, safe=options.safe, pace=options.pace)


if __name__ == "__main__":
    main()
