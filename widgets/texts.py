"""Which two texts a selection compares: what was read against now, before against after."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from spanscope.history.describing import length_of, number, short_hash

if TYPE_CHECKING:
    from spanscope.history.moment import Moment
    from spanscope.history.rows import DiffRow, UndoRow
    from spanscope.model.diffs import Diff
    from spanscope.model.node import Node
    from spanscope.model.undo import Part
    from spanscope.widgets.scene import Scene
    from spanscope.widgets.subject import Subject


class Side(NamedTuple):
    """One of two texts: what it is called in short and in full.

    `text` null: not known. `there`: whether the buffer had the span, else the text is empty.
    """

    label: str
    title: str
    text: str | None
    there: bool = True


class TextPair(NamedTuple):
    """Two states of one span's text. `what` names the comparison: `docs/3 as D7 read it`."""

    span: str
    what: str
    old: Side
    new: Side

    @property
    def differs(self) -> bool:
        """Whether both texts are known and not the same."""
        return None not in (self.old.text, self.new.text) and self.old.text != self.new.text


def compared(scene: Scene) -> list[TextPair]:
    """The texts that the selected thing compares, what differs first."""
    subject = scene.selected
    if subject is None:
        return []
    match subject.kind:
        case "span":
            found = _span_pairs(scene, str(subject.id))
        case "artifact":
            found = _artifact_pairs(scene, str(subject.id))
        case "diff":
            found = _diff_pairs(scene, str(subject.id))
        case _:
            found = _entry_pairs(scene, int(subject.id))
    return sorted(found, key=lambda pair: not pair.differs)


def span_of(scene: Scene, subject: Subject | None) -> str | None:
    """The span whose content a selection is about."""
    if subject is None:
        return None
    if subject.kind == "span":
        return str(subject.id)
    if subject.kind == "artifact":
        row = scene.moment.artifact(str(subject.id)) or scene.before.artifact(str(subject.id))
        return None if row is None else row.artifact.span
    if subject.kind == "entry":
        entry = entry_row(scene, int(subject.id))
        return entry.entry.parts[0].span if entry is not None and entry.entry.parts else None
    diff = diff_row(scene, str(subject.id))
    if diff is None:
        return None
    bad = [reason.span for reason in diff.judgement.reasons if reason.span is not None]
    named = [name for name in (*bad, *diff.diff.named_spans) if scene.moment.span(name)]
    return named[0] if named else None


def diff_row(scene: Scene, name: str) -> DiffRow | None:
    """A diff as staged now, or as it left at this step."""
    rows = scene.moment.staging(include_out=True)
    return next((row for row in rows if row.diff.diff == name), None)


def entry_row(scene: Scene, seq: int) -> UndoRow | None:
    """An undo entry as it stands now, or as it stood before this step."""
    return scene.moment.undo_row(seq) or scene.before.undo_row(seq)


def _side(label: str, moment: Moment, name: str, step: int) -> Side:
    """A span's text at a moment; none where the buffer is known not to hold it."""
    span = moment.span(name)
    if span is None:
        return Side(label, "not there", "" if moment.doubt is None else None, there=False)
    title = f"v{span.version}  {short_hash(span.hash)}  {length_of(span)} chars  {span.op}"
    there = span.life != "pruned" or span.doubt is not None
    text = span.text if there else ""
    return Side(f"{label} v{span.version}", f"{title} {span.written or step}", text, there=there)


def _span_pairs(scene: Scene, name: str) -> list[TextPair]:
    now = scene.moment.span(name)
    if now is None:
        return []
    if scene.since is not None:
        was = _side("pin", scene.since.was, name, scene.since.pin)
        what = f"{name} at the pin, {scene.since.pin}, and at {scene.seq}"
        return [TextPair(name, what, was, _side("now", scene.moment, name, now.seq))]
    step = now.seq
    position = scene.history.position(step)
    before = scene.history.seqs[position - 1] if position > 0 else 0
    was = _side("was", scene.history.at(before), name, before)
    what = f"{name} before and after {step}"
    return [TextPair(name, what, was, _side("now", scene.moment, name, step))]


def _artifact_pairs(scene: Scene, name: str) -> list[TextPair]:
    row = scene.moment.artifact(name) or scene.before.artifact(name)
    if row is None:
        return []
    pairs = []
    for source in row.artifact.base:
        then = Side(
            f"then v{source.version}",
            f"v{source.version}  {short_hash(source.hash)}  {number(source.length)} chars  "
            f"{source.produced_by}",
            _text(source.node),
        )
        now = _side("now ", scene.moment, source.span, scene.seq)
        what = f"{source.span} as {name} was derived from it, and now"
        pairs.append(TextPair(source.span, what, then, now))
    return pairs


def _text(node: Node | None) -> str | None:
    return node.text if node is not None and node.text_known else None


def _diff_pairs(scene: Scene, name: str) -> list[TextPair]:
    row = diff_row(scene, name)
    if row is None or row.diff.base is None:
        return []
    moment = scene.moment if row.left is None else scene.before
    pairs = []
    for span in _read_spans(row.diff):
        now = moment.span(span)
        old = _side("read", scene.history.at(row.diff.base.seq), span, row.diff.base.seq)
        new = _side("now", moment, span, scene.seq)
        read_at = f"r{row.diff.base.revision}"
        revision = None if now is None else scene.history.revision_at(now.seq)
        now_at = f"r{revision}" if revision is not None else ""
        what = f"{span} as {name} read it, and now"
        old = old._replace(label=f"read {read_at}", title=f"{read_at}  {old.title}")
        new = new._replace(label=f"now  {now_at}".rstrip(), title=f"{now_at}  {new.title}".strip())
        pairs.append(TextPair(span, what, old, new))
    return pairs


def _read_spans(diff: Diff) -> list[str]:
    if diff.reads_all and diff.base is not None:
        return list(dict.fromkeys([*diff.named_spans, *diff.base.order]))
    return list(diff.named_spans)


def _entry_pairs(scene: Scene, seq: int) -> list[TextPair]:
    row = entry_row(scene, seq)
    if row is None:
        return []
    return [_part_pair(part, seq) for part in row.entry.parts if part.kind != "move"]


def _part_pair(part: Part, seq: int) -> TextPair:
    old, new = part.before, part.after
    before = Side("before", f"before {seq}", old.text if old is not None else "")
    after = Side("after ", f"after {seq}", _text(new) if new is not None else "")
    return TextPair(part.span, f"{part.span} before and after {seq}", before, after)
