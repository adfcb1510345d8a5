"""Patches in Codex's form, and the parts of files that patches show.

A rollout does not hold whole files. What a patch quotes of one is a region: a span of its own,
followed through the patches that were applied since.
"""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from spanscope.importers.builder import JournalBuilder, Wanted
from spanscope.importers.files import FILES, FOREIGN, Files, apply_hunks
from spanscope.journal import events
from spanscope.journal.parts import QuoteRef, SpliceEdit
from spanscope.model.anchors import sound_inverse

_HUNK: Final = re.compile(r"^@@ -(\d+)(?:,\d+)? \+\d+(?:,\d+)? @@")
_FILE: Final = re.compile(r"^\*\*\* (Add|Update|Delete) File: (.*)$")


class Hunk(NamedTuple):
    """Lines that give way to others; `first` is the line (1-based) where that is said."""

    first: int
    lines: list[str]

    @property
    def before(self) -> str:
        """The text that must stand there."""
        return "".join(line[1:] + "\n" for line in self.lines if line[:1] in (" ", "-"))

    @property
    def after(self) -> str:
        """The text that takes its place."""
        return "".join(line[1:] + "\n" for line in self.lines if line[:1] in (" ", "+"))


def unified_hunks(diff: str) -> list[Hunk]:
    """The hunks of a unified diff of one file."""
    hunks: list[Hunk] = []
    for line in diff.splitlines():
        found = _HUNK.match(line)
        if found is not None:
            hunks.append(Hunk(int(found.group(1)) if len(found.group(1)) < 12 else 0, []))
        elif hunks and line[:1] in ("+", "-", " ", ""):
            hunks[-1].lines.append(line or " ")
    return hunks


def patch_hunks(patch: str) -> list[tuple[str, Hunk]]:
    """(path, hunk) of every update in a patch of `apply_patch`."""
    found: list[tuple[str, Hunk]] = []
    path: str | None = None
    for line in patch.splitlines():
        header = _FILE.match(line)
        if header is not None:
            path = header.group(2).strip() if header.group(1) == "Update" else None
            if path is not None:
                found.append((path, Hunk(0, [])))
        elif path is None or line.startswith("***"):
            continue
        elif line.startswith("@@"):
            found.append((path, Hunk(0, [])))
        elif line[:1] in ("+", "-", " ", ""):
            found[-1][1].lines.append(line or " ")
    return [(path, hunk) for path, hunk in found if hunk.lines]


class Regions:
    """The regions of files that patches showed."""

    def __init__(self, builder: JournalBuilder, files: Files) -> None:
        self._builder = builder
        self._files = files
        self._of: dict[str, list[str]] = {}

    def updated(self, path: str, hunks: list[Hunk]) -> None:
        """A patch was applied to the file."""
        text = self._files.text(path)
        if text is not None:
            after = apply_hunks(text, [(hunk.first, hunk.lines) for hunk in hunks])
            if after is not None:
                self._files.rewritten(path, text, after, "patch")
                return
        if self._files.known(path):
            self._files.changed(path, self._builder.actor)
            return
        for hunk in hunks:
            self._patch(path, hunk)

    def _patch(self, path: str, hunk: Hunk) -> None:
        before, after = hunk.before, hunk.after
        holding = [name for name in self._live(path) if self._text(name).count(before) == 1]
        if not before or not holding:
            name = f"file:{path}#{len(self._of.setdefault(path, [])) + 1}"
            self._of[path].append(name)
            wanted = Wanted(name, before, origin="patch")
            self._builder.ingest(wanted, store=FILES)
            holding = [name]
        name = holding[0]
        at, text = self._text(name).find(before), self._text(name)
        inverse = sound_inverse(text[:at] + after + text[at + len(before) :], at, after, before)
        inverse.at = at
        self._builder.add(
            events.Splice,
            span=name,
            at=at,
            delete=len(before),
            insert=after,
            original=before or None,
            inverse=inverse,
        )

    def _live(self, path: str) -> list[str]:
        return [name for name in self._of.get(path, []) if self._builder.live(name) is not None]

    def _text(self, name: str) -> str:
        return self._builder.state.spans[name].text or ""

    def refused(self, path: str, hunk: Hunk, call: str, reason: str) -> None:
        """A patch was refused, for the lines that it quotes do not stand in the file."""
        before, after = hunk.before, hunk.after
        name = self._quoted(path, before)
        if self._files.text(path) is not None:
            self._files.refused(path, before, after, "missing", call, reason)
        elif name is None:
            self._builder.mark("note", f"patch of {path} refused: {reason}"[:200])
        else:
            if before in self._text(name):
                # The journal still has the quoted lines, so somebody took them out of the file.
                self._builder.forget(name, "foreign", actor=FOREIGN)
            self._reject(name, before, after, call, reason)

    def _reject(self, name: str, before: str, after: str, call: str, reason: str) -> None:
        edit = SpliceEdit(span=name, delete=len(before), original=before, insert=after)
        quote = QuoteRef(span=name, text=before)
        diff = self._builder.stage(f"patch:{call}", [edit], reads=[name], refs=[quote])
        self._builder.add(events.Reject, diff=diff, reason=reason[:500])

    def _quoted(self, path: str, text: str) -> str | None:
        """The region that holds the text, or did once."""
        history = self._builder.state.chronicle
        for name in reversed(self._live(path)):
            if any(text in (span.text or "") for span in history[name]):
                return name
        return None
