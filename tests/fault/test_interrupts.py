"""ctrl-C between any two lines of ours: done wholly, not at all, or the buffer says so itself."""

from __future__ import annotations

import linecache
import os
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from types import FrameType
from typing import Any

import pytest
from support.checkout import ROOT

from spanscope.buffer.buffer import ContextBuffer
from spanscope.buffer.errors import RollbackIntegrityError
from spanscope.journal.reader import Fault, read_journal

OURS = str(ROOT / "spanscope")


def leaves_a_lock(frame: FrameType) -> bool:
    """Whether the line may be the end of a `with`, where Python itself takes no interrupt."""
    line = linecache.getline(frame.f_code.co_filename, frame.f_lineno)
    return line.lstrip().startswith("with ")


def interrupted(do: Callable[[], Any], at: int) -> bool:
    """Run it, with a KeyboardInterrupt before the line of that number; whether there was one."""
    left = at

    def trace(frame: FrameType, event: str, _argument: Any) -> Any:
        nonlocal left
        if not frame.f_code.co_filename.startswith(OURS):
            return None
        if event == "line" and not leaves_a_lock(frame):
            left -= 1
            if not left:
                sys.settrace(None)
                raise KeyboardInterrupt
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        do()
    except KeyboardInterrupt:
        return True
    finally:
        sys.settrace(before)
    return False


CALLS: dict[str, Callable[[ContextBuffer], Any]] = {
    "splice": lambda buffer: buffer.splice("a", 1, 1, "x"),
    "rollback": lambda buffer: buffer.rollback(2),
    "rewrite": lambda buffer: buffer.rewrite("a", "other", policy="copy"),
}


def filled(path: Path) -> ContextBuffer:
    buffer = ContextBuffer.record("interrupted", path)
    buffer.ingest("a", "one two")
    buffer.splice("a", 0, 3, "1")
    return buffer


@pytest.mark.skipif(sys.gettrace() is not None, reason="something else traces")
@pytest.mark.parametrize("name", CALLS)
def test_no_interrupt_leaves_half_a_change(tmp_path: Path, name: str) -> None:
    whole = filled(tmp_path / "whole.jsonl")
    before = whole.digest
    CALLS[name](whole)
    after = whole.digest
    torn = at = 0
    stride = 3 if "CI" in os.environ else 7
    while True:
        at += stride
        path = tmp_path / f"{at}.jsonl"
        buffer = filled(path)
        if not interrupted(partial(CALLS[name], buffer), at):
            break
        try:
            buffer.ingest("b", "more")
        except RollbackIntegrityError as error:
            assert "interrupted" in str(error)  # noqa: PT017
            torn += 1
            wanted = (before, after)
        else:
            buffer.prune("b")
            wanted = (buffer.digest, buffer.digest)
            assert buffer.digest in (before, after)
        buffer.close()
        with ContextBuffer.resume(path) as again:
            assert again.digest in wanted
        assert [item for item in read_journal(path) if isinstance(item, Fault)] == []
        path.unlink()
    assert at > 100
    assert torn > 0
