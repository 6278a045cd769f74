"""The marked places for dice: read whenever a hand was there and has gone.

A spot is printed, and print may look like a die when a shadow or noise falls on it. So a die on an empty spot
is believed only when the spot itself has changed, whatever the lamps did; a die that seems to be there from
the start is believed only when it is read alike several times. In bad light a known die may fail to be read:
it has not gone and has not changed while its spot looks as it did. Nor has it gone at once where the spot
looks neither taken nor empty: a dark sleeve that passes for a shadow may hang over it, and without a hand the
picture is only blurred. Nor is something larger a die, like the printed back of a pile that lies half over
a spot.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from vision.arrays import Mask
from vision.dice.reading import SpotReading
from vision.frame import Frame
from vision.geometry import Registration
from vision.imgproc.change_detection import COARSE_MM, Coarse, grow, pieces
from vision.layout import Layout
from vision.mat.scene import MatScene
from vision.mat.spot_parameters import DICE_SPOT
from vision.sightings import DieDown, DieGone, Picture, Sighting

ReadDice = Callable[[Picture, Registration, Layout], list[SpotReading]]
SpotFace = tuple[str | None, int | None] | None
"""Colour and value of the die on a spot; None = the spot is empty."""


class DiceSpots:
    """All spots of one table and the last reading of each."""

    def __init__(self, layout: Layout, scene: MatScene, read: ReadDice) -> None:
        self._layout, self._read = layout, read
        self._places: dict[str, Mask] = {}
        self._around: dict[str, Mask] = {}
        self._last: dict[str, SpotFace] = {s.name: None for s in layout.spots}
        self._stirred_t: dict[str, float] = dict.fromkeys(self._last, -1.0)
        self._empty: dict[str, Coarse] = {}
        self._taken: dict[str, Coarse] = {}
        self._bare: dict[str, Coarse] = {}
        """How each spot with a die looked before the die came."""
        self._doubts: dict[str, tuple[SpotFace, int]] = {}
        self._known: set[str] = set()
        """Spots that were read once, empty or not: what comes there later was not there at the start."""
        self._unseen: set[str] = set()
        """Spots where nobody saw the last change."""
        self._touched: set[str] = set()
        """Spots that a hand was over since they were last read."""
        self.move(scene)

    def move(self, scene: MatScene) -> None:
        """Read every spot again: the table now lies elsewhere in the picture."""
        for spot in self._layout.spots:
            self._stirred_t.setdefault(spot.name, -1.0)
        self._empty.clear()
        self._taken.clear()
        self._bare.clear()
        for spot in self._layout.spots:
            x, y = spot.center_mm
            h = spot.size_mm / 2
            square = [(x - h, y - h), (x + h, y - h), (x + h, y + h), (x - h, y + h)]
            # A die stands up from its spot and leans outwards in the picture.
            self._places[spot.name] = place = grow(scene.coarse.fill(square))
            self._around[spot.name] = grow(place, DICE_SPOT.beside) & ~place

    def recall(self, t: float) -> None:
        """Read every spot again after a time without sight: what changed there changed unseen."""
        self._doubts.clear()
        self._unseen = set(self._places)
        self._stirred_t = dict.fromkeys(self._places, t)

    @property
    def asks(self) -> bool:
        """Whether a spot where something may have happened unseen is still undecided."""
        return any(name in self._stirred_t for name in self._unseen)

    @property
    def waiting(self) -> bool:
        """Whether a spot has stirred and has not been read since."""
        return bool(self._stirred_t)

    def watch(self, frame: Frame, scene: MatScene, t: float, cards: Mask) -> list[Sighting]:
        """Read the spots that stirred and are quiet now; `cards` is where known cards lie."""
        ready = []
        for name, place in self._places.items():
            if (scene.moving & place).any() or (scene.hands.mask & place).any():
                self._stirred_t[name] = t
                self._doubts.pop(name, None)
                if (scene.hands.mask & place).any():
                    self._unseen.discard(name)
                    self._touched.add(name)
            elif name in self._stirred_t and t - self._stirred_t[name] > DICE_SPOT.rest_s:
                del self._stirred_t[name]
                if not self._is_empty_still(name, scene):
                    ready.append(name)
        return self._look(frame, scene, t, ready, cards) if ready else []

    def _is_larger(self, name: str, scene: MatScene, cards: Mask) -> bool:
        """Whether what came to a spot reaches far beyond it: the back of a pile, a box, a glass."""
        place = self._places[name]
        beyond = sum(
            int((piece & ~place).sum())
            for piece, *_ in pieces(scene.changed & ~cards)
            if (piece & place).any()
        )
        return beyond > DICE_SPOT.larger * int(place.sum())

    def _stirs_beside(self, name: str, scene: MatScene, cards: Mask) -> bool:
        """Whether something beside a spot may be a hand, though no hand is known to be over the spot."""
        news = (scene.changed & ~cards) | scene.moving | scene.hands.mask
        return bool((news & self._around[name]).any())

    def _is_empty_still(self, name: str, scene: MatScene) -> bool:
        """Whether an empty spot looks unchanged: then no die has come, whatever its print looks like."""
        if name not in self._empty or self._altered(self._empty[name], name, scene):
            return False
        self._empty[name] = scene.light  # lamps drift
        return True

    def _altered(self, before: Coarse, name: str, scene: MatScene) -> bool:
        """Whether a die may have come or gone since the spot looked as in `before`."""
        place = self._places[name]
        share = DICE_SPOT.changed_mm2 / (COARSE_MM**2 * max(1, int(place.sum())))
        return scene.altered(before, place) >= share

    def _look(self, frame: Frame, scene: MatScene, t: float, names: list[str], cards: Mask) -> list[Sighting]:
        """Read the named spots; return what came there and what went."""
        out: list[Sighting] = []
        few = replace(self._layout, spots=tuple(s for s in self._layout.spots if s.name in names))
        readings = {r.spot: r for r in self._read(frame.picture, scene.registration, few)}
        for name in names:
            reading = readings.get(name)
            if reading is not None and name in self._empty and self._is_larger(name, scene, cards):
                reading = None
            if self._believes(name, reading, scene, t, cards):
                out += self._note(name, reading, scene, t)
        return out

    def _believes(
        self, name: str, reading: SpotReading | None, scene: MatScene, t: float, cards: Mask
    ) -> bool:
        """Whether a reading (None: no die) is believed. If not, the spot is read again soon."""
        now, before = _face(reading), self._last[name]
        if now != before and before is not None:
            under = self._is_larger(name, scene, cards)
            if under and not self._count_reading(name, now, t, DICE_SPOT.agreeing_under):
                return False  # what shows may be the part that a hand at rest leaves uncovered
            if self._is_known_still(name, now, scene, t):
                return False
            beside = _is_turned(now, before) and self._stirs_beside(name, scene, cards)
            if beside and not self._count_reading(name, now, t, DICE_SPOT.agreeing_beside):
                return False
        if before is not None:
            return reading is not None or self._is_gone(name, scene, t)
        # Where no die stood, one reading is not enough for a die that was not seen to come, nor for an empty
        # spot that no longer looks empty (the hand may still hold the die, or hide it).
        if (reading is None) == (name in self._empty):
            return self._count_reading(name, now, t)
        return True

    def _note(self, name: str, reading: SpotReading | None, scene: MatScene, t: float) -> list[Sighting]:
        """Remember how a spot that was read looks, and return what came there or went."""
        now, before = _face(reading), self._last[name]
        at_start = before is None and name not in self._known
        self._known.add(name)
        if reading is not None:
            if name in self._empty:
                self._bare[name] = self._empty.pop(name)
            self._taken[name] = scene.light
        elif before is not None or name not in self._empty:  # otherwise an unread die may stand there
            self._empty[name] = scene.light
        self._doubts.pop(name, None)
        self._touched.discard(name)
        unseen = name in self._unseen
        self._unseen.discard(name)
        self._last[name] = now
        if now == before:
            return []
        if reading is None:
            return [DieGone(t, before[0], name)] if before is not None else []
        return [
            DieDown(
                t,
                reading.colour,
                reading.value,
                name,
                reading.center_mm,
                reading.confidence,
                reading.candidates,
                at_start=at_start,
                after_gap=unseen and not at_start,
            )
        ]

    def _is_known_still(self, name: str, now: SpotFace, scene: MatScene, t: float) -> bool:
        """Whether the die that stood on a spot is still there, though it is not read or is read differently.

        Different pips alone change little of a spot, so they are believed only after several readings.
        """
        before = self._last[name]
        if name not in self._taken or self._altered(self._taken[name], name, scene):
            return _may_be(now, before) and not self._count_reading(name, now, t)
        if now is None or (before is not None and now[0] != before[0]):
            return True
        return not self._count_reading(name, now, t)

    def _is_gone(self, name: str, scene: MatScene, t: float) -> bool:
        """Whether the die that stood on a spot, and cannot be read there, has gone.

        Without a hand it is still there, however long a blurred picture does not show it, until its spot
        looks as it did without the die. With a hand it may have gone; if the spot was seen empty before and
        looks different now, that takes more readings to believe.
        """
        if self._looks_bare(name, scene):
            return True
        least = DICE_SPOT.agreeing_unclear if name in self._bare else DICE_SPOT.agreeing
        return name in (self._touched | self._unseen) and self._count_reading(name, None, t, least)

    def _looks_bare(self, name: str, scene: MatScene) -> bool:
        """Whether a spot looks as it did before a die stood there."""
        return name in self._bare and not self._altered(self._bare[name], name, scene)

    def _count_reading(self, name: str, now: SpotFace, t: float, least: int | None = None) -> bool:
        """Count a reading of a spot that nobody was seen to change; whether enough in a row were alike.

        If not, the spot is read again soon.
        """
        before, times = self._doubts.get(name, (now, 0))
        times = times + 1 if before == now else 1
        self._doubts[name] = (now, times)
        agrees = times >= (DICE_SPOT.agreeing if least is None else least)
        if not agrees:
            self._stirred_t[name] = t + DICE_SPOT.again_s
        return agrees


def _face(reading: SpotReading | None) -> SpotFace:
    """Colour and value that were read on a spot."""
    return None if reading is None else (reading.colour, reading.value)


def _is_turned(now: SpotFace, before: SpotFace) -> bool:
    """Whether both readings are of the same die with different pips."""
    return now is not None and before is not None and now[0] == before[0] and now[1] != before[1]


def _may_be(now: SpotFace, before: SpotFace) -> bool:
    """Whether a partial reading may be the die that was there, in light that is coming back."""
    if now is None or before is None or None not in now:
        return False
    return all(read in (None, known) for read, known in zip(now, before, strict=True))
