"""`spanscope check`: judges journals by all rules."""

from __future__ import annotations

import os
from argparse import Namespace
from collections.abc import Iterator

from spanscope.cli.check_reports import REPORTS
from spanscope.cli.errors import CommandError, ExitCode
from spanscope.cli.journals import STDIN, journals_at, no_journal
from spanscope.cli.judging import Judged, Judging, Outcome
from spanscope.cli.output import Output, complain
from spanscope.cli.selecting import selection
from spanscope.journal.errors import JournalError

SHARED_FROM = 8 << 20
"""Bytes beside the largest journal from which several are judged side by side: a process has to
start first, which takes as long as two megabytes."""


def run(options: Namespace, out: Output) -> int:
    """Judge each journal and report it; a journal that can't be read does not stop the others."""
    return _Check(options, out).run()


class _Check:
    def __init__(self, options: Namespace, out: Output) -> None:
        self._options = options
        self._out = out
        self._judging = Judging(options.max_line, selection(options), options.verify)
        self._failed = False
        self._doubted = False

    def run(self) -> int:
        found = False
        report = REPORTS[self._options.output_format](self._out)
        report.begin()
        for judged in self._outcomes():
            if isinstance(judged, str):
                self._complain(judged)
                continue
            self._say(judged)
            report.journal(judged)
            self._out.flush()
            found = judged.fails(self._options.fail_on) or found
            self._doubt(judged)
        report.end()
        if self._failed:
            return ExitCode.FAILED
        if self._doubted:
            return ExitCode.DOUBTED
        return ExitCode.FOUND if found else ExitCode.OK

    def _outcomes(self) -> Iterator[Outcome]:
        """What is to be said of each journal; several large ones are judged side by side."""
        paths = list(self._journals())
        if STDIN not in paths and len(paths) > 1:
            sizes = [_size(path) for path in paths]
            if sum(sizes) - max(sizes) >= SHARED_FROM:
                # Loaded only where it is of use.
                from spanscope.cli.sharing import outcomes_of

                return outcomes_of(self._judging, paths, sizes)
        return map(self._judging, paths)

    def _journals(self) -> Iterator[str]:
        """Each journal once, in the order of the command line."""
        seen: set[str] = set()
        for named in self._options.paths:
            try:
                paths = journals_at(named, self._complain)
            except (CommandError, JournalError) as error:
                self._complain(str(error))
                continue
            for path in paths:
                place = path if path == STDIN else os.path.realpath(path)
                if place not in seen:
                    seen.add(place)
                    yield path

    def _say(self, judged: Judged) -> None:
        """What the second opinion is, where a person reads."""
        if judged.second_opinion is None:
            return
        self._doubted = self._doubted or not judged.second_opinion.agrees
        if self._options.output_format != "json":
            # Loaded only where it was asked for.
            from spanscope.cli.verifying import say

            say(judged.path, judged.second_opinion)

    def _doubt(self, judged: Judged) -> None:
        """Say that a file holds no line of a journal, where a person reads."""
        if judged.holds_nothing and self._options.output_format != "json":
            complain(f"{no_journal(judged.path)}: is it the file that was meant?")

    def _complain(self, message: str) -> None:
        self._failed = True
        complain(message)


def _size(path: str) -> int:
    """Bytes of a journal; 0 where that can't be told: opening it says so."""
    try:
        return os.stat(path).st_size  # noqa: PTH116 a Path would raise for names with a null
    except (OSError, ValueError):
        return 0
