"""Names of tabs: those of the detail pane, and in a small terminal those of all panes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from spanscope.widgets.lines import Line, Role, Row, fitted

if TYPE_CHECKING:
    from spanscope.rules.judgements import Verdict
    from spanscope.widgets.scene import Scene

TABS = {
    "why": "Why",
    "content": "Content",
    "diff": "Diff",
    "holders": "Holders",
    "context": "Context",
}
"""The tabs of the detail pane."""

_BAD: tuple[Verdict, ...] = ("stale", "unreachable", "conflict")


def tab_titles(open_tab: str) -> Line:
    """The title of the detail pane: its tabs, the open one in brackets."""
    row = Row()
    for name, label in TABS.items():
        if row.width:
            row.gap()
        row.put(
            f"[{label}]" if name == open_tab else label, "open" if name == open_tab else "muted"
        )
    return row.line()


def pane_tabs(scene: Scene, focus: str, width: int, *, listed: str = "events") -> Line:
    """All panes as tabs, each with its count and its worst sign; Events or what is `listed`."""
    moment = scene.moment
    diffs = moment.staging(include_out=True)
    staged = [row for row in diffs if row.left is None]
    spans = moment.census
    labels = {
        "spans": (f"Spans {spans.live + spans.unknown}", "" if moment.all_fresh else "~"),
        "undo": (f"Undo {moment.undo_size}", "!" if moment.reachable < moment.undo_size else ""),
        "staging": (
            f"Staging {len(staged)}",
            "~" if any(row.judgement.verdict in _BAD for row in diffs) else "",
        ),
        listed: ("Events" if listed == "events" else "Findings", ""),
        "detail": ("Why", ""),
    }
    row = Row().gap()
    for name, (label, sign) in labels.items():
        if row.width > 1:
            row.gap(2)
        role: Role = "open" if name == focus else "muted"
        row.put(f"[{label}]" if name == focus else label, role)
        if sign:
            row.gap().put(sign, "error" if sign == "!" else "warning")
    return fitted(row.line(), width)
