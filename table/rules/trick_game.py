"""What `tricks.TrickRound` asks of a trick game; whatever a game need not answer has a default here."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Self

from table.rules.contracts import Contract, Play, Trick
from table.rules.events import Event
from table.rules.sayings import Saying

DealtHands = tuple[tuple[str, ...], ...]
"""Card names in seat order: only the engine knows them."""


class TrickGame:
    """Contracts, what happens, what the engine may do: a game's round overrides what it needs."""

    seats: tuple[str, ...]
    hand_size: int
    number: int
    """Number of the round in its game, from 1."""

    def contract(self) -> Contract:
        """Return the contract that says what cards mean at this moment."""
        raise NotImplementedError

    def possible_contracts(self) -> tuple[Contract, ...]:
        """Return the possible contracts where a declaration is missing (G-I9); none if `contract` is sure."""
        return ()

    refuted = False
    """Whether this round's supposition about a declaration that nobody heard turned out to be wrong."""

    words_missing = False
    """Whether, before the first card, somebody answered a word that nobody reported: not all is known."""

    def suppositions(self) -> tuple[Self, ...]:
        """Return copies of the round, before its first card, with what may have been declared unheard."""
        return ()

    def unheard(self) -> tuple[tuple[str, ...], ...]:
        """Return the words that a player may have declared before the first card but nobody reported."""
        return ()

    def exempt(self, seat: int) -> bool:
        """Return whether a seat is free of its duties in the current trick (G-05)."""
        return False

    def first_card(self, event: int) -> None:
        """Handle the first card of the round: check what should have been declared before it."""

    def card_shows(self, seat: int, card: int, event: int) -> None:
        """Handle a card that a seat surely held and shows for the first time; it is not in the trick yet."""

    def lead_falls(self, play: Play) -> None:
        """Handle a lead."""

    def trick_falls(self, trick: Trick) -> None:
        """Handle a complete trick; the winner is known."""

    def settle(self) -> None:
        """Handle the last trick being complete."""

    def say(self, event: Event) -> None:
        """Handle something said."""

    def die(self, event: Event) -> None:
        """Handle a die that was seen."""

    def touch(self, seat: int, event: int, took: bool) -> None:
        """Handle a hand that touched, or `took`, a complete trick that still lay there."""

    def calls(self, hands: DealtHands) -> tuple[tuple[str, Event], ...]:
        """Return who may declare what before cards are played, as (seat, event); `hands` in seat order."""
        return ()

    def offers(self, hands: DealtHands) -> tuple[Event, ...]:
        """Return what the seat whose card is awaited may say before it, but need not."""
        return ()

    def may_say(self, seat: int) -> Iterable[Saying]:
        """Return what a seat might say now, as far as everybody knows, and until when."""
        return ()

    def passed(self, hands: DealtHands, move: Event) -> DealtHands:
        """Return the hands after a move (already folded) by which cards change hands without being played."""
        return hands

    def deal(self, cards: Sequence[str]) -> tuple[DealtHands, tuple[str, ...]]:
        """Deal a shuffled pack: the hands in seat order, and what nobody gets. Only the engine deals."""
        size = self.hand_size
        hands = tuple(tuple(cards[at * size : (at + 1) * size]) for at in range(len(self.seats)))
        return hands, tuple(cards[len(hands) * size :])

    def in_pile(self, seat: int, name: str) -> bool:
        """Return whether a card lies open in the rest pile, so that a seat cannot play it (J-I10)."""
        return False

    def outcome(self) -> tuple[bool, tuple[str, ...]] | None:
        """Return (game over, winners) where that depends on who was first; None where the totals decide."""
        return None

    def chores(self) -> tuple[Event, ...]:
        """Return what tidy players do with their hands after the last card, as table events."""
        return ()
