"""What a recorder's journal says: its events, and what the audit finds."""

from __future__ import annotations

from collections import Counter

from spanscope.buffer.recorder import Recorder
from spanscope.journal.events import AnyEvent, Render, Unknown
from spanscope.journal.reader import Record, read_journal
from support.auditing import audit_all


def events_of(recorder: Recorder) -> list[AnyEvent | Unknown]:
    """What the journal says so far."""
    parsed = read_journal(recorder.path, live=True)
    return [item.event for item in parsed if isinstance(item, Record)]


def shown_by(recorder: Recorder) -> list[list[str]]:
    """The spans that each model call was shown."""
    renders = [event for event in events_of(recorder) if isinstance(event, Render)]
    return [[item.span for item in render.items] for render in renders]


def rules_above_info(recorder: Recorder) -> Counter[str]:
    """What `check` would complain of; the recorder is closed for it."""
    recorder.close()
    found = audit_all(read_journal(recorder.path)).findings
    return Counter(finding.rule for finding in found if finding.severity != "info")
