"""Other keys for the actions of the registry, as a user gives them by action id."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from msgspec.structs import replace
from textual.keys import Keys, _character_to_key

from spanscope.app.action import KEY_NAMES, Action
from spanscope.app.actions import ACTIONS, BY_ID

MODIFIERS = ("ctrl", "alt", "shift")
NAMES = sorted({str(key.value) for key in Keys if "+" not in key.value and "<" not in key.value})
"""The keys that have a name."""

_BY_SHOWN = {shown: key for key, shown in KEY_NAMES.items()}


class Refused(NamedTuple):
    """An entry that is not taken: the action's id as it was written, and why."""

    id: str
    why: str


class UnknownKeyError(ValueError):
    """There is no such key; the message says what may have been meant."""


def key_named(text: str) -> str:
    """A key as Textual calls it: a character, a name, `ctrl+`, `alt+` or `shift+` and one of them.

    Raises UnknownKeyError.
    """
    written = _BY_SHOWN.get(text.strip(), text.strip())
    *before, last = [written] if len(written) == 1 else written.split("+")
    if last.isdigit() and last.isascii() and not before and last != "0":
        raise UnknownKeyError(f"{text!r} is a count: a number before a key repeats it")
    if all(each in MODIFIERS for each in before):
        if len(last) == 1 and last.isprintable() and not last.isspace():
            return "+".join((*before, _character_to_key(last)))
        if last in NAMES or last in KEY_NAMES:
            return "+".join((*before, last))
    near = difflib.get_close_matches(last, [*NAMES, *_BY_SHOWN], n=2)
    hint = f": did you mean {' or '.join(near)}?" if near else ""
    raise UnknownKeyError(f"there is no key {text!r}{hint}")


def remapped(
    wanted: Mapping[str, Sequence[str]],
) -> tuple[tuple[Action, ...], list[Refused]]:
    """The registry with other keys, and the entries that are refused.

    `wanted`: for an action's id its keys, as a user writes them. An unknown id or key is refused,
    and so is a key that another action has.
    """
    keys: dict[str, tuple[str, ...]] = {}
    refused: list[Refused] = []
    for id, written in wanted.items():
        try:
            keys[_known(id)] = tuple(dict.fromkeys(map(key_named, written)))
        except UnknownKeyError as error:
            refused.append(Refused(id, str(error)))
    while clash := _clash(keys):
        refused.append(clash)
        del keys[clash.id]
    return tuple(replace(a, keys=keys.get(a.id, a.keys)) for a in ACTIONS), refused


def _known(id: str) -> str:
    if id in BY_ID:
        return id
    near = difflib.get_close_matches(id, BY_ID, n=2)
    hint = f": did you mean {' or '.join(near)}?" if near else ""
    raise UnknownKeyError(f"there is no action {id!r}{hint}")


def _clash(keys: Mapping[str, Iterable[str]]) -> Refused | None:
    """The first entry with a key that another action has."""
    for id, own in keys.items():
        for action in ACTIONS:
            theirs = keys.get(action.id, action.keys)
            taken = sorted(set(own).intersection(theirs)) if action.id != id else []
            if taken:
                return Refused(id, f"{KEY_NAMES.get(taken[0], taken[0])} is {action.id}'s key")
    return None
