"""One rule: its stable code, its words for the panes, and how they are filled in."""

from __future__ import annotations

import re
from collections.abc import Mapping

from msgspec import Struct

from spanscope.rules.finding import Severity

_PLACEHOLDER = re.compile(r"\{(span|artifact|diff|entry|seq)\}")

_FALLBACK = {
    "span": "the span",
    "artifact": "the artifact",
    "diff": "the diff",
    "entry": "the change",
    "seq": "this event",
}

_NUMBERED = frozenset({"entry", "seq"})


class Rule(Struct, kw_only=True, frozen=True):
    """A rule as it is listed and explained.

    `summary` says in one sentence when it fires, `remedy` what to do about it, `invariant` what
    must hold, `claim` what the agent took for true, `brief` what is so instead, in a few words
    for where a finding's message does not fit. `claim` and `brief` may hold the placeholders
    `{span}`, `{artifact}`, `{diff}`, `{entry}` and `{seq}`, see `fill`. `seed` is the number of
    the seed that the invariant comes from, empty where none does. `severity` is the usual one: a
    finding carries its own, since some rules are milder in special cases.
    """

    code: str
    name: str
    severity: Severity
    seed: str
    summary: str
    remedy: str
    invariant: str
    claim: str
    brief: str


def fill(template: str, subject: Mapping[str, object]) -> str:
    """The template with its placeholders replaced from `subject`; unknown ones become words.

    Ids are put in as they are: whoever shows the text makes it safe for its surface.
    """

    def replacement(match: re.Match[str]) -> str:
        key = match.group(1)
        value = subject.get(key)
        if value is None:
            fallback = _FALLBACK[key]
            return fallback.capitalize() if match.start() == 0 else fallback
        return f"#{value}" if key in _NUMBERED else str(value)

    return _PLACEHOLDER.sub(replacement, template)


def by_code(*families: tuple[Rule, ...]) -> dict[str, Rule]:
    """The rules of the families in the order of their codes within each family."""
    return {rule.code: rule for family in families for rule in sorted(family, key=_code)}


def _code(rule: Rule) -> str:
    return rule.code
