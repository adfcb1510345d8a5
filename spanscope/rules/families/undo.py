"""UND rules: can every change be undone, exactly? (seed 003)"""

from __future__ import annotations

from spanscope.rules.rule import Rule

UNDO = (
    Rule(
        code="UND201",
        name="missing-inverse",
        severity="error",
        seed="003",
        summary="A change that needs an inverse record has none.",
        remedy="Commit the inverse before or with the change, and let the change fail where the "
        "log cannot take it.",
        invariant="No buffer mutation may outrun its inverse. A mutation whose inverse is not "
        "recorded is unrecoverable, never best effort.",
        claim="{entry} can be undone.",
        brief="{entry} has no inverse: it can't be undone",
    ),
    Rule(
        code="UND202",
        name="late-inverse",
        severity="error",
        seed="003",
        summary="The inverse reached the log only after its change.",
        remedy="Write the inverse first, then change the buffer; never the other way round.",
        invariant="An inverse is committed before or atomically with its mutation. Whatever "
        "fails in between leaves a buffer that is ahead of its log.",
        claim="{entry} could be undone from the moment it was made.",
        brief="the inverse of {entry} came after its change",
    ),
    Rule(
        code="UND203",
        name="evicted-inverse",
        severity="error",
        seed="003",
        summary="An inverse was dropped from the log.",
        remedy="Never evict an inverse by size or age: take a checkpoint with a snapshot first, "
        "or refuse further changes.",
        invariant="The log is complete: every mutation has its inverse in it. A bounded log "
        "that evicts makes every older entry unreachable too.",
        claim="The log still holds the inverse of {entry}.",
        brief="the inverse of {entry} was dropped",
    ),
    Rule(
        code="UND204",
        name="wrong-inverse",
        severity="error",
        seed="003",
        summary="The inverse does not describe what the change replaced, what it put there, or "
        "what stood around it.",
        remedy="Read `original` from the buffer just before the change, and take the anchors "
        "around the inserted text as it stands after it.",
        invariant="The undo log is causally consistent with the buffer that it claims to "
        "describe. A wrong inverse restores text that was never there.",
        claim="The inverse of {entry} describes what it really changed.",
        brief="the inverse of {entry} is wrong",
    ),
    Rule(
        code="UND205",
        name="ambiguous-anchor",
        severity="warning",
        seed="003",
        summary="Right after the change its evidence fits in more than one place, or only in a "
        "wrong one.",
        remedy="Lengthen the anchors until they are unique, and record `inserted_hash`; `at` "
        "helps in strict last-in-first-out order.",
        invariant="Anchors must find one place, the edit's own. The first match among equal "
        "blocks writes the old text into the wrong one.",
        claim="The anchors of {entry} find the one place where it was made.",
        brief="the anchors of {entry} don't find its place",
    ),
    Rule(
        code="UND206",
        name="offset-only-inverse",
        severity="info",
        seed="003",
        summary="An inverse is located by an absolute offset alone.",
        remedy="Record the characters around the inserted text as `before` and `after`.",
        invariant="Absolute offsets are valid only under strict last-in-first-out replay. "
        "Anchors survive length changes in between, offsets do not.",
        claim="Nothing will move before {entry} is undone.",
        brief="{entry} is located by its offset alone",
    ),
    Rule(
        code="UND207",
        name="overlapping-offsets",
        severity="warning",
        seed="003",
        summary="An offset-only inverse lies over text that another one since the last "
        "checkpoint changed.",
        remedy="Take a checkpoint between overlapping rewrites, or record anchors.",
        invariant="If offsets may shift between edits, store anchors, or forbid overlapping "
        "rewrites until a checkpoint is taken.",
        claim="The offset of {entry} stands clear of the changes before it.",
        brief="{entry} lies over text that changed since",
    ),
    Rule(
        code="UND211",
        name="entries-unreachable",
        severity="info",
        seed="003",
        summary="An event made undo entries unreachable that were reachable before.",
        remedy="Restore a snapshot checkpoint, or go on without the entries named here; the "
        "rule beside this one says what to repair.",
        invariant="Rollback consumes the log strictly last-in-first-out, so one blocked entry "
        "blocks everything below it.",
        claim="Everything on the undo stack could still be undone.",
        brief="{entry} blocks the undo of what is below it",
    ),
    Rule(
        code="UND221",
        name="rollback-corrupted",
        severity="error",
        seed="003",
        summary="After a rollback a span is not what it was before the undone changes.",
        remedy="Locate each edit by its anchors and refuse the whole rollback where one is not "
        "found; compare hashes afterwards.",
        invariant="A rollback is an inverse: the hash after it is the hash from before the "
        "edit. Anything else is a text that never existed.",
        claim="{span} is back to what it was before the undone changes.",
        brief="the rollback did not restore {span}",
    ),
    Rule(
        code="UND222",
        name="rollback-out-of-order",
        severity="error",
        seed="003",
        summary="A rollback skipped entries in between, undid them out of order, or went "
        "through a missing inverse.",
        remedy="Undo from the head down to the target, every entry in between included, and "
        "redo what should stay.",
        invariant="Rollback consumes the log strictly last-in-first-out. A selective one "
        "replays the skipped inverses in reverse order and never jumps.",
        claim="{entry} could be undone without the entries above it.",
        brief="the rollback was out of order at {entry}",
    ),
    Rule(
        code="UND223",
        name="rollback-past-start",
        severity="error",
        seed="003",
        summary="A rollback asked for more steps than the undo stack has.",
        remedy="Count what is on the stack before undoing, and refuse where it is too short.",
        invariant="A rollback past the start of the log has no inverse to replay and must fail "
        "before anything moves.",
        claim="The undo stack holds as many entries as were asked for.",
        brief="more steps than the undo stack has",
    ),
    Rule(
        code="UND224",
        name="restore-without-snapshot",
        severity="error",
        seed="003",
        summary="A rollback restored a checkpoint that kept no full copy.",
        remedy="Roll back with `method: replay`, or take the checkpoint with `snapshot: true`.",
        invariant="Restoring a target is safe only when a full immutable snapshot exists there. "
        "Otherwise inverses are replayed from the head down.",
        claim="The checkpoint holds a full copy of the buffer.",
        brief="restored from a checkpoint without a copy",
    ),
    Rule(
        code="UND225",
        name="partial-rollback",
        severity="warning",
        seed="003",
        summary="A rollback to a checkpoint left another store as it is though it changed since.",
        remedy="Roll back every store that changed since the checkpoint, or say which one stays "
        "and tell the model.",
        invariant="A buffer that is half before and half after an edit is neither state. What "
        "was changed together is undone together.",
        claim="Everything is as it was at the checkpoint.",
        brief="the rollback left another store as it is",
    ),
    Rule(
        code="UND226",
        name="undid-another-actor",
        severity="info",
        seed="003",
        summary="A rollback undid an entry of another actor.",
        remedy="Tell the actor whose change is gone, or redo it after the rollback.",
        invariant="The undo stack is shared by all who write the buffer. Strict order undoes "
        "what others did in between.",
        claim="Only the actor's own changes were undone.",
        brief="the rollback undid {entry} of another actor",
    ),
    Rule(
        code="UND227",
        name="rollback-did-nothing",
        severity="error",
        seed="003",
        summary="A rollback was reported done and nothing was restored.",
        remedy="Report `noop` or `failed`, or raise, where no edit could be located.",
        invariant="A rollback that cannot be done is an error that is seen. Reported as done, "
        "it manufactures false confidence.",
        claim="The undone changes are gone from the buffer.",
        brief="the rollback restored nothing",
    ),
)
