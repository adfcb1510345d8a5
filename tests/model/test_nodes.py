"""Long lines of contents of one span."""

from __future__ import annotations

import random
import subprocess
import sys
from itertools import pairwise

import pytest

from spanscope.model.between import changes_between
from spanscope.model.content import content_hash
from spanscope.model.keeping import COMPRESSED_FROM, long_hash, short_hash
from spanscope.model.mapping import Change
from spanscope.model.node import LONG, MOST_DEPTH, Node

MANY_CHILDREN = """
from spanscope.model.node import Node
node = Node.root(0, "agent", "")
for seq in range(1, 300_000):
    node = node.spliced(seq, "agent", 0, 1, "x")
middle = node
while middle.seq > 150_000:
    middle = middle.parent
del node
print(middle.seq, middle.text)
del middle
print("freed")
"""


def test_hundreds_of_thousands_of_contents_are_freed_one_by_one() -> None:
    run = subprocess.run(
        [sys.executable, "-c", MANY_CHILDREN], capture_output=True, text=True, check=False
    )
    assert (run.returncode, run.stdout.split()) == (0, ["150000", "x", "freed"])


def test_of_a_long_text_fewer_contents_are_kept_and_any_can_be_had() -> None:
    chance = random.Random(2)
    text = "".join(chance.choices("ab c\n", k=5 * LONG))
    node = Node.root(0, "agent", text)
    nodes, texts = [node], {0: text}
    for seq in range(1, 2 * MOST_DEPTH):
        at = chance.randrange(len(text))
        insert = "".join(chance.choices("xy", k=chance.choice([0, 1, 40])))
        text = text[:at] + insert + text[at + 2 :]
        node = node.spliced(seq, "agent", at, min(2, node.length - at), insert)
        nodes.append(node)
        if seq % 97 == 0:
            texts[seq] = text
    kept = [node.depth for node in nodes if node._packed is not None]
    assert len(kept) < 2 * MOST_DEPTH // 64
    assert all(later - sooner <= MOST_DEPTH for sooner, later in pairwise(kept))
    for seq, content in texts.items():
        nodes[seq].let_go()
        assert nodes[seq].text == content


def test_an_edit_made_again_of_text_that_it_never_met_is_told_as_a_whole() -> None:
    root = Node.root(1, "a", "abc")
    inside = root.spliced(2, "a", 1, 0, "XYZ").spliced(3, "a", 2, 1, "")
    again = root.redone(inside, 4, "a", 0)
    assert changes_between(inside, again) == [Change(0, 3, 0, 4)]


class Told:
    """A recording of a first content and an edit of it."""

    def __init__(self, *, quick: bool = False) -> None:
        self.quick = quick

    def text(self, seq: int) -> str:
        return {1: FIRST, 2: PUT}[seq]


FIRST, PUT = "Größe – \ud83e" * 200, "naïve " * 100


def test_what_is_recorded_is_not_kept_and_comes_back() -> None:
    root = Node.root(1, "a", FIRST)
    root.recording = Told()
    first = root.spliced(2, "a", 5, 40, PUT)
    first.recording = Told()
    hash, text, change, trimmed = first.hash, first.text, first.change, first.trimmed
    first.let_go()
    assert isinstance(first._text, bytes)
    assert (first.text, first.hash) == (text, hash)
    second = first.spliced(3, "a", 0, 1, "")
    assert [root._text, root._packed, first._utf8] == [None, None, None]
    assert first._inserted == len(PUT)
    assert (first.inserted, first.inserted_length, first.deleted) == (PUT, 600, FIRST[5:45])
    assert (first.change, first.trimmed, first.wrote_the_same) == (change, trimmed, False)
    assert (root.text, first.text, second.text) == (FIRST, text, text[1:])
    assert first.hash == content_hash(text)


@pytest.mark.parametrize("hash", [content_hash("ab"), "sha256:abcd", "none", None])
def test_a_short_edit_and_its_hash_are_kept_in_one_piece(hash: str | None) -> None:
    root = Node.root(1, "a", "größer")
    node = root.spliced(2, "a", 2, 2, "\ud83eß")
    if hash is not None:
        node.adopt(hash)
    node.spliced(3, "a", 0, 0, "x")
    assert (node._small is not None) == (hash == content_hash("ab"))
    assert (node.deleted, node.deleted_length) == ("öß", 2)
    assert (node.inserted, node.inserted_length) == ("\ud83eß", 2)
    assert node.hash == (hash or content_hash(node.text))
    assert (node.text, node.known, node.wrote_the_same) == ("gr\ud83eßer", True, False)
    assert node.untouched(4, "b").hash == node.hash


def test_what_rests_on_a_quick_recording_is_not_kept_though_it_is_the_newest() -> None:
    root = Node.root(1, "a", FIRST)
    root.recording = Told(quick=True)
    root.let_go()
    assert root._text is None
    first = root.spliced(2, "a", 5, 40, PUT)
    first.recording = Told(quick=True)
    hash, text = first.hash, first.text
    first.let_go()
    assert [root._text, root._packed, first._text, first._utf8] == [None] * 4
    assert (root.text, first.text, first.hash) == (FIRST, text, hash)
    long = root.spliced(3, "a", 0, 0, "x" * COMPRESSED_FROM)
    long.recording = Told(quick=True)
    long.let_go()
    assert long._text is not None


def test_a_hash_that_is_written_as_none_stays_as_it_is() -> None:
    for hash in (content_hash("a"), content_hash("a").upper(), "sha256:" + " ab" * 30, "none", ""):
        assert long_hash(short_hash(hash)) == hash
    assert short_hash(content_hash("a")) == bytes.fromhex(content_hash("a")[7:])
