"""The camera's own rendering of colour, measured on the floor, whose print serves as a colour chart.

Two cameras render one print differently: saturation, colour matrix, lifted blacks, tone curve. All of that
is nearly affine in pixel values. The map is fitted by least squares over the floor's colours, each with
about the same weight. Dice and shadows drop out as outliers (Geman and McClure's weights with a scale that
narrows: Blake and Zisserman 1987). The lamp's part, one gain per channel, is left to `illumination`.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from vision.arrays import Float64
from vision.box.calibration_parameters import BOX_CALIBRATION
from vision.sightings import Picture

_SIDE = 64
"""Pixels along each side of the floor when its colours are compared."""
_BINS, _RARE, _EQUAL = 5, 0.01, 0.5
"""Bins per channel; share of the floor below which a colour is rare; exponent by which area counts less."""
_SCALES = (0.4, 0.3, 0.2, 0.14, 0.1, 0.07, 0.05, 0.04, 0.03, 0.03)
"""Scale of the residuals (of 1) above which a place counts as an outlier, narrowed round by round."""
_LIT_ROUND = 2
"""First round in which the lamp's gradient over the floor is fitted: before, colours are too far off."""
_MIXED, _LIFTED = 0.3, 0.05
"""Standard deviations among cameras: of a channel's share in another, and of the black level."""
_PRIORS = np.array(
    [np.diag([1e-6 if k == own else _MIXED**-2 for k in range(3)] + [_LIFTED**-2]) for own in range(3)]
)
"""Prior precision for each channel: nearly none on its gain, which is the lamp's, weak on the rest."""


_STEPS = (np.arange(_SIDE) + 0.5) / _SIDE * 2 - 1
_X, _Y = (axis.ravel() for axis in np.meshgrid(_STEPS, _STEPS))
_SLOPES = np.stack([_X, _Y, _X * _X - 1 / 3, _X * _Y, _Y * _Y - 1 / 3], axis=1)


@dataclass(frozen=True, slots=True)
class ColourCalibration:
    """Affine map of this camera's BGR values, 0..255, to those of the enrolment's camera: `matrix` (3, 4)."""

    matrix: Float64

    def put_right(self, picture: Picture) -> Picture:
        """Convert a picture (h, w, 3) BGR to the colours that the enrolment's camera would have rendered."""
        # OpenCV has a fast path for this kind of matrix in eight bits.
        return np.asarray(cv2.transform(picture, self.matrix.astype(np.float32)), np.uint8)


class Chart:
    """The empty floor's colours; `floor` is the view from above, (n, n, 3) BGR uint8."""

    def __init__(self, floor: Picture) -> None:
        then = _halved(floor)
        rim = np.ones((3, 3), np.uint8)
        calm = cv2.subtract(cv2.dilate(then, rim), cv2.erode(then, rim)).max(axis=2) < BOX_CALIBRATION.calm
        colours = then.reshape(-1, 3) / 255
        most = colours.max(axis=1)
        self._at = np.flatnonzero(
            calm.ravel() & (most > BOX_CALIBRATION.darkest) & (most < BOX_CALIBRATION.brightest)
        )
        self._colours, self._slopes = colours[self._at], _SLOPES[self._at]
        bins = (self._colours * _BINS).astype(np.intp) @ (36, 6, 1)
        area = np.maximum(np.bincount(bins)[bins] if len(bins) else bins, max(1.0, _RARE * len(bins)))
        self._weight = area.astype(np.float64) ** -_EQUAL
        spread = np.linalg.svd(
            self._colours * (self._weight / self._weight.sum())[:, None] ** 0.5, False, False
        )
        self._rich = (
            len(bins) > BOX_CALIBRATION.least_asked * _SIDE**2 and float(spread[-1]) > BOX_CALIBRATION.rich
        )

    def read(self, floor: Picture, used: bool = False) -> ColourCalibration | None:
        """Calibrate the camera from a picture's floor (n, n, 3); None if it renders colour as at enrolment.

        Also None where the floor shows another print or too little of this one. `used`: this camera's
        pictures are being corrected already, so a smaller difference is enough.
        """
        now = _halved(floor).reshape(-1, 3)[self._at] / 255
        weight = self._weight * (now.max(axis=1) < BOX_CALIBRATION.brightest)
        if not self._rich or np.count_nonzero(weight) < BOX_CALIBRATION.least_asked * _SIDE**2:
            return None
        mixture, black, rest = self._fitted(now, weight / weight.sum())
        told, mostly = np.quantile(rest[weight > 0], (0.5, 0.7))
        if (
            told > BOX_CALIBRATION.told
            or mostly > BOX_CALIBRATION.mostly
            or abs(float(np.linalg.det(mixture))) < 1e-3
        ):
            return None
        # Without the lamp's gains grey stays grey: what remains is the camera's part.
        back = np.linalg.inv(mixture)
        back /= back.sum(axis=1, keepdims=True)
        share = BOX_CALIBRATION.stays if used else 1.0
        same = (
            np.abs(back - np.eye(3)).max() < share * BOX_CALIBRATION.same_mixture
            and np.abs(black).max() < share * BOX_CALIBRATION.same_black
        )
        if same or float(np.linalg.norm(back, 2)) > BOX_CALIBRATION.most:
            return None
        return ColourCalibration(np.column_stack([back, -255 * back @ black]))

    def _fitted(self, now: Float64, weight: Float64) -> tuple[Float64, Float64, Float64]:
        """Mixture (3, 3), black (3,) and residual (n,): now = light (mixture then) + black."""
        then = self._colours
        gain = (now * weight[:, None]).sum(axis=0) / (then * weight[:, None]).sum(axis=0)
        mixture, black, light = np.diag(gain), np.zeros(3), np.ones(len(then))
        for number, scale in enumerate(_SCALES):
            painted = then @ mixture.T
            rest = np.linalg.norm(now - light[:, None] * painted - black, axis=1)
            own = weight / (1 + (rest / scale) ** 2) ** 2
            if number >= _LIT_ROUND:
                light = self._light(now - black, painted, own)
            rows = np.column_stack([light[:, None] * then, np.ones(len(then))])
            sure = (own * BOX_CALIBRATION.worth / max(scale, BOX_CALIBRATION.told) ** 2)[:, None]
            fit = np.linalg.solve((rows * sure).T @ rows + _PRIORS, ((rows * sure).T @ now).T[..., None])
            mixture, black = fit[:, :3, 0], fit[:, 3, 0]
        return mixture, black, np.linalg.norm(now - light[:, None] * (then @ mixture.T) - black, axis=1)

    def _light(self, now: Float64, painted: Float64, weight: Float64) -> Float64:
        """Fit the lamp's light over the floor, (n,): smooth, about 1."""
        power = (painted * painted).sum(axis=1)
        share = (now * painted).sum(axis=1) / np.maximum(power, 1e-3)
        sure = weight * power * (share > _LIFTED)
        normal = (self._slopes * sure[:, None]).T @ self._slopes
        normal += (BOX_CALIBRATION.level * sure.sum() + 1e-9) * np.eye(self._slopes.shape[1])
        goal = (self._slopes * sure[:, None]).T @ np.log(np.maximum(share, _LIFTED))
        return np.asarray(np.exp(self._slopes @ np.linalg.solve(normal, goal)), np.float64)


class CalibrationMemory:
    """Keeps the calibration, and measures it again only when the floor looks different."""

    def __init__(self, chart: Chart) -> None:
        self._chart = chart
        self._floor: Picture | None = None
        self._calibration: ColourCalibration | None = None

    def calibration(self, floor: Picture) -> ColourCalibration | None:
        """As `Chart.read`, from the kept result while the floor looks the same."""
        before = self._floor
        if (
            before is None
            or 2 * np.count_nonzero(cv2.absdiff(before, floor) > BOX_CALIBRATION.steady) > floor.size
        ):
            self._floor = floor
            self._calibration = self._chart.read(floor, self._calibration is not None)
        return self._calibration


def _halved(floor: Picture) -> Picture:
    """Shrink the floor to `_SIDE` pixels a side by area means."""
    return np.asarray(cv2.resize(floor, (_SIDE, _SIDE), interpolation=cv2.INTER_AREA), np.uint8)
