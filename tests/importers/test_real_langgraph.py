"""Threads that the real library wrote (`fixtures/make_langgraph.py`), and what is found in them."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from support.importing import Imported, read_whole

from spanscope.importers.source import open_source

DUMP = Path(__file__).with_name("fixtures") / "langgraph.sql"


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("real") / "checkpoints.db"
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(DUMP.read_text(encoding="utf-8"))
    return path


def thread(database: Path, name: str) -> Imported:
    source = open_source([database], branch=name)
    journal = b"".join(source.journal())
    return Imported(journal, read_whole(journal), source.summary)


@pytest.mark.parametrize("name", ["healthy", "time-travel"])
def test_a_healthy_thread_is_silent(database: Path, name: str) -> None:
    done = thread(database, name)
    assert done.history.findings == []
    assert done.history.unknown == []
    assert done.live() == ["h-1", "ai-1", "tool-1", "ai-2"]
    assert done.history.state.spans["tool-1"].answers == "ai-1"


@pytest.mark.parametrize(
    ("name", "rule", "subject", "who"),
    [
        (
            "rewritten-under-its-citation",
            "SPN101",
            {"artifact": "citations/0", "span": "tool-1"},
            "node:shorten",
        ),
        ("parallel-lost-update", "DIF316", {"span": "tool-1"}, "node:shorten"),
        ("orphaned-answer", "SPN133", {"span": "tool-1"}, "node:answer"),
        ("two-live-with-one-id", "SPN116", {"span": "d"}, "node:start_over"),
    ],
)
def test_what_went_wrong_is_found_where_it_did(
    database: Path, name: str, rule: str, subject: dict[str, str | int], who: str
) -> None:
    done = thread(database, name)
    assert done.found() == [(rule, subject)]
    [event] = done.at(rule)
    assert event.actor == who
