"""An agent loop with a rolling summary, on a buffer that enforces the rules.

    python examples/rolling_summary.py [--unsafe] [JOURNAL]

Each turn the agent reads its task, asks a tool, folds what it learned into one summary span and
clears the tool's long answer. A retriever cites the summary, an index keeps an embedding of the
task, and a planner drafts rules from what it read while the tools go on writing. With `--unsafe`
the same loop keeps a message list of its own, which a `Recorder` tells, and nobody tells the
retriever. The model is a stand-in, so that it runs anywhere; look at the journal with
`spanscope open`.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from spanscope import ContextBuffer, JournalError, Recorder, StaleBaseError, StaleSpanError

TASK = "Find out why test_retry fails on CI and make it pass. Do not touch the retry policy itself."
ANSWERS = [
    "test_retry.py:41 asserts that three attempts take under 0.2 s. " + "CI is slow today. " * 20,
    "The backoff sleeps 0.1 s, 0.2 s, 0.4 s: three attempts take 0.3 s. " + "See policy.py. " * 20,
    "A fake clock exists in tests/clock.py and no test uses it. " + "It has sleep(). " * 20,
]
KEPT = 160


def model(messages: list[dict[str, object]], turn: int) -> str:
    """What a model would say next, here by rote."""
    assert messages
    return ["Where does it fail?", "How long does it sleep?", "Is there a fake clock?"][turn]


def summarise(summary: str, answer: str) -> str:
    """The summary with the answer's first sentence folded in, at most so many characters."""
    learned = answer.split(". ", maxsplit=1)[0] + "."
    return f"{summary} {learned}".strip()[-KEPT:]


def run(buffer: ContextBuffer) -> None:
    """Three turns, a dead end that is rolled back, and a plan from what was read."""
    search = buffer.as_actor("tool:search")
    buffer.ingest("task", TASK, role="user")
    buffer.ingest("rules", "Rules\nConstraints:\n- small steps\n", role="system", after=None)
    buffer.ingest("summary", "So far:", role="user", after="task")
    index = buffer.derive("task", "embedding", rebuild=embed, holder="index")
    cite = buffer.derive("summary", "citation", range=(0, 6), holder="retriever")

    for turn, answer in enumerate(ANSWERS):
        question = model(buffer.messages(call=f"turn {turn + 1}"), turn)
        buffer.extend([{"role": "assistant", "content": question}])
        found = search.ingest(f"search/{turn + 1}", answer, role="tool", origin="search")
        buffer.rewrite("summary", summarise(buffer.text("summary"), answer), op="summarize")
        search.rewrite(found.span, "[cleared, see the summary]", op="clear")
        try:
            print(f"turn {turn + 1}: the citation says {cite.text()!r}")
        except StaleSpanError as error:
            # The summary moved under it: the retriever hears of it and derives it again.
            print(f"turn {turn + 1}: {error}")
            cite.rebuild((0, min(20, len(buffer.text("summary")))))

    # The task is reworded; the index keeps the text that its vector was made from.
    task = buffer.rewrite("task", "Make test_retry pass on CI with a fake clock.", op="compress")
    print(f"the task is {task.span} now; the index still holds {index.value}")
    index.rebuild()
    print(f"collected: {buffer.compact()}")

    buffer.checkpoint("before the plan")
    before = buffer.digest
    buffer.replace("rules", "small steps", "rewrite the policy")
    buffer.ingest("note", "This contradicts the task.", role="assistant")
    buffer.rollback(to="before the plan")
    print(f"rolled back exactly: {buffer.digest == before}")

    tried = 0
    for draft in buffer.attempts("planner", limit=3):
        with draft:
            tried += 1
            draft.read("summary")
            draft.quote("summary", "fake clock")
            draft.insert("rules", "- use tests/clock.py\n", following="Constraints:\n")
            if tried == 1:
                # A tool writes what the planner has read, while it plans.
                search.replace("summary", "no test uses it", "test_cache uses it")
    print(f"applied at attempt {tried}: {buffer.text('rules')!r}")

    late = buffer.draft("planner", reads="rendered")
    late.replace("rules", "small steps", "one change at a time")
    try:
        late.apply()
    except StaleBaseError as error:
        print(f"what the model was shown has changed: {error}")


def run_unsafely(recorder: Recorder) -> None:
    """The same three turns on a message list: the summary changes under its citation."""
    summary: dict[str, object] = {"role": "user", "content": "So far: nothing is known."}
    messages: list[dict[str, object]] = [{"role": "user", "content": TASK}, summary]
    cited = "nothing is known"
    _, span = recorder.sync(messages, call="turn 1")
    recorder.derive("cite-1", span, "citation", range=(8, 24), holder="retriever", version=0)
    for turn, answer in enumerate(ANSWERS):
        messages.append({"role": "assistant", "content": model(messages, turn)})
        messages.append({"role": "user", "content": answer})
        recorder.sync(messages, call=f"turn {turn + 1}, answered")
        summary["content"] = summarise(str(summary["content"]), answer)
        messages[-1]["content"] = "[cleared, see the summary]"
        recorder.sync(messages, call=f"turn {turn + 2}")
        got = str(summary["content"])[8:24]
        recorder.use("cite-1", got=got)
        print(f"turn {turn + 1}: the citation says {got!r} and meant {cited!r}")


def embed(text: str) -> tuple[int, ...]:
    """A stand-in for an embedding: how often each vowel stands in the text."""
    return tuple(text.count(vowel) for vowel in "aeiou")


def main() -> None:
    """Run it, recording to the path given or into the state folder."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("journal", nargs="?", type=Path)
    parser.add_argument("--unsafe", action="store_true", help="a message list without a buffer")
    options = parser.parse_args()
    if options.unsafe:
        with Recorder.open("rolling-summary", options.journal) as recorder:
            run_unsafely(recorder)
            print(f"journal: {recorder.path}")
        return
    with ContextBuffer.record("rolling-summary", options.journal) as buffer:
        run(buffer)
        print(f"journal: {buffer.path}")


if __name__ == "__main__":
    try:
        main()
    except JournalError as error:
        sys.exit(str(error))
