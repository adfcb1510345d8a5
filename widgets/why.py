"""The Why pane: one skeleton for every subject and every rule.

Line 1 names the finding and its subject. Claim is what the agent took for true, Found the fact
against it, then the evidence, the chain of events, the rule, what to do instead, and where to go.
Little height drops blank lines, Claim, Go, Incident, Rule, further facts and Instead, in this
order. Of a span that nothing was found about the first lines of its text stand there.
"""

from __future__ import annotations

from functools import cached_property
from itertools import islice, pairwise
from typing import TYPE_CHECKING

from msgspec import Struct

from spanscope.history.describing import number
from spanscope.text.cells import CUT, cell_width, ending, wrap
from spanscope.widgets.findings import NOTHING, SIGNS, role, sign, worst_first
from spanscope.widgets.lines import EMPTY, Line, Role, Row, plain, shown_line, within
from spanscope.widgets.listing import DenseListing
from spanscope.widgets.message import found_in_short
from spanscope.widgets.subject import Subject, subject_of, subjects_of

if TYPE_CHECKING:
    from spanscope.rules.finding import Finding
    from spanscope.text.diff import Segments
    from spanscope.widgets.evidence import EvidenceLine
    from spanscope.widgets.scene import Scene

MORE = " .. i lists all"
"""Stands where an incident has more findings than fit."""

STOPS = ("error", "warning")
"""The severities that motions stop at."""

NAMED = 4
"""So many findings are named beside the one that is explained."""

SHORTEST_FOUND = 2
"""Found keeps so many lines."""

Pieces = list[tuple[str, bool]]

DROPPED = ("", "claim", "go", "incident", "text", "rule", "further", "instead")
"""What goes first where there is little height; the empty name stands for the blank lines."""


class Block(Struct):
    """Lines that belong together; `seqs` are the events that its lines stand for."""

    name: str
    lines: list[Line] = []
    seqs: list[int | None] = []


def finding_of(scene: Scene, subject: Subject | None) -> Finding | None:
    """The finding that explains a subject: the one that was picked, else the worst of this step.

    Where this step found nothing about it, what made it bad. A finding that is about nothing that
    can be selected is explained at its step.
    """
    picked = scene.picked
    if picked is not None and (subject in subjects_of(picked) or not subjects_of(picked)):
        return picked
    about = NOTHING if subject is None else scene.findings.about(subject)
    here = about.at(scene.seq)
    if not here and (subject is None or subject == subject_of(scene.event)):
        here = [finding for finding in scene.here if not subjects_of(finding)]
    if here:
        return worst_first(here)[0]
    if subject is None:
        return None
    from spanscope.widgets.healthy import is_bad

    if not is_bad(scene, subject):
        return None
    return about.last_before(scene.seq)


def looked_at(scene: Scene) -> Finding | None:
    """The finding that is looked at: what explains the selection, else the worst of this step."""
    return finding_of(scene, scene.selected) or (scene.here[0] if scene.here else None)


class WhyListing(DenseListing):
    """The Why pane as lines; `chosen` is the event that was picked in the chain."""

    def __init__(self, scene: Scene, width: int, height: int, chosen: int | None = None) -> None:
        self._scene = scene
        self._width = width
        self._height = height
        self._label = 10 if width >= 60 else 9
        self._chosen = chosen

    @property
    def _subject(self) -> Subject | None:
        return self._scene.selected

    @cached_property
    def _rows(self) -> list[tuple[Line, int | None]]:
        blocks = self._blocks()
        dropped: set[str] = set()
        for name in DROPPED:
            if self._size(blocks, dropped) <= self._height:
                break
            dropped.add(name)
        self._shorten(blocks, self._size(blocks, dropped) - self._height)
        rows: list[tuple[Line, int | None]] = []
        group = ""
        for block in blocks:
            if block.name in dropped:
                continue
            apart = _GROUPS.get(block.name, block.name)
            if rows and apart != group and "" not in dropped:
                rows.append((EMPTY, None))
            group = apart
            seqs = block.seqs or [None] * len(block.lines)
            lines = [within(line, self._width) for line in block.lines]
            rows += zip(lines, seqs, strict=True)
        return rows

    def _shorten(self, blocks: list[Block], over: int) -> None:
        """Found gives way to evidence and chain, which it says in a longer way."""
        found = next((block for block in blocks if block.name == "found"), None)
        finding = finding_of(self._scene, self._subject)
        if found is None or finding is None or over <= 0:
            return
        limit = max(SHORTEST_FOUND, len(found.lines) - over)
        for room in range(limit * (self._width - self._label), self._label, -4):
            lines = self._said("Found", found_in_short(finding, room), "strong")
            if len(lines) <= limit:
                found.lines = lines
                return

    @staticmethod
    def _size(blocks: list[Block], dropped: set[str]) -> int:
        kept = [block for block in blocks if block.name not in dropped]
        groups = [_GROUPS.get(block.name, block.name) for block in kept]
        changes = sum(one != other for one, other in pairwise(groups))
        return sum(len(block.lines) for block in kept) + (0 if "" in dropped else changes)

    def _blocks(self) -> list[Block]:
        finding = finding_of(self._scene, self._subject)
        # What is found about the journal itself is about nothing that is selected.
        subject = None if finding is not None and not subjects_of(finding) else self._subject
        if subject is None and finding is None:
            lines = wrap(self._nothing(), self._width)
            head = Block("head", [plain(line, "muted") for line in lines])
            return [head, Block("unknown", self._unknown())]
        from spanscope.rules.catalogue import RULES, fill

        blocks = [Block("head", self._head(subject, finding))]
        if finding is None and subject is not None and subject.kind == "span":
            blocks.append(Block("text", self._text(str(subject.id))))
        if finding is not None:
            rule = RULES.get(finding.rule)
            if rule is not None and rule.claim:
                words = fill(rule.claim, {**finding.subject, "seq": finding.seq})
                blocks.append(Block("claim", self._said("Claim", words)))
            blocks.append(Block("found", self._said("Found", finding.message, "strong")))
        if subject is not None:
            blocks.append(Block("evidence", self._evidence(subject, finding)))
            blocks.append(Block("further", self._further(subject, finding)))
            blocks.append(self._chain(subject, finding))
        blocks.append(Block("incident", self._incident(finding)))
        if finding is not None:
            rule = RULES.get(finding.rule)
            if rule is not None:
                blocks.append(Block("rule", self._said("Rule", rule.invariant)))
            blocks.append(Block("instead", self._said("Instead", finding.remedy)))
        if subject is not None:
            blocks.append(Block("go", self._go(subject, finding)))
        return [block for block in blocks if block.lines]

    def _nothing(self) -> str:
        seq, findings = self._scene.seq, self._scene.findings
        ahead, behind = findings.following(seq, STOPS), findings.preceding(seq, STOPS)
        said = "select a span, an entry or a diff"
        if self._scene.audit.done and not any(map(findings.count, STOPS)):
            said = f"no error, no warning up to {number(self._scene.history.last)}; {said}"
        if ahead is not None:
            return f"{said}; e goes to the next finding, at {ahead}"
        if behind is None and seq and findings.about_file:
            return f"{said}; E goes to what is found about the file itself"
        return said if behind is None else f"{said}; E goes to the finding before, at {behind}"

    def _unknown(self) -> list[Line]:
        """What the whole journal leaves unknown, by the reason: as much as there is room for."""
        from spanscope.widgets.healthy import doubts

        lines: list[Line] = []
        for said in doubts(self._scene):
            lines += self._said("" if lines else "Unknown", said, limit=3)
        room = max(2, self._height - 3)
        if len(lines) <= room:
            return lines
        rest = f"{number(self._scene.unknown)} in all: spanscope check lists them"
        return [*lines[: room - 1], Row().gap(self._label).put(rest, "muted").line()]

    def _head(self, subject: Subject | None, finding: Finding | None) -> list[Line]:
        if finding is None:
            from spanscope.widgets.healthy import state_of

            assert subject is not None
            return [
                plain(line)
                for line in wrap(shown_line(state_of(self._scene, subject)), self._width)
            ]
        row = Row().put(f"{sign(finding)} {finding.rule} ", role(finding))
        row.put(finding.name, "strong").gap(2)
        since = "at" if finding.seq == self._scene.seq else "since"
        about = [] if subject is None else [subject.name]
        named = dict.fromkeys([*about, *(each.name for each in subjects_of(finding))])
        where = "" if finding.seq is None else f", {since} {finding.seq}"
        row.put(f"{', '.join(named) or 'the journal'}{where}")
        lines = [row.line()]
        others = "" if subject is None else self._also(subject, finding)
        if others:
            lines.append(Row().gap(2).put(others, "muted").line())
        return lines

    def _also(self, subject: Subject, finding: Finding) -> str:
        about, seq = self._scene.findings.about(subject), self._scene.seq
        others = (each for each in about.upto(seq) if each is not finding)
        words = [f"{sign(each)} {each.rule} at {each.seq}" for each in islice(others, NAMED)]
        all_ = about.count(seq) - ((finding.seq or 0) <= seq)
        for count in range(len(words), 0, -1):
            more = f" and {number(all_ - count)} more" if all_ > count else ""
            said = f"also {', '.join(words[:count])}{more}"
            if len(said) + 2 <= self._width:
                return said
        return f"also {number(all_)} more" if words else ""

    def _text(self, name: str) -> list[Line]:
        """How the text of a span begins, in a third of the height."""
        from spanscope.widgets.healthy import beginning

        limit, width = max(2, self._height // 3), max(8, self._width - self._label)
        text = beginning(self._scene, name, limit * width)
        return [
            Row().put("" if index else "Text", "muted", self._label).put(line).line()
            for index, line in enumerate(wrap(text, width, limit) if text else ())
        ]

    def _said(
        self, label: str, text: str, how: Role = "plain", limit: int | None = None
    ) -> list[Line]:
        lines = []
        for index, part in enumerate(
            wrap(shown_line(text), max(8, self._width - self._label), limit)
        ):
            row = Row().put(label if index == 0 else "", "muted", self._label)
            lines.append(row.put(part, how).line())
        return lines

    def _evidence(self, subject: Subject, finding: Finding | None) -> list[Line]:
        from spanscope.widgets.evidence import evidence
        from spanscope.widgets.healthy import is_bad

        if finding is None and not is_bad(self._scene, subject):
            return []

        shown = evidence(self._scene, subject, finding)
        room = self._width - self._label
        texts = [_visible_pieces(item.segments) for item in shown]
        skip = max((_skipped(pieces, room) for pieces in texts), default=0)
        return [
            self._evidence_line(item, _after(pieces, skip))
            for item, pieces in zip(shown, texts, strict=True)
        ]

    def _evidence_line(self, item: EvidenceLine, pieces: Pieces) -> Line:
        row = Row().put(item.label, "muted", self._label)
        for text, changed in pieces:
            row.put(text, item.changed if changed else item.role)
        return row.line()

    def _further(self, subject: Subject, finding: Finding | None) -> list[Line]:
        from spanscope.widgets.evidence import further

        lines: list[Line] = []
        for label, text, how in further(self._scene, subject, finding):
            lines += self._said(label, text, how)
        return lines

    def _chain(self, subject: Subject, finding: Finding | None) -> Block:
        from spanscope.widgets.chain import chain_line, column_of, links

        block = Block("chain")
        chain, width = links(self._scene, subject, finding), self._width - self._label
        column = column_of(self._scene, chain, width)
        for index, link in enumerate(chain):
            chosen = link.seq == self._chosen
            line = chain_line(self._scene, link, width, column, chosen=chosen)
            label = "Chain" if index == 0 else f"{link.left_out} more" if link.left_out else ""
            start = Row().put(label, "muted", self._label).line()
            block.lines.append(Line((*start.cells, *line.cells), line.fill))
            block.seqs.append(link.seq)
        return block

    def _incident(self, finding: Finding | None) -> list[Line]:
        """What else comes from this step, where it is the cause of several findings."""
        incident = self._scene.findings.incidents.at(self._scene.seq)
        if incident is None or not incident.shared:
            return []
        if finding is not None and self._scene.findings.incidents.of(finding) is not incident:
            return []
        here = sum(incident.count(severity, self._scene.seq) for severity in SIGNS)
        ahead = len(incident) - here
        row = Row().put("Incident", "muted", self._label).put(f"{number(here)} here")
        row.put(f", {number(ahead)} ahead" if ahead else "")
        for index, each in enumerate(incident.worst_first()):
            said = f"{', ' if index else ': '}{sign(each)} {each.rule} at {each.seq}"
            if row.width + len(said) + len(MORE) > self._width:
                row.put(MORE if index else MORE.replace(" ..", "  "), "muted")
                break
            dim = each.seq is not None and each.seq > self._scene.seq
            row.put(said, "future" if dim else role(each))
        return [row.line()]

    def _go(self, subject: Subject, finding: Finding | None) -> list[Line]:
        row = Row().put("Go", "muted", self._label)
        cause = finding.caused_by if finding is not None else None
        if cause is not None and cause != self._scene.seq:
            row.put("b", "key").put(f" to {cause}").gap(3)
        elif cause is None and finding is not None and finding.seq != self._scene.seq:
            row.put("b", "key").put(f" to {finding.seq}").gap(3)
        if finding is not None:
            row.put("R", "key").put(" the rule").gap(3)
        row.put("d", "key").put(" the change").gap(3)
        row.put("s S", "key").put(f" along {subject.name}")
        return [row.line()]

    def __len__(self) -> int:
        """How many rows there are."""
        return len(self._rows)

    def row(self, number: int) -> Line:
        """One row, from 0."""
        return self._rows[number][0]

    def seq(self, number: int) -> int | None:
        """The step that a row stands for."""
        return self._rows[number][1]

    def anchor(self) -> int | None:
        """The selected row, else the first that this step changed."""
        if self._chosen is None:
            return None
        return next((i for i, (_, seq) in enumerate(self._rows) if seq == self._chosen), None)

    @property
    def chain(self) -> list[int]:
        """The events of the chain, oldest first."""
        return [seq for _, seq in self._rows if seq is not None]


_GROUPS = {
    "claim": "claims",
    "found": "claims",
    "evidence": "evidence",
    "further": "evidence",
    "incident": "chain",
    "rule": "rules",
    "instead": "rules",
}
"""Blocks without an empty line between them."""


def _visible_pieces(segments: Segments) -> Pieces:
    return [(shown_line(text), changed) for text, changed in segments]


def _skipped(pieces: Pieces, room: int) -> int:
    """How many characters to leave out at the start so that the first change is seen."""
    first = next((at for at, (_, changed) in enumerate(pieces) if changed), len(pieces))
    before = "".join(text for text, _ in pieces[:first])
    total = cell_width("".join(text for text, _ in pieces))
    if total <= room or cell_width(before) + 16 <= room:
        return 0
    return len(before) - len(ending(before, room // 3))


def _after(pieces: Pieces, skip: int) -> Pieces:
    """The pieces without their first characters, `..` in their place."""
    if not skip:
        return pieces
    kept: Pieces = [(CUT, False)]
    for text, changed in pieces:
        if text[skip:]:
            kept.append((text[skip:], changed))
        skip = max(0, skip - len(text))
    return kept
