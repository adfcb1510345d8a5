"""The band of a presentation: what this beat of the story tells, large enough for a room."""

from __future__ import annotations

from msgspec import Struct

from spanscope.text.cells import wrap
from spanscope.widgets.lines import Fill, Line, Row, shown_line

CAPTION_HEIGHT = 3
"""Two lines for the caption and one for the beat."""


class Caption(Struct, frozen=True):
    """One beat: its number (0: before the first) of how many, what it tells, and in which run.

    `fill` is the ground: that of the worst finding of the beat.
    """

    text: str
    beat: int
    of: int
    safe: bool
    fill: Fill = "surface"


def caption_lines(caption: Caption, width: int) -> list[Line]:
    """The band in exactly `width` cells and its height."""
    texts = wrap(shown_line(caption.text), width - 2, CAPTION_HEIGHT - 1)
    texts += [""] * (CAPTION_HEIGHT - 1 - len(texts))
    lines = [Row().gap().put(text, "strong").to(width).line(caption.fill) for text in texts]
    run, other = (
        ("safe twin", "the unsafe run") if caption.safe else ("unsafe run", "its safe twin")
    )
    row = Row().gap().put(run, "strong").gap(3).put(f"beat {caption.beat} of {caption.of}").gap(3)
    for key, does in (("space", "next beat"), ("u", other), ("0", "from the start")):
        if row.width + len(key) + len(does) + 4 <= width:
            row.put(key, "key").gap().put(does, "muted").gap(3)
    return [*lines, row.to(width).line("surface")]
