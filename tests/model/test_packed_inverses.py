"""An inverse packed beside its splice says the same as before."""

from __future__ import annotations

import msgspec
import pytest

from spanscope.journal.parts import Inverse
from spanscope.model.content import content_hash
from spanscope.model.node import Node
from spanscope.model.records import packed_inverse, unpacked_inverse

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


def test_an_edit_of_an_older_content_says_the_same_once_it_is_packed() -> None:
    deleted, inserted = "die Größe der Lücke \udcff", "größer als 1 € – naïve \ud83e"
    node = Node.root(1, "agent", deleted + "!").spliced(2, "agent", 0, len(deleted), inserted)
    change, text = node.change, node.text
    for seq in range(3, 60):
        newest = node.spliced(seq, "agent", 0, 0, "x")
    assert newest.parent is node
    assert (node.deleted, node.inserted) == (deleted, inserted)
    assert (node.change, node.text) == (change, text)
    assert node._text is None or isinstance(node._deleted, bytes)
