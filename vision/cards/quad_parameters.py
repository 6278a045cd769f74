"""Thresholds of the search for quadrilaterals in a photograph (`quads`)."""

from __future__ import annotations

from dataclasses import dataclass

from vision.parameters import threshold


@dataclass(frozen=True, slots=True)
class QuadParameters:
    """Thresholds on whether a piece of a photograph is the outline of a card."""

    lightness_weight: float = threshold(
        0.7,
        "weight of lightness in the distance from the ground",
        (0.2, 1.5),
        "cards on ground of their tint against shadows cut out as pieces",
    )
    tint_weight: float = threshold(
        1.3,
        "weight of tint in the distance from the ground",
        (0.5, 3.0),
        "coloured cards on ground of their lightness against coloured light",
    )
    darkest_percent: float = threshold(
        2.0, "percent of the pixels", (0.0, 20.0), "dark cards found against cuts spent on dark corners"
    )
    brightest_percent: float = threshold(
        99.5,
        "percent of the pixels",
        (80.0, 100.0),
        "small bright cards found against cuts spent on highlights",
    )
    least_side_px: float = threshold(
        12.0, "pixels of the working copy", (4.0, 40.0), "small cards found against time spent on grain"
    )
    squarer: float = threshold(
        0.9, "share of the least ratio of the sides", (0.5, 1.0), "cards seen askew kept against squares kept"
    )
    longer: float = threshold(
        1.1,
        "share of the greatest ratio of the sides",
        (1.0, 2.0),
        "cards seen askew kept against strips kept",
    )
    least_filled: float = threshold(
        0.8,
        "share of the bounding rectangle that the piece fills",
        (0.5, 1.0),
        "cards with a finger on them kept against other shapes kept",
    )
    corner_tolerance: float = threshold(
        0.012,
        "share of the outline's length",
        (0.002, 0.05),
        "corners of a ragged outline joined against corners of a heap lost",
    )
    least_corners: float = threshold(
        5.0, "corners of a heap's outline", (4.0, 8.0), "heaps completed against single cards taken for heaps"
    )
    most_corners: float = threshold(
        24.0, "corners of a heap's outline", (8.0, 60.0), "large heaps completed against time spent on grain"
    )
    off_square: float = threshold(
        0.35,
        "cosine of the angle of two sides",
        (0.1, 0.7),
        "corners seen askew kept against corners of other things kept",
    )
    opposite_sides: float = threshold(
        1.35, "ratio of opposite sides", (1.05, 2.0), "cards in steep perspective kept against trapezia kept"
    )
    edge_reach_px: float = threshold(
        2.5, "pixels", (1.0, 8.0), "edges found beside a rough outline against edges of other things"
    )
    on_edge_px: float = threshold(
        1.5, "pixels", (0.5, 4.0), "bent cards scored high against edges that only pass by"
    )
    outer_ring: float = threshold(
        1.06,
        "share of the quadrilateral's size",
        (1.01, 1.3),
        "blurred cards against cards beside another thing",
    )
    inner_ring: float = threshold(
        0.93,
        "share of the quadrilateral's size",
        (0.7, 0.99),
        "blurred cards against cards whose print reaches the rim",
    )
    worst_side: float = threshold(
        0.4,
        "weight of the worst side in the score; the mean of all sides has the rest",
        (0.0, 1.0),
        "rows of lines refused against cards with one covered side missed",
    )
    half_body: float = threshold(
        8.0,
        "CIELAB distance of rim and ground",
        (1.0, 30.0),
        "cards of their ground's colour against frames printed on the ground",
    )
    small_penalty: float = threshold(
        0.2, "share of the score", (0.0, 0.6), "small cards told against parts of a card told as one"
    )
    large_share: float = threshold(
        0.125, "share of the picture", (0.01, 0.5), "from here a card is large and loses nothing"
    )


QUAD = QuadParameters()
