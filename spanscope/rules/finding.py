"""A finding: one rule that became true at one event."""

from __future__ import annotations

from typing import Any, Literal

from msgspec import Struct

Severity = Literal["error", "warning", "info"]

SEVERITY_ORDER: dict[str, int] = {"error": 0, "warning": 1, "info": 2}
"""Worst first."""


class Finding(Struct, kw_only=True, frozen=True, gc=False):
    """What a rule says of one subject at one event.

    `seq` is the event at which it became true, null for a finding about the file itself (the
    evidence then has the byte `offset`). `subject` holds ids under `span`, `artifact`, `entry`
    (the seq of a mutation) or `diff`. `caused_by` is the earliest other event that by itself
    makes it true.
    """

    id: str
    rule: str
    name: str
    severity: Severity
    seq: int | None
    subject: dict[str, str | int]
    message: str
    evidence: dict[str, Any]
    remedy: str
    caused_by: int | None = None
