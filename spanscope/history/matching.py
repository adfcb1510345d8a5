"""Which events of a history an expression means."""

from __future__ import annotations

import operator
from bisect import bisect_right
from collections.abc import Callable
from fnmatch import fnmatchcase
from itertools import chain

from spanscope.history.event_texts import texts_of
from spanscope.history.expression import AllOf, AnyOf, Expression, Not, Term
from spanscope.history.history import History
from spanscope.journal.events import AnyEvent, Unknown, type_of

_COMPARE: dict[str, Callable[[object, object], bool]] = {
    "=": operator.eq,
    "<": operator.lt,  # type: ignore[dict-item]
    "<=": operator.le,  # type: ignore[dict-item]
    ">": operator.gt,  # type: ignore[dict-item]
    ">=": operator.ge,  # type: ignore[dict-item]
}
_SUBJECTS = ("span", "artifact", "diff", "entry")


class Matcher:
    """An expression asked of the events of one history, which may still grow."""

    def __init__(self, history: History, expression: Expression) -> None:
        self._history = history
        self._expression = expression
        self._touching: dict[Term, frozenset[int]] = {}
        self._upto = -1

    def fits(self, seq: int) -> bool:
        """Whether the event `seq`, one of the history's, is meant."""
        if self._upto != self._history.last:
            self._touching.clear()
            self._upto = self._history.last
        return self._holds(self._expression, seq)

    def _holds(self, wanted: Expression, seq: int) -> bool:
        if isinstance(wanted, AllOf):
            return all(self._holds(part, seq) for part in wanted.parts)
        if isinstance(wanted, AnyOf):
            return any(self._holds(part, seq) for part in wanted.parts)
        if isinstance(wanted, Not):
            return not self._holds(wanted.inner, seq)
        return _TERMS[wanted.field](self, wanted, seq)

    def _event(self, seq: int) -> AnyEvent | Unknown:
        event = self._history.event(seq)
        assert event is not None
        return event

    def _rule(self, term: Term, seq: int) -> bool:
        return any(f.rule.startswith(term.value) for f in self._history.findings_at(seq))

    def _severity(self, term: Term, seq: int) -> bool:
        return any(f.severity == term.value for f in self._history.findings_at(seq))

    def _kind(self, term: Term, seq: int) -> bool:
        return _like(type_of(self._event(seq)), term.value.lower())

    def _actor(self, term: Term, seq: int) -> bool:
        return _like(self._event(seq).actor, term.value)

    def _id(self, term: Term, seq: int) -> bool:
        return seq in self._touched(term) or self._actor(term, seq)

    def _subject(self, term: Term, seq: int) -> bool:
        return seq in self._touched(term)

    def _touched(self, term: Term) -> frozenset[int]:
        """The seqs of all events that touched what a term names."""
        found = self._touching.get(term)
        if found is None:
            kinds = _SUBJECTS if term.field == "id" else (term.field,)
            found = frozenset(
                seq
                for kind, name in self._history.subjects()
                if kind in kinds and _like(str(name), term.value)
                for seq in self._history.touched({kind: name})
            )
            self._touching[term] = found
        return found

    def _text(self, term: Term, seq: int) -> bool:
        wanted = term.value.casefold()
        said = (f"{f.rule} {f.name} {f.message}" for f in self._history.findings_at(seq))
        return any(wanted in text.casefold() for text in chain(texts_of(self._event(seq)), said))

    def _verdict(self, term: Term, seq: int) -> bool:
        diff, equals, verdict = term.value.rpartition("=")
        for change in self._history.verdict_changes(seq):
            if equals:
                meant = _like(change.diff, diff) and change.verdict == verdict
            else:
                meant = change.verdict == term.value or _like(change.diff, term.value)
            if meant:
                return True
        return False

    def _number(self, term: Term, seq: int) -> bool:
        value = self._value_of(term.field, seq)
        if value is None:
            return False
        if term.high is not None:
            return int(term.value) <= value <= int(term.high)
        return _COMPARE[term.comparison](value, int(term.value))

    def _value_of(self, field: str, seq: int) -> int | None:
        if field == "seq":
            return seq
        if field == "turn":
            return bisect_right(self._history.turns, seq)
        return self._history.revision_at(seq)

    def _time(self, term: Term, seq: int) -> bool:
        clock = self._event(seq).time[11 : 11 + len(term.value)]
        return _COMPARE[term.comparison](clock, term.value)


_TERMS: dict[str, Callable[[Matcher, Term, int], bool]] = {
    "rule": Matcher._rule,
    "severity": Matcher._severity,
    "kind": Matcher._kind,
    "actor": Matcher._actor,
    "id": Matcher._id,
    "span": Matcher._subject,
    "artifact": Matcher._subject,
    "entry": Matcher._subject,
    "diff": Matcher._subject,
    "text": Matcher._text,
    "verdict": Matcher._verdict,
    "seq": Matcher._number,
    "turn": Matcher._number,
    "revision": Matcher._number,
    "time": Matcher._time,
}


def _like(name: str, pattern: str) -> bool:
    """Whether a name is the one meant; `*` stands for anything, all else for itself."""
    if "*" not in pattern:
        return name == pattern
    literal = pattern.replace("[", "[[]").replace("?", "[?]")
    return fnmatchcase(name, literal)
