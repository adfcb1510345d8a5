"""Seed 004: all drift is treated as fatal, and no diff of the planner ever goes in.

A monitor appends to its timeline every few seconds. A gate compares the digest of the whole
buffer with that of a diff's base, and refuses what never read the timeline at all.
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Final

from spanscope.journal.parts import Anchor, QuoteRef, SpliceEdit
from spanscope.sample_sessions.session import SampleSession, Story
from spanscope.sample_sessions.spans import prose

PLANNER: Final = "planner"
MONITOR: Final = "tool:monitor"

SYSTEM: Final = prose("""
    You lead the response to an outage. `actions` is the list of measures that the people on duty
    carry out, in its order; what is not in the list is not done. The monitor keeps `timeline`.
    Add one measure at a time, and quote what it rests on.
""")
TASK: Final = prose("""
    Errors in the EU since 14:00, cause unknown. Keep the shop up until the database team has
    found it. You may move traffic and stop jobs; you may not restart anything.
""")
TOPOLOGY: Final = prose("""
    # Where there is room

    eu-west: 160 nodes, 158 in use.
    us-east: 160 nodes, 40 in use. EU traffic can be sent there, it adds 90 ms.
    Jobs: the nightly export reads from the same database and can wait until tomorrow.
""")
ROOM: Final = "us-east: 160 nodes, 40 in use."
EXPORT: Final = "the nightly export reads from the same database"
ACTIONS: Final = prose("""
    # Measures, in this order

    1. 14:01 Call the database team. Done.
    2. 14:02 Turn off the recommendations on the start page. Done.

    ## Not to do

    - Do not restart the gateways: a cold cache makes it worse.
""")
LAST_DONE: Final = "on the start page. Done.\n"
NOT_TO_DO: Final = "\n## Not to do"
TIMELINE: Final = prose("""
    time      errors eu   p99
    14:00:12        4 %   1.2 s
    14:01:10        7 %   1.9 s
    14:02:11       11 %   2.8 s
""")
WORSE: Final = (
    "14:03:10       16 %   3.7 s\n",
    "14:04:12       22 %   4.4 s\n",
    "14:05:11       31 %   5.9 s\n",
    "14:06:10       40 %   7.2 s\n",
    "14:07:12       52 %   9.8 s\n",
    "14:09:11       71 %  14.0 s\n",
    "14:12:10       96 %  30.0 s\n",
)
BETTER: Final = (
    "14:03:10       16 %   3.7 s\n",
    "14:04:12       12 %   2.9 s\n",
    "14:05:11        5 %   1.4 s\n",
    "14:06:10        3 %   1.1 s\n",
    "14:12:10        0 %   0.4 s\n",
)
READ_CALL: Final = '{"tool": "read_file", "path": "ops/topology.md"}\n'
TRAFFIC: Final = "3. Send {share} % of the EU traffic to us-east, where 120 nodes idle.\n"
STOP_EXPORT: Final = "4. Stop the nightly export; it reads from the same database.\n"
MOVED: Final = "digest of the buffer moved: base r{base}, now r{now}"
AGAIN: Final = (
    "The measure was refused because the context has moved. I write it again, with 45 %.\n",
    "Refused again, for the same reason. Once more, with 60 %.\n",
)
GIVE_UP: Final = prose("""
    Three attempts, three refusals, each because the buffer moved between writing and applying.
    It moves whenever the monitor writes, so a fourth will fare no better. The measure is not in
    the list. Please send the traffic to us-east by hand.
""")
SHOP_DOWN: Final = prose("""
    The shop was down from 14:12 to 14:31. The room in us-east was known at 14:03, and the list
    of measures had not a single line about it. What were you waiting for?
""")
EXPLAIN: Final = prose("""
    For a quiet moment. The measure read two spans, and neither of them has changed all
    afternoon; the gate asked whether anything had. I wrote the same line three times.
""")
WENT_IN: Final = "The traffic is being moved. Next I take the load of the export away.\n"
CALM: Final = prose("""
    Both measures are in the list and carried out: 30 % of the EU traffic goes to us-east, and
    the export is stopped. Errors are below five percent and falling. The database team has the
    lead from here; I keep watching.
""")
SHOP_UP: Final = "The shop stayed up, and the cause is found: a lock. Thank you.\n"
CLOSED: Final = "Measures 3 and 4 can be taken back tonight, each by its own inverse.\n"


def unsafe(session: SampleSession) -> None:
    """Every refusal is needless: what the diff read is as it was."""
    _alarm(session)

    session.turn("2  a measure")
    edit = _measure(30)
    base = _stage(session, "D1", edit, ROOM)
    session.note("Diff D1 reads two spans, the list and the topology, and adds one line.")
    _monitor(session, WORSE[0])
    _refuse(session, "D1", base)
    session.note("The timeline has grown meanwhile, so D1 is refused. It never read the timeline.")

    session.turn("3  again, and again")
    for number, share in ((2, 45), (3, 60)):
        session.call_model(str(number + 1), rewritten="timeline")
        session.ingest(f"say/{number}", AGAIN[number - 2], role="assistant")
        base = _stage(session, f"D{number}", _measure(share), ROOM)
        for line in WORSE[2 * number - 3 : 2 * number - 1]:
            _monitor(session, line)
        _refuse(session, f"D{number}", base)
        if number == 2:
            session.note("D2 is the same line, written anew. The monitor is faster again.")
    session.expect("DIF317", "info", diff="D3")
    session.look_at = session.recorder.seq
    session.note("Three refusals in a row: a livelock. What was read is still as it was.")

    session.turn("4  nobody acts")
    _monitor(session, WORSE[5])
    session.call_model("5", rewritten="timeline")
    session.ingest("say/4", GIVE_UP, role="assistant")
    _monitor(session, WORSE[6])
    session.note("Nine minutes, four model calls, no measure: the check refuses everything.")

    session.turn("5  the review", later=5400)
    session.ingest("user/5", SHOP_DOWN, role="user", actor="operator")
    session.call_model("6", rewritten="timeline")
    session.ingest("say/5", EXPLAIN, role="assistant")


def safe(session: SampleSession) -> None:
    """The gate asks whether what was read has changed, and lets disjoint drift pass."""
    _alarm(session)

    session.turn("2  a measure")
    edit = _measure(30)
    _stage(session, "D1", edit, ROOM)
    session.note("Diff D1 reads two spans, the list and the topology, and adds one line.")
    _monitor(session, BETTER[0])
    session.look_at = session.apply("D1", [edit], actor=PLANNER)
    session.note("The timeline has grown meanwhile. D1 never read it, so D1 goes in.")

    session.turn("3  another measure")
    session.call_model("3", rewritten="actions")
    session.ingest("say/2", WENT_IN, role="assistant")
    export = SpliceEdit(
        span="actions",
        delete=0,
        anchor=Anchor(before="where 120 nodes idle.\n", after=NOT_TO_DO),
        insert=STOP_EXPORT,
    )
    _stage(session, "D2", export, EXPORT)
    _monitor(session, BETTER[1])
    session.note("D2 is the next line, written on top of the first. The monitor writes again.")
    session.apply("D2", [export], actor=PLANNER)
    session.note("D2 goes in too: a span that changed is no harm where nobody has read it.")

    session.turn("4  errors fall")
    _monitor(session, BETTER[2])
    session.call_model("4", rewritten="actions")
    session.ingest("say/4", CALM, role="assistant")
    _monitor(session, BETTER[3])
    _monitor(session, BETTER[4])
    session.note("Two minutes, two measures, and each can still be taken back.")

    session.turn("5  the review", later=5400)
    session.ingest("user/5", SHOP_UP, role="user", actor="operator")
    session.call_model("5", rewritten="timeline")
    session.ingest("say/5", CLOSED, role="assistant")


def _alarm(session: SampleSession) -> None:
    session.turn("1  the alarm")
    session.ingest("system", SYSTEM, role="system")
    session.ingest("task", TASK, role="user", actor="operator")
    session.ingest("actions", ACTIONS, role="note")
    session.ingest("timeline", TIMELINE, role="note", origin="monitor", actor=MONITOR)
    session.call_model("1")
    session.tool("read_file")
    session.ingest("call/1", READ_CALL, role="tool_call")
    session.ingest(
        "topology", TOPOLOGY, role="tool_result", answers="call/1", actor="tool:read_file"
    )
    session.note("In an outage a monitor writes to one span while a planner writes to another.")
    session.call_model("2")


def _monitor(session: SampleSession, line: str) -> None:
    session.clock.until(line.partition(" ")[0])
    session.append("timeline", line, actor=MONITOR)


def _measure(share: int) -> SpliceEdit:
    return SpliceEdit(
        span="actions",
        delete=0,
        anchor=Anchor(before=LAST_DONE, after=NOT_TO_DO),
        insert=TRAFFIC.format(share=share),
    )


def _stage(session: SampleSession, diff: str, edit: SpliceEdit, quote: str) -> int:
    """The planner's diff; returns its base revision."""
    base = session.revision
    session.stage(
        diff,
        reads=["actions", "topology"],
        edits=[edit],
        refs=[QuoteRef(span="topology", text=quote)],
        actor=PLANNER,
    )
    return base


def _refuse(session: SampleSession, diff: str, base: int) -> None:
    reason = MOVED.format(base=base, now=session.revision)
    session.recorder.reject(diff, reason=reason, actor="gate")
    session.expect("DIF312", "warning", diff=diff)


STORY: Final = Story(
    "The gate that refused everything",
    "004",
    "planner",
    datetime(2026, 11, 11, 14, 2, 31, tzinfo=UTC),
    ("Any drift is fatal to a diff, so that none ever goes in.", unsafe),
    ("Drift in what a diff has not read is reconciled.", safe),
)
