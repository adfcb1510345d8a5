"""Buffers that tests record, and what the audit says of what they wrote."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

from spanscope.buffer.buffer import ContextBuffer
from spanscope.history.audit import Audit
from spanscope.journal.clock import Clock
from spanscope.journal.events import AnyEvent, Unknown
from spanscope.journal.reader import Record, read_journal
from spanscope.rules.finding import Finding
from support.auditing import audit_all


def ticking() -> Clock:
    """A clock that goes on by a quarter of a second a look."""
    moment = datetime(2026, 11, 11, 9, 0, tzinfo=UTC)

    def tick() -> datetime:
        nonlocal moment
        moment += timedelta(milliseconds=250)
        return moment

    return tick


def journal_of(buffer: ContextBuffer) -> Path:
    """The path of a recording buffer's journal."""
    assert buffer.path is not None
    return buffer.path


def events_of(buffer: ContextBuffer) -> list[AnyEvent | Unknown]:
    """What the journal says so far."""
    parsed = read_journal(journal_of(buffer), live=True)
    return [item.event for item in parsed if isinstance(item, Record)]


def audited(buffer: ContextBuffer) -> Audit:
    """The audit of a buffer's whole journal; the buffer is closed for it."""
    buffer.close()
    return audit_all(read_journal(journal_of(buffer)))


def above_info(buffer: ContextBuffer) -> list[Finding]:
    """What `check` would complain of in a buffer's journal; the buffer is closed for it."""
    return [finding for finding in audited(buffer).findings if finding.severity != "info"]


def said(buffer: ContextBuffer) -> list[str]:
    """The rules of all findings, info too; the buffer is closed for it."""
    return [finding.rule for finding in audited(buffer).findings]
