"""Whose rows the rollouts of one Codex session hold: the main thread's or a sub-agent's.

A sub-agent's rollout may begin with a copy of what its parent had in its context.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from spanscope.importers.builder import AGENT, CONTEXT
from spanscope.importers.values import Row, mapping, number, string


@dataclass
class Thread:
    """One thread's history: `turns` are the spans that start a turn, in order.

    `copied` names the spans that its copies of its parent's items are. One that `inherits` may
    have such copies; rows before the ordinal `own_from` are.
    """

    actor: str
    store: str
    id: str | None = None
    sampled: object = None
    calls: dict[str, str] = field(default_factory=dict)
    patches: dict[str, str] = field(default_factory=dict)
    turns: list[str] = field(default_factory=list)
    ordinals: list[tuple[int, int]] = field(default_factory=list)
    copied: dict[str, str] = field(default_factory=dict)
    items: int = 0
    inherits: bool = False
    own_from: int = 0

    @property
    def spoken_to(self) -> bool:
        """Whether what a user says in it is said by a person."""
        return not self.actor.startswith("subagent:")

    def copies(self, row: Row) -> bool:
        """Whether a row is a copy of one of the parent's."""
        if not self.inherits:
            return False
        if mapping(row, "metadata").get("inherited_user_message") is True:
            return True
        ordinal = number(row, "ordinal")
        return ordinal is not None and ordinal < self.own_from


class Threads:
    """The threads of a session by the file that they are in."""

    def __init__(self) -> None:
        self._of: dict[int, Thread] = {}
        self._actors: set[str] = set()

    def of(self, part: int) -> Thread:
        """The thread that a file is of."""
        if part not in self._of:
            self._of[part] = Thread(AGENT, CONTEXT)
        return self._of[part]

    def called(self, id: str | None) -> Thread | None:
        """The thread with an id."""
        return next((each for each in self._of.values() if id and each.id == id), None)

    def goes_on(self, part: int, thread: Thread) -> None:
        """A file goes on with a thread that another one began."""
        self._of[part] = thread

    def begin(self, part: int, meta: Row) -> None:
        """The first thing that a file says of its thread; the first thread of all is the main one.

        What it says later is its parent's, copied.
        """
        thread, id = self.of(part), string(meta, "id")
        if thread.id is not None:
            return
        main = next((each for each in self._of.values() if each.id is not None), None)
        if main is not None and id != main.id:
            thread.actor = thread.store = self._actor(meta, id or str(part))
        thread.own_from = number(meta, "subagent_history_start_ordinal") or 0
        thread.inherits = thread.own_from > 0 or string(meta, "forked_from_id") is not None
        thread.id = id

    def _actor(self, meta: Row, id: str) -> str:
        """A sub-agent by its path below the main agent, else by its id; each once.

        A thread that nobody began is another agent's: several sessions lie in one folder.
        """
        source = mapping(mapping(meta, "source"), "subagent")
        begun = bool(source) or string(meta, "parent_thread_id") is not None
        path = (string(meta, "agent_path") or "").removeprefix("/root/").strip("/")
        name = f"{'subagent' if begun else AGENT}:{(path or id)[:40]}"
        count = 1
        while (found := name if count == 1 else f"{name}.{count}") in self._actors:
            count += 1
        self._actors.add(found)
        return found
