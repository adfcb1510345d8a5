"""Header, timeline, message line and tabs as pure functions of a scene."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace
from msgspec.structs import replace as remade
from support.pages import page_findings
from support.screens import write_journal

from spanscope.history.history import History, load
from spanscope.journal.events import Mark
from spanscope.rules.catalogue import RULES, fill
from spanscope.text.cells import cell_width
from spanscope.widgets.findings import FindingIndex
from spanscope.widgets.header import header
from spanscope.widgets.message import fitting_sentence, found_in_short, message
from spanscope.widgets.scene import Audit, Scene
from spanscope.widgets.tabs import pane_tabs
from spanscope.widgets.timeline import Timeline

Walk = Callable[[], Iterator[Scene]]
SceneOf = Callable[..., Scene]


def test_the_header_counts_up_to_the_cursor(every_scene: Walk) -> None:
    for scene in every_scene():
        text = header(scene, 180).text
        here = scene.history.counts(scene.seq)
        total = scene.history.counts()
        assert f"step {scene.seq}/{scene.history.last}" in text
        assert f"errors {here['error']}/{total['error']}" in text
        assert f"warnings {here['warning']}/{total['warning']}" in text
        assert f"rev {scene.moment.revision}" in text


@pytest.mark.parametrize(
    ("width", "text"),
    [
        (
            100,
            "spanscope stale-base recording step 74/97 turn 5/7 rev 43 errors 1/2 warnings 3/6",
        ),
        (80, None),
        (60, None),
    ],
)
def test_the_header_has_its_width(scene: SceneOf, width: int, text: str | None) -> None:
    line = header(scene("stale-base", 74), width)
    assert line.width == width
    assert line.text.startswith(" spanscope" if width >= 100 else " stale-base")
    if text is not None:
        assert line.text.split() == text.split()


def test_the_header_while_auditing(scene: SceneOf) -> None:
    made = remade(scene("stale-base", 74), audit=Audit(62, 100, done=False))
    assert "AUDITING 62%, to 97" in header(made, 180).text
    assert "errors 1/2+" in header(made, 180).text
    assert "AUDITING 62%" in header(made, 80).text


def test_unknown_subjects_are_counted(scene: SceneOf) -> None:
    assert "? 3" in header(remade(scene("stale-base", 74), unknown=3), 180).text


def test_the_timeline_is_a_cell_an_event_if_they_fit(every_scene: Walk) -> None:
    for scene in every_scene():
        timeline = Timeline(scene.history, 180)
        text = timeline.strip(scene).text
        assert len(text) == 1 + len(scene.history)
        for position, seq in enumerate(scene.history.seqs):
            severities = [f.severity for f in scene.history.findings_at(seq)]
            cell = text[1 + position]
            if "error" in severities:
                assert cell == "!"
            elif "warning" in severities:
                assert cell == "~"
            elif seq == scene.seq:
                assert cell == "|"
            elif seq > scene.seq:
                assert cell == "."
            else:
                assert cell in "▁▂▃▄▅▆▇█"
        if scene.seq:
            ruler = timeline.ruler(scene).text
            assert ruler[1 + scene.position :].startswith(f"^{scene.seq}")
            assert timeline.seq_at(1 + scene.position) == scene.seq


def test_a_long_session_is_in_even_buckets(tmp_path: Path) -> None:
    events = [{"type": "mark", "kind": "note", "label": "x"} for _ in range(1000)]
    history = load(write_journal(tmp_path / "long.jsonl", events))
    timeline = Timeline(history, 80)
    scene = Scene(history, FindingIndex(history.findings, history.touched), 1000)
    assert timeline.strip(scene).width == 79
    assert timeline.strip(scene).text.endswith("▁|")
    assert [timeline.seq_at(column) for column in (0, 1, 40, 78, 500)] == [1, 1, 501, 989, 989]
    assert timeline.ruler(scene).text.endswith(" 1000^")
    assert timeline.ruler(scene).width == 79
    sizes = [timeline.first(cell + 1) - timeline.first(cell) for cell in range(77)]
    assert set(sizes) <= {12, 13}


def test_buckets_have_their_worst_letters_and_turns_as_far_as_they_fit(tmp_path: Path) -> None:
    chance = random.Random(3)
    events: list[dict[str, object]] = [{"type": "ingest", "span": "s", "content": "x"}]
    for _ in range(2_000):
        kind = chance.random()
        if kind < 0.01:
            events.append({"type": "use", "artifact": "nobody"})
        elif kind < 0.02:
            events.append({"type": "render", "items": [{"span": "s"}, {"span": "s"}]})
        else:
            events.append({"type": "mark", "kind": "turn" if kind < 0.1 else "note", "label": "x"})
    history = load(write_journal(tmp_path / "long.jsonl", events))
    timeline = Timeline(history, 80)
    scene = Scene(history, FindingIndex(history.findings, history.touched), 0)
    worst = ["."] * timeline.cells
    for severity, sign in (("warning", "~"), ("error", "!")):
        for finding in history.findings:
            if finding.severity == severity and finding.seq is not None:
                worst[timeline.cell(history.position(finding.seq))] = sign
    assert {"~", "!"} < set(worst)
    assert timeline.strip(scene).text[1:] == "".join(worst)
    turns: list[tuple[int, str]] = []
    for number, seq in enumerate(history.turns, 1):
        column = timeline.cell(history.position(seq)) + 1
        if not turns or column > sum((turns[-1][0], len(turns[-1][1]))):
            turns.append((column, f"'{number}" if number > 1 else "'turn 1"))
    assert timeline._turns == turns


def test_the_message_names_the_worst_finding(every_scene: Walk) -> None:
    for scene in every_scene():
        for width in (180, 80, 60):
            line = message(scene, width)
            assert line.width == width
            if scene.here:
                worst = scene.here[0]
                assert worst.rule in line.text[:12]
                assert line.fill == {"info": "surface"}.get(worst.severity, worst.severity)
            else:
                assert line.fill == "surface"
                assert str(scene.seq) in line.text or not scene.seq


@pytest.mark.parametrize("width", [180, 80, 60])
def test_at_a_note_the_message_is_what_it_says(scene: SceneOf, width: int) -> None:
    text = message(scene("twin-blocks", 17), width).text.strip()
    label = "Each undo record keeps 16 characters each side, and they are alike in both jobs."
    start = text.removesuffix("..")
    assert f"17 note: {label}".startswith(start)
    assert len(start) >= min(width - 5, len(label) + 9)


def test_a_narrow_message_is_a_shorter_sentence() -> None:
    said = "D7 was applied while stale: docs/limits was changed (and 1 more); a merge passes it"
    assert fitting_sentence(said, 100) == said
    assert fitting_sentence(said, 75) == said[: said.index(";")]
    assert fitting_sentence(said, 60) == said[: said.index(" (")]
    assert fitting_sentence(said, 30) == "D7 was applied while stale"
    assert fitting_sentence(said, 12) == "D7 was app.."
    quoted = 'it means that "one; two" and gets more'
    assert fitting_sentence(quoted, 25) == 'it means that "one; two..'


@pytest.mark.parametrize("room", [48, 68, 90])
def test_every_rule_has_a_sentence_that_fits(room: int) -> None:
    for finding in page_findings():
        said = found_in_short(finding, room)
        assert cell_width(said) <= room
        assert not said.endswith(".."), finding.message
        assert said[0] != " "
        if len(finding.message) > room:
            brief = fill(RULES[finding.rule].brief, finding.subject)
            assert said == brief or finding.message.startswith(said)


def test_long_ids_are_cut_in_their_middle() -> None:
    finding = next(f for f in page_findings() if f.rule == "SPN121")
    subject = {"span": "docs/" + "x" * 200, "artifact": "idx:" + "y" * 200}
    said = found_in_short(replace(finding, subject=subject, message="z" * 300), 48)
    assert re.fullmatch(r"docs\S*\.\.x+ changed in place under idx\S*\.\.y+", said)


@pytest.mark.parametrize("width", [60, 80, 110])
def test_what_happened_is_never_cut_at_its_end(every_scene: Walk, width: int) -> None:
    for scene in every_scene():
        if not scene.here and not isinstance(scene.event, Mark):
            assert not message(scene, width).text.rstrip().endswith("..")


def test_tabs_carry_the_worst_sign(scene: SceneOf) -> None:
    assert pane_tabs(scene("dropped-inverse", 20), "events", 60).text.rstrip() == (
        " Spans 9  Undo 11 !  Staging 0  [Events]  Why"
    )
    assert "Spans 32 ~" in pane_tabs(scene("stale-base", 74), "detail", 60).text


@pytest.mark.parametrize("width", [60, 80, 100, 180])
def test_a_wide_name_of_a_session_gets_the_cells_that_it_takes(tmp_path: Path, width: int) -> None:
    history = load(write_journal(tmp_path / "wide.jsonl", [], session="計画者"))
    made = header(Scene(history, FindingIndex(history.findings, history.touched), 0), width)
    assert " 計画者 " in made.text
    assert made.width == width


def test_an_empty_session(tmp_path: Path) -> None:
    history = load(write_journal(tmp_path / "empty.jsonl", []))
    scene = Scene(history, FindingIndex(history.findings, history.touched), 0)
    assert Timeline(history, 80).strip(scene).text.strip() == ""
    assert "no event yet" in message(scene, 80).text
    assert "step 0/0" in header(scene, 80).text


def test_growing_findings_are_indexed(sessions: dict[str, History]) -> None:
    history = sessions["stale-base"]
    grown = FindingIndex(history.findings[:0], history.touched)
    grown._findings = history.findings
    grown.update()
    whole = FindingIndex(history.findings, history.touched)
    for severity in ("error", "warning", "info"):
        assert grown.count(severity) == whole.count(severity) == history.counts()[severity]


@pytest.mark.parametrize("width", [60, 80, 100, 120, 180])
def test_the_header_cuts_no_state_however_large_the_numbers(width: int, tmp_path: Path) -> None:
    turns = [{"type": "mark", "kind": "turn", "label": "on"}] * 1199
    history = load(write_journal(tmp_path / "long.jsonl", turns))
    index = FindingIndex(history.findings, history.touched)
    scene = Scene(history, index, history.last, audit=Audit(4, 100, done=False))
    said = header(scene, width).text
    assert "AUDITING 4%" in said
    assert " 1,199/1,199 " in said
