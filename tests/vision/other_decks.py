"""Films of the shared footage played with another deck: the cards' faces are exchanged in every picture.

    python -m tests.vision.other_decks dev-dubbe4 framed out/ 45     # 45 seconds, a folder for clip.py
    python -m tests.vision.other_decks dev-doko cards-edje out/ 45   # photographs of a real deck

A lying card is painted over with its new face in the light at its place; where the old face does not explain
the picture, a hand or another card lies and is kept. In flight a card keeps its old face. The stills from
which the deck is learnt are painted in the same way. This measures how other prints are read at the table:
ground, hands and light are those of the film.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from table.settings import read_table
from tests.vision.strange_decks import DECKS, INKS
from tests.vision.strange_films import FOOTAGE, written
from vision.cards.deck import Deck, load_deck
from vision.geometry import Registration, register
from vision.pictures import read_picture
from vision.sightings import Picture

Floats = NDArray[np.float64]
Planes = NDArray[np.float32]

_FACE = (160, 240)
_SUITS = {"C": "black", "S": "blue", "H": "red", "D": "yellow"}
_RANKS = {"7": 1, "8": 2, "9": 3, "T": 4, "J": 5, "Q": 6, "K": 7, "A": 8}
_BROWN = (30, 60, 110)
_SOFT = 0.35
_ROUNDS = 4
_STRAY = 28.0
"""Grey levels by which a picture may differ from the lit old face; a larger difference is a hand."""
_FEW_PX = 30
_LEAST_HAND_PX = 120
"""A smaller spot that the old face does not explain is its own print, slightly misaligned."""
_LEAST = 0.3
"""Least visible share of a card's old face for the card to be painted over."""


def new_faces(name: str, cards: list[str]) -> dict[str, Picture]:
    """Faces (240, 160, 3) BGR of a deck by name, for cards named as in `cards`."""
    if name not in DECKS:
        faces = _learnt(load_deck(FOOTAGE.parent / "photos" / name / "deck"))
        return {card: faces[card] for card in cards}
    faces = {}
    for card in cards:
        colour, _, number = card.partition("-") if "-" in card else (_SUITS[card[0]], "", _RANKS[card[1]])
        ink = _BROWN if colour == "brown" else INKS[colour]
        faces[card] = DECKS[name](int(number), ink)
    return faces


def _learnt(deck: Deck) -> dict[str, Picture]:
    """The faces (240, 160, 3) BGR of a deck that was learnt, by name."""
    return {
        name: np.asarray(cv2.resize(face, _FACE, interpolation=cv2.INTER_CUBIC), np.uint8)
        for name, face in deck.faces._learnt
    }


class OtherDeck:
    """A house of `strange_films` in which lying cards have other faces."""

    def __init__(self, film: str, deck: str) -> None:
        root = FOOTAGE / film
        self._layout = read_table(str(root / "table.toml")).layout
        deck_of_film = load_deck(root / "deck", self._layout)
        self.old, self._stills = _learnt(deck_of_film), deck_of_film.taken
        self.new = new_faces(deck, list(self.old))
        truth = [json.loads(line) for line in (root / "truth.jsonl").read_text("utf-8").splitlines()]
        self._lying: list[tuple[float, float, str, Floats]] = []
        for event in truth:
            if event["kind"] == "card" and "corners" in event:
                gone = [e["t"] for e in truth if e["kind"] == "collected" and e["t"] > event["t"]]
                until = min(gone, default=1e9)
                self._lying.append((event["t"], until, event["card"], np.array(event["corners"])))
        self._fit: Registration | None = None

    def __call__(self, picture: Picture, number: int) -> Picture:
        """Return the picture (h, w, 3) BGR with the new faces."""
        if self._fit is None:
            self._fit = register(picture, self._layout)
        t, shown = number / 15, picture.copy()
        free = np.ones(picture.shape[:2], np.uint8)
        lying = [each for each in self._lying if each[0] <= t + 0.01 < each[1]]
        for _, _, card, corners in reversed(lying):  # the topmost first
            px = self._fit.to_px(corners)
            self._exchange(picture, shown, free, card, px)
            cv2.fillConvexPoly(free, np.round(px * 16).astype(np.int32), 0, shift=4)
        return shown

    def stills(self) -> Iterator[tuple[str, Picture]]:
        """Yield name and picture (h, w, 3) BGR of each still of the deck, with the new faces."""
        for still in self._stills:
            picture = read_picture(still.where)
            shown = picture.copy()
            free = np.ones(picture.shape[:2], np.uint8)
            self._exchange(picture, shown, free, still.name, still.corners)
            yield Path(still.where).stem, shown

    def _exchange(
        self, seen: Picture, shown: Picture, free: NDArray[np.uint8], card: str, px: Floats
    ) -> None:
        x0, y0 = np.maximum(np.floor(px.min(axis=0)).astype(int) - 2, 0)
        x1, y1 = np.ceil(px.max(axis=0)).astype(int) + 3
        there = seen[y0:y1, x0:x1].astype(np.float32)
        h, w = there.shape[:2]
        inside = np.zeros((h, w), np.uint8)
        cv2.fillConvexPoly(inside, np.round((px - (x0, y0)) * 16).astype(np.int32), 1, shift=4)
        inside &= free[y0:y1, x0:x1]
        frame = np.array([[0, 0], [_FACE[0], 0], [_FACE[0], _FACE[1]], [0, _FACE[1]]], np.float32) - 0.5
        warp = cv2.getPerspectiveTransform(frame, (px - (x0, y0)).astype(np.float32))

        shrunk = _FACE[0] / max(1.0, float(np.linalg.norm(px[1] - px[0])))

        def laid(face: Picture) -> Planes:
            soft = cv2.GaussianBlur(face, (0, 0), _SOFT * shrunk).astype(np.float32)
            flat = cv2.warpPerspective(soft, warp, (w, h), borderMode=cv2.BORDER_REPLICATE)
            return np.asarray(flat, np.float32)

        old, new = laid(self.old[card]), laid(self.new[card])
        light = _Light(there, old, inside > 0)
        if light.like.sum() < _LEAST * max(1, int(inside.sum())):
            return
        painted = light.on(new) + np.random.default_rng(0).normal(0, 1.5, new.shape)
        soft = cv2.GaussianBlur(light.like.astype(np.float32), (0, 0), 0.7)[..., None] * (
            inside[..., None] > 0
        )
        target = shown[y0:y1, x0:x1].astype(np.float32)
        shown[y0:y1, x0:x1] = np.clip(target + soft * (painted - target), 0, 255).astype(np.uint8)


class _Light:
    """The light on a card, which varies slowly over it, and where the card's face explains the picture."""

    def __init__(self, seen: Planes, face: Planes, inside: NDArray[np.bool_]) -> None:
        self._by = [np.zeros(4) for _ in range(3)]
        like = inside.copy()
        for _ in range(_ROUNDS):
            if like.sum() < _FEW_PX:
                self.like = np.zeros_like(inside)
                return
            for c in range(3):
                terms = _terms(face[..., c])[like]
                self._by[c] = np.linalg.lstsq(terms, seen[..., c][like], rcond=None)[0]
            apart = np.abs(self.on(face) - seen).max(axis=-1)
            like = inside & (cv2.GaussianBlur(apart, (0, 0), 1.5) < _STRAY)
        _, parts, facts, _ = cv2.connectedComponentsWithStats((inside & ~like).astype(np.uint8))
        small = facts[:, cv2.CC_STAT_AREA] < _LEAST_HAND_PX
        self.like = inside & (like | small[parts])

    def on(self, face: Planes) -> Planes:
        """Return a face (h, w, 3) in this light."""
        lit = [_terms(face[..., c]) @ self._by[c] for c in range(3)]
        return np.stack(lit, axis=-1).astype(np.float32)


def _terms(channel: Planes) -> Planes:
    """The terms of a gain that varies linearly over the card, and of a veil: (h, w, 4)."""
    height, width = channel.shape
    y, x = np.mgrid[:height, :width].astype(np.float32)
    return np.stack([channel, channel * x / width, channel * y / height, np.ones_like(channel)], axis=-1)


def main() -> None:
    """Write one film with one deck."""
    film, deck, out = sys.argv[1], sys.argv[2], Path(sys.argv[3])
    house = OtherDeck(film, deck)
    written(film, house, out, float(sys.argv[4]) if len(sys.argv) > 4 else 60.0)
    (out / "deck").unlink()
    (out / "deck").mkdir()
    for name, still in house.stills():
        cv2.imwrite(str(out / "deck" / f"{name}.png"), still)


if __name__ == "__main__":
    main()
