"""Thresholds on how a deck reads a rectangle: whether its name may be reported, whether it is a card at all.

Likeness is the share of a card's ink that the best face explains; margin is where the picture lies
between the best face (1) and the runner-up (0 = half-way). See `Reading`.
"""

from __future__ import annotations

from dataclasses import dataclass

from vision.parameters import threshold

_LIKENESS = "share of ink explained"
_MARGIN = "0 half-way to the runner-up, 1 at the best face"
_SHOWN = "share of the card that shows"
_EDGES = "share of the outline on edges"


@dataclass(frozen=True, slots=True)
class FaceParameters:
    """Thresholds that hold for a face wherever it is read."""

    least_likeness: float = threshold(
        0.3,
        _LIKENESS,
        (0.1, 0.6),
        "cards in bad light against backs, beer mats and other decks taken for cards",
    )
    doubt_likeness: float = threshold(
        0.35, _LIKENESS, (0.1, 0.6), "cards told as unsure against strange rectangles told as unsure cards"
    )
    clear_likeness: float = threshold(
        0.8,
        _LIKENESS,
        (0.6, 0.95),
        "believing a face without outline or second reading against chance likeness",
    )
    covered_margin: float = threshold(
        0.4, _MARGIN, (0.1, 0.8), "names of cards that are partly covered or washed out against wrong names"
    )


@dataclass(frozen=True, slots=True)
class MatCardParameters:
    """A card that appeared on a watched mat."""

    sure_likeness: float = threshold(
        0.62,
        _LIKENESS,
        (0.4, 0.9),
        "names told at once against wrong names",
        "dev-dubbe4, 60 cards, 2026-11-24: 0.4, 0.5, 0.62, 0.7, 0.8 and 0.9 alike, 60 right, none wrong",
    )
    sure_margin: float = threshold(0.2, _MARGIN, (0.0, 0.6), "names told at once against wrong names")
    faint_side: float = threshold(
        0.2,
        _EDGES,
        (0.0, 0.5),
        "with a fainter side it may be another card's place: the face must be clear",
    )
    least_support: float = threshold(
        0.5, _EDGES, (0.3, 0.8), "unsure cards told against seams and shadows told as unsure cards"
    )


@dataclass(frozen=True, slots=True)
class StillCardParameters:
    """A card in a single picture of a registered table, without history."""

    sure_likeness: float = threshold(
        0.72,
        _LIKENESS,
        (0.5, 0.95),
        "names told against wrong names",
        "dev-stills, first 15, 20 cards, 2026-11-24: 0.5 to 0.8 alike, 20 right; 0.9: 18 right; none wrong",
    )
    sure_margin: float = threshold(0.25, _MARGIN, (0.0, 0.6), "names told against wrong names")
    covered_likeness: float = threshold(
        0.85, _LIKENESS, (0.6, 0.98), "names of partly covered cards against wrong names"
    )
    whole: float = threshold(0.95, _SHOWN, (0.8, 1.0), "from here a card counts as not covered")
    named_shown: float = threshold(0.6, _SHOWN, (0.3, 0.9), "names of half covered cards against wrong names")
    sought_shown: float = threshold(0.35, _SHOWN, (0.1, 0.6), "cards under cards found against time")
    doubt_support: float = threshold(
        0.6, _EDGES, (0.3, 0.9), "unsure cards told against seams and shadows told as unsure cards"
    )
    doubt_weakest: float = threshold(
        0.3, _EDGES, (0.1, 0.8), "cards with one faint side told as unsure against strange rectangles told"
    )
    whole_shown: float = threshold(
        0.9, _SHOWN, (0.5, 1.0), "covered cards told as unsure against print between cards told"
    )
    most_shared: float = threshold(
        0.3, "share of the rectangle", (0.0, 0.8), "cards that overlap told apart against one card told twice"
    )
    outline_weight: float = threshold(
        0.4,
        "weight of the outline beside likeness",
        (0.0, 2.0),
        "which card counts as topmost: a good outline against a good face",
    )


@dataclass(frozen=True, slots=True)
class PhotoCardParameters:
    """A card in a photograph without a table: place, size and perspective are unknown."""

    sure_likeness: float = threshold(
        0.6,
        _LIKENESS,
        (0.4, 0.9),
        "names told against wrong names",
        "cards-edje, first 20, 20 cards, 2026-11-24: 0.45, 0.6, 0.76 alike, 14 right, 6 unsure, none wrong",
    )
    sure_margin: float = threshold(0.2, _MARGIN, (0.0, 0.6), "names told against wrong names")
    least_score: float = threshold(
        0.45, "score of an outline", (0.2, 0.8), "cards with weak edges found against patches taken for cards"
    )
    faint_sum: float = threshold(
        0.95, "likeness + margin", (0.6, 1.4), "aces named, which have little ink, against wrong names"
    )
    foreign_likeness: float = threshold(
        0.25, _LIKENESS, (0.0, 0.5), "cards in hard shadow kept against envelopes taken for cards"
    )
    whole_shown: float = threshold(
        0.9, _SHOWN, (0.5, 1.0), "names of cards that are a little covered against wrong names"
    )
    faint_score: float = threshold(
        0.5, "score of the outline, 0 to 1", (0.2, 0.9), "aces named against strange things named"
    )
    least_shared: float = threshold(
        0.02, "share of the smaller outline", (0.0, 0.2), "time against cards read without what covers them"
    )
    mostly_shown: float = threshold(0.7, _SHOWN, (0.3, 1.0), "covered cards kept against slivers kept")
    good_score: float = threshold(
        0.6, "score of the outline, 0 to 1", (0.3, 0.9), "shaded aces kept as cards against envelopes kept"
    )
    all_shown: float = threshold(0.98, _SHOWN, (0.9, 1.0), "time against a rim of the cover read as the card")
    one_card: float = threshold(
        0.6,
        "share of both outlines together",
        (0.3, 0.9),
        "one card told once against two cards of a heap told as one",
    )


FACE = FaceParameters()
MAT_CARD = MatCardParameters()
STILL_CARD = StillCardParameters()
PHOTO_CARD = PhotoCardParameters()
