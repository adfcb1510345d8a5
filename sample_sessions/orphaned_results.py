"""A compaction drops the tool calls of old turns and leaves their results in the buffer.

A pruned span fails loudly at the next dereference (seed 000). A result's reference to its call is
such a dereference, and so is every holder's; the provider makes the first one at the next call.
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Final, NamedTuple

from spanscope.journal.parts import PruneEdit
from spanscope.sample_sessions.session import SampleSession, Story
from spanscope.sample_sessions.spans import prose


class Step(NamedTuple):
    """One tool call and its result."""

    tool: str
    call: str
    result: str


SYSTEM: Final = prose("""
    You are a coding agent in a repository of a booking service. Find causes before you change
    code, and name the file and line for everything that you claim. Old turns are compacted when
    the context passes 24,000 tokens.
""")
TASK: Final = prose("""
    Bookings made between 00:00 and 01:00 on 25 October appear on the wrong day in the calendar
    export. Find out why, fix it, and add a test for that night.
""")
STEPS: Final = (
    Step(
        "grep",
        '{"tool": "grep", "pattern": "fromtimestamp|localtime", "path": "booking/"}',
        prose("""
            booking/export.py:44:        day = datetime.fromtimestamp(slot.start).date()
            booking/export.py:71:        stamp = time.strftime("%Y%m%d", time.localtime(slot.end))
            booking/report.py:18:    return datetime.fromtimestamp(value, tz=UTC)
        """),
    ),
    Step(
        "read_file",
        '{"tool": "read_file", "path": "booking/export.py", "lines": [36, 52]}',
        prose("""
            def rows(slots: Iterable[Slot], zone: ZoneInfo) -> Iterator[Row]:
                for slot in slots:
                    if slot.cancelled:
                        continue
                    # The calendar wants the day the guest sees on the ticket.
                    day = datetime.fromtimestamp(slot.start).date()
                    yield Row(day, slot.room, slot.guest)
        """),
    ),
    Step(
        "bash",
        '{"tool": "bash", "command": "TZ=UTC pytest -q tests/test_export.py"}',
        prose("""
            ........                                                        [100%]
            8 passed in 0.41s
        """),
    ),
    Step(
        "bash",
        '{"tool": "bash", "command": "TZ=Europe/Vienna pytest -q tests/test_export.py"}',
        prose("""
            .....F..                                                        [100%]
            FAILED tests/test_export.py::test_day_of_night_slot - assert date(2026, 10, 24) ==
            date(2026, 10, 25)
            1 failed, 7 passed in 0.44s
        """),
    ),
)
SAID: Final = (
    "Two places in export.py use the server's zone. I look at the first one.\n",
    "rows() takes a zone and never uses it. I run the tests in two zones.\n",
    "With TZ=UTC all pass, with TZ=Europe/Vienna one fails: the server's zone decides.\n",
)
GO_ON: Final = "Then please fix it.\n"

DIGEST: Final = prose("""
    Compacted: four tool calls and their results.
    - booking/export.py:44 and :71 use the server's zone; report.py:18 is right.
    - rows() in export.py takes `zone` and ignores it (line 44).
    - TZ=UTC: 8 passed. TZ=Europe/Vienna: test_day_of_night_slot fails, 24 instead of 25 October.
""")
REFUSED: Final = prose("""
    400 invalid_request_error: messages.3: `tool_result` with id call_1 has no `tool_use` with
    that id in the message before. Each result must follow its call.
""")
FLATTENED: Final = "[earlier output] {result}"
MISREAD: Final = prose("""
    The earlier output says 8 passed, and another one says 1 failed. I can't see what was run
    where; the later run is the failing one, so the last change to rows() broke it. I revert
    that change.
""")
REVERT: Final = Step(
    "bash",
    '{"tool": "bash", "command": "git log --oneline -3 -- booking/export.py"}',
    prose("""
        5e01c77 Rows know their zone
        b0f3a92 Cancelled slots are left out
        90d4be1 Calendar export
    """),
)
CONFUSED: Final = prose("""
    Nothing was changed in this session, so there is nothing to revert. Which command gave which
    output? The calls are gone from my context.
""")
PATCH: Final = Step(
    "apply_patch",
    '{"tool": "apply_patch", "path": "booking/export.py", "patch": "-fromtimestamp(slot.start)'
    '\\n+fromtimestamp(slot.start, tz=zone)"}',
    "booking/export.py: 2 lines changed (44, 71).\n",
)
VERIFY: Final = Step(
    "bash",
    '{"tool": "bash", "command": "for z in UTC Europe/Vienna; do TZ=$z pytest -q tests; done"}',
    prose("""
        .........                                                       [100%]
        9 passed in 0.52s
        .........                                                       [100%]
        9 passed in 0.50s
    """),
)
FIXING: Final = "The digest names line 44 and line 71. Both get the zone that rows() is given.\n"
DONE: Final = "Fixed in both places, with a test for that night. Both zones pass.\n"

FILE: Final = "booking/export.py"
ZONE: Final = "TZ=Europe/Vienna"
COMMAND: Final = "TZ=Europe/Vienna pytest -q tests/test_export.py"


def unsafe(session: SampleSession) -> None:
    """Calls are pruned by age; what refers to them is not asked."""
    file, command = _find_the_cause(session)

    session.turn("3  compaction")
    session.ingest("user/3", GO_ON, role="user", actor="operator")
    for number, artifact in enumerate(("idx:call/1", "arg:file", "", "arg:command"), 1):
        session.prune(f"call/{number}", actor="compactor")
        if artifact:
            session.expect("SPN131", "warning", span=f"call/{number}", artifact=artifact)
    for said in ("say/1", "say/2"):
        session.prune(said, actor="compactor")
    session.note("The compactor drops all calls and answers older than this turn, by age.")
    session.recorder.mark("llm", "call 4")
    session.look_at = session.recorder.seq
    for number in (1, 2, 3, 4):
        session.expect("SPN133", "error", span=f"result/{number}")
    session.recorder.render(list(session.order), call="4")
    session.expect("SHN404", "info", span="call/1")
    session.clock.pause(0.6)
    session.ingest("error/1", REFUSED, role="note", actor="provider")
    session.note("Four results still answer calls that are gone: the provider refuses the prompt.")

    session.turn("4  the wrapper repairs")
    for number in (1, 2, 3, 4):
        span = f"result/{number}"
        flat = FLATTENED.format(result=session.text(span))
        session.rewrite(span, flat, op="flatten", actor="wrapper")
    session.note("A wrapper repairs that by making the results plain text: no call, no question.")
    _use_gone(session, "arg:file", "call/2", file)
    session.call_model("5", rewritten="result/1")
    session.ingest("say/4", MISREAD, role="assistant")
    session.step(5, *REVERT)

    session.turn("5  which output was which?")
    _use_gone(session, "arg:command", "call/4", command)
    session.note("Which zone failed stood in the call alone. The agent can't know any more.")
    session.call_model("6")
    session.ingest("say/5", CONFUSED, role="assistant")


def safe(session: SampleSession) -> None:
    """Holders let go, then calls and results leave together, as one change."""
    _find_the_cause(session)

    session.turn("3  compaction")
    session.ingest("user/3", GO_ON, role="user", actor="operator")
    old = [f"{kind}/{number}" for number in (1, 2, 3, 4) for kind in ("call", "result")]
    session.ingest(
        "digest/1",
        DIGEST,
        role="note",
        after="task",
        supersedes=[span for span in old if span.startswith("result")],
        actor="compactor",
    )
    session.recorder.release("idx:call/1", actor="indexer")
    session.derive("idx:digest/1", "digest/1", "index_entry", holder="indexer")
    session.derive("arg:file", "digest/1", "tool_argument", holder="coder", quote=FILE)
    session.derive("arg:command", "digest/1", "tool_argument", holder="coder", quote=ZONE)
    session.note("The compactor keeps what was found, and asks the holders before it prunes.")
    prunes = [PruneEdit(span=span) for span in (*old, "say/1", "say/2")]
    session.stage("C1", reads=[], edits=prunes, actor="compactor")
    session.look_at = session.apply("C1", prunes, actor="compactor")
    session.note("Each call leaves with its result, in one change that can be undone as one.")
    session.call_model("4", rewritten="call/1")
    session.ingest("say/3", FIXING, role="assistant")

    session.turn("4  the fix")
    _use(session, "arg:file", session.range("digest/1", FILE))
    session.note("The digest names file, line and zone: nothing has to be guessed.")
    session.step(5, *PATCH)
    session.call_model("5")

    session.turn("5  both zones")
    _use(session, "arg:command", session.range("digest/1", ZONE))
    session.step(6, *VERIFY)
    session.note("The argument is taken from a live span, and the tests run in both zones.")
    session.call_model("6")
    session.ingest("say/5", DONE, role="assistant")


def _find_the_cause(session: SampleSession) -> tuple[tuple[int, int], tuple[int, int]]:
    """Two turns of looking; returns where file and command stand in the calls."""
    session.turn("1  where is the day made?")
    session.ingest("system", SYSTEM, role="system")
    session.ingest("task", TASK, role="user", actor="operator")
    session.call_model("1")
    session.step(1, *STEPS[0])
    session.derive("idx:call/1", "call/1", "index_entry", holder="indexer")
    session.step(2, *STEPS[1])
    session.derive("arg:file", "call/2", "tool_argument", holder="coder", quote=FILE)
    session.note("Others hold on to the calls: an index entry, and arguments to use again.")
    session.call_model("2")
    session.ingest("say/1", SAID[0] + SAID[1], role="assistant")

    session.turn("2  which zone?")
    session.step(3, *STEPS[2])
    session.step(4, *STEPS[3])
    session.derive("arg:command", "call/4", "tool_argument", holder="coder", quote=COMMAND)
    session.call_model("3")
    session.ingest("say/2", SAID[2], role="assistant")
    return session.range("call/2", FILE), session.range("call/4", COMMAND)


def _use(session: SampleSession, artifact: str, range: tuple[int, int]) -> None:
    session.use(artifact, "digest/1", range, holder="coder", checked=["version", "hash"])


def _use_gone(session: SampleSession, artifact: str, span: str, range: tuple[int, int]) -> None:
    """The holder has a copy of the old call and slices that, whatever the buffer says."""
    session.use(artifact, span, range, holder="coder")
    session.expect("SPN132", "error", span=span, artifact=artifact)


STORY: Final = Story(
    "The results that lost their calls",
    "000",
    "coder",
    datetime(2026, 11, 12, 10, 3, 47, tzinfo=UTC),
    ("A compaction drops tool calls and leaves their results.", unsafe),
    ("Calls and results leave together, and holders let go first.", safe),
)
