"""Where the tokens of a text begin and end, for artifacts whose range counts tokens.

The vocabularies come with the optional extra `spanscope[tokens]`, inside its wheel: nothing is
downloaded. It is imported when a journal first needs it and never before. Where the tokens can't
be told, the answer is why, so that the verdict is unknown and not clean.
"""

from __future__ import annotations

import sys
from array import array
from functools import cache, lru_cache
from itertools import accumulate
from typing import Any

TOKENIZERS = ("cl100k_base", "o200k_base", "o200k_harmony")
"""The names that a header's `tokenizer` may have: encodings, not models."""

EXTRA = "spanscope[tokens]"

SHORT_TEXT = 64 * 1024
"""Up to so many characters the marks of many texts are kept, beyond it those of two."""


class UntoldTokensError(ValueError):
    """The tokens of a text can't be told; the message is one sentence that says why."""


def token_marks(tokenizer: str | None, text: str) -> array[int]:
    """The UTF-8 byte offsets at which the tokens of a text start, and the text's end.

    Token i spans `marks[i]..marks[i + 1]`; a text of n tokens has n + 1 marks. Text that looks
    like a special token (`<|endoftext|>`) is ordinary text: content is not markup.

    Raises:
        UntoldTokensError: no tokenizer is named, it is not known here, the extra is not
            installed, or the text has lone surrogates, which no tokenizer takes.
    """
    if tokenizer is None:
        raise UntoldTokensError("the journal's header names no tokenizer for ranges in tokens")
    if tokenizer not in TOKENIZERS:
        known = ", ".join(TOKENIZERS)
        raise UntoldTokensError(f"the tokenizer {tokenizer} is not known here ({known} are)")
    marks = _marks_of_short if len(text) <= SHORT_TEXT else _marks_of_long
    return marks(tokenizer, text)


def _marks(tokenizer: str, text: str) -> array[int]:
    try:
        # As bytes: no object for each token of a large text.
        encoded = _encoder(tokenizer).encode_to_buffer(text, disallowed_special=())
    except UnicodeEncodeError:
        why = f"lone surrogates have no tokens in {tokenizer}"
        raise UntoldTokensError(why) from None
    tokens = array("I", encoded)
    if sys.byteorder == "big":
        tokens.byteswap()
    lengths = _token_lengths(tokenizer)
    return array("Q", accumulate((lengths[token] for token in tokens), initial=0))


_marks_of_short = lru_cache(maxsize=64)(_marks)
_marks_of_long = lru_cache(maxsize=2)(_marks)


def _encoder(tokenizer: str) -> Any:
    try:
        # Its own word for the full tokenizer; the public functions only count.
        from toktok import _encoding
    except ImportError:
        why = f"ranges in tokens of {tokenizer} need an extra: pip install '{EXTRA}'"
        raise UntoldTokensError(why) from None
    return _encoding(tokenizer)


@cache
def _token_lengths(tokenizer: str) -> array[int]:
    """How many bytes each token has, by its id."""
    return array("I", map(len, _encoder(tokenizer).token_byte_values()))
