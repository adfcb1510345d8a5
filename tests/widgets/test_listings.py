"""What the panes say at a step is what the history holds there, at every step of every session."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace
from support.screens import write_journal

from spanscope.history.history import History, load
from spanscope.history.rows import SpanRow
from spanscope.widgets.content import ContentListing
from spanscope.widgets.difftab import DiffListing
from spanscope.widgets.event_list import EventListing
from spanscope.widgets.findings import FindingIndex
from spanscope.widgets.lines import Line
from spanscope.widgets.listing import Listing
from spanscope.widgets.live import Live
from spanscope.widgets.scene import Audit, Scene
from spanscope.widgets.spans import SpansListing
from spanscope.widgets.staging import StagingListing
from spanscope.widgets.subject import Subject
from spanscope.widgets.undo import UndoListing
from spanscope.widgets.why import WhyListing

Walk = Callable[[], Iterator[Scene]]

WIDTHS = {"spans": (62, 40, 23), "undo": (48, 34, 28), "staging": (58, 34, 24)}


def rows(listing: Listing) -> list[Line]:
    return [listing.row(number) for number in listing.numbers()]


def roles(line: Line) -> set[str]:
    return {role for text, role in line.cells if text.strip()}


def held_though_collected(scene: Scene) -> list[SpanRow]:
    """What compaction took from under a live artifact: gone, and still to be seen."""
    held = {
        row.artifact.span: scene.moment.span(row.artifact.span) for row in scene.moment.artifacts()
    }
    return [SpanRow(span, "pruned") for span in held.values() if span and span.life == "collected"]


def test_spans_are_those_of_the_moment(every_scene: Walk) -> None:
    for scene in every_scene():
        listing = SpansListing(scene, 100)
        subjects = [listing.subject(number) for number in listing.numbers()]
        spans = scene.moment.spans() + held_though_collected(scene)
        shown = [subject.id for subject in subjects if subject and subject.kind == "span"]
        assert shown == [row.name for row in spans]
        by_name = {row.name: row for row in spans}
        for subject, line in zip(subjects, rows(listing), strict=True):
            if subject is None or subject.kind != "span":
                continue
            row = by_name[str(subject.id)]
            words = line.text.split()
            assert f"v{row.span.version}" in words
            state = "collected" if row.span.life == "collected" else row.state
            assert (state in words) == (state != "live")
            if row.state == "live":
                assert (row.span.hash or "")[7:13] in words
                assert f"{row.span.node.length:,}" in words


def test_artifacts_stand_under_their_spans(every_scene: Walk) -> None:
    for scene in every_scene():
        listing = SpansListing(scene, 100)
        states = {row.artifact.artifact: row.judgement for row in scene.moment.artifacts()}
        under = ""
        shown = set()
        for number in listing.numbers():
            subject, line = listing.subject(number), listing.row(number)
            if subject is not None and subject.kind == "span":
                under = str(subject.id)
            if subject is None or subject.kind != "artifact":
                continue
            judgement = states[str(subject.id)]
            artifact = scene.moment.artifact(str(subject.id))
            assert artifact is not None
            assert artifact.artifact.span == under
            assert judgement.state in line.text
            assert ("warning" in roles(line)) == (judgement.state != "fresh")
            shown.add(subject.id)
        not_fresh = {name for name, judgement in states.items() if judgement.state != "fresh"}
        assert not_fresh <= shown


@pytest.mark.parametrize(
    ("name", "seq", "row"),
    [
        ("stale-embedding", 37, "x weather   v0  ~1 held"),
        ("orphaned-results", 33, "x call/2    v0  ~1 held"),
    ],
)
def test_where_there_is_little_room_a_gone_span_says_that_it_is_held(
    scene: Callable[..., Scene], name: str, seq: int, row: str
) -> None:
    assert row in [line.text.rstrip() for line in rows(SpansListing(scene(name, seq), 24))]


def test_more_fresh_artifacts_than_three_are_one_row(
    scene: Callable[..., Scene], sessions: dict[str, History]
) -> None:
    found = False
    for seq in sessions["stale-citation"].seqs:
        listing = SpansListing(scene("stale-citation", seq), 62)
        for line in rows(listing):
            if re.fullmatch(r" +(\d+) fresh *", line.text):
                found = True
                assert int(line.text.split()[0]) > 3
    assert found


def test_undo_entries_are_those_of_the_moment(every_scene: Walk) -> None:
    for scene in every_scene():
        for width in WIDTHS["undo"]:
            listing = UndoListing(scene, width)
            expected = scene.moment.undo()
            shown = [(listing.seq(i), listing.row(i)) for i in range(len(listing))]
            entries = [(seq, line) for seq, line in shown if seq is not None]
            assert [seq for seq, _ in entries] == [row.entry.seq for row in expected]
            for row, (_, line) in zip(expected, entries, strict=True):
                assert f"#{row.entry.seq}" in line.text
                word = "offset" if row.by_offset_alone else row.status.direct[:5]
                assert word in line.text
                assert ("muted" in roles(line.__class__(line.cells[:3]))) == (
                    row.reachable is not True
                )


def test_one_rule_stands_where_reach_ends(every_scene: Walk) -> None:
    for scene in every_scene():
        listing = UndoListing(scene, 48)
        lines = rows(listing)
        rules = [index for index in range(len(lines)) if listing.seq(index) is None]
        reachable, size = scene.moment.reachable, scene.moment.undo_size
        if reachable == size:
            assert rules == []
            assert size == 0 or "reachable all" in listing.title().text
        else:
            assert rules == [reachable]
            first = scene.moment.undo(reachable, 1)[0]
            assert lines[reachable].text.startswith(
                f"── {size - reachable} blocked by #{first.blocked_by} "
            )
            assert f"reachable {reachable}" in listing.title().text


def test_diffs_are_those_of_the_moment(every_scene: Walk) -> None:
    seen = set()
    for scene in every_scene():
        listing = StagingListing(scene, 58)
        expected = scene.moment.staging(include_out=True)
        subjects = [listing.subject(index) for index in range(len(listing))]
        assert [s.id for s in subjects if s] == [row.diff.diff for row in expected]
        for row in expected:
            index = subjects.index(Subject("diff", row.diff.diff))
            line = listing.row(index)
            assert row.judgement.verdict in line.text
            assert ("fragile" in line.text) == row.judgement.fragile
            assert (row.left or "base r") in line.text
            under = [listing.row(index + 1 + n) for n in range(len(row.judgement.lines))]
            for line, item in zip(under, row.judgement.lines, strict=True):
                assert item.word in line.text
                assert (f"~ {item.word}" in line.text) == item.bad
            seen.add(row.judgement.verdict)
    assert {"stale", "admissible", "reconcilable"} <= seen


def test_events_are_all_there_and_later_ones_muted(every_scene: Walk) -> None:
    for scene in every_scene():
        listing = EventListing(scene, 80)
        assert len(listing) == len(scene.history)
        for index in {0, scene.position, len(listing) - 1} - {-1}:
            line, row = listing.row(index), scene.history.event_row(index)
            assert str(row.seq) in line.text.split()
            if row.findings:
                assert row.findings[0].rule in line.text
            assert (roles(line) == {"future"}) == (row.seq > scene.seq)
            assert (line.fill == "selected") == (row.seq == scene.seq)


@pytest.mark.parametrize("width", [96, 60, 47, 29])
def test_every_row_fits_its_width(every_scene: Walk, width: int) -> None:
    for step in every_scene():
        scene = Scene(step.history, step.findings, step.seq, _any_subject(step))
        for listing in (
            SpansListing(scene, width),
            UndoListing(scene, width),
            StagingListing(scene, width),
            WhyListing(scene, width, 20),
            ContentListing(scene, width),
            DiffListing(scene, width),
        ):
            for line in rows(listing):
                assert line.width <= width, line.text
                assert line.text.isprintable()


def _any_subject(scene: Scene) -> Subject | None:
    spans = scene.moment.spans()
    return Subject("span", spans[scene.seq % len(spans)].name) if spans else None


def test_what_a_step_changed_has_a_star(every_scene: Walk) -> None:
    for scene in every_scene():
        listing = SpansListing(scene, 62)
        for index in listing.numbers():
            subject = listing.subject(index)
            if subject is None or subject.kind != "span":
                continue
            span = scene.moment.span(str(subject.id))
            assert span is not None
            assert listing.row(index).text.startswith("* ") == (span.seq == scene.seq != 0)


def test_a_selected_row_is_filled_and_no_other(scene: Callable[..., Scene]) -> None:
    made = scene("stale-base", 74, Subject("span", "docs/limits"))
    for listing in (SpansListing(made, 62), UndoListing(made, 48), StagingListing(made, 58)):
        filled = [line for line in rows(listing) if line.fill]
        assert len(filled) == isinstance(listing, SpansListing)
    listing = SpansListing(made, 62)
    anchor = listing.anchor()
    assert anchor is not None
    assert listing.row(anchor).text.startswith("> docs/limits")


def test_an_offset_alone_is_said_and_its_places_are_not_counted(tmp_path: Path) -> None:
    inverse = {"original": "x", "inserted": 1, "before": "", "after": "", "at": 4}
    text = "0123x" + "56789" * 80
    events: list[dict[str, Any]] = [
        {"type": "ingest", "span": "a", "content": text},
        {"type": "splice", "span": "a", "at": 4, "delete": 1, "insert": "y", "inverse": inverse},
    ]
    history = load(write_journal(tmp_path / "offset.jsonl", events))
    scene = Scene(history, FindingIndex(history.findings, history.touched), 2, Subject("entry", 2))
    assert scene.moment.undo()[0].status.direct == "ambiguous"
    for width, word in ((60, "offset only"), (48, "offset only"), (34, "offset"), (28, "offset")):
        line = UndoListing(scene, width).row(0)
        assert word in line.text.split("a", 1)[1]
        assert "40" not in line.text
        assert "warning" not in roles(line)
    text = "\n".join(line.text for line in rows(WhyListing(scene, 90, 30)))
    assert "UND206" in text
    scene = Scene(
        history, FindingIndex(history.findings[:0], history.touched), 2, Subject("entry", 2)
    )
    assert "only its offset says where" in WhyListing(scene, 90, 30).row(0).text


def test_what_is_not_known_to_come_is_not_denied(journal: Path) -> None:
    many: list[dict[str, Any]] = [{"type": "mark", "kind": "note", "label": "x"}] * 600
    base = {"revision": 0, "digest": "sha256:" + "0" * 64}
    staged = {"type": "stage", "diff": "D1", "base": base, "reads": [], "edits": []}
    history = load(write_journal(journal, [*many, staged]))
    index = FindingIndex(history.findings, history.touched)

    def said(scene: Scene) -> str:
        return StagingListing(scene, 40).empty()

    assert said(Scene(history, index, 200)) == "nothing staged at 200; the next diff comes at 601"
    assert said(Scene(history, index, 20)) == "nothing staged at 20, nor by the next 500 events"
    whole = load(write_journal(journal, many))
    scene = Scene(whole, FindingIndex(whole.findings, whole.touched), 200)
    assert said(scene) == "nothing staged at 200, and nothing to come"
    for going_on in (
        {"live": Live("live", pid=1)},
        {"audit": Audit(read=1, size=2, done=False)},
    ):
        said_then = said(replace(scene, **going_on))
        assert said_then == "nothing staged at 200, and nothing to come so far"
