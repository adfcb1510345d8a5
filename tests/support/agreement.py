"""What the screen says at a step held against what `spanscope show` says there."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, NamedTuple

from spanscope.app.app import SpanscopeApp
from spanscope.app.layout import RULED_HEIGHT
from spanscope.cli.show import moment_as_json
from spanscope.history.history import History
from spanscope.journal.events import Mark, Render
from spanscope.rules.finding import SEVERITY_ORDER
from spanscope.text.visible import visible_segments
from spanscope.widgets.content import ContentListing
from spanscope.widgets.context import ContextListing
from spanscope.widgets.finding_list import FindingListing
from spanscope.widgets.findings import SIGNS
from spanscope.widgets.header import COMPACT
from spanscope.widgets.holders import HoldersListing
from spanscope.widgets.listing import Listing
from spanscope.widgets.map_view import MapListing
from spanscope.widgets.pane import Pane
from support.pinned import compare_pinned
from support.screens import pane_text, screen_lines

SHORT = {"ambig": "ambiguous", "clobber": "clobbered", "mislead": "misleading"}
STATES = ("fresh", "stale", "invalidated", "dangling", "unknown")

Shown = dict[str, Any]


def compare(app: SpanscopeApp, history: History) -> None:
    """Everything on the screen against `show` at the cursor's step."""
    if app.screen is not app.board:
        return
    free = left_free(app)
    shown = moment_as_json(history.at(app.navigator.seq))
    if free == app.size.width:
        compare_lines(app, shown, history)
    if app.desk.what_if is None:
        compare_panes(app, free, shown, history)


def left_free(app: SpanscopeApp) -> int:
    """The columns that neither help nor the list of places covers."""
    above = [app.board.query_one("#help"), app.board.query_one("#places")]
    return min((each.region.x for each in above if each.display), default=app.size.width)


def compare_lines(app: SpanscopeApp, shown: Shown, history: History) -> None:
    """The header and the tabs of a small terminal."""
    lines = screen_lines(app)
    compare_header(lines[0], shown, history)
    if app.desk.what_if is not None:
        assert "SIMULATED" in lines[0]
    elif app.navigator.pin is not None and app.size.width >= COMPACT:
        assert f"PIN {app.navigator.pin} > {shown['seq']}" in lines[0]
    if app.size.height < RULED_HEIGHT:
        compare_tabs(lines[2], shown)
    if app.board.panes["detail"].display and app.desk.tab == "why":
        compare_why(app, shown, history)


def compare_panes(app: SpanscopeApp, free: int, shown: Shown, history: History) -> None:
    """Every pane that is there; with a pin, those that compare it with this step against both."""
    checks = {
        "spans": compare_spans,
        "undo": compare_undo,
        "staging": compare_staging,
        "events": compare_events,
    }
    pinned = app.navigator.pin is not None
    was = moment_as_json(history.at(app.navigator.pin)) if app.navigator.pin is not None else None
    for name, pane in app.board.panes.items():
        if not pane.display:
            continue
        if name in checks and pane.region.right <= free and (name == "events" or not pinned):
            checks[name](pane_text(app, name), pane, shown)
        elif pane.listing is not None:
            compare_listing(pane.listing, shown, history, pinned=pinned)
            if was is not None:
                compare_pinned(pane.listing, was, shown)


def compare_tabs(line: str, shown: Shown) -> None:
    """The tabs of a small terminal count what there is."""
    live = sum(span["state"] in ("live", "unknown") for span in shown["spans"])
    for name, count in (
        ("Spans", live),
        ("Undo", len(shown["undo"])),
        ("Staging", len(shown["staging"])),
    ):
        assert re.search(rf"\b{name} {count}\b", line), line


def compare_listing(listing: Listing, shown: Shown, history: History, *, pinned: bool) -> None:
    """The tabs of the details, the findings and the map, to their last row."""
    rows = [listing.row(number).text for number in listing.numbers()]
    if isinstance(listing, ContentListing) and not pinned:
        compare_content(rows, shown)
    elif isinstance(listing, HoldersListing):
        compare_holders(rows, shown)
    elif isinstance(listing, ContextListing):
        compare_context(rows, shown, history)
    elif isinstance(listing, FindingListing):
        compare_findings(listing, shown, history)
    elif isinstance(listing, MapListing):
        compare_map(listing, shown)


def compare_content(rows: list[str], shown: Shown) -> None:
    """The text of a span, its version, hash and length."""
    found = (
        (at, re.match(r"(\S+)  v(\d+)  (\S+)  (\S+) chars", row)) for at, row in enumerate(rows)
    )
    head = next(((at, match) for at, match in found if match is not None), None)
    if head is None:
        assert re.search(r"select a span|is not there at|has no text at", rows[0]), rows
        gone = re.match(r"(\S+) is not there at", rows[0])
        states = {span["span"]: span["state"] for span in shown["spans"]}
        assert gone is None or states.get(gone.group(1), "pruned") == "pruned", rows
        return
    at, match = head
    span = next(span for span in shown["spans"] if span["span"] == match.group(1))
    assert int(match.group(2)) == span["version"], rows
    assert span["hash"] is None or match.group(3) in span["hash"], rows
    if span["content"] is None:
        assert re.search("the text is", rows[at + 1]), rows
        assert match.group(4) == "?", rows
        return
    assert int(match.group(4).replace(",", "")) == span["length"], rows
    lines = numbered(rows[at + 1 :])
    if lines is not None:
        wanted = span["content"].split("\n")
        assert lines == ["".join(t for t, _ in visible_segments([(w, None)])) for w in wanted]


def numbered(rows: list[str]) -> list[str] | None:
    """The lines of a text that is shown with numbers, wrapped ones in one piece.

    Null where it stands beside another text.
    """
    lines: list[str] = []
    for row in rows:
        if " │ " in row:
            return None
        if not row:
            break
        piece = re.match(r"( *\d+| +) [ >+-] (.*)", row)
        assert piece is not None, row
        if piece.group(1).strip():
            lines.append(piece.group(2))
        else:
            lines[-1] += piece.group(2)
    return lines


def compare_holders(rows: list[str], shown: Shown) -> None:
    """Every artifact on the span with its state."""
    where = re.match(r"(?:nobody holds anything of )?(\S+) at \d+", rows[0])
    if where is None:
        return
    wanted = {a["artifact"]: a["state"] for a in shown["artifacts"] if a["span"] == where.group(1)}
    states = "|".join(STATES)
    found = (re.match(rf"[>~ ] (\S+)  ({states})  ", row) for row in rows)
    named = {match.group(1): match.group(2) for match in found if match is not None}
    assert wanted.items() <= named.items(), rows
    others = {a["artifact"]: a["state"] for a in shown["artifacts"]}
    others |= {diff["diff"]: diff["verdict"] for diff in shown["staging"]}
    assert named.items() <= others.items(), rows


def compare_context(rows: list[str], shown: Shown, history: History) -> None:
    """What the model was shown: the items of the last render, or the live spans."""
    at = re.search(r"(?: at| up to) (\d+)", rows[0])
    assert at is not None, rows
    seq = int(at.group(1))
    assert seq <= shown["seq"], rows
    event = history.event(seq) if seq else None
    then = {span["span"]: span for span in moment_as_json(history.at(seq))["spans"]}
    if isinstance(event, Render):
        names = [item.span for item in event.items]
    else:
        assert isinstance(event, Mark) or "no call" in rows[0]
        names = [name for name, span in then.items() if span["state"] in ("live", "unknown")]
    count = re.search(r"(\d+) items?,", rows[0])
    assert count is not None, rows
    assert int(count.group(1)) == len(names), rows
    listed = (re.match(r". (\S+) +v(\d+) ", row) for row in rows[rows.index("") :])
    for match in listed:
        if match is not None and match.group(1) in names:
            assert int(match.group(2)) == then[match.group(1)]["version"], rows


def compare_findings(listing: FindingListing, shown: Shown, history: History) -> None:
    """Every finding is in one row's incident, what is ahead looks like it, the worst come first."""
    items = [listing.item(number) for number in listing.numbers()]
    listed = {finding.id for item in items for finding in item.incident.findings}
    assert listed <= {finding.id for finding in history.findings}
    worst = [SEVERITY_ORDER[item.incident.worst.severity] for item in items]
    assert worst == sorted(worst)
    for number, item in enumerate(items):
        line = listing.row(number)
        assert SIGNS[item.finding.severity] in line.text
        if item.kind != "head" and item.finding.seq is not None and item.finding.rule in line.text:
            ahead = item.finding.seq > shown["seq"]
            assert not ahead or all(r == "future" for t, r in line.cells if t.strip(" >")), line


def compare_map(listing: MapListing, shown: Shown) -> None:
    """A row for every span there is."""
    names = {
        str(subject.id)
        for number in listing.numbers()
        if (subject := listing.subject(number)) is not None and subject.kind == "span"
    }
    assert {span["span"] for span in shown["spans"]} <= names


def compare_header(line: str, shown: Shown, history: History) -> None:
    assert re.search(rf" (?:step )?{shown['seq']}/{history.last}\b", line), line
    revision = re.search(r" r(?:ev )?(\d+)\b", line)
    assert (revision is not None) == (shown["revision"] is not None), line
    if revision is not None:
        assert int(revision.group(1)) == shown["revision"]
    here, total = history.counts(shown["seq"]), history.counts()
    for severity, sign in (("error", "!"), ("warning", "~")):
        counts = re.search(rf"(?:{severity}s|{sign}) (\d+)/(\d+)", line)
        assert counts is not None, line
        assert [int(count) for count in counts.groups()] == [here[severity], total[severity]]


class Row(NamedTuple):
    """A row of a pane: the sign in its gutter, empty where there is none, and its words."""

    sign: str
    words: list[str]


def rows_of(text: str, heading: bool) -> list[Row]:
    """The rows below title and heading."""
    rows = []
    for line in text.splitlines()[1 + heading :]:
        gutter = re.match(r"([>*x~?-]) ?(?=\S)", line)
        sign = gutter.group(1) if gutter is not None else ""
        rows.append(Row(sign, line.removeprefix(sign).split()))
    return [row for row in rows if row.words]


def compare_spans(text: str, pane: Pane, shown: Shown) -> None:
    rows = rows_of(text, pane.boxed)
    spans = [row for row in rows if re.match(r"\S+ v\d+( |$)", " ".join(row.words))]
    wanted = [(span["span"], f"v{span['version']}") for span in shown["spans"]]
    found = [(row.words[0], row.words[1]) for row in spans]
    assert is_part(found, wanted), (found, wanted)
    states = {span["span"]: span["state"] for span in shown["spans"]}
    artifacts = {artifact["artifact"]: artifact["state"] for artifact in shown["artifacts"]}
    for row in spans:
        state = states[row.words[0]]
        signs = {"live": "", "tombstone": "-", "pruned": "x", "unknown": "?"}
        said = row.sign == signs[state] or row.sign in "*>" or state in row.words
        assert said, row
        assert (state != "live") or not set(row.words[2:]) & {"pruned", "tombstone", "unknown"}
    for row in rows:
        if pane.boxed and row.words[0] in artifacts and row.words[1] in STATES:
            assert row.words[1] == artifacts[row.words[0]], row
    live = sum(state in ("live", "unknown") for state in states.values())
    assert re.match(rf"Spans {live}\b", text), text


def compare_undo(text: str, pane: Pane, shown: Shown) -> None:
    rows = [row.words for row in rows_of(text, pane.boxed)]
    entries = [row for row in rows if re.fullmatch(r"#\d+", row[0])]
    wanted = [f"#{entry['entry']}" for entry in shown["undo"]]
    assert is_part([row[0] for row in entries], wanted), (entries, wanted)
    by_name = {f"#{entry['entry']}": entry for entry in shown["undo"]}
    for row in entries:
        direct = by_name[row[0]]["direct"]
        words = [SHORT.get(word, word) for word in row]
        assert direct in words or (direct == "ambiguous" and "offset" in words), row
    reachable = sum(entry["reachable"] is True for entry in shown["undo"])
    if shown["undo"]:
        count = "all" if reachable == len(shown["undo"]) else str(reachable)
        assert re.match(rf"Undo {len(shown['undo'])}  reachable {count}\b", text), text
    else:
        assert text.startswith("Undo 0")


def compare_staging(text: str, pane: Pane, shown: Shown) -> None:
    verdicts = {diff["diff"]: diff["verdict"] for diff in shown["staging"]}
    assert re.match(rf"Staging {len(verdicts)}\b", text), text
    for _, row in rows_of(text, pane.boxed):
        out = {"applied", "rejected", "withdrawn", "out", "out:"} & set(row)
        if re.fullmatch(r"D\d", row[0]) and not out:
            assert verdicts[row[0]] in row, row


def compare_events(text: str, pane: Pane, shown: Shown) -> None:
    cursor = [line for line in text.splitlines() if re.match(r">\s+\d+ ", line)]
    in_view = pane.listing is not None and pane.listing.anchor() is not None
    if cursor:
        assert [int(line.split()[1]) for line in cursor] == [shown["seq"]]
    elif shown["seq"] and in_view:
        anchor = pane.listing.anchor() if pane.listing is not None else None
        assert anchor is not None
        assert not pane.top <= anchor < pane.top + pane.rows


def compare_why(app: SpanscopeApp, shown: Shown, history: History) -> None:
    subject = app.navigator.selected
    first = next(iter(pane_text(app, "detail").splitlines()[1:]), "")
    finding = re.match(r"[!~i] ([A-Z]{3}\d{3}) ", first)
    if finding is not None:
        about = [f for f in history.findings if f.rule == finding.group(1) and f.seq is not None]
        assert any(f.seq <= shown["seq"] for f in about if f.seq is not None), first
        return
    if subject is None:
        return
    said = re.match(rf"{re.escape(subject.name)} is (\w+)", first)
    if said is not None and subject.kind == "artifact" and said.group(1) in STATES:
        states = [a["state"] for a in shown["artifacts"] if a["artifact"] == subject.id]
        assert states == [said.group(1)], first
    if re.match(rf"#{subject.id} .* can be undone", first):
        assert [e["reachable"] for e in shown["undo"] if e["entry"] == subject.id] == [True]


def is_part(part: Sequence[object], whole: Sequence[object]) -> bool:
    """Whether the one stands in the other without a gap."""
    return any(
        list(whole[at : at + len(part)]) == list(part) for at in range(len(whole) - len(part) + 1)
    )
