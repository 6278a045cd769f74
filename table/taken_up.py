"""A card that its player takes up again, and the one that he lays in its place.

A card that goes at once is withdrawn by the eye itself. One that lay a while and then goes alone, by the hand
of its own player, while all else of its trick stays, is taken back no less: nobody takes a card of an
unfinished trick. What others have played to keeps its place until it is clear what lies there instead.
"""

from __future__ import annotations

from collections.abc import Sequence

from table.laid import LaidCard, LaidCards, of_one_trick, taking_back
from table.rules.events import Event
from table.rules.view import Played, View
from table.ties import NEAR_EQUAL
from vision.sightings import CardDown, CardsGone, HandSeen

_FEW = 2
"""So many other cards of a trick that still lie there were not just forgotten as its winner took it."""


class TakenUp:
    """The cards of a trick that lie there no more, though nobody took the trick."""

    def __init__(self) -> None:
        self.hidden: list[LaidCard] = []
        """Lifted, pushed or covered; their lines stand."""
        self._reached: dict[str, float] = {}
        """When each seat's hand was over the table last (s)."""
        self._blind_t = float("-inf")
        """Until when nothing was seen (s)."""

    def reach(self, hand: HandSeen) -> None:
        """A hand was over the table; what it laid there may have been missed."""
        if hand.seat is not None:
            self._reached[hand.seat] = hand.until

    def blind(self, t: float) -> None:
        """Nothing was seen until now."""
        self._blind_t = t

    def went(
        self, seen: CardsGone, cards: Sequence[LaidCard], view: View, laid: LaidCards
    ) -> list[Event] | None:
        """The lines that take these cards back; None where their player did not take them up.

        `cards` are those that went and lie in `laid` no more.
        """
        if not _by_their_player(seen, cards, view):
            return None
        trick = of_one_trick(cards, view.trick, view.last_trick)
        if not trick:
            return self._beside(seen, cards, view, laid)
        if not laid.all_of(trick, [*self.hidden, *cards]):
            return None
        surely = (
            self._of_open(seen, cards, view, laid)
            if trick == view.trick
            else _of_whole(seen, cards, view, laid)
        )
        if surely is None:
            return None
        for card in cards:
            card.up = "whose" if seen.hand is None else "hand"
        self.hidden += cards
        return self._take_back(trick, seen.t) if surely else []

    def again(self, seen: CardDown, view: View) -> Played | None:
        """The play whose card was lifted or pushed and lies there again; None where it is another card."""
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

    def changed(self, event: Event, view: View, laid: LaidCards) -> int | None:
        """The line whose card its player has taken up and laid this one for; None where he did not."""
        for card in self.hidden:
            trick = of_one_trick((card,), view.trick, view.last_trick)
            if not card.up or card.seat != event.get("seat") or not trick:
                continue
            if trick != view.trick and sum(laid.lies(play) for play in trick) < _FEW:
                continue  # he took the trick, and this is his lead
            self.hidden.remove(card)
            return next(play.event for play in trick if card.is_play(play))
        return None

    def _of_open(
        self, seen: CardsGone, cards: Sequence[LaidCard], view: View, laid: LaidCards
    ) -> bool | None:
        """Whether cards of an open trick were surely taken back; None where it may have been the trick.

        The eye may have missed all that was played to a lead which lies alone.
        """
        if not laid.any_of(view.trick):
            since = min(card.t for card in cards)
            hands = [seat for seat, t in self._reached.items() if t > since and seat != cards[0].seat]
            if self._blind_t > since or len(hands) >= len(view.last_trick or view.seats) - 1:
                return None
        return seen.hand is not None

    def _beside(
        self, seen: CardsGone, cards: Sequence[LaidCard], view: View, laid: LaidCards
    ) -> list[Event] | None:
        """Takes back what a seat laid beside its card that counts; None where these are other cards."""
        trick = view.trick or view.last_trick
        own = [play for play in trick if play.seat == cards[0].seat and laid.lies(play)]
        numbers = [card.number for card in cards if card.number is not None and own]
        if len(numbers) < len(cards) or min(numbers) < trick[0].event:
            return None
        return [] if seen.hand is None else [taking_back(number, seen.t) for number in numbers]

    def _take_back(self, trick: Sequence[Played], t: float) -> list[Event]:
        """What nobody has played to is void: the last cards of a trick that their players took up."""
        lines: list[Event] = []
        for play in reversed(trick):
            card = next((card for card in self.hidden if card.up == "hand" and card.is_play(play)), None)
            if card is None:
                break
            lines.append(taking_back(play.event, t))
            self.hidden.remove(card)
        return lines


def _by_their_player(seen: CardsGone, cards: Sequence[LaidCard], view: View) -> bool:
    """Whether one seat's cards went in sight while a round is on, by its hand or nobody knows whose."""
    seats = {card.seat for card in cards}
    may_be = {*(seen.may_be or seats)} if seen.hand is None else {seen.hand}
    over = view.phase in ("settled", "finished")
    return len(seats) == 1 and seats <= may_be - {None} and not (seen.after_gap or over)


def _of_whole(seen: CardsGone, cards: Sequence[LaidCard], view: View, laid: LaidCards) -> bool | None:
    """Whether cards of a whole trick were surely taken back; None where they may have been taken as won."""
    seat, others = cards[0].seat, sum(laid.lies(play) for play in view.last_trick)
    led = {play.seat for play in view.trick} - {seat}
    if seen.hand is None or not others or led:
        return None
    if view.last_winner not in (None, seat):
        return True
    return False if others >= _FEW and not view.trick else None
