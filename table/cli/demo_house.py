"""The virtual table as camera and eye of the runtime; when guests choose a game, another show begins."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from table.cli.demo_shows import DemoShow, lamps_at
from table.interpret import Interpreter
from table.live import HearsNothing, Table
from table.settings import LampPlan
from table.virtual.tonight import Tonight

if TYPE_CHECKING:
    from table.devices import SightingSource
    from table.rules.view import View
    from table.virtual import VirtualTable
    from vision.frame import Frame
    from vision.sightings import Picture, Sighting

_LOOK_S = 0.2


@dataclass(frozen=True, slots=True)
class _Ready:
    """The show that plays next; its camera has drawn nothing yet."""

    show: DemoShow
    camera: VirtualTable
    eye: SightingSource


class Playhouse:
    """Runs the present show. `read` and `see` belong to the camera thread, all else to the table's loop.

    Args:
        table: the table, which another show rearranges.
        show: the first show.
        eye: the eye of that show.
        make: makes the show for a wish; called in a separate thread.
        showing: returns the table at which a deck is shown while somebody learns one; None: nobody does.
    """

    def __init__(
        self,
        table: Table,
        show: DemoShow,
        eye: SightingSource,
        make: Callable[[Tonight], DemoShow],
        showing: Callable[[], VirtualTable | None] = lambda: None,
    ) -> None:
        self._table, self._make, self._showing = table, make, showing
        self._lies(show)
        self._show, self._eye = show, eye
        self._camera, self.said = show.begin()
        self._ready: _Ready | None = None
        self._wish: Tonight | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._game = table.session.game
        self._own = False
        self._past = 0
        table.session.listen(self._look)

    @property
    def differences(self) -> int:
        """How often the journal differed from what was really played, over all shows."""
        return self._past + self._show.differences()

    # --- the camera thread ---------------------------------------------------------------------------

    def read(self) -> tuple[Picture | Frame, float] | None:
        """The next frame of the present show."""
        if (ready := self._ready) is not None and self._loop is not None:
            self._ready = None
            self._camera, self._eye = ready.camera, ready.eye
            # Takes effect after everything that was seen of the last show, before anything of this one.
            ears, lamps = Interpreter(ready.show.layout), lamps_at(ready.show)
            self._loop.call_soon_threadsafe(self._sit_down, ears, lamps)
        return (self._showing() or self._camera).read()

    def see(self, picture: Picture | Frame, t: float) -> Sequence[Sighting]:
        """What the present show's eye sees in this frame."""
        return self._eye.see(picture, t)

    def close(self) -> None:
        """Release the show."""
        self._camera.close()

    # --- the table's loop ----------------------------------------------------------------------------

    async def serve(self) -> None:
        """Tend the evening until it is over (a service of the runtime)."""
        self._loop = asyncio.get_running_loop()
        while self._wish is not None or self._tend():
            await self._change()
            await asyncio.sleep(_LOOK_S)

    @contextlib.contextmanager
    def _by_ourselves(self) -> Iterator[None]:
        """Mark a game that begins within as the show's own, not as somebody's wish."""
        self._own = True
        try:
            yield
        finally:
            self._own = False
            self._game = self._table.session.game

    def _tend(self) -> bool:
        """Tend the show and return whether it goes on; a game that it begins is its own."""
        with self._by_ourselves():
            return self._show.tend()

    def _look(self, _view: View) -> None:
        """Notice whether somebody has begun another game on the page or with a button, or taken that back."""
        session = self._table.session
        if session.game == self._game or self._own:
            return
        self._game = session.game
        line, *rest = (entry.event for entry in session.entries)
        first = next((event.get("dealer") or event.get("first") for event in rest), None)
        opening = line.without("source", "resumes")
        self._wish = Tonight(str(line.get("game")), len(line.fields["players"]), opening, first)
        self._show.leave()
        self._table.rearrange(HearsNothing(), self._table.plan)
        # Drawing that table and learning its cards takes a while, and must not look like a hang.
        self._table.ail("sight", "starting")

    def _lies(self, show: DemoShow) -> None:
        session = self._table.session
        session.equipment = replace(session.equipment, layout=show.layout, alike=show.alike)

    def _sit_down(self, ears: Interpreter, lamps: LampPlan) -> None:
        self._table.rearrange(ears, lamps)
        self._table.ail("sight", "fine")

    def _take(self) -> Tonight | None:
        wish, self._wish = self._wish, None
        return wish

    async def _change(self) -> None:
        """Draw another table and sit down at it; a wish that came in the meantime takes precedence."""
        if (wish := self._take()) is None:
            return
        show = await asyncio.to_thread(self._make, wish)
        eye = await asyncio.to_thread(show.eye)
        if self._wish is not None:
            return
        self._past += self._show.differences()
        with self._by_ourselves():
            camera, said = show.begin()
        self._show, self._ready = show, _Ready(show, camera, eye)
        self._lies(show)
        print(f"{show.title}: {said}", flush=True)
