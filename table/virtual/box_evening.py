"""An evening of DoppelX at the virtual box: players follow the table, and check whether it saw right."""

from __future__ import annotations

import logging
import math
import random
import time
from collections.abc import Callable
from typing import Any

from table.rules.events import Event
from table.session import Session
from table.standing import standing
from table.virtual.box import BETS, BOARD, WHITE, BoxDeed, Fallen, Fate, LayBet, TakeDice, ThrowDice, Throwers
from table.virtual.deeds import Wait
from table.virtual.tonight import ASKED_S, Tonight, broken_off
from vision.box.field import Field
from vision.layout import Layout, Point

log = logging.getLogger(__name__)

COLOURS = ("blue", "red", "green", "yellow", "purple", "orange", "brown", "pink")
"""Who plays, in this order; three to eight of them."""
PATIENCE_S = 12.0
"""How long the table may take to note a throw; then the same dice are thrown again."""
_BETS_ONE_IN = 3
_NEAR_MM = 8.0


class BoxEvening:
    """Game after game of DoppelX; its `take_up`, `tend` and `leave` are those of `Evening`.

    Args:
        session: the house's sitting; its journal tells where the evening stands.
        throwers: who does the throwing.
        layout: the box.
        tonight: what they play: a game of dice for 3 to 8.
        tell: gets a line for people after each throw.
        clock: real seconds.
    """

    def __init__(
        self,
        session: Session,
        throwers: Throwers,
        layout: Layout,
        tonight: Tonight,
        tell: Callable[[str], None] = lambda line: None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._session, self._throwers, self._tell, self._clock = session, throwers, tell, clock
        self._layout, self._field = layout, Field(layout)
        opening = tonight.opening
        self.colours = tuple((opening and opening.get("players")) or COLOURS[: tonight.players])
        self._first = tonight.first or self.colours[0]
        self._tonight, self._left = tonight, tonight.limit
        usual = {"game": tonight.game, "players": list(self.colours), "field": BOARD, "bets": list(BETS)}
        self._opening = Event("game", {**usual, **(opening.fields if opening else {})})
        self._gone = False
        self._lying: dict[str, Point] = {}
        self._fell: dict[str, Fallen] = {}
        self._thrown: tuple[Fallen, ...] = ()
        self._before = 0
        self._since: float | None = None
        self._over_since: float | None = None
        self.differences = 0
        """How often the journal differed from what was really thrown."""

    def take_up(self) -> tuple[dict[str, Fallen], dict[str, str], str]:
        """Continue where the journal stands, or begin: dice as they lie, bets, and a line for people."""
        resumed = self._session.resume()
        view = self._session.view
        ours = view.game == self._opening.get("game") and view.players == self.colours
        if not (resumed and ours and view.box):
            self._begin()
            return {}, {}, f"game {self._session.game} begins"
        dice, bets = self._as_they_lay()
        self._before = view.box.throw
        return dice, bets, f"the journal holds game {self._session.game}: {view.box.throw} throws; it goes on"

    def _as_they_lay(self) -> tuple[dict[str, Fallen], dict[str, str]]:
        """The dice of the last throw, except those that were to be taken out after it."""
        box, entries = self._session.view.box, self._session.entries
        assert box is not None
        if box.event is None:
            return {}, {}
        event = standing(entries).get(box.event, entries[box.event - 1].event)
        dice: dict[str, Fallen] = {}
        for die in event.get("dice", ()) if event is not None else ():
            known = die.get("colour") and die.get("face") and die.get("where") == "field"
            if known and die["colour"] not in box.take_back:
                x, y = die["center"]
                dice[die["colour"]] = Fallen(die["colour"], die["face"], (x, y), float(die.get("yaw") or 0.0))
        self._lying = {colour: fallen.center_mm for colour, fallen in dice.items()}
        self._fell = dict(dice)
        bets = {colour: bet for colour, bet in box.placed.items() if colour not in box.take_back}
        return dice, bets

    def leave(self) -> None:
        """Stop: somebody has begun another game."""
        self._gone = True

    def tend(self) -> bool:
        """Check whether the last throw was seen, then have the next one thrown; False when all is played."""
        if self._gone:
            return True
        if not self._throwers.waiting:
            self._since = None
            return True
        view = self._session.view
        box = view.box
        assert box is not None
        if not view.over and broken_off(self._session):
            self._thrown = ()
            return True if self._within(ASKED_S) else self._next_game("is broken off by somebody")
        if self._thrown and self._over_since is None:
            if box.throw <= self._before and self._within(PATIENCE_S):
                return True
            self._compare(seen=box.throw > self._before)
            view = self._session.view  # a tap may have changed it
        if view.over:
            return True if self._sheet_is_read() else self._end_game()
        self._over_since = None  # somebody took the last throw back
        if view.phase == "settled":  # a tie: the leaders play a deciding game
            self._session.tell(Event("round"))
        self._throwers.sit(self._turn())
        return True

    def _within(self, seconds: float) -> bool:
        """Whether the throwers have waited less than that for the house."""
        now = self._clock()
        if self._since is None:
            self._since = now
        return now < self._since + seconds

    def _sheet_is_read(self) -> bool:
        """Whether people still read the sheet of the game that is over."""
        now = self._clock()
        self._over_since = now if self._over_since is None else self._over_since
        return now < self._over_since + self._tonight.shown_s(self._session.entries[-1].event)

    def _end_game(self) -> bool:
        view = self._session.view
        return self._next_game(f"is won by {' and '.join(view.winners)}")

    def _next_game(self, ended: str) -> bool:
        """Clear the box and begin anew; False when all is played."""
        self._tell(f"game {self._session.game} {ended} ({self._points()})")
        if self._left is not None:
            self._left -= 1
            if self._left == 0:
                return False
        self._throwers.sit([Wait(4.0), TakeDice(self.colours[0], tuple(self._lying)), Wait(0.5)])
        self._tonight = self._tonight.by_itself()
        self._begin()
        return True

    def _begin(self) -> None:
        self._session.begin([self._opening, Event("round", {"first": self._first})])
        self._session.prune(self._tonight.keep_games)
        self._lying, self._fell, self._thrown, self._before = {}, {}, (), 0
        self._over_since = None

    # --- one throw -----------------------------------------------------------------------------------

    def _turn(self) -> list[BoxDeed]:
        """What is done now: dice taken out, a bet laid, a throw."""
        view = self._session.view
        box = view.box
        assert box is not None
        self._before, self._since = box.throw, None
        if not box.throw:
            again: list[BoxDeed] = [TakeDice(self.colours[0], tuple(self._lying))] if self._lying else []
            self._lying, self._fell = {}, {}
            most = max(view.points.values())
            tied = tuple(
                c for c, seat in zip(view.players, view.seats, strict=True) if view.points[seat] == most
            )
            rounds = self._session.result()["rounds"]
            deciding = view.round > 1 and not rounds[-2]["broken_off"]
            together = tied if deciding else self.colours
            return [*again, *self._throw(together[0], together)]
        thrower = view.players[view.seats.index(view.turn)] if view.turn in view.seats else self.colours[0]
        own = (thrower, WHITE)
        out = tuple(colour for colour in {**box.take_back, **dict.fromkeys(own)} if colour in self._lying)
        for colour in out:
            del self._lying[colour]
        deeds: list[BoxDeed] = [Wait(0.8)]
        if out:
            deeds.append(TakeDice(thrower, out))
        return [*deeds, *self._bet(thrower), *self._throw(thrower, own)]

    def _bet(self, thrower: str) -> list[BoxDeed]:
        view, chance = self._session.view, random.Random(self._fate_of("bet"))
        box = view.box
        assert box is not None
        free = [bet for bet in BETS if bet not in box.placed.values()]
        may = [view.players[view.seats.index(seat)] for seat in box.may_bet]
        may = [colour for colour in may if colour != thrower and colour not in self._lying]
        if not may or not free or chance.randrange(_BETS_ONE_IN):
            return []
        colour, bet = chance.choice(may), chance.choice(free)
        tile = next(each.center_mm for each in self._layout.bets if each.kind == bet)
        self._lying[colour] = (tile[0], tile[1])
        self._fell.pop(colour, None)
        return [LayBet(colour, colour, bet)]

    def _throw(self, thrower: str, colours: tuple[str, ...]) -> list[BoxDeed]:
        self._thrown = Fate(self._layout, self._fate_of("throw")).fall(colours, list(self._lying.values()))
        self._lying |= {fallen.colour: fallen.center_mm for fallen in self._thrown}
        self._fell |= {fallen.colour: fallen for fallen in self._thrown}
        return [ThrowDice(thrower, self._thrown)]

    def _fate_of(self, what: str) -> str:
        """A seed under which a throw that must be repeated falls differently."""
        so_far = f"{len(self._session.entries)}/{self.differences}"
        return f"{self._tonight.seed}/{self._session.game}/{what}/{so_far}"

    # --- truth ---------------------------------------------------------------------------------------

    def _compare(self, seen: bool) -> None:
        """Compare the noted throw with what really fell; never mend anything."""
        view, thrown, self._thrown = self._session.view, self._thrown, ()
        box = view.box
        assert box is not None
        if not seen:
            self.differences += 1
            log.warning("throw %d: the table did not see it; it is thrown again", box.throw + 1)
            return
        noted = {die.colour: die for die in box.dice}
        wrong, doubts = [], 0
        for fallen in thrown:
            die = noted.get(fallen.colour)
            right = self._field.judge(fallen.center_mm, fallen.yaw_deg).counts_as
            if die is not None and die.doubt:
                doubts += 1
            elif die is None or (die.face, die.zone) != (fallen.face, right):
                wrong.append(f"{fallen.colour} {fallen.face} on {right}")
        if wrong:
            self.differences += 1
            log.warning("throw %d: the table misread %s", box.throw, ", ".join(wrong))
        dice = ", ".join(f"{fallen.colour} {fallen.face}" for fallen in thrown)
        if any(die.doubt for die in box.dice):
            self._tap()
        state = (
            "not as it fell" if wrong else f"as it fell, {doubts} set by a tap" if doubts else "as it fell"
        )
        self._tell(f"throw {box.throw}: {dice} ({state}); {self._points()}")

    def _tap(self) -> None:
        """Settle what the table doubts, as a guest does on the page, who sees how the dice lie."""
        box, entries = self._session.view.box, self._session.entries
        if box is None or box.event is None:
            return
        event = standing(entries).get(box.event, entries[box.event - 1].event)
        if event is not None:
            dice = [self._settled(die) for die in event.fields["dice"]]
            self._session.correct(box.event, event.having(dice=dice))

    def _settled(self, die: dict[str, Any]) -> dict[str, Any]:
        near = [
            f for f in self._fell.values() if math.dist(f.center_mm, die.get("center", (1e6, 0))) < _NEAR_MM
        ]
        if not die.get("doubt") or not near:
            return die
        kept = {key: value for key, value in die.items() if key not in ("doubt", "candidates")}
        verdict = self._field.judge(near[0].center_mm, near[0].yaw_deg)
        right = {"touches": list(verdict.touches), "counts_as": verdict.counts_as}
        return {**kept, "colour": near[0].colour, "face": near[0].face, **right}

    def _points(self) -> str:
        view = self._session.view
        return ", ".join(f"{who} {view.points[at]}" for who, at in zip(view.players, view.seats, strict=True))
