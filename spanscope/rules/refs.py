"""Does what a diff refers to still stand in the live buffer? DIF303 (seed 004)."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

from spanscope.journal.parts import (
    HashRef,
    IndexRef,
    IngestEdit,
    LineRef,
    QuoteRef,
    Ref,
    RewriteEdit,
    SpanRef,
)
from spanscope.model.content import content_hash
from spanscope.model.diffs import Diff
from spanscope.rules.checked import Checked, culprit, first_change, uncertain
from spanscope.rules.judgements import DiffLine, Reason
from spanscope.rules.positions import Known, View, base_line, buffer_lines, order_cause, positional
from spanscope.rules.report import excerpt


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
        return uncertain(kind, name, f"whether {name} is gone is unknown")
    if now is None or not now.live:
        cause = None if now is None else now.since
        if now is None and view.doubt is not None:
            return uncertain(kind, name, view.doubt.why)
        return _unresolved(kind, name, f"{name} is gone", cause, view)
    if isinstance(ref, SpanRef):
        return Checked((), DiffLine("span", name, "same", ""))
    if isinstance(ref, IndexRef):
        return _check_index(diff, ref, view, known)
    if now.text is None:
        return uncertain(kind, name, f"the content of {name} is unknown")
    return _check_text(diff, ref, name, now.text, view, kind)


def _unresolved(kind: str, name: str, detail: str, cause: int | None, view: View) -> Checked:
    actor, words = culprit(view, name, cause)
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
        detail = f'the quote "{excerpt(ref.text, 40)}" does not stand in {name}'
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
        return uncertain("line", str(ref.line), view.doubt.why)
    texts: dict[str, str] = {}
    for name in view.order:
        span = view.span(name)
        if span is None or span.text is None:
            return uncertain("line", str(ref.line), f"{name} is unknown")
        texts[name] = span.text
    lines = buffer_lines(view.order, texts)
    was = base_line(diff, ref.line)
    wanted = ref.text if ref.text is not None else (was[2] if was else None)
    found = lines[ref.line - 1] if 1 <= ref.line <= len(lines) else None
    if found is not None and (wanted is None or found[2] == wanted):
        return Checked((), DiffLine("line", str(ref.line), "same", found[0]))
    detail = f"line {ref.line} of the buffer is {'missing' if found is None else 'another one'}"
    moved = positional(diff, ref, view, known).reasons
    cause = moved[0].cause if moved else None
    reason = Reason("DIF303", f"line {ref.line}", None, cause, None, detail)
    return Checked((reason,), DiffLine("line", str(ref.line), "not found", detail, cause))


def _check_index(diff: Diff, ref: IndexRef, view: View, known: Known) -> Checked:
    if view.doubt is not None:
        return uncertain("index", ref.span, view.doubt.why)
    place = view.order.index(ref.span)
    around = view.order[: max(place, ref.index) + 1]
    around += [] if diff.base is None else diff.base.order[: ref.index + 1]
    for name in around:
        span = view.span(name)
        if span is None or not span.life_known:
            return uncertain("index", ref.span, f"whether {name} is gone is unknown")
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
        return uncertain("hash", short, "a span's content is unknown")
    detail = f"no live span has the hash {short}"
    lost = max(_lost_hash(diff, ref.hash, view), default=None)
    if lost is None:
        reason = Reason("DIF303", f"hash {short}", None, None, None, detail)
        return Checked((reason,), DiffLine("hash", short, "not found", detail))
    cause, name = lost
    actor, words = culprit(view, name, cause)
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
