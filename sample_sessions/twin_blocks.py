"""Seed 003's own code on repeated text: two blocks are equal where the anchors lie.

An inverse keeps sixteen characters each side of an edit, and the undo takes the first place at
which they agree. In a file with two equal blocks that is a place of the wrong block.
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Final

from spanscope.model.anchors import sound_inverse
from spanscope.sample_sessions.changes import MakeInverse
from spanscope.sample_sessions.session import SampleSession, Story
from spanscope.sample_sessions.spans import first_match, prose, short_inverse

SYSTEM: Final = prose("""
    You look after the builds of a repository. The span `ci` is the workflow file as you want it
    to be: edit it there, write it to disk when a thought is finished, and take the last edit
    back with rollback where a try has led nowhere. Say what you changed and why.
""")
TASK: Final = prose("""
    Both jobs of the nightly build are cancelled by their limit of ten minutes. Please find out
    why, and keep the limits as low as they can be: a job that hangs costs money.
""")
WORKFLOW: Final = prose("""
    name: nightly
    on: { schedule: [{ cron: "30 1 * * *" }] }
    jobs:
      linux:
        runs-on: ubuntu-24.04
        steps:
          - uses: actions/checkout@v5
          - run: make test
            timeout-minutes: 10
          - uses: actions/upload-artifact@v5
      arm:
        runs-on: ubuntu-24.04-emulated
        steps:
          - uses: actions/checkout@v5
          - run: make test
            timeout-minutes: 10
          - uses: actions/upload-artifact@v5
""")
LINUX: Final = WORKFLOW[WORKFLOW.index("  linux:") : WORKFLOW.index("  arm:")]
ARM: Final = WORKFLOW[WORKFLOW.index("  arm:") :]
LIMIT: Final = "timeout-minutes: 10"

LOGS: Final = '{"tool": "bash", "command": "gh run view --log --job nightly | tail -4"}\n'
FIRST_RUN: Final = prose("""
    nightly #411, started by schedule at 01:30 UTC
    linux  make test   1,204 of 1,310 tests passed
    linux  cancelled after 10 min 00 s: timeout-minutes
    arm    make test   0 of 1,310 tests passed
    arm    cancelled after 10 min 00 s: timeout-minutes
""")
LONGER: Final = prose("""
    linux was nearly done: the suite grew by 200 tests last week and takes about twelve minutes.
    Fifteen is enough. arm had not begun; I give it 40 minutes once, to see what it waits for.
""")
SECOND_RUN: Final = prose("""
    nightly #412, started by schedule at 01:30 UTC
    linux  make test   1,310 of 1,310 tests passed
    linux  finished after 11 min 48 s
    arm    waiting for an emulator: 12 jobs ahead in the queue
    arm    cancelled after 40 min 00 s: timeout-minutes
""")
NO_USE: Final = prose("""
    arm waits for an emulator, so a longer limit is no use. I take that edit back, so that arm
    has ten minutes again, and let the job run on a machine of its own.
""")
WRITE: Final = '{"tool": "write_file", "path": ".github/workflows/nightly.yml", "span": "ci"}\n'
WRITTEN: Final = "wrote 17 lines\n"
THIRD_RUN: Final = prose("""
    nightly #413, started by schedule at 01:30 UTC
    linux  make test   1,209 of 1,310 tests passed
    linux  cancelled after 10 min 00 s: timeout-minutes
    arm    make test   1,310 of 1,310 tests passed
    arm    finished after 8 min 51 s, limit 40 min
""")
SOUND_RUN: Final = prose("""
    nightly #413, started by schedule at 01:30 UTC
    linux  make test   1,310 of 1,310 tests passed
    linux  finished after 11 min 44 s, limit 15 min
    arm    make test   1,310 of 1,310 tests passed
    arm    finished after 8 min 51 s, limit 10 min
""")
WHY_TEN: Final = "You told me that linux has fifteen minutes now. Why was it cancelled after ten?\n"
PUZZLED: Final = prose("""
    The workflow gives linux ten minutes and arm 40. I raised linux and took arm back, and the
    rollback reported success. I can't say when the two were exchanged.
""")
THANKS: Final = "Both are green, and both limits are low. Thank you.\n"
DONE: Final = "linux has fifteen minutes, arm ten and a machine of its own.\n"


def unsafe(session: SampleSession) -> None:
    """Short anchors, and the first match is taken."""
    linux, arm = _two_limits(session, short_inverse)
    session.expect("UND205", "warning", at=linux, span="ci", entry=linux)
    session.expect("UND211", "info", at=linux, entry=linux)
    session.expect("UND205", "warning", at=arm, span="ci", entry=arm)
    session.note("Each undo record keeps 16 characters each side, and they are alike in both jobs.")
    _second_run(session)

    session.turn("3  the last edit is taken back")
    at = first_match(session.text("ci"), session.inverses[arm])
    session.look_at = session.take_back(arm, "ci", at=at)
    session.expect("UND221", "error", span="ci")
    session.note("The undo takes the first place that fits: linux gets 10, and arm keeps 40.")
    _own_machine(session)

    session.turn("4  the next night", later=64_000)
    session.step(4, "bash", LOGS, THIRD_RUN)
    session.note("The rollback had reported success. The wrong job is cancelled the next night.")
    session.ingest("user/4", WHY_TEN, role="user", actor="operator")
    session.call_model("5")
    session.ingest("say/4", PUZZLED, role="assistant")


def safe(session: SampleSession) -> None:
    """Anchors grow until they fit once, and the inserted text counts as evidence."""
    _, arm = _two_limits(session, sound_inverse)
    session.note("Each undo record grows until it fits once, and knows what was written there.")
    _second_run(session)

    session.turn("3  the last edit is taken back")
    session.look_at = session.take_back(arm, "ci")
    session.note("The undo finds one place, the right one: arm has 10 again, linux keeps 15.")
    _own_machine(session)

    session.turn("4  the next night", later=64_000)
    session.step(4, "bash", LOGS, SOUND_RUN)
    session.note("Both jobs are green the next night: what was said is what was done.")
    session.ingest("user/4", THANKS, role="user", actor="operator")
    session.call_model("5")
    session.ingest("say/4", DONE, role="assistant")


def _two_limits(session: SampleSession, record: MakeInverse) -> tuple[int, int]:
    """The workflow is read and two limits are raised; returns the seqs of the edits."""
    session.turn("1  ten minutes are not enough")
    session.ingest("system", SYSTEM, role="system")
    session.ingest("task", TASK, role="user", actor="operator")
    session.ingest("ci", WORKFLOW, role="document", origin="file")
    session.call_model("1")
    session.step(1, "bash", LOGS, FIRST_RUN)
    session.note("A build file has two jobs with the same steps and the same limit of 10 minutes.")
    session.call_model("2")
    session.ingest("say/1", LONGER, role="assistant")

    session.turn("2  two limits are raised")
    linux = _raise(session, "15", LINUX, record)
    arm = _raise(session, "40", ARM, record)
    return linux, arm


def _raise(session: SampleSession, minutes: str, job: str, record: MakeInverse) -> int:
    inside = job[: job.index(LIMIT)] + LIMIT
    return session.splice("ci", "10", minutes, inside=inside, record=record)


def _second_run(session: SampleSession) -> None:
    session.step(2, "bash", LOGS, SECOND_RUN)
    session.call_model("3", rewritten="ci")
    session.ingest("say/2", NO_USE, role="assistant")


def _own_machine(session: SampleSession) -> None:
    session.splice("ci", "ubuntu-24.04-emulated", "arm-native")
    session.step(3, "write_file", WRITE, WRITTEN)
    session.call_model("4", rewritten="ci")


STORY: Final = Story(
    "The undo that hit the twin",
    "003",
    "builder",
    datetime(2026, 11, 13, 7, 58, 2, tzinfo=UTC),
    ("Two blocks are alike, and an undo restores the first it finds.", unsafe),
    ("Anchors grow until one place is left, and the undo is exact.", safe),
)
