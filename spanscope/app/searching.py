"""The search of a person: what is typed, what is sought, and where it leads."""

from __future__ import annotations

from collections.abc import Callable

from spanscope.app.navigation import Navigator
from spanscope.app.pace import SLICE
from spanscope.app.search import PENDING, Search


class Searching:
    """Seeks a text beside drawing; a jump to a match that is not known yet waits for it.

    `within` goes so many matches on in a text that a person reads, and says so; null: there are
    not so many.
    """

    def __init__(self, navigator: Navigator, within: Callable[[int], str | None]) -> None:
        self._navigator = navigator
        self._within = within
        self.sought: Search | None = None
        self._typed: Search | None = None
        self._jump: tuple[int, bool] | None = None
        self._telling = False

    def preview(self, text: str) -> str:
        """What is found of a text that is being typed."""
        self._navigator.sought = text
        self._typed = Search(self._navigator.history, text, self._navigator.seq)
        self._typed.advance(SLICE)
        return self._typed.answer(self._navigator.seq)

    def forget_preview(self) -> None:
        """Nothing is being typed any more."""
        self._typed = None
        self._navigator.sought = "" if self.sought is None else self.sought.text

    def entered(self, text: str) -> str | None:
        """Seek a text from here on; nothing ends the search."""
        typed, self._typed = self._typed, None
        self._navigator.sought = text
        if not text:
            self.sought = None
            return None
        known = typed is not None and typed.text == text
        self.sought = typed if known else Search(self._navigator.history, text, self._navigator.seq)
        return self._to_match(1, back=False)

    def begin_again(self) -> None:
        """Another history is there: what was sought in the old one is sought in it."""
        self._typed = self._jump = None
        if self.sought is not None:
            self.sought = Search(self._navigator.history, self.sought.text, self._navigator.seq)

    def close(self) -> bool:
        """End the search; false if there was none."""
        was, self.sought, self._jump = self.sought, None, None
        self._navigator.sought = ""
        return was is not None

    def do_next_match(self, count: int) -> str | None:
        """To the next match: in the text that has the focus, then in the events."""
        return self._within(count) or self._to_match(count, back=False)

    def do_previous_match(self, count: int) -> str | None:
        """To the match before, in the same way."""
        return self._within(-count) or self._to_match(count, back=True)

    def _to_match(self, count: int, *, back: bool) -> str | None:
        if self.sought is None:
            return "nothing is sought: / starts a search"
        self._jump = (count, back)
        self._telling = True
        return self.advance()

    @property
    def looking(self) -> bool:
        """Whether something is still being looked for."""
        return any(s is not None and not s.done for s in (self._typed, self.sought))

    def advance(self) -> str | None:
        """Look on for a moment; what there is to say."""
        search = self._typed or self.sought
        if search is None:
            return None
        search.advance(SLICE)
        if self._jump is not None and self._typed is None:
            self._leap(search)
        told = self._telling or self._typed is not None
        return search.answer(self._navigator.seq) if told else None

    def _leap(self, search: Search) -> None:
        """Go as many matches on as are known already; all of them together are one jump."""
        assert self._jump is not None
        count, back = self._jump
        if search.done and search.found:
            # Once around is where one was.
            count = 1 + (count - 1) % search.found
        seq = self._navigator.seq
        while count and (found := search.next(seq, back=back)) not in (None, PENDING):
            assert found is not None
            seq, count = found, count - 1
        if seq != self._navigator.seq:
            self._navigator.go(seq)
        self._jump = (count, back) if count and found == PENDING else None

    def stay(self) -> None:
        """Somebody does something else: no jump is waited for, and no more is told."""
        self._jump = None
        self._telling = False
