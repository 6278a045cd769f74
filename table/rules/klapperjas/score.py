"""What a round is worth: who had more, and who gets how many points (J-36 to J-46)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from table.rules.klapperjas.terms import GOAL


class KlapperSettlement(NamedTuple):
    """A settled round; `augen` and `points` by seat, `needed` the Augen the declarer's side had to exceed."""

    won: bool
    augen: tuple[int, ...]
    declarer_augen: int
    needed: int
    value: int
    points: tuple[int, ...]


def sides(players: int) -> tuple[int, ...]:
    """Return whose Augen are added: with four those of partners opposite (J-37), else each his own (J-36)."""
    if players == 4:
        return tuple(seat % 2 for seat in range(players))
    return tuple(range(players))


def settle(
    augen: Sequence[int], declarer: int, base: int, doublings: int, tie_wins: bool = False
) -> KlapperSettlement:
    """Settle a round: `base` is 1 or 2 (J-41), `doublings` 0, 1 for Kontra, 2 with Re (J-43).

    The declarer's side must have more than the other side, with three players more than either opponent
    alone; a tie is lost (J-40) unless `tie_wins` (JA-2, three players only). If it loses, the opponents get
    twice the value (J-42); two opponents of a lone declarer share it (J-44).
    """
    players = len(augen)
    side = sides(players)
    total = [sum(a for a, its in zip(augen, side, strict=True) if its == one) for one in range(max(side) + 1)]
    mine = total[side[declarer]]
    most = max(a for one, a in enumerate(total) if one != side[declarer])
    won = mine > most or (mine == most and tie_wins and players == 3)
    value = base * 2**doublings * (1 if won else 2)
    winners = [seat for seat in range(players) if (side[seat] == side[declarer]) == won]
    each = value // 2 if players == 3 and not won else value
    points = tuple(each if seat in winners else 0 for seat in range(players))
    return KlapperSettlement(won, tuple(augen), mine, most, value, points)


def home(totals: dict[str, int], before: tuple[str, ...], places: int) -> tuple[str, ...]:
    """Return who has reached twelve, in order (J-45, J-46), as long as there are places to win.

    Of two who reach it in the same deal the one with more comes first; a tie requires one more deal (JA-11).
    """
    order = before
    while len(order) < places:
        there = [seat for seat, points in totals.items() if points >= GOAL and seat not in order]
        first = [seat for seat in there if totals[seat] == max(totals[s] for s in there)]
        if len(first) != 1:
            return order
        order = (*order, *first)
    return order
