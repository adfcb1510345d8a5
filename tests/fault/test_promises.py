"""The table of promises names tests that are there."""

from __future__ import annotations

import re

from support.checkout import ROOT

TABLE = (ROOT / "tests" / "fault" / "PROMISES.md").read_text(encoding="utf-8")
NAMED = re.findall(r"`(tests/[\w/]+\.py)(?:::(\w+))?`", TABLE)


def test_every_promise_has_a_row() -> None:
    rows = re.findall(r"^\| \*\*R(\d+)\*\*", TABLE, re.MULTILINE)
    assert [int(row) for row in rows] == [*range(1, 11), 12]


def test_every_test_that_is_named_is_there() -> None:
    assert len(NAMED) > 40
    missing = []
    for path, name in NAMED:
        text = (ROOT / path).read_text(encoding="utf-8")
        if name and not re.search(rf"^(async )?def {name}\(|^{name} = ", text, re.MULTILINE):
            missing.append(f"{path}::{name}")
    assert missing == []
