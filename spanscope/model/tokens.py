"""Where the tokens of a text begin and end, for artifacts whose range counts tokens.

The vocabularies come with the optional extra `spanscope[tokens]`, inside its wheel: nothing is
downloaded. It is imported when a journal first needs it and never before. Where the tokens can't
be told, the answer is why, so that the verdict is unknown and not clean.
"""

from __future__ import annotations

from array import array
from functools import lru_cache

TOKENIZERS = ("cl100k_base", "o200k_base", "o200k_harmony")
"""The names that a header's `tokenizer` may have: encodings, not models."""

EXTRA = "spanscope[tokens]"


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
    return _marks(tokenizer, text)


@lru_cache(maxsize=16)
def _marks(tokenizer: str, text: str) -> array[int]:
    try:
        # Its own word for the full tokenizer; the public functions only count.
        from toktok import _encoding
    except ImportError:
        why = f"ranges in tokens of {tokenizer} need an extra: pip install '{EXTRA}'"
        raise UntoldTokensError(why) from None
    try:
        _, spans = _encoding(tokenizer).encode_with_offsets(text)
    except UnicodeEncodeError:
        why = f"lone surrogates have no tokens in {tokenizer}"
        raise UntoldTokensError(why) from None
    return array("Q", [0, *(end for _, end in spans)])
