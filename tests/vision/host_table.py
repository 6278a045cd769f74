"""A host's table and the host's pictures of strangers' cards on it, for `host_series`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np

from tests.shared import SHARED
from tests.vision.enrolment_series import Chance, Shot, deck_of
from tests.vision.strange_grounds import GROUNDS
from vision.arrays import Float64
from vision.cards.single import find_single
from vision.geometry import flatten_px
from vision.pictures import read_picture
from vision.sightings import Picture

FACES = ("edje", "uno", "dev-dubbe4", "dev-dubbe4-wood", "dev-dubbe4-check", "dev-doko", "dev-two-rounds-b")
PHOTOS = ("dice19", "dice21", "dice05", "dice01", "dice27", "dice29", "dice35", "dice39")
"""Pictures of `../shared/photos/dice-damian`: carpet, varnished wood, cloth, with dice lying about."""
_ROUND = 0.05
"""Radius of a card's corners over its width."""


@lru_cache(maxsize=len(FACES))
def faces_of(deck: str) -> dict[str, Picture]:
    """The cards of a deck, cut out, 160 pixels wide."""
    if deck in ("edje", "uno"):
        folder = SHARED / "photos" / ("cards-edje/deck" if deck == "edje" else "uno-inan")
        shots = {path.stem: read_picture(path) for path in sorted(folder.glob("*.jpg"))}
        found = {name: (picture, find_single(picture)) for name, picture in shots.items()}
    else:
        found = {shot.name: (shot.picture, shot.corners) for shot in deck_of(deck)[1]}
    faces = {}
    for name, (picture, corners) in found.items():
        if corners is None:
            continue
        sides = np.linalg.norm(np.roll(corners, -1, axis=0) - corners, axis=1)
        faces[name] = flatten_px(picture, corners, (160, round(160 * sides[1::2].mean() / sides[::2].mean())))
    return faces


@dataclass
class HostTable:
    """A picture without a card, a card's width in it, and whether the camera is held in a hand."""

    ground: Picture
    width: float
    held: bool
    wander: float = 0.04
    """How far from the middle cards are laid, as a share of the picture's sides."""
    askew_deg: float = 4.0


def ground_of(chance: Chance, size: tuple[int, int]) -> Picture:
    """A ground (h, w, 3): photographed by a stranger, or a drawn one."""
    w, h = size
    if chance.random() < 0.5:
        photo = read_picture(
            SHARED / "photos" / "dice-damian" / f"{PHOTOS[int(chance.integers(len(PHOTOS)))]}.jpg"
        )
        if (photo.shape[0] > photo.shape[1]) != (h > w):
            photo = np.asarray(cv2.rotate(photo, cv2.ROTATE_90_CLOCKWISE), np.uint8)
        grow = max(w / photo.shape[1], h / photo.shape[0])
        return np.asarray(cv2.resize(photo, None, fx=grow, fy=grow)[:h, :w], np.uint8)
    return drawn_ground(chance, size, tuple(GROUNDS))


def drawn_ground(chance: Chance, size: tuple[int, int], kinds: Sequence[str]) -> Picture:
    """One of the drawn grounds, a little lighter on one side."""
    w, h = size
    drawn = GROUNDS[kinds[int(chance.integers(len(kinds)))]](h, w)
    level = np.linspace(*chance.uniform(0.8, 1.1, 2), w, dtype=np.float32)[None, :, None]
    return np.clip(drawn * level * 210, 0, 255).astype(np.uint8)


def rectangle(middle: Float64, width: float, height: float, turn: float) -> Float64:
    """Corners (4, 2) of a rectangle from the upper left, clockwise, turned by degrees."""
    half = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * np.array([width, height]) / 2
    angle = np.radians(turn)
    way = np.array([(np.cos(angle), -np.sin(angle)), (np.sin(angle), np.cos(angle))])
    return np.asarray(middle + half @ way.T)


def laid(
    picture: Picture, thing: Picture, corners: Float64, rounded: float = _ROUND, shade: float = 0.35
) -> Picture:
    """The picture with a thing laid on it, with round corners and a soft shadow."""
    h, w = picture.shape[:2]
    width = float(np.linalg.norm(corners[1] - corners[0]))
    fine = 2
    th, tw = thing.shape[:2]
    by = min(1.0, fine * width / tw)
    small = cv2.resize(thing, None, fx=by, fy=by, interpolation=cv2.INTER_AREA) if by < 1 else thing
    th, tw = small.shape[:2]
    alpha = np.zeros((th, tw), np.float32)
    r = max(1, round(rounded * tw))
    cv2.rectangle(alpha, (r, 0), (tw - 1 - r, th - 1), 1.0, -1)
    cv2.rectangle(alpha, (0, r), (tw - 1, th - 1 - r), 1.0, -1)
    for x in (r, tw - 1 - r):
        for y in (r, th - 1 - r):
            cv2.circle(alpha, (x, y), r, 1.0, -1)
    box = np.array([(-0.5, -0.5), (tw - 0.5, -0.5), (tw - 0.5, th - 0.5), (-0.5, th - 0.5)], np.float32)
    way = cv2.getPerspectiveTransform(box, (fine * (corners + 0.5) - 0.5).astype(np.float32))
    size = (fine * w, fine * h)
    card = cv2.warpPerspective(small, way, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    there = cv2.warpPerspective(alpha, way, size, flags=cv2.INTER_LINEAR)
    card, there = (cv2.resize(each, (w, h), interpolation=cv2.INTER_AREA) for each in (card, there))
    shadow = cv2.GaussianBlur(np.roll(there, (2, 2), (0, 1)), (0, 0), max(1.0, 0.025 * width))
    under = picture * (1 - shade * shadow[..., None])
    return np.clip(under * (1 - there[..., None]) + card * there[..., None], 0, 255).astype(np.uint8)


def lit(picture: Picture, chance: Chance) -> Picture:
    """The picture in evening light, as the camera encodes it."""
    gain = np.array([chance.uniform(0.9, 1.0), chance.uniform(0.95, 1.0), 1.0]) * chance.uniform(0.85, 1.0)
    loud = picture * gain + chance.normal(0, chance.uniform(1.0, 4.0), picture.shape)
    _, file = cv2.imencode(".jpg", np.clip(loud, 0, 255).astype(np.uint8), [cv2.IMWRITE_JPEG_QUALITY, 90])
    return np.asarray(cv2.imdecode(file, cv2.IMREAD_COLOR), np.uint8)


def moved(picture: Picture, corners: Float64, chance: Chance, hard: float = 1.0) -> tuple[Picture, Float64]:
    """The picture from a slightly different place, as of a hand-held camera."""
    h, w = picture.shape[:2]
    box = np.array([(0, 0), (w, 0), (w, h), (0, h)], np.float64)
    away = (box - box.mean(axis=0)) * chance.uniform(0.97, 1.06) + box.mean(axis=0)
    away = away + chance.normal(0, 0.012 * hard * w, (4, 2)) + chance.normal(0, 0.03 * hard * w, 2)
    middle = box.mean(axis=0)
    turn = np.radians(chance.normal(0, 2.5 * hard))
    spun = np.array([(np.cos(turn), -np.sin(turn)), (np.sin(turn), np.cos(turn))])
    away = middle + (away - middle) @ spun.T
    way = cv2.getPerspectiveTransform(box.astype(np.float32), away.astype(np.float32))
    seen = cv2.warpPerspective(picture, way, (w, h), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT)
    return np.asarray(seen, np.uint8), cv2.perspectiveTransform(corners[None], way)[0]


Spoil = Callable[[Picture, Float64, Chance, int], Picture]


def as_taken(
    faces: dict[str, Picture], table: HostTable, chance: Chance, spoil: Spoil | None = None
) -> list[Shot]:
    """One picture of each card, laid near the middle."""
    shots = []
    h, w = table.ground.shape[:2]
    upright = 90.0 if chance.random() < 0.3 else 0.0
    for number, (name, face) in enumerate(faces.items()):
        middle = np.array([w, h]) * (0.5 + chance.uniform(-table.wander, table.wander, 2))
        tall = table.width * face.shape[0] / face.shape[1]
        corners = rectangle(middle, table.width, tall, upright + chance.normal(0, table.askew_deg))
        picture = laid(table.ground, face, corners)
        if spoil is not None:
            picture = spoil(picture, corners, chance, number)
        if table.held:
            picture, corners = moved(picture, corners, chance)
        shots.append(Shot(name, lit(picture, chance), corners, name))
    return shots


def plain_table(chance: Chance, size: tuple[int, int] | None = None) -> HostTable:
    """Any ground, the camera on a stand or in a hand."""
    size = size or ((960, 720) if chance.random() < 0.5 else (720, 960))
    return HostTable(ground_of(chance, size), min(size) * chance.uniform(0.13, 0.3), chance.random() < 0.6)
