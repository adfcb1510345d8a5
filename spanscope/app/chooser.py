"""The chooser: what `spanscope` alone shows. Live sessions, recent journals, the demos."""

from __future__ import annotations

import time
from collections.abc import Sequence

from textual import events, on, work
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Vertical
from textual.message import Message
from textual.screen import Screen
from textual.worker import get_current_worker

from spanscope.app.base import HOW_TO_LEAVE, QuietApp, SteadyScreen
from spanscope.app.choices import Choices, typed, why_not
from spanscope.app.layout import BOXED_WIDTH
from spanscope.app.prompt import Prompt
from spanscope.app.settings import Settings
from spanscope.app.themes import MONO, OURS, THEMES, look_of, next_theme, no_colour
from spanscope.text.cells import cut_middle
from spanscope.widgets.canvas import Canvas
from spanscope.widgets.frame import framed
from spanscope.widgets.keys import fitting_keys, keys_line
from spanscope.widgets.lines import Line, Row, plain, shown_line, within
from spanscope.widgets.message import fitting_sentence
from spanscope.widgets.pane import Pane
from spanscope.widgets.sessions import Choice, SessionsListing

LOOK_AGAIN = 1.0
"""Seconds between two looks for sessions."""

KEYS = (
    ("j k", "choose", "Choose the next row, or the one before."),
    ("enter", "open", "Open the chosen journal or demo."),
    ("s", "safe twin", "Open the safe twin of the chosen demo."),
    ("o", "file", "Open a file by its path."),
    ("d", "demos", "Show only the demos, or everything again."),
    ("/", "search", "Show only what has a text in its name."),
    ("escape", "", "Show everything again; close the help."),
    ("g G", "", "Choose the first row, or the last."),
    ("ctrl+t", "", "Change to the next theme."),
    ("q", "quit", "Leave spanscope."),
    ("?", "help", "Show or hide the keys."),
)
"""Keys, the word of those that stand in the last line, and what they do."""


class Chooser(QuietApp[Choice]):
    """Ends with what was chosen, or with nothing."""

    TITLE = "spanscope"
    ENABLE_COMMAND_PALETTE = False
    AUTO_FOCUS = ""
    CSS = """
    Screen { overflow: hidden; layers: base above; }
    #help { layer: above; dock: right; display: none; }
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
        Binding("s", "open_twin", show=False),
        Binding("o", "ask('o')", show=False),
        Binding("slash", "ask('/')", show=False),
        Binding("d", "demos", show=False),
        Binding("escape", "clear", show=False),
        Binding("question_mark", "help", show=False),
        Binding("ctrl+t", "theme", show=False),
        Binding("q,ctrl+q", "quit", show=False),
    ]

    class LookedOver(Message):
        """One more journal was audited."""

    def __init__(self, demos: Sequence[Choice], settings: Settings | None = None) -> None:
        mono = no_colour()
        settings = settings or Settings()
        super().__init__(ansi_color=True if mono else None)
        self._mono = mono
        self.choices = Choices(demos)
        self.selected: Choice | None = None
        self._said = settings.notice
        self._help_open = False
        self._header = Canvas(id="header")
        self._pane = Pane(id="sessions")
        self._message = Canvas(id="message")
        self._keys = Canvas(id="keys")
        self._help = Canvas(id="help")
        self.prompt = Prompt(id="prompt")
        for each in OURS:
            self.register_theme(each)
        self.theme = MONO.name if mono else THEMES[settings.theme].name

    def get_default_screen(self) -> Screen[None]:
        """A screen that takes no size of before."""
        return SteadyScreen()

    def compose(self) -> ComposeResult:
        """All widgets."""
        with Vertical():
            yield self._header
            yield self._pane
            yield self._message
            yield self._keys
            yield self.prompt
        yield self._help

    def on_mount(self) -> None:
        """Find what there is, and look again every second."""
        self.theme_changed_signal.subscribe(self, lambda _theme: self._restyle())
        self._restyle()
        self._pane.active = True
        self._find()
        self.set_interval(LOOK_AGAIN, self._find)

    def _restyle(self) -> None:
        look = look_of(self, mono=self._mono)
        for canvas in (self._header, self._pane, self._message, self._keys, self._help):
            canvas.restyle(look)

    def _find(self) -> None:
        """Look at what there is now, and audit beside the screen what is not known yet."""
        choices, known = self.choices, self.choices.trouble
        choices.find()
        if self._said in ("", known) and choices.trouble != known:
            self._said = choices.trouble
        self.selected = choices.again(self.selected)
        unknown = choices.unknown()
        if unknown and not any(worker.group == "overview" for worker in self.workers):
            self._look_over(unknown)
        self.redraw()

    @work(thread=True, exclusive=True, group="overview", exit_on_error=False)
    def _look_over(self, choices: list[Choice]) -> None:
        worker = get_current_worker()
        for _ in self.choices.look_over(choices, lambda: worker.is_cancelled):
            self.post_message(self.LookedOver())

    def on_chooser_looked_over(self) -> None:
        """More is known of what is listed."""
        self.redraw()

    def action_help_quit(self) -> None:
        """What Textual asks for at ctrl+c, said in the message line."""
        self._said = HOW_TO_LEAVE
        self.redraw()

    def redraw(self) -> None:
        """Draw what there is."""
        width, height = self.size
        boxed = width >= 80
        self._pane.fit(width, max(1, height - 3), boxed=boxed)
        self._pane.show(self._listing())
        head = Row().gap().put("spanscope", "strong").gap(2).put("what do you want to look at?")
        self._header.draw([head.to(width).line("surface")])
        said = fitting_sentence(self._said, width - 2) or self._about(width - 2)
        self._message.draw([plain(f" {said}", "muted")])
        self._keys.draw([_key_line(width)])
        self._show_help(width, height)

    def _listing(self) -> SessionsListing:
        choices = self.choices
        return SessionsListing(
            choices.shown(),
            choices.overviews,
            self.selected,
            self._pane.inner_width,
            time.time(),
            narrowed=choices.narrowed,
        )

    def _show_help(self, width: int, height: int) -> None:
        self._help.display = self._help_open
        if self._help_open:
            wide = width if width < BOXED_WIDTH else width // 2
            rows = [Row().put(keys, "key", 8).gap().put(about).line() for keys, _, about in KEYS]
            note = "escape closes"
            self._help.styles.width, self._help.styles.height = wide, len(rows) + 2
            title = Row().put("Help").line()
            lines = [within(row, wide - 4) for row in rows]
            tall = min(height, len(rows) + 2)
            self._help.draw(framed(title, lines, wide, tall, note=note, focused=True))

    def action_help(self) -> None:
        """Show or hide the keys."""
        self._help_open = not self._help_open
        self.redraw()

    def action_theme(self) -> None:
        """Draw in the next theme; without colour there is only one."""
        if self._mono:
            self._said = "NO_COLOR is set: without colour there are no themes"
        else:
            self.theme = THEMES[next_theme(self.theme)].name
        self.redraw()

    def _about(self, width: int) -> str:
        """What the chosen row leaves out: what goes wrong in a demo, where a journal lies."""
        sought = self.choices.sought
        if self.selected is None:
            return fitting_sentence(f"nothing has {sought!r} in its name; escape shows all", width)
        if sought:
            return fitting_sentence(f"only what has {sought!r} in it; escape shows all", width)
        story, path = self.selected.story, shown_line(str(self.selected.path))
        return fitting_sentence(story, width) if story else cut_middle(path, width)

    def action_move(self, count: int) -> None:
        """Choose another row."""
        shown = self.choices.shown()
        if not shown:
            return
        place = shown.index(self.selected) if self.selected in shown else 0
        self.selected = shown[min(max(0, place + count), len(shown) - 1)]
        self._said = ""
        self.redraw()

    def action_open(self) -> None:
        """End with the chosen one, if it is still there."""
        if self.selected is not None:
            self._choose(self.selected)

    def action_open_twin(self) -> None:
        """End with the safe twin of the chosen demo."""
        twin = None if self.selected is None else self.selected.twin
        if twin is not None:
            self._choose(twin)
            return
        self._said = "only a demo has a safe twin: d shows the demos"
        self.redraw()

    def _choose(self, choice: Choice) -> None:
        why = why_not(choice)
        if not why:
            self.exit(choice)
            return
        self._said = why
        self._find()

    def action_demos(self) -> None:
        """Show only the demos, or everything again."""
        self.choices.only_demos = not self.choices.only_demos
        self._find()

    def action_clear(self) -> None:
        """Show everything."""
        if self._help_open:
            self.action_help()
            return
        self.choices.show_all()
        self._said = ""
        self._find()

    def action_ask(self, sign: str) -> None:
        """Ask for a path, or for what to search."""
        self._keys.display = False
        self.prompt.open(sign, self.choices.sought if sign == "/" else "")

    def on_key(self, event: events.Key) -> None:
        """Type what was pressed before the prompt had the focus."""
        if self.prompt.opened and event.is_printable and event.character is not None:
            event.stop()
            event.prevent_default()
            self.prompt.insert(event.character)

    @on(Prompt.Typed)
    def _typed(self, message: Prompt.Typed) -> None:
        if self.prompt.opened and message.sign == "/":
            self.choices.sought = message.text.strip()
            self._find()

    @on(Prompt.Entered)
    def _entered(self, message: Prompt.Entered) -> None:
        self._left()
        if message.sign == "o" and message.text.strip():
            self._choose(typed(message.text.strip()))

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
            self._choose(choice)
        else:
            self.selected = choice
            self.redraw()

    def on_resize(self) -> None:
        """Another size."""
        self.redraw()


def _key_line(width: int) -> Line:
    """As many keys as fit; quit and help are always there, at the end."""
    hints = [(keys, word) for keys, word, _ in KEYS if word]
    return keys_line(fitting_keys(hints[:-2], hints[-2:], width), width)
