"""The commonest change, made cheaply: a splice of a span that nobody holds.

No rule can find anything of it that is not settled by looking: the span is live, the place is in
it, the inverse fits in one place. So it is journaled and made without a draft and without the
judge, in a fraction of the time; the tests hold the outcome to the judge's.
"""

from __future__ import annotations

from spanscope.buffer.core import BufferCore
from spanscope.journal.events import Splice
from spanscope.journal.parts import Inverse
from spanscope.model.anchors import START_WINDOW, sound_inverse
from spanscope.model.content import content_hash
from spanscope.model.spans import Span

SMALL = 1 << 18
"""Characters of a text times those of what is sought in it, up to which any search is quick."""

HASH_EVERY = 8
"""A span's hash is told at every so many versions: a reader who lost lines then knows it again."""


def splice_quickly(
    core: BufferCore,
    actor: str,
    name: str,
    at: int,
    delete: int,
    insert: str,
    original: str | None = None,
) -> Span | None:
    """The span after a splice; null where it takes more than this to judge and make it.

    `original` is the text by which its place was sought, which stands there alone.
    """
    state = core.state
    before = state.spans.get(name)
    if (
        before is None
        or before.life != "live"
        or type(at) is not int
        or type(delete) is not int
        or not type(actor) is type(insert) is str
        or not (original is None or type(original) is str)
        or at < 0
        or delete < 0
        or at + delete > before.node.length
        or state.holders.get(name)
        or state.staged
        or core.redaction is not None
    ):
        return None
    text = before.node.text
    deleted = text[at : at + delete]
    if deleted == insert:
        return None
    written = text[:at] + insert + text[at + delete :]
    version = before.version + 1
    event = Splice(
        seq=state.seq + 1,
        time=core.time(),
        actor=actor,
        span=before.span,
        at=at,
        delete=delete,
        version=version,
        hash=None if version % HASH_EVERY else content_hash(written),
        original=original,
        inverse=inverse_in(written, at, insert, deleted),
        insert=insert,
    )
    return core.commit_splice(event, before, deleted, written)


def inverse_in(text: str, at: int, inserted: str, original: str) -> Inverse:
    """The inverse of a splice that left `text`, as `inverse_of` makes it."""
    end = at + len(inserted)
    start = at - START_WINDOW if at > START_WINDOW else 0
    before = text[start:at]
    after = text[end : end + START_WINDOW]
    if not _stands_only_at(text, start, text[start : end + START_WINDOW]):
        grown = sound_inverse(text, at, inserted, original)
        before, after = grown.before, grown.after
    return Inverse(
        original=original,
        inserted=len(inserted),
        inserted_hash=content_hash(inserted),
        at=at,
        before=before,
        after=after,
    )


def _stands_only_at(text: str, at: int, sought: str) -> bool:
    """Whether a text that stands at an offset stands nowhere else."""
    if len(text) * len(sought) > SMALL:
        return text.find(sought) == at and text.find(sought, at + 1) < 0
    # From the end the search takes half the time, but has no bound of its own for hostile texts.
    return text.rfind(sought) == at and text.rfind(sought, 0, at + len(sought) - 1) < 0
