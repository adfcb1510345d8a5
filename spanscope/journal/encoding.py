"""Events as canonical lines: short fields first, a checksum last."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any, Final
from zlib import crc32

import msgspec

from spanscope.journal.errors import JournalWriteError
from spanscope.journal.events import Event, Session
from spanscope.journal.surrogates import PAIR

_RESERVED: Final = frozenset(("type", "seq", "time"))
# Not `encode`: where memory runs out while its result grows, it takes the process down with it.
_encode_into: Final = msgspec.json.Encoder().encode_into


def encode_line(item: Event | Session | dict[str, Any], *, checksum: bool = True) -> bytearray:
    """A canonical line: short fields first, the checksum last, ended by a newline.

    Raises TypeError for what JSON can't hold, JournalWriteError for a surrogate pair that stands as
    two characters.
    """
    line = bytearray()
    encode_line_into(line, item, checksum=checksum)
    return line


def encode_line_into(
    line: bytearray, item: Event | Session | dict[str, Any], *, checksum: bool
) -> None:
    """Make such a line of what holds another one: it has its room already."""
    try:
        _encode_into(item, line)
    except UnicodeEncodeError:
        line[:] = _escaped(item)
    if not checksum:
        line += b"\n"
        return
    del line[-1]
    line += b',"crc":"%08x"}\n' % crc32(line)


def _escaped(item: Event | Session | dict[str, Any]) -> bytes:
    """JSON in ASCII: a lone surrogate has no UTF-8, but an escape."""
    plain = msgspec.to_builtins(item)
    if PAIR.search(json.dumps(plain, ensure_ascii=False)):
        raise JournalWriteError(
            "can't record a surrogate pair that stands as two characters: "
            "JSON readers would join it, so join it before"
        )
    return json.dumps(plain, separators=(",", ":")).encode("ascii")


def make_event(struct: type[Event], seq: int, time: str, fields: dict[str, Any]) -> Event:
    """An event from its fields, whose parts may be structs or plain dicts and lists.

    Raises TypeError for a field that is missing, unknown or of a wrong type.
    """
    tag = struct.__struct_config__.tag
    foreign = fields.keys() - set(struct.__struct_fields__) | fields.keys() & _RESERVED
    if foreign:
        raise TypeError(f"can't record `{tag}`: it takes no field `{min(foreign)}`")
    try:
        plain = msgspec.to_builtins(
            {"seq": seq, "time": time, **fields},
            builtin_types=(bytes, bytearray),
            enc_hook=_to_base_type,
        )
        return msgspec.convert(plain, struct)
    except (TypeError, msgspec.ValidationError) as error:
        raise TypeError(f"can't record `{tag}`: {error}") from None


def _to_base_type(value: object) -> object:
    if isinstance(value, str):
        return str.__str__(value)
    if isinstance(value, int):
        return int(value)
    if isinstance(value, Mapping):
        return dict(value)
    if isinstance(value, Iterable):
        return list(value)
    raise TypeError(f"a journal can't hold a {type(value).__name__}")
