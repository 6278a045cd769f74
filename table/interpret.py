"""What a sighting means in the current game: sightings and the view in, table events out.

The only place where the eye and the rules meet. The rules only break ties: of two cards that look alike, one
that is no longer in the game is ruled out, and where a place and a hand name different seats, the seat whose
turn it is played. Such an event says so in its `"reason"`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from table import telling
from table.between import BetweenRounds, between_rounds
from table.croupier import Croupier, throw_event
from table.looks import Looks
from table.rules.events import Event
from table.rules.view import Played, View
from table.seat_of_card import seat_of_card
from table.spot_dice import SpotDice
from table.taken_up import TakenUp
from table.ties import weigh
from table.told_cards import ToldCard, ToldCards, instead, of_one_trick, taking_back
from table.unseen import asked
from vision.layout import Layout
from vision.sightings import (
    CardDown,
    CardsGone,
    CardsTouched,
    CardWithdrawn,
    DieDown,
    DieGone,
    HandSeen,
    LightPoor,
    SightBack,
    Sighting,
    SightLost,
    ThrowSeen,
)


class Interpreter:
    """Turns sightings into table events, one at a time; `view` is the game before the sighting."""

    def __init__(self, layout: Layout) -> None:
        self._seats = layout.seats
        self._box = layout.kind == "field"
        self._croupier = Croupier()
        self._between = BetweenRounds()
        self._looks = Looks()
        self._spot_dice = SpotDice()
        self._laid = ToldCards()
        self._taken_up = TakenUp()
        self._collected: tuple[int, ...] = ()
        self._fresh: set[int] = set()
        """Keys of the cards reported since a trick was last taken."""
        self._half_gone: tuple[int, ...] = ()
        """Event ids of a trick that lost cards while the eye was blind, or to a hand that took other seats'
        cards; the rest of it lies there or may be hidden."""
        self._half_taken_by: str | None = None
        """Seat of the hand that took those cards; None where it went unseen."""
        self._lost: SightLost | None = None
        self._unseen_start = False
        """Whether it was reported that the game may have begun before this eye looked."""

    def hear(self, sighting: Sighting, view: View) -> list[Event]:
        """The events that one sighting stands for; empty when it means nothing in the game."""
        if view.game is not None and _untouched(view):
            self._forget()
        self._looks.follow(view)
        match sighting:
            case HandSeen():
                self._taken_up.reach(sighting)
                return [_event("hand", t=sighting.t, seat=sighting.seat, until=sighting.until)]
            case CardDown():
                return self._card(sighting, view)
            case CardWithdrawn():
                return self._withdrawn(sighting, view)
            case CardsGone():
                return self._gone(sighting, view)
            case CardsTouched():
                return self._touched(sighting, view)
            case DieDown():
                return self._spot_dice.down(sighting, view)
            case DieGone():
                self._spot_dice.gone(sighting)
                return []
            case ThrowSeen():
                return self._croupier.hear(sighting, view) if self._box else [_plain_dice(sighting)]
            case LightPoor():
                return [_event("too-dark", t=sighting.t, why=sighting.why)]
            case SightLost():
                self._lost = sighting
                return []
            case SightBack():
                self._lost = None
                self._taken_up.blind(sighting.t)
                gap = _event("blind", t=sighting.since, until=sighting.t, why=sighting.why)
                self._looks.blind(gap)
                return [gap]
            case _:
                return []

    def _forget(self) -> None:
        """Forget what lies on the table: nothing was played in this game, so it belongs to another."""
        self._laid.clear()
        self._taken_up = TakenUp()
        self._fresh.clear()
        self._collected, self._half_gone, self._half_taken_by = (), (), None
        self._looks = Looks()

    def written(self, event: Event, number: int, game: int) -> None:
        """Note that an event returned by `hear` is now line `number` of this game."""
        self._laid.written(event, number, game)

    def close(self) -> list[Event]:
        """The last events, once no further sighting will come: a `blind` if sight never came back."""
        lost, self._lost = self._lost, None
        return [] if lost is None else [_event("blind", t=lost.since, why=lost.why)]

    # --- cards ----------------------------------------------------------------------------------------

    def _card(self, seen: CardDown, view: View) -> list[Event]:
        if seen.at_start and not self._next_after_a_cut(seen, view):
            return self._begun_unseen(seen, view)
        if not seen.at_start and self._written_before(seen, view):
            return []
        event = self._as_played(seen, view)
        if between_rounds(view, event):
            first = self._told(self._between.lay(seen.key, event, view))
            if first:
                self._laid.pop(self._between.taken)
            return first
        early = self._between.release() if view.perhaps_over_t is not None else {}
        self._between.forget()
        if self._looks.lay(seen, event, view):
            return self._told(early)
        if (of := self._taken_up.changed(event, view, self._laid)) is not None:
            right = event.having(inferred=True)
            self._laid.tell(seen.key, right, of)
            return [*self._told(early), instead(of, right)]
        held = self._looks.proven(event, view)
        event = self._looks.perhaps(event, view, self._laid)
        self._fresh.add(seen.key)
        taken = self._taken_unseen(seen, event, view)
        return [*self._told(early), *taken, *self._told(held | {seen.key: event})]

    def _as_played(self, seen: CardDown, view: View) -> Event:
        """The `card` or `unsure` event for a card that was laid, if it was played."""
        seat, seat_reason, guessed = seat_of_card(seen, view, self._seats)
        lying = {play.card for play in view.last_trick if self._laid.lies(play)}
        won = self._looks.won_by(seen.hand or seen.zone or seat) - lying
        sure, guesses, reason = weigh(seen.guesses, seen.sure, view, won)
        name = guesses[0] if sure else None
        twin = self._seen_anew(seen, name.name, view) if name else None
        twin_reason = f"may be the card of {twin} that lies there" if twin else ""
        return _event(
            "card" if name else "unsure",
            t=seen.t,
            seat=seat,
            card=name and name.name,
            candidates=telling.candidates(guesses) if name is None else None,
            confidence=name and telling.number(name.confidence, 3),
            source="camera",
            corners=[[telling.number(x, 1), telling.number(y, 1)] for x, y in seen.corners_mm],
            reason="; ".join(text for text in (seat_reason, reason, twin_reason) if text) or None,
            after_gap=seen.after_gap or None,
            inferred=guessed or twin is not None or None,
        )

    def _seen_anew(self, seen: CardDown, name: str, view: View) -> str | None:
        """The seat whose card of this trick this may be, seen a second time; such a card proves nothing.

        It may be where the deck has no further card of that name, or where it lies before the seat that
        played that card and another seat's hand was over it.
        """
        last = view.seen.get(name, 0) >= view.pack.get(name, 0)
        for play in view.trick or view.last_trick:
            there = play.card == name and self._laid.lies(play)
            if there and (last or (play.seat == seen.zone and seen.hand not in (None, seen.zone))):
                return play.seat
        return None

    def _told(self, cards: Mapping[int, Event]) -> list[Event]:
        """Note that these cards (by the eye's keys) lie on the table; return their events."""
        for key, event in cards.items():
            self._laid.tell(key, event)
        return [*cards.values()]

    def _taken_unseen(self, seen: CardDown, event: Event, view: View) -> list[Event]:
        """Report that a trick was taken: part of it had gone, and a seat that played to it or leads plays."""
        plays = tuple(play.event for play in view.trick or view.last_trick)
        if not self._half_gone or self._half_gone != plays or plays == self._collected:
            return []
        hidden = self._taken_up.hidden
        pushed = {play.card for play in view.trick if any(card.is_play(play) for card in hidden)}
        if event.kind != "card" or event.get("inferred") or event.card in pushed:
            return []  # it may be the missing card itself, seen again
        seat = event.seat
        if view.trick and seat not in {play.seat for play in view.trick}:
            return []
        self._taken_up.hidden = []
        self._half_gone, self._collected, self._fresh = (), plays, {seen.key}
        taker, self._half_taken_by = self._half_taken_by, None
        seat = taker if taker == seat else None  # whoever took the trick leads
        return [_event("collected", t=seen.t, seat=seat, source="camera", after_gap=taker is None or None)]

    def _next_after_a_cut(self, seen: CardDown, view: View) -> bool:
        """Whether a card that lay there from the start was played but never written down.

        Cards of the trick that the journal knows are matched with their lines, so that collecting them is
        recognised. Of the others only the card that the game waits for can have fallen while the table was
        off.
        """
        name = seen.guesses[0].name
        known = self._not_yet_seen(name, view.trick or view.last_trick)
        if known:
            self._laid.know(seen.key, min(known, key=lambda play: play.seat != seen.zone), seen.t)
            return False
        fresh = view.seen.get(name, 0) < view.pack.get(name, 0)
        return bool(view.seen) and fresh and view.turn is not None and seen.zone == view.turn

    def _begun_unseen(self, seen: CardDown, view: View) -> list[Event]:
        """Report that tricks may have been missed: a card of the game lay there, unknown to the journal.

        It may also be left over from another game, so nothing counts as played, and who leads stays open.
        """
        known = view.game is None or not seen.sure or any(view.seen.values())
        if known or self._unseen_start or seen.guesses[0].name not in view.pack:
            return []
        self._unseen_start = True
        return [_event("blind", until=seen.t, why="gone")]

    def _written_before(self, seen: CardDown, view: View) -> bool:
        """Whether this is a card known to the journal that was hidden, lifted or pushed and is back.

        A seat plays one card to a trick, so the same card at the same seat is that card.
        """
        play = self._taken_up.again(seen, view)
        if play is not None and not self._taken_up.hidden:
            self._half_gone, self._half_taken_by = (), None
        if play is None and seen.sure:
            there = self._not_yet_seen(seen.guesses[0].name, view.trick)
            play = next((each for each in there if each.seat == seen.zone), None)
        if play is None:
            return False
        self._laid.know(seen.key, play, seen.t)
        return True

    def _not_yet_seen(self, name: str, trick: Sequence[Played]) -> list[Played]:
        """The cards of that name in a trick that this eye does not see."""
        return [play for play in trick if play.card == name and not self._laid.lies(play)]

    def _withdrawn(self, seen: CardWithdrawn, view: View) -> list[Event]:
        self._between.take((seen.key,), view)
        self._looks.take((seen.key,))
        for card in self._laid.pop((seen.key,)):
            if card.event is None:  # the journal knew it before this eye did
                return self._went(CardsGone(seen.t, (seen.key,), card.seat), [card], view)
            of = card.number or _standing(view, card)
            return [] if of is None else [taking_back(of, seen.t)]
        return []

    def _gone(self, seen: CardsGone, view: View) -> list[Event]:
        self._between.take(seen.keys, view)
        self._looks.take(seen.keys)
        known = self._laid.pop(seen.keys)
        return self._went(seen, known, view) if known else []

    def _went(self, seen: CardsGone, known: Sequence[ToldCard], view: View) -> list[Event]:
        if (back := self._taken_up.went(seen, known, view, self._laid)) is not None:
            self._fresh -= {*seen.keys}
            return back
        complete = bool(view.last_trick) and not view.trick
        nobody = seen.hand is None and not (complete and seen.may_be)
        if nobody and not seen.after_gap:
            return []
        # Nobody takes half of an unfinished trick away: a card of it that seems gone is hidden or was pushed.
        trick = [card for card in known if card.is_one_of(view.trick)]
        if trick and self._laid.any_of(view.trick):
            self._taken_up.hidden += trick
            theirs = {card.seat for card in trick} - {seen.hand, None}
            gone = seen.after_gap or (seen.hand is not None and theirs)
            self._half_gone = tuple(play.event for play in view.trick) if gone else ()
            self._half_taken_by = None if seen.after_gap else seen.hand
            return []
        if seen.after_gap and view.trick and not trick:
            return []  # the next trick was already reported
        last = [card for card in known if card.is_one_of(view.last_trick)]
        part = complete and bool(last)
        if (part or (seen.hand is None and not trick)) and self._laid.any_of(view.last_trick):
            if seen.after_gap or part:  # a hand is over the rest; it will show whose trick this is
                self._taken_up.hidden += last
                self._half_gone = tuple(play.event for play in view.last_trick)
                self._half_taken_by = None if seen.after_gap else seen.hand
            return []
        # A trick is collected once, even if one of its cards is pulled away later than the others.
        plays = of_one_trick(known, view.trick, view.last_trick)
        if not plays and self._laid.any_of(view.trick or view.last_trick):
            return []  # cards of an older trick: a newer one lies there
        pulled = {play.event for play in plays if any(card.is_play(play) for card in known)}
        # Cards reported since that are in no trick are doubts; they were taken all the same.
        again = not self._fresh & {*seen.keys} and (
            pulled <= {*self._collected} if pulled else not self._fresh
        )
        if view.game is not None and again:
            return []
        self._fresh, self._taken_up.hidden = set(), []
        self._collected = tuple(play.event for play in plays or view.trick or view.last_trick)
        self._looks.taken(plays or view.trick, view)
        unseen = seen.after_gap or None
        # If it is unclear whose hand it was, name the winner if it may have been his; otherwise nobody.
        seat = seen.hand
        other = self._half_taken_by if self._half_gone == self._collected else None
        if seat is None or seen.after_gap or other not in (None, seat):
            may_be = {*(seen.may_be if seat is None else (seat,)), other}
            seat = view.last_winner if complete and view.last_winner in may_be else None
        return [_event("collected", t=seen.t, seat=seat, source="camera", after_gap=unseen)]

    def _touched(self, seen: CardsTouched, view: View) -> list[Event]:
        """The `touch` of a hand on a complete trick; on an incomplete one it is none (events.md#hands)."""
        complete = bool(view.last_trick) and not view.trick
        if not complete or not self._laid.holds(seen.keys) or seen.hand is None:
            return []
        return [_event("touch", t=seen.t, seat=seen.hand, source="camera")]


def _untouched(view: View) -> bool:
    """Whether no card of a game has been seen."""
    played = view.trick or view.last_trick or view.turned or any(view.seen.values())
    return view.round <= 1 and not played


def _plain_dice(seen: ThrowSeen) -> Event:
    """A throw of dice that belong to nobody."""
    event, unseen = throw_event(seen), {k for k, die in enumerate(seen.dice) if die.unseen}
    return asked(event, unseen) if unseen else event


def _standing(view: View, card: ToldCard) -> int | None:
    """Event id of a card in the open trick, or in the last one between tricks; None if it is not there."""
    plays = (*view.last_trick, *view.trick) if not view.trick else view.trick
    return next((play.event for play in reversed(plays) if card.is_play(play)), None)


def _event(kind: str, **fields: Any) -> Event:
    """An event without its empty fields; times rounded to three decimals."""
    said = {
        name: telling.number(value, 3) if name in ("t", "until") else value
        for name, value in fields.items()
        if value is not None or name == "event"
    }
    return Event(kind, said)
