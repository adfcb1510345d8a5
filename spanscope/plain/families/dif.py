"""DIF: may this diff still be applied? (seed 004)"""

from __future__ import annotations

from collections.abc import Iterator

from spanscope.plain.families import dif_applies, dif_changes
from spanscope.plain.families.dif_applies import may_have_left
from spanscope.plain.finding import Finding, can_record, finding
from spanscope.plain.reading import Told
from spanscope.plain.staged import judge


def findings(told: Told) -> Iterator[Finding]:
    """All findings of the family."""
    recorded = can_record(told, "reads")
    yield from dif_changes.findings(told)
    yield from dif_applies.findings(told, reads_recorded=recorded)
    said: dict[int, frozenset[str]] = {}
    for at in range(len(told.moments)):
        past = told.moments[: at + 1]
        for name, stage in past[-1].after.staged.items():
            held = said.get(stage.seq, frozenset())
            now = judge(stage, past, reads_recorded=recorded)
            reasons = frozenset(now.reasons)
            silent = may_have_left(stage.seq, past[-1].after)
            for rule in () if silent else sorted(reasons - held):
                severity = "error" if rule == "DIF313" else "warning"
                yield finding(rule, past[-1].event.seq, severity, diff=name)
            # What can't be told now was said before: it may still hold.
            said[stage.seq] = reasons | (held & now.untold)
