"""The Content tab: the selected span's text after the cursor's event, and before it if changed."""

from __future__ import annotations

from itertools import islice

from spanscope.history.describing import number, short_hash
from spanscope.model.spans import Span
from spanscope.widgets.lines import EMPTY, Line, plain, within
from spanscope.widgets.listing import TextListing
from spanscope.widgets.scene import Scene
from spanscope.widgets.texts import span_of
from spanscope.widgets.written import (
    MOST_LINES,
    SIDE_BY_SIDE,
    Written,
    beside,
    column,
    difference,
    digits_of,
    half_width,
    paired,
)


class ContentListing(TextListing):
    """The Content tab as lines."""

    def __init__(self, scene: Scene, width: int) -> None:
        self._scene = scene
        self._width = width

    def compose(self) -> list[Line]:
        """All rows."""
        return [within(line, self._width) for line in self._lines()]

    def _lines(self) -> list[Line]:
        name = span_of(self._scene, self._scene.selected)
        if name is None:
            return [plain("select a span to read it", "muted")]
        now, was = self._scene.moment.span(name), self._scene.before.span(name)
        if now is None:
            return [plain(f"{name} is not there at {self._scene.seq}", "muted")]
        if now.text is None:
            return [self._head(now, ""), plain(_why_unknown(now), "warning")]
        if was is None or was.text is None or was.text == now.text:
            same = "" if was is None or was.text is None else f"  unchanged at {self._scene.seq}"
            return [self._head(now, same), *self._alone(now.text, self._width)]
        return self._both(was, now, was.text, now.text)

    def _head(self, span: Span, more: str) -> Line:
        life = "" if span.live else f"  {span.life}"
        role = f"  {span.role}" if span.role else ""
        said = f"{span.span}  v{span.version}  {short_hash(span.hash)}  "
        said += f"{number(span.node.length)} chars{role}{life}  {span.op} at {span.written}{more}"
        return plain(said, "muted")

    def _alone(self, text: str, width: int) -> list[Line]:
        """A text by itself."""
        lines = text.split("\n")
        digits = digits_of(len(lines))
        rows: list[Line] = []
        for index, line in enumerate(lines[:MOST_LINES], 1):
            segments = ((line, False),) if line else ()
            rows += column(Written("same", index, segments), width, digits)
        return rows + _rest(len(lines))

    def _both(self, was: Span, now: Span, old: str, new: str) -> list[Line]:
        seq = self._scene.seq
        before, after = plain(f"before {seq}", "strong"), plain(f"after {seq}", "strong")
        diff = difference(old, new)
        digits = digits_of(len(diff.old_lines), len(diff.new_lines))
        pairs = list(islice(paired(diff, fold=False), MOST_LINES))
        if self._width >= SIDE_BY_SIDE:
            half = half_width(self._width)
            rows = [self._head(now, ""), *beside([before], [after], self._width)]
            for left, right in pairs:
                if isinstance(left, Written) and right is not None:
                    rows += beside(
                        column(left, half, digits), column(right, half, digits), self._width
                    )
            return rows + _rest(max(len(diff.old_lines), len(diff.new_lines)))
        rows = [after, self._head(now, "")]
        for _, right in pairs:
            if right is not None and right.number is not None:
                rows += column(right, self._width, digits)
        rows += [EMPTY, before, self._head(was, "")]
        for left, _ in pairs:
            if isinstance(left, Written) and left.number is not None:
                rows += column(left, self._width, digits)
        return rows


def _rest(count: int) -> list[Line]:
    more = count - MOST_LINES
    return [plain(f".. {number(more)} more lines", "muted")] if more > 0 else []


def _why_unknown(span: Span) -> str:
    if span.doubt is not None:
        return f"the text is unknown since {span.doubt.since}: {span.doubt.why}"
    return "the text is not recorded; its hash is what the agent claimed"
