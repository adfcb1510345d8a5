r"""Making text safe to show: the one border between journal text and a terminal.

Journals hold what a model and the web wrote, and a terminal obeys what it is sent. Everything
here turns what could act or hide into printable characters. What stays has a width on which
terminals agree, so that text can't push the frames around it out of place either. Markup is not
looked at: text that passed here must still be drawn as plain content. Hash and compare the raw
text, never the visible one.

Decided once, for all functions but `ascii_only`:

- C0 and DEL become control pictures (`␛`), C1 becomes `\x9b`, a lone surrogate becomes U+FFFD.
- Bidi controls, zero-width characters, tags, variation selectors, skin tones, fillers, line and
  paragraph separators, odd spaces, private and unassigned characters become `<U+202E>`.
- ZWJ too: where a terminal doesn't join, the parts take more cells than were counted.
- A no-break space becomes `␣`, as it is why a quote is not found more often than any other.
- An ideographic space stays: it takes two cells, so it hides nothing.
- Marks that pile up on one cell are kept up to a limit, `<+9 marks>` stands for the others. A
  mark with nothing to stand on gets a dotted circle, else it would land on the frame.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable
from typing import TypeVar

Style = TypeVar("Style")

TAB_SIZE = 4
"""Cells from one tab stop to the next."""

# Printable to Python, yet nothing to see or of a width that is guessed differently everywhere:
# fillers and joiners, variation selectors, skin tones.
_UNSEEN = (
    "\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180d\u180f\u3164\ufe00-\ufe0f\uffa0"
    "\U0001f3fb-\U0001f3ff\U00016fe4\U000e0100-\U000e01ef"
)
_UNSEEN_CHARACTER = re.compile(f"[{_UNSEEN}]")

# Vowels and finals of Hangul: letters that take no cell behind the consonant they join.
_JAMO = "\u1161-\u11ff\ud7b0-\ud7ff"
_JAMO_CHARACTER = re.compile(f"[{_JAMO}]")

# Marks are neither word characters nor spaces, so a pile is among the runs of the rest. Symbols
# that come in runs (frames, arrows, full-width punctuation) are left out to be quick.
_SYMBOLS = "\u2010-\u2027\u2030-\u205e\u2070-\u20cf\u2100-\u2bff\u3000-\u3029\uff01-\uff65"
_POSSIBLE_PILE = re.compile(rf"(?:[^\w\s\x00-\u02ff{_SYMBOLS}]|[{_JAMO}]){{3,}}")
_PILE_LIMIT = 8
# Terminals that give these a cell of their own would draw far past the counted width.
_SPACING_MARK_WEIGHT = 4

_SUSPECT = re.compile(f"{_UNSEEN_CHARACTER.pattern}|{_POSSIBLE_PILE.pattern}")


class _Table(dict[int, str | int | None]):
    """A table for `str.translate` that works out a character when it first meets it."""

    __slots__ = ("_become",)

    # Enough for any real text; hostile text must not fill the memory.
    _LIMIT = 4096

    def __init__(
        self, become: Callable[[int], str | int | None], fixed: dict[int, str | int | None]
    ) -> None:
        super().__init__(fixed)
        self._become = become

    def __missing__(self, code: int) -> str | int | None:
        value = self._become(code)
        if len(self) < self._LIMIT:
            self[code] = value
        return value


def _code_point(code: int) -> str:
    return f"<U+{code:04X}>"


def _replacement(code: int) -> str | None:
    """What stands for a character on the screen, None if it stands for itself."""
    if code < 0x20:
        return chr(0x2400 + code)
    if code == 0x7F:
        return "\u2421"
    if 0x80 <= code < 0xA0:
        return f"\\x{code:02x}"
    if code == 0xA0:
        return "\u2423"
    if 0xD800 <= code < 0xE000:
        return "\ufffd"
    character = chr(code)
    if character == "\u3000":
        return None
    if character.isprintable() and not _UNSEEN_CHARACTER.match(character):
        return None
    return _code_point(code)


def _shown_or_same(code: int) -> str | int:
    return _replacement(code) or code


def _removed_or_same(code: int) -> int | None:
    return None if _replacement(code) else code


def _ascii(code: int) -> str | int:
    if 0x2400 <= code <= 0x241F:
        code -= 0x2400
    if code < 0x20:
        return "^" + chr(code + 0x40)
    if code in {0x7F, 0x2421}:
        return "^?"
    if code < 0x7F:
        return code
    return f"\\x{code:02x}" if code < 0xA0 else _code_point(code)


_EXACT = _Table(_shown_or_same, {})
_ONE_LINE = _Table(_shown_or_same, {0x0A: "\u2424", 0x09: " "})
_KEEP_TABS = _Table(_shown_or_same, {0x09: 0x09, 0x0A: "\u2424"})
_WITHOUT_HIDDEN = _Table(_removed_or_same, {0x09: 0x09, 0x0A: 0x0A})
_ASCII = _Table(_ascii, {0x2424: "^J"})


def visible(text: str) -> str:
    """`text` with everything that acts or hides made visible, on one line.

    A newline becomes `␊` and a tab `␉`, so two texts that differ look different: for ids, names,
    paths, messages and evidence. Never fails. Doing it twice changes nothing.
    """
    return text if _is_clean(text) else _translated(text, _EXACT)


def visible_line(text: str) -> str:
    """`text` on one line, to be read: a newline becomes `␤` and a tab one space.

    For previews of contents in rows; `visible` keeps a tab apart from a space.
    """
    return text if _is_clean(text) else _translated(text, _ONE_LINE)


def visible_lines(text: str) -> list[str]:
    """The lines of `text`, each made visible, tabs as spaces up to the next tab stop.

    Only a newline ends a line. A text that ends with one has an empty last line, as in
    `str.split`, so the list is never empty. A carriage return stays visible as `␍`.
    """
    return [_visible_from(line, 0) for line in text.split("\n")]


def visible_segments(
    segments: Iterable[tuple[str, Style]], column: int = 0
) -> list[tuple[str, Style]]:
    """One line in pieces (text, anything), each text made visible as in `visible_lines`.

    For lines of which parts are marked: tab stops count from the start of the line, of which
    `column` characters stand before. A newline inside becomes `␤`.
    """
    shown = []
    for text, style in segments:
        piece = _visible_from(text, column)
        column += len(piece)
        shown.append((piece, style))
    return shown


def without_hidden(text: str) -> str:
    """The text without the characters that the screen shows by a stand-in, piles of marks aside.

    Newlines and tabs stay: they are layout.
    """
    return text if _is_clean(text) else text.translate(_WITHOUT_HIDDEN)


def ascii_only(text: str) -> str:
    r"""`text` in printable ASCII, whatever it holds, for a terminal that shows nothing else.

    Controls and their pictures become `^[`, C1 becomes `\x9b`, the rest `<U+00E9>`. Use it in
    place of `visible`, before cutting and wrapping, as it makes text longer.
    """
    return text if text.isascii() and text.isprintable() else text.translate(_ASCII)


def _visible_from(text: str, column: int) -> str:
    """A piece of a line that starts at `column`, with tabs up to their stops."""
    at_start = column == 0
    if _is_clean(text, at_start=at_start):
        return text
    before = column % TAB_SIZE
    tabbed = " " * before + _translated(text, _KEEP_TABS, at_start=at_start)
    return tabbed.expandtabs(TAB_SIZE)[before:]


def _is_clean(text: str, *, at_start: bool = True) -> bool:
    if not text.isprintable():
        return False
    if text.isascii():
        return True
    return not (_SUSPECT.search(text) or (at_start and _mark_weight(text[0])))


def _translated(text: str, table: _Table, *, at_start: bool = True) -> str:
    shown = text.translate(table)
    if shown.isascii():
        return shown
    shown = _POSSIBLE_PILE.sub(lambda pile: _clamped(pile.group()), shown)
    stands_on_nothing = at_start and _mark_weight(shown[0])
    return "\u25cc" + shown if stands_on_nothing else shown


def _mark_weight(character: str) -> int:
    """0 for a character that takes a cell, else how much it adds to a pile."""
    if character.isascii():
        return 0
    category = unicodedata.category(character)
    if category in {"Mn", "Me"}:
        return 1
    if category == "Mc" or _JAMO_CHARACTER.match(character):
        return _SPACING_MARK_WEIGHT
    return 0


def _clamped(run: str) -> str:
    """A run of marks and symbols with each pile cut to the limit, and a word for what was cut."""
    kept: list[str] = []
    weight = cut = 0
    for character in run:
        mark = _mark_weight(character)
        if weight + mark > _PILE_LIMIT:
            cut += 1
            continue
        if not mark:
            weight = 0
            kept.append(_cut_marks(cut))
            cut = 0
        weight += mark
        kept.append(character)
    return "".join(kept) + _cut_marks(cut)


def _cut_marks(count: int) -> str:
    return f"<+{count} marks>" if count else ""
