"""Measure everything and write it down: `python -m benchmarks.report [--events 1000000]`.

Takes minutes and wants a machine with nothing else to do. The page says what was aimed at, what
was measured, and why where that is not the same.
"""

from __future__ import annotations

import argparse
import platform
import subprocess
import sys
import tempfile
from datetime import UTC, datetime
from pathlib import Path

from benchmarks.journals import write_journal

LINES = (250, 1200)
"""Bytes a line of the long journals."""

PAGE = Path(__file__).resolve().parent.parent / "docs" / "performance.md"

INTRODUCTION = """\
# Performance

Measured by `python -m benchmarks.report` in one run, so that ratios can be compared between
machines; times are CPU time. {machine}
"""

CHECKING = """\
`spanscope check`, all rules and all claimed hashes recomputed, against `json.loads` over the same
lines: journals of every kind of event over 10,000 spans of 2 to 4 KB, start-up included. Aimed at:
2.0 times at 250 B, 1.5 times at 1.2 KB, and 300 MB. The auditor is plain Python, which decodes a
line in less than half of what `json.loads` takes and then spends the rest on replaying and judging,
evenly: 2.0 times would leave three microseconds for what an event does to the buffer and for every
rule. Compiled by mypyc, with the same findings to the byte, it took a fourteenth less, and with its
data classes rewritten for that a fifth to a third: neither reaches 3 times, and the price is a
wheel for every platform and a second form of the engine to hold to the first. Memory goes to what
spans hold now, in UTF-8 but for what changed last, and to a few small objects a change; first
contents and long insertions are read again from the journal where a rule asks for them, which is
seldom. That costs a fifteenth of the CPU time: contents of spans that are changed in turn are put
into UTF-8 and out of it again."""

SPLITTING = """\
Several journals are judged side by side, one process a core. One journal is judged by one core:
every judgement rests on what all lines before it left, so a split in time would need judgements
that only the first half can make. Events have to be decoded where they are judged: a thread that
reads and decodes ahead takes more CPU time and gains nothing that can be told from chance, since
Python runs one thread at a time. Two processes that share out the rules would each have to replay,
which is more than half of the work, and do without the look that tells of most splices that nothing
is wrong with them: they would be as quick as the slower share, for twice the memory, before they
have told each other what they found."""

SHAPES = """\
Journals that grow in one direction alone, checked at so many events and at half of them: what takes
twice as much for twice the length grows with it; what takes four times as much with its square. A
rollback that puts spans back from below what stays copies the whole order a few times, a restored
full copy looks at each span that it holds: at nanoseconds a span that is seen where ten thousand of
them meet ten thousand spans. A diff of many edits of one text holds the text that each of them
leaves."""

ANY_STEP = """\
The data for fifty rows at random steps, of each pane and of all together. Aimed at: p99 of 1 ms for
fifty rows, and 64 bytes an event beside the live contents. No text is put together for a row whose
content is what its change left: what takes the time is a dozen objects a row, which lie all over
the memory of a long session. First contents, long insertions and what became of staged diffs stand
in temporary files, and what spans hold now is put together from those where it was not asked for
lately. What is counted is all memory, live contents or not; spans and artifacts weigh the more the
fewer events there are of them: 202 bytes an event of a million, without the program itself. Two
fifths of that go to changes that can be undone, some 490 bytes for each (a node, its edit with its
hash, its inverse, its places on the stack and among its span's states), which a live buffer needs
as well; an eighth to artifacts and their names, a tenth to the spans and artifacts that live now, a
thirtieth to where lines stand. 64 bytes would need columns of numbers in place of those objects,
and edits and inverses read again for the rows in view, for which the p99 has no room."""

PLACES = """\
One locate with all places counted, and the statuses of a deep undo stack after an edit. Aimed at:
1,000 times."""

SCREEN = """\
Key to frame with all panes at 180x50. Aimed at: 16 ms a step, 30 ms a page. First what the app
itself does for a key; last the same in a terminal of its own, with what reading the key and the
terminal's codes take. Blocks are counted in CPU time, so that other programs are not in them."""

OPENING = """\
The journal of 1.2 KB a line. From the command to the first screen at 180x50, against a Textual app
with one line of text, and the audit beside it. Aimed at: 1.5 times; nothing may hold the interface
up for 50 ms."""

DIFFS = """\
Two texts of a megabyte, word by word, as Content and Diff compare them in a thread of their own.
Aimed at: 150 ms, and never without bound: what a budget of about a tenth of a second does not pay
for is not taken apart. Then a hunk's words stay unmarked, and a text of very short lines that
differs near both its ends is one hunk."""

RECORDING = """\
A write-ahead splice on a span of 4 KB, beside what logs the same facts and enforces nothing. Aimed
at: a fifth of `logging` with a JSON formatter, a third of structlog and of an SQLite insert, a
thirtieth of an OpenTelemetry span. None of the four is met, and on such a machine none can be from
Python: what a splice can't do without, in calls of C alone, is twice what the first, the second and
the fourth allow, and a little more than the third does. That is the new text, one search through it
that tells whether the anchors fit in one place only, a checksum and one `write` of 340 bytes; with
a hash of the whole text, which we write at every eighth version only, it is half as much again. A
splice takes two and a half times as long as those calls, or a little more: the first, the second
and the fourth are missed by a factor of five to six, the third by not quite three. The rest of it
is the event and its JSON, the undo entry and the span's new state. The record alone is an event, an
inverse, their JSON, a checksum and a `write`. The p99 are the first calls of each turn, for which
what was measured in between has emptied the caches, and what other programs took."""

FOLLOWING = """\
From before an append in another process, 20 to 80 ms apart, until the event is in the history and
until it is drawn, beside a reader that watchfiles wakes as it does by default. Aimed at: the
history's p99 a twentieth of that, the screen's 50 ms, and a writer whose p99 with four apps
attached is within 1.1 times that with none. All of it is wall time: another program shows in the
tails."""

IMPORTING = """\
Sessions of other tools: `spanscope import`, start-up included, against `json.loads` over the same
rows, and the CPU time until the app's first screen. Aimed at: 4 times, and 1.5 times an empty app's
start, also for a session that is followed. A rewind that only takes out what came last costs next
to nothing; one across a compaction costs a replay of all that came before it."""

PARTS = (
    ("Checking", "check", CHECKING),
    ("A second core", "splitting", SPLITTING),
    ("Growing in one direction", "shapes", SHAPES),
    ("Any step of a history", "rows", ANY_STEP),
    ("Finding places", "locating", PLACES),
    ("The screen", "steps", SCREEN),
    ("Opening", "opening", OPENING),
    ("Comparing texts", "diffs", DIFFS),
    ("Recording", "recording", RECORDING),
    ("Following a live agent", "live", FOLLOWING),
    ("Importing", "importing", IMPORTING),
)


def main() -> None:
    """Run every benchmark and write the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--events", type=int, default=1_000_000)
    options = parser.parse_args()
    python = f"Python {platform.python_version()}"
    today = datetime.now(UTC).strftime("%Y-%m-%d")
    machine = f"{today}, {python}, {platform.machine()}, {platform.system()}."
    page = [INTRODUCTION.format(machine=machine)]
    with tempfile.TemporaryDirectory() as folder:
        sized = _sized(Path(folder), options.events)
        for title, script, about in PARTS:
            command = [sys.executable, "-m", f"benchmarks.{script}", *sized.get(script, [])]
            print(" ".join(command[1:]), flush=True)
            done = subprocess.run(command, check=True, capture_output=True, text=True)
            print(done.stdout, flush=True)
            page += [f"\n## {title}\n\n{about}\n\n{done.stdout.rstrip()}\n"]
    PAGE.write_text("".join(page), encoding="utf-8")


def _sized(folder: Path, events: int) -> dict[str, list[str]]:
    """The arguments of the benchmarks that measure on long journals: all on the same two."""
    paths = []
    for line in LINES:
        paths.append(str(folder / f"{line}.jsonl"))
        print(f"writing {events:,} events of {line} bytes", flush=True)
        write_journal(Path(paths[-1]), events, line)
    sized = ["--events", str(events), "--path"]
    shorter = {key: [*sized, paths[0]] for key in ("rows", "steps")}
    return {"check": [*sized, *paths], **shorter, "opening": [*sized, paths[1]]}


if __name__ == "__main__":
    main()
