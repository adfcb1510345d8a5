"""SHN: was the model shown what the buffer holds?"""

from __future__ import annotations

from typing import Any

import pytest
from support.journals import (
    Fields,
    copy,
    found,
    ids,
    ingest,
    of,
    prune,
    recorded,
    rewrite,
    splice,
    the,
)

from spanscope.history.history import History
from spanscope.model.content import content_hash

T = "one two three"
A = ingest("a", T)
B = ingest("b", "other")
C = ingest("c", "third")
GAP = of("gap", reason="x")
SAME_B = rewrite("b", "other", "other")
MOVED = of("move", span="c", after="a")
BACK = of("rollback", steps=1)


def render(*items: str | tuple[str, str], **more: Any) -> Fields:
    """A model call; an item is a span, or a span and the text shown for it."""
    shown = [
        {"span": item} if isinstance(item, str) else {"span": item[0], "shown": item[1]}
        for item in items
    ]
    return of("render", items=shown, **more)


class TestShownOtherwise:
    """SHN401."""

    def test_another_text_than_the_stored_one(self) -> None:
        history = recorded(A, render(("a", "one...")))
        said = the(history, "SHN401")
        assert (said.severity, said.subject) == ("info", {"span": "a"})
        assert said.evidence == {"item": 0, "shown": "one...", "stored": T}

    @pytest.mark.parametrize("item", ["a", ("a", T)])
    def test_the_stored_text(self, item: Any) -> None:
        assert ids(recorded(A, render(item))) == []

    def test_an_empty_text_is_another_one(self) -> None:
        assert ids(recorded(A, render(("a", "")))) == ["SHN401@2"]

    @pytest.mark.parametrize(
        "unknown",
        [
            [A, GAP],
            [ingest("a", "***", hash=content_hash(T), redacted=True)],
        ],
        ids=["lost", "redacted"],
    )
    def test_not_of_unknown_content(self, unknown: list[Fields]) -> None:
        assert ids(recorded(*unknown, render(("a", "x"))), "SHN") == []

    def test_each_span_of_several(self) -> None:
        history = recorded(A, B, render(("b", "x"), ("a", "y")))
        assert [f.subject["span"] for f in found(history, "SHN401")] == ["a", "b"]


class TestGone:
    """SHN402."""

    @pytest.mark.parametrize(
        ("gone", "state"),
        [(prune("a", T), "pruned"), (copy("a", "a2", "x"), "tombstone")],
    )
    def test_a_pruned_or_tombstoned_span(self, gone: Fields, state: str) -> None:
        history = recorded(A, gone, render("a"))
        said = the(history, "SHN402")
        assert (said.severity, said.caused_by, said.evidence["state"]) == ("error", 2, state)

    def test_beside_what_stands_in_its_place_now(self) -> None:
        history = recorded(A, copy("a", "a2", "x"), copy("a2", "a3", "y"), render("a"))
        said = the(history, "SHN402")
        assert (said.evidence["shown"], said.evidence["stored"]) == (T, "y")
        history = recorded(A, copy("a", "a2", "x"), render(("a", "one..")))
        said = the(history, "SHN402")
        assert (said.evidence["shown"], said.evidence["stored"]) == ("one..", "x")

    def test_a_pruned_span_has_nothing_in_its_place(self) -> None:
        history = recorded(A, copy("a", "a2", "x"), prune("a2", "x", version=1), render("a", "a2"))
        assert [set(each.evidence) for each in found(history, "SHN402")] == [
            {"item", "state", "into"},
            {"item", "state", "into"},
        ]

    def test_whatever_text_it_shows(self) -> None:
        assert ids(recorded(A, prune("a", T), render(("a", T)))) == ["SHN402@3"]

    def test_not_one_that_came_back(self) -> None:
        history = recorded(A, prune("a", T), of("rollback", steps=1), render("a"))
        assert ids(history) == []

    def test_one_that_never_was_is_an_unknown_name(self) -> None:
        assert ids(recorded(A, render("x"))) == ["JNL007@2"]

    def test_on_unknown_ground_it_may_be_there(self) -> None:
        assert ids(recorded(A, prune("a", T), GAP, render("a", "x")), "SHN") == []


class TestTwice:
    """SHN403."""

    def test_one_span(self) -> None:
        history = recorded(A, B, render("a", "b", "a"))
        said = the(history, "SHN403")
        assert (said.severity, said.subject) == ("warning", {"span": "a"})
        assert said.evidence == {"items": [0, 2]}

    def test_one_finding_a_span(self) -> None:
        assert ids(recorded(A, render("a", "a", "a")), "SHN403") == ["SHN403@2"]

    def test_two_answers_to_one_call(self) -> None:
        one, two = ingest("r", "ok", answers="a"), ingest("s", "ok", answers="a")
        history = recorded(A, one, two, render("a", "r", "s"))
        said = the(history, "SHN403")
        assert (said.subject, said.evidence) == ({"span": "s"}, {"answers": "a"})

    def test_an_answer_and_its_old_self(self) -> None:
        one = ingest("r", "ok", answers="a")
        history = recorded(A, one, copy("r", "r2", "fine"), render("a", "r", "r2"))
        assert ids(history, "SHN") == ["SHN402@4", "SHN403@4"]

    @pytest.mark.parametrize(
        "events",
        [
            [ingest("r", "ok", answers="a"), ingest("s", "ok", answers="b")],
            [ingest("r", T), ingest("s", T)],
        ],
        ids=["answers to two calls", "the same text"],
    )
    def test_only_the_buffers_own_identities_count(self, events: list[Fields]) -> None:
        assert ids(recorded(A, B, *events, render("a", "b", "r", "s"))) == []

    def test_in_two_calls_it_is_not_twice(self) -> None:
        assert ids(recorded(A, render("a"), render("a"))) == []


class TestPrefix:
    """SHN404: the provider's prompt cache misses from the first item that differs."""

    @staticmethod
    def after(*between: Fields, call: Fields) -> History:
        return recorded(A, B, C, render("a", "b", "c"), *between, call)

    def test_an_item_that_was_changed(self) -> None:
        change = rewrite("b", "other", "new")
        history = self.after(change, call=render("a", "b", "c"))
        said = the(history, "SHN404")
        assert (said.severity, said.subject, said.caused_by) == ("info", {"span": "b"}, 5)
        assert said.evidence == {"item": 1, "changed_at": 5, "chars": 8, "before": 4}

    def test_the_first_of_several_that_differ(self) -> None:
        changes = (rewrite("c", "third", "x"), splice("b", "other", 0, 0, "y"))
        said = the(self.after(*changes, call=render("a", "b", "c")), "SHN404")
        assert (said.evidence["item"], said.caused_by) == (1, 6)

    @pytest.mark.parametrize(
        ("between", "items", "differs"),
        [
            ([prune("b", "other")], ["a", "c"], 1),
            ([], ["a", "b"], 2),
            ([], ["a", "c", "b"], 1),
            ([ingest("n", "new", after="a")], ["a", "n", "b", "c"], 1),
            ([], [("a", "..."), "b", "c"], 0),
            ([], [], 0),
        ],
        ids=["removed", "left out", "moved", "put in between", "shown otherwise", "nothing"],
    )
    def test_what_is_no_prefix_any_more(
        self, between: list[Fields], items: list[Any], differs: int
    ) -> None:
        history = self.after(*between, call=render(*items))
        assert the(history, "SHN404").evidence["item"] == differs

    @pytest.mark.parametrize(
        ("between", "items", "cause"),
        [
            ([SAME_B, rewrite("b", "other", "new", version=2)], ["a", "b", "c"], 6),
            ([rewrite("b", "other", "x"), BACK, rewrite("b", "other", "y")], ["a", "b", "c"], 7),
            ([SAME_B, prune("b", "other")], ["a", "c"], 6),
            ([SAME_B, prune("c", "third")], ["a", "b"], 6),
            ([copy("b", "b2", "new")], ["a", "b2", "c"], 5),
            ([ingest("n", "new", after="a")], ["a", "n", "b", "c"], 5),
            ([MOVED, of("move", span="c", after=None)], ["a", "c", "b"], 5),
            ([of("move", span="c", after="b"), MOVED], ["a", "c", "b"], 6),
            ([MOVED, BACK], ["a", "c", "b"], None),
            ([ingest("n", "new"), prune("b", "other")], ["a", "n"], 6),
            ([ingest("n", "new"), of("move", span="n", after="a")], ["a", "n", "b", "c"], 6),
            ([ingest("n", "new")], ["a", "n", "b", "c"], None),
            ([SAME_B], ["a", ("b", "..."), "c"], None),
            ([SAME_B], ["a", "c"], None),
        ],
        ids=[
            *("same bytes first", "undone first", "removed", "the last removed", "copied"),
            *("put in between", "moved", "to its own place first", "moved back"),
            *("in its place", "behind first", "behind"),
            *("shown otherwise", "left out"),
        ],
    )
    def test_the_event_since_which_the_item_is_another(
        self, between: list[Fields], items: list[Any], cause: int | None
    ) -> None:
        said = the(self.after(*between, call=render(*items)), "SHN404")
        assert (said.caused_by, said.evidence["changed_at"]) == (cause, cause)

    @pytest.mark.parametrize(
        ("between", "items"),
        [
            ([], ["a", "b", "c"]),
            ([ingest("n", "new")], ["a", "b", "c", "n"]),
            ([rewrite("b", "other", "other")], ["a", "b", "c"]),
            ([rewrite("b", "other", "x"), of("rollback", steps=1)], ["a", "b", "c"]),
            ([rewrite("b", "other", "x")], ["a", ("b", "other"), "c"]),
            ([copy("b", "b2", "other")], ["a", "b2", "c"]),
        ],
        ids=["the same", "grown", "same bytes", "undone", "shown as before", "another id"],
    )
    def test_what_still_is(self, between: list[Fields], items: list[Any]) -> None:
        assert ids(self.after(*between, call=render(*items)), "SHN404") == []

    def test_the_first_call_has_nothing_before_it(self) -> None:
        assert ids(recorded(A, render("a"))) == []

    def test_each_call_is_compared_with_the_one_before_it(self) -> None:
        change = rewrite("b", "other", "new")
        history = recorded(A, B, render("a", "b"), change, render("a", "b"), render("a", "b"))
        assert ids(history, "SHN404") == ["SHN404@5"]

    def test_an_item_of_unknown_content_is_no_item_that_differs(self) -> None:
        hidden = ingest("h", "***", hash=content_hash(T), redacted=True)
        history = recorded(hidden, B, render("h", "b"), render("b"))
        assert the(history, "SHN404").evidence["item"] == 1
        assert ids(recorded(hidden, B, render("h", "b"), render("h", "b"))) == []

    def test_each_actor_has_calls_of_its_own(self) -> None:
        theirs = render("c", actor="subagent:1")
        assert ids(self.after(theirs, call=render("a", "b", "c")), "SHN404") == []

    def test_on_unknown_content_nothing_is_said(self) -> None:
        assert ids(self.after(GAP, call=render("a", "b", "c")), "SHN404") == []
