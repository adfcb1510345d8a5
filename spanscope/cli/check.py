"""`spanscope check`: judges journals by all rules."""

from __future__ import annotations

import os
from argparse import Namespace
from collections.abc import Iterator

from spanscope.cli.check_reports import REPORTS
from spanscope.cli.errors import CommandError, ExitCode
from spanscope.cli.journals import STDIN, journals_at, no_journal
from spanscope.cli.judging import Judged, judge
from spanscope.cli.output import Output, complain
from spanscope.cli.reading import read_audited
from spanscope.cli.selecting import selection
from spanscope.journal.errors import JournalError


def run(options: Namespace, out: Output) -> int:
    """Judge each journal and report it; a journal that can't be read does not stop the others."""
    return _Check(options, out).run()


class _Check:
    def __init__(self, options: Namespace, out: Output) -> None:
        self._options = options
        self._out = out
        self._wanted = selection(options)
        self._failed = False
        self._doubted = False

    def run(self) -> int:
        found = False
        report = REPORTS[self._options.output_format](self._out)
        report.begin()
        for path in self._journals():
            judged = self._judged(path)
            if judged is not None:
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

    def _judged(self, path: str) -> Judged | None:
        if self._options.verify:
            return self._judged_twice(path)
        try:
            history = read_audited(path, self._options.max_line)
        except (CommandError, JournalError) as error:
            self._complain(str(error))
            return None
        return judge(path, history, self._wanted)

    def _judged_twice(self, path: str) -> Judged | None:
        # Loaded only where it is asked for.
        from spanscope.cli.verifying import audit_twice, say

        try:
            history, opinion = audit_twice(path, self._options.max_line)
        except (CommandError, JournalError) as error:
            self._complain(str(error))
            return None
        self._doubted = self._doubted or not opinion.agrees
        if self._options.output_format != "json":
            say(path, opinion)
        return judge(path, history, self._wanted, opinion)

    def _doubt(self, judged: Judged) -> None:
        """Say that a file holds no line of a journal, where a person reads."""
        if judged.holds_nothing and self._options.output_format != "json":
            complain(f"{no_journal(judged.path)}: is it the file that was meant?")

    def _complain(self, message: str) -> None:
        self._failed = True
        complain(message)
