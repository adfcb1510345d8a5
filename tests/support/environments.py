"""A new virtual environment to install this project into."""

from __future__ import annotations

import sys
import sysconfig
import venv
from pathlib import Path

from support.processes import output

WINDOWS = sys.platform == "win32"


class Environment:
    """Sees the dependencies installed here, but neither our sources nor an editable install.

    The site-packages of the running tests are on its path without their `.pth` files being read,
    and those are what an editable install consists of.
    """

    def __init__(self, folder: Path) -> None:
        venv.create(folder, with_pip=False)
        self.folder = folder
        self._scripts = folder / ("Scripts" if WINDOWS else "bin")
        self.python = self.script("python")
        ask = "import sysconfig; print(sysconfig.get_path('purelib'))"
        self.site_packages = Path(output(self.python, "-c", ask, cwd=folder).strip())
        paths = {sysconfig.get_path("purelib"), sysconfig.get_path("platlib")}
        (self.site_packages / "dependencies.pth").write_text("\n".join(paths), encoding="utf-8")

    def script(self, name: str) -> Path:
        """Where an installed command lies."""
        return self._scripts / (f"{name}.exe" if WINDOWS else name)

    def install(self, *what: str | Path) -> None:
        """Install with pip, offline, and without touching any other environment."""
        options = ("--no-index", "--no-deps", "--no-build-isolation", "--ignore-installed")
        output(self.python, "-m", "pip", "install", "--quiet", *options, *what, cwd=self.folder)

    def run(self, code: str, cwd: Path) -> str:
        """What a piece of Python prints, run in `cwd`."""
        return output(self.python, "-c", code, cwd=cwd).strip()
