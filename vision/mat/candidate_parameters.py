"""Thresholds of the islands of change: which are searched, how often, and where in them a card may lie."""

from __future__ import annotations

from dataclasses import dataclass

from vision.parameters import threshold

_SECONDS = "s"
_CELLS = "cells of 4 mm"


@dataclass(frozen=True, slots=True)
class CandidateParameters:
    """From change on a mat to the places that are read."""

    absorb_s: float = threshold(
        1.2, _SECONDS, (0.5, 5), "slow cards waited for against what is no card standing in the way"
    )
    tries: int = threshold(4, "searches", (2, 10), "cards that are hard to read found against time")
    retry_s: float = threshold(0.06, "s before the second search, doubled by each", (0.03, 0.3), "the same")
    least_island: float = threshold(
        0.08, "share of a card", (0.03, 0.3), "slivers of covered cards looked at against crumbs and noise"
    )
    least_bare: float = threshold(
        0.4,
        "share of a card",
        (0.2, 0.8),
        "cards on the bare mat that look half like it against time for shadows",
    )
    most_moving: int = threshold(
        3,
        "cells that move in or beside an island",
        (0, 20),
        "cards looked at beside noise against cards looked at while they slide",
    )
    grew: int = threshold(
        3,
        "times as large as a frame ago",
        (1.5, 8),
        "the moment a card came told rightly against a speck's moment told for it",
    )
    alike: float = threshold(
        0.1,
        "as a logarithm of light",
        (0.04, 0.3),
        "time saved where nothing became different since the last look against cards that come slowly",
    )
    ink_apart: int = threshold(
        4,
        _CELLS,
        (1, 10),
        "the ink of one card joined against two cards joined: it lies no further apart than twice that",
    )
    vain_after: int = threshold(
        6,
        "searches in vain at a place",
        (2, 20),
        "cards told early where something stirs again and again against time for cards that guests hold",
    )
    vain_pause_s: float = threshold(
        0.25, "s, doubled by each further search in vain", (0.1, 1), "the same, at first"
    )
    vain_longest_s: float = threshold(1.0, _SECONDS, (0.3, 5), "the same, at last")
    vain_forget_s: float = threshold(3.0, _SECONDS, (1, 10), "the same: a place that was calm longer is new")
    margin_mm: float = threshold(
        12.0, "mm round a card", (4, 40), "cards that lie partly outside an island found whole against time"
    )
    shape_reach: int = threshold(
        26,
        "px of the fine plan round an island",
        (10, 60),
        "a card's edges found round an island against the neighbours'",
    )
    squarely_px: float = threshold(
        5.0,
        "px of the fine plan",
        (2, 12),
        "edges of a card laid squarely on another fitted against the lower card's edges",
    )
    square_middle_px: float = threshold(
        14.0, "px of the fine plan", (5, 30), "the same, for its middle at any turn"
    )
    print_near: int = threshold(
        3,
        "cells round what has changed",
        (1, 10),
        "a print found at the rim of change against prints of old cards beside it",
    )
    still_rad: float = threshold(
        0.04,
        "rad",
        (0.01, 0.15),
        "a card that nobody touched known as itself against another laid squarely over it",
    )
    still_px: float = threshold(3.0, "px of a face", (1, 10), "the same, as a way")
    most_proposed: int = threshold(
        12, "rectangles of an island", (4, 40), "cards in heaps found against time"
    )
    most_read: int = threshold(6, "rectangles of an island that are read", (2, 20), "the same")
    most_sought: int = threshold(
        4, "places of an island searched by print", (1, 12), "the same, without edges"
    )
    fit_reach_px: float = threshold(
        4.0,
        "px of the fine plan",
        (1, 10),
        "rough proposals fitted to their edges against the neighbours' edges",
    )
    alike_px: float = threshold(
        1.0,
        "px of the fine plan",
        (0.5, 4),
        "time for two proposals of the same edges against two cards taken for one",
    )
    alike_rad: float = threshold(0.02, "rad", (0.005, 0.1), "the same, as a turn")
    edge_sigma_px: float = threshold(
        0.7, "px of the fine plan", (0.3, 2), "noise smoothed away against thin outlines"
    )
    most_prints: int = threshold(
        6, "places of a cut-out", (2, 20), "cards told by their print alone found against time"
    )
    same_place: float = threshold(
        0.6,
        "intersection over union of two patches",
        (0.3, 0.9),
        "time for what was looked at in vain against news beside it",
    )
    most_skipped: int = threshold(
        7,
        "looks passed over after several in vain",
        (1, 30),
        "time for a pack of backs that is dealt from against news there told late",
    )
    most_vain: int = threshold(
        8, "places", (2, 30), "the same, of places remembered; a search costs as much as ten quiet pictures"
    )
    forget_s: float = threshold(
        2.0, _SECONDS, (0.5, 10), "the same: what comes to a place left alone for longer is news"
    )
    print_fit_px: float = threshold(
        1.5, "px of the fine plan", (0.5, 6), "edges fitted after the print against edges of other cards"
    )
    round_px: int = threshold(
        48,
        "px of the fine plan round what changed",
        (16, 96),
        "points of the whole print found against time",
        "32 90 %, 48 95 %, 64 99 % of the whole patch's points (set and day were not noted)",
    )
    noise_levels: float = threshold(
        2.0,
        "grey levels of a camera's noise",
        (0.5, 8),
        "faint differences in colour trusted against noise trusted",
    )
    ground_beside: int = threshold(
        8, "cells round a thing", (3, 20), "the ground beside a thing known against what else lies there"
    )
    ground_from: int = threshold(2, "cells round a thing", (1, 6), "the same: its rim is left out")
    least_colours: int = threshold(
        30, "cells of a thing, and of its ground", (10, 100), "small things judged against chance"
    )


CANDIDATES = CandidateParameters()
