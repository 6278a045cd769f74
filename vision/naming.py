"""Which card of the deck is this? Render and compare, no training: one flattened picture per card.

Light is a gain that varies slowly over the card, in each colour channel for itself, plus one veil of
haze or glare over all of them: `seen = (a + b x + c y) * (enrolled + veil)`. A veil in each channel would
turn one ink into another. For every enrolled face those numbers are fitted by least squares; what the fit
leaves over, as a share of all ink on the card, tells how badly the face explains it. The best is shifted
and turned into place (Lucas & Kanade 1981, with the light fitted along: Baker & Matthews 2004); then the
best few are held against each other only where two faces differ, so that a small index or the tint of an
ink weighs as much as a whole court figure.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.sightings import Guess, Picture

Floats = NDArray[np.float32]
Affine = NDArray[np.float64]

FACE_PX = (80, 120)
"""Width and height of a flattened face."""
_COARSE = 3
_SHORTLIST = 6
_ALIGN_STEPS = 3
_BURNT = 252


@dataclass(frozen=True, slots=True)
class Reading:
    """What a flattened card looks like: `guesses` best first, different names only.

    `likeness` is the share of the card's ink that the best face explains (1 = all). `margin` says where
    the picture stands between the best face and the runner-up: 1 = exactly at the best, 0 = in the middle
    between the two. `turned`: the card lies upside down against its enrolled picture.
    """

    guesses: tuple[Guess, ...]
    likeness: float
    margin: float
    turned: bool
    shift_px: tuple[float, float]
    """How far the card lay from where it was looked for, in pixels of the flattened face."""

    @property
    def name(self) -> str | None:
        """The best name, None when the deck is empty."""
        return self.guesses[0].name if self.guesses else None


class Faces:
    """The enrolled faces, prepared once for comparing.

    `pictures` are (120, 80, 3) BGR uint8, `names` their cards; a name may come several times.
    """

    def __init__(self, names: Sequence[str], pictures: Sequence[Picture]) -> None:
        width, height = FACE_PX
        faces = []
        self.names: list[str] = []
        self.turned: list[bool] = []
        for name, picture in zip(names, pictures, strict=True):
            for turned in (False, True):
                faces.append(_soften(cv2.rotate(picture, cv2.ROTATE_180) if turned else picture))
                self.names.append(name)
                self.turned.append(turned)
        self._faces = np.stack(faces) if faces else np.zeros((0, height, width, 3), np.float32)
        self._plane = _plane(width, height)
        self._small = _Coarse(self._faces)

    def __len__(self) -> int:
        return len(self.names)

    def nearest_pairs(self) -> list[tuple[str, str, float]]:
        """For every card its nearest other: (card, other, share of ink that differs), nearest first."""
        pairs: dict[tuple[str, str], float] = {}
        whole = np.ones(self._faces.shape[1:3], np.float32)
        for index in range(0, len(self.names), 2):  # every picture once, upright
            face = self._faces[index]
            for other in np.argsort(self._small.left_over(face, whole))[: 2 * _SHORTLIST]:
                first, second = sorted((self.names[index], self.names[int(other)]))
                if first == second:
                    continue
                lit, _ = light(self._faces[int(other)], face, whole, self._plane)
                apart = float(((face - lit) ** 2).sum()) / max(_ink(face, whole, self._plane), 1e-6)
                pairs[first, second] = min(apart, pairs.get((first, second), np.inf))
        return sorted(((*pair, apart) for pair, apart in pairs.items()), key=lambda found: found[2])

    def read(self, picture: Picture, visible: NDArray[np.bool_] | None = None) -> Reading:
        """Name a flattened card (120, 80, 3) BGR; `visible` (120, 80) leaves out what is covered."""
        if not self.names:
            return Reading((), 0.0, 0.0, False, (0.0, 0.0))
        seen = _soften(picture)
        weight = _believable(seen, visible)
        order = np.argsort(self._small.left_over(seen, weight))[:_SHORTLIST]
        warp = self._align(int(order[0]), seen, weight)
        seen, weight = _moved(seen, warp), _moved(weight, warp)
        # A pixel is believed as far as any likely face explains it: belief after one face's own errors
        # would hide just the places where the others are better.
        first = [light(self._faces[index], seen, weight, self._plane) for index in order]
        trust = np.maximum.reduce([own for _, own in first])
        fits = []
        for index in order:
            lit, _ = light(self._faces[index], seen, weight, self._plane, trust)
            fits.append((float((trust[..., None] * (seen - lit) ** 2).sum()), int(index), lit))
        fits.sort(key=lambda fit: fit[0])
        rest, best, model = fits[0]
        leads: dict[str, float] = {}
        for _, index, lit in fits[1:]:
            name = self.names[index]
            if name != self.names[best] and name not in leads:
                leads[name] = _lead(seen, trust, model, lit)
        return Reading(
            guesses=_beliefs(self.names[best], leads),
            likeness=1 - rest / max(_ink(seen, trust, self._plane), 1e-6),
            margin=min(leads.values(), default=1.0),
            turned=self.turned[best],
            shift_px=(float(warp[0, 2]), float(warp[1, 2])),
        )

    def _align(self, index: int, seen: Floats, weight: Floats) -> Affine:
        """The affine map (2, 3) from places on the enrolled face to places in the picture."""
        face = self._faces[index]
        warp = best_warp = np.array([[1.0, 0, 0], [0, 1, 0]])
        best = np.inf
        for step in range(_ALIGN_STEPS + 1):
            moved, trust = (_moved(seen, warp), _moved(weight, warp)) if step else (seen, weight)
            lit, trust = light(face, moved, trust, self._plane)
            rest = float((trust[..., None] * (moved - lit) ** 2).sum() / max(float(trust.sum()), 1e-6))
            if rest >= best:
                break
            best, best_warp = rest, warp
            warp = warp + _nudge(lit, moved, trust, self._plane)
        return best_warp


class _Coarse:
    """All faces at a third of the size, where comparing with hundreds costs a few products."""

    def __init__(self, faces: Floats) -> None:
        small = [_shrink(face) for face in faces]
        count = len(small)
        width, height = FACE_PX[0] // _COARSE, FACE_PX[1] // _COARSE
        flat = np.stack(small) if small else np.zeros((0, height, width, 3), np.float32)
        flat = flat.reshape(count, height * width, 3).transpose(2, 0, 1)  # channel, face, pixel
        x, y = (axis.reshape(-1) for axis in _plane(width, height))
        self._basis = np.ascontiguousarray(np.stack([flat, flat * x, flat * y], axis=2))
        self._pixels = height * width

    def left_over(self, seen: Floats, weight: Floats) -> Floats:
        """What each face leaves over, as a sum of squares; shape (faces,)."""
        trust = _shrink(weight)
        small = _shrink(seen * weight[..., None]) / np.maximum(trust, 1e-3)[..., None]
        known = np.flatnonzero(trust.ravel() > 0.6)
        target = small.reshape(self._pixels, 3)[known]
        basis = self._basis if len(known) == self._pixels else self._basis[..., known]
        gram = basis @ basis.transpose(0, 1, 3, 2)
        gram = gram.astype(np.float64) + np.eye(3) * 1.0
        right = np.stack([basis[c] @ target[:, c] for c in range(3)]).astype(np.float64)
        fit = np.linalg.solve(gram, right[..., None])[..., 0]
        return np.asarray(-np.einsum("cfi,cfi->f", right, fit), np.float32)


def _plane(width: int, height: int) -> tuple[Floats, Floats]:
    x, y = np.meshgrid(np.linspace(-1, 1, width), np.linspace(-1, 1, height))
    return x.astype(np.float32), y.astype(np.float32)


def _soften(picture: NDArray[Any]) -> Floats:
    """One picture may be sharper than the other: a little blur for both."""
    return np.asarray(cv2.GaussianBlur(picture.astype(np.float32), (0, 0), 0.8), np.float32)


def _moved(picture: Floats, warp: Affine) -> Floats:
    """The picture sampled where `warp` takes the face's places."""
    height, width = picture.shape[:2]
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    return np.asarray(
        cv2.warpAffine(picture, warp, (width, height), flags=flags, borderMode=cv2.BORDER_REPLICATE),
        np.float32,
    )


def _shrink(picture: Floats) -> Floats:
    """A third of the size, blurred so that a pixel of shift does not matter."""
    height, width = picture.shape[:2]
    soft = cv2.GaussianBlur(picture, (0, 0), 1.6)
    small = cv2.resize(soft, (width // _COARSE, height // _COARSE), interpolation=cv2.INTER_AREA)
    return np.asarray(small, np.float32)


def _believable(seen: Floats, visible: NDArray[np.bool_] | None) -> Floats:
    """1 where the picture says something about ink: neither covered nor burnt out."""
    weight = (seen.min(axis=2) < _BURNT).astype(np.float32)
    if visible is not None:
        weight *= visible
    if weight.sum() < 0.05 * weight.size:
        weight = np.ones_like(weight) if visible is None else visible.astype(np.float32)
    return weight


def light(
    face: Floats, seen: Floats, weight: Floats, plane: tuple[Floats, Floats], trust: Floats | None = None
) -> tuple[Floats, Floats]:
    """The face (h, w, 3) under the light that suits the picture best, and the belief in each pixel (h, w).

    Without `trust` pixels that no light explains (a finger, a glint) lose their say.
    """
    x, y = plane
    belief = weight if trust is None else trust
    veil = 0.0
    lit = face
    for turn in range(2):
        lit = np.empty_like(face)
        bare = np.empty_like(face)
        wx, wy = belief * x, belief * y
        for channel in range(3):
            t = face[..., channel] + np.float32(veil)
            q = seen[..., channel]
            tt, tq = t * t, t * q
            rows = np.stack([belief, wx, wy]).reshape(3, -1)
            pairs = np.stack([tt, tt * x, tt * y]).reshape(3, -1)
            gram = (rows @ pairs.T).astype(np.float64)
            gram += np.eye(3) * (1e-6 * np.trace(gram) + 1e-9)
            a, b, c = np.linalg.solve(gram, (rows @ tq.reshape(-1)).astype(np.float64))
            gain = np.float32(a) + np.float32(b) * x + np.float32(c) * y
            lit[..., channel] = gain * t
            bare[..., channel] = gain
        if turn == 1:
            break
        rest = seen - lit
        if trust is None:
            error = np.sqrt((rest**2).mean(axis=2))
            scale = 1.48 * float(np.median(error[weight > 0])) + 4.0 if weight.any() else 1.0
            belief = weight / (1 + (error / (3 * scale)) ** 2)
        # One veil for all channels: how much the whole face must be lifted towards the light's own colour.
        w = belief[..., None]
        away = bare - lit * (float((w * bare * lit).sum()) / max(float((w * lit**2).sum()), 1e-6))
        veil = float(np.clip((w * away * rest).sum() / max(float((w * away**2).sum()), 1e-6), -25, 90))
    return lit, np.asarray(belief, np.float32)


def _nudge(lit: Floats, seen: Floats, trust: Floats, plane: tuple[Floats, Floats]) -> Affine:
    """One Gauss-Newton step (2, 3) of the map from face to picture."""
    x, y = plane
    height, width = x.shape
    half_w, half_h = np.float32(width / 2), np.float32(height / 2)
    w = trust / 3
    dx = cv2.Sobel(lit, cv2.CV_32F, 1, 0, ksize=3) / 8
    dy = cv2.Sobel(lit, cv2.CV_32F, 0, 1, ksize=3) / 8
    error = seen - lit
    xx, xy, yy = (dx * dx).sum(2) * w, (dx * dy).sum(2) * w, (dy * dy).sum(2) * w
    xe, ye = (dx * error).sum(2) * w, (dy * error).sum(2) * w
    places = np.stack([x * half_w, y * half_h, np.ones_like(x)]).reshape(3, -1)
    gram = np.zeros((6, 6))
    for rows, columns, values in ((0, 0, xx), (0, 3, xy), (3, 0, xy), (3, 3, yy)):
        gram[rows : rows + 3, columns : columns + 3] = (places * values.reshape(-1)) @ places.T
    right = np.concatenate([places @ xe.reshape(-1), places @ ye.reshape(-1)]).astype(np.float64)
    # A card is stiff and its place was fitted before: shear and scale are held near one.
    hold = np.array([half_w**2, half_h**2, 1, half_w**2, half_h**2, 1]) * 0.02
    gram += np.diag(hold) * float(gram[2, 2] + gram[5, 5]) + np.eye(6) * 1e-9
    # picture(p) = face(p + step): moving the map by `step` moves the sampled picture, hence the sign.
    a, b, tx, c, d, ty = -np.linalg.solve(gram, right)
    cx, cy = (width - 1) / 2, (height - 1) / 2
    return np.array([[a, b, tx - a * cx - b * cy], [c, d, ty - c * cx - d * cy]])


def _ink(seen: Floats, weight: Floats, plane: tuple[Floats, Floats]) -> float:
    """Sum of squares that an empty white card under the best light leaves over."""
    paper = np.stack([np.ones_like(plane[0]), *plane]).reshape(3, -1)
    w = weight.reshape(-1)
    gram = (paper * w) @ paper.T + np.eye(3, dtype=np.float32) * 1e-6
    total = 0.0
    for channel in range(3):
        values = seen[..., channel].reshape(-1)
        fit = np.linalg.solve(gram, paper @ (w * values))
        total += float((w * (values - fit @ paper) ** 2).sum())
    return total


def _lead(seen: Floats, weight: Floats, best: Floats, other: Floats) -> float:
    """Where the picture stands on the way from the other face (-1) to the best (1), where they differ."""
    apart = best - other
    w = weight[..., None]
    size = float((w * apart**2).sum())
    if size <= 1e-6:
        return 0.0
    return float((w * (seen - (best + other) / 2) * apart).sum() * 2 / size)


def _beliefs(best: str, leads: dict[str, float]) -> tuple[Guess, ...]:
    """Shares of belief: a face whose lead over the others is 1 keeps nearly all, at 0 they share alike."""
    odds = {best: 1.0} | {name: float(np.exp(-4.0 * max(lead, 0.0))) for name, lead in leads.items()}
    total = sum(odds.values())
    return tuple(Guess(name, odd / total) for name, odd in sorted(odds.items(), key=lambda pair: -pair[1]))
