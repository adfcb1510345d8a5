"""Holders and Context as pure functions of a scene, and the two layouts of Diff."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from support.screens import write_journal

from spanscope.history.history import History, load
from spanscope.journal.events import Render
from spanscope.widgets.context import ContextListing
from spanscope.widgets.difftab import DiffListing
from spanscope.widgets.findings import FindingIndex
from spanscope.widgets.holders import HoldersListing
from spanscope.widgets.listing import Listing
from spanscope.widgets.scene import Scene
from spanscope.widgets.subject import Subject

SceneOf = Callable[..., Scene]
Walk = Callable[[], Iterator[Scene]]


def text(listing: Listing) -> str:
    return "\n".join(listing.row(number).text.rstrip() for number in listing.numbers())


def made(tmp_path: Path, *events: dict[str, Any]) -> History:
    return load(write_journal(tmp_path / "made.jsonl", list(events)))


def at(history: History, seq: int, selected: Subject | None = None) -> Scene:
    return Scene(history, FindingIndex(history.findings, history.touched), seq, selected)


def test_holders_are_all_live_artifacts_on_the_span(every_scene: Walk) -> None:
    for scene in every_scene():
        for span in scene.moment.order[:6]:
            chosen = Scene(scene.history, scene.findings, scene.seq, Subject("span", span))
            listing = HoldersListing(chosen, 92)
            shown = {s.id for s in map(listing.subject, listing.numbers()) if s}
            held = {row.artifact.artifact: row for row in scene.moment.artifacts_on(span)}
            diffs = {
                row.diff.diff for row in scene.moment.staging() if span in row.diff.named_spans
            }
            assert shown == set(held) | diffs
            said = text(listing)
            for name, row in held.items():
                assert re.search(rf"{re.escape(name)} +{row.judgement.state}", said)
            assert said.startswith("nobody holds") == (not shown)


@pytest.mark.parametrize("width", [30, 47, 58, 92])
def test_who_holds_it_is_never_left_out(scene: SceneOf, width: int) -> None:
    made = scene("stale-citation", 27, Subject("artifact", "map:evidence"))
    said = " ".join(text(HoldersListing(made, width)).split())
    for holder, count in (("retriever", 3), ("budgeter", 1), ("assembler", 1)):
        assert said.count(f"held by {holder}") == count


def test_the_ground_of_a_holder(scene: SceneOf) -> None:
    said = " ".join(
        text(HoldersListing(scene("stale-base", 74, Subject("diff", "D7")), 92)).split()
    )
    assert said.startswith("docs/limits at 74 is held by 1 live artifact, 1 of them not fresh")
    assert "cite:limits stale citation 10..59, held by planner" in said
    assert "derived at 67 from v0 7660d9, keyed on v0 and hash 7660d9, never used" in said


def test_uses_costs_sources_and_what_was_released(tmp_path: Path) -> None:
    derive = {"type": "derive", "span": "a", "kind": "embedding", "holder": "store"}
    history = made(
        tmp_path,
        {"type": "ingest", "span": "a", "content": "one"},
        {"type": "ingest", "span": "b", "content": "two"},
        {**derive, "artifact": "e"},
        {**derive, "artifact": "f", "span": "b", "sources": [{"span": "a"}]},
        {"type": "use", "artifact": "e"},
        {"type": "use", "artifact": "e"},
        {**derive, "artifact": "g"},
        {"type": "release", "artifact": "g"},
    )
    said = " ".join(text(HoldersListing(at(history, 8, Subject("span", "a")), 92)).split())
    assert "a change is due as copy-on-rewrite" in said
    assert "keyed on the id alone: can't notice" in said
    assert "used 2 times, last at 6" in said
    assert "its own span is b" in said
    assert "1 artifact of it released before" in said
    assert "nobody holds anything of b at 2" in text(
        HoldersListing(at(history, 2, Subject("span", "b")), 92)
    )


def test_the_context_is_what_a_render_showed(sessions: dict[str, History]) -> None:
    seen = 0
    for history in sessions.values():
        for seq in history.renders:
            event = history.event(seq)
            assert isinstance(event, Render)
            listing = ContextListing(at(history, seq), 92)
            shown = [s.id for s in map(listing.subject, listing.numbers()) if s]
            assert shown[: len(event.items)] == [item.span for item in event.items]
            assert f"at {seq} was shown {len(event.items)} item" in text(listing)
            seen += 1
    assert seen > 10


CALLS: list[dict[str, Any]] = [
    {"type": "ingest", "span": "a", "content": "one"},
    {"type": "ingest", "span": "b", "content": "two"},
    {"type": "ingest", "span": "c", "content": "three"},
    {"type": "render", "call": "1", "items": [{"span": "a"}, {"span": "b"}, {"span": "c"}]},
    {"type": "rewrite", "span": "b", "op": "fold", "content": "2"},
    {"type": "ingest", "span": "d", "content": "four"},
    {
        "type": "render",
        "call": "2",
        "items": [{"span": "a"}, {"span": "b"}, {"span": "d", "shown": "(cleared)"}],
    },
    {"type": "mark", "kind": "note", "label": "later"},
]


def test_what_changed_since_the_call_before(tmp_path: Path) -> None:
    history = made(tmp_path, *CALLS)
    lines = text(ContextListing(at(history, 8), 92)).splitlines()
    assert lines[0] == "call 2 at 7 was shown 3 items, 13 chars"
    assert lines[1] == (
        "since call 1 at 4: 1 new, 1 changed, 1 left out; the first 1, 3 chars, are the same"
    )
    rows = [(line[:2], line[2:].split()[0]) for line in lines[3:]]
    assert rows == [("  ", "a"), ("──", "not"), ("~ ", "b"), ("+ ", "d"), ("- ", "c")]
    assert "shown otherwise" in lines[6]
    first = text(ContextListing(at(history, 5), 92))
    assert first.startswith("call 1 at 4 was shown 3 items, 11 chars")
    assert "since" not in first
    unchanged = made(tmp_path, *CALLS[:4], CALLS[3])
    assert "nothing else; the first 3, 11 chars, are the same" in text(
        ContextListing(at(unchanged, 5), 92)
    )


def test_without_a_render_it_is_the_buffer_and_that_is_said(tmp_path: Path) -> None:
    call = {"type": "mark", "kind": "llm", "label": "call 1"}
    history = made(tmp_path, *CALLS[:3], call, CALLS[4], {**call, "label": "call 2"})
    said = text(ContextListing(at(history, 6), 92))
    assert "no render tells what it was shown: the buffer as it was" in said
    assert "since call call 1 at 4: 1 changed" in said or "since call 1 at 4: 1 changed" in said
    before = text(ContextListing(at(history, 3), 92))
    assert before.startswith("no call up to 3: 3 items, 11 chars in the buffer")


@pytest.mark.parametrize("width", [92, 47, 24])
def test_everything_can_be_drawn_anywhere(every_scene: Walk, width: int) -> None:
    for scene in every_scene():
        for listing in (HoldersListing(scene, width), ContextListing(scene, width)):
            for number in listing.numbers():
                assert listing.row(number).width <= width


def test_the_layouts_of_a_difference(scene: SceneOf) -> None:
    chosen = scene("stale-base", 74, Subject("diff", "D7"))
    for width, wanted, beside in (
        (92, None, True),
        (92, False, False),
        (60, None, False),
        (60, True, True),
        (59, True, False),
    ):
        listing = DiffListing(chosen, width, side_by_side=wanted)
        assert listing.beside == beside
        assert ("│" in text(listing)) == beside
        assert '~ quotes "Bulk export allows 12' in text(listing)
        assert "not found now" in text(listing)


def test_diff_of_a_span_that_comes_or_goes_is_its_whole_text(tmp_path: Path) -> None:
    history = made(
        tmp_path,
        {"type": "ingest", "span": "note", "content": "one\ntwo"},
        {"type": "prune", "span": "note"},
        {"type": "gap", "reason": "lost"},
        {"type": "rewrite", "span": "other", "op": "x", "content": "new"},
    )
    note, other = Subject("span", "note"), Subject("span", "other")
    came = text(DiffListing(at(history, 1, note), 60)).splitlines()
    assert came[1] == "was  not there"
    assert came[3:] == ["    1 + one", "    2 + two"]
    went = text(DiffListing(at(history, 2, note), 60)).splitlines()
    assert went[3:] == [" 1    - one", " 2    - two"]
    unsure = text(DiffListing(at(history, 4, other), 60))
    assert "the text of other is not known (was)" in unsure
