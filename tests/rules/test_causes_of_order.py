"""What the order of spans decides about a diff names the event that changed the order."""

from __future__ import annotations

import random
from typing import Any

import pytest
from support.lines import journal

from spanscope.history.history import History
from spanscope.model.content import content_hash
from spanscope.rules.finding import Finding


def history_of(*events: dict[str, Any]) -> History:
    history = History()
    timed = [
        {"seq": seq, "time": "2026-11-11T09:00:00Z", **event} for seq, event in enumerate(events, 1)
    ]
    history.feed(journal(*timed))
    history.finish()
    return history


def ingest(span: str, content: str = "one\ntwo\n", **more: Any) -> dict[str, Any]:
    return {"type": "ingest", "span": span, "content": content, **more}


def move(span: str, after: str | None) -> dict[str, Any]:
    return {"type": "move", "span": span, "after": after}


def stage(*refs: dict[str, Any], reads: list[dict[str, Any]] | None = None) -> dict[str, Any]:
    return {
        "type": "stage",
        "diff": "D1",
        "base": {"revision": 3},
        "reads": reads or [],
        "refs": list(refs),
        "edits": [{"type": "ingest", "span": "new", "content": "x"}],
    }


NOTE = {"type": "mark", "kind": "note", "label": "x"}
ABC = (ingest("a"), ingest("b"), ingest("c"))


def found(history: History, rule: str) -> Finding:
    return next(finding for finding in history.findings if finding.rule == rule)


@pytest.mark.parametrize("rule", ["DIF302", "DIF303"])
def test_an_index_that_another_span_took(rule: str) -> None:
    index = {"kind": "index", "span": "b", "index": 1}
    history = history_of(*ABC, stage(index), NOTE, move("c", "a"), NOTE, move("c", None))
    finding = found(history, rule)
    assert (finding.seq, finding.caused_by) == (6, None)
    assert finding.evidence["reasons"][0]["cause"] == 6
    later = history.at(8).staging()[0].judgement
    assert {reason.cause for reason in later.reasons if reason.rule == rule} == {6}


def test_an_order_that_came_back_and_went_again() -> None:
    index = {"kind": "index", "span": "b", "index": 1}
    history = history_of(
        *ABC, stage(index), move("c", "a"), move("c", "b"), NOTE, move("c", None), NOTE
    )
    causes = {reason.cause for reason in history.at(9).staging()[0].judgement.reasons}
    assert causes == {8}


def test_a_line_of_the_whole_buffer() -> None:
    line = {"kind": "line", "line": 3, "text": "three"}
    history = history_of(
        ingest("a"), ingest("b", "three\n"), ingest("c"), stage(line), NOTE, move("b", None)
    )
    for rule in ("DIF302", "DIF303"):
        assert found(history, rule).evidence["reasons"][0]["cause"] == 6


def test_a_hash_that_no_live_span_has_any_more() -> None:
    hash = {"kind": "hash", "hash": content_hash("gone\n")}
    history = history_of(
        ingest("a", "gone\n"),
        ingest("b"),
        ingest("c"),
        stage(hash),
        NOTE,
        {"type": "splice", "span": "a", "at": 0, "delete": 0, "insert": "x", "actor": "tool:edit"},
        NOTE,
    )
    [reason] = found(history, "DIF303").evidence["reasons"]
    assert (reason["span"], reason["cause"], reason["actor"]) == ("a", 6, "tool:edit")
    [line] = [row for row in history.at(7).staging()[0].judgement.lines if row.kind == "hash"]
    assert (line.word, line.detail, line.cause) == ("not found", "6 tool:edit", 6)


def test_a_hash_that_never_was_has_no_cause() -> None:
    history = history_of(*ABC, stage({"kind": "hash", "hash": content_hash("never")}))
    assert found(history, "DIF303").evidence["reasons"][0]["cause"] is None


def test_the_order_of_all_that_was_read() -> None:
    history = history_of(*ABC, stage(reads=[{"all": True}]), move("c", "a"))
    assert found(history, "DIF301").evidence["reasons"][0]["cause"] == 5


def test_the_cause_is_since_when_it_is_so_by_brute_force() -> None:
    for seed in range(20):
        chance = random.Random(seed)
        place = chance.randrange(3)
        steps: list[dict[str, Any]] = []
        for _ in range(12):
            span = chance.choice("abc")
            steps.append(move(span, chance.choice([s for s in "abc" if s != span] + [None])))
        name = "abc"[place]
        history = history_of(*ABC, stage({"kind": "index", "span": name, "index": place}), *steps)
        for seq in range(4, history.last + 1):
            moment = history.at(seq)
            judged = moment.staging()[0].judgement
            assert judged == moment.judge(moment.staging()[0].diff)
            bad = [s for s in range(4, seq + 1) if history.at(s).order[place] != name]
            since = seq
            while since - 1 in bad:
                since -= 1
            causes = [reason.cause for reason in judged.reasons if reason.rule == "DIF303"]
            assert causes == ([since] if seq in bad else [])
