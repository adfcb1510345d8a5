"""What a buffer refuses, and why: each error carries the finding that it would have been."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from spanscope.journal import errors as journal_errors
from spanscope.rules.finding import Finding


class SpanscopeError(RuntimeError):
    """Something was refused, and the buffer is as it was before.

    `finding` is what `spanscope check` would have said of it (null where no rule covers it),
    `findings` all of them.
    """

    def __init__(
        self, message: str, finding: Finding | None = None, findings: Sequence[Finding] = ()
    ) -> None:
        super().__init__(message)
        self.finding = finding
        self.findings = tuple(findings) or ((finding,) if finding is not None else ())


class StaleSpanError(SpanscopeError):
    """An artifact was used, and its span is not what it was derived from (seed 000)."""


class RollbackIntegrityError(SpanscopeError):
    """A change or a rollback that could not be undone exactly (seed 003)."""


class JournalWriteError(RollbackIntegrityError, journal_errors.JournalWriteError):
    """The journal could not take the record, so nothing was changed."""


class StaleBaseError(SpanscopeError):
    """A draft, or a change with a `base`, met a buffer that it was not made for (seed 004)."""


class UnreachableRollbackError(StaleBaseError):
    """A draft whose inverse would not find its place again."""


class ConflictError(StaleBaseError):
    """A draft and a change since its base touch the same text."""


class AmbiguousAnchorError(SpanscopeError):
    """A place was sought by a text that stands in several places, or in none: `places`."""

    def __init__(
        self,
        message: str,
        finding: Finding | None = None,
        findings: Sequence[Finding] = (),
        *,
        places: Sequence[int] = (),
    ) -> None:
        super().__init__(message, finding, findings)
        self.places = tuple(places)


class TombstoneError(SpanscopeError):
    """A tombstone was to be changed; `head` is the live span that took its place, if any."""

    def __init__(
        self,
        message: str,
        finding: Finding | None = None,
        findings: Sequence[Finding] = (),
        *,
        head: str | None = None,
    ) -> None:
        super().__init__(message, finding, findings)
        self.head = head


_ERRORS: dict[str, type[SpanscopeError]] = {
    "SPN102": StaleSpanError,
    "SPN132": StaleSpanError,
    "DIF316": StaleBaseError,
    "DIF311": StaleBaseError,
    "DIF307": AmbiguousAnchorError,
    "UND201": RollbackIntegrityError,
    "UND204": RollbackIntegrityError,
    "UND205": RollbackIntegrityError,
    "UND221": RollbackIntegrityError,
    "UND222": RollbackIntegrityError,
    "UND223": RollbackIntegrityError,
    "UND224": RollbackIntegrityError,
}


def refusal(findings: Sequence[Finding], advice: str = "", **more: Any) -> SpanscopeError:
    """The error for what a rule would have said; `advice` says what to do instead."""
    finding = findings[0]
    kind = _ERRORS.get(finding.rule, SpanscopeError)
    return kind(worded(finding, advice), finding, findings, **more)


def worded(finding: Finding, advice: str = "") -> str:
    """A finding as the one line of an error."""
    text = finding.message.rstrip(".")
    return one_line(f"{finding.rule}: {text}; {advice}" if advice else f"{finding.rule}: {text}")


def one_line(text: str) -> str:
    """A text with what does not print escaped: line ends, control characters, surrogates."""
    if text.isprintable():
        return text
    return "".join(char if char.isprintable() else ascii(char)[1:-1] for char in text)
