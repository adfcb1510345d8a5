"""`spanscope demo`: the gallery of recorded failures."""

from __future__ import annotations

import difflib
from argparse import Namespace
from importlib import resources
from typing import NamedTuple

from spanscope.cli.columns import columns
from spanscope.cli.errors import CommandError, ExitCode
from spanscope.cli.open import open_app
from spanscope.cli.output import Output, muted

_SAFE = "-safe"
_FOLDER = resources.files("spanscope.sample_sessions")


class Scenario(NamedTuple):
    """A failure that was recorded, the seed that it comes from, and what happens in it."""

    name: str
    seed: str
    story: str


GALLERY = (
    Scenario(
        "stale-citation",
        "000",
        "a rolling summary rewrites a passage, and a citation into it now points at other words",
    ),
    Scenario(
        "dropped-inverse",
        "003",
        "one inverse never reaches the log, and a rollback restores a text that never was",
    ),
    Scenario(
        "stale-base",
        "004",
        "a diff is applied though what it had read has changed, and its compensation fails",
    ),
    Scenario(
        "orphaned-results",
        "000",
        "trimming drops a tool call and keeps its results, which now answer nothing",
    ),
)


def run(options: Namespace, out: Output) -> int:
    """List the scenarios, or open the recording of one."""
    for option, asked in (("--live", options.live), ("--present", options.present)):
        if asked:
            raise CommandError(f"{option} is not there yet: open the recording without it")
    if options.scenario is None:
        _list(out)
        return ExitCode.OK
    name = _recording(options.scenario, safe=options.safe)
    with resources.as_file(_FOLDER.joinpath(f"{name}.jsonl")) as path:
        return open_app(str(path), None)


def _list(out: Output) -> None:
    for line in columns([(each.name, f"seed {each.seed}", each.story) for each in GALLERY]):
        out.line(line)
    out.line()
    out.line("spanscope demo NAME         opens the recording")
    out.line("spanscope demo NAME --safe  opens its safe twin: the same task, done right")
    out.line(muted(f"The journals lie in {_FOLDER}"))


def _recording(scenario: str, *, safe: bool) -> str:
    """The name of a recording. Raises CommandError for a scenario that does not exist."""
    names = [each.name for each in GALLERY]
    name = scenario.removesuffix(_SAFE)
    if name not in names:
        near = difflib.get_close_matches(name, names, n=1, cutoff=0.4)
        hint = f"did you mean {near[0]}?" if near else f"there are {', '.join(names)}"
        raise CommandError(f"no scenario is called {scenario!r}: {hint}")
    return name + _SAFE if safe or scenario.endswith(_SAFE) else name
