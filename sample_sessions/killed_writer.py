"""Seed 003: a process is killed while it logs a change that its text already has.

The agent's text outlives the process. The first half of a log line does not count, so that the
text is one edit ahead of the log from then on, and the next rollback takes back another edit.
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Final

from spanscope.sample_sessions.changes import Where
from spanscope.sample_sessions.session import SampleSession, Story
from spanscope.sample_sessions.spans import prose

SYSTEM: Final = prose("""
    You look after the nightly jobs of an archive. The span `schedule` is kept across restarts;
    `deploy` makes the machines do what stands in it. Take an edit back as soon as you doubt it.
    Each of your processes may use 2 GB of memory and is killed beyond that.
""")
TASK: Final = prose("""
    The backup collides with the price import at two. Move it to three. Also find out whether we
    could keep backups for a shorter time; the second site is nearly full.
""")
SCHEDULE: Final = prose("""
    # Nightly jobs, archive

    backup   02:00   all volumes, to the second site; keep for 30 days
    verify   04:00   read the newest backup back, compare checksums
    report   06:00   mail sizes and failures to #storage

    An older backup than the time in the first line says is deleted without asking.
""")
HOUR: Final = "backup   02:00"
KEPT: Final = "keep for 30 days"

SIZES_CALL: Final = '{"tool": "bash", "command": "du -sh /site2/backup/* | tail -6"}\n'
SIZES: Final = prose("""
    1.9T  /site2/backup/2026-11-13
    1.9T  /site2/backup/2026-11-14
    1.9T  /site2/backup/2026-11-15
    1.9T  /site2/backup/2026-11-16
    1.9T  /site2/backup/2026-11-17
    2.0T  /site2/backup/2026-11-18
    (30 folders, 57 TB of 60 TB)
""")
KILLED: Final = prose("""
    oom-killer: process 4127 (agent) used 2.1 GB and was killed at 09:14:52; restarted as 4388.
    The log of 4127 ended in half a line of 212 bytes, which was moved aside.
""")
DOUBT: Final = prose("""
    Before the restart I tried three days instead of thirty. That is too short: the audit wants a
    month. I take my last edit back, so that the schedule is as the operator asked for: backup at
    three, kept for thirty days.
""")
NOTHING: Final = prose("""
    Before the restart I was about to try three days instead of thirty. The log has the undo
    record of that edit and not the edit; the text agrees with the log, so it was never made.
    The audit wants a month, and I leave it at that.
""")
DEPLOY: Final = '{"tool": "deploy", "span": "schedule"}\n'
DEPLOYED_WRONG: Final = prose("""
    backup   02:00 (unchanged), keep for 3 days (was 30)
    verify   04:00 (unchanged)
    report   06:00 (unchanged)
    27 backups are older than 3 days: deleted, 51 TB freed
""")
DEPLOYED: Final = prose("""
    backup   03:00 (was 02:00), keep for 30 days (unchanged)
    verify   04:00 (unchanged)
    report   06:00 (unchanged)
    no backup is older than 30 days; nothing deleted
""")
WHERE: Final = prose("""
    The report says that 27 backups were deleted this morning, and that the backup ran at two and
    collided again. Which of your edits did you take back?
""")
BEHIND: Final = prose("""
    The last one in my log, which was the hour. The text says three days, and the log has no edit
    that put it there: it was lost when the process was killed. I set both right by hand.
""")
GOOD: Final = "The backup ran at three and nothing collided. Thank you.\n"
ENDED: Final = "Thirty days it is; for more room the second site needs a disk.\n"


def unsafe(session: SampleSession) -> None:
    """Text first, log second, and the process dies between the two."""
    hour = _first_edit(session, "inline")
    session.unlogged("schedule", "30", "3", inside=KEPT)
    _restart(session)
    session.note("Killed while it logged a second edit: the text has it, the log half a line.")
    session.call_model("3", rewritten="schedule")
    session.take_back(hour, "schedule", claims=False)
    session.note("It takes its last edit back. The last one in the log is another: the hour.")
    session.ingest("say/3", DOUBT, role="assistant")

    session.turn("4  deployed", later=600)
    session.step(2, "deploy", DEPLOY, DEPLOYED_WRONG)
    session.note("Deployed: 27 backups are deleted. The log still says thirty days.")

    session.turn("5  where did it come from?", later=86_000)
    session.ingest("user/5", WHERE, role="user", actor="operator")
    session.look_at = session.recorder.observe(contents={"schedule": session.text("schedule")})
    session.expect("JNL005", "error", span="schedule")
    session.expect("UND211", "info", entry=session.look_at)
    session.note("Text and log are compared at last: the text is ahead, by an edit without undo.")
    session.call_model("4", rewritten="schedule")
    session.ingest("say/5", BEHIND, role="assistant")
    session.note("It repairs the text, again before the log. The next kill tears the last line.")
    session.splice("schedule", "3", "30", inside="keep for 3 days")
    session.killed()


def safe(session: SampleSession) -> None:
    """Undo record, log line, text: whatever dies in between, the text is never ahead."""
    _first_edit(session, "ahead")
    session.write_ahead("schedule", "30", "3", inside=KEPT)
    _restart(session)
    session.note("Killed while it logged a second edit: the undo record is whole, no more.")
    session.look_at = session.recorder.observe(digest=session.digest)
    session.note("Text and log are compared at once, and agree: the second edit was never made.")
    session.call_model("3", rewritten="schedule")
    session.ingest("say/3", NOTHING, role="assistant")

    session.turn("4  deployed", later=600)
    session.step(2, "deploy", DEPLOY, DEPLOYED)
    session.note("Deployed as asked: the backup runs at three and is kept for thirty days.")

    session.turn("5  the day after", later=86_000)
    session.ingest("user/5", GOOD, role="user", actor="operator")
    session.note("Nothing had to be taken back, since nothing was done by halves.")
    session.call_model("4")
    session.ingest("say/5", ENDED, role="assistant")
    session.note("Every line of the log is whole, and the text never went ahead of it.")


def _first_edit(session: SampleSession, inverse: Where) -> int:
    """The schedule is read and the hour changed; returns the seq of that edit."""
    session.turn("1  the schedule")
    session.ingest("system", SYSTEM, role="system")
    session.ingest("task", TASK, role="user", actor="operator")
    session.ingest("schedule", SCHEDULE, role="note")
    session.call_model("1")
    session.step(1, "bash", SIZES_CALL, SIZES)
    session.note("An agent keeps a schedule of jobs. Its text outlives its process, like its log.")
    session.call_model("2")

    session.turn("2  two edits")
    hour = session.splice("schedule", "02:00", "03:00", inside=HOUR, inverse=inverse)
    session.note("The first edit, the hour, is in the text and in the log, with its undo record.")
    return hour


def _restart(session: SampleSession) -> None:
    session.clock.until("09:14:58")
    session.recorder.resume()
    session.turn("3  after a restart")
    session.ingest("restart", KILLED, role="note", actor="supervisor")


STORY: Final = Story(
    "The text that outran its log",
    "003",
    "keeper",
    datetime(2026, 11, 18, 9, 13, 7, tzinfo=UTC),
    ("A process dies between its text and its log, and undoes another edit.", unsafe),
    ("The log is written ahead, so a kill leaves the text where it was.", safe),
)
