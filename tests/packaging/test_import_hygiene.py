"""What runs without a terminal does not load one: seen from what is really imported.

The import contracts can't see an import that waits inside a function; these tests run it.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from support.checkout import ROOT
from support.processes import output

FIRST_SCREEN = """
import asyncio, json, pathlib, sys
import spanscope.app.app
from spanscope.app.app import SpanscopeApp
from spanscope.app.loading import Loader

def loaded():
    return sorted(name for name in sys.modules if name.startswith("spanscope."))

found = {}

def load_the_rest(load=spanscope.app.app.load_the_rest):
    found["first"] = loaded()
    load()
    found["rest"] = loaded()

spanscope.app.app.load_the_rest = load_the_rest

async def open_app(path):
    app = SpanscopeApp(Loader(path), path)
    async with app.run_test() as pilot:
        while not app.navigator.audit.done:
            await pilot.pause(0.01)
        await pilot.press(*"hldrjrivv?", "escape", "apostrophe", "escape")
        for _ in range(5):
            await pilot.press("right_square_bracket", "j")
        await pilot.press("alt+1", "j", "enter", "p", "l", "slash", *"task", "enter", "n")
    found["used"] = loaded()
    print(json.dumps(found))

asyncio.run(open_app(pathlib.Path(sys.argv[1])))
"""
LATER = {
    "spanscope.app.bookmarks",
    "spanscope.app.commands",
    "spanscope.app.crashes",
    "spanscope.app.exporting",
    "spanscope.app.following",
    "spanscope.app.palette",
    "spanscope.cli.parser",
    "spanscope.history.audit",
    "spanscope.history.expression",
    "spanscope.importers.source",
    "spanscope.model.state",
    "spanscope.rules.catalogue",
    "spanscope.widgets.finding_list",
    "spanscope.widgets.map_view",
    "spanscope.history.what_if",
    "spanscope.rules.judge",
    "spanscope.text.diff",
    "spanscope.widgets.content",
}
"""Some of what is loaded beside the first screen."""

AGENT_SIDE = ["spanscope.buffer", "spanscope.journal", "spanscope.model", "spanscope.rules"]
HEADLESS = [*AGENT_SIDE, "spanscope.history"]

USE_MSGSPEC = "import msgspec; msgspec.json.Decoder(dict[str, int])"
TELL = (
    "import json, sys; print(json.dumps(sorted({name.partition('.')[0] for name in sys.modules})))"
)
IMPORT_WHOLE = """
import importlib, pkgutil
package = importlib.import_module({package!r})
for module in pkgutil.walk_packages(package.__path__, package.__name__ + "."):
    importlib.import_module(module.name)
"""
JOURNAL = """\
{"type":"session","format":"spanscope.journal/1","session":"hygiene"}
{"type":"ingest","seq":1,"time":"2026-01-01T00:00:00Z","span":"task","content":"Fix the test."}
{"type":"close","seq":2,"time":"2026-01-01T00:00:01Z","events":2}
"""


def loaded_by(code: str) -> set[str]:
    """The top-level modules in a new process after `code`."""
    names: list[str] = json.loads(output(sys.executable, "-c", f"{code}\n{TELL}", cwd=ROOT))
    return set(names)


def third_party(code: str) -> set[str]:
    """What `code` loads that is neither ours, nor Python's, nor loaded in every process here."""
    return loaded_by(code) - loaded_by("") - sys.stdlib_module_names - {"spanscope"}


def loaded_by_command(*arguments: str | Path) -> set[str]:
    """The top-level modules that `spanscope` with these arguments loads, where it succeeds."""
    command = [sys.executable, "-X", "importtime", "-m", "spanscope", *arguments]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr[-2000:]
    lines = [line for line in done.stderr.splitlines() if line.startswith("import time:")]
    return {line.rpartition("|")[2].strip().partition(".")[0] for line in lines}


@pytest.fixture
def journal(tmp_path: Path) -> Path:
    path = tmp_path / "hygiene.jsonl"
    path.write_text(JOURNAL, encoding="utf-8")
    return path


def test_importing_spanscope_loads_nothing_of_others() -> None:
    assert third_party("import spanscope") == set()


def test_every_public_name_needs_msgspec_only() -> None:
    ask_for_all = "import spanscope\nfor name in spanscope.__all__: getattr(spanscope, name)"
    assert third_party(ask_for_all) <= third_party(USE_MSGSPEC)


@pytest.mark.parametrize("package", HEADLESS)
def test_every_module_of_a_headless_room_needs_msgspec_only(package: str) -> None:
    assert third_party(IMPORT_WHOLE.format(package=package)) <= third_party(USE_MSGSPEC)


def test_the_probe_sees_a_terminal_where_there_is_one() -> None:
    assert "textual" in third_party("import textual.app")


def test_help_loads_no_terminal() -> None:
    assert not loaded_by_command("--help") & {"textual", "watchfiles"}


@pytest.mark.parametrize("form", ["full", "concise", "json"])
def test_check_loads_no_terminal(journal: Path, form: str) -> None:
    loaded = loaded_by_command("check", "--output-format", form, journal)
    assert "spanscope" in loaded
    assert not loaded & {"textual", "watchfiles"}


@pytest.mark.parametrize("unit", ["chars", "tokens"])
def test_check_loads_a_tokenizer_only_where_a_range_counts_tokens(
    tmp_path: Path, unit: str
) -> None:
    lines = JOURNAL.replace('"hygiene"', '"hygiene","tokenizer":"o200k_base"').splitlines()
    lines[2] = f"""{{"type":"derive","seq":2,"time":"2026-01-01T00:00:01Z","artifact":"c",\
"span":"task","kind":"count","version":0,"range":[0,1],"unit":"{unit}"}}"""
    path = tmp_path / "ranged.jsonl"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    assert ("toktok" in loaded_by_command("check", path)) == (unit == "tokens")


@pytest.mark.parametrize("command", ["show", "log"])
def test_reading_commands_load_no_terminal(journal: Path, command: str) -> None:
    assert not loaded_by_command(command, journal) & {"textual", "watchfiles"}


def test_the_first_screen_waits_for_no_rule_and_no_key_for_what_it_left_out(journal: Path) -> None:
    found = json.loads(output(sys.executable, "-c", FIRST_SCREEN, str(journal), cwd=ROOT))
    first = set(found["first"])
    assert "spanscope.widgets.spans" in first
    assert first & LATER == set()
    assert set(found["used"]) == set(found["rest"])
