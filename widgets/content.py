"""The Content tab: the selected span's text after the cursor's event, and before it if changed."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator
from functools import cached_property, lru_cache

from spanscope.history.describing import counted, short_hash
from spanscope.journal.parts import QuoteRef
from spanscope.model.spans import Span
from spanscope.text.cells import wrap
from spanscope.text.diff import Segments, TextDiff
from spanscope.text.occurrences import count_of
from spanscope.widgets.lazy import HeadedRows, LazyListing, LazyRows, Marked, opening
from spanscope.widgets.lines import EMPTY, Line, plain, shown_line, within
from spanscope.widgets.scene import Scene
from spanscope.widgets.texts import diff_row, span_of
from spanscope.widgets.written import (
    SIDE_BY_SIDE,
    Pair,
    Written,
    beside,
    column,
    digits_of,
    half_width,
    paired,
)

Ranges = tuple[tuple[int, int], ...]

COMPARED_KEPT = 2

COMPARING = "comparing.."
"""Stands where a comparison will be."""


class ContentListing(LazyListing):
    """The Content tab as lines; what the selection is about in the text is marked.

    So is what is sought; `match` is the line with it (from 0) that is to be in view.
    """

    def __init__(self, scene: Scene, width: int, match: int = 0) -> None:
        self._scene = scene
        self._width = width
        self._match = match

    def anchor(self) -> int | None:
        """Where what is sought stands, else the first marked or changed piece of the text."""
        if self.matches:
            return self.lazy.match(self._match)
        return self.lazy.start(0) if self._has_places else None

    @cached_property
    def matches(self) -> int:
        """How many times what is sought stands in the text that is shown."""
        now = self._texts[1]
        return 0 if now is None else count_of(self._scene.sought, now)

    def has_match(self, match: int) -> bool:
        """Whether there is such a line, or may be one: it is still sought."""
        if not 0 <= match < self.matches:
            return False
        return self.lazy.match(match) is not None or self.lazy.seeking

    @cached_property
    def _span(self) -> str | None:
        return span_of(self._scene, self._scene.selected)

    @cached_property
    def _texts(self) -> tuple[str | None, str | None]:
        """The text before and after the step; null: not there, or not known."""
        if self._span is None:
            return None, None
        now, was = self._scene.moment.span(self._span), self._scene.earlier.span(self._span)
        return (was.text if was is not None else None), (now.text if now is not None else None)

    @property
    def _earlier(self) -> str:
        since = self._scene.since
        return f"before {self._scene.seq}" if since is None else f"at the pin, {since.pin}"

    @property
    def _unchanged(self) -> str:
        since = self._scene.since
        return f"  unchanged {f'at {self._scene.seq}' if since is None else f'since {since.pin}'}"

    @property
    def _later(self) -> str:
        return f"{'after' if self._scene.since is None else 'at'} {self._scene.seq}"

    @property
    def _has_places(self) -> bool:
        was, now = self._texts
        if now is None:
            return False
        if was is not None and was != now:
            return self._scene.compare(was, now) is not None
        return bool(self._marked(now))

    @cached_property
    def lazy(self) -> HeadedRows:
        """The rows so far; those of a text are kept from frame to frame."""
        name = self._span
        if name is None:
            return HeadedRows([plain(self._nothing, "muted")])
        now, was = self._scene.moment.span(name), self._scene.earlier.span(name)
        old, new = self._texts
        if now is None:
            return HeadedRows([plain(f"{name} is not there at {self._scene.seq}", "muted")])
        if new is None:
            said = wrap(shown_line(_why_unknown(now)), self._width)
            return HeadedRows([self._head(now, ""), *(plain(part, "warning") for part in said)])
        if was is None or old is None or old == new:
            head = self._head(now, "" if old is None else self._unchanged)
            rows = text_rows(new, self._marked(new), self._width, self._scene.sought)
            return HeadedRows([head], rows)
        return self._both(was, now, old, new)

    def produce(self) -> Iterator[Marked]:
        """The rows in order."""
        return iter(self.lazy)

    def row(self, number: int) -> Line:
        """One row."""
        return within(super().row(number), self._width)

    @property
    def _nothing(self) -> str:
        selected = self._scene.selected
        if selected is None:
            return "select a span to read it"
        return f"{selected.name} has no text at {self._scene.seq}; select a span to read it"

    def _head(self, span: Span, more: str) -> Line:
        life = "" if span.live else f"  {span.life}"
        role = f"  {span.role}" if span.role else ""
        said = f"{span.span}  v{span.version}  {short_hash(span.hash)}  "
        known = span.doubt is None and span.node.text_known
        size = counted(span.node.length, "char") if known else "? chars"
        said += f"{size}{role}{life}  {span.op} at {span.written}{more}"
        return plain(said, "muted")

    def _marked(self, text: str) -> Ranges:
        """Where the selected artifact stands, or what the selected diff quotes."""
        subject = self._scene.selected
        if subject is not None and subject.kind == "artifact":
            row = self._scene.moment.artifact(str(subject.id))
            if row is not None and row.artifact.range is not None and row.artifact.unit == "chars":
                start, end = row.artifact.range
                return ((start, end),) if start < min(end, len(text)) else ()
        if subject is not None and subject.kind == "diff":
            diff = diff_row(self._scene, str(subject.id))
            refs = diff.diff.refs if diff is not None else ()
            quotes = [ref.text for ref in refs if isinstance(ref, QuoteRef) and ref.text]
            places = [(text.find(quote), len(quote)) for quote in quotes]
            return tuple(sorted((at, at + size) for at, size in places if at >= 0))
        return ()

    def _both(self, was: Span, now: Span, old: str, new: str) -> HeadedRows:
        diff, sought = self._scene.compare(old, new), self._scene.sought
        if diff is None:
            rows = text_rows(new, (), self._width, sought)
            return HeadedRows([self._head(now, f"  {COMPARING}")], rows)
        earlier, later = plain(self._earlier, "strong"), plain(self._later, "strong")
        if self._width >= SIDE_BY_SIDE:
            heads = [self._head(now, ""), *beside([earlier], [later], self._width)]
            return HeadedRows(heads, _compared_rows(diff, self._width, sought, ()))
        between = (EMPTY, earlier, self._head(was, ""))
        rows = _compared_rows(diff, self._width, sought, between)
        return HeadedRows([later, self._head(now, "")], rows)


@lru_cache(maxsize=4)
def text_rows(text: str, marked: Ranges, width: int, sought: str) -> LazyRows:
    """A whole text with its marked pieces, as numbered rows that are made as they are asked for."""
    return LazyRows(_text_rows(text, marked, width, sought), patient=True)


def _text_rows(text: str, marked: Ranges, width: int, sought: str) -> Iterator[Marked]:
    digits = digits_of(text.count("\n") + 1)
    at = 0
    for index, line in enumerate(_lines(text), 1):
        segments = _segments(line, at, marked)
        kind = "marked" if any(is_marked for _, is_marked in segments) else "same"
        for row in column(Written(kind, index, segments), width, digits, sought):
            yield row, any(role == "marked" for _, role in row.cells)
        at += len(line) + 1


def _lines(text: str) -> Iterator[str]:
    """The lines of a text, one by one: of a long one most are never looked at."""
    start = 0
    while (end := text.find("\n", start)) >= 0:
        yield text[start:end]
        start = end + 1
    yield text[start:]


def _segments(line: str, at: int, marked: Ranges) -> Segments:
    """A line that starts at `at`, in pieces."""
    pieces: list[tuple[str, bool]] = []
    done = 0
    for first, last in marked:
        start, end = max(done, first - at), min(len(line), last - at)
        if start < end:
            pieces += [(line[done:start], False), (line[start:end], True)]
            done = end
    return tuple(piece for piece in (*pieces, (line[done:], False)) if piece[0])


_COMPARED: OrderedDict[tuple[object, ...], tuple[TextDiff, LazyRows]] = OrderedDict()
"""The rows of the last comparisons, by what they are made of; a comparison has no hash."""


def _compared_rows(diff: TextDiff, width: int, sought: str, between: tuple[Line, ...]) -> LazyRows:
    """Both texts of a comparison: beside each other, or with lines between them one below."""
    key = (id(diff), width, sought, between)
    if key not in _COMPARED:
        made = _below(diff, width, sought, between) if between else _pair_rows(diff, width, sought)
        _COMPARED[key] = diff, LazyRows(made, patient=True)
        while len(_COMPARED) > COMPARED_KEPT:
            _COMPARED.popitem(last=False)
    _COMPARED.move_to_end(key)
    return _COMPARED[key][1]


def _below(diff: TextDiff, width: int, sought: str, between: tuple[Line, ...]) -> Iterator[Marked]:
    """The new text, some lines, and the old text below them."""
    yield from _side_rows(diff, width, sought, side=1)
    yield from ((line, False) for line in between)
    yield from _side_rows(diff, width, "", side=0)


def _pair_rows(diff: TextDiff, width: int, sought: str) -> Iterator[Marked]:
    digits = digits_of(len(diff.old_lines), len(diff.new_lines))
    half = half_width(width)
    changed = False
    for pair in paired(diff, fold=False):
        if isinstance(pair, Pair):
            begins = pair.changed and not changed
            changed = pair.changed
            sides = column(pair.left, half, digits), column(pair.right, half, digits, sought)
            yield from opening(beside(*sides, width), begins=begins)


def _side_rows(diff: TextDiff, width: int, sought: str, *, side: int) -> Iterator[Marked]:
    digits = digits_of(len(diff.old_lines), len(diff.new_lines))
    changed = False
    for pair in paired(diff, fold=False):
        if isinstance(pair, Pair) and pair[side].number is not None:
            begins = pair.changed and not changed
            changed = pair.changed
            yield from opening(column(pair[side], width, digits, sought), begins=begins)


def _why_unknown(span: Span) -> str:
    if span.doubt is not None:
        return f"the text is unknown since {span.doubt.since}: {span.doubt.why}"
    return "the text is not recorded; its hash is what the agent claimed"
