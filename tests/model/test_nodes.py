"""Long lines of contents of one span."""

from __future__ import annotations

import random
import subprocess
import sys
from itertools import pairwise

from spanscope.model.mapping import Change
from spanscope.model.node import LONG, MOST_DEPTH, Node, changes_between

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
