"""Severity and state are told without colour: what is drawn in two ways reads in two ways."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterator

import pytest
from support.panes import WIDTHS, listings, subjects

from spanscope.history.history import load
from spanscope.sample_sessions import NAMES, sample
from spanscope.widgets.findings import FindingIndex
from spanscope.widgets.header import header
from spanscope.widgets.lines import Line, Role
from spanscope.widgets.look import Look
from spanscope.widgets.message import message
from spanscope.widgets.scene import Scene
from spanscope.widgets.tabs import pane_tabs

TELLING: frozenset[Role] = frozenset(("error", "warning", "good", "block"))
"""Roles that differ from plain text in hardly more than colour."""


def drawn(name: str) -> Iterator[tuple[str, Line]]:
    """Rows of every pane at some steps of a session, with the pane's name."""
    history = load(sample(name).path)
    index = FindingIndex(history.findings, history.touched)
    chance = random.Random(name)
    for seq in history.seqs[:: max(1, len(history) // 16)]:
        scene = Scene(history, index, seq)
        scene = Scene(history, index, seq, chance.choice(subjects(scene)))
        width = chance.choice(WIDTHS[:2])
        for listing in listings(scene, width):
            for number in listing.numbers():
                yield type(listing).__name__, listing.row(number)
        yield "header", header(scene, width)
        yield "message", message(scene, width)
        yield "tabs", pane_tabs(scene, "undo", 60)


@pytest.mark.parametrize("name", NAMES)
def test_no_two_rows_differ_in_colour_alone(name: str) -> None:
    seen: dict[tuple[str, str], set[frozenset[Role]]] = defaultdict(set)
    for pane, line in drawn(name):
        if all(role != "future" for _, role in line.cells):
            roles = {role for text, role in line.cells if text.strip()}
            seen[pane, line.text.rstrip()].add(frozenset(roles & TELLING))
    assert any(TELLING & roles for found in seen.values() for roles in found)
    assert {row: roles for row, roles in seen.items() if len(roles) > 1} == {}


def test_what_only_the_look_tells_is_told_without_colour() -> None:
    look = Look({}, mono=True)
    plain = look.style("plain")
    for role in ("strong", "error", "future", "found", "cursor", "marked", "added", "removed"):
        style = look.style(role)
        kept = (style.bold, style.dim, style.reverse, style.underline)
        assert kept != (plain.bold, plain.dim, plain.reverse, plain.underline), role
    assert look.style("plain", "selected").reverse
