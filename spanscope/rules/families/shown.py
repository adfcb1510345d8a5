"""SHN rules: was the model shown what the buffer holds?"""

from __future__ import annotations

from spanscope.rules.rule import Rule

SHOWN = (
    Rule(
        code="SHN401",
        name="shown-otherwise",
        severity="info",
        seed="",
        summary="A model call was shown another text than the stored one.",
        remedy="Rewrite the span before the call where the shortened text should count, so that "
        "holders and diffs see it.",
        invariant="What the model read is what the buffer holds. Text that is cleared or "
        "trimmed at call time is a rewrite that no version records.",
        claim="The model read {span} as it is stored.",
        brief="the call shows another text of {span}",
    ),
    Rule(
        code="SHN402",
        name="gone-span-shown",
        severity="error",
        seed="",
        summary="A model call was shown a pruned or tombstoned span.",
        remedy="Build the prompt from the live spans of the buffer, never from a list kept "
        "beside it.",
        invariant="Only live spans are shown. A pruned span that reaches the model was not "
        "pruned, and a tombstone is there for its holders alone.",
        claim="{span} is live.",
        brief="the call shows {span}, which is gone",
    ),
    Rule(
        code="SHN403",
        name="shown-twice",
        severity="warning",
        seed="",
        summary="A model call was shown one span, or one answer, twice.",
        remedy="Drop the duplicate when the prompt is built; one tool call takes one result.",
        invariant="A span stands once in the order of the buffer, and a call is answered once. "
        "What is shown follows it.",
        claim="{span} is shown once.",
        brief="the call shows {span} twice",
    ),
    Rule(
        code="SHN404",
        name="prefix-rewritten",
        severity="info",
        seed="",
        summary="What the call before was shown is no prefix of what this one is shown.",
        remedy="Keep rewrites near the end of the prompt, or collect them and pay for one cache "
        "miss instead of many.",
        invariant="A provider's prompt cache serves an unchanged prefix. From the first item "
        "that differs everything is computed again.",
        claim="The prompt only grew since the call before.",
        brief="the prompt differs from the last at {span}",
    ),
)
