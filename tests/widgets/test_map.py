"""The map says of every span and step what the history says."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spanscope.app.navigation import Navigator
from spanscope.history.history import History, load
from spanscope.sample_sessions import NAMES, sample_path
from spanscope.widgets.map_view import MapListing
from spanscope.widgets.map_window import MapWindow
from spanscope.widgets.subject import Subject


def shown(history: History, at: int, width: int, window: MapWindow | None = None) -> MapListing:
    navigator = Navigator(history)
    navigator.go(at)
    return MapListing(navigator.scene(), width, window or MapWindow())


def signs(listing: MapListing, row: int) -> str:
    return listing.row(row).text[listing.label + 1 :].ljust(listing.columns)


@pytest.mark.parametrize("name", NAMES)
def test_a_lifeline_is_the_life_of_its_span(name: str) -> None:
    history = load(sample_path(name, safe=False))
    listing = shown(history, history.last, len(history) + 60)
    assert listing.window.per == 1
    navigator = Navigator(history)
    navigator.select(None)
    for row in range(len(listing)):
        subject = listing.subject(row)
        assert subject is not None
        if subject.kind != "span":
            continue
        drawn = signs(listing, row)
        for column, seq in enumerate(history.seqs):
            now = history.at(seq).span(str(subject.id))
            there = now is not None and not now.gone
            if drawn[column] in "!~":
                rules = history.findings_at(seq)
                assert any(f.subject.get("span") == subject.id for f in rules)
            elif there:
                assert drawn[column] != " "
            else:
                was = history.at(max(0, seq - 1)).span(str(subject.id))
                died = was is not None and not was.gone
                assert drawn[column] == ("x" if died else " ")


def test_versions_stand_where_they_changed() -> None:
    history = load(sample_path("dropped-inverse", safe=False))
    listing = shown(history, history.last, len(history) + 60)
    seen = 0
    for row in range(len(listing)):
        subject = listing.subject(row)
        assert subject is not None
        before = None
        for column, seq in enumerate(history.seqs):
            span = history.at(seq).span(str(subject.id))
            version = None if span is None else span.version
            drawn = signs(listing, row)[column]
            if version != before and version is not None and version < 10 and drawn not in "!~x":
                assert drawn == str(version)
                seen += 1
            before = version
    assert seen > 10


def test_holders_stand_under_the_selected_span() -> None:
    history = load(sample_path("stale-embedding", safe=False))
    artifact = next(f for f in history.findings if "artifact" in f.subject).subject["artifact"]
    span = history.span_of(str(artifact))
    assert span is not None
    navigator = Navigator(history)
    navigator.select(Subject("span", span))
    listing = MapListing(navigator.scene(), 140, MapWindow())
    place = history.place_of_span(span)
    assert place is not None
    under = history.artifacts_of(span)
    assert under
    rows = [listing.subject(place + 1 + offset) for offset in range(len(under))]
    assert rows == [Subject("artifact", name) for name in under]
    assert len(listing) == len(history.span_names()) + len(under)
    navigator.select(Subject("artifact", under[-1]))
    assert MapListing(navigator.scene(), 140, MapWindow()).anchor() == place + len(under)


@given(
    st.integers(1, 5000),
    st.integers(1, 200),
    st.integers(0, 4999),
    st.integers(0, 400),
    st.integers(0, 5000),
)
def test_a_window_lies_in_the_session_and_keeps_what_it_is_asked_to(
    events: int, columns: int, at: int, per: int, start: int
) -> None:
    at = min(at, events - 1)
    window = MapWindow(start, per)
    for fitted in (
        window.fitted(events, columns),
        window.showing(at, events, columns),
        window.zoomed(0.5, at, events, columns),
        window.zoomed(2.0, at, events, columns),
        window.panned(7, events, columns),
    ):
        assert fitted.per >= 1
        assert 0 <= fitted.start <= max(0, events - 1)
        assert fitted.start <= max(0, events - fitted.per * columns)
        assert fitted.fitted(events, columns) == fitted
    shown_at = window.showing(at, events, columns)
    assert shown_at.start <= at < shown_at.start + shown_at.per * columns
    nearer = MapWindow().zoomed(0.5, at, events, columns)
    assert nearer.start <= at < nearer.start + nearer.per * columns


def test_a_column_stands_for_its_first_event() -> None:
    history = load(sample_path("stale-base", safe=False))
    listing = shown(history, 1, 60)
    per = listing.window.per
    assert per > 1
    assert listing.seq_at(listing.label + 1) == history.seqs[listing.window.start]
    assert listing.seq_at(listing.label + 2) == history.seqs[listing.window.start + per]
    assert listing.seq_at(0) is None


def test_an_empty_session_has_an_empty_map() -> None:
    listing = shown(History(), 0, 80)
    assert len(listing) == 0
    assert listing.empty() == "no span yet"
