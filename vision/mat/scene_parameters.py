"""Thresholds of the settled table: what follows the light, and what counts as different, bare, or shade."""

from __future__ import annotations

from dataclasses import dataclass

from vision.parameters import threshold

_FRAMES = "frames"
_SECONDS = "s"


@dataclass(frozen=True, slots=True)
class SceneParameters:
    """From a frame seen from above to what has changed on the table."""

    follow: float = threshold(
        0.1,
        "share of the difference, each time",
        (0.03, 0.8),
        "lamps that drift followed against shades that turn, and things that come slowly, followed",
        "dev-dubbe4-wood, 45 s under a fan's shades, 20 cards, 2026-11-28: .5 9 right, .35 14, .25 18, .2 16,"
        " .15 20 and a taking invented, .1 20; thirteen films in other lights: .1 as good as .25",
    )
    follow_every: int = threshold(5, _FRAMES, (1, 30), "the same, against time")
    other_brightness: float = threshold(
        1.6,
        "times as bright, or as dark, as when the table was found",
        (1.2, 4.0),
        "contrasts as they are by now against lamps that come and go learnt each time",
    )
    dark_level: float = threshold(
        16.0,
        "grey level of the brightest things",
        (6.0, 40.0),
        "a table that was found before the lamps were on found anew against dim evenings begun twice",
        "first frames of seven films of card tables 103 and more; of a drawn mat a tenth of the light"
        " leaves 11, a fifth 21",
    )
    bright_rank: float = threshold(
        98.0, "percentile", (90.0, 99.9), "single bright places passed over against little paper in view"
    )
    upset: float = threshold(
        0.2,
        "share of the table that looks otherwise while nothing moves",
        (0.08, 0.5),
        "a pushed mat found early against lamps taken for a push",
    )
    otherwise: float = threshold(
        0.15,
        "as a logarithm of light",
        (0.05, 0.4),
        "a place told to look otherwise against shades and noise",
    )
    mat_light: float = threshold(
        0.15,
        "as a logarithm of light",
        (0.05, 0.4),
        "the mat known where it shows again against things as light as it",
    )
    tells: float = threshold(
        0.001,
        "variance of logarithms",
        (0.0002, 0.01),
        "things that look almost like the empty table missed when they go against noise missed",
    )
    tag_shifted: float = threshold(
        0.15, "share of a tag's place", (0.05, 0.5), "pushes found by their tags against shades on tags"
    )
    least_beside: int = threshold(
        30, "cells beside a place", (10, 100), "the light beside a place known against chance"
    )
    lit: float = threshold(
        0.08,
        "as a logarithm of light",
        (0.03, 0.3),
        "lamps that changed taken off a place against faint things taken for light",
    )
    even: float = threshold(
        0.25, "as a logarithm of light", (0.1, 0.6), "the same: light is alike all over the place"
    )
    at_rest: int = threshold(
        2, "frames without movement", (1, 10), "sunlight known early against bright cards taken for it"
    )
    leak: float = threshold(
        0.02,
        "share of the difference, each time",
        (0.005, 0.1),
        "the picture of the empty table mended against things that lie there slowly becoming part of it",
    )
    as_bare: float = threshold(
        0.05, "as a logarithm of light", (0.02, 0.15), "the same: a place less far apart is bare"
    )
    keep_s: float = threshold(
        0.3, _SECONDS, (0.1, 1), "how the table was kept often enough to go back over a fault against memory"
    )
    kept: int = threshold(6, "times", (2, 20), "the same")
    upset_moving: float = threshold(
        0.01,
        "share of the table that moves",
        (0.002, 0.05),
        "a pushed mat found while somebody moves against hands taken for a push",
    )
    other_light: float = threshold(
        0.35,
        "as a logarithm of light",
        (0.15, 0.7),
        "paper and ink told from the mat against the mat's own pattern",
    )
    ink_mm: float = threshold(
        20.0, "mm", (8, 40), "print closed to whole cards against cards joined to their neighbours"
    )
    paper_mm: float = threshold(
        28.0, "mm", (12, 45), "whole cards found at the start against print and crumbs"
    )
    tag_rim: float = threshold(
        0.75,
        "edges of a tag's black square",
        (0.6, 1.2),
        "a tag with its white rim left out against mat left out",
    )
    beside_tag: int = threshold(
        6, "cells beside a tag", (2, 15), "the mat beside a tag known against what else lies there"
    )
    paper_rank: int = threshold(
        95, "percentile of a tag's light", (70, 100), "paper known as light as it is against a spark on it"
    )
    plain: float = threshold(
        0.7,
        "share of the mat that looks about like most of it",
        (0.5, 0.95),
        "plain mats known as plain against chequered cloths taken for one",
        "ten films: .89 to .96 of plain mats and boards, .56 of a chequered cloth",
    )
    even_within: float = threshold(
        0.15,
        "as a logarithm of light",
        (0.05, 0.4),
        "faded and dim mats known as plain against patterns taken for plain",
    )
    even_share: float = threshold(
        0.6,
        "share of the mat",
        (0.3, 0.95),
        "the same",
        "six films of plain mats and boards, in their light and others: .73 to .95;"
        " a chequered cloth, as it is, at gamma 1.5 and faded: .36 to .46",
    )
    even_cells: int = threshold(
        8, "sigma in cells of 4 mm", (3, 20), "the same: a hand's breadth round about"
    )
    pale: float = threshold(
        0.45,
        "as a logarithm of light between paper and mat",
        (0.2, 0.9),
        "mats as light as paper treated with care against time for all others",
    )
    most_drift: float = threshold(
        0.6,
        "as a logarithm of light",
        (0.2, 1.5),
        "lamps that change at once followed against fineness of what follows",
    )
    smooth_mm: int = threshold(
        200, "mm", (80, 400), "things left out of the light against shades left out of it"
    )
    shaded: float = threshold(
        -0.25,
        "as a logarithm of light",
        (-0.6, -0.1),
        "a shadow that makes paper as dark as the mat known for one against cards taken for shade",
    )
    shade: float = threshold(
        -0.15,
        "as a logarithm of light",
        (-0.4, -0.05),
        "paper in a shadow seen against noise taken for a shadow",
    )
    wide: int = threshold(
        300, "cells of shadow", (80, 1000), "wide shadows known against a hand's taken for one"
    )
    card: int = threshold(
        19,
        "cells that no card is wide both ways",
        (10, 30),
        "bright cards left out of a shadow against seams between shadows left out",
    )
    near_px: float = threshold(
        2.0,
        "sigma in px of a plane at a quarter of the size",
        (0.5, 6),
        "the light under a hand taken from near it against too little to tell",
    )
    unseen_mostly: float = threshold(
        0.3,
        "share of a place",
        (0.1, 0.7),
        "cards that changed unseen told as such against seen ones told as unseen",
    )
    unseen_frames: int = threshold(
        5,
        "frames after sight came back",
        (2, 15),
        "the same: the rest of a cover may hang over the table in the first",
    )
    calm_frames: int = threshold(
        8,
        _FRAMES,
        (2, 30),
        "a place believed to be as it was early against skin that passes for shade for a few frames",
    )


SCENE = SceneParameters()
