"""`spanscope schema`: the JSON Schema of the journal."""

from __future__ import annotations

from argparse import Namespace

from spanscope.cli.errors import ExitCode
from spanscope.cli.output import Output
from spanscope.journal.schema import journal_schema


def run(_options: Namespace, out: Output) -> int:
    """Print the schema that every line of a journal meets."""
    out.json(journal_schema(), indent=2)
    return ExitCode.OK
