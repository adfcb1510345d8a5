"""Texts of any length are drawn to their last line, and cost what is in view."""

from __future__ import annotations

import tracemalloc
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from support.screens import write_journal

from spanscope.history.history import load
from spanscope.model.keeping import MOST_RECENT
from spanscope.widgets.content import ContentListing
from spanscope.widgets.difftab import DiffListing
from spanscope.widgets.findings import FindingIndex
from spanscope.widgets.lazy import AT_ONCE, HeadedRows, LazyListing, LazyRows
from spanscope.widgets.lines import plain
from spanscope.widgets.pane import Pane
from spanscope.widgets.scene import Scene
from spanscope.widgets.subject import Subject
from spanscope.widgets.written import Written, column

LINES = 5_000


def numbered(line: str = "line {}") -> str:
    return "\n".join(line.format(number) for number in range(1, LINES + 1))


def scene(tmp_path: Path, *events: dict[str, Any], selected: Subject | None = None) -> Scene:
    history = load(write_journal(tmp_path / "long.jsonl", list(events)))
    chosen = selected or Subject("span", "a")
    return Scene(history, FindingIndex(history.findings, history.touched), history.last, chosen)


def ingest(content: str) -> dict[str, Any]:
    return {"type": "ingest", "span": "a", "content": content}


def rewrite(content: str) -> dict[str, Any]:
    return {"type": "rewrite", "span": "a", "op": "fold", "content": content}


def texts(listing: LazyListing) -> list[str]:
    return [listing.row(index).text for index in range(len(listing))]


def test_rows_are_made_as_they_are_asked_for() -> None:
    made: list[int] = []

    def source() -> Any:
        for number in count():
            made.append(number)
            yield plain(str(number)), number % 10 == 0

    rows = LazyRows(source())
    assert rows.reach(3) == 3
    assert len(made) == 3
    assert rows.start(2) == 20
    assert len(made) == 21
    again = [(line.text, starts) for (line, starts), _ in zip(rows, range(12), strict=False)]
    assert again == [(str(number), number % 10 == 0) for number in range(12)]
    assert len(made) == 21


def test_a_place_far_down_is_sought_a_piece_at_a_time() -> None:
    rows = LazyRows(((plain(str(at)), at == 2 * AT_ONCE) for at in count()), patient=True)
    headed = HeadedRows([plain("head")], rows)
    for made in (AT_ONCE, 2 * AT_ONCE):
        assert headed.start(0) is None
        assert headed.seeking
        assert rows.made == made
    assert headed.start(0) == 2 * AT_ONCE + 1
    assert not headed.seeking
    few = LazyRows(((plain(str(at)), False) for at in range(5)), patient=True)
    assert few.start(0) is None
    assert not few.seeking


def test_rows_end_where_their_source_ends() -> None:
    rows = LazyRows((plain(str(number)), False) for number in range(5))
    assert (rows.reach(3), rows.exhausted) == (3, False)
    assert (rows.reach(30), rows.exhausted) == (5, True)
    assert rows.start(0) is None


def test_a_long_text_is_there_to_its_last_line(tmp_path: Path) -> None:
    listing = ContentListing(scene(tmp_path, ingest(numbered())), 60)
    assert listing.reach(30) == 30
    assert listing.hidden(range(30)) == "30, and more below"
    assert len(listing.lazy.rows) < 100
    rows = texts(listing)
    assert len(rows) == 1 + LINES
    assert listing.hidden(range(30)) == "30 of 5,001"
    assert rows[-1].split() == [str(LINES), "line", str(LINES)]


def test_one_long_line_is_wrapped_to_its_end(tmp_path: Path) -> None:
    listing = ContentListing(scene(tmp_path, ingest("x" * 200_000 + "END")), 60)
    assert listing.reach(30) == 30
    assert len(listing.lazy.rows) < 100
    assert "".join(row.strip(" 1") for row in texts(listing)[1:]) == "x" * 200_000 + "END"


@pytest.mark.parametrize("width", [120, 60])
def test_a_long_difference_is_there_to_its_last_line(tmp_path: Path, width: int) -> None:
    made = scene(tmp_path, ingest(numbered()), rewrite(numbered("other {}")))
    for listing in (DiffListing(made, width), ContentListing(made, width)):
        assert listing.reach(30) == 30
        assert len(listing.lazy.rows) < 100
        shown = "\n".join(texts(listing))
        for number in (1, LINES // 2, LINES):
            assert f"line {number}" in shown
            assert f"other {number}" in shown


def test_a_change_far_down_is_found_and_shown(tmp_path: Path) -> None:
    old = numbered()
    new = old.replace("line 40\n", "LINE 40\n").replace("line 4321\n", "LINE 4321\n")
    made = scene(tmp_path, ingest(old), rewrite(new))
    for width in (120, 60):
        listing = DiffListing(made, width, hunk=1)
        assert listing.hunks == 2
        anchor = listing.anchor()
        assert anchor is not None
        assert "4321" in listing.row(anchor).text


def test_what_an_artifact_stands_on_is_marked_and_in_view(tmp_path: Path) -> None:
    text = numbered()
    start = text.index("line 3000")
    derive = {
        "type": "derive",
        "artifact": "c",
        "span": "a",
        "kind": "citation",
        "range": [start + 5, start + 14],
    }
    made = scene(tmp_path, ingest(text), derive, selected=Subject("artifact", "c"))
    listing = ContentListing(made, 60)
    assert listing.anchor() is None
    assert listing.seeking
    # The rows are kept from frame to frame: each looks on where the last one ended.
    frames = (ContentListing(made, 60) for _ in range(LINES))
    listing = next(each for each in frames if each.anchor() is not None)
    anchor = listing.anchor()
    assert anchor is not None
    assert not listing.seeking
    marked = [
        (listing.row(anchor + row).cells[0][0].strip(), cell)
        for row in range(2)
        for cell, role in listing.row(anchor + row).cells
        if role == "marked"
    ]
    assert marked == [("3000", "3000"), ("3001", "line")]
    assert "> " in listing.row(anchor).text


def test_a_pane_scrolls_through_all_of_it(tmp_path: Path) -> None:
    listing = ContentListing(scene(tmp_path, ingest(numbered())), 56)
    pane = Pane(id="detail")
    pane.fit(60, 20, boxed=True)
    pane.show(listing)
    assert pane._lines[-1].text.endswith(" 18, and more below ─╯")
    pane.scroll_rows(100_000)
    assert f"line {LINES}" in pane._lines[-2].text
    assert pane.top == LINES + 1 - 18
    assert pane._lines[-1].text.endswith(f" 18 of {LINES + 1:,} ─╯")


def test_the_first_rows_of_a_changed_line_of_megabytes_copy_none_of_it() -> None:
    text = "quota " * 500_000
    for kind in ("same", "removed"):
        line = Written(kind, 1, ((text, False), ("is 40", True), (text, False)))
        rows = column(line, 80, 2, "quota")
        tracemalloc.start()
        first = [next(rows) for _ in range(50)]
        _, most = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        assert first[-1].width <= 80
        assert most < len(text) // 4


def test_contents_on_both_sides_of_a_step_are_put_together_once(tmp_path: Path) -> None:
    long = "x" * (MOST_RECENT // 2 + 1)
    splice = {"type": "splice", "span": "a", "at": 1, "delete": 1, "insert": "yz"}
    made = scene(tmp_path, ingest(long), splice, splice, splice)
    nodes = [span.node for seq in (1, 2, 3) if (span := made.history.at(seq).span("a"))]
    texts = [node.text for node in nodes]
    assert all(node.text is text for node, text in zip(nodes, texts, strict=True))
