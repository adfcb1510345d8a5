"""`check --verify`: asks the second opinion, and says what came of it."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Final

from spanscope.cli.errors import CommandError
from spanscope.cli.output import as_json, complain
from spanscope.cli.reading import read_whole
from spanscope.cli.second_opinion import Difference, SecondOpinion, second_opinion
from spanscope.history.audited import Audited, audit_pieces
from spanscope.history.describing import counted
from spanscope.journal.errors import shown
from spanscope.journal.reader import DEFAULT_MAX_LINE

MOST_BYTES: Final = 16 << 20
"""Larger journals are refused: every character is kept as an object, some 100 bytes each."""

FIRST_WORD: Final = 10.0
"""Seconds until it is said how far the comparison is; then again whenever that time doubled."""

MANY_EVENTS: Final = 1000
"""From so many on it is said beforehand that it takes long."""

LONGEST_VALUE: Final = 100
"""Characters of a value in a message; JSON has it whole."""


def audit_twice(path: str, max_line: int | None) -> tuple[Audited, SecondOpinion]:
    """A journal judged by the engine, and the second opinion on that.

    Raises CommandError where the journal is too large for it, JournalError as any reading.
    """
    cap = DEFAULT_MAX_LINE if max_line is None else max_line
    journal, live = read_whole(path)
    if len(journal) > MOST_BYTES:
        raise CommandError(
            f"{shown(path)} is too large for --verify ({len(journal) >> 20} MiB, at most "
            f"{MOST_BYTES >> 20}): check it without, or verify a slice (x in the app exports one)"
        )
    audited = audit_pieces([journal], max_line=cap, live=live)
    if len(audited) >= MANY_EVENTS:
        complain(
            f"{shown(path)}: the second opinion judges all {len(audited):,} events before it "
            "compares them, some hundredths of a second each; ctrl-c gives up"
        )
    progress = _Progress(path, time.monotonic())
    opinion = second_opinion(
        journal, audited.findings, max_line=cap, live=live, heard=progress.heard
    )
    return audited, opinion


def say(path: str, opinion: SecondOpinion) -> None:
    """On standard error: that they agree, or each difference in a line and what to do about it."""
    if opinion.agrees:
        complain(
            f"{shown(path)}: a second opinion agrees on {counted(opinion.findings, 'finding')} "
            f"and on the state after each of {counted(opinion.events, 'event')}"
        )
        return
    for difference in opinion.differences:
        complain(f"{shown(path)}:{difference.seq or 0}: {words(difference)}")
    complain(
        f"{shown(path)}: a second opinion differs ({len(opinion.differences)}), so its verdicts "
        "can't be trusted: this is a fault in spanscope; please report it with these lines and "
        "the journal up to there, or a slice of it (x in the app exports one)"
    )


def words(difference: Difference) -> str:
    """A difference in words: what, what the engine says and what the second opinion says."""
    engine, plain = _short(difference.engine), _short(difference.plain)
    return f"{difference.what}: the engine says {engine}, the second opinion {plain}"


def _short(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    text = as_json(value)
    return text if len(text) <= LONGEST_VALUE else f"{text[: LONGEST_VALUE - 3]}..."


@dataclass
class _Progress:
    """Says how far a long comparison is."""

    path: str
    began: float
    next_word: float = FIRST_WORD

    def heard(self, done: int, events: int) -> None:
        """So many of the events are compared."""
        passed = time.monotonic() - self.began
        if passed < self.next_word:
            return
        self.next_word = 2 * passed
        complain(
            f"{shown(self.path)}: after {passed:.0f} s the second opinion has compared {done} of "
            f"{events} events; later ones take longer, ctrl-c gives up"
        )
