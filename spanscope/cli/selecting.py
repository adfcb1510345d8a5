"""`--select` and `--ignore`: which findings are printed, counted and failed on."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Iterable

from spanscope.cli.errors import CommandError
from spanscope.rules.catalogue import Selection, UnknownRuleError


def selection(options: Namespace) -> Selection:
    """The rules that the options ask for. Raises CommandError for a rule that does not exist."""
    try:
        return Selection(_selectors(options.select), _selectors(options.ignore))
    except UnknownRuleError as error:
        raise CommandError(str(error)) from error


def _selectors(values: Iterable[str]) -> list[str]:
    """The comma separated parts of each value; a value without any stays, to be refused."""
    found: list[str] = []
    for value in values:
        parts = [part.strip() for part in value.split(",")]
        found += [part for part in parts if part] or [value]
    return found
