"""What the eye knows about the table: places in millimetres, which the house reads from a table file.

Space (coordinates.md#axes): for a mat the origin is its centre, x to the right and y up as the camera sees
it, z up off the mat; for a box the origin is the centre of the field's floor, and the axes turn with the box.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Point = tuple[float, float]
Point3 = tuple[float, float, float]

USUAL_EDGE_MM = 16.0
"""Edge of a die if the table file does not state it: that of most dice in pubs."""


@dataclass(frozen=True, slots=True)
class Tag:
    """A printed ArUco marker (DICT_4X4_50); `size_mm` is the edge of its black square."""

    id: int
    center_mm: Point3
    size_mm: float


@dataclass(frozen=True, slots=True)
class Spot:
    """A marked place for one die."""

    name: str
    center_mm: Point
    size_mm: float


@dataclass(frozen=True, slots=True)
class SeatPlace:
    """Where one player lays cards in tidy play, and where that player's hand comes in."""

    name: str
    zone_mm: tuple[Point, ...]
    enters_from_mm: Point


@dataclass(frozen=True, slots=True)
class Zone:
    """A scoring polygon of a dice field; `kind` is one of 1x 2x 3x X -1 hole."""

    kind: str
    polygon_mm: tuple[Point, ...]


@dataclass(frozen=True, slots=True)
class Bet:
    """A bet tile A..H beside the box."""

    kind: str
    center_mm: Point3
    size_mm: float


@dataclass(frozen=True, slots=True)
class CameraModel:
    """What is known of the camera: focal length and principal point in pixels, OpenCV's distortion terms.

    `corners` are the mat's four corners as a person marked them in the picture, as shares of its width and
    height: upper left first, then clockwise. They are used only where the mat's tags cannot be seen.
    `pixel_aspect` is the width of a pixel over its height: 4/3 where a driver squeezes 16:9 into 4:3.
    """

    f_px: float | None = None
    center_px: Point | None = None
    distortion: tuple[float, ...] = ()
    corners: tuple[Point, ...] = ()
    pixel_aspect: float = 1.0


@dataclass(frozen=True, slots=True)
class Layout:
    """One table: a `mat` for card games or a dice `field`, with everything marked on it."""

    kind: Literal["mat", "field"]
    size_mm: Point
    tags: tuple[Tag, ...]
    spots: tuple[Spot, ...] = ()
    seats: tuple[SeatPlace, ...] = ()
    zones: tuple[Zone, ...] = ()
    bets: tuple[Bet, ...] = ()
    die_edge_mm: float | None = None
    card_size_mm: Point | None = None
    camera: CameraModel | None = None
    hole_depth_mm: float | None = None
    outside_z_mm: float | None = None

    @property
    def edge_mm(self) -> float:
        """Edge of its dice in millimetres; the usual one where the table file does not state it."""
        return self.die_edge_mm or USUAL_EDGE_MM
