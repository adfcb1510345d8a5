"""Seed 004, as observed: a diff is merged onto a base that moved in a span it only read.

The merge compares what is written, finds no overlap and lets the diff in. It quotes a page that
is not there any more. The compensation then fails for a reason of its own: the base moves again.
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Final

from spanscope.journal.parts import Anchor, LineRef, QuoteRef, SpliceEdit
from spanscope.sample_sessions import stale_base_texts as texts
from spanscope.sample_sessions.session import SampleSession, Story

PLANNER: Final = "planner"
HELPER: Final = "subagent:2"
SEARCH: Final = "tool:search"


def unsafe(session: SampleSession) -> None:
    """A three-way merge by offsets: conflicts are looked for, staleness is not."""
    _study(session)
    base = session.revision

    session.turn("5  the constraints")
    session.derive("cite:limits", "docs/limits", "citation", holder=PLANNER, quote=texts.QUOTE)
    quoted = session.range("docs/limits", texts.QUOTE)
    block = SpliceEdit(
        span="rules",
        at=session.find("rules", texts.BEFORE_REPORTING),
        delete=0,
        insert=texts.SPACED,
    )
    session.stage(
        "D7",
        reads=["rules", "docs/limits"],
        edits=[block],
        refs=[
            QuoteRef(span="docs/limits", text=texts.QUOTE),
            LineRef(span="rules", line=11, text="## Reporting"),
        ],
        actor=PLANNER,
    )
    session.note(f"D7 is written at r{base}. It reads rules and docs/limits, and quotes the page.")
    split = _stage_split(session)
    session.tool("search", actor=HELPER)
    refreshed = session.rewrite("docs/limits", texts.NEW_LIMITS, op="refresh", actor=SEARCH)
    session.expect("DIF301", "warning", diff="D7")
    session.expect("DIF303", "warning", diff="D7")
    session.expect("SPN101", "warning", span="docs/limits", artifact="cite:limits")
    session.note(f"The page changed at {refreshed}, far from rules: a merge sees no overlap.")
    applied = session.apply("D7", [block], actor=PLANNER)
    session.look_at = applied
    session.expect("DIF311", "error", diff="D7")
    session.apply("D8", [split], actor=HELPER)
    session.call_model("5", rewritten="rules")

    session.turn("6  the schedule")
    session.ingest("schedule", texts.SCHEDULE, role="note")
    session.step(
        12, "export.dry_run", texts.DRY_RUN.format(parallel=12, jobs=36), texts.REFUSED, seconds=0
    )
    session.note("Three steps later the rule and the page contradict each other.")
    session.use("cite:limits", "docs/limits", quoted, holder=PLANNER)
    session.expect("SPN102", "error", span="docs/limits", artifact="cite:limits")
    session.call_model("6")
    session.ingest("say/6", texts.CONTRADICTION, role="assistant")

    session.turn("7  the way back")
    session.stage(
        "D9",
        reads=["rules"],
        edits=[_without(texts.SPACED)],
        compensates=applied,
        actor=PLANNER,
    )
    session.note(f"D9 would take the block out. It is written against r{session.revision}.")
    session.rewrite("rules", texts.NORMALIZED, op="normalize", actor=HELPER)
    session.expect("DIF301", "warning", diff="D9")
    session.expect("DIF304", "warning", diff="D9")
    session.expect("DIF306", "warning", diff="D9")
    session.recorder.reject(
        "D9", rule="DIF304", reason="hunk 1 of 1: anchor not found in rules", actor=PLANNER
    )
    session.note("The base moved once more, and the compensation has no anchor left.")
    session.call_model("7", rewritten="rules")
    session.ingest("say/7", texts.STUCK, role="assistant")


def safe(session: SampleSession) -> None:
    """Staleness is checked on the read set, before anything is merged."""
    _study(session)
    base = session.revision

    session.turn("5  the constraints")
    session.derive("cite:limits", "docs/limits", "citation", holder=PLANNER, quote=texts.QUOTE)
    session.stage(
        "D7",
        reads=["rules", "docs/limits"],
        edits=[_with(texts.SPACED)],
        refs=[QuoteRef(span="docs/limits", text=texts.QUOTE)],
        actor=PLANNER,
    )
    session.note(f"D7 is written at r{base}. It reads rules and docs/limits, and quotes the page.")
    split = _stage_split(session)
    session.tool("search", actor=HELPER)
    session.recorder.withdraw("D7", actor=PLANNER)
    session.rewrite(
        "docs/limits",
        texts.NEW_LIMITS,
        op="refresh",
        invalidates=["cite:limits"],
        actor=SEARCH,
    )
    session.note("D7 read the page that is about to change: it is taken back and written anew.")
    session.rederive(
        "cite:limits", "docs/limits", "citation", holder=PLANNER, quote=texts.NEW_QUOTE
    )
    session.expect(
        "SPN103",
        "info",
        at=session.recorder.seq - 1,
        span="docs/limits",
        artifact="cite:limits",
    )
    session.stage(
        "D7b",
        reads=["rules", "docs/limits"],
        edits=[_with(texts.NEW_SPACED)],
        refs=[QuoteRef(span="docs/limits", text=texts.NEW_QUOTE)],
        actor=PLANNER,
    )
    applied = session.apply("D7b", [_with(texts.NEW_SPACED)], actor=PLANNER)
    session.look_at = applied
    session.apply("D8", [split], actor=HELPER)
    session.call_model("5", rewritten="rules")

    session.turn("6  the schedule")
    session.ingest("schedule", texts.NEW_SCHEDULE, role="note")
    session.step(
        12, "export.dry_run", texts.DRY_RUN.format(parallel=3, jobs=4), texts.ACCEPTED, seconds=0
    )
    session.note("Three steps later rule, page and dry run say the same.")
    session.recorder.use("cite:limits", checked=["version", "hash"], actor=PLANNER)
    session.call_model("6")
    session.ingest("say/6", texts.FITS, role="assistant")

    session.turn("7  the way back")
    session.stage(
        "D9",
        reads=["rules"],
        edits=[_without(texts.NEW_SPACED)],
        compensates=applied,
        actor=PLANNER,
    )
    session.note(f"D9 would take the block out. It is written against r{session.revision}.")
    session.append("notes", "- The dry run ends at 03:40 UTC.\n", actor=HELPER)
    session.apply("D9", [_without(texts.NEW_SPACED)], actor=PLANNER)
    session.note("The base moved once more, elsewhere: D9 still has its anchor and goes in.")
    session.call_model("7", rewritten="rules")
    session.ingest("say/7", texts.MOVED_OUT, role="assistant")


def _study(session: SampleSession) -> None:
    """Four turns of reading and measuring; everything is logged and can be undone."""
    session.turn("1  the task")
    session.ingest("system", texts.SYSTEM, role="system")
    session.ingest("task", texts.TASK, role="user", actor="operator")
    session.ingest("rules", texts.RULES, role="note")
    session.ingest("plan", texts.PLAN, role="note")
    session.ingest("notes", "# Notes\n", role="note")
    session.call_model("1")

    session.turn("2  the vendor's pages")
    session.note("Everything that the agents know stands in one buffer, and all of it can move.")
    for number, (page, title, text) in enumerate(texts.DOCS, 1):
        session.tool("search")
        session.ingest(
            f"call/{number}", f'{{"tool": "search", "query": "{title}"}}', role="tool_call"
        )
        session.ingest(page, text, role="tool_result", answers=f"call/{number}", actor=SEARCH)
    session.splice("plan", *texts.PLAN_STEPS[0])
    session.call_model("2", rewritten="plan")
    session.ingest("say/2", texts.ANSWERS[0], role="assistant")

    session.turn("3  how much is it?")
    session.ingest("user/3", texts.ASKS[0], role="user", actor="operator")
    for number, look in enumerate(texts.LOOKS[:4], 5):
        session.step(number, look.tool, look.call, look.result, seconds=0)
        session.append("notes", look.noted)
    session.splice("plan", *texts.PLAN_STEPS[1])
    session.call_model("3", rewritten="plan")
    session.ingest("say/3", texts.ANSWERS[1], role="assistant")

    session.turn("4  what takes so long?")
    session.ingest("user/4", texts.ASKS[1], role="user", actor="operator")
    for number, look in enumerate(texts.LOOKS[4:], 9):
        session.step(number, look.tool, look.call, look.result, seconds=0)
        session.append("notes", look.noted)
    session.call_model("4", rewritten="notes")
    session.ingest("say/4", texts.ANSWERS[2], role="assistant")


def _stage_split(session: SampleSession) -> SpliceEdit:
    """A sub-agent's own diff, which reads and writes the plan alone."""
    edit = SpliceEdit(
        span="plan",
        delete=len(texts.STEP_OPEN),
        anchor=Anchor(before="into `rules`.\n", after="\n"),
        original=texts.STEP_OPEN,
        insert=texts.STEP_SPLIT,
    )
    session.stage("D8", reads=["plan"], edits=[edit], actor=HELPER)
    return edit


def _with(block: str) -> SpliceEdit:
    """The block goes in between two sections, wherever these stand."""
    anchor = Anchor(before=texts.AFTER_TIME, after=texts.BEFORE_REPORTING)
    return SpliceEdit(span="rules", delete=0, anchor=anchor, insert=block)


def _without(block: str) -> SpliceEdit:
    """The block goes out again."""
    anchor = Anchor(before=texts.AFTER_TIME, after=texts.BEFORE_REPORTING)
    return SpliceEdit(span="rules", delete=len(block), anchor=anchor, original=block, insert="")


STORY: Final = Story(
    "The merge that saw no conflict",
    "004",
    "planner",
    datetime(2026, 11, 11, 13, 55, 18, tzinfo=UTC),
    ("A diff goes in although the page it quotes has changed.", unsafe),
    ("The diff is taken back and authored again on the new page.", safe),
)
