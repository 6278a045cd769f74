"""The sheet of an evening as one picture (SVG) to send or to print: who won, how it went, every round."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple
from xml.sax.saxutils import escape

from table.catalogue import Language, text
from table.rules.presets import preset
from table.rules.words import JOINERS, alone, signed
from table.web.kept_games import GameTold

WIDTH, EDGE = 1080, 60
ROW, CHART = 44, 300
"""Heights of a row and of the chart, in the picture's own units (pixels at its natural size)."""

MOST_ROWS = 40
"""Most rows: a longer evening lists only the last ones; the chart has all."""

INKS = {
    "blue": "#2f6fd6",
    "red": "#c33b40",
    "green": "#1f8a4c",
    "brown": "#8a5a26",
    "purple": "#7b45b3",
    "orange": "#d1690a",
    "pink": "#c2528a",
    "black": "#333333",
    "yellow": "#c79a00",
}
"""Ink for each colour of dice; where people have names, these inks are used in order."""

_SHAPES = (
    '<circle r="9"{}/>',
    '<path d="M-8-8H8V8H-8z"{}/>',
    '<path d="M0-11L10 8H-10z"{}/>',
    '<path d="M0-11L11 0L0 11L-11 0z"{}/>',
    '<path d="M-9-9L9 9M9-9L-9 9" stroke-width="5"{}/>',
    '<path d="M-10-8H10L0 11z"{}/>',
    '<path d="M0-11V11M-11 0H11" stroke-width="5"{}/>',
    '<path d="M-5-10H5L10 0L5 10H-5L-10 0z"{}/>',
)
"""A sign for each player, for people who cannot tell the colours apart."""

_FONT = "system-ui, Segoe UI, Roboto, Noto Sans, sans-serif"


class _Letters(NamedTuple):
    """Text style: colour and CSS font weight."""

    ink: str = "#26190c"
    weight: int = 400


_PLAIN, _BOLD, _BOLDER = _Letters(), _Letters(weight=650), _Letters(weight=750)
_BROWN, _BRAND = _Letters("#7a5c2e"), _Letters("#7a5c2e", 600)


def sheet_picture(told: GameTold | None, language: Language) -> str:
    """The picture; before the first game it says that there is none."""
    if told is None or told.view.game is None:
        return _svg(
            2 * EDGE + ROW, [_text((WIDTH / 2, EDGE + 30), text("picture.none", language), 30, "middle")]
        )
    called = told.called(language)
    course = list(_course(told))
    rows = course[-MOST_ROWS:]
    winners = [alone(called[seat]) for seat in told.view.winners] if told.view.over else []
    parts = [
        _text((EDGE, 92), "Stammtisch", 26, look=_BRAND),
        _text(
            (EDGE, 146),
            preset(told.view.preset).title if told.view.preset else told.view.game,
            46,
            look=_BOLDER,
        ),
        _text((WIDTH - EDGE, 92), _day(told.entries[0].wall, language), 26, "end", look=_BROWN),
    ]
    down = 170
    if told.view.over:
        said = (
            text("sheet.winners", language, who=" + ".join(winners))
            if winners
            else text("sheet.nobody", language)
        )
        parts.append(_text((EDGE, down + 34), said, 34, look=_BOLD))
        down += 60
    parts += _chart(down + 20, [{}, *(points for _, _, points in course)], list(called), _inks(told))
    down += CHART + 80
    parts += _table(
        down,
        (text("picture.throw" if told.view.box else "sheet.round", language), text("sheet.total", language)),
        rows,
        called,
        told,
    )
    return _svg(down + ROW * (len(rows) + 2) + EDGE, parts)


SheetRow = tuple[int, Mapping[str, int], Mapping[str, int]]
"""Number of the round (or throw), the points that it brought and those after it, by seat."""


def _course(told: GameTold) -> Iterator[SheetRow]:
    total: dict[str, int] = {}
    if told.view.box is not None:  # throw by throw, also for a game that goes on
        for ledger in told.result["rounds"]:
            yield from ((throw["throw"], throw["gains"], throw["points"]) for throw in ledger["throws"])
        return
    for ledger in told.rounds_over:
        total = {seat: total.get(seat, 0) + points for seat, points in ledger["points"].items()}
        yield ledger["round"], ledger["points"], total


def _chart(
    top: float, course: Sequence[Mapping[str, int]], seats: Sequence[str], inks: Sequence[str]
) -> Iterator[str]:
    """A line for each player, starting at 0 and ending with the player's sign."""
    every = [points.get(seat, 0) for points in course for seat in seats]
    least, most = min(every, default=0), max(every, default=0)
    left, right = EDGE + 30, WIDTH - EDGE

    def across(step: int) -> float:
        return left + (right - left) * step / max(1, len(course) - 1)

    def down(points: int) -> float:
        return top + CHART * (most - points) / max(1, most - least)

    yield f'<path d="M{left} {down(0):.1f}H{right}" stroke="#b9a27c" stroke-dasharray="4 6"/>'
    for points in sorted({least, 0, most}):
        yield _text((left - 8, down(points) + 6), signed(points), 17, "end", look=_BROWN)
    for at, seat in enumerate(seats):
        values = [points.get(seat, 0) for points in course]
        line = " ".join(f"{across(i):.1f},{down(value):.1f}" for i, value in enumerate(values))
        yield f'<polyline points="{line}" fill="none" stroke="{inks[at]}" stroke-width="4"/>'
        yield _mark(across(len(values) - 1), down(values[-1]), at, inks[at])


def _inks(told: GameTold) -> list[str]:
    """The ink of each seat: at the dice box that of its die."""
    inks = list(INKS.values())
    if told.view.box is None:
        return inks[: len(told.view.seats)]
    return [INKS.get(player, "#333333") for player in told.view.players]


def _mark(x: float, y: float, at: int, ink: str) -> str:
    """A player's sign."""
    drawn = f' fill="{ink}" stroke="{ink}"'
    return f'<g transform="translate({x:.1f} {y:.1f})">{_SHAPES[at].format(drawn)}</g>'


def _table(
    top: float, words: tuple[str, str], rows: Sequence[SheetRow], called: Mapping[str, str], told: GameTold
) -> Iterator[str]:
    """Rounds and totals of a game; `words`: the headings of the rounds and of the total."""
    head, total = words
    seats, inks = list(called), _inks(told)
    column = (WIDTH - 2 * EDGE - 150) / max(1, len(seats))

    def right(at: int) -> float:
        return EDGE + 150 + column * (at + 1)

    yield _text((EDGE, top), head, 24, look=_BOLD)
    for at, seat in enumerate(seats):
        name = called[seat]
        size = min(24, 1.7 * (column - 34) / max(1, len(name)))
        yield _text((right(at), top), name, max(12, size), "end", look=_BOLD)
        yield _mark(
            right(at) - min(column - 12, 0.62 * max(12, size) * len(name) + 26), top - 8, at, inks[at]
        )
    for n, (number, brought, _) in enumerate(rows, 1):
        y = top + ROW * n
        yield f'<path d="M{EDGE} {y - 31}H{WIDTH - EDGE}" stroke="#dcc8ab"/>'
        yield _text((EDGE, y), str(number), 24)
        for at, seat in enumerate(seats):
            yield _text((right(at), y), signed(brought.get(seat, 0)), 24, "end")
    y = top + ROW * (len(rows) + 1)
    yield f'<path d="M{EDGE} {y - 31}H{WIDTH - EDGE}" stroke="#26190c" stroke-width="2"/>'
    yield _text((EDGE, y), total, 26, look=_BOLDER)
    for at, seat in enumerate(seats):
        yield _text((right(at), y), signed(told.result["points"].get(seat, 0)), 26, "end", look=_BOLDER)


def _text(
    at: tuple[float, float], words: str, size: float, anchor: str = "start", look: _Letters = _PLAIN
) -> str:
    x, y = at
    # XML cannot contain some characters, which are invisible anyway; joiners are kept for combined ones.
    seen = escape("".join(each if each.isprintable() or each in JOINERS else " " for each in words))
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size:.0f}" text-anchor="{anchor}" fill="{look.ink}" '
        f'font-weight="{look.weight}">{seen}</text>'
    )


def _svg(height: float, parts: Sequence[str]) -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{height:.0f}" '
        f'viewBox="0 0 {WIDTH} {height:.0f}" font-family="{_FONT}">'
        f'<rect width="{WIDTH}" height="{height:.0f}" fill="#fffaf1"/>'
        f'<rect x="16" y="16" width="{WIDTH - 32}" height="{height - 32:.0f}" rx="22" fill="none" '
        f'stroke="#c9a25a" stroke-width="4"/>{"".join(parts)}</svg>'
    )


def _day(wall: float, language: Language) -> str:
    return time.strftime("%Y-%m-%d" if language == "en" else "%d.%m.%Y", time.localtime(wall))
