"""What a source says that it can't record is unknown, not missing: no rule accuses it of that."""

from __future__ import annotations

from typing import Any

import pytest
from support.journals import (
    Fields,
    derive,
    ids,
    ingest,
    of,
    prune,
    put,
    recorded,
    splice,
    stage,
    the,
    unknown,
    use,
)

from spanscope.history.history import History

T = "one two three"
A = ingest("a", T)
C = derive("c", "a", T)
BARE = of("derive", artifact="c", span="a", kind="note")
TWO = splice("a", T, 4, 3, "2")
SILENT = {**TWO, "version": None, "hash": None}
UNDO_TWO = of("splice", span="a", at=4, delete=1, insert="two")
ALL = ("versions", "hashes", "inverses", "reads", "holders")

ACCUSED: dict[str, tuple[list[Fields], list[set[str]]]] = {
    # What each rule would hold against a source, and which sets it must be able to record.
    "SPN101": ([A, C, TWO], [{"holders"}]),
    "SPN113": ([A, C, SILENT], [{"versions"}, {"hashes"}]),
    "SPN114": ([A, BARE, TWO], [{"versions"}, {"hashes"}]),
    "SPN121": ([A, derive("c", "a", T, kind="embedding"), TWO], [{"holders"}]),
    "SPN131": ([A, C, prune("a", T)], [{"holders"}]),
    "UND201": ([A, {**TWO, "inverse": None}], [{"inverses"}]),
    "UND211": ([A, {**TWO, "inverse": None}], [{"inverses"}]),
    "UND222": (
        [A, {**TWO, "inverse": None}, of("rollback", steps=1, edits=[UNDO_TWO])],
        [{"inverses"}],
    ),
    "DIF314": ([A, stage("D", 1, [], [put("a", "one", " two", "!")])], [{"reads"}]),
}


@pytest.mark.parametrize("rule", ACCUSED)
def test_a_source_that_says_nothing_records_everything(rule: str) -> None:
    assert ids(recorded(*ACCUSED[rule][0]), rule) != []


@pytest.mark.parametrize("rule", ACCUSED)
@pytest.mark.parametrize("lacking", ALL)
def test_a_rule_accuses_only_of_what_the_source_can_record(rule: str, lacking: str) -> None:
    events, needed = ACCUSED[rule]
    records = [what for what in ALL if what != lacking]
    accused = any(one <= set(records) for one in needed)
    assert bool(ids(recorded(*events, records=records), rule)) is accused


@pytest.mark.parametrize("rule", ACCUSED)
def test_a_source_that_records_nothing_is_accused_of_nothing(rule: str) -> None:
    assert ids(recorded(*ACCUSED[rule][0], records=[]), rule) == []


class TestWithoutInverses:
    """Undo entries are unknown."""

    @staticmethod
    def recorded(*events: Fields) -> History:
        return recorded(*events, records=["versions", "hashes", "reads", "holders"])

    def test_entries_are_unknown_and_so_is_what_lies_below(self) -> None:
        history = self.recorded(A, {**TWO, "inverse": None})
        rows = history.at(2).undo()
        assert [(row.entry.seq, row.status.direct, row.reachable) for row in rows] == [
            (2, "unknown", None),
            (1, "clobbered", None),
        ]

    def test_what_carries_its_inverse_in_itself_is_known(self) -> None:
        row = self.recorded(A).at(1).undo_row(1)
        assert row is not None
        assert (row.status.direct, row.reachable) == ("exact", True)

    def test_a_rollback_through_one_is_listed_and_corrupts_only_what_differs(self) -> None:
        bare = {**TWO, "inverse": None}
        right = self.recorded(A, bare, of("rollback", steps=1, edits=[UNDO_TWO]))
        assert (ids(right), set(unknown(right))) == ([], {"entry 2"})
        wrong = self.recorded(A, bare, of("rollback", steps=1, edits=[UNDO_TWO | {"at": 0}]))
        assert ids(wrong) == ["UND221@3"]

    def test_a_record_that_is_there_all_the_same_is_judged(self) -> None:
        wrong = {**TWO, "inverse": TWO["inverse"] | {"original": "TWO"}}
        assert ids(self.recorded(A, wrong), "UND204") == ["UND204@2"]


class TestWithoutReads:
    """A diff's verdict is unknown, unless something known stands against it."""

    @staticmethod
    def recorded(*events: Fields) -> History:
        return recorded(*events, records=["versions", "hashes", "inverses", "holders"])

    D = stage("D", 1, [], [put("a", "one ", "two", "and ")])

    def verdict(self, *events: Fields) -> str:
        history = self.recorded(*events)
        return history.at(history.last).staging()[0].judgement.verdict

    def test_unknown_and_listed(self) -> None:
        assert self.verdict(A, self.D) == "unknown"
        assert unknown(self.recorded(A, self.D)) == {
            "diff D": (2, "the source does not record what a diff reads")
        }

    def test_what_it_says_that_it_read_counts(self) -> None:
        assert self.verdict(A, self.D | {"reads": [{"span": "a"}]}, TWO) == "stale"

    @pytest.mark.parametrize("kind", ["apply", "reject"])
    def test_it_is_neither_a_stale_apply_nor_a_needless_reject(self, kind: str) -> None:
        history = self.recorded(A, self.D, of(kind, diff="D", inverses=None))
        assert ids(history, "DIF") == []


class TestWithoutHolders:
    """Artifacts that are there all the same are judged; nobody is accused of telling nobody."""

    @staticmethod
    def recorded(*events: Fields) -> History:
        return recorded(*events, records=["versions", "hashes", "inverses", "reads"])

    def test_a_stale_use_is_one(self) -> None:
        history = self.recorded(A, C, TWO, use("c"))
        assert (ids(history), the(history, "SPN102").caused_by) == (["SPN102@4"], 3)

    def test_a_dangling_use_too(self) -> None:
        assert ids(self.recorded(A, C, prune("a", T), use("c"))) == ["SPN132@4"]


@pytest.mark.parametrize("records", [["versions"], ["hashes"], ["something new"]])
def test_claims_that_are_there_are_judged_whatever_the_header_says(records: list[Any]) -> None:
    wrong = {**TWO, "version": 0, "hash": "sha256:" + "0" * 64}
    history = recorded(A, wrong, records=records)
    assert ids(history, "SPN") == ["SPN111@2", "SPN112@2"]
