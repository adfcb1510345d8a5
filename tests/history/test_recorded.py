"""Texts that a judged journal gives back, instead of being kept in memory."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.anything import any_journal
from support.stories import a_story

from spanscope.history.audit import Audit
from spanscope.history.audited import audit_file
from spanscope.history.recorded import MOST_KEPT, RecordedTexts
from spanscope.journal.errors import JournalError
from spanscope.journal.index import EventLog, LineSource
from spanscope.journal.reader import Record, read_journal
from spanscope.model import keeping, node

TIME = "2026-11-11T09:00:00Z"
INGEST = f'{{"type":"ingest","seq":%d,"time":"{TIME}","span":"s%d","content":"Größe %d"}}\n'


@settings(max_examples=40)
@given(st.integers(0, 10**6), st.sampled_from(["", "diff", "lost"]))
def test_a_journal_read_again_is_judged_like_one_kept_in_memory(
    tmp_path_factory: pytest.TempPathFactory, seed: int, kind: str
) -> None:
    lines = (a_story(seed, "diff", 30) if kind == "diff" else any_journal(seed, 60)).splitlines(
        keepends=True
    )
    if kind == "lost":
        del lines[1 + seed % (len(lines) - 1)]
    path = tmp_path_factory.mktemp("journal") / "j.jsonl"
    path.write_bytes(b"".join(lines))
    kept = Audit()
    kept.judge.state.recent = None
    for item in read_journal(path):
        kept.take(item)
    kept.finish()
    with pytest.MonkeyPatch.context() as patch:
        # Every content gives way at once, and every text is read again.
        patch.setattr(node, "RECORDED_FROM", 1)
        patch.setattr(keeping, "LEAST_RECENT", 0)
        patch.setattr("spanscope.history.audit.MOST_NEWEST", 0)
        again = audit_file(path)
    assert again.findings == kept.findings
    assert again.unknown == kept.unknown()


def recorded(path: Path) -> RecordedTexts:
    log = EventLog(LineSource(path))
    for item in read_journal(path):
        if isinstance(item, Record):
            log.add(item)
    return RecordedTexts(log)


def test_a_text_is_what_the_event_put_there(tmp_path: Path) -> None:
    path = tmp_path / "j.jsonl"
    many = range(1, 2 * MOST_KEPT)
    path.write_text("".join(INGEST % (seq, seq, seq) for seq in many), encoding="utf-8")
    texts = recorded(path)
    for seq in (*many, *many, 3, 3):
        assert texts.text(seq) == f"Größe {seq}"


def test_a_journal_that_was_changed_meanwhile_is_said_so(tmp_path: Path) -> None:
    path = tmp_path / "j.jsonl"
    path.write_text("".join(INGEST % (seq, seq, seq) for seq in (1, 2)), encoding="utf-8")
    texts = recorded(path)
    path.write_bytes(path.read_bytes().replace(b"e 2", b"e 3"))
    assert texts.text(1) == "Größe 1"
    with pytest.raises(JournalError, match="changed while it was judged: the line of seq 2"):
        texts.text(2)
    path.write_bytes(b"")
    with pytest.raises(JournalError, match="seq 2"):
        texts.text(2)
