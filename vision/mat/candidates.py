"""Islands of change that are no card yet: when each is searched, and which were searched in vain.

An island may be only a part of a card: skin over white cards passes for shade, so a hand is cut into pieces
and what it holds is seen piece by piece. So an unchanged island is searched again when its surroundings, as
far as a card reaches, have changed.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np

from vision.arrays import Mask
from vision.imgproc.change_detection import COARSE_MM, Coarse, closed, grow, pieces
from vision.mat.candidate_parameters import CANDIDATES
from vision.mat.card_tracker import CardTracker
from vision.mat.parameters import CARD_SEARCH
from vision.mat.scene import MatScene
from vision.mat.vain_searches import VainSearches


@dataclass(frozen=True, slots=True)
class _Around:
    """How an island and all within a card's reach of it looked: window of the coarse plan, its light."""

    window: tuple[slice, slice]
    light: Coarse

    def quiet(self, scene: MatScene) -> bool:
        """Whether nothing moves there."""
        return not scene.moving[self.window].any()

    def apart(self, scene: MatScene) -> int:
        """Number of cells that look different now."""
        other = np.abs(scene.light[(slice(None), *self.window)] - self.light).max(axis=0) > CANDIDATES.alike
        return int(other.sum())


class _Lain:
    """Since when each place has looked as it does now, whatever hands passed over it meanwhile."""

    def __init__(self, scene: MatScene, t: float) -> None:
        self._light = scene.light.copy()
        self._since_t = np.full(scene.changed.shape, t, np.float32)
        self._rests = np.zeros(scene.changed.shape, np.bool_)

    def note(self, scene: MatScene, t: float) -> None:
        """Take in a frame."""
        if not scene.changed.any():  # the usual case
            self._since_t[...], self._rests[...] = t, False
            return
        free = ~(scene.moving | grow(scene.hands.mask))
        self._rests = free & scene.changed
        other = free & ~(scene.changed & scene.unrest.alike(scene.light, self._light))
        self._since_t[other] = t
        np.copyto(self._light, scene.light, where=other)

    def long(self, t: float) -> Mask:
        """Where something strange has rested for longer than it takes to be absorbed."""
        return np.asarray(self._rests & (t - self._since_t > CANDIDATES.absorb_s))


@dataclass(slots=True, eq=False)
class Pending:
    """An island that is no card yet: since when it is quiet, when and how often it was searched.

    `ripe_t`: when a card that was found but not believed is searched for once more. `brought`: which hand was
    over a card of that name when it was first found; other hands may come while the eye still waits.
    """

    since_t: float
    mask: Mask
    tried_t: float = -1.0
    tries: int = 0
    ripe_t: float = np.inf
    brought: dict[str | None, int | None] = field(default_factory=dict)
    around: _Around | None = None


class Candidates:
    """All pending islands of one table."""

    def __init__(self, card_mm: tuple[float, float]) -> None:
        self.now: list[Pending] = []
        self._whole = card_mm[0] * card_mm[1] / COARSE_MM**2
        self._reach = round(float(np.hypot(*card_mm)) / COARSE_MM)
        self._vain: list[tuple[Mask, _Around]] = []
        self._lain: _Lain | None = None
        self._vain_searches: VainSearches | None = None

    def forget(self) -> None:
        """Forget islands and searches: the table was found anew elsewhere in the picture."""
        self.now, self._vain, self._lain, self._vain_searches = [], [], None, None

    def note_strange(self, scene: MatScene, t: float) -> None:
        """Update since when each place has looked as it does in this frame, where no hand is over it."""
        if self._lain is None:
            self._lain = _Lain(scene, t)
        self._lain.note(scene, t)

    def lain(self, t: float) -> Mask:
        """Where something strange has lain too long to be a card that a hand is bringing.

        A glass just put down is not yet part of the settled table when a card is laid against it.
        """
        assert self._lain is not None
        return self._lain.long(t)

    def due(
        self, tracker: CardTracker, scene: MatScene, free: Mask, t: float
    ) -> Iterator[tuple[Pending, bool]]:
        """The islands of quiet change (`free` of hands) to search now; whether known cards lie there."""
        cards = grow(tracker.places(free.shape))
        stir = self._whole * CANDIDATES.least_island
        least = self._whole * CARD_SEARCH.least_ink_change if scene.mat.pale else stir
        faintest = max(least, 0.0 if scene.mat.pale else self._whole * CARD_SEARCH.least_faint_change)
        still: list[Pending] = []
        before, self.now = self.now, still
        known = self._searched_in_vain(scene)
        ink_searched = False  # one faint island a frame: a mat that flickers must not stall the eye
        for mask, size in _islands(free, tracker, least, scene.mat.pale):
            pending = next((p for p in before if (p.mask & mask).any()), None)
            if pending is None or self._grew(pending.mask, mask, size):
                pending = Pending(t, mask)
            pending.mask = mask
            still.append(pending)
            if (scene.moving & grow(mask)).sum() > CANDIDATES.most_moving:
                pending.since_t, pending.tried_t, pending.tries, pending.ripe_t = t, t, 0, np.inf
                continue
            # On the bare mat a new card changes its whole place; on other cards, or on a mat of its own
            # colour, it may change little of it.
            on_cards = bool((cards & mask).any())
            faint = not on_cards and size < self._whole * CANDIDATES.least_bare
            if size < least or (faint and (ink_searched or size < faintest)):
                continue
            around = pending.around
            if around and pending.tries and around.quiet(scene) and around.apart(scene) > stir:
                pending.tries = 0
            waits = (
                pending.tries >= CANDIDATES.tries
                or t - pending.tried_t < CANDIDATES.retry_s * 2**pending.tries
            )
            ripe = t >= pending.ripe_t
            if not ripe and (waits or self._sways(mask, t)):
                continue
            # An island searched in vain and unchanged since need not be searched again.
            if not pending.tries and (mask & ~known).sum() < least:
                continue
            ink_searched |= faint
            pending.tries, pending.tried_t, pending.ripe_t = pending.tries + 1, t, np.inf
            pending.around = self._around(mask, scene)
            yield pending, on_cards

    def _grew(self, before: Mask, mask: Mask, size: int) -> bool:
        """Whether an island is now a different one: a card laid beside it is newer than the island."""
        joined = int((mask & ~before).sum())
        return bool(size > CANDIDATES.grew * before.sum() or joined > CANDIDATES.least_bare * self._whole)

    def _sways(self, mask: Mask, t: float) -> bool:
        """Whether a place may be skipped: something moves there again and again, most probably the same."""
        return self._searches(mask).waits(mask, CANDIDATES.least_bare * self._whole, t)

    def note_searched(self, pending: Pending, found: bool, t: float) -> None:
        """Note that an island was searched; `found`: it holds what is or may be a card."""
        searches = self._searches(pending.mask)
        if found:
            searches.note_found(pending.mask)
        else:
            searches.note_vain(pending.mask, t)

    def _searches(self, mask: Mask) -> VainSearches:
        if self._vain_searches is None:
            self._vain_searches = VainSearches((mask.shape[0], mask.shape[1]))
        return self._vain_searches

    def note_vain(self, pending: Pending) -> None:
        """Remember how an island without a card looked, and its surroundings."""
        if pending.around is not None:
            self._vain.append((pending.mask, pending.around))

    def long_quiet(self, t: float) -> list[Pending]:
        """The islands that have been quiet long enough to be absorbed."""
        return [p for p in self.now if t - p.since_t > CANDIDATES.absorb_s]

    def absorb(self, scene: MatScene, t: float) -> None:
        """Make the islands that have been quiet long enough part of the settled table."""
        for pending in self.long_quiet(t):
            scene.settle(grow(pending.mask))
            self.now.remove(pending)

    def _searched_in_vain(self, scene: MatScene) -> Mask:
        """Where no card was found and nothing has changed since, the surroundings included."""
        least = self._whole * CANDIDATES.least_island
        self._vain = [(mask, around) for mask, around in self._vain if around.apart(scene) <= least]
        known = np.zeros_like(scene.changed)
        for mask, _ in self._vain:
            known |= mask
        return known

    def _around(self, mask: Mask, scene: MatScene) -> _Around:
        """How the table looks now within the reach of a card that lies in an island."""
        rows, columns = (np.flatnonzero(mask.any(axis=axis)) for axis in (1, 0))
        window = (
            slice(max(0, int(rows[0]) - self._reach), int(rows[-1]) + self._reach + 1),
            slice(max(0, int(columns[0]) - self._reach), int(columns[-1]) + self._reach + 1),
        )
        return _Around(window, scene.light[(slice(None), *window)].copy())


def _islands(free: Mask, tracker: CardTracker, least: float, pale: bool) -> list[tuple[Mask, int]]:
    """The pieces of quiet change, largest first: (mask, pixels).

    On a mat as `pale` as paper only a card's ink shows, so pieces that lie near each other are joined.

    A card that lies nearly as the one beneath it shows only as slivers round that one and as print: pieces
    smaller than `least` pixels that touch the same known card are joined.
    """
    if pale:
        parts = [mask & free for mask, _, _ in pieces(grow(free, CANDIDATES.ink_apart))]
        islands = [(mask, int(mask.sum())) for mask in parts]
    else:
        islands = [(mask, size) for mask, size, _ in pieces(closed(free))]
    small = [(mask, size) for mask, size in islands if size < least]
    if len(small) < 2:
        return islands
    islands = [(mask, size) for mask, size in islands if size >= least]
    for card in reversed(tracker.cards):
        place = grow(card.place)
        near = [(mask, size) for mask, size in small if (mask & place).any()]
        if sum(size for _, size in near) >= least:
            together = np.logical_or.reduce([mask for mask, _ in near])
            islands.append((together, sum(size for _, size in near)))
            small = [piece for piece in small if not (piece[0] & together).any()]
    return sorted(islands + small, key=lambda island: -island[1])
