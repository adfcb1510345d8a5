"""The Holders tab: who keeps something derived from the selected span, and on what ground."""

from __future__ import annotations

from bisect import bisect_right
from itertools import islice
from typing import NamedTuple

from spanscope.history.describing import counted, dotted, short_hash
from spanscope.history.rows import ArtifactRow, DiffRow
from spanscope.journal.events import Use
from spanscope.text.cells import wrap
from spanscope.widgets.lines import EMPTY, Line, Role, Row, fitting_words, plain, shown_line, within
from spanscope.widgets.listing import DenseListing
from spanscope.widgets.scene import Scene
from spanscope.widgets.subject import Subject
from spanscope.widgets.texts import span_of

USES_LOOKED_AT = 200
"""So many of the last events of an artifact are looked at for its uses."""


class _Item(NamedTuple):
    line: Line
    subject: Subject | None = None


class HoldersListing(DenseListing):
    """The Holders tab as lines."""

    def __init__(self, scene: Scene, width: int) -> None:
        self._scene = scene
        self._width = width
        self._items = [_Item(within(item.line, width), item.subject) for item in self._made()]

    def __len__(self) -> int:
        """How many rows there are."""
        return len(self._items)

    def row(self, number: int) -> Line:
        """One row."""
        return self._items[number].line

    def subject(self, number: int) -> Subject | None:
        """What a row is about."""
        return self._items[number].subject

    def anchor(self) -> int | None:
        """The selected artifact."""
        selected = self._scene.selected
        found = (i for i, item in enumerate(self._items) if item.subject == selected)
        return next(found, None) if selected is not None else None

    def _made(self) -> list[_Item]:
        name = span_of(self._scene, self._scene.selected)
        if name is None:
            return [_Item(plain("select a span to see who holds something of it", "muted"))]
        span = self._scene.moment.span(name)
        if span is None:
            return [_Item(plain(f"{name} is not there at {self._scene.seq}", "muted"))]
        held = self._scene.moment.artifacts_on(name)
        diffs = [row for row in self._scene.moment.staging() if name in row.diff.named_spans]
        items = self._said(self._head(name, held, diffs))
        for artifact in held:
            items.append(_Item(EMPTY))
            items += self._artifact(name, artifact)
        if diffs:
            items.append(_Item(EMPTY))
            items += [self._diff(name, row) for row in diffs]
        released = self._released(name, held)
        if released:
            items.append(_Item(EMPTY))
            items += self._said(released)
        return items

    def _said(self, text: str) -> list[_Item]:
        return [_Item(plain(part, "muted")) for part in wrap(shown_line(text), self._width)]

    def _head(self, name: str, held: list[ArtifactRow], diffs: list[DiffRow]) -> str:
        where = f"{name} at {self._scene.seq}"
        if not held and not diffs:
            return f"nobody holds anything of {where}: it may be changed in place"
        bad = sum(row.judgement.state not in ("fresh", "unknown") for row in held)
        words = [counted(len(held), "live artifact")] if held else []
        words += [f"{bad} of them not fresh"] if bad else []
        words += [counted(len(diffs), "staged diff")] if diffs else []
        span = self._scene.moment.span(name)
        due = any(row.artifact.expensive for row in held) and span is not None and span.live
        more = "; a change is due as copy-on-rewrite" if due else ""
        return f"{where} is held by {', '.join(words)}{more}"

    def _artifact(self, name: str, item: ArtifactRow) -> list[_Item]:
        artifact, judgement = item.artifact, item.judgement
        subject = Subject("artifact", artifact.artifact)
        selected = self._scene.selected == subject
        bad = judgement.state not in ("fresh", "unknown")
        role: Role = "warning" if bad or judgement.state == "unknown" else "plain"
        row = Row().put("> " if selected else "~ " if bad else "  ", role)
        row.put(artifact.artifact, role).gap(2).put(judgement.state, role).gap(2)
        ends = "" if artifact.range is None else f" {dotted(artifact.range)}"
        unit = f" {artifact.unit}" if ends and artifact.unit != "chars" else ""
        holder = f"held by {artifact.holder or artifact.actor}"
        words = [f"{artifact.kind}{ends}{unit}", holder]
        if artifact.span != name:
            words.append(f"its own span is {artifact.span}")
        if artifact.expensive:
            words.append("expensive")
        said = fitting_words(words, self._width - row.width)
        lines = [row.put(said, "muted").line("selected" if selected else "")]
        # Who holds it is what the tab is for: it is never left out.
        lines += self._facts(item, [] if shown_line(holder) in said else [holder])
        return [_Item(line, subject) for line in lines]

    def _facts(self, item: ArtifactRow, first: list[str]) -> list[Line]:
        """On what ground it stands, and what became of it, behind some words."""
        artifact, judgement = item.artifact, item.judgement
        base = artifact.base[0]
        key = [f"v{artifact.version}"] if artifact.version is not None else []
        key += [f"hash {short_hash(artifact.hash)}"] if artifact.hash is not None else []
        derived = f"derived at {artifact.seq} from v{base.version} {short_hash(base.hash)}"
        keyed = f"keyed on {' and '.join(key)}" if key else "keyed on the id alone: can't notice"
        words = [*first, derived, keyed, *self._uses(artifact.artifact)]
        if judgement.cause is not None:
            words.append(f"{judgement.state} since {judgement.cause}")
        if judgement.signals:
            words += judgement.signals
        if judgement.moved_to is not None:
            words.append(f"its text now stands at {dotted(judgement.moved_to)}")
        text = ", ".join(words)
        parts = wrap(shown_line(text), max(8, self._width - 4))
        return [Row().gap(4).put(part, "muted").line() for part in parts]

    def _uses(self, name: str) -> list[str]:
        touched = self._scene.history.touched({"artifact": name})
        upto = bisect_right(touched, self._scene.seq)
        last = touched[max(0, upto - USES_LOOKED_AT) : upto]
        events = {seq: self._scene.history.event(seq) for seq in last}
        used = [seq for seq, event in events.items() if isinstance(event, Use)]
        if not used:
            return ["never used"]
        times = "once" if len(used) == 1 else f"{len(used)} times, last"
        return [f"used {times} at {used[-1]}"]

    def _diff(self, name: str, row: DiffRow) -> _Item:
        subject = Subject("diff", row.diff.diff)
        verdict = row.judgement.verdict
        bad = verdict not in ("admissible", "reconcilable")
        role: Role = "warning" if bad else "plain"
        kinds = [line.kind for line in row.judgement.lines if line.subject == name]
        line = Row().put("~ " if bad else "  ", role).put(row.diff.diff, role).gap(2)
        line.put(verdict, role).gap(2).put(fitting_words(list(dict.fromkeys(kinds)), 40), "muted")
        return _Item(line.line(), subject)

    def _released(self, name: str, held: list[ArtifactRow]) -> str:
        """How many artifacts were there once."""
        live = {row.artifact.artifact for row in held}
        ever = islice(self._scene.history.artifacts_of(name), 10_000)
        gone = [artifact for artifact in ever if artifact not in live and self._began(artifact)]
        return f"{counted(len(gone), 'artifact')} of it released before" if gone else ""

    def _began(self, artifact: str) -> bool:
        touched = self._scene.history.touched({"artifact": artifact})
        return bool(touched) and touched[0] <= self._scene.seq
