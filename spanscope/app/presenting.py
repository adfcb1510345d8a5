"""A story on a stage: the unsafe run and its safe twin, beat by beat.

A beat is a `note` mark of the journal: it tells what has happened since the beat before.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right

from spanscope.app.navigation import Navigator
from spanscope.history.history import History
from spanscope.journal.events import Mark
from spanscope.rules.finding import Finding
from spanscope.widgets.caption import Caption
from spanscope.widgets.findings import worst_first
from spanscope.widgets.lines import Fill
from spanscope.widgets.subject import Kind, Subject, subject_of, subjects_of

NOTHING = "nothing is presented here: `spanscope demo NAME --present` presents a scenario"
"""What the keys of a presentation say where there is none."""

PANES_OF: dict[Kind, str] = {
    "span": "spans",
    "artifact": "spans",
    "entry": "undo",
    "diff": "staging",
}
"""The pane that shows a thing."""

_FILLS: dict[str, Fill] = {"error": "error", "warning": "warning"}


class Story:
    """The beats of one run."""

    def __init__(self, history: History) -> None:
        self.history = history
        self.beats: list[int] = []
        self.captions: list[str] = []
        for event in history.events:
            if isinstance(event, Mark) and event.kind == "note":
                self.beats.append(event.seq)
                self.captions.append(event.label)

    def number(self, seq: int) -> int:
        """How many beats have been at a step: the number of the one that is on, from 1."""
        return bisect_right(self.beats, seq)

    def start(self, number: int) -> int:
        """The seq after which a beat begins."""
        return self.beats[number - 2] if number > 1 else 0

    def findings(self, number: int) -> list[Finding]:
        """What was found in a beat, worst first."""
        if not number:
            return []
        seqs = self.history.seqs
        first = bisect_right(seqs, self.start(number))
        last = bisect_right(seqs, self.beats[number - 1])
        found = [each for seq in seqs[first:last] for each in self.history.findings_at(seq)]
        return worst_first(each for each in found if each.severity != "info")

    def subject(self, number: int) -> Subject | None:
        """What a beat is about: what is wrong, else what its last event was about."""
        for finding in self.findings(number):
            if subjects := subjects_of(finding):
                return subjects[0]
        if not number:
            return None
        last = bisect_left(self.history.seqs, self.beats[number - 1])
        first = bisect_right(self.history.seqs, self.start(number))
        for position in range(last - 1, first - 1, -1):
            subject = subject_of(self.history.event_row(position).event)
            if subject is not None:
                return subject
        return None


class Presentation:
    """Two runs of a story and which of them is on the stage.

    `title` is told before the first beat.
    """

    def __init__(self, title: str, unsafe: History, safe: History, *, begin_safe: bool) -> None:
        self.title = title
        self._stories = (Story(unsafe), Story(safe))
        self.safe = begin_safe

    @property
    def story(self) -> Story:
        """The run that is on the stage."""
        return self._stories[self.safe]

    def caption(self, seq: int) -> Caption:
        """What the band says at a step."""
        story = self.story
        number = story.number(seq)
        found = story.findings(number)
        return Caption(
            text=story.captions[number - 1] if number else self.title,
            beat=number,
            of=len(story.beats),
            safe=self.safe,
            fill=_FILLS[found[0].severity] if found else "surface",
        )

    def next(self, navigator: Navigator, count: int) -> str | None:
        """So many beats on, or back."""
        story = self.story
        number = story.number(navigator.seq) + count
        if count < 0 and navigator.seq not in story.beats:
            number += 1
        if number > len(story.beats):
            return "that was the last beat: u shows the other run, 0 starts over"
        return self._show(navigator, max(0, number))

    def start_over(self, navigator: Navigator) -> str | None:
        """Before the first beat."""
        return self._show(navigator, 0)

    def flip(self, navigator: Navigator) -> str | None:
        """The other run at the same beat, with the same thing selected if it is there."""
        number = self.story.number(navigator.seq)
        selected = navigator.selected
        self.safe = not self.safe
        story = self.story
        navigator.adopt(story.history)
        said = self._show(navigator, min(number, len(story.beats)))
        if selected is not None and number and story.history.touched(selected.ids):
            navigator.select(selected)
        return said

    def _show(self, navigator: Navigator, number: int) -> str | None:
        story = self.story
        navigator.held = False
        said = navigator.go(story.beats[number - 1] if number else 0)
        navigator.select(story.subject(number))
        return said
