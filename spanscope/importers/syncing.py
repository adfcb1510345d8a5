"""Making the buffer hold a list that a source gives as a whole, with as few events as possible."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence

from spanscope.importers.builder import JournalBuilder, Wanted, ingest_edit
from spanscope.importers.restoring import roll_back, undo_brings_back
from spanscope.journal.parts import AnyEdit, MoveEdit, PruneEdit


class Mirror:
    """A store that follows the lists of a source, span by span and id by id."""

    def __init__(self, builder: JournalBuilder, store: str) -> None:
        self.store = store
        self._builder = builder
        self._names: dict[str, str] = {}
        self._clashes: dict[str, tuple[str, ...]] = {}

    def name(self, id: str) -> str:
        """The span that stands for an id of the source."""
        return self._names.get(id, id)

    def hold(self, target: Sequence[Wanted], op: str, name: str, reads: Sequence[str] = ()) -> None:
        """Let the store hold exactly the target.

        What says something else under its id is rewritten, each by an event of its own; what
        comes, goes or moves is one change, the diff `name`. What comes back as it was is a
        rollback where the undo stack leads there and more comes back than has to go for it, else a
        span of another name. An id that stands for several contents at once is brought in again
        (SPN116).
        """
        last = {span.span: span for span in target}
        wanted = [self.renamed(last[id]) for id in dict.fromkeys(span.span for span in target)]
        wanted = self._come_back(wanted, op)
        for span in wanted:
            now = self._builder.live(span.span)
            changed = now is not None and now.text != span.content
            if changed and len(self._contents(target, span.span)) < 2:
                self._builder.rewrite(span.span, span.content, op)
        edits = self._edits(wanted)
        if edits:
            self._builder.change(edits, name, reads)
        self._clash(target)

    def renamed(self, span: Wanted) -> Wanted:
        """A span of the source under the name that it has here."""
        answers = None if span.answers is None else self.name(span.answers)
        return span._replace(span=self.name(span.span), answers=answers)

    def _contents(self, target: Sequence[Wanted], name: str) -> tuple[str, ...]:
        found = (span.content for span in target if self.name(span.span) == name)
        return tuple(dict.fromkeys(found))

    def _clash(self, target: Sequence[Wanted]) -> None:
        """Ids that stand for several contents: each new one takes the span's place silently."""
        many = Counter(span.span for span in target)
        clashes: dict[str, tuple[str, ...]] = {}
        for span in target:
            if many[span.span] < 2:
                continue
            contents = self._contents(target, self.name(span.span))
            if len(contents) < 2:
                continue
            clashes[span.span] = contents
            if span.content == contents[-1] and self._clashes.get(span.span) != contents:
                self._clashes[span.span] = contents
                self._builder.ingest(self.renamed(span), store=self.store)
        self._clashes = clashes

    def _come_back(self, wanted: list[Wanted], op: str) -> list[Wanted]:
        """Spans that were gone and say again what they said."""
        spans = self._builder.spans
        back = [
            index
            for index, span in enumerate(wanted)
            if (old := spans.get(span.span)) is not None and not old.live and old.held(span.content)
        ]
        if back:
            undone = self._builder.state.undone_ids
            back = [index for index in back if wanted[index].span not in undone]
        if not back:
            return wanted
        reach = wanted[: back[-1] + 1]
        stay = sum(self._builder.live(span.span) is not None for span in wanted[len(reach) :])
        back_by_undo = stay <= len(back) and all(self._on_stack(span.span) for span in reach)
        if back_by_undo and undo_brings_back(self._builder, self.store, reach):
            nodes = {span.span: self._builder.state.spans[span.span].node for span in reach}
            as_were = [span._replace(content=nodes[span.span].text) for span in reach]
            roll_back(self._builder, self.store, as_were, {"by": op})
            return wanted
        for index in back:
            id = wanted[index].span
            number = sum(name.startswith(f"{id}~") for name in self._names.values()) + 2
            self._names[id] = f"{id}~{number}"
            wanted[index] = wanted[index]._replace(span=self._names[id])
        return wanted

    def _on_stack(self, name: str) -> bool:
        seq = self._builder.entered(name)
        return seq is not None and self._builder.state.entry(seq) is not None

    def _edits(self, target: list[Wanted]) -> list[AnyEdit]:
        order = self._builder.order(self.store)
        names = {span.span for span in target}
        edits: list[AnyEdit] = [PruneEdit(span=name) for name in order if name not in names]
        place = {name: index for index, name in enumerate(order)}
        steady = _longest_rising([span.span for span in target if span.span in place], place)
        previous = before_store(self._builder, self.store)
        for span in target:
            if span.span not in place:
                edits.append(ingest_edit(span, store=self.store, after=previous))
            elif span.span not in steady:
                edits.append(MoveEdit(span=span.span, after=previous))
            previous = span.span
        return edits


def before_store(builder: JournalBuilder, store: str) -> str | None:
    """The span that stands before the first one of a store; null where none does."""
    return builder.before(builder.first(store))


def _longest_rising(names: list[str], place: dict[str, int]) -> set[str]:
    """The most names that stand in the wanted order already."""
    tails: list[int] = []
    ends: list[int] = []
    back: list[int | None] = []
    for index, name in enumerate(names):
        at = bisect_left(tails, place[name])
        back.append(ends[at - 1] if at else None)
        if at == len(tails):
            tails.append(place[name])
            ends.append(index)
        else:
            tails[at], ends[at] = place[name], index
    found: set[str] = set()
    at_end = ends[-1] if ends else None
    while at_end is not None:
        found.add(names[at_end])
        at_end = back[at_end]
    return found
