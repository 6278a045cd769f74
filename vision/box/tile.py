"""The bet tiles of one picture: the empty tile behind a top, the light on it, and what lies there unread.

Tiles lie beside the floor and higher, in other light, so the light is measured for each tile. Their print is
known from the picture of the empty box, if that shows the tile.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.arrays import Float32, Mask
from vision.box.background import Ground
from vision.box.dice_set import DiceSet
from vision.box.floor_parameters import FLOOR_VIEW
from vision.box.foreground import Print
from vision.box.illumination import FloorLight, log_ratio
from vision.box.in_view import FloorArea, flatten_on, is_in_view, is_whole, seen_part
from vision.box.paint_parameters import PAINT
from vision.box.print_parameters import PRINT
from vision.box.tile_parameters import TILE
from vision.dice.colour import in_light_of
from vision.dice.pips import LIGHT_BY_HALF, Lab, to_lab
from vision.geometry import Registration
from vision.layout import Bet, Point
from vision.sightings import DieSeen, Guess, Picture

EDGE_PX = 12.0
"""Edge of a die, in pixels, in the cut-out of a whole tile."""


@dataclass(frozen=True)
class TileView:
    """One tile in one picture; `light` is the light on it over that at enrolment."""

    picture: Picture
    fit: Registration
    ground: Ground
    bet: Bet
    light: FloorLight
    edge_mm: float

    @classmethod
    def of(
        cls, picture: Picture, fit: Registration, ground: Ground, bet: Bet, edge_mm: float
    ) -> TileView | None:
        """View a tile in a picture (h, w, 3) BGR; None where its print is unknown or does not show."""
        if bet.kind not in ground.bands:
            return None
        size = _size(bet, edge_mm)
        share, known = _compared(picture, fit, ground, bet, size)
        moved = _lined_up(picture, fit, ground, bet)
        if moved is not None:
            there = _compared(picture, fit, moved, bet, size)
            # A die over a tile's rim makes it seem moved, too; then more of it differs there than in place.
            if 1 - there[1] < TILE.less_strange * (1 - known):
                ground, (share, known) = moved, there
        if known < TILE.known:
            return None
        return cls(picture, fit, ground, bet, FloorLight.even(share, ground.white), edge_mm)

    @cached_property
    def _backdrop(self) -> tuple[Lab, Mask]:
        """The empty tile, CIELAB, behind the plane of the tops on it, an edge larger; where it is known."""
        z, (x0, y0, x1, y1), room = self.bet.center_mm[2], tile_area(self.bet), self.edge_mm
        area, scale = (x0 - room, y0 - room, x1 + room, y1 + room), EDGE_PX / room
        then = self.ground.behind(self.fit, area, z + self.edge_mm, scale, z)
        return to_lab(then), np.asarray(then.any(axis=2))

    def behind(self, at: Point) -> Lab | None:
        """Colour of the empty tile (CIELAB, in this picture's light) behind a top at a place (mm)."""
        then, known = self._backdrop
        x, y = (v + EDGE_PX for v in self._px(at))
        reach = round(FLOOR_VIEW.behind * EDGE_PX)
        part = tuple(slice(max(0, v - reach), max(1, v + reach + 1)) for v in (int(y), int(x)))
        colours = then[part][known[part]]
        if 2 * len(colours) < (2 * reach + 1) ** 2:
            return None
        return self.light.put_on(np.median(colours, axis=0), at)

    def round(self, at: Point, px_per_mm: float) -> tuple[Lab, Lab, Lab]:
        """The tile round a place (mm) for `is_print`: as seen, in the light of enrolment, and empty."""
        reach, z = PRINT.round_die * self.edge_mm, self.bet.center_mm[2]
        area = (at[0] - reach, at[1] - reach, at[0] + reach, at[1] + reach)
        size = (round(2 * reach * px_per_mm),) * 2
        cut = flatten_on(self.picture, self.fit, area, z, size)
        then = self.light.at_most(flatten_on(self.ground.empty, self.ground.fit, area, z, size), area)
        return to_lab(cut), to_lab(self.light.taken_off(cut, area)), to_lab(then)

    @cached_property
    def _whole(self) -> tuple[Lab, Mask, Mask]:
        """The whole tile, CIELAB in the light of enrolment; masks: shows more than print, print is known."""
        area, z, size = tile_area(self.bet), self.bet.center_mm[2], _size(self.bet, self.edge_mm)
        cut = self.light.taken_off(flatten_on(self.picture, self.fit, area, z, size), area)
        then = self.light.at_most(flatten_on(self.ground.empty, self.ground.fit, area, z, size), area)
        seen, known = seen_part(self.fit, area, z, size), seen_part(self.ground.fit, area, z, size)
        usual = np.median(then[known], axis=0).astype(np.uint8)
        then[~known] = usual
        lab = to_lab(cut)
        return lab, Print.of(then).news(cut, lab) & seen, known & seen

    def unread(self, dice: DiceSet, lying_px: Sequence[Point], missing: Collection[str]) -> Iterator[DieSeen]:
        """Find what lies on the tile besides the dice whose tops are at these pixels; it is in doubt.

        It is a die of one of the `missing` colours, recognised by its paint, or else a thing of unknown kind.
        """
        lab, news, known = self._whole
        news = news & ~self._covered(lying_px, news.shape)
        paints = {c: self._patch(lab, news, in_light_of(dice.bodies[c], self.ground.white)) for c in missing}
        sizes = sorted((patch[0] for patch in paints.values() if patch), reverse=True)
        told = False
        for colour, patch in paints.items():
            if patch and patch[0] == sizes[0] and (len(sizes) < 2 or sizes[0] > PAINT.clearly * sizes[1]):
                told = True
                yield self._die(colour, patch[1])
        strange = (news & known).astype(np.uint8)
        thing = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (round(PAINT.narrowest * EDGE_PX) | 1,) * 2)
        opened = _opened(strange, thing)
        if not told and opened.any():
            opened[self._reaching_in(strange, thing)] = 0
        if not told and np.count_nonzero(opened) > PAINT.least_patch * EDGE_PX**2:
            ys, xs = np.nonzero(opened)
            yield self._die(None, (float(np.median(xs)), float(np.median(ys))))

    @cached_property
    def _beyond(self) -> NDArray[np.uint8]:
        """Mask of what is new within an edge round the tile, at its height; empty if most of that is new.

        Round a box that was turned everything is new, which means nothing.
        """
        room, inner = round(EDGE_PX), _size(self.bet, self.edge_mm)
        x0, y0, x1, y1 = tile_area(self.bet)
        area = (x0 - self.edge_mm, y0 - self.edge_mm, x1 + self.edge_mm, y1 + self.edge_mm)
        z, size = self.bet.center_mm[2], (inner[0] + 2 * room, inner[1] + 2 * room)
        cut = self.light.taken_off(flatten_on(self.picture, self.fit, area, z, size), area)
        then = self.light.at_most(flatten_on(self.ground.empty, self.ground.fit, area, z, size), area)
        round_it = seen_part(self.fit, area, z, size) & seen_part(self.ground.fit, area, z, size)
        round_it[room:-room, room:-room] = False
        news = Print.of(then).news(cut, to_lab(cut)) & round_it
        told = 2 * np.count_nonzero(news) < np.count_nonzero(round_it)
        return np.asarray(news & told, np.uint8)

    def _reaching_in(self, strange: NDArray[np.uint8], thing: cv2.typing.MatLike) -> Mask:
        """The part of `strange` (h, w) that is a hand: longer than a die, and continuing beyond the rim."""
        room = round(EDGE_PX)
        whole = _opened(np.pad(strange, room) | self._beyond, thing)
        count, labels, stats, _ = cv2.connectedComponentsWithStats(whole)
        inner = np.asarray(labels[room:-room, room:-room], np.intp)
        beyond = stats[:, cv2.CC_STAT_AREA] - np.bincount(inner.ravel(), minlength=count)
        long = stats[:, [cv2.CC_STAT_WIDTH, cv2.CC_STAT_HEIGHT]].max(axis=1) > PAINT.longest * EDGE_PX
        reaches = long & (beyond > PAINT.cut_patch * EDGE_PX**2)
        reaches[0] = False
        return np.asarray(reaches[inner])

    def _patch(self, lab: Lab, news: Mask, paint: NDArray[np.floating]) -> tuple[int, Point] | None:
        """Area and middle (pixels) of the largest piece of a paint, if it may be a die."""
        off = (lab - paint.astype(np.float32)) * LIGHT_BY_HALF
        mask = (news & (np.einsum("ijk,ijk->ij", off, off) < PAINT.distance**2)).astype(np.uint8)
        closed = cv2.morphologyEx(mask, cv2.MORPH_CLOSE, np.ones((3, 3), np.uint8))
        opened = _opened(np.asarray(closed, np.uint8), np.ones((3, 3), np.uint8))
        count, labels, stats, middles = cv2.connectedComponentsWithStats(opened)
        if count < 2:
            return None
        k = 1 + int(stats[1:, cv2.CC_STAT_AREA].argmax())
        wide, high, area = stats[k, 2:5].tolist()
        least = PAINT.cut_patch if self._is_cut(labels == k) else PAINT.least_patch
        if area < least * EDGE_PX**2 or max(wide, high) > PAINT.longest * EDGE_PX:
            return None
        return area, (float(middles[k][0]), float(middles[k][1]))

    def _is_cut(self, piece: Mask) -> bool:
        """Whether a piece of the tile touches the picture's edge and may continue beyond it."""
        size = piece.shape[1], piece.shape[0]
        unseen = ~seen_part(self.fit, tile_area(self.bet), self.bet.center_mm[2], size)
        wide = cv2.dilate(piece.astype(np.uint8), np.ones((5, 5), np.uint8)) > 0
        return bool((wide & unseen).any())

    def _covered(self, lying_px: Sequence[Point], shape: tuple[int, ...]) -> Mask:
        """Mask of what dice with tops at these pixels hide of the tile, their sides included."""
        covered = np.zeros(shape, np.uint8)
        z, reach = self.bet.center_mm[2], round(2 * TILE.around * EDGE_PX)
        for px in lying_px:
            top, foot = (self._px(self.fit.to_mm([px], high)[0].tolist()) for high in (z, z + self.edge_mm))
            cv2.line(covered, top, foot, (1,), reach)
        return covered > 0

    def _px(self, at: Point) -> tuple[int, int]:
        """Convert a place (mm) to pixels of the whole tile."""
        x0, _, _, y1 = tile_area(self.bet)
        scale = EDGE_PX / self.edge_mm
        return round((at[0] - x0) * scale), round((y1 - at[1]) * scale)

    def _die(self, colour: str | None, at_px: Point) -> DieSeen:
        """Report what is known: that something lies there, about where, and perhaps whose die it is."""
        (x0, _, _, y1), scale = tile_area(self.bet), EDGE_PX / self.edge_mm
        seen = x0 + (at_px[0] + 0.5) / scale, y1 - (at_px[1] + 0.5) / scale
        z = self.bet.center_mm[2]  # the patch is its top, seen at the tile's height
        x, y = self.fit.to_mm(self.fit.to_px([seen], z), z + self.edge_mm)[0].tolist()
        guesses = () if colour is None else tuple(Guess(f"{colour}-{f}", 0.25) for f in ("1", "2", "3", "X"))
        return DieSeen(
            colour=colour,
            face=None,
            center_mm=(x, y),
            yaw_deg=0.0,
            where=f"bet:{self.bet.kind}",
            doubt=("face",) if colour else ("colour", "face"),
            candidates=guesses,
        )


def _compared(
    picture: Picture, fit: Registration, ground: Ground, bet: Bet, size: tuple[int, int]
) -> tuple[Float32, float]:
    """Logarithms (3,) of the light on a tile over that at enrolment; share of it that shows its print then.

    The share is 0 where too little of the tile is in both pictures.
    """
    area, z = tile_area(bet), bet.center_mm[2]
    both = seen_part(fit, area, z, size) & seen_part(ground.fit, area, z, size)
    if both.mean() < TILE.least_seen:
        return np.zeros(3, np.float32), 0.0
    now, then = (flatten_on(*of, area, z, size)[both] for of in ((picture, fit), (ground.empty, ground.fit)))
    change = log_ratio(now, then)
    share = np.median(change, axis=0)
    return share, float((np.abs(change - share).max(axis=1) < TILE.strange).mean())


def _lined_up(picture: Picture, fit: Registration, ground: Ground, bet: Bet) -> Ground | None:
    """Shift the empty box so that a tile's print lines up with what the picture (h, w, 3) BGR shows.

    Tiles lie beyond the tags. Through another lens than at enrolment their print may appear some millimetres
    off, and a displaced sign looks like a die. None where the print lines up already.
    """
    area, z, room = tile_area(bet), bet.center_mm[2], round(TILE.aside_mm * TILE.aside_px)
    side = max(1, round(bet.size_mm * TILE.aside_px))
    seen = seen_part(fit, area, z, (side, side)).astype(np.float32)
    if seen.mean() < TILE.least_seen:
        return None
    now = flatten_on(picture, fit, area, z, (side, side))
    beside = room / TILE.aside_px
    wide = (area[0] - beside, area[1] - beside, area[2] + beside, area[3] + beside)
    then = flatten_on(ground.empty, ground.fit, wide, z, (side + 2 * room,) * 2)
    here = slice(room, room + side)
    if float(_alike(then[here, here], now, seen)[0, 0]) > TILE.in_place:
        return None
    alike = _alike(then, now, seen)
    row, column = (int(v) for v in np.unravel_index(int(alike.argmax()), alike.shape))
    across, down = ((at - room) / TILE.aside_px for at in (column, row))
    if math.hypot(across, down) < TILE.least_aside_mm:
        return None
    moved = ground.fit.shift_mm + ground.fit.rotation @ np.array([across, -down, 0.0])
    return replace(ground, fit=replace(ground.fit, shift_mm=moved))


def _alike(then: Picture, now: Picture, seen: Float32) -> Float32:
    """Correlation (n, m) of `now` (h, w, 3), where `seen` (h, w), with each place of the larger `then`."""
    alike = cv2.matchTemplate(then, now, cv2.TM_CCOEFF_NORMED, mask=np.dstack([seen] * 3))
    return np.nan_to_num(np.asarray(alike, np.float32), nan=0.0, posinf=0.0, neginf=0.0)


def tile_area(bet: Bet) -> FloorArea:
    """The tile's square: x0, y0, x1, y1 in mm."""
    (x, y, _), half = bet.center_mm, bet.size_mm / 2
    return x - half, y - half, x + half, y + half


def is_shown(fit: Registration, bet: Bet) -> bool:
    """Whether any part of a tile is in view."""
    return is_in_view(fit, tile_area(bet), bet.center_mm[2])


def reaches_out(fit: Registration, bet: Bet, edge_mm: float) -> bool:
    """Whether a die of that edge may lie on the tile with its middle beyond the picture's edge."""
    (x, y, z), reach = bet.center_mm, (bet.size_mm - edge_mm) / 2
    return not is_whole(fit, (x - reach, y - reach, x + reach, y + reach), z + edge_mm)


def _opened(mask: NDArray[np.uint8], kernel: cv2.typing.MatLike) -> NDArray[np.uint8]:
    """Open a mask, which is 0 beyond its rim: a blurred tile has narrow rims of news at its border."""
    eroded = cv2.erode(mask, kernel, borderType=cv2.BORDER_CONSTANT, borderValue=0)
    return np.asarray(cv2.dilate(eroded, kernel), np.uint8)


def _size(bet: Bet, edge_mm: float) -> tuple[int, int]:
    return (max(1, round(bet.size_mm * EDGE_PX / edge_mm)),) * 2
