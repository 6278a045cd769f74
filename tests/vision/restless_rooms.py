"""Films of the shared footage in a restless room: moving light, bright screens, things that are put down.

    python -m tests.vision.restless_rooms dev-dubbe4 fan /tmp/fan 60
    python ../shared/judge/clip.py /tmp/fan

writes a folder in the footage's format, as `strange_films` does; there a house is the same all evening, here
it changes while the cards are played.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from tests.shared import FOOTAGE
from tests.vision.strange_cameras import House, Picture
from tests.vision.strange_films import written

Gain = Callable[[NDArray[np.float32], NDArray[np.float32], float], NDArray[np.float32]]
_FPS = 15
_SEED = 11
_AWAKE_S, _DIMMED_S, _BRIGHT_S = 1.5, 22.0, 36.0
"""Times at which the lamps of the pub are turned on, down and up again."""
_SAMPLE = 10
"""Stride of the pictures by which quiet places are found."""


def moving_light(gain: Gain) -> House:
    """A house whose light at time `t` is `gain(x, y, t)`; x and y run from 0, in units of the width."""

    def house(picture: Picture, number: int) -> Picture:
        h, w = picture.shape[:2]
        y, x = np.mgrid[0:h:4, 0:w:4].astype(np.float32) / w
        small = gain(x, y, number / _FPS).astype(np.float32)
        whole = cv2.resize(small, (w, h), interpolation=cv2.INTER_LINEAR)
        if whole.ndim == 2:
            whole = np.repeat(whole[..., None], 3, axis=2)
        return np.asarray(cv2.multiply(picture, whole, dtype=cv2.CV_8U), np.uint8)

    return house


def fan(x: NDArray[np.float32], y: NDArray[np.float32], t: float) -> NDArray[np.float32]:
    """A ceiling fan below the lamp: three soft blades turn once in 1.3 s, a quarter of the light less."""
    angle = np.arctan2(y - 0.2, x - 0.35) - 2 * math.pi * t / 1.3
    blade = 1 / (1 + np.exp(-(np.cos(3 * angle) - 0.55) / 0.08))
    return np.asarray(1 - 0.25 * blade, np.float32)


def _swinging(x: NDArray[np.float32], y: NDArray[np.float32], t: float) -> NDArray[np.float32]:
    """A lamp on a cord swings with a period of 1.8 s, its pool of light a fifth of the table each way."""
    middle = 0.5 + 0.2 * math.sin(2 * math.pi * t / 1.8) * (0.6 + 0.4 * math.cos(t / 7))
    far = ((x - middle) / 0.6) ** 2 + ((y - 0.28) / 0.5) ** 2
    return np.asarray(1.2 / (1 + 0.6 * far), np.float32)


def _television(x: NDArray[np.float32], y: NDArray[np.float32], t: float) -> NDArray[np.float32]:
    """Football on a large screen beside the table: its light jumps with every cut of the picture."""
    shot = int(t / 1.1)
    tint = np.random.default_rng((_SEED, shot)).uniform(-0.22, 0.22, 3).astype(np.float32)
    near = np.clip(1.1 - x, 0, 1)[..., None]
    return np.asarray(1 + near * tint, np.float32)


def _candles(x: NDArray[np.float32], y: NDArray[np.float32], t: float) -> NDArray[np.float32]:
    """Two candles in a draught: each flickers by itself, by up to a sixth."""
    light = np.full_like(x, 0.5)
    for place, phase in ((0.1, 0.0), (0.9, 2.0)):
        flame = 1 + 0.17 * math.sin(9.1 * t + phase) * math.sin(2.3 * t + 2 * phase)
        light += 0.5 * flame * np.exp(-(((x - place) / 0.55) ** 2))
    return np.asarray(light, np.float32)


def _headlights(x: NDArray[np.float32], y: NDArray[np.float32], t: float) -> NDArray[np.float32]:
    """Cars pass the window: every 6 s a bright band with sharp edges runs over the table in a second."""
    since = t % 6
    middle = -0.3 + 1.6 * since
    inside = np.clip(0.5 + (0.12 - np.abs(x + 0.2 * y - middle)) / 0.02, 0, 1)
    return np.asarray(1 + 0.5 * inside, np.float32)


def _switched(x: NDArray[np.float32], y: NDArray[np.float32], t: float) -> NDArray[np.float32]:
    """The table wakes up in a dark pub; the lamps go on, are dimmed for the evening and turned up again."""
    level = 0.08 if t < _AWAKE_S else 1.0 if t < _DIMMED_S else 0.4 if t < _BRIGHT_S else 1.0
    return np.full_like(x, level)


def _lamps(strength: float) -> Gain:
    """The table's own lamps, a hand's breadth wide: those at the upper rim change, those below pulse."""

    def gain(x: NDArray[np.float32], y: NDArray[np.float32], t: float) -> NDArray[np.float32]:
        light = np.ones((*x.shape, 3), np.float32)
        for k in range(12):
            chance = np.random.default_rng((_SEED, k, int(t * 0.2 + k * 0.37)))
            colours = [[1, 0, 0], [0, 1, 0], [0, 0, 1], [0, 1, 1], [1, 1, 1], [0, 0, 0]]
            colour = chance.choice(np.array(colours, np.float32))
            at_x, at_y = (0.1 + 0.16 * (k % 6), 0.07 if k < 6 else 0.5)
            glow = strength * np.exp(-((x - at_x) ** 2 + (y - at_y) ** 2) / (2 * 0.04**2))
            if k >= 6:
                glow *= 0.6 + 0.4 * math.sin(2 * math.pi * t / 2)
            light += glow[..., None] * colour
        return light

    return gain


LIGHTS: dict[str, Gain] = {
    "fan": fan,
    "swinging": _swinging,
    "television": _television,
    "candles": _candles,
    "headlights": _headlights,
    "switched": _switched,
    "lamps": _lamps(0.4),
    "bright_lamps": _lamps(0.9),
}


def quiet_places(name: str, size: tuple[int, int], until_s: float, count: int) -> list[tuple[int, int]]:
    """Corners (x, y) of disjoint boxes of a size (w, h) px in which a film hardly changes."""
    source = cv2.VideoCapture(str(FOOTAGE / name / "clip.mp4"))
    low: Picture | None = None
    high: Picture | None = None
    for number in range(round(until_s * _FPS)):
        taken, picture = source.read()
        if not taken:
            break
        if number % _SAMPLE == 0:
            grey = cv2.GaussianBlur(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), (0, 0), 2)
            grey = np.asarray(grey, np.uint8)
            low = grey if low is None else np.minimum(low, grey)
            high = grey if high is None else np.maximum(high, grey)
    assert low is not None
    assert high is not None
    stirred = ((high.astype(np.int16) - low) > 18).astype(np.float32)
    w, h = size
    busy = cv2.boxFilter(stirred, -1, (w, h), anchor=(0, 0), normalize=True, borderType=cv2.BORDER_CONSTANT)
    busy = busy[: busy.shape[0] - h, : busy.shape[1] - w].copy()
    # The rim belongs to the guests; things are in the way in the middle of the table.
    y, x = np.mgrid[0 : busy.shape[0], 0 : busy.shape[1]]
    far = np.hypot(x / busy.shape[1] - 0.5, y / busy.shape[0] - 0.5)
    places = []
    for _ in range(count):
        at = int(np.argmin(busy * 10 + far))
        top, left = divmod(at, busy.shape[1])
        places.append((left, top))
        busy[max(0, top - h) : top + h, max(0, left - w) : left + w] += 10
    return places


def _shade_under(picture: Picture, box: tuple[int, int, int, int]) -> None:
    x, y, w, h = box
    part = picture[y + 4 : y + h + 6, x + 4 : x + w + 6]
    part[:] = (part * 0.7).astype(np.uint8)


def _glass(picture: Picture, at: tuple[int, int], number: int, size: int) -> None:
    """A beer glass from above: a bright rim, golden inside, the foot's ring, a glint."""
    middle = (at[0] + size // 2, at[1] + size // 2)
    _shade_under(picture, (*at, size, size))
    over = picture.copy()
    cv2.circle(over, middle, size // 2, (60, 170, 215), -1, cv2.LINE_AA)
    cv2.circle(over, middle, round(size * 0.36), (225, 238, 244), -1, cv2.LINE_AA)
    picture[:] = cv2.addWeighted(over, 0.8, picture, 0.2, 0)
    cv2.circle(picture, middle, size // 2, (210, 225, 230), 2, cv2.LINE_AA)
    cv2.circle(picture, (middle[0] - size // 5, middle[1] - size // 5), size // 12, (255, 255, 255), -1)


def _phone(picture: Picture, at: tuple[int, int], number: int, size: int) -> None:
    """A phone whose screen plays a film."""
    w, h = round(size * 0.62), round(size * 1.25)
    x, y = at
    _shade_under(picture, (x, y, w, h))
    cv2.rectangle(picture, at, (x + w, y + h), (24, 24, 26), -1, cv2.LINE_AA)
    chance = np.random.default_rng((_SEED, number // 3))
    shown = cv2.resize(chance.integers(0, 256, (7, 4, 3), np.uint8), (w - 8, h - 16))
    picture[y + 8 : y + h - 8, x + 4 : x + w - 4] = shown[: h - 16, : w - 8]


def _note(picture: Picture, at: tuple[int, int], number: int, size: int) -> None:
    """A pad on which more and more is written."""
    w, h = round(size * 0.9), round(size * 1.2)
    x, y = at
    _shade_under(picture, (x, y, w, h))
    cv2.rectangle(picture, at, (x + w, y + h), (228, 236, 238), -1, cv2.LINE_AA)
    for line in range(min(8, number // 60)):
        at_y = y + 8 + line * h // 9
        cv2.line(picture, (x + 5, at_y), (x + 5 + (w - 12) * (3 + line * 5 % 4) // 6, at_y), (90, 50, 40), 1)


def _coins(picture: Picture, at: tuple[int, int], number: int, size: int) -> None:
    """Somebody pays: every four seconds another coin is added."""
    chance = np.random.default_rng(_SEED)
    for _ in range(min(7, number // 60)):
        dx, dy = chance.uniform(0.15, 0.85, 2) * size
        ink = ((60, 120, 190), (90, 190, 215), (190, 196, 200))[int(chance.integers(3))]
        middle = (round(at[0] + dx), round(at[1] + dy))
        cv2.circle(picture, middle, max(5, size // 8), ink, -1, cv2.LINE_AA)
        cv2.circle(picture, middle, max(5, size // 8), tuple(c // 2 for c in ink), 1, cv2.LINE_AA)


def _plate(picture: Picture, at: tuple[int, int], number: int, size: int) -> None:
    """A plate with a sausage on it, half as large again as a glass."""
    size = round(size * 1.1)
    middle = (at[0] + size // 2, at[1] + size // 2)
    _shade_under(picture, (*at, size, size))
    cv2.circle(picture, middle, size // 2, (232, 236, 238), -1, cv2.LINE_AA)
    cv2.circle(picture, middle, round(size * 0.36), (214, 219, 222), 2, cv2.LINE_AA)
    cv2.ellipse(picture, middle, (round(size * 0.28), size // 11), 30, 0, 360, (50, 80, 130), -1, cv2.LINE_AA)


THINGS = {"plate": _plate, "glass": _glass, "phone": _phone, "note": _note, "coins": _coins}
_CAME_S = 12.0
"""Time at which the thing appears; afterwards it changes its place now and then."""
_STAYS_S = 14.0


def _thing(name: str, thing: str, until_s: float) -> House:
    """A house in which a thing is put where nothing happens, and moved now and then."""
    wide = int(cv2.VideoCapture(str(FOOTAGE / name / "clip.mp4")).get(cv2.CAP_PROP_FRAME_WIDTH))
    size = round(wide * 0.085)
    places = quiet_places(name, (round(size * 1.1), round(size * 1.35)), until_s, 3)
    draw = THINGS[thing]

    def house(picture: Picture, number: int) -> Picture:
        t = number / _FPS - _CAME_S
        if t < 0:
            return picture
        shown = picture.copy()
        draw(shown, places[int(t / _STAYS_S) % len(places)], number, size)
        return shown

    return house


_VISIT_S, _LEANS_S, _COMES_S = 7.0, 3.5, 0.7


def head(picture: Picture, number: int) -> Picture:
    """Every seven seconds a guest leans over the table, the four in turn: hair, shoulders, their shadow."""
    visit, since = divmod(number / _FPS, _VISIT_S)
    out_s = _VISIT_S - _LEANS_S
    if since < out_s:
        return picture
    h, w = picture.shape[:2]
    share = min(1.0, (since - out_s) / _COMES_S, (_VISIT_S - since) / _COMES_S)
    sways = 0.012 * w * math.sin(5 * since)
    reach, radius = share * 0.2 * h, 0.085 * w
    side = int(visit) % 4
    along = (w if side % 2 == 0 else h) * (0.5 + 0.07 * math.sin(3 * visit)) + sways
    in_by = reach - radius
    x, y = ((along, h - in_by), (in_by, along), (along, in_by), (w - in_by, along))[side]
    back = ((0, 1), (-1, 0), (0, -1), (1, 0))[side]
    shown = picture.copy()

    def blob(middle: tuple[float, float], axes: tuple[float, float], ink: tuple[int, int, int]) -> None:
        at, half = tuple(round(v) for v in middle), tuple(round(v) for v in axes)
        cv2.ellipse(shown, at, half, 0, 0, 360, ink, -1, cv2.LINE_AA)

    mask = np.zeros((h, w), np.uint8)
    cv2.circle(mask, (round(x + 0.02 * w), round(y + 0.02 * w)), round(radius * 1.15), (255,), -1)
    shade = 1 - 0.35 * cv2.GaussianBlur(mask, (0, 0), 0.015 * w).astype(np.float32) / 255
    shown = np.asarray(cv2.multiply(shown, np.repeat(shade[..., None], 3, axis=2), dtype=cv2.CV_8U), np.uint8)
    wide = (2.0, 1.1) if side % 2 == 0 else (1.1, 2.0)
    shoulders = (x + back[0] * 1.2 * radius, y + back[1] * 1.2 * radius)
    blob(
        shoulders,
        (wide[0] * radius, wide[1] * radius),
        ((60, 40, 30), (40, 40, 120), (150, 150, 150))[side % 3],
    )
    blob((x, y), (radius, radius), ((30, 40, 55), (70, 110, 150), (120, 120, 125))[int(visit) % 3])
    return shown


def steam(picture: Picture, number: int) -> Picture:
    """A hot plate beside the middle: steam drifts over half of the table and thins out."""
    h, w = picture.shape[:2]
    t = number / _FPS
    y, x = np.mgrid[0:h:8, 0:w:8].astype(np.float32) / w
    veil = np.zeros_like(x)
    for k in range(5):
        age = (t / 3 + k / 5) % 1
        chance = np.random.default_rng((_SEED, k, int(t / 3 + k / 5)))
        to_x, to_y = chance.uniform(-0.2, 0.2, 2)
        at_x, at_y, wide = 0.6 + age * to_x, 0.3 + age * to_y, 0.03 + 0.1 * age
        puff = np.exp(-((x - at_x) ** 2 + (y - at_y) ** 2) / (2 * wide**2))
        veil += (0.4 * (1 - age) * min(1.0, 8 * age) * puff).astype(np.float32)
    share = cv2.resize(np.clip(veil, 0, 0.6), (w, h), interpolation=cv2.INTER_LINEAR)[..., None]
    return np.asarray(picture * (1 - share) + 225 * share, np.uint8)


def fly(picture: Picture, number: int) -> Picture:
    """A fly walks over cards and mat, sits, and flies on."""
    h, w = picture.shape[:2]
    t = number / _FPS
    leg, since = divmod(t, 2.5)
    places = np.random.default_rng(_SEED).uniform(0.2, 0.8, (400, 2))
    a, b = places[int(leg)], places[int(leg) + 1]
    share = min(1.0, since / 1.5)
    x, y = (a + (b - a) * share) * (w, h)
    x += 4 * math.sin(20 * t) * (share < 1)
    shown = picture.copy()
    size = max(2, round(w * 0.0035))
    cv2.ellipse(
        shown, (round(x), round(y)), (size * 2, size), 40 * leg, 0, 360, (22, 22, 24), -1, cv2.LINE_AA
    )
    return shown


def spill(picture: Picture, number: int) -> Picture:
    """Beer is spilt after twelve seconds: a dark wet patch with a glint grows beside the middle."""
    t = number / _FPS - _CAME_S
    if t < 0:
        return picture
    h, w = picture.shape[:2]
    y, x = np.mgrid[0:h:4, 0:w:4].astype(np.float32) / w
    wide = 0.09 * min(1.0, 0.3 + t / 3)
    away = np.hypot(x - 0.36, (y - 0.38) * 1.3) + 0.012 * np.sin(9 * np.arctan2(y - 0.38, x - 0.36))
    wet = 1 / (1 + np.exp(np.clip((away - wide) / 0.002, -30, 30)))
    gain = np.stack([1 - 0.45 * wet, 1 - 0.3 * wet, 1 - 0.25 * wet], -1).astype(np.float32)
    glint = np.exp(-((x - 0.37) ** 2 + (y - 0.36) ** 2) / (2 * 0.012**2)) * wet
    shown = picture * cv2.resize(gain, (w, h)) + 190 * cv2.resize(glint, (w, h))[..., None]
    return np.asarray(np.clip(shown, 0, 255), np.uint8)


class OtherHands:
    """The guests' hands in another colour: the parts that came in from the rim and have the hue of skin."""

    def __init__(self, ink: tuple[float, float, float], contrast: float) -> None:
        self._ink, self._contrast = np.array(ink, np.float32), contrast
        self._empty: Picture | None = None

    def __call__(self, picture: Picture, number: int) -> Picture:
        if self._empty is None:
            self._empty = picture.copy()
        new = cv2.absdiff(picture, self._empty).max(2) > 22
        hue, full, bright = cv2.split(cv2.cvtColor(picture, cv2.COLOR_BGR2HSV))
        skin = new & ((hue < 24) | (hue > 172)) & (full > 75) & (bright > 35)
        mask = cv2.morphologyEx(skin.astype(np.uint8), cv2.MORPH_OPEN, np.ones((5, 5), np.uint8))
        mask = cv2.morphologyEx(mask, cv2.MORPH_CLOSE, np.ones((13, 13), np.uint8))
        _, labels, stats, _ = cv2.connectedComponentsWithStats(mask)
        h, w = mask.shape
        left, top, wide, high, area = stats.T[:5]
        at_rim = (left < 9) | (top < 9) | (left + wide > w - 9) | (top + high > h - 9)
        hands = np.flatnonzero(at_rim & (area > 1200))
        hand = np.isin(labels, hands[hands > 0]).astype(np.float32)
        share = cv2.GaussianBlur(hand, (0, 0), 1.5)[..., None]
        grey = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY).astype(np.float32)[..., None]
        other = self._ink * (1 + self._contrast * (grey / 110 - 1))
        return np.asarray(np.clip(picture * (1 - share) + other * share, 0, 255), np.uint8)


GUESTS: dict[str, House] = {
    "head": head,
    "steam": steam,
    "fly": fly,
    "spill": spill,
    "gloves": OtherHands((120, 70, 40), 0.5),
    "dark_hands": OtherHands((38, 48, 66), 0.7),
    "pale_hands": OtherHands((190, 200, 225), 0.6),
}


def main() -> None:
    """Write one film in one room."""
    name, kind, out = sys.argv[1:4]
    until_s = float(sys.argv[4]) if len(sys.argv) > 4 else 60.0
    if kind in LIGHTS:
        house = moving_light(LIGHTS[kind])
    elif kind in GUESTS:
        house = GUESTS[kind]
    elif kind in THINGS:
        house = _thing(name, kind, until_s)
    else:
        raise SystemExit(f"{kind}: no such room; known are {', '.join([*LIGHTS, *GUESTS, *THINGS])}")
    written(name, house, Path(out), until_s)


if __name__ == "__main__":
    main()
