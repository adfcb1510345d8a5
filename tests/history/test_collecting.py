"""The garbage collector while a program starts."""

from __future__ import annotations

import gc

import pytest

from spanscope.cli.main import main
from spanscope.history.collecting import (
    SOONER,
    collection_held,
    give_back_memory,
    release_collection,
)


def test_collections_come_back_when_a_start_is_over() -> None:
    with collection_held():
        assert not gc.isenabled()
        release_collection()
        assert gc.isenabled()
    # Strips that were drawn are cycles: where more of them gather, the screen is held up longer.
    assert gc.get_threshold() == SOONER
    with pytest.raises(ValueError, match="any"), collection_held():
        raise ValueError("any")
    assert gc.isenabled()


def test_nothing_is_put_aside_where_no_collection_was_held() -> None:
    before = gc.get_freeze_count()
    release_collection()
    assert gc.get_freeze_count() == before


@pytest.mark.parametrize("arguments", [["--version"], ["rule"], ["rule", "nonsense"], ["--no"]])
def test_no_command_leaves_the_collector_off(arguments: list[str]) -> None:
    main(arguments)
    assert gc.isenabled()


@pytest.mark.parametrize("error", [OSError("no such library"), TypeError("None"), AttributeError])
def test_where_the_c_library_gives_no_memory_back_nothing_happens(
    error: Exception, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[None] = []

    def library(name: None) -> object:
        asked.append(name)
        raise error

    monkeypatch.setattr("ctypes.CDLL", library)
    give_back_memory()
    assert asked == [None]
