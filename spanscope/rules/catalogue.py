"""Every rule by its code, the page that explains it, and which rules a user selected."""

from __future__ import annotations

import difflib
from collections.abc import Sequence

from spanscope.rules.families.diffs import DIFFS
from spanscope.rules.families.holders import HOLDERS
from spanscope.rules.families.journal import JOURNAL
from spanscope.rules.families.shown import SHOWN
from spanscope.rules.families.spans import SPANS
from spanscope.rules.families.undo import UNDO
from spanscope.rules.rule import Rule, by_code, fill

__all__ = ["ALL", "RULES", "Rule", "Selection", "UnknownRuleError", "fill", "page"]

ALL = "ALL"
"""The selector of every rule, weaker than any prefix."""

RULES: dict[str, Rule] = by_code((*HOLDERS, *SPANS), UNDO, DIFFS, SHOWN, JOURNAL)
"""All rules by code, family by family, each in the order of its codes."""


class UnknownRuleError(ValueError):
    """No rule has this code or prefix. The message is one line that says what to do."""

    def __init__(self, selector: str) -> None:
        self.selector = selector
        self.near = _near(selector)
        hint = f"did you mean {' or '.join(self.near)}?" if self.near else "see `spanscope rule`"
        super().__init__(f"unknown rule {selector!r}: {hint}")


def page(code: str) -> str:
    """The Markdown page that explains a rule.

    Raises `UnknownRuleError` where there is no such rule.
    """
    if code not in RULES:
        raise UnknownRuleError(code)
    from importlib import resources

    source = resources.files("spanscope.rules").joinpath("pages", f"{code}.md")
    return source.read_text(encoding="utf-8")


class Selection:
    """Which rules are wanted: codes or prefixes, as in Ruff.

    The longest prefix that fits a code decides; at equal length `ignore` wins. Nothing selected
    means all. Raises `UnknownRuleError` for a prefix that fits no rule.
    """

    def __init__(self, select: Sequence[str] = (), ignore: Sequence[str] = ()) -> None:
        self.select = tuple(select)
        self.ignore = tuple(ignore)
        for selector in (*self.select, *self.ignore):
            if not _is_known(selector):
                raise UnknownRuleError(selector)
        self._wanted = frozenset(code for code in RULES if self._wants(code))

    def matches(self, code: str) -> bool:
        """Whether the rule is wanted."""
        return code in self._wanted

    def _wants(self, code: str) -> bool:
        return _reach(self.select or (ALL,), code) > _reach(self.ignore, code)


def _reach(selectors: Sequence[str], code: str) -> int:
    """How many characters the longest fitting selector has, -1 where none fits."""
    return max((_length(each) for each in selectors if _fits(each, code)), default=-1)


def _length(selector: str) -> int:
    return 0 if selector == ALL else len(selector)


def _fits(selector: str, code: str) -> bool:
    return selector == ALL or code.startswith(selector)


def _is_known(selector: str) -> bool:
    return bool(selector) and any(_fits(selector, code) for code in RULES)


_MOST_NEAR = 3
_AS_DIGITS = str.maketrans("OQDILZSB", "00011258")
_AS_LETTERS = str.maketrans("0158", "OISB")


def _near(selector: str) -> list[str]:
    """Up to three codes that may have been meant: by name, by look-alikes, by likeness."""
    upper = selector.upper()
    if upper != selector and _is_known(upper):
        return [upper]
    names = {rule.name: rule.code for rule in RULES.values()}
    alike = difflib.get_close_matches(selector.lower(), names, n=_MOST_NEAR, cutoff=0.8)
    if alike:
        return [names[name] for name in alike]
    families = sorted({code[:3] for code in RULES})
    looks_like = upper[:3].translate(_AS_LETTERS) + upper[3:].translate(_AS_DIGITS)
    near = [looks_like] if looks_like != upper and _is_known(looks_like) else []
    near += difflib.get_close_matches(upper, [*families, *RULES], n=_MOST_NEAR, cutoff=0.5)
    return list(dict.fromkeys(near))[:_MOST_NEAR]
