"""Seed 003: a selective rollback jumps to an older edit and leaves out the ones above it.

The older edit is known by its offset, and a newer one has moved the text since. In a table that
offset is the same cell of another row, so that the damage is a plausible number.
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Final

from spanscope.model.anchors import sound_inverse
from spanscope.sample_sessions.changes import MakeInverse
from spanscope.sample_sessions.session import SampleSession, Story
from spanscope.sample_sessions.spans import offset_inverse, prose

SYSTEM: Final = prose("""
    You keep the public price list of a file store. Sub-agents edit the span `prices` with you;
    each edit is logged and can be taken back on its own, also when others came after it. What
    stands in the list on the evening of the release is published and is then a promise.
""")
TASK: Final = prose("""
    Prepare the price list for 1 January: check the limits of the company plan against what the
    storage team offers, and add a plan for schools. Nothing else changes.
""")
PRICES: Final = prose("""
    # Plans from 1 January

    | plan    | seats | storage | notice   |
    |---------|-------|---------|----------|
    | free    |     3 |    5 GB | 1 day    |
    | team    |    25 |  100 GB | 1 month  |
    | company |   250 | 1000 GB | 3 months |

    Storage is for each seat. What is in use when a limit changes stays in use.
""")
SCHOOL: Final = "| school  |   500 |  200 GB | 1 year   |\n"
OFFER_CALL: Final = '{"tool": "read_file", "path": "storage/offers.md"}\n'
OFFER: Final = prose("""
    ## Offers of the storage team, December

    - company: 2000 GB for each seat, from the new racks. Waits for the board (BD-77).
    - school: 200 GB for each seat, 500 seats, notice of a year. Approved.
    - team, free: no change.
""")
RAISED: Final = "The company plan gets 2000 GB for each seat, as the storage team offers.\n"
ADDED: Final = "A row for schools stands above team now: 500 seats, 200 GB, a year's notice.\n"
MAIL: Final = prose("""
    Dear customers, from 1 January there is a plan for schools: 500 seats, 200 GB for each of
    them, and a year's notice. All other plans stay as they are. The list below is what holds;
    ask us if you miss a plan in it. Yours, the store.
""")
TAKE_BACK: Final = prose("""
    The board has not approved the 2000 GB. Please take that edit back, and only that one: the
    schools stay, they are announced already.
""")
TAKEN_BACK: Final = prose("""
    The edit of the company plan is taken back, the row for schools has stayed. The list is
    ready to be published.
""")
PUBLISH: Final = '{"tool": "publish", "span": "prices", "to": "https://store.example/plans"}\n'
PUBLISHED_WRONG: Final = prose("""
    published 5 rows; 2 rows differ from the list that is online:
      team     100 GB -> 1000 GB
      company  1000 GB -> 2000 GB
      school   (new)  500 seats, 200 GB
""")
PUBLISHED: Final = prose("""
    published 5 rows; 1 row differs from the list that is online:
      school   (new)  500 seats, 200 GB
""")
WHY: Final = prose("""
    1,140 teams have asked for the 1000 GB that the list promises them, and the company plan
    still says 2000. I had asked you to take one edit back. What did you do?
""")
LOST: Final = prose("""
    I took back the edit at the place where it was made. The log says that it restored 1000, and
    1000 is what stands in the row of team. I see now that nobody ever edited that row.
""")
THANKS: Final = "The list is right: one new row, nothing else. Thank you.\n"
DONE: Final = "Published. BD-77 stays open for the company plan.\n"


def unsafe(session: SampleSession) -> None:
    """The undo jumps: the older inverse is written at its old offset."""
    raised, added = _two_edits(session, offset_inverse)
    session.expect("UND206", "info", at=raised, span="prices", entry=raised)

    _ask(session)
    session.look_at = session.take_back(raised, "prices", at=session.inverses[raised].at)
    session.expect("UND211", "info", entry=added)
    session.expect("UND221", "error", span="prices")
    session.expect("UND222", "error", span="prices", entry=added)
    session.expect("UND226", "info", span="prices", entry=raised)
    session.note("The undo jumps over the newer row, to an offset that is another row's now.")
    _publish(session, PUBLISHED_WRONG)
    session.note("Two rows are wrong: team has 1000 GB, and company keeps 2000. It reads well.")
    _end(session, WHY, LOST)
    session.note("A promise is online that nobody made, and the log says that all went well.")


def safe(session: SampleSession) -> None:
    """The undo walks from the head down to the edit, then makes the newer ones again."""
    raised, _ = _two_edits(session, sound_inverse)

    _ask(session)
    session.look_at = session.take_back(raised, "prices")
    session.expect("UND226", "info", span="prices", entry=raised)
    session.note("The newer edits are undone first and made again after: the row stays whole.")
    _publish(session, PUBLISHED)
    session.note("Only the row of the schools is new. The company plan is as it was.")
    _end(session, THANKS, DONE)
    session.note("One edit was taken back out of three, and nothing else has moved.")


def _two_edits(session: SampleSession, record: MakeInverse) -> tuple[int, int]:
    """Two sub-agents edit the list; returns the seqs of their edits."""
    session.turn("1  the price list")
    session.ingest("system", SYSTEM, role="system")
    session.ingest("task", TASK, role="user", actor="operator")
    session.ingest("prices", PRICES, role="document", origin="file")
    session.call_model("1")
    session.step(1, "read_file", OFFER_CALL, OFFER)
    session.note("Agents share a price list. Each edit of it can be taken back on its own.")

    session.turn("2  two sub-agents")
    session.call_model("2", actor="subagent:limits")
    raised = session.splice(
        *("prices", "1000", "2000"),
        inside="1000 GB",
        record=record,
        actor="subagent:limits",
    )
    session.ingest("say/limits", RAISED, role="assistant", actor="subagent:limits")
    session.call_model("3", actor="subagent:schools")
    added = session.splice("prices", "", SCHOOL, inside="| team ", actor="subagent:schools")
    session.ingest("say/schools", ADDED, role="assistant", actor="subagent:schools")
    session.note("One sub-agent raises a limit; then another inserts a row above that line.")
    session.ingest("mail", MAIL, role="note")
    session.call_model("4", rewritten="prices")
    return raised, added


def _ask(session: SampleSession) -> None:
    session.turn("3  one edit is taken back")
    session.ingest("user/3", TAKE_BACK, role="user", actor="operator")
    session.call_model("5")


def _publish(session: SampleSession, result: str) -> None:
    session.ingest("say/3", TAKEN_BACK, role="assistant")

    session.turn("4  published")
    session.step(2, "publish", PUBLISH, result)


def _end(session: SampleSession, said: str, answer: str) -> None:
    session.turn("5  the first of January", later=230_000)
    session.ingest("user/5", said, role="user", actor="operator")
    session.call_model("6", rewritten="prices")
    session.ingest("say/5", answer, role="assistant")


STORY: Final = Story(
    "The undo that jumped a row",
    "003",
    "editor",
    datetime(2026, 12, 29, 17, 2, 26, tzinfo=UTC),
    ("One edit is undone at its old offset, past a newer edit above it.", unsafe),
    ("Newer edits are undone first and made again at their places.", safe),
)
