"""`spanscope` alone: choose what to look at."""

from __future__ import annotations

from argparse import Namespace
from typing import TYPE_CHECKING

from spanscope.cli.errors import CommandError
from spanscope.cli.open import open_app
from spanscope.cli.output import Output
from spanscope.sample_sessions import Sample, scenarios
from spanscope.text.environment import has_terminal

if TYPE_CHECKING:
    from spanscope.widgets.sessions import Choice

NOTHING_NAMED = (
    "name a journal to open (`spanscope PATH`), or see the recorded failures "
    "with `spanscope demo`; `spanscope --help` lists the commands"
)


def run(_options: Namespace, _out: Output) -> int:
    """Let the user choose, and open that."""
    if not has_terminal():
        raise CommandError(NOTHING_NAMED)
    from spanscope.app.run import choose

    choice = choose(demos())
    if isinstance(choice, int):
        return choice
    follow = choice.group in ("live", "agent")
    return open_app(str(choice.path), choice.at, follow=follow, branch=choice.branch)


def demos() -> list[Choice]:
    """The scenarios of the gallery, as the chooser lists them."""
    from spanscope.widgets.sessions import Choice

    def choice(told: Sample) -> Choice:
        return Choice("demo", told.name, told.path, told.title, story=told.story, at=told.look_at)

    return [choice(each.unsafe)._replace(twin=choice(each.safe)) for each in scenarios()]
