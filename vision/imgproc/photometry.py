"""Model of the light on a card: a slowly varying gain in each channel, and one veil for all channels.

Pictures are planes (3, n) float32 here, pixels in rows from the upper left; `Grid` holds what depends only on
their size.
"""

from __future__ import annotations

import cv2
import numpy as np

from vision.arrays import Float32

_VEIL = (-25.0, 90.0)
_TINT = (0.3, 1.7)
"""Range of the channels of a lamp's reflection over its grey: lamps are warm or cold, not green."""
_NOTHING, _HELD = 1e-6, 1e-4
"""Least divisor; regularisation of parameters that hardly any pixel determines."""
_SHADES, _PER_STOP, _MIDDLE = (0.3, 3.0), 64, 128
"""Limits of the factor of a shadow or a lamp; byte steps for a factor of two; the byte for a factor of 1."""
_ROUND_PX = 17
"""Width of the median: twice that of any stroke of ink on a face of 80 x 120 pixels."""
_RIM = 0.0375
"""Width of the band along the rim in which pixels count less, as a share of the picture's: 2 mm of a card."""

_EVERY = 3
"""Stride of the pixels by which the scale of errors is estimated; as no width is a multiple of it, all
columns count."""


class Grid:
    """Coordinates of the pixels of a picture `width` x `height`, x and y from -1 to 1, and their products."""

    def __init__(self, width: int, height: int) -> None:
        self.width, self.height = width, height
        x, y = np.meshgrid(np.linspace(-1, 1, width), np.linspace(-1, 1, height))
        self.planes: Float32 = np.stack([np.ones_like(x), x, y]).reshape(3, -1).astype(np.float32)
        one, other = np.triu_indices(3)
        self.products: Float32 = self.planes[one] * self.planes[other]
        self.slow: Float32 = np.concatenate([self.planes, self.products[[3, 4, 5]]])
        """1, x, y, x², xy and y²: the basis of slow variation over the picture."""
        half = np.array([[width / 2], [height / 2]], np.float32)
        self.lever: Float32 = np.concatenate([self.planes[1:] * half, self.planes[:1]])
        self.levers: Float32 = self.lever[one] * self.lever[other]
        self.stiff = np.array([width**2, height**2, 4, width**2, height**2, 4]) * 0.005
        # Cards are not cut out exactly: a line of dark ground at the rim is neither ink nor paper.
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
    """The sum (n,) over channels, written into `planes[0]`; `numpy.sum` takes three times as long."""
    whole: Float32 = planes[0]
    whole += planes[1]
    whole += planes[2]
    return whole


def fit_gain(grid: Grid, face: Float32, seen: Float32, weight: Float32) -> Float32:
    """The gain (3, n) that maps the face best onto what was seen, by weighted least squares."""
    weighted = weight * face
    # One matrix-vector product per channel: BLAS takes twice as long for a product with three rows.
    fit = [
        _solve((grid.products @ gram).tolist(), (grid.planes @ right).tolist())
        for gram, right in zip(weighted * face, weighted * seen, strict=True)
    ]
    return np.asarray(np.array(fit, np.float32) @ grid.planes, np.float32)


def _solve(gram: list[float], right: list[float]) -> tuple[float, float, float]:
    """Solve three symmetric equations (upper triangle in rows), slightly regularised towards zero.

    By Cramer's rule: `numpy.linalg.solve` takes ten times as long for so small a system.
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
    """Fit the light: the lit face (3, n), the weight of each pixel (n,), and the veil in grey levels.

    Pixels that no light explains (a finger, a glint) lose their weight; `lenience` as in `believe`.
    """
    gain = fit_gain(grid, face, seen, weight)
    lit = gain * face
    belief = believe(lit, seen, weight, lenience)
    # One veil for all channels: how far the face must be lifted towards the colour of the light, beyond
    # what a gain can do. A separate veil in each channel could turn one ink into another.
    believed = belief * lit
    share = float(np.vdot(believed, gain)) / max(float(np.vdot(believed, lit)), _NOTHING)
    away = gain - lit * np.float32(share)
    believed = belief * away
    veil = float(np.vdot(believed, seen - lit)) / max(float(np.vdot(believed, away)), _NOTHING)
    veil = min(_VEIL[1], max(_VEIL[0], veil))
    return relight(grid, face, seen, belief, veil), belief, veil


def fit_glare(grid: Grid, lit: Float32, seen: Float32, weight: Float32) -> tuple[Float32, float]:
    """A lamp's reflection over a seen face (3, n), and the share of the lit face's errors that it explains.

    It is a polynomial of the second degree times one colour: it varies slowly over the card, and cannot turn
    one ink into another.
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
    """The share of light (n,) that a hard-edged shadow leaves, and the share of the errors it explains.

    It is a median filter: edges stay sharp, and no stroke of ink becomes a shadow.
    """
    dark = np.log2((summed(seen.clip(1)) / summed(lit.clip(1))).clip(*_SHADES))
    coded = (_MIDDLE + dark * _PER_STOP).round().astype(np.uint8).reshape(grid.height, grid.width)
    share = np.exp2((cv2.medianBlur(coded, _ROUND_PX).reshape(-1).astype(np.float32) - _MIDDLE) / _PER_STOP)
    before = max(left_over(lit, seen, weight), _NOTHING)
    return share, 1 - left_over(lit * share, seen, weight) / before


def relight(grid: Grid, face: Float32, seen: Float32, weight: Float32, veil: float) -> Float32:
    """The face (3, n) under the best-fitting light with a known veil."""
    lifted = face + np.float32(veil)
    return fit_gain(grid, lifted, seen, weight) * lifted


def believe(lit: Float32, seen: Float32, weight: Float32, lenience: float = 1.0) -> Float32:
    """Robust weight of each pixel (n,), from the residual of the lit face there.

    `lenience` is a factor on the scale of the errors: with more of it, larger errors keep their weight.
    """
    rest = seen - lit
    rest *= rest
    square = summed(rest)
    known = square[::_EVERY][weight[::_EVERY] > 0]
    if not len(known):
        return weight
    middle = len(known) // 2
    # The upper of two middle values of some pixels will do; `np.median` of all takes ten times as long.
    known.partition(middle)
    scale = 3 * (1.48 * float(known[middle] / 3) ** 0.5 + 4.0) * lenience
    square *= np.float32(1 / (3 * scale * scale))
    square += 1
    return np.asarray(weight / square, np.float32)


def left_over(lit: Float32, seen: Float32, weight: Float32) -> float:
    """Sum of squared differences, weighted by `weight` (n,), between what was seen and a lit face."""
    rest = seen - lit
    rest *= rest
    return float(weight @ summed(rest))


def ink(grid: Grid, seen: Float32, weight: Float32) -> float:
    """Weighted sum of squared residuals of an empty white card under the best-fitting light."""
    gram = (grid.products @ weight).tolist()
    fit = [_solve(gram, (grid.planes @ right).tolist()) for right in weight * seen]
    return left_over(np.asarray(np.array(fit, np.float32) @ grid.planes, np.float32), seen, weight)
