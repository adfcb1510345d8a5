"""The one language of filter, watch and `:`: which events are meant?

    SPN102 or UND            rules, by code or prefix
    error                    findings of a severity
    splice actor:planner     a kind of event, and who did it
    docs/3  D*               whatever has such an id; `*` stands for anything
    "quota is 100"           text in what an event says or brings
    verdict:stale            a staged diff's verdict becomes this
    seq>=100  turn:3         places

Words beside each other must all hold; `or`, `not` and parentheses as usual.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Literal, NamedTuple, TypeAlias, get_args

from spanscope.journal.events import EVENT_TYPES
from spanscope.rules.catalogue import RULES
from spanscope.rules.finding import SEVERITY_ORDER
from spanscope.rules.judgements import Verdict

FieldName = Literal[
    "rule",
    "severity",
    "kind",
    "actor",
    "id",
    "span",
    "artifact",
    "entry",
    "diff",
    "text",
    "verdict",
    "seq",
    "turn",
    "revision",
    "time",
]
FIELDS: tuple[FieldName, ...] = get_args(FieldName)
NUMBERS: tuple[FieldName, ...] = ("seq", "turn", "revision")
VERDICTS: tuple[str, ...] = get_args(Verdict)
Comparison = Literal["=", "<", "<=", ">", ">="]

MOST_DEEP = 100
"""So many parentheses and `not` may stand within each other."""

MOST_DIGITS = 18
"""So many digits a number has at most: no seq has more."""

_WORD = r"[^\s()\"'|&]+"
_PIECE = (
    r"\s*(?:(?P<open>\()|(?P<close>\))|(?P<bar>\|)|(?P<both>&)|(?P<bang>!)"
    rf"|(?P<field>[a-z]+)(?P<compare>:|<=|>=|<|>|=)|(?P<quote>[\"'])|(?P<word>{_WORD}))"
)
_TIME = r"\d\d:\d\d(:\d\d)?"


class ExpressionError(ValueError):
    """An expression that can't be understood; `at` and `length` say where (code points)."""

    def __init__(self, message: str, at: int, length: int = 1) -> None:
        super().__init__(message)
        self.at = at
        self.length = length


class Term(NamedTuple):
    """One thing asked of an event. `high` is the end of a range of numbers, included."""

    field: FieldName
    value: str
    comparison: Comparison = "="
    high: str | None = None


class Not(NamedTuple):
    """What must not hold."""

    inner: Expression


class AllOf(NamedTuple):
    """What must all hold."""

    parts: tuple[Expression, ...]


class AnyOf(NamedTuple):
    """Of which one must hold."""

    parts: tuple[Expression, ...]


Expression: TypeAlias = Term | Not | AllOf | AnyOf


class _Token(NamedTuple):
    kind: str
    text: str
    at: int
    field: str = ""
    comparison: str = ""


def parse(text: str) -> Expression:
    """The expression that a text says.

    Raises:
        ExpressionError: it says none; the message tells what is wrong and where.
    """
    tokens = _tokens(text)
    if not tokens:
        raise ExpressionError("an expression is empty: name a rule, a kind, an id or a text", 0)
    parser = _Parser(tokens, len(text))
    found = parser.any_of()
    parser.expect_end()
    return found


def _tokens(text: str) -> list[_Token]:
    tokens: list[_Token] = []
    at = 0
    while text[at:].strip():
        match = re.compile(_PIECE).match(text, at)
        assert match is not None
        kind = match.lastgroup or ""
        start = match.start(kind) if kind != "compare" else match.start("field")
        if kind == "quote":
            value, at = _quoted(text, start)
            tokens.append(_Token("text", value, start))
        elif kind == "compare" and match["field"] in FIELDS:
            at = match.end()
            at = _value(text, at, match["field"], match["compare"], start, tokens)
        elif kind == "compare" and match["compare"] not in (":", "="):
            compared = ", ".join((*NUMBERS, "time"))
            said = f"only {compared} can be compared"
            raise ExpressionError(said, start, len(match["field"]))
        elif kind == "compare":
            word = re.compile(_WORD).match(text, start)
            assert word is not None
            tokens.append(_Token("word", word.group(), start))
            at = word.end()
        else:
            tokens.append(_Token(kind, match[kind], start))
            at = match.end()
    return tokens


def _value(
    text: str, at: int, field: str, comparison: str, start: int, tokens: list[_Token]
) -> int:
    """The value after `field:`; where it ends."""
    if text.startswith(('"', "'"), at):
        value, end = _quoted(text, at)
    else:
        match = re.compile(_WORD).match(text, at)
        if match is None:
            raise ExpressionError(f"{field}{comparison} needs a value", start, at - start)
        value, end = match.group(), match.end()
    tokens.append(_Token("value", value, start, field, comparison))
    return end


def _quoted(text: str, at: int) -> tuple[str, int]:
    end = text.find(text[at], at + 1)
    if end < 0:
        raise ExpressionError("a quotation has no end", at, len(text) - at)
    if end == at + 1:
        raise ExpressionError("a quotation is empty", at, 2)
    return text[at + 1 : end], end + 1


class _Parser:
    def __init__(self, tokens: list[_Token], length: int) -> None:
        self._tokens = tokens
        self._length = length
        self._next = 0
        self._deep = 0

    def _peek(self) -> _Token | None:
        return self._tokens[self._next] if self._next < len(self._tokens) else None

    def _is(self, sign: str, word: str) -> bool:
        token = self._peek()
        if token is None:
            return False
        return token.kind == sign or (token.kind == "word" and token.text.lower() == word)

    def _take(self, sign: str, word: str) -> bool:
        taken = self._is(sign, word)
        self._next += taken
        return taken

    def expect_end(self) -> None:
        token = self._peek()
        if token is not None:
            raise ExpressionError(f"what should {token.text!r} belong to?", token.at)

    def any_of(self) -> Expression:
        parts = [self._all_of()]
        while self._take("bar", "or"):
            parts.append(self._all_of())
        return parts[0] if len(parts) == 1 else AnyOf(tuple(parts))

    def _all_of(self) -> Expression:
        parts = [self._one()]
        while True:
            joined = self._take("both", "and")
            token = self._peek()
            ends = token is None or token.kind == "close" or self._is("bar", "or")
            if ends and not joined:
                return parts[0] if len(parts) == 1 else AllOf(tuple(parts))
            parts.append(self._one())

    def _one(self) -> Expression:
        token = self._peek()
        if token is None:
            last = self._tokens[-1]
            raise ExpressionError(f"something is missing after {last.text!r}", self._length)
        if self._take("bang", "not"):
            return Not(self._within(token, self._one))
        self._next += 1
        if token.kind == "open":
            inner = self._within(token, self.any_of)
            if not self._take("close", ")"):
                raise ExpressionError("a parenthesis is not closed", token.at)
            return inner
        if token.kind == "text":
            return Term("text", token.text)
        if token.kind == "value":
            return _term(token)
        if token.kind == "word" and token.text.lower() not in ("and", "or"):
            return _bare(token)
        raise ExpressionError(f"{token.text!r} can't stand here", token.at, len(token.text))

    def _within(self, token: _Token, read: Callable[[], Expression]) -> Expression:
        """What is read one deeper than `token`."""
        if self._deep == MOST_DEEP:
            raise ExpressionError(f"nested more than {MOST_DEEP} deep", token.at)
        self._deep += 1
        found = read()
        self._deep -= 1
        return found


def _bare(token: _Token) -> Term:
    """What a word without a field means: the first of its possible meanings."""
    word = token.text
    lower, upper = word.lower(), word.upper()
    if lower in SEVERITY_ORDER:
        return Term("severity", lower)
    if re.fullmatch(r"[A-Za-z]{3}\d{0,3}", word) and any(code.startswith(upper) for code in RULES):
        return Term("rule", upper)
    if lower in EVENT_TYPES:
        return Term("kind", lower)
    if lower in VERDICTS:
        return Term("verdict", lower)
    if word.startswith("#") and word[1:].isdecimal():
        return Term("entry", word[1:])
    return Term("id", word)


def _term(token: _Token) -> Term:
    field: FieldName = next(name for name in FIELDS if name == token.field)
    start = token.at + len(token.field) + len(token.comparison)
    check = _CHECKS.get(field)
    if token.comparison not in (":", "=") and field not in (*NUMBERS, "time"):
        raise ExpressionError(
            f"{field} can't be compared: use {field}:", token.at, start - token.at
        )
    if field in NUMBERS:
        return _numbers(field, token, start)
    if field == "time" and not re.fullmatch(_TIME, token.text):
        raise ExpressionError("a time looks like 14:07:12", start, len(token.text))
    value = check(token.text) if check is not None else token.text
    if value is None:
        raise ExpressionError(_UNKNOWN[field].format(token.text), start, len(token.text))
    comparison: Comparison = "=" if token.comparison == ":" else token.comparison  # type: ignore[assignment]
    return Term(field, value, comparison)


def _numbers(field: FieldName, token: _Token, start: int) -> Term:
    low, dots, high = token.text.partition("..")
    if not low.isdecimal() or (dots and not high.isdecimal()):
        raise ExpressionError(f"{field} needs a number, or two: 10..20", start, len(token.text))
    if max(len(low), len(high)) > MOST_DIGITS:
        raise ExpressionError(f"a number has at most {MOST_DIGITS} digits", start, len(token.text))
    if dots and int(low) > int(high):
        said = f"a range goes up: {high}..{low}"
        raise ExpressionError(said, start, len(token.text))
    if dots and token.comparison not in (":", "="):
        raise ExpressionError(f"a range needs {field}:", token.at, start - token.at)
    comparison: Comparison = "=" if token.comparison == ":" else token.comparison  # type: ignore[assignment]
    return Term(field, low, comparison, high if dots else None)


def _rule(word: str) -> str | None:
    upper = word.upper()
    by_name = next((rule.code for rule in RULES.values() if rule.name == word.lower()), None)
    return upper if any(code.startswith(upper) for code in RULES) else by_name


def _one_of(words: tuple[str, ...]) -> Callable[[str], str | None]:
    return lambda word: word.lower() if word.lower() in words else None


def _verdict(word: str) -> str | None:
    """`stale`, `D1` or `D1=stale`; a diff that is called like a verdict needs the long form."""
    name, equals, verdict = word.rpartition("=")
    if equals:
        return word if name and verdict in VERDICTS else None
    return word


_CHECKS: dict[FieldName, Callable[[str], str | None]] = {
    "rule": _rule,
    "severity": _one_of(tuple(SEVERITY_ORDER)),
    "verdict": _verdict,
}
_UNKNOWN: dict[FieldName, str] = {
    "rule": "no rule is called {}",
    "severity": "a severity is error, warning or info, not {}",
    "verdict": "a verdict is " + ", ".join(VERDICTS) + ": not {}",
}
