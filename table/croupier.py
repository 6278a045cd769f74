"""What settled dice mean in the current game: a throw, a bet laid, dice taken back, a box turned.

The eye reports how the dice lie each time all are still. A throw is the active player's own die or the white
one at rest in a new place; dice that left the view with it fell into a hole or out of the box. If both are
gone, it was a throw only if something flew without a hand. All players make the first throw together (X-06,
X-08).

A die that lies differently after the eye was blind may have been thrown, by anybody: the event says so, and
the table asks. Whose turn it is proves little then; the dice that were seen to roll prove more. Where nothing
was seen to roll, a hand may have moved the dice, and nobody is accused.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

from table import late_opening, telling
from table.by_hand import Unrolled
from table.duplicate_dice import DuplicateDice, doubted
from table.hindsight import ToldThrow
from table.overtime import going_on
from table.resting_dice import IN_BOX, DiceRest, on_one
from table.rules.doppelx.terms import ALL
from table.rules.events import Event
from table.rules.view import View
from table.unseen import TWO_THROWS_S, Gap, asked, believed, in_doubt, places_of
from table.unseen_bets import UnseenBets
from vision.sightings import DieSeen, ThrowSeen

WHITE = "white"
LATE_S = 0.25
"""Rest after which dice out of view have stopped, too; the eye then reports every rest a second time."""
LOST_REST_S = 0.75
"""How long all must be still before two dice that both flew out of view count as thrown."""


@dataclass(frozen=True, slots=True)
class _Dice:
    """Dice at rest: by colour (`now`) and without a sure colour (`strays`).

    `players` are the colours in the game; `doubtful`: not every colour is sure.
    """

    seen: ThrowSeen
    now: dict[str, DieSeen]
    strays: Sequence[DieSeen]
    players: set[str]
    doubtful: bool

    @property
    def out_of_view(self) -> frozenset[str]:
        """Colours of this game whose dice are not in view."""
        return frozenset(colour for colour in (*self.players, WHITE) if colour not in self.now)


class Croupier:
    """Turns settled dice into throws; `view` is always the game before these dice."""

    def __init__(self) -> None:
        self._before = self._now = DiceRest()
        """The rest before this one, and this one."""
        self._said = False
        """Whether this rest has been reported as a throw."""
        self._awaited = False
        """Whether this rest is a throw with a die that may still roll out of view."""
        self._rolled = False
        """Whether something rolled before this rest, or before an unreported rest of the same throw."""
        self._moved_by_hand = False
        """Whether dice have moved without a roll, so that it may be another player's turn than it seems."""
        self._told: ToldThrow | None = None
        self._duplicates, self._bets = DuplicateDice(), UnseenBets()
        self._threw: str | None = None
        """Colour that threw last, also after an end of the game that is in doubt."""

    def hear(self, seen: ThrowSeen, view: View) -> list[Event]:
        """The throw that these dice make, or the correction of the last one; empty if they are neither."""
        late = seen.rest_s >= LATE_S
        now, strays, twice = self._duplicates.part(seen.dice, late=late)
        seen = replace(seen, dice=doubted(seen.dice, twice))
        doubtful = bool(strays or twice) or any(_in_doubt(die) for die in now.values())
        stands = self._told is not None and view.box is not None and self._told.stands_in(view.box)
        view = going_on(view, None if stands else self._threw)
        dice = _Dice(seen, now, strays, set(view.players) if view.box is not None else set(), doubtful)
        if not self._take_in(dice, late):
            return []
        last = self._before
        news = {c for c, die in now.items() if last.is_news(die) and not last.is_renamed(seen, die, now)}
        if not dice.players:
            unnamed = any(die.colour is None and not die.where.startswith("bet") for die in seen.dice)
            self._said = not late and bool(news or (unnamed and seen.rolled))
            return [_as_seen(throw_event(seen), self._before.unseen(news, now))] if self._said else []
        if right := self._late_opening(dice, view, news):
            return right
        thrower, unseen = self._whose(dice, view, news)
        if view.finished or (thrower is None and not unseen):
            return self._in_hindsight(seen, view, now)
        missing = (dice.players if thrower == ALL else {thrower or WHITE, WHITE}) - set(now)
        # A die out of view may still be rolling, so wait for the later report. Dice that came unseen are in
        # doubt either way.
        self._awaited = bool(missing) and not late and not unseen
        if self._awaited:
            return []
        self._said = True
        event = self._as_event(dice, thrower, unseen, missing)
        proven = self._proven(dice, view) if self._rolled and not unseen else []
        self._told, self._threw = ToldThrow(event, seen.hiding_mm), thrower
        self._moved_by_hand = not self._rolled
        return [*proven, event]

    def _take_in(self, dice: _Dice, late: bool) -> bool:
        """Keep this rest beside the one before; return False if it was already reported."""
        seen, now, strays = dice.seen, dice.now, dice.strays
        if not late:
            last, older = self._now, self._before
            rolled = seen.rolled
            if self._awaited and seen.gap_s >= TWO_THROWS_S and last.stirred(now):
                last = last.as_thrown()  # another throw followed it unseen; these dice belong to that one
            elif self._awaited:  # it ended before it was reported: the dice that came with it are still news
                last = replace(last, lay=older.lay, nameless=older.nameless, known=older.known)
                rolled = rolled or self._rolled
            self._before, self._said, self._rolled = last, False, rolled
            self._now = last.followed_by(now, strays, self._before.still_hidden(seen, now))
        elif self._said:
            return False
        self._awaited = False
        if not late:
            self._bets.rest(seen, now, dice.players)
        if not strays:  # otherwise a stray may be the missing die
            self._now = replace(self._now, in_hand=self._now.in_hand | dice.out_of_view)
        return True

    def _whose(self, dice: _Dice, view: View, news: set[str]) -> tuple[str | None, set[str]]:
        """Who threw, if anybody did ("all" in the opening), and the colours that landed unseen."""
        seen, now = dice.seen, dice.now
        unseen = self._before.unseen(news, now)
        if view.box is None or not view.box.throw:
            return self._opening(dice, news, unseen)
        thrower, unseen = self._after_gap(seen, view, news, unseen, now)
        if thrower is None and not unseen:
            unseen = self._before.two_thrown(news & dice.players, now)
        if thrower is None and not unseen:
            thrower = self._thrower(seen, view, news, now, dice.doubtful)
            if view.turn is not None and thrower not in (None, _colour_at(view, view.turn), *now):
                unseen = {str(thrower)}  # the throw before this one was missed, or it was not his turn
            if thrower is not None:
                thrower, unseen = self._as_seen_to_roll(thrower, unseen, view, news, now)
        if thrower in now and self._before.laid_anew(now[thrower]):
            unseen = unseen | {thrower}  # his die was laid as a bet since: where it came to rest is unknown
        return thrower, unseen

    def _opening(self, dice: _Dice, news: set[str], unseen: set[str]) -> tuple[str | None, set[str]]:
        """ALL if all players threw together (X-06), and the colours that nobody saw being thrown."""
        seen, now = dice.seen, dice.now
        white = now.get(WHITE)
        if not news & dice.players:
            return None, unseen
        # Nobody throws the white die in the opening (XA-1): it was missed, and this is another throw.
        thrown = WHITE in news and white is not None and white.where != "outside" and self._rolled
        if white is not None and (seen.gap_s or thrown):
            return None, news
        lay = {c for c in dice.players & set(now) - news if now[c].where in IN_BOX}
        if not self._rolled:  # dice in the box at the first look may have lain there for long
            lay_before = self._before == DiceRest() and not seen.gap_s
            return (None, set()) if lay_before else (ALL, news | lay)
        return ALL, unseen | lay

    def _late_opening(self, dice: _Dice, view: View, news: set[str]) -> list[Event]:
        """The opening corrected by dice that landed after it was reported (X-06); empty where none did."""
        box, told, now = view.box, self._told, dice.now
        if told is None or box is None or box.throw != 1 or box.event is None or not told.stands_in(box):
            return []
        came = late_opening.came_late(told.event, news, now, self._before.in_hand)
        white = now.get(WHITE)
        if not came or dice.seen.gap_s or self._before.unseen(came, now):
            return []
        first = {str(_colour_at(view, seat)) for seat in box.due[:1]} or dice.players
        white_gone = white is None and WHITE in self._before.known
        if WHITE in news and white is not None and white.where in IN_BOX:
            return []
        if late_opening.is_first_throw(told.event, came, first, white_gone=white_gone):
            return []
        open_yet = late_opening.asked_of(told.event, came, first, dice.seen.t) if self._rolled else came
        open_yet |= late_opening.still_asked(told.event, came, now)
        self._said = True
        event = self._as_event(dice, ALL, open_yet, dice.players - set(now))
        right = late_opening.put_right(told.event, event, now, first)
        self._told = ToldThrow(right, dice.seen.hiding_mm)
        return [_correction(dice.seen, box.event, right)]

    def _as_seen_to_roll(
        self, thrower: str, unseen: set[str], view: View, news: set[str], now: Mapping[str, DieSeen]
    ) -> tuple[str | None, set[str]]:
        """Whose throw it is, given whether anything was seen to roll, and the colours to ask about."""
        active = _colour_at(view, view.turn)
        if self._rolled:
            asks = self._moved_by_hand and active is not None and self._may_be_anothers(thrower, active, now)
            return thrower, unseen | {thrower} if asks else unseen
        self._moved_by_hand = True
        held, known = self._before.in_hand, self._before.known
        anew = {c for c in news if c in held or self._before.lies_far(now[c])}
        turned = {c for c in news & set(known) if None not in (now[c].face, known[c].face)}
        turned = {c for c in turned if now[c].face != known[c].face}
        is_throw = Unrolled((thrower, WHITE), now, anew, turned, held).is_throw(in_turn=thrower == active)
        if is_throw is False:
            return None, set()
        return thrower, unseen if is_throw else unseen | {thrower}

    def _may_be_anothers(self, thrower: str, active: str, now: Mapping[str, DieSeen]) -> bool:
        """Whether another may have thrown: it is not his turn, or the last thrower took up his die again."""
        last = self._threw if self._threw in self._before.in_hand else None
        laid = last is None or (last in now and now[last].where not in IN_BOX)
        return thrower != active or (last != thrower and not laid)

    def _proven(self, dice: _Dice, view: View) -> list[Event]:
        """The correction that lifts the last throw's doubt whether it was one, where it is now proven.

        It is proven once another throw follows and its thrower's die lies as it fell.
        """
        told, box = self._told, view.box
        if told is None or box is None or box.event is None or not told.stands_in(box):
            return []
        own = dice.now.get(str(told.event.get("player")))
        lies = own is not None and own.where in IN_BOX and own.colour not in self._before.in_hand
        right = believed(told.event) if lies and not told.event.get("after_gap") else told.event
        return [] if right == told.event else [_correction(dice.seen, box.event, right)]

    def _as_event(self, dice: _Dice, thrower: str | None, unseen: set[str], missing: set[str]) -> Event:
        """The throw as an event, with the dice that it knocked out of view and the unseen bets that it pays.

        A die that a hand took before the throw stays in the hand. After a gap, any missing die may be in one.
        """
        seen, now, players = dice.seen, dice.now, dice.players
        lay = self._before.lay
        gone = {c for c, die in lay.items() if c not in now and not on_one(die, seen.hiding_bets)}
        lost = missing if unseen else missing | (gone - self._before.in_hand)
        if len(self._before.not_there_before(dice.strays)) >= len(lost):
            lost = set()  # the strays are these dice, but nobody knows which is which
        hidden = self._now.hidden | lost if seen.hiding_mm else self._now.hidden
        in_hand = frozenset() if dice.strays else dice.out_of_view
        self._now = replace(self._now, in_hand=in_hand, hidden=hidden)
        told = sorted(lost | (hidden & {*players, WHITE}))
        event = throw_event(seen, thrower, told, in_doubt=dice.doubtful, hidden=hidden)
        absent = players - {*now, *told, thrower}
        paid = self._bets.paid(event, seen.hiding_bets, absent, players)
        event = event.having(dice=[*event.fields["dice"], *paid])
        self._bets.forget(thrower)
        if unseen:
            return _as_seen(event, unseen | set(told))
        return event if self._rolled else in_doubt(event, places_of(event, {str(thrower), WHITE}))

    def _in_hindsight(self, seen: ThrowSeen, view: View, now: Mapping[str, DieSeen]) -> list[Event]:
        """The last throw corrected, where dice that nobody has thrown since settle what was in doubt."""
        box = view.box
        if self._told is None or box is None or box.event is None:
            return []
        right = self._told.put_right(box, now, set(self._before.lay), self._before.hidden)
        if right is None:
            return []
        self._told = ToldThrow(right, self._told.hiding_mm)
        return [_correction(seen, box.event, right)]

    def _thrower(
        self, seen: ThrowSeen, view: View, news: set[str], now: dict[str, DieSeen], doubtful: bool
    ) -> str | None:
        """Whose throw these dice are; None when nobody threw. `doubtful`: not every colour is sure."""
        active = _colour_at(view, view.turn)
        # Unless something flew, a die beside the box was laid there or had been overlooked, and a die that
        # may have lain hidden has come into view.
        stayed = {c for c in news if now[c].where == "outside"} | self._before.hidden
        news = news if seen.rolled else news - stayed
        # Without a roll, a die that nobody took up and that lies near its old place was merely read slightly
        # differently.
        far = {c for c in news if self._before.lies_far(now[c])}
        thrown = news & (self._before.in_hand | (news if seen.rolled else far))
        picked = news & self._before.in_hand & set(view.players)
        if active is None:  # the rules admit several who may be next: the dice decide
            due = [str(_colour_at(view, seat)) for seat in view.box.due] if view.box else []
            gone = [c for c in due if c not in now] if WHITE in thrown or _white_gone(seen, now) else []
            came = [c for c in (*due, *sorted(picked)) if c in (picked or (thrown & far) or thrown)]
            nameless = seen.rolled and self._before.not_there_before(self._now.nameless)
            rolled = [c for c in due if c not in now] or due if nameless else []
            return next(iter((*came, *gone, *rolled)), None)
        others = picked - {active}
        own = {active, WHITE} & thrown
        # A die that was out of view cannot have been hit: its owner threw it. But a doubtful colour proves
        # nothing against the player whose turn it is.
        was_hit = active not in self._before.in_hand | far
        if others and (active not in news or was_hit) and not doubtful and (own or seen.rolled):
            return sorted(others)[0]
        # The active player's die lies where it lay, so he did not throw: it was the one whose die moved.
        moved = (far & set(view.players)) - {active}
        if own == {WHITE} and active in now and active not in news and not doubtful:
            if len(moved) == 1:
                return moved.pop()
            # A bet that lies still was not thrown; a die that left its owner's hand and is out of view was.
            lost = {c for c in view.players if c in self._before.in_hand and c not in now}
            if len(lost) == 1 and now[active].where.startswith("bet"):
                return lost.pop()
        if own:
            return active
        return active if active not in now and _white_gone(seen, now) else None

    def _after_gap(
        self, seen: ThrowSeen, view: View, news: set[str], unseen: set[str], now: dict[str, DieSeen]
    ) -> tuple[str | None, set[str]]:
        """Who threw, and the dice whose thrower nobody knows; neither where no gap matters."""
        players, open_turn = set(view.players), view.box is not None and len(view.box.due) > 2
        if not (unseen or seen.gap_s or open_turn):
            return None, unseen
        last = self._before
        flew = {c for c in news - unseen if c == WHITE or c in last.in_hand or last.lies_far(now[c])}
        flew &= {*players, WHITE} if seen.rolled else set()
        lost = open_turn and not news and _white_gone(seen, now)
        if not (unseen or flew or lost):
            return None, unseen
        gone = set(self._before.lay) - set(now)
        lying = {c for c in set(now) - news if not self._before.laid_anew(now[c])}
        gap = Gap(seen.gap_s, flew, unseen, lying, self._before.in_hand, gone)
        thrower = gap.thrower(players, _colour_at(view, view.turn))
        return thrower, unseen if thrower is not None or unseen else flew or {WHITE}


def _white_gone(seen: ThrowSeen, now: Mapping[str, DieSeen]) -> bool:
    """Whether something flew and the white die has stayed out of view since."""
    return WHITE not in now and seen.rolled and seen.rest_s >= LOST_REST_S


def _as_seen(event: Event, unseen: Collection[str]) -> Event:
    """The throw, with the dice of these colours, which landed unseen, in doubt."""
    return asked(event, places_of(event, unseen)) if unseen else event


def _in_doubt(die: DieSeen) -> bool:
    return "colour" in die.doubt


def _correction(seen: ThrowSeen, of: int, right: Event) -> Event:
    """The line that corrects a throw."""
    fields = {"t": round(seen.t, 3), "of": of, "event": right, "source": "camera"}
    return Event("correction", fields)


def _colour_at(view: View, seat: str | None) -> str | None:
    return view.players[view.seats.index(seat)] if seat in view.seats else None


def throw_event(
    seen: ThrowSeen,
    player: str | None = None,
    lost: Sequence[str] = (),
    *,
    in_doubt: bool = False,
    hidden: Collection[str] = (),
) -> Event:
    """The `throw` of events.md#throws; `lost` dice are out of view: outside, or deep in a hole.

    `in_doubt`: a die in view has no sure colour, so it may be a lost one. `hidden` dice may lie on the field
    where nobody sees them: face and zone are not known.
    """
    dice = [telling.die(die) for die in seen.dice]
    for colour in lost:
        doubt = ["colour"] * in_doubt + ["face", "line"] * (colour in hidden)
        unsure = {"doubt": doubt} if doubt else {}
        dice.append({"colour": colour, "face": None, "where": "outside", "touches": []} | unsure)
    threw = {} if player is None else {"player": player}
    return Event("throw", {"t": round(seen.t, 3), **threw, "dice": dice, "source": "camera"})
