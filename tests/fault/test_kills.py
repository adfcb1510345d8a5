"""SIGKILL at any moment: what was acknowledged is in the journal, and it can be gone on with."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest
from support.checkout import ROOT
from support.processes import output

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")


def killed(folder: Path, kills: int, *words: str) -> tuple[int, int]:
    """(changes acknowledged, tails torn) of so many killed writers, each of them checked."""
    command = [sys.executable, "-m", "support.killing", str(folder), str(kills), "7", *words]
    told = output(*command, cwd=ROOT / "tests").split()
    return int(told[0]), int(told[1])


def test_a_writer_killed_at_any_moment_loses_nothing(tmp_path: Path, kills: int) -> None:
    acknowledged, _ = killed(tmp_path, kills)
    assert acknowledged > kills


def test_nor_does_a_durable_one(tmp_path: Path, kills: int) -> None:
    acknowledged, _ = killed(tmp_path, kills // 4, "durable")
    assert acknowledged > 0


def test_nor_one_killed_in_the_middle_of_a_write(tmp_path: Path, kills: int) -> None:
    acknowledged, torn = killed(tmp_path, kills, "torn")
    assert acknowledged > kills
    assert torn > kills // 4
