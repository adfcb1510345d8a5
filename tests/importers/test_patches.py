"""What a patch does to a part of a file that was seen before."""

from __future__ import annotations

import difflib

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.codex import Rollout

from spanscope.importers.builder import JournalBuilder
from spanscope.importers.files import Files
from spanscope.importers.patches import Hunk, Regions, lines_after, unified_hunks

LINE = st.sampled_from("abc")


@given(st.data(), st.lists(LINE, min_size=1, max_size=8))
def test_what_is_left_is_a_part_of_the_file(data: st.DataObject, file: list[str]) -> None:
    def part() -> tuple[int, int]:
        first = data.draw(st.integers(1, len(file)))
        return first, data.draw(st.integers(first, len(file)))

    start, end = part()
    told: list[str] = []
    for line in file[start - 1 : end]:
        told += [f"+{new}" for new in data.draw(st.lists(LINE, max_size=2))]
        told.append(data.draw(st.sampled_from(" -")) + line)
    told += [f"+{new}" for new in data.draw(st.lists(LINE, max_size=2))]
    after = file[: start - 1] + [line[1:] for line in told if line[0] != "-"] + file[end:]
    first, last = part()
    found = lines_after(Hunk(start, told), first, file[first - 1 : last])
    assert found is not None
    where, left = found
    assert after[where - 1 : where - 1 + len(left)] == left
    gone = sum(line[0] == "-" for line in told)
    assert len(left) >= last - first + 1 - gone


def test_other_lines_than_the_patch_says() -> None:
    [hunk] = unified_hunks("@@ -1,2 +1,1 @@\n a\n-b\n")
    assert lines_after(hunk, 1, ["a", "x"]) is None
    assert lines_after(hunk, 2, ["b", "c"]) == (2, ["c"])
    assert lines_after(hunk, 3, ["c"]) == (2, ["c"])


def patched(*diffs: str) -> Rollout:
    rollout = Rollout()
    rollout.turn("Change it")
    for diff in diffs:
        changes = {"/p/a.py": {"type": "update", "unified_diff": diff}}
        done = {"type": "FileChange", "changes": changes, "status": "completed"}
        rollout.row("event_msg", {"type": "item_completed", "item": done})
    return rollout


FIRST = "@@ -3,2 +3,2 @@\n-alpha = 1\n+alpha = 10\n beta = 2\n"


@pytest.mark.parametrize(
    ("second", "left"),
    [
        ("@@ -4,2 +4,2 @@\n-beta = 2\n+beta = 20\n gamma = 3\n", "alpha = 10\nbeta = 20\n"),
        ("@@ -4,2 +4,1 @@\n-beta = 2\n gamma = 3\n", "alpha = 10\n"),
        ("@@ -4,2 +4,3 @@\n beta = 2\n+more\n gamma = 3\n", "alpha = 10\nbeta = 2\n"),
        ("@@ -9,1 +9,1 @@\n-beta = 2\n-x\n+y\n", "alpha = 10\nbeta = 2\n"),
    ],
)
def test_parts_that_patches_showed_overlap(second: str, left: str) -> None:
    done = patched(FIRST, second).imported()
    assert done.text("file:/p/a.py#1") == left
    assert done.history.findings == []


def test_a_part_moves_with_the_lines_above_it() -> None:
    above = "@@ -1,1 +1,3 @@\n+one\n+two\n # top\n"
    below = "@@ -6,2 +6,2 @@\n-beta = 2\n+beta = 20\n gamma = 3\n"
    done = patched(FIRST, above, below).imported()
    assert done.text("file:/p/a.py#1") == "alpha = 10\nbeta = 20\n"
    assert done.history.findings == []


def test_lines_that_nobody_said_leave_a_part_as_it_was() -> None:
    other = "@@ -4,2 +4,2 @@\n-delta = 2\n+delta = 20\n gamma = 3\n"
    done = patched(FIRST, other).imported()
    assert done.text("file:/p/a.py#1") == "alpha = 10\nbeta = 2\n"
    assert done.text("file:/p/a.py#2") == "delta = 20\ngamma = 3\n"


@given(st.data(), st.lists(LINE, min_size=1, max_size=12))
def test_parts_are_parts_of_the_file_while_only_patches_change_it(
    data: st.DataObject, file: list[str]
) -> None:
    builder = JournalBuilder()
    builder.header("s", "a", source="x", identity="x")
    regions = Regions(builder, Files(builder))
    for _ in range(data.draw(st.integers(1, 6), label="patches")):
        after = list(file)
        for _ in range(data.draw(st.integers(1, 3), label="edits")):
            at = data.draw(st.integers(0, len(after)))
            until = data.draw(st.integers(at, min(at + 2, len(after))))
            after[at:until] = data.draw(st.lists(LINE, max_size=3))
        context = data.draw(st.integers(0, 3), label="context")
        diff = difflib.unified_diff(file, after, lineterm="", n=context)
        regions.updated("/p/a.py", unified_hunks("\n".join(diff)))
        file = after
        whole = "".join(f"{line}\n" for line in file)
        for name in builder.order("files"):
            text = builder.spans[name].text or ""
            assert ("\n" + whole).find("\n" + text) >= 0, name
