"""Doing something bad to the rows of a session."""

from __future__ import annotations

import copy
from typing import Any

from hypothesis import strategies as st

JUNK = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5) | st.just("\ud800"),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3)
    ),
    max_leaves=5,
)


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The paths of all values inside a value."""
    found = [path] if path else []
    if isinstance(value, dict):
        for name, item in value.items():
            found += places(item, (*path, name))
    elif isinstance(value, list):
        for index, item in enumerate(value):
            found += places(item, (*path, index))
    return found


def mutate(data: st.DataObject, rows: list[Any]) -> list[Any]:
    """Rows with a value replaced or deleted, or a row dropped, doubled, moved or exchanged."""
    rows = copy.deepcopy(rows)
    for _ in range(data.draw(st.integers(1, 4), label="mutations")):
        where = data.draw(st.integers(0, len(rows) - 1), label="row")
        kind = data.draw(st.sampled_from(("drop", "double", "move", "set", "delete", "borrow")))
        if kind == "drop" and len(rows) > 1:
            del rows[where]
        elif kind == "double":
            rows.insert(data.draw(st.integers(0, len(rows))), copy.deepcopy(rows[where]))
        elif kind == "move":
            rows.insert(data.draw(st.integers(0, len(rows) - 1)), rows.pop(where))
        else:
            path = data.draw(st.sampled_from(places(rows[where]) or [()]), label="path")
            if path:
                replace(data, rows, where, path, kind)
    return rows


def replace(data: st.DataObject, rows: list[Any], where: int, path: Any, kind: str) -> None:
    holder = rows[where]
    for step in path[:-1]:
        holder = holder[step]
    if kind == "set":
        holder[path[-1]] = data.draw(JUNK, label="junk")
    elif kind == "delete":
        del holder[path[-1]]
    else:
        other = data.draw(st.sampled_from(rows), label="from")
        value = other
        for step in data.draw(st.sampled_from(places(other) or [()])):
            value = value[step]
        holder[path[-1]] = copy.deepcopy(value)
