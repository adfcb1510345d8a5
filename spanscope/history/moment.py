"""What held after one event: a view that looks up only what is asked for."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING

from spanscope.history.rows import ArtifactRow, DiffRow, SpanRow, UndoRow
from spanscope.journal.events import Apply, Reject, Withdraw

if TYPE_CHECKING:
    from collections.abc import Callable

    from spanscope.history.lives import Census
    from spanscope.history.past import Past
    from spanscope.model.diffs import Diff
    from spanscope.model.spans import Artifact, Doubt, Span
    from spanscope.model.undo import Entry
    from spanscope.rules.holders import Since
    from spanscope.rules.judgements import DiffJudgement

# Rules and model are loaded where something is asked of them: before a first event nothing is.


class Moment:
    """The buffer, its holders, undo stack and staging area after the event `seq`."""

    def __init__(self, history: Past, seq: int) -> None:
        self.history = history
        self.seq = seq
        self._ground = history.ground_at(seq)

    @property
    def revision(self) -> int | None:
        """How often content or order really changed so far; null where unknown."""
        return self.history.revision_at(self.seq)

    @property
    def doubt(self) -> Doubt | None:
        """Since when the order and the undo stack are unknown."""
        return self._ground.doubt

    @property
    def lost_at(self) -> int:
        """Where events were lost last; 0 for nowhere."""
        return self._ground.lost_at

    @property
    def first_lost_at(self) -> int:
        """Where events were lost first; 0 for nowhere."""
        first = self.history.state.first_lost_at
        return first if first <= self.seq else 0

    @cached_property
    def order(self) -> list[str]:
        """The ids of the live spans in buffer order."""
        return self.history.state.order_at(self.seq) if self.seq else []

    @cached_property
    def order_steps(self) -> int:
        """How many steps had led to the order."""
        return self.history.state.order_log.count_at(self.seq)

    def touched_since(self, seq: int) -> Iterable[str]:
        """Spans that may have been touched after the event `seq`, and all that were."""
        return self.order if seq < self.seq else ()

    @cached_property
    def staged(self) -> dict[str, Diff]:
        """What is staged."""
        return self.history.staged_at(self.seq)

    @cached_property
    def digest(self) -> str | None:
        """The digest of the live spans in order; null where it is unknown."""
        if self.doubt is not None:
            return None
        rows: list[tuple[str, str]] = []
        for name in self.order:
            span = self.span(name)
            if span is None or span.hash is None:
                return None
            rows.append((name, span.hash))
        from spanscope.model.content import buffer_digest

        return buffer_digest(rows)

    def span(self, name: str) -> Span | None:
        """One span; null where it is not there yet."""
        return self._span_at(name, self.seq)

    @cached_property
    def _span_at(self) -> Callable[[str, int], Span | None]:
        return self.history.state.span_at

    def history_of(self, name: str) -> Sequence[Span]:
        """All states of a span so far."""
        return [s for s in self.history.state.chronicle.get(name, ()) if s.seq <= self.seq]

    def orders_back(self) -> Iterator[tuple[int, list[str]]]:
        """(seq, the order right before it) of the events that changed the order, newest first."""
        return self.history.state.orders_back(self.seq)

    def spans(self) -> list[SpanRow]:
        """Live spans in buffer order, then tombstones, then pruned ones."""
        tombstones: list[SpanRow] = []
        pruned: list[SpanRow] = []
        for name in self.history.state.chronicle:
            span = self.span(name)
            if span is not None and span.life == "tombstone":
                tombstones.append(_row(span))
            elif span is not None and span.life == "pruned":
                pruned.append(_row(span))
        live = [_row(span) for name in self.order if (span := self.span(name)) is not None]
        return live + tombstones + pruned

    @property
    def census(self) -> Census:
        """How many spans there are of each state."""
        return self.history.lives().census(self.seq)

    def span_row(self, name: str) -> SpanRow | None:
        """One span with its state; null where it is not there yet."""
        span = self._span_at(name, self.seq)
        return None if span is None else _row(span)

    def gone(self) -> list[str]:
        """The ids of tombstones, then of pruned spans, then of collected ones still held."""
        if not self.seq:
            return []
        kinds = self.history.lives().kinds(self.seq)
        named = [(name, kinds.get(name)) for name in self.history.state.chronicle]
        tombstones = [name for name, kind in named if kind in ("tombstone", "unknown tombstone")]
        pruned = [name for name, kind in named if kind == "pruned"]
        collected = [name for name, kind in named if kind == "collected"]
        held = [name for name in collected if self.history.is_held(name, self.seq)]
        return tombstones + pruned + held

    def artifacts_under(self, name: str) -> list[ArtifactRow]:
        """The live artifacts derived from a span as their own, judged."""
        return [self._judged(artifact) for artifact in self.history.artifacts_under(name, self.seq)]

    def artifacts(self) -> list[ArtifactRow]:
        """The live artifacts, judged."""
        return [self._judged(artifact) for artifact in self.history.artifacts_at(self.seq)]

    @property
    def all_fresh(self) -> bool:
        """Whether every live artifact is fresh."""
        last = self.artifact(self.history.bad_holder)
        if last is not None and last.judgement.state != "fresh":
            return False
        history, known = self.history, self.history.fresh_at
        near = None if known is None else history.changed_between(known, self.seq)
        if near is None:
            found: Iterable[Artifact] = history.artifacts_at(self.seq)
        else:
            found = history.artifacts_on(near, self.seq)
        judged = map(self._judged, found)
        bad = next((row for row in judged if row.judgement.state != "fresh"), None)
        if bad is None:
            history.fresh_at = self.seq
        else:
            history.bad_holder = bad.artifact.artifact
        return bad is None

    def artifacts_on(self, name: str) -> list[ArtifactRow]:
        """The live artifacts derived from a span, also among others."""
        return [self._judged(artifact) for artifact in self.history.artifacts_on((name,), self.seq)]

    def artifact(self, name: str) -> ArtifactRow | None:
        """One artifact, judged; null where it is not live."""
        artifact = self.history.artifact_at(name, self.seq)
        return None if artifact is None else self._judged(artifact)

    def _judged(self, artifact: Artifact) -> ArtifactRow:
        from spanscope.rules.holders import FRESH, is_untouched, judge_artifact

        if is_untouched(artifact, self.span):
            return ArtifactRow(artifact, FRESH)
        return ArtifactRow(artifact, judge_artifact(artifact, self.span, self._since))

    @cached_property
    def _since(self) -> Since:
        return self.history.differing.at(self.history.state, self.seq)

    @property
    def undo_size(self) -> int:
        """How many entries the undo stack has."""
        return self.history.undo.depth(self.seq).size

    @property
    def reachable(self) -> int:
        """How many entries from the head down can be reached."""
        return self.history.undo.depth(self.seq).reachable

    def undo(self, start: int = 0, count: int | None = None) -> list[UndoRow]:
        """The undo stack from the head down."""
        return list(islice(self.undo_rows(start), count))

    def undo_rows(self, start: int = 0) -> Iterator[UndoRow]:
        """The undo stack from the head down, a row at a time."""
        return self._undo_rows(self.history.undo.down(self.seq, start))

    def undo_row(self, entry: int) -> UndoRow | None:
        """The row of one entry (seq); null where it is not on the stack."""
        found = self.history.undo.entry(entry, self.seq)
        return None if found is None else next(self._undo_rows((found,)))

    def undo_place(self, entry: int) -> int | None:
        """How many entries stand above one (seq); null where it is not on the stack."""
        return self.history.undo.place(entry, self.seq)

    def _undo_rows(self, entries: Iterable[Entry]) -> Iterator[UndoRow]:
        from spanscope.model.reaching import reachable
        from spanscope.model.statuses import entry_status

        ground = self._ground
        known_since, blocked, uncertain = ground.known_since, ground.blocked, ground.uncertain
        for entry in entries:
            seq = entry.seq
            status = entry_status(entry, self.span)
            known = seq >= known_since
            if not known:
                status = status._replace(direct="unknown")
            can = reachable(seq, blocked, uncertain, known)
            yield UndoRow(entry, status, can, blocked if blocked >= seq else None)

    def staging(self, *, include_out: bool = False) -> list[DiffRow]:
        """The staged diffs, judged; `include_out`: also those that left at this very step."""
        rows = [DiffRow(diff, self._verdict(diff)) for diff in self.staged.values()]
        return self._left() + rows if include_out else rows

    def _verdict(self, diff: Diff) -> DiffJudgement:
        found = self.history.verdict_at(diff.diff, self.seq)
        return found if found is not None else self.judge(diff)

    def judge(self, diff: Diff) -> DiffJudgement:
        """The verdict on a diff, worked out anew."""
        from spanscope.rules.diffs import judge_diff

        return judge_diff(diff, self, reads_recorded=self.history.state.can_record("reads"))

    def _left(self) -> list[DiffRow]:
        event = self.history.event(self.seq)
        if not isinstance(event, Apply | Reject | Withdraw) or event.diff in self.staged:
            return []
        diff = self.history.staged_at(self.seq - 1).get(event.diff)
        if diff is None:
            return []
        verdict = self.history.verdict_at(diff.diff, self.seq - 1) or self.judge(diff)
        words = {Apply: "applied", Reject: "rejected", Withdraw: "withdrawn"}
        return [DiffRow(diff, verdict, f"{words[type(event)]} at {self.seq}")]


def _row(span: Span) -> SpanRow:
    if span.gone:
        return SpanRow(span, "pruned")
    plain = span.doubt is None and span.node.text_known
    return SpanRow(span, span.life if plain or not span.unknown else "unknown")  # type: ignore[arg-type]
