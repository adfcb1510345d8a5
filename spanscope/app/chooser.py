"""The chooser: what `spanscope` alone shows. Live sessions, recent journals, the demos."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from textual import events, on, work
from textual.app import App, ComposeResult
from textual.binding import Binding
from textual.containers import Vertical
from textual.worker import get_current_worker

from spanscope.app.prompt import Prompt
from spanscope.app.themes import MONO, OURS, THEMES, look_of, no_colour
from spanscope.history.overview import Overview, look_over
from spanscope.importers.agents import AgentSession, active_sessions
from spanscope.importers.foreign import foreign_source
from spanscope.journal.recent import recent_journals
from spanscope.journal.sessions import list_sessions
from spanscope.widgets.canvas import Canvas
from spanscope.widgets.lines import Line, Row, plain
from spanscope.widgets.pane import Pane
from spanscope.widgets.sessions import Choice, SessionsListing

MOST_RECENT = 30
"""So many recent journals are listed."""

LOOK_AGAIN = 1.0
"""Seconds between two looks for sessions."""

KEYS = (
    ("j k", "choose"),
    ("enter", "open"),
    ("o", "open a file"),
    ("d", "only demos"),
    ("/", "search"),
    ("q", "quit"),
)


LOOK_AT_AGENTS = 5.0
"""Seconds between two looks into the folders of other agents."""


def find_choices(demos: Sequence[Choice], agents: Sequence[AgentSession] = ()) -> list[Choice]:
    """Everything there is to open: live sessions, other agents', recent journals, the demos."""
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


def _modified(path: Path) -> float:
    """When a file was written last; 0 where it is gone."""
    try:
        return path.stat().st_mtime
    except OSError:
        return 0.0


class Chooser(App[Choice]):
    """Ends with what was chosen, or with nothing."""

    TITLE = "spanscope"
    ENABLE_COMMAND_PALETTE = False
    AUTO_FOCUS = ""
    CSS = """
    Screen { overflow: hidden; }
    Canvas { width: 1fr; height: 1; }
    Pane { height: 1fr; }
    """
    BINDINGS = [
        Binding("j,down", "move(1)", show=False),
        Binding("k,up", "move(-1)", show=False),
        Binding("pagedown", "move(10)", show=False),
        Binding("pageup", "move(-10)", show=False),
        Binding("g,home", "move(-10000)", show=False),
        Binding("G,end", "move(10000)", show=False),
        Binding("enter", "open", show=False),
        Binding("o", "ask('o')", show=False),
        Binding("slash", "ask('/')", show=False),
        Binding("d", "demos", show=False),
        Binding("escape", "clear", show=False),
        Binding("q,ctrl+q", "quit", show=False),
    ]

    def __init__(self, demos: Sequence[Choice], *, theme: str = "dark") -> None:
        mono = no_colour()
        super().__init__(ansi_color=True if mono else None)
        self._mono = mono
        self._demos = demos
        self._agents: list[AgentSession] = []
        self._agents_at = -LOOK_AT_AGENTS
        self.choices: list[Choice] = []
        self.overviews: dict[Path, Overview] = {}
        self._looked_at: dict[Path, float] = {}
        self.selected: Choice | None = None
        self._only_demos = False
        self._sought = ""
        self._said = ""
        self._header = Canvas(id="header")
        self._pane = Pane(id="sessions")
        self._message = Canvas(id="message")
        self._keys = Canvas(id="keys")
        self.prompt = Prompt(id="prompt")
        for each in OURS:
            self.register_theme(each)
        self.theme = MONO.name if mono else THEMES[theme].name

    def compose(self) -> ComposeResult:
        """All widgets."""
        with Vertical():
            yield self._header
            yield self._pane
            yield self._message
            yield self._keys
            yield self.prompt

    def on_mount(self) -> None:
        """Find what there is, and look again every second."""
        look = look_of(self, mono=self._mono)
        for canvas in (self._header, self._pane, self._message, self._keys):
            canvas.restyle(look)
        self._pane.active = True
        self._find()
        self.set_interval(LOOK_AGAIN, self._find)

    def _find(self) -> None:
        now = time.monotonic()
        if now - self._agents_at >= LOOK_AT_AGENTS:
            self._agents, self._agents_at = active_sessions(), now
        self.choices = find_choices(self._demos, self._agents)
        shown = self._shown()
        if self.selected not in shown:
            same = [choice for choice in shown if _is_same(choice, self.selected)]
            first = shown[0] if shown else None
            self.selected = same[0] if same else first
        self._look_over([choice for choice in self.choices if choice.group in ("live", "recent")])
        self.redraw()

    @work(thread=True, exclusive=True, group="overview")
    def _look_over(self, choices: list[Choice]) -> None:
        """Audit what is listed, the small ones, beside the screen."""
        worker = get_current_worker()
        for choice in choices:
            if worker.is_cancelled:
                return
            if self._looked_at.get(choice.path) != choice.modified:
                self._looked_at[choice.path] = choice.modified
                self.overviews[choice.path] = look_over(choice.path, _translated)
                self.call_from_thread(self.redraw)

    def _shown(self) -> list[Choice]:
        wanted = self._sought.casefold()
        return [
            choice
            for choice in self.choices
            if (choice.group == "demo" or not self._only_demos)
            and wanted in f"{choice.name} {choice.about}".casefold()
        ]

    def redraw(self) -> None:
        """Draw what there is."""
        width, height = self.size
        boxed = width >= 80
        self._pane.fit(width, max(1, height - 3), boxed=boxed)
        listing = SessionsListing(
            self._shown(), self.overviews, self.selected, self._pane.inner_width, time.time()
        )
        self._pane.show(listing)
        head = Row().gap().put("spanscope", "strong").gap(2).put("what do you want to look at?")
        self._header.draw([head.to(width).line("surface")])
        self._message.draw([plain(f" {self._said or self._about()}", "muted")])
        self._keys.draw([_key_line(width)])

    def _about(self) -> str:
        if self._sought:
            return f"only what has {self._sought!r} in it; escape shows all"
        return "" if self.selected is None else str(self.selected.path)

    def action_move(self, count: int) -> None:
        """Choose another row."""
        shown = self._shown()
        if not shown:
            return
        place = shown.index(self.selected) if self.selected in shown else 0
        self.selected = shown[min(max(0, place + count), len(shown) - 1)]
        self._said = ""
        self.redraw()

    def action_open(self) -> None:
        """End with the chosen one."""
        if self.selected is not None:
            self.exit(self.selected)

    def action_demos(self) -> None:
        """Show only the demos, or everything again."""
        self._only_demos = not self._only_demos
        self._find()

    def action_clear(self) -> None:
        """Show everything."""
        self._only_demos, self._sought, self._said = False, "", ""
        self._find()

    def action_ask(self, sign: str) -> None:
        """Ask for a path, or for what to search."""
        self._keys.display = False
        self.prompt.open(sign, self._sought if sign == "/" else "")

    def on_key(self, event: events.Key) -> None:
        """Type what was pressed before the prompt had the focus."""
        if self.prompt.opened and event.is_printable and event.character is not None:
            event.stop()
            event.prevent_default()
            self.prompt.insert(event.character)

    @on(Prompt.Typed)
    def _typed(self, message: Prompt.Typed) -> None:
        if self.prompt.opened and message.sign == "/":
            self._sought = message.text.strip()
            self._find()

    @on(Prompt.Entered)
    def _entered(self, message: Prompt.Entered) -> None:
        self._left()
        if message.sign == "o" and message.text.strip():
            path = Path(message.text.strip()).expanduser()
            if path.is_file():
                self.exit(Choice("recent", path.stem, path))
            else:
                self._said = f"there is no file {path}"
                self.redraw()

    @on(Prompt.Left)
    def _left(self) -> None:
        self.prompt.close()
        self._keys.display = True
        self.redraw()

    @on(Pane.Clicked)
    def _clicked(self, message: Pane.Clicked) -> None:
        listing = self._pane.listing
        if message.row is None or not isinstance(listing, SessionsListing):
            return
        choice = listing.choice(message.row)
        if choice is None:
            return
        if choice == self.selected:
            self.exit(choice)
        else:
            self.selected = choice
            self.redraw()

    def on_resize(self) -> None:
        """Another size."""
        self.redraw()


def _translated(path: Path) -> Iterator[bytes] | None:
    """Another tool's session as a journal; null for a journal."""
    source = foreign_source(path)
    return None if source is None else source.journal()


def _is_same(choice: Choice, other: Choice | None) -> bool:
    facts = (choice.group, choice.path, choice.branch)
    return other is not None and facts == (other.group, other.path, other.branch)


def _key_line(width: int) -> Line:
    row = Row().gap()
    end = sum(map(len, KEYS[-1])) + 1
    for key, word in KEYS[:-1]:
        if row.width + len(key) + 1 + len(word) + 3 + end <= width:
            row.put(key, "key").gap().put(word, "muted").gap(3)
    row.put(KEYS[-1][0], "key").gap().put(KEYS[-1][1], "muted")
    return row.to(width).line("surface")
