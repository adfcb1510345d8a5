"""A journal that grows while it is looked at: what is read, judged and known of its writer."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from contextlib import closing
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.checkout import ROOT
from support.growing import append, catch_up, follower, mark, unknown_use
from support.histories import HEADER, a_program, told, whole

from spanscope.app.following import Follower
from spanscope.app.pace import REST
from spanscope.buffer import Recorder
from spanscope.history.history import History
from spanscope.journal.stream import Stream
from spanscope.journal.tail import Tail
from spanscope.sample_sessions import NAMES, sample_path
from spanscope.widgets.live import Live
from spanscope.widgets.scene import Audit

needs_posix = pytest.mark.skipif(os.name != "posix", reason="an open file can't be deleted there")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "a.jsonl"
    path.write_bytes(HEADER + mark(1) + mark(2))
    return path


def facts(opened: Follower) -> Live:
    assert opened.live is not None
    return opened.live


def assert_same(history: History, other: History) -> None:
    assert list(history.seqs) == list(other.seqs)
    assert history.findings == other.findings
    assert history.unknown == other.unknown
    for seq in other.seqs:
        assert told(history, seq) == told(other, seq)


# One pass for a recording and for what grows


@given(
    seed=st.integers(0, 10**6),
    cuts=st.lists(st.integers(1, 2000), max_size=12),
    piece=st.integers(20, 500),
)
@settings(max_examples=40)
def test_whatever_the_cutting_live_is_what_the_recording_is(
    tmp_path_factory: pytest.TempPathFactory, seed: int, cuts: list[int], piece: int
) -> None:
    data = a_program(seed, 25)
    path = tmp_path_factory.mktemp("any") / "a.jsonl"
    path.touch()
    at = 0
    with follower(path, piece=piece) as opened:
        for cut in cuts:
            append(path, data[at : at + cut])
            at += cut
            opened.look()
        append(path, data[at:])
        catch_up(opened)
        live = History()
        live.feed(data)
        assert_same(opened.history, live)
    recording = whole(data)
    for seq in recording.seqs:
        assert told(live, seq) == told(recording, seq)


CLOSED = [name for name in NAMES if whole(sample_path(name).read_bytes()).closed is not None]


@pytest.mark.parametrize("name", CLOSED)
def test_a_closed_session_is_judged_as_a_recording(name: str, tmp_path: Path) -> None:
    data = sample_path(name).read_bytes()
    path = tmp_path / "a.jsonl"
    path.touch()
    with follower(path) as opened:
        for start in range(0, len(data), 777):
            append(path, data[start : start + 777])
            opened.look()
        catch_up(opened)
        assert facts(opened).state == "closed"
        assert_same(opened.history, whole(data))


# What is known


def test_how_far_it_is(path: Path) -> None:
    size = path.stat().st_size
    with follower(path, piece=80) as opened:
        assert opened.audit == Audit(0, size, done=False)
        opened.look()
        assert 0 < opened.audit.read < size
        assert not opened.audit.done
        catch_up(opened)
        assert opened.audit == Audit(size, size, done=True)
        append(path, mark(3))
        catch_up(opened)
        assert opened.audit == Audit(size, size, done=True)


def test_errors_before_are_those_that_were_there_when_it_was_opened(path: Path) -> None:
    append(path, unknown_use(3))
    with follower(path) as opened:
        catch_up(opened)
        append(path, unknown_use(4))
        catch_up(opened)
        assert facts(opened).before == 1
        assert opened.history.counts()["error"] == 2


def test_the_age_is_that_of_the_file_and_then_of_what_came(path: Path) -> None:
    os.utime(path, (1000, 1000))
    with follower(path) as opened:
        catch_up(opened)
        assert facts(opened).last == 1000
        before = time.time()
        append(path, mark(3))
        catch_up(opened)
        assert facts(opened).last >= before


def test_a_journal_that_nobody_is_known_to_write_is_watched(path: Path) -> None:
    with follower(path) as opened:
        catch_up(opened)
        assert facts(opened) == Live("watched", last=facts(opened).last)
        append(path, mark(3)[:30])
        catch_up(opened)
        assert opened.history.last == 2
        assert opened.history.findings == []


# What happens


def test_a_writer_lives_and_closes(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    recorder = Recorder.open("planner", path)
    with follower(path) as opened:
        catch_up(opened)
        assert (facts(opened).state, facts(opened).pid) == ("live", os.getpid())
        recorder.ingest("task", "Fix it.")
        recorder.splice("task", 0, 3, "Mend", version=1)
        catch_up(opened)
        assert opened.history.last == 2
        recorder.close()
        catch_up(opened)
        assert (facts(opened).state, facts(opened).pid) == ("closed", os.getpid())
        assert_same(opened.history, whole(path.read_bytes()))


def die(path: Path, code: str) -> int:
    """Let a process write and end without closing; its pid."""
    script = f"import os, sys\nfrom spanscope import Recorder\n{code}\nos._exit(9)"
    with subprocess.Popen([sys.executable, "-c", script, str(path)], cwd=ROOT) as process:
        process.wait()
    return process.pid


def test_a_writer_that_dies_is_told_with_its_torn_line(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    script = (
        "import os, sys\n"
        "from spanscope import Recorder\n"
        "recorder = Recorder.open('x', sys.argv[1])\n"
        "recorder.mark('note', 'one')\n"
        "print('ready', flush=True)\n"
        "sys.stdin.readline()\n"
        "os.write(recorder._writer.writer._fd, b'{\"type\":')\n"
        "os._exit(9)\n"
    )
    command = [sys.executable, "-c", script, str(path)]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, cwd=ROOT, stdin=pipe, stdout=pipe) as process:
        assert process.stdout is not None
        process.stdout.readline()
        with follower(path) as opened:
            catch_up(opened)
            assert facts(opened).state == "live"
            process.communicate(b"\n")
            catch_up(opened)
            assert (facts(opened).state, facts(opened).pid) == ("dead", process.pid)
            assert [finding.rule for finding in opened.history.findings] == ["JNL001"]
            assert_same(opened.history, whole(path.read_bytes()))


def test_a_journal_that_goes_on_after_its_end_is_judged_anew(path: Path) -> None:
    close = b'{"type":"close","seq":3,"time":"2026-11-11T09:00:00Z","events":2}\n'
    append(path, close)
    with follower(path) as opened:
        catch_up(opened)
        ended = opened.history
        assert facts(opened).state == "closed"
        append(path, b'{"type":"resume","seq":4,"time":"2026-11-11T09:00:00Z"}\n')
        opened.look()
        assert opened.history is ended
        catch_up(opened)
        assert opened.history is not ended
        assert list(opened.history.seqs) == [1, 2, 3, 4]
        assert facts(opened).state == "watched"
        append(path, mark(5))
        catch_up(opened)
        live = History()
        live.feed(path.read_bytes())
        assert_same(opened.history, live)


def test_a_file_that_is_cut_is_read_again_and_stays_until_there_is_something(path: Path) -> None:
    with follower(path) as opened:
        catch_up(opened)
        old = opened.history
        os.truncate(path, 0)
        catch_up(opened)
        assert opened.history is old
        assert facts(opened).again == "truncated"
        append(path, HEADER + unknown_use(1))
        catch_up(opened)
        assert opened.history is not old
        assert list(opened.history.seqs) == [1]
        assert (facts(opened).again, facts(opened).at, facts(opened).before) == ("truncated", 1, 0)
        opened.seen()
        assert facts(opened).again == ""


@needs_posix
def test_a_file_made_again_takes_the_place_of_the_old_one(path: Path) -> None:
    with follower(path) as opened:
        catch_up(opened)
        path.unlink()
        catch_up(opened)
        assert facts(opened).place == "deleted"
        assert opened.history.last == 2
        path.write_bytes(HEADER + mark(1) + unknown_use(2) + mark(3))
        catch_up(opened)
        assert (facts(opened).place, facts(opened).again) == ("here", "recreated")
        assert_same(opened.history, live_of(path))


def live_of(path: Path) -> History:
    history = History()
    history.feed(path.read_bytes())
    return history


def test_a_rotated_file_is_read_on(path: Path) -> None:
    old = path.with_suffix(".1")
    with follower(path) as opened:
        catch_up(opened)
        path.rename(old)
        catch_up(opened)
        assert facts(opened).place == "moved"
        path.write_bytes(HEADER + mark(1))
        append(old, mark(3))
        catch_up(opened)
        assert facts(opened).place == "rotated"
        assert list(opened.history.seqs) == [1, 2, 3]


# The thread


class Told:
    """What the screen would be told, and when to stop."""

    def __init__(self) -> None:
        self.audits: list[Audit] = []
        self.times: list[float] = []
        self.news = threading.Condition()
        self.cancelled = False

    def tell(self, audit: Audit) -> None:
        with self.news:
            self.audits.append(audit)
            self.times.append(time.monotonic())
            self.news.notify_all()

    def until(self, condition: Callable[[], bool]) -> None:
        with self.news:
            assert self.news.wait_for(condition, 60)


def test_the_screen_is_told_of_everything_and_not_too_often(path: Path) -> None:
    told_of = Told()
    with closing(Follower(Tail(path))) as opened:
        thread = threading.Thread(target=opened.run, args=(told_of.tell, lambda: told_of.cancelled))
        thread.start()
        told_of.until(lambda: bool(told_of.audits) and told_of.audits[-1].done)
        with path.open("ab", buffering=0) as file:
            for seq in range(3, 3003):
                file.write(mark(seq))
        told_of.until(lambda: opened.history.last == 3002)
        told_of.cancelled = True
        thread.join()
    assert all(later - earlier >= REST for earlier, later in pairwise(told_of.times))


def test_reading_ends_when_it_is_cancelled(path: Path) -> None:
    told_of = Told()
    with closing(Follower(Tail(path))) as opened:
        thread = threading.Thread(target=opened.run, args=(told_of.tell, lambda: told_of.cancelled))
        thread.start()
        told_of.until(lambda: bool(told_of.audits))
        told_of.cancelled = True
        thread.join(60)
        assert not thread.is_alive()


# Standard input


@needs_posix
def test_a_stream_is_read_as_it_comes_and_judged_at_its_end() -> None:
    data = sample_path("stale-base").read_bytes()[:-10]
    reading, writing = os.pipe()
    with closing(Follower(Stream(reading), stream=True)) as opened:
        assert not opened.look() or facts(opened).state == "stream"
        os.write(writing, data[:5000])
        catch_up(opened)
        assert opened.history.last > 0
        assert facts(opened).state == "stream"
        os.write(writing, data[5000:])
        os.close(writing)
        catch_up(opened)
        assert opened.live is None
        assert_same(opened.history, whole(data))


@needs_posix
def test_the_thread_of_a_stream_ends_with_it() -> None:
    reading, writing = os.pipe()
    told_of = Told()
    with closing(Follower(Stream(reading), stream=True)) as opened:
        thread = threading.Thread(target=opened.run, args=(told_of.tell, lambda: False))
        thread.start()
        os.write(writing, HEADER + mark(1))
        told_of.until(lambda: opened.history.last == 1)
        os.close(writing)
        thread.join(60)
        assert not thread.is_alive()
        assert opened.live is None
