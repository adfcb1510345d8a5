"""What Claude Code's tools did to files, from `toolUseResult` and from refusals.

Every edit records the whole file as it was before it. A refusal is a result with `is_error`.
"""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from spanscope.importers.files import Files, Refusal, apply_hunks
from spanscope.importers.values import Row, mapping, number, objects, string, strings

REFUSALS: Final[tuple[tuple[str, Refusal], ...]] = (
    ("String to replace not found", "missing"),
    ("matches of the string to replace", "ambiguous"),
    ("File has been modified since read", "changed"),
    ("File has been unexpectedly modified", "changed"),
)
EDITS: Final = ("Edit", "MultiEdit", "Write", "NotebookEdit", "Update")
_TAGS: Final = re.compile(r"</?tool_use_error>")


class Call(NamedTuple):
    """A tool call: its name and input."""

    id: str
    name: str
    input: Row


def tool_finished(files: Files, call: Call | None, row: Row, error: str | None) -> None:
    """The result of a tool call, as its row or else the call says; `error`: it failed, and how."""
    if error is not None:
        if call is not None and call.name in EDITS:
            _refused(files, call, _TAGS.sub("", error).strip())
        return
    if "toolUseResult" not in row:
        if call is not None:
            _done_as_asked(files, call)
        return
    result = mapping(row, "toolUseResult")
    for written in files.named_in(string(result, "staleReadFileStateHint") or ""):
        files.changed(written, "tool:Bash")
        files.read_in_part(written)
    path = string(result, "filePath") or string(mapping(result, "file"), "filePath")
    if path is None:
        return
    if "file" in result:
        file_shown(files, mapping(result, "file"))
    elif string(result, "newString") is not None or "edits" in result:
        _edited(files, path, result)
    elif string(result, "content") is not None:
        before = string(result, "originalFile")
        content = string(result, "content") or ""
        files.rewritten(path, before, content, "write", blind=before is not None)


def file_shown(files: Files, file: Row) -> None:
    """A file, or a part of it, was put before the model."""
    path, content = string(file, "filePath"), string(file, "content")
    if path is None or content is None:
        return
    start, lines = number(file, "startLine"), number(file, "numLines")
    total = number(file, "totalLines")
    if start in (None, 1) and lines is not None and total is not None and lines >= total:
        files.read(path, content)
    else:
        files.read_in_part(path)


def _done_as_asked(files: Files, call: Call) -> None:
    """A tool did what it was asked, and only the call says what; so it is with sub-agents."""
    path = string(call.input, "file_path") or string(call.input, "notebook_path")
    if path is None:
        return
    content = string(call.input, "content")
    if call.name == "Write" and content is not None:
        files.rewritten(path, None, content, "write")
    elif call.name in EDITS and files.known(path):
        before = files.text(path)
        edits = [_replacement(edit) for edit in objects(call.input, "edits")]
        edits = edits or [_replacement(call.input)]
        after = None if before is None else _after(before, edits)
        if before is None or after is None:
            files.changed(path, files.actor)
            files.read_in_part(path)
        elif len(edits) == 1 and before.count(edits[0].old) == 1:
            files.replaced(path, before, edits[0].old, edits[0].new)
        else:
            files.rewritten(path, before, after, "edit")
    elif call.name == "Read":
        files.read_in_part(path)


def _edited(files: Files, path: str, result: Row) -> None:
    before = string(result, "originalFile")
    if before is None:
        before = string(result, "originalFileContents") or ""
    edits = [_replacement(edit) for edit in objects(result, "edits")]
    edits = edits or [_replacement(result)]
    plain = result.get("userModified") is not True
    if plain and len(edits) == 1 and not edits[0].everywhere and before.count(edits[0].old) == 1:
        files.replaced(path, before, edits[0].old, edits[0].new)
        return
    after = _after(before, edits) if plain else None
    if after is None and (hunks := _hunks(result)):
        after = apply_hunks(before, hunks)
    if after is None:
        files.holds(path, before)
        files.changed(path, "agent")
        files.read_in_part(path)
    elif after != before:
        files.rewritten(path, before, after, "edit")


class _Replacement(NamedTuple):
    old: str
    new: str
    everywhere: bool


def _replacement(edit: Row) -> _Replacement:
    old = string(edit, "oldString") or string(edit, "old_string") or ""
    new = string(edit, "newString") or string(edit, "new_string") or ""
    return _Replacement(old, new, (edit.get("replaceAll") or edit.get("replace_all")) is True)


def _after(before: str, edits: list[_Replacement]) -> str | None:
    """The file after the replacements; null where one does not fit as it should."""
    text = before
    for edit in edits:
        if not edit.old and not text:
            text = edit.new
        elif not edit.old or edit.old not in text:
            return None
        elif edit.everywhere or text.count(edit.old) == 1:
            text = text.replace(edit.old, edit.new)
        else:
            return None
    return text


def _hunks(result: Row) -> list[tuple[int, list[str]]]:
    return [
        (number(hunk, "oldStart") or 0, strings(hunk, "lines"))
        for hunk in objects(result, "structuredPatch")
    ]


def _refused(files: Files, call: Call, error: str) -> None:
    why = next((kind for words, kind in REFUSALS if words in error), None)
    path = string(call.input, "file_path")
    old, new = string(call.input, "old_string"), string(call.input, "new_string")
    if path is None or why is None:
        return
    if old and new is not None:
        files.refused(path, old, new, why, call.id, error)
    elif why == "changed":
        files.changed(path)
