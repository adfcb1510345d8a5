"""SPN rules about changes to spans: versions, hashes, ids, tombstones, answers (seed 000)."""

from __future__ import annotations

from spanscope.rules.rule import Rule

SPANS = (
    Rule(
        code="SPN111",
        name="version-not-advanced",
        severity="error",
        seed="000",
        summary="A span's content changed and the version claimed for it did not increase.",
        remedy="Raise the version inside the one function that writes content, so that no "
        "change, through a view or otherwise, goes round it.",
        invariant="The version increases at every mutation. A rewrite that keeps id and version "
        "is invisible to everybody who checks.",
        claim="{span} is still at the version its holders know.",
        brief="{span} changed and kept its version",
    ),
    Rule(
        code="SPN112",
        name="hash-not-recomputed",
        severity="error",
        seed="000",
        summary="The hash claimed for a span is not the hash of its content.",
        remedy="Compute the SHA-256 of the UTF-8 content after the change, never before it and "
        "never from a cache.",
        invariant="The content hash is recomputed after every mutation. A hash that lags behind "
        "makes stale artifacts look fresh.",
        claim="The hash given for {span} is the hash of its content.",
        brief="the claimed hash of {span} is wrong",
    ),
    Rule(
        code="SPN113",
        name="unversioned-mutation",
        severity="warning",
        seed="000",
        summary="Content changed in place under a live holder with neither a version nor a hash "
        "claimed.",
        remedy="Write `version` and `hash` with every in-place change.",
        invariant="The buffer guarantees that the version increments and the hash is recomputed "
        "at every mutation. A change that shows neither cannot be checked by its holders.",
        claim="{span} may change without anybody being able to see it.",
        brief="{span} changed without version or hash",
    ),
    Rule(
        code="SPN116",
        name="id-reused",
        severity="error",
        seed="000",
        summary="A new span took an id that was already used.",
        remedy="Make span ids unique for the whole session, for example with a counter or the "
        "version in the id.",
        invariant="A span id is a handle that holders keep. Giving it to new content is a "
        "rewrite that nobody can see.",
        claim="The id {span} has never stood for anything else.",
        brief="the id {span} was used before",
    ),
    Rule(
        code="SPN121",
        name="in-place-under-holder",
        severity="warning",
        seed="000",
        summary="A span was changed in place under a live expensive holder that was not told.",
        remedy="Rewrite with `into`: the new text gets a new id, the old span stays readable as "
        "a tombstone.",
        invariant="Where the holder's artifact is expensive to rebuild, copy on rewrite. Never "
        "mutate in place and rely on the holder to notice.",
        claim="{span} may be changed in place: no holder pays for it.",
        brief="{span} changed in place under {artifact}",
    ),
    Rule(
        code="SPN133",
        name="orphaned-answer",
        severity="error",
        seed="000",
        summary="At a model call or at the end, a live span answers a span that is gone.",
        remedy="Prune a tool call and its results together, or keep both.",
        invariant="A pruned span is gone for everything that refers to it. A result whose call "
        "left the buffer answers a question that the model cannot see.",
        claim="The call that {span} answers is still in the buffer.",
        brief="{span} answers a call that is gone",
    ),
    Rule(
        code="SPN141",
        name="collected-while-held",
        severity="error",
        seed="000",
        summary="Compaction took a tombstone that an artifact, a snapshot or a staged diff still "
        "needs.",
        remedy="Collect a tombstone only when its last holder has released it, whatever its age.",
        invariant="Compaction is itself a pruning decision and is gated on whether holders "
        "live, not on age.",
        claim="Nobody holds the tombstone {span} any more.",
        brief="{span} was collected and is still needed",
    ),
    Rule(
        code="SPN142",
        name="not-a-tombstone",
        severity="error",
        seed="000",
        summary="Compaction named a span that is no tombstone.",
        remedy="Prune live spans with `prune`; name only tombstones in `compact`.",
        invariant="Compaction collects tombstoned spans and nothing else. A live span leaves "
        "the buffer by a prune, which its holders can see and which can be undone.",
        claim="{span} is a tombstone waiting to be collected.",
        brief="{span} was collected and is no tombstone",
    ),
    Rule(
        code="SPN143",
        name="tombstone-mutated",
        severity="error",
        seed="000",
        summary="An event changed a tombstone.",
        remedy="Change the live span that took the tombstone's place.",
        invariant="After copy-on-rewrite the old span is frozen: its holders keep a reference "
        "that can never change under them.",
        claim="{span} is live and may be changed.",
        brief="{span} is a tombstone and was changed",
    ),
)
