"""Whether the references of a staged diff resolve, and whether its lines and indices stand."""

from __future__ import annotations

import re
from typing import Final

from spanscope.journal.events import Stage
from spanscope.journal.parts import (
    HashRef,
    IndexRef,
    IngestEdit,
    LineRef,
    QuoteRef,
    Ref,
    RewriteEdit,
    SpanRef,
    SpliceEdit,
)
from spanscope.plain.following import same_up_to
from spanscope.plain.texts import Text, content_hash, string
from spanscope.plain.trying import live_texts
from spanscope.plain.world import Span, World, same_content

HASH: Final = re.compile(r"sha256:[0-9a-f]{64}(?![0-9a-f])")


def all_refs(stage: Stage) -> list[Ref]:
    """The references that a diff lists, and the hashes in the text that it puts in."""
    refs = list(stage.refs)
    for edit in stage.edits:
        if isinstance(edit, SpliceEdit):
            refs += [HashRef(hash=hash) for hash in HASH.findall(edit.insert)]
        elif isinstance(edit, RewriteEdit | IngestEdit):
            refs += [HashRef(hash=hash) for hash in HASH.findall(edit.content)]
    return refs


def own_contents(stage: Stage) -> dict[str, str]:
    """The spans that a diff itself brings in, with what it brings."""
    own = {}
    for edit in stage.edits:
        if isinstance(edit, IngestEdit):
            own[edit.span] = edit.content
        elif isinstance(edit, RewriteEdit) and edit.into is not None:
            own[edit.into] = edit.content
    return own


def resolves(ref: Ref, stage: Stage, base: World | None, now: World) -> bool | None:
    """Whether a reference means something in the live buffer; null where it can't be told.

    Spans that the diff brings in itself are there for its references. A line without a text of
    its own must read as it did at the base.
    """
    texts = live_texts(now)
    own = own_contents(stage)
    if isinstance(ref, HashRef):
        return _resolves_hash(ref.hash, own, now)
    if isinstance(ref, LineRef) and ref.span is None:
        was = None if base is None else known_lines(base)
        return _is_line(buffer_lines(now), ref, was)
    name = ref.span
    assert name is not None
    if name not in texts and name not in own:
        span = now.buffer.spans.get(name)
        known = now.order_doubt is None if span is None else span.surely_gone
        return False if known else None
    if isinstance(ref, SpanRef):
        return True if now.order_doubt is None or name in own else None
    if isinstance(ref, IndexRef):
        return _is_at(name, ref.index, base, now)
    text = texts.get(name)
    content = own.get(name, None if text is None else string(text))
    if content is None:
        return None
    if isinstance(ref, QuoteRef):
        return ref.text in content
    return _is_line(lines_of(content), ref, _base_lines(name, base))


def _is_at(name: str, index: int, base: World | None, now: World) -> bool | None:
    """Whether a span has its place; null where a span before it may be there or not."""
    order, spans = now.buffer.order, now.buffer.spans
    if name in spans and spans[name].surely_gone:
        return False
    if now.order_doubt is not None:
        return None
    if name not in order:
        return False
    place = order.index(name)
    around = order[: max(place, index) + 1]
    around += () if base is None else base.buffer.order[: index + 1]
    return place == index if all(spans[other].life_known for other in around) else None


def _base_lines(name: str, base: World | None) -> list[str] | None:
    span = None if base is None else base.buffer.spans.get(name)
    return None if span is None or not span.live or span.content is None else lines_of(span.content)


def _resolves_hash(hash: str, own: dict[str, str], now: World) -> bool | None:
    live = [now.buffer.spans[name].hash for name in now.buffer.order]
    if hash in live or hash in {content_hash(content) for content in own.values()}:
        return True
    return None if None in live or now.order_doubt is not None else False


def _is_line(lines: list[str] | None, ref: LineRef, was: list[str] | None) -> bool | None:
    if lines is None:
        return None
    if not 1 <= ref.line <= len(lines):
        return False
    wanted = ref.text
    if wanted is None and was is not None and ref.line <= len(was):
        wanted = was[ref.line - 1]
    return wanted is None or lines[ref.line - 1] == wanted


def lines_of(content: str) -> list[str]:
    """The lines of a text; a line end at its end starts no further one."""
    lines = content.split("\n")
    return lines[:-1] if len(lines) > 1 and not lines[-1] else lines


def buffer_lines(world: World) -> list[str] | None:
    """The lines of the whole buffer, each span starting one; null where they can't be told."""
    held = [world.buffer.spans[name].content for name in world.buffer.order]
    if world.order_doubt is not None or None in held:
        return None
    return [line for content in held if content is not None for line in lines_of(content)]


def known_lines(world: World) -> list[str]:
    """The lines of the buffer before the first span of which they can't be told."""
    lines: list[str] = []
    for name in world.buffer.order if world.order_doubt is None else ():
        content = world.buffer.spans[name].content
        if content is None:
            break
        lines += lines_of(content)
    return lines


def ref_drifted(ref: Ref, base: World, now: World) -> bool | None:
    """Whether something changed at or before what a `line` or `index` counts, since the base."""
    if isinstance(ref, IndexRef):
        return _order_drifted(ref.index + 1, base, now)
    if not isinstance(ref, LineRef):
        return False
    if ref.span is None:
        return _buffer_line_drifted(ref.line, base, now)
    then, here = base.buffer.spans.get(ref.span), now.buffer.spans.get(ref.span)
    if then is None or here is None or not then.live or not here.live or ref.line < 1:
        return False
    same = same_content(then, here)
    if same is not False:
        return None if same is None else False
    if then.text is None or here.text is None:
        return None
    return not same_up_to(then.text, here.text, _line_end(then.text, ref.line))


def _line_end(text: Text, line: int) -> int:
    lines = string(text).split("\n")
    return len("\n".join(lines[:line]))


def _buffer_line_drifted(line: int, base: World, now: World) -> bool | None:
    """Span by span: those before the line's must be the same, and its own up to the line's end."""
    if base.order_doubt is not None:
        return None
    if line < 1:
        return False
    compared: list[bool | None] = []
    for name in base.buffer.order:
        then, here = base.buffer.spans[name], now.buffer.spans[name]
        if then.content is None:
            return None
        count = len(lines_of(then.content))
        end = None if line > count else _line_end(then.text or (), line)
        compared.append(_same_so_far(then, here, end))
        if end is not None:
            break
        line -= count
    else:
        # There was no such line.
        return False
    order = _order_drifted(len(compared), base, now)
    if False in compared or order:
        return True
    return None if None in compared or order is None else False


def _order_drifted(upto: int, base: World, now: World) -> bool | None:
    """Whether the first spans are others than at the base."""
    was, here = base.buffer.order[:upto], now.buffer.order[:upto]
    if now.order_doubt is None and any(now.buffer.spans[name].surely_gone for name in was):
        return True
    known = all(now.buffer.spans[name].life_known for name in (*was, *here))
    if base.order_doubt is not None or now.order_doubt is not None or not known:
        return None
    return was != here


def _same_so_far(then: Span, here: Span, end: int | None) -> bool | None:
    """Whether a span is live and reads the same up to an offset, or (null) as a whole."""
    if not here.live:
        return False if here.surely_gone else None
    same = same_content(then, here)
    if same is not False:
        return same
    if end is None:
        return False
    return None if then.text is None or here.text is None else same_up_to(then.text, here.text, end)
