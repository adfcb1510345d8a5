"""Seed 000, as observed: a rolling summary is rewritten in place under an offset map.

The planner compresses the turns before into the span `task`; the retriever goes on slicing it at
the offsets of the first text. The version advances and nobody reads it.
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Final

from spanscope.sample_sessions.session import SampleSession, Story
from spanscope.sample_sessions.spans import prose

SYSTEM: Final = prose("""
    You are the planner of a review assistant. You keep the span `task` short: at the start of
    every turn you compress what happened so far into it. The retriever reads `task` to find
    evidence, the assembler puts citations into the draft. Cite every statement about a cause.
""")
BRIEF: Final = prose("""
    Write the post-incident review for the checkout outage of 3 November.

    Scope: the EU region only. The US region was failed over before any customer noticed and
    has a review of its own.

    Evidence so far: latency crossed two seconds at 14:07. The pager fired at 14:19 because its
    alert averages over ten minutes. The connection pool had been raised to 200 the week before,
    and the database never came near its limit.

    Decision needed: leadership wants to know why nobody was called for twelve minutes. Do not
    name individuals. The draft is due on Thursday at noon.
""")
PAGER: Final = "The pager fired at 14:19 because its\nalert averages over ten minutes."
SCOPE: Final = "the EU region only"
COPY: Final = "task@summarize:1"
DUE: Final = "The draft is due on Thursday at noon."

FIRST_SUMMARY: Final = prose("""
    Post-incident review, checkout outage of 3 November, EU region only (US has its own).

    Known: latency over two seconds from 14:07, pager at 14:19 (a ten-minute average). Read in
    turn 1: the alert rule and the record of the pool change.
    The connection pool was raised to 200 on 27 October by change CH-881. Database load stayed
    at 40 percent of its limit all afternoon.

    Open: why was nobody called for twelve minutes? No names. Draft due Thursday noon.
""")
SECOND_SUMMARY: Final = prose("""
    Review of the checkout outage of 3 November, EU only.

    Known: latency over two seconds from 14:07; pager at 14:19. Section 1 is drafted and names
    the cause with citation [1].
    Next is section 2: what to change, and who decides about the pool size before the sale.

    Open: a recommendation for leadership. No names. Draft due Thursday noon.
""")
THIRD_SUMMARY: Final = prose("""
    Review of the checkout outage of 3 November, EU only. Sections 1 and 2 are drafted and rest
    on citation [1]: the pool. Left to do: file the change request that section 2 asks for, tell
    the owner of checkout-api, close the review. No names. Due Thursday noon.
""")

ALERT_CALL: Final = '{"tool": "read_file", "path": "alerts/checkout.yaml"}'
ALERT_RULE: Final = prose("""
    - alert: CheckoutLatencyHigh
      expr: avg_over_time(checkout_latency_seconds{region="eu"}[10m]) > 2
      for: 2m
      labels:
        severity: page
        team: payments
      annotations:
        summary: "Checkout latency above 2 s"
        runbook: "runbooks/checkout-latency.md"
""")
CHANGE_CALL: Final = '{"tool": "search", "query": "connection pool change october"}'
CHANGE: Final = prose("""
    CH-881  approved 26 October, done 27 October 10:15
    Service: checkout-api (EU, US). Setting: db.pool.max_size 120 -> 200.
    Reason: queueing at peak in load test LT-44. Rollback: set back to 120, no restart needed.
    Review after two weeks: connections in use never above 83.
""")
ASK_DRAFT: Final = "Good. Draft section 1, the cause, with a citation.\n"
ASK_ACTIONS: Final = "Now section 2: what should we change?\n"
ASK_REQUEST: Final = "File the change request that section 2 asks for, then close the review.\n"
HUMAN_NOTICES: Final = prose("""
    Stop. I followed citation [1] in section 1 and it does not show what you say: it ends in a
    paragraph about the pool. The brief says the pager fired late because of the ten-minute
    average. Where does the pool come from?
""")
HUMAN_AGREES: Final = prose("""
    I followed citation [1]: it shows the sentence about the pager and the ten-minute average,
    word for word as in my brief. Section 2 follows from it. Approved, thank you.
""")

DRIFTED: Final = (
    prose("""
        ## 1. Cause

        Nobody was called for twelve minutes because of change CH-881: the connection pool was
        raised to 200 a week before [1]. The larger pool hid the rising latency from the alert.
    """),
    prose("""
        ## 2. What to change

        Since the pool is the cause (section 1, [1]), set db.pool.max_size back to 120 before
        the sale. The alert rule can stay as it is.
    """),
    prose("""
        {"tool": "file_change", "service": "checkout-api", "setting": "db.pool.max_size",
         "from": 200, "to": 120, "reason": "cause of the outage of 3 November, see review [1]"}
    """),
)
SOUND: Final = (
    prose("""
        ## 1. Cause

        Nobody was called for twelve minutes because the alert averages over ten [1]: two
        minutes of it were the `for` clause, the rest was waiting for the average to rise.
    """),
    prose("""
        ## 2. What to change

        Alert on the 99th percentile over one minute instead of a ten-minute average ([1],
        alerts/checkout.yaml). The pool stays at 200: connections in use never passed 83.
    """),
    prose("""
        {"tool": "file_change", "service": "alerts/checkout.yaml", "setting": "expr",
         "to": "quantile 0.99 over 1m > 2", "reason": "outage of 3 November, see review [1]"}
    """),
)
FILED: Final = "CH-902 filed, waits for approval by the owner of {owner}.\n"


def unsafe(session: SampleSession) -> None:
    """Three turns of drafting on a citation that slid into another paragraph."""
    evidence = _first_turn(session, key="none")
    due = session.range("task", DUE)

    session.turn("2  the cause")
    session.ingest("user/2", ASK_DRAFT, role="user", actor="operator")
    session.rewrite("task", FIRST_SUMMARY, op="summarize")
    for artifact in ("cite:1", "emb:task", "map:due", "map:evidence", "map:scope", "tokens:task"):
        session.expect("SPN101", "warning", span="task", artifact=artifact)
    session.expect("SPN114", "warning", span="task", artifact="tokens:task")
    session.expect("SPN121", "warning", span="task", artifact="emb:task")
    session.note(
        "The planner rewrites the task in place. Six artifacts stand on it, nobody is told."
    )
    session.recorder.release("emb:task", actor="indexer")
    _slice(session, "map:evidence", "retriever", evidence)
    session.look_at = session.recorder.seq
    session.note("The old offsets still resolve. They end in the paragraph about the pool.")
    _slice(session, "cite:1", "assembler", evidence)
    session.call_model("3", rewritten="task")
    session.ingest("draft/1", DRIFTED[0], role="assistant")

    session.turn("3  what to change")
    session.ingest("user/3", ASK_ACTIONS, role="user", actor="operator")
    session.rewrite("task", SECOND_SUMMARY, op="summarize")
    _slice(session, "map:evidence", "retriever", evidence)
    _slice(session, "cite:1", "assembler", evidence)
    session.note("Version 2 now. Section 2 is built on section 1, and on the same citation.")
    session.call_model("4", rewritten="task")
    session.ingest("draft/2", DRIFTED[1], role="assistant")

    session.turn("4  the change request")
    session.ingest("user/4", ASK_REQUEST, role="user", actor="operator")
    session.rewrite("task", THIRD_SUMMARY, op="summarize")
    _slice(session, "map:due", "retriever", due)
    session.note("The summary is shorter than the offsets: the slice is empty, and no error.")
    _slice(session, "cite:1", "assembler", evidence)
    session.call_model("5", rewritten="task")
    _file_change(session, DRIFTED[2], "checkout-api")

    session.turn("5  a human notices")
    session.ingest("user/5", HUMAN_NOTICES, role="user", actor="operator")
    session.note("After three turns a person follows the citation. No check ever failed.")
    _let_go(session, "cite:1", "map:scope", "map:evidence", "map:due", "tokens:task")
    session.call_model("6")
    session.ingest("say/5", _sorry(), role="assistant")


def safe(session: SampleSession) -> None:
    """The same review: copy-on-rewrite where holders are expensive, else told and re-keyed."""
    evidence = _first_turn(session, key="both")

    session.turn("2  the cause")
    session.ingest("user/2", ASK_DRAFT, role="user", actor="operator")
    copied = session.copy("task", COPY, FIRST_SUMMARY, op="summarize")
    session.note("An embedding is expensive, so the summary is a copy and the brief stays.")
    _check(session, "map:evidence", "retriever", evidence)
    _move_map(session, COPY, "EU region only", "Draft due Thursday noon.")
    session.look_at = session.recorder.seq
    session.note("Version and hash are checked at every use: [1] is the pager sentence.")
    _check(session, "cite:1", "assembler", evidence)
    session.call_model("3", rewritten="task")
    session.ingest("draft/1", SOUND[0], role="assistant")

    session.turn("3  what to change")
    session.ingest("user/3", ASK_ACTIONS, role="user", actor="operator")
    _summarize(session, SECOND_SUMMARY, "EU only", "Draft due Thursday noon.")
    _check(session, "cite:1", "assembler", evidence)
    session.note("Offset maps are cheap: their holder was told, and derived them again.")
    session.call_model("4", rewritten=COPY)
    session.ingest("draft/2", SOUND[1], role="assistant")

    session.turn("4  the change request")
    session.ingest("user/4", ASK_REQUEST, role="user", actor="operator")
    _summarize(session, THIRD_SUMMARY, "EU only", "Due Thursday noon.")
    session.note("The summary shrank, and so did the map: no offset ends outside it.")
    _check(session, "cite:1", "assembler", evidence)
    session.call_model("5", rewritten=COPY)
    _file_change(session, SOUND[2], "alerts/checkout.yaml")

    session.turn("5  approved")
    session.ingest("user/5", HUMAN_AGREES, role="user", actor="operator")
    session.note("The citation held for three turns. Nobody needs the brief any more.")
    _let_go(session, "cite:1", "emb:task", "map:evidence", "map:scope", "map:due", "tokens:task")
    session.recorder.compact(["task"])
    session.expect("UND211", "info", entry=copied)
    session.call_model("6")
    session.ingest("say/5", "The review is closed; CH-902 is linked to it.\n", role="assistant")


def _first_turn(session: SampleSession, *, key: str) -> tuple[int, int]:
    """The brief comes in and holders derive from it; returns the range of the evidence."""
    session.turn("1  the brief")
    session.ingest("system", SYSTEM, role="system")
    session.ingest("task", BRIEF, role="user", origin="ingest", actor="operator")
    for artifact, quote in (("map:scope", SCOPE), ("map:evidence", PAGER), ("map:due", DUE)):
        session.derive(artifact, "task", "offset_map", holder="retriever", quote=quote)
    session.derive("emb:task", "task", "embedding", holder="indexer")
    session.derive(
        "tokens:task",
        "task",
        "token_count",
        holder="budgeter",
        key="none" if key == "none" else "both",
    )
    session.note("Three holders keep offsets, a vector and a count of the task at version 0.")
    session.call_model("1")
    session.tool("read_file")
    session.ingest("call/1", ALERT_CALL, role="tool_call")
    session.ingest(
        "result/1", ALERT_RULE, role="tool_result", answers="call/1", actor="tool:read_file"
    )
    session.tool("search")
    session.ingest("call/2", CHANGE_CALL, role="tool_call")
    session.ingest("result/2", CHANGE, role="tool_result", answers="call/2", actor="tool:search")
    session.derive("cite:1", "task", "citation", holder="assembler", quote=PAGER)
    session.call_model("2")
    session.ingest("say/1", _first_answer(), role="assistant")
    return session.range("task", PAGER)


def _first_answer() -> str:
    return prose("""
        I have the brief, the alert rule and the change record. The pager sentence in the brief
        is citation [1]. Shall I start with the cause?
    """)


def _sorry() -> str:
    return prose("""
        You are right. The offsets of [1] were taken from your brief, and the task has been
        rewritten three times since. I withdraw sections 1 and 2 and ask to reject CH-902.
    """)


def _slice(session: SampleSession, artifact: str, holder: str, range: tuple[int, int]) -> None:
    session.use(artifact, "task", range, holder=holder)
    session.expect("SPN102", "error", span="task", artifact=artifact)


def _check(session: SampleSession, artifact: str, holder: str, range: tuple[int, int]) -> None:
    session.use(artifact, "task", range, holder=holder, checked=["version", "hash"])


def _file_change(session: SampleSession, request: str, owner: str) -> None:
    session.tool("file_change")
    session.ingest("call/3", request, role="tool_call")
    session.ingest(
        "result/3",
        FILED.format(owner=owner),
        role="tool_result",
        answers="call/3",
        actor="tool:file_change",
    )


def _let_go(session: SampleSession, *artifacts: str) -> None:
    for artifact in artifacts:
        session.recorder.release(artifact)


def _move_map(session: SampleSession, span: str, scope: str, due: str) -> None:
    """The retriever derives its offset map again, from the text that the task has now."""
    session.derive("map:scope", span, "offset_map", holder="retriever", quote=scope)
    session.derive("map:due", span, "offset_map", holder="retriever", quote=due)
    session.derive("tokens:task", span, "token_count", holder="budgeter")


def _summarize(session: SampleSession, summary: str, scope: str, due: str) -> None:
    """In place, for only cheap holders are left: they are told, and derive again."""
    span = COPY
    session.rewrite(
        span, summary, op="summarize", invalidates=["map:scope", "map:due", "tokens:task"]
    )
    for artifact, quote in (("map:scope", scope), ("map:due", due)):
        session.rederive(artifact, span, "offset_map", holder="retriever", quote=quote)
        session.expect("SPN103", "info", at=session.recorder.seq - 1, span=span, artifact=artifact)
    session.derive("tokens:task", span, "token_count", holder="budgeter")


STORY: Final = Story(
    "The citation that drifted",
    "000",
    "planner",
    datetime(2026, 11, 11, 9, 12, 4, tzinfo=UTC),
    ("A rolling summary is read at the offsets of the old text.", unsafe),
    ("The old text stays readable, and offsets are derived again.", safe),
)
