"""How many examples a slow property test takes: few by default, more where somebody waits."""

from __future__ import annotations

import os

from hypothesis import settings


def slow(few: int, *, gate: int, many: int) -> settings:
    """`few` by default, `gate` where `CI` is set, `many` in the thorough profile."""
    profile = os.environ.get("HYPOTHESIS_PROFILE", "ci" if "CI" in os.environ else "default")
    return settings(max_examples={"ci": gate, "thorough": many}.get(profile, few))
