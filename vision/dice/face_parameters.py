"""Thresholds for finding faces of dice of a known size.

Read by `pips`, `body`, `face_detection`, `pip_patterns`, `views` and `proof`, and by the background of a
dice box.
"""

from __future__ import annotations

from dataclasses import dataclass

from vision.parameters import threshold


@dataclass(frozen=True, slots=True)
class FaceSearchParameters:
    """Thresholds for deciding which spots are pips, and which pips form a face."""

    pip_sigma: float = threshold(
        0.055, "edges of the die", (0.02, 0.12), "small pips against large ones: the scale of the band-pass"
    )
    ring_sigmas: float = threshold(
        2.2, "sigmas of the band-pass", (1.5, 4.0), "pips near the rim of a die against noise"
    )
    peak_reach: float = threshold(
        0.14, "edges of the die", (0.05, 0.2), "pips side by side kept apart against one pip found twice"
    )
    higher_cut: float = threshold(
        0.7,
        "share of a pip's height",
        (0.5, 0.95),
        "pips that run into something kept against specks taken for pips",
    )
    rival_reach: float = threshold(
        0.36, "edges of the die", (0.2, 0.6), "the pips of a 6 kept apart against time"
    )
    least_pip: float = threshold(0.006, "area of the face", (0.001, 0.02), "small pips against specks")
    most_pip: float = threshold(0.06, "area of the face", (0.02, 0.15), "large pips against blots")
    pip_round: float = threshold(
        0.6, "short by long axis", (0.3, 0.95), "pips seen from the side kept against strokes of print"
    )
    pip_filled: float = threshold(
        0.75, "share of the ellipse with the same moments", (0.4, 1.0), "worn pips kept against letters"
    )
    off_peak: float = threshold(
        0.08, "edges of the die", (0.02, 0.2), "pips half in a highlight kept against parts of larger things"
    )
    calm_sigma: float = threshold(
        0.03, "edges of the die", (0.005, 0.1), "a camera's grain against sharp rims of small dice"
    )
    sister_colour: float = threshold(
        0.8,
        "cosine between two pips' contrasts",
        (0.4, 1.0),
        "pips under a coloured highlight kept together against pips of two dice",
    )
    sister_weaker: float = threshold(
        0.45, "ratio of contrasts", (0.1, 0.9), "pips in a shadow kept together against pips and specks"
    )
    worn_colour: float = threshold(
        0.9,
        "cosine between two pips' contrasts",
        (0.4, 1.0),
        "worn pips noticed against highlights and dirt taken for them",
    )
    worn_weaker: float = threshold(
        0.15, "ratio of contrasts", (0.05, 0.4), "pips almost rubbed off noticed against grain taken for them"
    )
    worn_round: float = threshold(
        0.8,
        "short by long axis",
        (0.4, 1.0),
        "worn pips seen askew noticed against highlights taken for them",
    )
    worn_half: float = threshold(
        0.33,
        "edges of the die",
        (0.25, 0.45),
        "worn pips of wide dice noticed against pips of the side below",
    )
    sister_stronger: float = threshold(2.2, "ratio of contrasts", (1.1, 6.0), "the same the other way round")
    sister_smaller: float = threshold(
        0.65, "ratio of radii", (0.3, 0.95), "pips in a highlight kept together against pips of two sizes"
    )
    sister_larger: float = threshold(1.55, "ratio of radii", (1.05, 3.0), "the same the other way round")
    maker_slack: float = threshold(
        0.16,
        "share of the usual pitch of pips",
        (0.0, 0.4),
        "dice of every maker against diagonals between two dice",
    )
    lone_round: float = threshold(
        0.7, "short by long axis", (0.4, 0.98), "ones seen askew against side faces read as ones"
    )
    least_fit: float = threshold(
        0.02, "fit of the pattern, 0 to 1", (0.0, 0.3), "worn faces read against time"
    )
    least_calm: float = threshold(
        0.65,
        "share of the face in its body's colour",
        (0.3, 0.95),
        "marbled dice read against print read as dice",
    )
    least_border: float = threshold(
        0.5,
        "share of the border with an edge",
        (0.1, 0.9),
        "dice on ground of their colour read against print read as dice",
    )
    no_strength: float = threshold(
        8.0,
        "CIELAB distance of pip and body",
        (0.0, 20.0),
        "below it a face counts for nothing: faint dice against noise",
    )
    strength_span: float = threshold(
        24.0, "CIELAB distance", (5.0, 60.0), "that much more counts for all: faint dice against noise"
    )
    stray_share: float = threshold(
        0.7,
        "share of the quality left by a stray pip",
        (0.2, 1.0),
        "dice with a speck told against wrong values",
    )
    pip_reach: float = threshold(
        0.05, "edges of the die", (0.01, 0.12), "pips drilled off their place against specks beside it"
    )
    face_half: float = threshold(
        0.4, "edges of the die", (0.3, 0.5), "stray pips noticed against neighbours' pips counted"
    )
    on_place: float = threshold(
        0.12,
        "edges of the die",
        (0.04, 0.2),
        "pips drilled off their place against stray pips explained away",
    )
    own_pip: float = threshold(
        0.15, "edges of the die", (0.05, 0.3), "within it a spot is the lone pip itself"
    )
    body_share: float = threshold(
        0.35,
        "share of the pips' contrast",
        (0.1, 0.7),
        "uneven bodies kept whole against two surfaces taken for one",
    )
    ring_reach: float = threshold(
        0.17, "edges of the die", (0.12, 0.22), "pips near a rim against what lies beside the die"
    )
    lone_clean: float = threshold(
        0.9,
        "share calm and bordered",
        (0.7, 1.0),
        "ones read above a side with pips against a larger value's pip read as a 1",
    )
    least_ringed: float = threshold(
        0.4,
        "share of the ring",
        (0.1, 0.8),
        "pips near a rim against a gap between a die and what lies beside",
    )
    gap_round: float = threshold(
        0.75,
        "short by long axis",
        (0.6, 0.9),
        "pips in a highlight against such a gap: rounder ones are none",
    )
    full_round: float = threshold(
        0.8, "short by long axis", (0.5, 1.0), "faces seen askew against print of long spots"
    )
    even_full: float = threshold(
        1.25, "quality at pips of one size", (1.0, 2.0), "pips in a highlight against print of unequal spots"
    )
    crowd_from: float = threshold(
        0.6, "edges of the die", (0.5, 1.0), "a face's own pips left out of the crowd"
    )
    crowd_to: float = threshold(
        2.5, "edges of the die", (1.0, 5.0), "cloth noticed against dice in a heap doubted"
    )
    pip_free: float = threshold(
        0.17, "edges of the die", (0.08, 0.25), "what of a body is measured against blurred rims of pips"
    )
    body_apart: float = threshold(6.0, "CIELAB distance", (2.0, 15.0), "marbled dice against print")
    rim_step: float = threshold(
        9.0, "CIELAB distance", (3.0, 25.0), "dice on ground of their colour against weave"
    )
    most_step: float = threshold(
        30.0, "CIELAB distance", (10.0, 80.0), "turns by all four sides against turns by one strong edge"
    )
    pip_doubt: float = threshold(
        0.07,
        "share of a pip, one scale of the logistic curve",
        (0.01, 0.3),
        "worn pips read against missing pips read",
    )
    start_slack: float = threshold(
        0.2, "share of the usual pitch", (0.05, 0.5), "rough sizes refined against refinements that run away"
    )
    pitch_slack: float = threshold(
        0.25, "share of the usual pitch", (0.05, 0.5), "dice of every maker against patterns between dice"
    )
    most_oblong: float = threshold(
        0.3, "logarithm of the ratio of the pitches", (0.05, 0.8), "faces seen askew against side faces"
    )
    one_place: float = threshold(0.4, "edges of the die", (0.2, 0.7), "time against rivals lost")


FACE_SEARCH = FaceSearchParameters()
