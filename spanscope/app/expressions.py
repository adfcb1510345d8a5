"""Filter, watch and continue: what a person asks of expressions, and looking on beside drawing."""

from __future__ import annotations

import time

from spanscope.app.navigation import Navigator
from spanscope.app.pace import SLICE
from spanscope.app.prompt import lead
from spanscope.history.describing import counted, number, told
from spanscope.history.expression import ExpressionError, parse
from spanscope.history.filtering import Filter, Seeking, Watch
from spanscope.text.cells import cell_width
from spanscope.widgets.findings import label

ABOUT = {
    "F": "an expression: only such events stay in Events; nothing takes the filter off",
    "w": "an expression: motions stop at such events, c C go on; nothing takes the watch off",
}
"""What the prompt says before anything is typed, by its sign."""


DOES = {"F": "filters", "w": "watches", ":": "goes to the next event meant by"}
"""What the entered expression is for, by the prompt's sign."""


FAR = 50
"""Behind so many cells a place is told by its number: pointed at, it may be off the screen."""


def refusal(sign: str, text: str, error: ExpressionError) -> str:
    """What is wrong with an expression, over its place in the prompt below."""
    # The message line begins with a space of its own.
    before = cell_width(lead(sign) + text[: error.at]) - 1
    if before > FAR:
        return f"{error} (character {error.at + 1})"
    wrong = cell_width(text[error.at : error.at + error.length])
    return f"{' ' * before}{'^' * max(1, wrong)} {error}"


def not_understood(text: str, error: ExpressionError) -> str:
    """The same once the expression is entered and the prompt is gone."""
    return f"not understood: {error} (character {error.at + 1} of {text})"


MOST_STOPS = 3
"""So many places at which a watch would stop are told."""


class Expressions:
    """Sets filters and watches, and goes on to the next event that is meant."""

    def __init__(self, navigator: Navigator) -> None:
        self._navigator = navigator
        self._seeking: Seeking | None = None

    def text(self, sign: str) -> str:
        """What stands there now: the prompt starts with it."""
        kept = self._navigator.filter if sign == "F" else self._navigator.watch
        return "" if kept is None else kept.text

    def preview(self, sign: str, text: str) -> str:
        """What is to be said while an expression is typed: what it means, if that is soon known."""
        if not text.strip():
            return ABOUT[sign]
        try:
            parse(text)
        except ExpressionError as error:
            return refusal(sign, text, error)
        meant = self._counted(text) if sign == "F" else self._next(sign, text)
        return meant or f"enter {DOES[sign]}: {text}"

    def _counted(self, text: str) -> str | None:
        """How many events would stay; null where that takes longer than a moment."""
        history = self._navigator.history
        chosen = Filter(history, text)
        if not chosen.advance(SLICE):
            return None
        return f"enter leaves {number(len(chosen.seqs))} of {counted(len(history), 'event')}"

    def _next(self, sign: str, text: str) -> str | None:
        """Where `:` would go, or the watch stop next; null where it can't be told at once."""
        history, seq = self._navigator.history, self._navigator.seq
        until = time.perf_counter() + SLICE
        stops: list[int] = []
        while len(stops) < (1 if sign == ":" else MOST_STOPS + 1):
            start = stops[-1] if stops else seq
            seeking = Seeking(history, text, start, back=False, around=sign == ":")
            if not seeking.advance(until - time.perf_counter()):
                return None
            if seeking.found is None:
                break
            stops.append(seeking.found)
        if not stops or (sign == ":" and stops[0] == seq):
            return self._nowhere(text, stops[0] if stops else None, around=sign == ":")
        if sign == ":":
            found = label(history.findings_at(stops[0]))
            return "; ".join(
                (f"{told(history, stops[0])[0]}  {found}".rstrip(), "enter goes there")
            )
        more = ", .." if len(stops) > MOST_STOPS else ""
        return f"stops next at {', '.join(map(number, stops[:MOST_STOPS]))}{more}; enter sets it"

    def _nowhere(self, text: str, found: int | None, *, around: bool, back: bool = False) -> str:
        """That no other event is meant; `around`: of all, else of those that way."""
        if found is not None:
            return f"only {found}, where you are, is meant by {text}"
        where = "" if around else f" {'before' if back else 'after'} {self._navigator.seq}"
        return f"no event{where} is meant by {text}"

    def entered(self, sign: str, text: str) -> str | None:
        """Set a filter or watch, or take it off."""
        try:
            return self._filter(text) if sign == "F" else self._watch(text)
        except ExpressionError as error:
            return not_understood(text, error)

    def _filter(self, text: str) -> str | None:
        if not text.strip():
            self._navigator.filter = None
            return "all events are shown"
        self._navigator.filter = Filter(self._navigator.history, text.strip())
        self.advance()
        return None

    def _watch(self, text: str) -> str | None:
        if not text.strip():
            self._navigator.watch = None
            return "no watch"
        self._navigator.watch = Watch(self._navigator.history, text.strip())
        return f"motions stop at: {text.strip()}   c C go on to the next"

    def do_go_on(self, _count: int) -> str | None:
        """To where the watch holds next."""
        return self.go_on(back=False)

    def do_go_back_on(self, _count: int) -> str | None:
        """To where the watch held before."""
        return self.go_on(back=True)

    def go_on(self, *, back: bool) -> str | None:
        """To the next event that the watch means, or the one before."""
        watch = self._navigator.watch
        if watch is None:
            return "nothing is watched: w sets a watch"
        navigator = self._navigator
        self._seeking = Seeking(navigator.history, watch.text, navigator.seq, back=back)
        return self.advance()

    def go_to(self, text: str) -> str | None:
        """To the next event that an expression means, after the last one to the first again.

        Raises ExpressionError.
        """
        navigator = self._navigator
        self._seeking = Seeking(navigator.history, text, navigator.seq, back=False, around=True)
        return self.advance()

    @property
    def looking(self) -> bool:
        """Whether something is still being looked for."""
        chosen = self._navigator.filter
        filtering = chosen is not None and not chosen.done
        return filtering or self._seeking is not None or self._navigator.way is not None

    def stop(self) -> bool:
        """Look no more for what `go_on`, `seek` or a motion started; whether there was any."""
        sought, self._seeking = self._seeking, None
        way, self._navigator.way = self._navigator.way, None
        return sought is not None or way is not None

    def advance(self) -> str | None:
        """Look on for a moment; what there is to say."""
        chosen, seeking = self._navigator.filter, self._seeking
        if chosen is not None:
            chosen.advance(SLICE)
        if seeking is None:
            return self._navigator.travel() if self._navigator.way is not None else None
        if not seeking.advance(SLICE):
            return f"looking for {seeking.text}   escape stops"
        self._seeking = None
        if seeking.found in (None, self._navigator.seq):
            return self._nowhere(
                seeking.text, seeking.found, around=seeking.around, back=seeking.back
            )
        self._navigator.held = False
        return self._navigator.go(seeking.found)
