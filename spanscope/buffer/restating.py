"""What a draft comes to, said as edits of whole contents."""

from __future__ import annotations

from spanscope.journal.parts import AnyEdit, IngestEdit, MoveEdit, PruneEdit, RewriteEdit
from spanscope.model.spans import Span
from spanscope.model.state import BufferState
from spanscope.model.transaction import Transaction


def edits_to(state: BufferState, draft: Transaction) -> list[AnyEdit]:
    """Edits that lead from the buffer to the draft: its live spans, contents and order."""
    edits: list[AnyEdit] = []
    order = list(state.order)
    for name, after in draft.work.items():
        before = state.spans.get(name)
        was_live = before is not None and before.live
        if before is not None and not before.gone and after.gone:
            edits.append(PruneEdit(span=name))
            order = [other for other in order if other != name]
        elif was_live and before is not None and before.node.same_content(after.node) is not True:
            edits.append(RewriteEdit(span=name, op="rollback", content=after.node.text))
        elif after.live and not was_live:
            edits.append(_ingest(after))
            order.append(name)
    return edits + _moves(order, draft.order)


def _ingest(span: Span) -> IngestEdit:
    return IngestEdit(
        span=span.span,
        role=span.role,
        origin=span.produced_by,
        store=span.store or "context",
        answers=span.answers,
        content=span.node.text,
    )


def _moves(order: list[str], wanted: list[str]) -> list[AnyEdit]:
    """Moves that put the ids into the wanted order."""
    edits: list[AnyEdit] = []
    for place, name in enumerate(wanted):
        if order[place] != name:
            order.remove(name)
            order.insert(place, name)
            edits.append(MoveEdit(span=name, after=wanted[place - 1] if place else None))
    return edits
