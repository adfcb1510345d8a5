"""An import touches the files that it was given, read-only, and nothing else."""

from __future__ import annotations

import os
import random
import shutil
import sqlite3
import sys
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest
from support.importing import lines
from support.langgraph import Thread, human
from support.opencode import Database
from support.recorded import FIXTURES
from support.sessions import RICH

from spanscope.importers.errors import SourceError
from spanscope.importers.lines import LineImporter
from spanscope.importers.source import find_source, open_source

ROUNDS = int(os.environ.get("SPANSCOPE_SESSIONS", "8"))
FORBIDDEN = (
    *("socket.connect", "subprocess.Popen", "os.system", "os.exec", "os.posix_spawn", "ctypes."),
    *("os.remove", "os.rename", "os.mkdir", "os.chmod", "os.truncate", "os.symlink", "shutil."),
)
READING = ("mode=ro", "immutable=1")
_seen: list[tuple[str, Any]] | None = None


def _audit(event: str, arguments: Any) -> None:
    known = event in ("open", "sqlite3.connect") or event.startswith(FORBIDDEN)
    if _seen is not None and known:
        _seen.append((event, arguments))


@pytest.fixture(scope="module", autouse=True)
def _hook() -> None:
    sys.addaudithook(_audit)


@contextmanager
def watched(*named: Path) -> Iterator[None]:
    """Everything that is opened inside must be one of these, to read."""
    global _seen  # noqa: PLW0603 a hook stays for ever
    _seen = []
    try:
        yield
        seen = _seen
    finally:
        _seen = None
    allowed = {os.fspath(path) for path in named}
    databases = {f"{path.as_uri()}?{how}" for path in named for how in READING}
    for event, arguments in seen:
        assert not event.startswith(FORBIDDEN), (event, arguments)
        if event == "sqlite3.connect":
            assert arguments[0] in databases, arguments
        elif not isinstance(arguments[0], int) and not str(arguments[0]).endswith((".py", ".pyc")):
            assert os.fspath(arguments[0]) in allowed, arguments
            assert not set(str(arguments[1] or "r")) & set("wax+"), arguments
            assert not (arguments[2] or 0) & (os.O_WRONLY | os.O_RDWR | os.O_CREAT), arguments


def strings(value: Any, change: Callable[[str], str]) -> Any:
    """A value with each of its strings changed."""
    if isinstance(value, dict):
        return {name: strings(item, change) for name, item in value.items()}
    if isinstance(value, list):
        return [strings(item, change) for item in value]
    return change(value) if isinstance(value, str) else value


@pytest.mark.parametrize(("importer", "rows"), RICH, ids=[each.name for each, _ in RICH])
def test_paths_in_rows_are_never_opened(
    importer: type[LineImporter], rows: list[Any], tmp_path: Path
) -> None:
    bait = tmp_path / "bait.txt"
    bait.write_text("nobody's business")
    chance = random.Random(importer.name)
    path = tmp_path / "session"
    for _ in range(ROUNDS):
        baited = strings(rows, lambda text: os.fspath(bait) if chance.random() < 0.2 else text)
        path.write_bytes(lines(baited))
        with watched(path), suppress(SourceError):
            b"".join(open_source([path], importer.name).journal())
    assert sorted(each.name for each in tmp_path.iterdir()) == ["bait.txt", "session"]


@pytest.fixture(params=["opencode", "langgraph"])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """A database whose values name files and modules."""
    path = tmp_path / "source.db"
    if request.param == "opencode":
        session = Database(path).session()
        session.user("/etc/hostname")
        session.tool("read", "text", filePath="/etc/hostname")
        session.tool("edit", None, filePath="/etc/hostname", oldString="a", newString="b")
    else:
        thread = Thread(path)
        thread.says([human("h", "/etc/hostname")], files=["/etc/hostname"])
    return path


def test_databases_are_opened_read_only(database: Path) -> None:
    before, looked = database.read_bytes(), database.stat()
    with watched(database):
        source = find_source(database)
        assert source is not None
        b"".join(source.journal())
    assert database.read_bytes() == before
    assert database.stat().st_mtime_ns == looked.st_mtime_ns
    assert list(database.parent.iterdir()) == [database]


def test_a_database_that_is_written_is_left_to_its_writer(database: Path) -> None:
    with closing(sqlite3.connect(database)) as writer:
        writer.execute("PRAGMA journal_mode = WAL")
        writer.execute("CREATE TABLE more (x)")
        writer.commit()
        beside = sorted(database.parent.iterdir())
        log = database.with_name("source.db-wal").read_bytes()
        with watched(database):
            source = find_source(database)
            assert source is not None
            b"".join(source.journal())
        assert sorted(database.parent.iterdir()) == beside
        assert database.with_name("source.db-wal").read_bytes() == log
        writer.execute("INSERT INTO more VALUES (1)")
        writer.commit()


def test_a_folder_gives_only_its_own_files(tmp_path: Path) -> None:
    folder, outside = tmp_path / "session", tmp_path / "outside.jsonl"
    folder.mkdir()
    importer, rows = RICH[0]
    inside = folder / "a.jsonl"
    for path in (inside, outside):
        path.write_bytes(lines(rows))
    (folder / "deep").symlink_to(tmp_path, target_is_directory=True)
    with watched(inside):
        b"".join(open_source([folder], importer.name).journal())


@pytest.mark.parametrize(
    ("folder", "named"), [("codex/agents", "rollout-main.jsonl"), ("gemini/agents", "chat.jsonl")]
)
def test_files_of_sub_agents_are_opened_to_read(folder: str, named: str, tmp_path: Path) -> None:
    session = tmp_path / "session"
    shutil.copytree(FIXTURES / folder, session)
    (session / "rollout-other.jsonl").symlink_to(tmp_path / "outside.jsonl")
    (tmp_path / "outside.jsonl").write_bytes((session / named).read_bytes())
    before = sorted(tmp_path.rglob("*"))
    with watched(*session.rglob("*.jsonl")):
        source = open_source([session / named])
        b"".join(source.journal())
    assert source.kind.name == folder.partition("/")[0]
    assert sorted(tmp_path.rglob("*")) == before
