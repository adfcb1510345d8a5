"""What an agent pays for recording: the standard library and msgspec, nothing else."""

from __future__ import annotations

import sys

import pytest
from support.checkout import ROOT
from support.processes import output

TELL = "import sys; print(*sorted({name.partition('.')[0] for name in sys.modules}))"
RECORD = """
from spanscope import Recorder
with Recorder.open("planner") as recorder:
    recorder.ingest("task", "Fix the flaky test", role="user")
"""
MSGSPEC = "import msgspec; msgspec.json.Decoder(dict[str, int])"


def third_party(code: str) -> set[str]:
    before = set(output(sys.executable, "-c", TELL, cwd=ROOT).split())
    after = set(output(sys.executable, "-c", f"{code}\n{TELL}", cwd=ROOT).split())
    return after - before - sys.stdlib_module_names - {"spanscope"}


def test_importing_the_package_loads_nothing() -> None:
    assert third_party("import spanscope") == set()


@pytest.mark.parametrize("code", ["import spanscope.buffer, spanscope.journal.reader", RECORD])
def test_recording_and_reading_load_msgspec_alone(code: str) -> None:
    assert third_party(code) == third_party(MSGSPEC)
