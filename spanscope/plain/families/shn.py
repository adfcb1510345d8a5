"""SHN: was the model shown what the buffer holds?"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from spanscope.journal.events import Render
from spanscope.journal.parts import Item
from spanscope.plain.finding import Finding, finding, one_a_subject
from spanscope.plain.reading import Told
from spanscope.plain.world import Moment, World

Shown = tuple[str, str | None]


def findings(told: Told) -> Iterator[Finding]:
    """All findings of the family."""
    calls: dict[str, list[Moment]] = {}
    for moment in told.moments:
        if isinstance(moment.event, Render):
            yield from one_a_subject(_call(moment))
            calls.setdefault(moment.event.actor, []).append(moment)
    for of_one_actor in calls.values():
        for before, after in pairwise(of_one_actor):
            yield from _prefix(before, after)


def _items(moment: Moment) -> list[Item]:
    assert isinstance(moment.event, Render)
    return moment.event.items


def _call(moment: Moment) -> Iterator[Finding]:
    seq, spans = moment.event.seq, moment.before.buffer.spans
    seen: set[str] = set()
    answered: set[str] = set()
    for item in _items(moment):
        span = spans.get(item.span)
        if span is None:
            if moment.before.order_doubt is None:
                yield finding("JNL007", seq, "error", span=item.span)
            continue
        if span.live and item.shown is not None and span.content not in {None, item.shown}:
            yield finding("SHN401", seq, "info", span=item.span)
        untold = not span.life_known and moment.before.order_doubt is not None
        if not (span.live or untold or moment.before.may_be_back(span)):
            yield finding("SHN402", seq, "error", span=item.span)
        twice = item.span in seen or span.answers in answered
        if twice:
            yield finding("SHN403", seq, "warning", span=item.span)
        seen.add(item.span)
        if span.answers is not None:
            answered.add(span.answers)


def _shown(world: World, item: Item) -> Shown:
    """An item and what the model saw of it; null where that can't be told."""
    span = world.buffer.spans.get(item.span)
    text = item.shown if item.shown is not None or span is None else span.content
    return item.span, text


def _prefix(before: Moment, after: Moment) -> Iterator[Finding]:
    """SHN404, at the first item whose text is known to differ, or that is gone."""
    was = [_shown(before.before, item) for item in _items(before)]
    now = [_shown(after.before, item) for item in _items(after)]
    for place, old in enumerate(was):
        new = now[place] if place < len(now) else None
        if new is not None and (new[1] == old[1] or None in {new[1], old[1]}):
            continue
        yield finding("SHN404", after.event.seq, "info", span=old[0])
        return
