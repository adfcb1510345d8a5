"""Whether a file is another tool's session; importers are loaded only for what is no journal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from spanscope.journal.files import StrPath
from spanscope.journal.recognising import is_journal

if TYPE_CHECKING:
    from spanscope.importers.source import Source


def foreign_source(path: StrPath) -> Source | None:
    """The session that a file or folder is; null for a journal and for what is of no known format.

    Raises JournalError where it can't be read.
    """
    if is_journal(path):
        return None
    from spanscope.importers.source import find_source

    return find_source(path)
