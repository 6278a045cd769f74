"""Strangers' cards as hosts photograph them for `enrol`: each is learnt as that card, or refused by name.

    python -m tests.vision.host_series paper,flash 1 10     # ways (or all), first seed, series of each

Faces and some grounds are cut from the photographs and stills of `../shared`: cards of a used deck lie on a
book, in a sleeve, on a mat with printed places, under a flash. The things round the card are drawn. A series
has twelve pictures; prints a line per series with a card learnt wrongly, and the sums.
"""

from __future__ import annotations

import sys
from collections import Counter
from dataclasses import replace

import cv2
import numpy as np

from tests.vision.enrolment_series import MANY, RIGHT, ROUGH, Chance, Shot, overlap
from tests.vision.host_table import (
    FACES,
    HostTable,
    as_taken,
    drawn_ground,
    faces_of,
    ground_of,
    laid,
    lit,
    plain_table,
    rectangle,
)
from vision.arrays import Float64
from vision.cards.deck import Deck, learn
from vision.cards.still import Still
from vision.sightings import Picture


def sleeves(faces: dict[str, Picture], chance: Chance) -> list[Shot]:
    """Every card is in a transparent sleeve: a thin sheen round it, a bright band across it."""

    def sheen(picture: Picture, corners: Float64, chance: Chance, number: int) -> Picture:
        middle = corners.mean(axis=0)
        rim = middle + (corners - middle) * [1.06, 1.05]
        h, w = picture.shape[:2]
        light = np.zeros((h, w), np.float32)
        inside = cv2.fillConvexPoly(np.zeros((h, w), np.float32), rim.round().astype(np.int32), 1.0)
        cv2.polylines(
            light, [rim.round().astype(np.int32)], True, float(chance.uniform(30, 110)), 1, cv2.LINE_AA
        )
        across = corners[2] - corners[0]
        at = np.mgrid[:h, :w][::-1].transpose(1, 2, 0) - middle
        along = (at @ across) / float(across @ across)
        band = np.exp(-(((along - chance.uniform(-0.4, 0.4)) / chance.uniform(0.04, 0.12)) ** 2))
        light += inside * (8 + band.astype(np.float32) * chance.uniform(20, 90))
        return np.clip(picture + light[..., None], 0, 255).astype(np.uint8)

    return as_taken(faces, plain_table(chance), chance, sheen)


def paper(faces: dict[str, Picture], chance: Chance) -> list[Shot]:
    """The card lies on a sheet of white paper, a rectangle with the proportions of a card."""
    table = plain_table(chance)
    h, w = table.ground.shape[:2]
    width = table.width * chance.uniform(1.4, 2.6)
    width = min(width, 0.62 * w, 0.62 * h)
    table.width = min(table.width, width / 1.35)
    sheet = np.full((280, 200, 3), chance.integers(215, 245), np.uint8)
    where = rectangle(np.array([w, h]) / 2, width, 1.414 * width, chance.normal(0, 3))
    table.ground = laid(table.ground, sheet, where, rounded=0.0, shade=0.15)
    return as_taken(faces, replace(table, wander=0.015), chance)


def book(faces: dict[str, Picture], chance: Chance) -> list[Shot]:
    """The card lies on a book, a tablet or the lid of a game: a coloured rectangle with print and a frame."""
    table = plain_table(chance)
    h, w = table.ground.shape[:2]
    width = min(table.width * chance.uniform(1.5, 2.4), 0.6 * w, 0.6 * h)
    table.width = min(table.width, width / 1.5)
    cover = np.full((400, 280, 3), chance.integers(20, 200, 3), np.uint8)
    ink = tuple(int(v) for v in chance.integers(0, 255, 3))
    cv2.rectangle(cover, (18, 18), (262, 382), ink, 4)
    cv2.putText(cover, "SKAT", (60, 80), cv2.FONT_HERSHEY_TRIPLEX, 2.0, ink, 4)
    cv2.putText(cover, "ab 8 Jahren", (70, 360), cv2.FONT_HERSHEY_COMPLEX, 0.8, ink, 2)
    where = rectangle(np.array([w, h]) / 2, width, width * chance.uniform(1.25, 1.6), chance.normal(0, 4))
    table.ground = laid(table.ground, cover, where, rounded=0.01)
    return as_taken(faces, replace(table, wander=0.02), chance)


def slots(faces: dict[str, Picture], chance: Chance) -> list[Shot]:
    """A patience mat with printed places, a little larger than a card; the card lies in one of them."""
    size = (960, 720)
    table = HostTable(
        np.full((720, 960, 3), chance.integers(20, 140, 3), np.uint8),
        chance.uniform(100, 190),
        chance.random() < 0.6,
    )
    noise = chance.normal(0, 5, table.ground.shape)
    table.ground = np.clip(table.ground + noise, 0, 255).astype(np.uint8)
    face = next(iter(faces.values()))
    wide = table.width * chance.uniform(1.05, 1.2)
    tall = wide * face.shape[0] / face.shape[1]
    line = int(chance.integers(1, 4))
    ink = tuple(int(v) for v in chance.integers(150, 255, 3))
    for column in range(-2, 3):
        for row in range(-1, 2):
            at = np.array(size) / 2 + np.array([column * wide * 1.15, row * tall * 1.12])
            where = rectangle(at, wide, tall, 0).round().astype(np.int32)
            cv2.polylines(table.ground, [where], True, ink, line, cv2.LINE_AA)
    return as_taken(faces, replace(table, wander=0.004, askew_deg=1.0), chance)


def shadow(faces: dict[str, Picture], chance: Chance) -> list[Shot]:
    """Light boards or varnished wood; the photographer's shadow differs from picture to picture."""

    def shade(picture: Picture, corners: Float64, chance: Chance, number: int) -> Picture:
        h, w = picture.shape[:2]
        dark = np.zeros((h, w), np.float32)
        at = corners.mean(axis=0) + chance.normal(0, 0.25 * w, 2)
        cv2.ellipse(
            dark,
            tuple(int(v) for v in at),
            (int(w * chance.uniform(0.1, 0.25)), int(w * chance.uniform(0.15, 0.3))),
            0,
            0,
            360,
            1.0,
            -1,
        )
        body = (
            rectangle(at + np.array([0, 0.5 * h]), w * chance.uniform(0.3, 0.6), 0.8 * h, 0)
            .round()
            .astype(np.int32)
        )
        cv2.fillConvexPoly(dark, body, 1.0)
        dark = cv2.GaussianBlur(dark, (0, 0), chance.uniform(3, 30))
        return np.clip(picture * (1 - chance.uniform(0.3, 0.65) * dark[..., None]), 0, 255).astype(np.uint8)

    size = (960, 720)
    ground = (
        drawn_ground(chance, size, ("planks", "linen", "marble"))
        if chance.random() < 0.5
        else ground_of(chance, size)
    )
    table = HostTable(ground, chance.uniform(90, 200), chance.random() < 0.6)
    return as_taken(faces, table, chance, shade)


def cloths(faces: dict[str, Picture], chance: Chance) -> list[Shot]:
    """Newspaper, oilcloth with flowers, stripes, printed suits; a pen and a phone lie there, too."""
    size = (960, 720)
    ground = drawn_ground(chance, size, ("newspaper", "flowers", "stripes", "suits"))
    if chance.random() < 0.5:
        phone = np.full((150, 75, 3), chance.integers(5, 60, 3), np.uint8)
        ground = laid(
            ground, phone, rectangle(np.array([150.0, 200.0]), 130, 260, chance.uniform(0, 90)), 0.1
        )
    table = HostTable(ground, chance.uniform(90, 200), chance.random() < 0.6, wander=0.12)
    return as_taken(faces, table, chance)


def both_ways(faces: dict[str, Picture], chance: Chance) -> list[Shot]:
    """A phone held upright and on its side by turns, from different places."""
    names = list(faces)
    half = {name: faces[name] for name in names[: len(names) // 2]}
    rest = {name: faces[name] for name in names[len(names) // 2 :]}
    width, ground = chance.uniform(110, 200), ground_of(chance, (960, 960))
    shots = []
    for some, (w, h) in ((half, (720, 960)), (rest, (960, 720))):
        shots += as_taken(some, HostTable(np.ascontiguousarray(ground[:h, :w]), width, True), chance)
    return shots


def blurred(faces: dict[str, Picture], chance: Chance) -> list[Shot]:
    """Some pictures are blurred by the hand's motion."""

    def smear(picture: Picture, corners: Float64, chance: Chance, number: int) -> Picture:
        if chance.random() < 0.5:
            return picture
        length = int(chance.integers(5, 23))
        kernel = np.zeros((length, length), np.float32)
        turn = chance.uniform(0, np.pi)
        reach = length / 2 * np.array([np.cos(turn), np.sin(turn)])
        one, other = (tuple(int(v) for v in (length / 2 + sign * reach).round()) for sign in (-1, 1))
        cv2.line(kernel, one, other, 1.0)
        return np.asarray(cv2.filter2D(picture, -1, kernel / kernel.sum()), np.uint8)

    return as_taken(faces, plain_table(chance), chance, smear)


def flash(faces: dict[str, Picture], chance: Chance) -> list[Shot]:
    """The flash burns a white spot into the varnish in the middle of the card, or beside it."""

    def spot(picture: Picture, corners: Float64, chance: Chance, number: int) -> Picture:
        h, w = picture.shape[:2]
        width = float(np.linalg.norm(corners[1] - corners[0]))
        at = corners.mean(axis=0) + chance.normal(0, 0.35 * width, 2)
        far = np.linalg.norm(np.mgrid[:h, :w][::-1].transpose(1, 2, 0) - at, axis=2)
        size = width * chance.uniform(0.15, 0.5)
        light = 400 * np.exp(-((far / size) ** 2))
        fall = np.exp(-((far / (0.9 * w)) ** 2))[..., None]
        return np.clip(picture * (0.35 + 0.75 * fall) + light[..., None], 0, 255).astype(np.uint8)

    return as_taken(faces, plain_table(chance), chance, spot)


def fingers(faces: dict[str, Picture], chance: Chance) -> list[Shot]:
    """Fingertips hold the card by its edge."""

    def held(picture: Picture, corners: Float64, chance: Chance, number: int) -> Picture:
        out = picture.copy()
        width = float(np.linalg.norm(corners[1] - corners[0]))
        skin = np.array([(120, 150, 205), (90, 115, 170), (60, 80, 120)][int(chance.integers(3))])
        side = int(chance.integers(4))
        a, b = corners[side], corners[(side + 1) % 4]
        outward = (a + b) / 2 - corners.mean(axis=0)
        outward /= np.linalg.norm(outward)
        for share in np.linspace(0.25, 0.75, int(chance.integers(1, 4))) + chance.uniform(-0.1, 0.1):
            tip = a + (b - a) * share - outward * width * chance.uniform(0.02, 0.2)
            knuckle = tip + outward * width * 1.2
            thick = max(3, int(width * chance.uniform(0.14, 0.2)))
            cv2.line(
                out,
                tuple(int(v) for v in tip),
                tuple(int(v) for v in knuckle),
                tuple(int(v) for v in skin * chance.uniform(0.85, 1.0)),
                thick,
                cv2.LINE_AA,
            )
        palm = (a + b) / 2 + outward * width * 1.9
        cv2.circle(
            out,
            tuple(int(v) for v in palm),
            int(width * 0.8),
            tuple(int(v) for v in skin * 0.92),
            -1,
            cv2.LINE_AA,
        )
        return np.asarray(cv2.addWeighted(out, 0.9, cv2.GaussianBlur(out, (0, 0), 2), 0.1, 0), np.uint8)

    return as_taken(faces, plain_table(chance), chance, held)


def far(faces: dict[str, Picture], chance: Chance) -> list[Shot]:
    """Very small cards in a large picture."""
    size = (2400, 1800)
    table = HostTable(ground_of(chance, size), chance.uniform(60, 110), chance.random() < 0.5)
    return as_taken(faces, replace(table, wander=0.2), chance)


def cut_off(faces: dict[str, Picture], chance: Chance) -> list[Shot]:
    """Some cards lie partly outside the picture."""
    table = replace(plain_table(chance), held=False)
    shots = as_taken(faces, table, chance)
    for shot in shots:
        if chance.random() < 0.3:
            tall = float(np.ptp(shot.corners[:, 1]))
            low = table.ground.shape[0] - float(shot.corners[:, 1].max())
            shot.corners = shot.corners + np.array([0, low + tall * chance.uniform(0.05, 0.4)])
            shot.picture = lit(laid(table.ground, faces[shot.name], shot.corners), chance)
            shot.spoilt = "cut"
    return shots


def pile(faces: dict[str, Picture], chance: Chance) -> list[Shot]:
    """The card lies on the stack of the others, whose rims stick out slightly, differently each time."""
    table = plain_table(chance)

    names = list(faces)

    def rest(picture: Picture, corners: Float64, chance: Chance, number: int) -> Picture:
        out = table.ground
        face = faces[names[number]]
        for _ in range(int(chance.integers(2, 7))):
            other = faces[names[int(chance.integers(len(names)))]]
            middle = corners.mean(axis=0)
            turned = np.radians(chance.normal(0, 2.5))
            way = np.array([(np.cos(turned), -np.sin(turned)), (np.sin(turned), np.cos(turned))])
            where = middle + (corners - middle) @ way.T + chance.normal(0, 0.035 * table.width, 2)
            out = laid(out, other, where, shade=0.2)
        return laid(out, face, corners, shade=0.2)

    return as_taken(faces, table, chance, rest)


def crops(faces: dict[str, Picture], chance: Chance) -> list[Shot]:
    """Each picture is cropped round its card by hand, and so has an aspect ratio of its own."""
    shots = as_taken(faces, replace(plain_table(chance), held=True), chance)
    for shot in shots:
        h, w = shot.picture.shape[:2]
        low, high = shot.corners.min(axis=0), shot.corners.max(axis=0)
        side = float((high - low).min())
        x0, y0 = np.maximum(low - side * chance.uniform(0.02, 0.3, 2), 0).astype(int)
        x1, y1 = np.minimum(high + side * chance.uniform(0.02, 0.3, 2), (w, h)).astype(int)
        shot.picture, shot.corners = np.ascontiguousarray(shot.picture[y0:y1, x0:x1]), shot.corners - (x0, y0)
    return shots


def on_back(faces: dict[str, Picture], chance: Chance) -> list[Shot]:
    """The card lies on another one of its size, face down, which shows on one or two sides."""
    table = plain_table(chance)
    back = np.full((240, 160, 3), 240, np.uint8)
    ink = tuple(int(v) for v in chance.integers(20, 180, 3))
    cv2.rectangle(back, (8, 8), (151, 231), ink, -1)
    for at in range(-240, 160, 14):
        cv2.line(back, (at, 8), (at + 240, 231), (230, 230, 230), 2)
        cv2.line(back, (at + 240, 8), (at, 231), (230, 230, 230), 2)
    cv2.rectangle(back, (0, 0), (159, 239), (240, 240, 240), 15)
    off = chance.uniform(0.1, 0.6, 2) * table.width * chance.choice([-1, 1], 2)
    names = list(faces)

    def under(picture: Picture, corners: Float64, chance: Chance, number: int) -> Picture:
        out = laid(table.ground, back, corners + off + chance.normal(0, 0.03 * table.width, 2))
        return laid(out, faces[names[number]], corners)

    return as_taken(faces, table, chance, under)


def swapped(faces: dict[str, Picture], chance: Chance) -> list[Shot]:
    """The names of two pictures are swapped."""
    shots = as_taken(faces, plain_table(chance), chance)
    one, other = (int(v) for v in chance.choice(len(shots), 2, replace=False))
    for shot, name in ((shots[one], shots[other].name), (shots[other], shots[one].name)):
        shot.spoilt, shot.name = "swapped", name
    return shots


def coloured_paper(faces: dict[str, Picture], chance: Chance) -> list[Shot]:
    """Each card lies on a sheet of coloured paper, which the photographer moves along with it."""
    table = plain_table(chance)
    h, w = table.ground.shape[:2]
    width = min(table.width * chance.uniform(1.3, 1.8), 0.5 * w, 0.5 * h)
    table.width = min(table.width, width / 1.25)
    sheet = np.full((280, 200, 3), chance.integers(60, 240, 3), np.uint8)
    names = list(faces)

    def under(picture: Picture, corners: Float64, chance: Chance, number: int) -> Picture:
        middle = corners.mean(axis=0) + chance.normal(0, 0.02 * w, 2)
        face = faces[names[number]]
        turn = chance.normal(0, 5)
        where = rectangle(middle, width, 1.414 * width, turn)
        return laid(laid(table.ground, sheet, where, rounded=0.0, shade=0.2), face, corners)

    return as_taken(faces, table, chance, under)


WAYS = {
    way.__name__: way
    for way in (
        *(sleeves, paper, book, slots, shadow, cloths, both_ways, blurred, flash, fingers, far, cut_off),
        *(pile, crops, on_back, swapped, coloured_paper),
    )
}


def one_series(way: str, seed: int) -> tuple[str, list[Shot]]:
    """The pictures of a seed."""
    chance = np.random.default_rng((seed, *way.encode()))
    deck = FACES[seed % len(FACES)]
    faces = faces_of(deck)
    names = [list(faces)[int(n)] for n in chance.permutation(len(faces))[:MANY]]
    return deck, WAYS[way]({name: faces[name] for name in names}, chance)


def judge(shots: list[Shot]) -> tuple[Deck, list[tuple[str, str]]]:
    """The outcome of every picture (right, rough, wrong, named or refused), with a note."""
    deck = learn([Still(shot.name, str(n), shot.picture) for n, shot in enumerate(shots)])
    learnt = {int(taken.where): taken for taken in deck.taken}
    why = {int(each.where): each.reason.code for each in deck.refused}
    named = {*deck.strangers, *deck.odd, *(name for name, _ in deck.doubted)}
    told = []
    for n, shot in enumerate(shots):
        if n not in learnt:
            told.append(("refused", f"{shot.name} {why.get(n)}"))
            continue
        same = overlap(learnt[n].corners, shot.corners)
        came = "right" if same >= RIGHT else "rough" if same >= ROUGH else "wrong"
        came = came if shot.shows == shot.name else "misnamed"
        if came != "right" and shot.name in named:
            came = "named"
        told.append((came, f"{came} {shot.name} {same:.2f} {shot.spoilt}"))
    return deck, told


def main() -> None:
    """Run the series named on the command line."""
    ways = list(WAYS) if sys.argv[1] == "all" else sys.argv[1].split(",")
    first, many = int(sys.argv[2]), int(sys.argv[3])
    for way in ways:
        sums: Counter[str] = Counter()
        whys: Counter[str] = Counter()
        for seed in range(first, first + many):
            deck, shots = one_series(way, seed)
            _, told = judge(shots)
            sums.update(came for came, _ in told)
            whys.update(text.split()[-1] for came, text in told if came == "refused")
            if bad := [text for came, text in told if came in ("rough", "wrong", "misnamed", "named")]:
                print(f"  {way} {seed} {deck}: {'; '.join(bad)}", flush=True)
        counts = ", ".join(
            f"{what} {sums[what]}" for what in ("right", "rough", "wrong", "misnamed", "named", "refused")
        )
        print(f"{way:14s} {counts} | {dict(whys.most_common())}", flush=True)


if __name__ == "__main__":
    main()
