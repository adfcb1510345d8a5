"""Which journals were opened lately."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import pytest

from spanscope.journal.recent import MOST, recent_journals, remember


def test_they_are_kept_in_order_and_bounded(tmp_path: Path) -> None:
    paths = [tmp_path / f"{number}.jsonl" for number in range(MOST + 5)]
    for path in paths:
        path.write_bytes(b"")
        remember(path)
    remember(paths[10])
    found = recent_journals()
    assert found[:3] == [paths[10], paths[-1], paths[-2]]
    assert len(found) == len(set(found)) == MOST
    paths[10].unlink()
    assert paths[10] not in recent_journals()


@pytest.mark.skipif(os.name == "nt", reason="it has other permissions")
def test_the_list_is_for_its_owner_only(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home = tmp_path / "new" / "home"
    monkeypatch.setenv("SPANSCOPE_HOME", str(home))
    (tmp_path / "j.jsonl").write_bytes(b"")
    remember(tmp_path / "j.jsonl")
    assert recent_journals() == [tmp_path / "j.jsonl"]
    assert home.stat().st_mode & 0o777 == 0o700
    assert [(p.name, p.stat().st_mode & 0o777) for p in home.iterdir()] == [("recent.json", 0o600)]


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere a file's name is Unicode")
def test_a_name_that_is_not_utf_8_is_remembered(tmp_path: Path) -> None:
    path = Path(os.fsdecode(os.fsencode(tmp_path) + b"/caf\xe9.jsonl"))
    path.write_bytes(b"")
    remember(path)
    assert recent_journals() == [path]


@pytest.mark.parametrize("name", ["n" * 5000, "\ud800", "", "no/such.jsonl"])
def test_what_can_be_no_file_is_left_out(state_folder: Path, tmp_path: Path, name: str) -> None:
    there = tmp_path / "there.jsonl"
    there.write_bytes(b"")
    kept = [str(tmp_path / name), str(there)]
    (state_folder / "recent.json").write_text(json.dumps(kept), encoding="ascii")
    assert recent_journals() == [there]


@pytest.mark.parametrize("kept", [b"", b"{", b"[1]", b'["\\u0000"]', b"\xff", b"7", b"[" * 100_000])
def test_a_broken_list_is_no_list(state_folder: Path, kept: bytes) -> None:
    (state_folder / "recent.json").write_bytes(kept)
    assert recent_journals() == []


def test_where_no_list_can_be_kept_nothing_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_bytes(b"")
    monkeypatch.setenv("SPANSCOPE_HOME", str(tmp_path / "file"))
    remember(tmp_path / "file")
    assert recent_journals() == []
