"""What an agent pays for recording: the standard library and msgspec, nothing else."""

from __future__ import annotations

import sys

import pytest
from support.checkout import ROOT
from support.processes import output

import spanscope
import spanscope.buffer

TELL = "import sys; print(*sorted({name.partition('.')[0] for name in sys.modules}))"
RECORD = """
from spanscope import Recorder
with Recorder.open("planner") as recorder:
    recorder.ingest("task", "Fix the flaky test", role="user")
"""
BUFFER = """
from spanscope import ContextBuffer
with ContextBuffer.record("planner") as buffer:
    buffer.extend([{"role": "user", "content": "Fix the flaky test"}])
    cite = buffer.derive("user-1", kind="citation", quote="flaky test")
    buffer.splice("user-1", 0, 3, "Mend")
    cite.rebuild()
    with buffer.draft("planner") as draft:
        draft.rewrite("user-1", draft.read("user-1") + ".")
    buffer.messages()
    buffer.checkpoint("here", snapshot=True)
    buffer.rollback(1)
    buffer.compact()
ContextBuffer.resume("planner").close()
"""
MSGSPEC = "import msgspec; msgspec.json.Decoder(dict[str, int])"


def third_party(code: str) -> set[str]:
    before = set(output(sys.executable, "-c", TELL, cwd=ROOT).split())
    after = set(output(sys.executable, "-c", f"{code}\n{TELL}", cwd=ROOT).split())
    return after - before - sys.stdlib_module_names - {"spanscope"}


def test_importing_the_package_loads_nothing() -> None:
    assert third_party("import spanscope") == set()


@pytest.mark.parametrize(
    "code", ["import spanscope.buffer, spanscope.journal.reader", RECORD, BUFFER]
)
def test_recording_and_reading_load_msgspec_alone(code: str) -> None:
    assert third_party(code) == third_party(MSGSPEC)


def test_an_agent_that_only_records_loads_no_rules() -> None:
    tell = "import sys; print(*sorted(name for name in sys.modules if 'spanscope' in name))"
    loaded = output(sys.executable, "-c", f"{RECORD}\n{tell}", cwd=ROOT).split()
    assert "spanscope.buffer.recorder" in loaded
    assert [name for name in loaded if name.startswith("spanscope.rules")] == []


def test_every_name_of_the_library_is_there() -> None:
    for module in (spanscope, spanscope.buffer):
        for name in module.__all__:
            assert getattr(module, name) is not None
            assert name in dir(module)
    with pytest.raises(AttributeError, match="no attribute 'Nothing'"):
        spanscope.buffer.Nothing  # noqa: B018
