"""Taking something out of the app: the view as SVG, a slice of the journal, a text to paste.

What is written into the current folder never takes the place of another file, and only its owner
can read it: journals hold what people and tools said.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, nullcontext
from functools import partial
from pathlib import Path
from typing import Any

from textual.app import App

from spanscope.app.base import Said
from spanscope.app.desk import Desk
from spanscope.app.layout import FINDINGS
from spanscope.app.navigation import Navigator
from spanscope.app.private import write_private
from spanscope.history.describing import headline
from spanscope.journal.errors import JournalError, reason, shown
from spanscope.journal.sessions import make_state_folder
from spanscope.rules.finding import Finding
from spanscope.text.visible import visible
from spanscope.widgets.why import looked_at

EXPORTING = "export"
"""The group of the worker that looks for a slice."""

OTHER_NAMES = 1000
"""So many names are tried where a file of the first one is there."""

COPIES = "copied"
"""The folder, in the state folder, of the text that was copied last."""

_TAKES_COPIES = ("iTerm.app", "WezTerm", "ghostty", "vscode", "rio", "alacritty", "kitty", "foot")
_FONTS = r'url\("https?://[^"]*"\)\s*format\("[^"]*"\),?\s*'


class Exports:
    """The actions `export` and `copy`."""

    def __init__(
        self,
        app: App[Any],
        navigator: Navigator,
        desk: Desk,
        reading: Callable[[], AbstractContextManager[object]],
    ) -> None:
        self._app = app
        self._reading = reading
        self._navigator = navigator
        self._desk = desk

    def find(self, id: str) -> Callable[[int], str | None] | None:
        """What does an action; null where it is none of these."""
        return {"export": self._export, "copy": self._copy}.get(id)

    def _finding(self) -> Finding | None:
        return looked_at(self._navigator.scene())

    def _export(self, _count: int) -> str | None:
        from spanscope.app.asking import Answer, Ask

        finding = self._finding()
        where = "" if finding is None else f"{finding.rule} at {finding.seq}"
        answers = [Answer("v", "the view, as SVG")]
        if finding is not None:
            answers.append(Answer("s", f"a slice around {where}, as a journal"))
        note = "" if where else "no finding is selected: there is no slice"
        _ = self._app.push_screen(Ask("Export", answers, note), partial(self._chosen, finding))
        return None

    def _chosen(self, finding: Finding | None, key: str | None) -> None:
        if key == "v":
            self._app.call_after_refresh(self._write_view)
        elif key == "s" and finding is not None:
            self._say("looking for what can be left out ...")
            slicing = partial(self._write_slice, finding)
            self._app.run_worker(slicing, thread=True, exit_on_error=False, group=EXPORTING)

    def _say(self, text: str) -> None:
        self._app.post_message(Said(text))

    def _write_view(self) -> None:
        title = f"{self._navigator.file} at {self._navigator.seq}"
        svg = self._app.export_screenshot(title=visible(title), simplify=True)
        name = f"{self._stem}-{self._navigator.seq}"
        self._say(_written(name, ".svg", without_links(svg).encode(), "the view"))

    def _write_slice(self, finding: Finding) -> None:
        from spanscope.history.slicing import SliceError, slice_around

        navigator = self._navigator
        whole = navigator.audit.done and navigator.live is None
        try:
            with nullcontext() if whole else self._reading():
                cut = slice_around(navigator.history, finding)
        except SliceError as error:
            self._say(f"no slice: {error}")
            return
        about = f"{len(cut.events)} of {cut.of} events, {finding.rule} is at {cut.seq}"
        name = f"{self._stem}-{finding.rule}-{finding.seq}"
        self._say(_written(name, ".jsonl", cut.lines(), about))

    @property
    def _stem(self) -> str:
        return safe_name(Path(self._navigator.file).stem)

    def _copy(self, _count: int) -> str | None:
        text = visible(self._to_copy())
        if not text:
            return "there is nothing to copy"
        self._app.copy_to_clipboard(text)
        if takes_copies(os.environ):
            return f"copied: {text}"
        try:
            path = make_state_folder(COPIES) / "last.txt"
            write_private(path, text + "\n")
        except (OSError, JournalError) as error:
            return f"sent to the terminal, which may not take it; no file: {reason(error)}"
        return f"sent to the terminal, and written to {_from_home(path)}: {text}"

    def _to_copy(self) -> str:
        """The finding, in Events, Findings and Why; else the id of the selection, or the event."""
        finding = self._finding()
        if finding is not None and self._desk.focus in ("events", FINDINGS, "detail"):
            return f"{finding.rule} {finding.name} at {finding.seq}: {finding.message}"
        selected = self._navigator.selected
        if selected is not None:
            return selected.name
        event = self._navigator.scene().event
        return "" if event is None else f"{event.seq} {headline(event)}"


def _from_home(path: Path) -> str:
    """A path as it is typed, short where it lies in the home folder."""
    try:
        return shown(Path("~") / path.relative_to(Path.home()))
    except (ValueError, RuntimeError):
        return shown(path)


def _written(stem: str, suffix: str, data: bytes, about: str) -> str:
    """Write a file into the current folder, and say so."""
    where = "the current folder"
    try:
        folder = Path.cwd()
        where = shown(folder)
        path = write_new(folder, stem, suffix, data)
    except OSError as error:
        return (
            f"nothing was written: {reason(error)}, in {where}; "
            "start spanscope in a folder that you can write to"
        )
    return f"wrote {path.name}: {about} (in {path.parent})"


def write_new(folder: Path, stem: str, suffix: str, data: bytes) -> Path:
    """Write a new file that only its owner can read; its name is one that nothing has yet.

    Raises OSError.
    """
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
    for number in range(1, OTHER_NAMES):
        path = folder / f"{stem}{'' if number == 1 else f'-{number}'}{suffix}"
        try:
            descriptor = os.open(path, flags, 0o600)
        except FileExistsError:
            continue
        try:
            with os.fdopen(descriptor, "wb") as file:
                file.write(data)
        except OSError:
            path.unlink(missing_ok=True)
            raise
        return path
    raise FileExistsError(f"there are too many files named {stem}{suffix} already")


def safe_name(text: str) -> str:
    """A text as part of a file's name, whatever it holds."""
    return re.sub(r"[^A-Za-z0-9._-]+", "-", text).strip("-.")[:80] or "journal"


def without_links(svg: str) -> str:
    """A picture that fetches no font from the network."""
    return re.sub(_FONTS, "", svg)


def takes_copies(environment: Mapping[str, str]) -> bool:
    """Whether this is a terminal that is known to take a text into the clipboard (OSC 52).

    Over SSH or inside a multiplexer nobody can tell.
    """
    if any(environment.get(name) for name in ("SSH_TTY", "SSH_CONNECTION", "TMUX", "STY")):
        return False
    if environment.get("WT_SESSION") or environment.get("KITTY_WINDOW_ID"):
        return True
    program = environment.get("TERM_PROGRAM", "")
    term = environment.get("TERM", "").removeprefix("xterm-")
    return program in _TAKES_COPIES or term.split("-")[0] in _TAKES_COPIES
