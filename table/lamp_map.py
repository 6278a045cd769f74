"""Draws the lamps of one table where the camera found them, as SVG in millimetres."""

from __future__ import annotations

from collections.abc import Iterator
from xml.sax.saxutils import escape

from table.settings import TableFile

ROOM_MM = 60.0
COLOURS = {
    "character": "#e8b04a",
    "trump": "#5fbf6a",
    "turn": "#fff1d0",
    "finding": "#e05ad0",
    "doubt": "#a070ff",
    "black": "#9aa4ad",
}
"""Roughly the colour in which each kind of lamp shines."""


def lamp_map(table_file: TableFile) -> str:
    """The table from above with its seats and lamps; unseen lamps are listed below."""
    layout, lamps = table_file.layout, table_file.lamps.lamps
    hidden = [lamp for lamp in lamps if lamp.place_mm is None]
    points = [layout.size_mm, *(seat.enters_from_mm for seat in layout.seats)]
    points += [lamp.place_mm for lamp in lamps if lamp.place_mm is not None]
    width = max(layout.size_mm[0] / 2, *(abs(x) for x, _ in points[1:]), 0) + ROOM_MM
    height = max(layout.size_mm[1] / 2, *(abs(y) for _, y in points[1:]), 0) + ROOM_MM
    below = 12 * len(hidden)
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{-width:.0f} {-height:.0f} {2 * width:.0f} '
        f'{2 * height + below:.0f}" font-family="sans-serif" font-size="7" text-anchor="middle">'
    )
    return "\n".join([head, *_drawn(table_file, width, height), "</svg>\n"])


def _drawn(table_file: TableFile, width: float, height: float) -> Iterator[str]:
    layout, lamps = table_file.layout, table_file.lamps.lamps
    across, down = layout.size_mm
    yield f'<rect x="{-width:.0f}" y="{-height:.0f}" width="100%" height="100%" fill="#1b1b1f"/>'
    yield (
        f'<rect x="{-across / 2:g}" y="{-down / 2:g}" width="{across:g}" height="{down:g}" rx="6" '
        'fill="#26352b" stroke="#777"/>'
    )
    for seat in layout.seats:
        x, y = seat.enters_from_mm
        yield f'<text x="{x:g}" y="{-y:g}" fill="#aaa" font-size="14">{escape(seat.name)}</text>'
    for lamp in lamps:
        if lamp.place_mm is not None:
            x, y = lamp.place_mm
            yield f'<circle cx="{x:g}" cy="{-y:g}" r="5" fill="{COLOURS[lamp.shows]}"/>'
            yield f'<text x="{x:g}" y="{-y + 2.5:g}" fill="#000">{lamp.index}</text>'
            yield f'<text x="{x:g}" y="{-y + 13:g}" fill="#eee">{escape(lamp.title)}</text>'
    for row, lamp in enumerate(lamp for lamp in lamps if lamp.place_mm is None):
        said = f"{lamp.index} {lamp.title}: not seen yet"
        yield f'<text x="0" y="{height + 12 * row:g}" fill="#eee">{escape(said)}</text>'
