"""Films of the shared footage in another "house": other light, a worse camera, or one mounted differently.

    python -m tests.vision.strange_films dev-dubbe4 glare /tmp/glare 60
    python ../shared/judge/clip.py /tmp/glare

writes a folder of the same format (truth, deck and table file unchanged, the film changed, as motion JPEG) of
the first 60 seconds; `dim+small` is a dim house with a cheap camera. `tests.table.cut_films` disturbs a film
for some seconds; here the change lasts all evening.
"""

from __future__ import annotations

import json
import shutil
import sys
from functools import lru_cache
from itertools import pairwise
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from table.rules.events import PlainEvent
from tests.shared import FOOTAGE
from tests.vision.odd_light import BULBS
from tests.vision.strange_cameras import CAMERAS, House, Picture, hung, moved, times
from vision.imgproc.srgb import LIGHT, from_light

_QUALITY = 92
_SEED = 7
_LAST_S = 12.0
_EARLY_S = 0.7


def _grid(picture: Picture) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    return _grid_of(*picture.shape[:2])


@lru_cache(maxsize=2)
def _grid_of(h: int, w: int) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    y, x = np.mgrid[0:h, 0:w].astype(np.float32)
    return x / w, y / h


def _noise(picture: Picture, sigma: float, number: int) -> Picture:
    grain = np.empty(picture.shape, np.int16)
    cv2.setRNGSeed(_SEED + number)
    cv2.randn(grain, 0, sigma)
    return np.asarray(cv2.add(picture, grain, dtype=cv2.CV_8U), np.uint8)


def gradient(picture: Picture, number: int) -> Picture:
    """A window on one side: half the light on the other."""
    x, y = _grid(picture)
    return times(picture, 1.25 - 0.65 * x - 0.15 * y)


def shadow(picture: Picture, number: int) -> Picture:
    """Somebody's shadow walks over the table: a soft edge, .6 of the light behind it."""
    x, y = _grid(picture)
    middle = 0.5 + 0.6 * np.sin(number / 15 * 2 * np.pi / 11)
    inside = 1 / (1 + np.exp(-(x + 0.3 * y - middle) / 0.012))
    return times(picture, 1 - 0.4 * inside)


def still_shadow(picture: Picture, number: int) -> Picture:
    """A lampshade casts a hard edge across the table: .55 of the light behind it."""
    x, y = _grid(picture)
    return times(picture, np.where(x + 0.4 * y > 0.72, np.float32(0.55), np.float32(1)))


def glare(picture: Picture, number: int) -> Picture:
    """A stationary reflection of a lamp near the middle."""
    x, y = _grid(picture)
    far = ((x - 0.42) / 0.07) ** 2 + ((y - 0.45) / 0.12) ** 2
    shine = np.repeat(150 * np.exp(-far / 2)[..., None], 3, axis=2).astype(np.uint8)
    return np.asarray(cv2.add(picture, shine), np.uint8)


def dim(picture: Picture, number: int) -> Picture:
    """A third of the light, with the noise of a higher gain."""
    return _noise(times(picture, np.full(picture.shape[:2], 0.35, np.float32)), 6, number)


def candle(picture: Picture, number: int) -> Picture:
    """Three stops less light, and warm, as a sensor records it: linear light, tone curve, gain noise."""
    return _noise(from_light(LIGHT[picture] * np.array([0.05, 0.09, 0.125], np.float32)), 5, number)


def dusk(picture: Picture, number: int) -> Picture:
    """After twelve seconds somebody turns the lamp down, for four seconds, to a candle's light."""
    share = min(max((number / 15 - 12) / 4, 0.0), 1.0)
    lamp = np.array([0.05, 0.09, 0.125], np.float32) ** np.float32(share)
    return _noise(from_light(LIGHT[picture] * lamp), 2 + 3 * share, number)


def cellar(picture: Picture, number: int) -> Picture:
    """One dim bulb at one side: a quarter of the light near it, a twentieth far off."""
    x, _ = _grid(picture)
    return _noise(from_light(LIGHT[picture] * (0.25 - 0.2 * x)[..., None]), 5, number)


def noisy(picture: Picture, number: int) -> Picture:
    """A cheap sensor in the evening."""
    return _noise(picture, 9, number)


def salt(picture: Picture, number: int) -> Picture:
    """A link that drops bits: three in a thousand pixels are black or white."""
    chance = np.random.default_rng((_SEED, number))
    shown, h, w = picture.copy(), *picture.shape[:2]
    count = round(0.003 * h * w)
    shown[chance.integers(h, size=count), chance.integers(w, size=count)] = chance.choice(
        (0, 255), (count, 1)
    )
    return shown


def pale(picture: Picture, number: int) -> Picture:
    """A greasy lens: half the contrast."""
    return np.asarray((picture * 0.55 + 80).clip(0, 255), np.uint8)


def shaken(picture: Picture, number: int) -> Picture:
    """Music: two pixels here and there in every frame."""
    dx, dy = np.random.default_rng((_SEED, number)).uniform(-2, 2, 2)
    return moved(picture, np.array([[1, 0, dx], [0, 1, dy]]))


def turned(picture: Picture, number: int) -> Picture:
    """The camera is turned by 17 degrees and mounted slightly higher.

    What lies beyond the old picture's rim is extrapolated: bet tiles cut by the rim are smeared.
    """
    return hung(picture, 17, 0.8)


def upside_down(picture: Picture, number: int) -> Picture:
    """The camera is mounted upside down."""
    return np.ascontiguousarray(picture[::-1, ::-1])


def higher(picture: Picture, number: int) -> Picture:
    """The camera is mounted higher: everything is a quarter smaller; the rim as in `turned`."""
    return hung(picture, 0, 0.75)


def small(picture: Picture, number: int) -> Picture:
    """640 pixels wide, as from a cheap camera."""
    h, w = picture.shape[:2]
    return np.asarray(cv2.resize(picture, (640, round(h * 640 / w)), interpolation=cv2.INTER_AREA), np.uint8)


def soft(picture: Picture, number: int) -> Picture:
    """Not quite in focus."""
    return np.asarray(cv2.GaussianBlur(picture, (0, 0), 1.3), np.uint8)


def blocky(picture: Picture, number: int) -> Picture:
    """A saturated link: strong JPEG blocks."""
    packed = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, 22])[1]
    return np.asarray(cv2.imdecode(packed, cv2.IMREAD_COLOR), np.uint8)


def blue(picture: Picture, number: int) -> Picture:
    """A cold tube, the white balance fixed: much blue, little red."""
    return times(picture, np.array([[[1.15, 0.95, 0.7]]], np.float32))


def orange(picture: Picture, number: int) -> Picture:
    """A candle, the white balance fixed: little blue."""
    return times(picture, np.array([[[0.55, 0.85, 1.1]]], np.float32))


def red_bulb(picture: Picture, number: int) -> Picture:
    """A bar's red bulbs: little is left of the other colours."""
    return times(picture, np.array([[BULBS["red"]]], np.float32))


def green_bulb(picture: Picture, number: int) -> Picture:
    """A green neon sign."""
    return times(picture, np.array([[BULBS["green"]]], np.float32))


def blue_bulb(picture: Picture, number: int) -> Picture:
    """Blue strips behind the bar."""
    return times(picture, np.array([[BULBS["blue"]]], np.float32))


def magenta_bulb(picture: Picture, number: int) -> Picture:
    """A disco's lamp: no green."""
    return times(picture, np.array([[BULBS["magenta"]]], np.float32))


def drifting(picture: Picture, number: int) -> Picture:
    """A white balance that drifts and an exposure that hunts."""
    at = number / 15 * 2 * np.pi
    gains = [1 + 0.12 * np.sin(at / 9), 1 + 0.05 * np.sin(at / 5), 1 - 0.12 * np.sin(at / 9)]
    return times(picture, np.array([[gains]], np.float32) * np.float32(1 + 0.1 * np.sin(at / 4)))


def banded(picture: Picture, number: int) -> Picture:
    """Mains flicker: soft dark bands roll through the picture."""
    _, y = _grid(picture)
    return times(picture, 1 - 0.1 * (1 + np.sin(2 * np.pi * (2 * y + 0.13 * number))) / 1)


def sharpened(picture: Picture, number: int) -> Picture:
    """A webcam that sharpens and raises contrast: halos, dark shadows, bright highlights."""
    crisp = cv2.addWeighted(picture, 2.0, cv2.GaussianBlur(picture, (0, 0), 1.5), -1.0, 0)
    return np.asarray(((crisp.astype(np.float32) - 128) * 1.25 + 128).clip(0, 255), np.uint8)


def grey(picture: Picture, number: int) -> Picture:
    """A camera that has switched to night mode: no colours."""
    plain = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)
    return np.asarray(cv2.cvtColor(plain, cv2.COLOR_GRAY2BGR), np.uint8)


def quarter_turned(picture: Picture, number: int) -> Picture:
    """The camera is mounted on its side: a portrait picture."""
    return np.asarray(cv2.rotate(picture, cv2.ROTATE_90_CLOCKWISE), np.uint8)


def mirrored(picture: Picture, number: int) -> Picture:
    """A webcam that shows its user as a mirror would."""
    return np.ascontiguousarray(picture[:, ::-1])


def beating(picture: Picture, number: int) -> Picture:
    """A lamp's flicker beats with the frame rate: every other picture is a quarter darker."""
    return times(picture, np.full((1, 1), 1.0 if number % 2 else 0.75, np.float32))


def large(picture: Picture, number: int) -> Picture:
    """A camera with four times the pixels that is no sharper."""
    return np.asarray(cv2.resize(picture, None, fx=2, fy=2, interpolation=cv2.INTER_CUBIC), np.uint8)


def smeared(picture: Picture, number: int) -> Picture:
    """Somebody touched the lens: a greasy patch a third of the picture wide, soft and veiled."""
    x, y = _grid(picture)
    share = np.clip(1.3 * np.exp(-(((x - 0.6) / 0.2) ** 2 + ((y - 0.55) / 0.25) ** 2)), 0, 1)[..., None]
    far = cv2.GaussianBlur(picture, (0, 0), 12).astype(np.float32)
    patch = 0.75 * cv2.GaussianBlur(picture, (0, 0), 1.6).astype(np.float32) + 0.25 * far + 12
    return np.asarray(np.clip(picture * (1 - share) + patch * share, 0, 255), np.uint8)


HOUSES: dict[str, House] = {
    house.__name__: house
    for house in (
        gradient,
        shadow,
        still_shadow,
        glare,
        dim,
        candle,
        dusk,
        cellar,
        noisy,
        salt,
        pale,
        shaken,
        turned,
        upside_down,
        higher,
        small,
        soft,
        blocky,
        blue,
        orange,
        red_bulb,
        green_bulb,
        blue_bulb,
        magenta_bulb,
        drifting,
        banded,
        sharpened,
        grey,
        quarter_turned,
        mirrored,
        beating,
        large,
        smeared,
    )
}


def _quiet(truth: list[PlainEvent], until_s: float) -> float:
    """The end of the longest time without an event in the last seconds, shortly before the next event."""
    starts = [e["rest"][0] / 15 if "rest" in e else e["t"] for e in truth if e.get("t") is not None]
    near = sorted(t for t in {*starts, until_s} if until_s - _LAST_S <= t <= until_s)
    gaps = [(after - before, after) for before, after in pairwise(near)]
    return max(gaps, default=(0.0, until_s))[1] - _EARLY_S


def written(name: str, house: House, out: Path, until_s: float) -> None:
    """Write a folder in the footage's format with the film in another house."""
    film = FOOTAGE / name
    shutil.rmtree(out, ignore_errors=True)
    out.mkdir(parents=True)
    for part in film.iterdir():
        if part.name not in ("clip.mp4", "truth.jsonl"):
            (out / part.name).symlink_to(part)
    truth = [json.loads(line) for line in (film / "truth.jsonl").read_text("utf-8").splitlines()]
    until_s = _quiet(truth, until_s)
    kept = [event for event in truth if event.get("t") is None or event["t"] < until_s]
    (out / "truth.jsonl").write_text("".join(json.dumps(event) + "\n" for event in kept), "utf-8")
    source = cv2.VideoCapture(str(film / "clip.mp4"))
    rate = source.get(cv2.CAP_PROP_FPS)
    writer: cv2.VideoWriter | None = None
    for number in range(round(until_s * rate)):
        taken, picture = source.read()
        if not taken:
            break
        shown = house(np.asarray(picture, np.uint8), number)
        if writer is None:
            size = (shown.shape[1], shown.shape[0])
            writer = cv2.VideoWriter(str(out / "clip.avi"), cv2.VideoWriter.fourcc(*"MJPG"), rate, size)
            writer.set(cv2.VIDEOWRITER_PROP_QUALITY, _QUALITY)
        writer.write(shown)
    if writer is not None:
        writer.release()
    # The judges expect clip.mp4; its true format is recognised from the first bytes.
    (out / "clip.avi").rename(out / "clip.mp4")


def main() -> None:
    """Write one film in one house."""
    name, kinds, out = sys.argv[1:4]
    houses = []
    for kind in kinds.split("+"):
        if kind not in {*HOUSES, *CAMERAS}:
            raise SystemExit(f"{kind}: no such house; known are {', '.join([*HOUSES, *CAMERAS])}")
        houses.append(HOUSES[kind] if kind in HOUSES else CAMERAS[kind]())

    def all_of_them(picture: Picture, number: int) -> Picture:
        for house in houses:
            picture = house(picture, number)
        return picture

    written(name, all_of_them, Path(out), float(sys.argv[4]) if len(sys.argv) > 4 else 60.0)


if __name__ == "__main__":
    main()
