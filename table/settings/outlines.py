"""Refuses places that no table has: an empty outline, a zone off the floor, a bet far from the box."""

from __future__ import annotations

from collections.abc import Sequence

from table.catalogue import fact
from table.settings.forms import BetForm, CameraForm, FieldForm, SeatForm, ZoneForm
from table.settings.reader import Reader
from vision.layout import Point

LEAST_MM2 = 1.0
"""Smallest area that an outline must enclose."""

REACH_MM = 1000.0
"""Largest distance from the floor at which a bet tile may lie."""

_TERMS = (*range(6), 8, 12, 14)
"""Numbers of distortion coefficients that OpenCV accepts."""


def is_table(corners: Sequence[Point]) -> bool:
    """Whether these may be the corners of a table seen from above: clockwise, convex and not tiny.

    The corners are in shares of the picture's sides.
    """
    if len(corners) != 4 or not all(-0.5 <= value <= 1.5 for corner in corners for value in corner):
        return False
    turns = []
    for at in range(4):
        (ax, ay), (bx, by), (cx, cy) = (corners[(at + step) % 4] for step in range(3))
        turns.append((bx - ax) * (cy - by) - (by - ay) * (cx - bx))
    return min(turns) > 0.01


def check_camera(reader: Reader, camera: CameraForm) -> None:
    """Refuse corners that no table has, and an invalid distortion. Raises SettingsError."""
    if camera.corners is not None and not is_table(camera.corners):
        raise reader.wrong("camera", None, "corners", fact("tablefile.corners"))
    if len(camera.distortion) not in _TERMS:
        what = fact("tablefile.distortion", n=len(camera.distortion))
        raise reader.wrong("camera", None, "distortion", what)


def check_outlines(reader: Reader, seats: Sequence[SeatForm], zones: Sequence[ZoneForm]) -> None:
    """Refuse an outline that encloses no area. Raises SettingsError."""
    named = [("seat", at, "zone", seat.zone) for at, seat in enumerate(seats)]
    named += [("zone", at, "polygon", zone.polygon) for at, zone in enumerate(zones)]
    for section, at, key, outline in named:
        if _area_mm2(outline) < LEAST_MM2:
            raise reader.wrong(section, at, key, fact("tablefile.outline"))


def check_box(
    reader: Reader, box: FieldForm | None, zones: Sequence[ZoneForm], bets: Sequence[BetForm]
) -> None:
    """Refuse zones and bets that no dice box has. Raises SettingsError."""
    if box is None:
        for section, there in (("zone", zones), ("bet", bets)):
            if there:
                raise reader.fail(f"[[{section}]]", fact("tablefile.box"), reader.line(section, 0, None))
        return
    half = [edge / 2 for edge in box.size]
    for at, zone in enumerate(zones):
        if any(
            min(point[axis] for point in zone.polygon) >= half[axis]
            or max(point[axis] for point in zone.polygon) <= -half[axis]
            for axis in (0, 1)
        ):
            what = fact("tablefile.zone", x=f"{half[0]:g}", y=f"{half[1]:g}")
            raise reader.wrong("zone", at, "polygon", what)
    reader.unique("bet", "kind", [bet.kind for bet in bets])
    for at, bet in enumerate(bets):
        if any(abs(bet.center[axis]) > half[axis] + REACH_MM for axis in (0, 1)):
            raise reader.wrong("bet", at, "center", fact("tablefile.bet"))


def _area_mm2(outline: Sequence[Point]) -> float:
    """The area inside an outline; if it crosses itself, parts that run the other way count as negative."""
    following = (*outline[1:], outline[0])
    return abs(sum(ax * by - bx * ay for (ax, ay), (bx, by) in zip(outline, following, strict=True))) / 2
