"""A journal with a hundred thousand findings: a key costs what is in view, and lists stay true."""

from __future__ import annotations

import sys
import tracemalloc
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

import pytest
from support.screens import opened, pane_text, press, screen_lines, write_journal

from spanscope.history.history import History, load
from spanscope.widgets.finding_list import FindingListing
from spanscope.widgets.findings import FindingIndex
from spanscope.widgets.folding import Folding
from spanscope.widgets.scene import Scene

EACH = 25_000
TORN = 25_000
FINDINGS = 100_000

IN_VIEW = 40_000
"""Calls of functions that a key may cost, whatever the journal holds."""

A_FINDING = 700
"""Bytes of memory that the app may need for each finding."""


@pytest.fixture(scope="module")
def crowded(tmp_path_factory: pytest.TempPathFactory) -> History:
    """An artifact that is used stale again and again, changes without an inverse, torn lines."""
    events: list[dict[str, Any]] = [
        {"type": "ingest", "span": "a", "content": "hello world"},
        {"type": "derive", "artifact": "c", "span": "a", "kind": "citation", "range": [0, 5]},
        {"type": "rewrite", "span": "a", "op": "fold", "content": "other text"},
    ]
    events += [{"type": "use", "artifact": "c", "got": "hello"}] * EACH
    splice = {"type": "splice", "span": "a", "at": 0, "delete": 1}
    events += [{**splice, "insert": "xy"[number % 2]} for number in range(EACH)]
    path = write_journal(tmp_path_factory.mktemp("crowded") / "crowded.jsonl", events)
    with path.open("a") as stream:
        stream.write("{\n" * TORN)
    return load(path)


@contextmanager
def counted_calls() -> Iterator[Callable[[], int]]:
    """How many functions are called."""
    calls = 0

    def count(_frame: FrameType, event: str, _argument: object) -> None:
        nonlocal calls
        calls += event in ("call", "c_call")

    sys.setprofile(count)
    try:
        yield lambda: calls
    finally:
        sys.setprofile(None)


KEYS = """
    findings page_down select_previous findings
    enter step_forward map step_back map enter pin step_forward pin
    focus_spans select_next step_back next_touch blame focus_why select_next focus_holders
    focus_undo select_next what_if step_back close next_finding
"""


@pytest.mark.parametrize("start", ["first", "last"])
async def test_a_key_costs_what_is_in_view(crowded: History, start: str) -> None:
    assert len(crowded.findings) >= FINDINGS
    async with opened(crowded, (120, 40)) as (app, _):
        # What is worked out once for the session, and remembered.
        for id in (start, "step_back", "findings", "findings", "enter", "enter"):
            app.perform(id)
        for id in KEYS.split():
            with counted_calls() as calls:
                app.perform(id)
            assert 0 < calls() < IN_VIEW, id


async def test_the_list_of_findings_stays_true(crowded: History) -> None:
    errors = sum(finding.severity == "error" for finding in crowded.findings)
    async with opened(crowded, (120, 40), at=10) as (app, pilot):
        assert f"/{errors:,} " in screen_lines(app)[0]
        await press(pilot, "i")
        title = f"Findings {len(crowded.findings):,}"
        assert title in pane_text(app, "findings")
        await press(pilot, "colon", *str(EACH), "enter")
        assert app.navigator.seq == EACH
        await press(pilot, "I")
        assert f"SPN102 {EACH} " in pane_text(app, "findings")
        await press(pilot, *"500j")
        assert app.navigator.seq > EACH + 100
        await press(pilot, "G", "e")
        assert "no finding after" in screen_lines(app)[-2]


def test_a_finding_takes_little_memory(crowded: History) -> None:
    some = crowded.findings[: FINDINGS // 10]
    tracemalloc.start()
    try:
        index = FindingIndex(some, crowded.touched)
        listing = FindingListing(Scene(crowded, index, crowded.last), 60, Folding())
        assert len(listing) > 1
        taken, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert taken < A_FINDING * len(some)
