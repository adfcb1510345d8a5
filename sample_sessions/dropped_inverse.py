"""Seed 003, as observed: a splice outruns its inverse, and `rollback(2)` trusts an old offset.

The primitive changes the text first and appends `{offset, original}` to a bounded undo log
afterwards, best effort. The second of two overlapping splices loses its record.
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Final

from spanscope.sample_sessions.session import SampleSession, Story
from spanscope.sample_sessions.spans import prose

SYSTEM: Final = prose("""
    You are a coding agent. The span `types` is your memory of what the code's names mean: keep
    it right, you write code from it. Take a step back with rollback when a line of thought
    leads nowhere. Run mypy before you say that something is done.
""")
TASK: Final = prose("""
    importer.py loads batches of product ids from the web hook. Make `drain` retry a failed
    batch once before it gives up, and keep mypy clean.
""")
PLAN: Final = prose("""
    1. Read importer.py and note what the names mean.
    2. Find out what one unit of `pending` is.
    3. Write the retry.
    4. Run mypy and the tests.
""")
PLAN_READ: Final = prose("""
    1. Done: importer.py is read, see types.
    2. Find out what one unit of `pending` is: a count, or the ids themselves?
    3. Write the retry around `push`, not inside it.
    4. Run mypy and the tests.
""")
TYPES: Final = prose("""
    # What the names mean, importer.py

    `pending` is what the web hook has handed over and nobody has pushed yet. Its type is int
    and it is never None. The scheduler clears it after every run, at full hours.

    `retries` counts the failed runs of one batch. Its type is int; five is the end.

    `deadline` is a moment in UTC. It is compared with `<=`, never with `==`.
""")
SENTENCE: Final = "Its type is int\nand it is never None."
OLD_WORDS: Final = (
    "`pending` is what the web hook has handed over and nobody has pushed yet. Its type is list"
)
NEW_WORDS: Final = "`pending` is a queue of ids: list"
SCHEDULE: Final = "The scheduler clears it after every run"

READ_CALL: Final = '{"tool": "read_file", "path": "importer.py"}'
CODE: Final = prose("""
    from datetime import datetime

    from shop.push import push

    pending: list[int] = []
    retries = 0


    def drain(deadline: datetime) -> int:
        \"\"\"Push what is pending until the deadline; returns how many ids were pushed.\"\"\"
        done = 0
        while pending and datetime.utcnow() <= deadline:
            batch = pending.pop(0)
            push(batch)
            done += 1
        return done
""")
GREP_CALL: Final = '{"tool": "grep", "pattern": "pending", "path": "shop/"}'
GREP: Final = prose("""
    shop/importer.py:5:pending: list[int] = []
    shop/importer.py:12:    while pending and datetime.utcnow() <= deadline:
    shop/importer.py:13:        batch = pending.pop(0)
    shop/hook.py:31:    importer.pending.extend(order.product_ids)
    shop/metrics.py:8:    gauge("importer.pending", len(importer.pending))
""")
THOUGHT: Final = prose("""
    hook.py extends `pending` by ids, so it is a list. I change `types` accordingly: first the
    type, then the description, which still talks about a number that is handed over.
""")
DEAD_END: Final = prose("""
    If `pending` is a list I need a lock around pop and extend, and then `drain` blocks the web
    hook. That is not what was asked for. I go two steps back and try it with `types` as it was
    at first.
""")

EDIT_CALL: Final = prose("""
    {{"tool": "apply_patch", "path": "importer.py", "patch":
     "+def retry(left: int) -> int:\\n+    # {remark}\\n+    global pending\\n+    pending = left"}}
""")
SAFE_EDIT_CALL: Final = prose("""
    {{"tool": "apply_patch", "path": "importer.py", "patch":
     "+def retry(batch: int) -> None:\\n+    # {remark}\\n+    pending.insert(0, batch)"}}
""")
EDITED: Final = "importer.py: {lines} lines added.\n"
MYPY_CALL: Final = '{"tool": "bash", "command": "mypy shop/"}'
MYPY_FAILED: Final = prose("""
    shop/importer.py:21: error: Incompatible types in assignment (expression has type "int",
    variable has type "list[int]")  [assignment]
    Found 1 error in 1 file (checked 14 source files)
""")
MYPY_PASSED: Final = "Success: no issues found in 14 source files\n"
CONFUSED: Final = prose("""
    mypy is right about the code, but I went back to when `pending` was an int, and my notes
    still call it a queue, list[int]. They also say that the scheduler "clears it ainty run".
    I don't know which of these sentences I ever wrote.
""")
REREAD: Final = prose("""
    `types` is back, byte for byte. It says int where importer.py says list[int]; the code
    decides, so I note the type again, alone this time, and write the retry without a lock.
""")
DONE: Final = "A failed batch is put back once, at the front of the queue. mypy is clean.\n"


def unsafe(session: SampleSession) -> None:
    """The log drops what it can't hold, and nobody is told."""
    replanned = _read_the_code(session)

    session.turn("2  what is pending?")
    first_at = session.find("types", SENTENCE) + SENTENCE.index("int")
    first = session.splice("types", "int", "list[int]", inside=SENTENCE, inverse="none")
    session.expect("UND201", "error", span="types", entry=first)
    session.expect("UND211", "info", entry=first)
    late = session.recorder.inverse(
        first, original="int", inserted=len("list[int]"), at=first_at, anchored=False
    )
    session.expect("UND202", "error", at=late, span="types", entry=first)
    session.expect("UND206", "info", at=late, span="types", entry=first)
    session.note("A splice changes the text first; its inverse, offset and word, comes after.")
    session.call_model("3", rewritten="types")
    session.recorder.evict([replanned], reason="undo log full: 4 records")
    session.expect("UND203", "error", span="plan", entry=replanned)
    session.expect("UND211", "info", entry=replanned)
    second = session.splice("types", OLD_WORDS, NEW_WORDS, inverse="none")
    session.expect("UND201", "error", span="types", entry=second)
    session.expect("UND211", "info", entry=second)
    session.note("The undo log holds four records: the oldest goes, the next append is dropped.")
    schedule = _keep_schedule(session)
    session.call_model("4", rewritten="types")

    session.turn("3  two steps back")
    session.look_at = session.overwrite(2, "types", first_at, len("list[int]"), "int")
    session.expect("SPN101", "warning", span="types", artifact="arg:schedule")
    session.expect("UND221", "error", span="types")
    session.expect("UND222", "error", span="types", entry=second)
    session.note("rollback(2) skips the lost record and writes `int` at the old offset.")
    session.ingest("say/3", DEAD_END, role="assistant")
    session.call_model("5", rewritten="types")

    session.turn("4  the retry")
    remark = session.use("arg:schedule", "types", schedule, holder="coder")
    session.expect("SPN102", "error", span="types", artifact="arg:schedule")
    session.step(
        4, "apply_patch", EDIT_CALL.format(remark=remark), EDITED.format(lines=4), seconds=1.5
    )
    session.note("The notes parse, but one sentence is broken. It is copied into the code.")
    session.call_model("6")
    session.step(5, "bash", MYPY_CALL, MYPY_FAILED, seconds=1.5)
    session.note("The type mismatch surfaces far from its cause; the notes insist on both types.")
    session.call_model("7")
    session.ingest("say/4", CONFUSED, role="assistant")


def safe(session: SampleSession) -> None:
    """The inverse is in the log before a character moves; a full log refuses the splice."""
    _read_the_code(session)

    session.turn("2  what is pending?")
    session.splice("types", "int", "list[int]", inside=SENTENCE, inverse="ahead")
    session.note("The inverse is written ahead, with anchors that fit in one place only.")
    session.call_model("3", rewritten="types")
    session.recorder.checkpoint("before-words", snapshot=True, digest=session.digest)
    session.splice("types", OLD_WORDS, NEW_WORDS, inverse="ahead")
    session.note("The undo log is full: the append fails, so the splice fails. Then a snapshot.")
    _keep_schedule(session)
    session.call_model("4", rewritten="types")

    session.turn("3  two steps back")
    session.recorder.release("arg:schedule", actor="coder")
    session.look_at = session.rollback(2, "types")
    session.note("rollback(2) finds both places by their anchors: the text is back, exactly.")
    session.ingest("say/3", DEAD_END, role="assistant")
    session.call_model("5", rewritten="types")

    session.turn("4  the retry")
    session.ingest("say/4", REREAD, role="assistant")
    session.splice("types", "int", "list[int]", inside=SENTENCE, inverse="ahead")
    schedule = _keep_schedule(session)
    remark = session.use(
        "arg:schedule", "types", schedule, holder="coder", checked=["version", "hash"]
    )
    session.step(
        4, "apply_patch", SAFE_EDIT_CALL.format(remark=remark), EDITED.format(lines=3), seconds=1.5
    )
    session.note("Type and sentence are whole, so what is copied into the code is true.")
    session.call_model("6", rewritten="types")
    session.step(5, "bash", MYPY_CALL, MYPY_PASSED, seconds=1.5)
    session.note("mypy agrees with the notes: nothing of the way back was lost.")
    session.call_model("7")
    session.ingest("say/5", DONE, role="assistant")


def _read_the_code(session: SampleSession) -> int:
    """The agent reads and takes notes; returns the seq at which it rewrote its plan."""
    session.turn("1  read the code")
    session.ingest("system", SYSTEM, role="system")
    session.ingest("task", TASK, role="user", actor="operator")
    session.ingest("plan", PLAN, role="note")
    session.call_model("1")
    session.step(1, "read_file", READ_CALL, CODE, seconds=1.5)
    session.ingest("types", TYPES, role="note", after="plan")
    replanned = session.rewrite("plan", PLAN_READ, op="replan")
    session.note("A coding agent keeps notes of what the names mean, and writes code from them.")
    session.step(2, "grep", GREP_CALL, GREP, seconds=1.5)
    session.call_model("2", rewritten="plan")
    session.ingest("say/1", THOUGHT, role="assistant")
    return replanned


def _keep_schedule(session: SampleSession) -> tuple[int, int]:
    """The sentence about the scheduler is kept, to be copied into a comment."""
    session.derive("arg:schedule", "types", "tool_argument", holder="coder", quote=SCHEDULE)
    return session.range("types", SCHEDULE)


STORY: Final = Story(
    "The rollback through a hole in the log",
    "003",
    "coder",
    datetime(2026, 11, 13, 15, 40, 31, tzinfo=UTC),
    ("One inverse is dropped, and a rollback trusts an old offset.", unsafe),
    ("Every inverse is written first, and the rollback is exact.", safe),
)
