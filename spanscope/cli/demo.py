"""`spanscope demo`: the gallery of recorded failures."""

from __future__ import annotations

import difflib
import subprocess
import sys
from argparse import Namespace

from spanscope.cli.columns import columns
from spanscope.cli.errors import CommandError, ExitCode
from spanscope.cli.open import open_app
from spanscope.cli.output import Output, bold, muted
from spanscope.sample_sessions import NAMES, sample, sample_path, scenarios
from spanscope.text.environment import has_terminal

_SAFE = "-safe"


def run(options: Namespace, out: Output) -> int:
    """List the scenarios, or open the recording of one where its story shows best."""
    if options.live and options.present:
        raise CommandError("--present shows the recordings: leave out --live")
    if options.scenario is None:
        for option, asked in (("--live", options.live), ("--present", options.present)):
            if asked:
                raise CommandError(f"{option} needs a scenario: {', '.join(NAMES)}")
        _list(out)
        return ExitCode.OK
    name = _scenario(options.scenario)
    safe = options.safe or options.scenario.endswith(_SAFE)
    if options.live:
        return _live(name, safe=safe)
    if options.present:
        return _present(name, safe=safe)
    chosen = sample(name, safe=safe)
    return open_app(str(chosen.path), chosen.look_at)


def _present(name: str, *, safe: bool) -> int:
    """Tell a scenario beat by beat, the unsafe run and its safe twin."""
    if not has_terminal():
        raise CommandError("--present needs a terminal; docs/gallery.md tells the story in text")
    from spanscope.app.run import run_presentation

    unsafe, twin = sample(name), sample(name, safe=True)
    title = f"{unsafe.title}. {unsafe.story}"
    return run_presentation(title, unsafe.path, twin.path, begin_safe=safe)


def _live(name: str, *, safe: bool) -> int:
    """Let the agent of a scenario run now, and follow it; it ends with the app."""
    if not has_terminal():
        raise CommandError("--live needs a terminal to show the agent in")
    command = [sys.executable, "-m", "spanscope.sample_sessions.live", name]
    pipe = subprocess.PIPE
    with subprocess.Popen(  # noqa: S603 a module of ours
        [*command, "--safe"] if safe else command,
        stdin=subprocess.DEVNULL,
        stdout=pipe,
        stderr=pipe,
        text=True,
        encoding="utf-8",
    ) as agent:
        assert agent.stdout is not None
        assert agent.stderr is not None
        try:
            path = agent.stdout.readline().rstrip("\n")
            if not path:
                *_, why = ["it ended at once", *agent.stderr.read().splitlines()]
                raise CommandError(f"the agent of {name} did not start: {why}")
            return open_app(path, None, follow=True)
        finally:
            agent.kill()


def _list(out: Output) -> None:
    gallery = scenarios()
    names = columns([(each.name, each.unsafe.title) for each in gallery])
    for each, line in zip(gallery, names, strict=True):
        out.line(bold(line))
        out.line(muted("    unsafe  "), each.unsafe.story)
        out.line(muted("    safe    "), each.safe.story)
    out.line()
    for option, what in (
        ("", "opens the recording"),
        ("--safe", "opens its safe twin: the same task, done right"),
        ("--present", "tells it beat by beat, unsafe and safe"),
        ("--live", "lets the agent run now, and follows it"),
    ):
        out.line(f"spanscope demo NAME {option:<9}  {what}")
    out.line(f"The journals lie in {sample_path(NAMES[0]).parent}")


def _scenario(named: str) -> str:
    """The scenario that is meant. Raises CommandError where there is none of that name."""
    name = named.removesuffix(_SAFE)
    if name not in NAMES:
        near = difflib.get_close_matches(name, NAMES, n=1)
        hint = f"did you mean {near[0]}?" if near else f"there are {', '.join(NAMES)}"
        raise CommandError(f"no scenario is called {named!r}: {hint}")
    return name
