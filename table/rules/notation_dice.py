"""Throws of DoppelX in the short text form: `red>blue:3@1x/2x,red:X@hole,white:2@3x(12;-40.5;33)`.

A die is `colour:face@place`: the zones that it touches, or where else it lies; in brackets its centre in mm
and its yaw in degrees, where they were measured. A `?` stands for what is not known.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from typing import Any

from table.rules.doppelx.terms import PLACES, ZONES

_FIELDS = frozenset({"colour", "face", "where", "touches", "counts_as", "center", "yaw", "margin_mm"})
_DIE = re.compile(r"(?P<colour>[^:@,()]+):(?P<face>[^:@,()]+)@(?P<place>[^@,()]+)(\((?P<lie>[^()]*)\))?")
THROW = re.compile(r"(?P<player>[^\s>]*)>(?P<dice>\S*)")


def write_throw(fields: Mapping[str, Any]) -> str | None:
    """Return a throw as one word, or None if a die has more to it than the word can express."""
    if not set(fields) <= {"kind", "player", "dice"}:
        return None
    dice = [_written(die) for die in fields["dice"]]
    return None if None in dice else f"{fields.get('player') or ''}>{','.join(map(str, dice))}"


def _written(die: Mapping[str, Any]) -> str | None:
    touches, counts_as, where = die.get("touches"), die.get("counts_as"), die.get("where")
    if not set(die) <= _FIELDS or (touches and counts_as not in (None, _best(touches))):
        return None
    if where == "field":
        zones = touches or ([counts_as] if counts_as else [])
        place = "/".join(map(str, zones)) or "field"
    else:
        place = "?" if where is None else str(where)
    lie = [*(die.get("center") or ()), *(() if die.get("yaw") is None else (die["yaw"],))]
    if len(lie) not in (0, 3):
        return None
    word = f"{die.get('colour') or '?'}:{die.get('face') or '?'}@{place}"
    return word + (f"({';'.join(f'{number:g}' for number in lie)})" if lie else "")


def _best(touches: Sequence[Any]) -> str | None:
    return next((zone for zone in ZONES if zone in touches), None)


def read_throw(player: str, words: str) -> dict[str, Any] | None:
    """Return the throw that `player>words` names, or None if it is not one."""
    dice = [_read(word) for word in words.split(",")] if words else []
    if any(die is None for die in dice):
        return None
    return {"kind": "throw", **({"player": player} if player else {}), "dice": dice}


def _read(word: str) -> dict[str, Any] | None:
    found = _DIE.fullmatch(word)
    if found is None:
        return None
    die: dict[str, Any] = {name: None if found[name] == "?" else found[name] for name in ("colour", "face")}
    place = found["place"]
    if place in PLACES or place == "?":
        die["where"] = None if place == "?" else place
    else:
        touches = place.split("/")
        die |= {"where": "field", "touches": touches}
        if best := _best(touches):
            die["counts_as"] = best
    if found["lie"]:
        try:
            x, y, yaw = map(float, found["lie"].split(";"))
        except ValueError:
            return None
        if not all(map(math.isfinite, (x, y, yaw))):
            return None
        die |= {"center": [x, y], "yaw": yaw}
    return die
