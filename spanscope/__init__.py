"""Spanscope: a debugger for agents that edit their own context, and the journal it reads."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from spanscope._version import __version__

if TYPE_CHECKING:
    from spanscope.buffer.recorder import Recorder

__all__ = ["Recorder", "__version__"]

_HOMES = {"Recorder": "spanscope.buffer.recorder"}


def __getattr__(name: str) -> Any:
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(home), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
