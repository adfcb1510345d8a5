"""Slices: a journal that is smaller and still gives the finding, judged by the checker itself."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.histories import a_program, whole
from support.screens import write_journal

from spanscope.history.audited import Audited, audit_file, audit_pieces
from spanscope.history.history import History, load
from spanscope.history.slicing import Slice, SliceError, slice_around
from spanscope.rules.finding import Finding
from spanscope.sample_sessions import NAMES, sample

SESSIONS = [name for scenario in NAMES for name in (scenario, f"{scenario}-safe")]


def names(finding: Finding) -> dict[str, str | int]:
    """What a finding is about, without what is numbered anew."""
    return {kind: name for kind, name in finding.subject.items() if kind != "entry"}


def gives(audited: Audited, finding: Finding, seq: int) -> bool:
    """Whether a journal gives a finding at an event."""
    return any(
        (each.rule, each.seq, names(each)) == (finding.rule, seq, names(finding))
        for each in audited.findings
    )


def assert_slice(history: History, finding: Finding, cut: Slice) -> None:
    """The slice is a sound journal, gives the finding and accuses of nothing else."""
    audited = audit_pieces([cut.lines()])
    assert audited.session is not None
    assert audited.session.parent is not None
    assert audited.session.parent.session == history.name
    assert audited.session.parent.seq == finding.seq
    assert len(audited) == len(cut.events)
    assert [audited.event(seq) for seq in range(1, len(cut.events) + 1)] == cut.events
    assert gives(audited, finding, cut.seq)
    said = {(each.rule, *sorted(names(each).items())) for each in history.findings}
    assert {(each.rule, *sorted(names(each).items())) for each in audited.findings} <= said


@pytest.mark.parametrize("name", SESSIONS)
def test_every_finding_of_every_sample_is_shown_by_its_slice(name: str, tmp_path: Path) -> None:
    path = sample(name.removesuffix("-safe"), safe=name.endswith("-safe")).path
    history = load(path)
    for finding in history.findings:
        if finding.seq is None:
            with pytest.raises(SliceError, match="about the file itself"):
                slice_around(history, finding)
            continue
        cut = slice_around(history, finding)
        assert_slice(history, finding, cut)
        file = tmp_path / f"{finding.id}.jsonl"
        file.write_bytes(cut.lines())
        assert gives(audit_file(file), finding, cut.seq)
        assert len(cut.events) <= 10 < cut.of


@settings(max_examples=25)
@given(seed=st.integers(0, 2**32), chosen=st.integers(0, 1000))
def test_findings_of_random_journals_are_shown_by_their_slices(seed: int, chosen: int) -> None:
    history = whole(a_program(seed, 30))
    found = [finding for finding in history.findings if finding.seq is not None]
    if not found:
        return
    finding = found[chosen % len(found)]
    assert_slice(history, finding, slice_around(history, finding))


def test_without_effort_all_events_up_to_the_finding_are_the_slice() -> None:
    history = load(sample("stale-base").path)
    finding = next(each for each in history.findings if each.rule == "DIF311")
    cut = slice_around(history, finding, effort=0)
    assert (len(cut.events), cut.seq, cut.of) == (74, 74, 74)
    assert_slice(history, finding, cut)


def test_seqs_bases_and_places_are_those_of_the_slice(tmp_path: Path) -> None:
    """What a diff is based on, an undone entry and a place in the order are told anew."""
    path = write_journal(
        tmp_path / "made.jsonl",
        [
            {"type": "ingest", "span": "noise", "content": "x"},
            {"type": "ingest", "span": "doc", "content": "one two"},
            {"type": "rewrite", "span": "noise", "op": "trim", "content": "y"},
            {"type": "ingest", "span": "next", "content": "z", "after": "noise"},
            {
                "type": "stage",
                "diff": "d1",
                "base": {"revision": 4},
                "reads": [{"span": "doc"}, {"span": "noise"}],
                "edits": [{"type": "splice", "span": "doc", "at": 0, "delete": 3, "insert": "1"}],
            },
            {"type": "splice", "span": "doc", "at": 0, "delete": 3, "insert": "uno"},
            {"type": "apply", "diff": "d1"},
        ],
    )
    history = load(path)
    finding = next(each for each in history.findings if each.rule == "DIF311")
    cut = slice_around(history, finding)
    assert_slice(history, finding, cut)
    assert [type(event).__name__ for event in cut.events] == ["Ingest", "Stage", "Splice", "Apply"]
    stage = cut.events[1]
    assert stage.base.revision == 1  # type: ignore[union-attr]
    assert [read.span for read in stage.reads] == ["doc"]  # type: ignore[union-attr]


def test_a_finding_that_only_damage_makes_is_refused(tmp_path: Path) -> None:
    path = write_journal(
        tmp_path / "made.jsonl", [{"type": "ingest", "span": "doc", "content": "one"}]
    )
    path.write_text(path.read_text() + '{"type":"prune","seq":9,"time":"2026-11-11T09:01:00Z"\n')
    history = load(path)
    damage = next(each for each in history.findings if each.rule == "JNL002")
    with pytest.raises(SliceError, match="copy the whole file"):
        slice_around(history, damage)


def test_the_slice_of_a_journal_without_a_header_can_be_read(tmp_path: Path) -> None:
    """A header is made for it."""
    lines = sample("stale-base").path.read_text(encoding="utf-8").splitlines()[1:]
    path = tmp_path / "headless.jsonl"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    history = load(path)
    finding = next(each for each in history.findings if each.rule == "DIF311")
    header = json.loads(slice_around(history, finding).lines().split(b"\n")[0])
    assert header["type"] == "session"
