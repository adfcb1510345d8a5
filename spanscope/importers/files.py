"""Files that an agent reads and edits, as spans of the store `files`.

What a tool recorded as the file before its edit is the truth: where the replay holds something
else, somebody else wrote in between (actor `foreign`). An edit that a tool refused is a diff that
was staged and rejected.
"""

from __future__ import annotations

from typing import Final, Literal, NamedTuple

from msgspec.structs import replace

from spanscope.importers.builder import JournalBuilder, Wanted
from spanscope.journal import events
from spanscope.journal.parts import Base, Inverse, QuoteRef, SpliceEdit
from spanscope.model.anchors import occurrences, sound_inverse
from spanscope.model.content import content_hash

FILES: Final = "files"
FOREIGN: Final = "foreign"
Refusal = Literal["missing", "ambiguous", "changed"]


class Seen(NamedTuple):
    """What an actor last knew of a file, and when it did; text null: in part."""

    text: str | None
    revision: int
    seq: int


def file_span(path: str) -> str:
    """The span id of a file."""
    return f"file:{path}"


class Files:
    """The files of a session, written through a builder."""

    def __init__(self, builder: JournalBuilder) -> None:
        self._builder = builder
        self._seen: dict[tuple[str, str], Seen] = {}
        self._all_seen: dict[str, Seen] = {}
        self._shown: dict[str, dict[str, str]] = {}
        """What actors were shown for a file, while it is not known what the file held."""
        self._paths: dict[str, None] = {}

    @property
    def actor(self) -> str:
        """Who does what is written now."""
        return self._builder.actor

    def known(self, path: str) -> bool:
        """Whether the file has a span."""
        return self._builder.live(file_span(path)) is not None

    def text(self, path: str) -> str | None:
        """The content as far as the journal knows it."""
        span = self._builder.live(file_span(path))
        return None if span is None else span.text

    def paths(self) -> list[str]:
        """The files that have a span."""
        return [path for path in self._paths if self.known(path)]

    def named_in(self, text: str) -> list[str]:
        """The known files whose path stands in a text."""
        return [path for path in self.paths() if path in text] if text else []

    def read(self, path: str, content: str) -> None:
        """The actor read the whole file."""
        self.holds(path, content)
        self._note(path, content)

    def shown(self, path: str, text: str) -> None:
        """A tool showed the actor this for a file, which may not be all of it, letter by letter.

        It counts as read where the file turns out to have held just that.
        """
        if self.text(path) == text:
            self._note(path, text)
        else:
            self._note(path, None)
            self._shown.setdefault(path, {})[self.actor] = text

    def read_in_part(self, path: str) -> None:
        """The actor read a part of the file, or was told that it changed."""
        self._note(path, None)

    def all_read_in_part(self) -> None:
        """Whatever the actor knew of any file may have changed."""
        builder = self._builder
        self._all_seen[builder.actor] = Seen(None, builder.revision, builder.seq)

    def holds(self, path: str, content: str) -> None:
        """Make the span hold what the source says the file held at this moment."""
        name = file_span(path)
        for actor, text in self._shown.pop(path, {}).items():
            if text == content:
                self._seen[actor, path] = self._seen[actor, path]._replace(text=text)
        if not self.known(path):
            self._add(path, content, "read")
        elif self.text(path) != content:
            self._builder.rewrite(name, content, "foreign", actor=FOREIGN)

    def _add(self, path: str, content: str, origin: str) -> None:
        self._paths[path] = None
        self._builder.ingest(Wanted(file_span(path), content, origin=origin), store=FILES)

    def changed(self, path: str, actor: str = FOREIGN) -> None:
        """Somebody changed the file, and the source does not say to what."""
        if self.known(path):
            self._builder.forget(file_span(path), "foreign", actor=actor)

    def noticed(self, path: str) -> None:
        """The actor was told that the file is not what it saw.

        Where the journal does not know by whom, somebody changed it.
        """
        seen, text = self._last_seen(path), self.text(path)
        if text is None or seen is None or seen.text in (None, text):
            self.changed(path)
        self.read_in_part(path)

    def replaced(self, path: str, before: str, old: str, new: str) -> None:
        """The only place of `old` in the file gave way to `new`."""
        self.holds(path, before)
        at = before.find(old)
        after = before[:at] + new + before[at + len(old) :]
        if after == before:
            return
        inverse = replace(sound_inverse(after, at, new, old), at=at)
        self._builder.add(
            events.Splice,
            span=file_span(path),
            at=at,
            delete=len(old),
            insert=new,
            original=old,
            inverse=inverse,
        )
        self._note(path, after)

    def rewritten(
        self, path: str, before: str | None, content: str, op: str, *, blind: bool = False
    ) -> None:
        """The whole file was written; `blind`: over whatever stood there."""
        if before is not None:
            self.holds(path, before)
        if not self.known(path):
            self._add(path, content, op)
        else:
            self._rewrite(path, before, content, op, blind=blind)
        self._note(path, content)

    def _rewrite(
        self, path: str, before: str | None, content: str, op: str, *, blind: bool
    ) -> None:
        seen = self._last_seen(path)
        base = None
        if blind and seen is not None and seen.text is not None:
            base = Base(hash=content_hash(seen.text))
        inverse = None
        if before is not None:
            inverse = Inverse(original=before, inserted=len(content))
        self._builder.rewrite(file_span(path), content, op, base=base, inverse=inverse)

    def removed(self, path: str) -> None:
        """The file was deleted."""
        if self.known(path):
            self._builder.add(events.Prune, span=file_span(path))

    def refused(self, path: str, old: str, new: str, why: Refusal, call: str, reason: str) -> None:
        """A tool refused to replace `old` by `new`: a diff that was staged and rejected."""
        name = file_span(path)
        if not self.known(path):
            self._builder.mark("note", f"edit of {path} refused: {reason}"[:200])
            return
        if self._contradicts(path, old, why):
            self.changed(path)
        seen, came = self._last_seen(path), self._builder.entered(name) or 0
        edit = SpliceEdit(span=name, delete=len(old), original=old, insert=new)
        diff = self._builder.stage(
            f"edit:{call}",
            [edit],
            reads=[name],
            refs=[QuoteRef(span=name, text=old)],
            # What it saw before the journal knew the file is no base.
            revision=None if seen is None or seen.seq < came else seen.revision,
        )
        self._builder.add(events.Reject, diff=diff, reason=reason[:500])

    def _contradicts(self, path: str, old: str, why: Refusal) -> bool:
        """Whether the refusal shows that the file is not what the journal knows of it."""
        text = self.text(path)
        if text is None:
            return False
        count = sum(1 for _ in occurrences(text, old)) if old else 0
        if why == "changed":
            seen = self._last_seen(path)
            return seen is None or seen.text is None or seen.text == text
        return count > 0 if why == "missing" else count < 2

    def _note(self, path: str, content: str | None) -> None:
        builder = self._builder
        self._shown.get(path, {}).pop(builder.actor, None)
        self._seen[builder.actor, path] = Seen(content, builder.revision, builder.seq)

    def _last_seen(self, path: str) -> Seen | None:
        """What the actor last knew of the file."""
        actor = self._builder.actor
        one, all_of_them = self._seen.get((actor, path)), self._all_seen.get(actor)
        came = self._builder.entered(file_span(path)) or 0
        if all_of_them is None or all_of_them.seq < max(came, 0 if one is None else one.seq):
            return one
        return all_of_them


def apply_hunks(before: str, hunks: list[tuple[int, list[str]]]) -> str | None:
    """A text with hunks applied: (first line, 1-based; lines with ` `, `-` or `+` in front).

    Null where a line that should stand there does not.
    """
    lines = before.split("\n")
    result: list[str] = []
    place = 0
    for first, hunk in hunks:
        start = max(first - 1, 0)
        if not place <= start <= len(lines):
            return None
        result += lines[place:start]
        place = start
        for line in hunk:
            sign, text = line[:1], line[1:]
            if sign == "+":
                result.append(text)
            elif sign == "\\":
                continue
            elif place < len(lines) and lines[place] == text:
                place += 1
                if sign != "-":
                    result.append(text)
            else:
                return None
    return "\n".join(result + lines[place:])
