"""A diff gives both texts back, whatever they are and however little it may spend."""

from __future__ import annotations

import random
from itertools import pairwise

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from spanscope.text.diff import (
    DEFAULT_BUDGET,
    DiffLine,
    Fold,
    TextDiff,
    changed_words,
    word_diff,
)

lines = st.lists(
    st.sampled_from(["", "a", "b", "a b", "a c", "if x:", "  a", "é漢字"]), max_size=14
)
few_letters = st.text("ab \n", max_size=40)
texts = lines.map("\n".join) | few_letters | st.text(max_size=30)
budgets = st.sampled_from([0, 200, 700, 2000, DEFAULT_BUDGET])

OLD = """# Search quota
Each project may call the search API.
The quota is 100 requests a minute, for all
keys together; a short burst is allowed.
Beyond it the API answers 429.
Retry when the header says so."""
NEW = """# Search quota
Each project may call the search API.
The quota is 40 requests a minute, no burst,
counted for each key.
Beyond it the API answers 429.
Retry when the header says so."""


def rebuilt(rows: list[DiffLine]) -> tuple[str, str]:
    old = "\n".join(row.text for row in rows if row.kind != "added")
    new = "\n".join(row.text for row in rows if row.kind != "removed")
    return old, new


def shown(row: DiffLine) -> str:
    return "".join(f"[{text}]" if changed else text for text, changed in row.segments)


def longest_common(old: list[str], new: list[str]) -> int:
    row = [0] * (len(new) + 1)
    for item in old:
        above = row[:]
        for index, other in enumerate(new):
            row[index + 1] = (
                above[index] + 1 if item == other else max(above[index + 1], row[index])
            )
    return row[-1]


@given(texts, texts, budgets)
@example("", "", 0)
@example("a\n", "a", 0)
@example(OLD, NEW, DEFAULT_BUDGET)
def test_both_texts_come_back(old: str, new: str, budget: int) -> None:
    diff = word_diff(old, new, budget)
    assert rebuilt(list(diff.lines())) == (old, new)
    assert bool(diff.hunks) == (old != new)


@given(texts, texts, budgets)
def test_numbers_count_the_lines_of_each_side(old: str, new: str, budget: int) -> None:
    rows = list(word_diff(old, new, budget).lines())
    numbers = [row.old_number for row in rows if row.kind != "added"]
    assert numbers == list(range(1, lines_of(old) + 1))
    numbers = [row.new_number for row in rows if row.kind != "removed"]
    assert numbers == list(range(1, lines_of(new) + 1))
    assert all((row.old_number is None) == (row.kind == "added") for row in rows)
    assert all((row.new_number is None) == (row.kind == "removed") for row in rows)


def lines_of(text: str) -> int:
    """An empty text has none."""
    return text.count("\n") + 1 if text else 0


@given(texts, texts)
def test_hunks_lie_apart_and_hold_the_changes(old: str, new: str) -> None:
    diff = word_diff(old, new)
    for hunk in diff.hunks:
        rows = list(diff.hunk_lines(hunk))
        assert rows
        assert [row.kind for row in rows] == ["removed"] * (hunk.old_end - hunk.old_start) + [
            "added"
        ] * (hunk.new_end - hunk.new_start)
    for hunk, following in pairwise(diff.hunks):
        apart = following.old_start - hunk.old_end
        assert apart == following.new_start - hunk.new_end > 0


@given(st.lists(st.sampled_from("ab"), max_size=10), st.lists(st.sampled_from("ab"), max_size=10))
def test_without_unique_lines_the_longest_common_subsequence_is_found(
    old: list[str], new: list[str]
) -> None:
    # Doubled, no line is unique, so nothing anchors the comparison but equal starts and ends.
    old, new = ["x", *old, *old, "p"], ["y", *new, *new, "q"]
    diff = word_diff("\n".join(old), "\n".join(new))
    same = sum(row.kind == "same" for row in diff.lines())
    assert same == longest_common(old, new) or {"a", "b"} & single(old) & single(new)


def single(items: list[str]) -> set[str]:
    return {item for item in items if items.count(item) == 1}


@given(texts, texts, budgets)
def test_words_are_marked_on_lines_that_are_the_same_otherwise(
    old: str, new: str, budget: int
) -> None:
    old_line, new_line = changed_words(old, new, budget)
    assert "".join(text for text, _ in old_line) == old
    assert "".join(text for text, _ in new_line) == new
    assert all(text for text, _ in (*old_line, *new_line))
    unmarked = [
        "".join(text for text, changed in line if not changed) for line in (old_line, new_line)
    ]
    assert unmarked[0] == unmarked[1]
    assert (old == new) == (not any(changed for _, changed in (*old_line, *new_line)))


@given(texts, texts)
def test_a_line_without_counterpart_has_no_marks(old: str, new: str) -> None:
    diff = word_diff(old, new)
    for hunk in diff.hunks:
        if hunk.old_start == hunk.old_end or hunk.new_start == hunk.new_end:
            assert all(shown(row) == row.text for row in diff.hunk_lines(hunk))


@given(lines.map("\n".join), lines.map("\n".join), st.integers(0, 8), st.integers(0, 3))
def test_folding_leaves_out_only_unchanged_lines(old: str, new: str, over: int, keep: int) -> None:
    diff = word_diff(old, new)
    whole = list(diff.lines())
    unfolded: list[DiffLine] = []
    for row in diff.folded(over, keep):
        if isinstance(row, Fold):
            hidden = whole[len(unfolded) : len(unfolded) + row.count]
            assert {line.kind for line in hidden} == {"same"}
            assert (hidden[0].old_number, hidden[0].new_number) == (row.old_number, row.new_number)
            assert row.count + 2 * keep > over
            unfolded += hidden
        else:
            unfolded.append(row)
    assert unfolded == whole


def test_the_quota_of_the_incident() -> None:
    diff = word_diff(OLD, NEW)
    assert len(diff.hunks) == 1
    assert [shown(row) for row in diff.hunk_lines(diff.hunks[0])] == [
        "The quota is [100] requests a minute, [for all]",
        "[keys together; a short] burst[ is allowed].",
        "The quota is [40] requests a minute, [no] burst[,]",
        "[counted for each key].",
    ]
    first, second = OLD.split("\n")[2], NEW.split("\n")[2]
    assert changed_words(first, second) == (
        (
            ("The quota is ", False),
            ("100", True),
            (" requests a minute, ", False),
            ("for all", True),
        ),
        (
            ("The quota is ", False),
            ("40", True),
            (" requests a minute, ", False),
            ("no burst,", True),
        ),
    )


def test_rewrapped_prose_shows_what_really_changed() -> None:
    old = "The run stopped when the search\ntool had used its quota of calls."
    new = "The run stopped when\nthe search tool had used its quota of 40 calls."
    rows = [shown(row) for row in word_diff(old, new).lines() if row.kind == "added"]
    assert rows == ["The run stopped when", "the search[ ]tool had used its quota of[ 40] calls."]


def test_words_of_wide_scripts_are_single_characters() -> None:
    assert changed_words("漢字を読む", "漢字を書く")[1] == (("漢字を", False), ("書く", True))


def test_a_letter_keeps_its_marks() -> None:
    assert changed_words("cafe\u0301 noir", "cafe noir")[0] == (
        ("cafe\u0301", True),
        (" noir", False),
    )


def test_lines_that_have_little_in_common_carry_no_marks() -> None:
    diff = word_diff("alpha beta gamma, delta", "one two three, four five")
    assert [hunk.old_words for hunk in diff.hunks] == [None]
    old, new = changed_words("alpha", "omega")
    assert (old, new) == ((("alpha", True),), (("omega", True),))


def test_indentation_is_not_marked_with_what_follows() -> None:
    assert changed_words("    old = 1", "    new = 1")[0] == (
        ("    ", False),
        ("old", True),
        (" = 1", False),
    )


def test_moved_block_is_found_by_its_unique_lines() -> None:
    old = ["{", "one", "}", "{", "two", "}", "{", "three", "}"]
    new = ["{", "two", "}", "{", "three", "}"]
    kinds = [row.kind for row in word_diff("\n".join(old), "\n".join(new)).lines()]
    assert kinds.count("removed") == 3
    assert kinds.count("added") == 0


def test_a_long_unchanged_run_folds_between_what_it_keeps() -> None:
    old = [str(number) for number in range(20)]
    new = ["x", *old[1:19], "y"]
    rows = list(word_diff("\n".join(old), "\n".join(new)).folded())
    assert [row for row in rows if isinstance(row, Fold)] == [Fold(14, 4, 4)]
    assert len(rows) == 2 + 2 + 1 + 2 + 2
    whole = list(word_diff("\n".join(old), "\n".join(new)).folded(keep=0))
    assert whole[2] == Fold(18, 2, 2)
    assert list(word_diff("\n".join(old), "\n".join(old)).folded()) == [Fold(20, 1, 1)]
    six = [str(number) for number in range(6)]
    assert not any(
        isinstance(row, Fold)
        for row in word_diff("\n".join(["a", *six]), "\n".join(["b", *six])).folded()
    )


def prose(seed: int, size: int) -> list[str]:
    source = random.Random(seed)
    vocabulary = ["".join(source.choices("abcdefghij", k=6)) for _ in range(4000)]
    return [" ".join(source.choices(vocabulary, k=10)) for _ in range(size // 70)]


MEGABYTE = 1_000_000
HUGE = {
    "equal lines": ("a\n" * 500_000, "a\n" * 499_000 + "b\n" + "a\n" * 400),
    "no anchor": ("a\nb\n" * 250_000, "b\na\n" * 250_000),
    "unrelated": ("\n".join(prose(1, MEGABYTE)), "\n".join(prose(2, MEGABYTE))),
    "reversed": ("\n".join(prose(1, MEGABYTE)), "\n".join(reversed(prose(1, MEGABYTE)))),
    "one line": (" ".join(prose(1, MEGABYTE)), " ".join(prose(2, MEGABYTE))),
    "one word": ("a" * MEGABYTE, "b" + "a" * MEGABYTE),
    "few words": ("a b " * 250_000, "b a " * 250_000),
    "two words": (" ".join("ab"[at % 7 % 2] for at in range(500_000)), "b a " * 250_000),
    "no space": ("0+1-" * 250_000, "1-0+" * 250_000),
    "line ends": ("\n".join(prose(1, MEGABYTE)), "\r\n".join(prose(1, MEGABYTE))),
    "wide": ("\u4e00\u4e8c\u4e09" * 300_000, "\u4e8c\u4e09\u4e00" * 300_000),
    "newlines": ("\n" * MEGABYTE, "\n" * (MEGABYTE - 5)),
    "numbers": ("\n".join(map(str, range(140_000))), "\n".join(map(str, range(140_000, 0, -1)))),
    "half and half": ("\n".join(prose(1, MEGABYTE)), "\n".join(prose(1, MEGABYTE)[::2])),
    "marks": ("e" + "\u0301" * MEGABYTE, "e" + "\u0301" * (MEGABYTE - 1)),
}


def sides(diff: TextDiff) -> tuple[str, str]:
    """Both texts, with what is the same taken from the other side, as rows would take too long."""
    old: list[str] = []
    new: list[str] = []
    old_at = new_at = 0
    for hunk in diff.hunks:
        old += (
            diff.new_lines[new_at : hunk.new_start] + diff.old_lines[hunk.old_start : hunk.old_end]
        )
        new += (
            diff.old_lines[old_at : hunk.old_start] + diff.new_lines[hunk.new_start : hunk.new_end]
        )
        old_at, new_at = hunk.old_end, hunk.new_end
    return "\n".join(old + diff.new_lines[new_at:]), "\n".join(new + diff.old_lines[old_at:])


@pytest.mark.parametrize("name", HUGE)
def test_a_megabyte_of_anything_comes_to_an_end(name: str) -> None:
    old, new = HUGE[name]
    diff = word_diff(old, new)
    assert sides(diff) == (old, new)
    assert diff.hunks


@pytest.mark.parametrize("size", [MEGABYTE, 6 * MEGABYTE])
def test_two_changes_far_apart_in_a_huge_text_are_two_hunks(size: int) -> None:
    old = [f"{at}: {line}"[:30] for at, line in enumerate(prose(1, size) * 2)]
    new = [*old]
    new[10] = new[-10] = "changed"
    diff = word_diff("\n".join(old), "\n".join(new))
    assert [(hunk.old_start, hunk.old_end) for hunk in diff.hunks] == [
        (10, 11),
        (len(old) - 10, len(old) - 9),
    ]


@given(lines.map("\n".join), lines.map("\n".join), st.integers(0, 40))
def test_what_both_texts_start_and_end_with_is_never_in_a_hunk(
    head: str, tail: str, budget: int
) -> None:
    old, new = f"{head}\nold\n{tail}", f"{head}\nnew one\n{tail}"
    [hunk] = word_diff(old, new, budget).hunks
    start = head.count("\n") + 1
    assert (hunk.old_start, hunk.old_end) == (hunk.new_start, hunk.new_end) == (start, start + 1)


def test_a_small_change_in_a_huge_text_is_one_small_hunk() -> None:
    old = prose(1, MEGABYTE)
    new = [*old]
    new[7000] = new[7000].replace(new[7000].split()[4], "changed")
    diff = word_diff("\n".join(old), "\n".join(new))
    assert len(diff.hunks) == 1
    assert len(list(diff.folded())) == 1 + 2 + 2 + 2 + 1
    assert "[changed]" in shown(list(diff.hunk_lines(diff.hunks[0]))[1])
