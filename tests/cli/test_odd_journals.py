"""Journals with odd bytes: what `check` finds in them, and that every command reads on."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from support.commands import Run
from support.journals import ingest, line, of

HEADER = line(of("session", format="spanscope.journal/1", session="s"))
A = line(ingest("a", "one"), 1)
MARK = line(of("mark", kind="note", label="x"), 2)


def marked(fields: bytes) -> bytes:
    """A journal whose first event is a mark with these fields besides."""
    return HEADER + b'{"type":"mark","time":"x","kind":"note","label":"x",' + fields + b"}\n"


SECOND = f"JNL002@+{len(HEADER)}"

ODD: dict[str, tuple[bytes, int, list[str]]] = {
    "nothing": (b"", 1, ["JNL010@+0"]),
    "an empty line": (b"\n", 1, ["JNL002@+0", "JNL010@+0"]),
    "an empty line in between": (HEADER + A + b"\n" + MARK, 1, ["JNL002@+161"]),
    "zeros": (b"\0" * 5000, 1, ["JNL001@+0", "JNL010@+0"]),
    "zeros in between": (HEADER + b"\0" * 5000 + b"\n" + A, 1, [SECOND]),
    "a byte-order mark": (b"\xef\xbb\xbf" + HEADER + A, 0, []),
    "two of them": (b"\xef\xbb\xbf" * 2 + HEADER + A, 1, ["JNL002@+0", "JNL010@+0"]),
    "one in between": (HEADER + b"\xef\xbb\xbf" + A, 1, [SECOND]),
    "carriage returns": ((HEADER + A).replace(b"\n", b"\r\n"), 0, []),
    "carriage returns alone": ((HEADER + A).replace(b"\n", b"\r"), 1, ["JNL001@+0", "JNL010@+0"]),
    "invalid UTF-8": (marked(b'"seq":1,"meta":{"x":"\xe9"}'), 1, [SECOND]),
    "a surrogate as bytes": (marked(b'"seq":1,"meta":{"x":"\xed\xa0\x80"}'), 1, [SECOND]),
    "a surrogate as an escape": (marked(rb'"seq":1,"meta":{"x":"\ud800"}'), 0, []),
    "deep nesting": (marked(b'"seq":1,"meta":' + b"[" * 10**5 + b"]" * 10**5), 1, [SECOND]),
    "half a line of it": (marked(b'"seq":1,"meta":' + b"[" * 10**5), 1, [SECOND]),
    "not a number": (marked(b'"seq":NaN'), 1, [SECOND]),
    "not a number in a note": (marked(b'"seq":1,"meta":{"x":NaN}'), 1, [SECOND]),
    "infinity": (marked(b'"seq":1,"meta":{"x":-Infinity}'), 1, [SECOND]),
    "beyond a double": (marked(b'"seq":1,"meta":{"x":1e999}'), 1, [SECOND]),
    "a huge number": (marked(b'"seq":' + b"1" * 5000), 1, [SECOND]),
    "a seq beyond 2**53": (marked(b'"seq":9007199254740993'), 1, [SECOND]),
    "a seq of zero": (marked(b'"seq":0'), 1, [SECOND]),
    "a negative seq": (marked(b'"seq":-1'), 1, [SECOND]),
    "a seq that is a text": (marked(b'"seq":"1"'), 1, [SECOND]),
    "a seq that is true": (marked(b'"seq":true'), 1, [SECOND]),
    "a key twice": (marked(b'"seq":9,"seq":1,"kind":"tool"'), 0, []),
    "a key twice, the last wrong": (marked(b'"seq":1,"seq":"x"'), 1, [SECOND]),
    "a format twice": (HEADER[:-2] + b',"format":"other"}\n' + A, 1, ["JNL010@+0"]),
    "JSON that is no object": (
        HEADER + b'1\n"x"\nnull\n[]\n',
        1,
        [
            SECOND,
            "JNL002@+71",
            "JNL002@+75",
            "JNL002@+80",
        ],
    ),
    "an object that is no event": (HEADER + b"{}\n", 1, [SECOND]),
    "a type that is no text": (HEADER + b'{"type":1}\n', 1, [SECOND]),
    "UTF-16": (
        (HEADER + A).decode().encode("utf-16"),
        1,
        ["JNL002@+0", "JNL010@+0", "JNL002@+139", "JNL001@+323"],
    ),
}

NO_JOURNAL = ("nothing", "an empty line", "zeros", "carriage returns alone", "UTF-16")
"""Those of which no line is a header or an event."""


@pytest.fixture(params=ODD)
def odd(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[Path, int, list[str]]:
    data, code, found = ODD[request.param]
    path = tmp_path / "odd.jsonl"
    path.write_bytes(data)
    return path, code, found


def test_what_is_found(run: Run, odd: tuple[Path, int, list[str]]) -> None:
    path, code, found = odd
    done = run("check", "--output-format", "json", path)
    (journal,) = json.loads(done.out)["journals"]
    assert [finding["id"] for finding in journal["findings"]] == found
    assert (done.code, done.err) == (code, "")


@pytest.mark.parametrize("command", ["show", "log"])
@pytest.mark.parametrize("form", ["text", "json"])
def test_it_is_read_on(run: Run, odd: tuple[Path, int, list[str]], command: str, form: str) -> None:
    done = run(command, odd[0], "--output-format", form)
    assert (done.code, done.err) == (0, doubt(odd, "`spanscope check` says what is wrong with it"))


@pytest.mark.parametrize("form", ["full", "concise"])
def test_a_file_without_a_line_of_a_journal_is_doubted(
    run: Run, odd: tuple[Path, int, list[str]], form: str
) -> None:
    done = run("check", "--output-format", form, odd[0])
    assert (done.code, done.err) == (odd[1], doubt(odd, "is it the file that was meant?"))


def doubt(odd: tuple[Path, int, list[str]], then: str) -> str:
    """What standard error says of a file that has neither a header nor an event."""
    path, data = odd[0], odd[0].read_bytes()
    if all(data != ODD[name][0] for name in NO_JOURNAL):
        return ""
    return f"spanscope: {path} is no buffer journal and no session that `import` knows: {then}\n"


@pytest.mark.parametrize("command", ["check", "show", "log", "open"])
def test_an_empty_path_is_refused(run: Run, command: str) -> None:
    done = run(command, "")
    assert (done.code, done.out) == (2, "")
    assert "the path is empty" in done.err
