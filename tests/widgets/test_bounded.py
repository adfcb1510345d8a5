"""What looks only at what is near, or at a column at a time, finds what a look at all finds."""

from __future__ import annotations

from bisect import bisect_right

from hypothesis import example, given
from hypothesis import strategies as st
from support.histories import a_program, whole
from support.panes import subjects

from spanscope.app.navigation import Navigator
from spanscope.history.history import History
from spanscope.rules.finding import SEVERITY_ORDER, Finding
from spanscope.widgets.chain import LONGEST, Link, links
from spanscope.widgets.lifelines import Columns
from spanscope.widgets.scene import Scene
from spanscope.widgets.subject import Subject, subjects_of
from spanscope.widgets.why import finding_of


def about(history: History, subject: Subject) -> list[Finding]:
    return [finding for finding in history.findings if subject in subjects_of(finding)]


@given(st.integers(0, 10**6), st.integers(0, 60))
def test_findings_about_a_thing(seed: int, seq: int) -> None:
    history = whole(a_program(seed, 60))
    scene = Navigator(history).scene()
    for subject in {each for finding in history.findings for each in subjects_of(finding)}:
        found, all_ = scene.findings.about(subject), about(history, subject)
        assert len(found) == len(all_)
        ranked = sorted(all_, key=lambda f: (SEVERITY_ORDER[f.severity], f.seq or 0))
        assert list(found.upto(seq)) == [f for f in ranked if (f.seq or 0) <= seq]
        assert found.count(seq) == sum((f.seq or 0) <= seq for f in all_)
        assert found.at(seq) == [f for f in ranked if f.seq == seq]
        before = [f for f in all_ if f.seq is not None and f.seq < seq]
        before.sort(key=lambda f: (SEVERITY_ORDER[f.severity], -(f.seq or 0)))
        assert found.last_before(seq) == (before[0] if before else None)
        assert found.causes == sorted({f.caused_by for f in all_ if f.caused_by is not None})
        near = sorted({f.seq for f in all_ if f.seq is not None}, key=lambda s: abs(s - seq))
        assert set(near[:3]) <= set(found.nearest(seq, 3))


@given(st.integers(0, 10**6), st.integers(1, 80))
@example(seed=2710, seq=43)
def test_a_chain_is_that_of_all_events(seed: int, seq: int) -> None:
    history = whole(a_program(seed, 80))
    navigator = Navigator(history)
    navigator.go(min(seq, history.last))
    scene = navigator.scene()
    for subject in subjects(scene):
        if subject is not None:
            finding = finding_of(scene, subject)
            assert links(scene, subject, finding) == chain_of_all(scene, subject, finding)


def chain_of_all(scene: Scene, subject: Subject, finding: Finding | None) -> list[Link]:
    """The plain way."""
    found = [each for each in about(scene.history, subject) if each.seq is not None]
    causes = {each.caused_by for each in found if each.caused_by is not None}
    judged = {each.seq for each in found if each.seq is not None}
    seqs = sorted({*scene.history.touched(subject.ids), *judged, *causes})
    kept = seqs
    if len(seqs) > LONGEST:
        cursor, here = scene.seq, bisect_right(seqs, scene.seq)
        own = (finding.seq, finding.caused_by) if finding is not None else ()
        wanted = [seq for seq in own if seq is not None]
        wanted += [*seqs[max(0, here - 1) : here], *seqs[here : here + 1], *seqs[:1]]
        for some in (causes, judged):
            wanted += sorted(sorted(some), key=lambda seq: abs(seq - cursor))[:3]
        wanted += [*seqs[max(0, here - 4) : here], *seqs[here : here + 2]]
        kept = sorted(list(dict.fromkeys(wanted))[:LONGEST])
    places = [-1, *(seqs.index(seq) for seq in kept)]
    return [Link(seq, places[n + 1] - places[n] - 1) for n, seq in enumerate(kept)]


@given(st.integers(0, 10**6), st.integers(0, 50), st.integers(1, 20), st.integers(1, 60))
def test_a_lifeline_is_that_of_all_states(seed: int, start: int, per: int, count: int) -> None:
    history = whole(a_program(seed, 70))
    findings = Navigator(history).scene().findings
    cut = Columns(history, min(start, len(history) - 1), per, count)
    for name in history.span_names():
        subject = Subject("span", name)
        drawn = cut.lifeline(history.states_of(name), findings.about(subject))
        assert "".join(drawn) == lifeline_of_all(history, cut, name)


def lifeline_of_all(history: History, cut: Columns, name: str) -> str:
    """The plain way: state by state, then finding by finding."""
    signs = dict.fromkeys(range(cut.count), " ")
    marks: dict[int, str] = {}
    states = history.states_of(name)
    for place, state in enumerate(states):
        following = states[place + 1].seq if place + 1 < len(states) else history.last
        sign = "?" if state.unknown else "-" if state.live else "="
        for column in range(cut.at(state.seq), cut.at(following) + 1):
            if not state.gone:
                signs[column] = sign
        was = states[place - 1] if place else None
        if state.gone and (was is None or not was.gone):
            marks[cut.at(state.seq)] = "x"
        elif not state.gone and (was is None or was.gone or was.version != state.version):
            marks[cut.at(state.seq)] = str(state.version)
    for column, mark in sorted(marks.items()):
        if column >= 0:
            signs.update(enumerate(mark, column))
    found = [each for each in about(history, Subject("span", name)) if each.seq is not None]
    for sign, severity in (("~", "warning"), ("!", "error")):
        there = {cut.at(each.seq or 0) for each in found if each.severity == severity}
        signs.update(dict.fromkeys(there, sign))
    return "".join(signs[column] for column in range(cut.count))
