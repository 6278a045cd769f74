"""Things with dots or numerals that are no dice: dominoes, buttons, lids, coins, lenses, print."""

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
    Piece,
    Thing,
    blank,
    cube,
    disc_of,
    dot,
    flat,
    pips,
    polygon,
    star,
    strew,
    turn_z,
    written,
)


def domino(chance: Chance) -> Thing:
    body, ink = PAIRS[int(chance.integers(3))]
    tex = np.zeros((TEX, TEX, 4), np.float32)
    halves = [pips(blank(body, 0.02), int(chance.integers(1, 7)), ink) for _ in range(2)]
    both = np.concatenate(halves)
    both[TEX - 4 : TEX + 4, 24:-24, :3] = [0.4 * c + 0.6 * i for c, i in zip(body, ink, strict=True)]
    tex = np.asarray(cv2.resize(both, (TEX, TEX), interpolation=cv2.INTER_AREA), np.float32)
    return Thing(flat(tex, chance, 1.0, 2.0, 0.35), None, 0.35)


def printed(chance: Chance) -> Thing:
    """A die drawn on a beer mat: a square with an outline, or its bare outline."""
    paper = tuple(chance.uniform(170, 245, 3))
    body, ink = PAIRS[int(chance.integers(len(PAIRS)))]
    mat = disc_of(paper) if chance.random() < 0.5 else blank(paper, 0.06)
    if chance.random() < 0.5:
        body, ink = paper, (30, 30, 30)
    size = 0.28
    small = cv2.resize(pips(blank(body), int(chance.integers(1, 7)), ink), (round(size * TEX),) * 2)
    u, v = (int(x) for x in chance.uniform(0.3, 0.42, 2) * TEX)
    part = mat[v : v + len(small), u : u + len(small)]
    a = small[..., 3:] / 255
    part[..., :3] = a * small[..., :3] + (1 - a) * part[..., :3]
    rgb = mat[..., :3].astype(np.uint8)
    line = 3 if chance.random() < 0.7 else 0
    if line:
        cv2.rectangle(rgb, (u, v), (u + len(small), v + len(small)), (30, 30, 30), line, cv2.LINE_AA)
    cv2.putText(rgb, "BIER", (u - 6, v - 14), cv2.FONT_HERSHEY_TRIPLEX, 0.9, (40, 40, 160), 2, cv2.LINE_AA)
    mat[..., :3] = rgb
    return Thing(flat(mat, chance, 1 / size, 1 / size, 0.08), None, 0.08)


def button(chance: Chance) -> Thing:
    body, _ = PAIRS[int(chance.integers(len(PAIRS)))]
    tex = disc_of(body)
    if chance.random() < 0.7:
        rgb = np.ascontiguousarray(tex[..., :3])
        rim = tuple(0.75 * c for c in body)
        cv2.circle(rgb, (TEX // 2, TEX // 2), round(0.36 * TEX), rim, 6, cv2.LINE_AA)
        tex[..., :3] = rgb
    hole = tuple(0.25 * c for c in body) if sum(body) > 240 else (200, 200, 200)
    off, r = chance.uniform(0.09, 0.19), chance.uniform(0.05, 0.08)
    for u, v in PLACES[int(chance.choice([2, 4]))]:
        dot(tex, u * off, v * off, r, hole)
    return Thing(flat(tex, chance, 1.2, 1.2, 0.15), None, 0.15)


def shaker(chance: Chance) -> Thing:
    """The lid of a salt shaker: a steel disc with one to six holes."""
    tex = disc_of((185, 188, 190))
    yy, xx = np.mgrid[:TEX, :TEX] / TEX - 0.5
    tex[..., :3] *= (1 + 0.5 * (xx - yy))[..., None]
    for u, v in PLACES[int(chance.integers(1, 7))]:
        dot(tex, u * 0.17, v * 0.17, 0.05, (30, 30, 30))
    return Thing(flat(tex, chance, 1.4, 1.4, 0.8), None, 0.8)


def cap(chance: Chance) -> Thing:
    """A crown cap with a printed dot or ring."""
    body, ink = PAIRS[int(chance.integers(len(PAIRS)))]
    tex = disc_of(body)
    alpha = np.zeros((TEX, TEX), np.uint8)
    cv2.fillPoly(alpha, [np.int32((0.5 + star(21, 0.49, 0.92)) * TEX)], 255, cv2.LINE_AA)
    tex[..., 3] = alpha
    kind = int(chance.integers(3))
    if kind == 0:
        dot(tex, 0, 0, chance.uniform(0.08, 0.2), ink)
    elif kind == 1:
        polygon(tex, star(5, 0.3, 0.5), ink)
    else:
        pips(tex, int(chance.integers(2, 6)), ink, 0.16, 0.06)
    return Thing(flat(tex, chance, 1.6, 1.6, 0.3), None, 0.3)


def coin(chance: Chance) -> Thing:
    body = ((60, 110, 160), (80, 160, 200), (190, 190, 190))[int(chance.integers(3))]
    tex = disc_of(body)
    if chance.random() < 0.5:
        dot(tex, 0, 0, 0.33, (190, 190, 190) if body[2] > 195 else (80, 160, 200))
    dark = tuple(0.55 * c for c in body)
    written(tex, str(chance.choice(["1", "2", "5", "10", "20", "50"])), dark, 0.4, FONTS[1], 0.06)
    return Thing(flat(tex, chance, 1.5, 1.5, 0.1), None, 0.1)


def ladybird(chance: Chance) -> Thing:
    tex = disc_of((35, 30, 190))
    rgb = np.ascontiguousarray(tex[..., :3])
    cv2.line(rgb, (TEX // 2, 0), (TEX // 2, TEX), (20, 20, 20), 5)
    cv2.ellipse(rgb, (TEX // 2, 0), (TEX // 3, TEX // 5), 0, 0, 360, (20, 20, 20), -1, cv2.LINE_AA)
    tex[..., :3] = rgb
    for u, v in ((-0.2, -0.1), (0.2, -0.1), (-0.24, 0.2), (0.24, 0.2), (0, -0.22), (-0.1, 0.36), (0.1, 0.36)):
        dot(tex, u, v, 0.07, (20, 20, 20))
    return Thing(flat(tex, chance, 0.8, 1.0, 0.4), None, 0.4)


def brick(chance: Chance) -> Thing:
    """A toy brick with four or six studs: lit, each with its shadow."""
    body, _ = PAIRS[int(chance.integers(2, len(PAIRS)))]
    value = int(chance.choice([1, 4]))
    tex = blank(body, 0.01)
    for u, v in PLACES[value]:
        dot(tex, u * 0.25 + 0.03, v * 0.25 + 0.03, 0.15, tuple(0.6 * c for c in body))
        dot(tex, u * 0.25, v * 0.25, 0.15, tuple(min(255, 1.08 * c + 8) for c in body))
    return Thing(flat(tex, chance, 1.0, 1.0, 0.6), None, 0.6)


def lenses(chance: Chance) -> Thing:
    """A phone on its face: the bump of its camera with two to four lenses."""
    body = ((40, 38, 36), (200, 205, 205), (120, 90, 60))[int(chance.integers(3))]
    tex = blank(tuple(0.85 * c for c in body), 0.25)
    value = int(chance.choice([2, 3, 4, 5]))
    places = PLACES[value] if value != 3 else ((-1, -1), (-1, 1), (1, 0))
    for u, v in places:
        dot(tex, u * 0.22, v * 0.22, 0.17, (90, 90, 90))
        dot(tex, u * 0.22, v * 0.22, 0.14, (15, 12, 12))
        dot(tex, u * 0.22 - 0.03, v * 0.22 - 0.03, 0.03, (160, 120, 110))
    phone = Piece(
        blank(body, 0.1), np.array([(-0.8, -0.8, 0.2), (2, -0.8, 0.2), (2, 5, 0.2), (-0.8, 5, 0.2)])
    )
    bump = np.array([(-0.5, -0.5, 0.25), (0.5, -0.5, 0.25), (0.5, 0.5, 0.25), (-0.5, 0.5, 0.25)])
    turn = turn_z(chance.uniform(0, 360))
    phone.corners = phone.corners @ turn.T
    return Thing([phone, Piece(tex, bump @ turn.T)], None, 0.2)


def screen(chance: Chance) -> Thing:
    """A die shown on a phone: luminous and flat, on a plain screen."""
    back = tuple(chance.uniform(10, 90, 3))
    turn = turn_z(chance.uniform(0, 360))
    phone = Piece(
        blank(back, 0.05), np.array([(-1.2, -2.2, 0.1), (1.2, -2.2, 0.1), (1.2, 2.2, 0.1), (-1.2, 2.2, 0.1)])
    )
    body, ink = PAIRS[int(chance.integers(len(PAIRS)))]
    tex = pips(blank(body), int(chance.integers(1, 7)), ink)
    at = np.array([(-0.5, -0.5, 0.1), (0.5, -0.5, 0.1), (0.5, 0.5, 0.1), (-0.5, 0.5, 0.1)])
    phone.corners = phone.corners @ turn.T
    return Thing([phone, Piece(tex, at @ turn.T)], None, 0.1, glow=True)


def blister(chance: Chance) -> Thing:
    """Pills in a blister pack, or chocolates: two by three round things on foil."""
    tex = blank((190, 192, 194), 0.05)
    shape = PLACES[int(chance.choice([4, 6]))]
    tone = ((235, 238, 240), (60, 70, 200), (40, 60, 90))[int(chance.integers(3))]
    for u, v in shape:
        dot(tex, u * 0.25, v * 0.28, chance.uniform(0.09, 0.12), tone)
    return Thing(flat(tex, chance, 1.0, 1.0, 0.1), None, 0.1)


def socket(chance: Chance) -> Thing:
    """A socket or a plug: a white round thing with two holes."""
    tex = disc_of((228, 230, 232))
    dot(tex, 0, 0, 0.38, (205, 208, 210))
    for u in (-0.16, 0.16):
        dot(tex, u, 0, 0.06, (25, 25, 25))
    return Thing(flat(tex, chance, 1.3, 1.3, 0.1), None, 0.1)


def pebble(chance: Chance) -> Thing:
    """A stone, a peanut or a piece of chocolate with a few dark specks."""
    tone = chance.uniform(60, 200)
    a = np.linspace(0, 2 * np.pi, 40, endpoint=False)
    r = 0.4 + 0.07 * np.cos(2 * a + chance.uniform(0, 6)) + 0.03 * np.cos(3 * a + chance.uniform(0, 6))
    tex = blank((0.8 * tone, 0.9 * tone, tone), 0.4)
    alpha = np.zeros((TEX, TEX), np.uint8)
    outline = np.stack([r * np.cos(a), r * np.sin(a)], axis=1)
    cv2.fillPoly(alpha, [np.int32((0.5 + outline) * TEX)], 255, cv2.LINE_AA)
    yy, xx = np.mgrid[:TEX, :TEX] / TEX - 0.5
    tex[..., :3] *= (1.1 - 0.9 * (xx + yy) * np.hypot(xx, yy))[..., None]
    tex[..., 3] = alpha
    for _ in range(int(chance.integers(1, 5))):
        strew(tex, chance, 0.25, (0.04, 0.1), (0.2 * tone,) * 3)
    return Thing(flat(tex, chance, 1.1, 0.9, 0.4), None, 0.4)


def ring(chance: Chance) -> Thing:
    """An ear stud or a ring with a stone: a small bright square or disc with one stone in it."""
    metal = ((90, 180, 215), (195, 195, 195))[int(chance.integers(2))]
    tex = blank(metal, float(chance.choice([0.1, 0.499])))
    dot(
        tex,
        0,
        0,
        chance.uniform(0.09, 0.3),
        ((40, 30, 160), (120, 60, 20), (30, 30, 30))[int(chance.integers(3))],
    )
    dot(tex, -0.05, -0.05, 0.03, (250, 250, 250))
    return Thing(flat(tex, chance, 0.8, 0.8, 0.4), None, 0.4)


def sugar(chance: Chance) -> Thing:
    """A lump of sugar, or a bit of cheese with holes."""
    tone: Colour = (235, 238, 240) if chance.random() < 0.4 else (90, 200, 240)
    tex = blank(tone, 0.05)
    if tone[0] < 200:
        for _ in range(int(chance.integers(1, 6))):
            strew(tex, chance, 0.35, (0.05, 0.12), (60, 150, 190))
    side = blank(tuple(0.8 * c for c in tone), 0.05)
    faces = {"up": tex, "n": side, "s": side, "e": side, "w": side}
    return Thing(cube(faces, chance, tone), None, hull=tone)


def salt(chance: Chance) -> Thing:
    """Grains and crumbs strewn over a coloured paper napkin."""
    tex = blank(((40, 40, 180), (120, 60, 40), (60, 110, 40))[int(chance.integers(3))], 0.02)
    for _ in range(int(chance.integers(6, 30))):
        strew(tex, chance, 0.45, (0.008, 0.025), (235, 238, 240))
    return Thing(flat(tex, chance, 3.5, 3.5, 0.02), None, 0.02)


def letters(chance: Chance) -> Thing:
    """A beer mat with words and marks: dots, colons, an o in a box."""
    tex = disc_of(tuple(chance.uniform(150, 245, 3)))
    rgb = tex[..., :3].astype(np.uint8)
    ink = tuple(chance.uniform(0, 120, 3))
    for y, text in ((80, "Ei:in"), (130, "o.O.oo"), (185, "seit 1860.")):
        cv2.putText(rgb, text, (45, y), FONTS[int(chance.integers(4))], 0.9, ink, 3, cv2.LINE_AA)
    if chance.random() < 0.5:
        cv2.rectangle(rgb, (100, 196), (132, 228), ink, 3, cv2.LINE_AA)
        cv2.circle(rgb, (116, 212), 4, ink, -1, cv2.LINE_AA)
    tex[..., :3] = rgb
    return Thing(flat(tex, chance, 4.5, 4.5, 0.08), None, 0.08)


def nothing(chance: Chance) -> Thing:
    return Thing([], None)


THINGS: dict[str, Callable[[Chance], Thing]] = {
    kind.__name__: kind
    for kind in (
        domino,
        printed,
        button,
        shaker,
        cap,
        coin,
        ladybird,
        brick,
        lenses,
        screen,
        blister,
        socket,
        pebble,
        ring,
        sugar,
        salt,
        letters,
        nothing,
    )
}
