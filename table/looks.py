"""Distinguishes looks from plays: in a look the owner of a won trick turns up its cards during the round.

Every copy of such a card has been played, and one of them is in a trick won by the seat before which it lies
now. The seat that leads may look before it leads, so the turn alone proves nothing: a card that it turned up
is a play only if it stays and the next seat plays to it.

The cards of a trick that fell while the eye was blind are unknown. A card laid out of turn afterwards may be
the next lead, or a look at that trick: it is reported as a guess.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from table.rules.courses import unseen_in
from table.rules.events import Event
from table.rules.view import Played, View
from table.told_cards import ToldCards
from vision.sightings import CardDown

_PERHAPS_A_LOOK = "may be a look at a trick that fell unseen"


@dataclass(frozen=True, slots=True)
class _Look:
    """The event that a turned-up card would be as a play, and the seat whose tricks are looked at."""

    event: Event
    owner: str


class Looks:
    """The cards of old tricks that now lie face up, by the eye's keys."""

    def __init__(self) -> None:
        self._round = 0
        self._won: dict[str, set[str]] = {}
        """The seats that won a copy of each card in this round."""
        self._open_taken: set[int] = set()
        """Event ids of a trick that was taken before the rules knew all its cards."""
        self._lying: dict[int, _Look] = {}
        self._unseen = 0
        """Number of cards that may have fallen while the eye was blind, since the last play in turn."""

    def blind(self, gap: Event) -> None:
        """Note that nothing was seen for the time of a `blind`."""
        self._unseen += unseen_in(gap)

    def perhaps(self, event: Event, view: View, laid: ToldCards) -> Event:
        """The play of a card; marked as a guess where it may be a look at a trick that fell unseen."""
        if event.get("seat") == view.turn:
            self._unseen = 0
        lacking = len(view.seats) - len(view.trick)
        if not 0 < lacking <= self._unseen or laid.surely_any_of(view.trick or view.last_trick):
            return event  # no trick can have been played and taken meanwhile
        reason = "; ".join(text for text in (event.get("reason"), _PERHAPS_A_LOOK) if text)
        return event.having(inferred=True, reason=reason)

    def follow(self, view: View) -> None:
        """Remember who won which cards; forget them when a new round begins."""
        if view.round != self._round:
            self._round, self._won, self._lying = view.round, {}, {}
            self._open_taken = set()
        if view.last_winner is not None:
            self._keep(view.last_trick, {view.last_winner})

    def won_by(self, seat: str | None) -> set[str]:
        """The names of the cards that a seat has won in this round."""
        return {name for name, owners in self._won.items() if seat in owners}

    def taken(self, trick: Sequence[Played], view: View) -> None:
        """Note that a trick was taken. If one of its cards was missed, any seat may have won it."""
        if trick and trick == view.trick:
            self._open_taken = {play.event for play in trick}
            self._keep(trick, {*view.seats})

    def _keep(self, trick: Sequence[Played], owners: set[str]) -> None:
        for play in trick:
            if play.card is not None:
                self._won.setdefault(play.card, set()).update(owners)

    def lay(self, seen: CardDown, event: Event, view: View) -> bool:
        """Whether a card that was laid is only looked at; `event` is its event as a play."""
        owner = seen.hand or seen.zone or event.get("seat")
        if owner is None:
            return False
        told = seen.sure or event.kind == "unsure"  # otherwise the game has broken the tie
        look = told and bool(seen.guesses) and self._is_old(seen.guesses[0].name, owner, view)
        if not (look or seen.sure):  # perhaps half hidden beside another card that is looked at
            look = any(one.owner == owner for one in self._lying.values())
        if look:
            self._lying[seen.key] = _Look(event, owner)
        return look

    def proven(self, event: Event, view: View) -> dict[int, Event]:
        """The play, by its key, that was taken for a look: it still lies there, and the next seat played."""
        owed = {key: look for key, look in self._lying.items() if look.owner == view.turn}
        if event.get("seat") == view.turn:
            self.take(owed)  # he plays: what he turned up was a look
        elif len(owed) == 1 and _follows(event, view):
            ((key, look),) = owed.items()
            del self._lying[key]
            return {key: look.event.having(t=event.fields["t"])}
        return {}

    def take(self, keys: Iterable[int]) -> None:
        """Note that these cards were turned down or are gone again."""
        for key in [*keys]:
            self._lying.pop(key, None)

    def _is_old(self, name: str, owner: str, view: View) -> bool:
        """Whether every copy of a card has been played and one is in a trick that `owner` won."""
        if any(play.card == name and play.event not in self._open_taken for play in view.trick):
            return False
        known = view.pack.get(name, 0)
        return 0 < known <= view.seen.get(name, 0) and owner in self._won.get(name, ())


def _follows(event: Event, view: View) -> bool:
    """Whether the seat of an event is the one after the seat whose turn it is."""
    if view.turn not in view.seats:
        return False
    after = view.seats[(view.seats.index(view.turn) + 1) % len(view.seats)]
    return bool(event.get("seat") == after)
