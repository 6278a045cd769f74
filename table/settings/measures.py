"""Refuses measures that no table has: a mat in centimetres, two tags at one place, a bet on the floor."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

from table.catalogue import Fact, fact
from table.settings.reader import Reader
from table.settings.values import SettingsError
from vision.layout import Bet, Layout, Point, Tag

MAT_MM = (150.0, 3000.0)
"""Shortest and longest edge of a mat."""
FLOOR_MM = (80.0, 1500.0)
"""Shortest and longest edge of a dice box's floor."""
CARD_MM = (20.0, 250.0)
DIE_MM = (5.0, 60.0)
TAG_MM = (5.0, 250.0)
TILE_MM = (10.0, 300.0)
"""Shortest and longest edges of cards, dice, tags, and of bet tiles and places for dice."""
BESIDE_MM = 300.0
"""Largest distance from mat or floor at which a tag, a place for a die or for cards may lie."""
_MIDDLE = 0.4
"""Share of the way from the middle to the edge within which no hand comes in and no bet tile lies."""
_OVER = 0.5
"""Share of an edge: closer squares count as overlapping; not 1, as places are measured by hand."""


def check_measures(reader: Reader, layout: Layout) -> None:
    """Refuse a layout that no table can have. Raises SettingsError."""
    _check_sizes(reader, layout)
    half = (layout.size_mm[0] / 2, layout.size_mm[1] / 2)
    for at, tag in enumerate(layout.tags):
        if any(abs(tag.center_mm[axis]) > half[axis] + BESIDE_MM for axis in (0, 1)):
            raise _wrong(reader, ("tag", at, "center"), fact("tablefile.beside.table"))
    for at, spot in enumerate(layout.spots):
        if any(abs(spot.center_mm[axis]) > half[axis] + BESIDE_MM for axis in (0, 1)):
            raise _wrong(reader, ("spot", at, "center"), fact("tablefile.beside.mat"))
    _check_seats(reader, layout, half)
    for at, bet in enumerate(layout.bets):
        if all(abs(bet.center_mm[axis]) < _MIDDLE * half[axis] for axis in (0, 1)):
            raise _wrong(reader, ("bet", at, "center"), fact("tablefile.middle.bet"))
    _check_apart(reader, "tag", layout.tags)
    _check_apart(reader, "bet", layout.bets)


def _check_sizes(reader: Reader, layout: Layout) -> None:
    base = layout.kind
    what, bounds = (fact("tablefile.mat"), MAT_MM) if base == "mat" else (fact("tablefile.floor"), FLOOR_MM)
    _within(reader, (base, None, "size"), layout.size_mm, (what, bounds))
    if layout.die_edge_mm is not None:
        _within(reader, (base, None, "die_edge"), (layout.die_edge_mm,), (fact("tablefile.die"), DIE_MM))
    if layout.card_size_mm is not None:
        _within(reader, ("cards", None, "size"), layout.card_size_mm, (fact("tablefile.card"), CARD_MM))
    for at, tag in enumerate(layout.tags):
        _within(reader, ("tag", at, "size"), (tag.size_mm,), (fact("tablefile.tag"), TAG_MM))
    for at, spot in enumerate(layout.spots):
        _within(reader, ("spot", at, "size"), (spot.size_mm,), (fact("tablefile.spot"), TILE_MM))
    for at, bet in enumerate(layout.bets):
        _within(reader, ("bet", at, "size"), (bet.size_mm,), (fact("tablefile.tile"), TILE_MM))


def _check_seats(reader: Reader, layout: Layout, half: Point) -> None:
    for at, seat in enumerate(layout.seats):
        if any(
            min(point[axis] for point in seat.zone_mm) > half[axis] + BESIDE_MM
            or max(point[axis] for point in seat.zone_mm) < -half[axis] - BESIDE_MM
            for axis in (0, 1)
        ):
            raise _wrong(reader, ("seat", at, "zone"), fact("tablefile.beside.mat"))
        before = [other.name for other in layout.seats[:at] if {*other.zone_mm} == {*seat.zone_mm}]
        if before:
            raise _wrong(reader, ("seat", at, "zone"), fact("tablefile.same", seat=before[0]))
        if all(abs(seat.enters_from_mm[axis]) < _MIDDLE * half[axis] for axis in (0, 1)):
            raise _wrong(reader, ("seat", at, "enters_from"), fact("tablefile.middle.hand"))


def _check_apart(reader: Reader, section: str, squares: Sequence[Tag | Bet]) -> None:
    """Refuse two squares that overlap."""
    for (first, one), (second, other) in combinations(enumerate(squares), 2):
        room = _OVER * (one.size_mm + other.size_mm) / 2
        if all(abs(one.center_mm[axis] - other.center_mm[axis]) < room for axis in (0, 1)):
            raise _wrong(reader, (section, second, "center"), fact("tablefile.over", n=first + 1))


def _within(
    reader: Reader,
    place: tuple[str, int | None, str],
    measures: Sequence[float],
    known: tuple[Fact, tuple[float, float]],
) -> None:
    """Refuse a measure outside the range of such a thing; `known`: (its name, (least, most))."""
    thing, (least, most) = known
    if not all(least <= measure <= most for measure in measures):
        here = " x ".join(f"{measure:g}" for measure in measures)
        bounds = {"least": f"{least:g}", "most": f"{most:g}"}
        raise _wrong(reader, place, fact("tablefile.measure", here=here, thing=thing, **bounds))


def _wrong(reader: Reader, place: tuple[str, int | None, str], what: Fact) -> SettingsError:
    return reader.wrong(*place, fact("tablefile.again", what=what))
