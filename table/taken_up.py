"""A card that its player takes up again, and the one that he lays in its place.

The eye itself withdraws a card that goes at once. A card that lay for a while and then goes alone, by the
hand of its own player, while the rest of its trick stays, is taken back all the same: nobody collects a
single card of an unfinished trick. A card to which others have played keeps its line until its replacement is
clear.
"""

from __future__ import annotations

from collections.abc import Sequence

from table.rules.events import Event
from table.rules.view import Played, View
from table.ties import NEAR_EQUAL
from table.told_cards import ToldCard, ToldCards, of_one_trick, taking_back
from vision.sightings import CardDown, CardsGone, HandSeen

_FEW = 2
"""Number of other cards of a trick, still there, from which on its winner did not just leave them behind."""


class TakenUp:
    """The cards of a trick that no longer lie there, though nobody took the trick."""

    def __init__(self) -> None:
        self.hidden: list[ToldCard] = []
        """Cards lifted, pushed or covered; their lines still hold."""
        self._reached: dict[str, float] = {}
        """When each seat's hand was last over the table (s)."""
        self._blind_t = float("-inf")
        """Until when nothing was seen (s)."""

    def reach(self, hand: HandSeen) -> None:
        """Note that a hand was over the table; the eye may have missed what it laid."""
        if hand.seat is not None:
            self._reached[hand.seat] = hand.until

    def blind(self, t: float) -> None:
        """Note that nothing was seen until now."""
        self._blind_t = t

    def went(
        self, seen: CardsGone, cards: Sequence[ToldCard], view: View, laid: ToldCards
    ) -> list[Event] | None:
        """The lines that take these cards back; None where their player did not take them up.

        `cards` are the cards that went; `laid` no longer has them.
        """
        for card in cards:
            card.follow((*view.last_trick, *view.trick))
        if not _by_their_player(seen, cards, view):
            return None
        trick = of_one_trick(cards, view.trick, view.last_trick)
        if not trick:
            return self._beside(seen, cards, view, laid)
        if not laid.all_of(trick, [*(card for card in self.hidden if card.up == "hand"), *cards]):
            return None
        judge = self._of_open if trick == view.trick else _of_whole
        surely = judge(seen, cards, view, laid)
        if surely is None:
            return None
        for card in cards:
            card.up = "whose" if seen.hand is None else "hand"
        self.hidden += [card for card in cards if card.is_one_of(trick)]
        if not surely:
            return []
        beside = [card.number for card in cards if not card.is_one_of(trick)]
        void = [taking_back(number, seen.t) for number in beside if number is not None]
        return [*void, *self._take_back(trick, view, seen.t)]

    def again(self, seen: CardDown, view: View) -> Played | None:
        """The play whose card was lifted or pushed and lies there again; None if this is another card."""
        names = [guess.name for guess in seen.guesses if seen.sure or guess.confidence >= NEAR_EQUAL]
        for card in self.hidden:
            for play in (*view.trick, *view.last_trick):
                if not card.is_play(play) or play.card not in (names[:1] if seen.sure else names):
                    continue
                there = (seen.zone or seen.hand) == play.seat
                only = 0 < view.pack.get(play.card, 0) <= view.seen.get(play.card, 0)
                if (there or only) if seen.sure else (there and not card.up):
                    self.hidden.remove(card)
                    return play
        return None

    def changed(self, event: Event, view: View, laid: ToldCards) -> int | None:
        """The line whose card the player took up to lay this one instead; None if he took up none."""
        for card in self.hidden:
            trick = of_one_trick((card,), view.trick, view.last_trick)
            if not card.up or card.seat != event.get("seat") or not trick:
                continue
            few = sum(laid.lies(play) for play in trick) < _FEW
            leads = card.seat == view.last_winner and not card.is_play(trick[-1])
            if trick != view.trick and (few or leads):
                continue  # he took the trick, or is about to, and this is his lead
            self.hidden.remove(card)
            return next(play.event for play in trick if card.is_play(play))
        return None

    def _of_open(
        self, seen: CardsGone, cards: Sequence[ToldCard], view: View, laid: ToldCards
    ) -> bool | None:
        """Whether cards of an open trick were surely taken back; None if the trick may have been collected.

        The eye may have missed the cards played to a lead that lies alone: all of them while it was blind, or
        those of the seats whose hands it saw.
        """
        since = min(card.t for card in cards)
        alone = not laid.any_of(view.trick)
        if alone and self._blind_t > since:
            return None
        hands = [seat for seat, t in self._reached.items() if t > since and seat != cards[0].seat]
        played_to = alone and len(hands) >= len(view.last_trick or view.seats) - 1
        return seen.hand is not None and not played_to

    def _beside(
        self, seen: CardsGone, cards: Sequence[ToldCard], view: View, laid: ToldCards
    ) -> list[Event] | None:
        """Take back what a seat laid in addition to its card that counts; None if these are other cards."""
        trick = view.trick or view.last_trick
        own = [play for play in trick if play.seat == cards[0].seat and laid.lies(play)]
        numbers = [card.number for card in cards if card.number is not None and own]
        if len(numbers) < len(cards) or min(numbers) < trick[0].event:
            return None
        return [] if seen.hand is None else [taking_back(number, seen.t) for number in numbers]

    def _take_back(self, trick: Sequence[Played], view: View, t: float) -> list[Event]:
        """Take back the taken-up cards that nobody has played to: those laid last, or out of turn."""
        lines: list[Event] = []
        last = True
        for at, play in reversed([*enumerate(trick)]):
            card = next((card for card in self.hidden if card.up == "hand" and card.is_play(play)), None)
            if card is not None and (last or not _in_turn(trick, at, view)):
                lines.append(taking_back(play.event, t))
                self.hidden.remove(card)
            else:
                last = False
        return lines


def _by_their_player(seen: CardsGone, cards: Sequence[ToldCard], view: View) -> bool:
    """Whether one seat's cards went in view of the eye during a round, by its own hand or an unknown one."""
    seats = {card.seat for card in cards}
    may_be = {*(seen.may_be or seats)} if seen.hand is None else {seen.hand}
    over = view.phase in ("settled", "finished")
    return len(seats) == 1 and seats <= may_be - {None} and not (seen.after_gap or over)


def _of_whole(seen: CardsGone, cards: Sequence[ToldCard], view: View, laid: ToldCards) -> bool | None:
    """Whether cards of a whole trick were surely taken back; None if they may have been collected as won.

    For the winner it is sure only once he has led to the next trick.
    """
    seat, others = cards[0].seat, sum(laid.lies(play) for play in view.last_trick)
    led = {play.seat for play in view.trick} - {seat}
    if not others or led:
        return None
    if seen.hand is not None and view.last_winner not in (None, seat):
        return True
    return bool(view.trick) if others >= _FEW else None


def _in_turn(trick: Sequence[Played], at: int, view: View) -> bool:
    """Whether a card of a trick fell in its player's turn, as far as that is known."""
    if trick != view.trick or trick[at].seat not in view.seats:
        return True
    if at == 0:
        return view.leader in (None, trick[0].seat)
    return any(play.seat == view.seats[view.seats.index(trick[at].seat) - 1] for play in trick[:at])
