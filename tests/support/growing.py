"""Journals that grow while they are looked at, and the app that follows them."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, closing, contextmanager
from pathlib import Path

from textual.pilot import Pilot

from spanscope.app.app import SpanscopeApp
from spanscope.app.following import Follower
from spanscope.journal.tail import Tail


def append(path: Path, data: bytes) -> None:
    """Write on, as any program would."""
    with path.open("ab", buffering=0) as file:
        file.write(data)


def write(path: Path, data: bytes) -> None:
    """Make the file, or overwrite it in place."""
    path.write_bytes(data)


def move(path: Path, to: Path) -> None:
    """Rename the file."""
    path.rename(to)


def remove(path: Path) -> None:
    """Delete the file."""
    path.unlink()


def mark(seq: int, label: str = "x") -> bytes:
    """A line that changes nothing."""
    return (
        b'{"type":"mark","seq":%d,"time":"2026-11-11T09:00:00Z","kind":"note","label":"%s"}\n'
        % (
            seq,
            label.encode(),
        )
    )


def unknown_use(seq: int) -> bytes:
    """A line with an error: an artifact that nobody has derived is used."""
    return b'{"type":"use","seq":%d,"time":"2026-11-11T09:00:00Z","artifact":"nobody"}\n' % seq


@contextmanager
def follower(path: Path, *, piece: int = 1 << 16) -> Iterator[Follower]:
    """A follower that is driven by hand."""
    with closing(Follower(Tail(path, piece=piece))) as opened:
        yield opened


def catch_up(opened: Follower) -> None:
    """Look until there is nothing more to see."""
    while opened.look() or opened.more:
        pass


@asynccontextmanager
async def followed(
    path: Path, size: tuple[int, int] = (180, 50), *, at: int | None = None
) -> AsyncIterator[tuple[SpanscopeApp, Pilot[int]]]:
    """The app on a growing journal."""
    with closing(Follower(Tail(path))) as source:
        app = SpanscopeApp(source, path, at=at)
        async with app.run_test(size=size) as pilot:
            yield app, pilot
