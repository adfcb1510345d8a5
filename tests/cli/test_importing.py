"""`spanscope import`, and the other commands on another tool's session."""

from __future__ import annotations

import gzip
import io
import json
import os
from pathlib import Path

import pytest
from support.claude import Transcript
from support.commands import Run
from support.importing import lines
from support.langgraph import Thread, human


@pytest.fixture
def session(tmp_path: Path) -> Path:
    """A Claude Code transcript under a name that says nothing."""
    made = Transcript()
    made.user("Fix the flaky test")
    made.says("Done.", "m1")
    path = tmp_path / "anything.txt"
    path.write_bytes(lines(made.rows))
    return path


def test_a_session_becomes_a_journal_on_standard_output(run: Run, session: Path) -> None:
    done = run("import", session)
    header = json.loads(done.out.splitlines()[0])
    assert (done.code, header["type"], header["agent"]) == (0, "session", "claude-code")
    assert header["records"] == ["reads"]
    assert header["meta"]["imported"]["format"] == "claude-code"
    assert done.err == "spanscope: claude-code: 2 rows read\n"


def test_importing_twice_gives_the_same_bytes(run: Run, session: Path, tmp_path: Path) -> None:
    first, second = tmp_path / "1.jsonl", tmp_path / "2.jsonl"
    assert run("import", "claude-code", session, "-o", first).code == 0
    assert run("import", session, "-o", second).code == 0
    assert first.read_bytes() == second.read_bytes() == run("import", session).out.encode()
    assert run("check", first, "--fail-on", "unknown").code == 0


@pytest.mark.parametrize("command", ["check", "show", "log"])
def test_the_other_commands_take_the_session_itself(run: Run, session: Path, command: str) -> None:
    done = run(command, session, "--output-format", "json")
    assert done.code == 0
    assert json.loads(done.out)["version"] == 1
    assert "Fix the flaky test" in run("show", session).out


@pytest.mark.parametrize("command", ["check", "show", "log", "import"])
def test_standard_input_may_be_a_session(
    run: Run, session: Path, command: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = run(command, session)
    with session.open() as stream:
        monkeypatch.setattr("sys.stdin", stream)
        done = run(command, "-")
    assert (done.code, done.out.replace("<stdin>", str(session)).replace("-:", f"{session}:")) == (
        0,
        expected.out,
    )


def test_a_journal_on_standard_input_is_passed_on(
    run: Run, clean: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with clean.open() as stream:
        monkeypatch.setattr("sys.stdin", stream)
        done = run("import", "-")
    assert (done.code, done.out, done.err) == (0, clean.read_text(encoding="utf-8"), "")
    assert run("import", "-", "other").code == 2


def test_a_folder_is_one_session(run: Run, tmp_path: Path) -> None:
    main, side = Transcript(), Transcript()
    main.user("Search")
    side.user("Search it", uuid="s1", isSidechain=True, agentId="abc")
    main.says("Found.", "m1")
    folder = tmp_path / "session"
    (folder / "subagents").mkdir(parents=True)
    (folder / "main.jsonl").write_bytes(lines(main.rows))
    (folder / "subagents" / "agent-abc.jsonl").write_bytes(lines(side.rows))
    (folder / "other.json").write_text("{}")
    done = run("import", folder)
    found = [json.loads(line) for line in done.out.splitlines()]
    spans = [(row.get("actor", "agent"), row["content"]) for row in found if "content" in row]
    assert spans == [("agent", "Search"), ("subagent:abc", "Search it"), ("agent", "Found.")]
    assert run("import", folder / "main.jsonl", folder / "subagents").out == done.out


def test_what_is_no_known_session_is_refused(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "plain.txt"
    path.write_text("hello\n")
    done = run("import", path)
    assert done.code == 2
    assert "is not in a known format: name a session of claude-code" in done.err
    assert run("import", "gopher", path).err.startswith("spanscope: there is no file and no format")
    assert run("import", tmp_path / "none.jsonl").code == 2


@pytest.mark.parametrize(
    ("data", "what"),
    [
        (gzip.compress(b"{}\n"), "it is compressed: unpack it with gzip -d first"),
        ("{}\n".encode("utf-16"), "it is UTF-16: write it as UTF-8 first"),
    ],
    ids=["gzip", "utf-16"],
)
def test_what_is_no_text_as_it_stands_is_told(
    data: bytes, what: str, run: Run, tmp_path: Path
) -> None:
    path = tmp_path / "session.jsonl"
    path.write_bytes(data)
    done = run("import", path)
    assert (done.code, done.err.count("\n")) == (2, 1)
    assert done.err.rstrip().endswith(f"is not in a known format: {what}")


def test_a_database_is_in_no_format_of_lines(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "checkpoints.db"
    Thread(path).says([human("h", "One")])
    done = run("import", "codex", path)
    assert done.code == 2
    assert "is a database, and not in the format codex" in done.err


def test_the_journal_never_overwrites_its_source(run: Run, session: Path) -> None:
    before = session.read_bytes()
    done = run("import", session, "-o", session)
    assert (done.code, session.read_bytes()) == (2, before)
    assert "is the source itself" in done.err


def test_a_pipe_or_a_folder_is_refused_and_stays(run: Run, session: Path, tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    done = run("import", session, "-o", pipe)
    assert (done.code, pipe.is_fifo()) == (2, True)
    assert done.err == (
        f"spanscope: can't write {pipe}: it is a device or a pipe; name a file with -o, "
        "or leave -o out to write to standard output\n"
    )
    assert "it is a folder" in run("import", session, "-o", tmp_path).err
    assert sorted(path.name for path in tmp_path.iterdir()) == ["anything.txt", "pipe"]


def test_a_link_stays_and_its_file_is_written(run: Run, session: Path, tmp_path: Path) -> None:
    link, target = tmp_path / "link.jsonl", tmp_path / "target.jsonl"
    link.symlink_to(target)
    assert run("import", session, "-o", link).code == 0
    assert link.is_symlink()
    assert run("check", target).code == 0


def test_a_folder_that_is_not_there_is_said(run: Run, session: Path, tmp_path: Path) -> None:
    out = tmp_path / "none" / "out.jsonl"
    assert run("import", session, "-o", out).err == (
        f"spanscope: can't create {out}: no such file or directory; "
        "name a file in a folder that is there\n"
    )


def test_a_failed_import_leaves_nothing_behind(
    run: Run, session: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(self: object, data: bytes) -> list[object]:
        raise OSError("the disk is full")

    monkeypatch.setattr("spanscope.importers.claude_code.ClaudeCode.feed", fail)
    out = tmp_path / "out.jsonl"
    assert run("import", session, "-o", out).code == 2
    assert [path.name for path in tmp_path.iterdir()] == [session.name]


def test_a_terminal_is_not_written_to(
    run: Run, session: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    screen = Terminal()
    monkeypatch.setattr("sys.stdout", screen)
    assert run("import", session).code == 2
    assert screen.getvalue() == ""


def test_only_what_is_named_is_read(
    run: Run, session: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[str] = []
    real = os.open

    def watch(path: str, *arguments: int, **named: int) -> int:
        opened.append(str(path))
        return real(path, *arguments, **named)

    monkeypatch.setattr("os.open", watch)
    assert run("import", session).code == 0
    assert {path for path in opened if "/proc/" not in path} == {str(session)}


def test_branches_are_refused_where_there_are_none(run: Run, session: Path) -> None:
    assert "has no branches" in run("import", session, "--branch", "x").err


def test_a_journal_is_not_imported(run: Run, session: Path, tmp_path: Path) -> None:
    journal = tmp_path / "x.jsonl"
    run("import", session, "-o", journal)
    done = run("import", journal)
    assert (done.code, done.out) == (2, "")
    assert "is a buffer journal already" in done.err
