"""Every pane of a scene as a listing, and everything that can be selected in it."""

from __future__ import annotations

from collections.abc import Iterator

from spanscope.widgets.content import ContentListing
from spanscope.widgets.context import ContextListing
from spanscope.widgets.difftab import DiffListing
from spanscope.widgets.event_list import EventListing
from spanscope.widgets.finding_list import FindingListing
from spanscope.widgets.folding import Folding
from spanscope.widgets.holders import HoldersListing
from spanscope.widgets.listing import Listing
from spanscope.widgets.scene import Scene
from spanscope.widgets.spans import SpansListing
from spanscope.widgets.staging import StagingListing
from spanscope.widgets.subject import Subject, subjects_of
from spanscope.widgets.undo import UndoListing
from spanscope.widgets.why import WhyListing

WIDTHS = (92, 47, 24)


def subjects(scene: Scene) -> list[Subject | None]:
    moment = scene.moment
    found: list[Subject | None] = [None]
    found += [Subject("span", row.name) for row in moment.spans()]
    found += [Subject("artifact", row.artifact.artifact) for row in moment.artifacts()]
    found += [Subject("entry", row.entry.seq) for row in moment.undo()]
    found += [Subject("diff", row.diff.diff) for row in moment.staging(include_out=True)]
    found += [subject for finding in scene.here for subject in subjects_of(finding)]
    return found


def listings(scene: Scene, width: int) -> Iterator[Listing]:
    yield SpansListing(scene, width)
    yield UndoListing(scene, width)
    yield StagingListing(scene, width)
    yield EventListing(scene, width)
    yield WhyListing(scene, width, 12)
    yield ContentListing(scene, width)
    yield DiffListing(scene, width)
    yield HoldersListing(scene, width)
    yield ContextListing(scene, width)
    yield FindingListing(scene, width, Folding())
    roots = frozenset(each.root for each in scene.findings.incidents)
    yield FindingListing(scene, width, Folding(roots))
