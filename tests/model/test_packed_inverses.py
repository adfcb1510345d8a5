"""An inverse packed beside its splice says the same as before."""

from __future__ import annotations

import random

import msgspec
import pytest

from spanscope.journal.parts import Inverse
from spanscope.model.content import content_hash
from spanscope.model.node import Node
from spanscope.model.records import (
    fits_only_there,
    packed_inverse,
    packed_whole,
    unpacked_inverse,
    unpacked_whole,
)

AFTER = Node.root(1, "agent", "eins zwei drei").spliced(2, "agent", 5, 4, "zwö\ud800lf")
TOLD = Inverse(original="zwei", inserted=6, before="eins ", after=" drei")
HASHED = Inverse(original="zwei", inserted=6, inserted_hash=content_hash("zwö\ud800lf"))


@pytest.mark.parametrize(
    "inverse",
    [
        TOLD,
        HASHED,
        msgspec.structs.replace(TOLD, at=5),
        msgspec.structs.replace(HASHED, at=5, before="é\udfff🧠", after=""),
        msgspec.structs.replace(TOLD, before="sha256:" + "0" * 64, after="x" * 1000),
    ],
)
def test_what_is_packed_comes_back(inverse: Inverse) -> None:
    packed = packed_inverse(inverse, AFTER)
    assert isinstance(packed, bytes)
    assert unpacked_inverse(packed, AFTER) == inverse


@pytest.mark.parametrize(
    "change",
    [
        {"original": "zwe"},
        {"inserted": 5},
        {"at": 4},
        {"anchored": False},
        {"window": 16},
        {"before": "x" * 256},
        {"inserted_hash": content_hash("zwölf")},
    ],
)
def test_what_is_not_told_of_the_change_stays_as_it_is(change: dict[str, object]) -> None:
    inverse = msgspec.structs.replace(TOLD, **change)
    assert packed_inverse(inverse, AFTER) is inverse


@pytest.mark.parametrize(
    ("change", "alone"),
    [
        ({}, True),
        ({"at": 5}, True),
        ({"before": "s ", "after": " drei"}, True),
        ({"before": "", "after": " "}, False),
        ({"before": " ", "after": ""}, False),
        ({"before": "", "after": ""}, False),
        ({"before": "z ", "after": " drei"}, False),
        ({"before": "eins ", "after": "drei"}, False),
        ({"before": content_hash("eins "), "after": " drei"}, False),
    ],
)
def test_an_inverse_that_fits_only_there_is_packed_with_that(
    change: dict[str, object], alone: bool
) -> None:
    packed = packed_inverse(msgspec.structs.replace(TOLD, **change), AFTER)
    assert isinstance(packed, bytes)
    assert fits_only_there(packed) == alone


def test_what_changed_nothing_is_not_said_to_fit_only_there() -> None:
    same = AFTER.spliced(3, "agent", 5, 6, "zwö\ud800lf")
    packed = packed_inverse(msgspec.structs.replace(TOLD, original="zwö\ud800lf"), same)
    assert not fits_only_there(packed)


def test_an_edit_of_an_older_content_says_the_same_once_it_is_packed() -> None:
    deleted, inserted = "die Größe der Lücke \udcff", "größer als 1 € – naïve \ud83e"
    node = Node.root(1, "agent", deleted + "!").spliced(2, "agent", 0, len(deleted), inserted)
    change, text = node.change, node.text
    for seq in range(3, 60):
        newest = node.spliced(seq, "agent", 0, 0, "x")
    assert newest.parent is node
    assert (node.deleted, node.inserted) == (deleted, inserted)
    assert (node.change, node.text) == (change, text)
    assert isinstance(node._deleted, bytes)
    assert node.hash == content_hash(text)
    node.let_go()
    assert node._small is not None
    assert (node.deleted, node.inserted, node.hash) == (deleted, inserted, content_hash(text))
    assert (node.change, node.text) == (change, text)


WHOLE = AFTER.rewritten(3, "agent", "etwas ganz anderes – \udfff")
WROTE = Inverse(original=AFTER.text, inserted=WHOLE.length, before="", after="")
PRUNED = Inverse(original=AFTER.text, inserted=0)


@pytest.mark.parametrize(
    ("inverse", "after"),
    [
        (WROTE, WHOLE),
        (msgspec.structs.replace(WROTE, inserted_hash=content_hash(WHOLE.text)), WHOLE),
        (msgspec.structs.replace(WROTE, before="é\udfff", after="🧠"), WHOLE),
        (PRUNED, None),
        (msgspec.structs.replace(PRUNED, inserted_hash=content_hash("")), None),
    ],
)
def test_the_inverse_of_a_whole_content_comes_back(inverse: Inverse, after: Node | None) -> None:
    packed = packed_whole(inverse, AFTER, after)
    assert isinstance(packed, bytes)
    assert len(packed) < 20
    assert unpacked_whole(packed, AFTER, after) == inverse


@pytest.mark.parametrize(
    "change",
    [
        {"original": AFTER.text[1:]},
        {"original": AFTER.text[:-1] + "x"},
        {"inserted": 0},
        {"at": 0},
        {"anchored": False},
        {"window": 16},
        {"before": "x" * 256},
        {"inserted_hash": content_hash(AFTER.text)},
    ],
)
def test_what_is_not_true_of_the_whole_stays_as_it_is(change: dict[str, object]) -> None:
    inverse = msgspec.structs.replace(WROTE, **change)
    assert packed_whole(inverse, AFTER, WHOLE) is inverse


@pytest.mark.parametrize("seed", range(8))
def test_the_edits_of_older_contents_however_long_are_told_from_their_parents(seed: int) -> None:
    chance = random.Random(seed)
    text = "".join(chance.choices("ab é\n", k=6_000))
    node = Node.root(1, "agent", text)
    made = []
    for seq in range(2, 120):
        at = chance.randrange(len(text) + 1)
        stop = min(len(text), at + chance.choice([0, 3, 1023, 1024, 2500]))
        insert = "".join(chance.choices("xy ü", k=chance.choice([0, 5, 1500, 2500])))
        written = text[:at] + insert + text[stop:]
        if chance.random() < 0.2:
            node = node.rewritten(seq, "agent", written)
        else:
            node = node.spliced(seq, "agent", at, stop - at, insert)
        made.append((node, node.deleted, node.inserted, node.change, node.trimmed, written))
        text = written
    chance.shuffle(made)
    for old, deleted, inserted, change, trimmed, content in made:
        assert (old.deleted, old.inserted) == (deleted, inserted)
        assert (old.change, old.trimmed) == (change, trimmed)
        assert old.wrote_the_same == (deleted == inserted)
        assert old.text == content


@pytest.mark.parametrize(
    ("length", "gone", "kept"),
    [
        (600, 64, True),
        (600, 65, False),
        (1600, 99, True),
        (1600, 100, False),
        (100_000, 1023, True),
        (100_000, 1024, False),
    ],
)
def test_a_large_share_of_a_text_that_gave_way_is_kept_by_the_parent_alone(
    length: int, gone: int, kept: bool
) -> None:
    text = "é" * (length - 10) + "0123456789"
    node = Node.root(1, "agent", text).spliced(2, "agent", length - gone, gone, "ü")
    node.spliced(3, "agent", 0, 0, "x")
    assert (node._deleted is not None) == kept
    assert (node.deleted, node.deleted_length) == (text[-gone:], gone)
    assert not node.wrote_the_same


@pytest.mark.parametrize("size", [1, 15, 16, 200, 2000])
def test_a_text_that_was_written_over_itself_still_is_once_it_is_packed(size: int) -> None:
    for text in ("é" * size, "e" * size):
        node = Node.root(1, "agent", text).spliced(2, "agent", 0, size, text)
        node.spliced(3, "agent", 0, 0, "x")
        assert node.wrote_the_same
        assert (node.deleted, node.inserted) == (text, text)
