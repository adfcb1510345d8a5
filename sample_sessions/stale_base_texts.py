"""What the agents of the stale-base session read and write."""

from __future__ import annotations

from typing import Final, NamedTuple

from spanscope.sample_sessions.spans import prose


class Look(NamedTuple):
    """One tool call, what came back, and the line that it left in the notes."""

    tool: str
    call: str
    result: str
    noted: str


SYSTEM: Final = prose("""
    You plan the nightly export from the shop's database into the data warehouse. Sub-agents
    work on the same context. `rules` binds all of you: what stands there, nobody asks again.
    A rule quotes the page that it comes from.
""")
TASK: Final = prose("""
    Move the nightly export to the vendor's bulk API before the sale. It must be done by 06:00
    UTC, it may not slow the shop down, and the warehouse team must be able to run it again for
    any single day.
""")
RULES: Final = prose("""
    # Rules for the export

    ## Database
    - Read from the replica, never from the primary.
    - One query per table, no joins; the warehouse joins.

    ## Time
    - Start at 01:30 UTC, be done by 06:00 UTC.
    - A day that failed is run again as a whole.

    ## Reporting
    - Post row counts to #warehouse when done.
""")
PLAN: Final = prose("""
    1. Read the vendor's pages: auth, formats, limits, errors.
    2. Measure what one night holds.
    3. Write the constraints for the export into `rules`.
    4. Lay out the schedule and dry-run it.
""")
AFTER_TIME: Final = "- A day that failed is run again as a whole.\n\n"
BEFORE_REPORTING: Final = "## Reporting\n"

DOCS: Final = (
    (
        "docs/auth",
        "Export API: authentication",
        prose("""
            # Authentication

            Every call carries a workspace token in the header X-Export-Token. Tokens live for
            24 hours. A job keeps the token it was started with, so a token that expires while
            the job runs does no harm. Rotate with POST /v2/tokens.
        """),
    ),
    (
        "docs/formats",
        "Export API: formats",
        prose("""
            # Formats

            csv, jsonl and parquet. Files are split at 2 GB and numbered from 000. Parquet keeps
            decimals exact; csv writes them with a point and no thousands separator. Times are
            UTC, ISO 8601.
        """),
    ),
    (
        "docs/limits",
        "Export API: limits",
        prose("""
            # Limits

            Bulk export allows 12 parallel jobs per workspace. A job that exceeds the limit
            waits in line; it is not refused. A job may run for two hours at most.

            Each workspace may start 500 jobs a day. Small jobs count like large ones.
        """),
    ),
    (
        "docs/errors",
        "Export API: errors",
        prose("""
            # Errors

            409: the table is being exported already. 422: the request can't be carried out;
            the body says which field. 429: too many requests. 5xx: try again after the time in
            Retry-After. A failed job leaves no files behind.
        """),
    ),
)
QUOTE: Final = "Bulk export allows 12 parallel jobs per workspace"
NEW_QUOTE: Final = "Bulk export allows 3 parallel jobs per workspace"
NEW_LIMITS: Final = prose("""
    # Limits (changed on 9 November)

    Bulk export allows 3 parallel jobs per workspace. A job that exceeds the limit is refused
    with 422. A job may run for six hours at most; use fewer and larger jobs.

    Each workspace may start 500 jobs a day. Small jobs count like large ones.
""")

LOOKS: Final = (
    Look(
        "sql",
        '{"tool": "sql", "query": "select count(*), sum(bytes) from export_tables"}',
        " tables |    bytes\n--------+--------------\n     36 | 148203995136\n",
        "- 36 tables, 148 GB; measured on the replica.\n",
    ),
    Look(
        "sql",
        '{"tool": "sql", "query": "select name, bytes from export_tables order by 2 desc limit 3"}',
        " name        | bytes\n-------------+-------------\n events      | 61203283968\n"
        " order_lines | 33822867456\n stock_moves | 20401094656\n",
        "- Three tables are three quarters of it: events, order_lines, stock_moves.\n",
    ),
    Look(
        "bash",
        '{"tool": "bash", "command": "grep -c . var/log/export-2026-11-10.log"}',
        "412\n",
        "- The old export writes 412 log lines a night.\n",
    ),
    Look(
        "bash",
        '{"tool": "bash", "command": "grep finished var/log/export-2026-11-10.log | tail -1"}',
        "2026-11-10T06:47:12Z export finished, 36 tables, 318 minutes\n",
        "- Last night it took 318 minutes, 47 too long.\n",
    ),
    Look(
        "read_file",
        '{"tool": "read_file", "path": "export/run.py"}',
        prose("""
            def run(day: date) -> None:
                for table in tables():
                    rows = dump(table, day)
                    upload(table, day, rows)
                    log.info("%s: %d rows", table, rows)
        """),
        "- run.py goes table by table; nothing runs in parallel yet.\n",
    ),
    Look(
        "sql",
        '{"tool": "sql", "query": "select max(lag_seconds) from replica_lag"}',
        " max\n-----\n   4\n",
        "- Replica lag stays under 5 s at night.\n",
    ),
    Look(
        "bash",
        '{"tool": "bash", "command": "exportctl estimate --table events --day 2026-11-10"}',
        "events: 57.0 GB, about 96 minutes in one job\n",
        "- events alone needs 96 minutes in one job.\n",
    ),
)
PLAN_STEPS: Final = (
    ("1. Read the vendor's pages: auth, formats, limits, errors.", "1. Done: four pages read."),
    ("2. Measure what one night holds.", "2. Done: 36 tables, 148 GB, three large ones."),
)

ASKS: Final = (
    "How much does one night hold? Measure it on the replica, please.\n",
    "And why does it take until seven? Look at the old script and the logs.\n",
)
ANSWERS: Final = (
    "The four pages are read. The vendor counts jobs per workspace, not per token.\n",
    "Measured: 36 tables and 148 GB a night, three quarters of it in three tables.\n",
    "The old export takes 318 minutes because it goes table by table. We need jobs in parallel.\n",
)

CONSTRAINTS: Final = prose("""
    ## Jobs
    - Run 12 export jobs in parallel: "Bulk export allows 12 parallel jobs per workspace".
    - Start them all at once; what is over the limit waits in line.
    - One table is one job, so the night has 36 jobs.
""")
NEW_CONSTRAINTS: Final = prose("""
    ## Jobs
    - Run 3 export jobs in parallel: "Bulk export allows 3 parallel jobs per workspace".
    - Start the next one when one ends; what is over the limit is refused.
    - One job for each large table, one for all others; six hours are allowed.
""")
SPACED: Final = CONSTRAINTS + "\n"
NEW_SPACED: Final = NEW_CONSTRAINTS + "\n"

STEP_OPEN: Final = "4. Lay out the schedule and dry-run it."
STEP_SPLIT: Final = "4. Lay out the schedule, large tables first, and dry-run it."

SCHEDULE: Final = prose("""
    01:30  start 36 jobs, 12 run, 24 wait in line
    02:10  small tables are through
    03:20  order_lines, stock_moves are through
    03:50  events is through, row counts go to #warehouse
""")
NEW_SCHEDULE: Final = prose("""
    01:30  start events, order_lines, and one job for the 33 small tables
    02:25  stock_moves starts when order_lines is through
    03:10  events is through
    03:40  all is through, row counts go to #warehouse
""")
DRY_RUN: Final = '{{"tool": "export.dry_run", "parallel": {parallel}, "jobs": {jobs}}}'
REFUSED: Final = prose("""
    422 {"field": "parallel", "message": "12 is over the limit of this workspace: 3"}
    jobs 4 to 36 would be refused, 33 tables would be missing at 06:00
""")
ACCEPTED: Final = '200 {"jobs": 4, "parallel": 3, "estimated_end": "03:40 UTC"}\n'
CONTRADICTION: Final = prose("""
    The rule says 12 in parallel and quotes the limits page. The page in my context says 3, and
    the dry run agrees with the page. The sentence that the rule quotes stands nowhere. I take
    the rule out again.
""")
FITS: Final = prose("""
    The dry run agrees with the rule, and the rule with the page. Operations want the number of
    jobs in their own configuration, so I take the block out again and leave the rest.
""")
NORMALIZED: Final = prose("""
    # Rules for the export

    1. Read from the replica, never from the primary; one query per table, no joins.
    2. Start at 01:30 UTC, be done by 06:00 UTC. A day that failed is run again as a whole.
    3. Run twelve export jobs in parallel, one table each, all started at once.
    4. Post row counts to #warehouse when done.
""")
STUCK: Final = prose("""
    I can't take the rule out: my compensation looks for a block that subagent:2 has worked into
    a numbered list since. Rule 3 still says twelve, the page says three. Please decide.
""")
MOVED_OUT: Final = "The block is out, the other rules are untouched. Operations set parallel = 3.\n"
