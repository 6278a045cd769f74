"""Thresholds for finding dice of an unknown size.

Read by `search`, `selection`, `standing`, `second_look` and `proof`.
"""

from __future__ import annotations

from dataclasses import dataclass

from vision.parameters import threshold


@dataclass(frozen=True, slots=True)
class DieSearchParameters:
    """Thresholds for the sizes that are tried, and for faces that exclude each other."""

    size_slack: float = threshold(
        1.13,
        "ratio of edges that one look covers, to either side",
        (1.05, 1.3),
        "time against sizes between two looks missed",
    )
    size_step: float = threshold(
        1.28, "ratio of edges from look to look", (1.1, 1.6), "time against sizes between two looks missed"
    )
    least_edge_px: float = threshold(16.0, "pixels", (8.0, 40.0), "small dice read against time and noise")
    least_edge: float = threshold(
        0.016, "share of the picture's longer side", (0.005, 0.05), "small dice read against time"
    )
    most_edge: float = threshold(
        0.42, "share of the picture's shorter side", (0.1, 1.0), "dice held close read against time"
    )
    smaller_beside: float = threshold(
        0.75, "share of the least edge found", (0.4, 1.0), "dice farther off read again against time"
    )
    larger_beside: float = threshold(
        1.25, "share of the greatest edge found", (1.0, 2.0), "dice nearer by read again against time"
    )
    second_slack: float = threshold(
        1.16,
        "ratio of edges that one second look covers, to either side",
        (1.05, 1.3),
        "time against sizes between two looks missed",
    )
    second_step: float = threshold(
        1.35,
        "ratio of edges from second look to second look",
        (1.1, 1.7),
        "time against sizes between two looks missed",
    )
    whole_quality: float = threshold(
        0.9,
        "share of the part's quality",
        (0.5, 1.2),
        "two rows of a 6 not told as a 4 against a clear 4 given up",
    )
    whole_larger: float = threshold(
        1.1, "ratio of edges", (1.0, 1.5), "parts of a face dropped against dice beside each other dropped"
    )
    whole_reach: float = threshold(
        0.35, "edges of the die", (0.1, 0.7), "parts of a face dropped against dice beside each other dropped"
    )
    most_overlap: float = threshold(
        0.2,
        "share of the smaller or weaker face",
        (0.05, 0.5),
        "dice that lie flush in perspective against a face made of two dice's pips",
        "dice-byler and -damian, 701 faces: .013 and less, 2026-11-29",
    )
    one_size: float = threshold(
        0.3,
        "logarithm of the ratio of edges",
        (0.1, 0.7),
        "dice of one throw in perspective against grain of another size",
    )
    own_size: float = threshold(
        0.9,
        "share of the look's slack",
        (0.3, 1.0),
        "time against smaller faces missed in the place of a chance one",
    )
    again_reach: float = threshold(
        0.15, "edges of the die", (0.05, 0.4), "time against a face proven by another die's proof"
    )
    again_larger: float = threshold(1.4, "ratio of edges", (1.0, 2.0), "the same for its size")
    ground_reach: float = threshold(
        1.1, "edges of the die", (0.7, 2.0), "ground seen beside a die against neighbours seen as ground"
    )
    second_calm: float = threshold(
        0.04, "edges of the die", (0.005, 0.1), "a camera's grain against sharp pips of small dice"
    )
    own_room: float = threshold(
        0.85, "edges of the die", (0.5, 1.0), "dice that lie flush told apart against one die told twice"
    )
    part_smaller: float = threshold(
        0.7, "ratio of edges", (0.4, 1.0), "a pip of a face not told as a 1 against ones lost beside dice"
    )
    part_larger: float = threshold(1.4, "ratio of edges", (1.0, 2.5), "the same the other way round")
    part_off: float = threshold(0.1, "edges of the die", (0.03, 0.25), "the same for its place on the face")
    second_peak: float = threshold(
        0.1, "edges of the die", (0.04, 0.2), "pips side by side kept apart against time"
    )
    least_diagonal: float = threshold(
        0.52, "edges of the die", (0.3, 0.7), "dice of every maker against time"
    )
    most_diagonal: float = threshold(
        0.92, "edges of the die", (0.71, 1.3), "dice of every maker against time"
    )
    like_colour: float = threshold(
        0.4, "cosine between two spots' contrasts", (0.0, 0.9), "pips under highlights paired against time"
    )
    like_height: float = threshold(
        0.33, "ratio of contrasts, the second spot's", (0.1, 0.9), "pips under highlights paired against time"
    )
    unlike_height: float = threshold(
        3.0,
        "ratio of contrasts, the second spot's",
        (1.1, 10.0),
        "pips beside one under a highlight paired against time",
    )
    one_seed: float = threshold(
        0.25, "edges of the die", (0.1, 0.6), "time against rivals lost before they are refined"
    )
    least_alike: float = threshold(
        0.4,
        "share of belief left to unequal pips",
        (0.0, 1.0),
        "bleached pips read against specks read as pips",
    )
    near_least: float = threshold(
        0.6, "share of the least score", (0.2, 1.0), "rivals kept that lower a belief against time"
    )
    proof_reach: float = threshold(
        1.3, "edges of the die", (1.0, 2.0), "print that goes on farther off noticed against time"
    )
    next_dot: float = threshold(
        0.5,
        "share of the pips' strength",
        (0.2, 1.0),
        "faint rows of dots noticed against grain beside a die",
    )
    beyond_pip: float = threshold(
        1.3, "radii of a pip", (1.0, 2.5), "what counts as between two dots against their blurred rims"
    )
    face_inside: float = threshold(
        0.45, "edges of the die", (0.3, 0.5), "what of a face tells its colour against its blurred rim"
    )


DIE_SEARCH = DieSearchParameters()
