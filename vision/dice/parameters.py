"""Thresholds that distinguish a die from print and shadow."""

from __future__ import annotations

from dataclasses import dataclass

from vision.parameters import threshold

_OFF = "distance of a pip's outline from an ellipse, over its radius"
_QUALITY = "quality of a face, 0 to 1"


@dataclass(frozen=True, slots=True)
class DieParameters:
    """Thresholds for deciding whether a face with pips is the top of a die."""

    clear_quality: float = threshold(
        0.45, _QUALITY, (0.2, 0.8), "dice in bad light told against print told as dice"
    )
    sharp_edge_px: float = threshold(
        45.0, "edge of a die in pixels", (20.0, 90.0), "from here pips have pixels enough for round_off"
    )
    round_off: float = threshold(
        0.12,
        _OFF,
        (0.05, 0.25),
        "dice with worn pips told against suits told as pips (a diamond is 0.16 off, a heart 0.2)",
    )
    small_round_off: float = threshold(0.11, _OFF, (0.05, 0.25), "as round_off, for dice below sharp_edge_px")
    clear_round_off: float = threshold(
        0.07, _OFF, (0.0, 0.2), "what a face of full quality is allowed above small_round_off"
    )
    alone_round_off: float = threshold(
        0.3, _OFF, (0.1, 0.6), "the same where it lies alone on a body of a die's size"
    )
    lone_round_off: float = threshold(
        0.18,
        _OFF,
        (0.12, 0.3),
        "faint ones told against numerals told as ones, where only the whole pattern tells a face",
        "dice-byler, 13 ones: .16 and less; drawn numerals, 12 of 14: .2 and more, 2026-11-29",
    )
    lone_oblong: float = threshold(
        0.4,
        "second wave of a pip's outline over its radius",
        (0.2, 0.6),
        "the same: ones seen at a slant are oblong, too",
        "dice-byler, 13 ones: .27 and less; drawn numerals, 8 of 14: .46 and more, 2026-11-29",
    )
    clear_lone_off: float = threshold(
        0.1,
        _OFF,
        (0.06, 0.18),
        "as lone_round_off, on a face that is surely bounded: numerals, stars and hearts told as ones",
        "dice-byler and -damian, 86 such ones: .087 and less; 4 drawn lookalikes: .11 and more, 2026-11-29",
    )
    clear_lone_oblong: float = threshold(
        0.16,
        "second wave of a pip's outline over its radius",
        (0.1, 0.4),
        "as lone_oblong, there: an 8 told as a one",
        "dice-byler and -damian, 86 such ones: .135 and less; a drawn 8: .18, 2026-11-29",
    )
    lone_hollow: float = threshold(
        0.3,
        "share of a lone pip's contrast that its middle lacks",
        (0.15, 0.6),
        "ones with light in their pip told against loops of numerals told as ones",
        "dice-byler and -damian, 114 ones: .27 and less; drawn lookalikes, 5 of 35: .33 and more, 2026-11-29",
    )
    most_round_off: float = threshold(
        0.2,
        _OFF,
        (0.12, 0.3),
        "twos and threes with highlights told against letters and figures among dots told as pips",
        "dice-byler and -damian, 236 such faces: .2 and less; drawn ones, 5 of 8: .21 and more, 2026-11-29",
    )
    pip_sizes: float = threshold(
        1.7,
        "radius of the largest pip over the smallest's",
        (1.2, 2.5),
        "dice with bleached pips told against dots round a letter told as pips",
        "dice-byler and -damian, 696 faces: 1.55 and less; 3 drawn ones: 1.84 and more, 2026-11-29",
    )
    pip_filling: float = threshold(
        0.45,
        "share of the pips' contrast that the middle of a pip has",
        (0.1, 0.6),
        "pips with light in them told against the hole in a ring, a gear or a label told as a one",
        "dice-byler and -damian, 696 faces: .63 and more, 2026-11-29",
    )
    flat_steps: float = threshold(
        0.06,
        "spread of the steps at the four sides, over the largest",
        (0.02, 0.1),
        "screens and printed dice told as dice against dice straight below the camera doubted",
        "dice-byler and -damian, 696 faces: .071 and more where flat_ground holds; 15 of 28 drawn screens and"
        " prints: .053 and less, 2026-11-29",
    )
    flat_ground: float = threshold(
        6.0, "CIELAB between the grounds beside two sides", (2.0, 10.0), "the same"
    )
    faintest_side: float = threshold(
        0.3,
        "step over the pips' contrast",
        (0.0, 0.8),
        "pale dice on pale ground told against rows of printed dots",
    )
    firm_side: float = threshold(
        0.12,
        "step over the pips' contrast",
        (0.0, 0.3),
        "pale dice on pale ground told against a 2 told where two ones lie side by side",
        "dice-byler (26 pictures): 0.14 and more; drawn pairs that touch: 0.12 and less, 2026-11-29",
    )
    bounded_quality: float = threshold(
        0.9, _QUALITY, (0.5, 1.0), "time, and dice beside dice, against dots that go on over one sheet"
    )
    open_quality_one: float = threshold(
        0.8, _QUALITY, (0.4, 1.0), "ones told against lone spots on paper told as ones"
    )
    open_quality: float = threshold(0.5, _QUALITY, (0.2, 1.0), "the same for all other values")
    same_reading: float = threshold(
        0.5, "edges of the larger die", (0.2, 0.9), "a die read twice told once against dice that touch"
    )
    as_it_lay: float = threshold(
        0.33,
        "edges of the larger die",
        (0.1, 0.7),
        "dice that lie still borne in noise against pushes missed",
    )
    larger_step: float = threshold(
        1.28, "ratio of edges from look to look", (1.1, 1.6), "time against sizes between two looks missed"
    )
    larger_most: float = threshold(
        2.2, "edges of the table file's die", (1.2, 4.0), "time against parts of large dice told as dice"
    )
    larger_slack: float = threshold(
        0.13, "share of the edge", (0.08, 0.2), "sizes between two looks seen against wrong patterns seen"
    )
    larger_reach: float = threshold(
        2.2, "edges of the table file's die", (1.0, 4.0), "the whole of a large die seen against time"
    )
    larger_quality: float = threshold(
        0.9,
        _QUALITY,
        (0.6, 1.0),
        "parts of large dice doubted against dice that touch doubted",
        "dev-d6-stills (12) at 1.4 to 2.2 times the edge, 324 drawn pairs that touch, 2026-11-29",
    )
    larger_clearer: float = threshold(
        1.02,
        "quality of the whole over the part's",
        (0.8, 1.2),
        "the same",
        "drawn pairs that touch (324), 2026-11-29",
    )
    larger_told: float = threshold(
        1.15,
        "edges of the table file's die",
        (1.12, 1.4),
        "dice of about the right size told against parts of large ones told",
    )
    side_below: float = threshold(
        0.3, "edges of the die", (0.1, 0.6), "sides told from tops against dice that lie flush below another"
    )
    side_within: float = threshold(
        0.95,
        "edges of the die",
        (0.75, 1.0),
        "slanted sides told from tops against dice that lie flush",
    )
    side_light: float = threshold(
        8.0,
        "CIELAB lightness",
        (3.0, 20.0),
        "two sides of a leaning die told from two dice that touch against dice half in a shadow doubted",
    )
    disc_off: float = threshold(
        0.02,
        "distance of a body's outline from an ellipse, over its radius",
        (0.01, 0.04),
        "buttons, coins and lids told as dice against rounded dice doubted",
        "dice-byler and -damian, 695 faces: .024 and more; 18 of 23 drawn discs: .017 and less, 2026-11-29",
    )
    half_far: float = threshold(
        1.2,
        "edges of the face",
        (1.0, 1.5),
        "dominoes with narrow pips noticed against dice side by side doubted",
    )
    half_turned_deg: float = threshold(
        5.0, "degrees", (1.0, 15.0), "dominoes noticed against dice that touch doubted"
    )
    half_aside: float = threshold(0.15, "edges of the face", (0.02, 0.2), "the same")
    half_line: float = threshold(
        0.1,
        "share of the pips' contrast",
        (0.02, 0.3),
        "dominoes with a faint line noticed against dice that touch doubted",
    )
    half_gap: float = threshold(
        0.15,
        "share of the pips' contrast",
        (0.05, 0.4),
        "glossy dominoes noticed against dice with a groove between them doubted",
    )
    same_die: float = threshold(
        0.75, "edges of the die", (0.4, 1.0), "one die told once against dice that lie flush told as one"
    )


@dataclass(frozen=True, slots=True)
class DieColourParameters:
    """Thresholds for naming the colour of a body."""

    weak_chroma: float = threshold(
        8.0, "CIELAB chroma", (0.0, 30.0), "dark dice named by a weak hue against the lightness alone"
    )
    hue_spread: float = threshold(
        8.0,
        "CIELAB, one standard deviation",
        (2.0, 30.0),
        "names in coloured light against wrong names between like colours",
    )
    chroma_spread: float = threshold(
        18.0, "CIELAB, one standard deviation", (5.0, 50.0), "faded dice named against brown and red mixed up"
    )
    light_spread: float = threshold(
        18.0,
        "CIELAB, one standard deviation",
        (5.0, 50.0),
        "dice in shadow named against brown and orange mixed up",
    )
    least_white: float = threshold(
        0.003,
        "share of full light",
        (0.001, 0.1),
        "dark pictures evened against noise divided by noise: 10 of 255 grey levels (at .01 a warm dim lamp,"
        " blue .005, made a yellow die a brown one)",
    )
    black_ink: float = threshold(
        0.05,
        "share of what paper gives back",
        (0.0, 0.2),
        "colours paled by stray light brought back against colours deepened in a clear picture: what printed"
        " black gives back itself",
        "tags of dev-dubbe4-wood and -check, 2026-11-26: .02 to .04",
    )
    most_glare: float = threshold(
        0.5,
        "share of what paper gives back",
        (0.1, 0.9),
        "hazy pictures cleared against what hides a tag's black taken for stray light",
    )


DIE = DieParameters()
COLOUR = DieColourParameters()
