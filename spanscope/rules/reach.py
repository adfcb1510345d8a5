"""Which undo entries can still be reached, and what blocks them: UND211 (seed 003).

In strict order each entry meets the text it left, so its part is settled at the change and
revised only by what goes past the log.
"""

from __future__ import annotations

from bisect import bisect_left, insort

from spanscope.journal.events import Compact
from spanscope.model.effects import Effect
from spanscope.model.state import BufferState
from spanscope.model.undo import Entry, entry_sound
from spanscope.rules.inverses import top_part
from spanscope.rules.memory import Memory
from spanscope.rules.report import Report


def judge_reach(state: BufferState, effect: Effect, memory: Memory, report: Report) -> None:
    """Settle the entry just pushed, revise those touched, and say what became unreachable."""
    before = max(_newest(memory.blocked), _newest(memory.uncertain))
    for entry in effect.popped:
        _forget(memory, entry.seq)
    for _, entry in effect.replaced:
        _forget(memory, entry.seq)
        _settle(memory, entry)
    if effect.pushed is not None:
        _settle(memory, effect.pushed)
    _damage(state, effect, memory)
    if isinstance(effect.event, Compact):
        _collected(state, effect, memory)
    _follow_doubt(state, effect, memory)
    _report(state, effect, before, memory, report)


def _newest(seqs: list[int]) -> int:
    return seqs[-1] if seqs else 0


def _settle(memory: Memory, entry: Entry) -> None:
    sound = entry_sound(entry)
    if sound is False:
        block(memory, entry.seq)
    elif sound is None:
        insort(memory.uncertain, entry.seq)


def block(memory: Memory, seq: int) -> None:
    """From now on the entry can't be undone."""
    if not _lists(memory.blocked, seq):
        insort(memory.blocked, seq)


def _forget(memory: Memory, seq: int) -> None:
    for listed in (memory.blocked, memory.uncertain):
        index = bisect_left(listed, seq)
        if index < len(listed) and listed[index] == seq:
            del listed[index]


def _damage(state: BufferState, effect: Effect, memory: Memory) -> None:
    """A span that is not what the newest entry on it left can't be undone any further."""
    for name in dict.fromkeys(name for entry in effect.popped for name in entry.spans):
        span = state.spans[name]
        found = top_part(state, span) if span.gone and span.life_known else None
        if found is not None and found[1].kind in ("ingest", "splice", "rewrite"):
            block(memory, found[0].seq)
    logged = () if effect.pushed is None else effect.pushed.spans
    for change in effect.spans:
        if change.after.gone or not change.changed or change.after.span in logged:
            continue
        found = top_part(state, change.after)
        if found is None:
            continue
        entry, part = found
        if part.after is not None and part.after.same_content(change.after.node) is False:
            block(memory, entry.seq)


def _follow_doubt(state: BufferState, effect: Effect, memory: Memory) -> None:
    """The newest entry on a span whose content is unknown can't be told to be undone exactly."""
    if not memory.doubted and all(change.after.doubt is None for change in effect.spans):
        return
    popped = {entry.seq for entry in effect.popped}
    popped |= {entry.seq for _, entry in effect.replaced}
    names = dict.fromkeys(change.after.span for change in effect.spans)
    if effect.cleared:
        names |= dict.fromkeys(memory.doubted)
    if popped:
        names |= dict.fromkeys(name for name, seq in memory.doubted.items() if seq in popped)
    for name in names:
        was = memory.trust_again(name)
        if was is not None and was not in popped and not memory.doubts[was]:
            _settle_again(state, memory, was)
        found = top_part(state, state.spans[name])
        if found is None or found[1].kind not in ("splice", "rewrite"):
            continue
        entry, part = found
        if state.spans[name].doubt is None:
            same = part.after is None or part.after.same_content(state.spans[name].node)
            if was == entry.seq and same is False:
                block(memory, entry.seq)
        elif memory.doubts[entry.seq] or not _lists(memory.uncertain, entry.seq):
            _doubt(memory, entry.seq)
            memory.doubt(name, entry.seq)


def _settle_again(state: BufferState, memory: Memory, seq: int) -> None:
    found = state.entry(seq)
    if found is not None and entry_sound(found[1]) is not None and _lists(memory.uncertain, seq):
        memory.uncertain.remove(seq)


def _doubt(memory: Memory, seq: int) -> None:
    if not _lists(memory.uncertain, seq):
        insort(memory.uncertain, seq)


def _lists(seqs: list[int], seq: int) -> bool:
    index = bisect_left(seqs, seq)
    return index < len(seqs) and seqs[index] == seq


def _collected(state: BufferState, effect: Effect, memory: Memory) -> None:
    gone = {span.span for span in effect.collected if span.life == "tombstone"}
    if not gone:
        return
    for name in gone:
        for entry in state.entries_on(name):
            if any(part.kind == "copy" and part.source in gone for part in entry.parts):
                block(memory, entry.seq)


def _report(
    state: BufferState, effect: Effect, before: int, memory: Memory, report: Report
) -> None:
    top = _newest(memory.blocked)
    if top <= before:
        return
    lost = [
        entry.seq
        for entry in state.entries_above(max(before, state.known_since - 1))
        if entry.seq <= top and entry.seq != effect.seq
    ]
    if not lost:
        return
    found = state.entry(top)
    why = "it can't be undone" if found is None else why_blocked(found[1])
    message = (
        f"{len(lost)} undo entr{'ies' if len(lost) > 1 else 'y'} ({_listed(lost)}) became "
        f"unreachable: entry {top} blocks the way, {why}."
    )
    evidence = {"entries": lost, "blocked_by": top, "why": why}
    report.add("UND211", {"entry": top}, message, evidence, caused_by=top)


def _listed(seqs: list[int]) -> str:
    if len(seqs) <= 4:
        return ", ".join(str(seq) for seq in seqs)
    return f"{seqs[0]}..{seqs[-1]}"


def why_blocked(entry: Entry) -> str:
    """Why an entry can't be undone, as the end of a sentence."""
    if any(part.evicted for part in entry.parts):
        return "its inverse was evicted"
    if entry.lacking:
        return "it has no inverse"
    if entry_sound(entry) is False:
        return "its inverse does not find one place or would restore another text"
    return "what it left is no longer there"


def reachable(seq: int, blocked: int, uncertain: int, known: bool) -> bool | None:
    """Whether an entry can be reached: false below a blocked one, null below an unknown one."""
    if blocked >= seq:
        return False
    if not known or uncertain >= seq:
        return None
    return True
