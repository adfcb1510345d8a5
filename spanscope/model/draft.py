"""A draft of the next state of the buffer: its spans and their order, versions and claims."""

from __future__ import annotations

from operator import itemgetter

from msgspec.structs import replace

from spanscope.model.content import common_prefix, common_suffix
from spanscope.model.effects import Claim, Problem, SpanChange
from spanscope.model.node import Node
from spanscope.model.orders import longest_rise
from spanscope.model.spans import Span, surely_there, with_claim
from spanscope.model.state import BufferState, OrderStep
from spanscope.model.steps import Step, redo_step
from spanscope.model.undo import Part
from spanscope.model.versions import prior_version


class DraftState:
    """What the buffer will be: nothing of the buffer itself moves."""

    def __init__(self, state: BufferState, seq: int, actor: str) -> None:
        self.state = state
        self.seq = seq
        self.actor = actor
        self.work: dict[str, Span] = {}
        self._order: list[str] | None = None
        self.steps: list[OrderStep] = []
        self.edited: dict[str, None] = {}
        self.copied: dict[str, str] = {}
        self.parts: list[Part] = []
        self.problems: list[Problem] = []
        self.presumed: set[str] = set()
        self.meant_order: list[str] | None = None
        """The order without what an undo took back, with ids that it took away as well."""
        self.reseated: set[str] = set()
        """Ids under which one came back that stood elsewhere than the one that was there since."""

    @property
    def order(self) -> list[str]:
        """The ids of the live spans as the edits so far left them."""
        if not self.steps:
            return self.state.order
        if self._order is None:
            self._order = list(self.state.order)
            for step in self.steps:
                redo_step(self._order, step)
        return self._order

    @property
    def appended(self) -> bool:
        """Whether all that became of the order is one id more at its end."""
        if len(self.steps) != 1:
            return False
        step = self.steps[0]
        return step.removed is None and step.place == len(self.state.order)

    def place_of(self, name: str) -> int | None:
        """An id's index in the order; null where it stands nowhere."""
        return self.state.index_in(self.order, name)

    def get(self, name: str) -> Span | None:
        """The span as the edits so far left it."""
        return self.work.get(name) or self.state.spans.get(name)

    def put(self, span: Span) -> None:
        """Draft the next state of a span."""
        self.work[span.span] = span

    def target(self, name: str, verb: str) -> Span | None:
        """The span to change; what never was or is gone is a problem.

        After lost lines it may well exist: then it is there, unknown.
        """
        span = self.get(name)
        if span is not None and not span.gone:
            return surely_there(span)
        if self.may_be_there(name):
            return surely_there(self.presume(name, span))
        self.missing(name, verb)
        return None

    def may_be_there(self, name: str) -> bool:
        """Whether there is such a span, or may be since lines were lost."""
        span = self.get(name)
        if span is not None and not span.gone:
            return True
        return self.state.doubt is not None and (span is None or span.seq < self.state.lost_at)

    def missing(self, name: str, verb: str, outcome: str = "it changes nothing") -> None:
        """Note that an event names a span that does not exist (any more), and what comes of it."""
        span = self.get(name)
        fate = "was never ingested" if span is None else f"was {span.life} at {span.since}"
        if span is not None and span.life == "tombstone":
            fate = f"has been a tombstone since {span.since}"
        message = f"{verb} names span {name}, which {fate}; {outcome}."
        self.problems.append(Problem("JNL007", {"span": name}, message, {"span": name}))

    def presume(self, name: str, span: Span | None) -> Span:
        """Let a span be there, unknown and last, that an event names since lines were lost."""
        doubt = self.state.doubt
        assert doubt is not None
        if span is not None:
            span = replace(span, life="live", since=self.seq, seq=self.seq, doubt=doubt)
        else:
            node = Node.root(self.seq, self.actor, "")
            node.text_known = False
            span = Span(
                span=name,
                node=node,
                seq=self.seq,
                since=self.seq,
                store=None,
                produced_by="unknown",
                doubt=doubt,
            )
        self.put(span)
        self.presumed.add(name)
        self.step(len(self.order), None, name)
        return span

    def step(self, index: int, removed: str | None, inserted: str | None) -> None:
        """One step of the order: an id goes, another comes, or both."""
        step = Step(self.seq, index, removed, inserted)
        if self.steps:
            redo_step(self.order, step)
        self.steps.append(step)

    def undo(self, step: OrderStep) -> None:
        """Take back a step in the order."""
        self.step(step.place, step.inserted, step.removed)

    def insert(self, index: int, name: str) -> None:
        """Put an id into the order."""
        self.step(index, None, name)

    def remove(self, name: str) -> int | None:
        """Take an id out of the order; its index, null where it stood nowhere."""
        index = self.place_of(name)
        if index is not None:
            self.step(index, name, None)
        return index

    def substitute(self, name: str, other: str) -> int | None:
        """Let another id take an id's place; the index, null where it stood nowhere."""
        index = self.place_of(name)
        if index is not None:
            self.step(index, name, other)
        return index

    def reorder(self, wanted: list[str]) -> None:
        """Let the ids stand in this order, if it is theirs; as few of them move as can."""
        now = self.order
        if len(wanted) != len(now) or wanted == now:
            return
        start = common_prefix(now, wanted)
        end = common_suffix(now, wanted, len(now) - start)
        places = {
            name: place for place, name in enumerate(wanted[start : len(wanted) - end], start)
        }
        found = [places.get(name, -1) for name in now[start : len(now) - end]]
        if -1 in found or len(places) != len(found):
            return
        stay = set(longest_rise(found))
        moved = [(start + at, place) for at, place in enumerate(found) if place not in stay]
        for at, place in reversed(moved):
            self.step(at, wanted[place], None)
        for _, place in sorted(moved, key=itemgetter(1)):
            self.insert(place, wanted[place])

    def settle(
        self, versions: dict[str, int], hashes: dict[str, str], *, believe: bool = False
    ) -> list[Claim]:
        """Count versions once a span, compare claims, and let hashes make spans known again.

        `believe`: the text is not the agent's (redacted), so the claimed hash is the hash.
        """
        claims: list[Claim] = []
        for name in list(self.work):
            span = self.work[name]
            before = self.state.spans.get(name)
            version = span.version
            if name in self.edited and before is not None:
                version = max(version, before.version + 1)
            still_gone = span.gone and before is not None and before.gone
            still_gone = still_gone and not self._takes_out(name)
            claimed = None if still_gone else versions.get(name)
            hash = hashes.get(name)
            if hash is not None and not still_gone:
                met, span = span, self._known_by_hash(span, hash, believe)
                self._left(met, span)
            self.work[name] = with_claim(replace(span, version=version), claimed)
            if claimed is not None or hash is not None:
                claims.append(self._claim(name, before, claimed, hash))
        beside = (name for name in dict.fromkeys((*versions, *hashes)) if name not in self.work)
        claims += [
            self._claim_beside(name, versions.get(name), hashes.get(name))
            for name in list(beside)
            if name in self.state.spans
        ]
        return claims

    def _takes_out(self, name: str) -> bool:
        """Whether an edit prunes a span, which was there then: back since lines were lost."""
        return any(part.kind == "prune" and part.span == name for part in self.parts)

    def _claim_beside(self, name: str, version: int | None, hash: str | None) -> Claim:
        """What is claimed of a span that the event left alone."""
        before = self.state.spans[name]
        if before.gone:
            # It may have been brought back where events were lost.
            actual = None if self.state.may_be_back(before) else before.hash
            return Claim(name, version, None, hash, actual, changed=False)
        span = before if hash is None else self._known_by_hash(before, hash, believe=False)
        span = with_claim(span, version)
        if span is not before:
            self.put(replace(span, seq=self.seq))
        prior = prior_version(self.state, before)
        return Claim(name, version, prior, hash, span.hash, changed=False)

    def _left(self, met: Span, known: Span) -> None:
        """A content that a hash made known is what the edits left that left it."""
        if known.node is not met.node:
            self.parts = [
                replace(part, after=known.node) if part.after is met.node else part
                for part in self.parts
            ]

    def _known_by_hash(self, span: Span, hash: str, believe: bool) -> Span:
        node = span.node
        if span.doubt is not None and node.hash == hash:
            return replace(span, doubt=None)
        told_nothing = span.doubt is None and node.hash is None
        if node.text_known or not (told_nothing or believe):
            return span
        if node.seq == self.seq:
            node.adopt(hash)
        elif told_nothing:
            # What the span was before this event stays as little known as it was.
            span = replace(span, node=node.untouched(self.seq, self.actor))
            span.node.adopt(hash)
        return span

    def _claim(
        self, name: str, before: Span | None, version: int | None, hash: str | None
    ) -> Claim:
        after = self.work[name]
        if name in self.copied:
            # Its version goes on from that of the span whose place it takes.
            before = self.state.spans.get(self.copied[name])
        prior = None
        if before is not None and not before.gone:
            prior = prior_version(self.state, before)
        return Claim(name, version, prior, hash, after.hash, _changed(before, after))

    def changes(self) -> list[SpanChange]:
        """Every span of the draft before and after."""
        return [
            SpanChange(
                before := self.state.spans.get(name),
                after,
                name in self.edited or before is None or before.node is not after.node,
                _changed(before, after),
            )
            for name, after in self.work.items()
        ]


def _changed(before: Span | None, after: Span) -> bool | None:
    if before is None:
        return True
    if before.node is after.node and _since(after) == _since(before):
        return False
    if before.doubt is not None or after.doubt is not None:
        return None
    same = before.node.same_content(after.node)
    return None if same is None else not same


def _since(span: Span) -> int | None:
    """Since when what a span holds is unknown."""
    return None if span.doubt is None else span.doubt.since
