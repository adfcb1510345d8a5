"""One line of a journal: its checksum, and the event or header that it says.

Most lines are decoded by msgspec alone. What it refuses goes through `json`, which takes lone
surrogates and gives a reason for everything else.
"""

from __future__ import annotations

import json
import math
import zlib
from collections.abc import Callable
from functools import cache
from typing import Any, Final, NoReturn

import msgspec

from spanscope.journal.errors import shown
from spanscope.journal.events import EVENT_TYPES, FORMAT, AnyEvent, Session, Unknown

BOM: Final = b"\xef\xbb\xbf"
CRC_MARK: Final = b',"crc":"'
CRC_END: Final = b'"}'
CRC_WHOLE: Final = CRC_MARK + b"%08x" + CRC_END
CRC_TAIL: Final = len(CRC_MARK) + 8 + len(CRC_END)
MOST_BYTES: Final = 32 << 20
"""Bytes of a line above which a reader reports and skips it."""

REFUSALS: Final = (ValueError, RecursionError)
"""What `typed_decoder()` raises (msgspec's errors are ValueErrors)."""

_EVENT_FIELDS: Final = ("type", "seq", "time", "actor")
_OPEN_FIELDS: Final = ("meta", "versions", "hashes", "contents")
"""Objects whose names are data: they may hold lone surrogates."""


class LineError(ValueError):
    """A line says no event; the message says why."""


class UnknownFormatError(LineError):
    """A `session` header of a format that this reader doesn't know."""


@cache
def typed_decoder() -> Callable[[bytes], AnyEvent]:
    """Decodes the bytes of a well-formed line of a known type; raises what `REFUSALS` names.

    Made when a line is first read: some milliseconds that opening a screen doesn't wait for.
    """
    return msgspec.json.Decoder(AnyEvent).decode


def prepare() -> None:
    """Make the decoders now; a line that is read later would have them made."""
    typed_decoder()
    _convert({"type": "session", "format": FORMAT, "session": ""}, Session)


def has_crc(text: bytes) -> bool:
    """Whether a line (without its line end) ends in a checksum."""
    return text[-CRC_TAIL:].startswith(CRC_MARK) and text.endswith(CRC_END)


def crc_fits(text: bytes) -> bool:
    """Whether the checksum at the end of a line is that of the bytes before it."""
    return b"%08x" % zlib.crc32(text[:-CRC_TAIL]) == text[-10:-2]


def decode_event(text: bytes) -> AnyEvent | Unknown:
    """The event of a line given without its line end.

    Raises LineError for a line that is no event, a `session` header included.
    """
    try:
        if not text.isascii():
            text.decode()
        return typed_decoder()(text)
    except REFUSALS:
        return decode_slowly(text)


def decode_again(text: bytes) -> AnyEvent | Unknown:
    """The event of a line that said one before: that it is UTF-8 is known.

    Raises LineError where it says none any more.
    """
    try:
        return typed_decoder()(text)
    except REFUSALS:
        return decode_slowly(text)


def decode_slowly(text: bytes) -> AnyEvent | Unknown:
    """As `decode_event`, without the quick way that takes most lines."""
    return _to_event(_load_object(text))


def decode_first_line(text: bytes) -> Session | AnyEvent | Unknown:
    """The header, or the event that stands where a header should.

    Raises UnknownFormatError for a header of another format, else as `decode_event`.
    """
    fields = _load_object(text)
    if fields.get("type") != "session":
        return _to_event(fields)
    if fields.get("format", FORMAT) != FORMAT:
        found = _brief(fields["format"])
        raise UnknownFormatError(f"the session header has format `{found}`, not `{FORMAT}`")
    header: Session = _convert(fields, Session)
    return header


def _load_object(text: bytes) -> dict[str, Any]:
    try:
        fields = json.loads(
            text.decode(), parse_constant=_refuse_constant, parse_float=_finite_float
        )
    except UnicodeDecodeError as error:
        raise LineError(f"not UTF-8 at byte {error.start} of the line") from None
    except json.JSONDecodeError as error:
        reason = "it is empty" if not text.strip() else f"{error.msg} at character {error.pos}"
        raise LineError(f"not JSON: {reason}") from None
    except RecursionError:
        raise LineError("not readable: it is nested too deeply") from None
    except LineError:
        raise
    except ValueError:
        raise LineError("not readable: a number in it is out of range") from None
    if not isinstance(fields, dict):
        raise LineError("not an event: not a JSON object")
    return fields


def _refuse_constant(name: str) -> NoReturn:
    raise LineError(f"not JSON: {name} is not a JSON number")


def _finite_float(literal: str) -> float:
    number = float(literal)
    if math.isinf(number):
        raise LineError("not readable: a number in it is out of range")
    return number


def _to_event(fields: dict[str, Any]) -> AnyEvent | Unknown:
    kind = fields.get("type")
    if not isinstance(kind, str):
        raise LineError("not an event: it has no `type`, or one that is not a string")
    if kind == "session":
        raise LineError("a second `session` header: it may stand on line 1 only")
    struct = EVENT_TYPES.get(kind)
    if struct is None:
        return _to_unknown(fields)
    event: AnyEvent = _convert(fields, struct)
    return event


def _to_unknown(fields: dict[str, Any]) -> Unknown:
    known: dict[str, Any] = {name: fields[name] for name in _EVENT_FIELDS if name in fields}
    rest = {name: value for name, value in fields.items() if name not in _EVENT_FIELDS}
    rest.pop("crc", None)
    known["fields"] = rest
    event: Unknown = _convert(known, Unknown)
    return event


def _convert(fields: dict[str, Any], struct: Any) -> Any:
    kind = _brief(fields.get("type"))
    try:
        return _convert_any_name(fields, struct)
    except msgspec.ValidationError as error:
        raise LineError(f"not a valid `{kind}` line: {_brief(error)}") from None
    except UnicodeEncodeError:
        raise LineError(f"not a valid `{kind}` line: a lone surrogate in a fixed word") from None
    except RecursionError:
        raise LineError("not readable: it is nested too deeply") from None


def _convert_any_name(fields: dict[str, Any], struct: Any) -> Any:
    """As `msgspec.convert`, which raises where a field's name has a lone surrogate."""
    try:
        return msgspec.convert(fields, struct)
    except UnicodeEncodeError:
        return msgspec.convert(_with_encodable_names(fields), struct)


def _with_encodable_names(value: Any) -> Any:
    if isinstance(value, list):
        return [_with_encodable_names(item) for item in value]
    if not isinstance(value, dict):
        return value
    return {
        name: item if name in _OPEN_FIELDS else _with_encodable_names(item)
        for name, item in value.items()
        if _encodable(name)
    }


def _encodable(name: str) -> bool:
    try:
        name.encode()
    except UnicodeEncodeError:
        return False
    return True


def _brief(value: object) -> str:
    return shown(value)[:200]
