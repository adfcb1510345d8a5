"""Do a diff's reads and references still hold? DIF301 to DIF303 and DIF313 (seed 004)."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import NamedTuple

from spanscope.journal.parts import (
    HashRef,
    IndexRef,
    IngestEdit,
    LineRef,
    QuoteRef,
    Read,
    Ref,
    RewriteEdit,
    SpanRef,
)
from spanscope.model.content import content_hash
from spanscope.model.diffs import Diff
from spanscope.model.mapping import follow
from spanscope.model.node import changes_between
from spanscope.model.spans import Span
from spanscope.rules.judgements import DiffLine, Reason
from spanscope.rules.positions import (
    Known,
    View,
    base_line,
    buffer_lines,
    order_cause,
    positional,
)


class Checked(NamedTuple):
    """What was found of one read or reference; `unknown` says why it can't be told."""

    reasons: tuple[Reason, ...]
    line: DiffLine
    unknown: str | None = None


def _culprit(view: View, name: str, cause: int | None) -> tuple[str | None, str]:
    """Who made the change at `cause`, and the words for it."""
    if cause is None:
        return None, ""
    for span in view.history_of(name):
        if span.seq == cause:
            actor = span.node.actor if span.node.seq == cause else None
            return actor, f"{cause} {actor or span.op}"
    return None, str(cause)


def first_change(base: Span, now: Span) -> int:
    """The earliest standing change that by itself makes a span differ from its base."""
    changes = changes_between(base.node, now.node)
    return min((change.seq for change in changes if change.seq > base.seq), default=now.seq)


def check_read(diff: Diff, read: Read, view: View, known: Known) -> Checked | None:
    """Whether what was read is still so; null for the diff's own spans."""
    if read.all:
        return _check_all(diff, view, known)
    name = read.span or ""
    if name in diff.own_spans:
        return None
    base = None if diff.base is None else diff.base.readable(name)
    now = view.span(name)
    thing = f"read {name}" if read.range is None else f"read {name} {_range(read.range)}"
    if base is None and diff.base is not None:
        return _phantom(thing, name, f"{name} was not in the buffer at the base")
    if base is None:
        return _uncertain("read", name, "the base is unknown")
    if now is not None and not now.live and not now.life_known:
        return _uncertain("read", name, f"whether {name} is gone is unknown")
    if now is None or not now.live:
        return _gone(thing, name, now, view)
    if now.doubt is not None or base.doubt is not None:
        doubt = now.doubt or base.doubt
        assert doubt is not None
        return _uncertain("read", name, doubt.why)
    if read.range is None:
        return _check_whole(read, base, now, view, thing)
    return _check_range(read, base, now, view, thing)


def _range(range: tuple[int, int]) -> str:
    return f"{range[0]}..{range[1]}"


def _phantom(thing: str, name: str, detail: str) -> Checked:
    reason = Reason("DIF313", thing, name, None, None, detail)
    return Checked((reason,), DiffLine("read", name, "not found", detail))


def _uncertain(kind: str, name: str, why: str) -> Checked:
    return Checked((), DiffLine(kind, name, "unknown", why), why)


def _gone(thing: str, name: str, now: Span | None, view: View) -> Checked:
    if now is None:
        return _uncertain("read", name, f"{name} is unknown")
    actor, words = _culprit(view, name, now.seq)
    life = now.life if now.into is None else f"{now.life}, its copy is {now.into}"
    detail = f"{name} is {life} since {now.seq}"
    reason = Reason("DIF301", thing, name, now.seq, actor, detail)
    return Checked((reason,), DiffLine("read", name, "gone", words, now.seq))


def _drift(
    thing: str, name: str, cause: int | None, view: View, detail: str, kind: str = "read"
) -> Checked:
    actor, words = _culprit(view, name, cause)
    reason = Reason("DIF301", thing, name, cause, actor, detail)
    return Checked((reason,), DiffLine(kind, name, "changed", words, cause))


def _same(name: str) -> Checked:
    return Checked((), DiffLine("read", name, "same", ""))


def _check_whole(read: Read, base: Span, now: Span, view: View, thing: str) -> Checked:
    name = base.span
    wanted = read.hash or base.hash
    if wanted is None or now.hash is None:
        return _uncertain("read", name, f"the content of {name} is not recorded")
    if now.hash == wanted:
        return _same(name)
    if read.hash is not None and read.hash != base.hash:
        return _old_read(read.hash, base, view, thing)
    cause = first_change(base, now)
    return _drift(thing, name, cause, view, f"{name} was changed at {cause}")


def _old_read(hash: str, base: Span, view: View, thing: str) -> Checked:
    """A hash that the span had at another revision is an old read; else a phantom."""
    name = base.span
    had = [span for span in view.history_of(name) if span.hash == hash]
    if not had:
        return _phantom(thing, name, f"{name} never had the hash that was read")
    later = [span.seq for span in view.history_of(name) if span.seq > had[-1].seq]
    cause = later[0] if later else base.seq
    return _drift(thing, name, cause, view, f"{name} was read as it was before {cause}")


def _check_range(read: Read, base: Span, now: Span, view: View, thing: str) -> Checked:
    assert read.range is not None
    name = base.span
    if not (base.node.text_known and now.node.text_known):
        # Of a text that is not recorded nothing but the whole hash can be told.
        if base.hash is not None and base.hash == now.hash:
            return _same(name)
        return _uncertain("read", name, f"the content of {name} is not recorded")
    start, end = _what_is_there(read.range, base.node.length)
    text = base.node.text[start:end]
    if read.hash is not None and content_hash(text) != read.hash:
        return _old_range(read, now, base, view, thing)
    found = follow(start, end, changes_between(base.node, now.node))
    if now.node.text[found.start : found.end] == text:
        return _same(name)
    cause = found.touched.seq if found.touched is not None else first_change(base, now)
    detail = f"{name} {_range(read.range)} was changed at {cause}"
    return _drift(thing, name, cause, view, detail)


def _what_is_there(range: tuple[int, int], length: int) -> tuple[int, int]:
    """The part of a range that lies in a text: nothing was read beyond its end."""
    start, end = (min(max(offset, 0), length) for offset in range)
    return start, max(start, end)


def _old_range(read: Read, now: Span, base: Span, view: View, thing: str) -> Checked:
    assert read.range is not None
    name, (start, end) = base.span, read.range
    start, end = max(start, 0), max(end, 0)
    if content_hash(now.node.text[start:end]) == read.hash:
        return _same(name)
    had = [
        span
        for span in view.history_of(name)
        if span.text is not None and content_hash(span.text[start:end]) == read.hash
    ]
    if not had:
        return _phantom(thing, name, f"{name} never held the text that was read")
    later = [span.seq for span in view.history_of(name) if span.seq > had[-1].seq]
    cause = later[0] if later else base.seq
    return _drift(thing, name, cause, view, f"{name} was read as it was before {cause}")


def _check_all(diff: Diff, view: View, known: Known) -> Checked:
    base = diff.base
    if base is None:
        return _uncertain("read", "all", "the base is unknown")
    were = set(base.order)
    told = [_since_base(diff, was, view) for was in base.spans()]
    told += [_newcomer(view, name) for name in view.order if name not in were]
    causes = [(cause, name) for name, cause, _ in told if cause is not None]
    if causes:
        cause, name = min(causes)
        return _drift("read all", name, cause, view, f"{name} was changed at {cause}")
    if view.doubt is not None:
        return _uncertain("read", "all", view.doubt.why)
    moved = _moved(base.order, view.order)
    if moved is not None:
        key = ("DIF301", "read all", "the order changed")
        order = base.order
        first = known[key] if key in known else order_cause(diff, view, lambda o: o == order)
        reason = Reason("DIF301", "read all", moved, first, None, "the order changed")
        return Checked((reason,), DiffLine("read", "all", "changed", "order", first))
    unknown = [name for name, _, same in told if same is None]
    return _uncertain("read", "all", f"{unknown[0]} is unknown") if unknown else _same("all")


def _since_base(diff: Diff, was: Span, view: View) -> tuple[str, int | None, bool | None]:
    """A span of the base: its id, the event that changed it, and whether it is the same."""
    name, now = was.span, view.span(was.span)
    if now is None:
        return name, diff.seq, False
    if not now.live:
        return (name, now.seq, False) if now.life_known else (name, None, None)
    if now.doubt is not None or was.doubt is not None:
        return name, None, None
    same = now.node.same_content(was.node)
    return name, first_change(was, now) if same is False else None, same


def _newcomer(view: View, name: str) -> tuple[str, int | None, bool | None]:
    """The same of a span that was not in the buffer at the base."""
    span = view.span(name)
    known = span is not None and span.doubt is None
    return name, _appeared(view, name) if known else None, False if known else None


def _moved(was: list[str], now: list[str]) -> str | None:
    """The first span that stands elsewhere among those that both orders have."""
    both = set(was) & set(now)
    stood, stands = ([name for name in order if name in both] for order in (was, now))
    return next((b for a, b in zip(stood, stands, strict=True) if a != b), None)


def _appeared(view: View, name: str) -> int:
    states = view.history_of(name)
    seq = states[0].seq if states else 0
    for before, after in itertools.pairwise(states):
        if after.live and not before.live:
            seq = after.seq
    return seq


def own_texts(diff: Diff) -> dict[str, str]:
    """The contents that the diff itself brings in."""
    own: dict[str, str] = {}
    for edit in diff.edits:
        if isinstance(edit, IngestEdit):
            own[edit.span] = edit.content
        elif isinstance(edit, RewriteEdit) and edit.into:
            own[edit.into] = edit.content
    return own


def check_ref(diff: Diff, ref: Ref, view: View, known: Known) -> Checked:
    """Whether a reference resolves against the live buffer (DIF303)."""
    own = own_texts(diff)
    if isinstance(ref, HashRef):
        return _check_hash(diff, ref, own, view)
    if isinstance(ref, LineRef) and ref.span is None:
        return _check_buffer_line(diff, ref, view, known)
    name = ref.span
    assert name is not None
    kind = ref.__struct_config__.tag
    assert isinstance(kind, str)
    if name in own and not isinstance(ref, IndexRef):
        return _check_text(diff, ref, name, own[name], view, kind)
    now = view.span(name)
    if now is not None and not now.live and not now.life_known:
        return _uncertain(kind, name, f"whether {name} is gone is unknown")
    if now is None or not now.live:
        cause = None if now is None else now.seq
        if now is None and view.doubt is not None:
            return _uncertain(kind, name, view.doubt.why)
        return _unresolved(kind, name, f"{name} is gone", cause, view)
    if isinstance(ref, SpanRef):
        return Checked((), DiffLine("span", name, "same", ""))
    if isinstance(ref, IndexRef):
        return _check_index(diff, ref, view, known)
    if now.text is None:
        return _uncertain(kind, name, f"the content of {name} is unknown")
    return _check_text(diff, ref, name, now.text, view, kind)


def _unresolved(kind: str, name: str, detail: str, cause: int | None, view: View) -> Checked:
    actor, words = _culprit(view, name, cause)
    reason = Reason("DIF303", f"{kind} {name}", name, cause, actor, detail)
    return Checked((reason,), DiffLine(kind, name, "not found", words or detail, cause))


def _check_text(diff: Diff, ref: Ref, name: str, text: str, view: View, kind: str) -> Checked:
    base = None if diff.base is None else diff.base.span(name)
    now = view.span(name)
    cause = first_change(base, now) if base is not None and now is not None else None
    if base is not None and now is not None and base.node.same_content(now.node):
        cause = None
    if isinstance(ref, QuoteRef):
        if ref.text in text:
            return Checked((), DiffLine(kind, name, "same", ""))
        detail = f'the quote "{ref.text[:40]}" does not stand in {name}'
        return _unresolved(kind, name, detail, cause, view)
    if not isinstance(ref, LineRef):
        return Checked((), DiffLine(kind, name, "same", ""))
    wanted = ref.text
    if wanted is None and base is not None and base.text is not None:
        wanted = line_of(base.text, ref.line)
    found = line_of(text, ref.line)
    if found is not None and (wanted is None or found == wanted):
        return Checked((), DiffLine(kind, name, "same", f"line {ref.line}"))
    what = "is missing" if found is None else "is another one"
    return _unresolved(kind, name, f"line {ref.line} of {name} {what}", cause, view)


def line_of(text: str, number: int) -> str | None:
    """Line `number` (1-based) of a text; null where there is none."""
    lines = text.split("\n")
    if lines and lines[-1] == "" and len(lines) > 1:
        lines.pop()
    return lines[number - 1] if 1 <= number <= len(lines) else None


def _check_buffer_line(diff: Diff, ref: LineRef, view: View, known: Known) -> Checked:
    if view.doubt is not None:
        return _uncertain("line", str(ref.line), view.doubt.why)
    texts: dict[str, str] = {}
    for name in view.order:
        span = view.span(name)
        if span is None or span.text is None:
            return _uncertain("line", str(ref.line), f"{name} is unknown")
        texts[name] = span.text
    lines = buffer_lines(view.order, texts)
    was = base_line(diff, ref.line)
    wanted = ref.text if ref.text is not None else (was[2] if was else None)
    found = lines[ref.line - 1] if 1 <= ref.line <= len(lines) else None
    if found is not None and (wanted is None or found[2] == wanted):
        return Checked((), DiffLine("line", str(ref.line), "same", found[0]))
    detail = f"line {ref.line} of the buffer is {'missing' if found is None else 'another one'}"
    moved = positional(diff, ref, view, known)
    cause = moved[0].cause if moved else None
    reason = Reason("DIF303", f"line {ref.line}", None, cause, None, detail)
    return Checked((reason,), DiffLine("line", str(ref.line), "not found", detail, cause))


def _check_index(diff: Diff, ref: IndexRef, view: View, known: Known) -> Checked:
    if view.doubt is not None:
        return _uncertain("index", ref.span, view.doubt.why)
    place = view.order.index(ref.span)
    around = view.order[: max(place, ref.index) + 1]
    around += [] if diff.base is None else diff.base.order[: ref.index + 1]
    for name in around:
        span = view.span(name)
        if span is None or not span.life_known:
            return _uncertain("index", ref.span, f"whether {name} is gone is unknown")
    if place == ref.index:
        return Checked((), DiffLine("index", ref.span, "same", str(ref.index)))
    detail = f"{ref.span} stands at {place}, not at {ref.index}"
    key = ("DIF303", f"index {ref.span}", detail)
    here = slice(ref.index, ref.index + 1)
    cause = known[key] if key in known else order_cause(diff, view, lambda o: o[here] == [ref.span])
    return _unresolved("index", ref.span, detail, cause, view)


def _check_hash(diff: Diff, ref: HashRef, own: dict[str, str], view: View) -> Checked:
    short = ref.hash[7:13]
    if any(content_hash(text) == ref.hash for text in own.values()):
        return Checked((), DiffLine("hash", short, "same", "its own"))
    unknown = False
    for name in view.order:
        span = view.span(name)
        if span is not None and span.hash == ref.hash:
            return Checked((), DiffLine("hash", short, "same", name))
        unknown = unknown or span is None or span.unknown
    if unknown or view.doubt is not None:
        return _uncertain("hash", short, "a span's content is unknown")
    detail = f"no live span has the hash {short}"
    lost = max(_lost_hash(diff, ref.hash, view), default=None)
    if lost is None:
        reason = Reason("DIF303", f"hash {short}", None, None, None, detail)
        return Checked((reason,), DiffLine("hash", short, "not found", detail))
    cause, name = lost
    actor, words = _culprit(view, name, cause)
    reason = Reason("DIF303", f"hash {short}", name, cause, actor, detail)
    return Checked((reason,), DiffLine("hash", short, "not found", words, cause))


def _lost_hash(diff: Diff, hash: str, view: View) -> Iterator[tuple[int, str]]:
    """(seq, span) of the events by which a span that had the hash at the base lost it."""
    for was in () if diff.base is None else diff.base.spans():
        if was.hash != hash:
            continue
        for before, after in itertools.pairwise(view.history_of(was.span)):
            had = before.live and before.hash == hash
            if had and not (after.live and after.hash == hash) and after.seq > was.seq:
                yield after.seq, was.span
