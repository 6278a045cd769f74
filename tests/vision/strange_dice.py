"""Strange dice, and what is none, drawn on grounds cut from strangers' photographs.

    python -m tests.vision.strange_dice [KIND… | all] [--count 40] [--save DIR]

tells of each kind how often it is told rightly, wrongly, as a die that cannot be read, and not at all. Any
value told of what is no die is wrong. Every second picture has two plain dice beside the strange thing.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from tests.shared import shared
from tests.vision.dice_pieces import (
    FONTS,
    PAIRS,
    PLACES,
    TEX,
    Chance,
    Colour,
    Texture,
    Thing,
    blank,
    die,
    dot,
    flat,
    pips,
    polygon,
    star,
    written,
)
from tests.vision.strange_things import THINGS
from vision.dice.reading import look_pips
from vision.sightings import Picture

WIDE, HIGH = 640, 480
FINE = 3
"""Pixels drawn for each of the picture's."""
EYE_PX = 900.0
"""Height of the camera over the ground, in the pixels of a die's foot."""
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
"""Photograph, and the part (x0, y0, x1, y1) of it where nothing lies."""


def plain(chance: Chance) -> Thing:
    return die(chance)


def leaning(chance: Chance) -> Thing:
    """Against another die or a rim, by 20 to 44 degrees: who reads it must say so."""
    return die(chance, lean=chance.uniform(20, 44))


def stacked(chance: Chance) -> Thing:
    low, top = die(chance), die(chance)
    for piece in top.pieces:
        piece.corners += np.array([chance.uniform(-0.2, 0.2), chance.uniform(-0.2, 0.2), 1.0])
    return Thing([*low.pieces, *top.pieces], top.value, 2.0, low.pieces[0].corners[:, :2], top.hull)


def numerals(chance: Chance) -> Thing:
    font = FONTS[int(chance.integers(len(FONTS)))]
    high, thick = chance.uniform(0.4, 0.7), chance.uniform(0.05, 0.12)
    return die(chance, lambda v, b, i: written(blank(b), str(v), i, high, font, thick))


def closed_numerals(chance: Chance) -> Thing:
    """Small bold figures whose loops close: 6, 8, 9, 0."""
    font, text = FONTS[int(chance.integers(len(FONTS)))], str(chance.choice(["6", "8", "9", "0", "6.", "9."]))
    high, thick = chance.uniform(0.25, 0.45), chance.uniform(0.09, 0.14)
    return Thing(die(chance, lambda v, b, i: written(blank(b), text, i, high, font, thick)).pieces, None)


def polyhedral(chance: Chance) -> Thing:
    """The top of a d8, d10 or d20: a triangle or a kite with a numeral, amid its slanted neighbours."""
    body, ink = PAIRS[int(chance.integers(len(PAIRS)))]
    sides = int(chance.choice([8, 10, 20]))
    tex = blank(body, 0.499)
    n = {8: 6, 10: 10, 20: 6}[sides]
    outer = np.array([(np.cos(a), np.sin(a)) for a in np.arange(n) * 2 * np.pi / n]) * 0.48
    tex[..., 3] = 0
    alpha = np.zeros((TEX, TEX), np.uint8)
    cv2.fillPoly(alpha, [np.int32((0.5 + outer) * TEX)], 255, cv2.LINE_AA)
    tex[..., 3] = alpha
    inner = np.array([(np.sin(a), -np.cos(a)) for a in np.arange(3) * 2 * np.pi / 3])
    inner *= {8: 0.47, 10: 0.4, 20: 0.33}[sides]
    for k in range(n):
        shade = chance.uniform(0.55, 0.9)
        wedge = np.array([(0, 0), outer[k], outer[(k + 1) % n]])
        polygon(tex, wedge, tuple(shade * c for c in body))
    polygon(tex, inner, body)
    text = str(chance.integers(1, sides + 1)) if sides != 10 else str(chance.integers(0, 10))
    written(tex, text, ink, chance.uniform(0.15, 0.3), FONTS[int(chance.integers(len(FONTS)))], 0.045)
    return Thing(flat(tex, chance, 1.1, 1.1, 0.8), None, 0.8)


def logo(chance: Chance) -> Thing:
    """A die whose top face is a mark: a star, a heart, a shield, a clover, a ring, a gear, a spade."""
    kind, r = int(chance.integers(7)), chance.uniform(0.16, 0.32)

    def draw(v: int, body: Colour, ink: Colour) -> Texture:
        tex = blank(body)
        if v != shown:
            return pips(tex, v, ink)
        if kind == 0:
            polygon(tex, star(5, r, 0.5), ink)
        elif kind == 1:
            for u in (-0.45, 0.45):
                dot(tex, u * r, -0.3 * r, 0.55 * r, ink)
            polygon(tex, np.array([(-0.95, -0.05), (0.95, -0.05), (0, 1.0)]) * r, ink)
        elif kind == 2:
            polygon(tex, np.array([(-0.8, -0.9), (0.8, -0.9), (0.8, 0.2), (0, 1), (-0.8, 0.2)]) * r, ink)
        elif kind == 3:
            for u, v_ in ((-0.5, 0.1), (0.5, 0.1), (0, -0.55)):
                dot(tex, u * r, v_ * r, 0.5 * r, ink)
            polygon(tex, np.array([(-0.15, 0), (0.15, 0), (0.3, 1), (-0.3, 1)]) * r, ink)
        elif kind == 4:
            dot(tex, 0, 0, r, ink)
            dot(tex, 0, 0, 0.6 * r, body)
        elif kind == 5:
            polygon(tex, star(9, r, 0.75), ink)
            dot(tex, 0, 0, 0.3 * r, body)
        else:
            for u in (-0.45, 0.45):
                dot(tex, u * r, 0.2 * r, 0.5 * r, ink)
            polygon(tex, np.array([(-0.9, 0.1), (0.9, 0.1), (0, -1.0)]) * r, ink)
        return tex

    shown = int(chance.choice([1, 6]))
    return Thing(die(chance, draw, shown).pieces, None)


def poker(chance: Chance) -> Thing:
    """A poker die: A (a spade), K, Q, J, 10 and 9, letters or small suits."""
    face = str(chance.choice(["A", "K", "Q", "J", "10", "9"]))
    font, high = FONTS[int(chance.integers(len(FONTS)))], chance.uniform(0.3, 0.55)

    def draw(v: int, body: Colour, ink: Colour) -> Texture:
        tex = written(blank(body), face, ink, high, font, 0.07)
        if chance.random() < 0.5:
            dot(tex, -0.33, -0.33, 0.06, ink)
            dot(tex, 0.33, 0.33, 0.06, ink)
        return tex

    return Thing(die(chance, draw).pieces, None)


def hollow_gloss(chance: Chance) -> Thing:
    """Wet or polished: a glint in some pips and one on the body."""

    def draw(v: int, body: Colour, ink: Colour) -> Texture:
        tex = pips(blank(body), v, ink)
        for u, w in PLACES[v]:
            if chance.random() < 0.7:
                dot(tex, 0.25 * u - 0.03, 0.25 * w - 0.03, chance.uniform(0.02, 0.045), (250, 250, 250))
        for _ in range(int(chance.integers(1, 3))):
            dot(
                tex,
                chance.uniform(-0.4, 0.4),
                chance.uniform(-0.4, 0.4),
                chance.uniform(0.03, 0.1),
                (252, 252, 252),
            )
        return tex

    return die(chance, draw)


def translucent(chance: Chance) -> Thing:
    """Print shows through a clear body: the ground at a third, with letters or dots below."""
    body, ink = PAIRS[int(chance.integers(2, len(PAIRS)))]

    def draw(v: int, b: Colour, i: Colour) -> Texture:
        tex = blank(b)
        for _ in range(int(chance.integers(2, 6))):
            shade = tuple(0.72 * c for c in b)
            dot(
                tex,
                chance.uniform(-0.45, 0.45),
                chance.uniform(-0.45, 0.45),
                chance.uniform(0.05, 0.14),
                shade,
            )
        alpha = tex[..., 3].copy()
        tex = pips(tex, v, i)
        tex[..., 3] = 0.75 * alpha
        for u, w in PLACES[v]:
            yy, xx = np.mgrid[:TEX, :TEX]
            near = np.hypot(xx - (0.5 + 0.25 * u) * TEX, yy - (0.5 + 0.25 * w) * TEX) < 0.095 * TEX
            tex[near, 3] = alpha[near]
        return tex

    return die(chance, draw, None, (body, ink))


def worn(chance: Chance) -> Thing:
    """Paint gone from one or two of the pips."""

    def draw(v: int, body: Colour, ink: Colour) -> Texture:
        tex, gone = blank(body), set(chance.permutation(len(PLACES[v]))[: int(chance.integers(1, 3))])
        for k, (u, w) in enumerate(PLACES[v]):
            share = chance.uniform(0.05, 0.35) if k in gone and v > 1 else 1.0
            mixed = tuple(share * i + (1 - share) * b for i, b in zip(ink, body, strict=True))
            dot(tex, 0.25 * u, 0.25 * w, 0.095, mixed)
        return tex

    return die(chance, draw)


KINDS: dict[str, Callable[[Chance], Thing]] = {
    kind.__name__: kind
    for kind in (
        plain,
        leaning,
        stacked,
        numerals,
        closed_numerals,
        polyhedral,
        logo,
        poker,
        hollow_gloss,
        translucent,
        worn,
    )
} | THINGS


@dataclass
class Shot:
    """One picture, and what lies in it: the thing's middle (px) and value, the plain dice's."""

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
    """Draw a thing at (x, y) of the picture; `edge` pixels an edge; the camera hangs over the middle."""
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
    """Where the camera sees the middle of the top of a die whose foot it would see at (x, y)."""
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
    """What of one picture is told rightly, wrongly, unsurely, or missed; and the words."""
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
    parser.add_argument("--save", type=Path)
    parser.add_argument("--say", action="store_true")
    args = parser.parse_args()
    cv2.setNumThreads(1)
    kinds = list(KINDS) if args.kinds in ([], ["all"]) else args.kinds
    total: Counter[str] = Counter()
    for kind in kinds:
        count: Counter[str] = Counter()
        for number in range(args.count):
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
