"""Memory that runs out, for real: a process may take so many bytes more and no others (R12).

Texts of megabytes are asked of the system block by block, so that with each step of the limit
another block is the one that is refused; the smallest limits refuse small ones too.
"""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from support.checkout import ROOT
from support.lines import parse, records, rules, seqs
from support.processes import output

from spanscope.buffer.buffer import ContextBuffer
from spanscope.journal.events import Gap

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="limits are not like this")

LIMITED = """
import gc, resource, sys
SIZE = 1_000_000
HEADROOMS = [*range(0, 2 << 20, 1 << 17), *range(2 << 20, 20 * SIZE, SIZE)]
_, MOST = resource.getrlimit(resource.RLIMIT_AS)

def taken():
    with open("/proc/self/statm", "rb") as facts:
        return int(facts.read().split()[0]) * resource.getpagesize()

def runs_out(headroom, do):
    gc.collect()
    resource.setrlimit(resource.RLIMIT_AS, (taken() + headroom, MOST))
    try:
        do()
    except MemoryError:
        return True
    finally:
        resource.setrlimit(resource.RLIMIT_AS, (MOST, MOST))
    return False

def text(number, letter):
    return f"{number:05}" + letter * SIZE
"""

CHANGING = (
    LIMITED
    + """
from spanscope import ContextBuffer
def replace(number):
    half = buffer.text("a")[: SIZE // 2]
    buffer.replace("a", half, f"{number:05}" + "x" * (SIZE // 2 - 5))

def apply(number):
    with buffer.draft("planner") as draft:
        draft.read("a")
        draft.splice("a", 5, 5, f"{number:05}")

CALLS = {
    "replace": replace,
    "apply": apply,
    "splice": lambda number: buffer.splice("a", SIZE // 2, 5, f"{number:05}"),
    "rewrite": lambda number: buffer.rewrite("a", text(number, "z"), policy="tell"),
    "copy": lambda number: buffer.rewrite("a", text(number, "y"), into=f"a{number}"),
    "ingest": lambda number: buffer.ingest(f"b{number}", text(number, "w")),
    "rollback": lambda number: buffer.rollback(1),
}
AGAIN = {
    "copy": lambda number: buffer.rollback(1),
    "ingest": lambda number: buffer.rollback(1),
    "rollback": lambda number: buffer.splice("a", 10, 3, f"{number:03}"),
}
call, again = CALLS[sys.argv[1]], AGAIN.get(sys.argv[1], lambda number: None)
failed = 0
with ContextBuffer.record("memory", sys.argv[2]) as buffer:
    buffer.ingest("a", "the quick brown fox " * (SIZE // 20))
    buffer.splice("a", 10, 3, "abc")
    for number, headroom in enumerate(HEADROOMS):
        before = buffer.seq, buffer.revision, buffer.order, buffer.digest
        if runs_out(headroom, lambda: call(number)):
            failed += 1
            assert (buffer.seq, buffer.revision, buffer.order, buffer.digest) == before, headroom
            assert buffer.mark("note", "it goes on") == before[0] + 1
        else:
            again(number)
    print(failed, len(HEADROOMS), buffer.seq, buffer.digest)
"""
)

RECORDING = (
    LIMITED
    + """
from spanscope import Recorder
missed = 0
with Recorder.open("memory", sys.argv[1]) as recorder:
    for number, headroom in enumerate(HEADROOMS):
        content = text(number, "w")
        told = []
        assert not runs_out(headroom, lambda: told.append(recorder.ingest(f"b{number}", content)))
        missed += told == [0]
    recorder.mark("note", "it goes on")
print(missed)
"""
)


@pytest.mark.parametrize(
    "change", ["splice", "replace", "rewrite", "copy", "ingest", "apply", "rollback"]
)
def test_without_memory_nothing_changes_and_then_it_goes_on(tmp_path: Path, change: str) -> None:
    path = tmp_path / "a.jsonl"
    told = output(sys.executable, "-c", CHANGING, change, path, cwd=ROOT).split()
    failed, tried, last = map(int, told[:3])
    assert 0 < failed < tried
    found = parse(path.read_bytes())
    assert rules(found) == []
    assert seqs(found) == list(range(1, last + 2))
    output(sys.executable, "-m", "spanscope", "check", "--fail-on", "warning", path, cwd=ROOT)
    with ContextBuffer.resume(path) as again:
        assert again.digest == told[3]


def test_a_recorder_without_memory_says_what_it_missed(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    missed = int(output(sys.executable, "-c", RECORDING, path, cwd=ROOT))
    assert missed > 0
    found = parse(path.read_bytes())
    assert rules(found) == []
    assert sum(r.event.lost or 0 for r in records(found) if isinstance(r.event, Gap)) == missed
