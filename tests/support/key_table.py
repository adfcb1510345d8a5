"""The keys as a table for the documents, from the registry."""

from __future__ import annotations

from collections.abc import Iterator

from spanscope.app.action import GROUP_TITLES, KEY_NAMES, UNTAUGHT, Action
from spanscope.app.actions import ACTIONS


def key_table() -> str:
    """Every action with its keys, its id and what it does, group by group, in Markdown."""
    return "\n".join(_lines()).rstrip("\n") + "\n"


def _lines() -> Iterator[str]:
    for group, title in GROUP_TITLES.items():
        yield f"### {title}"
        yield ""
        yield "| keys | id | does |"
        yield "|---|---|---|"
        for action in ACTIONS:
            if action.group == group:
                yield f"| {_keys(action)} | `{action.id}` | {action.about} |"
        yield ""


def _keys(action: Action) -> str:
    taught = (KEY_NAMES.get(key, key) for key in action.keys if key not in UNTAUGHT)
    return " ".join(f"`{key}`" for key in taught)
