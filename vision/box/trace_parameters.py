"""Thresholds for tracing a dice field (`trace_floor`, `trace_colours`, `trace`)."""

from __future__ import annotations

from dataclasses import dataclass

from vision.parameters import threshold


@dataclass(frozen=True, slots=True)
class TraceParameters:
    """Thresholds for which zone a colour of the floor belongs to."""

    least_full: float = threshold(
        0.42, "saturation, 0 to 1", (0.1, 0.8), "faded paint against grey zones in coloured light"
    )
    least_bright: float = threshold(
        0.12, "brightness, 0 to 1", (0.02, 0.4), "zones in shadow against noise in dark holes"
    )
    blue_from: float = threshold(
        195.0, "degrees of hue", (170.0, 220.0), "blue paint in warm light against green things"
    )
    blue_to: float = threshold(
        255.0, "degrees of hue", (230.0, 280.0), "blue paint in cold light against violet zones"
    )
    red_to: float = threshold(
        24.0, "degrees of hue", (10.0, 33.0), "red paint in warm light against yellow zones"
    )
    red_from: float = threshold(
        335.0, "degrees of hue", (300.0, 350.0), "red paint in cold light against violet zones"
    )
    yellow_from: float = threshold(
        33.0, "degrees of hue", (24.0, 50.0), "yellow paint in warm light against red zones"
    )
    yellow_to: float = threshold(
        75.0, "degrees of hue", (60.0, 110.0), "yellow paint in cold light against green things"
    )
    hole_roundness: float = threshold(
        0.08,
        "spread of the radii, over their mean",
        (0.03, 0.2),
        "holes with a ragged rim drawn as circles against other outlines drawn as circles",
    )
    edge_share: float = threshold(
        1 / 6,
        "share of the places on a side",
        (0.05, 0.5),
        "a floor whose edge is seen in part against specks beyond it",
    )
    least_blue: float = threshold(
        0.05,
        "share of the picture",
        (0.005, 0.3),
        "fields far off traced against pictures without a field refused",
    )
    line_bright: float = threshold(
        0.85, "share of the blue beside it", (0.5, 1.5), "lines in shadow against grey zones"
    )
    line_core: float = threshold(
        0.8, "share of half the line's width", (0.4, 1.0), "the colour of thin lines against blur"
    )
    violet_blue: float = threshold(
        1.25, "ratio of blue to green", (1.0, 2.0), "faded violet against grey in coloured light"
    )
    violet_red: float = threshold(
        1.08, "ratio of red to green", (1.0, 2.0), "faded violet against grey in blue light"
    )
    violet_full: float = threshold(
        0.25, "share of the strongest channel", (0.05, 0.6), "faded violet against grey"
    )
    violet_bright: float = threshold(
        24.0, "grey levels", (5.0, 80.0), "violet zones in shadow against dark holes"
    )
    line_reach: float = threshold(
        1.3, "widths of the line", (0.8, 2.5), "ragged lines given away whole against zones that grow"
    )
    floor_full: float = threshold(
        0.45, "saturation, 0 to 1", (0.1, 0.8), "faded floors against blue shadows on the wall"
    )
    floor_bright: float = threshold(
        0.35,
        "share of the usual brightness of the blue",
        (0.1, 0.9),
        "floors in shadow against the wall's foot",
    )
    edge_spread_mm: float = threshold(1.5, "mm", (0.3, 5.0), "bent edges against other lines beside the edge")
    paper_level: float = threshold(
        235.0, "grey levels", (180.0, 255.0), "bright pictures against burnt highlights"
    )
    least_paper: float = threshold(
        20.0, "grey levels", (5.0, 60.0), "dark pictures whitened against noise made bright"
    )
    corner_share: float = threshold(
        0.14, "share of a side", (0.05, 0.4), "long edges against corners that other sides blur"
    )


TRACE = TraceParameters()
