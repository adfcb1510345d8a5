"""Waiting until a file may have changed: file system notifications, and a heartbeat besides.

The folder is watched, not the file: a watch on a file is silent for ever once the file is renamed
or replaced. Where no notification comes (network file systems, another hard link, a store into
mapped memory), the heartbeat sees the change, and once it has, the waits become short.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Final

from spanscope.journal.files import StrPath
from spanscope.journal.live import live_path

if TYPE_CHECKING:
    from watchfiles._rust_notify import RustNotify

HEARTBEAT: Final = 0.3
"""Seconds after which a file is looked at without any notification."""

IMPATIENT: Final = 0.02
"""Seconds between two looks where no notification comes."""

_STEP_MS: Final = 5
_DEBOUNCE_MS: Final = 20


class Notifier:
    """Wakes its thread when the file or its `.live` file may have changed.

    `cancelled` is asked every few milliseconds while waiting. Without the file system's help (no
    watchfiles, no watches left) it wakes at short intervals.
    """

    def __init__(self, path: StrPath, cancelled: Callable[[], bool]) -> None:
        real = Path(os.path.realpath(path))
        self._folder = real.parent
        self._names = {str(real), str(live_path(path))}
        self._cancelled = _Asked(cancelled)
        self._folder_known: tuple[int, int] | None = None
        self._watch: RustNotify | None = None
        self._missed = 0
        self._open()

    def close(self) -> None:
        """Watch no more."""
        if self._watch is not None:
            self._watch.close()
            self._watch = None

    def missed(self) -> None:
        """The file has grown and no notification came."""
        self._missed += 1

    @property
    def helpful(self) -> bool:
        """Whether notifications can be relied on here."""
        return self._watch is not None and self._missed < 3

    def wait(self, seconds: float) -> bool:
        """Wait at most so long; whether a notification came."""
        self._follow_folder()
        until = time.monotonic() + (seconds if self.helpful else min(seconds, IMPATIENT))
        while (left := until - time.monotonic()) > 0 and not self._cancelled.is_set():
            if self._watch is None:
                time.sleep(min(left, IMPATIENT))
            elif self._notified(left):
                return True
        return False

    def _notified(self, seconds: float) -> bool:
        assert self._watch is not None
        milliseconds = max(1, int(seconds * 1000))
        found = self._watch.watch(_DEBOUNCE_MS, _STEP_MS, milliseconds, self._cancelled)
        if isinstance(found, str) or not any(name in self._names for _, name in found):
            return False
        self._missed = 0
        return True

    def _follow_folder(self) -> None:
        """Watch the folder that is there now, where it was moved away or made again."""
        try:
            facts = self._folder.stat()
        except OSError:
            return
        if self._folder_known != (facts.st_dev, facts.st_ino):
            self.close()
            self._open()

    def _open(self) -> None:
        try:
            facts = self._folder.stat()
            self._folder_known = (facts.st_dev, facts.st_ino)
            # Slow to import, and only where a file is followed.
            from watchfiles._rust_notify import RustNotify

            self._watch = RustNotify([str(self._folder)], False, False, 300, False, True)  # noqa: FBT003 its arguments have no names
        except (ImportError, OSError, RuntimeError):
            self._watch = None


class _Asked:
    """A question in the form of an event, as watchfiles wants it."""

    def __init__(self, cancelled: Callable[[], bool]) -> None:
        self.is_set = cancelled
