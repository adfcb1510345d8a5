"""The example journals on the rules' pages, each as a history."""

from __future__ import annotations

import re
from collections.abc import Iterator

from spanscope.history.history import History
from spanscope.rules.catalogue import RULES, page
from spanscope.rules.finding import Finding

HEADER = b'{"type":"session","format":"spanscope.journal/1","session":"page"}\n'


def page_journals(code: str) -> Iterator[bytes]:
    """Every example on a rule's page as a journal."""
    for block in re.findall(r"```(?:jsonl|text)\n(.*?)```", page(code), re.DOTALL):
        data = block.encode()
        headed = data.lstrip().startswith(b'{"type":"session"') or code == "JNL010"
        yield (b"" if headed else HEADER) + (data.rstrip() if code == "JNL001" else data)


def page_histories(code: str) -> Iterator[History]:
    """The history of every example on a rule's page."""
    for journal in page_journals(code):
        history = History()
        history.feed(journal)
        history.finish()
        yield history


def page_findings() -> list[Finding]:
    """Every finding of every example: all rules are among them."""
    return [
        finding
        for code in RULES
        for history in page_histories(code)
        for finding in history.findings
    ]
