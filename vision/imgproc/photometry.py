"""Light on a card: a gain that varies slowly over it, separately in each channel, and one veil over all.

Pictures are planes (3, n) float32 here, pixels in rows from the upper left; `Grid` holds what depends only on
their size.
"""

from __future__ import annotations

import cv2
import numpy as np

from vision.arrays import Float32

_VEIL = (-25.0, 90.0)
_TINT = (0.3, 1.7)
"""Range of a lamp image's channels over its grey: lamps are warm or cold, not green."""
_NOTHING, _HELD = 1e-6, 1e-4
"""Least divisor; weight towards zero of numbers that hardly a pixel determines."""
_SHADES, _PER_STOP, _MIDDLE = (0.3, 3.0), 64, 128
"""Limits of a shadow's and a lamp's share of the light; steps of a byte for a factor of two; byte of 1."""
_ROUND_PX = 17
"""Width of the median: twice that of any stroke of ink on a face of 80 x 120 pixels."""
_RIM = 0.0375
"""Width of the band along the rim, over the picture's, in which pixels count less: 2 mm of a card."""

_EVERY = 3
"""Stride of the pixels that tell how large errors are: it divides no width, so all columns do."""


class Grid:
    """Places of a picture of `width` x `height` pixels, x and y from -1 to 1."""

    def __init__(self, width: int, height: int) -> None:
        self.width, self.height = width, height
        x, y = np.meshgrid(np.linspace(-1, 1, width), np.linspace(-1, 1, height))
        self.planes: Float32 = np.stack([np.ones_like(x), x, y]).reshape(3, -1).astype(np.float32)
        one, other = np.triu_indices(3)
        self.products: Float32 = self.planes[one] * self.planes[other]
        self.slow: Float32 = np.concatenate([self.planes, self.products[[3, 4, 5]]])
        """1, x, y, x², xy and y²: what varies slowly over the picture."""
        half = np.array([[width / 2], [height / 2]], np.float32)
        self.lever: Float32 = np.concatenate([self.planes[1:] * half, self.planes[:1]])
        self.levers: Float32 = self.lever[one] * self.lever[other]
        self.stiff = np.array([width**2, height**2, 4, width**2, height**2, 4]) * 0.005
        # No two cards are cut out alike: a line of dark ground at the rim is neither ink nor paper.
        x, y = np.meshgrid(np.arange(width), np.arange(height))
        rim = np.minimum(np.minimum(x, width - 1 - x), np.minimum(y, height - 1 - y)) / (_RIM * width)
        self.rim: Float32 = (np.clip(rim, 0, 1) ** 2).astype(np.float32).reshape(-1)
        inner = np.ones((height, width), np.float32)
        inner[[0, -1]], inner[:, [0, -1]] = 0, 0
        self.inner: Float32 = inner.reshape(-1)

    def to_planes(self, picture: Float32) -> Float32:
        """(h, w, 3) to (3, n)."""
        return np.ascontiguousarray(picture.reshape(-1, 3).T)


def summed(planes: Float32) -> Float32:
    """The sum (n,) over channels; `planes[0]` is overwritten by it: `numpy.sum` takes three times as long."""
    whole: Float32 = planes[0]
    whole += planes[1]
    whole += planes[2]
    return whole


def fit_gain(grid: Grid, face: Float32, seen: Float32, weight: Float32) -> Float32:
    """The gain (3, n) that brings the face nearest to what was seen, by weighted least squares."""
    weighted = weight * face
    # A product of a matrix and a row each: BLAS takes twice as long for one with three rows.
    fit = [
        _solve((grid.products @ gram).tolist(), (grid.planes @ right).tolist())
        for gram, right in zip(weighted * face, weighted * seen, strict=True)
    ]
    return np.asarray(np.array(fit, np.float32) @ grid.planes, np.float32)


def _solve(gram: list[float], right: list[float]) -> tuple[float, float, float]:
    """Solve three symmetric equations (upper half in rows), with the result held slightly towards zero.

    By Cramer's rule: `numpy.linalg.solve` takes ten times as long for three.
    """
    a, b, c, d, e, f = gram
    x, y, z = right
    held = _NOTHING * (a + d + f) + _NOTHING
    a, d, f = a + held, d + held, f + held
    aa, ab, ac = d * f - e * e, c * e - b * f, b * e - c * d
    bb, bc, cc = a * f - c * c, b * c - a * e, a * d - b * b
    whole = a * aa + b * ab + c * ac
    return (
        (aa * x + ab * y + ac * z) / whole,
        (ab * x + bb * y + bc * z) / whole,
        (ac * x + bc * y + cc * z) / whole,
    )


def fit_light(
    grid: Grid, face: Float32, seen: Float32, weight: Float32, lenience: float = 1.0
) -> tuple[Float32, Float32, float]:
    """The face as lit (3, n), the belief in each pixel (n,), and the veil in grey levels.

    Pixels that no light explains (a finger, a glint) lose their weight; `lenience` as in `believe`.
    """
    gain = fit_gain(grid, face, seen, weight)
    lit = gain * face
    belief = believe(lit, seen, weight, lenience)
    # One veil for all channels: how far the face must be lifted towards the light's own colour, beyond
    # what more gain could do. A veil in each channel would turn one ink into another.
    believed = belief * lit
    share = float(np.vdot(believed, gain)) / max(float(np.vdot(believed, lit)), _NOTHING)
    away = gain - lit * np.float32(share)
    believed = belief * away
    veil = float(np.vdot(believed, seen - lit)) / max(float(np.vdot(believed, away)), _NOTHING)
    veil = min(_VEIL[1], max(_VEIL[0], veil))
    return relight(grid, face, seen, belief, veil), belief, veil


def fit_glare(grid: Grid, lit: Float32, seen: Float32, weight: Float32) -> tuple[Float32, float]:
    """A lamp's image over a face as seen (3, n), and the share of the lit face's errors that it explains.

    It varies slowly over the card and has one colour, so that it turns no ink into another: a polynomial of
    the second degree times a colour.
    """
    rest = seen - lit
    grey = summed(rest.copy()) / np.float32(3)
    weighted = grid.slow * weight
    gram = weighted @ grid.slow.T
    held = np.eye(len(gram), dtype=np.float32) * np.float32(_HELD * np.trace(gram) + _NOTHING)
    shape = np.linalg.solve(gram + held, weighted @ grey).astype(np.float32) @ grid.slow
    size = max(float(weight @ (shape * shape)), _NOTHING)
    colour = np.array([float((weight * shape) @ plane) / size for plane in rest], np.float32)
    glare: Float32 = colour.clip(*_TINT)[:, None] * shape
    before = max(left_over(lit, seen, weight), _NOTHING)
    return glare, 1 - left_over(lit + glare, seen, weight) / before


def fit_shade(grid: Grid, lit: Float32, seen: Float32, weight: Float32) -> tuple[Float32, float]:
    """The share of light (n,) that a shadow with a hard edge leaves a lit face, and how much that explains.

    It is the median round each pixel, so that an edge stays an edge and no stroke of ink becomes a shadow.
    """
    dark = np.log2((summed(seen.clip(1)) / summed(lit.clip(1))).clip(*_SHADES))
    coded = (_MIDDLE + dark * _PER_STOP).round().astype(np.uint8).reshape(grid.height, grid.width)
    share = np.exp2((cv2.medianBlur(coded, _ROUND_PX).reshape(-1).astype(np.float32) - _MIDDLE) / _PER_STOP)
    before = max(left_over(lit, seen, weight), _NOTHING)
    return share, 1 - left_over(lit * share, seen, weight) / before


def relight(grid: Grid, face: Float32, seen: Float32, weight: Float32, veil: float) -> Float32:
    """The face (3, n) under the best light with a known veil."""
    lifted = face + np.float32(veil)
    return fit_gain(grid, lifted, seen, weight) * lifted


def believe(lit: Float32, seen: Float32, weight: Float32, lenience: float = 1.0) -> Float32:
    """How far each pixel (n,) is believed, given what the lit face leaves over there.

    With `lenience` errors larger by that factor are believed as well.
    """
    rest = seen - lit
    rest *= rest
    square = summed(rest)
    known = square[::_EVERY][weight[::_EVERY] > 0]
    if not len(known):
        return weight
    middle = len(known) // 2
    # The upper of two middle values of some pixels will do: `np.median` of all takes ten times as long.
    known.partition(middle)
    scale = 3 * (1.48 * float(known[middle] / 3) ** 0.5 + 4.0) * lenience
    square *= np.float32(1 / (3 * scale * scale))
    square += 1
    return np.asarray(weight / square, np.float32)


def left_over(lit: Float32, seen: Float32, weight: Float32) -> float:
    """Sum of the squares, weighted (n,), by which what was seen differs from a lit face."""
    rest = seen - lit
    rest *= rest
    return float(weight @ summed(rest))


def ink(grid: Grid, seen: Float32, weight: Float32) -> float:
    """Sum of squares that an empty white card under the best light leaves over."""
    gram = (grid.products @ weight).tolist()
    fit = [_solve(gram, (grid.planes @ right).tolist()) for right in weight * seen]
    return left_over(np.asarray(np.array(fit, np.float32) @ grid.planes, np.float32), seen, weight)
