"""Filters, watches and seeking: what a plain look at every event says."""

from __future__ import annotations

import pytest

from spanscope.history.expression import ExpressionError, parse
from spanscope.history.filtering import AT_A_TIME, Filter, Seeking, Watch
from spanscope.history.history import History, load
from spanscope.history.matching import Matcher
from spanscope.journal.events import AnyEvent, Unknown
from spanscope.sample_sessions import sample_path

LONG = 60.0

EXPRESSIONS = ["error", "splice or rewrite", "seq>=1", '"in no event at all"']


@pytest.fixture(scope="module")
def history() -> History:
    found = load(sample_path("stale-base", safe=False))
    assert len(found) > AT_A_TIME
    return found


def meant(history: History, text: str) -> list[int]:
    matcher = Matcher(history, parse(text))
    return [seq for seq in history.seqs if matcher.fits(seq)]


@pytest.mark.parametrize("text", EXPRESSIONS)
def test_a_filter_has_the_events_that_are_meant(history: History, text: str) -> None:
    chosen = Filter(history, text)
    assert not chosen.done
    assert chosen.advance(LONG)
    assert chosen.done
    assert chosen.seqs == meant(history, text)
    for seq in range(history.last + 2):
        assert chosen.shows(seq) == (seq in chosen.seqs)
        assert chosen.place(seq) == sum(each <= seq for each in chosen.seqs) - 1


def test_a_filter_looks_no_longer_than_it_may(history: History) -> None:
    chosen = Filter(history, "error")
    assert not chosen.advance(0)
    assert chosen.seqs == []


def test_a_filter_grows_with_its_history() -> None:
    lines = sample_path("stale-base", safe=False).read_bytes().splitlines(keepends=True)
    history = History()
    history.feed(b"".join(lines[:40]))
    chosen = Filter(history, "not mark")
    assert chosen.advance(LONG)
    history.feed(b"".join(lines[40:]))
    assert not chosen.done
    assert chosen.advance(LONG)
    assert chosen.seqs == meant(history, "not mark")
    assert chosen.again(history).seqs == []


@pytest.mark.parametrize("text", EXPRESSIONS)
def test_a_watch_stops_at_the_first_event_meant(history: History, text: str) -> None:
    watch, wanted = Watch(history, text), set(meant(history, text))
    for start in range(0, history.last + 1, 3):
        for end in range(0, history.last + 1, 5):
            step = 1 if end > start else -1
            passed = range(start + step, end + step, step) if end != start else ()
            assert watch.first(start, end) == next((s for s in passed if s in wanted), None)


class Looked(History):
    """A history that notes which events it is asked for."""

    def __init__(self) -> None:
        super().__init__()
        self.asked: list[int] = []

    def event(self, seq: int) -> AnyEvent | Unknown | None:
        self.asked.append(seq)
        return super().event(seq)


def test_a_watch_looks_only_at_what_is_on_the_way() -> None:
    history = Looked()
    history.feed(sample_path("stale-base", safe=False).read_bytes())
    watch = Watch(history, '"in no event at all"')
    assert watch.first(10, 12) is None
    assert watch.first(12, 10) is None
    assert watch.first(12, 12) is None
    assert history.asked == [11, 12, 11, 10]


@pytest.mark.parametrize("back", [False, True])
@pytest.mark.parametrize("text", EXPRESSIONS)
def test_what_is_sought_is_the_next_event_meant(history: History, text: str, back: bool) -> None:
    wanted = meant(history, text)
    for cursor in range(history.last + 2):
        ahead = [seq for seq in wanted if (seq < cursor if back else seq > cursor)]
        seeking = Seeking(history, text, cursor, back=back)
        assert not seeking.advance(0)
        assert seeking.advance(LONG)
        assert seeking.found == (None if not ahead else ahead[-1 if back else 0])


@pytest.mark.parametrize("made", [Filter, Watch])
def test_a_text_that_says_nothing_is_refused(history: History, made: type[Filter | Watch]) -> None:
    with pytest.raises(ExpressionError, match="empty"):
        made(history, " ")
