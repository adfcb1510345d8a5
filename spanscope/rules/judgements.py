"""What the judgements say: the answers that rules, panes and reports all share."""

from __future__ import annotations

from typing import Literal, NamedTuple

ArtifactStatus = Literal["fresh", "stale", "invalidated", "dangling", "unknown"]

Signal = Literal[
    "length-delta",
    "version-advanced",
    "hash-divergence",
    "provenance-changed",
    "boundary-crossed",
]
"""The five signals of seed 000; the panes show them as L V H P B."""

Verdict = Literal["admissible", "reconcilable", "stale", "unreachable", "conflict", "unknown"]


class ArtifactJudgement(NamedTuple):
    """Is what was derived from a span still true?

    `culprit` is the span that differs and `cause` the event since which it does. `meant` is the
    text in the artifact's range when it was derived, `obtained` what stands there now.
    `range_intact`: the same text still stands at the same offsets; `moved_to`: where else it
    stands, once. `why` says why the state is unknown, or of a stale one, what became of the text
    in its range; `content_same` stands there where only the
    range can't be judged, and the content is known to be what it was derived from.
    """

    state: ArtifactStatus
    signals: tuple[Signal, ...] = ()
    culprit: str | None = None
    cause: int | None = None
    range_intact: bool | None = None
    moved_to: tuple[int, int] | None = None
    meant: str | None = None
    obtained: str | None = None
    why: str | None = None
    content_same: bool = False


class Reason(NamedTuple):
    """One rule that holds for a staged diff now.

    `thing` says what it is about (`read docs/3`), `span` and `cause` which span and the earliest
    event that by itself makes it true, `actor` who did that, `detail` one sentence.
    """

    rule: str
    thing: str
    span: str | None
    cause: int | None
    actor: str | None
    detail: str


class DiffLine(NamedTuple):
    """One row under a diff: a read, quote, write or the undo, with the word found for it.

    `kind` is read, quote, line, index, hash, span, write or undo; `word` one of `same`,
    `changed`, `gone`, `not found`, `no overlap`, `overlaps`, `not located`, `exact`, `lost`,
    `unknown`; `detail` names the culprit.
    """

    kind: str
    subject: str
    word: str
    detail: str
    cause: int | None = None

    @property
    def bad(self) -> bool:
        """Whether the word is against the diff."""
        return self.word in ("changed", "gone", "not found", "overlaps", "not located", "lost")


class DiffJudgement(NamedTuple):
    """May this diff still be applied? (seed 004)

    `fragile` stands beside any verdict: one more write would make its inverse unlocatable.
    `reasons` are all that hold, ascending by rule. `write_set_passes`: whether a check of the
    written regions alone, as merge tools do it, would let the diff pass. `untold`: the rules of
    which it can't be told whether they hold.
    """

    verdict: Verdict
    fragile: bool
    reasons: tuple[Reason, ...]
    lines: tuple[DiffLine, ...]
    write_set_passes: bool | None = None
    why: str | None = None
    untold: frozenset[str] = frozenset()

    @property
    def rules(self) -> tuple[str, ...]:
        """The codes of the reasons, ascending, each once."""
        return tuple(sorted({reason.rule for reason in self.reasons}))
