"""What all list panes have in common."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence

from spanscope.widgets.lines import EMPTY, Line
from spanscope.widgets.subject import Subject


class Listing(ABC):
    """A list as a pane draws it: a pure function of a scene and a width.

    Rows have ascending numbers, with gaps or without, and are made when they are asked for: only
    what is in view costs anything, so a list may be of any length.
    """

    def title(self) -> Line:
        """The pane's name and its counts."""
        return EMPTY

    def heading(self) -> Line | None:
        """The names of the columns, where there is room for them."""
        return None

    legend: bool = False
    """Whether the heading tells what signs mean: it stands there however little room there is."""

    @property
    def seeking(self) -> bool:
        """Whether the row to have in view is still sought: `anchor` finds it when asked again."""
        return False

    @abstractmethod
    def settle(self, number: int) -> int | None:
        """The row of this number, else the last before it, else the first; null: no rows."""

    @abstractmethod
    def after(self, number: int) -> int | None:
        """The next row; null at the end."""

    @abstractmethod
    def before(self, number: int) -> int | None:
        """The row before; null at the start."""

    @abstractmethod
    def row(self, number: int) -> Line:
        """One row."""

    def skip(self, number: int, count: int) -> int:
        """The row so many rows on, or back where negative, or the last one on the way."""
        onward = self.after if count > 0 else self.before
        for _ in range(abs(count)):
            following = onward(number)
            if following is None:
                break
            number = following
        return number

    def numbers(self) -> Iterator[int]:
        """The numbers of all rows."""
        number = self.settle(0)
        while number is not None:
            yield number
            number = self.after(number)

    def subject(self, number: int) -> Subject | None:
        """What a row is about; null where it can't be selected."""
        del number
        return None

    def can_pick(self, number: int) -> bool:
        """Whether a row can be selected."""
        return self.subject(number) is not None

    def seq(self, number: int) -> int | None:
        """The step that a row stands for, where it stands for one."""
        del number
        return None

    def empty(self) -> str:
        """What stands there when there are no rows: what would, and when."""
        return ""

    def hidden(self, shown: Sequence[int]) -> str:
        """What is not among the shown rows, in a few words; empty where all are."""
        del shown
        return ""

    def anchor(self) -> int | None:
        """The row to have in view: the selected one, else the first that this step changed."""
        return None


class DenseListing(Listing):
    """A listing whose rows have the numbers from 0 on."""

    @abstractmethod
    def __len__(self) -> int:
        """How many rows there are."""

    def reach(self, count: int) -> int:
        """How many of the first `count` rows there are."""
        return min(count, len(self))

    def settle(self, number: int) -> int | None:
        """The row of this number, else the last one; null: no rows."""
        there = self.reach(number + 1)
        return min(number, there - 1) if there else None

    def after(self, number: int) -> int | None:
        """The next row; null at the end."""
        return number + 1 if self.reach(number + 2) == number + 2 else None

    def before(self, number: int) -> int | None:
        """The row before; null at the start."""
        return number - 1 if number else None

    def skip(self, number: int, count: int) -> int:
        """The row so many rows on, or back where negative, or the last one on the way."""
        return self.settle(max(0, number + count)) or 0

    def hidden(self, shown: Sequence[int]) -> str:
        """How many of how many rows are shown."""
        return f"{len(shown):,} of {len(self):,}" if len(shown) < len(self) else ""
