"""A hostile journal in a real terminal: through every pane, tab and dialog nothing of it acts."""

from __future__ import annotations

import base64
import json
import re
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

if sys.platform == "win32":
    pytest.skip("Windows has no such terminals", allow_module_level=True)

from support.every_event import CALLS
from support.hostile import NUMBER, PAYLOADS, assert_only_own, poisoned
from support.screens import hostile_events, write_journal
from support.terminals import Terminal, terminal

from spanscope.app.bookmarks import identity
from spanscope.history.history import load

ESCAPE = "\x1b[27u"
"""As terminals send it that tell it from the start of a sequence."""
PASTED = "".join(PAYLOADS).replace("\x1b", "").replace("\ud800", "").replace("\r\n", " ")
HUGE = 10_000_000

NAME = f"\x1b[{NUMBER}mred\u202e[@click=app.quit]x.jsonl"


def alt(key: str) -> str:
    return f"\x1b{key}"


def paste(text: str) -> str:
    return f"\x1b[200~{text}\x1b[201~"


TABS = tuple(alt(number) for number in "56789")
PANES = tuple(alt(number) + keys for number in "1234" for keys in ("jj", "z", "kz"))
DIALOGS = (
    alt("4"),
    "?",
    ESCAPE,
    "\x10",
    paste(PASTED),
    ESCAPE,
    "/",
    paste(PASTED),
    "\r",
    "/red\r",
    "nN",
    ESCAPE,
    "F",
    paste(PASTED),
    ESCAPE,
    "Ftext:OWNED\r",
    "F" + "\x7f" * 20 + "\r",
    "w",
    paste(PASTED),
    ESCAPE,
    "wOWNED\r",
    "c",
    "w" + "\x7f" * 20 + "\r",
    ":",
    paste(PASTED),
    "\r",
    ESCAPE,
    "m",
    paste(PASTED) + "\r",
    "'",
    "j",
    ESCAPE,
    "x",
    ESCAPE,
    "y",
    alt("1") + "y",
    "p",
    "hh",
    ESCAPE,
    "\r",
    ESCAPE,
    "v",
    "++>-<jj",
    "v",
    alt("1") + "jr",
    ESCAPE,
    alt("2") + "jr",
    ESCAPE,
    alt("3") + "jr",
    ESCAPE,
    "d|D|",
    "\x14",
)
LISTED = (alt("4"), "i", "jj", "\r", "j", "\r", "I", "jjjj", "G", "y", *TABS, alt("4"), "i")
ASKED = tuple(
    step
    for sign in (":", "F", "w")
    for text in ("s", "splice", "UND201", "actor:a", "OWNED", "(")
    for step in (sign + text, "\t", "\r", ESCAPE)
)
"""Prompts that tell what is meant, complete ids of the journal, and complain."""

STAGE = ("    ", "u", "  ", "u", "\x7f", "e", "?", ESCAPE, "i", "jj", "i", "zz", "r", ESCAPE, "0")
PRESENTING = """
import sys
from pathlib import Path
from spanscope.app.run import run_presentation
sys.exit(run_presentation(sys.argv[1], Path(sys.argv[2]), Path(sys.argv[2])))
"""
OPENED = {"?": "Help", "x": "Export", "y": "sent to", "p": "pinned", "wOWNED\r": "motions stop"}
"""What is drawn when some keys have opened what they open."""

INSIDE = {"TMUX": "yes"}
"""In a multiplexer nobody can tell whether copies are taken: the same is said everywhere."""


def drive(opened: Terminal, steps: Iterable[str]) -> None:
    for keys in steps:
        opened.press(keys)
        if keys in OPENED:
            opened.until(OPENED[keys])
        opened.settle()
        assert opened.process.poll() is None, f"ended at {keys!r}"


def own(drawn: bytes) -> bytes:
    """What was drawn without what was copied, which is in the terminal's clipboard as text."""
    copied = re.compile(rb"\x1b\]52;c;([A-Za-z0-9+/=]*)\x07")
    for data in copied.findall(drawn):
        assert base64.b64decode(data).decode().isprintable()
    return copied.sub(b"", drawn)


@pytest.fixture
def journal(tmp_path: Path) -> Path:
    events: list[dict[str, Any]] = []
    for text in PAYLOADS:
        events += hostile_events(text)
    every = [poisoned(fields, PAYLOADS) for _, fields in CALLS]
    events += [{"actor": PAYLOADS[0], **fields} for fields in every]
    return write_journal(tmp_path / NAME, events, session=PAYLOADS[1])


def test_every_step_and_dialog_is_inert(journal: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(journal.parent)
    last = len(journal.read_bytes().splitlines()) - 1
    with terminal("open", journal, "--at", "1", size=(180, 50), environment=INSIDE) as opened:
        opened.until("^1")
        for seq in range(2, last + 1):
            opened.press("l")
            opened.until(f"^{seq}")
        for seq in (5, 24, 43):
            opened.press(f":{seq}\r")
            opened.until(f"^{seq}")
            drive(opened, TABS)
        drive(opened, (*PANES, *DIALOGS))
        opened.press("q")
        assert opened.ended() == 0
    assert_only_own(own(opened.everything))
    assert f"[{NUMBER}m".encode() in opened.everything


@pytest.mark.parametrize(
    ("size", "steps"), [((60, 20), LISTED), ((80, 24), ASKED), ((180, 50), LISTED)]
)
def test_findings_and_prompts_are_inert(
    size: tuple[int, int], steps: tuple[str, ...], journal: Path
) -> None:
    with terminal("open", journal, "--at", "5", size=size, environment=INSIDE) as opened:
        opened.until(str(NUMBER))
        drive(opened, steps)
        opened.press("q")
        assert opened.ended() == 0
    assert_only_own(own(opened.everything))
    assert f"{NUMBER}m".encode() in opened.everything


@pytest.mark.parametrize("size", [(80, 24), (180, 50)])
def test_a_presentation_is_inert(size: tuple[int, int], journal: Path) -> None:
    title = PAYLOADS[0]
    with terminal(title, journal, size=size, program=("-c", PRESENTING)) as opened:
        opened.until("beat 0 of")
        drive(opened, STAGE)
        opened.press("q")
        assert opened.ended() == 0
    assert_only_own(opened.everything)
    assert f"{NUMBER}m".encode() in opened.everything


def test_notes_of_bookmarks_are_inert(journal: Path, state_folder: Path) -> None:
    folder = state_folder / "bookmarks"
    folder.mkdir(mode=0o700)
    marks = [{"seq": seq, "note": f"{text} noted"} for seq, text in enumerate(PAYLOADS, 5)]
    kept = {"version": 1, "session": PAYLOADS[0], "bookmarks": marks}
    (folder / f"{identity(load(journal))}.json").write_text(json.dumps(kept))
    with terminal("open", journal, "--at", "5", size=(100, 30)) as opened:
        opened.until(str(NUMBER))
        opened.press("'")
        opened.until("noted")
        drive(opened, ("jj", "\r", "m", "\r", "y", "'", "j", "M", ESCAPE, "m", "\r"))
        opened.press("q")
        assert opened.ended() == 0
    assert_only_own(own(opened.everything))


@pytest.mark.parametrize("code", [each for each in PAYLOADS if "\x00" not in each])
def test_a_rule_that_is_none_is_inert(code: str) -> None:
    with terminal("rule", code) as opened:
        assert opened.ended() == 2
    assert_only_own(opened.everything)
    assert b"unknown rule" in opened.everything


@pytest.mark.parametrize("size", [(60, 20), (100, 30)])
def test_smaller_screens_are_inert(size: tuple[int, int], journal: Path) -> None:
    with terminal("open", journal, "--at", "5", size=size) as opened:
        opened.until(str(NUMBER))
        drive(opened, (*TABS, *PANES))
        opened.press("q")
        assert opened.ended() == 0
    assert_only_own(opened.everything)


def test_lines_of_ten_megabytes(tmp_path: Path) -> None:
    text = "".join(PAYLOADS) * (HUGE // len("".join(PAYLOADS)))
    events: list[dict[str, Any]] = [
        {"type": "ingest", "span": text[:100], "content": text},
        {"type": "rewrite", "span": text[:100], "op": "fold", "content": f"x{text[:-1]}"},
        {"type": "mark", "kind": "note", "label": text},
    ]
    journal = write_journal(tmp_path / "huge.jsonl", events)
    with terminal("open", journal, "--at", "3") as opened:
        opened.until("^3")
        drive(opened, ("h", alt("6"), alt("7")))
        opened.press("G")
        opened.until("^3")
        opened.press("q")
        assert opened.ended() == 0
    assert_only_own(opened.everything)


def test_the_chooser_is_inert(journal: Path, state_folder: Path) -> None:
    folder = state_folder / "sessions"
    folder.mkdir(mode=0o700)
    for number, text in enumerate(PAYLOADS):
        name = text.replace("\ud800", "").replace("\x00", "").replace("/", "")
        (folder / f"{number}{name}.jsonl").write_bytes(journal.read_bytes())
    kept = [str(journal)]
    (state_folder / "recent.json").write_text(json.dumps(kept))
    with terminal(size=(100, 40)) as opened:
        opened.until("Recent")
        drive(opened, ("jjj", "/", paste(PASTED), ESCAPE, "o", paste(PASTED)))
        opened.press("\r")
        opened.until("no file")
        opened.press("q")
        assert opened.ended() == 0
    assert_only_own(opened.everything)
    assert str(NUMBER).encode() in opened.everything
