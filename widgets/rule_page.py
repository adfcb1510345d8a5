"""The page that explains a rule, as lines: its Markdown without the marks, wrapped."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import groupby

from spanscope.rules.rule import Rule
from spanscope.text.cells import wrap
from spanscope.widgets.lines import EMPTY, Line, Role, Row, plain

_BOLD = re.compile(r"\*\*([^*]+)\*\*")


def rule_lines(rule: Rule, page: str, width: int) -> list[Line]:
    """What must hold, and the page behind its heading, wrapped to so many cells."""
    _heading, _, rest = page.partition("\n")
    return page_lines(f"## What must hold\n\n{rule.invariant}\n\n{rest.lstrip()}", width)


def page_lines(page: str, width: int) -> list[Line]:
    """A page wrapped to so many cells; the examples of events are muted."""
    lines: list[Line] = []
    for number, part in enumerate(page.split("```")):
        fenced = number % 2 == 1
        body = part.partition("\n")[2] if fenced else part
        block = list(_fenced(body, width) if fenced else _prose(body, width))
        lines += [EMPTY, *block] if lines and block else block
    return lines


def _fenced(body: str, width: int) -> Iterator[Line]:
    for line in body.strip("\n").split("\n"):
        for index, piece in enumerate(wrap(line, width - 2)):
            yield Row().gap(2 if index else 0).put(piece, "muted").line()


def _prose(body: str, width: int) -> Iterator[Line]:
    """Headings, paragraphs and lists, an empty line between."""
    first = True
    for empty, group in groupby(body.strip("\n").split("\n"), key=lambda line: not line.strip()):
        if empty:
            continue
        if not first:
            yield EMPTY
        first = False
        for item in _items(list(group)):
            yield from _item(item, width)


def _items(lines: list[str]) -> list[str]:
    """A paragraph, or the items of a list, each on one line."""
    items: list[str] = []
    for line in lines:
        if not items or line.startswith(("- ", "#")):
            items.append(line)
        else:
            items[-1] += f" {line.strip()}"
    return items


def _item(text: str, width: int) -> Iterator[Line]:
    role: Role = "strong" if text.startswith("#") else "plain"
    text = _BOLD.sub(r"\1", text.lstrip("# "))
    indent = 2 if text.startswith("- ") else 0
    for index, piece in enumerate(wrap(text, width if not indent else width - indent)):
        yield Row().gap(indent if index else 0).put(piece, role).line() if piece else plain("")
