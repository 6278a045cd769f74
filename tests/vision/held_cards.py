"""Films of the shared footage whose guests hold their cards over the rim of the table, as people do.

    python -m tests.vision.held_cards dev-dubbe4 backs /tmp/held 45
    python ../shared/judge/clip.py /tmp/held

Each seat has a fan of cards in view: `backs` shows their backs, `faces` the faces of a careless guest (those
of the deck), `laid` a packet face down that is picked up and put down again. The fans sway, rest, and reach
further out now and then; none of this plays a card.
"""

from __future__ import annotations

import math
import sys
from functools import cache
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from table.settings import read_table
from tests.shared import FOOTAGE
from tests.vision.strange_cameras import House, Picture
from tests.vision.strange_films import written
from vision.cards.deck import load_deck
from vision.geometry import Registration, register
from vision.layout import Layout

_FPS = 15
_CARD_MM = (59.0, 91.0)
_IN_HAND = 5
_SPREAD_DEG = 13.0
_GRIP_MM = 25.0
"""Distance of the fan's pivot from the lower end of its cards."""
_SKIN = (120, 150, 205)


@cache
def _back() -> Picture:
    picture = np.full((120, 80, 3), (150, 70, 40), np.uint8)
    for at in range(-120, 200, 8):
        cv2.line(picture, (at, 0), (at + 120, 120), (205, 150, 120), 1, cv2.LINE_AA)
        cv2.line(picture, (at + 120, 0), (at, 120), (205, 150, 120), 1, cv2.LINE_AA)
    cv2.rectangle(picture, (0, 0), (79, 119), (235, 240, 242), 5)
    return picture


class Guests:
    """All fans over one film's table."""

    def __init__(
        self,
        layout: Layout,
        first: Picture,
        how: str = "backs",
        faces: tuple[Picture, ...] = (),
    ) -> None:
        """`first` is the table without them, `how` and `faces` as above."""
        self._how, self._layout, self._faces = how, layout, faces
        self._at: Registration = register(first, layout)
        self._light = float(np.percentile(first, 98)) / 245

    def house(self, picture: Picture, number: int) -> Picture:
        """The picture with every guest's cards in it."""
        shown = picture.copy()
        for place, seat in enumerate(self._layout.seats):
            enters = np.asarray(seat.enters_from_mm, np.float64)
            self._hold(shown, place, enters, number / _FPS)
        return shown

    def _hold(self, shown: Picture, place: int, enters: NDArray[np.float64], t: float) -> None:
        inward = -enters / np.hypot(*enters)
        sideways = np.array([-inward[1], inward[0]])
        own_t = t + 3.7 * place
        calm = math.sin(0.35 * own_t) > 0.2  # at rest about four seconds in ten
        sway = 0.0 if calm else math.sin(2.1 * own_t)
        lean = 30.0 * max(0.0, math.sin(0.23 * own_t)) ** 4
        reach = 38.0 + lean + (0 if calm else 4 * math.sin(1.3 * own_t))
        if self._how == "laid":
            reach = 60.0 if math.sin(0.4 * own_t) > -0.3 else 5.0
            sway = 0.0
        # The other hand holds the cards, beside the place where the arm comes in.
        grip = enters + 62.0 * sideways + inward * (reach - _CARD_MM[1] + _GRIP_MM)
        count = 1 if self._how == "laid" else _IN_HAND
        for card in range(count):
            turn = math.radians((card - (count - 1) / 2) * _SPREAD_DEG + 4 * sway)
            self._card(shown, grip, inward, turn, place * 7 + card)
        if self._how != "laid":
            x, y = self._at.to_px([grip], 15.0)[0]
            size = float(np.hypot(*(self._at.to_px([grip + 32 * sideways])[0] - (x, y))))
            skin = tuple(c * self._light for c in _SKIN)
            cv2.circle(shown, (round(x), round(y)), round(size), skin, -1, cv2.LINE_AA)

    def _card(
        self, shown: Picture, grip: NDArray[np.float64], inward: NDArray[np.float64], turn: float, which: int
    ) -> None:
        c, s = math.cos(turn), math.sin(turn)
        up = np.array([c * inward[0] - s * inward[1], s * inward[0] + c * inward[1]])
        right = np.array([-up[1], up[0]])
        low, high = -_GRIP_MM, _CARD_MM[1] - _GRIP_MM
        half = _CARD_MM[0] / 2
        corners = [
            grip + up * y + right * x for x, y in ((-half, high), (half, high), (half, low), (-half, low))
        ]
        face = self._faces[which % len(self._faces)] if self._faces else _back()
        h, w = face.shape[:2]
        px = self._at.to_px(corners, 12.0).astype(np.float32)
        x0, y0 = np.floor(px.min(axis=0)).astype(int) - 2
        x1, y1 = np.ceil(px.max(axis=0)).astype(int) + 2
        x0, y0 = max(0, x0), max(0, y0)
        x1, y1 = min(shown.shape[1], x1), min(shown.shape[0], y1)
        if x1 <= x0 or y1 <= y0:
            return
        source = np.array([[0, 0], [w, 0], [w, h], [0, h]], np.float32)
        warp = cv2.getPerspectiveTransform(source, (px - (x0, y0)).astype(np.float32))
        size = (int(x1 - x0), int(y1 - y0))
        drawn = cv2.warpPerspective(face, warp, size, flags=cv2.INTER_AREA)
        mask = cv2.warpPerspective(np.full((h, w), 255, np.uint8), warp, size)
        shade = cv2.GaussianBlur(mask, (0, 0), 3).astype(np.float32)[..., None] / 255 * 0.3
        part = shown[y0:y1, x0:x1]
        part[:] = (part * (1 - shade)).astype(np.uint8)
        alpha = mask.astype(np.float32)[..., None] / 255
        lit = np.minimum(drawn * self._light, 255)
        part[:] = (lit * alpha + part * (1 - alpha)).astype(np.uint8)


def held(name: str, how: str) -> House:
    """A house (see `strange_films`) whose guests hold their cards in this way."""
    film = FOOTAGE / name
    layout = read_table(str(film / "table.toml")).layout
    source = cv2.VideoCapture(str(film / "clip.mp4"))
    first = np.asarray(source.read()[1], np.uint8)
    faces = load_deck(film / "deck", layout, True).pictures if how == "faces" else ()
    return Guests(layout, first, how, faces).house


def main() -> None:
    """Write one film with its guests' cards in view."""
    name, how, out = sys.argv[1:4]
    if how not in ("backs", "faces", "laid"):
        raise SystemExit(f"{how}: no such way; known are backs, faces, laid")
    written(name, held(name, how), Path(out), float(sys.argv[4]) if len(sys.argv) > 4 else 60.0)


if __name__ == "__main__":
    main()
