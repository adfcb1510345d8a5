"""Journal lines made by hand, as a foreign writer would, and what a parser says of them."""

from __future__ import annotations

import json
import zlib
from itertools import pairwise
from typing import Any

from spanscope.journal.reader import DEFAULT_MAX_LINE, Fault, Header, JournalParser, Parsed, Record

HEADER = {"type": "session", "format": "spanscope.journal/1", "session": "s"}


def text(fields: dict[str, Any]) -> bytes:
    """A line without its newline."""
    return json.dumps(fields, separators=(",", ":"), ensure_ascii=False).encode(
        "utf-8", "surrogatepass"
    )


def with_crc(line: bytes) -> bytes:
    """The same line with a checksum."""
    return line[:-1] + b',"crc":"%08x"}' % zlib.crc32(line[:-1])


def mark(seq: int, label: str = "x", **more: Any) -> dict[str, Any]:
    """The smallest event with text in it."""
    return {
        "type": "mark",
        "seq": seq,
        "time": f"2026-11-11T09:00:{seq % 60:02}Z",
        "kind": "note",
        "label": label,
        **more,
    }


def journal(*lines: dict[str, Any] | bytes, crc: bool = False) -> bytes:
    """Lines (given as fields or ready) after a header, each ended by a newline."""
    plain = [text(HEADER), *(line if isinstance(line, bytes) else text(line) for line in lines)]
    return b"".join((with_crc(line) if crc else line) + b"\n" for line in plain)


def parse(data: bytes, *, max_line: int = DEFAULT_MAX_LINE, live: bool = False) -> list[Parsed]:
    """Everything that a parser says of the whole."""
    parser = JournalParser(max_line)
    return [*parser.feed(data), *parser.finish(live=live)]


def parse_in_pieces(data: bytes, cuts: list[int], max_line: int = DEFAULT_MAX_LINE) -> list[Parsed]:
    """The same, fed in the pieces between the cuts."""
    parser = JournalParser(max_line)
    edges = [0, *sorted(cuts), len(data)]
    found = [item for start, end in pairwise(edges) for item in parser.feed(data[start:end])]
    return [*found, *parser.finish()]


def headers(found: list[Parsed]) -> list[Header]:
    """The headers among what was found."""
    return [item for item in found if isinstance(item, Header)]


def records(found: list[Parsed]) -> list[Record]:
    """The records among what was found."""
    return [item for item in found if isinstance(item, Record)]


def faults(found: list[Parsed]) -> list[Fault]:
    """The faults among what was found."""
    return [item for item in found if isinstance(item, Fault)]


def rules(found: list[Parsed]) -> list[tuple[str, int]]:
    """The rule and byte offset of each fault."""
    return [(fault.rule, fault.offset) for fault in faults(found)]


def seqs(found: list[Parsed]) -> list[int]:
    """The seq of each record."""
    return [record.event.seq for record in records(found)]
