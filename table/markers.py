"""What the lamps show, as a pure function of the view: this module has no state.

The lamps can therefore always be rebuilt from the journal alone, and a board that was unplugged gets
the whole picture again.
"""

from __future__ import annotations

from firmware_bridge import patterns
from firmware_bridge.lamps import DARK, RGB
from table.rules.view import Character, View
from table.settings import Lamp, LampPlan

OFF = DARK
WHITE: RGB = (170, 140, 90)  # warm: a bare (255, 255, 255) is blue and blinds in a pub
ALARM: RGB = (255, 0, 140)  # magenta, because red is a card colour
BLACK: RGB = (60, 60, 90)  # the black die: a cold grey beside the warm white of the turn
DOUBT: RGB = (120, 0, 255)  # violet, because amber would be yellow or brown

COLOURS: dict[str, RGB] = {
    # A WS2812 cannot show brown: brown is dark orange, and looks dark only beside something bright. A third
    # of yellow's light with half its green share also keeps the two apart when only one is lit.
    "blue": (0, 40, 255),
    "brown": (88, 26, 0),
    "yellow": (255, 165, 0),
    "green": (0, 220, 20),
    "red": (255, 0, 0),
    "C": WHITE,  # the French suits, where a game knows trump as a suit
    "S": (90, 90, 255),
    "H": (255, 0, 0),
    "D": (255, 90, 0),
    "white": WHITE,  # the dice of DoppelX that are not listed above
    "purple": (150, 0, 200),
    "orange": (255, 70, 0),
    "pink": (255, 60, 120),
    "black": (30, 30, 50),  # no lamp shines black: a faint cold light instead
}

SOLO: RGB = (0, 150, 150)
"""The trump lamp of a contract without a trump suit: a solo of queens or jacks, one without trumps."""
COLOURS["solo"] = SOLO

SIGNS: dict[str, int] = {
    # Colours that a person with red-green blindness confuses have different signs.
    **{"blue": 0, "yellow": 1, "green": 2, "red": 3, "brown": 4},
    **{"C": 0, "S": 1, "H": 2, "D": 3, "solo": 4},
    **{"white": 0, "purple": 1, "pink": 2, "orange": 1, "black": 0},
}
"""Number of short dark gaps at the beginning of a period that identify a colour without its hue (`signs`)."""

TICK_S = 0.4
"""Length of one gap with the light after it, each two redraws long; four fit before the winks."""

PULSE_S, ALARM_S = 0.8, 0.4
"""Period of pulses and of a finding's blinking, and how long the finding's lamp is lit in each period."""

ACTS = (
    *("declare-trump", "collect"),
    *("vorbehalt?", "name-vorbehalt", "trumps-returned?", "show-fuchs", "schweinchen?"),
    *("turn-card", "orgi?", "kleines?", "besser?", "name-suit", "show-meld", "set-score-die"),
    *("cocked?", "drink"),
)
"""Prompts that wait for an action by a seat: its turn lamp pulses."""

STEADY_S = 2.0
"""How long a single character lamp shines before it winks its die value."""

WINK_S = 0.6
"""Length of one wink: half of it dim, half bright; slow enough to count."""

MOST_WINKS = 6
"""A die has six faces (DA-1); the lamps stop there even if the house rules count on (die_max=unbounded)."""

PERIOD_S = STEADY_S + MOST_WINKS * WINK_S
"""Period of the whole picture. All lamps wink together, so that people can read them around the table."""

BLIND_S, FLASH_S = PERIOD_S / 4, 0.3
"""Period and length of the flash of a table that does not see: darker than any pulse or wink."""

REDRAW_S = 0.1
"""Redraw interval: nothing on the lamps changes faster."""


def picture(view: View, plan: LampPlan, t: float = 0.0, *, blind: bool = False) -> tuple[RGB, ...]:
    """The colours of the whole chain, lamp 0 first.

    Args:
        view: the game as everybody may see it (G-14: nothing private can leak into a lamp).
        plan: which lamp shows what.
        t: seconds on any monotonic clock; only `t % PERIOD_S` counts.
        blind: the table does not see at this moment, so the turn may have changed: all turn and doubt lamps
            flash briefly in `DOUBT`, and no turn is shown.
    """
    colours = [OFF] * plan.count
    for lamp in plan.lamps:
        colours[lamp.index] = _lamp(lamp, view, plan, t % PERIOD_S, blind)
    return tuple(colours)


def _lamp(lamp: Lamp, view: View, plan: LampPlan, t: float, blind: bool) -> RGB:
    if blind and lamp.shows in ("turn", "doubt"):
        return patterns.blink(DOUBT, t, BLIND_S, FLASH_S)
    match lamp.shows:
        case "character":
            for character in view.characters:
                if character.name == lamp.character and character.owner == lamp.seat:
                    return _character(character, lamp.pip, t, plan.signs)
            return OFF
        case "trump":
            return _signed(_trump_name(view), t, plan.signs)
        case "turn":
            return _turn(lamp, view, t, plan.signs)
        case "black":
            return _black(lamp, view, t)
        case "finding":
            fresh = any(lamp.seat in (None, f.seat) for f in view.findings if f.event >= _recent(view))
            return patterns.blink(ALARM, t, PULSE_S, ALARM_S) if fresh else OFF
        case "doubt":
            asked = any(lamp.seat in (None, d.seat) for d in view.doubts)
            return _pulse(DOUBT, t) if asked else OFF
    return OFF


def _trump_name(view: View) -> str | None:
    """The trump colour; in a solo its suit, or "solo" for a solo without a trump suit (U-25, K-40)."""
    if view.trump is not None:
        return view.trump
    contract, _, kind = (view.contract or "").partition(":")
    if contract not in ("solo", "solodu"):
        return None
    return kind if kind in COLOURS else "solo"


def _signed(name: str | None, t: float, signs: bool, otherwise: RGB = OFF) -> RGB:
    """A colour, with `signs` interrupted by its gaps, for people who cannot tell it from others."""
    colour = COLOURS.get(name or "", otherwise)
    return patterns.count(colour, t, SIGNS.get(name or "", 0), TICK_S, OFF) if signs else colour


def _turn(lamp: Lamp, view: View, t: float, signs: bool) -> RGB:
    """Steady for the seat whose card is awaited, pulsing for one that is asked; a box shows who throws."""
    asked = [p.seat for p in view.prompts if p.what in ACTS and p.seat is not None]
    if asked and (lamp.seat is None or lamp.seat in asked):
        return _pulse(WHITE, t)
    if view.turn is None or (asked and view.phase == "declare") or lamp.seat not in (None, view.turn):
        return OFF
    if view.box is not None and view.turn in view.seats:
        return _signed(view.players[view.seats.index(view.turn)], t, signs, WHITE)
    return WHITE


def _character(character: Character, pip: int | None, t: float, signs: bool) -> RGB:
    """Colour of the card that owns the character (D-22); its value as pips or, with one lamp, as winks."""
    name = character.colour or ""
    if signs and t < STEADY_S:
        signed = _signed(name, t, signs, WHITE)
        return signed if pip is None or pip <= (character.value or 0) else OFF
    return _die(COLOURS.get(name, WHITE), character.value or 0, pip, t)


def _black(lamp: Lamp, view: View, t: float) -> RGB:
    """The black die at the seat of its owner (D-42); a lamp without a seat shows it wherever it is."""
    if view.black_die is None or lamp.seat not in (None, view.black_die[0]):
        return OFF
    return _die(BLACK, view.black_die[1], lamp.pip, t)


def _die(colour: RGB, value: int, pip: int | None, t: float) -> RGB:
    if pip is not None:
        return colour if pip <= value else OFF
    return patterns.count(colour, t - STEADY_S, min(value, MOST_WINKS), WINK_S)


def _recent(view: View) -> float:
    """First event of the last trick: findings before it have been shown long enough."""
    shown = [card.event for card in (*view.last_trick, *view.trick)]
    return min(shown) if shown else 0


def _pulse(colour: RGB, t: float) -> RGB:
    return patterns.pulse(colour, t, PULSE_S, 0.5)
