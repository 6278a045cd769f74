"""Writes the `[camera]` section of a table file; all other lines, comments too, stay unchanged."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from table.errors import not_text
from table.settings.values import SettingsError
from table.settings.written import write_over
from vision.layout import CameraModel, Point

_LENS = ("f_px", "center_px", "distortion")
_CORNERS = ("corners",)
_HEADER = re.compile(r"\s*\[\s*camera\s*\]\s*(#.*)?$")
_ASSIGNED = re.compile(r"\s*(\w+)\s*=(.*)$")
NOTE = "# measured by `stammtisch calibrate`"
SHOWN = "# shown by hand on the page /setup, in shares of the picture"


def write_camera(path: Path, camera: CameraModel, note: str) -> bool:
    """Put the lens into the table file at `path`; return whether the file was there before.

    `note` goes after the mark `NOTE` in a comment above the numbers. A missing file is made with this
    section alone. The file is replaced in one step, so a full disk leaves the old one.

    Raises:
        SettingsError: the file is not TOML, or cannot be written.
    """
    return _write(path, camera_lines(camera, note), _LENS, NOTE)


def write_corners(path: Path, corners: Sequence[Point]) -> None:
    """Put the mat's four corners (`CameraModel.corners`) into the table file; no corners remove them.

    Raises:
        SettingsError: as with `write_camera`.
    """
    told = ", ".join(f"[{x:.5f}, {y:.5f}]" for x, y in corners)
    _write(path, ["[camera]", *([SHOWN, f"corners = [{told}]"] if corners else [])], _CORNERS, SHOWN)


def _write(path: Path, section: list[str], keys: Sequence[str], mark: str) -> bool:
    """Set these keys of `[camera]` in the file, replacing old values; the rest stays."""
    there = path.exists()
    try:
        before = path.read_text(encoding="utf-8-sig") if there else ""
        raw = tomllib.loads(before)
    except (OSError, UnicodeDecodeError) as wrong:
        raise SettingsError(f"{path}: {not_text(wrong, 'give another')}") from None
    except tomllib.TOMLDecodeError as wrong:
        raise SettingsError(f"{path}: not valid TOML: {wrong}; fix that line") from None
    after = "\n".join(_merged(before.splitlines(), section, keys, mark)) + "\n"
    rest = {key: value for key, value in raw.get("camera", {}).items() if key not in keys}
    if _parsed(after) != {**raw, "camera": {**rest, **tomllib.loads("\n".join(section))["camera"]}}:
        raise SettingsError(
            f"{path}: its camera is written in a form that cannot be replaced here; remove it and write "
            "instead:\n" + "\n".join(section)
        )
    write_over(path, after, "choose another --out")
    return there


def lens_alone(path: Path) -> bool:
    """Whether a file holds only a lens: then `write_camera` made it and may overwrite it."""
    try:
        return set(tomllib.loads(path.read_text(encoding="utf-8-sig"))) == {"camera"}
    except (OSError, ValueError):  # not text, or not TOML
        return False


def camera_lines(camera: CameraModel, note: str) -> list[str]:
    """The section as TOML lines, with the note as a comment."""
    lines = ["[camera]", f"{NOTE}: {note}"]
    if camera.f_px is not None:
        lines.append(f"f_px = {camera.f_px:.2f}")
    if camera.center_px is not None:
        lines.append(f"center_px = [{camera.center_px[0]:.2f}, {camera.center_px[1]:.2f}]")
    if camera.distortion:
        lines.append("distortion = [" + ", ".join(f"{term + 0.0:.6f}" for term in camera.distortion) + "]")
    return lines


def _merged(lines: list[str], section: list[str], keys: Sequence[str], mark: str) -> list[str]:
    """The lines with the section in place of the old one's numbers, or at the end."""
    merged: list[str] = []
    inside = placed = False
    depth = 0
    for line in lines:
        if depth:  # inside an array of several lines
            depth += _opened(line)
            continue
        if line.lstrip().startswith("["):
            inside = _HEADER.match(line) is not None
            if inside:
                merged += [line, *section[1:]]
                placed = True
                continue
        if inside and (assigned := _ASSIGNED.match(line)) and assigned.group(1) in keys:
            depth = _opened(assigned.group(2))
            continue
        if inside and line.startswith(mark):
            continue
        merged.append(line)
    if not placed:
        merged += [*([""] if merged and merged[-1].strip() else []), *section]
    return merged


def _opened(words: str) -> int:
    """How many brackets of an array these words leave open (negative: how many they close)."""
    bare = words.split("#")[0]
    return bare.count("[") - bare.count("]")


def _parsed(text: str) -> dict[str, Any] | None:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        return None
