"""`Recorder.sync`: what became of a message list, told by the list alone."""

from __future__ import annotations

import copy
import random
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.auditing import audit_all
from support.examples import slow
from support.lines import parse, records

from spanscope.buffer.messages import lenient_blocks
from spanscope.buffer.recorder import Recorder
from spanscope.history.audit import Audit
from spanscope.journal.events import AnyEvent, Ingest, Prune, Render, Rewrite, Splice, Unknown
from spanscope.journal.reader import read_journal

TASK = {"role": "user", "content": "Fix the flaky test in test_retry.py before Friday, please."}
CALL = {
    "role": "assistant",
    "content": None,
    "tool_calls": [{"id": "c1", "type": "function", "function": {"name": "read"}}],
}
RESULT = {"role": "tool", "tool_call_id": "c1", "content": "def test_retry():\n    ...\n" * 9}
DONE = {"role": "assistant", "content": "I have read the test."}


@pytest.fixture
def recorder(tmp_path: Path) -> Recorder:
    return Recorder.open("planner", tmp_path / "a.jsonl")


def events(recorder: Recorder) -> list[AnyEvent | Unknown]:
    return [record.event for record in records(parse(recorder.path.read_bytes(), live=True))]


def new(recorder: Recorder, since: int) -> list[AnyEvent | Unknown]:
    """The events after so many, without the render that ends each call."""
    found = events(recorder)[since:]
    assert isinstance(found[-1], Render)
    return found[:-1]


def audited(recorder: Recorder) -> Audit:
    recorder.close()
    return audit_all(read_journal(recorder.path))


def test_the_first_call_adds_all_and_shows_it(recorder: Recorder) -> None:
    names = recorder.sync([TASK, CALL, RESULT], call="1")
    assert names == ["user-1", "assistant-2", "tool-3"]
    *added, render = events(recorder)
    assert [type(event) for event in added] == [Ingest] * 3
    assert isinstance(render, Render)
    assert ([item.span for item in render.items], render.call) == (names, "1")
    result = added[2]
    assert isinstance(result, Ingest)
    assert (result.answers, result.role) == ("assistant-2", "tool")


def test_the_next_call_says_what_was_added_alone(recorder: Recorder) -> None:
    recorder.sync([TASK, CALL, RESULT])
    before = recorder.seq
    assert recorder.sync([TASK, CALL, RESULT, DONE])[-1] == "assistant-4"
    (added,) = new(recorder, before)
    assert isinstance(added, Ingest)
    assert added.after == "tool-3"
    before = recorder.seq
    recorder.sync([TASK, CALL, RESULT, DONE])
    assert new(recorder, before) == []


def test_what_a_call_is_shown_may_be_less_than_the_list_or_told_otherwise(
    recorder: Recorder,
) -> None:
    cut = {**RESULT, "content": "[cut]"}
    recorder.sync([TASK, CALL, RESULT, DONE], system="Be brief.", shown=[None, CALL, cut, DONE])
    render = events(recorder)[-1]
    assert isinstance(render, Render)
    told = [(item.span, item.shown) for item in render.items]
    assert told == [
        ("system-1", None),
        ("assistant-3", None),
        ("tool-4", "[cut]"),
        ("assistant-5", None),
    ]
    before = recorder.seq
    recorder.sync([TASK, CALL, RESULT, DONE], system="Be brief.")
    assert new(recorder, before) == []


def test_after_a_call_nothing_is_shown(recorder: Recorder) -> None:
    recorder.sync([TASK])
    before = recorder.seq
    assert recorder.sync([TASK, CALL], shown=False) == ["user-1", "assistant-2"]
    recorder.sync([TASK, CALL], shown=False)
    (added,) = events(recorder)[before:]
    assert isinstance(added, Ingest)


def test_a_cleared_result_is_rewritten_under_its_id(recorder: Recorder) -> None:
    recorder.sync([TASK, CALL, RESULT, DONE])
    before = recorder.seq
    names = recorder.sync([TASK, CALL, {**RESULT, "content": "[cleared]"}, DONE])
    assert names == ["user-1", "assistant-2", "tool-3", "assistant-4"]
    (cleared,) = new(recorder, before)
    assert isinstance(cleared, Rewrite)
    assert (cleared.span, cleared.op, cleared.content) == ("tool-3", "clear", "[cleared]")
    assert cleared.inverse is not None
    assert cleared.inverse.original == RESULT["content"]


def test_a_cut_is_a_splice(recorder: Recorder) -> None:
    recorder.sync([TASK, DONE])
    before = recorder.seq
    recorder.sync([{**TASK, "content": TASK["content"][:40]}, DONE])
    (cut,) = new(recorder, before)
    assert isinstance(cut, Splice)
    assert (cut.span, cut.at, cut.insert, cut.version) == ("user-1", 40, "", 1)
    assert cut.delete == len(TASK["content"]) - 40


def test_a_summary_at_its_place_is_a_rewrite(recorder: Recorder) -> None:
    recorder.sync([TASK, DONE])
    before = recorder.seq
    recorder.sync([{**TASK, "content": "Summary: a test is flaky."}, DONE])
    (rewritten,) = new(recorder, before)
    assert isinstance(rewritten, Rewrite)
    assert (rewritten.span, rewritten.op) == ("user-1", "rewrite")


def test_what_was_dropped_is_pruned_and_never_comes_back_as_itself(recorder: Recorder) -> None:
    recorder.sync([TASK, CALL, RESULT, DONE])
    before = recorder.seq
    assert recorder.sync([TASK, DONE]) == ["user-1", "assistant-4"]
    assert [(type(e), getattr(e, "span", "")) for e in new(recorder, before)] == [
        (Prune, "tool-3"),
        (Prune, "assistant-2"),
    ]
    assert recorder.sync([TASK, CALL, RESULT, DONE]) == [
        "user-1",
        "assistant-5",
        "tool-6",
        "assistant-4",
    ]


def test_a_dropped_call_leaves_an_orphan_for_the_audit(recorder: Recorder) -> None:
    recorder.sync([TASK, CALL, RESULT])
    recorder.sync([TASK, RESULT])
    assert [f.rule for f in audited(recorder).findings if f.severity == "error"] == ["SPN133"]


def test_a_result_answers_the_call_that_the_list_has_now(recorder: Recorder) -> None:
    recorder.sync([TASK, CALL, RESULT])
    recorder.sync([TASK, RESULT])
    names = recorder.sync([TASK, CALL, RESULT])
    state = audited(recorder).judge.state
    assert state.spans[names[2]].answers == names[1]
    assert state.spans[names[1]].live


def test_a_summary_that_is_written_on_while_what_it_tells_is_dropped_keeps_its_span(
    recorder: Recorder,
) -> None:
    summary = {"role": "user", "content": "So far: nothing is known."}
    old = [{"role": "assistant", "content": f"I try number {number}."} for number in range(4)]
    before = recorder.sync([TASK, summary, *old])
    summary["content"] = "So far: nothing is known, but that numbers 0 to 2 failed."
    after = recorder.sync([TASK, summary, old[3]])
    assert after == [*before[:2], before[5]]


def test_what_takes_the_place_of_dropped_messages_and_says_something_else_is_new(
    recorder: Recorder,
) -> None:
    question = {"role": "user", "content": "What does the test wait for?"}
    answer = {"role": "assistant", "content": "For the clock."}
    before = recorder.sync([TASK, question, answer])
    after = recorder.sync([TASK, {"role": "user", "content": "Summary: it waits for a clock."}])
    assert after[1] not in before


def test_messages_with_ids_keep_their_spans_whatever_they_say(recorder: Recorder) -> None:
    first = [{"role": "user", "content": f"text {n}", "id": f"m{n}"} for n in range(4)]
    names = recorder.sync(first)
    changed = [{**first[1], "content": "other"}, {**first[3], "content": "words"}]
    assert recorder.sync(changed) == [names[1], names[3]]


def test_anthropics_lists_with_their_system_prompt(recorder: Recorder) -> None:
    call = {"type": "tool_use", "id": "t1", "name": "look", "input": {}}
    result = {"type": "tool_result", "tool_use_id": "t1", "content": "a cat"}
    messages: list[Any] = [
        {"role": "user", "content": "Look."},
        {"role": "assistant", "content": [{"type": "text", "text": "I look."}, call]},
        {"role": "user", "content": [result]},
    ]
    names = recorder.sync(messages, system="Be brief.")
    assert names == ["system-1", "user-2", "assistant-3", "assistant-3.2", "user-4"]
    assert recorder.sync(messages, system="Be very brief.") == names
    last = [event for event in events(recorder) if isinstance(event, Splice)]
    assert [event.span for event in last] == ["system-1"]
    answers = [e.answers for e in events(recorder) if isinstance(e, Ingest) and e.span == "user-4"]
    assert answers == ["assistant-3.2"]


def test_nothing_that_an_agent_calls_a_message_hurts(recorder: Recorder) -> None:
    wrong: Any = [None, 3, {"content": "no role"}, {"role": "user", "content": object()}, "text"]
    assert len(recorder.sync(wrong)) == 5
    not_a_list: Any = None
    assert recorder.sync(not_a_list) == []
    assert recorder.lost == 1
    recorder.sync([TASK])
    rules = {f.rule for f in audited(recorder).findings if f.severity == "error"}
    assert rules == {"JNL011"}


def test_a_surrogate_pair_of_two_characters_is_the_one_that_the_model_is_shown(
    recorder: Recorder,
) -> None:
    recorder.sync([TASK, {"role": "user", "content": "a \ud83d\ude00 and a lone \ud83d"}])
    recorder.sync([TASK, {"role": "user", "content": "a \ud83d\ude00 and alone \ud83d"}])
    audit = audited(recorder)
    assert {finding.severity for finding in audit.findings} == {"info"}
    assert audit.judge.state.spans["user-2"].text == "a \U0001f600 and alone \ud83d"


def messages_of(chance: random.Random, size: int) -> list[dict[str, Any]]:
    words = ["alpha", "beta", "gamma", "delta"]
    found: list[dict[str, Any]] = []
    for number in range(size):
        if chance.random() < 0.3:
            found.append({**CALL, "tool_calls": [{"id": f"c{number}-{chance.random()}"}]})
            pair = found[-1]["tool_calls"][0]["id"]
            text = " ".join(chance.choice(words) for _ in range(9))
            found.append({"role": "tool", "tool_call_id": pair, "content": text})
        else:
            role = chance.choice(["user", "assistant"])
            found.append({"role": role, "content": " ".join(chance.sample(words, 3))})
    return found


def edited(chance: random.Random, messages: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """What an agent makes of its list between two calls; calls and results go together."""
    now = [dict(message) for message in messages]
    for _ in range(chance.randint(0, 3)):
        place = chance.randrange(len(now)) if now else 0
        kind = chance.random()
        if now and kind < 0.4 and isinstance(now[place].get("content"), str):
            now[place]["content"] = chance.choice(["", "[cleared]", now[place]["content"][:8]])
        elif now and kind < 0.6 and "tool_calls" not in now[place]:
            pair = now.pop(place).get("tool_call_id")
            now = [m for m in now if not pair or m.get("tool_calls", [{}])[0].get("id") != pair]
        else:
            now[len(now) :] = messages_of(chance, 1)
    return now


@pytest.mark.parametrize("seed", range(12))
def test_the_journal_always_holds_the_list(tmp_path: Path, seed: int) -> None:
    chance = random.Random(seed)
    recorder = Recorder.open("random", tmp_path / "a.jsonl")
    messages = messages_of(chance, 5)
    for _ in range(25):
        names = recorder.sync(messages)
        audit = audit_all(read_journal(recorder.path, live=True))
        state = audit.judge.state
        assert state.order == names
        texts = [m["content"] for m in messages if isinstance(m.get("content"), str)]
        assert [state.spans[n].text for n in names if not n.startswith("assistant")] == [
            m["content"] for m in messages if m["role"] != "assistant"
        ]
        assert len(set(names)) == len(names) >= len(texts)
        messages = edited(chance, messages)
    bad = [f for f in audited(recorder).findings if f.severity != "info"]
    assert bad == []


WORDS = [
    "",
    "ok",
    "ok",
    "hello",
    "a\nb",
    "\U0001f600 é",
    "\ud83d\ude00",
    "\udc00",
    "quota of 100 " * 9,
]
PICTURE = {"type": "image_url", "image_url": {"url": "data:image/png;base64,AAAA"}}


def anything(chance: random.Random) -> list[Any]:
    """One or more messages that a client takes, or that it does not."""
    text, other, pair = chance.choice(WORDS), chance.choice(WORDS), f"c{chance.randrange(10**9)}"
    parts: list[Any] = [{"type": "text", "text": text}, PICTURE, {"type": "text", "text": other}]
    answer: Any = chance.choice([text, None, parts, parts[:1]])
    use = {"type": "tool_use", "id": pair, "name": "look", "input": {}}
    result = {"type": "tool_result", "tool_use_id": pair, "content": answer}
    calls = [{"id": f"{pair}-{number}"} for number in range(2)]
    answers: list[Any] = [
        {"role": "tool", "tool_call_id": call["id"], "content": answer} for call in calls
    ]
    chance.shuffle(answers)
    kinds: list[list[Any]] = [
        [{"role": "user", "content": text}],
        [{"role": "user", "content": parts}],
        [{"role": "assistant", "content": chance.choice([None, [], {"a": 1}])}],
        [{"role": "assistant", "content": [use]}, {"role": "user", "content": [result, *parts]}],
        [{"role": "assistant", "content": None, "tool_calls": calls}, *answers],
        ["no message"],
    ]
    return copy.deepcopy(chance.choice(kinds))


def mangled(chance: random.Random, messages: list[Any]) -> list[Any]:
    """The list after an edit that nobody thought of."""
    now = copy.deepcopy(messages)
    place = chance.randrange(len(now) + 1)
    kind = chance.randrange(9)
    if kind < 3 or not now:
        now[place:place] = anything(chance)
    elif kind == 3:
        chance.shuffle(now)
    elif kind == 4:
        now = [*now, *copy.deepcopy(now[:3])]
    elif kind == 5:
        del now[place : place + 2]
    elif kind == 6:
        now = [{"role": "user", "content": f"So far: {chance.choice(WORDS)}"}, *now[place:]]
    elif isinstance(now[place - 1], dict):
        changed = now[place - 1]
        content = changed.get("content")
        if isinstance(content, list) and content and kind == 7:
            del content[chance.randrange(len(content))]
        else:
            cut = content[: len(content) // 2] if isinstance(content, str) else None
            changed["content"] = chance.choice([chance.choice(WORDS), cut, f"{content} and on"])
    return now


@given(seed=st.integers(0, 10**9))
@slow(15, gate=40, many=1500)
def test_whatever_becomes_of_a_list_the_journal_holds_it(
    tmp_path_factory: pytest.TempPathFactory, seed: int
) -> None:
    chance = random.Random(seed)
    recorder = Recorder.open("random", tmp_path_factory.mktemp("sync") / "a.jsonl")
    messages: list[Any] = []
    for _ in range(12):
        for _ in range(chance.randint(0, 3)):
            messages = mangled(chance, messages)
        system = chance.choice([None, "You fix tests.", [{"type": "text", "text": "You."}]])
        names = recorder.sync(messages, system=system)
        told = [{"role": "system", "content": system}, *messages] if system else messages
        state = audit_all(read_journal(recorder.path, live=True)).judge.state
        assert state.order == names
        blocks = [block for message in told for block in lenient_blocks(message)]
        assert [state.spans[name].text for name in names] == [block.text for block in blocks]
        calls: dict[str, str] = {}
        for name, (_, frame) in zip(names, blocks, strict=True):
            if frame.kind == "result" and frame.pair in calls:
                answered = state.spans[name].answers
                assert answered in names
                assert names.index(answered or "") < names.index(name)
            elif frame.kind == "call" and frame.pair is not None:
                calls[frame.pair] = name
    assert recorder.lost == 0
    # What the list itself did: answers without their call, or two of one.
    rules = {f.rule for f in audited(recorder).findings if f.severity != "info"}
    assert rules <= {"SPN133", "SHN403"}
