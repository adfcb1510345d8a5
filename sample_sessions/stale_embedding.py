"""Seed 000, where artifacts are expensive: a vector outlives the text that it was computed from.

A page of the handbook is shortened in place under its embedding, and the index goes on finding
it for what it no longer says. Copy-on-rewrite would cure that, if compaction asked the holders.
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Final

from spanscope.sample_sessions.session import SampleSession, Story
from spanscope.sample_sessions.spans import prose

SYSTEM: Final = prose("""
    You answer guests of a bicycle rental. search_index finds the page of the handbook that is
    nearest to a question; answer from that page alone, in two sentences, and name the amount.
    Pages that were read are shortened when the context passes 12,000 tokens.
""")
PAGES: Final = {
    "deposit": prose("""
        We take 50 euros for a bicycle and 200 euros for an e-bike, by card. The deposit is
        released when the bike is returned, and within three days where a booking is cancelled
        the day before. After that the first day is kept.
    """),
    "damage": prose("""
        A lost e-bike battery costs 480 euros, which is more than the deposit. A flat tyre or a
        broken chain costs nothing: call us and we come. Dents and scratches are settled when the
        bike is returned, at most 60 euros. Report a theft to the police on the same day.
    """),
    "weather": prose("""
        Where the weather service warns of storm or snow for your day, cancel until eight in the
        morning and you get everything back, the fee of 15 euros included. Rain is no reason to
        cancel; we lend capes. In thunder stay off the ridge and call us.
    """),
}
SHORT_DAMAGE: Final = "Damage is settled at return, at most 60 euros; tyre and chain are free.\n"
SHORT_WEATHER: Final = (
    "Warning of storm or snow: cancel until 08:00, all back, fee too. Rain: no.\n"
)

TICKETS: Final = (
    "I cancelled the e-bike yesterday for today. When do I get my 200 euros back?\n",
    "The battery of our e-bike fell into the lake. What do we owe you?\n",
    "There is a storm warning for tomorrow. Can we cancel, and what does it cost?\n",
)
RELEASED: Final = prose("""
    You cancelled the day before, so the 200 euros are released within three days. You need not
    do anything.
""")
WRONG_LOSS: Final = prose("""
    I am sorry to hear that. Damage is settled when you return the bike, and it costs at most
    60 euros.
""")
RIGHT_LOSS: Final = prose("""
    I am sorry to hear that. A lost battery costs 480 euros, which is more than your deposit;
    please bring the bike back and we settle the rest.
""")
WRONG_STORM: Final = prose("""
    The handbook says nothing about storms, so the usual rule holds: the fee of 15 euros is kept
    when you cancel.
""")
RIGHT_STORM: Final = prose("""
    Cancel until eight tomorrow morning and you get everything back, the fee of 15 euros
    included.
""")
COMPLAINT: Final = prose("""
    The guest with the battery paid 60 euros and left, and one who stayed at home in the storm
    was charged 15. Both point at your mails. Where did you read that?
""")
SORRY: Final = prose("""
    The page on damage was shortened before I answered, and the battery is not in it any more;
    the index found the page for that very sentence. The page on weather was found as well, but
    there was no text under it.
""")
PRAISE: Final = "I compared both mails with the handbook: amounts and times are right. Thanks.\n"
WELCOME: Final = "Thank you. All three tickets are closed.\n"


def unsafe(session: SampleSession) -> None:
    """Pages are rewritten under their vectors, then collected under them."""
    _index(session)

    session.turn("3  a battery in the lake")
    session.rewrite("damage", SHORT_DAMAGE, op="shorten", actor="compressor")
    session.expect("SPN101", "warning", span="damage", artifact="emb:damage")
    session.expect("SPN121", "warning", span="damage", artifact="emb:damage")
    session.note("To save tokens a page is shortened in place. Nobody tells the index.")
    _ask(session, 2)
    session.look_at = _search(session, 2, "emb:damage", "damage", score=0.91)
    session.expect("SPN102", "error", span="damage", artifact="emb:damage")
    session.note("The vector finds the page for a sentence that the page has lost. No error.")
    session.call_model("3", rewritten="damage")
    session.ingest("say/2", WRONG_LOSS, role="assistant")

    session.turn("4  a storm warning")
    copied = session.copy("weather", "weather@1", SHORT_WEATHER, op="shorten", actor="compressor")
    session.recorder.compact(["weather"], actor="compactor")
    session.expect("SPN141", "error", span="weather")
    session.expect("UND211", "info", entry=copied)
    session.note("The next page is copied and the old one kept. Compaction deletes it, by age.")
    _ask(session, 3)
    session.step(3, "search_index", _query(3), "0.88  weather  (no text)\n")
    session.recorder.use("emb:weather", got="", actor="indexer")
    session.expect("SPN132", "error", span="weather", artifact="emb:weather")
    session.note("The vector is still found. Its page is gone, so the answer is made up.")
    session.call_model("4", rewritten="weather")
    session.ingest("say/3", WRONG_STORM, role="assistant")

    session.turn("5  two guests complain")
    session.ingest("user/5", COMPLAINT, role="user", actor="operator")
    session.note("Two guests were told the wrong amount. Every search had succeeded.")
    _let_go(session)
    session.call_model("5")
    session.ingest("say/5", SORRY, role="assistant")


def safe(session: SampleSession) -> None:
    """Copy-on-rewrite under vectors, and compaction that asks their holder."""
    _index(session)

    session.turn("3  a battery in the lake")
    session.copy("damage", "damage@1", SHORT_DAMAGE, op="shorten", actor="compressor")
    session.note("The short page is a new span. The old one stays readable, as a tombstone.")
    _ask(session, 2)
    session.look_at = _search(session, 2, "emb:damage", "damage", score=0.91, check=True)
    session.note("The vector leads to the very text it was made from: the amount is right.")
    session.call_model("3", rewritten="damage")
    session.ingest("say/2", RIGHT_LOSS, role="assistant")

    session.turn("4  a storm warning")
    copied = session.copy("weather", "weather@1", SHORT_WEATHER, op="shorten", actor="compressor")
    session.clock.pause(6.5)
    session.derive("emb:weather", "weather@1", "embedding", holder="indexer")
    session.recorder.compact(["weather"], actor="compactor")
    session.expect("UND211", "info", entry=copied)
    session.note("Compaction asks the index: one vector was made anew, so its old page may go.")
    _ask(session, 3)
    _search(session, 3, "emb:weather", "weather@1", score=0.88, check=True)
    session.note("The new vector leads to the new page, and the answer is found in it.")
    session.call_model("4", rewritten="weather")
    session.ingest("say/3", RIGHT_STORM, role="assistant")

    session.turn("5  a check by the office")
    session.ingest("user/5", PRAISE, role="user", actor="operator")
    session.note("Both answers stand in the handbook, and the prompt is shorter all the same.")
    _let_go(session)
    session.recorder.compact(["damage"], actor="compactor")
    session.call_model("5")
    session.ingest("say/5", WELCOME, role="assistant")


def _index(session: SampleSession) -> None:
    """The handbook is read and indexed, and a first ticket is answered from it."""
    session.turn("1  the handbook")
    session.ingest("system", SYSTEM, role="system")
    for page, text in PAGES.items():
        session.ingest(page, text, role="document", origin="handbook")
    for page in PAGES:
        session.clock.pause(6.5)
        session.derive(f"emb:{page}", page, "embedding", holder="indexer")
    session.note("An index keeps a vector for each page of a handbook. They are costly to make.")
    session.call_model("1")

    session.turn("2  a deposit")
    _ask(session, 1)
    _search(session, 1, "emb:deposit", "deposit", score=0.93)
    session.note("A guest asks, the nearest vector names the page, and the page has the answer.")
    session.call_model("2")
    session.ingest("say/1", RELEASED, role="assistant")


def _ask(session: SampleSession, number: int) -> None:
    session.ingest(f"ticket/{number}", TICKETS[number - 1], role="user", actor="operator")


def _query(number: int) -> str:
    return f'{{"tool": "search_index", "query": "{TICKETS[number - 1].strip()}"}}\n'


def _search(
    session: SampleSession,
    number: int,
    artifact: str,
    page: str,
    *,
    score: float,
    check: bool = False,
) -> int:
    """The index answers with the page under its nearest vector; returns the seq of that use."""
    found = f"{score}  {page}\n\n{session.text(page)}"
    session.step(number, "search_index", _query(number), found)
    session.use(artifact, page, holder="indexer", checked=["version", "hash"] if check else ())
    return session.recorder.seq


def _let_go(session: SampleSession) -> None:
    for page in PAGES:
        session.recorder.release(f"emb:{page}", actor="indexer")


STORY: Final = Story(
    "The vector that outlived its text",
    "000",
    "concierge",
    datetime(2026, 11, 12, 16, 21, 9, tzinfo=UTC),
    ("A page is shortened under its embedding, another is collected.", unsafe),
    ("Pages are copied on rewrite, and collected when nobody holds them.", safe),
)
