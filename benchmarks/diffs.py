"""Comparing two texts word by word, as Content and Diff do: CPU time.

    python -m benchmarks.diffs [--size 1000000]

Texts of a megabyte that differ here and there, in a stretch, everywhere, in one endless line, in
thousands of places, and in the order of lines, also of short ones and of wide characters.
"""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Callable

from benchmarks.journals import WORDS, prose
from spanscope.text.diff import TextDiff, word_diff

TIMES = 3
EVERY = 2_000
"""Characters between two changes here and there."""


def main() -> None:
    """Print a line a kind of change."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--size", type=int, default=1_000_000)
    options = parser.parse_args()
    chance = random.Random(7)
    text = prose(chance, options.size)
    print("| change | characters | hunks | CPU |")
    print("|---|---|---|---|")
    for name, change in CHANGES.items():
        old, new = change(text, chance)
        taken, diff = _taken(old, new)
        print(f"| {name} | {len(new):,} | {len(diff.hunks):,} | {1000 * taken:.0f} ms |")


def _taken(old: str, new: str) -> tuple[float, TextDiff]:
    """The quickest of some runs, and what it found."""
    best = float("inf")
    for _ in range(TIMES):
        start = time.process_time()
        diff = word_diff(old, new)
        best = min(best, time.process_time() - start)
    return best, diff


def _one_word(text: str, _chance: random.Random) -> tuple[str, str]:
    middle = text.index(" ", len(text) // 2)
    return text, f"{text[:middle]} changed{text[middle:]}"


def _here_and_there(text: str, chance: random.Random) -> tuple[str, str]:
    pieces = [text[at : at + EVERY] for at in range(0, len(text), EVERY)]
    return text, f" {chance.choice(WORDS)} ".join(pieces)


def _a_stretch(text: str, chance: random.Random) -> tuple[str, str]:
    third = len(text) // 3
    return text, text[:third] + prose(chance, third) + text[2 * third :]


def _everything(text: str, chance: random.Random) -> tuple[str, str]:
    return text, prose(chance, len(text))


def _shuffled_lines(text: str, chance: random.Random) -> tuple[str, str]:
    lines = text.split("\n")
    chance.shuffle(lines)
    return text, "\n".join(lines)


def _in_one_line(text: str, chance: random.Random) -> tuple[str, str]:
    old, new = _here_and_there(text.replace("\n", " "), chance)
    return old, new


def _every_other_line(text: str, _chance: random.Random) -> tuple[str, str]:
    lines = text.split("\n")
    changed = [line if at % 2 else line.replace(" ", "  ", 1) for at, line in enumerate(lines)]
    return text, "\n".join(changed)


def _short_lines(text: str, chance: random.Random) -> tuple[str, str]:
    return _shuffled_lines("\n".join(map(str, range(len(text) // 16, len(text) // 8))), chance)


def _wide(text: str, chance: random.Random) -> tuple[str, str]:
    signs = [chr(chance.randrange(0x4E00, 0x9FFF)) for _ in range(len(text))]
    lines = ["".join(signs[at : at + 40]) for at in range(0, len(signs), 40)]
    return _shuffled_lines("\n".join(lines), chance)


def _without_spaces(text: str, chance: random.Random) -> tuple[str, str]:
    signs = "".join(chance.choices("ABCDEFabcdef0123456789+", k=len(text)))
    return _here_and_there(signs, chance)


CHANGES: dict[str, Callable[[str, random.Random], tuple[str, str]]] = {
    "one word": _one_word,
    "a word here and there": _here_and_there,
    "a third anew": _a_stretch,
    "everything": _everything,
    "lines in another order": _shuffled_lines,
    "here and there, in one line": _in_one_line,
    "a space in every other line": _every_other_line,
    "numbers, a line each, in another order": _short_lines,
    "Han, lines in another order": _wide,
    "here and there, without spaces": _without_spaces,
}


if __name__ == "__main__":
    main()
