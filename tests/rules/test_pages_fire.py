"""The example on every rule's page makes its rule fire."""

from __future__ import annotations

import pytest
from support.pages import page_histories

from spanscope.rules.catalogue import RULES


@pytest.mark.parametrize("code", RULES)
def test_the_example_fires_its_rule(code: str) -> None:
    fired = {f.rule for history in page_histories(code) for f in history.findings}
    assert code in fired
