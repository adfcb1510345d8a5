"""The versions of one span's content as a tree.

An edit makes a child of the current node; its exact undo goes back to the parent. The path
between two nodes is therefore the edits that still stand between two states: an edit and its
undo cancel.
"""

from __future__ import annotations

from msgspec import Struct

from spanscope.model.content import content_hash, differing_middle, hash_of
from spanscope.model.keeping import (
    BYTES_FROM,
    COMPRESSED_FROM,
    RECENT,
    RECORDED_FROM,
    Recording,
    in_bytes,
    in_text,
    in_utf8,
    long_hash,
    pack,
    shared,
    short_hash,
    unpack,
)
from spanscope.model.mapping import Change

HASH_BYTES = 32
"""Bytes of a hash without its prefix."""

KEYFRAME_DEPTH = 32
"""Every so many nodes keep their text, so that any text is a short walk away."""

LONG = 1 << 17
"""Code points from which on fewer nodes keep their text, half as many for each doubling: all that
is kept grows with the edits, not with the edits times the length."""

MOST_DEPTH = 512
"""Nodes between two texts kept, at the most."""

DERIVED_FROM = 1024
"""Code points from which a text that gave way is not kept: the parent has it."""

DERIVED_SHARE = 16
"""Nor is one that is so large a share of the parent's (1/16): that is soon put together."""

SHORT = 255
"""Bytes of a text that gave way up to which it is packed with what took its place."""

DERIVED_LEAST = 64
"""Code points up to which one is always kept."""


class Node(Struct, eq=False):
    """One content of a span, made at `seq` by `actor` from its parent's.

    `at`, `deleted` and `inserted` are the edit that made it, `whole` whether it replaced
    everything. `text_known` is false where the journal has another text than the agent
    (redacted) or where only a hash was observed; `presumed` text then stands in for it and
    `hash` is what was claimed, or null. The collector looks at nodes though they make no cycles:
    Python frees a long line of parents without overflowing the stack only of what it looks at.
    `again` is the node that first made its edit, where a selective undo made that once more.
    `recording` gives back, at `seq`, what a first content or a splice put there; `_inserted` is
    then the length alone once another content came. `newest`: it is what its span holds, and
    `_utf8` that as it was hashed. `_small` is a short edit with its hash, in one piece.
    """

    parent: Node | None
    seq: int
    actor: str
    at: int
    _deleted: str | bytes | None
    _inserted: str | bytes | int
    length: int
    depth: int
    whole: bool
    text_known: bool
    _text: str | bytes | None
    _hash: str | bytes | None = None
    _packed: bytes | None = None
    again: Node | None = None
    recording: Recording | None = None
    newest: bool = True
    _utf8: bytes | None = None
    _small: bytes | None = None

    @classmethod
    def root(cls, seq: int, actor: str, text: str) -> Node:
        """The first content of a span."""
        return cls(None, seq, actor, 0, "", "", len(text), 0, True, True, text)  # noqa: FBT003

    def child(
        self, seq: int, actor: str, at: int, deleted: str, inserted: str, text: str, whole: bool
    ) -> Node:
        """What an edit makes of it; of the older only every so many keep their text, packed."""
        if self._packed is None and not self.depth % KEYFRAME_DEPTH and self._is_keyframe():
            self._packed = self._pack()
        self.newest = False
        self._text = self._utf8 = None
        self._archive()
        depth, at, length = self.depth + 1, shared(at), shared(len(text))
        return Node(self, seq, actor, at, deleted, inserted, length, depth, whole, True, text)  # noqa: FBT003

    def _pack(self) -> bytes:
        """Its text packed."""
        if self._utf8 is not None and self.length < COMPRESSED_FROM:
            return self._utf8
        return pack(self._read())

    def _is_keyframe(self) -> bool:
        """Whether a node at its depth keeps its text; the first does, if it is not recorded."""
        if self._is_recorded:
            return False
        doublings = (self.length // LONG).bit_length()
        return not self.depth % min(KEYFRAME_DEPTH << doublings, MOST_DEPTH)

    @property
    def _is_recorded(self) -> bool:
        """Whether it is a first content that can be read again."""
        return self.parent is None and self.recording is not None

    def _archive(self) -> None:
        """Keep its hash, and the edit that made it, in less memory."""
        if isinstance(self._hash, str):
            self._hash = short_hash(self._hash)
        if isinstance(self._inserted, str):
            self._archive_edit(self._deleted, self._inserted)
        if self._small is None:
            self._join()

    def _archive_edit(self, deleted: str | bytes | None, inserted: str) -> None:
        if deleted is not None and len(deleted) < BYTES_FROM > len(inserted):
            return
        same = deleted == inserted
        if self.recording is not None and len(inserted) >= RECORDED_FROM and not same:
            self._inserted = len(inserted)
        else:
            self._inserted = in_bytes(inserted)
        if not isinstance(deleted, str):
            return
        if same:
            self._deleted = in_bytes(deleted)
        elif self._is_derived(len(deleted)):
            self._deleted = None
        else:
            self._deleted = in_bytes(deleted)

    def _join(self) -> None:
        """Keep a short edit and its hash in one piece: the length of what gave way, and all."""
        deleted, inserted, hash = self._deleted, self._inserted, self._hash
        if not isinstance(hash, bytes) or len(hash) != HASH_BYTES:
            return
        if deleted is None or isinstance(inserted, int):
            return
        gone = deleted if isinstance(deleted, bytes) else in_utf8(deleted)
        came = inserted if isinstance(inserted, bytes) else in_utf8(inserted)
        if len(gone) <= SHORT:
            self._small = bytes((len(gone),)) + hash + gone + came
            # Cleared last: another thread looks there first.
            self._deleted, self._inserted, self._hash = None, 0, None

    def _edit(self) -> tuple[str | bytes | None, str | bytes | int]:
        """What gave way and what took its place, as they are kept."""
        deleted, inserted = self._deleted, self._inserted
        small = self._small
        if small is None:
            return deleted, inserted
        start = HASH_BYTES + 1
        return small[start : start + small[0]], small[start + small[0] :]

    def _kept_hash(self) -> str | bytes | None:
        """Its hash as it is kept."""
        hash, small = self._hash, self._small
        return hash if hash is not None or small is None else small[1 : HASH_BYTES + 1]

    def _is_derived(self, size: int) -> bool:
        """Whether a text of so many code points that gave way is cut out of the parent's again."""
        if size <= DERIVED_LEAST or self.parent is None:
            return False
        return size >= DERIVED_FROM or size * DERIVED_SHARE >= self.parent.length

    def spliced(self, seq: int, actor: str, at: int, delete: int, insert: str) -> Node:
        """The child in which `delete` characters from `at` gave way to `insert`."""
        text = self._read()
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
        old = self._read()
        at, deleted, inserted = differing_middle(old, text)
        node = self.child(seq, actor, at, deleted, inserted, text, whole=True)
        # What an inverse gives back is looked at next.
        self._text = old
        RECENT.add(self)
        return node

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
        node.text_known, node._hash = self.text_known, self._kept_hash()
        return node

    def let_go(self) -> None:
        """Keep no text that is soon put together again, and in UTF-8 what nothing else holds."""
        text = self._text
        if self._packed is not None:
            self._text = None
        elif not self.newest:
            self._text = None if self.parent is not None or self._is_recorded else text
        elif self._is_soon_again:
            self._text = None
        elif isinstance(text, str):
            self._text = self._utf8 or in_utf8(text)
        self._utf8 = None
        self._archive()

    @property
    def _is_soon_again(self) -> bool:
        """Whether its text is soon put together again, though its span holds it now."""
        recording = self.recording
        return recording is not None and recording.quick and self.length < COMPRESSED_FROM

    @property
    def deleted(self) -> str:
        """The text that gave way."""
        text, _ = self._edit()
        if text is None:
            assert self.parent is not None
            return self.parent.text[self.at : self.at + self.deleted_length]
        return in_text(text)

    @property
    def deleted_length(self) -> int:
        """How many code points gave way."""
        text, _ = self._edit()
        if text is None:
            assert self.parent is not None
            return self.parent.length - self.length + self.inserted_length
        return len(in_text(text))

    @property
    def first_made(self) -> Node:
        """The node that first made its edit: itself, unless a selective undo made it again."""
        return self.again or self

    @property
    def wrote_the_same(self) -> bool:
        """Whether what took the place of a text is that text."""
        # A text that is cut out of the parent's, or read again, is another.
        deleted, inserted = self._edit()
        if deleted is None or isinstance(inserted, int):
            return False
        return in_text(deleted) == in_text(inserted)

    @property
    def inserted(self) -> str:
        """The text that took its place."""
        _, text = self._edit()
        if isinstance(text, int):
            assert self.recording is not None
            return self.recording.text(self.seq)
        return in_text(text)

    @property
    def inserted_length(self) -> int:
        """How many code points took its place."""
        _, text = self._edit()
        return text if isinstance(text, int) else len(in_text(text))

    @property
    def text(self) -> str:
        """The content, or what is presumed of it."""
        text = self._text
        if isinstance(text, str):
            return text
        text = self._text = self._read()
        RECENT.add(self)
        return text

    def _read(self) -> str:
        """The same, put together without being kept ready."""
        # Another thread may make a child of a node meanwhile, which then forgets its text.
        chain: list[Node] = []
        node: Node = self
        while (text := node._kept()) is None:
            chain.append(node)
            assert node.parent is not None
            node = node.parent
        for later in reversed(chain):
            at, inserted = later.at, later.inserted
            behind = at + len(text) - later.length + len(inserted)
            text = text[:at] + inserted + text[behind:]
        return text

    def _kept(self) -> str | None:
        """The content, where it can be had without its parent's."""
        text, packed = self._text, self._packed
        if text is not None:
            return in_text(text)
        if packed is not None:
            return unpack(packed, self.length)
        if self.parent is None and self.recording is not None:
            return self.recording.text(self.seq)
        return None

    def adopt(self, hash: str) -> None:
        """Believe a claimed hash of a content whose text is unknown; it may prove the text."""
        self._hash = hash
        if content_hash(self.text) == hash:
            self.text_known = True

    @property
    def known(self) -> bool:
        """Whether its hash can be told."""
        return self.text_known or self._kept_hash() is not None

    @property
    def hash(self) -> str | None:
        """The content hash; null where nothing is known."""
        hash = self._kept_hash()
        if hash is not None:
            return long_hash(hash)
        if not self.text_known:
            return None
        if self.recording is None or self.recording.quick:
            hash = self._hash = content_hash(self.text)
        else:
            self._utf8 = in_utf8(self.text)
            hash = self._hash = hash_of(self._utf8)
        return hash

    @property
    def change(self) -> Change:
        """The edit that made this node, as the journal has it."""
        return Change(self.at, self.deleted_length, self.inserted_length, self.seq)

    @property
    def trimmed(self) -> Change:
        """The same without the text that the replaced and the replacing one share."""
        if self.whole or not self.deleted_length or not self.inserted_length:
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
            if self._kept_hash() is not None and other._kept_hash() is not None:
                return self.hash == other.hash
            return self.text == other.text
        mine, theirs = self.hash, other.hash
        if mine is None or theirs is None:
            return None
        return mine == theirs
