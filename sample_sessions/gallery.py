"""`python -m spanscope.sample_sessions.gallery`: prints docs/gallery.md, made from the samples."""

from __future__ import annotations

import json
from collections.abc import Iterator
from inspect import cleandoc
from typing import Final

from spanscope.rules.catalogue import RULES
from spanscope.sample_sessions import ExpectedFinding, Sample, Scenario, scenarios
from spanscope.sample_sessions.build import SCRIPTS

HEAD: Final = cleandoc("""
    # The gallery

    Recorded sessions of agents that edit their own context, each with a safe twin: the same
    task, done right. They ship with Spanscope.

    ```sh
    spanscope demo                         # lists them
    spanscope demo stale-citation          # opens one where its story shows best
    spanscope demo stale-citation --safe   # opens its twin
    ```

    A session tells its story in *beats*: notes of the recording, which a table below gives side
    by side. In the app `/` finds them, and `e` goes from finding to finding. The scripts that
    write the sessions are in `sample_sessions/`; `python -m spanscope.sample_sessions.build`
    writes them anew, byte for byte, and `python -m spanscope.sample_sessions.gallery` this page.

    The *seeds* are three field records of such failures: 000 of spans that are rewritten under
    those who hold on to them, 003 of rollbacks, 004 of diffs that are applied to a context that
    has moved on.
""")


def gallery() -> str:
    """The page, as Markdown."""
    gathered = scenarios()
    parts = [HEAD, "\n".join(_contents(gathered)), *map(_chapter, gathered)]
    return "\n\n".join(parts) + "\n"


def _contents(gathered: list[Scenario]) -> Iterator[str]:
    yield "| scenario | seed | shows | what goes wrong |"
    yield "|---|---|---|---|"
    for each in gathered:
        shown = each.unsafe
        codes = ", ".join(_shows(shown))
        link = f"[{each.name}](#{each.name})"
        yield f"| {link} | {shown.seed} | {codes} | {shown.story} |"


def _chapter(scenario: Scenario) -> str:
    shown, safe = scenario.unsafe, scenario.safe
    told = cleandoc(SCRIPTS[scenario.name].__doc__ or "")
    opens = f"The recording opens at {shown.look_at}, its twin at {safe.look_at}."
    parts = [
        f"## {scenario.name}",
        f"**{shown.title}.** {told}",
        "\n".join(_beats(shown, safe)),
        "`check` finds, by event:",
        "\n".join(_rules(shown)),
        f"{opens} In the twin: {safe.story} {_twin_findings(safe)}",
    ]
    return "\n\n".join(parts)


def _beats(shown: Sample, safe: Sample) -> Iterator[str]:
    yield "| | the unsafe run | its safe twin |"
    yield "|---|---|---|"
    pairs = zip(_notes(shown), _notes(safe), strict=True)
    for number, (one, other) in enumerate(pairs, 1):
        yield f"| {number} | {one} | {other} |"


def _notes(sample: Sample) -> list[str]:
    whole = sample.path.read_bytes().split(b"\n")[:-1]
    events = [json.loads(line) for line in whole]
    return [event["label"] for event in events if event.get("kind") == "note"]


def _shows(sample: Sample) -> list[str]:
    """The rules that a scenario is about, the errors first; information where nothing is worse."""
    errors = [finding.rule for finding in sample.findings if finding.severity == "error"]
    warnings = [finding.rule for finding in sample.findings if finding.severity == "warning"]
    others = [] if errors else [finding.rule for finding in sample.findings]
    return [code for code in dict.fromkeys(errors + warnings + others) if code != "SHN404"]


def _rules(sample: Sample) -> Iterator[str]:
    """A line a rule and severity, the errors first."""
    found: dict[tuple[str, str], list[ExpectedFinding]] = {}
    for severity in ("error", "warning", "info"):
        for finding in sample.findings:
            if finding.severity == severity:
                found.setdefault((severity, finding.rule), []).append(finding)
    for (severity, code), places in found.items():
        rule, page = RULES[code], f"../spanscope/rules/pages/{code}.md"
        yield f"- {severity} [{code}]({page}) {rule.name} {_where(places)}: {rule.summary}"


def _where(findings: list[ExpectedFinding]) -> str:
    seqs = list(dict.fromkeys(str(finding.seq) for finding in findings))
    return f"at {', '.join(seqs)}" if seqs != ["0"] else "at the end"


def _twin_findings(safe: Sample) -> str:
    codes = dict.fromkeys(finding.rule for finding in safe.findings)
    if not codes:
        return "`check` finds nothing in it."
    return f"`check` finds information in it and no more: {', '.join(codes)}."


def main() -> None:
    """Print the page."""
    print(gallery(), end="")


if __name__ == "__main__":
    main()
