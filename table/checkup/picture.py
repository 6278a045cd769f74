"""Checks one frame of the camera: is it bright, sharp and free of glare, and does it show this table?"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from table.catalogue import fact
from table.checkup.verdict import CheckupLine
from table.eye_words import told_by
from vision.box.pose_fit import register_box
from vision.errors import TagsNotFoundError, VisionError
from vision.geometry import Registration, corners_mm, register
from vision.imgproc.colourless import is_colourless
from vision.layout import Layout
from vision.rectified import Plan
from vision.sightings import Picture
from vision.tag_noise import tag_noise_px
from vision.tags import find_tags

DARK = 90.0
"""Brightness (0..255) that the whitest paper in the picture should exceed (98 % of all pixels are darker)."""

BURNT = 250
"""Value (0..255) in all three channels from which on nothing can be told from white."""

MOST_BURNT = 30.0
"""Per cent of a picture: more burnt area is not a mirrored lamp. Sound dev footage has .1 at most."""

BLURRED_PX, BLURRED_SHARE = 5.0, 0.0038
"""Width of the sharpest edge (pixels, and share of the picture's width) from which on blur costs tags.

First frames of ten sets of dev footage, 2026-11-29: as they are .0022 widths at most; 40 blurred until
fewer than two tags are found .0039 and more.
"""

CARD_MM = 59.0
"""Width of a card where the table file names none."""

CARD_PX = 40.0
"""Least width of a card in the picture: half the pixels across of a face as it is compared."""

DIE_PX = 16.0
"""Least width of a die in the picture: its pips then have two or three pixels."""

OFF_MM = 1.5
"""Residual below which a fit is good enough to play by (mm on the mat, root mean square of the corners)."""

NOISE_TIMES = 2.5
"""Factor by which a fit's residual must exceed that of the tags themselves before the file is blamed.

Eight sets of dev footage, each as is and weakened in 13 ways (blurred, noisy, small, dark, bent, squeezed),
2026-11-29: the right file blamed in 0 of 110, the files of four other mats in 374 of 380.
"""

_TAG_BITS = 6
"""A tag of DICT_4X4 is six of its squares wide, border included."""

_SOBEL = 8.0
"""Factor by which OpenCV's operator of three rows exceeds the slope per pixel."""

_CLEAR = 30
"""Least step from dark to bright (0..255) that is measured."""

_HALF = 12
"""Pixels to both sides of an edge that are looked at."""


def find_table(picture: Picture, layout: Layout) -> Registration:
    """Where the table lies in a picture (BGR uint8). Raises VisionError where it is not seen."""
    if layout.kind == "field":
        return register_box(picture, layout)
    return register(picture, layout, layout.camera)


def examine(picture: Picture, layout: Layout | None) -> list[CheckupLine]:
    """Exposure, glare, sharpness and place of one frame (BGR uint8)."""
    white = float(np.percentile(picture.max(axis=2), 98))
    said = fact("checkup.white", n=f"{white:.0f}")
    if white < DARK:
        told = fact("checkup.dark", how=said)
        return [CheckupLine("exposure", False, told, fact("checkup.dark.do"))]
    burnt = 100 * float((picture.min(axis=2) >= BURNT).mean())
    found = [CheckupLine("exposure", True, said)]
    if burnt > MOST_BURNT:
        bright = fact("checkup.bright", n=f"{burnt:.0f}")
        found = [CheckupLine("exposure", False, bright, fact("checkup.bright.do"))]
    if layout is None:
        return found
    try:
        table = find_table(picture, layout)
    except VisionError as wrong:
        if burnt > MOST_BURNT and isinstance(wrong, TagsNotFoundError):  # it would ask for more light
            unseen = fact("checkup.bright.unseen", tags=[tag.id for tag in layout.tags])
            return [*found, CheckupLine("sight", False, unseen, fact("checkup.bright.do"))]
        return [*found, *_blur(picture), CheckupLine("sight", False, told_by(wrong))]
    glare = _glare(picture, layout, table)
    if glare.well is False and _paper(picture, layout, table) >= BURNT:
        glare = CheckupLine("glare", False, glare.said, fact("checkup.bright.do"))
        found = [CheckupLine("exposure", False, fact("checkup.bright.tags"), fact("checkup.bright.do"))]
    elif is_colourless(picture):
        found = [CheckupLine("exposure", False, fact("checkup.grey"), fact("checkup.grey.do"))]
    return [
        *found,
        _coverage(picture, layout, table),
        glare,
        _sharpness(picture, layout, table),
        _fit(picture, layout, table),
    ]


def _blur(picture: Picture) -> list[CheckupLine]:
    """Where no tag can be measured, check whether even the sharpest edge is as wide as a tag's square."""
    grey = np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), np.float32)
    low, high = np.percentile(grey, (2, 98))
    slope = np.hypot(cv2.Sobel(grey, cv2.CV_32F, 1, 0), cv2.Sobel(grey, cv2.CV_32F, 0, 1)) / _SOBEL
    steepest = float(np.percentile(slope, 99.9))
    if high - low < _CLEAR or steepest <= 0:
        return []
    width = float(high - low) / steepest
    if width < max(BLURRED_PX, BLURRED_SHARE * picture.shape[1]):
        return []
    return [CheckupLine("sharpness", False, fact("checkup.blur", n=f"{width:.0f}"), fact("checkup.edge.do"))]


def _paper(picture: Picture, layout: Layout, table: Registration) -> int:
    """Median brightness of the paper round the tags (0..255, the darkest of its channels)."""
    height, width = picture.shape[:2]
    found = []
    for tag in layout.tags:
        if tag.id not in table.tags:
            continue
        x, y, z = tag.center_mm
        out = tag.size_mm * (0.5 + 0.5 / _TAG_BITS)
        places = [(x + out * a, y + out * b) for a, b in ((1, 0), (-1, 0), (0, 1), (0, -1))]
        across, down = table.to_px(places, z).round().astype(int).T
        seen = picture[down.clip(0, height - 1), across.clip(0, width - 1)]
        found += seen.min(axis=1).tolist()
    return int(np.median(found)) if found else 0


def top_view(picture: Picture, layout: Layout) -> Picture:
    """The mat alone, seen from straight above (BGR uint8): nothing beyond its rim. Raises VisionError."""
    table = find_table(picture, layout)
    drawn = Plan(table, layout.size_mm, margin_mm=0.0).draw(picture)
    return np.asarray(drawn, np.uint8)


def _fit(picture: Picture, layout: Layout, table: Registration) -> CheckupLine:
    """Check whether the tags lie where the table file says, as far as this camera can tell."""
    off_mm = table.rms_px / table.px_per_mm()
    if layout.kind == "mat" and table.tags and off_mm > OFF_MM:
        noise_px = tag_noise_px(find_tags(picture), layout, table)
        if table.rms_px > NOISE_TIMES * noise_px:
            said = fact("checkup.elsewhere", n=round(table.rms_px, 1), noise=round(noise_px, 1))
            return CheckupLine("sight", False, said, fact("checkup.elsewhere.do"))
    fits = fact("checkup.fits", n=round(table.rms_px, 1))
    hidden = ", ".join(str(tag.id) for tag in layout.tags if tag.id not in table.tags)
    if hidden:
        fits = fact("checkup.fits.hidden", fits=fits, tags=hidden)
    return CheckupLine("sight", True, fits)


def _coverage(picture: Picture, layout: Layout, table: Registration) -> CheckupLine:
    """Check whether the whole table is in the picture, and large enough there to be read."""
    height, width = picture.shape[:2]
    corners = table.to_px(corners_mm(layout))
    inside = bool(((corners >= 0) & (corners <= (width, height))).all())
    share = 100 * cv2.contourArea(corners.astype(np.float32)) / (width * height)
    said = fact("checkup.coverage", n=f"{share:.0f}")
    if not inside:
        return CheckupLine("coverage", False, fact("checkup.coverage.cut"), fact("checkup.coverage.cut.do"))
    smallest = layout.card_size_mm[0] if layout.card_size_mm else layout.die_edge_mm or CARD_MM
    least = CARD_PX if layout.kind == "mat" else DIE_PX
    if table.px_per_mm() * smallest < least:
        return CheckupLine("coverage", False, said, fact("checkup.coverage.small.do"))
    return CheckupLine("coverage", True, said)


def _glare(picture: Picture, layout: Layout, table: Registration) -> CheckupLine:
    top = Plan(table, layout.size_mm, margin_mm=0.0).draw(picture)
    share = 100 * float((top.min(axis=2) >= BURNT).mean())
    said = fact("checkup.glare", n=round(share, 1))
    if share < 1:
        return CheckupLine("glare", True, said)
    remedy = fact("checkup.glare.do")
    return CheckupLine("glare", False, said, remedy)


def _sharpness(picture: Picture, layout: Layout, table: Registration) -> CheckupLine:
    """How far an edge of a printed tag spreads, over the tag's own squares: finer print is lost in it."""
    grey = np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), np.float32)
    widths, bits = [], []
    for tag in layout.tags:
        if tag.id not in table.tags:
            continue
        x, y, z = tag.center_mm
        half = tag.size_mm / 2
        for towards in ((1, 0), (-1, 0), (0, 1), (0, -1)):
            edge = (x + half * towards[0], y + half * towards[1])
            scale = table.px_per_mm(edge, z)
            at = table.to_px([edge], z)[0]
            out = table.to_px([(edge[0] + towards[0], edge[1] + towards[1])], z)[0] - at
            width = _edge_px(grey, at, out / max(float(np.linalg.norm(out)), 1e-9))
            if width is not None:
                widths.append(width)
                bits.append(scale * tag.size_mm / _TAG_BITS)
    if not widths:
        return CheckupLine("sharpness", None, fact("checkup.edge.none"))
    width, bit = float(np.median(widths)), float(np.median(bits))
    said = fact("checkup.edge", n=round(width, 1), square=round(bit, 1))  # fmt: skip
    if width < bit:
        return CheckupLine("sharpness", True, said)
    return CheckupLine("sharpness", False, said, fact("checkup.edge.do"))


def _edge_px(grey: NDArray[np.float32], at: NDArray[np.float64], out: NDArray[np.float64]) -> float | None:
    """Pixels between 10 % and 90 % of a step from dark to bright; None where there is no clear one."""
    steps = np.arange(-_HALF, _HALF + 0.25, 0.25)
    places = np.asarray(at + steps[:, None] * out, np.float32)
    profile = cv2.remap(grey, places[:, :1], places[:, 1:], cv2.INTER_LINEAR).ravel()
    rise = np.maximum.accumulate(profile[len(steps) // 4 : -len(steps) // 4])
    low, high = float(rise[0]), float(rise[-1])
    if high - low < _CLEAR:
        return None
    first = int(np.argmax(rise > low + 0.1 * (high - low)))
    last = int(np.argmax(rise > low + 0.9 * (high - low)))
    return (last - first) * 0.25
