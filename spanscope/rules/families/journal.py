"""JNL rules: can the journal itself be believed?"""

from __future__ import annotations

from spanscope.rules.rule import Rule

JOURNAL = (
    Rule(
        code="JNL001",
        name="torn-tail",
        severity="warning",
        seed="",
        summary="The last line of a recording has no newline.",
        remedy="Resume the journal with its writer, which moves the torn tail aside; the events "
        "before it stand.",
        invariant="An event is in the journal once its newline is. What was cut off in the "
        "middle of a write is no event.",
        claim="The recording ends with a whole event.",
        brief="the last line is torn",
    ),
    Rule(
        code="JNL002",
        name="unreadable-line",
        severity="error",
        seed="",
        summary="A line is not UTF-8, not JSON, or not an event.",
        remedy="Look at the byte offset in the evidence and repair the writer; one event is one "
        "line of JSON.",
        invariant="Every line is one event. After one that cannot be read nothing that depends "
        "on it is known until a hash says so.",
        claim="Every line of the journal can be read.",
        brief="a line can't be read",
    ),
    Rule(
        code="JNL003",
        name="sequence-gap",
        severity="error",
        seed="",
        summary="The seq of an event is not the one before plus 1.",
        remedy="Look for dropped, doubled or swapped lines, and for a second writer on the same "
        "file.",
        invariant="The sequence starts at 1 and grows by 1. A hole means events that nobody "
        "here has seen.",
        claim="The journal holds every event, once and in order.",
        brief="a seq is missing or out of order",
    ),
    Rule(
        code="JNL004",
        name="bad-checksum",
        severity="error",
        seed="",
        summary="The checksum of a line does not fit its bytes, or stands on some lines only.",
        remedy="Get an undamaged copy of the journal; never edit a line by hand without its crc.",
        invariant="A journal carries a checksum on every line or on none. A line that does not "
        "fit its own is not believed.",
        claim="The line is as its writer wrote it.",
        brief="a checksum does not fit its line",
    ),
    Rule(
        code="JNL005",
        name="buffer-outran-log",
        severity="error",
        seed="",
        summary="What the agent really holds is not what its journal says.",
        remedy="Route every change of the buffer through the recorder; look for a view that "
        "aliases the content.",
        invariant="No buffer mutation may outrun its log. Where the two drift apart, every "
        "verdict and every rollback rests on a text that is not there.",
        claim="The journal tells all that happened to the buffer.",
        brief="the buffer is not what its log says",
    ),
    Rule(
        code="JNL006",
        name="unknown-event",
        severity="info",
        seed="",
        summary="An event is of a type that this version does not know.",
        remedy="Update spanscope if a newer writer made the journal; else correct the `type`.",
        invariant="A newer writer never breaks an older reader: an unknown event is kept and "
        "shown, and judged by nobody.",
        claim="Every event of the journal is understood.",
        brief="an event of unknown type",
    ),
    Rule(
        code="JNL007",
        name="unknown-name",
        severity="error",
        seed="",
        summary="An event names a span, artifact, diff, entry or checkpoint that does not exist.",
        remedy="Record the event that introduces the name, or correct the id.",
        invariant="An event names what earlier events of the journal made. A name from nowhere "
        "points at something that was not recorded.",
        claim="What the event names exists.",
        brief="a name that does not exist",
    ),
    Rule(
        code="JNL008",
        name="impossible-edit",
        severity="error",
        seed="",
        summary="A splice lies outside its span.",
        remedy="Count offsets in Unicode code points of the current content, not in bytes, "
        "UTF-16 units or an older text.",
        invariant="A splice lies within the span as it stands. One that does not changes "
        "nothing, whatever the agent's own buffer did with it.",
        claim="The splice lies within {span}.",
        brief="an impossible edit: it changes nothing",
    ),
    Rule(
        code="JNL009",
        name="clock-backwards",
        severity="info",
        seed="",
        summary="The time of an event is earlier than that of the event before.",
        remedy="Order by `seq`, and take the time in UTC from one clock.",
        invariant="The sequence gives the order; times only tell when. A clock that jumps back "
        "changes no verdict.",
        claim="Times grow with the sequence.",
        brief="the clock went backwards",
    ),
    Rule(
        code="JNL010",
        name="no-header",
        severity="error",
        seed="",
        summary="Line 1 is not a session header of a known format.",
        remedy="Begin the journal with a `session` line that says `spanscope.journal/1`.",
        invariant="The header says which format the lines follow and what the source can "
        "record. Without it both are a guess.",
        claim="The file is a buffer journal.",
        brief="line 1 is no session header",
    ),
    Rule(
        code="JNL011",
        name="gap",
        severity="error",
        seed="",
        summary="The recorder says that it missed events.",
        remedy="Record an `observe` with contents or hashes after the gap to make the spans "
        "known again.",
        invariant="What follows missed events stands on unknown ground and is never judged "
        "clean until a hash or contents say what is there.",
        claim="The recorder saw everything that happened.",
        brief="the recorder missed events here",
    ),
)
