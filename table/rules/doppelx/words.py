"""What DoppelX's house rules mean, in German; the English words stand with the option."""

from __future__ import annotations

OPTIONS: dict[str, str] = {
    "edge_penalty": "was eine Hand über dem Rand kostet",
    "opening_doppelx": "ein Doppel X zählt auch im ersten Wurf",
    "floor": "wo die Chips eines Spielers enden",
    "cocked": "bei einem schiefen Würfel nachfragen, oder ihn gelten lassen",
}
