"""Seed 000, at the last dereference of all: the prompt is not built from the buffer.

A list of messages is kept beside the buffer and is what the model reads. Spans are shown twice,
cleared, and shown when they are long replaced, while every artifact in the buffer is fresh.
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Final

from spanscope.journal.parts import Item
from spanscope.sample_sessions.session import SampleSession, Story
from spanscope.sample_sessions.spans import prose

SYSTEM: Final = prose("""
    You write the monthly energy report of a hospital. Use the numbers that the tools gave you
    and no others, compare the month with the target, and say what the weather has to do with it.
    The report goes to the board; a wrong number has to be called back by letter.
""")
TASK: Final = prose("""
    Report for October 2026: how much electricity was used, is that within the target, and was
    the month colder than usual?
""")
TARGET: Final = "Target for October: at most 400 MWh.\n"
NEW_TARGET: Final = "Target for October: at most 380 MWh (board, 12 November).\n"
METER_CALL: Final = '{"tool": "sql", "query": "select month, mwh, peak_kw from meters"}\n'
METERS: Final = prose("""
    month;mwh;peak_kw
    2025-11;402;838
    2025-12;437;871
    2026-01;451;892
    2026-02;418;860
    2026-03;407;831
    2026-04;371;790
    2026-05;352;744
    2026-06;377;902
    2026-07;402;961
    2026-08;396;948
    2026-09;361;803
    2026-10;388;815
""")
SHORT_METERS: Final = prose("""
    month;mwh;peak_kw
    2026-10;388;815
    (eleven earlier months left out; mean of the year so far 392)
""")
OCTOBER: Final = "2026-10;388"
CLEARED: Final = "[old tool result cleared]"
WEATHER_CALL: Final = '{"tool": "weather", "months": ["2025-10", "2026-10"]}\n'
WEATHER: Final = prose("""
    station      month    mean     degree days
    Tullnerbach  2025-10   9.8 C   186
    Tullnerbach  2026-10   8.1 C   241
    A degree day is a day times the degrees by which it was too cold to leave the heating off.
    Norm of the years 1991 to 2020 for an October at this station: 199.
""")
ASK_WEATHER: Final = "Was it colder than last year?\n"
ASK_DRAFT: Final = "Good. Now the paragraph on use, please.\n"
ASK_TARGET: Final = "The board has lowered the target today, see above. Please finish the report.\n"
USED: Final = "The meters say 388 MWh for October. I look at the weather next.\n"

TWO_STATIONS: Final = prose("""
    Two stations agree: 241 degree days each, against 186 a year ago. With two measurements the
    finding is safe.
""")
ONE_STATION: Final = prose("""
    The station has 241 degree days, against 186 a year ago and a norm of 199: the month was
    colder than usual.
""")
INVENTED: Final = prose("""
    In October the hospital used 412 MWh of electricity, five percent more than in the mean of
    the months before.
""")
MEASURED: Final = prose("""
    In October the hospital used 388 MWh of electricity [1], a little less than in the mean of
    the year so far.
""")
WRONG_REPORT: Final = prose("""
    October 2026: 412 MWh were used, three percent above the target of 400 MWh. The month was
    cold, as two stations agree. The target will be met again in November.
""")
REPORT: Final = prose("""
    October 2026: 388 MWh were used [1], two percent above the new target of 380 MWh and a little
    less than in the mean of the year so far, 392. The month was cold: 241 degree days, against
    186 a year ago and a norm of 199.
""")
WHERE: Final = prose("""
    The meters say 388, the target is 380, and there is one station. I find all of that in your
    context. Where did you read 412, 400 and a second station?
""")
FROM_THE_LIST: Final = prose("""
    Not in the buffer. What I was shown came from the list beside it: the table had been cleared,
    the old target stood there with the new one, and the weather stood there twice. I read the
    buffer now: 388 MWh, a target of 380, one station.
""")
SENT: Final = "All three numbers are those of the sources. It goes to the board.\n"
DONE: Final = (
    "Sent. The table of the other months can be read in the buffer until it is released.\n"
)


def unsafe(session: SampleSession) -> None:
    """The prompt is a list of its own, and every repair of it is made in the list alone."""
    _numbers(session)
    listed: list[Item | str] = list(session.order)

    _weather(session)
    listed += ["user/2", "call/2", "result/2", "result/2"]
    session.call_model("3", shown=listed)
    session.expect("SHN403", "warning", span="result/2")
    session.note("A slow tool was asked again. The list holds its answer twice, the buffer once.")
    session.ingest("say/2", TWO_STATIONS, role="assistant")

    session.turn("3  to save tokens")
    session.ingest("user/3", ASK_DRAFT, role="user", actor="operator")
    listed[-1:] = ["say/2", "user/3"]
    listed[listed.index("result/1")] = Item(span="result/1", shown=CLEARED)
    session.call_model("4", shown=listed, rewritten="result/1")
    session.expect("SHN401", "info", span="result/1")
    _cite(session, "result/1")
    session.note("To save tokens the list clears a table. In the buffer its citation is fresh.")
    session.ingest("say/3", INVENTED, role="assistant")

    session.turn("4  a new target")
    session.copy("target", "target@1", NEW_TARGET, op="replace", actor="operator")
    session.ingest("user/4", ASK_TARGET, role="user", actor="operator")
    listed += ["say/3", "target@1", "user/4"]
    session.look_at = session.call_model("5", shown=listed)
    session.expect("SHN401", "info", span="result/1")
    session.expect("SHN402", "error", span="target")
    session.note("The target is replaced in the buffer. The list shows the old one and the new.")
    session.ingest("say/4", WRONG_REPORT, role="assistant")
    session.note("Every number in the report is wrong, and every artifact in the buffer is right.")

    session.turn("5  the board asks", later=80_000)
    session.ingest("user/5", WHERE, role="user", actor="operator")
    session.recorder.release("cite:october", actor="reporter")
    session.call_model("6", rewritten="target")
    session.note("Now the prompt is built from the buffer: the model reads what is stored.")
    session.ingest("say/5", FROM_THE_LIST, role="assistant")


def safe(session: SampleSession) -> None:
    """The prompt is the buffer; what is to be shorter is made shorter there."""
    _numbers(session)

    _weather(session)
    session.call_model("3")
    session.note("A slow tool was asked again. Its answer stands once in the buffer and prompt.")
    session.ingest("say/2", ONE_STATION, role="assistant")

    session.turn("3  to save tokens")
    session.ingest("user/3", ASK_DRAFT, role="user", actor="operator")
    session.copy("result/1", "result/1@1", SHORT_METERS, op="shorten")
    session.derive("cite:october", "result/1@1", "citation", holder="reporter", quote=OCTOBER)
    session.call_model("4", rewritten="result/1")
    _cite(session, "result/1@1")
    session.note("To save tokens the table is shortened in the buffer, and October is kept.")
    session.ingest("say/3", MEASURED, role="assistant")

    session.turn("4  a new target")
    session.copy("target", "target@1", NEW_TARGET, op="replace", actor="operator")
    session.ingest("user/4", ASK_TARGET, role="user", actor="operator")
    session.look_at = session.call_model("5", rewritten="target")
    session.note("The target is replaced in the buffer. The prompt shows the new one alone.")
    session.ingest("say/4", REPORT, role="assistant")
    _cite(session, "result/1@1")
    session.note("Every number in the report is one that stands in the buffer, and was shown.")

    session.turn("5  the board asks", later=80_000)
    session.ingest("user/5", SENT, role="user", actor="operator")
    session.recorder.release("cite:october", actor="reporter")
    session.call_model("6")
    session.note("The model has read what is stored at every call, and nothing else.")
    session.ingest("say/5", DONE, role="assistant")


def _numbers(session: SampleSession) -> None:
    session.turn("1  the numbers")
    session.ingest("system", SYSTEM, role="system")
    session.ingest("task", TASK, role="user", actor="operator")
    session.ingest("target", TARGET, role="note", actor="operator")
    session.call_model("1")
    session.step(1, "sql", METER_CALL, METERS)
    session.derive("cite:october", "result/1", "citation", holder="reporter", quote=OCTOBER)
    session.call_model("2")
    session.note("An agent has a buffer, and each prompt for the model is made from what it holds.")
    session.ingest("say/1", USED, role="assistant")


def _weather(session: SampleSession) -> None:
    session.turn("2  a slow tool")
    session.ingest("user/2", ASK_WEATHER, role="user", actor="operator")
    session.tool("weather")
    session.ingest("call/2", WEATHER_CALL, role="tool_call")
    session.clock.pause(30)
    session.tool("weather, again")
    session.ingest("result/2", WEATHER, role="tool_result", answers="call/2", actor="tool:weather")


def _cite(session: SampleSession, span: str) -> None:
    place = session.range(span, OCTOBER)
    session.use("cite:october", span, place, holder="reporter", checked=("version", "hash"))


STORY: Final = Story(
    "The prompt that was not the buffer",
    "000",
    "reporter",
    datetime(2026, 11, 12, 13, 36, 45, tzinfo=UTC),
    ("A list beside the buffer shows spans twice, cleared, or gone.", unsafe),
    ("The prompt is built from the buffer, and shortened there.", safe),
)
