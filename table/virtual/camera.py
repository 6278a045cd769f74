"""The virtual table as a camera: `read` gives the next frame and its time, like any other camera."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from table.printables import Drawing, MatPlan, draw_back, draw_mat, dubbe_deck, render
from table.rules.dubbe import DUBBE
from table.rules.game import Game
from table.virtual.stage import BACK, Motion, Stage
from vision.sightings import Picture
from vision.synthetic.scene import CardLying, Light, Scene, ViewPoint
from vision.synthetic.table import Flat, Painter

FPS = 15.0
_MAT_PX_PER_MM = 3.0
_CARD_PX_PER_MM = 4.0


def painter_for(
    plan: MatPlan, cards: Mapping[str, Drawing] | None = None, noise: float = 2.2, game: Game = DUBBE
) -> Painter:
    """A painter with this game's mat and deck as they are printed, under a camera that sees the whole mat.

    `cards` are the deck's faces by name; without them it is the Dubbe deck.
    """
    drawn = dubbe_deck() if cards is None else cards
    faces = {name: render(card, _CARD_PX_PER_MM) for name, card in drawn.items()}
    faces[BACK] = render(draw_back(), _CARD_PX_PER_MM)
    width, height = plan.layout.size_mm
    view = ViewPoint()
    # 3 % of rim on every side, as with a carefully mounted camera.
    f_px = min(view.size_px[0] / width, view.size_px[1] / height) * view.eye_mm[2] * 0.97
    return Painter(
        Flat(render(draw_mat(plan, game), _MAT_PX_PER_MM), plan.layout.size_mm),
        faces,
        ViewPoint(f_px=f_px),
        plan.layout.card_size_mm or (59.0, 91.0),
        noise,
    )


def stills(painter: Painter, names: list[str], rim_mm: float = 22.0) -> dict[str, Picture]:
    """One picture per card, alone on the mat, cut out with a rim: what a person takes to enrol a deck."""
    width, height = painter.card_mm
    corners = painter.to_px(
        [(-width / 2 - rim_mm, height / 2 + rim_mm), (width / 2 + rim_mm, -height / 2 - rim_mm)]
    )
    (x0, y0), (x1, y1) = corners.round().astype(int)
    pictures = {}
    for i, name in enumerate(names):
        pictures[name] = painter.render(Scene(cards=(CardLying(name, (0.0, 0.0)),)), i)[y0:y1, x0:x1]
    return pictures


class Draws(Protocol):
    """A `Painter`."""

    def render(self, scene: Scene, seed: int) -> Picture:
        """The frame of a scene."""


class DrawnHands(Protocol):
    """A `MatHands`, or the dice game's `BoxHands`."""

    def motions(self, deed: Any, stage: Stage) -> list[Motion]:
        """The motions of a deed."""


class Company(Protocol):
    """`Players`, or the dice game's `Throwers`."""

    def next(self) -> Sequence[Any]:
        """What is done next, as deeds that its hands know."""


@dataclass(frozen=True, slots=True)
class Pace:
    """How fast virtual time goes.

    `speed` is virtual seconds per real second: frames come faster by it, none is left out. `clock` tells real
    seconds, `sleep` waits for a number of them.
    """

    speed: float = 1.0
    clock: Callable[[], float] = time.monotonic
    sleep: Callable[[float], None] = time.sleep


REAL_TIME = Pace()


class VirtualTable:
    """Frames of a table at which `players` play.

    Args:
        painter: draws the frames.
        hands: turns what players do into motions.
        players: who plays.
        stage: what lies on the table at the start.
        pace: how fast its time goes.
    """

    def __init__(
        self,
        painter: Draws,
        hands: DrawnHands,
        players: Company,
        stage: Stage,
        pace: Pace = REAL_TIME,
    ) -> None:
        self._painter, self._hands, self._players = painter, hands, players
        self.stage = stage
        self._pace = pace
        self._motions: deque[Motion] = deque()
        self._motion: Motion | None = None
        self._into_s = 0.0
        self._frames = 0
        self._due: float | None = None
        self._light = Light()

    def read(self) -> tuple[Picture, float]:
        """The next frame and its virtual time; waits until that time has come."""
        now = self._pace.clock()
        if (
            self._due is None or now > self._due + 1.0
        ):  # the computer is too slow: go on from here, leave nothing out
            self._due = now
        elif self._due > now:
            self._pace.sleep(self._due - now)
        self._due += 1 / FPS / self._pace.speed
        return self.frame(), (self._frames - 1) / FPS

    def close(self) -> None:
        """Do nothing: a virtual camera holds no device."""

    def frame(self) -> Picture:
        """The table one frame later."""
        self._move(1 / FPS if self._frames else 0.0)
        self._frames += 1
        arm = self._motion.arm(self._into_s) if self._motion else None
        return self._painter.render(self.stage.scene(arm), self._frames)

    def _move(self, seconds: float) -> None:
        while True:
            if self._motion is not None:
                until = min(self._into_s + seconds, self._motion.lasts_s)
                for change in self._motion.changes(self._into_s, until):
                    change(self.stage)
                seconds -= until - self._into_s
                self._into_s = until
                if until < self._motion.lasts_s:
                    return
            if not self._motions:
                for deed in self._players.next():
                    self._motions.extend(self._hands.motions(deed, self.stage))
            self._motion = self._motions.popleft() if self._motions else None
            self._into_s = 0.0
            if self._motion is None:
                return
