"""What is loaded to recognise a session, and to translate it: of the format that it is in alone."""

from __future__ import annotations

import json
import sqlite3
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from support.checkout import ROOT
from support.importing import lines
from support.processes import output
from support.sessions import RICH

from spanscope.importers.lines import LineImporter
from spanscope.importers.registry import DATABASE_FORMATS, LINE_FORMATS

FIXTURES = Path(__file__).parent / "fixtures"
TRANSLATORS = {each.importer().__module__ for each in (*LINE_FORMATS, *DATABASE_FORMATS)}
BUILDER = "spanscope.importers.builder"

OPEN = """
import json, pathlib, sys
from spanscope.importers.source import find_source

source = find_source(pathlib.Path(sys.argv[1]))
found = [source and source.kind.name, sorted(sys.modules)]
for _ in source.journal() if source else ():
    pass
print(json.dumps([*found, sorted(sys.modules)]))
"""


FOLLOW = """
import json, pathlib, sys
from spanscope.importers.growing import follow
from spanscope.importers.source import find_source

path = pathlib.Path(sys.argv[1])
tail = follow(path, find_source(path))
before = [tail.size, tail.offset, tail.modified, sorted(sys.modules)]
assert tail.poll()
print(json.dumps([before[-1], sorted(sys.modules)]))
"""


def opened(path: Path) -> tuple[str | None, set[str], set[str]]:
    """The format that was found, and the modules after recognition and after translation."""
    name, before, after = json.loads(output(sys.executable, "-c", OPEN, path, cwd=ROOT))
    return name, set(before), set(after)


@pytest.mark.parametrize(("importer", "rows"), RICH, ids=[each.name for each, _ in RICH])
def test_a_file_is_recognised_without_what_translates_it(
    importer: type[LineImporter], rows: list[Any], tmp_path: Path
) -> None:
    path = tmp_path / "session"
    path.write_bytes(lines(rows))
    name, recognised, translated = opened(path)
    assert name == importer.name
    assert not recognised & (TRANSLATORS | {BUILDER, "sqlite3"})
    assert translated & TRANSLATORS == {importer.__module__}
    assert BUILDER in translated


@pytest.mark.parametrize(
    ("name", "script"), [("langgraph", "langgraph.sql"), ("opencode", "opencode/database.sql")]
)
def test_a_database_is_recognised_without_what_translates_it(
    name: str, script: str, tmp_path: Path
) -> None:
    path = tmp_path / "session"
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript((FIXTURES / script).read_text())
    found, recognised, translated = opened(path)
    assert found == name
    assert not recognised & (TRANSLATORS | {BUILDER})
    assert translated & TRANSLATORS == {f"spanscope.importers.{name}"}


@pytest.mark.parametrize("what", ["claude-code/session.jsonl", "opencode/database.sql"])
def test_what_is_followed_is_translated_from_the_first_look_on(what: str, tmp_path: Path) -> None:
    path = FIXTURES / what
    if path.suffix == ".sql":
        with closing(sqlite3.connect(tmp_path / "session")) as connection:
            connection.executescript(path.read_text())
        path = tmp_path / "session"
    found = json.loads(output(sys.executable, "-c", FOLLOW, path, cwd=ROOT))
    before, after = map(set, found)
    assert not before & (TRANSLATORS | {BUILDER})
    assert len(after & TRANSLATORS) == 1


def test_nothing_is_loaded_for_what_is_no_session(tmp_path: Path) -> None:
    path = tmp_path / "notes"
    path.write_text("nothing\n")
    name, recognised, _ = opened(path)
    assert name is None
    assert not recognised & (TRANSLATORS | {BUILDER})


@pytest.mark.parametrize("kind", [*LINE_FORMATS, *DATABASE_FORMATS], ids=lambda kind: kind.name)
def test_a_format_and_what_translates_it_have_one_name(kind: Any) -> None:
    assert kind.importer().name == kind.name
