"""What the rules remember between events: the judgements as they last were."""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

from spanscope.model.diffs import Diff
from spanscope.model.node import Node
from spanscope.model.spans import Artifact, DerivedFrom, Doubt
from spanscope.model.state import BufferState
from spanscope.rules.diffs import Ground, Judged
from spanscope.rules.holders import Since, differs_since
from spanscope.rules.judgements import ArtifactJudgement, DiffJudgement
from spanscope.rules.past import Past
from spanscope.rules.reach import Reach

Content: TypeAlias = str | Node | None
"""A text, or a span's content that holds it; null where unknown."""


class Shown(NamedTuple):
    """What a model call was given: (span id, content) in order."""

    seq: int
    items: list[tuple[str, Content]]


class Rejections(NamedTuple):
    """Rejections of one author in a row over the same spans."""

    spans: frozenset[str]
    seqs: tuple[int, ...]


class Watch(NamedTuple):
    """The spans whose change can change the verdict on a staged diff.

    `apart`: no event that touches none of them can.
    """

    spans: frozenset[str]
    apart: bool


class UnknownSubject(NamedTuple):
    """A subject that could not be judged, since when and why."""

    subject: dict[str, str | int]
    doubt: Doubt


class Memory:
    """The last judgement of every live artifact and staged diff, and what was said once.

    `blocked` and `uncertain` are the undo entries (seqs, ascending) that can't be undone, or of
    which that can't be told; `astray` says of an entry in which spans it no longer meets what it
    left, or (null) may not. `said` is by the seq of a diff's `stage`; `applied` is that of the one
    that an abort may bring back.
    """

    def __init__(self) -> None:
        self.artifacts: dict[str, ArtifactJudgement] = {}
        self.verdicts: dict[str, DiffJudgement] = {}
        self.grounds: dict[str, Ground] = {}
        self.watch: Watch | None = None
        self.said: dict[int, frozenset[str]] = {}
        self.applied: int | None = None
        self.on_id_alone: set[tuple[str, int]] = set()
        self.orphans: set[str] = set()
        self.unsure_orphans: set[str] = set()
        self.orphans_at = -1
        self.reach = Reach()
        self.shown: dict[str, Shown] = {}
        self.rejections: dict[str, Rejections] = {}
        self.unknown: dict[tuple[str, str | int], UnknownSubject] = {}
        self.checkpoint: int = 0
        self.past = Past()
        self._sets: dict[frozenset[str], frozenset[str]] = {}
        self._differ: dict[tuple[str, int, DerivedFrom], tuple[int, int | None]] = {}

    def since_in(self, state: BufferState) -> Since:
        """When sources began to differ; no state of a span is looked at twice."""

        def since(artifact: Artifact, source: DerivedFrom) -> int:
            key = (artifact.artifact, artifact.seq, source)
            states = state.chronicle[source.span]
            start, before = self._differ.get(key, (0, None))
            own = source.span == artifact.span
            found = differs_since(source, states, start, before, own=own)
            self._differ[key] = (len(states), found)
            return artifact.seq if found is None else found

        return since

    def judged(self, diff: str, judged: Judged) -> None:
        """Keep the verdict on a staged diff, and where it differs from its base."""
        self.watch = None
        self.verdicts[diff] = judged.judgement
        if judged.ground is not None:
            self.grounds[diff] = judged.ground

    def say(self, diff: Diff, rules: frozenset[str]) -> None:
        """Keep which rules were reported of a diff; most diffs share one set with others."""
        self.said[diff.seq] = self._sets.setdefault(rules, rules)

    def said_of(self, diff: Diff) -> frozenset[str]:
        """Which rules were reported of a diff."""
        return self.said.get(diff.seq, frozenset())

    def leaves(self, diff: Diff, *, applied: bool) -> None:
        """A diff left the staging area; only the one that was applied last can come back."""
        gone = self.applied if applied else diff.seq
        if gone is not None:
            self.said.pop(gone, None)
        if applied:
            self.applied = diff.seq

    def comes_back(self) -> None:
        """The diff that was applied last is staged again."""
        self.applied = None

    def forget_diff(self, diff: str) -> None:
        """The diff left the staging area, or was staged anew."""
        self.watch = None
        self.verdicts.pop(diff, None)
        self.grounds.pop(diff, None)

    def lose(self, state: BufferState) -> None:
        """Events were lost: a checkpoint may have been among them."""
        self.checkpoint = max(self.checkpoint, state.lost_at - 1)

    def note_unknown(self, kind: str, name: str | int, doubt: Doubt) -> None:
        """List a subject that was unknown when it mattered; the first time counts."""
        self.unknown.setdefault((kind, name), UnknownSubject({kind: name}, doubt))
