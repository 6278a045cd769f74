"""One round of Dubbe over the trick core (RULES.md D-09 to D-46, DA-1 to DA-11)."""

from __future__ import annotations

from table.rules.dubbe.dice import DiceFold
from table.rules.dubbe.terms import (
    CHARACTERS,
    JAMMERLABBE,
    JO_LOSSEN,
    SIGNS,
    WESCHWIESCH,
    Black,
    Change,
    Tile,
    colour_of,
)
from table.rules.setup import Setup
from table.rules.tricks import Play, Trick


class DubbeFold(DiceFold):
    """One round of Dubbe, 2 to 5 players; with two a third packet stays face down (D-08)."""

    history_binds = True  # Jo Lossen's owner need not follow (D-30)

    def __init__(self, setup: Setup, number: int, dealer: str) -> None:
        seats = setup.seats
        super().__init__(setup, dealer)
        self.number = number
        self.leader = (seats.index(dealer) + 2) % len(seats)  # D-13
        self.black: Black | None = None
        self.booked: list[int] = [0] * len(seats)
        self.settled: list[Change] = []
        self.may_collect: frozenset[int] | None = None
        """Who may take the finished trick away; None: nobody's touch is an offence."""
        self.collectors: list[frozenset[int] | None] = []
        """`may_collect` of every finished trick."""
        self.touched: set[int] = set()
        """The seats that have touched the finished trick without the right to."""
        self.touches: list[tuple[int, int, int]] = []
        """Unauthorised touches: (event, seat, trick)."""

    # Characters (D-20 to D-34) ----------------------------------------------------------------------------

    def exempt(self, seat: int) -> bool:
        """Return whether a seat need not follow: Jo Lossen's owner, except in Jo's colour (D-30 to D-32)."""
        jo = self.tiles[JO_LOSSEN]
        return jo.owner == seat and bool(self.trick) and colour_of(self.trick[0].name) != jo.colour

    def lead_falls(self, play: Play) -> None:
        """Call a character: only a led colour calls one (D-21, D-22)."""
        self.forgive_early()
        self._assign(play)

    def _assign(self, play: Play) -> None:
        colour = colour_of(play.name)
        if colour is None:
            return
        for which, tile in enumerate(self.tiles):
            if tile.colour == colour:
                return
            if tile.colour is None and which >= WESCHWIESCH:
                self.tiles[which] = Tile(colour)
                return

    def trick_falls(self, trick: Trick) -> None:
        """Bring the led colour's character into play, or let it grow or change owner (D-22 to D-28)."""
        led, number = colour_of(trick.plays[0].name), len(self.tricks)
        jammer_before = self.tiles[JAMMERLABBE].owner
        changes: tuple[Change, ...] = ()
        for which, tile in enumerate(self.tiles):
            if led is not None and tile.colour == led:
                changes = (self._move(which, tile, trick.winner, number),)
                break
        self.changes.append(changes)
        self.note_early()
        self._set_collectors(jammer_before)

    def _move(self, which: int, tile: Tile, winner: int, number: int) -> Change:
        value, points, seat, rule = self.raised(which), 0, winner, "D-22"
        if tile.value is not None and tile.owner is not None:
            seat, rule = tile.owner, "D-28" if which == JO_LOSSEN else "D-24"
            if tile.owner == winner:
                rule = "D-28" if which == JO_LOSSEN else "D-23"
            elif which != JO_LOSSEN:
                points = SIGNS[which] * tile.value
                self.booked[tile.owner] += points
            if value == tile.value and which != JO_LOSSEN:
                self.remarks.append((number, "die_saturated", CHARACTERS[which]))  # DA-1
        self.tiles[which] = Tile(tile.colour, value, winner)
        return Change(CHARACTERS[which], self.seats[seat], points, value, self.seats[winner], rule)

    # The black die (D-40 to D-46, DA-4 to DA-7) -----------------------------------------------------------

    def _set_collectors(self, jammer_before: int | None) -> None:
        owner = self.tiles[JAMMERLABBE].owner
        self.touched, self.may_collect = set(), None
        if self.options["black_die"] and owner is not None:
            both = {owner, jammer_before} if self.options["black_grace"] == "both" else {owner}
            self.may_collect = frozenset(seat for seat in both if seat is not None)
        self.collectors.append(self.may_collect)

    def touch(self, seat: int, event: int, took: bool) -> None:
        """Judge a hand at the complete trick: only Jammerlabbe's owner may touch it (D-43).

        There is at most one offence per seat and trick. The taking of an earlier trick may be reported late:
        it is no offence.
        """
        if self.may_collect is None or seat in self.may_collect or seat in self.touched:
            return
        if self.collected_by in self.may_collect:
            return  # the rightful one has taken it: nothing lies there any more
        if took and (late := self._untaken_by(seat)):
            self.untaken.remove(late)
            return
        self.touched.add(seat)
        top = self.options["die_max"]
        value = 1 if self.black is None else self.black.value + 1
        if top != "unbounded" and value > top:
            value = top
            self.remarks.append((len(self.tricks), "die_saturated", "black"))  # DA-6
        self.black = Black(value, seat)
        self.touches.append((event, seat, len(self.tricks)))
        self.evidence.report("unauthorised_touch", "D-I8", seat, event)

    def _untaken_by(self, seat: int) -> int | None:
        """Return the one trick of this round whose taking was not reported, if this seat may have taken it.

        Where takings are not usually reported, a missing report proves nothing.
        """
        late = min(self.untaken, default=1)
        if len(self.untaken) != 1 or late == 1:
            return None
        may = self.collectors[late - 1]
        hers = {self.tricks[late - 1].winner} if may is None else may  # D-19
        return late if seat in hers else None

    # Settlement (D-29, D-33, D-44) ------------------------------------------------------------------------

    def settle(self) -> None:
        """Book all characters in play once more; Jo Lossen is worth three."""
        for which, tile in enumerate(self.tiles):
            if tile.value is not None and tile.owner is not None:
                owner = self.seats[tile.owner]
                rule = "D-29" if which == JO_LOSSEN else "D-33"
                change = Change(CHARACTERS[which], owner, SIGNS[which] * tile.value, tile.value, owner, rule)
                self.settled.append(change)

    def points(self) -> dict[str, int]:
        """Return each seat's booked points.

        A round that was broken off brings nothing. The black die counts once, when the round is complete.
        """
        if self.broken_off:
            return dict.fromkeys(self.seats, 0)
        points = dict(zip(self.seats, self.booked, strict=True))
        for change in self.settled:
            points[change.seat] += change.points
        if self.over and self.black is not None:
            points[self.seats[self.black.owner]] -= self.black.value
        return points
