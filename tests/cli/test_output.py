"""Everything printed passes one place that makes it visible, and colour is only where it helps."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest

from spanscope.cli.main import main
from spanscope.cli.output import Output, as_json, bold, of_severity
from spanscope.sample_sessions import sample

HOSTILE = "\x1b]52;c;aGk=\x07 \x9b31m \u202edesrever\u202c \x7f [bold]x[/] \ud800 \n\r\t é"


class Terminal(io.StringIO):
    """A stream that says it is a terminal."""

    def __init__(self, encoding: str = "utf-8") -> None:
        super().__init__()
        self._encoding = encoding

    @property
    def encoding(self) -> str:  # type: ignore[override]
        return self._encoding

    def isatty(self) -> bool:
        return True


def test_pieces_are_made_visible_and_stay_one_line() -> None:
    stream = io.StringIO()
    Output(stream).line(HOSTILE, bold(HOSTILE))
    text = stream.getvalue()
    assert text.endswith("\n")
    assert text[:-1].isprintable()
    assert "[bold]x[/]" in text


def test_a_terminal_gets_colour_around_text_that_is_visible() -> None:
    stream = Terminal()
    Output(stream).line(of_severity("error", "! \x1b[2J"), " plain")
    assert stream.getvalue() == "\x1b[1;31m! ␛[2J\x1b[0m plain\n"


def test_info_has_no_colour() -> None:
    stream = Terminal()
    Output(stream).line(of_severity("info", "i JNL006"))
    assert stream.getvalue() == "i JNL006\n"


@pytest.mark.parametrize(
    ("name", "value"), [("NO_COLOR", "1"), ("NO_COLOR", "yes"), ("TERM", "dumb")]
)
def test_colour_can_be_turned_off(monkeypatch: pytest.MonkeyPatch, name: str, value: str) -> None:
    monkeypatch.setenv(name, value)
    stream = Terminal()
    Output(stream).line(bold("x"), of_severity("error", "y"))
    assert stream.getvalue() == "xy\n"


def test_an_empty_no_color_does_not_count(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "")
    stream = Terminal()
    Output(stream).line(bold("x"))
    assert stream.getvalue() == "\x1b[1mx\x1b[0m\n"


@pytest.mark.parametrize("encoding", ["ascii", "iso-8859-1", "cp1252"])
def test_a_stream_without_unicode_gets_ascii(encoding: str) -> None:
    stream = Terminal(encoding)
    Output(stream).line("é \x1b ␛")
    assert stream.getvalue().isascii()


def test_json_is_printable_ascii() -> None:
    text = as_json({"id": HOSTILE, "\x7f": ["\x80"]})
    assert text.isascii()
    assert text.isprintable()
    assert json.loads(text) == {"id": HOSTILE, "\x7f": ["\x80"]}


def test_a_reader_that_goes_away_ends_the_output_only() -> None:
    class Gone(io.StringIO):
        def write(self, text: str) -> int:
            raise BrokenPipeError

    out = Output(Gone())
    assert not out.closed
    out.line("x")
    out.line("y")
    out.flush()
    assert out.closed


def test_nothing_to_write_to_is_a_closed_output() -> None:
    out = Output(None)
    out.line("x")
    assert out.closed


def test_ascii_is_an_option_of_every_command(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    journal = tmp_path / "é.jsonl"
    journal.write_bytes(sample("stale-base").path.read_bytes())
    for arguments in (["--ascii", "check", str(journal)], ["check", str(journal), "--ascii"]):
        main(arguments)
        said = capsys.readouterr().out
        assert said.isascii()
        assert "<U+00E9>.jsonl" in said
