"""Notifications of Linux's inotify, straight from the kernel: nothing runs while nothing happens.

A reader wakes within a fraction of a millisecond of a write, and between two writes not at all.
watchfiles looks whether there is news every few milliseconds instead, with the interpreter's lock
held, which costs every writer on the machine.
"""

from __future__ import annotations

import ctypes
import os
import select
import struct
from collections.abc import Iterator
from pathlib import Path
from typing import Final

_MODIFY: Final = 0x2
_CLOSE_WRITE: Final = 0x8
_MOVED: Final = 0x40 | 0x80
_CREATE: Final = 0x100
_DELETE: Final = 0x200
_OVERFLOW: Final = 0x4000
_ONLY_FOLDERS: Final = 0x1000000

_OF_FOLDER: Final = _MOVED | _CREATE | _DELETE | _ONLY_FOLDERS
_OF_FILE: Final = _MODIFY | _CLOSE_WRITE
_EVENT: Final = struct.Struct("iIII")
_PIECE: Final = 1 << 14


class Inotify:
    """Tells when files of one folder are written, made, removed or renamed.

    The files are watched themselves, so that what else is written in their folder wakes nobody;
    the folder is watched for what happens to their names. A file that was renamed stays watched.
    """

    def __init__(self, files: list[Path]) -> None:
        """Watch files of one folder; they need not be there. Raises OSError."""
        self._files = files
        self._names = {os.fsencode(file.name) for file in files}
        self._libc = ctypes.CDLL(None, use_errno=True)
        self._fd: int = self._libc.inotify_init1(os.O_NONBLOCK | os.O_CLOEXEC)
        if self._fd < 0:
            raise OSError(ctypes.get_errno(), "no inotify")
        self._poll = select.poll()
        self._poll.register(self._fd, select.POLLIN)
        self._folder = self._watch(files[0].parent, _OF_FOLDER)
        if self._folder < 0:
            error = OSError(ctypes.get_errno(), "can't watch the folder")
            self.close()
            raise error
        self._watch_files()

    def close(self) -> None:
        """Watch no more."""
        os.close(self._fd)

    def wait(self, seconds: float) -> bool:
        """Wait at most so long for anything to happen; whether it concerns the files."""
        if not self._poll.poll(seconds * 1000):
            return False
        concerned = False
        for watch, mask, name in self._events():
            if watch == self._folder and name in self._names:
                self._watch_files()
                concerned = True
            concerned |= bool(mask & (_OF_FILE | _OVERFLOW))
        return concerned

    def _events(self) -> Iterator[tuple[int, int, bytes]]:
        try:
            data = os.read(self._fd, _PIECE)
        except BlockingIOError:
            return
        at = 0
        while at < len(data):
            watch, mask, _, length = _EVENT.unpack_from(data, at)
            at += _EVENT.size + length
            yield watch, mask, data[at - length : at].rstrip(b"\0")

    def _watch_files(self) -> None:
        """Watch what the names stand for now; one that is watched already stays as it is."""
        for file in self._files:
            self._watch(file, _OF_FILE)

    def _watch(self, path: Path, mask: int) -> int:
        watch: int = self._libc.inotify_add_watch(self._fd, os.fsencode(path), mask)
        return watch
