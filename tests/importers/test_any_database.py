"""Whatever a database holds, an import ends in a journal or in one line that says why not."""

from __future__ import annotations

import random
import sqlite3
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.importing import check_followed, read_whole
from support.langgraph import Thread, ai, human, removal, tool
from support.opencode import Database

from spanscope.importers.errors import SourceError
from spanscope.importers.source import find_source

FEWER = settings(max_examples=settings().max_examples // 3)


def langgraph(path: Path) -> None:
    thread = Thread(path)
    start = [human("h", "Hi"), ai("a", "", "c"), tool("t", "c", "text")]
    cited: dict[str, Any] = {"citations": [{"message_id": "t", "start": 0, "end": 4}]}
    thread.says(start, **cited)
    fork = thread.last
    thread.says([*start[:2], tool("t", "c", "other")], **cited, note="x")
    thread.step({"messages": [start[0]]}, [("n", "messages", [removal("a"), removal("t")])])
    thread.says([*start, human("h", "twice")], note="y")
    thread.step({"messages": start}, parent=fork, source="fork")


def opencode(path: Path) -> None:
    session = Database(path).session()
    first = session.user("Hi")
    session.tool("bash", "a.py", command="ls")
    session.log("session.updated", {"info": {"revert": {"messageID": first, "diff": "x"}}})
    session.log("message.removed", {"messageID": first})
    asked = session.message("user")
    session.part(asked, "compaction")
    answer = session.message("assistant", summary=True)
    session.part(answer, "text", text="Summary")
    session.message("assistant", answer, summary=True, time={"completed": 1})
    child = session.database.session("ses_2", parent="ses_1")
    child.says("Found.")


MAKERS = pytest.mark.parametrize("make", [langgraph, opencode])
JUNK = st.one_of(
    st.none(),
    st.integers(-(2**63), 2**63 - 1),
    st.floats(),
    st.text(max_size=9),
    st.binary(max_size=9),
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("databases")


def imports(path: Path) -> None:
    with suppress(SourceError):
        source = find_source(path)
        if source is not None:
            read_whole(b"".join(source.journal()))
            check_followed(source.importer.builder)


def made(make: Callable[[Path], None], folder: Path) -> bytes:
    path = folder / f"{make.__name__}.db"
    if not path.exists():
        make(path)
    return path.read_bytes()


@MAKERS
def test_the_sessions_themselves_are_imported(make: Callable[[Path], None], folder: Path) -> None:
    made(make, folder)
    source = find_source(folder / f"{make.__name__}.db")
    assert source is not None
    assert len(read_whole(b"".join(source.journal()))) > 10


@MAKERS
@FEWER
@given(data=st.data())
def test_mutated_cells_and_rows(
    make: Callable[[Path], None], folder: Path, data: st.DataObject
) -> None:
    path = folder / "mutated.db"
    path.write_bytes(made(make, folder))
    with closing(sqlite3.connect(path)) as connection, connection:
        query = "SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name"
        tables = [name for (name,) in connection.execute(query)]
        for _ in range(data.draw(st.integers(1, 4))):
            with suppress(sqlite3.IntegrityError):
                mutate(connection, data.draw(st.sampled_from(tables)), data)
    imports(path)


def mutate(connection: sqlite3.Connection, table: str, data: st.DataObject) -> None:
    """Delete, change or cut short something in one row of a table."""
    # The names are those of the test's own tables.
    rows = connection.execute("SELECT rowid, * FROM " + table).fetchall()  # noqa: S608
    columns = [row[1] for row in connection.execute("PRAGMA table_info(" + table + ")")]
    if not rows:
        return
    row, place = data.draw(st.sampled_from(rows)), data.draw(st.integers(0, len(columns) - 1))
    kind = data.draw(st.sampled_from(("delete", "set", "cut", "borrow")))
    old, new = row[place + 1], data.draw(JUNK)
    if kind == "delete":
        connection.execute("DELETE FROM " + table + " WHERE rowid = ?", row[:1])  # noqa: S608
        return
    if kind == "cut" and isinstance(old, str | bytes):
        new = old[: data.draw(st.integers(0, len(old)))]
    elif kind == "borrow":
        new = data.draw(st.sampled_from(rows))[place + 1]
    change = "UPDATE " + table + " SET " + columns[place] + " = ? WHERE rowid = ?"  # noqa: S608
    connection.execute(change, (new, row[0]))


@MAKERS
@pytest.mark.parametrize("seed", range(20))
def test_damaged_files(make: Callable[[Path], None], folder: Path, seed: int) -> None:
    chance = random.Random(seed)
    data = bytearray(made(make, folder))
    for _ in range(chance.randrange(1, 40)):
        data[chance.randrange(20, len(data))] = chance.randrange(256)
    path = folder / f"damaged-{seed}.db"
    path.write_bytes(data[: chance.randrange(16, len(data))] if seed % 2 else data)
    imports(path)
    path.unlink()
