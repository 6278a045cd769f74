"""Bet tiles cut off by the picture's edge, and which of them hands reached: a bet laid there may be unseen.

A hand over the visible part of such a tile, and not over the box, went to the tile. An arm that passes over
the tile to the box lies mostly beyond it.
"""

from __future__ import annotations

import cv2
import numpy as np

from vision.arrays import Mask
from vision.box.hand_parameters import BOX_HANDS
from vision.box.in_view import corners_mm
from vision.box.tile import reaches_out, tile_area
from vision.geometry import Registration
from vision.layout import Layout


class ReachedTiles:
    """Follows hands since the last reading."""

    def __init__(self, layout: Layout) -> None:
        self._layout = layout
        self._fit: Registration | None = None
        self._tiles: dict[str, Mask] = {}
        self._since: dict[str, float] = {}
        self._reached: set[str] = set()

    def see(self, differs: Mask, hand: Mask, box: Mask, fit: Registration | None, t: float) -> None:
        """Take in a frame with motion: `differs` from the last reading, of which `hand` reaches in.

        `box` is the box's mask in the small picture, `fit` its registration.
        """
        if fit is not self._fit:
            self._fit, self._tiles = fit, self._shown(differs.shape, fit)
        if not self._tiles:
            return
        beyond = int(np.count_nonzero(hand & box)) > BOX_HANDS.beyond * np.count_nonzero(hand)
        for kind, tile in self._tiles.items():
            if beyond or not hand.any() or float(differs[tile].mean()) < BOX_HANDS.covered:
                self._since.pop(kind, None)
            elif t - self._since.setdefault(kind, t) >= BOX_HANDS.stays_s:
                self._reached.add(kind)

    @property
    def letters(self) -> tuple[str, ...]:
        """Letters of the tiles that a hand reached, sorted."""
        return tuple(sorted(self._reached))

    def forget(self) -> None:
        """Forget the reached tiles, because dice were read and reported."""
        self._since, self._reached = {}, set()

    def _shown(self, shape: tuple[int, ...], fit: Registration | None) -> dict[str, Mask]:
        """Mask of the visible part of each tile cut by the picture's edge, in a small copy (h, w)."""
        shown = {}
        edge = self._layout.edge_mm
        for bet in self._layout.bets if fit is not None else ():
            if fit is None or not reaches_out(fit, bet, edge):
                continue
            at = np.asarray(fit.to_px(corners_mm(tile_area(bet)), bet.center_mm[2])) * (
                shape[1] / fit.size_px[0]
            )
            tile = np.zeros(shape, np.uint8)
            cv2.fillConvexPoly(tile, np.rint(at).astype(np.int32), (1,))
            if np.count_nonzero(tile) >= BOX_HANDS.least_tile_px:
                shown[bet.kind] = tile > 0
        return shown
