"""What a pane asks for at a step without looking at everything is what everything says."""

from __future__ import annotations

from collections import Counter

from hypothesis import given, settings
from hypothesis import strategies as st
from support.histories import a_program, whole
from support.stories import a_story

from spanscope.history.history import History
from spanscope.history.moment import Moment


def assert_quick_looks(moment: Moment) -> None:
    rows = moment.spans()
    states = Counter[str](row.state for row in rows)
    kinds = ("live", "tombstone", "pruned", "unknown")
    assert moment.census._asdict() == {kind: states[kind] for kind in kinds}
    gone = [row.name for row in rows if not row.span.live]
    assert moment.gone()[: len(gone)] == gone
    for name in moment.gone()[len(gone) :]:
        span = moment.span(name)
        assert span is not None
        assert span.life == "collected"
        assert moment.artifacts_under(name)
    for row in rows:
        assert moment.span_row(row.name) == row
    artifacts = moment.artifacts()
    assert moment.all_fresh == all(row.judgement.state == "fresh" for row in artifacts)
    for name in {row.artifact.span for row in artifacts} | {row.name for row in rows}:
        assert moment.artifacts_under(name) == [r for r in artifacts if r.artifact.span == name]
        assert moment.artifacts_on(name) == [r for r in artifacts if name in r.artifact.spans]
    undo = moment.undo()
    reached = 0
    while reached < len(undo) and undo[reached].reachable is True:
        reached += 1
    assert moment.reachable == reached
    for entry in undo:
        assert moment.undo_row(entry.entry.seq) == entry
    assert moment.undo_row(10**9) is None


@given(st.integers(0, 10**6))
@settings(max_examples=15)
def test_quick_looks_are_right_at_any_step_in_any_order(seed: int) -> None:
    history = whole(a_program(seed, 40))
    for seq in [*range(history.last, -1, -3), *range(history.last + 1)]:
        assert_quick_looks(history.at(seq))


@given(st.integers(0, 10**6), st.integers(1, 400))
@settings(max_examples=8)
def test_quick_looks_are_right_while_a_session_grows(seed: int, size: int) -> None:
    data = a_program(seed, 30)
    history = History()
    for start in range(0, len(data), size):
        history.feed(data[start : start + size])
        assert_quick_looks(history.at(history.last))
        assert_quick_looks(history.at(history.last // 2))
    history.finish()
    assert_quick_looks(history.at(history.last))


@given(st.integers(0, 10**6), st.data())
@settings(max_examples=15)
def test_quick_looks_are_right_while_a_session_with_lost_lines_grows(
    seed: int, data: st.DataObject
) -> None:
    lines = a_program(seed, 30).splitlines(keepends=True)
    for _ in range(2):
        del lines[data.draw(st.integers(1, len(lines) - 1), label="lost")]
    # What can't be read at the very end makes unknown what was looked at already.
    lines += data.draw(st.sampled_from([[], [b"broken\n"]]), label="end")
    history = History()
    for line in lines:
        history.feed(line)
        assert_quick_looks(history.at(history.last))
        assert_quick_looks(history.at(history.last // 2))
    history.finish()
    for seq in range(history.last + 1):
        assert_quick_looks(history.at(seq))


@given(st.integers(0, 10**6))
@settings(max_examples=25)
def test_a_verdict_that_was_kept_is_the_one_worked_out_anew(seed: int) -> None:
    history = whole(a_story(seed, "diff", 30))
    for seq in range(history.last + 1):
        moment = history.at(seq)
        for row in moment.staging():
            kept, anew = row.judgement, moment.judge(row.diff)
            assert (kept.verdict, kept.fragile, kept.rules) == (
                anew.verdict,
                anew.fragile,
                anew.rules,
            )
