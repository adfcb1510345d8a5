"""How often the screen is told, by a clock that does what it is told."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest
from support.checkout import ROOT

from spanscope.app.pace import FEW, LEAST, NICENESS, REST, SHARE, SHARE_OF_FEW, Pace


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    now = [100.0]
    monkeypatch.setattr("spanscope.app.pace.time.monotonic", lambda: now[0])
    return now


def test_at_once_and_then_at_most_thirty_times_a_second(clock: list[float]) -> None:
    pace = Pace()
    assert pace.left <= 0
    pace.told()
    assert pace.left == pytest.approx(LEAST)
    clock[0] += LEAST + 0.001
    assert pace.left <= 0


def test_a_slow_screen_is_told_less_often(clock: list[float]) -> None:
    pace = Pace()
    pace.told()
    pace.drew(0.1)
    assert pace.left == pytest.approx(SHARE * 0.1)
    pace.drew(0.001)
    assert pace.left == pytest.approx(LEAST)


def test_a_few_events_are_told_sooner_than_a_stream(clock: list[float]) -> None:
    pace = Pace()
    pace.told()
    assert pace.left_for(FEW) == pytest.approx(REST)
    assert pace.left_for(FEW + 1) == pytest.approx(LEAST)
    pace.drew(0.1)
    assert pace.left_for(FEW) == pytest.approx(SHARE_OF_FEW * 0.1)
    assert pace.left_for(FEW + 1) == pytest.approx(SHARE * 0.1)


@pytest.mark.skipif(os.name != "posix", reason="there are no priorities like these")
def test_who_watches_steps_back_once() -> None:
    code = "import os; from spanscope.app.pace import step_back as s; s(); s(); print(os.nice(0))"
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert int(done.stdout) == max(NICENESS, os.nice(0))
