"""Spanscope: a debugger for agents that edit their own context, and the journal it reads."""

from spanscope._version import __version__

TYPE_CHECKING = False  # as `typing` has it, without the time that loading it takes
if TYPE_CHECKING:
    from typing import Any

    from spanscope.buffer.artifacts import Artifact
    from spanscope.buffer.buffer import ContextBuffer
    from spanscope.buffer.drafts import Draft
    from spanscope.buffer.errors import (
        AmbiguousAnchorError,
        ConflictError,
        JournalWriteError,
        RollbackIntegrityError,
        SpanscopeError,
        StaleBaseError,
        StaleSpanError,
        TombstoneError,
        UnreachableRollbackError,
    )
    from spanscope.buffer.messages import MessageError
    from spanscope.buffer.recorder import Recorder
    from spanscope.journal.errors import JournalError
    from spanscope.model.spans import Span

__all__ = [
    "AmbiguousAnchorError",
    "Artifact",
    "ConflictError",
    "ContextBuffer",
    "Draft",
    "JournalError",
    "JournalWriteError",
    "MessageError",
    "Recorder",
    "RollbackIntegrityError",
    "Span",
    "SpanscopeError",
    "StaleBaseError",
    "StaleSpanError",
    "TombstoneError",
    "UnreachableRollbackError",
    "__version__",
]


def __getattr__(name: str) -> "Any":
    from importlib import import_module

    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module("spanscope.buffer"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
