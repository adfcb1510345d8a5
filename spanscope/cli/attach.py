"""`spanscope attach`: the app on an agent that is running."""

from __future__ import annotations

import difflib
import os
import sys
import time
from argparse import Namespace
from collections.abc import Callable, Sequence
from pathlib import Path

from spanscope.cli.columns import columns
from spanscope.cli.errors import CommandError
from spanscope.cli.open import open_app
from spanscope.cli.output import Output, bold, complain, muted
from spanscope.importers.agents import AgentSession, active_sessions
from spanscope.importers.foreign import foreign_source
from spanscope.journal.errors import shown
from spanscope.journal.sessions import (
    SessionFile,
    is_live,
    list_sessions,
    state_folder_trouble,
)
from spanscope.text.environment import has_terminal

LOOK_EVERY = 0.2
"""Seconds between two looks for an agent that is waited for."""

START_ONE = (
    'an agent shows up with `ContextBuffer.record("planner")` or `Recorder.open("planner")`; '
    "`spanscope attach --wait` waits for it, "
    "`spanscope demo NAME --live` runs one; sessions of Claude Code, Codex, Gemini CLI and "
    "opencode show up while they are written"
)


Running = SessionFile | AgentSession


def run(options: Namespace, out: Output) -> int:
    """Find the session, by choice where there are several, and follow it until the user leaves."""
    wanted: str | None = options.session
    found = _find(wanted)
    if not found and options.wait is not None:
        found = _wait(lambda: _find(wanted), options.wait)
    if not found:
        raise CommandError(_nothing(wanted))
    chosen = found[0] if len(found) == 1 else _choose(found, out)
    branch = chosen.branch if isinstance(chosen, AgentSession) else None
    return open_app(str(chosen.path), None, follow=True, branch=branch)


def _find(wanted: str | None) -> Sequence[Running]:
    """The sessions that are meant: by id, by the beginning of it, or by path."""
    if wanted is not None and _is_path(wanted):
        return _at(wanted)
    native = [session for session in list_sessions() if session.live is not None]
    if wanted is None:
        return [*native, *active_sessions()]
    exact = [session for session in native if wanted == session.path.stem]
    if exact:
        return exact
    others = [session for session in active_sessions() if session.is_called(wanted)]
    return [*(each for each in native if each.path.stem.startswith(wanted)), *others]


def _is_path(wanted: str) -> bool:
    return wanted.endswith((".jsonl", ".db")) or os.sep in wanted


def _at(wanted: str) -> list[Running]:
    """The one that writes a journal, or another tool's session, which tells no writer."""
    live = is_live(wanted)
    if live is not None:
        return [SessionFile(Path(wanted), live, 0, 0)]
    if Path(wanted).is_file() and foreign_source(wanted) is not None:
        return [AgentSession("", "", Path(wanted), 0)]
    return []


def _wait(find: Callable[[], Sequence[Running]], seconds: float) -> Sequence[Running]:
    """Look until there is one, or so many seconds have passed."""
    complain("waiting for an agent; ctrl-c ends it")
    until = time.monotonic() + seconds
    while not (found := find()) and time.monotonic() < until:
        time.sleep(LOOK_EVERY)
    return found


def _nothing(wanted: str | None) -> str:
    """Why there is nothing to attach to, and what to do."""
    by_path = wanted is not None and _is_path(wanted)
    if not by_path and (trouble := state_folder_trouble()):
        return f"no agent is found: {trouble}"
    sessions = list_sessions()
    if wanted is None and sessions:
        last = sessions[0].path
        return (
            f"no agent is running: `spanscope open {shown(last)}` opens the last one's journal, "
            "`spanscope attach --wait` waits for the next"
        )
    if wanted is None:
        return f"no agent is running: {START_ONE}"
    if _is_path(wanted):
        if not os.path.lexists(wanted):
            return f"there is no {shown(wanted)}: {START_ONE}"
        if Path(wanted).is_dir():
            return f"can't follow {shown(wanted)}: it is a folder; name a journal file (.jsonl)"
        return f"nobody writes {shown(wanted)} now: `spanscope open` shows what is there"
    ended = [each for each in sessions if each.path.stem.startswith(wanted)]
    if ended:
        return f"{shown(ended[0].path.stem)} has ended: `spanscope open {shown(ended[0].path)}`"
    live = [each.path.stem for each in sessions if each.live is not None]
    beginnings = {name[: len(wanted) + 1]: name for name in live}
    near = difflib.get_close_matches(wanted, beginnings, n=1)
    hint = f"did you mean {shown(beginnings[near[0]])}?" if near else START_ONE
    return f"no running agent is called {shown(wanted)}: {hint}"


def _choose(found: Sequence[Running], out: Output) -> Running:
    """Ask which of several is meant."""
    names = [each.path.stem if isinstance(each, SessionFile) else each.name for each in found]
    if not has_terminal():
        ids = [each.path.stem if isinstance(each, SessionFile) else each.id for each in found]
        raise CommandError(f"several agents are running: name one of {', '.join(map(shown, ids))}")
    rows = [(str(number), shown(name)) for number, name in enumerate(names, 1)]
    for each, line in zip(found, columns(rows), strict=True):
        out.line(bold(f"  {line}"), muted(f"  {_who(each)}, {_age(each.modified)}"))
    while True:
        out.line(f"Which one? 1 to {len(found)}, enter: the first, q: none")
        out.flush()
        answer = sys.stdin.readline()
        if not answer or answer.strip() == "q":
            raise CommandError("none was chosen")
        number = int(answer) if answer.strip().isdecimal() else 1 if not answer.strip() else 0
        if 1 <= number <= len(found):
            return found[number - 1]


def _who(session: Running) -> str:
    if isinstance(session, AgentSession):
        return session.agent
    pid = session.live.pid if session.live is not None else None
    return f"pid {pid or '?'}"


def _age(modified: float) -> str:
    seconds = max(0, int(time.time() - modified))
    return f"last event {seconds} s ago" if seconds < 120 else f"no event for {seconds // 60} min"
