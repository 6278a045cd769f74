"""More that lies on tables and shows dots or figures, and dice of other makers: big red ones, tiny pips."""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np

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
    cube,
    die,
    disc_of,
    dot,
    flat,
    pips,
    strew,
    written,
)

RED: Colour = (40, 30, 200)
DARK: Colour = (30, 28, 26)


def _shaded(colour: Colour, share: float) -> Colour:
    blue, green, red = (min(255.0, share * c) for c in colour)
    return blue, green, red


def asian(chance: Chance) -> Thing:
    """A die with a big red one and a red four."""
    big = chance.uniform(0.14, 0.22)

    def draw(v: int, body: Colour, ink: Colour) -> Texture:
        return pips(blank(body), v, RED if v in (1, 4) else ink, r=big if v == 1 else 0.08)

    return die(chance, draw, pair=PAIRS[int(chance.integers(2))])


def side_lit(chance: Chance) -> Thing:
    """Deep round pips without paint, under a low lamp: one wall in shade, the other bright."""
    way = chance.uniform(0, 2 * np.pi)

    def draw(v: int, body: Colour, ink: Colour) -> Texture:
        tex = blank(body)
        for u, w in PLACES[v]:
            for off, r, share in ((0.0, 0.095, 0.45), (0.035, 0.07, 0.75), (0.055, 0.035, 1.1)):
                at = 0.25 * u + off * np.cos(way), 0.25 * w + off * np.sin(way)
                dot(tex, *at, r, _shaded(body, share))
        return tex

    return die(chance, draw, pair=PAIRS[int(chance.choice([0, 1, 3, 4, 5, 6]))])


def tiny_pips(chance: Chance) -> Thing:
    """Pips half as large as usual, far out in the corners."""
    pitch, r = chance.uniform(0.29, 0.34), chance.uniform(0.05, 0.065)
    return die(chance, lambda v, b, i: pips(blank(b), v, i, pitch, r))


def chip(chance: Chance) -> Thing:
    """A poker chip: spots round its rim, some with one in the middle."""
    body, ink = PAIRS[int(chance.integers(2, len(PAIRS)))]
    tex = disc_of(body)
    spots = int(chance.choice([4, 6, 8]))
    for a in np.arange(spots) * 2 * np.pi / spots:
        dot(tex, 0.4 * np.cos(a), 0.4 * np.sin(a), 0.07, ink)
    if chance.random() < 0.6:
        dot(tex, 0, 0, chance.uniform(0.08, 0.25), ink)
    return Thing(flat(tex, chance, 2.2, 2.2, 0.2), None, 0.2)


def _strewn(tone: Colour, places: list[tuple[float, float]], r: float, size: float) -> Texture:
    """Round seeds, each with its shadow and its light, on nothing."""
    tex = np.zeros((TEX, TEX, 4), np.float32)
    for u, v in places:
        for off, share, alpha in ((0.15, 0.2, 90), (0.0, 1.0, 255)):
            at = ((0.5 + (u + off * r) / size) * TEX, (0.5 + (v + off * r) / size) * TEX)
            mask = np.zeros((TEX, TEX), np.uint8)
            cv2.circle(
                mask,
                (round(at[0] * 16), round(at[1] * 16)),
                round(r / size * TEX * 16),
                255,
                -1,
                cv2.LINE_AA,
                4,
            )
            new = mask.astype(np.float32) / 255 * (alpha / 255)
            tex[..., :3] = new[..., None] * _shaded(tone, share) + (1 - new[..., None]) * tex[..., :3]
            tex[..., 3] = np.maximum(tex[..., 3], 255 * new)
    return tex


SEEDS: tuple[Colour, ...] = ((70, 110, 150), (60, 160, 90), (35, 40, 45), (225, 230, 232), (40, 50, 190))
"""Lentils, peas, peppercorns, pills, cranberries."""


def row(chance: Chance) -> Thing:
    """Lentils, peas, peppercorns or pills, three to six in a row."""
    count, gap = int(chance.integers(3, 7)), chance.uniform(0.25, 0.4)
    places = [((k - (count - 1) / 2) * gap, chance.normal(0, 0.02)) for k in range(count)]
    tone = SEEDS[int(chance.integers(len(SEEDS)))]
    return Thing(flat(_strewn(tone, places, 0.1, 3.0), chance, 3.0, 3.0, 0.02), None, 0.02, glow=True)


def laid_as_pips(chance: Chance) -> Thing:
    """The same laid as the pips of a die, on nothing but the ground."""
    value = int(chance.integers(2, 7))
    places = [(0.27 * u, 0.27 * v) for u, v in PLACES[value]]
    tone = SEEDS[int(chance.integers(len(SEEDS)))]
    return Thing(flat(_strewn(tone, places, 0.1, 1.5), chance, 1.5, 1.5, 0.02), None, 0.02, glow=True)


def pills(chance: Chance) -> Thing:
    """A pill with a groove, or with an imprint; a capsule in two colours."""
    tone = ((235, 238, 240), (170, 200, 235), (60, 80, 200))[int(chance.integers(3))]
    tex = disc_of(tone)
    if chance.random() < 0.5:
        rgb = np.ascontiguousarray(tex[..., :3])
        cv2.line(rgb, (TEX // 2, 20), (TEX // 2, TEX - 20), _shaded(tone, 0.7), 6)
        tex[..., :3] = rgb
    else:
        written(tex, str(chance.integers(1, 100)), _shaded(tone, 0.65), 0.3, FONTS[0], 0.04)
    return Thing(flat(tex, chance, 0.9, 0.9, 0.3), None, 0.3)


def long_brick(chance: Chance) -> Thing:
    """A toy brick with two by three studs, each lit and with its shadow."""
    body, _ = PAIRS[int(chance.integers(len(PAIRS)))]
    tex, dark = blank(body, 0.01), _shaded(body, 0.55)
    bright = _shaded(body, 1.12)
    for u in (-1, 0, 1):
        for v in (-0.5, 0.5):
            rgb = np.ascontiguousarray(tex[..., :3])
            for off, ink in ((0.02, dark), (0.0, bright)):
                at = (round((0.5 + u / 3 + off) * TEX), round((0.5 + v / 2 + off) * TEX))
                cv2.ellipse(rgb, at, (round(0.1 * TEX), round(0.15 * TEX)), 0, 0, 360, ink, -1, cv2.LINE_AA)
            tex[..., :3] = rgb
    side = blank(dark, 0.01)
    box = cube({"up": tex, "n": side, "s": side, "e": side, "w": side}, chance, body)
    way = box[0].corners[1] - box[0].corners[0]
    for piece in box:
        piece.corners = piece.corners + 0.5 * (piece.corners @ way)[:, None] * way
    return Thing(box, None, hull=body)


def remote(chance: Chance) -> Thing:
    """A remote control: keys in three columns, some with figures."""
    body = ((40, 38, 36), (200, 205, 205), (90, 90, 90))[int(chance.integers(3))]
    key = ((200, 205, 205), (60, 58, 56), (40, 30, 190))[int(chance.integers(3))]
    tex = np.zeros((3 * TEX, TEX, 4), np.float32)
    tex[..., :3], tex[..., 3] = body, 255
    rgb = tex[..., :3].astype(np.uint8)
    number = 1
    for y in range(8):
        for x in range(3):
            at = (round((0.22 + 0.28 * x) * TEX), round((0.25 + 0.35 * y) * TEX))
            cv2.circle(rgb, at, round(0.09 * TEX), key, -1, cv2.LINE_AA)
            if y < 3 and chance.random() < 0.7:
                cv2.putText(rgb, str(number), (at[0] - 9, at[1] + 10), FONTS[0], 0.8, body, 2, cv2.LINE_AA)
            number += 1
    tex[..., :3] = rgb
    tex = np.asarray(cv2.resize(tex, (TEX, TEX), interpolation=cv2.INTER_AREA), np.float32)
    return Thing(flat(tex, chance, 1.6, 4.8, 0.5), None, 0.5)


def plug(chance: Chance) -> Thing:
    """A mains plug on its back: a round body, two prongs end on, a spring clip on each side."""
    body: Colour = ((228, 230, 232), (35, 34, 33))[int(chance.integers(2))]
    tex = disc_of(body)
    for u in (-0.2, 0.2):
        dot(tex, u, 0, 0.07, (150, 155, 158))
        dot(tex, u - 0.01, -0.01, 0.045, (205, 208, 210))
    rgb = np.ascontiguousarray(tex[..., :3])
    for v in (0.04, 0.96):
        at = (TEX // 2, round(v * TEX))
        cv2.rectangle(rgb, (at[0] - 14, at[1] - 10), (at[0] + 14, at[1] + 10), (120, 124, 128), -1)
    tex[..., :3] = rgb
    return Thing(flat(tex, chance, 1.6, 1.6, 0.4), None, 0.4)


def napkin(chance: Chance) -> Thing:
    """A paper napkin with dots on a grid, straight or shifted from row to row."""
    body, ink = PAIRS[int(chance.integers(len(PAIRS)))]
    size, shifted = 5.0, chance.random() < 0.5
    gap, r = chance.uniform(0.25, 0.6), chance.uniform(0.06, 0.12)
    tex = blank(body, 0.01)
    rows = int(size / gap)
    for y in range(rows):
        for x in range(rows):
            u = (x + (0.5 if shifted and y % 2 else 0)) * gap - size / 2 + gap / 2
            dot(tex, u / size, (y * gap - size / 2 + gap / 2) / size, r / size, ink)
    return Thing(flat(tex, chance, size, size, 0.03), None, 0.03)


def long_domino(chance: Chance) -> Thing:
    """A domino of another maker: pips of many colours, its line a groove or a brass pin."""
    body = ((228, 232, 234), (40, 38, 36), (60, 90, 60))[int(chance.integers(3))]
    halves = []
    for _ in range(2):
        ink = PAIRS[int(chance.integers(len(PAIRS)))][0]
        if sum(abs(a - b) for a, b in zip(ink, body, strict=True)) < 120:
            ink = (40, 30, 200)
        halves.append(pips(blank(body, 0.02), int(chance.integers(1, 7)), ink, 0.22, 0.08))
    both = np.concatenate(halves)
    if chance.random() < 0.5:
        both[TEX - 3 : TEX + 3, :, :3] = _shaded(body, 0.6)
    if chance.random() < 0.5:
        rgb = np.ascontiguousarray(both[..., :3])
        cv2.circle(rgb, (TEX // 2, TEX), 12, (80, 170, 200), -1, cv2.LINE_AA)
        both[..., :3] = rgb
    tex = np.asarray(cv2.resize(both, (TEX, TEX), interpolation=cv2.INTER_AREA), np.float32)
    return Thing(flat(tex, chance, 1.0, 2.0, 0.4), None, 0.4)


def calendar(chance: Chance) -> Thing:
    """A leaf of a calendar: figures in boxes, some Sundays red, a holiday in a ring."""
    size = 5.0
    tex = blank((235, 238, 240), 0.01)
    tex = np.asarray(cv2.resize(tex, None, fx=2, fy=2), np.float32)
    rgb = tex[..., :3].astype(np.uint8)
    step, boxed = 2 * TEX // 7, chance.random() < 0.6
    for day in range(35):
        x, y = day % 7 * step + 8, day // 7 * step + 40
        ink = RED if day % 7 == 6 else DARK
        if boxed:
            cv2.rectangle(rgb, (x - 6, y - 36), (x + step - 8, y + step - 38), (150, 150, 150), 2)
        cv2.putText(rgb, str(day % 31 + 1), (x, y), FONTS[0], 0.9, ink, 2, cv2.LINE_AA)
        if chance.random() < 0.15:
            cv2.circle(rgb, (x + 22, y - 12), 24, (40, 30, 200), 3, cv2.LINE_AA)
        if chance.random() < 0.2:
            cv2.circle(rgb, (x + 40, y + 14), 7, ink, -1, cv2.LINE_AA)
    tex[..., :3] = rgb
    tex = np.asarray(cv2.resize(tex, (TEX, TEX), interpolation=cv2.INTER_AREA), np.float32)
    return Thing(flat(tex, chance, size, size, 0.03), None, 0.03)


def matchbox(chance: Chance) -> Thing:
    """A box of its own colour with a label in its middle: a ring, or dots anywhere."""
    body, ink = PAIRS[int(chance.integers(len(PAIRS)))]
    tex = blank(body, 0.02)
    if chance.random() < 0.5:
        dot(tex, 0, 0, 0.2, ink)
        dot(tex, 0, 0, 0.12, body)
    else:
        for _ in range(int(chance.integers(2, 6))):
            strew(tex, chance, 0.35, (0.05, 0.09), ink)
    side = blank(_shaded(body, 0.7), 0.02)
    box = cube({"up": tex, "n": side, "s": side, "e": side, "w": side}, chance, body)
    return Thing(box, None, hull=body)


HOUSEHOLD: dict[str, Callable[[Chance], Thing]] = {
    kind.__name__: kind
    for kind in (
        asian,
        side_lit,
        tiny_pips,
        chip,
        row,
        laid_as_pips,
        pills,
        long_brick,
        remote,
        plug,
        napkin,
        long_domino,
        calendar,
        matchbox,
    )
}
