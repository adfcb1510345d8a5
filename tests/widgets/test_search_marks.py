"""What is sought is marked in Content and Diff: every occurrence, whatever else is marked there."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from msgspec.structs import replace
from support.screens import write_journal

from spanscope.history.history import load
from spanscope.text.visible import visible_segments
from spanscope.widgets import written
from spanscope.widgets.content import ContentListing
from spanscope.widgets.difftab import DiffListing
from spanscope.widgets.findings import FindingIndex
from spanscope.widgets.lazy import LazyListing
from spanscope.widgets.lines import Role
from spanscope.widgets.look import Look
from spanscope.widgets.scene import Scene
from spanscope.widgets.subject import Subject
from spanscope.widgets.written import Piece, Written, column

OLD = "# Search quota\nThe Quota is 100.\nThe end"
NEW = "# Search quota\nThe QUOTA is 40, no more quota.\nThe end"


@pytest.fixture
def scene(tmp_path: Path) -> Scene:
    events: list[dict[str, Any]] = [
        {"type": "ingest", "span": "a", "content": OLD},
        {"type": "derive", "artifact": "c", "span": "a", "kind": "k", "range": [4, 21]},
        {"type": "rewrite", "span": "a", "op": "fold", "content": NEW},
    ]
    history = load(write_journal(tmp_path / "made.jsonl", events))
    return Scene(history, FindingIndex(history.findings, history.touched), 2, Subject("span", "a"))


def found(listing: LazyListing) -> list[str]:
    cells = [cell for number in range(len(listing)) for cell in listing.row(number).cells]
    return [text for text, role in cells if role == "found"]


@pytest.mark.parametrize("width", [120, 60])
def test_what_is_sought_is_marked(scene: Scene, width: int) -> None:
    assert found(ContentListing(scene, width)) == []
    sought = replace(scene, sought="quota")
    assert found(ContentListing(sought, width)) == ["quota", "Quota"]
    after = replace(sought, seq=3)
    assert found(ContentListing(after, width)) == ["quota", "QUOTA", "quota"]
    in_diff = found(DiffListing(after, width))
    assert in_diff == (["quota", "quota"] if width == 120 else ["quota"]) + [
        "Quota",
        "QUOTA",
        "quota",
    ]


def test_over_what_the_selection_is_about(scene: Scene) -> None:
    chosen = replace(scene, selected=Subject("artifact", "c"), sought="H Q")
    rows = ContentListing(chosen, 60)
    assert found(rows) == ["h q"]
    roles = {text: role for number in range(len(rows)) for text, role in rows.row(number).cells}
    assert (roles["arc"], roles["uota"]) == ("marked", "marked")


def test_the_wanted_match_is_in_view(scene: Scene) -> None:
    sought = replace(scene, sought="the")
    assert [ContentListing(sought, 60, match).anchor() for match in (0, 1)] == [2, 3]
    listing = ContentListing(sought, 60)
    assert listing.matches == 2
    assert [listing.has_match(match) for match in (-1, 0, 1, 2)] == [False, True, True, False]
    assert ContentListing(replace(scene, sought="nothing"), 60).anchor() is None


def test_marks_are_seen_without_colour() -> None:
    assert Look({}, mono=True).style("found").reverse


@given(
    line=st.text(alphabet="abAB \t\x1b\u202eé", min_size=1, max_size=60),
    sought=st.text(alphabet="abAB", min_size=1, max_size=2),
    width=st.integers(6, 40),
)
def test_marks_change_no_text_and_cover_every_occurrence(
    line: str, sought: str, width: int
) -> None:
    item = Written("same", 1, ((line[:7], False), (line[7:], True)))
    item = item._replace(segments=tuple(piece for piece in item.segments if piece[0]))
    bare = [row.text for row in column(item, width, 2)]
    rows = list(column(item, width, 2, sought))
    assert [row.text for row in rows] == bare
    cells = [cell for row in rows for cell in row.cells]
    marked = "".join(text for text, role in cells if role == "found")
    assert len(marked) == line.casefold().count(sought.casefold()) * len(sought)
    assert set(marked.casefold()) <= set(sought.casefold())


@given(
    line=st.text(alphabet="abAB \t\x1b\u202e字", min_size=1, max_size=200),
    sought=st.sampled_from(("", "a", "ab", "bA")),
    width=st.integers(6, 40),
    part=st.integers(4, 60),
    at=st.lists(st.integers(0, 200), max_size=6),
)
@example(line="AB\u202eA\u202e", sought="ab", width=6, part=4, at=[])
def test_a_long_line_in_parts_reads_as_one_in_one_piece(
    line: str, sought: str, width: int, part: int, at: list[int]
) -> None:
    edges = [0, *sorted(at), len(line)]
    pieces = tuple((line[a:b], n % 2 == 1) for n, (a, b) in enumerate(pairwise(edges)) if line[a:b])
    item = Written("added", 1, pieces)

    def drawn(size: int) -> list[tuple[str, list[tuple[str, Role]]]]:
        with pytest.MonkeyPatch.context() as patched:
            patched.setattr(written, "PART", size)
            rows = list(column(item, width, 2, sought))
        letters = [[(letter, role) for text, role in row.cells for letter in text] for row in rows]
        return [(row.text, each) for row, each in zip(rows, letters, strict=True)]

    assert drawn(part) == drawn(10**9)


def test_of_a_line_of_megabytes_only_what_is_shown_is_looked_at(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    looked_at = 0

    def counted(pieces: Piece, column: int) -> Piece:
        nonlocal looked_at
        looked_at += sum(len(text) for text, _ in pieces)
        return visible_segments(pieces, column)

    monkeypatch.setattr(written, "visible_segments", counted)
    line = "word " * 2_000_000
    rows = column(Written("same", 1, ((line, False),)), 80, 2, "o")
    first = [next(rows).text for _ in range(100)]
    assert first[0] == f" 1   {('word ' * 15)[:-1]}"
    assert looked_at < 20_000
