"""Badly recorded logs that are, line for line, the start of a round with a real fault: no referee can know.

A round that lacks whole tricks in a row looks as if they were still to be played. If such a log can be played
to its end with exactly the fault that was found, it is also the log of a round with that fault.
"""

from __future__ import annotations

from table.rules import Referee
from table.rules.view import Finding
from tests.rules.lines import seats_in
from tests.rules.spoilt import Log, cards


def lost_whole_tricks(log: Log, told: Log) -> bool:
    """Whether all that a log lost of a true round are whole tricks in a row."""
    kept = {event["id"] for event in told}
    lost = [number for number, at in enumerate(cards(log)) if log[at]["id"] not in kept]
    seats = len(seats_in(log))
    in_a_row = bool(lost) and lost == list(range(lost[0], lost[-1] + 1))
    return in_a_row and not lost[0] % seats and not len(lost) % seats and len(told) + len(lost) == len(log)


def is_a_fault_so_far(told: Log, found: list[Finding]) -> bool:
    """Whether a log can be played to the end of its round without any other finding."""
    referee = Referee()
    referee.read(told)
    return _played_on(referee, found)


def _played_on(referee: Referee, found: list[Finding]) -> bool:
    if referee.as_it_stands() != found:
        return False
    view = referee.view()
    if view.turn is None:
        referee.conclude()
        return view.phase == "settled" and referee.findings() == found
    left = [card for card, many in view.pack.items() if view.seen.get(card, 0) < many]
    for card in left:
        twin = referee.fork()
        twin.add({"kind": "card", "seat": view.turn, "card": card})
        if _played_on(twin, found):
            return True
    return False
