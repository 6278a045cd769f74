"""Enrolment: find the one card in a still, in front of any ground, and cut it out flat.

Of all that may be a card (`quads`) the best outline is it. When a whole deck was photographed on a registered
table, its size is the median, and stills that disagree are fitted again with that size.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.cards.naming import FACE_PX
from vision.cards.outline import order_corners, settle_quad, sides_of
from vision.cards.quads import LEAST_SCORE, RATIO, quads_in
from vision.cards.rectangle import fit_box, noise_of, scan_boxes
from vision.errors import DeckError, TagsNotFoundError
from vision.geometry import Registration, flatten_px, register
from vision.layout import Layout, Point
from vision.plan import Plan
from vision.sightings import Picture

Floats = NDArray[np.float64]

_TOLERANCE = 0.025
_GOOD_ENOUGH = 0.7
_LEAST_SINGLE = 0.36
_STIFF_PX = 120.0
_ANOTHER = 0.5
"""A find off by this share of the usual size is no card of the deck, perhaps the whole picture."""

_ODD = 0.08
"""Crops cut by hand differ in shape by up to 6 %; a strip of print taken for ground makes 9 %."""


@dataclass(frozen=True, slots=True)
class Still:
    """A picture with exactly one card; `where` names it in errors."""

    name: str
    where: str
    picture: Picture


@dataclass(frozen=True, slots=True)
class Learnt:
    """Flattened faces (120, 80, 3) by name, size in mm (None without a table), long side by short side.

    `odd` names the cards whose outline has another shape than most: cut out roughly, or no card at all.
    """

    names: tuple[str, ...]
    pictures: tuple[Picture, ...]
    size_mm: Point | None
    ratio: float
    odd: tuple[str, ...]


@dataclass(slots=True)
class _Found:
    still: Still
    registration: Registration | None
    corners: Floats
    size: Floats


def learn_stills(stills: list[Still], layout: Layout | None = None) -> Learnt:
    """What stills that each show one card teach. Raises DeckError with the still that cannot be used."""
    found = [_find(still, layout) for still in stills]
    on_table = [f for f in found if f.registration is not None]
    given = layout.card_size_mm if layout else None
    size: Point | None = None
    if on_table:
        middle = np.median([f.size for f in on_table], axis=0)
        size = given or (float(middle[0]), float(middle[1]))
        for f in on_table:
            if np.abs(f.size / np.array(size) - 1).max() > _TOLERANCE:
                _fit_again(f, size, layout)
    elif given:
        size = given
    _agree([f for f in found if f.registration is None])
    ratios = np.array([f.size[1] / f.size[0] for f in found])
    ratio = float(np.median(ratios))
    odd = [f.still.name for f, own in zip(found, ratios, strict=True) if abs(own / ratio - 1) > _ODD]
    return Learnt(
        names=tuple(f.still.name for f in found),
        pictures=tuple(flatten_px(f.still.picture, f.corners, FACE_PX) for f in found),
        size_mm=size,
        ratio=size[1] / size[0] if size else ratio,
        odd=tuple(odd),
    )


def _agree(found: list[_Found]) -> None:
    """Pictures of one camera that hardly moved: who found a card of another size looks for one of theirs."""
    if len(found) < 4 or len({f.still.picture.shape for f in found}) > 1:
        return
    usual = np.median([f.size for f in found], axis=0)
    apart = [float(np.abs(f.size / usual - 1).max()) for f in found]
    if np.mean(np.array(apart) < 0.08) < 0.7:
        return
    for each, off in zip(found, apart, strict=True):
        if off < 0.2:
            continue
        fitting = [q for q in quads_in(each.still.picture) if np.abs(sides_of(q[1]) / usual - 1).max() < 0.08]
        if fitting:
            each.corners = max(fitting, key=lambda quad: quad[0])[1]
        else:
            box = _stiff(each.still.picture, usual)
            if box is None and off > _ANOTHER:
                raise DeckError(
                    f"{each.still.where}: no card as large as in the other pictures ({usual[0]:.0f} x"
                    f" {usual[1]:.0f} px) found in this one; take it again with one card wholly in view"
                )
            each.corners = each.corners if box is None else box
        each.size = sides_of(each.corners)


def _stiff(picture: Picture, size: Floats) -> Floats | None:
    """Corners (4, 2) in pixels of a rectangle of known size (short, long side) that has edges all round."""
    scale = min(1.0, _STIFF_PX / float(size[0]))
    small = cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    grey = np.asarray(cv2.cvtColor(small, cv2.COLOR_BGR2GRAY), np.float32)
    level = max(1.5, 1.5 * noise_of(grey))
    width, height = (float(side) * scale for side in size)
    boxes = [
        fit_box(grey, m, angle, (width, height), 4.0, level)
        for m, angle, _ in scan_boxes(grey, (width, height), level)
    ]
    best = max(boxes, key=lambda box: box.support, default=None)
    if best is None or best.support < 0.5:
        return None
    full = np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), np.float32)
    return order_corners(settle_quad(full, (best.corners + 0.5) / scale - 0.5, 1.5 / scale))


def _find(still: Still, layout: Layout | None) -> _Found:
    registration = None
    if layout is not None and layout.tags:
        try:
            registration = register(still.picture, layout)
        except TagsNotFoundError:
            registration = None  # a crop, or a still from another table: measured in its own pixels
    corners = find_single(still.picture, registration)
    if corners is None:
        raise DeckError(
            f"{still.where}: no card found in this picture; take it again with exactly one card lying flat,"
            " wholly in view and unlike the ground"
        )
    size = sides_of(corners if registration is None else registration.to_mm(corners) * [1, -1])
    return _Found(still, registration, corners, size)


def _fit_again(found: _Found, size: Point, layout: Layout | None) -> None:
    """Look for the card once more, now that its size is known."""
    assert found.registration is not None
    assert layout is not None
    plan = Plan(found.registration, layout.size_mm, 1.0)
    grey = cv2.cvtColor(plan.draw(found.still.picture), cv2.COLOR_BGR2GRAY).astype(np.float32)
    level = max(1.5, 1.5 * noise_of(grey))
    boxes = [
        fit_box(grey, middle, angle, size, 4.0, level) for middle, angle, _ in scan_boxes(grey, size, level)
    ]
    best = max(boxes, key=lambda box: box.support, default=None)
    if best is None or best.support < 0.5:
        raise DeckError(
            f"{found.still.where}: the card in this picture is not the size of the others"
            f" ({size[0]:.0f} x {size[1]:.0f} mm); take it again"
        )
    found.corners = order_corners(found.registration.to_px(plan.to_mm(best.corners)))
    found.size = np.array(size)


def find_single(picture: Picture, registration: Registration | None = None) -> Floats | None:
    """Corners (4, 2) in pixels of the one card in a picture, clockwise, short side first; None if none."""
    best = max(quads_in(picture, registration, _GOOD_ENOUGH), key=lambda found: found[0], default=None)
    if best is not None and best[0] >= (LEAST_SCORE if registration is not None else _LEAST_SINGLE):
        return best[1]
    height, width = picture.shape[:2]
    tall = max(height, width) / min(height, width)
    if registration is None and RATIO[0] < tall < RATIO[1]:  # cut out to its very rim
        return order_corners([[0, 0], [width, 0], [width, height], [0, height]]) - 0.5
    return None
