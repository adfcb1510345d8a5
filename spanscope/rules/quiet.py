"""The commonest event, a sound splice, judged at a look: the rules have nothing to say of it.

What is not told at a look goes through the rules; the tests hold one to the other.
"""

from __future__ import annotations

from spanscope.journal.events import Splice
from spanscope.model.effects import Effect
from spanscope.model.records import fits_only_there
from spanscope.model.state import BufferState
from spanscope.rules.holders import TOLD
from spanscope.rules.memory import Memory


def judge_quietly(state: BufferState, event: Splice, effect: Effect, memory: Memory) -> bool:
    """Judge a splice that kept every promise: its claims, its inverse, and all holders were told.

    False: it has to go through the rules. Of the staged diffs nothing is said.
    """
    if state.known_from or not _is_sound(event, effect):
        return False
    holders = state.holders.get(event.span)
    told = [artifact.artifact for artifact in effect.told]
    if not holders and not told:
        return True
    if not effect.claims:
        return False
    names = [*holders, *told] if holders else told
    if not all(_knows(state, name) for name in names):
        return False
    memory.artifacts.update(dict.fromkeys(names, TOLD))
    return True


def _knows(state: BufferState, name: str) -> bool:
    """Whether the holder of a keyed artifact was told, and its span is there."""
    artifact = state.artifacts.get(name)
    if artifact is None or artifact.told is None or not artifact.keyed:
        return False
    span = state.spans.get(artifact.span)
    return span is not None and not span.gone


def _is_sound(event: Splice, effect: Effect) -> bool:
    """Whether a splice of a live span, whose contents are known, is as claimed and undone alone."""
    entry = effect.pushed
    if entry is None or effect.problems or event.base is not None or event.anchor is not None:
        return False
    part = entry.parts[0]
    before, after = part.before, part.after
    if before is None or after is None or not fits_only_there(part.record):
        return False
    if before.life != "live" or before.doubt is not None or not before.node.text_known:
        return False
    for claim in effect.claims:
        if claim.hash is not None and claim.hash != claim.actual:
            return False
        if claim.version is not None and claim.prior is not None and claim.version <= claim.prior:
            return False
    return True
