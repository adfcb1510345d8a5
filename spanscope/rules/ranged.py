"""Does an artifact's range still cut out the text that it stood for? (seed 000)

The signal `boundary-crossed` says that it can't: the range ends past the length, or an end lies
inside a character (`bytes`) or a token (`tokens`). For `chars` and `bytes` the range is looked at
where the holder keeps it, at its own offsets. A range in tokens counts them, so its offsets always
lie between two: its end must not exceed the number of tokens that the text has now, and the text
that it stood for, followed through the edits since, must still begin where a token begins and end
where one ends. Where the tokens can't be told, or the content is not recorded, nothing is said.
"""

from __future__ import annotations

from typing import NamedTuple

from spanscope.model.between import changes_between
from spanscope.model.ranges import Range, Scale, Stand, scale
from spanscope.model.spans import Artifact, Span
from spanscope.model.state import BufferState
from spanscope.model.tokens import UntoldTokensError
from spanscope.rules.judgements import ArtifactJudgement


class RangeNow(NamedTuple):
    """What became of an artifact's range.

    `crossed` is null where it can't be told (`why`). `intact`: the same text stands at the same
    offsets; `moved`: where else it stands, once. `meant` is the text that it stood for when it was
    derived, `obtained` what stands at its offsets now.
    """

    crossed: bool | None = False
    why: str | None = None
    intact: bool | None = None
    moved: Range | None = None
    meant: str | None = None
    obtained: str | None = None


def judge_range(artifact: Artifact, span: Span | None) -> RangeNow:
    """What became of an artifact's range in its span as it is now."""
    if artifact.range is None:
        return RangeNow(meant=artifact.exact)
    try:
        base, now = _base(artifact), _now(artifact, span)
    except UntoldTokensError as untold:
        return RangeNow(None, str(untold), meant=artifact.exact)
    meant = artifact.exact if base is None else base.slice(artifact.range)
    if now is None:
        return RangeNow(None, f"the content of {artifact.span} is not recorded", meant=meant)
    obtained = now.slice(artifact.range)
    crossed = not now.holds(artifact.range) or _inside_a_token(artifact, span, base, now)
    if meant is None:
        return RangeNow(crossed, obtained=obtained)
    intact = obtained == meant and not crossed
    moved = None if intact else now.find(meant)
    return RangeNow(crossed, None, intact, moved, meant, obtained)


def may_be_intact(state: BufferState, artifact: Artifact, found: ArtifactJudgement) -> bool:
    """Whether the text in the range of a stale artifact is the same, as far as is known.

    Where events were lost that may have told its text, it may be; a matching digest ends that.
    """
    if found.range_intact is not None or artifact.range is None or state.doubt is None:
        return found.range_intact is True
    own = state.spans.get(artifact.span)
    known = own is not None and own.text is not None and artifact.base[0].text_known
    return not known and "boundary-crossed" not in found.signals


def why_no_range(artifact: Artifact, text: str) -> tuple[str, int] | None:
    """Why the artifact's range is no range of a text, and how many units that has.

    Null where it is one, or where that can't be told.
    """
    if artifact.range is None:
        return None
    try:
        measured = scale(artifact.unit, text, artifact.tokenizer)
        if measured.holds(artifact.range):
            return None
    except UntoldTokensError:
        return None
    start, end = artifact.range
    if end < start:
        why = "which ends before it starts"
    elif start >= 0 and end <= measured.length:
        why = f"which cuts a character of {artifact.span} in two"
    else:
        why = f"outside {artifact.span} ({measured.length} {artifact.unit})"
    return why, measured.length


def stands_now(artifact: Artifact, span: Span) -> Stand | None:
    """Where the artifact's own range, followed through the edits, stands now.

    Null where it can't be told: no range in its text, no tokenizer, or unknown content.
    """
    if artifact.range is None:
        return None
    try:
        base, now = _base(artifact), _now(artifact, span)
    except UntoldTokensError:
        return None
    if base is None or now is None or not base.holds(artifact.range):
        return None
    return _followed(artifact, span, base, now)


def _base(artifact: Artifact) -> Scale | None:
    """The text that the artifact was derived from, measured in its unit."""
    node = artifact.base[0].node
    if node is None or not node.text_known:
        return None
    return scale(artifact.unit, node.text, artifact.tokenizer)


def _now(artifact: Artifact, span: Span | None) -> Scale | None:
    text = None if span is None else span.text
    return None if text is None else scale(artifact.unit, text, artifact.tokenizer)


def _followed(artifact: Artifact, span: Span, base: Scale, now: Scale) -> Stand:
    node = artifact.base[0].node
    assert node is not None
    assert artifact.range is not None
    return base.followed(artifact.range, changes_between(node, span.node), now)


def _inside_a_token(artifact: Artifact, span: Span | None, base: Scale | None, now: Scale) -> bool:
    """Whether the text that a range of tokens stood for now begins or ends inside a token."""
    if artifact.unit != "tokens" or span is None or base is None or artifact.range is None:
        return False
    return base.holds(artifact.range) and _followed(artifact, span, base, now).range is None
