"""Why: one skeleton for every finding of every rule, and for what is healthy."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace
from support.screens import write_journal

from spanscope.history.history import History, load
from spanscope.rules.catalogue import RULES
from spanscope.widgets.findings import FindingIndex
from spanscope.widgets.scene import Scene
from spanscope.widgets.subject import Subject, subjects_of
from spanscope.widgets.why import WhyListing, finding_of

SceneOf = Callable[..., Scene]


def why(scene: Scene, width: int = 92, height: int = 40) -> str:
    listing = WhyListing(scene, width, height)
    return "\n".join(listing.row(index).text.rstrip() for index in range(len(listing)))


def labels(text: str) -> list[str]:
    return [line.split()[0] for line in text.splitlines() if line and not line.startswith(" ")]


def test_every_finding_of_the_samples_is_explained(
    sessions: dict[str, History], scene: SceneOf
) -> None:
    explained = set()
    for name, history in sessions.items():
        for finding in history.findings:
            subjects = subjects_of(finding)
            if finding.seq is None or not subjects:
                continue
            made = scene(name, finding.seq, subjects[0])
            found = finding_of(made, subjects[0])
            assert found is not None
            text = why(made)
            assert found.rule in text.splitlines()[0]
            assert found.name in text.splitlines()[0]
            wanted = ["Claim", "Found", "Chain", "Rule", "Instead", "Go"]
            assert [label for label in labels(text) if label in wanted] == wanted
            joined = " ".join(text.split())
            assert " ".join(RULES[found.rule].invariant.split()) in joined
            assert re.search(rf"> *{finding.seq} ", text)
            explained.add(finding.rule)
    assert len(explained) >= 12


def test_stale_apply_shows_what_was_read_and_what_stands_there_now(scene: SceneOf) -> None:
    text = why(scene("stale-base", 74, Subject("diff", "D7")))
    assert "read r41  Bulk export allows 12 parallel jobs per workspace." in text
    assert "now  r42  Bulk export allows 3 parallel jobs per workspace." in text
    assert "b to 72" in text


def test_evidence_marks_the_changed_words(scene: SceneOf) -> None:
    listing = WhyListing(scene("stale-base", 74, Subject("diff", "D7")), 92, 40)
    marked = [
        (text, role)
        for index in range(len(listing))
        for text, role in listing.row(index).cells
        if role in ("removed", "added")
    ]
    assert ("12", "removed") in marked
    assert ("3", "added") in marked


def test_a_damaged_range_is_shown_in_its_line(scene: SceneOf) -> None:
    text = why(scene("twin-blocks", 25, Subject("span", "ci")))
    assert "expected          timeout-minutes: 15" in text
    assert "actual            timeout-minutes: 10" in text
    assert 'it holds "10" instead of "15", and 1 more place differs' in " ".join(text.split())


@pytest.mark.parametrize("height", range(4, 40))
def test_found_evidence_and_chain_never_go(scene: SceneOf, height: int) -> None:
    text = why(scene("stale-base", 74, Subject("diff", "D7")), 60, height)
    kept = labels(text)
    assert {"!", "Found", "read", "now", "Chain"} <= set(kept)
    order = ["Claim", "Go", "Rule", "Instead"]
    present = [label in kept for label in order]
    assert present == sorted(present)


def test_healthy_things_are_said_in_one_line(scene: SceneOf) -> None:
    made = scene("stale-citation", 20, Subject("artifact", "cite:1"))
    assert why(made).splitlines()[0] == (
        "cite:1 is fresh: same version, hash and origin as when derived at 18"
    )
    made = scene("stale-base", 70, Subject("diff", "D8"))
    assert why(made).splitlines()[0].startswith("D8 may be applied: nothing has changed since r41")
    made = scene("stale-base", 70, Subject("span", "task"))
    assert why(made).splitlines()[0] == "task v0 is live: 199 chars, written at 3 by ingest"


def test_what_is_not_there_yet_or_any_more_says_when(scene: SceneOf) -> None:
    text = why(scene("stale-base", 5, Subject("diff", "D7")))
    assert text.splitlines()[0] == "D7 is not staged yet at 5: it comes at 68"
    text = why(scene("stale-base", 97, Subject("diff", "D7")))
    assert "D7 is not staged any more" in text
    text = why(scene("stale-base", 97, Subject("span", "nowhere")))
    assert text.startswith("nowhere is not there at 97")


def test_nothing_selected(scene: SceneOf) -> None:
    assert "e goes to the next finding" in why(scene("stale-base", 5))
    sound = why(scene("stale-base-safe", 5))
    assert sound.startswith("no error, no warning up to 101; select a span")


def test_the_chain_can_be_picked_from(scene: SceneOf) -> None:
    made = scene("stale-base", 74, Subject("diff", "D7"))
    listing = WhyListing(made, 92, 40, chosen=72)
    assert set(listing.chain) >= {68, 72, 74}
    anchor = listing.anchor()
    assert anchor is not None
    assert listing.seq(anchor) == 72
    assert listing.row(anchor).fill == "selected"


@pytest.mark.parametrize("before", ["word " * 12, "日本語の文章、" * 5, "e\u0301 " * 30])
@pytest.mark.parametrize("width", [47, 60, 92])
def test_what_changed_is_in_view_behind_characters_of_any_width(
    journal: Path, before: str, width: int
) -> None:
    events: list[dict[str, Any]] = [
        {"type": "ingest", "span": "a", "content": f"{before} kept until 14:19 at most"},
        {"type": "derive", "artifact": "c", "span": "a", "kind": "citation", "version": 0},
        {
            "type": "rewrite",
            "span": "a",
            "op": "x",
            "content": f"{before} kept until 23:41 at most",
        },
    ]
    history = load(write_journal(journal, events))
    scene = Scene(history, FindingIndex(history.findings, history.touched), 3)
    listing = WhyListing(replace(scene, selected=Subject("artifact", "c")), width, 40)
    shown = [listing.row(at) for at in range(len(listing))]
    assert all(line.width <= width for line in shown)
    assert {"14:19", "23:41"} <= set(
        re.findall(r"\d\d:\d\d", "\n".join(each.text for each in shown))
    )
