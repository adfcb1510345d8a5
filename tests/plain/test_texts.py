"""Characters keep their identity through edits, and only through these."""

from __future__ import annotations

from spanscope.plain.texts import fresh, place, rewritten, string


def test_a_rewrite_is_a_splice_of_its_differing_middle() -> None:
    old = fresh("one two three")
    new = rewritten(old, "one 2 three")
    assert string(new) == "one 2 three"
    assert new[:4] == old[:4]
    assert new[5:] == old[7:]
    assert new[4] not in old


def test_a_rewrite_takes_the_prefix_first_and_no_character_twice() -> None:
    old = fresh("aaa")
    new = rewritten(old, "aaaa")
    assert new[:3] == old
    assert new[3] not in old
    assert rewritten(old, "aa") == old[:2]


def test_a_piece_stands_where_its_own_characters_are_not_where_equal_ones_are() -> None:
    text = fresh("abab")
    assert place(text, text[2:]) == 2
    assert place(text, fresh("ab")) is None
    assert place(text, (text[0], text[2])) is None
    assert place(text, ()) is None
