"""Thresholds for fitting and tracking a dice box's pose (`pose_fit`, `pose_tracker`, `focus`)."""

from __future__ import annotations

from dataclasses import dataclass

from vision.parameters import threshold


@dataclass(frozen=True, slots=True)
class PoseFitParameters:
    """Thresholds for the fit to tags and printed lines, and for whether the box has moved."""

    step_mm: float = threshold(
        4.0, "mm", (1.0, 15.0), "points of zone lines, and with them certainty, against time"
    )
    least_lines: int = threshold(
        60, "points of zone lines", (10, 400), "boxes fitted by few lines against lines of something else"
    )
    rounds: int = threshold(8, "steps of the fit", (2, 20), "how near the fit comes against time")
    line_px: float = threshold(
        0.8, "px, one standard deviation", (0.3, 3.0), "weight of the lines against that of the tags"
    )
    huber: float = threshold(
        2.0,
        "standard deviations",
        (1.0, 6.0),
        "lines under dice and shadows pull little against lines that are far off",
    )
    askew_share: float = threshold(
        0.0008,
        "picture widths, what the tags leave over",
        (0.0005, 0.003),
        "bent lenses and squeezed pictures noticed against straight lenses bent to fit badly measured tags",
        "sound films of dev-doppelx3, -x4, -x6 leave .0003 to .0005, 2026-11-29; bent by k1 -.16 .0007 to"
        " .0009, by -.32 .0010 to .0024",
    )
    lens_times: float = threshold(
        1.25,
        "times less left over at the tags",
        (1.05, 3.0),
        "bent lenses and squeezed pictures fitted against straight lenses bent to fit badly measured tags",
    )
    believable_px: float = threshold(
        4.0, "px", (1.5, 8.0), "small pictures read against table files of other boxes"
    )
    believable_share: float = threshold(
        0.006,
        "picture widths, what the tags leave over",
        (0.0015, 0.012),
        "boxes measured badly read against places told that are wrong",
        "2026-11-29, first frames of dev-doppelx3 and -x6: with one tag said to be 4, 6 and 8 mm beside its"
        " place the floor is found to .2 mm all the same, and the tags leave over .0019 to .0045",
    )
    most_zoom: float = threshold(
        0.3,
        "natural logarithm of the focal length, a step",
        (0.05, 1.0),
        "steps that find a far focal length against steps that leap away",
    )
    smooth_px: float = threshold(
        1.0, "px, standard deviation", (0.5, 3.0), "edges found in noise against edges of thin lines"
    )
    strong: float = threshold(
        12.0,
        "CIELAB distance a pixel",
        (4.0, 40.0),
        "every line counts alike against bright lines that count more",
    )
    least_edge: float = threshold(
        5.0, "CIELAB distance a pixel", (1.0, 15.0), "faded lines found against noise taken for lines"
    )
    reach_px: int = threshold(
        5, "px", (2, 12), "lines found far off their place against edges of something else"
    )
    moved_px: float = threshold(
        1.2, "px", (0.4, 6.0), "boxes that were turned or pushed noticed against noise in the tags"
    )
    nudged_px: float = threshold(
        0.5, "px, all tags together", (0.1, 3.0), "a camera that gave way noticed against noise in the tags"
    )
    askew_px: float = threshold(
        4.0, "px", (1.0, 15.0), "tags on bent paper borne against tags of two boxes taken for one"
    )
    tiles_mm: float = threshold(
        95.0,
        "mm beyond the floor",
        (40.0, 200.0),
        "bet tiles and their shadows looked at against things beside them",
    )
    calm: float = threshold(
        0.01,
        "share of a tag's pixels",
        (0.001, 0.1),
        "time: tags that look alike are not sought again, against small pushes noticed late",
    )
    tag_room: float = threshold(
        0.6, "sides of a tag", (0.2, 1.5), "tags found again after a push against time"
    )
    least_tag_px: int = threshold(16, "px", (6, 60), "tags that the picture cuts looked at against time")
    most_blur: float = threshold(
        0.03,
        "edges of a die, one standard deviation more than usual",
        (0.01, 0.1),
        "throws told while the lens hunts for its focus against dice missed in the blur",
        "14 rests each of dev-doppelx3, -x4, -x6, 193 dice, 2026-11-27: blurred by .02 edges all found and"
        " right, by .027 all (x4, x6), by .04 five missed, by .055 to .07 eight, by more three wrong",
    )


POSE_FIT = PoseFitParameters()
