"""What the message line says by itself: of the file, its writer and the audit."""

from __future__ import annotations

import time
from collections.abc import Callable

from spanscope.app.navigation import SHOWN, Navigator
from spanscope.history.describing import number
from spanscope.history.history import History
from spanscope.widgets.live import Again, Live, Place

READ = 5.0
"""Seconds after which what a key was answered gives way to new events that are followed."""


class Announcer:
    """Says what has happened; a sentence stays until the next key, or until the journal grows."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._seen, self._seen_at = "", 0.0
        self._said = ""
        self._last = 0
        self._error_told = False

    def notice(self, current: str, known: Live | None, navigator: Navigator, *, moved: bool) -> str:
        """What the message line says from now on, where it said `current`.

        `known` is what was known of the journal before, `moved` says that a person has moved the
        cursor: who has not, has been led to the first error.
        """
        first, grown = not self._last, navigator.history.last != self._last
        self._last = navigator.history.last
        said = announcement(known, navigator.live, navigator.history)
        said = said or self._first_error(navigator, moved=moved)
        if said:
            self._said = said
            return said
        # What a key was answered before the first event is of no step that is shown now.
        if grown and (first or current == self._said or self._was_read(current, navigator)):
            self._said = ""
            return ""
        return current

    def _was_read(self, current: str, navigator: Navigator) -> bool:
        """Whether a sentence has stood for long enough over events that are followed."""
        now = self._clock()
        if current != self._seen:
            self._seen, self._seen_at = current, now
        return navigator.following and now - self._seen_at > READ

    def _first_error(self, navigator: Navigator, *, moved: bool) -> str:
        """Said once, while a recording is audited."""
        seq = navigator.findings.first("error")
        if seq is None or self._error_told or navigator.following:
            return ""
        self._error_told = True
        here = navigator.history.findings_at(navigator.seq)
        if not moved or any(finding.severity == "error" for finding in here):
            # The message line tells of an error already.
            return ""
        next_one = navigator.findings.following(navigator.seq, SHOWN) == seq
        return f"first error at {number(seq)}" + (", e goes there" if next_one else "")


def announcement(known: Live | None, now: Live | None, history: History) -> str:
    """What has happened to the file or its writer, in a sentence; empty where nothing has."""
    if now is not None and now.state == "recorded" and known != now:
        return _RECORDED[now.again] or _PLACES[now.place]
    if known is None or now is None or known == now:
        return ""
    if now.place != known.place:
        return _PLACES[now.place]
    if now.again and (now.again, now.at) != (known.again, known.at):
        return _AGAIN[now.again]
    if now.state == known.state and now.pid == known.pid:
        return ""
    who = "the writer" if now.pid is None else f"process {now.pid}"
    match now.state:
        case "dead":
            return f"{who} has ended without a close event; {history.last} is the last event"
        case "closed":
            return "the journal was closed in good order"
        case "live":
            return f"{who} writes this journal now"
    return ""


_PLACES: dict[Place, str] = {
    "here": "the file is in its place again",
    "moved": "the file was moved away: it is still read",
    "rotated": "the file was moved away and another has its place: the old one is still read",
    "deleted": "the file was deleted: what was read stays here",
}
_RECORDED: dict[Again, str] = {
    "": "",
    "cut": "the file was cut while it was read: what had been read till then is shown",
    "changed": "the file was overwritten while it was read: what is shown may be of both; open it"
    " again",
    "grown": "the file has grown since it was opened: --follow follows it",
}
_AGAIN: dict[Again, str] = {
    "truncated": "the file was cut or overwritten: it is read again from its start",
    "recreated": "another file has taken its place: that one is read from its start",
}
