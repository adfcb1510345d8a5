"""The example on every rule's page makes its rule fire."""

from __future__ import annotations

import re

import pytest

from spanscope.history.history import History
from spanscope.rules.catalogue import RULES, page

HEADER = b'{"type":"session","format":"spanscope.journal/1","session":"page"}\n'


def examples(code: str) -> list[bytes]:
    found = re.findall(r"```(?:jsonl|text)\n(.*?)```", page(code), re.DOTALL)
    return [block.encode() for block in found]


@pytest.mark.parametrize("code", RULES)
def test_the_example_fires_its_rule(code: str) -> None:
    fired: set[str] = set()
    for data in examples(code):
        headed = data.lstrip().startswith(b'{"type":"session"') or code == "JNL010"
        history = History()
        history.feed((b"" if headed else HEADER) + (data.rstrip() if code == "JNL001" else data))
        history.finish()
        fired |= {finding.rule for finding in history.findings}
    assert code in fired
