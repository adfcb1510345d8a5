"""Another tool's session in the app: as a recording, and while it grows."""

from __future__ import annotations

from pathlib import Path

from support.claude import Transcript
from support.importing import lines

from spanscope.app.following import Follower
from spanscope.app.loading import Loader
from spanscope.importers.growing import follow
from spanscope.importers.source import find_source
from spanscope.widgets.scene import Audit


def test_a_session_is_loaded_as_a_journal_is(tmp_path: Path) -> None:
    session = Transcript()
    session.user("Fix the flaky test")
    session.says("Done.", "m1")
    path = tmp_path / "session.jsonl"
    path.write_bytes(lines(session.rows))
    loader = Loader(path)
    told: list[Audit] = []
    loader.run(told.append, lambda: False)
    assert loader.history.state.order == ["u1", "a2"]
    assert told[-1].done
    assert loader.history.closed is not None


def test_a_session_that_grows_is_followed(tmp_path: Path) -> None:
    session = Transcript()
    session.user("One")
    path = tmp_path / "session.jsonl"
    path.write_bytes(lines(session.rows))
    source = find_source(path)
    assert source is not None
    follower = Follower(follow(path, source))
    assert follower.look()
    before = follower.history.last
    session.says("1", "m1")
    path.write_bytes(lines(session.rows))
    follower.look()
    assert follower.history.last > before
    assert follower.history.state.order == ["u1", "a2"]
    follower.close()
