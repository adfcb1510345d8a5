"""Claude Code: files that were read and edited, refused edits and foreign writes."""

from __future__ import annotations

import pytest
from support.claude import Transcript

PATH = "/p/a.py"
FILE = f"file:{PATH}"
TEXT = "alpha = 1\nbeta = 2\n"


def reading() -> Transcript:
    session = Transcript()
    session.user("Change alpha")
    session.read("t1", PATH, TEXT)
    return session


def test_a_file_that_was_read_is_a_span_of_the_store_files() -> None:
    done = reading().imported()
    assert done.live("files") == [FILE]
    assert done.text(FILE) == TEXT
    assert done.history.findings == []


def test_a_part_of_a_file_is_not_the_file() -> None:
    session = reading()
    session.rows[-1]["toolUseResult"]["file"]["totalLines"] = 90
    assert session.imported().live("files") == []


def test_an_edit_keeps_its_pre_image_as_inverse() -> None:
    session = reading()
    session.edit("t2", PATH, TEXT, "alpha = 1", "alpha = 10")
    done = session.imported()
    [splice] = done.events("splice")
    assert (splice.at, splice.delete, splice.insert) == (0, 9, "alpha = 10")
    assert (splice.inverse.original, splice.inverse.at) == ("alpha = 1", 0)
    assert done.text(FILE) == "alpha = 10\nbeta = 2\n"
    assert done.history.findings == []
    assert done.history.unknown == []


def test_all_places_at_once_are_a_whole_rewrite() -> None:
    session = reading()
    session.edit("t2", PATH, TEXT, " = ", ": int = ", replaceAll=True)
    done = session.imported()
    [rewrite] = done.events("rewrite")
    assert rewrite.inverse.original == TEXT
    assert done.text(FILE) == "alpha: int = 1\nbeta: int = 2\n"
    assert done.history.findings == []


def test_an_edit_that_the_user_changed_is_what_its_patch_says() -> None:
    session = reading()
    lines = ["-alpha = 1", "+alpha = 7", " beta = 2"]
    patch = [{"oldStart": 1, "oldLines": 2, "newStart": 1, "newLines": 2, "lines": lines}]
    session.edit(
        "t2", PATH, TEXT, "alpha = 1", "alpha = 10", userModified=True, structuredPatch=patch
    )
    assert session.imported().text(FILE) == "alpha = 7\nbeta = 2\n"


def test_an_edit_that_can_not_be_followed_leaves_the_file_unknown() -> None:
    session = reading()
    session.edit("t2", PATH, TEXT, "gamma", "delta")
    done = session.imported()
    assert done.text(FILE) is None
    assert {"span": FILE} in [unknown.subject for unknown in done.history.unknown]
    assert done.found() == []


def test_many_edits_at_once() -> None:
    session = reading()
    session.calls("t2", "MultiEdit", file_path=PATH)
    edits = [
        {"old_string": "alpha", "new_string": "a"},
        {"old_string": "a = 1", "new_string": "a = 3"},
    ]
    done = {"filePath": PATH, "edits": edits, "originalFileContents": TEXT}
    session.result("t2", "done", toolUseResult=done)
    assert session.imported().text(FILE) == "a = 3\nbeta = 2\n"


def test_a_new_file_and_a_whole_write() -> None:
    session = Transcript()
    session.user("Write it")
    session.calls("t1", "Write", file_path=PATH, content="one\n")
    created = {"type": "create", "filePath": PATH, "content": "one\n", "originalFile": None}
    session.result("t1", "ok", toolUseResult=created)
    session.calls("t2", "Write", file_path=PATH, content="two\n")
    updated = {"type": "update", "filePath": PATH, "content": "two\n", "originalFile": "one\n"}
    session.result("t2", "ok", toolUseResult=updated)
    done = session.imported()
    assert done.text(FILE) == "two\n"
    assert [e.base.hash is not None for e in done.events("rewrite")] == [True]
    assert done.found() == []


def test_a_whole_write_over_what_was_never_seen_is_a_lost_update() -> None:
    session = reading()
    session.calls("t2", "Write", file_path=PATH, content="all mine\n")
    before = TEXT + "gamma = 3\n"
    updated = {"type": "update", "filePath": PATH, "content": "all mine\n", "originalFile": before}
    session.result("t2", "ok", toolUseResult=updated)
    done = session.imported()
    assert done.found() == [("DIF316", {"span": FILE})]
    [event] = done.at("DIF316")
    assert event.op == "write"


def test_what_another_wrote_before_an_edit_is_foreign_and_no_fault() -> None:
    session = reading()
    session.edit("t2", PATH, TEXT + "# mine\n", "alpha = 1", "alpha = 10")
    done = session.imported()
    assert [(e.actor, e.op) for e in done.events("rewrite")] == [("foreign", "foreign")]
    assert done.text(FILE) == "alpha = 10\nbeta = 2\n# mine\n"
    assert done.found() == []


def test_a_notice_of_a_foreign_write_leaves_the_file_unknown_until_it_is_read() -> None:
    session = reading()
    notice = {"type": "edited_text_file", "filename": PATH, "snippet": "1\talpha = 5"}
    session.add("attachment", attachment=notice)
    unread = session.imported()
    assert unread.text(FILE) is None
    session.read("t3", PATH, "alpha = 5\n")
    done = session.imported()
    assert done.text(FILE) == "alpha = 5\n"
    assert {"span": FILE} not in [unknown.subject for unknown in done.history.unknown]
    assert done.found() == []


def test_a_write_after_a_notice_is_no_lost_update() -> None:
    session = reading()
    notice = {"type": "edited_text_file", "filename": PATH, "snippet": "1\talpha = 5"}
    session.add("attachment", attachment=notice)
    session.calls("t2", "Write", file_path=PATH, content="mine\n")
    updated = {"filePath": PATH, "content": "mine\n", "originalFile": "alpha = 5\n"}
    session.result("t2", "ok", toolUseResult=updated)
    assert session.imported().found() == []


def test_a_hint_that_bash_changed_a_file() -> None:
    session = reading()
    session.calls("t2", "Bash", command="sed -i s/1/2/ a.py")
    session.result("t2", "", toolUseResult={"staleReadFileStateHint": f"changed: {PATH}"})
    done = session.imported()
    assert done.text(FILE) is None
    assert done.events("rewrite")[0].actor == "tool:Bash"


def test_a_patch_whose_quoted_base_is_gone_is_staged_and_rejected() -> None:
    session = reading()
    session.edit("t2", PATH, TEXT, "alpha = 1", "alpha = 10")
    session.refused(
        "t3", PATH, "alpha = 1\n", "alpha = 9\n", "String to replace not found in file."
    )
    done = session.imported()
    assert [rule for rule, _ in done.found()] == ["DIF303", "DIF304"]
    [stage] = done.events("stage")
    assert {e.seq for e in (*done.at("DIF303"), *done.at("DIF304"))} == {stage.seq}
    [reject] = done.events("reject")
    assert reject.reason == "String to replace not found in file."
    assert done.text(FILE) == "alpha = 10\nbeta = 2\n"


def test_an_edit_whose_text_stands_in_several_places() -> None:
    session = reading()
    error = "Found 2 matches of the string to replace, but replace_all is false."
    session.refused("t2", PATH, " = ", ": int = ", error)
    done = session.imported()
    assert {rule for rule, _ in done.found()} == {"DIF304", "DIF307"}
    [stage] = done.events("stage")
    assert done.at("DIF307") == [stage]
    assert len(done.events("reject")) == 1


@pytest.mark.parametrize(
    "error",
    [
        "File has been modified since read, either by the user or by a linter.",
        "String to replace not found in file.",
    ],
)
def test_a_refusal_that_shows_a_foreign_write_accuses_nobody(error: str) -> None:
    session = reading()
    session.refused("t2", PATH, "alpha = 1", "alpha = 10", error)
    done = session.imported()
    assert done.text(FILE) is None
    assert len(done.events("reject")) == 1
    assert done.found() == []


def test_a_refusal_for_a_file_that_is_not_known_is_a_note() -> None:
    session = Transcript()
    session.user("Change alpha")
    session.refused("t1", PATH, "a", "b", "String to replace not found in file.")
    done = session.imported()
    assert done.events("stage") == []
    assert done.events("mark")[-1].kind == "note"


def test_an_edit_that_the_user_denied_is_no_diff() -> None:
    session = reading()
    session.refused("t2", PATH, "a", "b", "The user doesn't want to proceed with this tool use.")
    done = session.imported()
    assert done.events("stage") == []
    assert done.found() == []
