"""The cards on the table as the eye remembers them: what lies on what, what was moved, what left."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from vision.arrays import Mask
from vision.cards.found import FoundCard
from vision.imgproc.change_detection import Relit, grow, light_apart
from vision.mat.hand import Hand
from vision.mat.scene import MatScene
from vision.mat.scene_parameters import SCENE
from vision.mat.touches import Touches
from vision.mat.tracked_card import TrackedCard, way_and_turn
from vision.mat.tracker_parameters import CARD_TRACKER
from vision.mat.unseen import UnseenPlaces
from vision.sightings import CardsGone, CardsTouched, CardWithdrawn, Sighting


class CardTracker:
    """All cards that lie on one table, lowest first."""

    def __init__(self) -> None:
        self.cards: list[TrackedCard] = []
        self._count = 0
        self._touches = Touches()

    @property
    def waiting(self) -> bool:
        """Whether cards are on their way off the table."""
        return any(card.gone_t is not None for card in self.cards)

    def relight(self, relit: Relit) -> None:
        """Convert the remembered light to how light is compared from now on."""
        for card in self.cards:
            card.light = relit.of(card.light)

    def see_relit(self, relit: Relit, scene: MatScene, anew: Mask) -> None:
        """As `relight`; `anew` (h, w) is where the scene shows how a card looks now."""
        self.relight(relit)
        for card in self.cards:
            np.copyto(card.light, scene.light, where=anew)

    def places(self, shape: tuple[int, ...]) -> Mask:
        """Where cards lie."""
        mask = np.zeros(shape, np.bool_)
        for card in self.cards:
            mask |= card.place
        return mask

    def add(self, found: FoundCard, scene: MatScene, t: float, hand: int | None) -> TrackedCard:
        """Add a new card on top of everything, brought by the hand of that number."""
        place = scene.coarse.fill(found.corners_mm)
        seat = scene.hands.register.seat_of(hand) if hand is not None else None
        self._count += 1
        card = TrackedCard(self._count, t, found, place, place.copy(), hand, seat, scene.light)
        self._keep_beneath(card, t)
        self._on_top(card, scene)
        return card

    def _keep_beneath(self, card: TrackedCard, t: float) -> None:
        """Keep the cards beneath one as brown as the wood: it looked like bare table, but none has gone."""
        for other in self.cards:
            if other.gone_t is None or t - other.gone_t > CARD_TRACKER.at_once_s:
                continue
            spot = other.place & ~self._above(other)
            if (spot & card.place).sum() > CARD_TRACKER.mostly_there * spot.sum():
                other.stay()

    def recall(self, scene: MatScene) -> None:
        """Reopen what was undecided when sight was lost; the cards lie as they were laid.

        `scene` has gone back to before that time; cards that came later are added to it again.
        """
        self._touches.forget()
        for card in self.cards:
            card.stay()
            # Whether it still lies there is unknown until it, or what lies on it, is seen again.
            card.stirred |= bool(card.visible.sum() >= CARD_TRACKER.least_shown * card.place.sum())
            later = card.visible & (light_apart(card.light, scene.settled) > CARD_TRACKER.later)
            np.copyto(scene.settled, card.light, where=later)
        scene.light = scene.settled.copy()

    def under(self, found: FoundCard) -> TrackedCard | None:
        """The card in whose place this one was found."""
        for card in reversed(self.cards):
            way_mm, turn_deg = way_and_turn(card.found, found)
            if way_mm < CARD_TRACKER.same_place_mm and turn_deg < CARD_TRACKER.slide_deg:
                return card
        return None

    def follow_moved(self, found: FoundCard, scene: MatScene, by_name: bool = False) -> bool:
        """Move a known card that was found at another place; returns whether it was a known card.

        `by_name`: the name found is beyond doubt, so it cannot be a card of another name.
        """
        place = scene.coarse.fill(found.corners_mm)
        free = ~grow(scene.hands.mask)
        hand = scene.hands.over(place)
        second = hand is not None and any(card.hand == hand for card in self.cards)
        for card in reversed(self.cards):
            way_mm, turn_deg = way_and_turn(card.found, found)
            pushed = way_mm < CARD_TRACKER.slide_mm and turn_deg < CARD_TRACKER.slide_deg
            beneath = pushed and self._beneath(card, place & free, scene)
            known = card.found.reading
            if known.name != found.reading.name:
                if by_name or not self._may_be_misread(card, found, scene, second or beneath):
                    continue
                found = replace(found, reading=known)
            else:
                if self._is_swept(card) and not _is_nudged(way_mm, turn_deg):
                    continue  # of two cards of one name, one arrives while this one is taken with its trick
                gone = beneath or card.gone_t is not None
                if not (gone or self._has_left(card, found, scene, place)):
                    continue
                if known.likeness > found.reading.likeness:  # half covered now
                    found = replace(found, reading=known)
            card.found, card.gone_t, card.place, card.light = found, None, place, scene.light
            if beneath:
                self._look_from_above()
                scene.settle(grow(place))
            else:
                self._on_top(card, scene)
            return True
        return False

    def _may_be_misread(self, card: TrackedCard, found: FoundCard, scene: MatScene, known: bool) -> bool:
        """Whether what was found under another name may still be this card, pushed a little.

        Half covered, it may look like another card; but a hand brings one card and pushes the others.
        `known`: the hand over it has brought its card already, or what lies on this card lies as before.
        """
        both = min(card.found.reading.likeness, found.reading.likeness) > CARD_TRACKER.clear
        if both or (found.told_by_print and card.found.sure):
            return False  # both readings are beyond doubt: another card now lies on the first one
        way_mm, turn_deg = way_and_turn(card.found, found)
        little = way_mm < CARD_TRACKER.push_mm and turn_deg < CARD_TRACKER.push_deg
        return little and known and bool((scene.changed & card.place).any())

    def _is_swept(self, card: TrackedCard) -> bool:
        """Whether a card is leaving the table together with others: nobody pushes such a card."""
        return card.gone_t is not None and sum(other.gone_t is not None for other in self.cards) > 1

    def _has_left(self, card: TrackedCard, found: FoundCard, scene: MatScene, place: Mask) -> bool:
        """Whether this card was the one found at `place` and no longer lies where it lay.

        What a hand hides has not gone: of two cards of one name, the one found may be the new one.
        """
        free = ~grow(scene.hands.mask)
        changed = (scene.changed & card.visible & free).sum()
        left = changed > CARD_TRACKER.left * max(1, card.visible.sum())
        rest = card.visible & ~place & free
        there = rest.sum() >= CARD_TRACKER.least_rest and scene.unlike(card.light, rest) < CARD_TRACKER.stayed
        way_mm, turn_deg = way_and_turn(card.found, found)
        nudged = _is_nudged(way_mm, turn_deg)
        pushed = way_mm < CARD_TRACKER.slide_mm and turn_deg < CARD_TRACKER.slide_deg
        return bool(way_mm < CARD_TRACKER.same_place_mm or nudged or ((pushed or left) and not there))

    def _beneath(self, card: TrackedCard, place: Mask, scene: MatScene) -> bool:
        """Whether cards that came after this one lie unchanged over the place, so that this one only slid."""
        above = self._above(card) & place
        size = int(above.sum())
        return (
            size > CARD_TRACKER.least_rest
            and (scene.changed & above).sum() < CARD_TRACKER.above_changed * size
        )

    def _above(self, card: TrackedCard) -> Mask:
        """Where the cards lie that came after this one and are still there."""
        above = np.zeros_like(card.place)
        for other in self.cards[self.cards.index(card) + 1 :]:
            if other.gone_t is None:
                above |= other.place
        return above

    def _on_top(self, card: TrackedCard, scene: MatScene) -> None:
        self.cards = [other for other in self.cards if other is not card]
        self.cards.append(card)
        self._look_from_above()
        scene.settle(grow(card.place))

    def _look_from_above(self) -> None:
        for index, card in enumerate(self.cards):
            card.visible = card.place.copy()
            for above in self.cards[index + 1 :]:
                card.visible &= ~above.place

    # --- going ----------------------------------------------------------------------------------------

    def note_hands(self, scene: MatScene, t: float) -> None:
        """Remember on which cards each hand's fingers rest."""
        if self.cards:
            self._touches.note(self.cards, self.places(scene.changed.shape), scene.hands, t)

    def note_stirred(self, unseen: UnseenPlaces) -> None:
        """Note the cards whose places changed unseen, before a card reported there takes them over."""
        for card in self.cards:
            card.stirred |= unseen.holds(card.place)

    def note_gone(
        self, scene: MatScene, t: float, unseen: UnseenPlaces, hidden: Collection[int] = ()
    ) -> None:
        """Find cards in whose place the bare table shows again; what went `unseen` and handless has no taker.

        Nothing is decided about the cards with the keys `hidden`: something lies over them.
        """
        if not self.cards:
            return
        covered = grow(scene.hands.mask)
        elsewhere: Mask | None = None
        for card in reversed([card for card in self.cards if card.key not in hidden]):
            # A card under others cannot be taken without them: the little of it that shows may have slid.
            spot = card.place & ~self._above(card)
            size = spot.sum()
            if (
                size
                < (CARD_TRACKER.least_shown if card.gone_t is None else CARD_TRACKER.least_back)
                * card.place.sum()
            ):
                continue
            if (covered & spot).sum() > CARD_TRACKER.under_hand * size or (scene.moving & spot).any():
                continue
            if card.gone_t is not None:
                if (
                    scene.kept(card.light, spot) > CARD_TRACKER.back
                ):  # a hand as brown as the wood was over it
                    card.stay()
                continue
            if scene.kept(card.light, spot) > CARD_TRACKER.kept:
                card.stirred = False
                continue
            if elsewhere is None:
                elsewhere = scene.coarse.valid & ~(grow(self.places(covered.shape)) | covered)
            # On a mat as light as paper, a card that only slid shows as much ink as before.
            most = CARD_TRACKER.not_bare * (scene.telling(card.light, spot).sum() if scene.mat.pale else size)
            bare = _bare(scene, scene.lit(grow(card.place, CARD_TRACKER.around) & elsewhere), spot, most)
            if bare is not None:
                card.gone_t = t
                card.unseen = card.stirred or unseen.holds(card.place)
                card.takers = frozenset() if unseen.nobody(card.place) else scene.hands.register.lately(t)
                scene.clear(grow(card.place) & bare & ~covered)

    def part(self, gone_hands: list[Hand], scene: MatScene, t: float) -> list[Sighting]:
        """Return what the hands that left have taken with them or only touched."""
        out: list[Sighting] = []
        waiting = [card for card in self.cards if card.gone_t is not None]
        if unseen := [card for card in waiting if card.unseen and not card.takers]:
            out.append(self._take(unseen, scene, t))
            waiting = [card for card in waiting if card not in unseen]
        if waiting:
            takers = frozenset[int]().union(*(card.takers for card in waiting))
            present = {hand.number for hand in scene.hands.now}
            latest = max(card.gone_t for card in waiting if card.gone_t is not None)
            if not takers & present or t - latest > CARD_TRACKER.straggle_s:
                out.append(self._take(waiting, scene, t))
        for hand in gone_hands:
            keys = self._touches.end(hand.number)
            brought = any(card.hand == hand.number for card in self.cards)
            # A card that no longer looks like itself is covered, or went unseen: it was not touched.
            left = tuple(
                c.key for c in self.cards if c.key in keys and scene.unlike(c.light, c.visible) < 0.5
            )
            whole = not hand.parted and len(left) == len(keys)
            if keys and whole and not brought and not waiting:
                out.append(CardsTouched(t, left, hand.seat))
        return out

    def _take(self, cards: list[TrackedCard], scene: MatScene, t: float) -> Sighting:
        # The taker was there when every card went. Of several, it is the one over most of the places, not
        # counting places of cards that it laid itself. Hands that stay equal may all have taken them.
        votes: dict[int, float] = {}
        for card in cards:
            over = scene.hands.over(card.place)
            for number in card.takers:
                votes[number] = votes.get(number, 0.0) + 1.0 + 0.5 * (number == over != card.hand)
        most = max(votes.values(), default=0.0)
        hands = [number for number, vote in votes.items() if vote == most]
        went_t = [card.gone_t for card in cards if card.gone_t is not None] or [t]
        may = [scene.hands.register.seats_at(number, at) for number in hands for at in went_t]
        takers = tuple(dict.fromkeys(seat for seats in may for seat in seats))
        seat = takers[0] if len(takers) == 1 else None
        keys = {card.key for card in cards}
        self.cards = [card for card in self.cards if card.key not in keys]
        self._look_from_above()
        only = cards[0]
        if (
            len(cards) == 1
            and seat is not None
            and only.seat == seat
            and t - only.t < CARD_TRACKER.taken_back_s
        ):
            return CardWithdrawn(t, only.key)
        # If the taker cannot be distinguished from the others, the taking was not really seen either.
        unseen = any(card.unseen for card in cards) or (bool(hands) and not takers)
        may_be = takers if seat is None else ()
        return CardsGone(t, tuple(card.key for card in cards), seat, unseen, may_be)


def _is_nudged(way_mm: float, turn_deg: float) -> bool:
    """Whether a card has hardly moved."""
    return way_mm < CARD_TRACKER.nudge_mm and turn_deg < CARD_TRACKER.nudge_deg


def _bare(scene: MatScene, lit: NDArray[np.float32] | None, spot: Mask, most: float) -> Mask | None:
    """Where the empty table shows, if fewer than `most` cells of a spot show anything else; else None.

    The ground beside a card shows how the card is `lit` now. In a shadow, paper is as dark as the table was;
    under a beam, the table may look as it was or as it is lit now.
    """
    shaded = lit is not None and float(lit.mean()) < SCENE.shaded
    for gain in [lit] if shaded or lit is None else [None, lit]:
        bare = ~scene.not_bare(gain)
        if (spot & ~bare).sum() < most and scene.tint(spot, gain) < CARD_TRACKER.tinted:
            return bare
    return None
