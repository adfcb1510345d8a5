"""Any step at once equals a fresh fold; any cutting of the bytes equals the whole."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.histories import a_program, told, whole

from spanscope.history.history import History
from spanscope.sample_sessions import NAMES, sample_path

SESSIONS = [(name, safe) for name in NAMES for safe in (False, True)]


def assert_every_step_is_a_fold(data: bytes) -> None:
    history = whole(data)
    fold = History()
    for line in data.splitlines(keepends=True):
        fold.feed(line)
        seq = fold.last
        if seq and fold.seqs[-1] == seq:
            assert told(history, seq) == told(fold, seq)


@pytest.mark.parametrize(("name", "safe"), SESSIONS)
def test_a_step_of_a_sample_is_a_fresh_fold(name: str, safe: bool) -> None:
    assert_every_step_is_a_fold(sample_path(name, safe=safe).read_bytes())


def assert_verdicts_are_fresh(data: bytes) -> None:
    """The verdicts that the audit keeps are those that a judgement from scratch gives."""
    history = whole(data)
    for seq in history.seqs:
        moment = history.at(seq)
        for row in moment.staging():
            fresh = moment.judge(row.diff)
            assert (fresh.verdict, fresh.rules) == (row.judgement.verdict, row.judgement.rules)


@pytest.mark.parametrize(("name", "safe"), SESSIONS)
def test_the_verdicts_kept_are_those_worked_out_anew(name: str, safe: bool) -> None:
    assert_verdicts_are_fresh(sample_path(name, safe=safe).read_bytes())


@given(st.integers(0, 10**6))
@settings(max_examples=60)
def test_a_step_of_any_session_is_a_fresh_fold(seed: int) -> None:
    assert_every_step_is_a_fold(a_program(seed, 30))


@given(st.integers(0, 10**6))
@settings(max_examples=60)
def test_the_verdicts_of_any_session_are_fresh(seed: int) -> None:
    assert_verdicts_are_fresh(a_program(seed, 30))


@given(st.integers(0, 10**6), st.integers(1, 200))
@settings(max_examples=30)
def test_any_session_cut_anywhere_gives_the_same_findings(seed: int, size: int) -> None:
    data = a_program(seed, 25)
    pieces = History()
    for start in range(0, len(data), size):
        pieces.feed(data[start : start + size])
    pieces.finish()
    assert pieces.findings == whole(data).findings
    assert pieces.unknown == whole(data).unknown


@pytest.mark.parametrize("size", [1, 7, 1000])
def test_any_cutting_equals_the_whole(size: int) -> None:
    data = sample_path("stale-base").read_bytes()
    pieces = History()
    for start in range(0, len(data), size):
        pieces.feed(data[start : start + size])
    pieces.finish()
    assert pieces.findings == whole(data).findings
    assert told(pieces, pieces.last) == told(whole(data), pieces.last)


def test_a_journal_cut_anywhere_keeps_its_whole_lines() -> None:
    data = sample_path("dropped-inverse").read_bytes()[:6000]
    for size in range(0, len(data), 37):
        cut = data[:size]
        history = whole(cut)
        assert len(history) == max(0, cut.count(b"\n") - 1)
        torn = any(finding.rule == "JNL001" for finding in history.findings)
        assert torn == bool(cut and not cut.endswith(b"\n"))


def test_every_changed_byte_is_reported() -> None:
    lines = sample_path("dropped-inverse").read_bytes().splitlines(keepends=True)[:7]
    data = b"".join(lines)
    sound = [finding.id for finding in whole(data).findings]
    for place in range(len(data)):
        changed = data[:place] + bytes([data[place] ^ 1]) + data[place + 1 :]
        found = [finding.id for finding in whole(changed).findings]
        assert any(id.startswith("JNL") and id not in sound for id in found), place
