"""DIF rules: may this diff still be applied? (seed 004)"""

from __future__ import annotations

from spanscope.rules.rule import Rule

DIFFS = (
    Rule(
        code="DIF301",
        name="read-set-drift",
        severity="warning",
        seed="004",
        summary="Something that a staged diff read is no longer what it was at its base.",
        remedy="Reject the diff, read the changed spans again and author it against the current "
        "revision.",
        invariant="Every region that a diff reads must be byte-identical between its base and "
        "now. A merge compares only what is written, so it sees no conflict here.",
        claim="What {diff} read is as it was at its base.",
        brief="what {diff} read has changed",
    ),
    Rule(
        code="DIF302",
        name="positional-drift",
        severity="warning",
        seed="004",
        summary="A positional anchor of a staged diff has a change at or before it since the base.",
        remedy="Locate the edit by `anchor` instead of `at`, or author it against the current "
        "revision.",
        invariant="A diff with line numbers, offsets or indices is rejected once the base "
        "advanced at or before them, because offset drift is silent.",
        claim="The positions that {diff} names still point where they did.",
        brief="the positions in {diff} may have moved",
    ),
    Rule(
        code="DIF303",
        name="unresolved-reference",
        severity="warning",
        seed="004",
        summary="A reference of a staged diff does not resolve against the live buffer.",
        remedy="Read the span that the reference names again and author the diff without it or "
        "with what stands there now.",
        invariant="Every reference inside a diff (identifier, quotation, line, hash) resolves "
        "against the live base, not merely against the one it was authored on.",
        claim="Everything that {diff} refers to is in the buffer.",
        brief="{diff} refers to what is not there",
    ),
    Rule(
        code="DIF304",
        name="unreachable-rollback",
        severity="warning",
        seed="004",
        summary="A staged diff has no place to be applied at, or its inverse would not find one "
        "place afterwards.",
        remedy="Author the diff again with anchors that exist once in the span as it is now.",
        invariant="If you cannot roll back, you must not roll forward: the inverse must be "
        "constructible with an anchor that resolves.",
        claim="{diff} can be applied and undone again.",
        brief="{diff} can't be applied and undone again",
    ),
    Rule(
        code="DIF305",
        name="fragile-rollback",
        severity="warning",
        seed="004",
        summary="One more write would make the inverse of a staged diff unlocatable.",
        remedy="Replace the whole span, choose text that is unique in it, or apply the other "
        "staged diff first and author this one again.",
        invariant="A diff is safely applicable only if its inverse stays reachable under at "
        "least one intervening write.",
        claim="{diff} can still be undone after the next write.",
        brief="{diff} can't be undone after one more write",
    ),
    Rule(
        code="DIF306",
        name="conflict",
        severity="warning",
        seed="004",
        summary="A staged diff and a change since its base want the same characters.",
        remedy="Merge by hand: read what the other writer put there and author the diff on top "
        "of it.",
        invariant="A conflict is a disagreement about the same region; reconciliation decides "
        "it, and only after the staleness checks have passed.",
        claim="Nobody else changed what {diff} changes.",
        brief="{diff} and a change want the same text",
    ),
    Rule(
        code="DIF307",
        name="ambiguous-edit",
        severity="warning",
        seed="004",
        summary="What an edit was sought by fits in several places of its span.",
        remedy="Give more characters as `anchor`, or read the place and give `at` with `original`.",
        invariant="An edit must be located in exactly one place. A first match among several "
        "may change text that the author never meant.",
        claim="The text that was sought exists once in {span}.",
        brief="an edit was sought by what fits several times",
    ),
    Rule(
        code="DIF311",
        name="stale-apply",
        severity="error",
        seed="004",
        summary="A diff was applied while it was stale, in conflict or unreachable.",
        remedy="Refuse the diff (StaleBaseError), read what drifted and author it against the "
        "current revision.",
        invariant="Staleness is checked first, on the read set; only survivors are reconciled. "
        "An apply that skips the check commits text about evidence that is gone.",
        claim="{diff} may be applied: what it read and refers to is as it was at its base.",
        brief="{diff} was applied and should not have been",
    ),
    Rule(
        code="DIF312",
        name="needless-reject",
        severity="warning",
        seed="004",
        summary="A diff was rejected although it could be applied safely.",
        remedy="Compare the read set instead of the base digest, and reconcile what is disjoint.",
        invariant="Do not reject merely because the base moved. Where the read set is disjoint "
        "from all changes and the inverse anchors, reconciliation is the correct path.",
        claim="{diff} could not be applied any more.",
        brief="{diff} was rejected without need",
    ),
    Rule(
        code="DIF313",
        name="phantom-base",
        severity="error",
        seed="004",
        summary="A diff names a base revision, a digest or a read that never existed.",
        remedy="Take revision, digest and reads from one snapshot of the buffer at authoring time.",
        invariant="A diff is valid against the base it was authored on. One that never existed "
        "proves nothing about what was read.",
        claim="{diff} was authored against a state that the buffer once had.",
        brief="{diff} names a base or read that never was",
    ),
    Rule(
        code="DIF314",
        name="undeclared-read",
        severity="warning",
        seed="004",
        summary="A staged diff splices or refers into a span that its reads leave out.",
        remedy="Add the span to `reads` with the hash of what was seen.",
        invariant="The read set holds everything that a diff depends on. A region missing from "
        "it can drift without anybody looking.",
        claim="The reads of {diff} name everything it depends on.",
        brief="{diff} touches what its reads leave out",
    ),
    Rule(
        code="DIF315",
        name="applied-otherwise",
        severity="warning",
        seed="004",
        summary="What was applied is not what was staged, beyond finding its place again.",
        remedy="Withdraw the diff and stage what is really meant; an apply may only re-anchor.",
        invariant="Authorship does not imply validity at apply time: what was judged is what "
        "must be committed.",
        claim="{diff} was committed as it was staged.",
        brief="{diff} was applied otherwise than staged",
    ),
    Rule(
        code="DIF316",
        name="lost-update",
        severity="error",
        seed="004",
        summary="A direct change was based on another state of its span and overwrote what it "
        "never saw.",
        remedy="Compare version and hash right before the write, and read again where they differ.",
        invariant="A change carries what its writer believed it was changing. Where the span "
        "has moved on, the write is stale like any diff on a stale base.",
        claim="{span} was still what its writer had read.",
        brief="an old state of {span} overwrote a newer one",
    ),
    Rule(
        code="DIF317",
        name="livelock",
        severity="info",
        seed="004",
        summary="Three diffs in a row of one author over the same spans were rejected.",
        remedy="Narrow the reads to what is needed, or let the author write while the others wait.",
        invariant="Treating all drift as fatal produces needless re-authoring and is itself an "
        "operational failure: livelock under concurrent writers.",
        claim="The next attempt at {span} will go in.",
        brief="three rejections in a row of one author",
    ),
    Rule(
        code="DIF318",
        name="partial-apply",
        severity="error",
        seed="004",
        summary="An apply that reports partial or failed moved content.",
        remedy="Apply all edits or none: undo the edits that were made before the failure is "
        "reported.",
        invariant="Diffs are applied transactionally. Half a diff is a state that nobody "
        "authored and no inverse describes.",
        claim="{diff} went in whole or not at all.",
        brief="{diff} was applied in part",
    ),
)
