"""What lies between two contents of one span: the edits that still stand."""

from __future__ import annotations

from collections.abc import Iterator

from spanscope.model.carrying import NoPlaceError, carried
from spanscope.model.content import differing_middle
from spanscope.model.mapping import Change
from spanscope.model.node import Node


def branches(base: Node, now: Node) -> tuple[list[Node], list[Node]]:
    """(undone, done): the nodes to leave, newest first, and to enter, oldest first."""
    undone: list[Node] = []
    done: list[Node] = []
    while base is not now:
        if base.depth >= now.depth:
            undone.append(base)
            if base.parent is None:
                return undone, _to_root(now, done)
            base = base.parent
        else:
            done.append(now)
            assert now.parent is not None
            now = now.parent
    done.reverse()
    return undone, done


def _to_root(node: Node, done: list[Node]) -> list[Node]:
    current: Node | None = node
    while current is not None:
        done.append(current)
        current = current.parent
    done.reverse()
    return done


def _back_and_on(base: Node, now: Node, *, trimmed: bool) -> list[Change]:
    """The changes back from a content, then on to another.

    An edit that a selective undo took back and made again, without others below it, is no change.
    Through a text that is not known nothing is followed.
    """
    undone, done = branches(base, now)
    if undone and undone[-1].parent is None:
        return _apart(base, now)
    left = {id(node.first_made) for node in undone}
    stay: dict[int, Node] = {}
    for node in done:
        if id(node.first_made) not in left:
            break
        stay[id(node.first_made)] = node
    if not all(node.text_known for node in (*undone[1:], *stay.values())):
        return _apart(base, now)
    back: list[Change] = []
    for node in reversed(undone):
        again = stay.get(id(node.first_made))
        if again is not None:
            try:
                back = carried(node.change, back, again.at).difference
            except NoPlaceError:
                # It was made again of text that it never met.
                return _apart(base, now)
        elif not node.wrote_the_same:
            back.insert(0, _edit(node, trimmed=trimmed).inverted(node.seq))
    return [*back, *_onwards(done[len(stay) :], trimmed=trimmed)]


def _onwards(nodes: list[Node], *, trimmed: bool) -> Iterator[Change]:
    """The changes that lead on to the last of these; what led through unknown texts is one."""
    met = nodes[0].parent if nodes else None
    for node in nodes:
        if not node.text_known and node is not nodes[-1]:
            continue
        if node.parent is met or met is None:
            if not node.wrote_the_same:
                yield _edit(node, trimmed=trimmed)
        else:
            yield from _apart(met, node)
        met = node


def _apart(base: Node, now: Node) -> list[Change]:
    """From a content to another that no edits lead to: what differs gave way as a whole."""
    at, deleted, inserted = differing_middle(base.text, now.text)
    return [Change(at, len(deleted), len(inserted), now.seq)]


def _edit(node: Node, *, trimmed: bool) -> Change:
    return node.trimmed if trimmed else node.change


def known_between(base: Node, now: Node) -> bool:
    """Whether the text of every content between two of one span is known.

    Between contents that have nothing to do with each other none is.
    """
    undone, done = branches(base, now)
    if undone and undone[-1].parent is None:
        return base.text_known and now.text_known
    return all(node.text_known for node in (*undone, *done))


def changes_between(base: Node, now: Node, *, trimmed: bool = True) -> list[Change]:
    """The changes that still stand between two contents of one span, in order.

    None where both hold the same bytes, and none that put back what it took. An undone change
    counts as its inverse, at the seq of the node it was gone back to from. `trimmed`: without
    the text that a replaced and a replacing one share.
    """
    if base is now or base.same_content(now):
        return []
    return _back_and_on(base, now, trimmed=trimmed)
