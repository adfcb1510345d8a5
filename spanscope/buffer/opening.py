"""Starting a journal, for a buffer and for a recorder."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from datetime import datetime
from typing import Any, Literal

import msgspec

from spanscope.journal.clock import Clock, rfc3339, utc_now
from spanscope.journal.errors import JournalError, JournalTakenError
from spanscope.journal.events import FORMAT, Session
from spanscope.journal.files import StrPath
from spanscope.journal.parts import Parent
from spanscope.journal.sessions import session_id, session_paths
from spanscope.journal.writer import JournalWriter

Recordable = Literal["versions", "hashes", "inverses", "reads", "holders"]


def start_journal(
    name: str,
    path: StrPath | None,
    clock: Clock | None,
    *,
    durable: bool = False,
    agent: str | None = None,
    session: str | None = None,
    tokenizer: str | None = None,
    parent: Parent | Mapping[str, Any] | None = None,
    records: Sequence[Recordable] | None = None,
) -> tuple[JournalWriter, Session]:
    """A new journal and its header: at `path`, or in the state folder, named after the session.

    Raises JournalError where the file exists, has a writer or can't be created, TypeError for a
    header field of a wrong type.
    """
    started = (clock or utc_now)()
    header = _header(
        format=FORMAT,
        session=session if session is not None else session_id(name, started),
        agent=agent if agent is not None else name,
        tokenizer=tokenizer,
        started=rfc3339(started),
        parent=parent,
        records=records,
    )
    if path is not None:
        return JournalWriter.create(path, header, clock, durable=durable), header
    return _in_state_folder(name, started, header, clock, durable=durable), header


def _in_state_folder(
    name: str, started: datetime, header: Session, clock: Clock | None, *, durable: bool
) -> JournalWriter:
    for candidate in session_paths(name, started):
        with suppress(JournalTakenError):
            return JournalWriter.create(candidate, header, clock, durable=durable)
    raise JournalError("too many sessions of this name within a second; give a path")


def _header(**fields: Any) -> Session:
    try:
        return msgspec.convert(msgspec.to_builtins(fields), Session)
    except (TypeError, msgspec.ValidationError) as error:
        raise TypeError(f"can't write the header: {error}") from None
