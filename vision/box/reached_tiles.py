"""Bet tiles that the picture cuts, and which of them hands were at: a bet laid there is out of view.

A hand over the visible part of such a tile, and not over the box, went to the tile. An arm that passes over
it to the box lies mostly beyond it.
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
    """Follows hands since dice were last read."""

    def __init__(self, layout: Layout) -> None:
        self._layout = layout
        self._fit: Registration | None = None
        self._tiles: dict[str, Mask] = {}
        self._since: dict[str, float] = {}
        self._reached: set[str] = set()

    def see(self, differs: Mask, hand: Mask, box: Mask, fit: Registration | None, t: float) -> None:
        """Take in a frame with motion: `differs` from the still picture, of it `hand` comes from the rim.

        `box` is where the small picture shows the box, `fit` its registration.
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
        """The tiles that a hand was at."""
        return tuple(sorted(self._reached))

    def forget(self) -> None:
        """Forget the reached tiles: dice were read and told."""
        self._since, self._reached = {}, set()

    def _shown(self, shape: tuple[int, ...], fit: Registration | None) -> dict[str, Mask]:
        """What a small copy (h, w) of the picture holds of each tile that reaches out of it."""
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
