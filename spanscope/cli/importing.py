"""`spanscope import`: another tool's session as a journal."""

from __future__ import annotations

import os
import tempfile
from argparse import Namespace
from contextlib import suppress
from pathlib import Path

from spanscope.cli.errors import CommandError, ExitCode
from spanscope.cli.journals import STDIN
from spanscope.cli.output import Output, complain
from spanscope.cli.reading import standard_input
from spanscope.history.collecting import collection_paused
from spanscope.importers.source import Source, StreamSource, formats, open_source
from spanscope.journal.errors import JournalError, reason, shown
from spanscope.journal.recognising import is_journal


def run(options: Namespace, out: Output) -> int:
    """Write the journal, and say on standard error what was read and what was left aside."""
    kind, sources = _format_and_sources(options.sources)
    _refuse_terminal(options, out)
    source = _source(sources, kind, options.branch)
    with collection_paused():
        if options.out is not None:
            _write(source, Path(options.out), sources)
        elif not _print(source, out):
            return ExitCode.OK
    if source.summary is not None:
        complain("; ".join(source.summary.lines()))
    return ExitCode.OK


def _print(source: Source | StreamSource, out: Output) -> bool:
    """The journal on standard output; false where nobody reads on."""
    for piece in source.journal():
        out.data(piece)
        if out.closed:
            return False
    out.flush()
    return True


def _source(sources: list[str], kind: str | None, branch: str | None) -> Source | StreamSource:
    if STDIN not in sources:
        _refuse_journals(sources)
        return open_source(sources, kind, branch)
    if len(sources) > 1 or kind is not None or branch is not None:
        raise CommandError("standard input is one session, told by its content: name `-` alone")
    return standard_input()


def _format_and_sources(named: list[str]) -> tuple[str | None, list[str]]:
    """The first word is a format where there are more, and one is called so."""
    if len(named) > 1 and named[0] in formats():
        return named[0], named[1:]
    if named[0] in formats() and not os.path.lexists(named[0]):
        raise CommandError(f"{named[0]} is a format: name the session after it")
    if len(named) > 1 and named[0] != STDIN and not os.path.lexists(named[0]):
        raise CommandError(
            f"there is no file and no format {named[0]!r}: the formats are {', '.join(formats())}"
        )
    return None, named


def _refuse_journals(sources: list[str]) -> None:
    for source in sources:
        if Path(source).is_file() and is_journal(source):
            raise CommandError(
                f"{shown(source)} is a buffer journal already: `spanscope open`, `check`, `show` "
                "and `log` take it as it is"
            )


def _refuse_terminal(options: Namespace, out: Output) -> None:
    if options.out is None and out.to_terminal:
        raise CommandError("a journal is for a file or a pipe: name a file with -o")


def _write(source: Source | StreamSource, path: Path, sources: list[str]) -> None:
    """The whole journal or none: it is moved into place once it is written."""
    if any(_same_file(path, named) for named in sources):
        raise CommandError(f"{shown(path)} is the source itself: name another file with -o")
    _refuse_what_is_no_file(path)
    # What a link points to is written, and the link stays.
    path = Path(os.path.realpath(path))
    try:
        fd, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    except OSError as error:
        raise JournalError(
            f"can't create {shown(path)}: {reason(error)}; name a file in a folder that is there"
        ) from error
    try:
        with os.fdopen(fd, "wb") as stream:
            for piece in source.journal():
                stream.write(piece)
        Path(name).replace(path)
    except BaseException as error:
        with suppress(OSError):
            Path(name).unlink()
        if isinstance(error, OSError):
            raise JournalError(f"can't write {shown(path)}: {reason(error)}") from error
        raise


def _refuse_what_is_no_file(path: Path) -> None:
    """A journal that is moved into the place of a device or a pipe would replace it for all."""
    if path.exists() and not path.is_file():
        what = "a folder" if path.is_dir() else "a device or a pipe"
        raise CommandError(
            f"can't write {shown(path)}: it is {what}; name a file with -o, "
            "or leave -o out to write to standard output"
        )


def _same_file(path: Path, source: str) -> bool:
    try:
        return path.samefile(source)
    except OSError:
        return False
