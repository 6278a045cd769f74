"""Results of `evaluate` as SVG: a bar for each kind of thing in a set, or curves over a threshold."""

from __future__ import annotations

from typing import Any
from xml.sax.saxutils import escape

_COLOURS = {
    "right": "#2f7d4f",
    "unsure": "#d9b44a",
    "missed": "#9aa3ad",
    "wrong": "#b3261e",
    "invented": "#6a1b4d",
}
_ROW, _LEFT, _BAR, _RIGHT = 26, 250, 420, 170
_PLOT_W, _PLOT_H, _PAD = 520, 260, 60


def plot_sets(result: dict[str, Any]) -> str:
    """Draw bars for the result of `evaluate --json`."""
    rows = [(told, kind, thing) for told in result["sets"] for kind, thing in told["things"].items()]
    height = _ROW * (len(rows) + 2) + 10
    parts = [_text(8, 18, f"stammtisch {result['version']}, parameters {result['parameters']}", bold=True)]
    for row, (told, kind, thing) in enumerate(rows):
        y = _ROW * (row + 1) + 6
        parts.append(_text(8, y + 13, f"{told['set']}: {kind}"))
        total = max(1, thing["labels"] + thing["invented"] + max(0, thing["wrong"] - thing["labels"]))
        x = float(_LEFT)
        for word, colour in _COLOURS.items():
            width = _BAR * thing[word] / total
            if width:
                parts.append(
                    f'<rect x="{x:.1f}" y="{y}" width="{width:.1f}" height="{_ROW - 8}" fill="{colour}"/>'
                )
            x += width
        figures = f"{thing['right']}/{thing['labels']}, {told['ms_each']:g} ms each"
        parts.append(_text(_LEFT + _BAR + 8, y + 13, figures))
    parts.append(_legend(_LEFT, _ROW * (len(rows) + 1) + 12))
    return _svg(_LEFT + _BAR + _RIGHT, height, parts)


def plot_sweep(result: dict[str, Any]) -> str:
    """Draw curves for the result of `evaluate --sweep --json`; the present value is marked."""
    values = [float(row["value"]) for row in result["values"]]
    sums: dict[str, list[int]] = {
        word: [
            sum(thing[word] for told in row["sets"] for thing in told["things"].values())
            for row in result["values"]
        ]
        for word in _COLOURS
    }
    low, high = min(values), max(values)
    most = max(1, *(n for counts in sums.values() for n in counts))

    def x(value: float) -> float:
        return _PAD + _PLOT_W * (value - low) / ((high - low) or 1.0)

    def y(count: float) -> float:
        return 40 + _PLOT_H * (1 - count / most)

    names = ", ".join(told["set"] for told in result["values"][0]["sets"])
    parts = [
        _text(8, 18, f"{result['sweep']} on {names}", bold=True),
        f'<path d="M{_PAD} 40V{y(0):.1f}H{_PAD + _PLOT_W}" fill="none" stroke="#555"/>',
        f'<path d="M{x(result["now"]):.1f} 40V{y(0):.1f}" stroke="#555" stroke-dasharray="4 4"/>',
        _text(8, 46, str(most)),
        _text(8, y(0) + 4, "0"),
        *(_text(x(value) - 10, y(0) + 18, f"{value:g}") for value in values),
        _text(_PAD, y(0) + 36, f"{result['unit']}; dashed: the present value"),
        _legend(_PAD, round(y(0)) + 46),
    ]
    for word, colour in _COLOURS.items():
        points = " ".join(f"{x(v):.1f},{y(n):.1f}" for v, n in zip(values, sums[word], strict=True))
        parts.append(f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="2"/>')
    return _svg(_PLOT_W + 2 * _PAD, _PLOT_H + 120, parts)


def _legend(x: int, y: int) -> str:
    marks = []
    for place, (word, colour) in enumerate(_COLOURS.items()):
        left = x + 88 * place
        marks.append(f'<rect x="{left}" y="{y}" width="12" height="12" fill="{colour}"/>')
        marks.append(_text(left + 16, y + 11, word))
    return "".join(marks)


def _text(x: float, y: float, words: str, bold: bool = False) -> str:
    weight = ' font-weight="bold"' if bold else ""
    return f'<text x="{x:.0f}" y="{y:.0f}"{weight}>{escape(words)}</text>'


def _svg(width: int, height: int, parts: list[str]) -> str:
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}"'
    style = 'font-family="sans-serif" font-size="13" fill="#222"'
    body = "\n".join(parts)
    return f'{head} {style}>\n<rect width="{width}" height="{height}" fill="#fff"/>\n{body}\n</svg>\n'
