"""Opening the app on a journal; textual is imported only once there is a terminal."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any

from spanscope.history.collecting import collection_held
from spanscope.importers.foreign import foreign_source
from spanscope.journal.errors import JournalError, reason, shown
from spanscope.journal.live import is_live
from spanscope.journal.recent import remember
from spanscope.text.environment import has_terminal

if TYPE_CHECKING:
    from spanscope.app.base import QuietApp
    from spanscope.app.board_app import Reader
    from spanscope.app.presenting import Presentation
    from spanscope.app.settings import Settings
    from spanscope.importers.source import Source
    from spanscope.widgets.sessions import Choice

TERMINAL = "/dev/tty"
STANDARD_INPUT = 0

NO_TERMINAL = (
    "spanscope: the app needs a terminal; use `spanscope check`, `show` or `log` without one"
)


@collection_held()
def run(
    path: str | os.PathLike[str],
    *,
    at: int | None = None,
    follow: bool = False,
    branch: str | None = None,
    session: Source | None = None,
) -> int:
    """Show a journal until the user leaves, and return the exit code; `follow` it as it grows.

    `session` is the other tool's session that was found there already, `branch` says which one of
    several is followed.

    2 where there is no terminal or the journal can't be read: a line on standard error says why.
    """
    if not has_terminal():
        return _refused(NO_TERMINAL)
    from spanscope.app.pace import step_back
    from spanscope.app.settings import read_settings

    if at is None and not follow and read_settings().follow:
        follow = is_live(path) is not None
    try:
        source = _source(path, branch, session, follow=follow)
        if follow:
            step_back()
        remember(path)
    except JournalError as error:
        return _refused(f"spanscope: {error}")
    except OSError as error:
        return _refused(f"spanscope: can't open {shown(path)}: {error.strerror}")
    return _show(source, path, at)


def _source(
    path: str | os.PathLike[str], branch: str | None, session: Source | None, *, follow: bool
) -> Reader:
    """What reads a journal or another tool's session, as it is or as it grows.

    Raises JournalError.
    """
    if not follow:
        from spanscope.app.loading import Loader

        return Loader(Path(path), session)
    from spanscope.app.following import Follower

    session = session or foreign_source(path)
    if session is None:
        from spanscope.journal.tail import Tail

        return Follower(Tail(path))
    from spanscope.importers.growing import follow as follow_session

    return Follower(follow_session(path, session, branch))


@collection_held()
def run_stream(*, at: int | None = None) -> int:
    """Show the journal that comes through standard input; the keys come from the terminal.

    The exit code is as for `run`.
    """
    from spanscope.app.following import Follower
    from spanscope.journal.stream import NAME, Stream

    try:
        descriptor = take_standard_input()
    except OSError as error:
        return _refused(f"spanscope: no terminal to take keys from: {reason(error)}")
    return _show(Follower(Stream(descriptor), stream=True), NAME, at)


@collection_held()
def run_presentation(title: str, unsafe: Path, safe: Path, *, begin_safe: bool = False) -> int:
    """Present a story and its safe twin, from before the first beat.

    The exit code is as for `run`.
    """
    if not has_terminal():
        return _refused(NO_TERMINAL)
    from spanscope.app.presenting import Presentation
    from spanscope.history.history import load

    presentation = Presentation(title, load(unsafe), load(safe), begin_safe=begin_safe)
    return _show_app(presentation, unsafe, None)


@collection_held()
def choose(demos: Sequence[Choice]) -> Choice | int:
    """Let the user choose what to open; where nothing was chosen the exit code."""
    from spanscope.app.chooser import Chooser
    from spanscope.app.settings import read_settings

    _drop_empty_no_color()
    settings = read_settings()
    settings.use_ascii()
    chooser = Chooser(demos, settings)
    code = _until_left(chooser)
    return chooser.return_value or code


def take_standard_input() -> int:
    """Standard input as a descriptor of its own; from now on it is the terminal.

    Raises OSError where the process has no terminal.
    """
    terminal = os.open(TERMINAL, os.O_RDWR)
    try:
        descriptor = os.dup(STANDARD_INPUT)
        os.dup2(terminal, STANDARD_INPUT)
    finally:
        os.close(terminal)
    return descriptor


def _show(source: Reader, path: str | os.PathLike[str], at: int | None) -> int:
    """Run the app on what a reader reads, and let go of that at the end."""
    with closing(source):
        return _show_app(source, path, at)


def _show_app(source: Reader | Presentation, path: str | os.PathLike[str], at: int | None) -> int:
    _drop_empty_no_color()
    settings = _settings()
    from spanscope.app.app import SpanscopeApp

    return _until_left(SpanscopeApp(source, path, at=at, settings=settings))


def _settings() -> Settings:
    """What the user has settled; what is wrong with it is said, and stays said afterwards."""
    from spanscope.app.settings import read_settings

    settings = read_settings()
    settings.use_ascii()
    for problem in settings.problems:
        sys.stderr.write(f"spanscope: {problem}\n")
    return settings


def _drop_empty_no_color() -> None:
    """Only a value that is not empty means it; Textual looks at the name alone."""
    if os.environ.get("NO_COLOR") == "":
        del os.environ["NO_COLOR"]


def _until_left(app: QuietApp[Any]) -> int:
    """Run an app; whatever goes wrong in it, a person sees one line about it."""
    from spanscope.app.crashes import report_crash

    error: BaseException | None = None
    try:
        app.run()
        error = app.crash
    except Exception as raised:  # noqa: BLE001 no traceback reaches a user
        error = raised
    return app.return_code or 0 if error is None else _refused(f"spanscope: {report_crash(error)}")


def _refused(message: str) -> int:
    sys.stderr.write(message + "\n")
    return 2
