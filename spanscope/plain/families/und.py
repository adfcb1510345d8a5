"""UND: can every change be undone, exactly? (seed 003)"""

from __future__ import annotations

from collections.abc import Iterator

from spanscope.plain.families import und_inverses, und_rollbacks
from spanscope.plain.finding import Finding, can_record, finding
from spanscope.plain.reach import reachable
from spanscope.plain.reading import Told
from spanscope.plain.world import Moment


def findings(told: Told) -> Iterator[Finding]:
    """All findings of the family."""
    recorded = can_record(told, "inverses")
    yield from und_inverses.findings(told, recorded=recorded)
    yield from und_rollbacks.findings(told, recorded=recorded)
    for moment in told.moments:
        yield from _unreachable(moment, recorded=recorded)


def _unreachable(moment: Moment, *, recorded: bool) -> Iterator[Finding]:
    """UND211: an event made entries that were reachable unreachable."""
    if moment.presumed:
        return
    before = reachable(moment.before, records_inverses=recorded)
    after = reachable(moment.after, records_inverses=recorded)
    lost = [seq for seq in before if before[seq] is True and after.get(seq) is False]
    if lost:
        blocker = max(seq for seq in after if after[seq] is False)
        yield finding("UND211", moment.event.seq, "info", entry=blocker)
