"""Does what a diff read still hold? DIF301 and DIF313 (seed 004)."""

from __future__ import annotations

import itertools

from spanscope.journal.parts import Read
from spanscope.model.between import changes_between
from spanscope.model.content import content_hash
from spanscope.model.diffs import Diff
from spanscope.model.mapping import follow
from spanscope.model.spans import Span
from spanscope.rules.checked import Checked, culprit, first_change, uncertain
from spanscope.rules.endings import ending
from spanscope.rules.judgements import DiffLine, Reason
from spanscope.rules.positions import Known, View, is_surely_gone, order_cause

ORDER_CHANGED = "the order changed"
"""What made a read of the whole buffer drift, where no content did."""


def check_read(diff: Diff, read: Read, view: View, known: Known) -> Checked | None:
    """Whether what was read is still so; null for the diff's own spans, and where it is nothing."""
    if read.all:
        return _check_all(diff, view, known)
    name = read.span
    if name is None or name in diff.own_spans:
        return None
    base = None if diff.base is None else diff.base.readable(name)
    now = view.span(name)
    thing = f"read {name}" if read.range is None else f"read {name} {_range(read.range)}"
    refused = _no_such_read(diff, read, base, view, thing)
    if refused is not None:
        return refused
    if now is None or not now.live:
        if now is not None and not now.life_known:
            return uncertain("read", name, f"whether {name} is gone is unknown")
        return _gone(thing, name, now, view)
    return _check_live(diff, read, base, now, view, thing)


def _check_live(
    diff: Diff, read: Read, base: Span | None, now: Span, view: View, thing: str
) -> Checked:
    """Whether a span that lives is still what was read of it."""
    name = now.span
    if base is None and (read.hash is None or read.range is not None):
        return uncertain("read", name, "the base is unknown")
    doubt = now.doubt or (None if base is None else base.doubt)
    if doubt is not None and not _only_base_unknown(read, base, now):
        return uncertain("read", name, doubt.why)
    if base is None:
        return _check_hash_alone(diff, read, now, view, thing)
    if read.hash and _only_base_unknown(read, base, now):
        return _check_hash(read.hash, base, now, view, thing)
    if read.range is None:
        return _check_whole(read, base, now, view, thing)
    return _check_range(read, base, now, view, thing)


def _only_base_unknown(read: Read, base: Span | None, now: Span) -> bool:
    """Whether the hash that was read tells, though the base does not."""
    whole_by_hash = bool(read.hash) and read.range is None
    return whole_by_hash and base is not None and base.hash is None and now.hash is not None


def _ever_read(read: Read, diff: Diff, view: View) -> bool | None:
    """Whether a span ever had the hash that was read; null where some of its past is unknown."""
    assert read.span is not None
    states = view.history_of(read.span)
    # What was lost before the first of them may have told of older ones.
    unknown = bool(view.first_lost_at) and states[0].seq >= view.first_lost_at
    # The newest first: mostly it was read as it was last.
    for span in reversed(states):
        if span.seq > diff.seq:
            continue
        hash = span.hash
        if read.range is not None:
            text = span.text
            start, end = (max(offset, 0) for offset in read.range)
            hash = None if text is None else content_hash(text[start:end])
        if hash == read.hash:
            return True
        unknown = unknown or hash is None
    return None if unknown else False


def _no_such_read(
    diff: Diff, read: Read, base: Span | None, view: View, thing: str
) -> Checked | None:
    """DIF313 where nothing such could be read at the base, or that this can't be told."""
    name = read.span
    assert name is not None
    if base is None and diff.base is not None:
        return _phantom(thing, name, f"{name} was not in the buffer at the base")
    if base is None and (diff.phantom is not None or view.span(name) is None):
        return uncertain("read", name, "the base is unknown")
    had = True if base is None or read.hash is None else _ever_read(read, diff, view)
    if had is None and read.range is None and not is_surely_gone(view.span(name)):
        return uncertain("read", name, f"whether {name} ever held what was read is unknown")
    return None if had is not False else _phantom(thing, name, f"{name} never held what was read")


def _check_hash_alone(diff: Diff, read: Read, now: Span, view: View, thing: str) -> Checked:
    """What the hash that was read tells, where the base is unknown.

    What the span came to hold after the diff was staged nobody can have read for it.
    """
    name = now.span
    if now.hash == read.hash:
        return _same(name)
    states = [span for span in view.history_of(name) if span.seq <= diff.seq]
    had = [span.seq for span in states if span.hash == read.hash]
    if not had or now.hash is None:
        return uncertain("read", name, "the base is unknown")
    cause = next(span.seq for span in view.history_of(name) if span.seq > had[-1])
    return _drift(thing, name, cause, view, f"{name} was read as it was before {cause}")


def _range(range: tuple[int, int]) -> str:
    return f"{range[0]}..{range[1]}"


def _phantom(thing: str, name: str, detail: str) -> Checked:
    reason = Reason("DIF313", thing, name, None, None, detail)
    return Checked((reason,), DiffLine("read", name, "not found", detail))


def _gone(thing: str, name: str, now: Span | None, view: View) -> Checked:
    if now is None:
        return uncertain("read", name, f"{name} is unknown")
    cause = now.since
    actor, words = culprit(view, name, cause)
    copy = "" if now.into is None else f", its copy is {now.into}"
    detail = f"{name} {ending(now)}{copy}"
    reason = Reason("DIF301", thing, name, cause, actor, detail)
    return Checked((reason,), DiffLine("read", name, "gone", words, cause))


def _drift(
    thing: str, name: str, cause: int | None, view: View, detail: str, kind: str = "read"
) -> Checked:
    actor, words = culprit(view, name, cause)
    reason = Reason("DIF301", thing, name, cause, actor, detail)
    return Checked((reason,), DiffLine(kind, name, "changed", words, cause))


def _same(name: str) -> Checked:
    return Checked((), DiffLine("read", name, "same", ""))


def _check_whole(read: Read, base: Span, now: Span, view: View, thing: str) -> Checked:
    name = base.span
    if read.hash is None and base.node is now.node:
        # Whatever it holds, nothing was done to it.
        return _same(name)
    wanted = read.hash or base.hash
    if wanted is None or now.hash is None:
        return uncertain("read", name, f"the content of {name} is not recorded")
    if now.hash == wanted:
        return _same(name)
    if read.hash is not None and read.hash != base.hash:
        return _old_read(read.hash, base, view, thing)
    cause = first_change(base, now)
    return _drift(thing, name, cause, view, f"{name} was changed at {cause}")


def _check_hash(hash: str, base: Span, now: Span, view: View, thing: str) -> Checked:
    """A read whose hash alone is known, not what stood at the base."""
    if now.hash == hash:
        return _same(base.span)
    if any(span.hash == hash for span in view.history_of(base.span)):
        return _old_read(hash, base, view, thing)
    return uncertain("read", base.span, f"the content of {base.span} is not recorded")


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
        # Of a text that is not recorded nothing but the whole can be told.
        if base.node.same_content(now.node):
            return _same(name)
        return uncertain("read", name, f"the content of {name} is not recorded")
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
        return uncertain("read", "all", "the base is unknown")
    were = set(base.order)
    told = [_since_base(diff, was, view) for was in base.spans()]
    told += [_newcomer(view, name) for name in view.order if name not in were]
    causes = [(cause, name) for name, cause, _ in told if cause is not None]
    if causes:
        cause, name = min(causes)
        return _drift("read all", name, cause, view, f"{name} was changed at {cause}")
    if view.doubt is not None:
        return uncertain("read", "all", view.doubt.why)
    moved = _moved(base.order, view.order)
    if moved is not None:
        key = ("DIF301", "read all", ORDER_CHANGED)
        order = base.order
        first = known[key] if key in known else order_cause(diff, view, lambda o: o == order)
        reason = Reason("DIF301", "read all", moved, first, None, ORDER_CHANGED)
        return Checked((reason,), DiffLine("read", "all", "changed", "order", first))
    unknown = [name for name, _, same in told if same is None]
    return uncertain("read", "all", f"{unknown[0]} is unknown") if unknown else _same("all")


def _since_base(diff: Diff, was: Span, view: View) -> tuple[str, int | None, bool | None]:
    """A span of the base: its id, the event that changed it, and whether it is the same."""
    name, now = was.span, view.span(was.span)
    if now is None:
        return name, diff.seq, False
    if not now.live:
        if not now.life_known:
            return name, None, None
        return name, now.since, False
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
