"""The table while the host sets it up: passes on the camera's frames, lights lamps, stores the results.

While the page `/setup` is open, the camera's frames go to what is being learnt there. A minute after the
page's last request the eye gets them again, and what was learnt so far waits.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from table.catalogue import fact
from table.checkup.picture import examine, find_table
from table.checkup.verdict import CheckupLine
from table.errors import StammtischError
from table.live import Table
from table.rules.events import nearest
from table.rules.games import GAMES, TRICK_GAMES
from table.rules.packs import pack_of
from table.settings.camera import write_camera, write_corners
from table.settings.house import HouseFile, Setting
from table.settings.outlines import is_table
from table.setup.enrolment import DeckEnrolment
from table.setup.lens import LensMeasuring
from table.standing import running
from vision.errors import VisionError
from vision.geometry import Registration, corners_mm
from vision.layout import Layout, Point
from vision.sightings import Picture

PRESENT_S = 60.0
"""How long after the page's last request the host counts as present: a phone may doze for a while."""

DECKS = "decks"
"""Folder beside the settings file for the decks that were learnt on the page."""

_USUAL_MM = 950.0
"""Distance from camera to table that is assumed if the table is not found."""


@dataclass(frozen=True, slots=True)
class TablePlace:
    """Where the table lies in the picture.

    `corners` are shares of the picture's sides, clockwise from the upper left; `by_hand`: a person has shown
    them; `error_mm` is the residual error of the fit at the tags.
    """

    checks: tuple[CheckupLine, ...]
    corners: tuple[Point, ...]
    tags: tuple[int, ...]
    error_mm: float | None
    by_hand: bool


@dataclass(frozen=True, slots=True)
class Keeping:
    """Where the results of setting up are stored.

    Args:
        file: the house's settings; None: nothing is stored (the demo).
        table_path: the table file; None if the table has none.
        anew: makes a new eye with these changed settings, as if `run` had been started with them.
    """

    file: HouseFile | None = None
    table_path: Path | None = None
    anew: Callable[[dict[str, Setting]], None] = lambda changed: None


@dataclass(frozen=True, slots=True)
class KeptDeck:
    """A learnt deck that was written: its name in the settings and its file.

    `partial`: True if cards are missing, None if not, as in the settings.
    """

    name: str
    place: Path
    partial: bool | None


class SetupDesk:
    """One table being set up.

    `see` and `visitor` belong to the camera's thread, all else to the table's loop. Exceptions are slow calls
    that change nothing here (`examine`, `distance_mm`, `write_deck`): any thread may make one at a time.

    Args:
        table: the table of the house.
        keeping: where the results are stored.
        pausing: whether a running round waits in the meantime; otherwise nothing is learnt while people play.
    """

    def __init__(
        self,
        table: Table,
        keeping: Keeping = Keeping(),
        pausing: bool = False,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._table, self._clock, self._pausing = table, clock, pausing
        self._file, self.table_path, self._anew = keeping.file, keeping.table_path, keeping.anew
        self._until = 0.0
        self._playing = False
        self.deck: DeckEnrolment | None = None
        self.lens: LensMeasuring | None = None
        self._kept: DeckEnrolment | None = None
        self._now: DeckEnrolment | LensMeasuring | None = None

    def visitor(self) -> SetupDesk | None:
        """Itself while its page is open (`camera_watch.Watching`)."""
        return self if self._clock() < self._until else None

    def see(self, picture: Picture, t: float) -> bool:
        """Take one frame (h, w, 3) BGR uint8 at `t` seconds; return True if it was used for learning."""
        at_work = self._now
        if at_work is None or self._playing:
            return False
        at_work.see(picture, t)
        return True

    @property
    def asked(self) -> str | None:
        """The card to be laid next; None if there is none."""
        return self.deck.asked if self.deck is not None and self._now is self.deck else None

    @property
    def shown(self) -> str | None:
        """The game whose deck is being shown to the camera now; None if there is none."""
        return self.deck.game if self.deck is not None and self._now is self.deck and self.visitor() else None

    @property
    def tags(self) -> int:
        """Number of tags of the table."""
        return len(self._layout.tags) if self._layout else 0

    @property
    def keeps(self) -> bool:
        """Whether what is learnt is stored beyond the evening."""
        return self._file is not None

    def stay(self) -> None:
        """Note that the page is open. Once people play, the eye gets the frames again (without `pausing`)."""
        self._until = self._clock() + PRESENT_S
        self._playing = running(self._table.session.view) and not self._pausing

    def leave(self) -> None:
        """Give the frames back to the eye, and the lamps to the game."""
        self._now = None
        self._table.try_lamp(None)

    def games(self) -> list[tuple[str, str, int]]:
        """Name, title and number of different cards of each game for which a deck can be learnt here."""
        layout = self._table.session.equipment.layout
        if layout is not None and layout.kind != "mat":
            return []
        return [(game.name, game.title, len(set(pack_of(game.name)))) for game in TRICK_GAMES.values()]

    # --- the camera ----------------------------------------------------------------------------------

    def examine(self, picture: Picture) -> TablePlace:
        """What one frame shows of camera and table; slow, so call it off the loop."""
        layout = self._layout
        checks = tuple(examine(picture, layout))
        if layout is None:
            return TablePlace(checks, (), (), None, False)
        by_hand = bool(layout.camera and layout.camera.corners)
        try:
            found = find_table(picture, layout)
        except VisionError:
            shown = layout.camera.corners if layout.camera else ()
            return TablePlace(checks, shown, (), None, by_hand)
        return TablePlace(checks, _shares(found, layout), found.tags, _error_mm(found), not found.tags)

    def show_corners(self, corners: Sequence[Point]) -> None:
        """Store where a person sees the mat's corners; with none, only the tags count again.

        Raises:
            StammtischError: these are not the corners of a mat, or they cannot be stored.
        """
        path, layout = self.table_path, self._layout
        if path is None:
            raise StammtischError(fact("setup.unkept"))
        if layout is None or layout.kind != "mat":
            raise StammtischError(fact("setup.corners.box"))
        if corners and not is_table(corners):
            raise StammtischError(fact("setup.corners.shape"))
        write_corners(path, corners)
        self._anew({})

    # --- the lens ------------------------------------------------------------------------------------

    def distance_mm(self, picture: Picture | None) -> float:
        """Height of the camera above the table, from a picture if possible; call it off the loop."""
        layout = self._layout
        if picture is not None and layout is not None:
            with contextlib.suppress(VisionError):
                return float(find_table(picture, layout).camera_mm[2])
        return _USUAL_MM

    def measure_lens(self, distance_mm: float) -> None:
        """Begin to measure the lens of a camera that hangs this far above the table.

        Raises:
            StammtischError: a round is running.
        """
        self._learns()
        self._now = self.lens = LensMeasuring(distance_mm)

    def keep_lens(self) -> None:
        """Write the measured lens into the table file.

        Raises:
            StammtischError: no lens was measured, or the file cannot be written.
        """
        if self.lens is None or (measured := self.lens.lens) is None:
            raise StammtischError(fact("setup.lens.nothing"))
        if self.table_path is None:
            raise StammtischError(fact("setup.unkept"))
        width, height = measured.size_px
        note = f"{measured.rms_px:.2f} px left over, for pictures of {width}x{height} only"
        write_camera(self.table_path, measured.camera, note)
        self.leave()
        self._anew({})

    # --- the deck ------------------------------------------------------------------------------------

    def learn_deck(self, game: str) -> None:
        """Begin or continue to learn the deck of a game.

        Raises:
            StammtischError: there is no such game, it has no cards, or a round is running.
        """
        if game not in GAMES:
            raise StammtischError(fact("opening.game", game=game, remedy=nearest(game, TRICK_GAMES)))
        if game not in TRICK_GAMES:
            raise StammtischError(fact("setup.deck.game", game=game, known=[*TRICK_GAMES]))
        self._learns()
        if self.deck is None or self.deck.game != game:
            self.deck = DeckEnrolment(game, pack_of(game), self._layout)
        self._now = self.deck

    def write_deck(self) -> KeptDeck:
        """Write the learnt deck and name it in the settings; slow, so call it off the loop.

        Raises:
            StammtischError: nothing was learnt, or the deck cannot be written.
        """
        if self.deck is None:
            raise StammtischError(fact("setup.deck.first"))
        if self._file is None:
            raise StammtischError(fact("setup.unkept"))
        name = f"{DECKS}/{self.deck.game}.deck"
        place = self._file.path.parent / name
        whole = self.deck.keep(place)
        partial = None if whole else True
        self._file.change({"deck": name, "partial": partial})
        return KeptDeck(name, place, partial)

    def adopt_deck(self, kept: KeptDeck) -> None:
        """Play with the written deck from now on."""
        self.deck, self._kept = None, self.deck
        self.leave()
        self._anew({"deck": str(kept.place), "partial": kept.partial})

    def face(self, card: str) -> bytes | None:
        """A JPEG of a face of the deck that is being learnt, or was last written; None if there is none."""
        deck = self.deck or self._kept
        return deck.face(card) if deck else None

    def _learns(self) -> None:
        if running(self._table.session.view) and not self._pausing:
            raise StammtischError(fact("setup.running"))

    @property
    def _layout(self) -> Layout | None:
        return self._table.session.equipment.layout


def _error_mm(found: Registration) -> float | None:
    return found.rms_px / found.px_per_mm() if found.tags else None


def _shares(found: Registration, layout: Layout) -> tuple[Point, ...]:
    width, height = found.size_px
    return tuple((float(x) / width, float(y) / height) for x, y in found.to_px(corners_mm(layout)))
