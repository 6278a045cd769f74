"""Films of the shared footage on another table: another ground replaces the colour of the mat.

    python -m tests.vision.strange_grounds dev-dubbe4 newspaper /tmp/paper 45 [deck]
    python ../shared/judge/clip.py /tmp/paper

writes a folder in the footage's format; with `deck`, the cards in the pictures from which the deck is learnt
lie on that ground, too. Light and shadow on the mat fall on the new ground; hands, cards, dice and the print
on the mat stay. Only for mats of one strong colour: dev-dubbe4 (green), dev-doko and dev-two-rounds-b (blue).
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from pathlib import Path

import cv2
import numpy as np

from tests.shared import FOOTAGE
from tests.vision.strange_films import written
from vision.arrays import Float32
from vision.sightings import Picture

Ground = Callable[[int, int], Float32]
"""Draws a ground (h, w, 3), BGR, 0 to 1, evenly lit."""
_SEED = 11
_SAMPLES = 40


def _clouds(h: int, w: int, size: int, seed: int) -> Float32:
    """Soft noise between 0 and 1 with patches of so many pixels."""
    rough = np.random.default_rng((_SEED, seed)).random((h // size + 3, w // size + 3), np.float32)
    soft = np.asarray(cv2.resize(rough, (w, h), interpolation=cv2.INTER_CUBIC), np.float32)
    return np.clip(soft, 0, 1)


def _grain(h: int, w: int, seed: int, share: float) -> Float32:
    dice = np.random.default_rng((_SEED, seed))
    return (1 + share * dice.standard_normal((h, w, 1))).astype(np.float32)


def _flat(h: int, w: int, colour: tuple[float, float, float]) -> Float32:
    return np.broadcast_to(np.array(colour, np.float32), (h, w, 3)).copy()


def newspaper(h: int, w: int) -> Float32:
    """Columns of small print, headlines and a grey picture here and there."""
    page = (_flat(h, w, (0.72, 0.78, 0.8)) * 255).astype(np.uint8)
    dice = np.random.default_rng((_SEED, 1))
    letters = "abcdefghiklmnoprstuvw"
    for left in range(8, w, 190):
        y = 10
        while y < h:
            kind = dice.random()
            if kind < 0.06:
                head = "".join(dice.choice(list(letters.upper()), 7))
                cv2.putText(page, head, (left, y + 24), cv2.FONT_HERSHEY_TRIPLEX, 1.0, (30, 30, 30), 2)
                y += 36
            elif kind < 0.09:
                shot = (60 + 130 * _clouds(90, 170, 9, y + left)[..., None]).astype(np.uint8)
                part = page[y : y + 90, left : left + 170]
                part[:] = np.broadcast_to(shot, (90, 170, 3))[: part.shape[0], : part.shape[1]]
                y += 98
            else:
                text = "".join(dice.choice([*letters, " ", " "], 27))
                cv2.putText(page, text, (left, y + 8), cv2.FONT_HERSHEY_COMPLEX, 0.32, (50, 50, 50), 1)
                y += 11
    return page.astype(np.float32) / 255


def linen(h: int, w: int) -> Float32:
    """A white tablecloth with its folds."""
    folds = 0.9 + 0.1 * np.minimum(1, np.abs((np.arange(w) % 300) - 150) / 12).astype(np.float32)
    return _flat(h, w, (0.78, 0.83, 0.85)) * _grain(h, w, 2, 0.02) * folds[None, :, None]


def black(h: int, w: int) -> Float32:
    """A black cloth."""
    return _flat(h, w, (0.05, 0.045, 0.045)) * _grain(h, w, 3, 0.15)


def marble(h: int, w: int) -> Float32:
    """Grey stone with light and dark veins."""
    veins = np.abs(_clouds(h, w, 90, 4) + 0.4 * _clouds(h, w, 30, 5) - 0.7)
    grey = 0.35 + 0.3 * _clouds(h, w, 120, 6) + 0.3 * np.exp(-((veins / 0.03) ** 2))
    return np.repeat(grey[..., None], 3, axis=2).astype(np.float32)


def planks(h: int, w: int) -> Float32:
    """Light boards a hand wide, with dark joints: as straight as the side of a card."""
    fibre = _clouds(h, w // 12, 4, 7)
    fibre = np.asarray(cv2.resize(fibre, (w, h), interpolation=cv2.INTER_LINEAR), np.float32)
    board = _flat(h, w, (0.4, 0.58, 0.72)) * (0.8 + 0.3 * fibre[..., None])
    board[np.arange(h) % 74 < 3] *= 0.35
    for number, top in enumerate(range(0, h, 74)):
        across = (200 + 331 * number) % w
        board[top : top + 74, across : across + 3] *= 0.35
    return board


def stripes(h: int, w: int) -> Float32:
    """A cloth with red and white stripes."""
    red = (np.arange(w) % 56 < 28)[None, :, None]
    return np.where(red, _flat(h, w, (0.14, 0.1, 0.6)), _flat(h, w, (0.72, 0.78, 0.8))) * _grain(
        h, w, 8, 0.02
    )


def flowers(h: int, w: int) -> Float32:
    """An oilcloth with flowers and leaves as large as a card, and small ones."""
    cloth = _flat(h, w, (0.6, 0.75, 0.8))
    dice = np.random.default_rng((_SEED, 9))
    colours = [(0.15, 0.12, 0.7), (0.2, 0.65, 0.85), (0.55, 0.25, 0.45), (0.6, 0.35, 0.15)]
    for _ in range(h * w // 9000):
        x, y = int(dice.integers(w)), int(dice.integers(h))
        size = float(dice.choice([7, 12, 20]))
        colour = colours[int(dice.integers(len(colours)))]
        turn = float(dice.random()) * 360
        for leaf in range(3):
            cv2.ellipse(
                cloth, (x, y), (int(3 * size), int(size)), turn + 120 * leaf, 0, 60, (0.15, 0.45, 0.2), -1
            )
        for petal in range(5):
            angle = np.deg2rad(turn + 72 * petal)
            at = (int(x + size * np.cos(angle)), int(y + size * np.sin(angle)))
            cv2.circle(cloth, at, int(0.7 * size), colour, -1, cv2.LINE_AA)
        cv2.circle(cloth, (x, y), int(0.5 * size), (0.2, 0.8, 0.9), -1, cv2.LINE_AA)
    return cloth


def suits(h: int, w: int) -> Float32:
    """A card player's cloth: red and black diamonds and clubs printed on it, as large as pips and larger."""
    cloth = _flat(h, w, (0.35, 0.55, 0.5))
    for row, y in enumerate(range(20, h, 48)):
        for column, x in enumerate(range(20 + 24 * (row % 2), w, 48)):
            size = 8 if (row + column) % 3 else 16
            if (row + column) % 2:
                shape = np.array([(x, y - size), (x + size, y), (x, y + size), (x - size, y)], np.int32)
                cv2.fillPoly(cloth, [shape], (0.1, 0.1, 0.65), cv2.LINE_AA)
            else:
                for dx, dy in ((0, -0.5), (-0.5, 0.2), (0.5, 0.2)):
                    at = (int(x + size * dx), int(y + size * dy))
                    cv2.circle(cloth, at, int(size * 0.45), (0.06, 0.06, 0.06), -1, cv2.LINE_AA)
    return cloth


GROUNDS: dict[str, Ground] = {
    ground.__name__: ground for ground in (newspaper, linen, black, marble, planks, stripes, flowers, suits)
}


class OtherGround:
    """Replaces a mat's colour by a ground; the colour is found in some pictures of one stationary camera."""

    def __init__(self, pictures: Iterable[Picture], ground: Ground) -> None:
        stack = np.stack([*pictures]).astype(np.float32) + 1
        share = stack / stack.sum(axis=3, keepdims=True)
        middle = np.median(share.reshape(-1, 3)[::97], axis=0)
        is_mat = np.abs(share - middle).sum(axis=3) < 0.16
        seen = is_mat.sum(axis=0)
        # Cells that never show the mat are not used.
        mat = np.ma.median(np.ma.array(stack, mask=np.repeat(~is_mat[..., None], 3, axis=3)), axis=0)
        mat = np.asarray(mat.filled(0))
        self._mat = np.where(seen[..., None] > 2, mat, 1e-3).astype(np.float32)
        self._share = self._mat / self._mat.sum(axis=2, keepdims=True)
        h, w = seen.shape
        light = self._mat.sum(axis=2) * (seen > 2)
        weight = (seen > 2).astype(np.float32)
        around = cv2.GaussianBlur(light, (0, 0), 25) / np.maximum(cv2.GaussianBlur(weight, (0, 0), 25), 1e-3)
        # Print of another colour on the mat stays, and so do thin lines lighter or darker than the mat.
        plain = (seen > 2) & (np.abs(light - around) < 0.3 * around)
        self._plain = cv2.erode(plain.astype(np.uint8), np.ones((3, 3), np.uint8)).astype(np.float32)
        level = around / np.percentile(around[seen > 2], 95)
        self._ground = ground(h, w) * level[..., None] * 200

    def __call__(self, picture: Picture, number: int = 0) -> Picture:
        """Return the picture with the other ground."""
        now = picture.astype(np.float32) + 1
        soft = cv2.GaussianBlur(now, (0, 0), 1.2)
        light = soft.sum(axis=2)
        apart = np.abs(soft / light[..., None] - self._share).sum(axis=2)
        lit = light / np.maximum(self._mat.sum(axis=2), 1e-3)
        bare = (apart < 0.13) & (lit > 0.15) & (lit < 1.3)
        bare = cv2.morphologyEx(bare.astype(np.uint8), cv2.MORPH_OPEN, np.ones((5, 5), np.uint8))
        part = cv2.GaussianBlur(bare.astype(np.float32) * self._plain, (0, 0), 0.8)[..., None]
        noise = now.sum(axis=2) / np.maximum(self._mat.sum(axis=2), 1e-3)
        out = part * self._ground * np.clip(noise, 0, 1.5)[..., None] + (1 - part) * now - 1
        return np.asarray(np.clip(out, 0, 255), np.uint8)


def _of_film(path: Path) -> list[Picture]:
    film = cv2.VideoCapture(str(path))
    count = int(film.get(cv2.CAP_PROP_FRAME_COUNT))
    pictures = []
    for at in np.linspace(0, count - 2, _SAMPLES):
        film.set(cv2.CAP_PROP_POS_FRAMES, int(at))
        taken, picture = film.read()
        if taken:
            pictures.append(np.asarray(picture, np.uint8))
    return pictures


def main() -> None:
    """Write one film on one ground."""
    name, kind, out = sys.argv[1:4]
    if kind not in GROUNDS:
        raise SystemExit(f"{kind}: no such ground; known are {', '.join(GROUNDS)}")
    house = OtherGround(_of_film(FOOTAGE / name / "clip.mp4"), GROUNDS[kind])
    written(name, house, Path(out), float(sys.argv[4]) if len(sys.argv) > 4 else 45.0)
    if "deck" in sys.argv[5:]:
        shots = {path.name: cv2.imread(str(path)) for path in sorted((FOOTAGE / name / "deck").glob("*.jpg"))}
        pictures = [np.asarray(shot, np.uint8) for shot in shots.values()]
        over = OtherGround(pictures[:_SAMPLES], GROUNDS[kind])
        (Path(out) / "deck").unlink()
        (Path(out) / "deck").mkdir()
        for file, shot in zip(shots, pictures, strict=True):
            cv2.imwrite(str(Path(out) / "deck" / file), over(shot), [cv2.IMWRITE_JPEG_QUALITY, 92])


if __name__ == "__main__":
    main()
