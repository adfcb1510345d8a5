"""Waiting until a file may have changed: file system notifications, and a heartbeat besides.

On Linux they come from inotify, elsewhere through watchfiles. The folder is watched, not the file
alone: a watch on a file is silent for ever once the file is replaced. Where no notification comes
(network file systems, a store into mapped memory), the heartbeat sees the change, and once it has,
the waits become short.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Final, Protocol

from spanscope.journal.files import StrPath
from spanscope.journal.live import live_path

HEARTBEAT: Final = 0.3
"""Seconds after which a file is looked at without any notification."""

IMPATIENT: Final = 0.02
"""Seconds between two looks where no notification comes."""

ASKED_EVERY: Final = 0.05
"""Seconds of a wait after which it is asked whether to go on waiting."""

_STEP_MS: Final = 5
_DEBOUNCE_MS: Final = 20


class Watch(Protocol):
    """Notifications of what happens to some files of one folder."""

    def wait(self, seconds: float) -> bool:
        """Wait at most so long for anything to happen; whether it concerns the files."""

    def close(self) -> None:
        """Watch no more."""


class Notifier:
    """Wakes its thread when the file or its `.live` file may have changed.

    `cancelled` is asked now and then while waiting. Without the file system's help (no watchfiles,
    no watches left) it wakes at short intervals.
    """

    def __init__(self, path: StrPath, cancelled: Callable[[], bool]) -> None:
        real = Path(os.path.realpath(path))
        self._folder = real.parent
        self._files = [real, live_path(path)]
        self._cancelled = cancelled
        self._folder_known: tuple[int, int] | None = None
        self._watch: Watch | None = None
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
        while (left := until - time.monotonic()) > 0 and not self._cancelled():
            if self._watch is None:
                time.sleep(min(left, IMPATIENT))
            elif self._watch.wait(min(left, ASKED_EVERY)):
                self._missed = 0
                return True
        return False

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
            self._watch = watch(self._files)
        except (ImportError, OSError, RuntimeError):
            self._watch = None


def watch(files: list[Path]) -> Watch:
    """Notifications of what happens to files of one folder.

    Raises ImportError, OSError or RuntimeError where there are none.
    """
    # Slow to import, and only where a file is followed.
    if sys.platform == "linux":
        from spanscope.journal.inotify import Inotify

        # A libc of which the calls can't be had has no inotify for us.
        with suppress(AttributeError):
            return Inotify(files)
    return Watchfiles(files)


class Watchfiles:
    """Notifications through watchfiles, which asks for news every few milliseconds."""

    def __init__(self, files: list[Path]) -> None:
        """Watch files of one folder. Raises ImportError, OSError or RuntimeError."""
        from watchfiles._rust_notify import RustNotify

        self._names = {str(file) for file in files}
        folder = str(files[0].parent)
        self._notify = RustNotify([folder], False, False, 300, False, True)  # noqa: FBT003 its arguments have no names

    def wait(self, seconds: float) -> bool:
        """Wait at most so long for anything to happen; whether it concerns the files."""
        milliseconds = max(1, int(seconds * 1000))
        found = self._notify.watch(_DEBOUNCE_MS, _STEP_MS, milliseconds, None)
        return not isinstance(found, str) and any(name in self._names for _, name in found)

    def close(self) -> None:
        """Watch no more."""
        self._notify.close()
