"""What every integration does: one message list into one recorder, whatever happens."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any, Literal

from spanscope.buffer.messages import lenient_blocks
from spanscope.buffer.recorder import Recorder
from spanscope.buffer.syncing import ShownAs
from spanscope.journal.errors import JournalClosedError


class ListRecording:
    """The message list of one conversation, as its recorder has it. It never hurts the agent."""

    def __init__(self, recorder: Recorder) -> None:
        self.recorder = recorder
        self._results: dict[str, str] = {}

    def sync(self, messages: Sequence[dict[str, Any]], *, shown: ShownAs = True) -> list[str]:
        """What became of the list, and what of it the model is shown; the ids of its spans."""
        with self.harmless():
            names = self.recorder.sync(messages, shown=shown)
            frames = [block.frame for message in messages for block in lenient_blocks(message)]
            for name, frame in zip(names, frames, strict=False):
                if frame.kind == "result" and frame.pair is not None:
                    self._results[frame.pair] = name
            return names
        return []

    def mark(self, kind: Literal["tool", "note"], label: str) -> None:
        """A place to navigate to."""
        with self.harmless():
            self.recorder.mark(kind, label)

    @contextmanager
    def harmless(self) -> Iterator[None]:
        """What fails within never reaches the agent: the journal has a gap there, and says why."""
        try:
            yield
        except JournalClosedError:
            pass
        except Exception as error:  # noqa: BLE001 - whatever it is, the agent goes on
            with suppress(JournalClosedError):
                self.recorder.gap(f"not recorded: {type(error).__name__}: {error}", lost=1)

    def result_span(self, call: str) -> str | None:
        """The span of what a tool gave back, by the id of its call; null before it is recorded."""
        return self._results.get(call)
