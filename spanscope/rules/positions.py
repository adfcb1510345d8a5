"""Positions that a diff names, and the order of spans: do they still hold, and since when not?

DIF302 of line and index refs; the causes of what the order decides (seed 004).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Protocol

from spanscope.journal.parts import IndexRef, LineRef, Ref
from spanscope.model.diffs import Diff
from spanscope.model.node import changes_between
from spanscope.model.spans import Doubt, Span
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
    def staged(self) -> dict[str, Diff]:
        """What is staged."""

    def span(self, name: str) -> Span | None:
        """A span as it is at the step."""

    def history_of(self, name: str) -> list[Span]:
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


def positional(diff: Diff, ref: Ref, view: View, known: Known) -> list[Reason]:
    """DIF302 of line and index refs: a change at or before them since the base."""
    if diff.base is None:
        return []
    if isinstance(ref, IndexRef):
        return _index_drift(diff, ref, view, known)
    if isinstance(ref, LineRef):
        return _line_drift(diff, ref, view, known)
    return []


def is_surely_gone(span: Span | None) -> bool:
    """Whether a span is not in the buffer, and that for sure."""
    return span is not None and not span.live and span.life_known


def _order_changed(
    diff: Diff, thing: str, name: str, upto: int, detail: str, view: View, known: Known
) -> list[Reason]:
    """A reason where the first `upto` spans are others than at the base."""
    assert diff.base is not None
    was = diff.base.order[:upto]
    here = view.order[:upto]
    if view.doubt is not None or here == was:
        return []
    if not any(is_surely_gone(view.span(name)) for name in was):
        spans = [view.span(name) for name in (*was, *here)]
        if not all(span is not None and span.life_known for span in spans):
            return []
    key = ("DIF302", thing, detail)
    cause = known[key] if key in known else order_cause(diff, view, lambda o: o[:upto] == was)
    return [Reason("DIF302", thing, name, cause, None, detail)]


def _index_drift(diff: Diff, ref: IndexRef, view: View, known: Known) -> list[Reason]:
    if view.doubt is not None:
        return []
    detail = f"the order changed at or before place {ref.index}"
    upto = ref.index + 1
    return _order_changed(diff, f"index {ref.span}", ref.span, upto, detail, view, known)


def _line_drift(diff: Diff, ref: LineRef, view: View, known: Known) -> list[Reason]:
    assert diff.base is not None
    if ref.span is not None:
        return _changed_upto(diff, ref.span, ref.line, view, f"line {ref.line} of {ref.span}")
    thing = f"line {ref.line}"
    place = base_line(diff, ref.line)
    if place is None:
        return []
    name, number, _ = place
    upto = diff.base.order.index(name)
    detail = f"the order changed before line {ref.line} of the buffer"
    found = _order_changed(diff, thing, name, upto + 1, detail, view, known)
    if found:
        return found
    for gone in map(view.span, diff.base.order[: upto + 1]):
        if gone is not None and is_surely_gone(gone):
            what = f"{gone.span} {ending(gone)}"
            return [Reason("DIF302", thing, gone.span, gone.seq, None, what)]
    for earlier in diff.base.order[:upto]:
        found = _changed_upto(diff, earlier, None, view, thing)
        if found:
            return found
    return _changed_upto(diff, name, number, view, thing)


def _changed_upto(diff: Diff, name: str, line: int | None, view: View, thing: str) -> list[Reason]:
    """A reason where a span changed at or before the end of a line (null: anywhere)."""
    assert diff.base is not None
    base, now = diff.base.span(name), view.span(name)
    if base is None or base.text is None or now is None or now.text is None or not now.live:
        return []
    end = len(base.text)
    if line is not None:
        rows = base.text.split("\n")
        end = sum(len(row) + 1 for row in rows[:line]) - 1
    for change in changes_between(base.node, now.node):
        if change.at <= end:
            detail = f"{name} was changed at {change.seq} at or before it"
            return [Reason("DIF302", thing, name, change.seq, None, detail)]
        if change.at + change.deleted <= end:
            end += change.inserted - change.deleted
    return []


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
    if diff.base is None:
        return None
    texts = {span.span: span.text for span in diff.base.spans()}
    known = {name: text for name, text in texts.items() if text is not None}
    if len(known) != len(texts):
        return None
    lines = buffer_lines(diff.base.order, known)
    return lines[number - 1] if 1 <= number <= len(lines) else None
