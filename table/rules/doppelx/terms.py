"""DoppelX' words and tables: dice, zones, bets, chips, limits (X-01 to X-05, X-12 to X-16, X-24, X-29)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from table.catalogue import fact
from table.rules.cards import DIE_COLOURS
from table.rules.events import EventError, nearest

COLOURS: tuple[str, ...] = DIE_COLOURS[:-1]
"""Colours that a player may choose."""
WHITE = DIE_COLOURS[-1]
"""The neutral die, which nobody may choose (X-01)."""
ALL = "all"
"""The `player` of the opening throw (X-06)."""
FACES: tuple[str, ...] = ("1", "2", "3", "X")
ZONES: tuple[str, ...] = ("3x", "2x", "1x", "X", "-1")
"""The zones that a die's foot can count as, the better one first (X-15)."""
FACTOR: dict[str, int] = {"3x": 3, "2x": 2, "1x": 1}
"""Yellow, red, blue (X-12)."""
FIELDS: tuple[str, ...] = ("I", "II", "III", "IV")
SPINNER_FIELDS: tuple[str, ...] = ("III", "IV")
"""Boards with a hole for the spinner (X-05)."""
BETS: tuple[str, ...] = ("A", "B", "C", "D", "E", "F", "G", "H")
BET_PAY: dict[str, int] = {"A": 5, "B": 2, "C": 3, "D": 4, "E": 2, "F": 1, "G": 5, "H": 5}
"""Chips for a bet that comes true (X-24)."""
BET_ZONE: dict[str, str] = {"C": "2x", "D": "3x", "E": "X", "F": "1x"}
"""The zone that one of the active player's dice must count as (X-24, X-26)."""
ON_DOPPEL_X: frozenset[str] = frozenset("AH")
"""Bets on a Doppel X; when there is one, only they pay (X-27)."""
DOPPEL_X = 10
"""Chips for the owner of an X die in a Doppel X (X-19)."""
CHIPS: dict[int, int] = {1: 40, 5: 15, 10: 25, 30: 10}
"""Number of chips of each value in the box (X-03); the screen's total counts when they run out (XA-8)."""


def limit(players: int) -> int:
    """Return the number of chips at which the game ends (X-29)."""
    return 50 if players <= 5 else 70


class Die(NamedTuple):
    """A die as it lies after a throw. `zone` is what it counts as, only on the field; None: not known.

    A die on the field whose foot is over nothing but a hole counts as `hole`.
    """

    colour: str | None
    face: str | None
    where: str | None
    zone: str | None = None
    center: tuple[float, float] | None = None
    yaw: float | None = None
    cocked: bool = False
    doubt: tuple[str, ...] = ()

    @property
    def bet(self) -> str | None:
        """The bet field that it lies on."""
        return self.where[4:] if self.where is not None and self.where.startswith("bet:") else None

    @property
    def on_field(self) -> bool:
        """Whether it lies on the printed field, not in a hole of it (X-18)."""
        return self.where == "field" and self.zone != "hole"

    @property
    def lost(self) -> bool:
        """Whether it fell into a hole or out of the box (X-14, X-22)."""
        return self.where in ("hole", "outside") or self.zone == "hole"

    @property
    def unknown(self) -> bool:
        """Whether points may depend on something unknown about it."""
        if self.where is None or self.colour is None:
            return True
        return self.on_field and (self.face is None or self.zone is None)


PLACES: tuple[str, ...] = ("field", "hole", "outside", *(f"bet:{kind}" for kind in BETS))
_KNOWN: dict[str, tuple[str, ...]] = {"colour": (*COLOURS, WHITE), "face": FACES, "where": PLACES}


def read_die(plain: Mapping[str, Any]) -> Die:
    """Read one die of a `throw`. Raises EventError for a colour, face, place or zone that does not exist."""
    said: dict[str, str | None] = {}
    for name, known in _KNOWN.items():
        value = plain.get(name)
        said[name] = None if value is None else str(value)
        if value is not None and said[name] not in known:
            raise EventError(
                fact("rules.die", field=name, value=repr(value), remedy=nearest(str(value), known))
            )
    center, yaw, doubt = plain.get("center"), plain.get("yaw"), plain.get("doubt") or ()
    return Die(
        said["colour"],
        said["face"],
        said["where"],
        _zone(plain) if said["where"] == "field" else None,
        _point(center),
        float(yaw) if isinstance(yaw, int | float) else None,
        bool(plain.get("cocked")),
        tuple(str(what) for what in doubt) if isinstance(doubt, list | tuple) else (str(doubt),),
    )


def _zone(plain: Mapping[str, Any]) -> str | None:
    """Return the zone: the better one counts, an edge over a hole changes nothing (X-15, X-16)."""
    touches, counts_as = plain.get("touches"), plain.get("counts_as")
    listed = [counts_as] if counts_as in ZONES else touches
    if touches is not None and not isinstance(touches, list | tuple):
        raise EventError(fact("rules.touches", value=repr(touches)))
    for zone in (counts_as, *(touches or ())):
        if zone is not None and zone not in (*ZONES, "hole"):
            raise EventError(
                fact("rules.zone", value=repr(zone), remedy=nearest(str(zone), (*ZONES, "hole")))
            )
    over_nothing = None if touches is None and counts_as is None else "hole"
    return next((zone for zone in ZONES if zone in (listed or ())), over_nothing)


def _point(center: Any) -> tuple[float, float] | None:
    if isinstance(center, list | tuple) and len(center) == 2:
        x, y = center
        if isinstance(x, int | float) and isinstance(y, int | float):
            return float(x), float(y)
    return None
