"""Cards beneath known cards: rectangles of the card's size whose rim is only partly visible.

What lies on top is known and accounted for: of a rectangle underneath, only those pieces of rim count that no
known card hides. They must lie on edges, with at least one piece of a long and one of a short side, or the
place is not determined. The topmost rectangle is taken first and hides those below it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.arrays import Float32, Float64, Mask
from vision.cards.covers import Covers
from vision.cards.occluded_remnant import find_remnant
from vision.cards.outline import box_corners, edge_offsets, look_up
from vision.cards.rectangle import Box, EdgeImage, fit_boxes
from vision.cards.rectangle_parameters import RECTANGLE
from vision.sightings import Picture

_TURN_STEP = np.deg2rad(3.0)
"""Radians between the turns that are tried: time against rims that lie askew to all of them."""
_PEAKS = 12
"""Places proposed for each turn."""
_MOST = 80
"""Proposals that are fitted: time against cards far under others."""
_SEAM_PX = 2
"""Width (px) beside a known card's rim in which its own edge and shadow are seen, not what lies beneath."""
_BARE = 0.6
"""Share of a rim on edges up to which the rim counts as no evidence."""
_AREA = 0.05
"""Length of rim that counts as much as one pixel of paper."""
_FACE = 0.2
"""Share within which rims count as equal, so that the print decides."""
_SAME_PX = 3.0
"""Distance up to which corners belong to one rectangle."""
_LEAST_PX = 16.0
_LEAST_SIDE_PX = 5.0
"""Least length of visible rim for a place to be determined: in total, and of a long and a short side each."""
_INSIDE_PX = 3.0
_PAPER = 0.7
"""How far inside the rim the margin's paper must show, and along which share of the visible rim."""
_PAPERED = 0.15
_BESIDE_PX = (25.0, 60.0)
"""Share of the ground with paper's tint above which paper does not show how far a card extends; measured so
far from known cards. It is .22 to .36 on a chequered cloth, at most .11 on 27 of 30 other pictures."""
_TINT = 0.2
"""Largest log ratio of a channel to the margin's once shading is removed: tinted light against cloth."""
_SHADE = (0.4, 1.8)
"""Least and most brightness of paper relative to a known card's margin: shadows and glare."""
_LEAST_HIDDEN = 0.1
"""Least share of a rectangle that must lie under the known cards for it to be beneath them."""
_MOST_BENEATH = 20
"""Most remnants that are searched for: a limit for the loop, beyond any heap."""
_ON_EDGE = 0.72
"""Least share of the visible rim that must lie on edges for a card: worn rims against print."""
_NEAR_PX = 1.5
"""How far from the rim its edge may lie."""
_BACKWARD = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP


@dataclass(frozen=True, slots=True)
class _Occluded:
    """A partly visible rectangle: share of its visible rim on edges, that rim's length, visible paper."""

    box: Box
    on_edge: float
    rim_px: float
    area_px: float

    @property
    def weight(self) -> float:
        """Weight of the evidence: edges, and the paper inside them, which shows how far a card extends."""
        return self.rim_px * (self.on_edge - _BARE) + _AREA * self.area_px


def find_occluded(
    top: Picture,
    image: EdgeImage,
    known: list[Float64],
    size: tuple[float, float],
    likeness: Callable[[Box, Mask], float],
) -> list[Box]:
    """Rectangles (width, height) partly under the `known` ones (4, 2), topmost first.

    All in pixels of the top view: `top` is (h, w, 3) BGR, `image` the same in grey. Where a corner may belong
    to a card lengthwise or crosswise, the print decides: `likeness` (-1 to 1) is that of a rectangle's print
    outside a cover (h, w) to some face.
    """
    cover = np.zeros(image.grey.shape, np.bool_)
    for corners in known:
        cover |= _place(cover, corners) > 0
    covers = Covers(image.grey, _paper(top, known, cover), cover, _free(cover), image.level)
    found: list[Box] = []

    def take(box: Box) -> None:
        place = _place(cover, box.corners) > 0
        np.logical_or(cover, place, out=cover)
        np.logical_and(covers.free, _free(place), out=covers.free)
        found.append(box)

    while proposed := _scan(covers, size):
        take(_best(proposed, cover, likeness).box)
    if _papered(covers):
        return found  # the paper visible beside a known card may be the cloth
    while len(found) < _MOST_BENEATH and (rest := find_remnant(covers, size)) is not None:
        take(rest)
    return found


def _papered(covers: Covers) -> bool:
    """Whether the ground itself has the tint of paper in places, as the white of a chequered cloth has."""
    if not covers.cover.any():
        return False
    away = cv2.distanceTransform((~covers.cover).astype(np.uint8), cv2.DIST_L2, 3)
    beside = (away > _BESIDE_PX[0]) & (away < _BESIDE_PX[1])
    return bool(beside.any() and covers.paper[beside].mean() > _PAPERED)


def _best(proposed: list[_Occluded], cover: Mask, likeness: Callable[[Box, Mask], float]) -> _Occluded:
    """The rectangle with the most evidence; the print decides where the evidence is about equal."""
    most = max(each.weight for each in proposed)
    rivals = [each for each in proposed if each.weight > most / (1 + _FACE)]
    if len(rivals) == 1:
        return rivals[0]
    return max(rivals, key=lambda each: each.weight * (1 + _FACE * max(0.0, likeness(each.box, cover))))


def _scan(covers: Covers, size: tuple[float, float]) -> list[_Occluded]:
    """Rectangles whose uncovered outline lies on edges all round."""
    part = covers.near(size)
    if part is None:
        return []
    found = []
    for box in fit_boxes(EdgeImage(part.grey, part.level, part.free), _proposals(part, size), size, 4.0):
        seen = _judged(part, box)
        if seen is not None:
            found.append(replace(seen, box=part.whole(box)))
    return _distinct(found)


def _distinct(found: list[_Occluded]) -> list[_Occluded]:
    """Each rectangle once, since many proposals settle on the same edges."""
    kept: list[_Occluded] = []
    for each in sorted(found, key=lambda one: -one.weight):
        if all(np.abs(each.box.corners - other.box.corners).max() > _SAME_PX for other in kept):
            kept.append(each)
    return kept


def _free(cover: Mask) -> Mask:
    """Where there is neither a cover nor the edge and shadow of its rim."""
    wide = np.ones((2 * _SEAM_PX + 1, 2 * _SEAM_PX + 1), np.uint8)
    return np.asarray(cv2.dilate(cover.astype(np.uint8), wide) == 0)


def _proposals(covers: Covers, size: tuple[float, float]) -> list[tuple[tuple[float, float], float]]:
    """Places (middle, angle) at which the visible rim lies mostly on edges, found at half the size."""
    grey, level = covers.grey, covers.level
    rows, columns = grey.shape[0] // 2, grey.shape[1] // 2
    half = cv2.resize(grey, (columns, rows), interpolation=cv2.INTER_AREA)
    open_ = cv2.resize(covers.free.astype(np.float32), (columns, rows), interpolation=cv2.INTER_AREA)
    open_ = (open_ > RECTANGLE.all_free).astype(np.float32)
    width, height = size[0] / 2, size[1] / 2
    dx = cv2.Sobel(half, cv2.CV_32F, 1, 0, ksize=3) / 8
    dy = cv2.Sobel(half, cv2.CV_32F, 0, 1, ksize=3) / 8
    side = int(np.ceil(np.hypot(rows, columns))) + 2
    middle = np.array([columns - 1, rows - 1]) / 2
    found: list[tuple[float, float, float, float]] = []
    for angle in np.arange(0, np.pi / 2, _TURN_STEP):
        c, s = float(np.cos(angle)), float(np.sin(angle))
        start = middle - np.array([c - s, s + c]) * (side / 2)
        turn = np.array([[c, -s, start[0]], [s, c, start[1]]])
        more = np.abs(c * dx + s * dy) - np.abs(-s * dx + c * dy)
        seen = np.asarray(cv2.warpAffine(open_, turn, (side, side), flags=_BACKWARD), np.float32)
        across, down = (
            np.asarray(cv2.warpAffine(u / (u + level), turn, (side, side), flags=_BACKWARD), np.float32)
            for u in (np.maximum(more, 0), np.maximum(-more, 0))
        )
        upright = _score(across, down, seen, width, height)
        lying = _score(down.T.copy(), across.T.copy(), seen.T.copy(), width, height)
        for score, quarter in ((upright, 0.0), (lying, np.pi / 2)):
            for _ in range(_PEAKS):
                _, best, _, at = cv2.minMaxLoc(score)
                if best < _LEAST_PX / 8:
                    break
                x, y = (at[0], at[1]) if not quarter else (at[1], at[0])
                px = c * (x - side / 2) - s * (y - side / 2) + middle[0]
                py = s * (x - side / 2) + c * (y - side / 2) + middle[1]
                found.append((best, px, py, float(angle + quarter)))
                cv2.circle(score, at, 3, 0, -1)
    found.sort(reverse=True)
    kept: list[tuple[tuple[float, float], float]] = []
    for _, px, py, angle in found:
        place = (2 * px + 0.5, 2 * py + 0.5), angle
        near = any(
            max(abs(place[0][0] - x), abs(place[0][1] - y)) < _SAME_PX
            and abs(np.sin(angle - other)) < RECTANGLE.same_turn_steps * _TURN_STEP
            for (x, y), other in kept
        )
        if not near and _hidden(covers.cover, place, size) > _LEAST_HIDDEN / 2:
            kept.append(place)
            if len(kept) == _MOST:
                break
    return kept


def _hidden(cover: Mask, place: tuple[tuple[float, float], float], size: tuple[float, float]) -> float:
    """Roughly how much of a rectangle lies under the cover, sampled at 7 x 7 points."""
    shares = np.linspace(0.07, 0.93, 7)
    corners = box_corners(place[0], size, place[1])
    across, along = corners[1] - corners[0], corners[3] - corners[0]
    points = corners[0] + shares[:, None, None] * across + shares[None, :, None] * along
    return float(look_up(cover, points).mean())


def _score(across: Float32, down: Float32, seen: Float32, width: float, height: float) -> Float32:
    """Pixels of visible rim on edges less half of all visible rim, by the place (n, n) of the middle."""
    w, h = round(width / 2), round(height / 2)
    score = np.zeros_like(across)
    if min(across.shape) <= 2 * max(w, h):
        return score
    tall, wide = round(height * RECTANGLE.straight), round(width * RECTANGLE.straight)
    upright = cv2.dilate(across, np.ones((1, 2), np.uint8)) * seen - 0.5 * seen
    lying = cv2.dilate(down, np.ones((2, 1), np.uint8)) * seen - 0.5 * seen
    long = cv2.boxFilter(upright, -1, (1, tall), normalize=False)
    short = cv2.boxFilter(lying, -1, (wide, 1), normalize=False)
    left, right = long[h:-h, : -2 * w], long[h:-h, 2 * w :]
    top, bottom = short[: -2 * h, w:-w], short[2 * h :, w:-w]
    score[h:-h, w:-w] = np.minimum(np.maximum(left, right), np.maximum(top, bottom)) * 0.5 + (
        left + right + top + bottom
    )
    return score


def _judged(covers: Covers, box: Box) -> _Occluded | None:
    """The rectangle with its visible rim measured; None if that rim shows too little."""
    place = _place(covers.cover, box.corners) > 0
    if not place.any() or float(covers.cover[place].mean()) < _LEAST_HIDDEN:
        return None
    offsets, strength, places = edge_offsets(covers.grey, box.corners, 2.0, 40)
    shows = look_up(covers.free, places)
    inside = places + (np.array(box.middle) - places) * (
        _INSIDE_PX / np.linalg.norm(np.array(box.middle) - places, axis=-1, keepdims=True)
    )
    shows_px = max(1.0, float(shows.sum()))
    if float((shows * look_up(covers.paper, inside)).sum()) < _PAPER * shows_px:
        return None
    power = np.abs(strength)
    good = shows * (np.abs(offsets) < _NEAR_PX) * power / (power + covers.level)
    lengths = RECTANGLE.straight * np.array([box.size[0], box.size[1]] * 2)
    seen, fits = shows.mean(axis=1) * lengths, good.mean(axis=1) * lengths
    rim = float(seen.sum())
    if rim < _LEAST_PX or min(max(fits[0], fits[2]), max(fits[1], fits[3])) < _LEAST_SIDE_PX:
        return None
    share = float(fits.sum()) / rim
    area = float((covers.paper & covers.free)[place].sum())
    return _Occluded(box, share, rim, area) if share >= _ON_EDGE else None


def _place(cover: Mask, corners: Float64) -> NDArray[np.uint8]:
    """A mask (h, w) with 1 inside a quadrilateral (4, 2)."""
    place = np.zeros(cover.shape, np.uint8)
    cv2.fillPoly(place, [np.round(corners * 16).astype(np.int32)], 1, shift=4)
    return place


def _paper(top: Picture, known: list[Float64], cover: Mask) -> Mask:
    """Where the picture (h, w, 3) has the tint of some known card's margin, in any shade."""
    logs = np.log(cv2.GaussianBlur(top, (0, 0), 1.0).astype(np.float32) + 4.0)
    ground = np.median(logs[~cover], axis=0)
    paper = np.zeros(top.shape[:2], np.bool_)
    for corners in known:
        ring = _place(paper, corners) - cv2.erode(_place(paper, corners), np.ones((9, 9), np.uint8))
        margin = np.median(logs[ring > 0], axis=0)
        apart = logs - margin
        shade = apart.mean(axis=2)
        tint = np.abs(apart - shade[..., None]).max(axis=2)
        least = np.log(_SHADE[0])
        bare = ground - margin
        if np.abs(bare - bare.mean()).max() < _TINT:  # a grey mat under white paper: the shade decides
            least = max(least, float(bare.mean()) / 2)
        paper |= (tint < _TINT) & (shade > least) & (shade < np.log(_SHADE[1]))
    return paper
