"""Drawings as PDF, one page each, true to the millimetre (reportlab, extra `print`)."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from table.errors import installing
from table.printables.drawing import Disc, Drawing, Ink, Mark, Placed, Polygon, PrintError, Stroke, Text
from vision.layout import Point

_MM = 72 / 25.4
"""PDF points per millimetre."""
_HELVETICA_CAPITAL = 0.718
"""Height of a capital letter of Helvetica in ems (Adobe font metrics)."""


def write_pdf(
    pages: Sequence[Drawing], path: str | Path, title: str, tell: Callable[[int], None] = lambda page: None
) -> Path:
    """Write drawings as the pages of one PDF; return its path. `tell` is called for each page drawn.

    Raises:
        PrintError: reportlab is not installed, or the place cannot be written.
    """
    try:
        from reportlab.pdfgen.canvas import Canvas
    except ModuleNotFoundError:
        raise PrintError(
            "printing needs the package reportlab, which is not installed;"
            f" install it with: {installing('reportlab', 'segno')}"
        ) from None
    path = Path(path)
    # `invariant`: the same drawing always gives the same bytes, as the PDF has no date.
    canvas = Canvas(str(path), invariant=1)
    canvas.setTitle(title)
    canvas.setCreator("Stammtisch")
    for n, page in enumerate(pages, 1):
        tell(n)
        canvas.setPageSize(tuple(s * _MM for s in page.size_mm))
        canvas.setLineCap(1)
        canvas.setLineJoin(1)
        canvas.scale(_MM, _MM)
        canvas.translate(page.size_mm[0] / 2, page.size_mm[1] / 2)
        _sheet(canvas, page)
        canvas.showPage()
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        canvas.save()
    except (FileExistsError, NotADirectoryError):
        raise PrintError(f"{path.parent}: is not a folder; choose another --out") from None
    except OSError as wrong:
        raise PrintError(
            f"{path}: cannot be written ({wrong.strerror or wrong}); choose another --out"
        ) from None
    return path


def _sheet(canvas: Any, drawing: Drawing) -> None:
    w, h = drawing.size_mm
    canvas.setFillColorRGB(*_share(drawing.ground))
    canvas.rect(-w / 2, -h / 2, w, h, stroke=0, fill=1)
    for mark in drawing.marks:
        _draw(canvas, mark)


def _draw(canvas: Any, mark: Mark) -> None:
    match mark:
        case Polygon():
            _ink(canvas, mark.fill, mark.line, mark.line_mm)
            canvas.drawPath(
                _path(canvas, mark.points_mm, True), stroke=mark.line is not None, fill=mark.fill is not None
            )
        case Disc():
            _ink(canvas, mark.fill, mark.line, mark.line_mm)
            canvas.circle(
                *mark.center_mm, mark.radius_mm, stroke=mark.line is not None, fill=mark.fill is not None
            )
        case Stroke():
            _ink(canvas, None, mark.ink, mark.width_mm)
            canvas.drawPath(_path(canvas, mark.points_mm, False), stroke=1, fill=0)
        case Text():
            _write(canvas, mark)
        case Placed():
            canvas.saveState()
            canvas.translate(*mark.at_mm)
            w, h = mark.drawing.size_mm
            x0, y0, x1, y1 = mark.window_mm or (-w / 2, -h / 2, w / 2, h / 2)
            frame = canvas.beginPath()
            frame.rect(x0, y0, x1 - x0, y1 - y0)
            canvas.clipPath(frame, stroke=0, fill=0)
            _sheet(canvas, mark.drawing)
            canvas.restoreState()


def _path(canvas: Any, points_mm: tuple[Point, ...], closed: bool) -> Any:
    path = canvas.beginPath()
    path.moveTo(*points_mm[0])
    for point in points_mm[1:]:
        path.lineTo(*point)
    if closed:
        path.close()
    return path


def _write(canvas: Any, mark: Text) -> None:
    canvas.saveState()
    canvas.translate(*mark.at_mm)
    if math.fmod(mark.turn_deg, 360):
        canvas.rotate(mark.turn_deg)
    canvas.setFillColorRGB(*_share(mark.ink))
    canvas.setFont("Helvetica-Bold" if mark.bold else "Helvetica", mark.height_mm / _HELVETICA_CAPITAL)
    write = {
        "start": canvas.drawString,
        "middle": canvas.drawCentredString,
        "end": canvas.drawRightString,
    }[mark.anchor]
    # The standard PDF fonts have Latin-1 only: with umlauts, but without the minus sign.
    write(0, 0, mark.words.replace("−", "–"))
    canvas.restoreState()


def _ink(canvas: Any, fill: Ink | None, line: Ink | None, line_mm: float) -> None:
    if fill is not None:
        canvas.setFillColorRGB(*_share(fill))
    if line is not None:
        canvas.setStrokeColorRGB(*_share(line))
        canvas.setLineWidth(line_mm)


def _share(ink: Ink) -> tuple[float, float, float]:
    return (ink[0] / 255, ink[1] / 255, ink[2] / 255)
