"""Positions that a diff names, and the order of spans: do they still hold, and since when not?

DIF302 of line and index refs; the causes of what the order decides (seed 004).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple, Protocol

from spanscope.journal.parts import IndexRef, LineRef, Ref
from spanscope.model.between import changes_between
from spanscope.model.diffs import Diff
from spanscope.model.spans import Doubt, Span, same_content
from spanscope.rules.endings import ending
from spanscope.rules.judgements import Reason

Known = dict[tuple[str, str, str], int | None]
"""The causes of reasons that held before, by rule, thing and detail: while they hold they stay."""


class View(Protocol):
    """The buffer as it is at a step."""

    @property
    def order(self) -> list[str]:
        """The live spans' ids in order."""

    @property
    def order_steps(self) -> int:
        """How many steps have led to the order."""

    def touched_since(self, seq: int) -> Iterable[str]:
        """Spans that may have been touched after the event `seq`, and all that were."""

    @property
    def doubt(self) -> Doubt | None:
        """Since when the order is unknown."""

    @property
    def lost_at(self) -> int:
        """Where events were lost last; 0 for nowhere."""

    @property
    def first_lost_at(self) -> int:
        """Where events were lost first; 0 for nowhere."""

    @property
    def staged(self) -> dict[str, Diff]:
        """What is staged."""

    def span(self, name: str) -> Span | None:
        """A span as it is at the step."""

    def history_of(self, name: str) -> Sequence[Span]:
        """All states of a span up to the step."""

    def orders_back(self) -> Iterator[tuple[int, list[str]]]:
        """(seq, the order right before it) of the events that changed the order, newest first."""


def order_cause(diff: Diff, view: View, held: Callable[[list[str]], bool]) -> int | None:
    """The event since which the order no longer is as it `held` before; null: it never was."""
    base = 0 if diff.base is None else diff.base.seq
    for seq, order in view.orders_back():
        if seq <= base:
            return None
        if held(order):
            return seq
    return None


class Drift(NamedTuple):
    """DIF302 of a ref; where nothing is against it, `unknown` may say why that can't be told."""

    reasons: tuple[Reason, ...] = ()
    unknown: str | None = None


def positional(diff: Diff, ref: Ref, view: View, known: Known) -> Drift:
    """DIF302 of line and index refs: a change at or before them since the base."""
    if diff.base is None:
        return Drift()
    if isinstance(ref, IndexRef):
        return _index_drift(diff, ref, view, known)
    if isinstance(ref, LineRef):
        return _line_drift(diff, ref, view, known)
    return Drift()


def is_surely_gone(span: Span | None) -> bool:
    """Whether a span is not in the buffer, and that for sure."""
    return span is not None and not span.live and span.life_known


def _order_drift(
    diff: Diff, thing: str, name: str, upto: int, detail: str, view: View, known: Known
) -> Drift:
    """Whether the first `upto` spans are others than at the base."""
    assert diff.base is not None
    if view.doubt is not None:
        return Drift(unknown=view.doubt.why)
    was = diff.base.order[:upto]
    here = view.order[:upto]
    if not any(is_surely_gone(view.span(name)) for name in was):
        for other in (*was, *here):
            span = view.span(other)
            if span is None or not span.life_known:
                return Drift(unknown=f"whether {other} is gone is unknown")
    if here == was:
        return Drift()
    key = ("DIF302", thing, detail)
    cause = known[key] if key in known else order_cause(diff, view, lambda o: o[:upto] == was)
    return Drift((Reason("DIF302", thing, name, cause, None, detail),))


def _index_drift(diff: Diff, ref: IndexRef, view: View, known: Known) -> Drift:
    detail = f"the order changed at or before place {ref.index}"
    upto = ref.index + 1
    return _order_drift(diff, f"index {ref.span}", ref.span, upto, detail, view, known)


def _line_drift(diff: Diff, ref: LineRef, view: View, known: Known) -> Drift:
    assert diff.base is not None
    if ref.span is not None:
        return _changed_upto(diff, ref.span, ref.line, view, f"line {ref.line} of {ref.span}")
    thing = f"line {ref.line}"
    place = base_line(diff, ref.line)
    if place is None:
        untold = _untold_line(diff, ref.line)
        return Drift(unknown=f"what line {ref.line} was is unknown" if untold else None)
    name, number, _ = place
    upto = diff.base.order.index(name)
    detail = f"the order changed before line {ref.line} of the buffer"
    found = [_order_drift(diff, thing, name, upto + 1, detail, view, known)]
    if found[0].reasons:
        return found[0]
    for other in diff.base.order[: upto + 1]:
        gone = view.span(other)
        if gone is not None and is_surely_gone(gone):
            what = f"{other} {ending(gone)}"
            return Drift((Reason("DIF302", thing, other, gone.since, None, what),))
        found.append(_changed_upto(diff, other, number if other == name else None, view, thing))
    against = next((drift for drift in found if drift.reasons), None)
    return against or next((drift for drift in found if drift.unknown is not None), Drift())


def _changed_upto(diff: Diff, name: str, line: int | None, view: View, thing: str) -> Drift:
    """Whether a span changed at or before the end of a line (null: anywhere)."""
    assert diff.base is not None
    base, now = diff.base.span(name), view.span(name)
    if base is None or now is None or not now.live or same_content(base, now):
        return Drift()
    if line is not None and line < 1:
        # Such a line there never was.
        return Drift()
    if base.text is None or now.text is None:
        return Drift(unknown=f"whether {name} is as it was at the base is unknown")
    end = len(base.text)
    if line is not None:
        rows = base.text.split("\n")
        end = sum(len(row) + 1 for row in rows[:line]) - 1
    for change in changes_between(base.node, now.node):
        if change.at <= end:
            detail = f"{name} was changed at {change.seq} at or before {thing}"
            return Drift((Reason("DIF302", thing, name, change.seq, None, detail),))
        if change.at + change.deleted <= end:
            end += change.inserted - change.deleted
    return Drift()


def buffer_lines(order: list[str], texts: dict[str, str]) -> list[tuple[str, int, str]]:
    """(span, line number in it, text) of every line of the buffer; each span starts a line."""
    lines: list[tuple[str, int, str]] = []
    for name in order:
        text = texts[name]
        rows = text.split("\n")
        if rows[-1] == "" and len(rows) > 1:
            rows.pop()
        lines += [(name, number, row) for number, row in enumerate(rows, 1)]
    return lines


def base_line(diff: Diff, number: int) -> tuple[str, int, str] | None:
    """The line of the whole buffer at the base; null where there is none or it is unknown."""
    if diff.base is None or number < 1:
        return None
    for span in diff.base.spans():
        if span.text is None:
            return None
        lines = buffer_lines([span.span], {span.span: span.text})
        if number <= len(lines):
            return lines[number - 1]
        number -= len(lines)
    return None


def _untold_line(diff: Diff, number: int) -> bool:
    """Whether it can't be told what a line of the buffer was at the base, or if there was one."""
    assert diff.base is not None
    return number >= 1 and any(span.text is None for span in diff.base.spans())
