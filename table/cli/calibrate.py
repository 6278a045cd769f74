"""`stammtisch calibrate`: measure a camera's lens from pictures of the printed ChArUco sheet."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import cv2
import numpy as np

from table.errors import StammtischError
from table.printables.pieces import CALIBRATION
from table.settings import read_table
from table.settings.camera import camera_lines, lens_alone, write_camera
from vision.calibration import (
    DICTIONARIES,
    GOOD_REACH,
    Calibration,
    Sheet,
    SheetView,
    calibrate,
    find_sheet,
    no_dictionary,
    says_nothing_new,
)
from vision.errors import SourceError
from vision.pictures import picture_files, read_picture


def register(parser: argparse.ArgumentParser) -> None:
    """Add this command's options."""
    parser.add_argument(
        "pictures",
        metavar="PICTURE",
        nargs="+",
        help="ten or more pictures of the sheet, or a folder of them",
    )
    parser.add_argument("--out", metavar="FILE", type=Path, help="table file to write [camera] into")
    parser.add_argument(
        "--squares",
        metavar="CxR",
        type=_grid,
        default=CALIBRATION.squares,
        help="columns x rows (default: 9x6)",
    )
    parser.add_argument(
        "--square",
        metavar="MM",
        type=_mm,
        default=CALIBRATION.square_mm,
        help="edge of a square (default: 25)",
    )
    parser.add_argument(
        "--marker",
        metavar="MM",
        type=_mm,
        default=CALIBRATION.marker_mm,
        help="edge of a marker (default: 18)",
    )
    parser.add_argument(
        "--dictionary",
        metavar="NAME",
        type=_dictionary,
        default=CALIBRATION.dictionary,
        help=f"the markers' dictionary (default: {CALIBRATION.dictionary})",
    )
    parser.add_argument(
        "--distance",
        metavar="MM",
        type=_mm,
        default=950.0,
        help="height of the camera above the mat, for the error in mm (default: 950)",
    )
    parser.add_argument("--json", action="store_true", help="the result as one JSON object")


def run(options: argparse.Namespace) -> int:
    """Measure the lens, report the error, write `[camera]`. Raises CalibrationError, StammtischError."""
    sheet = Sheet(options.squares, options.square, options.marker, options.dictionary)
    out: Path | None = options.out
    if out is not None and out.exists() and not lens_alone(out):
        read_table(out)  # an invalid table file is reported before anything is measured
    views, left_out = _views(_files(options.pictures), sheet, options.json)
    if not views:
        columns, rows = sheet.squares
        raise StammtischError(
            f"no picture shows a ChArUco sheet of {columns}x{rows} squares with {sheet.dictionary} markers;"
            " give pictures of `stammtisch print calibration`, sharp and evenly lit, or say how your sheet is"
            " made with --squares, --square, --marker and --dictionary"
        )
    lens = calibrate(views)
    if options.json:
        print(json.dumps({**_plain(lens, options.distance), "left_out": left_out}, ensure_ascii=False))
    else:
        print("\n".join(_human(lens, options.distance)))
    width, height = lens.size_px
    note = f"{lens.rms_px:.2f} px left over, for pictures of {width}x{height} only"
    if out is None:
        if not options.json:
            print("\n".join(camera_lines(lens.camera, note)))
        return 0
    there = write_camera(out, lens.camera, note)
    if not options.json:
        print(
            f"{out}: [camera] written, the rest is unchanged"
            if there
            else f"{out}: created with [camera] alone; copy it into your table file"
        )
    return 0


def _views(files: list[Path], sheet: Sheet, quiet: bool) -> tuple[list[SheetView], list[dict[str, str]]]:
    """The views of the sheet, and the pictures left out with the reason, printed as well unless `quiet`."""
    views, left_out = list[SheetView](), list[dict[str, str]]()

    def leave_out(path: Path, why: str) -> None:
        left_out.append({"picture": str(path), "why": why})
        if not quiet:
            print(f"{path}: {why}; left out", flush=True)

    for path in files:
        try:
            picture = read_picture(path)
        except SourceError as wrong:
            leave_out(path, str(wrong).removeprefix(f"{path}: "))
            continue
        grey = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)
        view = find_sheet(np.asarray(grey, np.uint8), sheet, str(path))
        if view is None:
            leave_out(path, "the sheet is not seen well enough here")
        elif says_nothing_new(view, views):
            leave_out(path, "shows the sheet in the same place as another picture")
        else:
            views.append(view)
    return views, left_out


def _files(names: list[str]) -> list[Path]:
    """The named pictures, with folders expanded."""
    files: list[Path] = []
    for name in names:
        path = Path(name)
        if path.is_dir():
            inside = picture_files(path)
            if not inside:
                raise StammtischError(
                    f"{path}: no pictures in this folder; it should hold .jpg or .png files"
                )
            files += inside
        elif path.exists():
            files.append(path)
        else:
            raise StammtischError(f"{path}: there is no such picture; check the path")
    return files


def _plain(lens: Calibration, distance_mm: float) -> dict[str, object]:
    camera = lens.camera
    return {
        "f_px": round(camera.f_px or 0.0, 3),
        "center_px": [round(v, 3) for v in camera.center_px or ()],
        "distortion": [round(v, 6) for v in camera.distortion],
        "size_px": list(lens.size_px),
        "pictures": len(lens.views),
        "corners": lens.corners,
        "error_px": round(lens.rms_px, 4),
        "error_mm": round(lens.error_mm(distance_mm), 4),
        "sheet_mm": round(lens.sheet_mm, 4),
        "focal_error": round(lens.focal_error, 6),
        "reach": round(lens.reach, 3),
    }


def _human(lens: Calibration, distance_mm: float) -> list[str]:
    f_px = lens.camera.f_px or 0.0
    x, y = lens.camera.center_px or (0.0, 0.0)
    width, height = lens.size_px
    lines = [
        f"{len(lens.views)} pictures of {width}x{height}, {lens.corners} corners of the sheet,"
        f" turned by up to {lens.tilt_deg:.0f} degrees",
        f"focal length {f_px:.1f} px, uncertain by {lens.focal_error:.2%}; middle at {x:.1f}, {y:.1f};"
        f" distortion {', '.join(f'{term + 0.0:.4f}' for term in lens.camera.distortion)}",
        f"error {lens.rms_px:.2f} px: {lens.error_mm(distance_mm):.2f} mm on a mat {distance_mm:g} mm below"
        f" the camera ({lens.sheet_mm:.2f} mm on the sheet as it was held)",
    ]
    if lens.reach < GOOD_REACH:
        lines.append(
            f"no corner of the sheet came nearer to the picture's corners than {lens.reach:.0%} of the "
            "way: the lens is only guessed farther out; hold the sheet there in some more pictures"
        )
    return lines


def _grid(words: str) -> tuple[int, int]:
    try:
        columns, rows = (int(part) for part in words.lower().replace("×", "x").split("x"))
    except ValueError:
        raise argparse.ArgumentTypeError(f"{words!r} is not a number of squares like 9x6") from None
    return (columns, rows)


def _dictionary(name: str) -> str:
    if name not in DICTIONARIES:
        raise argparse.ArgumentTypeError(no_dictionary(name))
    return name


def _mm(words: str) -> float:
    try:
        value = float(words)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{words!r} is not a number of millimetres") from None
    if not 0 < value < 1e5:
        raise argparse.ArgumentTypeError(f"{words!r}: a length is greater than 0")
    return value
