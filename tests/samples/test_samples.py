"""The sample sessions: built from their scripts, and giving exactly the findings they say."""

from __future__ import annotations

import json
import zlib
from pathlib import Path
from typing import Any

import pytest

from spanscope.history.history import load
from spanscope.rules.finding import Severity
from spanscope.sample_sessions import (
    NAMES,
    ExpectedFinding,
    Sample,
    sample,
    sample_path,
    scenarios,
)
from spanscope.sample_sessions.build import files

BUILT = dict(files())
SAMPLES = [one for scenario in scenarios() for one in (scenario.unsafe, scenario.safe)]


def by_name(one: Sample) -> str:
    return one.name


every_sample = pytest.mark.parametrize("shipped", SAMPLES, ids=by_name)
every_scenario = pytest.mark.parametrize("name", NAMES)


def whole_lines(path: Path) -> list[bytes]:
    return path.read_bytes().split(b"\n")[:-1]


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in whole_lines(path)]


def notes(path: Path) -> list[str]:
    return [line["label"] for line in lines(path) if line.get("kind") == "note"]


def found(path: Path) -> list[ExpectedFinding]:
    return [
        ExpectedFinding(
            rule=finding.rule,
            seq=finding.seq or 0,
            severity=finding.severity,
            subject=finding.subject,
        )
        for finding in load(path).findings
    ]


@pytest.mark.parametrize("name", sorted(BUILT))
def test_the_scripts_write_the_shipped_files_byte_for_byte(name: str) -> None:
    assert sample_path(NAMES[0]).with_name(name).read_bytes() == BUILT[name]


def test_every_shipped_file_has_a_script() -> None:
    folder = sample_path(NAMES[0]).parent
    shipped = {path.name for pattern in ("*.jsonl", "*.json") for path in folder.glob(pattern)}
    assert shipped == BUILT.keys()


@every_sample
def test_a_sample_gives_exactly_its_findings(shipped: Sample) -> None:
    assert found(shipped.path) == shipped.findings


@every_sample
def test_nothing_in_a_sample_is_unknown(shipped: Sample) -> None:
    assert load(shipped.path).unknown == []


def severities(shipped: Sample) -> set[Severity]:
    return {finding.severity for finding in shipped.findings}


def worst(shipped: Sample) -> Severity:
    """Refusing too much ends in a livelock, and no rule calls that worse than a warning."""
    return "warning" if shipped.scenario == "needless-reject" else "error"


@every_scenario
def test_the_unsafe_run_fails_and_its_twin_has_nothing_above_info(name: str) -> None:
    assert worst(sample(name)) in severities(sample(name))
    assert severities(sample(name, safe=True)) <= {"info"}


@every_sample
def test_a_sample_is_small_but_a_session(shipped: Sample) -> None:
    assert 30 <= len(lines(shipped.path)) - 1 <= 120


@every_sample
def test_a_sample_is_whole(shipped: Sample) -> None:
    read = lines(shipped.path)
    assert [line["seq"] for line in read[1:]] == list(range(1, len(read)))
    torn = not shipped.path.read_bytes().endswith(b"\n")
    assert torn == ("JNL001" in {finding.rule for finding in shipped.findings})
    assert torn or read[-1]["type"] == "close"
    for raw in whole_lines(shipped.path):
        body, crc = raw.rsplit(b',"crc":"', 1)
        assert crc == b'%08x"}' % zlib.crc32(body)


@every_sample
def test_a_sample_has_places_to_go_to(shipped: Sample) -> None:
    kinds = [line["kind"] for line in lines(shipped.path) if line["type"] == "mark"]
    assert kinds.count("turn") >= 3
    assert {"turn", "llm", "tool", "note"} == set(kinds)


@every_sample
def test_a_sample_has_several_actors_and_some_longer_texts(shipped: Sample) -> None:
    read = lines(shipped.path)[1:]
    assert len({line.get("actor", "agent") for line in read}) >= 3
    assert len([line for line in read if len(line.get("content", "")) >= 200]) >= 4


@every_scenario
def test_the_twins_tell_their_stories_in_the_same_beats(name: str) -> None:
    assert len(notes(sample_path(name))) == len(notes(sample_path(name, safe=True)))


@every_scenario
def test_a_failure_opens_at_one_of_its_worst_findings(name: str) -> None:
    shipped = sample(name)
    worst_of_all = [one.seq for one in shipped.findings if one.severity == worst(shipped)]
    assert shipped.look_at in worst_of_all


@every_sample
def test_a_sample_opens_at_one_of_its_events(shipped: Sample) -> None:
    assert 0 < shipped.look_at < len(lines(shipped.path))


@every_sample
def test_what_a_gallery_shows_fits_a_row(shipped: Sample) -> None:
    assert shipped.title
    assert len(shipped.story) <= 70
    assert shipped.seed in ("000", "003", "004")
    assert all(len(note) <= 90 for note in notes(shipped.path))


def test_a_scenario_that_does_not_ship_is_named_with_those_that_do() -> None:
    with pytest.raises(ValueError, match="no scenario stale-cake; there are stale-citation, "):
        sample_path("stale-cake")
