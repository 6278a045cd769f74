"""The cards that lie on the table, by the eye's keys, and the journal line of each."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from table import telling
from table.rules.events import Event
from table.rules.view import Played


@dataclass(slots=True)
class ToldCard:
    """One card as it was reported; `number` is its line in the journal, None until it is written."""

    seat: str | None
    card: str | None
    t: float
    number: int | None = None
    event: Event | None = None
    """The event that reported it; None where the journal knew it before this eye did."""
    up: str | None = None
    """Set if the card was taken up while its line still holds: "hand" = by its player's hand, "whose" = by
    an unknown one."""

    def is_play(self, play: Played) -> bool:
        """Whether this is that card of a trick, even if people have corrected its name and seat since."""
        if self.number is not None:
            return play.event == self.number
        return (play.seat, play.card) == (self.seat, self.card)

    def follow(self, plays: Iterable[Played]) -> None:
        """Take over seat and name as the game now has them."""
        for play in plays:
            if self.is_play(play):
                self.seat, self.card = play.seat, play.card

    def is_one_of(self, plays: Iterable[Played]) -> bool:
        """Whether it is a card of this trick."""
        return any(self.is_play(play) for play in plays)


class ToldCards:
    """The cards that lie on the table, by key."""

    def __init__(self) -> None:
        self._lying: dict[int, ToldCard] = {}
        self._game: int | None = None

    def clear(self) -> None:
        """Forget all cards: none belongs to this game."""
        self._lying.clear()

    def tell(self, key: int, event: Event, number: int | None = None) -> None:
        """Note that the card lies there and is reported now, in place of line `number` if that is given."""
        card = ToldCard(event.get("seat"), event.get("card"), _t(event), number, event)
        self._lying[key] = card

    def know(self, key: int, play: Played, t: float) -> None:
        """Note that the card lies there and that the journal already has it."""
        self._lying[key] = ToldCard(play.seat, play.card, t, play.event)

    def written(self, event: Event, number: int, game: int) -> None:
        """Note the line number of an event; when the game changes, drop the numbers of the old one."""
        if self._game not in (None, game):
            for card in self._lying.values():
                card.number = None
        self._game = game
        for card in self._lying.values():
            if card.event is event:
                card.number = number

    def pop(self, keys: Iterable[int]) -> list[ToldCard]:
        """Remove these cards, which no longer lie there; return those that were reported."""
        return [self._lying.pop(key) for key in keys if key in self._lying]

    def holds(self, keys: Iterable[int]) -> bool:
        """Whether one of these cards was reported and lies there."""
        return any(key in self._lying for key in keys)

    def lies(self, play: Played) -> bool:
        """Whether this card of a trick lies there."""
        return any(card.is_play(play) for card in self._lying.values())

    def any_of(self, trick: Iterable[Played]) -> bool:
        """Whether a card of a trick still lies there."""
        return any(self.lies(play) for play in trick)

    def surely_any_of(self, trick: Sequence[Played]) -> bool:
        """Whether a card of a trick lies there that was not inferred."""
        told = (card for card in self._lying.values() if card.is_one_of(trick))
        return any(card.event is None or not card.event.get("inferred") for card in told)

    def all_of(self, trick: Iterable[Played], but: Collection[ToldCard]) -> bool:
        """Whether every card of a trick lies there, except these (`but`)."""
        return all(self.lies(play) or any(card.is_play(play) for card in but) for play in trick)


def of_one_trick(cards: Sequence[ToldCard], *tricks: Sequence[Played]) -> Sequence[Played]:
    """The first of these tricks that one of the cards belongs to; empty where none does, as with doubts."""
    return next((trick for trick in tricks if any(card.is_one_of(trick) for card in cards)), ())


def taking_back(number: int, t: float) -> Event:
    """The line that takes back the card of line `number`."""
    return _correction(number, t, None)


def instead(number: int, event: Event) -> Event:
    """The line that replaces the card of line `number` by the one that fell now."""
    return _correction(number, _t(event), event)


def _correction(of: int, t: float, event: Event | None) -> Event:
    fields: dict[str, Any] = {"t": telling.number(t, 3), "of": of, "event": event, "source": "camera"}
    return Event("correction", fields)


def _t(event: Event) -> float:
    return float(event.fields["t"])
