"""Which files count as journals, and what a folder stands for."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from support.commands import Record, write_clean
from support.lines import HEADER, journal, mark, text

from spanscope.cli.errors import CommandError
from spanscope.cli.journals import journals_at
from spanscope.journal.errors import JournalError
from spanscope.journal.recognising import is_journal


@pytest.mark.parametrize(
    ("content", "journal_or_not"),
    [
        (journal(mark(1)), True),
        (journal(), True),
        (text(HEADER), True),
        (b"\xef\xbb\xbf" + journal(mark(1)), True),
        (text(mark(1)) + b"\n", True),
        (b"\xef\xbb\xbf" + text(mark(1)) + b"\r\n", True),
        (b"not json\n" + text(mark(1)) + b"\r\n", True),
        (b'{"format" : "spanscope.journal/9", "type":"session"}\n', True),
        (text(HEADER)[:-5] + b"\n", True),
        (b"", False),
        (b"\n\n", False),
        (b'{"type":"user","message":{"content":"hi"}}\n', False),
        (b'{"type":"teleport","seq":1,"time":"2026-11-11T09:00:00Z"}\n', False),
        (b'{"type":"note","text":"\\"format\\":\\"spanscope.journal/1\\""}\n', False),
        (b"\x00\xff\xfe" * 1000, False),
    ],
)
def test_a_journal_is_known_by_its_content(
    tmp_path: Path, content: bytes, journal_or_not: bool
) -> None:
    path = tmp_path / "x.jsonl"
    path.write_bytes(content)
    assert is_journal(str(path)) is journal_or_not


def test_what_is_missing_raises(tmp_path: Path) -> None:
    with pytest.raises(JournalError):
        is_journal(str(tmp_path / "missing.jsonl"))


@pytest.mark.skipif(not Path("/proc/self/mem").exists(), reason="no such file here")
def test_what_opens_and_gives_no_bytes_raises() -> None:
    with pytest.raises(JournalError, match="can't read /proc/self/mem: input/output error"):
        is_journal("/proc/self/mem")


def refuse(message: str) -> None:
    raise AssertionError(message)


def test_a_file_and_standard_input_stand_for_themselves(tmp_path: Path) -> None:
    assert journals_at("-", refuse) == ["-"]
    assert journals_at(str(tmp_path / "missing.jsonl"), refuse) == [str(tmp_path / "missing.jsonl")]
    assert journals_at("\0", refuse) == ["\0"]


def test_a_folder_stands_for_its_journals_at_any_depth(record: Record, tmp_path: Path) -> None:
    folder = tmp_path / "runs"
    paths = [record(f"runs/{name}", write_clean) for name in ("b", "deep/er/c", "a", ".hidden/d")]
    (folder / "other.jsonl").write_text('{"type":"user"}\n', encoding="utf-8")
    (folder / "a.jsonl.live").write_text("{}", encoding="utf-8")
    (folder / "a.txt").write_bytes(paths[0].read_bytes())
    (folder / "folder.jsonl").mkdir()
    found = journals_at(str(folder), refuse)
    assert found == [
        str(folder / name) for name in ("a.jsonl", "b.jsonl", ".hidden/d.jsonl", "deep/er/c.jsonl")
    ]


def test_a_folder_without_a_journal_is_refused(tmp_path: Path) -> None:
    (tmp_path / "other.jsonl").write_text('{"type":"user"}\n', encoding="utf-8")
    with pytest.raises(CommandError, match="holds no journal"):
        journals_at(str(tmp_path), refuse)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_a_pipe_in_a_folder_is_passed_by(record: Record, tmp_path: Path) -> None:
    path = record("runs/a", write_clean)
    os.mkfifo(tmp_path / "runs" / "pipe.jsonl")
    assert journals_at(str(tmp_path / "runs"), refuse) == [str(path)]


def test_what_cannot_be_looked_at_is_said(
    record: Record, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = record("runs/a", write_clean)
    shut = record("runs/shut", write_clean)

    def look(path: str) -> bool:
        if path == str(shut):
            raise JournalError(f"can't open {path}: permission denied")
        return True

    monkeypatch.setattr("spanscope.cli.journals.is_journal", look)
    said: list[str] = []
    assert journals_at(str(tmp_path / "runs"), said.append) == [str(path)]
    assert said == [f"can't open {shut}: permission denied"]


def test_a_link_that_goes_in_circles_ends(record: Record, tmp_path: Path) -> None:
    path = record("runs/a", write_clean)
    (tmp_path / "runs" / "again").symlink_to(tmp_path / "runs", target_is_directory=True)
    (tmp_path / "runs" / "loop.jsonl").symlink_to(tmp_path / "runs" / "loop.jsonl")
    assert journals_at(str(tmp_path / "runs"), refuse) == [str(path)]
