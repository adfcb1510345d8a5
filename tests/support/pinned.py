"""What the panes say of two steps, the pinned one and the cursor's, held against `show` at both."""

from __future__ import annotations

import re
from typing import Any

from spanscope.text.visible import visible_segments
from spanscope.widgets.content import ContentListing
from spanscope.widgets.listing import Listing
from spanscope.widgets.spans import SpansListing
from spanscope.widgets.staging import StagingListing
from spanscope.widgets.undo import UndoListing

Shown = dict[str, Any]

STATES = "fresh|stale|invalidated|dangling|unknown"
SHORT = {"ambig": "ambiguous", "clobber": "clobbered", "mislead": "misleading"}


def compare_pinned(listing: Listing, was: Shown, now: Shown) -> None:
    """A pane that compares two steps, to its last row."""
    rows = [listing.row(number).text for number in listing.numbers()]
    title = listing.title().text
    if isinstance(listing, SpansListing):
        compare_spans(title, rows, was, now)
    elif isinstance(listing, UndoListing):
        compare_undo(title, rows, was, now)
    elif isinstance(listing, StagingListing):
        compare_staging(title, rows, was, now)
    elif isinstance(listing, ContentListing):
        compare_content(rows, was, now)


def counts_of(title: str) -> dict[str, int]:
    """What a title counts."""
    found = re.findall(r"  (changed|new|gone) ([\d,]+)", title)
    return {word: int(count.replace(",", "")) for word, count in found}


def compare_spans(title: str, rows: list[str], was: Shown, now: Shown) -> None:
    """Every span that is there now: both versions, and whether it changed, came or went."""
    then = {span["span"]: span for span in was["spans"]}
    here = {span["span"]: span for span in now["spans"]}
    listed = []
    for row in rows:
        match = re.match(r"(.) ([^ ]+) +v(\d+)(?: ?> ?v(\d+))?( |$)", row)
        if match is None or match.group(2) not in here:
            continue
        sign, name, *versions = match.groups()[:4]
        listed.append(name)
        before, span = then.get(name), here[name]
        known = [int(version) for version in versions if version is not None]
        assert known[-1] == span["version"], row
        if before is not None:
            both = [before["version"], span["version"]]
            assert known == (both if both[0] != both[1] else both[1:]), row
        if sign != ">" and "unknown" not in (span["state"], before and before["state"]):
            assert sign == sign_of(before, span), row
    assert listed == [span["span"] for span in now["spans"]]
    live = [
        {name for name, span in at.items() if span["state"] in ("live", "unknown")}
        for at in (then, here)
    ]
    assert re.match(rf"Spans {len(live[1])}\b", title), title
    assert counts_of(title).get("new", 0) == len(
        {name for name in live[1] if not there(then.get(name))}
    )
    compare_artifacts(rows, was, now)


def there(span: Shown | None) -> bool:
    """Whether a span holds a text: it lives, or is the tombstone of a copy."""
    return span is not None and span["state"] != "pruned"


def sign_of(before: Shown | None, span: Shown) -> str:
    """The sign of a span in the gutter."""
    plain = {"tombstone": "-", "pruned": "x"}.get(span["state"], " ")
    if there(before) != there(span):
        return "+" if there(span) else "*"
    if before is None or not there(span):
        return plain
    same = all(before[fact] == span[fact] for fact in ("version", "hash", "state"))
    return plain if same else "*"


def compare_artifacts(rows: list[str], was: Shown, now: Shown) -> None:
    """Both states of every artifact that is shown."""
    then = {each["artifact"]: each["state"] for each in was["artifacts"]}
    here = {each["artifact"]: each["state"] for each in now["artifacts"]}
    for row in rows:
        match = re.match(rf". +.? ?(\S+) +(?:({STATES}) > )?({STATES})\b", row)
        if match is None or match.group(1) not in here:
            continue
        name, before, state = match.groups()
        assert state == here[name], row
        assert before == (then[name] if then.get(name, state) != state else None), row


def compare_undo(title: str, rows: list[str], was: Shown, now: Shown) -> None:
    """Every entry with its status now, and whether it is new or stands otherwise."""
    then = {entry["entry"]: entry for entry in was["undo"]}
    here = {entry["entry"]: entry for entry in now["undo"]}
    listed = []
    for row in rows:
        match = re.match(r"([>*+ ] )?#(\d+)\b", row)
        if match is None:
            continue
        sign, seq = match.group(1), int(match.group(2))
        listed.append(seq)
        words = {SHORT.get(word, word) for word in row.split()}
        direct = here[seq]["direct"]
        assert direct in words or (direct == "ambiguous" and "offset" in words), row
        if sign is not None and sign != "> ":
            facts = [(at[seq]["direct"], at[seq]["reachable"]) for at in (then, here) if seq in at]
            changed = "* " if facts[0] != facts[-1] else "  "
            assert sign == (changed if seq in then else "+ "), row
    assert listed == list(here)
    assert re.match(rf"Undo {len(here)}\b", title), title
    counts = counts_of(title)
    assert counts.get("new", 0) == len(here.keys() - then.keys()), title
    assert counts.get("gone", 0) == len(then.keys() - here.keys()), title


def compare_staging(title: str, rows: list[str], was: Shown, now: Shown) -> None:
    """Every staged diff with both verdicts."""
    then = {diff["diff"]: diff["verdict"] for diff in was["staging"]}
    here = {diff["diff"]: diff["verdict"] for diff in now["staging"]}
    assert re.match(rf"Staging {len(here)}\b", title), title
    seen = set()
    for row in rows:
        match = re.match(r"[>* ] ?(D\d+) ", row)
        if match is None:
            continue
        name = match.group(1)
        seen.add(name)
        if name in here and ".." not in row:
            verdict, before = here[name], then.get(name, here[name])
            said = verdict if before == verdict else f"{before} > {verdict}"
            assert f" {said}" in row, row
    assert here.keys() <= seen
    assert counts_of(title).get("gone", 0) == len(then.keys() - here.keys() - seen)


def compare_content(rows: list[str], was: Shown, now: Shown) -> None:
    """The text of a span now, and at the pin where it was another one."""
    heads = [
        (at, match)
        for at, row in enumerate(rows)
        if (match := re.match(r"(\S+)  v(\d+)  (\S+)  (\S+) chars", row)) is not None
    ]
    if not heads:
        return
    name = heads[0][1].group(1)
    here, then = (next((s for s in at["spans"] if s["span"] == name), None) for at in (now, was))
    assert here is not None, rows
    if here["content"] is None:
        return
    texts = [here["content"]]
    if then is not None and then["content"] not in (None, texts[0]):
        texts.append(then["content"])
    sections = sections_of(rows, heads[0][0])
    if sections is None:
        return
    if then is not None and then["state"] == "pruned":
        # What was taken out is shown, but `show` does not tell it.
        sections, texts = sections[:1], texts[:1]
    wanted = [[shown(line) for line in text.split("\n")] for text in texts]
    assert [section or [""] for section in sections] == wanted, rows


def shown(line: str) -> str:
    """A line as the screen has it."""
    return "".join(text for text, _ in visible_segments([(line, None)]))


def sections_of(rows: list[str], head: int) -> list[list[str]] | None:
    """The texts that stand below heads, line by line; null where two stand beside each other."""
    sections: list[list[str]] = []
    for row in rows[head:]:
        piece = re.match(r"( *\d+| +) [ >+-](?: (.*)|$)", row)
        if " │ " in row:
            return None
        if re.match(r"\S+  v\d+  ", row):
            sections.append([])
        elif piece is not None and piece.group(1).strip():
            sections[-1].append(piece.group(2) or "")
        elif piece is not None and sections[-1]:
            sections[-1][-1] += piece.group(2) or ""
    return sections
