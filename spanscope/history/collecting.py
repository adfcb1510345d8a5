"""The garbage collector, kept out of the way while a program starts or a journal is read."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager

SOONER = (700, 5, 3)
"""How often is collected where much is drawn (see `gc.set_threshold`): sooner than Python does.

Every strip that Textual draws becomes a cycle, and the more of them have gathered, the longer their
collection holds the screen up.
"""


@contextmanager
def collection_paused() -> Iterator[None]:
    """No cyclic collection inside: the audit makes no cycles, and millions of objects that stay."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


@contextmanager
def collection_held() -> Iterator[None]:
    """No cyclic collection inside, until `release_collection`: what a start makes stays."""
    gc.disable()
    try:
        yield
    finally:
        release_collection()


def release_collection() -> None:
    """Collect again, and never look through what is there already; nothing where none was held."""
    if not gc.isenabled():
        gc.freeze()
        gc.set_threshold(*SOONER)
        gc.enable()
