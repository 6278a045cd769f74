"""Dice that are hard to read: leaning, stacked, worn, glossy, with numerals, logos or pictures."""

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
    die,
    dot,
    flat,
    pips,
    polygon,
    star,
    strew,
    written,
)


def plain(chance: Chance) -> Thing:
    return die(chance)


def leaning(chance: Chance) -> Thing:
    """A die that leans against another one or a rim by 20 to 44 degrees; a reader must say that it leans."""
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
    """Small bold figures whose loops close up: 6, 8, 9, 0."""
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
    """A wet or polished die: a glint in some pips and one on the body."""

    def draw(v: int, body: Colour, ink: Colour) -> Texture:
        tex = pips(blank(body), v, ink)
        for u, w in PLACES[v]:
            if chance.random() < 0.7:
                dot(tex, 0.25 * u - 0.03, 0.25 * w - 0.03, chance.uniform(0.02, 0.045), (250, 250, 250))
        for _ in range(int(chance.integers(1, 3))):
            strew(tex, chance, 0.4, (0.03, 0.1), (252, 252, 252))
        return tex

    return die(chance, draw)


def translucent(chance: Chance) -> Thing:
    """A clear die through which the ground shows at a third, with letters or dots printed on it."""
    body, ink = PAIRS[int(chance.integers(2, len(PAIRS)))]

    def draw(v: int, b: Colour, i: Colour) -> Texture:
        tex = blank(b)
        for _ in range(int(chance.integers(2, 6))):
            shade = tuple(0.72 * c for c in b)
            strew(tex, chance, 0.45, (0.05, 0.14), shade)
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
    """A worn die: the paint is gone from one or two pips."""

    def draw(v: int, body: Colour, ink: Colour) -> Texture:
        tex, gone = blank(body), set(chance.permutation(len(PLACES[v]))[: int(chance.integers(1, 3))])
        for k, (u, w) in enumerate(PLACES[v]):
            share = chance.uniform(0.05, 0.35) if k in gone and v > 1 else 1.0
            mixed = tuple(share * i + (1 - share) * b for i, b in zip(ink, body, strict=True))
            dot(tex, 0.25 * u, 0.25 * w, 0.095, mixed)
        return tex

    return die(chance, draw)


DICE: dict[str, Callable[[Chance], Thing]] = {
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
}
