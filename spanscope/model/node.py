"""The versions of one span's content as a tree.

An edit makes a child of the current node; its exact undo goes back to the parent. The path
between two nodes is therefore the edits that still stand between two states: an edit and its
undo cancel.
"""

from __future__ import annotations

import zlib
from collections import deque

from msgspec import Struct

from spanscope.model.carrying import NoPlaceError, carried
from spanscope.model.content import content_hash, differing_middle
from spanscope.model.mapping import Change

KEYFRAME_DEPTH = 32
"""Every so many nodes keep their text, so that any text is a short walk away."""

LONG = 1 << 17
"""Code points from which on fewer nodes keep their text, half as many for each doubling: all that
is kept grows with the edits, not with the edits times the length."""

MOST_DEPTH = 512
"""Nodes between two texts kept, at the most."""

MOST_RECENT = 4_000_000
"""Code points of older contents that are kept ready."""

LEAST_RECENT = 3
"""So many of them are kept however long they are: those on both sides of a step, and one more."""

COMPRESSED_FROM = 16_384
"""Code points from which a packed content is compressed: of less there is little to gain."""

DERIVED_FROM = 1024
"""Code points from which a text that gave way is not kept: the parent has it."""

DERIVED_SHARE = 16
"""Nor is one that is so large a share of the parent's (1/16): that is soon put together."""

DERIVED_LEAST = 64
"""Code points up to which one is always kept."""

BYTES_FROM = 16
"""Code points from which an edit's text is kept in UTF-8, where it is not ASCII anyway."""


def pack(text: str) -> bytes:
    """A text in fewer bytes; lone surrogates are kept."""
    data = text.encode("utf-8", "surrogatepass")
    return data if len(text) < COMPRESSED_FROM else zlib.compress(data, 1)


def unpack(packed: bytes, length: int) -> str:
    """The text of so many code points again."""
    data = packed if length < COMPRESSED_FROM else zlib.decompress(packed)
    return data.decode("utf-8", "surrogatepass")


def _in_bytes(text: str | bytes) -> str | bytes:
    """An edit's text of an older content in UTF-8, where that takes less memory."""
    if isinstance(text, bytes) or len(text) < BYTES_FROM or text.isascii():
        return text
    return text.encode("utf-8", "surrogatepass")


def _in_text(kept: str | bytes) -> str:
    """An edit's text as it was."""
    return kept if isinstance(kept, str) else kept.decode("utf-8", "surrogatepass")


class Recent:
    """Older contents that were asked for lately: they are kept ready, up to a bound."""

    def __init__(self) -> None:
        self._nodes: deque[Node] = deque()
        self._size = 0

    def add(self, node: Node) -> None:
        """A content was put together; the oldest give way."""
        self._nodes.append(node)
        self._size += node.length
        while self._size > MOST_RECENT and len(self._nodes) > LEAST_RECENT:
            try:
                oldest = self._nodes.popleft()
            except IndexError:
                # Another thread was quicker: buffers share this memory.
                return
            self._size -= oldest.length
            if oldest is not node:
                oldest.let_go()


RECENT = Recent()


class Node(Struct, eq=False):
    """One content of a span, made at `seq` by `actor` from its parent's.

    `at`, `deleted` and `inserted` are the edit that made it, `whole` whether it replaced
    everything. `text_known` is false where the journal has another text than the agent
    (redacted) or where only a hash was observed; `presumed` text then stands in for it and
    `hash` is what was claimed, or null. The collector looks at nodes though they make no cycles:
    Python frees a long line of parents without overflowing the stack only of what it looks at.
    `again` is the node that first made its edit, where a selective undo made that once more.
    """

    parent: Node | None
    seq: int
    actor: str
    at: int
    _deleted: str | bytes | None
    _inserted: str | bytes
    length: int
    depth: int
    whole: bool
    text_known: bool
    _text: str | None
    _hash: str | None = None
    _packed: bytes | None = None
    again: Node | None = None

    @classmethod
    def root(cls, seq: int, actor: str, text: str) -> Node:
        """The first content of a span."""
        return cls(None, seq, actor, 0, "", "", len(text), 0, True, True, text)  # noqa: FBT003

    def child(
        self, seq: int, actor: str, at: int, deleted: str, inserted: str, text: str, whole: bool
    ) -> Node:
        """What an edit makes of it; of the older only every so many keep their text, packed."""
        if self._packed is None and not self.depth % KEYFRAME_DEPTH and self._is_keyframe():
            self._packed = pack(self.text)
        self._text = None
        self._archive()
        depth = self.depth + 1
        return Node(self, seq, actor, at, deleted, inserted, len(text), depth, whole, True, text)  # noqa: FBT003

    def _is_keyframe(self) -> bool:
        """Whether a node at its depth keeps its text; the first does."""
        doublings = (self.length // LONG).bit_length()
        return not self.depth % min(KEYFRAME_DEPTH << doublings, MOST_DEPTH)

    def _archive(self) -> None:
        """Keep the edit that made it in less memory."""
        deleted, inserted = self._deleted, self._inserted
        if deleted is not None and len(deleted) < BYTES_FROM > len(inserted):
            return
        self._inserted = _in_bytes(inserted)
        if not isinstance(deleted, str):
            return
        if deleted == inserted:
            self._deleted = self._inserted
        elif self._is_derived(len(deleted)):
            self._deleted = None
        else:
            self._deleted = _in_bytes(deleted)

    def _is_derived(self, size: int) -> bool:
        """Whether a text of so many code points that gave way is cut out of the parent's again."""
        if size <= DERIVED_LEAST or self.parent is None:
            return False
        return size >= DERIVED_FROM or size * DERIVED_SHARE >= self.parent.length

    def spliced(self, seq: int, actor: str, at: int, delete: int, insert: str) -> Node:
        """The child in which `delete` characters from `at` gave way to `insert`."""
        text = self.text
        deleted = text[at : at + delete]
        written = text[:at] + insert + text[at + delete :]
        return self.child(seq, actor, at, deleted, insert, written, whole=False)

    def redone(self, edit: Node, seq: int, actor: str, at: int) -> Node:
        """The child in which the edit of another node is made once more, at another place."""
        node = self.spliced(seq, actor, at, edit.deleted_length, edit.inserted)
        node.again = edit.first_made
        return node

    def rewritten(self, seq: int, actor: str, text: str) -> Node:
        """The child that holds another whole text; it counts as its differing middle."""
        at, deleted, inserted = differing_middle(self.text, text)
        return self.child(seq, actor, at, deleted, inserted, text, whole=True)

    def with_hash(self, seq: int, actor: str, hash: str | None) -> Node:
        """A child of which only the hash is known, or nothing; the text stays presumed.

        The hash may prove that text.
        """
        node = self.child(seq, actor, 0, "", "", self.text, whole=True)
        node.text_known = False
        if hash is not None:
            node.adopt(hash)
        return node

    def untouched(self, seq: int, actor: str) -> Node:
        """A child of the same content, of which more may be told than of this one."""
        node = self.spliced(seq, actor, 0, 0, "")
        node.text_known, node._hash = self.text_known, self._hash
        return node

    def let_go(self) -> None:
        """Keep no text that can be put together again."""
        if self._packed is not None or self.parent is not None:
            self._text = None

    @property
    def deleted(self) -> str:
        """The text that gave way."""
        text = self._deleted
        if text is None:
            assert self.parent is not None
            return self.parent.text[self.at : self.at + self.deleted_length]
        return _in_text(text)

    @property
    def deleted_length(self) -> int:
        """How many code points gave way."""
        if self._deleted is None:
            assert self.parent is not None
            return self.parent.length - self.length + len(self.inserted)
        return len(self.deleted)

    @property
    def first_made(self) -> Node:
        """The node that first made its edit: itself, unless a selective undo made it again."""
        return self.again or self

    @property
    def wrote_the_same(self) -> bool:
        """Whether what took the place of a text is that text."""
        # A text that is cut out of the parent's is another.
        deleted = self._deleted
        return deleted is not None and _in_text(deleted) == self.inserted

    @property
    def inserted(self) -> str:
        """The text that took its place."""
        return _in_text(self._inserted)

    @property
    def text(self) -> str:
        """The content, or what is presumed of it."""
        # Another thread may make a child of a node meanwhile, which then forgets its text.
        text = self._text
        if text is not None:
            return text
        chain: list[Node] = []
        node: Node = self
        while text is None:
            if node._packed is not None:
                text = unpack(node._packed, node.length)
                break
            chain.append(node)
            assert node.parent is not None
            node = node.parent
            text = node._text
        for later in reversed(chain):
            text = text[: later.at] + later.inserted + text[later.at + later.deleted_length :]
        self._text = text
        RECENT.add(self)
        return text

    def adopt(self, hash: str) -> None:
        """Believe a claimed hash of a content whose text is unknown; it may prove the text."""
        self._hash = hash
        if content_hash(self.text) == hash:
            self.text_known = True

    @property
    def known(self) -> bool:
        """Whether its hash can be told."""
        return self.text_known or self._hash is not None

    @property
    def hash(self) -> str | None:
        """The content hash; null where nothing is known."""
        if self._hash is None and self.text_known:
            self._hash = content_hash(self.text)
        return self._hash

    @property
    def change(self) -> Change:
        """The edit that made this node, as the journal has it."""
        return Change(self.at, self.deleted_length, len(self.inserted), self.seq)

    @property
    def trimmed(self) -> Change:
        """The same without the text that the replaced and the replacing one share."""
        if self.whole or not self.deleted_length or not self.inserted:
            return self.change
        prefix, deleted, inserted = differing_middle(self.deleted, self.inserted)
        return Change(self.at + prefix, len(deleted), len(inserted), self.seq)

    def same_content(self, other: Node) -> bool | None:
        """Whether both hold the same bytes; null where that can't be told."""
        if self is other:
            return True
        if self.text_known and other.text_known:
            if self.length != other.length:
                return False
            if self._hash is not None and other._hash is not None:
                return self._hash == other._hash
            return self.text == other.text
        mine, theirs = self.hash, other.hash
        if mine is None or theirs is None:
            return None
        return mine == theirs


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
    new = [_edit(node, trimmed=trimmed) for node in done[len(stay) :] if not node.wrote_the_same]
    return back + new


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
