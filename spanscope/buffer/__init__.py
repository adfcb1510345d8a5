"""What an agent embeds: a buffer that enforces the rules, and a recorder that only tells."""

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
    "MoveEdit",
    "PruneEdit",
    "Recorder",
    "RewriteEdit",
    "RollbackIntegrityError",
    "RollbackPlan",
    "SpanscopeError",
    "SpliceEdit",
    "StaleBaseError",
    "StaleSpanError",
    "TombstoneError",
    "UnreachableRollbackError",
]
