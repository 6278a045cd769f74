"""`watch` without a table file: everything in pixels, no seats, no zones."""

from __future__ import annotations

from vision.cards.deck import Deck
from vision.sightings import Picture, Sighting
from vision.untagged.laid_cards import LaidCards
from vision.untagged.throws import Throws


class PixelEye:
    """Sees thrown dice in any film, or with a deck the cards laid down; a moving camera is not reported."""

    def __init__(self, deck: Deck | None = None) -> None:
        self._throws = Throws()
        self._cards = LaidCards(deck) if deck is not None else None

    def see(self, picture: Picture, t: float) -> list[Sighting]:
        """Take in one frame (h, w, 3) BGR at `t` seconds."""
        if self._cards is not None:  # with a deck only cards are read: pips on a card are not dice
            return list(self._cards.see(picture, t))
        return list(self._throws.see(picture, t))
