"""Opening and reading the file of a journal: regular files only, never blocking on a pipe."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO

from spanscope.journal.errors import JournalError, reason, shown

StrPath = str | os.PathLike[str]


def open_journal(path: StrPath) -> BinaryIO:
    """A regular file opened to read, unbuffered.

    Raises JournalError for what is missing, unreadable, a folder, a pipe or a device.
    """
    if not os.fspath(path):
        raise JournalError("the path is empty: name a journal file (.jsonl)")
    try:
        _check_regular(path, Path(path).stat().st_mode)
        fd = _open(path)
    except (OSError, ValueError) as error:
        raise JournalError(
            f"can't open {shown(path)}: {reason(error)}; {_what_to_do(error)}"
        ) from error
    try:
        _check_regular(path, os.fstat(fd).st_mode)
    except BaseException:
        os.close(fd)
        raise
    return os.fdopen(fd, "rb", buffering=0)


def _open(path: StrPath) -> int:
    flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0)
    flags |= getattr(os, "O_BINARY", 0)
    # A look leaves no trace, not even when it was; only the owner may ask for that.
    untraced = getattr(os, "O_NOATIME", 0)
    if untraced:
        with suppress(PermissionError):
            return os.open(path, flags | untraced)
    return os.open(path, flags)


def read_pieces(stream: BinaryIO, name: str, chunk: int, until: int | None) -> Iterator[bytes]:
    """The bytes of a stream in pieces of at most `chunk`, at most `until` in all.

    Raises JournalError, naming `name`, where the stream can't be read.
    """
    left = until
    while left is None or left > 0:
        try:
            data = stream.read(chunk if left is None else min(chunk, left))
        except (OSError, ValueError) as error:
            raise JournalError(f"can't read {name}: {reason(error)}") from error
        if data is None:
            raise JournalError(f"can't read {name}: it has no data now and has not ended")
        if not data:
            return
        if left is not None:
            left -= len(data)
        yield data


def _what_to_do(error: Exception) -> str:
    """What a person can do about a file that the system doesn't open."""
    if isinstance(error, FileNotFoundError | NotADirectoryError):
        return "name a journal that is there"
    if isinstance(error, PermissionError):
        return "ask its owner for the right to read it"
    return "name a journal file (.jsonl)"


def _check_regular(path: StrPath, mode: int) -> None:
    if stat.S_ISREG(mode):
        return
    what = next((word for test, word in _KINDS if test(mode)), "not a file")
    then = "name a journal file (.jsonl)"
    if stat.S_ISFIFO(mode):
        then = "send it to standard input (-)"
    elif stat.S_ISDIR(mode):
        then += "; a session in several files is made one by `spanscope import`"
    raise JournalError(f"can't read {shown(path)}: it is {what}; {then}")


_KINDS = (
    (stat.S_ISDIR, "a folder"),
    (stat.S_ISFIFO, "a pipe"),
    (stat.S_ISSOCK, "a socket"),
    (stat.S_ISCHR, "a device"),
    (stat.S_ISBLK, "a device"),
)
