"""Cards that lie squarely on others: no outline shows them, only another print where a hand was.

Where a hand was over a known card and has gone, the place is read again. Light falls on a card as a gain
that varies slowly (see `photometry`), so the card that was there explains the new picture as well as its own;
only a face that explains it better, and beyond doubt, is a new card. Change is no criterion, because lamps
change a picture, too.
"""

from __future__ import annotations

from dataclasses import dataclass

from vision.cards.found import FoundCard
from vision.cards.parameters import MAT_CARD
from vision.frame import Frame
from vision.imgproc.change_detection import grow
from vision.mat.card_search import CardSearch
from vision.mat.card_tracker import CardTracker
from vision.mat.overlap_parameters import OVERLAP
from vision.mat.parameters import CARD_SEARCH
from vision.mat.scene import MatScene
from vision.mat.tracked_card import TrackedCard


@dataclass(slots=True)
class _Visit:
    """When a hand was last over a card, and what was read there since: which name, how often, when.

    `by_hand`: the hand was over the card itself, not only over one that overlaps it.
    `vain`: how often no reading was believed; each time the wait until the next one doubles.
    `likeness`: of the last reading that was believed. `unseen`: nobody saw what happened over the card.
    """

    hand_t: float
    by_hand: bool = True
    name: str | None = None
    times: int = 0
    read_t: float = -1.0
    vain: int = 0
    likeness: float = 0.0
    unseen: bool = False


class OverlapReader:
    """The known cards that a hand was over, until their places have been read again."""

    def __init__(self) -> None:
        self._visits: dict[int, _Visit] = {}

    @property
    def waiting(self) -> bool:
        """Whether a place has still to be read."""
        return bool(self._visits)

    def note_hands(self, tracker: CardTracker, scene: MatScene, t: float) -> None:
        """Remember which cards a hand covers now."""
        known = {card.key for card in tracker.cards}
        self._visits = {key: visit for key, visit in self._visits.items() if key in known}
        if not scene.hands.now:
            return
        for card in tracker.cards:
            if (scene.hands.mask & card.visible).sum() > OVERLAP.over * max(1, card.visible.sum()):
                self._visits[card.key] = _Visit(t)

    def recall(self, tracker: CardTracker, t: float) -> None:
        """Visit every card after a time without sight: another may have been laid squarely on it."""
        self._visits = {card.key: _Visit(t, unseen=True) for card in tracker.cards}

    def find(
        self, tracker: CardTracker, searcher: CardSearch, scene: MatScene, frame: Frame, t: float
    ) -> list[tuple[FoundCard, bool]]:
        """The cards laid squarely on others and now free of hands, each with whether it came unseen."""
        if not self._visits:
            return []
        ripe: list[tuple[TrackedCard, FoundCard]] = []
        covered = grow(scene.hands.mask)
        for card in list(tracker.cards):
            visit = self._visits.get(card.key)
            if visit is None or t - visit.read_t < OVERLAP.every_s * 2**visit.vain:
                continue
            if _decided(card, tracker, visit.hand_t):
                del self._visits[card.key]
                continue
            if (covered & card.place).any() or (scene.moving & card.place).any():
                continue
            first, visit.read_t = visit.read_t < 0, t
            there = searcher.still_there(frame.picture, card.found, card.visible)
            if first and visit.by_hand:
                self._note_neighbours(card, visit.hand_t, tracker, scene, there)
            if there:
                del self._visits[card.key]
                continue
            found = searcher.in_place(frame.picture, t, card.found, covered)
            verdict = _judge(card, found, visit, searcher, scene)
            if verdict is False:
                del self._visits[card.key]
            visit.vain += found is None or not found.sure
            if verdict and found is not None:
                ripe.append((card, found))
        laid = [(card, found) for card, found in ripe if not self._covered(card, tracker)]
        return [(found, self._visits.pop(card.key).unseen) for card, found in laid]

    def _note_neighbours(
        self, card: TrackedCard, hand_t: float, tracker: CardTracker, scene: MatScene, there: bool
    ) -> None:
        """Visit the neighbours as well: fingers may miss the card beneath, and what came covers them.

        Where the card itself is still `there`, only neighbours that look different now are visited.
        """
        for other in tracker.cards:
            if other is card or not (other.place & card.place).any():
                continue
            if not there or scene.altered(scene.settled, other.visible) >= CARD_SEARCH.least_altered:
                self._visits.setdefault(other.key, _Visit(hand_t, by_hand=False))

    def _covered(self, card: TrackedCard, tracker: CardTracker) -> bool:
        """Whether a likelier new card lies, or seems to lie, on a card that overlaps this one.

        White paper over a pip of an eight turns it into a seven before anybody knows that a card lies there.
        """
        mine = self._visits[card.key]
        for other in tracker.cards:
            visit = self._visits.get(other.key, mine)
            likelier = visit.name is not None and visit.likeness > mine.likeness
            if likelier and (other.place & card.place).any():
                return True
        return False


def _decided(card: TrackedCard, tracker: CardTracker, hand_t: float) -> bool:
    """Whether there is nothing to read: the card left, shows too little, or the card laid on it was found."""
    if card.gone_t is not None or card.visible.sum() < OVERLAP.shown * card.place.sum():
        return True
    return any(
        other.t >= hand_t and (other.place & card.place).any() for other in tracker.cards if other is not card
    )


def _squarely(card: TrackedCard, scene: MatScene) -> bool:
    """Whether the card is whole and hardly anything beside it has changed."""
    beside = grow(card.place, OVERLAP.beside) & ~grow(card.place)
    return bool((card.visible == card.place).all() and (scene.changed & beside).sum() < OVERLAP.few)


def lies_on(found: FoundCard, card: TrackedCard, searcher: CardSearch) -> bool:
    """Whether another card was found in the place of a known one; a sure face must be so beyond doubt."""
    liker = searcher.another(found, card.found)
    if not found.sure:
        return liker >= 0.0
    whole = found.reading.likeness >= OVERLAP.whole * card.found.reading.likeness
    return liker >= MAT_CARD.sure_margin and (whole or liker >= OVERLAP.far_liker)


def _judge(
    card: TrackedCard, found: FoundCard | None, visit: _Visit, searcher: CardSearch, scene: MatScene
) -> bool | None:
    """Whether another card lies on this one now; None while that is undecided."""
    if found is not None and found.reading.name == card.found.reading.name:
        return False
    rest_s = visit.read_t - visit.hand_t
    if found is not None and (found.sure or found.doubtful):
        if found.reading.name != visit.name:
            visit.name, visit.times = found.reading.name, 0
        visit.times += 1
        visit.likeness = found.reading.likeness
        ripe = found.sure or (rest_s > OVERLAP.doubt_s and _squarely(card, scene))
        if ripe and visit.times >= OVERLAP.agreeing and lies_on(found, card, searcher):
            return True
    return False if rest_s > OVERLAP.give_up_s else None
