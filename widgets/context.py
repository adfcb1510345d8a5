"""The Context tab: what the model was shown at a call, and what changed since the call before."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from spanscope.history.describing import counted, number
from spanscope.history.history import History
from spanscope.journal.events import Mark, Render
from spanscope.model.node import Node
from spanscope.model.spans import Doubt
from spanscope.text.cells import wrap
from spanscope.text.visible import visible_line
from spanscope.widgets.lines import EMPTY, Line, Role, Row, plain, within
from spanscope.widgets.listing import DenseListing
from spanscope.widgets.scene import Scene
from spanscope.widgets.subject import Subject

PREVIEW = 200
"""Characters of a text that are looked at for its first line."""

_ROLES: dict[str, Role] = {"new": "strong", "changed": "strong", "left out": "future"}
SIGNS = {"new": "+", "changed": "~", "same": " ", "left out": "-"}


class Shown(NamedTuple):
    """One item: `text` where it is not what the span holds, `node` what the span holds."""

    span: str
    text: str | None
    node: Node | None
    version: int | None
    role: str | None

    @property
    def length(self) -> int:
        """How many characters were shown."""
        if self.text is not None:
            return len(self.text)
        return 0 if self.node is None else self.node.length

    @property
    def known(self) -> bool:
        """Whether the text that was shown is known."""
        return self.text is not None or (self.node is not None and self.node.text_known)

    def same_as(self, other: Shown) -> bool:
        """Whether the same text of the same span was shown."""
        if self.span != other.span:
            return False
        if self.text is None and other.text is None and self.node is not None:
            if other.node is not None and (same := self.node.same_content(other.node)) is not None:
                return same
            return False
        return self._said == other._said is not None

    @property
    def _said(self) -> str | None:
        if self.text is not None:
            return self.text
        return self.node.text if self.node is not None and self.node.text_known else None


class Call(NamedTuple):
    """What a call was given: by a `render` event, or else the buffer as it was.

    `seq` is the event that it is taken from, `name` the call's own name where it has one.
    """

    seq: int
    name: str
    items: tuple[Shown, ...]
    rendered: bool


class Compared(NamedTuple):
    """A call beside the one before: what became of each item, and what was left out.

    `shared` is how many items from the first on are the same in both.
    """

    call: Call
    before: Call | None
    changes: tuple[str, ...]
    left_out: tuple[Shown, ...]
    shared: int


def calls_up_to(history: History, seq: int) -> list[int]:
    """The last two calls up to a step: renders where there are any, else marks of calls."""
    found = history.renders or history.calls
    return list(found[: bisect_right(found, seq)][-2:])


@lru_cache(maxsize=4)
def compared(
    history: History, seq: int, previous: int | None, doubt: Doubt | None = None
) -> Compared:
    """The call at an event beside the one before; remembered, as it holds at many steps.

    `doubt` is what the history says of its end: that may cast doubt on what was there before.
    """
    del doubt
    call = _call(history, seq)
    if previous is None:
        return Compared(call, None, ("",) * len(call.items), (), 0)
    before = _call(history, previous)
    was = {item.span: item for item in before.items}
    changes = tuple(_change(item, was.get(item.span)) for item in call.items)
    now = {item.span for item in call.items}
    left_out = tuple(item for item in before.items if item.span not in now)
    shared = 0
    for one, other in zip(call.items, before.items, strict=False):
        if not one.same_as(other):
            break
        shared += 1
    return Compared(call, before, changes, left_out, shared)


def _change(item: Shown, was: Shown | None) -> str:
    if was is None:
        return "new"
    return "same" if item.same_as(was) else "changed"


def _call(history: History, seq: int) -> Call:
    moment, event = history.at(seq), history.event(seq) if seq else None
    if isinstance(event, Render):
        items = [_shown(history, seq, item.span, item.shown) for item in event.items]
        return Call(seq, event.call or "", tuple(items), rendered=True)
    name = event.label if isinstance(event, Mark) else ""
    items = [_shown(history, seq, span, None) for span in moment.order]
    return Call(seq, name, tuple(items), rendered=False)


def _shown(history: History, seq: int, name: str, text: str | None) -> Shown:
    span = history.at(seq).span(name)
    if span is None:
        return Shown(name, text, None, None, None)
    return Shown(name, text, None if span.doubt else span.node, span.version, span.role)


class ContextListing(DenseListing):
    """The Context tab as lines: what a call is, what changed, then its items in order."""

    def __init__(self, scene: Scene, width: int) -> None:
        self._scene = scene
        self._width = width
        history = scene.history
        calls = calls_up_to(history, scene.seq)
        if calls:
            previous = calls[0] if len(calls) > 1 else None
            found = compared(history, calls[-1], previous, history.state.doubt)
        else:
            found = compared(history, scene.seq, None, history.state.doubt)
        self._found = found
        self._heads = self._heading()
        self._breaks = found.before is not None and found.shared < len(found.call.items)

    def _heading(self) -> list[Line]:
        call, before = self._found.call, self._found.before
        size = sum(item.length for item in call.items)
        more = "" if all(item.known for item in call.items) else " or more"
        name = f"call {call.name}".rstrip()
        many = f"{counted(len(call.items), 'item')}, {number(size)} chars{more}"
        if call.rendered:
            lines = [plain(f"{name} at {call.seq} was shown {many}", "strong")]
        elif calls_up_to(self._scene.history, self._scene.seq):
            lines = [plain(f"{name} at {call.seq}: {many}", "strong")]
            lines.append(
                plain("no render tells what it was shown: the buffer as it was", "warning")
            )
        else:
            lines = [plain(f"no call up to {self._scene.seq}: {many} in the buffer", "strong")]
        if before is not None:
            lines.append(self._since(before))
        wrapped = [
            plain(part, line.cells[0][1]) for line in lines for part in wrap(line.text, self._width)
        ]
        return [*wrapped, EMPTY]

    def _since(self, before: Call) -> Line:
        found = self._found
        counts = {word: found.changes.count(word) for word in ("new", "changed")}
        counts["left out"] = len(found.left_out)
        words = [f"{count} {word}" for word, count in counts.items() if count]
        same = sum(item.length for item in found.call.items[: found.shared])
        start = f"the first {found.shared}, {number(same)} chars, are the same"
        name = f"call {before.name}".rstrip()
        said = ", ".join(words) or "nothing else"
        return plain(f"since {name} at {before.seq}: {said}; {start}", "muted")

    def __len__(self) -> int:
        """How many rows there are."""
        found = self._found
        return len(self._heads) + len(found.call.items) + self._breaks + len(found.left_out)

    def _item(self, number_: int) -> tuple[Shown, str] | None:
        """The item of a row and what became of it; null for a heading or the rule."""
        found = self._found
        place = number_ - len(self._heads)
        if place < 0 or (self._breaks and place == found.shared):
            return None
        if self._breaks and place > found.shared:
            place -= 1
        if place < len(found.call.items):
            return found.call.items[place], found.changes[place]
        return found.left_out[place - len(found.call.items)], "left out"

    def row(self, number: int) -> Line:
        """One row."""
        if number < len(self._heads):
            return within(self._heads[number], self._width)
        item = self._item(number)
        return self._rule() if item is None else self._line(*item)

    def subject(self, number: int) -> Subject | None:
        """What a row is about."""
        item = self._item(number)
        return None if item is None else Subject("span", item[0].span)

    def anchor(self) -> int | None:
        """The selected span, where it was shown."""
        selected = self._scene.selected
        items: Sequence[Shown] = self._found.call.items
        for place, item in enumerate(items):
            if selected == Subject("span", item.span):
                return len(self._heads) + place + (self._breaks and place >= self._found.shared)
        return None

    def _rule(self) -> Line:
        row = Row().put("── ", "border")
        row.put("not the same from here on: no cached prefix ", "muted")
        return within(row.put("─" * max(0, self._width - row.width), "border").line(), self._width)

    def _line(self, item: Shown, change: str) -> Line:
        role = _ROLES.get(change, "plain")
        low: Role = "future" if change == "left out" else "muted"
        selected = self._scene.selected == Subject("span", item.span)
        row = Row().put("> " if selected else f"{SIGNS.get(change, ' ')} ", role)
        name = max(8, min(20, self._width // 4))
        row.put(item.span, role, name, middle=True).gap()
        row.put("" if item.version is None else f"v{item.version}", low, 4).gap()
        row.put(number(item.length) if item.known else "?", low, 7, right=True).gap(2)
        if item.text is not None and self._differs(item):
            row.put("shown otherwise", "warning").gap(2)
        if self._width >= 70:
            row.put(item.role or "", low, 11).gap()
        row.put(self._preview(item), low, max(0, self._width - row.width))
        return within(row.line("selected" if selected else ""), self._width)

    @staticmethod
    def _differs(item: Shown) -> bool:
        held = item.node.text if item.node is not None and item.node.text_known else None
        return held is not None and held != item.text

    @staticmethod
    def _preview(item: Shown) -> str:
        text = item.text
        if text is None:
            text = item.node.text if item.node is not None and item.node.text_known else ""
        return visible_line(" ".join(text[:PREVIEW].split()))
