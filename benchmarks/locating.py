"""Finding the place of an inverse, and statuses of a deep undo stack, against the plain ways.

    python -m benchmarks.locating

One locate with all places counted against hashing the text at every position; the statuses of
the undo entries in view after each of many edits against finding every entry again.
"""

from __future__ import annotations

import hashlib
import random
import time
from collections.abc import Callable

from benchmarks.journals import prose
from spanscope.journal.events import Ingest, Splice
from spanscope.journal.parts import Inverse
from spanscope.model.anchors import locate, sound_inverse
from spanscope.model.content import content_hash
from spanscope.model.replay import replay
from spanscope.model.state import BufferState
from spanscope.model.statuses import entry_status

SIZES = (64 << 10, 1 << 20)
DEEP = 10_000
EDITS = 5
IN_VIEW = 50
TIME = "2026-11-11T09:00:00Z"


def cpu(run: Callable[[], object], times: int) -> float:
    """CPU seconds of one run, the best of three."""
    found = []
    for _ in range(3):
        start = time.process_time()
        for _ in range(times):
            run()
        found.append((time.process_time() - start) / times)
    return min(found)


def hash_everywhere(text: str, inverse: Inverse) -> list[int]:
    """The plain way: the inserted text's hash at every position, then the anchors."""
    wanted, length = inverse.inserted_hash, inverse.inserted
    return [
        at
        for at in range(len(text) - length + 1)
        if "sha256:" + hashlib.sha256(text[at : at + length].encode()).hexdigest() == wanted
        and text.endswith(inverse.before, 0, at)
        and text.startswith(inverse.after, at + length)
    ]


def one_locate(size: int) -> str:
    """A row of the table."""
    chance = random.Random(7)
    text = prose(chance, size)[:size]
    at, inserted = len(text) // 2, "limit is 100"
    text = text[:at] + inserted + text[at:]
    inverse = sound_inverse(text, at, inserted, "")
    true = (at, at + len(inserted))
    assert (
        locate(text, inverse, inserted, true, at).places
        == (at,)
        == (tuple(hash_everywhere(text, inverse)))
    )
    ours = cpu(lambda: locate(text, inverse, inserted, true, at), 200)
    plain = cpu(lambda: hash_everywhere(text, inverse), 1)
    return (
        f"| locate in {len(text):,} code points | {ours * 1e6:,.0f} µs | {plain * 1e3:,.0f} ms "
        f"| {plain / ours:,.0f} |"
    )


def deep_state() -> BufferState:
    """A span of a million code points with so many entries on its stack."""
    chance, state = random.Random(11), BufferState()
    text = prose(chance, 1 << 20)[: 1 << 20]
    replay(state, Ingest(seq=1, time=TIME, span="s", content=text))
    for seq in range(2, DEEP + 2):
        _edit(state, chance, seq)
    return state


def _edit(state: BufferState, chance: random.Random, seq: int) -> None:
    text = state.spans["s"].node.text
    at, insert = chance.randrange(len(text) - 20), f"<{seq}>"
    after = text[:at] + insert + text[at + 4 :]
    inverse = Inverse(
        original=text[at : at + 4],
        inserted=len(insert),
        inserted_hash=content_hash(insert),
        before=after[max(0, at - 16) : at],
        after=after[at + len(insert) : at + len(insert) + 16],
        at=at,
    )
    event = Splice(seq=seq, time=TIME, span="s", at=at, delete=4, insert=insert, inverse=inverse)
    replay(state, event)


def deep_statuses() -> str:
    """A row of the table."""
    state, chance = deep_state(), random.Random(13)
    ours = plain = 0.0
    for seq in range(DEEP + 2, DEEP + 2 + EDITS):
        start = time.process_time()
        _edit(state, chance, seq)
        for entry in state.stack[-IN_VIEW:]:
            entry_status(entry, state.span)
        ours += time.process_time() - start
        text = state.spans["s"].node.text
        sample = state.stack[1 :: DEEP // 3]
        start = time.process_time()
        for entry in sample:
            inverse = entry.parts[0].inverse
            assert inverse is not None
            hash_everywhere(text, inverse)
        plain += (time.process_time() - start) / len(sample) * len(state.stack)
    return (
        f"| an edit of 1 MB and the {IN_VIEW} statuses in view, {DEEP:,} entries deep "
        f"| {ours / EDITS * 1e3:,.1f} ms | {plain / EDITS:,.0f} s (from a sample) "
        f"| {plain / ours:,.0f} |"
    )


def main() -> None:
    """Print the table."""
    print("| what | ours | the plain way | times |")
    print("|---|---|---|---|")
    for size in SIZES:
        print(one_locate(size), flush=True)
    print(deep_statuses())


if __name__ == "__main__":
    main()
