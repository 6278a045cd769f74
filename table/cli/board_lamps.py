"""`stammtisch board lamps`: the lamps of a table by name, and what each of them shows."""

from __future__ import annotations

from pathlib import Path

from table.errors import StammtischError
from table.lamp_map import lamp_map
from table.settings import Lamp, LampPlan, read_table

SAYS = {
    "trump": "the trump's colour",
    "doubt": "violet, pulsing: the table asks",
    "turn": "warm white (a dice box: the player's die): it is this seat's turn; pulsing: this seat is asked",
    "finding": "magenta, blinking: an offence was proven here",
    "character": "the owner's card's colour; as many winks as the die shows",
    "black": "the black die lies here",
}
"""A summary; docs/reference/lamps.md has the details."""


def run_lamps(file: str, picture: str | None = None) -> int:
    """Print one line for each lamp of the table file, in chain order; draw them into `picture` (SVG)."""
    table_file = read_table(file)
    for line in lines(table_file.lamps):
        print(line)
    if picture is not None:
        try:
            Path(picture).write_text(lamp_map(table_file), encoding="utf-8")
        except OSError as wrong:
            why = (wrong.strerror or "cannot be written").lower()
            raise StammtischError(f"{picture}: {why}; give another --svg") from None
        print(f"drawn where they hang: {picture}")
    return 0


def lines(plan: LampPlan) -> list[str]:
    """One line for each lamp: its place in the chain, its name, what it shows, where it was seen."""
    by_index = {lamp.index: lamp for lamp in plan.lamps}
    width = max((len(lamp.title) for lamp in plan.lamps), default=0)
    return [_line(index, by_index.get(index), width) for index in range(plan.count)]


def _line(index: int, lamp: Lamp | None, width: int) -> str:
    if lamp is None:
        return f"{index:3}  always dark"
    pip = f", lit from {lamp.pip} on" if lamp.pip is not None else ""
    seen = f"  at {lamp.place_mm[0]:+.0f}, {lamp.place_mm[1]:+.0f} mm" if lamp.place_mm is not None else ""
    return f"{index:3}  {lamp.title:{width}}  {SAYS[lamp.shows]}{pip}{seen}"
