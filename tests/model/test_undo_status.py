"""The direct status of undo entries against the plain way: try every place, follow characters."""

from __future__ import annotations

import random
from itertools import count

from hypothesis import given, settings
from hypothesis import strategies as st
from support.programs import TIME, some_text

from spanscope.journal.events import Ingest, Splice
from spanscope.journal.parts import Inverse
from spanscope.model.content import content_hash
from spanscope.model.replay import replay
from spanscope.model.state import BufferState
from spanscope.model.statuses import entry_status


def fits(text: str, at: int, inverse: Inverse) -> bool:
    end = at + inverse.inserted
    body = inverse.inserted_hash in (None, content_hash(text[at:end]))
    before, after = text[:at].endswith(inverse.before), text[end:].startswith(inverse.after)
    return body and before and after


def half_fits(text: str, at: int, inverse: Inverse, inserted: str) -> bool:
    end = at + len(inserted)
    if text[at:end] != inserted:
        return False
    before = bool(inverse.before) and text[:at].endswith(inverse.before)
    return before or (bool(inverse.after) and text[end:].startswith(inverse.after))


def plain_status(
    text: str, inverse: Inverse, inserted: str, place: int | None, made_at: int
) -> set[str]:
    """The statuses that can be right; `place` is where the inserted characters stand, if whole."""
    spots = [at for at in range(len(text) - len(inserted) + 1) if fits(text, at, inverse)]
    if len(spots) > 1:
        return {"ambiguous"}
    if not spots:
        spots = [
            at
            for at in range(len(text) - len(inserted) + 1)
            if half_fits(text, at, inverse, inserted)
        ]
    if len(spots) != 1:
        return {"lost"} if place is not None else {"clobbered", "lost"}
    if place is None:
        return {"exact", "moved", "misleading"}
    if spots[0] != place:
        return {"misleading"}
    return {"exact"} if place == made_at else {"moved"}


@given(st.integers(0, 10**6))
@settings(max_examples=300)
def test_every_status_is_the_plain_one(seed: int) -> None:
    chance, state, fresh = random.Random(seed), BufferState(), count()
    text = some_text(chance)
    replay(state, Ingest(seq=1, time=TIME, span="s", content=text))
    cells = [next(fresh) for _ in text]
    made: dict[int, tuple[Inverse, str, list[int], int, str]] = {}
    for seq in range(2, 2 + chance.randint(1, 6)):
        text = state.spans["s"].node.text
        at = chance.randint(0, len(text))
        delete = chance.randint(0, min(3, len(text) - at))
        insert = some_text(chance, 3) or "b"
        after = text[:at] + insert + text[at + delete :]
        window, end = chance.randint(0, 3), at + len(insert)
        inverse = Inverse(
            original=text[at : at + delete],
            inserted=len(insert),
            before=after[max(0, at - window) : at],
            after=after[end : end + window],
            inserted_hash=content_hash(insert) if chance.random() < 0.5 else None,
        )
        mine = [next(fresh) for _ in insert]
        cells[at : at + delete] = mine
        made[seq] = (inverse, insert, mine, at, after)
        replay(
            state,
            Splice(
                seq=seq, time=TIME, span="s", at=at, delete=delete, insert=insert, inverse=inverse
            ),
        )
    text = state.spans["s"].node.text
    for entry in state.stack[1:]:
        inverse, insert, mine, made_at, left = made[entry.seq]
        if text == left:
            # Byte for byte what the change left: its own place is the true one again.
            continue
        place = cells.index(mine[0]) if mine[0] in cells else None
        if place is not None and cells[place : place + len(mine)] != mine:
            place = None
        if not entry.parts[0].changed:
            continue
        status = entry_status(entry, state.span).direct
        assert status in plain_status(text, inverse, insert, place, made_at)
