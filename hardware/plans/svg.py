"""Draws the SVGs: the wiring from boxes and wires, the table from above, the camera from the side."""

from __future__ import annotations

import math
from typing import Any
from xml.sax.saxutils import escape

PITCH = 34


def _page(width: float, height: float, body: list[str]) -> str:
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" '
        'font-family="sans-serif" font-size="14">'
    )
    return "\n".join([head, '<rect width="100%" height="100%" fill="#fff"/>', *body, "</svg>"]) + "\n"


def _text(
    x: float, y: float, words: str, anchor: str = "middle", size: float = 14, fill: str = "#111"
) -> str:
    return (
        f'<text x="{x:g}" y="{y:g}" text-anchor="{anchor}" font-size="{size:g}" fill="{fill}">'
        f"{escape(words)}</text>"
    )


def _rect(x: float, y: float, w: float, h: float, style: str) -> str:
    return f'<rect x="{x:g}" y="{y:g}" width="{w:g}" height="{h:g}" {style}/>'


def _line(points: list[tuple[float, float]], style: str) -> str:
    return f'<polyline points="{" ".join(f"{x:g},{y:g}" for x, y in points)}" fill="none" {style}/>'


def pins(box: dict[str, Any]) -> dict[str, tuple[float, float]]:
    """The position of each pin of a box, by `box.pin`."""
    x, y, w, _ = box["at"]
    found = {}
    for side, at_x in (("left", x), ("right", x + w)):
        for row, pin in enumerate(box.get(side, ())):
            found[f"{box['id']}.{pin}"] = (at_x, y + 40 + PITCH * row)
    return found


def wiring_svg(parts: dict[str, Any]) -> str:
    """Boxes, pins and wires."""
    where: dict[str, tuple[float, float]] = {}
    body = []
    for box in parts["box"]:
        where |= pins(box)
    for wire in parts["wire"]:
        (x0, y0), (x1, y1) = where[wire["from"]], where[wire["to"]]
        via = wire.get("via", (x0 + x1) / 2)
        points = [(x0, y0), (via, y0), (via, y1), (x1, y1)]
        if "under" in wire:  # around the box, to the pin on its far side
            points = [
                (x0, y0),
                (via, y0),
                (via, wire["under"]),
                (x1 + 20, wire["under"]),
                (x1 + 20, y1),
                (x1, y1),
            ]
        body.append(_line(points, f'stroke="{wire["colour"]}" stroke-width="2.5"'))
    for box in parts["box"]:
        body += _box(box)
    notes = (
        "Only ground is shared: the lamps have their own 5 V. Capacitor and resistor sit at the first lamp.",
        "A 3.3 V board (ESP32, RP2040) needs the shifter (supply: the lamps' 5 V);"
        " a Nano's D6 goes straight to the resistor.",
    )
    body += [_text(30, 630 + 22 * row, note, "start", 13, "#333") for row, note in enumerate(notes)]
    return _page(1040, 680, body)


def _box(box: dict[str, Any]) -> list[str]:
    x, y, w, h = box["at"]
    dash = ' stroke-dasharray="7 5"' if box.get("dashed") else ""
    out = [_rect(x, y, w, h, f'rx="6" fill="#f6f3ea" stroke="#333" stroke-width="1.5"{dash}')]
    out += [
        _text(x + w / 2, y + (20 if box.get("bare") else -8 - 17 * (len(box["label"]) - 1 - row)), words)
        for row, words in enumerate(box["label"])
    ]
    for side, anchor, inset in (("left", "start", 7), ("right", "end", -7)):
        for pin in () if box.get("bare") and box["id"] == "resistor" else box.get(side, ()):
            pin_x, pin_y = pins(box)[f"{box['id']}.{pin}"]
            out.append(_text(pin_x + inset, pin_y + 5, pin.strip(), anchor, 13))
    return out


def _across(x0: float, x1: float, y: float, words: str, size: float = 16) -> list[str]:
    """A dimension from left to right."""
    ends = [_line([(x, y - 6), (x, y + 6)], 'stroke="#777"') for x in (x0, x1)]
    return [*ends, _line([(x0, y), (x1, y)], 'stroke="#777"'), _text((x0 + x1) / 2, y - 6, words, size=size)]


def _up(x: float, y0: float, y1: float, words: str, size: float = 16) -> list[str]:
    """A dimension from top to bottom."""
    ends = [_line([(x - 6, y), (x + 6, y)], 'stroke="#777"') for y in (y0, y1)]
    return [
        *ends,
        _line([(x, y0), (x, y1)], 'stroke="#777"'),
        _text(x + 10, (y0 + y1) / 2, words, "start", size),
    ]


def table_svg(parts: dict[str, Any], table: dict[str, Any], known: dict[str, float], *, side: bool) -> str:
    """The table from above, or (`side`) along its diagonal with its camera; one unit is one millimetre."""
    return _side(parts, table, known) if side else _above(parts, table, known)


def _above(parts: dict[str, Any], table: dict[str, Any], known: dict[str, float]) -> str:
    width, height = table["mat"]["size"]
    holder, arm = parts["holder"], parts["arm"]
    left, top = 120.0, 150.0
    middle = (left + width / 2, top + height / 2)

    def put(x: float, y: float) -> tuple[float, float]:
        return middle[0] + x, middle[1] - y

    body = [_rect(left, top, width, height, 'fill="#24403c" stroke="#111"')]
    for tag in table["tag"]:
        x, y = put(tag["center"][0], tag["center"][1])
        body.append(_rect(x - tag["size"] / 2, y - tag["size"] / 2, tag["size"], tag["size"], 'fill="#fff"'))
        body.append(_text(x, y + 5, f"tag {tag['id']}", size=11))
    for seat in table["seat"]:
        corners = [put(x, y) for x, y in seat["zone"]]
        body.append(_line([*corners, corners[0]], 'stroke="#9fc4bb" stroke-width="1.5"'))
        x, y = (sum(axis) / len(corners) for axis in zip(*corners, strict=True))
        body.append(_text(x, y + 6, seat["name"], size=18, fill="#cfe5df"))
        body += _holder(put(*seat["enters_from"]), seat["enters_from"], holder, known["holder"])
    mast = put(width / 2 + arm["behind"], height / 2 + arm["behind"])
    body.append(_line([mast, middle], f'stroke="#bbb" stroke-width="{arm["tube"]}" stroke-opacity="0.45"'))
    body.append(
        f'<circle cx="{mast[0]:g}" cy="{mast[1]:g}" r="{arm["tube"] / 2:g}" fill="#888" stroke="#111"/>'
    )
    body.append(f'<circle cx="{middle[0]:g}" cy="{middle[1]:g}" r="20" fill="#333" stroke="#fff"/>')
    body.append(_text(middle[0] + 26, middle[1] + 6, "camera", "start", 15, "#fff"))
    body.append(
        _text(mast[0] - 22, mast[1] + 4, f"mast, {arm['behind']} mm outside the mat both ways", "end", 15)
    )
    body += _across(left, left + width, top + height + 80, f"mat {width:g} mm")
    body += _up(left + width + 100, top, top + height, f"{height:g} mm")
    words = f"lamp holder: {holder['lamps']} lamps, {known['holder']:.0f} mm, {holder['gap']} mm from the mat"
    body.append(_text(left, top + height + 120, words, "start", 15))
    return _page(left + width + 210, top + height + 150, body)


def _holder(at: tuple[float, float], enters: list[float], holder: dict[str, Any], length: float) -> list[str]:
    """A row of lamps along the mat's edge at a seat."""
    deep = holder["strip"] + 2 * holder["wall"]
    off = holder["gap"] + deep / 2
    upright = abs(enters[0]) > abs(enters[1])
    sign = 1 if (enters[0] if upright else enters[1]) > 0 else -1
    x, y = (at[0] + sign * off, at[1]) if upright else (at[0], at[1] - sign * off)
    w, h = (deep, length) if upright else (length, deep)
    out = [_rect(x - w / 2, y - h / 2, w, h, 'fill="#ddd" stroke="#333"')]
    for lamp in range(holder["lamps"]):
        along = (lamp - (holder["lamps"] - 1) / 2) * holder["pitch"]
        dx, dy = (0, along) if upright else (along, 0)
        out.append(f'<circle cx="{x + dx:g}" cy="{y + dy:g}" r="{holder["window"] / 2:g}" fill="#e0a800"/>')
    return out


def _side(parts: dict[str, Any], table: dict[str, Any], known: dict[str, float]) -> str:
    camera, arm = parts["camera"], parts["arm"]
    deep = math.hypot(*table["mat"]["size"])
    floor, left = 1160.0, 120.0
    mast_x = left + deep / 2 + known["boom"]
    lens = (left + deep / 2, floor - camera["height"])
    boom_y = lens[1] - arm["tube"]
    tube = f'stroke="#999" stroke-width="{arm["tube"]}"'
    body = [
        _rect(left - 60, floor, mast_x - left + 180, 30, 'fill="#8a6a45"'),
        _rect(left, floor - 4, deep, 4, 'fill="#24403c"'),
        _line([(left, floor), lens, (left + deep, floor)], 'stroke="#d90" stroke-dasharray="8 6"'),
        _line([(mast_x, floor), (mast_x, boom_y - arm["tube"] / 2)], tube),
        _line([(mast_x, boom_y), (lens[0], boom_y)], tube),
        _rect(
            lens[0] - 22, boom_y + arm["tube"] / 2, 44, lens[1] - boom_y - arm["tube"] / 2 + 6, 'fill="#333"'
        ),
        _rect(mast_x - arm["foot"] / 2, floor - arm["wall"], arm["foot"], arm["wall"], 'fill="#c63"'),
        _rect(mast_x - 18, floor - arm["socket"], 36, arm["socket"], 'fill="#c63"'),
        _rect(mast_x - 18, boom_y - 18, 36, 36, 'fill="#c63"'),
    ]
    body += _across(left, left + deep, floor + 66, f"mat, from corner to corner: {deep:.0f} mm", 22)
    body += _across(lens[0], mast_x, boom_y - 50, f"boom {known['boom']:.0f} mm", 22)
    body += _up(
        mast_x + 80,
        floor - arm["wall"] - known["mast"],
        floor - arm["wall"],
        f"mast {known['mast']:.0f} mm",
        22,
    )
    body += _up(left - 40, lens[1], floor, "")
    for row, words in enumerate(
        (f"lens {camera['height']} mm over the mat", f"({camera['least']} to {camera['most']})")
    ):
        body.append(_text(left - 20, lens[1] + 30 + 28 * row, words, "start", 22))
    return _page(mast_x + 260, floor + 100, body)
