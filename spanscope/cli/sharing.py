"""Several journals judged side by side, one process a core, and reported in their order."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from spanscope.cli.cores import MOST, Ended, cores, shared_out
from spanscope.cli.judging import Judging, Outcome
from spanscope.journal.errors import shown


def outcomes_of(judging: Judging, paths: Sequence[str], sizes: Sequence[int]) -> Iterator[Outcome]:
    """What is to be said of each journal, whose sizes are in bytes."""
    processes = min(cores(), MOST, len(paths))
    if processes == 1:
        yield from map(judging, paths)
        return
    for path, outcome in zip(paths, shared_out(judging, paths, sizes, processes), strict=True):
        if isinstance(outcome, Ended):
            yield (
                f"{shown(path)} was not judged: the process that read it {outcome.why}; "
                "check it alone"
            )
        else:
            yield outcome
