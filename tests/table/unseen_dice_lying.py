"""Where dice lie before and after a gap."""

from __future__ import annotations

from dataclasses import replace

from tests.table.lying_dice import REST_OF_OPENING, die
from vision.sightings import DieSeen

BLUE, WHITE = die("blue", "3", -60.0, "2x"), die("white", "1", 50.0)


LAY = (die("blue", "2", -80.0), *REST_OF_OPENING)


def unseen(*dice: DieSeen) -> list[DieSeen]:
    return [replace(each, unseen=True) for each in dice]
