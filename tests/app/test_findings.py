"""The Findings pane by real keys: incidents folded and unfolded, picked, filtered, exported."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.screens import (
    SIZES,
    assert_golden,
    opened,
    pane_text,
    press,
    screen_lines,
    screen_text,
    until,
)
from textual.events import MouseEvent, MouseScrollDown

from spanscope.app.app import SpanscopeApp
from spanscope.history.history import History, load
from spanscope.history.incidents import Incidents
from spanscope.sample_sessions import NAMES, sample
from spanscope.widgets.finding_list import FindingListing, Item

GOLDEN = Path(__file__).parent / "golden"


def listing(app: SpanscopeApp) -> FindingListing:
    found = app.board.panes["findings"].listing
    assert isinstance(found, FindingListing)
    return found


def picked(app: SpanscopeApp) -> Item:
    row = listing(app).picked
    assert row is not None
    return listing(app).item(row)


def names(folder: Path) -> list[str]:
    return [path.name for path in folder.iterdir()]


def rows(app: SpanscopeApp) -> list[str]:
    return pane_text(app, "findings").splitlines()[1:]


@pytest.mark.parametrize("size", SIZES, ids=["x".join(map(str, size)) for size in SIZES])
async def test_as_it_is_drawn(size: tuple[int, int], stale_citation: History) -> None:
    async with opened(stale_citation, size) as (app, pilot):
        await press(pilot, "i")
        name = f"findings-stale-citation-{size[0]}x{size[1]}"
        assert_golden(GOLDEN / f"{name}.txt", screen_text(app))
        await press(pilot, "enter", "j")
        assert_golden(GOLDEN / f"{name}-unfolded.txt", screen_text(app))


@pytest.mark.parametrize(
    ("name", "size"),
    [*((name, SIZES[0]) for name in NAMES), *(("late-inverse", size) for size in SIZES[1:])],
    ids=str,
)
async def test_a_walk_down_the_list_explains_every_finding(
    name: str, size: tuple[int, int]
) -> None:
    history = load(sample(name).path)
    shared = [each for each in Incidents(history.findings) if len(each) > 1]
    async with opened(history, size) as (app, pilot):
        await press(pilot, "i", "I")
        await press(pilot, "j", *"999", "k")
        seen: list[str] = []
        heads = 0
        while True:
            item = picked(app)
            finding = item.finding
            assert any(line.startswith(">") for line in rows(app))
            if finding.seq is not None:
                assert app.navigator.seq == finding.seq
                assert f"{finding.seq}/{history.last}" in screen_lines(app)[0]
            assert finding.rule in screen_lines(app)[-2] or finding.seq is None
            if item.kind == "head":
                heads += 1
            else:
                seen.append(finding.id)
            if "detail" in {pane.id for pane in app.board.panes.values() if pane.display}:
                title = pane_text(app, "detail").splitlines()[1]
                assert f"{finding.rule} {finding.name}" in title
            place = listing(app).picked
            await press(pilot, "j")
            if listing(app).picked == place:
                break
        assert sorted(seen) == sorted(finding.id for finding in history.findings)
        assert heads == len(shared)


async def test_a_folded_incident_is_one_and_the_worst_come_first(stale_citation: History) -> None:
    incidents = list(Incidents(stale_citation.findings))
    async with opened(stale_citation) as (app, pilot):
        await press(pilot, "i")
        assert f"Findings {len(stale_citation.findings)}" in pane_text(app, "findings")
        heads = [line for line in rows(app) if "incident" in line]
        assert len(heads) == sum(len(each) > 1 for each in incidents)
        assert "+ ! incident 24  rewrite task by agent" in heads[0]
        assert "here ! 1 ~ 8   ahead ! 5 i 1" in heads[0]
        severities = [line.lstrip("> +-").split()[0] for line in rows(app) if line.strip("─ ")]
        assert severities == sorted(severities, key="!~i".index)


async def test_enter_unfolds_and_folds(stale_citation: History) -> None:
    async with opened(stale_citation) as (app, pilot):
        await press(pilot, "i")
        before, seq = screen_text(app), app.navigator.seq
        await press(pilot, "enter")
        assert sum("SPN102" in line for line in rows(app)) == 6
        assert rows(app)[0].startswith("> - ! incident 24")
        assert app.navigator.seq == seq
        await press(pilot, "enter")
        assert screen_text(app) == before
        await press(pilot, "I")
        assert "every incident shows its findings" in screen_lines(app)[-2]
        await press(pilot, "I")
        assert "all incidents are folded" in screen_lines(app)[-2]


async def test_i_and_escape_and_focus_bring_events_back(stale_base: History) -> None:
    async with opened(stale_base) as (app, pilot):
        events = screen_text(app)
        for keys in (("i", "i"), ("i", "escape"), ("i", "alt+4"), ("i", "tab", "i", "i")):
            await press(pilot, *keys)
            assert screen_text(app) == events, keys
        await press(pilot, "i", "tab")
        assert app.desk.focus == "detail"
        assert "Findings" in screen_text(app)
        await press(pilot, "shift+tab")
        assert app.desk.focus == "findings"


async def test_motions_take_the_list_along(stale_base: History) -> None:
    async with opened(stale_base, at=1) as (app, pilot):
        await press(pilot, "i")
        assert listing(app).picked is None
        await press(pilot, "e")
        assert app.navigator.seq == 72
        assert picked(app).incident.root == 72
        await press(pilot, "b", "ctrl+o", "h")
        assert listing(app).picked is None
        assert app.navigator.seq == 71
        await press(pilot, "slash", *"DIF311", "enter")
        assert picked(app).finding.rule == "DIF311"


async def test_the_picked_one_of_several_is_explained(stale_base: History) -> None:
    async with opened(stale_base) as (app, pilot):
        await press(pilot, "i", "enter", "j", "j")
        assert picked(app).finding.rule == "DIF303"
        assert app.navigator.seq == 72
        assert "~ DIF303" in pane_text(app, "detail").splitlines()[1]
        assert screen_lines(app)[-2].startswith(" ~ DIF303 ")
        await press(pilot, "l", "h")
        assert "DIF301" in pane_text(app, "detail").splitlines()[1]


async def test_the_cause_tells_of_its_incident(stale_base: History) -> None:
    async with opened(stale_base, at=72) as (app, _):
        wanted = "Incident  3 here, 2 ahead: ! DIF311 at 74, ! SPN102 at 84, ~ DIF301 at 72"
        assert wanted in pane_text(app, "detail")


async def test_a_filter_leaves_findings_too(stale_base: History) -> None:
    async with opened(stale_base) as (app, pilot):
        await press(pilot, "i", "F", *"SPN102", "enter")
        await until(pilot, lambda: not app.commands.looking)
        await pilot.pause()
        total = len(stale_base.findings)
        assert pane_text(app, "findings").startswith(f"Findings 1 of {total}  filter SPN102")
        assert [line for line in rows(app) if "SPN102" in line]
        assert "DIF301" not in pane_text(app, "findings")


async def test_a_lens_and_a_pin_dim_what_they_leave_out(stale_base: History) -> None:
    def roles(app: SpanscopeApp, rule: str) -> set[str]:
        shown = listing(app)
        lines = [shown.row(number) for number in range(len(shown))]
        found = [line for line in lines if f"{rule} at" in line.text]
        return {role for line in found for text, role in line.cells if text.strip()}

    async with opened(stale_base, at=97) as (app, pilot):
        await press(pilot, "i", "I")
        assert "future" not in roles(app, "SHN404")
        await press(pilot, "colon", *"D7", "enter", "G", "alt+3", "enter")
        assert app.navigator.lens is not None
        assert roles(app, "SHN404") == {"future"}
        assert "future" not in roles(app, "DIF311")
        await press(pilot, "escape", "colon", *"80", "enter", "p", "G")
        assert roles(app, "DIF311") == {"future"}
        assert "future" not in roles(app, "DIF306")


async def test_clicks_pick_and_unfold(stale_citation: History) -> None:
    async with opened(stale_citation) as (app, pilot):
        await press(pilot, "i", "g")
        await pilot.click("#findings", offset=(9, 2))
        await pilot.pause()
        assert picked(app).kind == "head"
        assert app.navigator.seq == picked(app).finding.seq
        await pilot.click("#findings", offset=(9, 1))
        await pilot.pause()
        await pilot.click("#findings", offset=(9, 2))
        await pilot.pause()
        assert picked(app).finding.id == "SPN101@24"
        assert app.navigator.seq == 24


async def test_what_is_picked_is_exported_and_copied(
    stale_base: History, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    async with opened(stale_base) as (app, pilot):
        await press(pilot, "i", "enter", "j", "j", "y")
        assert "DIF303 " in app.clipboard
        await press(pilot, "x", "s")
        await until(pilot, lambda: "wrote" in screen_lines(app)[-2])
    assert names(tmp_path) == ["journal-DIF303-72.jsonl"]


async def test_a_finding_about_the_file_is_explained() -> None:
    async with opened(sample("killed-writer").path) as (app, pilot):
        await press(pilot, "i", *"99", "k", *"99", "j")
        while picked(app).finding.seq is not None:
            await press(pilot, "k")
        assert picked(app).finding.rule == "JNL001"
        assert "~ JNL001 torn-tail  the journal" in pane_text(app, "detail")
        assert "the last line" in screen_lines(app)[-2]


async def test_no_findings_say_so() -> None:
    history = load(sample("stale-base", safe=True).path)
    calm = History()
    async with opened(calm) as (app, pilot):
        await press(pilot, "i")
        assert "no findings: audited to 0, 0 unknown" in pane_text(app, "findings")
        await press(pilot, "j", "enter", "I")
        assert "there is nothing to unfold" in screen_lines(app)[-2]
    async with opened(history) as (app, pilot):
        await press(pilot, "I")
        assert "i lists the findings" in screen_lines(app)[-2]


@pytest.mark.parametrize("size", [(60, 20), (80, 24), (180, 50)])
async def test_the_rule_behind_a_finding_is_one_key_away(
    stale_base: History, size: tuple[int, int]
) -> None:
    async with opened(stale_base, size, at=74) as (app, pilot):
        await press(pilot, "R")
        page = screen_text(app)
        assert "─ DIF311 stale-apply ─" in page
        assert "What must hold" in page
        assert "Staleness is checked first" in page
        await press(pilot, "G")
        assert 'Seed 004, "read-set staleness' in screen_text(app)
        assert app.navigator.seq == 74
        await press(pilot, "pageup", "k", "g", "j")
        assert "What must hold" not in screen_text(app) or size[1] == 50
        await pilot.resize_terminal(70, 20)
        await press(pilot, "g")
        assert "What must hold" in screen_text(app)
        for close in ("R", "escape", "q", "enter"):
            await press(pilot, close)
            assert "What must hold" not in screen_text(app)
            await press(pilot, "R")
            assert "What must hold" in screen_text(app)


async def test_without_a_finding_there_is_no_rule_to_tell_of(stale_base: History) -> None:
    async with opened(stale_base, (80, 24), at=90) as (app, pilot):
        assert "R rule" not in screen_lines(app)[-1]
        await press(pilot, "R")
        assert "no finding is looked at: e goes to the next" in screen_lines(app)[-2]
        await press(pilot, "e")
        assert "R rule" in screen_lines(app)[-1]


async def test_the_wheel_scrolls_the_page_of_a_rule_and_a_click_beside_it_closes_it(
    stale_base: History,
) -> None:
    async with opened(stale_base, (180, 50), at=74) as (app, pilot):
        await press(pilot, "R")
        wheel: list[type[MouseEvent]] = [MouseScrollDown]
        await pilot._post_mouse_events(wheel, offset=(120, 10), button=0)
        await pilot.pause()
        assert "What must hold" not in screen_text(app)
        await pilot.click(offset=(5, 5))
        await pilot.pause()
        assert app.screen is app.board
