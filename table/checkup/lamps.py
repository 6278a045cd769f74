"""Checks whether the lamps hang where the table file says, from the places that the camera found."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from math import dist

from table.catalogue import fact, foreign
from table.checkup.verdict import CheckupLine
from table.lamp_proof import at_other_seats
from table.settings import TableFile

LEAST_MM = 4.0
"""Least distance of two lamps (7 mm on a strip with 144 a metre): nearer ones are one lamp found twice."""
NAMED = 3
"""Number of wrong lamps above which there is one cause, told once."""
AGAIN = "stammtisch board test --camera usb:0 --table {}"


def placed(table_file: TableFile) -> Iterator[CheckupLine]:
    """A line for the lamps of the file, or one for each that hangs wrong; nothing where it names no lamps."""
    lamps = table_file.lamps.lamps
    if not lamps:
        return
    places = {lamp.index: lamp.place_mm for lamp in lamps if lamp.place_mm is not None}
    again = foreign(AGAIN.format(table_file.path))
    if not places:
        yield CheckupLine("lamps", None, fact("checkup.lamps.unseen", n=len(lamps)), again)
        return
    wrong = [
        fact("checkup.lamps.place", n=lamp.index, name=lamp.title, seat=seat)
        for lamp, seat in at_other_seats(places, lamps, table_file.layout.seats)
    ]
    wrong += [
        fact("checkup.lamps.same", one=one, other=other)
        for one, other in combinations(sorted(places), 2)
        if dist(places[one], places[other]) < LEAST_MM
    ]
    mend = fact("checkup.lamps.wrong.do", again=again)
    for said in wrong[:NAMED]:
        yield CheckupLine("lamps", False, said, mend)
    if len(wrong) > NAMED:
        yield CheckupLine("lamps", False, fact("checkup.lamps.more", n=len(wrong) - NAMED), mend)
    missing = len(lamps) - len(places)
    if missing:
        yield CheckupLine("lamps", None, fact("checkup.lamps.missing", n=missing, all=len(lamps)), again)
    elif not wrong:
        yield CheckupLine("lamps", True, fact("checkup.lamps.well", n=len(lamps)))
