"""The garbage collector, kept out of the way while a program starts or a journal is read."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


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


SELDOM = 100
"""So many collections of what is younger before one of everything (Python: 10)."""


def release_collection() -> None:
    """Collect again, and never look through what is there already; nothing where none was held.

    Everything else is looked through seldom: that would hold up a screen for some frames.
    """
    if not gc.isenabled():
        gc.freeze()
        young, middle, _ = gc.get_threshold()
        gc.set_threshold(young, middle, SELDOM)
        gc.enable()
