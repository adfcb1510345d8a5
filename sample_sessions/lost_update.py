"""Seed 004: two sub-agents write one span, and the second has never seen what the first wrote.

Both read version 0 of a list and each writes it back with what it found. The later write is
whole and well formed; it is based on a version that is no longer there.
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Final

from spanscope.journal.parts import Base
from spanscope.sample_sessions.session import SampleSession, Story
from spanscope.sample_sessions.spans import prose

PRIVACY: Final = "subagent:privacy"
PRICES: Final = "subagent:prices"
REVIEWER: Final = "reviewer"

SYSTEM: Final = prose("""
    You prepare a decision for the board. Two sub-agents help you, one for privacy and one for
    prices; all of you write into the span `shortlist`. Recommend the cheapest vendor that may be
    chosen. The reviewer puts a footnote to every vendor that is left out.
""")
TASK: Final = prose("""
    The mail archive needs a host: 11 TB, ten years. Three vendors have made an offer. The data
    must stay in the EU; that is in our contracts with customers.
""")
LIST: Final = prose("""
    # Who hosts the mail archive

    - Arco
    - Baltic
    - Nord

    Strike out who may not be chosen, and say why. The board decides on Friday.
""")
WITH_PRIVACY: Final = prose("""
    # Who hosts the mail archive

    - Arco: struck out, copies everything to Virginia
    - Baltic: data stays in Estonia
    - Nord: data stays in Sweden

    Strike out who may not be chosen, and say why. The board decides on Friday.
""")
WITH_PRICES: Final = prose("""
    # Who hosts the mail archive

    - Arco: 31,000 euros a year
    - Baltic: 44,000 euros a year
    - Nord: 48,000 euros a year

    Strike out who may not be chosen, and say why. The board decides on Friday.
""")
WITH_BOTH: Final = prose("""
    # Who hosts the mail archive

    - Arco: struck out, copies everything to Virginia
    - Baltic: data stays in Estonia; 44,000 euros a year
    - Nord: data stays in Sweden; 48,000 euros a year

    Strike out who may not be chosen, and say why. The board decides on Friday.
""")
STRUCK_OUT: Final = "struck out, copies everything to Virginia"

TERMS_CALL: Final = '{"tool": "read_file", "path": "offers/terms.md", "for": "privacy"}\n'
TERMS: Final = prose("""
    Arco, section 14: "for resilience, objects are replicated to region us-east (Virginia)".
    The customer can't turn that off; asked twice, see mails of 10 and 12 November.
    Baltic, section 7: storage and backup in Tallinn and Tartu. No access from elsewhere.
    Nord, section 9: storage and backup in Lulea, Sweden. Support from the EU only.
""")
OFFERS_CALL: Final = '{"tool": "read_file", "path": "offers/prices.csv", "for": "prices"}\n'
OFFERS: Final = prose("""
    vendor;storage_tb;euro_per_month;setup;years;remarks
    Arco;11;2583;0;10;price fixed for one year, retrieval is charged by volume
    Baltic;11;3667;0;10;price fixed for five years
    Nord;11;4000;0;10;price fixed for three years, then with the index
""")

BAD_CHOICE: Final = prose("""
    Recommendation: Arco, at 31,000 euros a year. It is 13,000 below the next offer, and nothing
    in the list speaks against it. I have asked for the contract [1].
""")
GOOD_CHOICE: Final = prose("""
    Recommendation: Baltic, at 44,000 euros a year. Arco was struck out since it copies everything
    to Virginia [1]; of the two that are left Baltic is the cheaper by 4,000.
""")
CONTRACT: Final = '{{"tool": "request_contract", "vendor": "{vendor}", "years": 10}}\n'
SENT: Final = "Request sent to {vendor}; the signed copy is due on Friday.\n"
LAWYER: Final = prose("""
    Arco copies all data to Virginia. Our customers' contracts forbid that, and privacy told me
    on Tuesday that Arco was struck out. Who put it back?
""")
NOBODY: Final = prose("""
    Nobody did. The list that I read names three vendors and three prices. There is no word on
    where the data is; footnote [1] points at the price of Arco.
""")
APPROVED: Final = "Baltic it is, and the footnote answers what the board would have asked.\n"
CLOSED: Final = "Good. The request is sent, the list is closed.\n"


def unsafe(session: SampleSession) -> None:
    """The second write replaces a version that its writer never read."""
    base = _two_readers(session)
    place = session.range("shortlist", STRUCK_OUT)
    session.look_at = session.rewrite("shortlist", WITH_PRICES, op="edit", base=base, actor=PRICES)
    session.expect("DIF316", "error", span="shortlist")
    session.expect("SPN101", "warning", span="shortlist", artifact="cite:arco")
    session.note("Prices writes the list as it read it, plus prices. Arco is no longer struck out.")

    session.turn("4  a recommendation")
    session.call_model("4", rewritten="shortlist")
    session.use("cite:arco", "shortlist", place, holder=REVIEWER)
    session.expect("SPN102", "error", span="shortlist", artifact="cite:arco")
    _recommend(session, BAD_CHOICE, "Arco")
    session.note("The list reads well, and so the vendor is chosen that may not be chosen.")
    _end(session, LAWYER, NOBODY)
    session.note("Both writes had succeeded. What privacy found was there for half a minute.")


def safe(session: SampleSession) -> None:
    """The writer compares its base, reads again and writes on top of what it finds."""
    _two_readers(session)
    session.call_model("3b", rewritten="shortlist", actor=PRICES)
    session.look_at = session.rewrite(
        "shortlist",
        WITH_BOTH,
        op="merge",
        base=session.base("shortlist"),
        invalidates=["cite:arco"],
        actor=PRICES,
    )
    session.note("Prices compares first: the list is v1, not v0. It reads again and adds to v1.")

    session.turn("4  a recommendation")
    session.call_model("4", rewritten="shortlist")
    session.rederive("cite:arco", "shortlist", "citation", holder=REVIEWER, quote=STRUCK_OUT)
    seq = session.recorder.seq - 1
    session.expect("SPN103", "info", at=seq, span="shortlist", artifact="cite:arco")
    _recommend(session, GOOD_CHOICE, "Baltic")
    session.note("Both findings stand in the list, so the cheapest that is allowed is chosen.")
    _end(session, APPROVED, CLOSED)
    session.note("Two agents wrote one list at the same time, and neither lost a word.")


def _two_readers(session: SampleSession) -> Base:
    """Both sub-agents read the list, privacy writes; returns what prices has read."""
    session.turn("1  three offers")
    session.ingest("system", SYSTEM, role="system")
    session.ingest("task", TASK, role="user", actor="operator")
    session.ingest("shortlist", LIST, role="note")
    session.call_model("1")
    session.note("Two sub-agents share a list: one looks at privacy, the other at prices.")

    session.turn("2  both read the list")
    session.call_model("2", actor=PRIVACY)
    session.call_model("3", actor=PRICES)
    base = session.base("shortlist")
    session.step(1, "read_file", TERMS_CALL, TERMS)
    session.step(2, "read_file", OFFERS_CALL, OFFERS)
    session.note("Both have read the list at v0. Each goes off to read the offers.")

    session.turn("3  both write it")
    session.rewrite("shortlist", WITH_PRIVACY, op="edit", base=base, actor=PRIVACY)
    session.derive("cite:arco", "shortlist", "citation", holder=REVIEWER, quote=STRUCK_OUT)
    session.note("Privacy is first: it strikes out Arco. The list is v1 now.")
    session.clock.pause(28)
    return base


def _recommend(session: SampleSession, choice: str, vendor: str) -> None:
    session.ingest("say/4", choice, role="assistant")
    contract = CONTRACT.format(vendor=vendor)
    session.step(3, "request_contract", contract, SENT.format(vendor=vendor))


def _end(session: SampleSession, said: str, answer: str) -> None:
    session.turn("5  before the board", later=7200)
    session.ingest("user/5", said, role="user", actor="operator")
    session.call_model("5")
    session.ingest("say/5", answer, role="assistant")


STORY: Final = Story(
    "The finding that was overwritten",
    "004",
    "buyer",
    datetime(2026, 11, 17, 10, 41, 50, tzinfo=UTC),
    ("Two sub-agents write one list, and one never saw the other's words.", unsafe),
    ("The second writer compares its base, reads again and merges.", safe),
)
