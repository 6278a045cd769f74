"""The marked places for dice: looked at whenever a hand was there and has gone."""

from __future__ import annotations

from collections.abc import Callable

from vision.dice import SpotReading
from vision.geometry import Registration
from vision.layout import Layout
from vision.motion import Mask, grow
from vision.scene import Scene
from vision.sightings import DieDown, DieGone, Picture, Sighting

ReadDice = Callable[[Picture, Registration, Layout], list[SpotReading]]

_REST_S = 0.1


class Spots:
    """All spots of one table and what was read on each last."""

    def __init__(self, layout: Layout, scene: Scene, read: ReadDice) -> None:
        self._layout, self._read = layout, read
        self._places: dict[str, Mask] = {}
        self._last: dict[str, tuple[str | None, int | None] | None] = {s.name: None for s in layout.spots}
        self._stirred_t: dict[str, float] = dict.fromkeys(self._last, -1.0)
        self.move(scene)

    def move(self, scene: Scene) -> None:
        """The table lies elsewhere in the picture now."""
        for spot in self._layout.spots:
            x, y = spot.center_mm
            h = spot.size_mm / 2
            square = [(x - h, y - h), (x + h, y - h), (x + h, y + h), (x - h, y + h)]
            # A die stands up from its spot and leans outwards in the picture.
            self._places[spot.name] = grow(scene.coarse.fill(square))

    @property
    def waiting(self) -> bool:
        """Whether a spot stirred and was not read since."""
        return bool(self._stirred_t)

    def watch(self, picture: Picture, scene: Scene, t: float) -> list[Sighting]:
        """Read the spots that stirred and are quiet now."""
        ready = []
        for name, place in self._places.items():
            if (scene.moving & place).any() or (scene.hands.mask & place).any():
                self._stirred_t[name] = t
            elif name in self._stirred_t and t - self._stirred_t[name] > _REST_S:
                del self._stirred_t[name]
                ready.append(name)
        return self._look(picture, scene, t, ready) if ready else []

    def _look(self, picture: Picture, scene: Scene, t: float, names: list[str]) -> list[Sighting]:
        out: list[Sighting] = []
        readings = {r.spot: r for r in self._read(picture, scene.registration, self._layout)}
        for name in names:
            reading, before = readings.get(name), self._last[name]
            now = None if reading is None else (reading.colour, reading.value)
            if now == before:
                continue
            self._last[name] = now
            if reading is not None:
                out.append(
                    DieDown(
                        t,
                        reading.colour,
                        reading.value,
                        name,
                        reading.center_mm,
                        reading.confidence,
                        reading.candidates,
                    )
                )
            elif before is not None:
                out.append(DieGone(t, before[0], name))
        return out
