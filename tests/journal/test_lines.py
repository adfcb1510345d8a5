"""What one line may look like: encodings, what other writers produce, what is no event."""

from __future__ import annotations

import json
from typing import Any

import pytest
from support.lines import (
    HEADER,
    faults,
    headers,
    journal,
    mark,
    parse,
    records,
    rules,
    seqs,
    text,
)

from spanscope.journal.events import Ingest, Mark, Observe, Unknown
from spanscope.journal.lines import LineError, decode_event

SECOND = len(text(HEADER)) + 1


def only_record(found: list[Any]) -> Any:
    assert rules(found) == []
    (record,) = records(found)
    return record.event


def only_fault(line: bytes) -> Any:
    """The one fault of a line between two good ones, which both must be kept."""
    found = parse(journal(mark(1), line, mark(2)))
    assert seqs(found) == [1, 2]
    (fault,) = faults(found)
    assert fault.offset == SECOND + len(text(mark(1))) + 1
    assert fault.length == len(line)
    return fault


def test_a_plain_journal_says_its_header_and_events_with_their_places() -> None:
    data = journal(mark(1), mark(2, "zwei"))
    found = parse(data)
    (header,) = headers(found)
    assert (header.session.session, header.offset) == ("s", 0)
    assert seqs(found) == [1, 2]
    for record in records(found):
        line = data[record.offset : record.offset + record.length]
        assert json.loads(line)["seq"] == record.event.seq
    assert rules(found) == []


def test_byte_order_mark_and_crlf_are_accepted() -> None:
    plain = journal(mark(1, "é"), mark(2))
    windows = b"\xef\xbb\xbf" + plain.replace(b"\n", b"\r\n")
    assert rules(parse(windows)) == []
    same = [(r.event, r.fingerprint) for r in records(parse(plain))]
    assert [(r.event, r.fingerprint) for r in records(parse(windows))] == same


def test_byte_order_mark_and_crlf_stand_outside_the_checksum() -> None:
    data = b"\xef\xbb\xbf" + journal(mark(1), mark(2), crc=True).replace(b"\n", b"\r\n")
    assert rules(parse(data)) == []
    assert seqs(parse(data)) == [1, 2]


def test_a_byte_order_mark_on_a_later_line_is_no_json() -> None:
    assert only_fault(b"\xef\xbb\xbf" + text(mark(9))).rule == "JNL002"


@pytest.mark.parametrize("order", [1, -1])
def test_fields_may_come_in_any_order(order: int) -> None:
    fields = dict(list(mark(1).items())[::order])
    assert only_record(parse(journal(fields))).label == "x"


def test_unknown_fields_are_ignored() -> None:
    event = only_record(parse(journal(mark(1, future={"deep": [1, 2.5, None, "\\"]}))))
    assert isinstance(event, Mark)


def test_of_a_field_given_twice_the_last_counts() -> None:
    line = text(mark(1))[:-1] + b',"label":"last"}'
    assert only_record(parse(journal(line))).label == "last"


def test_of_a_type_given_twice_the_last_counts() -> None:
    line = text(mark(1))[:-1] + b',"type":"gap","reason":"r"}'
    assert only_record(parse(journal(line))).reason == "r"


def test_an_unknown_event_is_kept_with_its_fields() -> None:
    line = {"type": "teleport", "seq": 1, "time": "t", "actor": "operator", "where": ["x"]}
    event = only_record(parse(journal(line, crc=True)))
    assert event == Unknown(
        type="teleport", seq=1, time="t", actor="operator", fields={"where": ["x"]}
    )


@pytest.mark.parametrize("missing", ["seq", "time"])
def test_an_unknown_event_needs_seq_and_time(missing: str) -> None:
    fields = {"type": "teleport", "seq": 1, "time": "t"}
    del fields[missing]
    fault = only_fault(text(fields))
    assert fault.rule == "JNL002"
    assert f"`{missing}`" in fault.message


@pytest.mark.parametrize(
    ("place", "surrogate"),
    [("label", b'"label":"a\\ud800b"'), ("label", b'"label":"a\\uDC00b"')],
)
def test_a_lone_surrogate_is_kept_as_it_is(place: str, surrogate: bytes) -> None:
    line = text(mark(1)).replace(b'"label":"x"', surrogate)
    label = only_record(parse(journal(line))).label
    assert label == json.loads(b"{" + surrogate + b"}")["label"]
    assert any(0xD800 <= ord(char) <= 0xDFFF for char in label)


def test_a_surrogate_pair_is_one_character() -> None:
    line = text(mark(1)).replace(b'"x"', b'"\\ud83d\\ude00"')
    assert only_record(parse(journal(line))).label == "\U0001f600"


def test_lone_surrogates_in_names_that_are_data_are_kept() -> None:
    line = b'{"type":"observe","seq":1,"time":"t","contents":{"\\ud800":"\\udfff"}}'
    event = only_record(parse(journal(line)))
    assert isinstance(event, Observe)
    assert event.contents == {"\ud800": "\udfff"}


def test_an_unknown_field_named_with_a_lone_surrogate_is_ignored() -> None:
    line = (
        b'{"type":"splice","seq":1,"time":"t","span":"a","at":0,"delete":0,"insert":"",'
        b'"\\ud800":1,"meta":{"\\ud801":2},"inverse":{"\\ud802":3,"inserted":0,"original":""}}'
    )
    event = only_record(parse(journal(line)))
    assert event.meta == {"\ud801": 2}
    assert event.inverse.original == ""


def test_a_lone_surrogate_where_a_fixed_word_must_be_is_reported() -> None:
    line = b'{"type":"use","seq":1,"time":"t","artifact":"a","outcome":"\\ud800"}'
    assert only_fault(line).rule == "JNL002"


def test_a_type_with_a_lone_surrogate_is_an_unknown_event() -> None:
    event = only_record(parse(journal(b'{"type":"\\ud800","seq":1,"time":"t"}')))
    assert event.type == "\ud800"


def test_an_integer_of_any_size_is_read_in_meta() -> None:
    event = only_record(parse(journal(mark(1, meta={"n": 10**50}))))
    assert event.meta == {"n": 10**50}


def test_null_and_absent_after_differ() -> None:
    base = {"type": "ingest", "time": "t", "content": ""}
    found = parse(
        journal({**base, "seq": 1, "span": "a", "after": None}, {**base, "seq": 2, "span": "b"})
    )
    first, last = (record.event for record in records(found))
    assert isinstance(first, Ingest)
    assert isinstance(last, Ingest)
    assert first.after is None
    assert last.after is not None


DEEP = 100_000

NOT_EVENTS = {
    "nothing": b"",
    "spaces": b"   ",
    "text": b"hello",
    "half an object": b'{"type":"mark","seq":1',
    "a list": b"[]",
    "a number": b"12",
    "null": b"null",
    "two objects": text(mark(2)) * 2,
    "no type": b'{"seq":2,"time":"t"}',
    "type is a number": b'{"type":7,"seq":2,"time":"t"}',
    "NaN": text(mark(2))[:-1] + b',"meta":{"a":NaN}}',
    "NaN in an unknown field": text(mark(2))[:-1] + b',"new":NaN}',
    "Infinity": text(mark(2))[:-1] + b',"meta":{"a":-Infinity}}',
    "a float out of range": text(mark(2))[:-1] + b',"meta":{"a":1e999}}',
    "an integer too long to be read": text(mark(2))[:-1] + b',"meta":{"a":' + b"9" * 9999 + b"}}",
    "a list nested too deeply": text(mark(2))[:-1]
    + b',"meta":{"a":'
    + b"[" * DEEP
    + b"]" * DEEP
    + b"}}",
    "nested too deeply in an unknown field": text(mark(2))[:-1]
    + b',"a":'
    + b"[" * DEEP
    + b"]" * DEEP
    + b"}",
    "objects nested too deeply": b'{"type":' * DEEP + b"1" + b"}" * DEEP,
    "never closed": b"[" * DEEP,
    "invalid UTF-8": text(mark(2)).replace(b"x", b"\xff"),
    "invalid UTF-8 in an unknown field": text(mark(2))[:-1] + b',"new":"\xc3("}',
    "an overlong encoding": text(mark(2))[:-1] + b',"new":"\xc0\xaf"}',
    "a surrogate encoded as UTF-8": text(mark(2, "\ud800")),
    "a control character in a string": text(mark(2)).replace(b"x", b"\x07"),
    "a zero byte": text(mark(2)) + b"\0",
    "UTF-16": '{"type":"mark"}'.encode("utf-16-le"),
    "seq is zero": text(mark(0)),
    "seq is negative": text(mark(-3)),
    "seq is huge": text(mark(2**53 + 1)),
    "seq is text": text({**mark(2), "seq": "2"}),
    "seq is a float": text({**mark(2), "seq": 2.5}),
    "time is a number": text({**mark(2), "time": 12}),
    "a second header": text(HEADER),
}


@pytest.mark.parametrize("line", NOT_EVENTS.values(), ids=NOT_EVENTS.keys())
def test_what_is_no_event_is_reported_with_its_place_and_skipped(line: bytes) -> None:
    fault = only_fault(line)
    assert fault.rule == "JNL002"
    assert fault.poisons
    assert fault.message
    assert "\n" not in fault.message
    assert len(fault.message) < 400
    assert fault.head == line.decode("utf-8", "replace")[:120]


@pytest.mark.parametrize("line", NOT_EVENTS.values(), ids=NOT_EVENTS.keys())
def test_what_is_no_event_is_none_when_it_is_read_alone(line: bytes) -> None:
    with pytest.raises(LineError):
        decode_event(line)


@pytest.mark.parametrize(
    ("line", "why"),
    [
        (b"", "not JSON: it is empty"),
        (b" \t", "not JSON: it is empty"),
        (b'{"type":}', "not JSON: Expecting value at character 8"),
        (b"[]", "not an event: not a JSON object"),
        (text({"seq": 2, "time": "t"}), "it has no `type`, or one that is not a string"),
        (text({"type": 7, "seq": 2, "time": "t"}), "it has no `type`, or one that is not a string"),
        (text({**HEADER, "seq": 2, "time": "t"}), "a second `session` header"),
        (text(mark(2))[:-1] + b',"meta":{"a":-1e999}}', "a number in it is out of range"),
        (text(mark(2))[:-1] + b',"meta":{"a":NaN}}', "NaN is not a JSON number"),
        (b"[" * DEEP, "nested too deeply"),
        (b'{"a":"\xff"}', "not UTF-8 at byte 6 of the line"),
    ],
)
def test_why_a_line_is_no_event_is_said(line: bytes, why: str) -> None:
    assert why in only_fault(line).message


REQUIRED: dict[str, dict[str, Any]] = {
    "ingest": {"span": "a", "content": ""},
    "rewrite": {"span": "a", "content": "", "op": "o"},
    "splice": {"span": "a", "at": 0, "delete": 0, "insert": ""},
    "prune": {"span": "a"},
    "move": {"span": "a", "after": None},
    "derive": {"artifact": "x", "span": "a", "kind": "k"},
    "use": {"artifact": "x"},
    "release": {"artifact": "x"},
    "inverse": {"of": 1, "original": "", "inserted": 0},
    "evict": {"of": [1]},
    "abort": {"of": 1},
    "checkpoint": {"checkpoint": "c"},
    "rollback": {},
    "stage": {"diff": "d", "base": {"revision": 0}, "reads": [], "edits": []},
    "apply": {"diff": "d"},
    "reject": {"diff": "d"},
    "withdraw": {"diff": "d"},
    "compact": {"spans": []},
    "observe": {},
    "render": {"items": []},
    "gap": {"reason": "r"},
    "resume": {},
    "mark": {"kind": "note", "label": "l"},
    "close": {"events": 0},
}

FIELDS = [(kind, field) for kind, fields in REQUIRED.items() for field in ("seq", "time", *fields)]


def event(kind: str) -> dict[str, Any]:
    return {"type": kind, "seq": 7, "time": "t", **REQUIRED[kind]}


@pytest.mark.parametrize("kind", REQUIRED)
def test_every_event_is_read_with_its_required_fields_alone(kind: str) -> None:
    read = only_record(parse(journal(event(kind))))
    assert read.__struct_config__.tag == kind


@pytest.mark.parametrize(("kind", "field"), FIELDS)
def test_a_missing_required_field_is_named(kind: str, field: str) -> None:
    fields = event(kind)
    del fields[field]
    fault = only_fault(text(fields))
    assert fault.rule == "JNL002"
    assert f"`{field}`" in fault.message


@pytest.mark.parametrize(("kind", "field"), FIELDS)
def test_a_required_field_of_a_wrong_type_is_named(kind: str, field: str) -> None:
    fault = only_fault(text({**event(kind), field: True}))
    assert fault.rule == "JNL002"
    assert f"$.{field}`" in fault.message


def test_the_message_names_a_field_deep_inside() -> None:
    fields = {**event("stage"), "reads": [{"span": "a"}, {"span": 3}]}
    assert "$.reads[1].span" in only_fault(text(fields)).message


def test_a_message_escapes_what_the_line_says() -> None:
    line = text({**event("use"), "outcome": "\x1b[31m\u202e"})
    assert only_fault(line).message.isprintable()


def test_a_read_of_nothing_is_no_read() -> None:
    stage = {"type": "stage", "seq": 2, "time": "x", "diff": "D", "base": {"revision": 0}}
    fault = only_fault(text(stage | {"reads": [{"hash": "x"}], "edits": []}))
    assert fault.rule == "JNL002"
    assert "a read names a span, or `all`" in fault.message
    whole = parse(journal(stage | {"seq": 1, "reads": [{"all": True}], "edits": []}))
    assert rules(whole) == []
