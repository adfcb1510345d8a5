"""What there is to open: live sessions, other agents', recent journals, the demos."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from spanscope.history.overview import Overview, look_over
from spanscope.importers.agents import AgentSession, active_sessions
from spanscope.importers.foreign import foreign_source
from spanscope.journal.errors import JournalError, reason
from spanscope.journal.recent import recent_journals
from spanscope.journal.sessions import list_sessions, state_folder_trouble
from spanscope.widgets.sessions import Choice

MOST_RECENT = 30
"""So many recent journals are listed."""

LOOK_AT_AGENTS = 5.0
"""Seconds between two looks into the folders of other agents."""


def find_choices(demos: Sequence[Choice], agents: Sequence[AgentSession] = ()) -> list[Choice]:
    """Everything there is to open, group by group."""
    sessions = list_sessions()
    live = [
        Choice("live", each.path.stem, each.path, "", each.modified, each.live.pid or 0)
        for each in sessions
        if each.live is not None
    ]
    others = [
        Choice("agent", each.name, each.path, each.agent, each.modified, branch=each.branch)
        for each in agents
    ]
    known = {choice.path for choice in (*live, *others)}
    samples = {demo.path.parent for demo in demos}
    paths = [each.path for each in sessions if each.live is None]
    paths += [path for path in recent_journals() if path not in paths]
    recent = [
        Choice("recent", path.stem, path, str(path.parent), modified)
        for path in paths
        if path not in known and path.parent not in samples and (modified := _modified(path))
    ]
    recent.sort(key=lambda choice: choice.modified, reverse=True)
    return [*live, *others, *recent[:MOST_RECENT], *demos]


class Choices:
    """What was found at the last look, and what of it is shown.

    `trouble` says why something may be missing. `overviews` are of those that were audited.
    """

    def __init__(self, demos: Sequence[Choice]) -> None:
        self.found: list[Choice] = []
        self.overviews: dict[Path, Overview] = {}
        self.trouble = ""
        self.only_demos = False
        self.sought = ""
        self._demos = demos
        self._agents: list[AgentSession] = []
        self._agents_at = -LOOK_AT_AGENTS
        self._looked_at: dict[Path, float] = {}

    def find(self) -> None:
        """Look at what there is now."""
        now = time.monotonic()
        try:
            if now - self._agents_at >= LOOK_AT_AGENTS:
                self._agents, self._agents_at = active_sessions(), now
            self.found = find_choices(self._demos, self._agents)
            trouble = state_folder_trouble()
            self.trouble = f"no sessions of yours: {trouble}" if trouble else ""
        except (OSError, JournalError) as error:
            self.found = list(self._demos)
            self.trouble = f"only the demos: {reason(error)}"

    @property
    def narrowed(self) -> bool:
        """Whether something is left out."""
        return self.only_demos or bool(self.sought)

    def show_all(self) -> None:
        """Leave nothing out."""
        self.only_demos, self.sought = False, ""

    def shown(self) -> list[Choice]:
        """Those that are not left out."""
        wanted = self.sought.casefold()
        return [
            choice
            for choice in self.found
            if (choice.group == "demo" or not self.only_demos)
            and wanted in f"{choice.name} {choice.about}".casefold()
        ]

    def again(self, choice: Choice | None) -> Choice | None:
        """What was chosen as it is shown now, else the first; null where nothing is."""
        shown = self.shown()
        if choice in shown:
            return choice
        same = (each for each in shown if _is_same(each, choice))
        return next(same, shown[0] if shown else None)

    def unknown(self) -> list[Choice]:
        """Those that have changed since they were audited."""
        wanted = (choice for choice in self.found if choice.group in ("live", "recent"))
        return [choice for choice in wanted if self._looked_at.get(choice.path) != choice.modified]

    def look_over(self, choices: Sequence[Choice], cancelled: Callable[[], bool]) -> Iterator[None]:
        """Audit the small ones; a step for each that something more is known of."""
        for choice in choices:
            if cancelled():
                return
            if self._looked_at.get(choice.path) == choice.modified:
                continue
            found = look_over(choice.path, _translated, cancelled)
            if found is not None:
                self._looked_at[choice.path] = choice.modified
                self.overviews[choice.path] = found
                yield


def typed(text: str) -> Choice:
    """The journal at a path that was typed; `~` stands for the home folder, where there is one."""
    try:
        path = Path(text).expanduser()
    except RuntimeError:
        path = Path(text)
    return Choice("recent", path.stem, path)


def why_not(choice: Choice) -> str:
    """Why something can't be opened; empty where it can."""
    path = choice.path
    try:
        there = path.is_file() or path.is_dir()
    except (OSError, ValueError) as error:
        return f"can't open {path}: {reason(error)}"
    return "" if there else f"there is no file {path}"


def _translated(path: Path) -> Iterator[bytes] | None:
    """Another tool's session as a journal; null for a journal."""
    source = foreign_source(path)
    return None if source is None else source.journal()


def _is_same(choice: Choice, other: Choice | None) -> bool:
    facts = (choice.group, choice.path, choice.branch)
    return other is not None and facts == (other.group, other.path, other.branch)


def _modified(path: Path) -> float:
    """When a file was written last; 0 where it is gone."""
    try:
        return path.stat().st_mtime
    except OSError:
        return 0.0
