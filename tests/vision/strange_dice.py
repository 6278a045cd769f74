"""Strange dice, and things that are no dice, drawn on grounds cut from strangers' photographs.

    python -m tests.vision.strange_dice [KIND… | all] [--count 40] [--first 0] [--save DIR]

prints for each kind how often it is read rightly, wrongly, as an unreadable die, and not at all. Any value
reported for a thing that is no die is wrong. Every second picture has two plain dice beside the strange
thing.
"""

from __future__ import annotations

import argparse
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from tests.shared import shared
from tests.vision.dice_kinds import DICE
from tests.vision.dice_pieces import PAIRS, TEX, Chance, Thing, die
from tests.vision.household_things import HOUSEHOLD
from tests.vision.strange_things import THINGS
from vision.dice.reading import look_pips
from vision.sightings import Picture

WIDE, HIGH = 640, 480
FINE = 3
"""Factor of supersampling, each way."""
EYE_PX = 900.0
"""Height of the camera above the ground, in pixels at the scale of a die's foot."""
GROUNDS: tuple[tuple[str, tuple[int, int, int, int]], ...] = (
    ("dice-damian/dice49.jpg", (0, 0, 907, 580)),
    ("dice-damian/dice65.jpg", (0, 0, 907, 680)),
    ("dice-damian/dice25.jpg", (80, 860, 800, 1209)),
    ("dice-damian/dice01.jpg", (0, 0, 907, 360)),
    ("dice-damian/dice73.jpg", (0, 0, 907, 400)),
    ("cards-edje/train_IMG_2411.jpg", (0, 0, 160, 200)),
    ("cards-edje/train_cam_image21.jpg", (0, 0, 330, 540)),
    ("dice-byler/train_IMG_20191208_111411.jpg", (120, 330, 310, 450)),
)
"""A photograph, and the part (x0, y0, x1, y1) of it in which nothing lies."""


KINDS = DICE | THINGS | HOUSEHOLD


@dataclass
class Shot:
    """One picture, with centre (px) and value of the strange thing, and those of the plain dice."""

    picture: Picture
    thing: tuple[float, float]
    value: int | None
    reach: float
    dice: list[tuple[float, float, int]] = field(default_factory=list)


def ground(chance: Chance) -> NDArray[np.float32]:
    name, (x0, y0, x1, y1) = GROUNDS[int(chance.integers(len(GROUNDS)))]
    photo = np.asarray(cv2.imread(str(shared("photos/" + name))), np.uint8)
    part = photo[y0:y1, x0:x1]
    if part.shape[1] < WIDE:
        part = np.concatenate([part, part[:, ::-1]], axis=1)
        part = np.concatenate([part, part[::-1]], axis=0)
    k = max(WIDE / part.shape[1], HIGH / part.shape[0])
    part = cv2.resize(part, None, fx=k, fy=k, interpolation=cv2.INTER_AREA if k < 1 else cv2.INTER_CUBIC)
    x, y = (
        int(chance.integers(0, size - most + 1))
        for size, most in ((part.shape[1], WIDE), (part.shape[0], HIGH))
    )
    return np.asarray(part[y : y + HIGH, x : x + WIDE], np.float32)


def lay(
    canvas: NDArray[np.float32], thing: Thing, at: tuple[float, float], edge: float, lamp: NDArray[np.float64]
) -> None:
    """Draw a thing at (x, y) of the picture, its edge `edge` pixels long; the camera is above the middle."""
    eye = EYE_PX / edge
    base = np.array([(at[0] - WIDE / 2) / edge, (at[1] - HIGH / 2) / edge])

    def to_px(points: NDArray[np.float64]) -> NDArray[np.float64]:
        k = eye / (eye - points[:, 2:])
        return ((points[:, :2] + base) * k * edge + (WIDE / 2, HIGH / 2)) * FINE

    if not thing.pieces:
        return
    corners = np.concatenate([p.corners for p in thing.pieces])
    if not thing.glow:
        foot = np.column_stack([corners[:, :2] - corners[:, 2:] * lamp[:2] / lamp[2], np.zeros(len(corners))])
        shade = np.zeros(canvas.shape[:2], np.uint8)
        cv2.fillConvexPoly(shade, cv2.convexHull(np.float32(to_px(foot))).astype(np.int32), 255)
        soft = cv2.GaussianBlur(shade, (0, 0), 0.08 * edge * FINE).astype(np.float32) / 255
        canvas *= 1 - 0.45 * soft[..., None]
    if thing.hull is not None:
        hull = cv2.convexHull(np.float32(to_px(corners))).astype(np.int32)
        cv2.fillConvexPoly(canvas, hull, thing.hull, cv2.LINE_AA)
    seen = []
    for piece in thing.pieces:
        a, b, c = piece.corners[:3]
        normal = np.cross(b - a, c - b)
        normal /= np.linalg.norm(normal)
        middle = piece.corners.mean(axis=0)
        towards = np.array([-base[0], -base[1], eye]) - middle
        if normal @ towards <= 0 and len(thing.pieces) > 2:
            continue
        seen.append((middle[2], piece, 1.0 if thing.glow else 0.5 + 0.5 * max(0.0, float(normal @ lamp))))
    for _, piece, light in sorted(seen, key=lambda row: row[0]):
        target = np.float32(to_px(piece.corners))
        source = np.float32([(0, 0), (TEX, 0), (TEX, TEX), (0, TEX)])
        x0, y0 = np.maximum(np.floor(target.min(axis=0)).astype(int) - 2, 0)
        x1, y1 = np.ceil(target.max(axis=0)).astype(int) + 2
        part = canvas[y0:y1, x0:x1]
        if not part.size:
            continue
        to = cv2.getPerspectiveTransform(source, target - np.float32([x0, y0]))
        tex = piece.texture.copy()
        tex[..., :3] *= tex[..., 3:] / 255
        drawn = cv2.warpPerspective(tex, to, (part.shape[1], part.shape[0]), flags=cv2.INTER_AREA)
        part[...] = drawn[..., :3] * light + part * (1 - drawn[..., 3:] / 255)


def seen_at(x: float, y: float, edge: float) -> tuple[float, float]:
    """Where the camera sees the centre of the top of a die whose foot it would see at (x, y)."""
    k = EYE_PX / (EYE_PX - edge)
    return WIDE / 2 + (x - WIDE / 2) * k, HIGH / 2 + (y - HIGH / 2) * k


def shot(kind: str, number: int) -> Shot:
    chance = np.random.default_rng((number, sum(map(ord, kind))))
    canvas = cv2.resize(ground(chance), None, fx=FINE, fy=FINE, interpolation=cv2.INTER_LINEAR)
    edge = float(np.exp(chance.uniform(np.log(24), np.log(80))))
    lamp = np.array([*chance.uniform(-0.6, 0.6, 2), 1.0])
    lamp /= np.linalg.norm(lamp)
    at = (float(chance.uniform(200, 440)), float(chance.uniform(150, 330)))
    thing = KINDS[kind](chance)
    out = Shot(np.zeros((HIGH, WIDE, 3), np.uint8), at, thing.value, 1.5 * edge)
    if number % 2:
        pair = PAIRS[int(chance.integers(len(PAIRS)))]
        for x, y in ((0.15 * WIDE, 0.18 * HIGH), (0.85 * WIDE, 0.82 * HIGH)):
            own = die(chance, pair=pair)
            lay(canvas, own, (x, y), edge, lamp)
            out.dice.append((*seen_at(x, y, edge), own.value or 0))
    lay(canvas, thing, at, edge, lamp)
    seen = cv2.resize(canvas, (WIDE, HIGH), interpolation=cv2.INTER_AREA)
    light = chance.uniform(0.6, 1.05)
    tint = np.array([chance.uniform(0.8, 1.0), 1.0, 1.0])
    if number % 5 == 4:  # a dim warm lamp
        light, tint = chance.uniform(0.15, 0.3), np.array([0.45, 0.75, 1.0])
    seen = cv2.GaussianBlur(seen * light * tint, (0, 0), chance.uniform(0.5, 1.1))
    seen += chance.normal(0, chance.uniform(0.8, 2.5), seen.shape)
    _, file = cv2.imencode(".jpg", seen.clip(0, 255).astype(np.uint8), [cv2.IMWRITE_JPEG_QUALITY, 88])
    out.picture = np.asarray(cv2.imdecode(file, cv2.IMREAD_COLOR), np.uint8)
    return out


def judged(one: Shot) -> tuple[Counter[str], str]:
    """What is read rightly, wrongly, unsurely, or missed in one picture; and the words for it."""
    count: Counter[str] = Counter()
    found = look_pips(one.picture)
    words, near_thing, left = [], [], list(found)
    for x, y, value in one.dice:
        near = [
            d for d in left if np.hypot(d.center_mm[0] - x, d.center_mm[1] - y) < 0.6 * one.reach / 1.5 * 1.3
        ]
        left = [d for d in left if d not in near]
        faces = [d.face for d in near]
        count["die " + _verdict(faces, value)] += 1
    for d in left:
        if np.hypot(d.center_mm[0] - one.thing[0], d.center_mm[1] - one.thing[1]) < 4 * one.reach / 1.5:
            near_thing.append(d.face)
        elif d.face is not None:
            count["elsewhere"] += 1
            words.append(f"elsewhere {d.face} at {d.center_mm}")
    verdict = _verdict(near_thing, one.value)
    count[verdict] += 1
    words.append(f"{verdict}: {near_thing} for {one.value}")
    return count, "; ".join(words)


def _verdict(faces: list[str | None], value: int | None) -> str:
    told = [face for face in faces if face is not None]
    if any(face != str(value) for face in told) or len(told) > 1:
        return "wrong"
    if told:
        return "right"
    return "unsure" if faces else "missed"


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("kinds", nargs="*")
    parser.add_argument("--count", type=int, default=40)
    parser.add_argument("--first", type=int, default=0, help="number of the first picture: others are fresh")
    parser.add_argument("--save", type=Path)
    parser.add_argument("--say", action="store_true")
    args = parser.parse_args()
    cv2.setNumThreads(1)
    kinds = list(KINDS) if args.kinds in ([], ["all"]) else args.kinds
    total: Counter[str] = Counter()
    for kind in kinds:
        count: Counter[str] = Counter()
        for number in range(args.first, args.first + args.count):
            one = shot(kind, number)
            told, words = judged(one)
            count += told
            if args.say and ("wrong" in words or "elsewhere" in words):
                print(f"   {kind}-{number:02d} {words}")
            if args.save is not None:
                args.save.mkdir(parents=True, exist_ok=True)
                cv2.imwrite(str(args.save / f"{kind}-{number:02d}.png"), one.picture)
        total += count
        print(f"{kind:16}", dict(sorted(count.items())), flush=True)
    print("all", dict(sorted(total.items())))


if __name__ == "__main__":
    main()
