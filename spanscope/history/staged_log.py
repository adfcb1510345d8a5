"""The staged diffs of any step and what was said of them, those that are gone in little memory."""

from __future__ import annotations

from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from typing import Generic, NamedTuple, TypeVar, get_args

from msgspec import Struct, msgpack

from spanscope.history.postings import Postings
from spanscope.history.store import Store
from spanscope.journal.numbers import appended
from spanscope.journal.parts import AnyEdit, DiffBase, Read, Ref
from spanscope.model.diffs import BaseState, Diff
from spanscope.model.spans import Doubt
from spanscope.model.state import BufferState
from spanscope.rules.judgements import DiffJudgement, Verdict

REMEMBERED = 64
"""So many diffs, and so many judgements, that were asked for are kept ready."""

WORDS: tuple[Verdict, ...] = get_args(Verdict)


T = TypeVar("T")


class VerdictChange(NamedTuple):
    """A staged diff's verdict became another; `before` is null at its first."""

    diff: str
    before: Verdict | None
    verdict: Verdict


class _Base(NamedTuple):
    """What a base state is looked up by."""

    seq: int
    revision: int
    order_steps: int


class _Kept(Struct, array_like=True, gc=False):
    """A diff with all that it says itself, and where its base is looked up."""

    diff: str
    author: str
    seq: int
    claimed: DiffBase
    base: _Base | None
    reads: tuple[Read, ...]
    edits: tuple[AnyEdit, ...]
    refs: tuple[Ref, ...]
    compensates: int | None
    phantom: str | None
    doubt: Doubt | None


_kept_diff = msgpack.Decoder(_Kept)
_judgement = msgpack.Decoder(DiffJudgement)


def _kept(diff: Diff) -> _Kept:
    base = diff.base
    return _Kept(
        diff.diff,
        diff.author,
        diff.seq,
        diff.claimed,
        None if base is None else _Base(base.seq, base.revision, base.order_steps),
        diff.reads,
        diff.edits,
        diff.refs,
        diff.compensates,
        diff.phantom,
        diff.doubt,
    )


def _looked_up(base: _Base, state: BufferState) -> BaseState:
    seq, revision, order_steps = base
    return BaseState(state, seq=seq, revision=revision, order_steps=order_steps)


def _again(kept: _Kept, state: BufferState) -> Diff:
    base = kept.base
    return Diff(
        diff=kept.diff,
        author=kept.author,
        seq=kept.seq,
        claimed=kept.claimed,
        base=None if base is None else _looked_up(base, state),
        reads=kept.reads,
        edits=kept.edits,
        refs=kept.refs,
        compensates=kept.compensates,
        phantom=kept.phantom,
        doubt=kept.doubt,
    )


class _Packed(Generic[T]):
    """Things by number, from 0, all packed but those that can't be.

    These hold a lone surrogate, or a number of more than eight bytes.
    """

    def __init__(self, decoder: msgpack.Decoder[T]) -> None:
        self._unpack = decoder.decode
        self._store = Store()
        self._whole: dict[int, T] = {}
        self._ready: dict[int, T] = {}

    def __len__(self) -> int:
        return len(self._store)

    def append(self, thing: T) -> None:
        """The next one."""
        try:
            self._store.put(msgpack.encode(thing))
        except (UnicodeEncodeError, OverflowError):
            self._whole[self._store.put(b"")] = thing

    def __getitem__(self, number: int) -> T:
        """One of them again."""
        found = self._whole.get(number) or self._ready.get(number)
        if found is None:
            found = self._unpack(self._store.get(number))
            if len(self._ready) >= REMEMBERED:
                self._ready.clear()
            self._ready[number] = found
        return found


class StagedLog:
    """Which diffs were staged after any event, and the verdicts on each of them.

    A diff is known by the seq of its `stage`, a judgement by its number.
    """

    def __init__(self) -> None:
        self._steps = array("I", [0])
        """The events after which other diffs were staged than before."""
        self._starts = array("I", [0])
        """Where in `_listed` those of each step begin."""
        self._listed = array("I")
        self._came = array("I")
        self._diffs = _Packed(_kept_diff)
        self._live: dict[int, Diff] = {}
        """Those that are staged now."""
        self._things: dict[str, int] = {}
        self._names: list[str] = []
        self._verdicts = Postings()
        """The judgements on each diff of a name."""
        self._judged = _Packed(_judgement)
        self._judged_at = array("I")
        self._judged_thing = array("I")
        self._words = array("B")
        self._last: dict[str, DiffJudgement] = {}
        """The newest judgements on those that are staged now."""

    def stage(self, seq: int, state: BufferState) -> None:
        """A diff came or left with an event."""
        now = {diff.seq: diff for diff in state.staged.values()}
        for of, diff in now.items():
            if not self._came or self._came[-1] < of:
                self._came = appended(self._came, of)
                self._diffs.append(_kept(diff))
        for of, diff in self._live.items():
            if of not in now:
                self._last.pop(diff.diff, None)
        self._live = now
        self._steps = appended(self._steps, seq)
        self._starts = appended(self._starts, len(self._listed))
        for of in now:
            self._listed = appended(self._listed, of)

    def at(self, state: BufferState, seq: int) -> dict[str, Diff]:
        """What was staged after an event."""
        step = bisect_right(self._steps, seq) - 1
        stop = self._starts[step + 1] if step + 1 < len(self._starts) else len(self._listed)
        listed = self._listed[self._starts[step] : stop]
        found = [self._live.get(of) or self._gone(state, of) for of in listed]
        return {diff.diff: diff for diff in found}

    def _gone(self, state: BufferState, of: int) -> Diff:
        return _again(self._diffs[bisect_left(self._came, of)], state)

    def judge(self, seq: int, diff: str, now: DiffJudgement) -> None:
        """The verdict on a staged diff after an event, which may be the one before."""
        thing = self._things.get(diff)
        if thing is None:
            thing = self._things[diff] = self._verdicts.new()
            self._names.append(diff)
        before = self._last.get(diff)
        if before is None and (last := self._verdicts.last(thing)) is not None:
            before = self._judged[last]
        if before is now or before == now:
            return
        self._last[diff] = now
        self._verdicts.add(thing, len(self._judged))
        self._judged.append(now)
        self._judged_at = appended(self._judged_at, seq)
        self._judged_thing.append(thing)
        self._words.append(WORDS.index(now.verdict))

    def verdict_at(self, diff: str, seq: int) -> DiffJudgement | None:
        """The last verdict on a diff at or before an event."""
        thing = self._things.get(diff)
        if thing is None:
            return None
        number = self._verdicts.below(thing, bisect_right(self._judged_at, seq))
        if number is None:
            return None
        newest = self._last.get(diff) if number == self._verdicts.last(thing) else None
        return newest or self._judged[number]

    def changes(self, seq: int) -> Sequence[VerdictChange]:
        """The diffs whose verdict became another at an event."""
        start = bisect_left(self._judged_at, seq)
        stop = bisect_right(self._judged_at, seq, start)
        found: list[VerdictChange] = []
        for number in range(start, stop):
            thing, now = self._judged_thing[number], WORDS[self._words[number]]
            last = self._verdicts.below(thing, number)
            before = None if last is None else WORDS[self._words[last]]
            if before != now:
                found.append(VerdictChange(self._names[thing], before, now))
        return found
