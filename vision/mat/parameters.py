"""Thresholds of the search for cards on a watched mat: what is proposed, read, and believed."""

from __future__ import annotations

from dataclasses import dataclass

from vision.parameters import threshold

_LIKENESS = "share of ink explained"
_GLANCE = "likeness at a glance, -1 to 1"
_EDGES = "share of the outline on edges"
_CHANGED = "share of a card's place that has changed"


@dataclass(frozen=True, slots=True)
class CardSearchParameters:
    """From an island of change to cards."""

    least_support: float = threshold(
        0.3,
        _EDGES,
        (0.1, 0.7),
        "cards with faint edges read against time spent on rectangles that are no cards",
    )
    good_support: float = threshold(
        0.75,
        _EDGES,
        (0.5, 0.95),
        "time saved by taking an island's shape for a card's against a heap misread as one",
    )
    filled: float = threshold(
        0.75,
        "island and rectangle in common, of both together",
        (0.5, 0.95),
        "cards as light as the table outlined by their colour against time spent on hands and heaps",
    )
    least_change: float = threshold(
        0.08, _CHANGED, (0.02, 0.3), "slivers of cards searched against time spent on shadows"
    )
    least_ink_change: float = threshold(
        0.04,
        _CHANGED,
        (0.01, 0.2),
        "the same on a mat as light as paper, where only the ink may have changed",
    )
    least_faint_change: float = threshold(
        0.15,
        _CHANGED,
        (0.08, 0.4),
        "cards as brown as the wood, of which little but the print looks changed, against time for shadows",
    )
    least_fresh: float = threshold(
        0.12, _CHANGED, (0.04, 0.4), "new white cards on white ones found against old cards told anew"
    )
    least_altered: float = threshold(
        0.08, _CHANGED, (0.02, 0.3), "cards laid squarely on others found against old cards told anew"
    )
    least_glance: float = threshold(
        0.3,
        _GLANCE,
        (0.0, 0.6),
        "cards of which little is new read against time, and paper over print misread",
    )
    least_print: float = threshold(
        0.1,
        _GLANCE,
        (-0.2, 0.4),
        "washed-out cards asked for their names against time spent on what bears no face",
    )
    no_face: float = threshold(
        0.5, _LIKENESS, (0.2, 0.8), "outlines misled by seams put right by the print against time"
    )
    printed_likeness: float = threshold(
        0.9, _LIKENESS, (0.7, 0.99), "cards found by their print alone against chance likeness"
    )
    printed_margin: float = threshold(
        0.5, "0 half-way to the runner-up, 1 at the best face", (0.2, 0.9), "as printed_likeness"
    )
    glared_likeness: float = threshold(
        0.6,
        _LIKENESS,
        (0.4, 0.9),
        "as printed_likeness, where a glare or a shadow's rim over a card leaves no more, against chance",
        "7 films, and 5 of 45 s under a glare or across a shadow's edge, 2026-11-27: of 189 prints of .35 and"
        " more 187 right, the two wrong ones at .63 with a margin of .19",
    )
    glared_sum: float = threshold(
        1.3,
        "likeness + margin",
        (1.0, 1.6),
        "as printed_margin there, against wrong names",
        "as glared_likeness: the two wrong ones .82, eight right ones from .98 to 1.29, all above right",
    )
    rest_share: float = threshold(
        0.15,
        "share of a card's area",
        (0.05, 0.4),
        "cards told at once against hands taken for a part of the mat",
    )
    weak_side: float = threshold(
        0.2,
        "share of the outline on edges",
        (0.0, 0.5),
        "cards with one faint side against strange rectangles: what the worst side may lack",
    )
    shape_slack_px: float = threshold(
        14.0,
        "pixels of the fine plan",
        (4.0, 40.0),
        "time: islands of about a card's form fitted at once against ones fitted in vain",
    )
    shape_reach_px: float = threshold(
        8.0,
        "pixels of the fine plan",
        (2.0, 20.0),
        "cards fitted whose island is ragged against edges of their neighbours taken for theirs",
    )
    print_reach_px: float = threshold(
        2.5,
        "pixels of the fine plan",
        (0.5, 8.0),
        "outlines found round a print that was moved against edges of other cards",
    )
    support_weight: float = threshold(
        0.5,
        "likeness that a whole outline is worth",
        (0.0, 2.0),
        "cards with a clear outline preferred against cards with a clear face",
    )


CARD_SEARCH = CardSearchParameters()
