"""Names in little memory are what a `dict` of them would be."""

from __future__ import annotations

from hypothesis import example, given
from hypothesis import strategies as st

from spanscope.history.names import FIRST_SLOTS, Names, Numbered

MANY = [f"artifact-{number}" for number in range(4 * FIRST_SLOTS)]


@given(st.lists(st.text()), st.text())
@example(MANY, "none of them")
@example(["", "\ud800", "é", "\0", ""], "e")
def test_a_name_is_found_where_it_was_put(added: list[str], other: str) -> None:
    names = Names()
    places = [names.add(name) for name in added]
    in_order = list(dict.fromkeys(added))
    assert places == [in_order.index(name) for name in added]
    assert [names[place] for place in range(len(names))] == in_order
    for name in (*added, other):
        assert names.find(name) == (in_order.index(name) if name in in_order else None)


@given(st.permutations(MANY[:12]), st.permutations(MANY[:12]))
def test_each_numbering_of_the_same_names_has_its_own_order(
    one: list[str], other: list[str]
) -> None:
    names = Names()
    first, second = Numbered(names), Numbered(names)
    assert [first.add(name) for name in one] == list(range(12))
    assert all(second.get(name) is None for name in other)
    assert [second.add(name) for name in other[:6]] == list(range(6))
    for numbered, added in ((first, one), (second, other[:6])):
        assert list(numbered) == added
        for name in one:
            assert numbered.get(name) == (added.index(name) if name in added else None)
        assert [numbered.name(number) for number in range(len(added))] == added
