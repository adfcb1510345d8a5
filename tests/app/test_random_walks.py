"""Whatever a journal holds and whichever keys are pressed, the screen says what `show` says.

Random journals and random keys in a large and in a small terminal: nothing fails, and the header,
the events and every pane agree with the JSON of `spanscope show` at that step.
"""

from __future__ import annotations

import asyncio
import random
import re
from collections.abc import Sequence
from contextlib import chdir
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.examples import slow
from support.histories import a_program
from support.screens import opened, pane_text, screen_lines

from spanscope.app.actions import ACTIONS
from spanscope.app.app import SpanscopeApp
from spanscope.cli.show import moment_as_json
from spanscope.history.history import History
from spanscope.widgets.pane import Pane

LEAVES = {"quit", "palette"}
SHORT = {"ambig": "ambiguous", "clobber": "clobbered", "mislead": "misleading"}
STATES = ("fresh", "stale", "invalidated", "dangling", "unknown")

Shown = dict[str, Any]


def some_keys(chance: random.Random, last: int) -> Sequence[str]:
    """A motion, a command, or something typed into a prompt."""
    kind = chance.random()
    if kind < 0.12:
        return ("colon", *chance.choice([str(chance.randint(0, last + 2)), "D1", "#3", "r2", "zz"]))
    if kind < 0.18:
        return ("slash", *chance.choice(["a", "splice", "zz"]), chance.choice(["enter", "escape"]))
    if kind < 0.3:
        return (*str(chance.randint(1, 12)), chance.choice(["l", "h", "j", "k", "e", "s"]))
    action = chance.choice([action for action in ACTIONS if action.id not in LEAVES])
    return (chance.choice(action.keys),)


async def walk(data: bytes, chance: random.Random, size: tuple[int, int], keys: int) -> None:
    history = History()
    history.feed(data)
    history.finish()
    # What a walk exports goes where nobody minds.
    with TemporaryDirectory() as folder, chdir(folder):
        await _walk_through(history, chance, size, keys)


async def _walk_through(
    history: History, chance: random.Random, size: tuple[int, int], keys: int
) -> None:
    async with opened(history, size) as (app, pilot):
        compare(app, history)
        for _ in range(keys):
            await pilot.press(*some_keys(chance, history.last))
            if app.board.prompt.opened and chance.random() < 0.7:
                await pilot.press(chance.choice(["enter", "escape"]))
            if app.desk.what_if is not None and chance.random() < 0.4:
                await pilot.press("escape", "escape", "escape")
            if chance.random() < 0.4:
                await pilot.pause()
                assert app.is_running
                compare(app, history)


@pytest.mark.parametrize("size", [(180, 50), (80, 24)], ids=["180x50", "80x24"])
@given(seed=st.integers(0, 10**6))
@slow(1, gate=3, many=200)
def test_the_screen_says_what_show_says(seed: int, size: tuple[int, int]) -> None:
    chance = random.Random(seed)
    asyncio.run(walk(a_program(seed, chance.randint(1, 60)), chance, size, 25))


def compare(app: SpanscopeApp, history: History) -> None:
    """Everything on the screen against `show` at the cursor's step."""
    if app.screen is not app.board or app.desk.help or app.desk.places:
        return
    seq = app.navigator.seq
    shown = moment_as_json(history.at(seq))
    compare_header(screen_lines(app)[0], shown, history)
    if app.desk.what_if is not None:
        assert "SIMULATED" in screen_lines(app)[0]
        return
    check = {
        "spans": compare_spans,
        "undo": compare_undo,
        "staging": compare_staging,
        "events": compare_events,
    }
    if app.navigator.pin is not None:
        assert f"PIN {app.navigator.pin} > {seq}" in screen_lines(app)[0]
        check = {"events": compare_events}
    for name, pane in app.board.panes.items():
        if pane.display and name in check:
            check[name](pane_text(app, name), pane, shown)
    if app.board.panes["detail"].display and app.desk.tab == "why":
        compare_why(app, shown, history)


def compare_header(line: str, shown: Shown, history: History) -> None:
    assert re.search(rf"\bstep {shown['seq']}/{history.last}\b", line), line
    revision = re.search(r" r(?:ev )?(\d+)\b", line)
    assert (revision is not None) == (shown["revision"] is not None), line
    if revision is not None:
        assert int(revision.group(1)) == shown["revision"]
    here, total = history.counts(shown["seq"]), history.counts()
    for severity, sign in (("error", "!"), ("warning", "~")):
        counts = re.search(rf"(?:{severity}s|{sign}) (\d+)/(\d+)", line)
        assert counts is not None, line
        assert [int(count) for count in counts.groups()] == [here[severity], total[severity]]


class Row(NamedTuple):
    """A row of a pane: the sign in its gutter, empty where there is none, and its words."""

    sign: str
    words: list[str]


def rows_of(text: str, heading: bool) -> list[Row]:
    """The rows below title and heading."""
    rows = []
    for line in text.splitlines()[1 + heading :]:
        gutter = re.match(r"([>*x~?-]) ?(?=\S)", line)
        sign = gutter.group(1) if gutter is not None else ""
        rows.append(Row(sign, line.removeprefix(sign).split()))
    return [row for row in rows if row.words]


def compare_spans(text: str, pane: Pane, shown: Shown) -> None:
    rows = rows_of(text, pane.boxed)
    spans = [row for row in rows if re.match(r"\S+ v\d+( |$)", " ".join(row.words))]
    wanted = [(span["span"], f"v{span['version']}") for span in shown["spans"]]
    found = [(row.words[0], row.words[1]) for row in spans]
    assert is_part(found, wanted), (found, wanted)
    states = {span["span"]: span["state"] for span in shown["spans"]}
    artifacts = {artifact["artifact"]: artifact["state"] for artifact in shown["artifacts"]}
    for row in spans:
        state = states[row.words[0]]
        signs = {"live": "", "tombstone": "-", "pruned": "x", "unknown": "?"}
        said = row.sign == signs[state] or row.sign in "*>" or state in row.words
        assert said, row
        assert (state != "live") or not set(row.words[2:]) & {"pruned", "tombstone", "unknown"}
    for row in rows:
        if pane.boxed and row.words[0] in artifacts and row.words[1] in STATES:
            assert row.words[1] == artifacts[row.words[0]], row
    live = sum(state in ("live", "unknown") for state in states.values())
    assert re.match(rf"Spans {live}\b", text), text


def compare_undo(text: str, pane: Pane, shown: Shown) -> None:
    rows = [row.words for row in rows_of(text, pane.boxed)]
    entries = [row for row in rows if re.fullmatch(r"#\d+", row[0])]
    wanted = [f"#{entry['entry']}" for entry in shown["undo"]]
    assert is_part([row[0] for row in entries], wanted), (entries, wanted)
    by_name = {f"#{entry['entry']}": entry for entry in shown["undo"]}
    for row in entries:
        direct = by_name[row[0]]["direct"]
        words = [SHORT.get(word, word) for word in row]
        assert direct in words or (direct == "ambiguous" and "offset" in words), row
    reachable = sum(entry["reachable"] is True for entry in shown["undo"])
    if shown["undo"]:
        count = "all" if reachable == len(shown["undo"]) else str(reachable)
        assert re.match(rf"Undo {len(shown['undo'])}  reachable {count}\b", text), text
    else:
        assert text.startswith("Undo 0")


def compare_staging(text: str, pane: Pane, shown: Shown) -> None:
    verdicts = {diff["diff"]: diff["verdict"] for diff in shown["staging"]}
    assert re.match(rf"Staging {len(verdicts)}\b", text), text
    for _, row in rows_of(text, pane.boxed):
        out = {"applied", "rejected", "withdrawn", "out", "out:"} & set(row)
        if re.fullmatch(r"D\d", row[0]) and not out:
            assert verdicts[row[0]] in row, row


def compare_events(text: str, pane: Pane, shown: Shown) -> None:
    cursor = [line for line in text.splitlines() if re.match(r">\s+\d+ ", line)]
    in_view = pane.listing is not None and pane.listing.anchor() is not None
    if cursor:
        assert [int(line.split()[1]) for line in cursor] == [shown["seq"]]
    elif shown["seq"] and in_view:
        anchor = pane.listing.anchor() if pane.listing is not None else None
        assert anchor is not None
        assert not pane.top <= anchor < pane.top + pane.rows


def compare_why(app: SpanscopeApp, shown: Shown, history: History) -> None:
    subject = app.navigator.selected
    first = next(iter(pane_text(app, "detail").splitlines()[1:]), "")
    finding = re.match(r"[!~i] ([A-Z]{3}\d{3}) ", first)
    if finding is not None:
        about = [f for f in history.findings if f.rule == finding.group(1) and f.seq is not None]
        assert any(f.seq <= shown["seq"] for f in about if f.seq is not None), first
        return
    if subject is None:
        return
    said = re.match(rf"{re.escape(subject.name)} is (\w+)", first)
    if said is not None and subject.kind == "artifact" and said.group(1) in STATES:
        states = [a["state"] for a in shown["artifacts"] if a["artifact"] == subject.id]
        assert states == [said.group(1)], first
    if re.match(rf"#{subject.id} .* can be undone", first):
        assert [e["reachable"] for e in shown["undo"] if e["entry"] == subject.id] == [True]


def is_part(part: Sequence[object], whole: Sequence[object]) -> bool:
    """Whether the one stands in the other without a gap."""
    return any(
        list(whole[at : at + len(part)]) == list(part) for at in range(len(whole) - len(part) + 1)
    )
