"""A stranger's film in another house: the same game in a lasting light, with a worse camera, hung otherwise.

    python -m tests.vision.strange_films dev-dubbe4 glare /tmp/glare 60
    python ../shared/judge/clip.py /tmp/glare

writes a folder of the same form (truth, deck and table file as they are, the film changed, as motion JPEG) of
the first 60 seconds; `dim+small` is a dim house with a cheap camera. `tests.table.cut_films` disturbs for
seconds; here the whole evening is so.
"""

from __future__ import annotations

import json
import math
import shutil
import sys
from collections.abc import Callable
from functools import lru_cache
from itertools import pairwise
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from table.rules.events import PlainEvent
from tests.shared import FOOTAGE
from tests.vision.odd_light import BULBS
from vision.imgproc.srgb import LIGHT, from_light

Picture = NDArray[np.uint8]
House = Callable[[Picture, int], Picture]
_QUALITY = 92
_SEED = 7
_LAST_S = 12.0
_EARLY_S = 0.7


def _times(picture: Picture, gain: NDArray[np.float32]) -> Picture:
    """The picture with another light at each place; `gain` (h, w) or (h, w, 1 or 3)."""
    h, w = picture.shape[:2]
    whole = np.broadcast_to(gain if gain.ndim == 3 else gain[..., None], (h, w, 3))
    return np.asarray(cv2.multiply(picture, np.ascontiguousarray(whole), dtype=cv2.CV_8U), np.uint8)


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
    return _times(picture, 1.25 - 0.65 * x - 0.15 * y)


def shadow(picture: Picture, number: int) -> Picture:
    """Somebody's shadow walks over the table: a soft edge, .6 of the light behind it."""
    x, y = _grid(picture)
    middle = 0.5 + 0.6 * np.sin(number / 15 * 2 * np.pi / 11)
    inside = 1 / (1 + np.exp(-(x + 0.3 * y - middle) / 0.012))
    return _times(picture, 1 - 0.4 * inside)


def still_shadow(picture: Picture, number: int) -> Picture:
    """A lamp's shade gives a hard edge across the table: .55 of the light behind it."""
    x, y = _grid(picture)
    return _times(picture, np.where(x + 0.4 * y > 0.72, np.float32(0.55), np.float32(1)))


def glare(picture: Picture, number: int) -> Picture:
    """A lamp's reflection near the middle, still."""
    x, y = _grid(picture)
    far = ((x - 0.42) / 0.07) ** 2 + ((y - 0.45) / 0.12) ** 2
    shine = np.repeat(150 * np.exp(-far / 2)[..., None], 3, axis=2).astype(np.uint8)
    return np.asarray(cv2.add(picture, shine), np.uint8)


def dim(picture: Picture, number: int) -> Picture:
    """A third of the light, and the noise of the gain."""
    return _noise(_times(picture, np.full(picture.shape[:2], 0.35, np.float32)), 6, number)


def candle(picture: Picture, number: int) -> Picture:
    """Three stops less, warm, as a sensor takes it in: linear light, the curve, the gain's noise."""
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
    """A line that drops bits: three in a thousand pixels are black or white."""
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
    return _moved(picture, np.array([[1, 0, dx], [0, 1, dy]]))


def turned(picture: Picture, number: int) -> Picture:
    """The camera hangs turned by 17 degrees, a little higher.

    What lies beyond the old picture's rim is made up: bet tiles that it cuts are smeared.
    """
    return _hung(picture, 17, 0.8)


def upside_down(picture: Picture, number: int) -> Picture:
    """The camera hangs the other way round."""
    return np.ascontiguousarray(picture[::-1, ::-1])


def higher(picture: Picture, number: int) -> Picture:
    """The camera hangs higher: all is a quarter smaller; the rim as in `turned`."""
    return _hung(picture, 0, 0.75)


def small(picture: Picture, number: int) -> Picture:
    """640 wide, as a cheap camera gives."""
    h, w = picture.shape[:2]
    return np.asarray(cv2.resize(picture, (640, round(h * 640 / w)), interpolation=cv2.INTER_AREA), np.uint8)


def soft(picture: Picture, number: int) -> Picture:
    """Not quite in focus."""
    return np.asarray(cv2.GaussianBlur(picture, (0, 0), 1.3), np.uint8)


def blocky(picture: Picture, number: int) -> Picture:
    """A full line: strong JPEG blocks."""
    packed = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, 22])[1]
    return np.asarray(cv2.imdecode(packed, cv2.IMREAD_COLOR), np.uint8)


def blue(picture: Picture, number: int) -> Picture:
    """A cold tube, the white balance fixed: much blue, little red."""
    return _times(picture, np.array([[[1.15, 0.95, 0.7]]], np.float32))


def orange(picture: Picture, number: int) -> Picture:
    """A candle, the white balance fixed: little blue."""
    return _times(picture, np.array([[[0.55, 0.85, 1.1]]], np.float32))


def red_bulb(picture: Picture, number: int) -> Picture:
    """A bar's red bulbs: little is left of the other colours."""
    return _times(picture, np.array([[BULBS["red"]]], np.float32))


def green_bulb(picture: Picture, number: int) -> Picture:
    """A green neon sign."""
    return _times(picture, np.array([[BULBS["green"]]], np.float32))


def blue_bulb(picture: Picture, number: int) -> Picture:
    """Blue strips behind the bar."""
    return _times(picture, np.array([[BULBS["blue"]]], np.float32))


def magenta_bulb(picture: Picture, number: int) -> Picture:
    """A disco's lamp: no green."""
    return _times(picture, np.array([[BULBS["magenta"]]], np.float32))


def drifting(picture: Picture, number: int) -> Picture:
    """A white balance that drifts and an exposure that hunts."""
    at = number / 15 * 2 * np.pi
    gains = [1 + 0.12 * np.sin(at / 9), 1 + 0.05 * np.sin(at / 5), 1 - 0.12 * np.sin(at / 9)]
    return _times(picture, np.array([[gains]], np.float32) * np.float32(1 + 0.1 * np.sin(at / 4)))


def banded(picture: Picture, number: int) -> Picture:
    """The mains: soft dark bands roll through the picture."""
    _, y = _grid(picture)
    return _times(picture, 1 - 0.1 * (1 + np.sin(2 * np.pi * (2 * y + 0.13 * number))) / 1)


def sharpened(picture: Picture, number: int) -> Picture:
    """A webcam that sharpens and crushes: halos, dark darks, bright brights."""
    crisp = cv2.addWeighted(picture, 2.0, cv2.GaussianBlur(picture, (0, 0), 1.5), -1.0, 0)
    return np.asarray(((crisp.astype(np.float32) - 128) * 1.25 + 128).clip(0, 255), np.uint8)


def grey(picture: Picture, number: int) -> Picture:
    """A camera that went over to its night mode: no colours."""
    plain = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)
    return np.asarray(cv2.cvtColor(plain, cv2.COLOR_GRAY2BGR), np.uint8)


def quarter_turned(picture: Picture, number: int) -> Picture:
    """The camera hangs on its side: a portrait picture."""
    return np.asarray(cv2.rotate(picture, cv2.ROTATE_90_CLOCKWISE), np.uint8)


def mirrored(picture: Picture, number: int) -> Picture:
    """A webcam that shows its user as a mirror would."""
    return np.ascontiguousarray(picture[:, ::-1])


def beating(picture: Picture, number: int) -> Picture:
    """A lamp's flicker beats with the frame rate: every other picture is a quarter darker."""
    return _times(picture, np.full((1, 1), 1.0 if number % 2 else 0.75, np.float32))


def large(picture: Picture, number: int) -> Picture:
    """A camera of four times the pixels, no sharper."""
    return np.asarray(cv2.resize(picture, None, fx=2, fy=2, interpolation=cv2.INTER_CUBIC), np.uint8)


def smeared(picture: Picture, number: int) -> Picture:
    """Somebody touched the lens: a greasy patch a third of the picture wide, soft and veiled."""
    x, y = _grid(picture)
    share = np.clip(1.3 * np.exp(-(((x - 0.6) / 0.2) ** 2 + ((y - 0.55) / 0.25) ** 2)), 0, 1)[..., None]
    far = cv2.GaussianBlur(picture, (0, 0), 12).astype(np.float32)
    patch = 0.75 * cv2.GaussianBlur(picture, (0, 0), 1.6).astype(np.float32) + 0.25 * far + 12
    return np.asarray(np.clip(picture * (1 - share) + patch * share, 0, 255), np.uint8)


class AutoExposure:
    """A webcam that nobody told to hold still: exposure follows the mean, a fifth of the way each picture."""

    def __init__(self) -> None:
        self._gain = 1.0
        self._aim: float | None = None

    def __call__(self, picture: Picture, number: int) -> Picture:
        mean = float(picture[::8, ::8].mean()) + 1
        self._aim = self._aim or mean
        self._gain += 0.2 * (self._aim / mean - self._gain)
        return _times(picture, np.full((1, 1), self._gain, np.float32))


class AutoWhite:
    """White balance follows the mean of each colour, a tenth of the way each picture."""

    def __init__(self) -> None:
        self._gain = np.ones(3, np.float32)
        self._aim: NDArray[np.float32] | None = None

    def __call__(self, picture: Picture, number: int) -> Picture:
        mean = picture[::8, ::8].reshape(-1, 3).mean(0).astype(np.float32) + 1
        shares = mean / mean.mean()
        if self._aim is None:
            self._aim = shares
        self._gain += 0.1 * (self._aim / shares - self._gain)
        return _times(picture, self._gain[None, None])


class AutoFocus:
    """A camera that looks for its focus anew, a second long, whenever much moved in the picture."""

    def __init__(self) -> None:
        self._before: Picture | None = None
        self._hunts = 0

    def __call__(self, picture: Picture, number: int) -> Picture:
        small = np.asarray(cv2.resize(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), (64, 36)), np.uint8)
        moved = self._before is not None and float(cv2.absdiff(small, self._before).mean()) > 1.2
        self._before = small
        if moved and self._hunts == 0:
            self._hunts = 15
        if self._hunts == 0:
            return picture
        self._hunts -= 1
        off = abs(math.sin(math.pi * self._hunts / 7.5))
        soft = cv2.GaussianBlur(picture, (0, 0), 0.3 + 3.5 * off)
        # The picture breathes: out of focus it is a little larger.
        return _hung(np.asarray(soft, np.uint8), 0, 1 + 0.004 * off)


class Stutter:
    """A busy line: now and then the same picture comes two to five times more."""

    def __init__(self) -> None:
        self._dice = np.random.default_rng(_SEED)
        self._left = 0
        self._held: Picture | None = None

    def __call__(self, picture: Picture, number: int) -> Picture:
        if self._left > 0 and self._held is not None:
            self._left -= 1
            return self._held
        if self._dice.random() < 0.05:
            self._left = int(self._dice.integers(2, 6))
        self._held = picture.copy()
        return self._held


class SlowCamera:
    """Five pictures a second, each three times."""

    def __init__(self) -> None:
        self._held: Picture | None = None

    def __call__(self, picture: Picture, number: int) -> Picture:
        if self._held is None or number % 3 == 0:
            self._held = picture.copy()
        return self._held


class Ghosted:
    """A camera that takes noise away over time: what moves leaves a trail, what comes fades in."""

    def __init__(self) -> None:
        self._mean: NDArray[np.float32] | None = None

    def __call__(self, picture: Picture, number: int) -> Picture:
        if self._mean is None:
            self._mean = picture.astype(np.float32)
        cv2.accumulateWeighted(picture, self._mean, 0.5)
        return np.asarray(cv2.convertScaleAbs(self._mean), np.uint8)


def _moved(picture: Picture, move: NDArray[np.float64]) -> Picture:
    h, w = picture.shape[:2]
    return np.asarray(cv2.warpAffine(picture, move, (w, h), borderMode=cv2.BORDER_REPLICATE), np.uint8)


def _hung(picture: Picture, degrees: float, scale: float) -> Picture:
    h, w = picture.shape[:2]
    return _moved(picture, cv2.getRotationMatrix2D((w / 2, h / 2), degrees, scale))


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
# Cameras that remember what they showed: one is made for each film.
CAMERAS: dict[str, Callable[[], House]] = {
    "stutter": Stutter,
    "slow_camera": SlowCamera,
    "ghosted": Ghosted,
    "auto_exposure": AutoExposure,
    "auto_white": AutoWhite,
    "auto_focus": AutoFocus,
}


def _quiet(truth: list[PlainEvent], until_s: float) -> float:
    """The end of the longest time without an event in the last seconds, a little before what comes next."""
    starts = [e["rest"][0] / 15 if "rest" in e else e["t"] for e in truth if e.get("t") is not None]
    near = sorted(t for t in {*starts, until_s} if until_s - _LAST_S <= t <= until_s)
    gaps = [(after - before, after) for before, after in pairwise(near)]
    return max(gaps, default=(0.0, until_s))[1] - _EARLY_S


def written(name: str, house: House, out: Path, until_s: float) -> None:
    """A folder of the footage's form with the film in another house."""
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
    # The judges ask for clip.mp4; what is in it is told by its first bytes.
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
