"""What-if: what would happen if something were done at the cursor. Drawn, never written.

What is asked stands in a `Question`; a `Simulation` is its answer as lines.
"""

from __future__ import annotations

import time
from collections.abc import Generator, Iterator, Sequence
from itertools import chain, islice
from typing import Literal, NamedTuple

from msgspec import Struct

from spanscope.history.what_if.standing import DiffChange, HolderChange
from spanscope.rules.catalogue import RULES
from spanscope.text.cells import cell_width, cut_middle, wrap
from spanscope.text.diff import Fold
from spanscope.widgets.content import COMPARING
from spanscope.widgets.lines import EMPTY, Line, Role, Row, plain, shown_line
from spanscope.widgets.scene import Compare
from spanscope.widgets.written import digits_of, fold_line, unified

Asked = Literal["rollback", "apply", "rewrite"]

LABEL = 10
"""Cells of the column that says what a line is about."""

LONGEST_QUOTE = 28

MOST_TEXT = 2000
"""Lines of texts that are shown."""


class Question(Struct):
    """What is asked: to roll back `steps`, to apply the diff or to rewrite the span `name`.

    `texts`: the texts are to be shown; `top` is the first line in view. `made` keeps the last
    answer beside what it was the answer to, `making` the one that is being worked out.
    """

    asked: Asked
    name: str = ""
    steps: int = 1
    texts: bool = False
    top: int = 0
    made: tuple[tuple[object, ...], Simulation] | None = None
    making: tuple[tuple[object, ...], Simulating] | None = None

    def work_on(self, seconds: float) -> None:
        """Work the answer out for so long (CPU time), or until it is there."""
        if self.making is None:
            return
        key, making = self.making
        until = time.thread_time() + seconds
        try:
            while time.thread_time() < until:
                next(making)
        except StopIteration as done:
            self.made, self.making = (key, done.value), None


class Texts(NamedTuple):
    """Two texts to compare: what they are of, and what each is."""

    what: str
    old_label: str
    old: str
    new_label: str
    new: str


class Block(NamedTuple):
    """Lines that stand together; `dispensable` ones go first where it is low."""

    lines: list[Line]
    dispensable: bool = False


class Simulation(NamedTuple):
    """The answer to a question: a title, one sentence for the message line, and the lines.

    `texts` are what enter shows. Not `done`: it is still being worked out.
    """

    title: str
    said: str
    blocks: Sequence[Block]
    texts: Sequence[Texts] = ()
    done: bool = True

    def lines(self, height: int) -> list[Line]:
        """All lines; as many blocks of them as fit `height` where some can be missed."""
        blocks = [block for block in self.blocks if block.lines]
        while _height(blocks) > height and any(block.dispensable for block in blocks):
            last = max(index for index, block in enumerate(blocks) if block.dispensable)
            del blocks[last]
        return _joined(blocks, height - _height(blocks))

    def compared(self, width: int, compare: Compare) -> list[Line]:
        """The texts, each pair line by line."""
        if not self.done:
            return self.lines(0)
        if not self.texts:
            return [plain("no text would be another than it is", "muted")]
        made = chain.from_iterable(_pair(texts, width, compare) for texts in self.texts)
        return list(islice(made, MOST_TEXT))


Simulating = Generator[None, None, Simulation]
"""An answer that is worked out little by little."""


def _height(blocks: Sequence[Block]) -> int:
    return sum(len(block.lines) for block in blocks)


def _joined(blocks: Sequence[Block], spare: int) -> list[Line]:
    """All lines, the blocks apart as far as the spare ones go."""
    lines: list[Line] = []
    for index, block in enumerate(blocks):
        lines += [EMPTY] if 0 < index <= spare else []
        lines += block.lines
    return lines


def _pair(texts: Texts, width: int, compare: Compare) -> Iterator[Line]:
    row = Row().put(texts.what, "strong").gap(2)
    row.put(f"- {texts.old_label}", "error").gap(2).put(f"+ {texts.new_label}", "good")
    yield row.line()
    diff = compare(texts.old, texts.new)
    if diff is None:
        yield plain(COMPARING, "muted")
        return
    if texts.old == texts.new:
        yield plain("no difference", "muted")
    digits = digits_of(len(diff.old_lines), len(diff.new_lines))
    for line in diff.folded():
        if isinstance(line, Fold):
            yield fold_line(line, width)
        else:
            yield from unified(line, width, digits)
    yield EMPTY


def sentence(text: str, width: int, role: Role = "strong") -> list[Line]:
    """A sentence over as many lines as it takes."""
    return [plain(part, role) for part in wrap(shown_line(text), max(8, width))]


def labelled(label: str, text: str, width: int, role: Role = "plain") -> list[Line]:
    """A sentence with a label before it."""
    room = max(8, width - LABEL)
    return [
        Row().put(label if index == 0 else "", "muted", LABEL).put(part, role).line()
        for index, part in enumerate(wrap(shown_line(text), room))
    ]


def rule_lines(code: str, width: int) -> Block:
    """The seeds' rule behind an answer."""
    said = f"{RULES[code].invariant} ({code})"
    return Block(labelled("Rule", said, width), dispensable=True)


def quoted(text: str, most: int = LONGEST_QUOTE) -> str:
    """A piece of text in a sentence, its middle cut where it is long."""
    shown = shown_line(text)
    return f'"{shown if cell_width(shown) <= most else cut_middle(shown, most)}"'


def consequences(holders: Sequence[HolderChange], diffs: Sequence[DiffChange]) -> str:
    """What else would have another state, as one sentence; empty where nothing would."""
    words = {"fresh": "is fresh again", "stale": "goes stale", "dangling": "loses its span"}
    said = [
        f"{change.artifact.artifact} {words.get(change.after.state, f'is {change.after.state}')}"
        for change in holders
    ]
    said += [f"{change.diff.diff} becomes {change.after.verdict}" for change in diffs]
    return "; ".join(said)


def listed(names: Sequence[str], most: int = 3) -> str:
    """Some names in a sentence."""
    shown = list(dict.fromkeys(names))
    more = f" and {len(shown) - most} more" if len(shown) > most else ""
    return ", ".join(shown[:most]) + more
