"""What an applied diff leaves on the spans that it wrote."""

from __future__ import annotations

from support.journals import copy, ingest, of, prune, put, recorded, stage


def test_what_was_changed_in_place_was_written_by_the_diff() -> None:
    edits = [
        put("rules", "", "c", "x"),
        ingest("new", "n"),
        copy("plan", "plan/2", "p2"),
        put("log", "", "c", "x"),
        prune("log", "xc"),
    ]
    history = recorded(
        *(ingest(span, "c") for span in ("rules", "plan", "log")),
        stage("D7", 3, [], edits),
        of("apply", diff="D7"),
    )
    written = {name: span.op for name, span in history.state.spans.items()}
    assert written == {
        "rules": "apply D7",
        "plan": "ingest",
        "plan/2": "copy of plan",
        "log": "prune",
        "new": "ingest",
    }
