"""Disturbed films: frames go in, the same frames with blackouts, covers and freezes come out.

    cut = Cut("skin", start_s=6.6, seconds=1.5, seed=3)
    heard = [event for frame, t in disturbed(film, cut) for event in eye.see(frame, t)]
    verdict = judge(told(heard), told(undisturbed), [cut])
    assert not verdict.faults, verdict

Every disturbance is seeded and has sensor noise, as a covered lens has; the same cut gives the same bytes. A
film is a sequence of (picture (h, w, 3) BGR uint8, seconds); undisturbed pictures are passed on unchanged.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from tests.vision.odd_light import ODD

Picture = NDArray[np.uint8]
Framed = tuple[Picture, float]

COVERS = ("black", "grey", "white", "skin")
"""Cuts with a picture of nearly one colour: a hand or a menu on the lens, or a lamp that saturates it."""
BLINDING = (*COVERS, "slide", "dark", "freeze", "torn", "older", "other", "shifted")
"""Cuts in which nothing of the table can be believed."""
SIGHTED = ("light",)
"""Cuts in which everything can still be read: neither the light's step nor its end may cause an event."""
KINDS = (*BLINDING, *SIGHTED)
ODD_KINDS = tuple(ODD)
"""Cuts in which some of the table can be read: hidden events may be lost, but none may be invented."""

_TONES = {"black": (4, 4, 4), "grey": (112, 114, 116), "white": (250, 250, 250), "skin": (118, 146, 196)}
_GRAIN_RIM = 64
_KEPT = 30
"""Number of frames before a cut, the oldest of which a decoder may repeat for data that it has lost."""


@dataclass(frozen=True, slots=True)
class Cut:
    """One disturbance of one of the `KINDS` or `ODD_KINDS`, from `start_s` for `seconds`.

    `strength` of "dark" is the gain that is left (lamps off: .02 to .2), of "light" the gain of a lamp that
    is on meanwhile, of "shifted" the camera's displacement as a share of the width; `ramp` is the number of
    frames over which a slide comes in and goes, and a dark or a light begins and ends (0: at once).
    """

    kind: str
    start_s: float
    seconds: float
    seed: int = 0
    strength: float | None = None
    ramp: int = 0

    def __post_init__(self) -> None:
        if self.kind not in (*KINDS, *ODD_KINDS):
            known = ", ".join((*KINDS, *ODD_KINDS))
            raise ValueError(f"{self.kind}: no kind of disturbance; known are {known}")

    @property
    def until_s(self) -> float:
        """The first time at which the picture is undisturbed again."""
        return self.start_s + self.seconds

    @property
    def blinds(self) -> bool:
        """Whether an event during the cut may go unseen."""
        return self.kind not in SIGHTED


def disturbed(film: Iterable[Framed], *cuts: Cut, other: Sequence[Picture] = ()) -> Iterator[Framed]:
    """The film with all cuts applied; `other` are pictures of another scene (empty: one is drawn)."""
    last: dict[Cut, tuple[Picture, Picture]] = {}
    kept: deque[Picture] = deque(maxlen=_KEPT)
    for number, (picture, t) in enumerate(film):
        shown = picture
        for cut in cuts:
            if cut.start_s <= t < cut.until_s:
                frozen, older = last.setdefault(cut, (kept[-1], kept[0]) if kept else (picture, picture))
                shown = _Spoilt(cut, t, number, frozen, older, other).show(shown)
        kept.append(picture)
        yield shown, t


@dataclass(frozen=True, slots=True)
class _Spoilt:
    """One frame of a cut: `frozen` is the last frame before the cut, `older` one long before."""

    cut: Cut
    t: float
    number: int
    frozen: Picture
    older: Picture
    other: Sequence[Picture]

    def show(self, picture: Picture) -> Picture:
        """The picture that the camera delivers instead of `picture`."""
        h, w = picture.shape[:2]
        match self.cut.kind:
            case "freeze":
                return self.frozen
            case "slide":
                return self._slid(picture)
            case "dark":
                level = self.cut.strength or float(self._chance().choice((0.02, 0.05, 0.1, 0.2)))
                return self._grained(relit(picture, 1 + (level - 1) * self._share(), (1.0, 1.0, 1.0)), 3.0)
            case "light":
                level = self.cut.strength or float(self._chance().choice((0.5, 0.7, 1.5)))
                tint = self._chance().uniform(0.85, 1.15, 3)
                share = self._share()
                return relit(picture, 1 + (level - 1) * share, tuple(1 + (tint - 1) * share))
            case "torn":
                return self._torn(picture)
            case "older":
                row = round(picture.shape[0] * self._chance().uniform(0.2, 0.6))
                return np.concatenate((picture[:row], self.older[row:]))
            case "other":
                elsewhere = self.other[self.cut.seed % len(self.other)] if self.other else _elsewhere(h, w)
                return self._grained(cv2.resize(elsewhere, (w, h)), 2.0)
            case "shifted":
                share = self.cut.strength or 0.25
                turn = cv2.getRotationMatrix2D((w / 2, h / 2), 15.0, 1.0)
                turn[:, 2] += (share * w, 0.5 * share * h)
                return np.asarray(
                    cv2.warpAffine(picture, turn, (w, h), borderMode=cv2.BORDER_REPLICATE), np.uint8
                )
            case odd if odd in ODD:
                return ODD[odd](picture, self._chance(), self._share(), self.number)
            case tone:
                return self._cover(picture, tone)

    def _cover(self, picture: Picture, tone: str) -> Picture:
        """One colour; every second cover has soft lights and darks, like a palm near the lens."""
        h, w = picture.shape[:2]
        chance = self._chance()
        soft = np.asarray(_TONES[tone], np.float32) + np.zeros((6, 8, 3), np.float32)
        if self.cut.seed % 2:
            soft += chance.normal(0, 6 if tone in ("black", "white") else 14, (6, 8, 1)).astype(np.float32)
        flat = cv2.resize(soft, (w, h), interpolation=cv2.INTER_CUBIC).clip(0, 255).astype(np.uint8)
        return self._grained(flat, 2.5)

    def _slid(self, picture: Picture) -> Picture:
        """A cover with a blurred edge that slides from one side over the whole picture and off again."""
        h, w = picture.shape[:2]
        chance = self._chance()
        tone, side = str(chance.choice(COVERS)), int(chance.integers(4))
        # The edge is out of focus: a tenth of the way is half covered.
        across = np.linspace(0, 1, w if side % 2 else h, dtype=np.float32)
        across = across[::-1] if side > 1 else across
        share = ((1.1 * self._share() - across) / 0.1 + 0.5).clip(0, 1)
        mask = np.broadcast_to(share[None, :] if side % 2 else share[:, None], (h, w))[..., None]
        return (picture * (1 - mask) + self._cover(picture, tone) * mask).astype(np.uint8)

    def _torn(self, picture: Picture) -> Picture:
        """The lower part is grey, as a decoder leaves it, or comes from another frame, slightly shifted."""
        h, w = picture.shape[:2]
        row = round(h * self._chance().uniform(0.2, 0.6))
        shown = picture.copy()
        if self.cut.seed % 2:
            shown[row:] = np.roll(self.frozen[row:], w // 5, axis=1)
        else:
            shown[row:] = 128
        return shown

    def _share(self) -> float:
        """How far the cut has developed in this frame, 0 to 1."""
        cut, ramp = (
            self.cut,
            (self.cut.ramp or (7 if self.cut.kind in ("slide", "part", "sheet") else 0)) / 15,
        )
        ramp = min(ramp, cut.seconds / 2)
        if ramp <= 0:
            return 1.0
        return float(min(1.0, (self.t - cut.start_s + 1 / 30) / ramp, (cut.until_s - self.t) / ramp))

    def _chance(self) -> np.random.Generator:
        return np.random.default_rng(self.cut.seed)

    def _grained(self, picture: Picture, sigma: float) -> Picture:
        return _grained(picture, sigma, self.number)


def relit(picture: Picture, level: float, tint: Sequence[float]) -> Picture:
    """The picture with `level` times the light, and each channel times its share of `tint`."""
    gains = level * np.asarray(tint, np.float64)
    steps = np.arange(256)[:, None] * gains
    return np.asarray(cv2.LUT(picture, steps.clip(0, 255).astype(np.uint8)[None]), np.uint8)


def _grained(picture: Picture, sigma: float, number: int) -> Picture:
    """The picture with sensor noise, from another part of one noise field in each frame."""
    h, w = picture.shape[:2]
    x, y = np.random.default_rng(number).integers(_GRAIN_RIM, size=2)
    return np.asarray(cv2.add(picture, _noise(h, w, sigma)[y : y + h, x : x + w], dtype=cv2.CV_8U), np.uint8)


@lru_cache(maxsize=4)
def _noise(h: int, w: int, sigma: float) -> NDArray[np.int16]:
    field_of = np.random.default_rng(11).normal(0, sigma, (h + _GRAIN_RIM, w + _GRAIN_RIM, 3))
    return np.round(field_of).astype(np.int16)


@lru_cache(maxsize=2)
def _elsewhere(h: int, w: int) -> Picture:
    """A picture of a room without the table: large things with straight edges in many colours."""
    chance = np.random.default_rng(5)
    picture = np.full((h, w, 3), (60, 70, 90), np.uint8)
    for _ in range(40):
        x, y = int(chance.integers(w)), int(chance.integers(h))
        wide, high = int(chance.integers(w // 20, w // 4)), int(chance.integers(h // 20, h // 3))
        cv2.rectangle(picture, (x, y), (x + wide, y + high), chance.integers(10, 245, 3).tolist(), -1)
    return np.asarray(cv2.GaussianBlur(picture, (0, 0), 1.5), np.uint8)
