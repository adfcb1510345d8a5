"""Random journals that mean something: an agent edits, stages and undoes, well and badly."""

from __future__ import annotations

import random
from typing import Literal

from support.diff_stories import DiffStory
from support.undo_stories import UndoStory

About = Literal["undo", "diff"]


def a_story(seed: int, about: About, events: int) -> bytes:
    """The bytes of a journal of so many events."""
    chance = random.Random(f"{about} {seed}")
    story = UndoStory(chance) if about == "undo" else DiffStory(chance)
    while story.seq < events:
        story.go_on()
    return b"".join(story.lines)
