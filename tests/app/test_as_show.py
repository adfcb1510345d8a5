"""What the panes say at a step is what `spanscope show` says there."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from support.screens import opened, pane_text, press

from spanscope.cli.main import main
from spanscope.history.history import load
from spanscope.sample_sessions import NAMES, sample

Show = Callable[[str, int], dict[str, Any]]

TALL = (240, 150)
"""A terminal in which every row of the samples is in view."""


@pytest.fixture
def show(capsys: pytest.CaptureFixture[str]) -> Show:
    def run(name: str, seq: int) -> dict[str, Any]:
        path = str(sample(name).path)
        assert main(["show", path, "--at", str(seq), "--output-format", "json"]) == 0
        found: dict[str, Any] = json.loads(capsys.readouterr().out)
        return found

    return run


def words(text: str) -> list[list[str]]:
    """The words of each row, without the gutter."""
    return [line.lstrip(">*-x~? ").split() for line in text.splitlines()]


@pytest.mark.parametrize("name", NAMES)
async def test_panes_say_what_show_says(name: str, show: Show) -> None:
    history = load(sample(name).path)
    steps = sorted({1, sample(name).look_at, history.last // 2, history.last})
    shows = {seq: show(name, seq) for seq in steps}
    async with opened(history, TALL, at=0) as (app, pilot):
        for seq, shown in shows.items():
            await press(pilot, "colon", *str(seq), "enter")
            _compare_spans(shown, words(pane_text(app, "spans")))
            _compare_undo(shown, pane_text(app, "undo"))
            _compare_staging(shown, words(pane_text(app, "staging")))


def _compare_spans(shown: dict[str, Any], rows: list[list[str]]) -> None:
    spans = [row for row in rows if len(row) > 1 and row[1].startswith("v")]
    assert [(row[0], row[1]) for row in spans] == [
        (span["span"], f"v{span['version']}") for span in shown["spans"]
    ]
    for span, row in zip(shown["spans"], spans, strict=True):
        assert (span["state"] in row) == (span["state"] != "live")
    for artifact in shown["artifacts"]:
        states = [row[1] for row in rows if row and row[0] == artifact["artifact"]]
        folded = artifact["state"] == "fresh" and not states
        assert folded or states == [artifact["state"]]


def _compare_undo(shown: dict[str, Any], text: str) -> None:
    above, _, below = text.partition(" blocked by ")
    for part, reachable in ((above, True), (below, False)):
        entries = [row for row in words(part) if row and row[0].startswith("#") and len(row) > 2]
        wanted = [entry for entry in shown["undo"] if entry["reachable"] is reachable]
        assert [row[0] for row in entries] == [f"#{entry['entry']}" for entry in wanted]
        for entry, row in zip(wanted, entries, strict=True):
            assert entry["direct"] in row or (entry["direct"] == "ambiguous" and "offset" in row)


def _compare_staging(shown: dict[str, Any], rows: list[list[str]]) -> None:
    verdicts = {row[0]: row[2] for row in rows if len(row) > 2 and "out:" not in row}
    for diff in shown["staging"]:
        assert verdicts[diff["diff"]] == diff["verdict"]
