"""Where everything lies on a mat, for 2 to 5 seats on A2 or A3: the single source of print and table file.

Seats are numbered clockwise seen from above, S1 at the bottom. The zones are as roomy as the sheet allows;
cards that do not fit are reported, never squeezed in.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from table.printables.drawing import PrintError
from vision.layout import Layout, Point, SeatPlace, Spot, Tag

SHEETS: dict[str, Point] = {
    "A5": (210.0, 148.0),
    "A4": (297.0, 210.0),
    "A3": (420.0, 297.0),
    "A2": (594.0, 420.0),
}
"""Paper sizes (ISO 216) in landscape, millimetres."""

SEATS = (2, 3, 4, 5)
CARD_MM: Point = (59.0, 91.0)
DIE_EDGE_MM = 16.0
SPOT_MM = 30.0
TAG_MM = {"A3": 24.0, "A2": 36.0}
CHARACTERS: dict[str, tuple[str, str]] = {
    "aagewwer": ("Aagewwer", "paper.mat.trump"),
    "weschwieschmaennchen": ("Weschwieschmännchen", "+"),
    "jammerlabbe": ("Jammerlabbe", "−"),
    "jo-lossen": ("Jo Lossen", "paper.mat.free"),
    "gliggsridder": ("Gliggsridder", "+"),
}
"""The five characters in the order of their printed die values (D-20): their names and what they do
(a sign, or a key of the catalogue)."""

_EDGE = 10.0
_GAP = 8.0
_PITCH = 60.0
_MOST_SLACK, _LEAST_SLACK = 26, 5


@dataclass(frozen=True, slots=True)
class Area:
    """An upright rectangle on the mat."""

    center_mm: Point
    size_mm: Point

    @property
    def corners_mm(self) -> tuple[Point, Point, Point, Point]:
        """Lower left, lower right, upper right, upper left."""
        (x, y), (w, h) = self.center_mm, (self.size_mm[0] / 2, self.size_mm[1] / 2)
        return ((x - w, y - h), (x + w, y - h), (x + w, y + h), (x - w, y + h))

    def apart(self, other: Area, gap_mm: float = 0.0) -> bool:
        """Whether the two lie at least `gap_mm` apart."""
        return any(
            abs(self.center_mm[i] - other.center_mm[i])
            >= (self.size_mm[i] + other.size_mm[i]) / 2 + gap_mm - 1e-6
            for i in (0, 1)
        )


@dataclass(frozen=True, slots=True)
class MatPlan:
    """One mat: the `layout` for the eye, and what only people need (pile, dice, ruler)."""

    sheet: str
    layout: Layout
    seats: tuple[Area, ...]
    pile: Area
    parking: Area
    ruler_mm: Point

    @property
    def name(self) -> str:
        """Stem of the mat's file names: `mat-4-A2`, or `mat-4-A2-cards` without places for characters' dice.

        Cards of another size than ours add theirs: `mat-4-A2-63x88`.
        """
        other = self.layout.card_size_mm if self.layout.card_size_mm != CARD_MM else None
        size = f"-{other[0]:g}x{other[1]:g}" if other else ""
        return f"mat-{len(self.seats)}-{self.sheet}{'' if self.layout.spots else '-cards'}{size}"

    @property
    def taken(self) -> tuple[Area, ...]:
        """Every area that has a use, so that nothing else is drawn there."""
        return (*_fixed(self).values(), *_loose(self).values(), *([] if self.layout.spots else [self.row]))

    @property
    def row(self) -> Area:
        """Where a mat without places for dice shows its game's trumps or suits."""
        high = SPOT_MM - 8
        return Area((0.0, self.layout.size_mm[1] / 2 - _EDGE - high / 2), (4 * _PITCH + SPOT_MM, high))

    @property
    def parked_mm(self) -> tuple[Point, ...]:
        """Six places for dice not in use: blue, brown, yellow, green, red, black."""
        (x, y), pitch = self.parking.center_mm, self.parking.size_mm[0] / 3
        return tuple(
            (x + (i - 1) * pitch, y + j * self.parking.size_mm[1] / 4) for j in (1, -1) for i in range(3)
        )


def plan_mat(seats: int, sheet: str, card_mm: Point = CARD_MM, characters: bool = True) -> MatPlan:
    """Plan a mat; cards lie portrait before S1 and the far seats, landscape at the sides.

    `characters`: with the places for the dice of Dubbe's characters.

    Raises:
        PrintError: the sheet is unknown, there are too few or too many seats, or the cards do not fit.
    """
    if sheet not in TAG_MM:
        raise PrintError(f"a mat is printed on {' or '.join(TAG_MM)}, not on {sheet!r}")
    if seats not in SEATS:
        raise PrintError(f"a mat has {SEATS[0]} to {SEATS[-1]} seats, not {seats}")
    clash = ""
    for slack in range(_MOST_SLACK, _LEAST_SLACK - 1, -1):
        plan = _planned(seats, sheet, card_mm, float(slack))
        clash = _clash(plan)
        if not clash:
            return plan if characters else replace(plan, layout=replace(plan.layout, spots=()))
    larger = "; print it on A2" if sheet == "A3" else "; use fewer seats or smaller cards"
    raise PrintError(
        f"{seats} seats with cards of {card_mm[0]:g}×{card_mm[1]:g} mm do not fit {sheet} ({clash}){larger}"
    )


def _planned(seats: int, sheet: str, card_mm: Point, slack: float) -> MatPlan:
    (w, h), size = SHEETS[sheet], TAG_MM[sheet]
    upright = (card_mm[0] + 2 * slack, card_mm[1] + 2 * slack)
    lying = (upright[1], upright[0])
    spots_y = h / 2 - _EDGE - SPOT_MM / 2
    top = spots_y - SPOT_MM / 2 - 11  # the characters' names are printed in between
    bottom = -h / 2 + _EDGE + 2
    far_y, near_y = top - upright[1] / 2, bottom + upright[1] / 2
    beside = upright[0] / 2 + _GAP + lying[0] / 2
    middle_y = (far_y + near_y) / 2
    if seats == 5:
        beside = upright[0] + _GAP * 1.5 + lying[0] / 2
    near, far = Area((0.0, near_y), upright), Area((0.0, far_y), upright)
    left, right = Area((-beside, middle_y), lying), Area((beside, middle_y), lying)
    apart = upright[0] / 2 + _GAP / 2
    places = {
        2: ((near, (0, -1)), (far, (0, 1))),
        3: ((near, (0, -1)), (left, (-1, 0)), (right, (1, 0))),
        4: ((near, (0, -1)), (left, (-1, 0)), (far, (0, 1)), (right, (1, 0))),
        5: (
            (near, (0, -1)),
            (left, (-1, 0)),
            (Area((-apart, far_y), upright), (0, 1)),
            (Area((apart, far_y), upright), (0, 1)),
            (right, (1, 0)),
        ),
    }[seats]
    pile_mm = (card_mm[1] + 8, card_mm[0] + 8)
    corner = (w / 2 - _EDGE - size / 2, h / 2 - _EDGE - size / 2)
    aside = upright[0] / 2 + _GAP
    # The pile lies between S1 and the lower right tag, the dice between S1 and the lower left one.
    pile_x = min(aside + pile_mm[0] / 2 + 40, corner[0] - size * 2 / 3 - _GAP - pile_mm[0] / 2)
    dice_mm = (84.0, 52.0)
    layout = Layout(
        kind="mat",
        size_mm=(w, h),
        tags=tuple(
            Tag(i, (x * corner[0], y * corner[1], 0.0), size)
            for i, (x, y) in enumerate(((-1, 1), (1, 1), (1, -1), (-1, -1)))
        ),
        spots=tuple(Spot(name, ((i - 2) * _PITCH, spots_y), SPOT_MM) for i, name in enumerate(CHARACTERS)),
        seats=tuple(
            SeatPlace(
                f"S{i + 1}",
                area.corners_mm,
                (side[0] * w / 2, area.center_mm[1]) if side[0] else (area.center_mm[0], side[1] * h / 2),
            )
            for i, (area, side) in enumerate(places)
        ),
        die_edge_mm=DIE_EDGE_MM,
        card_size_mm=card_mm,
    )
    return MatPlan(
        sheet=sheet,
        layout=layout,
        seats=tuple(area for area, _ in places),
        pile=Area((max(pile_x, aside + pile_mm[0] / 2), bottom + pile_mm[1] / 2), pile_mm),
        parking=Area((-aside - dice_mm[0] / 2, bottom + dice_mm[1] / 2 + 4), dice_mm),
        ruler_mm=(-aside - 100 - 2, -h / 2 + 6),
    )


def _clash(plan: MatPlan) -> str:
    """What overlaps what, in words; empty if everything fits."""
    layout, fixed, loose = plan.layout, _fixed(plan), _loose(plan)
    names = list(loose)
    for i, name in enumerate(names):
        area = loose[name]
        if any(abs(area.center_mm[k]) + area.size_mm[k] / 2 > layout.size_mm[k] / 2 - 4 for k in (0, 1)):
            return f"{name} would reach over the edge"
        for other in [*names[i + 1 :], *fixed]:
            if not area.apart(loose.get(other) or fixed[other], 2.0):
                return f"{name} would lie over {other}"
    return ""


def _fixed(plan: MatPlan) -> dict[str, Area]:
    """Areas that do not depend on the cards' size: tags, spots with their names, ruler."""
    layout = plan.layout
    fixed = {f"tag {t.id}": Area(t.center_mm[:2], (t.size_mm * 4 / 3,) * 2) for t in layout.tags}
    for spot in layout.spots:
        # The name below the spot needs room, too.
        x, y = spot.center_mm
        fixed[f"the spot of {spot.name}"] = Area((x, y - 4), (spot.size_mm, spot.size_mm + 8))
    x, y = plan.ruler_mm
    fixed["the ruler"] = Area((x + 50, y + 2), (100, 5))
    return fixed


def _loose(plan: MatPlan) -> dict[str, Area]:
    """Areas that depend on the cards' size."""
    zones = {f"the zone of S{i + 1}": area for i, area in enumerate(plan.seats)}
    return {**zones, "the pile": plan.pile, "the dice": plan.parking}
