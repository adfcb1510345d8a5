"""Artifacts whose range counts tokens: judged with the tokenizer that the header names."""

from __future__ import annotations

import sys

import pytest
from support.journals import (
    derive,
    found,
    ids,
    ingest,
    recorded,
    rewrite,
    signals_of,
    splice,
    state_of,
    the,
    unknown,
    use,
)

from spanscope.history.history import History
from spanscope.model import tokens

T = "alpha beta gamma"
A = ingest("a", T)
BETA = derive("c", "a", T, range=[1, 2], unit="tokens")
JOIN = splice("a", T, 10, 0, "max")
PUSH = splice("a", T, 0, 0, "x ")


def judged(*events: dict[str, object] | bytes, tokenizer: str | None = "o200k_base") -> History:
    return recorded(*events, tokenizer=tokenizer)


@pytest.fixture
def without_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "toktok", None)
    tokens._marks_of_short.cache_clear()


def test_a_range_of_tokens_is_fresh_while_its_text_stands() -> None:
    history = judged(A, BETA, use("c"))
    assert (state_of(history, "c"), ids(history), unknown(history)) == ("fresh", [], {})


def test_an_end_past_the_last_token_is_born_stale_and_crosses_the_boundary() -> None:
    history = judged(A, derive("c", "a", T, range=[1, 4], unit="tokens"))
    assert ids(history) == ["SPN115@2"]
    assert the(history, "SPN115").evidence["range"] == {"key": [1, 4], "length": 3}
    assert "outside a (3 tokens)" in the(history, "SPN115").message
    assert (state_of(history, "c"), signals_of(history, "c")) == ("stale", ["boundary-crossed"])


def test_an_end_past_the_tokens_that_are_left_crosses_the_boundary() -> None:
    history = judged(A, derive("c", "a", T, range=[2, 3], unit="tokens"), rewrite("a", T, "alpha"))
    assert "boundary-crossed" in the(history, "SPN101").evidence["signals"]
    assert the(history, "SPN101").evidence["got"] == ""


def test_text_that_now_ends_inside_a_token_crosses_the_boundary() -> None:
    history = judged(A, BETA, JOIN, use("c"))
    stale = the(history, "SPN101")
    assert "boundary-crossed" in stale.evidence["signals"]
    assert (stale.evidence["meant"], stale.evidence["got"]) == (" beta", " bet")
    assert (stale.severity, the(history, "SPN102").severity) == ("warning", "error")


def test_text_that_moved_by_whole_tokens_crosses_nothing() -> None:
    history = judged(A, BETA, PUSH)
    stale = the(history, "SPN101")
    assert "boundary-crossed" not in stale.evidence["signals"]
    assert (stale.evidence["range_intact"], stale.evidence["moved_to"]) == (False, [2, 3])


def test_the_same_tokens_at_the_same_places_are_intact() -> None:
    history = judged(A, BETA, splice("a", T, 16, 0, " delta"), use("c"))
    assert [(f.rule, f.severity) for f in found(history)] == [
        ("SPN101", "info"),
        ("SPN102", "warning"),
    ]


def test_a_use_where_its_tokens_now_stand_is_rightly_re_anchored() -> None:
    assert ids(judged(A, BETA, PUSH, use("c", range=[2, 3])), "SPN10") == ["SPN101@3"]


def test_a_use_of_other_tokens_is_a_look_alike() -> None:
    history = judged(
        ingest("a", "one two one"),
        derive("c", "a", "one two one", range=[2, 3], unit="tokens"),
        splice("a", "one two one", 0, 0, "x "),
        use("c", range=[1, 2]),
    )
    assert the(history, "SPN106").evidence["own_range"] == (3, 4)


def test_where_its_text_ends_inside_a_token_no_range_is_its_own() -> None:
    history = judged(A, BETA, JOIN, use("c", range=[1, 2]))
    assert "no longer stands anywhere" in the(history, "SPN106").message


def test_bytes_are_followed_too() -> None:
    text = "é two"
    base = (ingest("a", text), derive("c", "a", text, range=[3, 6], unit="bytes"))
    push = splice("a", text, 0, 0, "é")
    assert ids(recorded(*base, push, use("c", range=[5, 8])), "SPN10") == ["SPN101@3"]
    assert ids(recorded(*base, push, use("c", range=[4, 7])), "SPN106") == ["SPN106@4"]


WHY = {
    "missing": "ranges in tokens of o200k_base need an extra: pip install 'spanscope[tokens]'",
    "unnamed": "the journal's header names no tokenizer for ranges in tokens",
    "unheard": "the tokenizer o300k is not known here (cl100k_base, o200k_base, o200k_harmony are)",
}


@pytest.mark.parametrize("case", WHY)
class TestUntold:
    """Without a tokenizer the boundary is unknown; what the content tells is told all the same."""

    @pytest.fixture(autouse=True)
    def case_of(self, case: str, request: pytest.FixtureRequest) -> None:
        if case == "missing":
            request.getfixturevalue("without_the_extra")
        self.tokenizer = {"missing": "o200k_base", "unnamed": None, "unheard": "o300k"}[case]

    def judged(self, *events: dict[str, object] | bytes) -> History:
        return judged(*events, tokenizer=self.tokenizer)

    def test_an_artifact_on_the_same_text_is_unknown_and_listed(self, case: str) -> None:
        history = self.judged(A, BETA)
        assert (state_of(history, "c"), ids(history)) == ("unknown", [])
        assert unknown(history) == {"artifact c": (2, WHY[case])}

    def test_a_use_is_listed_though_it_was_released_since(self, case: str) -> None:
        history = self.judged(A, BETA, use("c"), {"type": "release", "artifact": "c"})
        assert unknown(history) == {"artifact c": (2, WHY[case])}

    def test_other_content_is_stale_all_the_same(self, case: str) -> None:
        history = self.judged(A, BETA, JOIN, use("c"))
        assert ids(history) == ["SPN101@3", "SPN102@4"]
        assert "boundary-crossed" not in the(history, "SPN101").evidence["signals"]
        assert the(history, "SPN101").evidence["range_intact"] is None
        assert unknown(history) == {}
        untold = f"whether the text in its range is the same can't be told: {WHY[case]}."
        for rule in ("SPN101", "SPN102"):
            assert the(history, rule).message.endswith(f"; {untold}")

    def test_a_told_holder_is_invalidated(self) -> None:
        history = self.judged(A, BETA, rewrite("a", T, T, invalidates=["c"]))
        assert state_of(history, "c") == "invalidated"

    def test_no_place_is_called_a_look_alike(self) -> None:
        assert ids(self.judged(A, BETA, PUSH, use("c", range=[0, 1])), "SPN106") == []

    def test_characters_and_bytes_need_none(self) -> None:
        chars = derive("c", "a", T, range=[6, 10])
        in_bytes = derive("b", "a", T, range=[6, 10], unit="bytes")
        counted = derive("n", "a", T, unit="tokens")
        history = self.judged(A, chars, in_bytes, counted, use("c"), use("b"), use("n"))
        assert (ids(history), unknown(history)) == ([], {})


def test_a_range_into_content_that_was_never_recorded_is_unknown() -> None:
    hidden = ingest("a", "***", hash="sha256:" + "1" * 64, redacted=True)
    key = {"hash": "sha256:" + "1" * 64}
    history = recorded(
        hidden, derive("c", "a", "", **key), derive("r", "a", "", range=[0, 3], **key)
    )
    assert (state_of(history, "c"), state_of(history, "r")) == ("fresh", "unknown")
    assert unknown(history)["artifact r"] == (3, "the content of a is not recorded")
