"""Do the lamps hang where the table file says that they belong? Asked of the places that the camera found."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from math import dist

from table.catalogue import foreign
from table.checkup.verdict import CheckupLine
from table.lamp_proof import at_wrong_seats
from table.settings import TableFile

LEAST_MM = 4.0
"""Two lamps of a strip with 144 a metre are 7 mm apart: nearer ones are one lamp that was found twice."""
NAMED = 3
"""Where more hang wrong it is one cause, not twenty."""
AGAIN = "stammtisch board test --camera usb:0 --table {}"


def placed(table_file: TableFile) -> Iterator[CheckupLine]:
    """A line for the lamps of the file, or one for each that hangs wrong; nothing where it names no lamps."""
    lamps = table_file.lamps.lamps
    if not lamps:
        return
    places = {lamp.index: lamp.place_mm for lamp in lamps if lamp.place_mm is not None}
    again = foreign(AGAIN.format(table_file.path))
    if not places:
        said = f"nobody has looked yet where the {len(lamps)} lamps hang"
        yield CheckupLine("lamps", None, foreign(said), again)
        return
    wrong = at_wrong_seats(places, lamps, table_file.layout.seats)
    wrong += [
        f"lamps {one} and {other} are at the same place"
        for one, other in combinations(sorted(places), 2)
        if dist(places[one], places[other]) < LEAST_MM
    ]
    mend = foreign(f"hang it right or change its 'seat' in the table file, then {again}")
    for said in wrong[:NAMED]:
        yield CheckupLine("lamps", False, foreign(said), mend)
    if len(wrong) > NAMED:
        more = f"{len(wrong) - NAMED} more hang wrong: does the chain begin somewhere else?"
        yield CheckupLine("lamps", False, foreign(more), mend)
    missing = len(lamps) - len(places)
    if missing:
        yield CheckupLine("lamps", None, foreign(f"{missing} of {len(lamps)} have not been seen"), again)
    elif not wrong:
        yield CheckupLine("lamps", True, foreign(f"{len(lamps)} hang where they belong"))
