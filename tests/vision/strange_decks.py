"""Decks that no data set has, cut out roughly, in daylight or in uneven light: how many are misnamed.

    python -m tests.vision.strange_decks              # 400 cards of each deck; prints a line for each
    python -m tests.vision.strange_decks ornate dots

Every deck has five colours and twelve numbers, and shows them in its own way. `surely` counts wrong names
that would be reported. Nobody could name all cards of `tiny`, whose numbers are five pixels high.
"""

from __future__ import annotations

import sys
from collections.abc import Callable

import cv2
import numpy as np

from vision.cards.parameters import STILL_CARD
from vision.cards.recognition import FACE_PX, Faces
from vision.sightings import Picture

Ink = tuple[int, int, int]
Face = Callable[[int, Ink], Picture]
INKS: dict[str, Ink] = {
    "red": (40, 30, 190),
    "black": (50, 50, 50),
    "green": (40, 130, 40),
    "blue": (170, 80, 30),
    "yellow": (30, 190, 220),
}
_PAPER, _CREAM = (235, 238, 240), (240, 240, 240)
_ROUGH_PX, _ROUGH_DEGREES, _ROUGH_SCALE = 2.5, 1.5, 0.02


def _blank(colour: Ink) -> Picture:
    return np.full((240, 160, 3), colour, np.uint8)


def _number(card: Picture, number: int, place: tuple[int, int], scale: float, ink: Ink) -> None:
    width = max(1, round(3 * scale))
    cv2.putText(card, str(number), place, cv2.FONT_HERSHEY_SIMPLEX, scale, ink, width, cv2.LINE_AA)


def _indexed(card: Picture, number: int, ink: Ink) -> Picture:
    """The card with its number in two corners."""
    for _ in range(2):
        _number(card, number, (8, 28), 0.65, ink)
        card = card[::-1, ::-1].copy()
    return card


def _big(card: Picture, number: int, ink: Ink) -> Picture:
    _number(card, number, (45 if number < 10 else 20, 150), 2.4, ink)
    return card


def _clouds(seed: int, width: float) -> Picture:
    """A picture of soft coloured clouds."""
    rough = np.random.default_rng(seed).normal(0, 1, (240, 160, 3))
    soft = cv2.GaussianBlur(rough, (0, 0), width)
    return np.asarray(230 * (soft - soft.min()) / (soft.max() - soft.min()), np.uint8)


def tiny(number: int, ink: Ink) -> Picture:
    """White, with a small number and nothing else."""
    return _indexed(_blank(_PAPER), number, ink)


def ornate(number: int, ink: Ink) -> Picture:
    """The same rings of many colours on each, and a small number."""
    card, chance = _blank(_PAPER), np.random.default_rng(1)
    for _ in range(60):
        x, y = int(chance.integers(25, 135)), int(chance.integers(45, 195))
        colour = [int(value) for value in chance.integers(20, 200, 3)]
        cv2.circle(card, (x, y), int(chance.integers(3, 14)), colour, 2)
    return _indexed(card, number, ink)


def framed(number: int, ink: Ink) -> Picture:
    """Of one colour, with the same frame and pips on each."""
    card = _blank(ink)
    cv2.rectangle(card, (20, 30), (140, 210), _CREAM, -1)
    cv2.rectangle(card, (28, 38), (132, 202), ink, 4)
    for x, y in ((x, y) for x in (45, 80, 115) for y in (60, 180)):
        cv2.circle(card, (x, y), 9, ink, 3)
    _number(card, number, (58 if number < 10 else 40, 135), 1.3, ink)
    return card


def oval(number: int, ink: Ink) -> Picture:
    """Of one colour, a white oval and a large number."""
    card = _blank(ink)
    cv2.ellipse(card, (80, 120), (52, 92), 20, 0, 360, _CREAM, -1)
    return _indexed(_big(card, number, ink), number, _CREAM)


def dark(number: int, ink: Ink) -> Picture:
    """A dark card with a dull number."""
    dull = tuple(20 + value // 4 for value in ink)
    return _big(_blank((22, 20, 20)), number, (dull[0], dull[1], dull[2]))


def pale(number: int, ink: Ink) -> Picture:
    """White with ink that is hardly there."""
    faint = tuple(242 - (242 - value) // 6 for value in ink)
    return _big(_blank((242, 244, 245)), number, (faint[0], faint[1], faint[2]))


def picture(number: int, ink: Ink) -> Picture:
    """A picture of its own on each, the number in a white square."""
    card = _clouds(number + 100 * sum(ink), 14)
    cv2.rectangle(card, (4, 4), (44, 44), _PAPER, -1)
    cv2.rectangle(card, (115, 195), (155, 235), _PAPER, -1)
    return _indexed(card, number, ink)


def one_picture(number: int, ink: Ink) -> Picture:
    """The same picture on all, the number in a white square."""
    card = _clouds(3, 8)
    cv2.rectangle(card, (4, 4), (44, 44), _PAPER, -1)
    cv2.rectangle(card, (115, 195), (155, 235), _PAPER, -1)
    return _indexed(card, number, ink)


def stripes(number: int, ink: Ink) -> Picture:
    """As many stripes as the card's number."""
    card = _blank(_PAPER)
    for stripe in range(number):
        cv2.rectangle(card, (25, 20 + stripe * 17), (135, 28 + stripe * 17), ink, -1)
    return card


def dots(number: int, ink: Ink) -> Picture:
    """As many dots as the card's number, on its colour."""
    card = _blank(ink)
    for dot in range(number):
        cv2.circle(card, (50 if dot % 2 else 110, 30 + dot // 2 * 34), 11, _CREAM, -1)
    return card


DECKS: dict[str, Face] = {
    face.__name__: face
    for face in (tiny, ornate, framed, oval, dark, pale, picture, one_picture, stripes, dots)
}


def roughly(card: Picture, chance: np.random.Generator, lamp: bool) -> Picture:
    """A face as cut out of a picture with a rough outline; under a `lamp` the light falls off and is warm."""
    turn = cv2.getRotationMatrix2D(
        (FACE_PX[0] / 2, FACE_PX[1] / 2),
        chance.uniform(-_ROUGH_DEGREES, _ROUGH_DEGREES),
        1 + chance.uniform(-_ROUGH_SCALE, _ROUGH_SCALE),
    )
    turn[:, 2] += chance.uniform(-_ROUGH_PX, _ROUGH_PX, 2)
    seen = cv2.warpAffine(card.astype(np.float32), turn, FACE_PX, borderValue=(40, 90, 120))
    if lamp:
        falls = np.linspace(*chance.uniform(0.5, 1, 2), FACE_PX[0])[None, :, None]
        seen = seen * falls * [chance.uniform(0.6, 1), chance.uniform(0.8, 1), 1] * chance.uniform(0.5, 1)
    seen = cv2.GaussianBlur(seen, (0, 0), chance.uniform(0.5, 1.2)) + chance.normal(0, 4, seen.shape)
    return np.clip(seen, 0, 255).astype(np.uint8)


def named(face: Face, cards: int, lamp: bool = False, seed: int = 5) -> tuple[int, int, int]:
    """Read so many rough cards of a deck; count names that are wrong, surely wrong, and right but unsure."""
    names = [f"{colour}-{number}" for colour in INKS for number in range(1, 13)]
    pictures = [
        np.asarray(cv2.resize(face(number, ink), FACE_PX, interpolation=cv2.INTER_AREA), np.uint8)
        for ink in INKS.values()
        for number in range(1, 13)
    ]
    faces, chance = Faces(names, pictures), np.random.default_rng(seed)
    wrong = surely = unsure = 0
    for _ in range(cards):
        index = int(chance.integers(len(names)))
        reading = faces.read(roughly(pictures[index], chance, lamp))
        sure = reading.likeness >= STILL_CARD.sure_likeness and reading.margin >= STILL_CARD.sure_margin
        wrong += reading.name != names[index]
        surely += sure and reading.name != names[index]
        unsure += not sure and reading.name == names[index]
    return wrong, surely, unsure


def main() -> None:
    """Print how well the decks are read."""
    for name in sys.argv[1:] or DECKS:
        for lamp in (False, True):
            wrong, surely, unsure = named(DECKS[name], 400, lamp)
            light = "lamp" if lamp else "even"
            print(f"{name:12} {light}: {wrong} wrong, {surely} surely, {unsure} unsure, of 400", flush=True)


if __name__ == "__main__":
    main()
