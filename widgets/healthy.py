"""What a subject is at a step, in one sentence, whether or not anything is wrong with it."""

from __future__ import annotations

from bisect import bisect_right
from typing import TYPE_CHECKING

from spanscope.history.describing import counted, entry_name
from spanscope.widgets.lines import shown_line
from spanscope.widgets.texts import diff_row

if TYPE_CHECKING:
    from spanscope.history.rows import ArtifactRow, DiffRow, UndoRow
    from spanscope.widgets.scene import Scene
    from spanscope.widgets.subject import Subject

_DIRECT = {
    "exact": "its inverse fits exactly once, where the edit was made",
    "moved": "its inverse fits exactly once, where the edit has moved to",
    "ambiguous": "its inverse fits in {places} places",
    "misleading": "its inverse fits once, and not where the edit was made",
    "clobbered": "what it put there is no longer there",
    "lost": "its place is gone",
    "missing": "it has no inverse",
    "unknown": "whether its inverse fits is unknown",
}

_VERDICTS = {
    "admissible": "may be applied: nothing has changed since r{base}",
    "reconcilable": "may be applied: the buffer moved on from r{base}, but not in what it reads",
    "stale": "is stale: what it read or refers to has changed since r{base}",
    "unreachable": "could not be undone after it is applied",
    "conflict": "is in conflict: somebody changed the same text since r{base}",
    "unknown": "can't be judged",
}


DOUBTS_NAMED = 12
"""Of what is unknown for one reason so many are named."""

DOUBT_WIDTH = 40


def doubts(scene: Scene) -> list[str]:
    """What the whole journal leaves unknown, a sentence for each reason."""
    named: dict[str, list[str]] = {}
    for each in scene.doubts:
        kind, name = next(iter(each.subject.items()), ("", ""))
        known = named.setdefault(each.why, [])
        if len(known) < DOUBTS_NAMED:
            what = f"#{name}" if kind == "entry" else f"{name} at {each.since}"
            known.append(shown_line(what, DOUBT_WIDTH))
    return [
        f"{why}: {', '.join(names)}{' ..' * (len(names) == DOUBTS_NAMED)}"
        for why, names in named.items()
    ]


def beginning(scene: Scene, name: str, most: int) -> str:
    """The first lines of a span's text, about so many characters; empty where it is unknown."""
    span = scene.moment.span(name)
    text = None if span is None else span.text
    return "" if text is None else "\n".join(map(shown_line, text[: 2 * most].split("\n")))


def is_bad(scene: Scene, subject: Subject) -> bool:
    """Whether something is wrong with the subject at this step."""
    match subject.kind:
        case "artifact":
            row = scene.moment.artifact(str(subject.id))
            return row is not None and row.judgement.state != "fresh"
        case "entry":
            entry = scene.moment.undo_row(int(subject.id))
            return entry is not None and (
                entry.reachable is not True
                or (entry.status.direct not in ("exact", "moved") and not entry.by_offset_alone)
            )
        case "diff":
            diff = diff_row(scene, str(subject.id))
            return diff is not None and (
                diff.judgement.verdict not in ("admissible", "reconcilable")
                or diff.judgement.fragile
            )
        case _:
            span = scene.moment.span(str(subject.id))
            return span is not None and span.doubt is not None


def state_of(scene: Scene, subject: Subject) -> str:
    """The state of the subject as a sentence."""
    match subject.kind:
        case "artifact":
            artifact = scene.moment.artifact(str(subject.id))
            return _absent(scene, subject) if artifact is None else _artifact(artifact)
        case "entry":
            entry = scene.moment.undo_row(int(subject.id))
            return _absent(scene, subject) if entry is None else _entry(entry)
        case "diff":
            diff = diff_row(scene, str(subject.id))
            return _absent(scene, subject) if diff is None else _diff(diff)
        case _:
            return _span(scene, subject)


def _absent(scene: Scene, subject: Subject) -> str:
    touched = scene.history.touched(subject.ids)
    word = {"entry": "on the undo stack", "diff": "staged"}.get(subject.kind, "there")
    if not touched:
        return f"{subject.name} is not {word} at {scene.seq}"
    if touched[0] > scene.seq:
        return f"{subject.name} is not {word} yet at {scene.seq}: it comes at {touched[0]}"
    last = touched[bisect_right(touched, scene.seq) - 1]
    return f"{subject.name} is not {word} any more: it was last touched at {last}"


def _artifact(row: ArtifactRow) -> str:
    artifact, judgement = row.artifact, row.judgement
    name = artifact.artifact
    if judgement.state == "fresh":
        if judgement.signals:
            words = ", ".join(judgement.signals)
            return f"{name} is fresh: the same text as when derived at {artifact.seq} ({words})"
        return f"{name} is fresh: same version, hash and origin as when derived at {artifact.seq}"
    if judgement.state == "unknown":
        return f"{name} can't be judged: {judgement.why or 'what it was derived from is unknown'}"
    since = f" since {judgement.cause}" if judgement.cause is not None else ""
    if judgement.state == "invalidated":
        return f"{name} is invalidated{since}: its holder was told that {artifact.span} changed"
    if judgement.state == "dangling":
        return f"{name} is dangling{since}: {artifact.span} is gone"
    return f"{name} is stale{since}: {judgement.culprit} is not what it was derived from"


def _entry(row: UndoRow) -> str:
    entry = row.entry
    what = _DIRECT[row.status.direct].format(places=len(row.places) or "several")
    if row.by_offset_alone:
        what = "only its offset says where, which holds in strict order"
    name = f"#{entry.seq} {entry.op} {entry_name(entry)}"
    if row.reachable is True:
        return f"{name} can be undone: {what}"
    if row.reachable is None:
        return f"whether {name} can be undone is unknown: {what}"
    if row.blocked_by is None or row.blocked_by == entry.seq:
        return f"{name} can't be undone: {what}"
    return f"{name} can't be reached: #{row.blocked_by} above it can't be undone; {what}"


def _diff(row: DiffRow) -> str:
    said = _VERDICTS[row.judgement.verdict].format(base=row.diff.claimed.revision)
    if row.judgement.why:
        said += f": {row.judgement.why}"
    if row.judgement.fragile:
        said += "; one more write would make its inverse unlocatable"
    if row.left is not None:
        said += f" ({row.left})"
    return f"{row.diff.diff} {said}"


def _span(scene: Scene, subject: Subject) -> str:
    span = scene.moment.span(str(subject.id))
    if span is None:
        return _absent(scene, subject)
    name = f"{span.span} v{span.version}"
    if span.doubt is not None:
        return f"{name} is unknown since {span.doubt.since}: {span.doubt.why}"
    known = span.node.text_known
    size = counted(span.node.length, "char")
    if span.live:
        held = f"live: {size}" if known else "live, but its text is not recorded"
        return f"{name} is {held}, written at {span.written} by {span.op}"
    held = f"it had {size}" if known else "its text was not recorded"
    if span.life == "tombstone":
        into = f", its copy is {span.into}" if span.into else ""
        return f"{name} is a tombstone since {span.seq}{into}; {held}"
    return f"{name} is {span.life} since {span.seq}; {held}"
