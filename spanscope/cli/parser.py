"""The command line: which commands and options there are, and what they say of themselves."""

from __future__ import annotations

import argparse
import difflib
import math
import os
from collections.abc import Callable
from typing import NoReturn

from spanscope._version import __version__
from spanscope.cli.errors import CommandError, ExitCode

FORMATS = ("text", "json")
CHECK_FORMATS = ("full", "concise", "json")
FAIL_ON = ("error", "warning", "info", "unknown", "never")

_ALONE = ("-h", "--help", "--version")
"""What needs no command."""

_EXIT_CODES = "exit codes: 0 done, 2 it could not be done, 130 interrupted"
_EXIT_CODES_OF_CHECK = (
    "exit codes: 0 nothing at or above --fail-on, 1 something, 2 it could not be done, "
    "3 a second opinion differs (check --verify), 130 interrupted"
)
_ONE = "a journal, a session that `import` knows, or - for standard input"
_FORMATS = (
    "formats: claude-code, codex, gemini, otel, requests, langgraph, opencode "
    "(docs/importers.md says what each can tell)"
)


class _Parser(argparse.ArgumentParser):
    """Says what is wrong in one line, and leaves the exit to `main`."""

    def error(self, message: str) -> NoReturn:
        raise CommandError(f"{message} (see `{self.prog} --help`)")


def parse(arguments: list[str]) -> argparse.Namespace | int:
    """The options of a command, its place as `run`; or the exit code where that was all.

    Raises CommandError for a wrong command line.
    """
    if not arguments:
        return argparse.Namespace(run="spanscope.cli.choose:run")
    parser, commands = _build()
    given = _with_command(arguments, commands)
    try:
        options, left = parser.parse_known_args(given)
    except SystemExit as end:  # from --help and --version
        return end.code if isinstance(end.code, int) else ExitCode.OK
    if left:
        raise CommandError(
            f"unrecognized arguments: {' '.join(left)} (see `spanscope {given[0]} --help`)"
        )
    return options


def _with_command(arguments: list[str], commands: list[str]) -> list[str]:
    """The arguments, with `open` in front where they begin with a path."""
    first = arguments[0]
    if first in commands or first in _ALONE:
        return arguments
    if first.startswith("-") and first != "-":
        raise CommandError(f"{first!r} can't stand first: name a command (see `spanscope --help`)")
    if first != "-" and not _is_path(first):
        near = difflib.get_close_matches(first, commands, n=1)
        hint = f"did you mean `spanscope {near[0]}`?" if near else "see `spanscope --help`"
        raise CommandError(f"no command and no file is called {first!r}: {hint}")
    return ["open", *arguments]


def _is_path(text: str) -> bool:
    """Whether it can only mean a path; opening says what is wrong with one that isn't there."""
    separators = [each for each in (os.sep, os.altsep) if each]
    return os.path.lexists(text) or any(each in text for each in separators)


def _build() -> tuple[argparse.ArgumentParser, list[str]]:
    parser = _Parser(
        prog="spanscope",
        usage="spanscope | spanscope PATH | spanscope COMMAND ...",
        description="A debugger for agents that edit their own context.",
        epilog=_EXIT_CODES_OF_CHECK,
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="version", version=f"spanscope {__version__}")
    parser.add_argument(
        "--ascii", action="store_true", help="draw in ASCII (also SPANSCOPE_ASCII=1); any command"
    )
    commands = parser.add_subparsers(
        title="commands", metavar="COMMAND", prog="spanscope", required=True, parser_class=_Parser
    )

    def add(name: str, what: str, epilog: str = _EXIT_CODES) -> argparse.ArgumentParser:
        added = commands.add_parser(
            name, help=what, description=what, epilog=epilog, allow_abbrev=False
        )
        module = "importing" if name == "import" else name
        added.set_defaults(run=f"spanscope.cli.{module}:run")
        return added

    _open(add("open", "Open a journal in the app (`spanscope PATH` does the same)."))
    _attach(add("attach", "Open the app on a running agent and follow it."))
    _check(add("check", "Judge journals by all rules, without a screen.", _EXIT_CODES_OF_CHECK))
    _show(add("show", "Print the buffer, the undo stack and the staged diffs after an event."))
    _log(add("log", "Print the events, a line each, with what was found at them."))
    _rule(add("rule", "Explain one rule, or list all."))
    _demo(add("demo", "List the recorded failures that ship with spanscope, or open one."))
    _import(
        add("import", "Write another tool's session as a journal.", f"{_FORMATS}; {_EXIT_CODES}")
    )
    add("schema", "Print the JSON Schema of the journal.")
    return parser, list(commands.choices)


def _open(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "path",
        metavar="PATH",
        help="a journal, a session that `import` knows, or - for a journal on standard input",
    )
    parser.add_argument(
        "--at", metavar="SEQ", type=_number(0), help="the event to start at (0: before the first)"
    )
    parser.add_argument(
        "--follow", action="store_true", help="go on reading as the journal grows (f lets go)"
    )


def _attach(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "session",
        metavar="SESSION",
        nargs="?",
        help="a session's id or its beginning, or the path of its journal (default: the one that "
        "runs, or a choice)",
    )
    parser.add_argument(
        "--wait",
        metavar="SECONDS",
        type=_number(0),
        nargs="?",
        const=math.inf,
        help="wait for an agent to start (default: as long as it takes)",
    )


def _check(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "paths",
        metavar="PATH",
        nargs="+",
        help="a journal, a session that `import` knows, a folder (its .jsonl files that are "
        "journals), or - for standard input",
    )
    parser.add_argument(
        "--output-format",
        choices=CHECK_FORMATS,
        default="full",
        help="full (default): with evidence and remedy; concise: a line each; json",
    )
    _selecting(parser)
    parser.add_argument(
        "--fail-on",
        choices=FAIL_ON,
        default="error",
        help="the least severity that makes the exit code 1 (default: error); "
        "unknown: as error, or anything that can't be told",
    )
    parser.add_argument(
        "--verify",
        action="store_true",
        help="judge again with an independent, slow implementation and say where the two differ",
    )
    _max_line(parser)


def _show(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("path", metavar="PATH", help=_ONE)
    parser.add_argument(
        "--at",
        metavar="SEQ",
        type=_number(0),
        help="after which event (0: empty; default: the last)",
    )
    _text_or_json(parser)
    _max_line(parser)


def _log(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("path", metavar="PATH", help=_ONE)
    _text_or_json(parser)
    _selecting(parser)
    _max_line(parser)


def _rule(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("code", metavar="CODE", nargs="?", help="such as DIF301")
    _text_or_json(parser)


def _demo(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("scenario", metavar="SCENARIO", nargs="?", help="the one to open")
    parser.add_argument(
        "--safe", action="store_true", help="open its safe twin: the same task, done right"
    )
    parser.add_argument("--live", action="store_true", help="let its agent run now, and follow it")
    parser.add_argument(
        "--present",
        action="store_true",
        help="tell it beat by beat on a stage: space goes on, u shows the other run",
    )


def _import(parser: argparse.ArgumentParser) -> None:
    parser.usage = "spanscope import [-h] [-o OUT] [--branch NAME] [FORMAT] SOURCE..."
    parser.add_argument(
        "sources",
        metavar="[FORMAT] SOURCE",
        nargs="+",
        help="the format (default: as the content says), then the files or folder of one session",
    )
    parser.add_argument(
        "-o", dest="out", metavar="OUT", help="the journal to write (default: standard output)"
    )
    parser.add_argument(
        "--branch", metavar="NAME", help="one of several sessions or branches that SOURCE holds"
    )


def _text_or_json(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--output-format", choices=FORMATS, default="text", help="text (default) or json"
    )


def _selecting(parser: argparse.ArgumentParser) -> None:
    for option, what in (
        ("--select", "only these rules: codes or their beginnings, separated by commas"),
        ("--ignore", "not these; of several that fit, the longest wins, then --ignore"),
    ):
        parser.add_argument(option, metavar="RULE", action="append", default=[], help=what)


def _max_line(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--max-line",
        metavar="BYTES",
        type=_number(1),
        help="report and skip longer lines (default: 32 MiB)",
    )


def _number(least: int) -> Callable[[str], int]:
    def convert(text: str) -> int:
        try:
            value = int(text)
        except ValueError:
            value = least - 1
        if value < least:
            raise argparse.ArgumentTypeError(f"{text!r} is not a whole number from {least} up")
        return value

    return convert
