"""Token boundaries: exact where the extra is there, and otherwise why they can't be told."""

from __future__ import annotations

import sys
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spanscope.model import tokens
from spanscope.model.tokens import TOKENIZERS, UntoldTokensError, token_marks

TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=40)


@pytest.fixture
def without_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    """As where `spanscope` was installed without its extra."""
    monkeypatch.setitem(sys.modules, "toktok", None)
    tokens._marks_of_short.cache_clear()


def pieces(tokenizer: str, text: str) -> list[bytes]:
    marks, data = token_marks(tokenizer, text), text.encode()
    return [data[start:end] for start, end in pairwise(marks)]


@pytest.mark.parametrize(
    ("tokenizer", "text", "wanted"),
    [
        ("o200k_base", "alpha betamax", ["alpha", " bet", "amax"]),
        ("cl100k_base", "tokenization", ["token", "ization"]),
        ("o200k_harmony", "unhappy", ["un", "happy"]),
        ("o200k_base", "", []),
    ],
)
def test_the_tokens_are_those_of_the_named_encoding(
    tokenizer: str, text: str, wanted: list[str]
) -> None:
    assert pieces(tokenizer, text) == [piece.encode() for piece in wanted]


def test_marks_count_bytes_and_may_lie_inside_a_character() -> None:
    assert list(token_marks("o200k_base", "a🧠b")) == [0, 1, 3, 4, 5, 6]


def test_what_looks_like_a_special_token_is_ordinary_text() -> None:
    assert len(pieces("cl100k_base", "<|endoftext|>")) == 7


@pytest.mark.parametrize("tokenizer", TOKENIZERS)
@given(text=TEXT)
def test_the_tokens_tile_the_text(tokenizer: str, text: str) -> None:
    marks = token_marks(tokenizer, text)
    assert list(marks) == sorted(set(marks))
    assert (marks[0], marks[-1]) == (0, len(text.encode()))


@pytest.mark.parametrize(
    ("tokenizer", "why"),
    [
        (None, "the journal's header names no tokenizer for ranges in tokens"),
        (
            "claude",
            "the tokenizer claude is not known here (cl100k_base, o200k_base, o200k_harmony are)",
        ),
    ],
)
def test_a_tokenizer_that_is_not_named_or_not_known_is_said(
    tokenizer: str | None, why: str
) -> None:
    with pytest.raises(UntoldTokensError) as told:
        token_marks(tokenizer, "text")
    assert str(told.value) == why


@pytest.mark.usefixtures("without_the_extra")
def test_without_the_extra_it_says_what_to_install() -> None:
    with pytest.raises(UntoldTokensError, match=r"pip install 'spanscope\[tokens\]'"):
        token_marks("o200k_base", "text")


def test_lone_surrogates_have_no_tokens() -> None:
    with pytest.raises(UntoldTokensError, match="lone surrogates"):
        token_marks("o200k_base", "a\ud800b")


@given(
    st.lists(st.sampled_from(["<|endoftext|>", "<|endofprompt|>", "<|", "a", " é", "🧠\n", "1"]))
)
def test_no_text_is_a_special_token(parts: list[str]) -> None:
    text = "".join(parts)
    assert b"".join(pieces("o200k_base", text)) == text.encode()


def test_a_long_text_has_the_tokens_of_its_parts() -> None:
    line = "the quick brown fox\n"
    alone, many = token_marks("cl100k_base", line), token_marks("cl100k_base", line * 5000)
    assert len(many) - 1 == 5000 * (len(alone) - 1)
    assert many[-1] == 5000 * len(line)


def test_a_long_run_without_a_space_is_no_trap() -> None:
    assert token_marks("o200k_base", "a" * 500_000)[-1] == 500_000
