"""What is known of a journal that grows, and how the header says it."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from spanscope.history.describing import clock, number
from spanscope.history.history import History
from spanscope.widgets.lines import Role, Row

QUIET = 30
"""Seconds without an event after which the header's age turns into a warning."""

State = Literal["live", "watched", "stream", "closed", "dead", "written", "recorded"]
"""`live`: a process writes it. `watched`: nobody is known to write it. `stream`: it comes through
standard input. `closed`: its writer ended in good order, `dead`: without a close event.
`written`: it is looked at as a recording although a process writes it. `recorded`: something befell
the file of a recording while it was read."""

Place = Literal["here", "moved", "deleted", "rotated"]
Again = Literal["", "truncated", "recreated", "cut", "changed", "grown"]
Words = Literal["all", "some", "few", "least"]


class Live(Struct, frozen=True):
    """Facts of a journal that grows.

    `pid` is the process that writes or wrote it. `last` is when the last event came, in seconds
    since 1970. `before` counts the errors that were there when it was opened. `again` says why it
    was read again from its start, `at` how many events it had then; or what was done to the file of
    a recording while it was read. `place` is where the file is.
    """

    state: State
    pid: int | None = None
    last: float = 0.0
    before: int = 0
    again: Again = ""
    at: int = 0
    place: Place = "here"

    @property
    def growing(self) -> bool:
        """Whether more events may come."""
        return self.state in ("live", "watched", "stream")


def state_words(live: Live, history: History, *, now: float, words: Words) -> Row:
    """The state in as many words as there is room for."""
    row = Row()
    word, role, rest = _away(live, history) or _written(live, history, now)
    row.put(word, role)
    age_matters = word == "LIVE" and now - live.last > QUIET
    tails: dict[Words, str] = {"all": rest[0], "some": rest[1], "few": rest[2]}
    return row.put(tails.get(words, ""), "warning" if age_matters else "muted")


_Said = tuple[str, Role, tuple[str, str, str]]
"""A word and its role, and what follows it in all, some and few words."""


def _away(live: Live, history: History) -> _Said | None:
    """What has happened to the file, where that is the news."""
    at = number(history.last)
    if live.again == "cut":
        return "TRUNCATED", "badge-warning", (f" at {at}, while it was read", ", cut short", "")
    if live.again == "changed":
        return "CHANGED", "badge-warning", (" while it was read: open it again", ", open again", "")
    if live.place == "deleted":
        return "DELETED", "badge-warning", (", what was read stays here", ", the rest stays", "")
    if live.place == "rotated":
        return "ROTATED", "strong", (f" at {at}, still reading the old file", ", the old file", "")
    if live.place == "moved":
        return "MOVED", "strong", (f" at {at}, still reading it", ", still read", "")
    if live.again == "truncated":
        said = f" to {number(live.at)}, read again from the start"
        return "TRUNCATED", "badge-warning", (said, ", read again", "")
    if live.again == "recreated":
        said = " by another file, read from its start"
        return "REPLACED", "badge-warning", (said, ", read anew", "")
    return None


def _written(live: Live, history: History, now: float) -> _Said:
    """Who writes it, and when the last event came."""
    who = f" pid {live.pid}" if live.pid is not None else ""
    agent = _agent(history)
    long, short = age_words(now - live.last)
    if live.state == "live":
        return "LIVE", "good", (f"{agent}{who}, {long}", f"{who}, {short}", f" {short}")
    if live.state == "watched":
        return "WATCHED", "strong", (f", no writer seen, {long}", f", {short}", f" {short}")
    if live.state == "stream":
        return "STREAM", "strong", (f", {long}", f", {short}", f" {short}")
    if live.state == "dead":
        said = f"{agent}{who} ended at {number(history.last)}, no close"
        return "DEAD", "badge-warning", (said, f"{who}, no close", "")
    if live.state == "written":
        said = f", written by{who}" if who else ", being written"
        return "recording", "muted", (said, said, "")
    if live.again == "grown":
        return "recording", "muted", (", has grown since", ", has grown", "")
    if history.closed is None:
        return "recording", "muted", (", ended", "", "")
    return "recording", "muted", (f", closed {clock(history.closed.time)}", "", "")


def _agent(history: History) -> str:
    """The agent's name, where the session's does not say it already."""
    agent = "" if history.session is None else history.session.agent or ""
    return f" {agent}" if agent and agent not in history.name else ""


def age_words(seconds: float) -> tuple[str, str]:
    """How long ago something was, as a phrase and as short as can be."""
    whole = max(0, int(seconds))
    if whole < 120:
        said = f"{whole} s"
    elif whole < 7200:
        said = f"{whole // 60} min"
    elif whole < 48 * 3600:
        said = f"{whole // 3600} h"
    else:
        said = f"{whole // (24 * 3600)} days"
    long = f"no event for {said}" if whole > QUIET else f"last event {said} ago"
    return long, f"{said} ago" if whole <= QUIET else f"quiet {said}"


def follow_words(*, following: bool, behind: int, words: Words) -> tuple[str, Role]:
    """Whether the cursor stays at the end, else how far behind it is."""
    if following:
        return ("following" if words in ("all", "some") else ""), "plain"
    if not behind:
        return ("f follows" if words in ("all", "some") else "f"), "muted"
    short = words in ("few", "least")
    return (f"+{number(behind)} f" if short else f"{number(behind)} behind, f"), "strong"
