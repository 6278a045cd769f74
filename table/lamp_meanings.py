"""The meaning of each lamp, in one table for all games; README, reference and tests are made from it.

The picture is drawn with `markers.picture` itself, so it moves as the lamps do.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby
from xml.sax.saxutils import escape

from firmware_bridge.lamps import RGB
from table import markers
from table.catalogue import Language, text
from table.rules.games import GAMES
from table.rules.view import Character, Doubt, Finding, Played, Prompt, ThrowView, View
from table.settings import Lamp, LampPlan

CARDS = ", ".join(game.title for game in GAMES.values() if not game.boxed)
DICE = ", ".join(game.title for game in GAMES.values() if game.boxed)
CHARACTERS = ", ".join(game.title for game in GAMES.values() if game.character_dice)
ALL = f"{CARDS}, {DICE}"
SEATS = ("S1", "S2")


@dataclass(frozen=True, slots=True)
class Meaning:
    """One row of the table; `says` is a key (`lamp.…`); the picture shows `lamp` in `view` as the example."""

    sign: str
    says: str
    games: str
    lamp: Lamp
    view: View
    blind: bool = False

    def told(self, language: Language) -> str:
        """The meaning in words."""
        return text(f"lamp.{self.says}", language)


_REVOKE = Finding("revoke", "G-03", "S1", event=4, about=2)

MEANINGS = (
    Meaning(
        *("trump, steady", "trump", CARDS),
        Lamp(0, "trump"),
        View(trump="green"),
    ),
    Meaning(
        *("turn, warm white", "turn", CARDS),
        Lamp(0, "turn", "S1"),
        View(seats=SEATS, turn="S1"),
    ),
    Meaning(
        *("turn, in a die's colour", "throws", DICE),
        Lamp(0, "turn", "S1"),
        View(seats=SEATS, players=("purple", "blue"), turn="S1", box=ThrowView()),
    ),
    Meaning(
        *("turn, pulsing", "asked", ALL),
        Lamp(0, "turn", "S1"),
        View(seats=SEATS, prompts=(Prompt("collect", "S1"),)),
    ),
    Meaning(
        "character, steady, then winking",
        "character",
        CHARACTERS,
        Lamp(0, "character", "S1", "aagewwer"),
        View(seats=SEATS, characters=(Character("aagewwer", "red", 3, "S1"),)),
    ),
    Meaning(
        *("black, cold grey, winking", "black", CHARACTERS),
        Lamp(0, "black", "S1"),
        View(seats=SEATS, black_die=("S1", 2)),
    ),
    Meaning(
        "finding, magenta, blinking",
        "finding",
        CARDS,
        Lamp(0, "finding", "S1"),
        View(seats=SEATS, findings=(_REVOKE,), trick=(Played("S1", "CA", 2), Played("S1", "H7", 4))),
    ),
    Meaning(
        *("doubt, violet, pulsing", "doubt", ALL),
        Lamp(0, "doubt"),
        View(seats=SEATS, doubts=(Doubt(4, "S1"),)),
    ),
    Meaning(
        "all turn and doubt lamps, violet, short flashes",
        "blind",
        ALL,
        Lamp(0, "turn", "S1"),
        View(seats=SEATS, turn="S1"),
        blind=True,
    ),
)


def samples(meaning: Meaning, *, signs: bool = False) -> list[RGB]:
    """The lamp's colours over one whole period, one for each redraw."""
    plan = LampPlan((meaning.lamp,), 1, signs=signs)
    steps = round(markers.PERIOD_S / markers.REDRAW_S)
    return [
        markers.picture(meaning.view, plan, (step + 0.5) * markers.REDRAW_S, blind=meaning.blind)[0]
        for step in range(steps)
    ]


def table() -> Iterator[str]:
    """The lines of a Markdown table."""
    yield "| lamp | says | | games |"
    yield "|---|---|---|---|"
    for meaning in MEANINGS:
        yield f"| {meaning.sign} | {meaning.told('en')} | {meaning.told('de')} | {meaning.games} |"


ROW = 44


def svg(language: Language = "en") -> str:
    """The table as an animated SVG."""
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 860 {ROW * len(MEANINGS) + 12}" '
        'font-family="sans-serif" font-size="14">',
        '<rect width="100%" height="100%" fill="#1b1b1f"/>',
    ]
    for row, meaning in enumerate(MEANINGS):
        y = ROW * row + 28
        lines += [
            f'<circle cx="28" cy="{y}" r="12" stroke="#555">{_animated(samples(meaning))}</circle>',
            f'<text x="56" y="{y - 3}" fill="#eee">{escape(meaning.told(language))}</text>',
            f'<text x="56" y="{y + 14}" fill="#999" font-size="12">'
            f"{escape(f'{meaning.sign} · {meaning.games}' if language == 'en' else meaning.games)}</text>",
        ]
    return "\n".join([*lines, "</svg>\n"])


def _animated(colours: list[RGB]) -> str:
    times, values = [], []
    at = 0
    for colour, run in groupby(colours):
        times.append(f"{at / len(colours):.4f}".rstrip("0").rstrip("."))
        values.append(_on_screen(colour))
        at += len(list(run))
    if len(values) == 1:
        return f'<set attributeName="fill" to="{values[0]}"/>'
    return (
        f'<animate attributeName="fill" calcMode="discrete" repeatCount="indefinite" '
        f'dur="{markers.PERIOD_S:g}s" keyTimes="{";".join(times)}" values="{";".join(values)}"/>'
    )


def _on_screen(colour: RGB) -> str:
    """Gamma-encode a lamp's colour: a lamp's drive is proportional to light, a screen's numbers are not."""
    return "#" + "".join(f"{round(255 * (part / 255) ** (1 / 2.2)):02x}" for part in colour)


if __name__ == "__main__":
    print("\n".join(table()) if sys.argv[1:] == ["table"] else svg(), end="")
