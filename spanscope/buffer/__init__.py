"""What an agent embeds: a buffer that enforces the rules, and a recorder that only tells.

Names are imported when they are first asked for, so that an agent that only records does not load
the rules.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from spanscope.buffer.artifacts import Artifact
    from spanscope.buffer.buffer import BufferView, ContextBuffer
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
    from spanscope.buffer.events import EventMethods
    from spanscope.buffer.messages import MessageError
    from spanscope.buffer.recorder import Recorder
    from spanscope.buffer.undo import RollbackPlan
    from spanscope.journal.errors import JournalError
    from spanscope.journal.parts import (
        IngestEdit,
        MoveEdit,
        PruneEdit,
        RewriteEdit,
        SpliceEdit,
    )
    from spanscope.model.spans import Span

__all__ = [
    "AmbiguousAnchorError",
    "Artifact",
    "BufferView",
    "ConflictError",
    "ContextBuffer",
    "Draft",
    "EventMethods",
    "IngestEdit",
    "JournalError",
    "JournalWriteError",
    "MessageError",
    "MoveEdit",
    "PruneEdit",
    "Recorder",
    "RewriteEdit",
    "RollbackIntegrityError",
    "RollbackPlan",
    "Span",
    "SpanscopeError",
    "SpliceEdit",
    "StaleBaseError",
    "StaleSpanError",
    "TombstoneError",
    "UnreachableRollbackError",
]

_HOMES = {
    "Artifact": "spanscope.buffer.artifacts",
    "BufferView": "spanscope.buffer.buffer",
    "ContextBuffer": "spanscope.buffer.buffer",
    "Draft": "spanscope.buffer.drafts",
    "EventMethods": "spanscope.buffer.events",
    "JournalError": "spanscope.journal.errors",
    "MessageError": "spanscope.buffer.messages",
    "Recorder": "spanscope.buffer.recorder",
    "RollbackPlan": "spanscope.buffer.undo",
    "Span": "spanscope.model.spans",
}


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    usual = "spanscope.buffer.errors" if name.endswith("Error") else "spanscope.journal.parts"
    value = getattr(import_module(_HOMES.get(name, usual)), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
