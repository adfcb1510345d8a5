"""`spanscope rule`: explains one rule, or lists all."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Sequence
from typing import Any

from msgspec.structs import asdict

from spanscope.cli.columns import columns
from spanscope.cli.errors import CommandError, ExitCode
from spanscope.cli.output import Output
from spanscope.rules.catalogue import RULES, Rule, UnknownRuleError, page


def run(options: Namespace, out: Output) -> int:
    """Print the page of a rule, or a line for each."""
    rules = list(RULES.values()) if options.code is None else [_named(options.code)]
    if options.output_format == "json":
        out.json({"version": 1, "rules": [_as_json(rule) for rule in rules]})
    elif options.code is None:
        _list(rules, out)
    else:
        for line in page(rules[0].code).splitlines():
            out.line(line)
    return ExitCode.OK


def _named(code: str) -> Rule:
    if code in RULES:
        return RULES[code]
    family = [rule for rule in RULES if code and rule.startswith(code)]
    if family:
        raise CommandError(
            f"{code} is the beginning of several rules: name one of {', '.join(family)}"
        )
    raise CommandError(str(UnknownRuleError(code)))


def _as_json(rule: Rule) -> dict[str, Any]:
    return {**asdict(rule), "explanation": page(rule.code)}


def _list(rules: Sequence[Rule], out: Output) -> None:
    for line in columns([(rule.code, rule.name, rule.severity, rule.summary) for rule in rules]):
        out.line(line)
