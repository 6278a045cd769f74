"""Renders drawings as pictures, as a camera would see the paper, with OpenCV alone."""

from __future__ import annotations

import unicodedata

import cv2
import numpy as np

from table.printables.drawing import Disc, Drawing, Ink, Mark, Placed, Polygon, Stroke, Text
from vision.layout import Point
from vision.sightings import Picture

_OVERSAMPLED = 3
"""Factor by which drawings are oversampled: edges are then accurate to a fraction of a pixel."""
_SHIFT = 4
_HERSHEY_CAPITAL = 21.0
"""Height of a capital letter of OpenCV's Hershey font at scale 1, pixels."""


def render(drawing: Drawing, px_per_mm: float) -> Picture:
    """Render a drawing as a picture, shape (h, w, 3), BGR uint8, y downwards."""
    width, height = (max(1, round(s * px_per_mm)) for s in drawing.size_mm)
    canvas = np.full((height * _OVERSAMPLED, width * _OVERSAMPLED, 3), drawing.ground[::-1], np.uint8)
    pen = _Pen(canvas, drawing.size_mm)
    for mark in drawing.marks:
        pen.draw(mark)
    small = cv2.resize(canvas, (width, height), interpolation=cv2.INTER_AREA)
    return np.asarray(small, dtype=np.uint8)


class _Pen:
    def __init__(self, canvas: Picture, size_mm: Point) -> None:
        self._canvas = canvas
        self._size_mm = size_mm
        self._scale = float(canvas.shape[1] / size_mm[0])

    def draw(self, mark: Mark) -> None:
        match mark:
            case Polygon():
                points = self._fixed(mark.points_mm)
                if mark.fill is not None:
                    cv2.fillPoly(self._canvas, [points], _bgr(mark.fill), shift=_SHIFT)
                if mark.line is not None:
                    self._trace([*mark.points_mm, mark.points_mm[0]], mark.line, mark.line_mm)
            case Disc():
                center, radius = self._fixed([mark.center_mm])[0], self._length(mark.radius_mm)
                if mark.fill is not None:
                    cv2.circle(self._canvas, center, radius, _bgr(mark.fill), -1, shift=_SHIFT)
                if mark.line is not None:
                    thick = max(1, round(mark.line_mm * self._scale))
                    cv2.circle(self._canvas, center, radius, _bgr(mark.line), thick, shift=_SHIFT)
            case Stroke():
                self._trace(mark.points_mm, mark.ink, mark.width_mm)
            case Text():
                self._write(mark)
            case Placed():
                self._place(mark)

    def _fixed(self, points_mm: tuple[Point, ...] | list[Point]) -> np.ndarray:
        """Points in pixels as OpenCV's fixed-point numbers (int32), shape (n, 2)."""
        w, h = self._size_mm
        pixels = [((x + w / 2) * self._scale - 0.5, (h / 2 - y) * self._scale - 0.5) for x, y in points_mm]
        return np.round(np.array(pixels) * (1 << _SHIFT)).astype(np.int32)

    def _length(self, mm: float) -> int:
        return round(mm * self._scale * (1 << _SHIFT))

    def _trace(self, points_mm: tuple[Point, ...] | list[Point], ink: Ink, width_mm: float) -> None:
        thick = max(1, round(width_mm * self._scale))
        cv2.polylines(self._canvas, [self._fixed(points_mm)], False, _bgr(ink), thick, shift=_SHIFT)

    def _write(self, mark: Text) -> None:
        """Draw Hershey letters into a mask, and blend the rotated mask onto the canvas."""
        scale = mark.height_mm * self._scale / _HERSHEY_CAPITAL
        thick = max(1, round(mark.height_mm * self._scale * (0.16 if mark.bold else 0.1)))
        plain, dots = _without_umlauts(mark.words)
        (width, height), below = cv2.getTextSize(plain, cv2.FONT_HERSHEY_SIMPLEX, scale, thick)
        pad = height + below + thick
        mask = np.zeros((height + below + 2 * pad, width + 2 * pad), np.uint8)
        base = (pad, pad + height)
        cv2.putText(mask, plain, base, cv2.FONT_HERSHEY_SIMPLEX, scale, 255, thick, cv2.LINE_AA)
        for i in dots:
            left = cv2.getTextSize(plain[:i], cv2.FONT_HERSHEY_SIMPLEX, scale, thick)[0][0] if i else 0
            right = cv2.getTextSize(plain[: i + 1], cv2.FONT_HERSHEY_SIMPLEX, scale, thick)[0][0]
            tall = 1.3 if plain[i].isupper() else 1.0
            for share in (0.3, 0.7):
                x = pad + left + (right - left) * share
                y = base[1] - tall * _HERSHEY_CAPITAL * scale
                cv2.circle(mask, (round(x), round(y)), max(1, round(thick * 0.7)), 255, -1, cv2.LINE_AA)
        anchored = pad + {"start": 0.0, "middle": width / 2, "end": float(width)}[mark.anchor]
        x, y = self._fixed([mark.at_mm])[0] / (1 << _SHIFT)
        onto = cv2.getRotationMatrix2D((anchored, base[1]), mark.turn_deg, 1.0)
        onto[:, 2] += (x - anchored, y - base[1])
        # Blend only the part of the canvas under the words.
        corners = np.array([[0, 0, 1], [mask.shape[1], 0, 1], [0, mask.shape[0], 1], [*mask.shape[::-1], 1]])
        reach = corners @ onto.T
        limit = np.array(self._canvas.shape[1::-1])
        (x0, y0), (x1, y1) = (
            np.clip(np.floor(reach.min(0)), 0, limit).astype(int),
            np.clip(np.ceil(reach.max(0)), 0, limit).astype(int),
        )
        if x1 <= x0 or y1 <= y0:
            return
        onto[:, 2] -= (x0, y0)
        laid = cv2.warpAffine(mask, onto, (int(x1 - x0), int(y1 - y0)))[:, :, None].astype(np.float32) / 255
        under = self._canvas[y0:y1, x0:x1]
        under[:] = np.round(under * (1 - laid) + np.array(_bgr(mark.ink), np.float32) * laid)

    def _place(self, mark: Placed) -> None:
        inner = mark.drawing
        canvas = np.full(
            (*(max(1, round(s * self._scale)) for s in inner.size_mm[::-1]), 3), inner.ground[::-1], np.uint8
        )
        pen = _Pen(canvas, inner.size_mm)
        for piece in inner.marks:
            pen.draw(piece)
        w, h = inner.size_mm
        x0, y0, x1, y1 = mark.window_mm or (-w / 2, -h / 2, w / 2, h / 2)
        left, top = round((x0 + w / 2) * self._scale), round((h / 2 - y1) * self._scale)
        cut = canvas[
            max(0, top) : round((h / 2 - y0) * self._scale), max(0, left) : round((x1 + w / 2) * self._scale)
        ]
        px = round((mark.at_mm[0] + max(x0, -w / 2) + self._size_mm[0] / 2) * self._scale)
        py = round((self._size_mm[1] / 2 - mark.at_mm[1] - min(y1, h / 2)) * self._scale)
        goal = self._canvas[max(0, py) : py + cut.shape[0], max(0, px) : px + cut.shape[1]]
        goal[:] = cut[
            max(0, -py) : max(0, -py) + goal.shape[0],
            max(0, -px) : max(0, -px) + goal.shape[1],
        ]


def _bgr(ink: Ink) -> Ink:
    return (ink[2], ink[1], ink[0])


def _without_umlauts(words: str) -> tuple[str, list[int]]:
    """The words in ASCII, as Hershey has no more letters, and the indices of those that need umlaut dots."""
    plain, dots = "", []
    for letter in words.replace("ß", "ss").replace("–", "-").replace("−", "-").replace("×", "x"):
        parts = unicodedata.normalize("NFD", letter)
        base = parts[0]
        if "\u0308" in parts:
            dots.append(len(plain))
        plain += base if base.isascii() else "?"
    return plain, dots
