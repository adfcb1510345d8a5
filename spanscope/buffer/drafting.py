"""What a view offers to author drafts (seed 004)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from spanscope.buffer.core import Shown
from spanscope.buffer.drafts import Draft
from spanscope.buffer.errors import SpanscopeError
from spanscope.buffer.views import ActorView

Reads = Literal["declared", "rendered"]
"""What a draft has read: what it says, or all that the model was last shown."""


class Drafting(ActorView):
    """What a view offers to author drafts."""

    def draft(
        self,
        author: str | None = None,
        *,
        reads: Reads = "declared",
        allow_fragile: bool = False,
    ) -> Draft:
        """A draft against the buffer as it is now.

        With `reads="rendered"` against what the model was last shown (`messages`), all of which
        is then its read set: right for text that a model wrote. `author` is the actor of its
        events (default: this view's).

        Raises SpanscopeError where nothing was rendered yet.
        """
        return self._begin(author, reads, allow_fragile=allow_fragile, last=True)

    def attempts(
        self,
        author: str | None = None,
        limit: int = 3,
        *,
        reads: Reads = "declared",
        allow_fragile: bool = False,
    ) -> Iterator[Draft]:
        """Drafts to try one after the other, each on a new base, until one is applied.

        A StaleBaseError in a block, or on leaving it, leads to the next draft; the last of
        `limit` raises it.

        Raises ValueError for a limit below 1.
        """
        if limit < 1:
            raise ValueError(f"can't draft {limit} times: give a limit from 1")
        return self._attempts(author, limit, reads, allow_fragile=allow_fragile)

    def _attempts(
        self, author: str | None, limit: int, reads: Reads, *, allow_fragile: bool
    ) -> Iterator[Draft]:
        for left in range(limit - 1, -1, -1):
            draft = self._begin(author, reads, allow_fragile=allow_fragile, last=left == 0)
            yield draft
            if draft.refused is None:
                return

    def _begin(self, author: str | None, reads: Reads, *, allow_fragile: bool, last: bool) -> Draft:
        core = self._core
        with core.lock:
            core.check_open()
            by = author or self._actor
            shown = None if reads == "declared" else self._last_shown(by)
            return Draft(core, by, shown, allow_fragile=allow_fragile, last=last)

    def _last_shown(self, author: str) -> Shown:
        shown = self._core.shown
        found = shown.get(author) or shown.get(self._actor)
        if found is None:
            raise SpanscopeError(
                f"nothing was rendered for {author}; call messages() before the model"
            )
        return found
