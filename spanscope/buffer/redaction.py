"""Texts that the journal must not hold: it gets others in their place, and says so.

The buffer works with the true texts. An event whose span held or holds a text that is redacted is
recorded as `redacted`, with its true hash: whoever audits the journal then knows the content by
its hash alone, and calls what depends on more unknown.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from msgspec.structs import replace

from spanscope.buffer.anchoring import inverse_of
from spanscope.journal.events import (
    AnyEvent,
    Apply,
    Derive,
    Ingest,
    Mark,
    Prune,
    Rewrite,
    Rollback,
    Splice,
    Stage,
)
from spanscope.journal.parts import (
    AnyEdit,
    IngestEdit,
    Inverse,
    QuoteRef,
    Ref,
    RewriteEdit,
    SpliceEdit,
)
from spanscope.model.content import content_hash
from spanscope.model.state import BufferState
from spanscope.model.undo import Part

Redact = Callable[[str], str]
"""What the journal gets instead of a text; the same text where it may be recorded."""


class Told(NamedTuple):
    """What goes with events that their records may need.

    `parts` are the edits of a diff, in order, or of the entries that a rollback undoes and makes
    again; `edits` are what a rollback comes to.
    """

    parts: Sequence[Part] = ()
    edits: Sequence[AnyEdit] = ()


NOTHING_TOLD = Told()


class Redaction:
    """Makes the record of an event. `redact` is asked of whole texts, and of what is cut of them.

    It must be deterministic, and must not use the buffer.
    """

    def __init__(self, redact: Redact) -> None:
        self._redact = redact

    def hides(self, text: str) -> bool:
        """Whether a text must not stand in the journal."""
        return self.of(text) != text

    def of(self, text: str) -> str:
        """What stands in its place.

        Raises TypeError where the function gives no string.
        """
        found = self._redact(text)
        if not isinstance(found, str):
            raise TypeError(f"redact must give a string, not {type(found).__name__}")
        return found

    def record(self, state: BufferState, event: AnyEvent, told: Told) -> AnyEvent:
        """The event as the journal gets it, before it happens."""
        if event.meta is not None:
            event = replace(event, meta=self._value(event.meta))
        if isinstance(event, Ingest):
            text = self.of(event.content)
            return event if text == event.content else replace(event, content=text, redacted=True)
        if isinstance(event, Rewrite | Splice | Prune):
            return self._change(state, event)
        if isinstance(event, Derive):
            hidden = event.quote is not None and self._hidden(state, event.span)
            return replace(event, quote=None) if hidden else event
        if isinstance(event, Mark):
            return replace(event, label=self.of(event.label))
        if isinstance(event, Stage):
            return self._stage(event, told.parts, state)
        if isinstance(event, Apply):
            return replace(event, inverses=[self._part_inverse(part) for part in told.parts])
        if isinstance(event, Rollback) and event.method == "replay" and self.hides_any(told.parts):
            return replace(event, edits=[self._bare(edit) for edit in told.edits])
        return event

    def _hidden(self, state: BufferState, name: str) -> bool:
        span = state.spans.get(name)
        return span is not None and self.hides(span.node.text)

    def _change(self, state: BufferState, event: Rewrite | Splice | Prune) -> AnyEvent:
        before = state.spans[event.span].node.text
        after = ""
        if isinstance(event, Rewrite):
            after = event.content
        elif isinstance(event, Splice):
            after = before[: event.at] + event.insert + before[event.at + event.delete :]
        if not self.hides(before) and not self.hides(after):
            return event
        inverse = None if event.inverse is None else self._inverse(event.inverse)
        if isinstance(event, Rewrite):
            content = self.of(after)
            flag = content != after
            return replace(event, content=content, redacted=flag, inverse=inverse)
        if isinstance(event, Splice):
            original = None if event.original is None else self.of(event.original)
            return replace(
                event,
                insert=self.of(event.insert),
                anchor=None,
                original=original,
                redacted=True,
                inverse=inverse,
            )
        return replace(event, redacted=True, inverse=inverse)

    def _inverse(self, inverse: Inverse) -> Inverse:
        """Without the text around the place: a secret cut in two hides from every pattern."""
        return replace(inverse, original=self.of(inverse.original), before="", after="")

    def hides_any(self, parts: Sequence[Part]) -> bool:
        """Whether any edit is of a text that must not stand in the journal."""
        return any(map(self._hides_part, parts))

    def _hides_part(self, part: Part) -> bool:
        texts = [part.before.node.text] if part.before is not None else []
        texts += [part.after.text] if part.after is not None else []
        return any(map(self.hides, texts))

    def _stage(self, event: Stage, parts: Sequence[Part], state: BufferState) -> Stage:
        edits = [self._edit(edit, part) for edit, part in zip(event.edits, parts, strict=True)]
        refs: list[Ref] = [
            replace(ref, text=self.of(ref.text))
            if isinstance(ref, QuoteRef) and self._hidden(state, ref.span)
            else ref
            for ref in event.refs
        ]
        return replace(event, edits=edits, refs=refs)

    def _edit(self, edit: AnyEdit, part: Part) -> AnyEdit:
        """A splice with a hidden text is recorded as the rewrite of its whole span."""
        if not isinstance(edit, IngestEdit | RewriteEdit | SpliceEdit):
            return edit
        if not self._hides_part(part):
            return edit
        assert part.after is not None
        content = self.of(part.after.text)
        claims: dict[str, Any] = {"hash": part.after.hash, "redacted": content != part.after.text}
        if isinstance(edit, SpliceEdit):
            return RewriteEdit(span=edit.span, op="splice", content=content, **claims)
        return replace(edit, content=content, **claims)

    def _bare(self, edit: AnyEdit) -> AnyEdit:
        """An edit that says a whole content, of a rollback."""
        if not isinstance(edit, IngestEdit | RewriteEdit):
            return edit
        content = self.of(edit.content)
        claims: dict[str, Any] = {"redacted": content != edit.content}
        claims["hash"] = content_hash(edit.content)
        return replace(edit, content=content, **claims)

    def _part_inverse(self, part: Part) -> Inverse | None:
        inverse = inverse_of(part)
        if inverse is None or not self._hides_part(part):
            return inverse
        if part.kind != "splice":
            return self._inverse(inverse)
        assert part.before is not None
        assert part.after is not None
        return Inverse(
            original=self.of(part.before.node.text),
            inserted=part.after.length,
            inserted_hash=part.after.hash,
        )

    def _value(self, value: Any) -> Any:
        """Plain data with its texts redacted."""
        if isinstance(value, str):
            return self.of(value)
        if isinstance(value, dict):
            return {name: self._value(item) for name, item in value.items()}
        if isinstance(value, list):
            return [self._value(item) for item in value]
        return value
