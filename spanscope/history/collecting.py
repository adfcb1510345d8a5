"""The garbage collector, kept out of the way while a program starts or a journal is read.

And what reading leaves free among what stays, given back to the system.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager, suppress

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


def give_back_memory() -> None:
    """Let the system have memory that is free inside the process, where the C library can.

    A long journal leaves a tenth of what it took; it takes a few milliseconds.
    """
    import ctypes

    with suppress(OSError, TypeError, AttributeError):
        ctypes.CDLL(None).malloc_trim(0)
