"""What all list panes have in common."""

from __future__ import annotations

from abc import ABC, abstractmethod
from functools import cached_property

from spanscope.widgets.lines import EMPTY, Line
from spanscope.widgets.subject import Subject


class Listing(ABC):
    """A list as a pane draws it: a pure function of a scene and a width.

    Rows are made when they are asked for, so a list may be of any length.
    """

    def title(self) -> Line:
        """The pane's name and its counts."""
        return EMPTY

    def heading(self) -> Line | None:
        """The names of the columns, where there is room for them."""
        return None

    @abstractmethod
    def __len__(self) -> int:
        """How many rows there are."""

    def reach(self, count: int) -> int:
        """How many of the first `count` rows there are."""
        return min(count, len(self))

    @property
    def known_length(self) -> int | None:
        """How many rows there are; null where that would take long to tell."""
        return len(self)

    @abstractmethod
    def row(self, index: int) -> Line:
        """One row, from 0."""

    def subject(self, index: int) -> Subject | None:
        """What a row is about; null where it can't be selected."""
        del index
        return None

    def seq(self, index: int) -> int | None:
        """The step that a row stands for, where it stands for one."""
        del index
        return None

    def empty(self) -> str:
        """What stands there when there are no rows: what would, and when."""
        return ""

    def anchor(self) -> int | None:
        """The row to have in view: the selected one, else the first that this step changed."""
        return None


class TextListing(Listing):
    """A listing whose rows are all made at once."""

    @abstractmethod
    def compose(self) -> list[Line]:
        """All rows."""

    @cached_property
    def rows(self) -> list[Line]:
        """All rows, made once."""
        return self.compose()

    def __len__(self) -> int:
        """How many rows there are."""
        return len(self.rows)

    def row(self, index: int) -> Line:
        """One row, from 0."""
        return self.rows[index]
