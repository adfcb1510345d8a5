"""What an agent embeds: the recorder, and the edits that a staged diff is made of."""

from spanscope.buffer.events import EventMethods
from spanscope.buffer.recorder import Recorder
from spanscope.journal.parts import (
    IngestEdit,
    MoveEdit,
    PruneEdit,
    RewriteEdit,
    SpliceEdit,
)

__all__ = [
    "EventMethods",
    "IngestEdit",
    "MoveEdit",
    "PruneEdit",
    "Recorder",
    "RewriteEdit",
    "SpliceEdit",
]
