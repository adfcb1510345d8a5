"""The index of findings grows with its history, whatever the order in which findings come."""

from __future__ import annotations

from support.lines import HEADER, mark, text, with_crc

from spanscope.history.history import History
from spanscope.widgets.findings import FindingIndex


def test_a_finding_about_the_first_line_that_comes_late_is_counted_once() -> None:
    history = History()
    index = FindingIndex(history.findings, history.touched)
    # Line 1 turns out to lack its checksum only when a later line has one.
    lines = [text(HEADER), text(mark(2)), text(mark(3, time="2000-01-01T00:00:00Z"))]
    for line in (*lines, with_crc(text(mark(4)))):
        history.feed(line + b"\n")
        index.update()
        whole = FindingIndex(history.findings, history.touched)
        for severity in ("error", "warning", "info"):
            assert index.count(severity) == whole.count(severity)
    assert history.findings[0].rule == "JNL004"
    assert history.findings[-1].rule == "JNL009"
