"""SPN rules about holders: is what was derived from a span still true? (seed 000)"""

from __future__ import annotations

from spanscope.rules.rule import Rule

HOLDERS = (
    Rule(
        code="SPN101",
        name="stale-holder",
        severity="warning",
        seed="000",
        summary="An event made a fresh live artifact stale and did not tell its holder.",
        remedy="Name the artifact in `invalidates`, or rewrite with `into` so its holder keeps "
        "the old text.",
        invariant="A retained span id is not a stability token. Whoever rewrites a span in place "
        "must tell every live holder: none of them will notice by itself.",
        claim="{artifact} still says what {span} says.",
        brief="{artifact} is stale: its holder was not told",
    ),
    Rule(
        code="SPN102",
        name="stale-use",
        severity="error",
        seed="000",
        summary="A stale or invalidated artifact was used and nothing caught it.",
        remedy="Check version and hash of the span at every use, and derive the artifact again "
        "where they differ.",
        invariant="A retained span id is a stability token only if version and content hash are "
        "checked at every use. Without the check a rewrite gives a plausible wrong answer.",
        claim="{artifact} may be used: {span} holds what it was derived from.",
        brief="{artifact} was used while stale",
    ),
    Rule(
        code="SPN103",
        name="stale-use-caught",
        severity="info",
        seed="000",
        summary="A holder came to use a stale artifact, saw it, and refused or derived it again.",
        remedy="Nothing is wrong; have the writer name its holders in `invalidates` to spare "
        "them the surprise.",
        invariant="A stale holder must fail its check at use time and derive again: a loud, local "
        "error instead of a silent wrong answer.",
        claim="{artifact} might no longer fit {span}, so its holder checked.",
        brief="{artifact} was stale, and its holder saw it",
    ),
    Rule(
        code="SPN104",
        name="false-alarm",
        severity="warning",
        seed="000",
        summary="A holder refused an artifact although content, version and origin were those it "
        "was derived from.",
        remedy="Compare the key against the span's current version and hash, not against "
        "revision, time or another span.",
        invariant="An artifact keyed on span id, version and content hash is valid exactly while "
        "these stand. Refusing it then only costs work.",
        claim="{artifact} no longer fits {span} and had to be refused.",
        brief="{artifact} was refused though it was fresh",
    ),
    Rule(
        code="SPN106",
        name="re-anchored-elsewhere",
        severity="error",
        seed="000",
        summary="An artifact was used at a range that is not where its own range now stands.",
        remedy="Follow the range through the edits, or search with quote, prefix and suffix and "
        "refuse where more than one place fits.",
        invariant="An offset that still resolves proves nothing: after a rewrite it may return "
        "text of another sentence. Only the place that the edits lead to is the artifact's own.",
        claim="{artifact} was found again in {span} at the place it was used.",
        brief="{artifact} was used at another place",
    ),
    Rule(
        code="SPN114",
        name="keyed-on-id-alone",
        severity="warning",
        seed="000",
        summary="An artifact whose key holds neither version nor hash stood on a span that was "
        "changed in place.",
        remedy="Give `version` and `hash` of the span with `derive`, and compare both at every "
        "use.",
        invariant="Derived artifacts are keyed on span id, version and content hash. A holder "
        "that keeps the id alone cannot detect any rewrite.",
        claim="The id of {span} is enough to recognise what {artifact} was derived from.",
        brief="{artifact} can't notice that {span} changed",
    ),
    Rule(
        code="SPN115",
        name="born-stale",
        severity="error",
        seed="000",
        summary="An artifact was derived with a version, a hash or a range that the span does "
        "not have now.",
        remedy="Read content, version and hash of the span in one step and derive from exactly "
        "that.",
        invariant="A key must name the content the artifact was made from. One that never "
        "matched the span protects nothing.",
        claim="{artifact} was derived from {span} as it is.",
        brief="{artifact} was stale when it was derived",
    ),
    Rule(
        code="SPN131",
        name="dangling-holder",
        severity="warning",
        seed="000",
        summary="A span was pruned while a live artifact was derived from it.",
        remedy="Release the artifact before pruning its span, or keep the span until the holder "
        "is done.",
        invariant="A pruned span fails loudly at the next dereference. Pruning is a decision "
        "about holders, so it is gated on whether any is alive.",
        claim="Nobody needs {span} any more.",
        brief="{span} was pruned under {artifact}",
    ),
    Rule(
        code="SPN132",
        name="dangling-use",
        severity="error",
        seed="000",
        summary="An artifact was used although its span is gone.",
        remedy="Release artifacts of a pruned span, or derive them again from the span that "
        "replaced it.",
        invariant="Using what was derived from a span that left the buffer is an error that "
        "must stop the holder, not an empty answer.",
        claim="{artifact} may be used: {span} is in the buffer.",
        brief="{artifact} was used, and its span is gone",
    ),
    Rule(
        code="SPN144",
        name="superseded-use",
        severity="info",
        seed="000",
        summary="An artifact was used whose span a later span supersedes.",
        remedy="Derive the artifact again from the superseding span where the newer text matters.",
        invariant="In append-only growth an old span stays true to itself, but an explicit "
        "marker says that a newer one took its place.",
        claim="{span} is the current text on its subject.",
        brief="{artifact} was used, its span is superseded",
    ),
)
