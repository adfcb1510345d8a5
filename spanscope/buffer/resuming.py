"""Going on with a journal after its writer crashed or closed it."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from spanscope.buffer.core import BufferCore
from spanscope.buffer.errors import RollbackIntegrityError, one_line
from spanscope.buffer.redaction import Redact
from spanscope.journal.clock import Clock
from spanscope.journal.errors import JournalError, reason, shown
from spanscope.journal.events import (
    AnyEvent,
    Release,
    Resume,
    Session,
    Withdraw,
)
from spanscope.journal.files import StrPath, open_journal
from spanscope.journal.lines import BOM, MOST_BYTES, has_crc
from spanscope.journal.live import LiveFile
from spanscope.journal.reader import Fault, Header, Record, read_journal
from spanscope.journal.sessions import file_name, list_sessions, sessions_folder
from spanscope.journal.writer import End, JournalWriter


def resume(
    session_or_path: StrPath,
    *,
    durable: bool = False,
    redact: Redact | None = None,
    clock: Clock | None = None,
) -> BufferCore:
    """The buffer of a journal, whose writer this process is from now on.

    What stands behind the last whole record is moved into a file beside the journal. Artifacts
    and diffs of the process that ended are released and withdrawn.

    Raises JournalError where there is no such journal, or it has a writer or can't be written,
    RollbackIntegrityError where its damage leaves the buffer unknown.
    """
    path = find_journal(session_or_path)
    live = LiveFile.acquire(path, path.stem)
    try:
        core, end = _replayed(path, redact)
        torn = move_tail(path, end.size, durable=durable)
        writer = JournalWriter.reopen(
            path,
            live,
            end,
            clock,
            durable=durable,
            checksums=_has_checksums(path),
        )
    except BaseException:
        live.release()
        raise
    core.take_up(writer)
    try:
        core.commit(*_first_events(core, torn))
    except BaseException:
        writer.abandon()
        raise
    return core


def find_journal(session_or_path: StrPath) -> Path:
    """The journal at a path, or that of a session in the state folder: the newest of its name.

    Raises JournalError where there is none.
    """
    path = Path(session_or_path)
    if path.exists():
        return path.absolute()
    name = os.fspath(session_or_path)
    exact = sessions_folder() / f"{name}.jsonl"
    if exact.is_file():
        return exact
    wanted = f"{file_name(name)}-"
    for found in list_sessions():
        if found.path.name.startswith(wanted):
            return found.path
    raise JournalError(
        f"can't resume {shown(name)}: no such file, and no such session in "
        f"{shown(sessions_folder())}; name a journal"
    )


def _replayed(path: Path, redact: Redact | None) -> tuple[BufferCore, End]:
    """The buffer after the last whole record, and where that ends.

    Raises:
        JournalError: there is no header.
        RollbackIntegrityError: there is damage before it, or a content can't be told.
    """
    core = BufferCore(redact=redact)
    session: Session | None = None
    end = End()
    damage: Fault | None = None
    for item in read_journal(path):
        if isinstance(item, Header):
            session = item.session
            core.state.records = None if session.records is None else frozenset(session.records)
            core.state.tokenizer = session.tokenizer
            end = End(len(_first_line(path)))
        elif isinstance(item, Fault):
            if item.rule == "JNL010":
                raise _headless(path)
            damage = damage or item
        else:
            end = _next(path, item, end, damage)
            core.happen(item.event)
    if session is None:
        raise _headless(path)
    _check_known(core, session)
    return core, end


def _check_known(core: BufferCore, session: Session) -> None:
    state = core.state
    unknown = [name for name, span in state.spans.items() if not span.gone and span.text is None]
    if state.doubt is not None or state.revision is None or unknown:
        what = f"span {unknown[0]} is unknown" if unknown else "events are missing"
        raise RollbackIntegrityError(
            one_line(f"can't resume session {session.session}: {what}; record anew")
        )


def _headless(path: Path) -> JournalError:
    return JournalError(f"can't resume {shown(path)}: it has no session header; record anew")


def _next(path: Path, item: Record, end: End, damage: Fault | None) -> End:
    """Where the journal ends after a record; it must follow the last one, over sound ground."""
    if damage is not None:
        raise _damaged(path, f"at byte {damage.offset}: {damage.message}")
    if item.event.seq != end.seq + 1:
        raise _damaged(path, f"seq {item.event.seq} follows {end.seq} at byte {item.offset}")
    return End(item.offset + item.length + 1, item.event.seq)


def _damaged(path: Path, what: str) -> RollbackIntegrityError:
    return RollbackIntegrityError(
        one_line(f"can't resume {path}: it is damaged {what}; see `spanscope check`, record anew")
    )


def _first_line(path: Path) -> bytes:
    with open_journal(path) as stream:
        data = b""
        while b"\n" not in data and len(data) <= MOST_BYTES:
            piece = stream.read(1 << 16)
            if not piece:
                break
            data += piece
    line, newline, _ = data.partition(b"\n")
    return line + newline


def _has_checksums(path: Path) -> bool:
    return has_crc(_first_line(path).removeprefix(BOM).rstrip(b"\r\n"))


def move_tail(path: Path, size: int, *, durable: bool = False) -> dict[str, Any] | None:
    """Copies what stands behind `size` bytes into a file beside the journal; what it was, or null.

    Raises JournalError where that can't be done; then the journal is as it was.
    """
    try:
        with open_journal(path) as stream:
            stream.seek(size)
            tail = stream.read()
        if not tail:
            return None
        beside = _write_beside(path, tail, durable=durable)
    except OSError as error:
        raise JournalError(
            f"can't move the torn tail of {shown(path)} aside: {reason(error)}"
        ) from error
    return {"torn": {"bytes": len(tail), "file": beside.name}}


def _write_beside(path: Path, tail: bytes, *, durable: bool) -> Path:
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
    number = 1
    while True:
        beside = path.with_name(f"{path.name}.torn-{number}")
        try:
            fd = os.open(beside, flags, 0o600)
        except FileExistsError:
            number += 1
            continue
        with os.fdopen(fd, "wb", buffering=0) as stream:
            view = memoryview(tail)
            while view:
                view = view[stream.write(view) :]
            if durable:
                os.fsync(stream.fileno())
        return beside


def _first_events(core: BufferCore, torn: dict[str, Any] | None) -> list[AnyEvent]:
    """What a resuming writer says: that it goes on, and that nobody holds anything any more."""
    state = core.state
    events = [core.make(Resume, "agent", meta=torn)]
    for artifact in state.artifacts.values():
        name = artifact.artifact
        events.append(core.make(Release, artifact.actor, len(events), artifact=name))
    for diff in state.staged.values():
        events.append(core.make(Withdraw, diff.author, len(events), diff=diff.diff))
    return events
