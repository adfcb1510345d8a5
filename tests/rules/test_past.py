"""DIF316 and SPN143 name the event since which it is so, as looking through all states finds it."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from support.journals import found, ingest, of, recorded

from spanscope.journal.parts import Base
from spanscope.model.content import content_hash
from spanscope.model.spans import Span
from spanscope.model.states import States
from spanscope.rules.past import Past

TEXTS = st.sampled_from(["a", "b", "c"])
"""Few, so that a span holds the same again and again."""
BASES = st.fixed_dictionaries(
    {}, optional={"version": st.integers(0, 6), "hash": TEXTS.map(content_hash)}
)
WRITES = st.lists(st.tuples(TEXTS, st.one_of(st.none(), BASES)), min_size=1, max_size=12)


def plainly(held: list[str], base: dict[str, Any]) -> int | None:
    """The seq since which a span is another; version n is what the event n + 1 wrote."""
    same = [
        version
        for version, text in enumerate(held)
        if base.get("version", version) == version
        and base.get("hash", content_hash(text)) == content_hash(text)
    ]
    return same[-1] + 2 if same else None


@given(WRITES)
def test_a_lost_update_names_the_first_change_that_was_not_seen(
    writes: list[tuple[str, dict[str, Any] | None]],
) -> None:
    events, held, wanted = [ingest("a", "a")], ["a"], []
    for text, base in writes:
        more = {} if not base else {"base": base}
        events.append(of("rewrite", span="a", op="fold", content=text, **more))
        if base and plainly(held, base) != len(held) + 1:
            wanted.append((len(events), plainly(held, base)))
        held.append(text)
    history = recorded(*events)
    assert [(f.seq, f.caused_by) for f in found(history, "DIF316")] == wanted


@given(st.lists(st.sampled_from(["change", "digest", "roll back"]), max_size=8))
def test_a_tombstone_is_one_since_it_was_copied(kinds: list[str]) -> None:
    events = [
        ingest("a", "one"),
        of("rewrite", span="a", op="fold", into="b", content="two"),
        of("rewrite", span="b", op="fold", content="three"),
    ]
    for kind in kinds:
        match kind:
            case "change":
                events.append(of("rewrite", span="a", op="fold", content=f"n{len(events)}"))
            case "digest":
                events.append(of("observe", hashes={}))
            case _:
                events.append(of("rewrite", span="b", op="fold", content=f"n{len(events)}"))
    causes = [finding.caused_by for finding in found(recorded(*events), "SPN143")]
    assert causes == [2] * kinds.count("change")


class Counted(States):
    """States that count how often one is looked at."""

    looks = 0

    def _state(self, at: int) -> Span:
        self.looks += 1
        return super()._state(at)


def test_no_state_is_looked_at_again_for_every_base() -> None:
    events = [ingest("a", "one")]
    events += [of("rewrite", span="a", op="fold", content=f"{n}") for n in range(400)]
    state = recorded(*events).state
    counted = Counted(state.chronicle["a"][0])
    for span in state.chronicle["a"][1:]:
        counted.append(span)
    state.chronicle["a"], past = counted, Past()
    before = state.spans["a"]
    assert past.other_since(state, before, Base(version=0)) == 2
    first = counted.looks
    for version in range(300):
        assert past.other_since(state, before, Base(version=version)) == version + 2
        assert past.other_since(state, before, Base(hash=f"sha256:{version}")) is None
    assert counted.looks - first < 300 * 40
