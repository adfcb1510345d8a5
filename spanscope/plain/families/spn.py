"""SPN: is what was derived from a span still true? (seed 000)"""

from __future__ import annotations

from collections.abc import Iterator

from spanscope.plain.families import spn_changes, spn_claims, spn_spans, spn_uses
from spanscope.plain.finding import Finding
from spanscope.plain.reading import Told


def findings(told: Told) -> Iterator[Finding]:
    """All findings of the family."""
    for part in (spn_changes, spn_uses, spn_claims, spn_spans):
        yield from part.findings(told)
