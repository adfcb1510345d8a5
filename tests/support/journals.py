"""Small journals written out by hand, and what the rules say of them.

Events are made without `seq` and `time`. Changes come with a whole inverse and right claims, so
that a test breaks only the rule that it is about; a field given as None is left out.
"""

from __future__ import annotations

import json
from typing import Any

from spanscope.history.history import History
from spanscope.model.content import content_hash
from spanscope.rules.finding import Finding

Fields = dict[str, Any]

TIME = "2026-11-11T09:00:00Z"


def of(kind: str, /, **fields: Any) -> Fields:
    """An event with just these fields."""
    return {"type": kind, **fields}


def ingest(span: str, content: str, **more: Any) -> Fields:
    """A new span."""
    return {"type": "ingest", "span": span, "content": content, **more}


def rewrite(span: str, old: str, new: str, **more: Any) -> Fields:
    """A whole rewrite in place."""
    inverse = {"original": old, "inserted": len(new), "before": "", "after": ""}
    claims = {"version": 1, "hash": content_hash(new)}
    return of("rewrite", span=span, op="fold", content=new, inverse=inverse) | claims | more


def copy(span: str, into: str, new: str, **more: Any) -> Fields:
    """A copy-on-rewrite."""
    return of("rewrite", span=span, op="fold", into=into, content=new) | more


def prune(span: str, old: str, **more: Any) -> Fields:
    """A prune with its inverse."""
    inverse = {"original": old, "inserted": 0, "before": "", "after": ""}
    return of("prune", span=span, inverse=inverse) | more


def inverse(text: str, at: int, delete: int, insert: str, **more: Any) -> Fields:
    """The inverse of a splice of `text`, with anchors of 16 characters."""
    after, end = text[:at] + insert + text[at + delete :], at + len(insert)
    return {
        "original": text[at : at + delete],
        "inserted": len(insert),
        "inserted_hash": content_hash(insert),
        "before": after[max(0, at - 16) : at],
        "after": after[end : end + 16],
        **more,
    }


def splice(span: str, text: str, at: int, delete: int, insert: str, **more: Any) -> Fields:
    """A splice of a span that holds `text`."""
    after = text[:at] + insert + text[at + delete :]
    fields = of("splice", span=span, at=at, delete=delete, insert=insert)
    claims = {"version": 1, "hash": content_hash(after)}
    return fields | claims | {"inverse": inverse(text, at, delete, insert)} | more


def derive(artifact: str, span: str, content: str, **more: Any) -> Fields:
    """An artifact keyed on version 0 and the content's hash."""
    key = {"version": 0, "hash": content_hash(content)}
    return of("derive", artifact=artifact, span=span, kind="note") | key | more


def use(artifact: str, **more: Any) -> Fields:
    """A use of an artifact."""
    return of("use", artifact=artifact, **more)


def stage(
    diff: str, revision: int, reads: list[Fields], edits: list[Fields], **more: Any
) -> Fields:
    """A staged diff."""
    base = {"revision": revision}
    return of("stage", diff=diff, base=base, reads=reads, edits=edits) | more


def put(span: str, before: str, after: str, insert: str, delete: int = 0, **more: Any) -> Fields:
    """A staged splice located by its anchor."""
    anchor = {"before": before, "after": after}
    return of("splice", span=span, anchor=anchor, delete=delete, insert=insert) | more


def line(fields: Fields, seq: int | None = None) -> bytes:
    """The journal line of an event; null fields are left out but for `after`."""
    placed = fields if seq is None else {"seq": seq, "time": TIME, **fields}
    kept = {key: value for key, value in placed.items() if value is not None or key == "after"}
    return json.dumps(kept).encode() + b"\n"


def recorded(*events: Fields | bytes, **header: Any) -> History:
    """The history of a whole recording: events numbered from 1; bytes stand as they are."""
    history = History()
    history.feed(line(of("session", format="spanscope.journal/1", session="s", **header)))
    seq = 0
    for event in events:
        if isinstance(event, bytes):
            history.feed(event)
        else:
            seq = event.get("seq", seq + 1)
            history.feed(line(event, seq))
    history.finish()
    return history


def found(history: History, prefix: str = "") -> list[Finding]:
    """The findings of a rule or family."""
    return [finding for finding in history.findings if finding.rule.startswith(prefix)]


def ids(history: History, prefix: str = "") -> list[str]:
    """Their ids: rule and event."""
    return [finding.id for finding in found(history, prefix)]


def the(history: History, rule: str) -> Finding:
    """The only finding of a rule."""
    only = found(history, rule)
    assert len(only) == 1, [finding.id for finding in only]
    return only[0]


def unknown(history: History) -> dict[str, tuple[int, str]]:
    """What can't be told: subject (`span a`) to since when and why."""
    listed: dict[str, tuple[int, str]] = {}
    for entry in history.unknown:
        ((kind, name),) = entry.subject.items()
        listed[f"{kind} {name}"] = (entry.since, entry.why)
    return listed


def state_of(history: History, artifact: str) -> str:
    """The state of an artifact at the end."""
    row = history.at(history.last).artifact(artifact)
    assert row is not None
    return row.judgement.state


def signals_of(history: History, artifact: str) -> list[str]:
    """The signals of an artifact at the end."""
    row = history.at(history.last).artifact(artifact)
    assert row is not None
    return list(row.judgement.signals)
