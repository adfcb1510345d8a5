"""The `.live` file beside a journal: who writes it, locked for as long as that process lives.

The lock is on the `.live` file, never on the journal, and goes with the process however it
ends. Where a file system or system has no such locks, the process itself is looked for.
"""

from __future__ import annotations

import errno
import json
import os
import stat
import time
import weakref
from pathlib import Path
from types import ModuleType
from typing import Final, Literal, Self

import msgspec
from msgspec import Struct

from spanscope.journal.errors import JournalError, JournalTakenError, reason, shown
from spanscope.journal.files import StrPath

try:
    import fcntl

    _locks: ModuleType | None = fcntl
except ImportError:  # Windows
    _locks = None

_BOOT_ID: Final = Path("/proc/sys/kernel/random/boot_id")
_HELD: Final = (errno.EAGAIN, errno.EACCES)
_MAX_INFO: Final = 4096
_START_TIME: Final = 19
_TRIES: Final = 100


class LiveInfo(Struct, kw_only=True, gc=False):
    """Who writes a journal. `start`: clock ticks from boot to the start of the process."""

    pid: int | None = None
    start: int | None = None
    boot: str | None = None
    session: str | None = None
    locked: bool = True


def live_path(journal: StrPath) -> Path:
    """The `.live` file of a journal: beside the real file where the path is a symlink."""
    real = Path(os.path.realpath(journal))
    return real.with_name(real.name + ".live")


def is_live(journal: StrPath) -> LiveInfo | None:
    """Who is writing the journal, or None. Looks without keeping a lock and never waits."""
    flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0)
    try:
        fd = os.open(live_path(journal), flags)
    except (OSError, ValueError):
        return None
    try:
        if not stat.S_ISREG(os.fstat(fd).st_mode):
            return None
        info = _parse(os.read(fd, _MAX_INFO))
        held = _is_held(fd) if info.locked else None
    except OSError:
        return None
    finally:
        os.close(fd)
    alive = runs(info) if held is None else held
    return info if alive else None


class LiveFile:
    """The writer's side: says that this process writes the journal, until released."""

    def __init__(self, path: Path, fd: int) -> None:
        self._path = path
        self._fd: int | None = fd
        _held.add(self)

    @classmethod
    def acquire(cls, journal: StrPath, session: str) -> Self:
        """Creates and locks the `.live` file, over one that a dead writer left.

        Raises JournalTakenError where another writer holds it, else JournalError where it can't
        be created.
        """
        try:
            path = live_path(journal)
            fd = _open_locked(path)
        except (OSError, ValueError) as error:
            raise JournalError(
                f"can't mark {shown(journal)} as live: {reason(error)}; give another path"
            ) from error
        if fd is None:
            writer = is_live(journal)
            pid = writer.pid if writer else None
            who = "" if pid is None else f" by process {pid}"
            advice = "give another path"
            if pid == os.getpid():
                who, advice = " by this very process", "close it there, or give another path"
            raise JournalTakenError(f"{shown(journal)} is being written{who}; {advice}")
        live = cls(path, fd)
        try:
            live._describe(session)
        except OSError as error:
            live.release()
            raise JournalError(f"can't write {shown(path)}: {reason(error)}") from error
        return live

    def release(self) -> None:
        """Removes the `.live` file; its writer has ended."""
        if self._fd is None:
            return
        if os.name != "nt" and _same_file(self._fd, self._path):
            self._path.unlink(missing_ok=True)
        self.forget()
        if os.name == "nt":
            # Windows removes no file that is open.
            self._path.unlink(missing_ok=True)

    def forget(self) -> None:
        """Closes the file and leaves it: in a forked child it is the parent's."""
        if self._fd is not None:
            os.close(self._fd)
            self._fd = None
            _held.discard(self)

    def _describe(self, session: str) -> None:
        if self._fd is None:
            return
        info = {
            "pid": os.getpid(),
            "start": _start_time(os.getpid()),
            "boot": _boot_id(),
            "session": session[:256],
            "locked": bool(_lock(self._fd)),
        }
        os.ftruncate(self._fd, 0)
        os.write(self._fd, json.dumps(info).encode() + b"\n")


_held: weakref.WeakSet[LiveFile] = weakref.WeakSet()


def _forget_all() -> None:
    # A child that kept the descriptor would keep the lock after the writer's death.
    for live in list(_held):
        live.forget()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget_all)


def _open_locked(path: Path) -> int | None:
    """A descriptor of the file, locked where that is possible; None: another holds it."""
    flags = os.O_RDWR | os.O_CREAT | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_NOFOLLOW", 0)
    for _ in range(_TRIES):
        fd = os.open(path, flags, 0o600)
        try:
            free = _lock(fd) is not False
            if free and (os.name == "nt" or _same_file(fd, path)):
                return fd
        except BaseException:
            os.close(fd)
            raise
        os.close(fd)
        # Somebody looked at this moment, or the file's last writer was removing it.
        time.sleep(0.002)
    return None


def _lock(fd: int) -> bool | None:
    """Whether the lock is ours now; None where there are no locks."""
    return _flock(fd, "LOCK_EX")


def _is_held(fd: int) -> bool | None:
    """Whether a writer holds the lock; None where there are no locks."""
    free = _flock(fd, "LOCK_SH")
    return None if free is None else not free


def _flock(fd: int, how: Literal["LOCK_EX", "LOCK_SH"]) -> bool | None:
    if _locks is None:
        return None
    try:
        _locks.flock(fd, getattr(_locks, how) | _locks.LOCK_NB)
    except OSError as error:
        return False if error.errno in _HELD else None
    return True


def _same_file(fd: int, path: Path) -> bool:
    try:
        return os.path.samestat(os.fstat(fd), path.stat(follow_symlinks=False))
    except OSError:
        return False


def _parse(text: bytes) -> LiveInfo:
    try:
        return msgspec.convert(json.loads(text), LiveInfo)
    except (ValueError, RecursionError):
        return LiveInfo()


def runs(info: LiveInfo) -> bool:
    """Whether the process that the file names runs, as far as this system can tell."""
    if info.pid is None or info.boot != _boot_id():
        return False
    if info.start is not None:
        return info.start == _start_time(info.pid)
    if os.name == "nt":
        return True
    try:
        os.kill(info.pid, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except OSError:
        return True
    return True


def _boot_id() -> str | None:
    try:
        return _BOOT_ID.read_text().strip()
    except OSError:
        return None


def _start_time(pid: int) -> int | None:
    try:
        text = Path(f"/proc/{pid}/stat").read_text(errors="replace")
        return int(text.rpartition(")")[2].split()[_START_TIME])
    except (OSError, ValueError, IndexError):
        return None
