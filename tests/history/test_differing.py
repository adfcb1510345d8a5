"""Since when something is stale: the same whichever steps were looked at before."""

from __future__ import annotations

import random
from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.histories import a_program

from spanscope.history import differing
from spanscope.history.history import History
from spanscope.rules.holders import FRESH, judge_artifact, since_of


@given(st.integers(0, 10**6), st.sampled_from((2, 4096)))
def test_it_is_what_a_look_at_all_states_finds(seed: int, remembered: int) -> None:
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(differing, "REMEMBERED", remembered)
        look_about(seed)


def look_about(seed: int) -> None:
    chance = random.Random(seed)
    lines = a_program(seed, 80).splitlines(keepends=True)
    history, taken = History(), 0
    while taken < len(lines):
        more = chance.randint(1, len(lines))
        history.feed(b"".join(lines[taken : taken + more]))
        taken += more
        for _ in range(12):
            moment = history.at(chance.randint(0, history.last))
            plainly = since_of(cache(moment.history_of))
            for row in moment.artifacts():
                found = judge_artifact(row.artifact, moment.span, plainly)
                if row.judgement is FRESH:
                    found = found._replace(meant=None, obtained=None)
                assert row.judgement == found
