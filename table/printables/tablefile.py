"""Writes a layout as a table file (table-file.md), which goes with a printed mat or field."""

from __future__ import annotations

from collections.abc import Sequence

from table.printables.plan import MatPlan
from vision.layout import Layout


def table_file(plan: MatPlan) -> str:
    """The table file that belongs to a printed mat, as TOML."""
    layout = plan.layout
    printed = f"{plan.name}{'' if layout.spots else '-GAME'}.pdf"
    parts = [
        f"# Table file of the printed {printed}: millimetres from the mat's middle, x right, y up.",
        "# Made by `stammtisch print mat`; add [camera], [board], [[lamp]] as your table needs them.",
        "[mat]",
        f"size = {_row(layout.size_mm)}",
        f"die_edge = {_short(layout.die_edge_mm or 0)}",
        "",
        "[cards]",
        f"size = {_row(layout.card_size_mm or ())}",
    ]
    for tag in layout.tags:
        parts += [
            "",
            "[[tag]]",
            f"id = {tag.id}",
            f"center = {_row(tag.center_mm[:2])}",
            f"size = {_short(tag.size_mm)}",
        ]
    for spot in layout.spots:
        parts += [
            "",
            "[[spot]]",
            f'name = "{spot.name}"',
            f"center = {_row(spot.center_mm)}",
            f"size = {_short(spot.size_mm)}",
        ]
    for seat in layout.seats:
        zone = ", ".join(_row(point) for point in seat.zone_mm)
        parts += [
            "",
            "[[seat]]",
            f'name = "{seat.name}"',
            f"zone = [{zone}]",
            f"enters_from = {_row(seat.enters_from_mm)}",
        ]
    return "\n".join(parts) + "\n"


def field_file(layout: Layout, said: Sequence[str]) -> str:
    """The table file of a dice field, as TOML; `said` are the lines of the comment at its top."""
    parts = [*(f"# {line}" for line in said), "[field]", f"size = {_row(layout.size_mm)}"]
    if layout.die_edge_mm:
        parts.append(f"die_edge = {_short(layout.die_edge_mm)}")
    for tag in layout.tags:
        parts += ["", "[[tag]]", f"id = {tag.id}", f"center = {_row(tag.center_mm)}"]
        parts.append(f"size = {_short(tag.size_mm)}")
    for zone in layout.zones:
        polygon = ", ".join(_row(point) for point in zone.polygon_mm)
        parts += ["", "[[zone]]", f'kind = "{zone.kind}"', f"polygon = [{polygon}]"]
    for bet in layout.bets:
        parts += ["", "[[bet]]", f'kind = "{bet.kind}"', f"center = {_row(bet.center_mm)}"]
        parts.append(f"size = {_short(bet.size_mm)}")
    return "\n".join(parts) + "\n"


def _row(numbers: Sequence[float]) -> str:
    return "[" + ", ".join(_short(n) for n in numbers) + "]"


def _short(number: float) -> str:
    return f"{round(number, 3) + 0.0:g}"
