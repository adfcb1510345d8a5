"""Patches in Codex's form, and the parts of files that patches show.

A rollout does not hold whole files. What a patch quotes of one is a region: a span of its own,
followed through the patches that were applied since.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from typing import Final, NamedTuple

from msgspec.structs import replace

from spanscope.importers.builder import JournalBuilder, Wanted
from spanscope.importers.files import FILES, FOREIGN, Files, Refusal, apply_hunks
from spanscope.journal import events
from spanscope.journal.parts import Inverse, QuoteRef, SpliceEdit
from spanscope.model.anchors import sound_inverse

_HUNK: Final = re.compile(r"^@@ -(\d{1,12})(?:,(\d{1,12}))? \+\d+(?:,\d+)? @@")
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

    @property
    def height(self) -> int:
        """How many lines must stand there."""
        return sum(line[:1] in (" ", "-") for line in self.lines)

    @property
    def growth(self) -> int:
        """How many lines more stand there after it."""
        return sum({"+": 1, "-": -1}.get(line[:1], 0) for line in self.lines)


def lines_after(hunk: Hunk, first: int, lines: list[str]) -> tuple[int, list[str]] | None:
    """What a hunk leaves of the lines from `first` on that it overlaps, and where they then start.

    What it inserts between lines is theirs where one of them gives way for it, or where it stands
    between two of them. Null where other lines stand there than it says.
    """
    at, start, left = max(hunk.first, 1), first, lines[: max(max(hunk.first, 1) - first, 0)]
    mine = False
    for line in hunk.lines:
        sign, text = line[:1], line[1:]
        inside = first <= at < first + len(lines)
        if sign == "+":
            if mine or (inside and at > first):
                left.append(text)
            elif at <= first:
                start += 1
            continue
        if inside and lines[at - first] != text:
            return None
        if sign == " " and inside:
            left.append(text)
        elif sign == "-" and at < first:
            start -= 1
        mine = inside and sign == "-"
        at += 1
    return start, left + lines[max(at - first, 0) :]


def unified_hunks(diff: str) -> list[Hunk]:
    """The hunks of a unified diff of one file."""
    hunks: list[Hunk] = []
    for line in diff.splitlines():
        found = _HUNK.match(line) if line.startswith("@@") else None
        if found is not None:
            # Where nothing gives way, the line before is named.
            behind = found.group(2) is not None and int(found.group(2)) == 0
            hunks.append(Hunk(int(found.group(1)) + behind, []))
        elif hunks and line[:1] in ("+", "-", " ", ""):
            hunks[-1].lines.append(line or " ")
    return hunks


def patch_hunks(patch: str) -> list[tuple[str, Hunk]]:
    """(path, hunk) of every update in a patch of `apply_patch`."""
    found: list[tuple[str, Hunk]] = []
    path: str | None = None
    for line in patch.splitlines():
        header = _FILE.match(line) if line.startswith("***") else None
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


class Places:
    """At which lines (1-based) the regions of a file start, as far as that is known."""

    def __init__(self) -> None:
        self._firsts: list[int] = []
        self._names: list[str] = []
        self._heights: dict[str, int] = {}
        self._tallest = 0

    def put(self, name: str, first: int, height: int) -> None:
        """A region stands here, and has so many lines."""
        self.drop(name)
        at = bisect_left(self._firsts, first)
        self._firsts.insert(at, first)
        self._names.insert(at, name)
        self._heights[name] = height
        self._tallest = max(self._tallest, height)

    def drop(self, name: str) -> None:
        """It is not known any more where a region stands."""
        if self._heights.pop(name, None) is not None:
            at = self._names.index(name)
            del self._names[at], self._firsts[at]

    def first(self, name: str) -> int | None:
        """The line at which a region starts; null where that is not known."""
        return self._firsts[self._names.index(name)] if name in self._heights else None

    def changed(self, hunk: Hunk, patched: str) -> list[tuple[str, int]]:
        """A hunk was applied: the other regions that it overlaps, and where they start."""
        first, growth = hunk.first, hunk.growth
        own, height = self.first(patched), self._heights.get(patched, 0)
        self.drop(patched)
        firsts, names, heights = self._firsts, self._names, self._heights
        near = bisect_left(firsts, first - self._tallest)
        behind = bisect_left(firsts, first + hunk.height)
        overlapped = [
            (names[at], firsts[at])
            for at in range(near, behind)
            if firsts[at] + heights[names[at]] > first
        ]
        if growth:
            firsts[behind:] = [each + growth for each in firsts[behind:]]
        if own is not None:
            self.put(patched, own, height + growth)
        return overlapped


class Regions:
    """The regions of files that patches showed."""

    def __init__(self, builder: JournalBuilder, files: Files) -> None:
        self._builder = builder
        self._files = files
        self._of: dict[str, list[str]] = {}
        self._past: dict[str, list[str]] = {}
        self._with: dict[str, dict[str, dict[str, None]]] = {}
        self._places: dict[str, Places] = {}

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
        shift = 0
        for hunk in hunks:
            self._patch(path, hunk._replace(first=hunk.first + shift))
            shift += hunk.growth

    def _patch(self, path: str, hunk: Hunk) -> None:
        before, after = hunk.before, hunk.after
        found = self._holding(path, hunk)
        name, at = found or (self._add(path, before, "patch", hunk.first), 0)
        self._follow(path, hunk, name)
        text = self._text(name)
        inverse = replace(
            sound_inverse(text[:at] + after + text[at + len(before) :], at, after, before), at=at
        )
        self._builder.add(
            events.Splice,
            span=name,
            at=at,
            delete=len(before),
            insert=after,
            original=before or None,
            inverse=inverse,
        )
        self._held(path, name)

    def _follow(self, path: str, hunk: Hunk, patched: str) -> None:
        """Let the patch change the other regions of the file in which its lines stand too."""
        places = self._places.get(path)
        if places is None:
            return
        for name, first in places.changed(hunk, patched):
            before = self._text(name)
            left = lines_after(hunk, first, before.split("\n")[:-1])
            if left is None:
                # Something was done to the file that the rollout does not say.
                self._lost(path, name)
                continue
            after = "".join(f"{line}\n" for line in left[1])
            places.put(name, left[0], len(left[1]))
            if after != before:
                inverse = Inverse(original=before, inserted=len(after))
                self._builder.rewrite(name, after, "patch", inverse=inverse)
                self._held(path, name)

    def _holding(self, path: str, hunk: Hunk) -> tuple[str, int] | None:
        """The oldest region that holds the lines, and where: at their place, or in one place."""
        before, places = hunk.before, self._places.get(path)
        longest = max(before.split("\n"), key=len)
        for name in self._with.get(path, {}).get(longest, ()) if before else ():
            if self._builder.live(name) is None:
                continue
            text = self._text(name)
            first = None if places is None else places.first(name)
            if first is None:
                if text.count(before) == 1:
                    return name, text.find(before)
            elif first <= hunk.first:
                ahead = text.split("\n", hunk.first - first)
                at = len(text) - len(ahead[-1])
                if len(ahead) == hunk.first - first + 1 and text.startswith(before, at):
                    return name, at
        return None

    def _held(self, path: str, name: str) -> None:
        """Note what a region holds now."""
        text = self._text(name)
        self._past.setdefault(name, []).append(text)
        holding = self._with.setdefault(path, {})
        for line in text.split("\n"):
            names = holding.get(line)
            if names is None:
                holding[line] = {name: None}
            else:
                names[name] = None

    def _add(self, path: str, text: str, origin: str, first: int) -> str:
        name = f"file:{path}#{len(self._of.setdefault(path, [])) + 1}"
        self._of[path].append(name)
        self._places.setdefault(path, Places()).put(name, first, text.count("\n"))
        self._builder.ingest(Wanted(name, text, origin=origin), store=FILES)
        self._held(path, name)
        return name

    def _live(self, path: str) -> list[str]:
        return [name for name in self._of.get(path, []) if self._builder.live(name) is not None]

    def _text(self, name: str) -> str:
        return self._builder.spans[name].text or ""

    def read(self, path: str, text: str) -> None:
        """All lines of a file were shown; how the last one ends is not known."""
        shown = text if text.endswith("\n") or not text else text + "\n"
        live = self._live(path)
        if not live:
            self._add(path, shown, "read", 1)
        elif self._text(live[0]) != shown:
            self._lost(path, live[0])
            self._builder.rewrite(live[0], shown, "foreign", actor=FOREIGN)
            self._held(path, live[0])

    def changed(self, path: str, actor: str = FOREIGN) -> None:
        """Somebody changed the file, and the source does not say to what."""
        for name in self._live(path):
            self._builder.forget(name, "foreign", actor=actor)
        self._places.pop(path, None)
        self._files.changed(path, actor)

    def _lost(self, path: str, name: str) -> None:
        """It is not known any more where a region stands."""
        if path in self._places:
            self._places[path].drop(name)

    def paths(self) -> list[str]:
        """The files that something is known of."""
        return [*self._of, *self._files.paths()]

    def refused(
        self, path: str, before: str, after: str, why: Refusal, call: str, reason: str
    ) -> None:
        """An edit was refused: what it would replace stands nowhere, or in several places."""
        if self._files.known(path):
            self._files.refused(path, before, after, why, call, reason)
            return
        name = self._quoted(path, before)
        if name is None:
            self._builder.mark("note", f"edit of {path} refused: {reason}"[:200])
            return
        count = self._text(name).count(before)
        if count > 0 if why == "missing" else count < 2:
            # The journal has other places than the tool found, so somebody changed the file.
            self._lost(path, name)
            self._builder.forget(name, "foreign", actor=FOREIGN)
        edit = SpliceEdit(span=name, delete=len(before), original=before, insert=after)
        quote = QuoteRef(span=name, text=before)
        diff = self._builder.stage(f"edit:{call}", [edit], reads=[name], refs=[quote])
        self._builder.add(events.Reject, diff=diff, reason=reason[:500])

    def _quoted(self, path: str, text: str) -> str | None:
        """The region that holds the text, or did once."""
        for name in reversed(self._live(path)):
            if any(text in held for held in self._past[name]):
                return name
        return None
