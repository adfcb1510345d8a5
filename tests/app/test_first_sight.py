"""What a person sees of a session that nothing is wrong with, or of which nothing could be read."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from support.growing import append, followed, mark, write
from support.histories import HEADER
from support.screens import opened, pane_text, press, screen_lines, until, write_journal

from spanscope.app.announcing import READ, Announcer

ONE: list[dict[str, Any]] = [
    {"type": "ingest", "span": "task", "role": "user", "content": "Fix the test.\nSoon."}
]

SECRET: dict[str, Any] = {
    "type": "ingest",
    "span": "secret",
    "content": "",
    "redacted": True,
    "hash": "sha256:" + "0" * 64,
}


def told(text: str) -> list[str]:
    return [line.strip() for line in text.splitlines() if line.strip()]


async def test_a_step_shows_the_text_that_came(tmp_path: Path) -> None:
    later = [{"type": "prune", "span": "task"}, {"type": "mark", "kind": "llm", "label": "1"}]
    path = write_journal(tmp_path / "a.jsonl", [*ONE, *later])
    async with opened(path, (120, 40), at=1) as (app, pilot):
        assert screen_lines(app)[-2].endswith('user: "Fix the test. Soon."')
        why = pane_text(app, "detail")
        assert "Text      Fix the test.\nSoon.\n" in why
        await press(pilot, "alt+1", "j", "l", "l")
        assert "task v0 is pruned since 2; it had 19 chars" in pane_text(app, "detail")
        assert "written" not in pane_text(app, "detail")


async def test_a_text_that_is_not_recorded_is_no_empty_one(tmp_path: Path) -> None:
    items = [{"span": "task"}, {"span": "secret"}]
    events = [*ONE, SECRET, {"type": "render", "call": "1", "items": items}]
    async with opened(write_journal(tmp_path / "a.jsonl", events), (120, 40)) as (app, pilot):
        await press(pilot, "G", "alt+1", "j", "j")
        assert "secret v0 is live, but its text is not recorded" in pane_text(app, "detail")
        await press(pilot, "alt+9")
        context = pane_text(app, "detail")
        assert "19 chars or more" in context
        assert next(line for line in told(context) if "secret" in line).split()[-1] == "?"


async def test_what_is_unknown_is_told_with_its_reason(tmp_path: Path) -> None:
    hidden = {key: value for key, value in SECRET.items() if key != "hash"}
    events = [
        {"type": "mark", "kind": "turn", "label": "1"},
        *ONE,
        hidden,
        {"type": "close", "events": 3},
    ]
    async with opened(write_journal(tmp_path / "a.jsonl", events), (180, 50)) as (app, _):
        [unknown] = app.navigator.history.unknown
        assert app.navigator.seq == 4
        why = pane_text(app, "detail")
        assert "no error, no warning up to 4; select a span" in why
        assert f"Unknown   {unknown.why}: secret at 3" in why


async def test_where_no_event_can_be_read_the_reason_stands_there(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    header = {"type": "session", "format": "spanscope.journal/1", "session": "s", "crc": "00000000"}
    path.write_text(json.dumps(header) + "\n" + json.dumps({"type": "mark"}) + "\n")
    async with opened(path, (120, 40)) as (app, _):
        worst = app.navigator.history.findings[0].rule
        assert f" ! {worst}  at byte " in screen_lines(app)[-2]
        assert f"! {worst}" in pane_text(app, "detail")
        assert "Instead" in pane_text(app, "detail")


async def test_keys_lead_to_what_is_found_about_the_file(tmp_path: Path) -> None:
    path = write_journal(tmp_path / "a.jsonl", ONE)
    with path.open("a") as torn:
        torn.write('{"type":"ma')
    async with opened(path, (120, 40), at=1) as (app, pilot):
        await press(pilot, "e")
        assert "E goes to what is found about the file itself" in screen_lines(app)[-2]
        await press(pilot, "E")
        assert app.navigator.seq == 0
        assert "~ JNL001" in screen_lines(app)[-2]
        assert "~ JNL001 torn-tail  the journal" in pane_text(app, "detail")


async def test_large_texts_are_counted_whole(tmp_path: Path) -> None:
    sizes = (999_999, 538_889, 99_999, 12_345_678)
    events = [
        {"type": "ingest", "span": f"s{number}", "content": "x" * size}
        for number, size in enumerate(sizes)
    ]
    async with opened(write_journal(tmp_path / "a.jsonl", events), (120, 40)) as (app, _):
        rows = [line.split() for line in told(pane_text(app, "spans")) if " v0 " in line]
        assert [row[row.index("v0") + 1] for row in rows] == ["1.0M", "539k", "99,999", "12.3M"]


async def test_a_change_at_the_far_end_of_a_word_is_seen(tmp_path: Path) -> None:
    long = "A" * 1000
    events: list[dict[str, Any]] = [
        {"type": "ingest", "span": "blob", "content": long + "old" + long},
        {"type": "splice", "span": "blob", "at": 1000, "delete": 3, "insert": "new"},
    ]
    async with opened(write_journal(tmp_path / "a.jsonl", events), (120, 40), at=2) as (app, _):
        why = pane_text(app, "detail")
        assert "before    ..AAAA" in why
        assert "Aold" in why
        assert "Anew" in why


async def test_what_a_key_was_answered_before_all_events_goes_with_the_first(
    tmp_path: Path,
) -> None:
    path = tmp_path / "a.jsonl"
    write(path, HEADER)
    async with followed(path) as (app, pilot):
        await press(pilot, "l")
        assert app.desk.notice
        append(path, mark(1, "hello"))
        await until(pilot, lambda: "hello" in screen_lines(app)[-2])
        assert app.desk.notice == ""


async def test_what_a_key_was_answered_gives_way_to_what_is_followed(tmp_path: Path) -> None:
    path, now = tmp_path / "a.jsonl", [0.0]
    write(path, HEADER + mark(1))
    async with followed(path) as (app, pilot):
        app._announcer = Announcer(clock=lambda: now[0])
        await until(pilot, lambda: app.navigator.following)
        await press(pilot, "w", *"SPN102", "enter")
        assert "motions stop at: SPN102" in screen_lines(app)[-2]
        append(path, mark(2, "soon"))
        await until(pilot, lambda: app.navigator.seq == 2)
        assert "motions stop at: SPN102" in screen_lines(app)[-2]
        now[0] += READ + 1
        append(path, mark(3, "later"))
        await until(pilot, lambda: "later" in screen_lines(app)[-2])


async def test_spans_that_a_recorder_names_have_their_whole_names(tmp_path: Path) -> None:
    events = [{"type": "ingest", "span": f"assistant-{n}", "content": "x"} for n in range(8, 13)]
    async with opened(write_journal(tmp_path / "a.jsonl", events), (120, 40)) as (app, _):
        shown = pane_text(app, "spans")
        assert all(f"assistant-{number} v0" in shown for number in (10, 11, 12))


@pytest.mark.parametrize("size", [(180, 50), (120, 40), (80, 24)])
async def test_a_long_name_of_a_diff_leaves_its_verdict_whole(
    tmp_path: Path, size: tuple[int, int]
) -> None:
    edit = {"type": "splice", "span": "task", "at": 0, "delete": 3, "insert": "Mend"}
    staged = {
        "type": "stage",
        "diff": "edit:prt_2295b1097001C84zpgtXTcvZBx",
        "base": {"revision": 1},
        "reads": [{"span": "task"}],
        "edits": [edit],
    }
    rewrite = {"type": "rewrite", "span": "task", "op": "edit", "content": "Other."}
    path = write_journal(tmp_path / "a.jsonl", [*ONE, staged, rewrite])
    async with opened(path, size, at=3) as (app, _):
        row = next(line for line in told(pane_text(app, "staging")) if "edit:" in line)
        assert " stale" in row
        assert row.split("stale")[1][:1] in ("", " ")
