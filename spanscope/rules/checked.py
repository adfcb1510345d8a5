"""What was found of one read or reference of a diff, and who is to blame."""

from __future__ import annotations

from bisect import bisect_left
from typing import NamedTuple

from spanscope.model.between import changes_between
from spanscope.model.spans import Span
from spanscope.rules.judgements import DiffLine, Reason
from spanscope.rules.positions import View


class Checked(NamedTuple):
    """What was found of one read or reference; `unknown` says why it can't be told."""

    reasons: tuple[Reason, ...]
    line: DiffLine
    unknown: str | None = None


def culprit(view: View, name: str, cause: int | None) -> tuple[str | None, str]:
    """Who made the change at `cause`, and the words for it."""
    if cause is None:
        return None, ""
    states = view.history_of(name)
    place = bisect_left(states, cause, key=lambda span: span.seq)
    if place == len(states) or states[place].seq != cause:
        return None, str(cause)
    span = states[place]
    actor = span.node.actor if span.node.seq == cause else None
    return actor, f"{cause} {actor or span.op}"


def first_change(base: Span, now: Span) -> int:
    """The earliest standing change that by itself makes a span differ from its base."""
    changes = changes_between(base.node, now.node)
    return min((change.seq for change in changes if change.seq > base.seq), default=now.seq)


def uncertain(kind: str, name: str, why: str) -> Checked:
    """A read or reference of which nothing can be told, and why."""
    return Checked((), DiffLine(kind, name, "unknown", why), why)
