"""Stills that stand alone: each is examined by itself and compared in size with the others.

The best outline of all that may be a card in a picture (`quads`) is taken. One picture can mislead: a beer
mat is a better rectangle than a card on wood. So pictures whose find differs from the known or usual size
are searched again, and refused if nothing fits.
"""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from vision.arrays import Float64
from vision.cards.lone import ELSEWHERE, MOST_AGREE, SOME, Lone
from vision.cards.one_place import usual_size
from vision.cards.outliers import refuse_across, refuse_within
from vision.cards.outline import order_corners, settle_quad, sides_of
from vision.cards.parameters import PHOTO_CARD
from vision.cards.quads import RATIO, quads_in
from vision.cards.reasons import NO_CARD, Reason
from vision.cards.rectangle import EdgeImage, fit_box, scan_boxes
from vision.geometry import Registration
from vision.layout import Layout
from vision.rectified import Plan
from vision.sightings import Picture

_TOLERANCE = 0.025
"""Share by which sides on the table may differ from the deck's: measuring errors against other things."""
_GOOD_ENOUGH = 0.7
"""Score of an outline above which no finer levels are searched: time against better outlines."""
_LEAST_SINGLE = 0.36
"""Least score of an outline in a picture without a table."""
_STIFF_PX = 120.0
"""Width of a card, in pixels, at which one of known size is searched for."""
_STIFF_SUPPORT = 0.5
"""Least share of the rim on edges for a card of known size."""
_SAME_PX = 0.08
"""Share by which sides in pixels may differ for one size, seen from a camera stand."""
_OTHER_PX = 0.2
"""Share above which sides belong to another size, however far a hand moved the camera."""
_SPREADS = 4.0
"""Factor of the usual difference of sizes above which a find is another thing."""
_AS_GOOD = 0.96
"""Share of the best score above which a second outline elsewhere leaves open which is the card."""
_LEAST_PX = 20.0
"""Least width of a card in its picture: a narrower one cannot be distinguished from another."""


def learn_alone(
    lone: Sequence[Lone], layout: Layout | None, size: Float64 | None, ratio: float | None
) -> None:
    """Find the card of every picture, or refuse it. `size` (mm) and `ratio` are the deck's, if known."""
    for each in lone:
        corners = find_single(each.picture, each.registration)
        if corners is None:
            each.refuse(NO_CARD)
        else:
            each.take(corners)
            if each.registration is None and each.size is not None and each.size[0] < _LEAST_PX:
                each.refuse(
                    Reason(
                        "small",
                        "the card is only {width:.0f} pixels wide; take it again from closer up",
                        width=round(float(each.size[0])),
                    )
                )
    _agree_on_table([each for each in lone if each.registration is not None], layout, size)
    free = [each for each in lone if each.registration is None]
    shapes = {each.picture.shape for each in free}
    for shape in shapes:
        same = [each for each in free if each.picture.shape == shape]
        _agree_in_px(same)
        refuse_within(same)
    refuse_across(free, ratio)


def find_single(picture: Picture, registration: Registration | None = None) -> Float64 | None:
    """Corners (4, 2) in pixels of the one card in a picture, clockwise, short side first; None if none."""
    best = max(quads_in(picture, registration, _GOOD_ENOUGH), key=lambda found: found[0], default=None)
    if best is not None and best[0] >= (
        PHOTO_CARD.least_score if registration is not None else _LEAST_SINGLE
    ):
        return best[1]
    height, width = picture.shape[:2]
    tall = max(height, width) / min(height, width)
    if registration is None and RATIO[0] < tall < RATIO[1]:  # the picture is cropped to the card's rim
        return order_corners([[0, 0], [width, 0], [width, height], [0, height]]) - 0.5
    return None


def _agree_on_table(found: Sequence[Lone], layout: Layout | None, size: Float64 | None) -> None:
    """Search again for the deck's size, now known, where another size was found on the table."""
    sizes = [each.size for each in found if each.size is not None]
    usual = size if size is not None else np.median(sizes, axis=0) if sizes else None
    if usual is None or layout is None:
        return
    for each in found:
        if each.size is None and size is None and len(sizes) < SOME:
            continue
        if each.size is not None and np.abs(each.size / usual - 1).max() <= _TOLERANCE:
            continue
        corners = _on_table(each, layout, usual)
        if corners is None:
            each.refuse(
                Reason.of_size(
                    "size.mm",
                    "the card in this picture is not the size of the others"
                    " ({width:.0f} x {height:.0f} mm); take it again",
                    usual,
                )
            )
        else:
            each.take(corners)
            each.reason = None


def _on_table(each: Lone, layout: Layout, size: Float64) -> Float64 | None:
    """Corners in pixels of a rectangle of known size (mm) with edges all round; None if there is none."""
    assert each.registration is not None
    plan = Plan(each.registration, layout.size_mm, 1.0)
    grey = cv2.cvtColor(plan.draw(each.picture), cv2.COLOR_BGR2GRAY).astype(np.float32)
    image = EdgeImage.of(grey)
    form = (float(size[0]), float(size[1]))
    boxes = [fit_box(image, at, angle, form, 4.0) for at, angle, _ in scan_boxes(image, form)]
    best = max(boxes, key=lambda box: box.support, default=None)
    if best is None or best.support < _STIFF_SUPPORT:
        return None
    return order_corners(each.registration.to_px(plan.to_mm(best.corners)))


def _agree_in_px(found: Sequence[Lone]) -> None:
    """Search again, in pictures of one camera that hardly moved, where a card of another size was found."""
    sizes = [each.size for each in found if each.size is not None]
    usual = usual_size(sizes)
    if len(sizes) < SOME or usual is None:
        return
    apart = np.array([float(np.abs(size / usual - 1).max()) for size in sizes])
    if np.mean(apart < _SAME_PX) < MOST_AGREE:
        return
    # A hand-held camera is sometimes nearer; on a stand, all cards have one size.
    most = min(max(_SPREADS * float(np.median(apart)), _SAME_PX), _OTHER_PX)
    for each in found:
        off = np.inf if each.size is None else float(np.abs(each.size / usual - 1).max())
        if off < most:
            continue
        fitting = [q for q in quads_in(each.picture) if np.abs(sides_of(q[1]) / usual - 1).max() < _SAME_PX]
        box = _only_one(fitting, usual) if fitting else _stiff(each.picture, usual)
        if box is not None:
            each.take(box)
            each.reason = None
        else:
            each.refuse(
                Reason.of_size(
                    "size.none",
                    "no card as large as in the other pictures ({width:.0f} x {height:.0f} px) found"
                    " in this one; take it again with one card wholly in view",
                    usual,
                )
            )


def _stiff(picture: Picture, size: Float64) -> Float64 | None:
    """Corners (4, 2) in pixels of a rectangle of known size (short, long side) with edges all round."""
    scale = min(1.0, _STIFF_PX / float(size[0]))
    small = cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    grey = np.asarray(cv2.cvtColor(small, cv2.COLOR_BGR2GRAY), np.float32)
    image = EdgeImage.of(grey)
    form = (float(size[0]) * scale, float(size[1]) * scale)
    boxes = [fit_box(image, at, angle, form, 4.0) for at, angle, _ in scan_boxes(image, form)]
    best = _only_one([(box.support, box.corners) for box in boxes], size * scale)
    if best is None or max(box.support for box in boxes) < _STIFF_SUPPORT:
        return None
    full = np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), np.float32)
    return order_corners(settle_quad(full, (best + 0.5) / scale - 0.5, 1.5 / scale))


def _only_one(found: Sequence[tuple[float, Float64]], size: Float64) -> Float64 | None:
    """The best of all (score, corners (4, 2)); None if another one as good lies elsewhere.

    Which of two squares of a cloth is the card cannot be known.
    """
    best, corners = max(found, key=lambda each: each[0], default=(0.0, None))
    if corners is None:
        return None
    apart = ELSEWHERE * float(size[0])
    rivals = (
        other
        for score, other in found
        if score > _AS_GOOD * best and np.linalg.norm(other.mean(axis=0) - corners.mean(axis=0)) > apart
    )
    return corners if next(rivals, None) is None else None
