"""Whether what a staged diff read is still what it read (DIF301, DIF313)."""

from __future__ import annotations

from typing import Literal

from spanscope.journal.events import Stage
from spanscope.journal.parts import Read
from spanscope.plain.bases import Base, hashes_ever, part_hash, texts_since, worlds_until
from spanscope.plain.following import followed_text, reads_the_same
from spanscope.plain.texts import Text, content_hash
from spanscope.plain.world import Moment, Span, World, same_content

Finding = Literal["same", "drifted", "never", "unknown"]


def read_stands(
    read: Read, stage: Stage, base: Base, now: World, past: tuple[Moment, ...]
) -> Finding:
    """What became of one member of a read set."""
    if base.never and base.world is None:
        return "same"
    if read.all:
        return _all(base, now)
    if read.span is None:
        return "same"
    if read.hash is not None:
        return _by_hash(read.span, read.hash, read, base, stage, now, past)
    if base.world is None:
        gone = now.buffer.spans.get(read.span)
        return "drifted" if gone is not None and gone.surely_gone else "unknown"
    then = base.world.buffer.spans.get(read.span)
    if then is None or then.gone:
        return "never" if base.world.order_doubt is None else "unknown"
    here = now.buffer.spans[read.span]
    if not here.live:
        return "drifted" if here.surely_gone else "unknown"
    return _compared(read.range, then, here, texts_since(read.span, base.world, past))


def _compared(part: tuple[int, int] | None, then: Span, here: Span, texts: list[Text]) -> Finding:
    same = same_content(then, here)
    if same is None:
        return "unknown"
    if same:
        return "same"
    if part is None:
        return "drifted"
    if then.text is None or here.text is None:
        return "unknown"
    return "same" if reads_the_same(*part, texts) else "drifted"


def _by_hash(
    name: str,
    hash: str,
    read: Read,
    base: Base,
    stage: Stage,
    now: World,
    past: tuple[Moment, ...],
) -> Finding:
    if base.world is not None:
        then = base.world.buffer.spans.get(name)
        if then is None or then.gone:
            return "never" if base.world.order_doubt is None else "unknown"
    ever, all_known = hashes_ever(name, read.range, worlds_until(stage.seq, past))
    here = now.buffer.spans.get(name)
    if hash not in ever and all_known:
        return "never"
    if here is not None and here.surely_gone:
        return "drifted"
    if here is None or not here.live or (hash not in ever and read.range is None):
        return "unknown"
    if read.range is None:
        return "unknown" if here.hash is None else "same" if here.hash == hash else "drifted"
    if base.world is None:
        return "unknown"
    then = base.world.buffer.spans[name]
    if then.content is None or here.content is None or hash not in ever:
        # Of a text that is not recorded nothing but the whole can be told.
        return "same" if same_content(then, here) else "unknown"
    return _part_by_hash(read.range, hash, then, here, texts_since(name, base.world, past))


def _part_by_hash(
    part: tuple[int, int], hash: str, then: Span, here: Span, texts: list[Text]
) -> Finding:
    """What became of a part whose hash was read: the base's, that of now, or an older one."""
    if part_hash(then, part) == hash:
        return _compared(part, then, here, texts)
    now = {part_hash(here, part), content_hash(followed_text(*part, texts))}
    return "same" if hash in now else "drifted"


def _all(base: Base, now: World) -> Finding:
    """Every live span, their order, and that there are no others."""
    if base.world is None:
        return "unknown"
    was, here = base.world.buffer, now.buffer
    compared = [_same_live(was.spans[name], here.spans.get(name)) for name in was.order]
    new = [here.spans[name].doubt is None for name in here.order if name not in was.order]
    ordered = base.world.order_doubt is None and now.order_doubt is None
    stood = [name for name in was.order if name in here.order]
    stands = [name for name in here.order if name in was.order]
    if False in compared or True in new or (ordered and stood != stands):
        return "drifted"
    return "unknown" if None in compared or False in new or not ordered else "same"


def _same_live(then: Span, here: Span | None) -> bool | None:
    """Whether a span of the base is live and holds the same; null where it can't be told."""
    if here is None or not here.live:
        return False if here is not None and here.surely_gone else None
    return same_content(then, here)
