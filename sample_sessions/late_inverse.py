"""Seed 003: mutate, then log. The undo record is on its way when the rollback comes.

The agent changes its text at once and hands the inverse to a log that is written in batches. A
rollback in between takes the newest record that it finds, which is that of an earlier edit.
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Final

from spanscope.sample_sessions.session import SampleSession, Story
from spanscope.sample_sessions.spans import prose

SYSTEM: Final = prose("""
    You move databases by night. `runbook` is what will be done, word for word: the executor
    reads its arguments from there. Change it when the measurements ask for it, take your last
    edit back with rollback when they no longer do, and touch nothing before the time.
""")
TASK: Final = prose("""
    Move orders from db-1 to a replica at 02:00. The shop can stand a freeze of 40 seconds, not
    more. Take the replica that has replayed everything by then; db-2 is the larger machine.
""")
RUNBOOK: Final = prose("""
    # Move orders to a replica, 14 November, 02:00

    1. Freeze writes on db-1 for 90 seconds at most.
    2. Wait until the replica has replayed everything.
    3. Promote db-2 and point the service orders at it.
    4. Keep db-1 readable for a day, then delete it.
""")
TARGET: Final = "Promote db-2"
FREEZE: Final = "for 90 seconds"
ARGUMENTS: Final = {"arg:target": TARGET, "arg:freeze": "40 seconds"}

LAG: Final = '{"tool": "sql", "query": "select name, behind, trend from replicas"}\n'
LAG_EARLY: Final = prose("""
     name | behind | trend
    ------+--------+---------
     db-2 |  0.2 s | steady
     db-3 |  0.4 s | steady
    (2 rows, measured at 01:20)
""")
LAG_IMPORT: Final = prose("""
     name | behind | trend
    ------+--------+---------
     db-2 |  352 s | rising
     db-3 |  0.4 s | steady
    (2 rows, measured at 01:31; db-2 replays the import of product images that began at 01:25,
     312 of 640 files are done)
""")
AGREED: Final = "The freeze is 40 seconds in step 1 now. Both replicas are up to date.\n"
CAUGHT_UP: Final = prose("""
    The import ends at about 01:37, and db-2 will have caught up by 01:45. Then db-3 is busy with
    the nightly backup. I take my last edit back: db-2 it is, with a freeze of 40 seconds.
""")

PROMOTE: Final = '{{"tool": "promote", "replica": "{target}", "freeze_seconds": {freeze}}}\n'
PROMOTED_WRONG: Final = prose("""
    02:00:00 writes on db-1 frozen
    02:01:30 freeze ends; db-3 is 252 s behind (backup running), promoted all the same
    02:01:31 orders points at db-3
    02:01:31 warning: 1,904 orders of the last 252 s are on db-1 alone
""")
PROMOTED: Final = prose("""
    02:00:00 writes on db-1 frozen
    02:00:11 db-2 has replayed everything
    02:00:12 db-2 promoted, orders points at db-2
    02:00:12 freeze ends after 12 s; nothing is on db-1 alone
    02:00:14 orders answers, 41 connections, no errors in the first 200 requests
""")
WHY: Final = prose("""
    I was woken by 1,904 orders that are missing. You wrote at 01:32 that it would be db-2, with
    a freeze of 40 seconds. Why was db-3 promoted, and after 90?
""")
LOST: Final = prose("""
    The runbook says db-3 and 90 seconds, and I did as it says. I took back the step to db-3 and
    nothing else. The rollback reported success; the undo log has no entry that explains this.
""")
GOOD: Final = "Twelve seconds, and nothing lost. Good night.\n"
CLOSED: Final = "db-2 serves orders. Step 4 is due tomorrow at two.\n"


def unsafe(session: SampleSession) -> None:
    """The text changes at once, its inverse reaches the log with the next batch."""
    _read(session)

    session.turn("2  a shorter freeze")
    freeze = session.splice("runbook", "90", "40", inside=FREEZE, inverse="none")
    session.expect("UND201", "error", span="runbook", entry=freeze)
    session.expect("UND211", "info", entry=freeze)
    session.note("The text changes at once. Its undo record is written later, with a batch.")
    session.clock.pause(1.9)
    session.log_late(freeze)
    session.expect("UND202", "error", span="runbook", entry=freeze)
    _derive(session)
    session.call_model("2", rewritten="runbook")
    session.ingest("say/2", AGREED, role="assistant")

    session.clock.until("01:31:02")
    session.turn("3  another replica, or not")
    session.step(2, "sql", LAG, LAG_IMPORT)
    replica = session.splice("runbook", "db-2", "db-3", inside=TARGET, inverse="none")
    session.expect("SPN101", "warning", span="runbook", artifact="arg:target")
    session.expect("SPN101", "info", span="runbook", artifact="arg:freeze")
    session.expect("UND201", "error", span="runbook", entry=replica)
    session.expect("UND211", "info", entry=replica)
    session.note("db-2 lags, so step 3 names db-3 now. The record of that edit is on its way.")
    session.call_model("3", rewritten="runbook")
    at = session.find("runbook", "for 40 seconds") + len("for ")
    session.look_at = session.overwrite(1, "runbook", at, 2, "90")
    session.expect("UND221", "error", span="runbook")
    session.expect("UND222", "error", span="runbook", entry=replica)
    session.note("The rollback comes first. It takes the newest record it has: the wrong one.")
    session.ingest("say/3", CAUGHT_UP, role="assistant")
    session.log_late(replica)
    session.expect("JNL007", "error", entry=replica)
    session.note("The record arrives after the rollback that needed it. Step 3 still says db-3.")

    session.clock.until("01:59:48")
    session.turn("4  two o'clock")
    for artifact, found in (("arg:target", "Promote db-3"), ("arg:freeze", "90 seconds")):
        session.use(artifact, "runbook", session.range("runbook", found), holder="executor")
        session.expect("SPN102", "error", span="runbook", artifact=artifact)
    _promote(session, "db-3", 90, PROMOTED_WRONG)
    session.note("The executor does what stands there. The text is one that nobody ever wrote.")
    _end(session, WHY, LOST)


def safe(session: SampleSession) -> None:
    """The inverse is in the log before a character moves, so a rollback finds the right one."""
    _read(session)

    session.turn("2  a shorter freeze")
    session.splice("runbook", "90", "40", inside=FREEZE, inverse="ahead")
    session.note("The undo record is written first, and only then the text changes.")
    _derive(session)
    session.call_model("2", rewritten="runbook")
    session.ingest("say/2", AGREED, role="assistant")

    session.clock.until("01:31:02")
    session.turn("3  another replica, or not")
    session.step(2, "sql", LAG, LAG_IMPORT)
    told = ["arg:target", "arg:freeze"]
    session.splice("runbook", "db-2", "db-3", inside=TARGET, inverse="ahead", invalidates=told)
    session.note("db-2 lags, so step 3 names db-3 now. The record of that edit is in the log.")
    session.call_model("3", rewritten="runbook")
    session.look_at = session.rollback(1, "runbook")
    session.note("The rollback takes the newest record, the right one: step 3 says db-2 again.")
    session.ingest("say/3", CAUGHT_UP, role="assistant")
    for artifact, quote in ARGUMENTS.items():
        session.rederive(artifact, "runbook", "tool_argument", holder="executor", quote=quote)
        seq = session.recorder.seq - 1
        session.expect("SPN103", "info", at=seq, span="runbook", artifact=artifact)
    session.note("The executor was told of the edit, and reads its arguments anew.")

    session.clock.until("01:59:48")
    session.turn("4  two o'clock")
    for artifact, quote in ARGUMENTS.items():
        place = session.range("runbook", quote)
        session.use(artifact, "runbook", place, holder="executor", checked=["version", "hash"])
    _promote(session, "db-2", 40, PROMOTED)
    session.note("What was said at 01:32 is what is done at two.")
    _end(session, GOOD, CLOSED)


def _read(session: SampleSession) -> None:
    session.turn("1  the runbook")
    session.ingest("system", SYSTEM, role="system")
    session.ingest("task", TASK, role="user", actor="operator")
    session.ingest("runbook", RUNBOOK, role="note")
    session.call_model("1")
    session.step(1, "sql", LAG, LAG_EARLY)
    session.note("An agent keeps a runbook, and an executor will do at two what stands in it.")


def _derive(session: SampleSession) -> None:
    for artifact, quote in ARGUMENTS.items():
        session.derive(artifact, "runbook", "tool_argument", holder="executor", quote=quote)


def _promote(session: SampleSession, target: str, freeze: int, result: str) -> None:
    session.clock.until("02:00:00")
    session.step(3, "promote", PROMOTE.format(target=target, freeze=freeze), result, seconds=14)


def _end(session: SampleSession, said: str, answer: str) -> None:
    session.turn("5  the morning after", later=18_000)
    session.ingest("user/5", said, role="user", actor="operator")
    session.call_model("4", rewritten="runbook")
    session.ingest("say/5", answer, role="assistant")


STORY: Final = Story(
    "The undo record that came too late",
    "003",
    "migrator",
    datetime(2026, 11, 14, 1, 19, 40, tzinfo=UTC),
    ("A rollback outruns the log and takes the record of another edit.", unsafe),
    ("Every inverse is logged before its edit, so the right one is found.", safe),
)
