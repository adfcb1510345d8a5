"""What commands print: the one way to standard output, and the one line on standard error.

A line is made of pieces. Every piece is made visible here and styled only then, so no text of a
journal reaches a terminal raw, whichever command prints it.
"""

from __future__ import annotations

import errno
import json
import os
import sys
from collections.abc import Callable
from contextlib import suppress
from typing import Any, NamedTuple, TextIO

import msgspec

from spanscope.cli.errors import CommandError
from spanscope.journal.errors import reason
from spanscope.text.environment import wants_ascii
from spanscope.text.visible import ascii_only, visible

_RESET = "\x1b[0m"
_ERROR = "\x1b[1;31m"
_WARNING = "\x1b[33m"
_BOLD = "\x1b[1m"
_MUTED = "\x1b[2m"

SIGNS = {"error": "!", "warning": "~", "info": "i", "unknown": "?"}
"""What stands before a severity everywhere; colour only repeats it."""

_SEVERITY_STYLES = {"error": _ERROR, "warning": _WARNING, "unknown": _WARNING}


class Styled(NamedTuple):
    """A piece of a line and the escape code that it is drawn with where there is colour."""

    text: str
    code: str


Piece = str | Styled


def bold(text: str) -> Styled:
    """What the eye should find."""
    return Styled(text, _BOLD)


def muted(text: str) -> Styled:
    """What is there for those who look for it."""
    return Styled(text, _MUTED)


def of_severity(severity: str, text: str) -> Styled:
    """A text in the colour of error, warning, info or unknown."""
    return Styled(text, _SEVERITY_STYLES.get(severity, ""))


class Output:
    """Writes lines and JSON to a stream, visible and in colour where that is wanted.

    A reader that goes away ends the output, not the command: `closed` says so. Raises
    CommandError where the stream can't take what is written.
    """

    def __init__(self, stream: TextIO | None) -> None:
        self._stream = stream
        self._colour = stream is not None and _wants_colour(stream)
        self._safe = _safe_for(stream)

    @property
    def closed(self) -> bool:
        """Whether nobody reads any more."""
        return self._stream is None

    def line(self, *pieces: Piece) -> None:
        """Write one line."""
        self._write("".join(map(self._drawn, pieces)) + "\n")

    def json(self, value: Any, *, indent: int | None = None, end: str = "\n") -> None:
        """Write a value as ASCII JSON, on one line unless indented."""
        self._write(as_json(value, indent=indent) + end)

    def punctuation(self, text: str) -> None:
        """Write text of our own as it is: what holds several JSON values together."""
        self._write(text)

    def data(self, data: bytes) -> None:
        """Write bytes as they are: a journal for a file or a pipe."""
        self._guarded(lambda stream: stream.buffer.write(data))

    @property
    def to_terminal(self) -> bool:
        """Whether a person would see what is written as it is."""
        return self._stream is not None and self._stream.isatty()

    def flush(self) -> None:
        """Hand over what is still kept back."""
        self._guarded(lambda stream: stream.flush())

    def _drawn(self, piece: Piece) -> str:
        if isinstance(piece, str):
            return self._safe(piece)
        text = self._safe(piece.text)
        return f"{piece.code}{text}{_RESET}" if self._colour and piece.code else text

    def _write(self, text: str) -> None:
        self._guarded(lambda stream: stream.write(text))

    def _guarded(self, act: Any) -> None:
        if self._stream is None:
            return
        try:
            act(self._stream)
        except BrokenPipeError:
            self._let_go()
        except OSError as error:
            if os.name == "nt" and error.errno == errno.EINVAL:
                # What Windows says of a pipe that nobody reads.
                self._let_go()
                return
            self._let_go()
            raise CommandError(f"can't write standard output: {reason(error)}") from error

    def _let_go(self) -> None:
        """Turns to nowhere, so that Python doesn't complain when it flushes at its end."""
        stream, self._stream = self._stream, None
        with suppress(OSError, ValueError, AttributeError):
            nowhere = os.open(os.devnull, os.O_WRONLY)
            os.dup2(nowhere, stream.fileno())  # type: ignore[union-attr]
            os.close(nowhere)


def as_json(value: Any, *, indent: int | None = None) -> str:
    """A value as JSON in printable ASCII."""
    text = json.dumps(value, indent=indent, default=msgspec.to_builtins)
    # The one control character that JSON does not escape.
    return text.replace("\x7f", "\\u007f")


def complain(message: str) -> None:
    """Say on standard error, in one line, what could not be done."""
    stream = sys.stderr
    if stream is None:
        return
    safe = _safe_for(stream)
    with suppress(OSError, ValueError):
        stream.write(f"spanscope: {safe(message)}\n")
        stream.flush()


def _safe_for(stream: TextIO | None) -> Callable[[str], str]:
    """What makes a text safe for a stream: in ASCII where it takes or shows nothing else."""
    encoding = getattr(stream, "encoding", None) or "utf-8"
    takes_all = encoding.lower().startswith("utf") and not wants_ascii()
    return visible if takes_all else ascii_only


def _wants_colour(stream: TextIO) -> bool:
    if os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb":
        return False
    try:
        return stream.isatty()
    except ValueError:
        return False
