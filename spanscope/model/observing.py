"""What the agent's real buffer was seen to hold: `observe`."""

from __future__ import annotations

from msgspec.structs import replace

from spanscope.journal.events import Observe
from spanscope.journal.parts import IngestEdit
from spanscope.model.committing import commit, make_entry
from spanscope.model.effects import Effect
from spanscope.model.losing import find_again
from spanscope.model.state import BufferState, Sighting
from spanscope.model.transaction import Transaction
from spanscope.model.undo import Part


def observe(state: BufferState, event: Observe, effect: Effect) -> None:
    """Where the observation differs from the replay, the observation is believed."""
    draft = Transaction(state, event.seq, event.actor)
    for name, hash in event.hashes.items():
        _observe_hash(draft, name, hash, effect)
    for name, text in event.contents.items():
        _observe_text(draft, name, text)
    draft.settle({}, {})
    told = tuple(name for name in event.contents if _was_unknown(state, name))
    entry = make_entry(state, draft, event, "observe") if draft.parts else None
    commit(state, draft, effect, entry=entry)
    state.sighting = Sighting(event.seq, told) if told and entry is None else None
    find_again(state, event.digest, effect)
    effect.resynced = [span.span for span in draft.work.values()]


def _was_unknown(state: BufferState, name: str) -> bool:
    """Whether nothing was known of a span, so that its text may be one that was not logged."""
    span = state.spans.get(name)
    if span is None or span.gone:
        return state.doubt is not None
    return span.unknown


def _observe_hash(draft: Transaction, name: str, hash: str, effect: Effect) -> None:
    span = draft.get(name)
    if span is None or span.gone or name in _texts(effect):
        return
    node = span.node
    if node.text_known and node.hash == hash:
        if span.doubt is not None:
            draft.put(replace(span, doubt=None, seq=draft.seq))
        return
    if not node.text_known and span.doubt is None and node.hash == hash:
        return
    found = node.with_hash(draft.seq, draft.actor, hash)
    draft.put(replace(span, node=found, seq=draft.seq, doubt=None))


def _texts(effect: Effect) -> dict[str, str]:
    return effect.event.contents if isinstance(effect.event, Observe) else {}


def _observe_text(draft: Transaction, name: str, text: str) -> None:
    span = draft.get(name)
    if span is None or span.gone:
        _observe_new(draft, name, text)
        return
    known = span.doubt is None and (span.node.text_known or span.hash is not None)
    same = span.node.text == text and (span.node.text_known or span.doubt is not None)
    if same and span.node.text_known:
        if span.doubt is not None:
            draft.put(replace(span, doubt=None, seq=draft.seq))
        return
    node = span.node.rewritten(draft.seq, draft.actor, text)
    after = replace(span, node=node, seq=draft.seq, doubt=None)
    if not known or node.hash == span.hash:
        draft.put(after)
        return
    draft.put(replace(after, op="observe", written=draft.seq))
    draft.edited[name] = None
    draft.parts.append(Part(kind="observe", span=name, store=span.store, before=span, after=node))
    draft.parts[-1] = replace(draft.parts[-1], edit=len(draft.parts) - 1)


def _observe_new(draft: Transaction, name: str, text: str) -> None:
    edit = IngestEdit(span=name, content=text, origin="observe")
    draft.ingest(edit)
    draft.parts[-1] = replace(draft.parts[-1], edit=len(draft.parts) - 1)
    if draft.state.doubt is not None:
        # It may have come in where events were lost: no change that was not logged.
        draft.parts.pop()
        draft.put(replace(draft.work[name], store=None))
