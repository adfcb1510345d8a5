"""Edits that are made again without what was undone below them."""

from __future__ import annotations

import pytest

from spanscope.model.carrying import NoPlaceError, carried
from spanscope.model.mapping import Change


def insert(at: int, length: int = 1) -> Change:
    return Change(at, 0, length, 0)


def delete(at: int, length: int) -> Change:
    return Change(at, length, 0, 0)


def places(*changes: Change) -> list[tuple[int, int, int]]:
    return [(change.at, change.deleted, change.inserted) for change in changes]


PUT_AND_TAKEN = [insert(3, 2), delete(3, 2)]
"""Two characters that one undone edit put in and another took out: both are taken back."""


def test_what_an_undone_edit_put_in_and_another_took_out_is_in_nobodys_way() -> None:
    at, difference = carried(insert(3), PUT_AND_TAKEN)
    assert at == 3
    for beside in (3, 4):
        assert carried(insert(beside), difference).at == beside


def test_nor_inside_what_is_deleted() -> None:
    at, difference = carried(Change(2, 2, 1, 0), PUT_AND_TAKEN)
    assert at == 2
    assert carried(delete(2, 2), difference).at == 2


@pytest.mark.parametrize("edit", [insert(3), Change(2, 2, 1, 0)])
def test_a_text_that_comes_back_where_something_was_put_or_taken_is(edit: Change) -> None:
    with pytest.raises(NoPlaceError):
        carried(edit, [insert(3, 2)])


def test_of_what_comes_back_at_a_point_the_rest_counts() -> None:
    rest = [insert(3, 3), delete(3, 2)]
    with pytest.raises(NoPlaceError):
        carried(insert(3), rest)
    assert carried(insert(2), rest).at == 2
    assert carried(insert(4), rest).at == 5


def test_a_place_inside_what_is_undone_is_none() -> None:
    with pytest.raises(NoPlaceError):
        carried(insert(2), [delete(1, 2)])
    # Also where the middle of it was taken out since.
    with pytest.raises(NoPlaceError):
        carried(insert(2), [insert(2, 2), delete(1, 4)])


def test_at_the_end_of_what_is_left_of_it_it_is_one() -> None:
    at, difference = carried(insert(3), [insert(3, 2), delete(1, 4)])
    assert at == 1
    # The undone text stands before it as a whole.
    assert places(*difference) == [(3, 0, 2), (1, 4, 0)]


def test_beside_what_took_the_place_of_another_text_it_stays_beside_that() -> None:
    replaced = [Change(2, 1, 3, 0)]
    assert carried(insert(2), replaced).at == 2
    assert carried(insert(3), replaced).at == 5
    with pytest.raises(NoPlaceError):
        carried(insert(2), [insert(2, 1), Change(2, 1, 3, 0)])


def test_what_comes_back_on_both_sides_is_parted() -> None:
    """ab and dz were put in, c between them; cd was taken out, and this between b and z."""
    undone = [insert(2, 2), delete(3, 2), delete(0, 3)]
    at, difference = carried(insert(2), undone)
    assert at == 0
    assert places(*difference) == [(2, 0, 1), (4, 0, 1), (4, 2, 0), (0, 3, 0)]


def test_where_it_went_may_be_known() -> None:
    for at in (3, 5):
        assert carried(insert(3), [insert(3, 2)], at).at == at


def test_an_edit_of_nothing_is_in_nobodys_way() -> None:
    difference = [delete(1, 4)]
    assert carried(Change(3, 0, 0, 0), difference) == (3, difference)
