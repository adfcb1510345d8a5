"""A file that may not grow and a disk that is full, for real."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from support.checkout import ROOT
from support.lines import parse, rules, seqs
from support.processes import output

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="limits are not like this")

WORK = """
import sys
from spanscope import ContextBuffer, JournalWriteError
def work(buffer, times):
    refused = 0
    for number in range(times):
        before = buffer.digest, buffer.revision
        try:
            buffer.splice("a", 0, 0, "x" * 100)
        except JournalWriteError:
            refused += 1
            assert (buffer.digest, buffer.revision) == before
    return refused
"""

LIMITED = (
    WORK
    + """
import resource, signal
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
with ContextBuffer.record("limited", sys.argv[1]) as buffer:
    buffer.ingest("a", "start")
    resource.setrlimit(resource.RLIMIT_FSIZE, (8000, resource.RLIM_INFINITY))
    refused = work(buffer, 60)
    resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    assert work(buffer, 2) == 0
    buffer.rollback(3)
print(refused)
"""
)

FULL = (
    WORK
    + """
import os
path, filler = sys.argv[1], sys.argv[2]
with ContextBuffer.record("full", path) as buffer:
    buffer.ingest("a", "start")
    with open(filler, "wb") as stream:
        stream.write(b"x" * (64 * 1024 - 16384))
    refused = work(buffer, 200)
    os.unlink(filler)
    assert work(buffer, 2) == 0
print(refused)
"""
)


def sound(path: Path) -> None:
    """The journal is whole, and its audit has nothing to complain of."""
    found = parse(path.read_bytes())
    assert rules(found) == []
    assert seqs(found) == list(range(1, len(seqs(found)) + 1))
    output(sys.executable, "-m", "spanscope", "check", "--fail-on", "warning", path, cwd=ROOT)


def test_a_file_that_may_not_grow_refuses_and_goes_on(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    refused = int(output(sys.executable, "-c", LIMITED, path, cwd=ROOT))
    assert 0 < refused < 60
    sound(path)


def test_a_full_disk_refuses_and_goes_on(tmp_path: Path) -> None:
    mount = tmp_path / "small"
    mount.mkdir()
    copy = tmp_path / "a.jsonl"
    script = 'mount -t tmpfs -o size=64k none "$1" && "$2" -c "$3" "$1/a.jsonl" "$1/filler"'
    script += ' && cp "$1/a.jsonl" "$4"'
    unshare = shutil.which("unshare")
    if unshare is None or subprocess.run([unshare, "-rm", "true"], check=False).returncode:
        pytest.skip("needs user namespaces")
    done = subprocess.run(
        [unshare, "-rm", "sh", "-c", script, "sh", mount, sys.executable, FULL, copy],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    if "mount" in done.stderr:
        pytest.skip(f"can't mount: {done.stderr}")
    assert done.returncode == 0, done.stderr
    assert 0 < int(done.stdout) < 200
    sound(copy)
