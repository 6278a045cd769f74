"""Cards laid before any stationary camera: no table, no seats, positions in pixels.

Whenever a region comes to rest, the picture is read like a photograph (`look_cards_px`) and compared with the
known cards; where something moves, the known cards are kept. A card is reported unless a card of its name has
vanished elsewhere: then it only moved. If all cards moved alike, the camera did.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from vision.cards.deck import Deck
from vision.cards.look_px import CardOutlined, look_cards_px, shared
from vision.cards.parameters import FACE
from vision.cards.recognition import FACE_PX
from vision.geometry import flatten_px
from vision.sightings import CardDown, Picture, SightBack, SightLost
from vision.untagged.rest import RegionRest
from vision.untagged.sight import Unregistered

_SAME_PLACE = 0.5
"""Share of the smaller of two outlines that lies in the other, above which they are one place."""
_COVERED = 0.1
"""Share of a card's area above which another card covers it."""
_SHIFT = 0.3
"""Least shift of all cards for the camera to have moved, and most by which shifts may differ; as a share of a
card's side."""


@dataclass(slots=True)
class _Lying:
    name: str | None
    corners_px: NDArray[np.float64]


class LaidCards:
    """Follows the cards before one camera. Pure: the caller passes pictures and times, in order."""

    def __init__(self, deck: Deck) -> None:
        self._deck = deck
        self._rest = RegionRest()
        self._lying: list[_Lying] | None = None
        self._keys = 0
        self._sight, self._gap = Unregistered(), False

    def see(self, picture: Picture, t: float) -> list[CardDown | SightLost | SightBack]:
        """Take in one frame (h, w, 3) BGR; return cards that came to rest since the last still picture.

        `corners_mm` of a `CardDown` are pixels here, x right and y down. Nothing is learnt from a picture
        that does not show the table; a card that lies there only afterwards came unseen (`after_gap`).
        """
        glance = self._sight.see(picture, t)
        if glance.back is not None:
            self._rest, self._gap = RegionRest(), True
        cards = self._look(picture, t) if glance.seen else []
        return [*glance.news, *cards]

    def _look(self, picture: Picture, t: float) -> list[CardDown]:
        """The new cards of a frame in which the table is seen."""
        rest = self._rest.reached(picture, t)
        if rest is None:
            return []
        seen = [card for card in look_cards_px(picture, self._deck) if _is_card(card)]
        seen = [card for card in seen if rest.holds(card.corners_px)]
        before, at_start = self._lying or [], self._lying is None
        news, known = _match(seen, before, [old for old in before if rest.holds(old.corners_px)])
        if _camera_moved(seen, before):
            news = []
        # Cards under a new card still lie there; so do those that a hand or a glint hides for a moment.
        # After a gap the camera may point elsewhere for a while.
        gap, self._gap = self._gap, False
        hidden = [
            old
            for old in before
            if id(old) not in known and (gap or _covered(old, seen) or not rest.holds(old.corners_px))
        ]
        self._lying = hidden + [_Lying(c.reading.name if c.sure else None, c.corners_px) for c in seen]
        return [replace(self._down(picture, card, t, at_start), after_gap=gap) for card in news]

    def _down(self, picture: Picture, card: CardOutlined, t: float, at_start: bool) -> CardDown:
        self._keys += 1
        a, b, c, d = ((float(x), float(y)) for x, y in card.corners_px)
        crop = flatten_px(picture, card.corners_px, FACE_PX)
        guesses = card.reading.guesses
        return CardDown(t, self._keys, guesses, card.sure, (a, b, c, d), None, None, crop, at_start)


def _is_card(card: CardOutlined) -> bool:
    """Whether an outline is a card: a beer mat has one, too, so an unsure reading must resemble some face."""
    return card.sure or card.reading.likeness >= FACE.doubt_likeness


def _match(
    seen: list[CardOutlined], before: list[_Lying], resting: list[_Lying]
) -> tuple[list[CardOutlined], set[int]]:
    """Cards that did not lie there before, and the old ones that were found again (by `id`).

    Cards are matched by place first, then by name: a card that slid has left its old place empty. Only cards
    in `resting` can be matched by name, since an arm that moves may hide the place of the others.
    """
    known: set[int] = set()
    news = []
    for card in seen:
        places = [old for old in before if id(old) not in known and _same_place(card, old)]
        # An unsure reading at the place of a known card is the same card, and vice versa.
        same = [old for old in places if not card.sure or old.name in (None, card.reading.name)]
        if same:
            known.add(id(same[0]))
        else:
            news.append(card)
    fresh = []
    for card in news:
        slid = [
            old for old in resting if card.sure and old.name == card.reading.name and id(old) not in known
        ]
        slid = [old for old in slid if not _covered(old, [c for c in seen if c is not card])]
        if slid:
            known.add(id(slid[0]))
        else:
            fresh.append(card)
    return fresh, known


def _same_place(card: CardOutlined, old: _Lying) -> bool:
    return shared(card.corners_px, old.corners_px) > _SAME_PLACE


def _covered(old: _Lying, seen: list[CardOutlined]) -> bool:
    return any(shared(old.corners_px, card.corners_px) > _COVERED for card in seen)


def _camera_moved(seen: list[CardOutlined], before: list[_Lying]) -> bool:
    """Whether all known cards (two or more) moved by the same shift."""
    steps = [
        card.corners_px.mean(axis=0) - old.corners_px.mean(axis=0)
        for old in before
        for card in seen
        if old.name is not None and card.sure and card.reading.name == old.name
    ]
    if len(steps) < 2:
        return False
    middle = np.median(steps, axis=0)
    size = float(np.linalg.norm(before[0].corners_px[1] - before[0].corners_px[0]))
    alike = all(float(np.linalg.norm(step - middle)) < _SHIFT * size for step in steps)
    return alike and float(np.linalg.norm(middle)) > _SHIFT * size
