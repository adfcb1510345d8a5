"""Whole journals: headers, checksums, torn tails, giant lines, damage anywhere, any cutting."""

from __future__ import annotations

import tracemalloc
import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.lines import (
    HEADER,
    faults,
    headers,
    journal,
    mark,
    parse,
    parse_in_pieces,
    records,
    rules,
    seqs,
    text,
    with_crc,
)

from spanscope.journal.reader import Fault, Header, JournalParser, decode_event

SMALL = journal(mark(1, "é"), mark(2), {"type": "teleport", "seq": 3, "time": "t"}, crc=True)
PLACES = [0, *(i + 1 for i, byte in enumerate(SMALL) if byte == 10)]


# The header


def test_an_empty_journal_has_no_header() -> None:
    (fault,) = parse(b"")
    assert isinstance(fault, Fault)
    assert (fault.rule, fault.offset, fault.length, fault.poisons) == ("JNL010", 0, 0, False)


def test_an_event_on_line_1_is_reported_and_kept() -> None:
    found = parse(text(mark(1)) + b"\n" + text(mark(2)) + b"\n")
    assert rules(found) == [("JNL010", 0)]
    assert not faults(found)[0].poisons
    assert seqs(found) == [1, 2]


def test_an_unknown_event_on_line_1_is_reported_and_kept() -> None:
    found = parse(b'{"type":"teleport","seq":1,"time":"t"}\n')
    assert rules(found) == [("JNL010", 0)]
    assert seqs(found) == [1]


def test_a_header_of_another_format_is_reported_and_reading_goes_on() -> None:
    foreign = text({"type": "session", "format": "spanscope.journal/2", "id": 4})
    found = parse(foreign + b"\n" + text(mark(1)) + b"\n")
    assert rules(found) == [("JNL010", 0)]
    assert "spanscope.journal/2" in faults(found)[0].message
    assert headers(found) == []
    assert seqs(found) == [1]


@pytest.mark.parametrize(
    "line",
    [
        b"hello",
        b"",
        b"[]",
        text({"type": "session", "format": "spanscope.journal/1"}),
        text({"type": "session", "session": "s"}),
        text({**HEADER, "session": 3}),
    ],
)
def test_an_unreadable_line_1_is_both_unreadable_and_no_header(line: bytes) -> None:
    found = parse(line + b"\n" + text(mark(1)) + b"\n")
    assert rules(found) == [("JNL002", 0), ("JNL010", 0)]
    assert [fault.poisons for fault in faults(found)] == [True, False]
    assert seqs(found) == [1]


def test_a_header_line_1_that_is_torn() -> None:
    assert rules(parse(text(HEADER))) == [("JNL001", 0), ("JNL010", 0)]


def test_a_live_journal_without_a_whole_header_has_no_fault_yet() -> None:
    assert parse(b"", live=True) == []
    assert parse(text(HEADER), live=True) == []


def test_the_start_of_a_bad_line_1_is_told_without_its_byte_order_mark() -> None:
    found = faults(parse(b"\xef\xbb\xbf" + b"h" * 200 + b"\n"))
    assert [fault.head for fault in found] == ["h" * 120] * 2


def test_all_fields_of_a_header_are_read() -> None:
    header = {
        **HEADER,
        "agent": "planner",
        "tokenizer": "t",
        "started": "2026-11-11T09:00:00Z",
        "parent": {"session": "p", "seq": 4},
        "records": ["versions"],
        "future": 1,
    }
    (found,) = headers(parse(text(header) + b"\n"))
    assert found.session.parent is not None
    assert (found.session.agent, found.session.parent.seq) == ("planner", 4)
    assert found.session.records == ["versions"]


# Torn tails


def test_a_torn_tail_is_reported_in_a_recording_only() -> None:
    data = journal(mark(1)) + text(mark(2))
    assert rules(parse(data)) == [("JNL001", len(journal(mark(1))))]
    assert seqs(parse(data)) == [1]
    assert rules(parse(data, live=True)) == []
    assert seqs(parse(data, live=True)) == [1]


def test_a_live_tail_becomes_an_event_when_its_newline_arrives() -> None:
    parser = JournalParser()
    data = journal(mark(1))
    parser.feed(data)
    assert parser.feed(text(mark(2))) == []
    assert (parser.offset, parser.unfinished) == (len(data), len(text(mark(2))))
    assert parser.finish(live=True) == []
    assert seqs(parser.feed(b"\n")) == [2]
    assert parser.unfinished == 0


def test_what_was_torn_at_the_end_is_no_part_of_what_comes_after_it() -> None:
    parser = JournalParser()
    torn = text(mark(2))[:20]
    parser.feed(journal(mark(1)) + torn)
    assert rules(parser.finish()) == [("JNL001", len(journal(mark(1))))]
    assert (parser.offset, parser.unfinished) == (len(journal(mark(1)) + torn), 0)
    assert seqs(parser.feed(text(mark(2)) + b"\n")) == [2]
    assert parser.finish() == []


def test_cut_at_every_byte_keeps_every_complete_line() -> None:
    for cut in range(len(SMALL) + 1):
        found = parse(SMALL[:cut])
        whole = sum(place <= cut for place in PLACES[1:])
        assert len(headers(found)) == min(whole, 1)
        assert seqs(found) == list(range(1, whole))
        torn = [("JNL001", PLACES[whole])] if cut > PLACES[whole] else []
        assert rules(found) == torn + ([] if whole else [("JNL010", 0)])


# Checksums


def test_checksums_that_fit_are_quiet() -> None:
    assert rules(parse(SMALL)) == []
    assert seqs(parse(SMALL)) == [1, 2, 3]


@pytest.mark.parametrize("digits", [b"00000000", b"ABCDEF01", b"+0000001", b"1 000000"])
def test_a_wrong_checksum_is_reported_and_the_line_skipped(digits: bytes) -> None:
    wrong = with_crc(text(mark(1)))[:-10] + digits + b'"}'
    data = journal(crc=True) + wrong + b"\n" + with_crc(text(mark(2))) + b"\n"
    found = parse(data)
    assert rules(found) == [("JNL004", PLACES[1])]
    assert faults(found)[0].poisons
    assert seqs(found) == [2]


def test_a_checksum_is_compared_as_bytes_not_as_a_number() -> None:
    line = next(
        with_crc(body)
        for body in (text(mark(1, str(i))) for i in range(100))
        if any(97 <= byte <= 102 for byte in with_crc(body)[-10:-2])
    )
    upper = line[:-10] + line[-10:-2].upper() + b'"}'
    assert rules(parse(journal(crc=True) + upper + b"\n")) == [("JNL004", PLACES[1])]


def test_a_header_with_a_wrong_checksum_is_that_only() -> None:
    data = with_crc(text(HEADER)).replace(b'"s"', b'"z"') + b"\n" + with_crc(text(mark(1))) + b"\n"
    found = parse(data)
    assert rules(found) == [("JNL004", 0)]
    assert headers(found) == []
    assert seqs(found) == [1]


def test_a_later_line_without_a_checksum_is_reported_where_line_1_has_one() -> None:
    data = journal(crc=True) + text(mark(1)) + b"\n" + with_crc(text(mark(2))) + b"\n"
    found = parse(data)
    assert rules(found) == [("JNL004", PLACES[1])]
    assert faults(found)[0].poisons
    assert seqs(found) == [2]


def test_an_unreadable_line_without_a_checksum_is_unreadable() -> None:
    data = journal(crc=True) + b"hello\n"
    assert rules(parse(data)) == [("JNL002", PLACES[1])]


def test_line_1_is_reported_once_where_only_later_lines_have_a_checksum() -> None:
    later = [with_crc(text(mark(1))), text(mark(2)), with_crc(text(mark(3)))]
    found = parse(journal(*later))
    assert rules(found) == [("JNL004", 0)]
    (fault,) = faults(found)
    assert not fault.poisons
    assert (fault.length, fault.head) == (len(text(HEADER)), text(HEADER).decode())
    assert seqs(found) == [1, 2, 3]


def test_later_checksums_are_checked_though_line_1_has_none() -> None:
    wrong = with_crc(text(mark(1))).replace(b'"x"', b'"y"')
    found = parse(journal(wrong, with_crc(text(mark(2)))))
    assert rules(found) == [("JNL004", len(text(HEADER)) + 1), ("JNL004", 0)]
    assert seqs(found) == [2]


def test_crc_elsewhere_in_a_line_is_an_unknown_field() -> None:
    inside = mark(1, meta={"a": 1, "crc": "12345678"})
    first = {"crc": "12345678", **mark(2)}
    quoted = mark(3, ',"crc":"12345678"}')
    found = parse(journal(inside, first, quoted))
    assert rules(found) == []
    assert seqs(found) == [1, 2, 3]


@pytest.mark.parametrize("inside", ["1234567", "12345678", "123456789"])
def test_a_crc_inside_the_header_is_no_checksum(inside: str) -> None:
    header = text({**HEADER, "meta": {"a": 1, "crc": inside}})
    found = parse(header + b"\n" + text(mark(1)) + b"\n")
    assert rules(found) == []
    assert len(headers(found)) == 1


@pytest.mark.parametrize("flip", [1, 0x20, 0x80, 0xFF])
def test_every_changed_byte_is_reported_where_it_is(flip: int) -> None:
    for at in range(len(SMALL)):
        changed = bytearray(SMALL)
        changed[at] ^= flip
        found = parse(bytes(changed))
        line = sum(place <= at for place in PLACES) - 1
        assert rules(found)
        # Line 1 without its checksum is noticed at line 2; a lost newline joins two lines.
        assert {offset for _, offset in rules(found)} <= {0, PLACES[line], at + 1}
        assert set(seqs(found)) >= {1, 2, 3} - {line, line + 1}


@pytest.mark.parametrize("byte", [0, 9, 10, 13, 32, 34, 92, 123, 125])
def test_every_byte_replaced_by_one_that_json_knows_is_reported(byte: int) -> None:
    for at in range(len(SMALL)):
        changed = SMALL[:at] + bytes([byte]) + SMALL[at + 1 :]
        assert rules(parse(changed)) or changed == SMALL


@given(st.binary(max_size=200), st.integers(0, len(SMALL)), st.integers(0, 40))
def test_no_garbage_anywhere_makes_up_an_event(garbage: bytes, at: int, lost: int) -> None:
    data = SMALL[:at] + garbage + SMALL[at + lost :]
    found = parse(data)
    for fault in faults(found):
        assert 0 <= fault.offset <= fault.offset + fault.length <= len(data)
        assert fault.message.isprintable()
    real = [record.event for record in records(parse(SMALL))]
    assert all(record.event in real for record in records(found))


# The same line twice


def test_the_same_line_has_the_same_fingerprint_and_another_has_not() -> None:
    data = journal(mark(1), mark(1), mark(1, "y"), crc=True)
    first, again, other = (record.fingerprint for record in records(parse(data)))
    assert first == again != other


@pytest.mark.parametrize("crc", [True, False])
def test_the_fingerprint_is_the_crc_of_the_line(crc: bool) -> None:
    data = journal(mark(1, "é"), crc=crc)
    (record,) = records(parse(data))
    line = data[record.offset : record.offset + record.length]
    assert record.fingerprint == zlib.crc32(line)


# Giant lines


def test_a_line_above_the_cap_is_reported_by_size_and_head_and_skipped() -> None:
    giant = text(mark(2, "g" * 5000))
    data = journal(mark(1), giant, mark(3))
    found = parse(data, max_line=1000)
    assert seqs(found) == [1, 3]
    (fault,) = faults(found)
    assert (fault.rule, fault.length, fault.poisons) == ("JNL002", len(giant), True)
    assert str(len(giant)) in fault.message
    assert fault.head == giant.decode()[:120]


def test_a_line_at_the_cap_is_read() -> None:
    line = text(mark(1, "g" * 500))
    assert seqs(parse(journal(line), max_line=len(line))) == [1]
    assert seqs(parse(journal(line), max_line=len(line) - 1)) == []


def test_a_giant_line_1_is_no_header() -> None:
    data = text({**HEADER, "agent": "g" * 500}) + b"\n" + text(mark(1)) + b"\n"
    assert rules(parse(data, max_line=200)) == [("JNL002", 0), ("JNL010", 0)]
    assert seqs(parse(data, max_line=200)) == [1]


def test_a_giant_torn_line_is_torn() -> None:
    data = journal(mark(1)) + b"g" * 5000
    (fault,) = faults(parse(data, max_line=1000))
    assert (fault.rule, fault.length) == ("JNL001", 5000)


def test_a_giant_line_is_never_kept_whole() -> None:
    parser = JournalParser(max_line=1 << 20)
    parser.feed(journal())
    piece = b"g" * (1 << 16)
    tracemalloc.start()
    for _ in range(1024):
        parser.feed(piece)
    assert parser.unfinished == 1 << 26
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 5 << 20
    (fault,) = parser.feed(b"\n")
    assert isinstance(fault, Fault)
    assert fault.length == 1 << 26


# Any cutting

MESSY = st.lists(
    st.sampled_from(
        [
            text(mark(1)) + b"\n",
            text(mark(2, "é")) + b"\r\n",
            with_crc(text(mark(3))) + b"\n",
            with_crc(text(mark(4))).replace(b"x", b"y") + b"\n",
            text(HEADER) + b"\n",
            with_crc(text(HEADER)) + b"\n",
            b"\xef\xbb\xbf",
            b"hello\n",
            b"\n",
            b"\r",
            b"g" * 300 + b"\n",
            "é".encode() * 150,
            b'{"type":"teleport","seq":1,"time":"t"}\n',
            b"\xff\xfe\n",
        ]
    ),
    max_size=8,
).map(b"".join)


@given(MESSY, st.data())
def test_any_cutting_says_the_same_as_the_whole(data: bytes, draw: st.DataObject) -> None:
    cuts = draw.draw(st.lists(st.integers(0, len(data)), max_size=6))
    assert parse_in_pieces(data, cuts, 200) == parse(data, max_line=200)


@given(MESSY)
def test_one_byte_at_a_time_says_the_same_as_the_whole(data: bytes) -> None:
    cuts = list(range(len(data)))
    assert parse_in_pieces(data, cuts, 200) == parse(data, max_line=200)


@given(MESSY)
def test_every_line_is_accounted_for(data: bytes) -> None:
    found = parse(data, max_line=200)
    ends = [i for i, byte in enumerate(data) if byte == 10]
    starts = [0, *(end + 1 for end in ends)][: len(ends)]
    assert {item.offset for item in found if not isinstance(item, Header)} | {
        header.offset for header in headers(found)
    } >= set(starts)


# One line on its own


def test_a_record_can_be_read_again_from_its_place() -> None:
    for record in records(parse(SMALL)):
        line = SMALL[record.offset : record.offset + record.length]
        assert decode_event(line) == record.event
