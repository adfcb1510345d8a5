"""What a user has settled once: theme, ASCII, following and keys, in a file of their own.

Whatever is wrong with the file is said in one line, and the rest of it is used.
"""

from __future__ import annotations

import difflib
import errno
import os
import re
import stat
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from msgspec import Struct

from spanscope.app.action import Action
from spanscope.app.actions import ACTIONS
from spanscope.app.themes import THEMES
from spanscope.journal.errors import reason, shown
from spanscope.text.environment import ASCII_VARIABLE

NAMES = ("theme", "ascii", "follow", "keys")


class Settings(Struct):
    """What holds where nothing else is said; `problems` are lines about what is not taken."""

    theme: str = "dark"
    ascii: bool = False
    follow: bool = False
    actions: tuple[Action, ...] = ACTIONS
    problems: list[str] = []

    def use_ascii(self) -> None:
        """Draw in ASCII from now on, where that is settled and the environment is silent."""
        if self.ascii and ASCII_VARIABLE not in os.environ:
            os.environ[ASCII_VARIABLE] = "1"

    @property
    def notice(self) -> str:
        """What to say when the app opens."""
        if len(self.problems) < 2:
            return "".join(self.problems)
        return f"{len(self.problems)} settings are wrong: {self.problems[0]}"


def settings_path(environment: Mapping[str, str]) -> Path:
    """Where the file is. Raises RuntimeError where there is no home folder."""
    folder = Path(environment.get("XDG_CONFIG_HOME", ""))
    base = folder if folder.is_absolute() else Path.home() / ".config"
    return base / "spanscope" / "config.toml"


def read_settings(environment: Mapping[str, str] = os.environ) -> Settings:
    """The settings of the user; defaults where there is no file or where it can't be read."""
    try:
        path = settings_path(environment)
        text = _read(path)
    except (FileNotFoundError, NotADirectoryError, RuntimeError):
        return Settings()
    except (OSError, UnicodeDecodeError) as error:
        return Settings(problems=[f"{shown(path)}: {reason(error)}; the defaults are used"])
    # Most people have no such file: their app opens without it.
    import tomllib

    try:
        found = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        return Settings(problems=[f"{shown(path)}: {error}; the defaults are used"])
    return _Reading(path, text).settings(found)


def _read(path: Path) -> str:
    """The text of a file; of a pipe or a device none is waited for. Raises OSError."""
    mode = path.stat().st_mode
    if not stat.S_ISREG(mode) and not stat.S_ISDIR(mode):
        raise OSError(errno.EINVAL, "it is a pipe or a device")
    return path.read_bytes().decode()


class _Reading:
    """Takes what is right, and says what is not and where."""

    def __init__(self, path: Path, text: str) -> None:
        self._path = path
        self._lines = text.split("\n")
        self._settings = Settings()

    def settings(self, found: Mapping[str, Any]) -> Settings:
        take: dict[str, Callable[[Any], None]] = {
            "theme": self._theme,
            "ascii": lambda value: self._flag("ascii", value),
            "follow": lambda value: self._flag("follow", value),
            "keys": self._keys,
        }
        for name, value in found.items():
            if name in take:
                take[name](value)
            else:
                self._refuse(name, f"there is no setting {name!r}{_near(name, NAMES)}")
        return self._settings

    def _refuse(self, name: str, why: str) -> None:
        written = re.compile(rf"""\s*\[?\s*["']?{re.escape(name)}["']?\s*[=\].]""")
        lines = [at for at, line in enumerate(self._lines, 1) if written.match(line)]
        place = f"{shown(self._path)}:{lines[-1]}" if lines else shown(self._path)
        self._settings.problems.append(f"{place}: {shown(why)}; the default is used")

    def _theme(self, value: Any) -> None:
        if isinstance(value, str) and value in THEMES:
            self._settings.theme = value
        else:
            near = _near(value, THEMES) if isinstance(value, str) else ""
            there_are = f": there are {', '.join(THEMES)}"
            self._refuse("theme", f"there is no theme {value!r}{near or there_are}")

    def _flag(self, name: str, value: Any) -> None:
        if isinstance(value, bool):
            setattr(self._settings, name, value)
        else:
            self._refuse(name, f"{name} is true or false, not {value!r}")

    def _keys(self, value: Any) -> None:
        if not isinstance(value, dict):
            self._refuse("keys", "[keys] is a table: an action's id = its key, or a list of keys")
            return
        wanted: dict[str, list[str]] = {}
        for id, keys in value.items():
            each = [keys] if isinstance(keys, str) else keys
            if isinstance(each, list) and each and all(isinstance(key, str) for key in each):
                wanted[id] = each
            else:
                self._refuse(id, f"{id} needs a key or a list of keys, not {keys!r}")
        from spanscope.app.keymap import remapped

        self._settings.actions, refused = remapped(wanted)
        for entry in refused:
            self._refuse(entry.id, entry.why)


def _near(name: str, names: Any) -> str:
    near = difflib.get_close_matches(name, list(names), n=1)
    return f": did you mean {near[0]}?" if near else ""
