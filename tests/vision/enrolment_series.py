"""Strangers' enrolment pictures, spoilt in many ways: every card is learnt as that card, or refused by name.

    python -m tests.vision.enrolment_series 1 20      # first seed, number of series of twelve pictures

A series is part of a deck's pictures from `../shared/footage`, all relit, turned, scaled or made noisy alike,
as one camera would; up to three of them are also spoilt one by one. The truth is learnt from the untouched
deck, with its corners transformed as the pictures are. A card of another deck that is learnt counts as named
where `enrol` names it among the strangers. Prints a line per series with a card learnt wrongly, and the sums.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

import cv2
import numpy as np

from table.settings import read_table
from tests.shared import FOOTAGE
from vision.arrays import Float64
from vision.cards.deck import learn
from vision.cards.enrolment import learn_stills
from vision.cards.still import Still
from vision.layout import Layout
from vision.pictures import read_picture
from vision.sightings import Picture

DECKS = (
    "dev-dubbe4",
    "dev-dubbe4-wood",
    "dev-dubbe4-check",
    "dev-two-rounds",
    "dev-two-rounds-b",
    "dev-doko",
)
MANY = 12
RIGHT, ROUGH = 0.9, 0.6
"""Overlap of a learnt outline with the truth, from which on it is the card, and below which it is not."""
Chance = np.random.Generator


@dataclass
class Shot:
    """One picture: the name of its file, the card it shows (None: none of this deck), and where."""

    name: str
    picture: Picture
    corners: Float64
    shows: str | None
    spoilt: str = ""


@dataclass
class Sums:
    """Outcomes of all cards, by what was done to their picture."""

    counts: Counter[tuple[str, str]] = field(default_factory=Counter)

    def told(self) -> str:
        """A line for each way in which pictures were spoilt, and one for all."""
        ways = sorted({way for way, _ in self.counts})
        lines = [f"{way or 'as it was':12s} {self._line(lambda key, w=way: key[0] == w)}" for way in ways]
        return "\n".join([*lines, f"{'all':12s} {self.all}"])

    @property
    def all(self) -> str:
        """Outcomes of all cards together."""
        return self._line(lambda key: True)

    def _line(self, of: Callable[[tuple[str, str]], bool]) -> str:
        counts: Counter[str] = Counter()
        for key, count in self.counts.items():
            counts[key[1]] += count * of(key)
        return ", ".join(f"{what} {counts[what]}" for what in ("right", "rough", "wrong", "named", "refused"))


@lru_cache(maxsize=2)
def deck_of(film: str) -> tuple[Layout, tuple[Shot, ...]]:
    """A deck's own pictures, with the corners learnt from the whole deck."""
    folder = FOOTAGE / film
    layout = read_table(str(folder / "table.toml")).layout
    files = {path.stem: path for path in sorted((folder / "deck").glob("*.jpg")) if path.stem != "empty"}
    stills = [Still(name, str(path), lambda path=path: read_picture(path)) for name, path in files.items()]
    learnt = learn_stills(stills, layout)
    return layout, tuple(
        Shot(taken.name, read_picture(Path(taken.where)), taken.corners, taken.name) for taken in learnt.taken
    )


# --- what happens to all pictures of a series ---------------------------------------------------------


def relit(shots: list[Shot], chance: Chance) -> None:
    """Another exposure and a warm or cold lamp, with a camera's steep or flat tone curve."""
    gamma, gain = chance.uniform(0.6, 1.6), chance.uniform(0.6, 1.1, 3)
    levels = np.arange(256) / 255
    table = np.clip(levels[:, None] ** gamma * gain * 255, 0, 255).astype(np.uint8)[:, None, :]
    for shot in shots:
        shot.picture = cv2.LUT(shot.picture, table)


def faded(shots: list[Shot], chance: Chance) -> None:
    """Haze over the lens, and colours washed out."""
    veil, left = chance.uniform(10, 50), chance.uniform(0.5, 0.9)
    for shot in shots:
        grey = shot.picture.mean(axis=2, keepdims=True)
        shot.picture = np.clip((grey + left * (shot.picture - grey)) * 0.8 + veil, 0, 255).astype(np.uint8)


def noisy(shots: list[Shot], chance: Chance) -> None:
    """A small sensor in the evening, and a JPEG of low quality."""
    spread, quality = chance.uniform(3, 14), int(chance.integers(30, 80))
    for shot in shots:
        loud = shot.picture + chance.normal(0, spread, shot.picture.shape)
        _, file = cv2.imencode(
            ".jpg", np.clip(loud, 0, 255).astype(np.uint8), [cv2.IMWRITE_JPEG_QUALITY, quality]
        )
        shot.picture = np.asarray(cv2.imdecode(file, cv2.IMREAD_COLOR), np.uint8)


def scaled(shots: list[Shot], chance: Chance) -> None:
    """A smaller picture."""
    _all_moved(shots, np.diag([*[chance.uniform(0.5, 0.85)] * 2, 1.0]), resize=True)


def turned(shots: list[Shot], chance: Chance) -> None:
    """The camera hangs slightly askew."""
    height, width = shots[0].picture.shape[:2]
    whole = cv2.getRotationMatrix2D((width / 2, height / 2), chance.uniform(-6, 6), 0.93)
    _all_moved(shots, np.vstack([whole, [0, 0, 1]]))


def handheld(shots: list[Shot], chance: Chance) -> None:
    """Each picture is taken from a slightly different place."""
    for shot in shots:
        height, width = shot.picture.shape[:2]
        whole = np.vstack(
            [cv2.getRotationMatrix2D((width / 2, height / 2), chance.uniform(-2, 2), 0.97), [0, 0, 1]]
        )
        whole[:2, 2] += chance.uniform(-10, 10, 2)
        _all_moved([shot], whole)


def unchanged(shots: list[Shot], chance: Chance) -> None:
    """Return the pictures unchanged."""


SERIES = (relit, faded, noisy, scaled, turned, handheld, unchanged)


def _all_moved(shots: list[Shot], way: Float64, resize: bool = False) -> None:
    for shot in shots:
        height, width = shot.picture.shape[:2]
        size = (round(width * way[0, 0]), round(height * way[1, 1])) if resize else (width, height)
        warped = cv2.warpPerspective(
            shot.picture, way, size, flags=cv2.INTER_AREA, borderMode=cv2.BORDER_REPLICATE
        )
        shot.picture = np.asarray(warped, np.uint8)
        shot.corners = cv2.perspectiveTransform(shot.corners[None].astype(np.float64), way)[0]


# --- what happens to one picture ----------------------------------------------------------------------


def doubled(shots: list[Shot], at: int, chance: Chance) -> None:
    """The picture of another card under this name: one card was photographed twice."""
    other = shots[(at + 1) % len(shots)]
    shots[at] = Shot(shots[at].name, other.picture.copy(), other.corners.copy(), other.shows, "doubled")


def empty(shots: list[Shot], at: int, chance: Chance) -> None:
    """No card lies there: the ground beside it is painted over it."""
    shot = shots[at]
    height, width = shot.picture.shape[:2]
    # (On a chequered cloth the painted part has an outline, since its squares do not meet the others.)
    long = 1.15 * float(np.linalg.norm(shot.corners[1] - shot.corners[2]))
    middle = shot.corners.mean(axis=0)
    aside = np.array([long if middle[0] < width / 2 else -long, 0.0])
    there = cv2.fillConvexPoly(
        np.zeros((height, width), np.uint8), shot.corners.round().astype(np.int32), 255
    )
    there = cv2.dilate(there, np.ones((9, 9), np.uint8))
    moved = np.roll(shot.picture, -round(float(aside[0])), axis=1)
    soft = cv2.GaussianBlur(there, (0, 0), 3)[..., None] / 255
    picture = (shot.picture * (1 - soft) + moved * soft).astype(np.uint8)
    shots[at] = Shot(shot.name, picture, shot.corners, None, "empty")


def foreign(shots: list[Shot], at: int, chance: Chance) -> None:
    """A note, a phone or a coaster lies beside the card."""
    shot = shots[at]
    picture, (width, height) = shot.picture.copy(), shot.picture.shape[1::-1]
    long = np.linalg.norm(shot.corners[1] - shot.corners[2])
    for _ in range(40):
        middle = chance.uniform((0.2 * width, 0.25 * height), (0.8 * width, 0.75 * height))
        if np.linalg.norm(middle - shot.corners.mean(axis=0)) > 1.3 * long:
            break
    else:
        return
    sides = chance.uniform(0.5, 1.2, 2) * long
    corners = cv2.boxPoints((tuple(middle), tuple(sides), chance.uniform(0, 90))).round().astype(np.int32)
    cv2.fillConvexPoly(picture, corners, tuple(int(v) for v in chance.integers(10, 245, 3)))
    shots[at] = Shot(shot.name, picture, shot.corners, shot.shows, "foreign")


def stranger(shots: list[Shot], at: int, chance: Chance) -> None:
    """A card of another deck in the place of this one."""
    shot = shots[at]
    height, width = shot.picture.shape[:2]
    face = np.full((120, 80, 3), chance.integers(120, 250, 3), np.uint8)
    for _ in range(9):
        x, y = (int(v) for v in chance.integers((8, 8), (72, 112)))
        cv2.circle(
            face, (x, y), int(chance.integers(4, 12)), tuple(int(v) for v in chance.integers(0, 200, 3)), -1
        )
    box = np.array([(0, 0), (80, 0), (80, 120), (0, 120)], np.float32)
    way = cv2.getPerspectiveTransform(box, shot.corners.astype(np.float32))
    card = cv2.warpPerspective(face, way, (width, height), flags=cv2.INTER_AREA)
    there = cv2.fillConvexPoly(np.zeros((height, width), np.uint8), shot.corners.round().astype(np.int32), 1)
    picture = np.where(there[..., None] > 0, card, shot.picture).astype(np.uint8)
    shots[at] = Shot(shot.name, picture, shot.corners, None, "stranger")


ALONE = (doubled, empty, foreign, foreign, stranger)


def one_series(seed: int) -> tuple[str, list[Shot], Layout]:
    """The pictures of a seed, and what was done to all of them."""
    chance = np.random.default_rng(seed)
    film = DECKS[seed // 4 % len(DECKS)]
    layout, whole = deck_of(film)
    picked = chance.choice(len(whole), min(MANY, len(whole)), replace=False)
    shots = [
        Shot(whole[n].name, whole[n].picture.copy(), whole[n].corners.copy(), whole[n].shows) for n in picked
    ]
    for at in chance.choice(len(shots), int(chance.integers(0, 4)), replace=False):
        ALONE[int(chance.integers(len(ALONE)))](shots, int(at), chance)
    ways = [SERIES[int(n)] for n in chance.choice(len(SERIES), 2, replace=False)]
    for way in ways:
        way(shots, chance)
    return f"{film} {' '.join(way.__name__ for way in ways)}", shots, layout


def judge(shots: list[Shot], layout: Layout, sums: Sums) -> list[str]:
    """Learn a series and count the outcomes; return what was learnt wrongly."""
    stills = [Still(shot.name, str(n), shot.picture) for n, shot in enumerate(shots)]
    deck = learn(stills, layout)
    learnt = {int(taken.where): taken for taken in deck.taken}
    wrong = []
    for n, shot in enumerate(shots):
        came = "refused"
        if n in learnt:
            apart = overlap(learnt[n].corners, shot.corners)
            came = "right" if apart >= RIGHT else "rough" if apart >= ROUGH else "wrong"
            came = came if shot.shows == shot.name else "named" if shot.name in deck.strangers else "wrong"
            if came not in ("right", "named"):
                wrong.append(f"{came} {shot.name} ({shot.spoilt or 'as it was'}, overlap {apart:.2f})")
        sums.counts[shot.spoilt, came] += 1
    return wrong


def overlap(one: Float64, other: Float64) -> float:
    """Intersection over union of two convex quadrilaterals."""
    common = cv2.intersectConvexConvex(one.astype(np.float32), other.astype(np.float32))[0]
    areas = [abs(cv2.contourArea(corners.astype(np.float32))) for corners in (one, other)]
    return float(common / max(sum(areas) - common, 1e-6))


def main() -> None:
    """Run the series named on the command line."""
    first, many = int(sys.argv[1]), int(sys.argv[2])
    sums = Sums()
    for seed in range(first, first + many):
        told, shots, layout = one_series(seed)
        if wrong := judge(shots, layout, sums):
            print(f"{seed} {told}: {'; '.join(wrong)}", flush=True)
        print(f"{seed + 1 - first} series: {sums.all}", file=sys.stderr, flush=True)
    print(sums.told())


if __name__ == "__main__":
    main()
