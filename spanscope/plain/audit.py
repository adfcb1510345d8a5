"""The second opinion on a whole journal."""

from __future__ import annotations

from spanscope.plain.families import dif, jnl, shn, spn, und
from spanscope.plain.finding import Finding
from spanscope.plain.reading import Told

FAMILIES = (jnl.findings, spn.findings, und.findings, dif.findings, shn.findings)


def findings(told: Told) -> list[Finding]:
    """Every finding, each once, in no particular order."""
    found = dict.fromkeys(found for family in FAMILIES for found in family(told))
    return [*found, *jnl.strays(told)]
