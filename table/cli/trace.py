"""`watch --trace DIR`: writes a page that shows, for each event, what the eye saw and considered.

It delays no frame: the trace sits between camera and interpreter, and listens to the proposals of the
search.
"""

from __future__ import annotations

import math
from bisect import insort
from collections.abc import Sequence
from pathlib import Path

from table.cli.event_words import at_rest, in_words
from table.cli.trace_marks import dice_in_words, eye_marks
from table.cli.trace_page import Beside, TraceLine, page
from table.cli.trace_places import (
    Attempt,
    Attempts,
    UnreadPlace,
    UnreadPlaces,
    holds,
    letters,
    middle_of,
)
from table.cli.trace_reasons import NOTHING_PROPOSED
from table.croupier import throw_event
from table.errors import StammtischError, UsageError
from table.interpret import Interpreter
from table.jpeg import FACE, jpeg
from table.rules.events import Event
from table.rules.view import View
from vision.cameras import Camera
from vision.cards.deck import Deck
from vision.cards.proposal import Proposal
from vision.frame import Frame
from vision.layout import Layout, SeatPlace
from vision.mat.pipeline import Eye
from vision.overlay import REFUSED, OverlayMark, draw_marks
from vision.sightings import (
    CardDown,
    CardsGone,
    DieGone,
    Guess,
    HandSeen,
    LightFine,
    Picture,
    Sighting,
    ThrowSeen,
)

INDEX = "index.html"
_SHOWN = 3
"""How many likely names are shown with their enrolled faces."""
_SILENT = (HandSeen, CardsGone, DieGone, LightFine)
"""Sightings that get no entry if they lead to no event."""


_GROWTH = 0.1
"""Share by which the page must grow before it is rewritten: a long one would cost too much for each entry."""


class Trace:
    """Collects what led to the events of `source`; the page grows with them, even if a run is cut short."""

    def __init__(self, folder: str, source: str) -> None:
        """Raises UsageError if the folder is not empty: traces are never mixed."""
        self._folder, self._source = Path(folder), source
        if self._folder.exists() and not self._folder.is_dir():
            raise UsageError(f"--trace {folder}: is a file; give a new folder")
        if self._folder.exists() and any(self._folder.iterdir()):
            raise UsageError(f"--trace {folder}: is not empty; give a new folder")
        self._frame: Frame | None = None
        self._t = 0.0
        self._attempts = Attempts()
        self._unread = UnreadPlaces()
        self._seats: tuple[SeatPlace, ...] = ()
        self._lines: list[TraceLine] = []
        self._faces: dict[str, str] = {}
        self._written = 0
        self._lines_written = 0
        self._told = ""
        self._taken_t = (0.0, 0.0)
        self._eye: object = None
        self._deck: Deck | None = None

    # --- what is heard ------------------------------------------------------------------------------------

    def behind(self, camera: Camera) -> Camera:
        """Wrap a camera, so that the trace gets each of its frames."""
        return _Behind(camera, self)

    def before(self, layout: Layout, eye: object, deck: Deck | None) -> Interpreter:
        """Make an interpreter that reports its decisions to the trace; `eye` and `deck` are those in use."""
        self._seats, self._eye, self._deck = layout.seats, eye, deck
        return _Before(layout, self)

    def show(self, frame: Frame, t: float) -> None:
        """Take in a new frame."""
        self._frame, self._t = frame, t

    def heed(self, proposal: Proposal) -> None:
        """Take in a proposal of a card, accepted or refused."""
        self._attempts.heed(proposal, self._t)
        if self._frame is not None:
            self._unread.heed(proposal, self._frame, lambda: eye_marks(None, self._eye), self._t)

    # --- what is kept -------------------------------------------------------------------------------------

    def decided(self, sighting: Sighting, events: Sequence[Event]) -> None:
        """Record the events that a sighting led to, if any. Raises StammtischError if it cannot write."""
        self._unread.hear(sighting)
        self._tell_unread(self._t)
        if isinstance(sighting, HandSeen) or (not events and isinstance(sighting, _SILENT)):
            return
        seen = type(sighting).__name__
        if isinstance(sighting, ThrowSeen):
            seen = at_rest(throw_event(sighting))
            before, self._told = self._told, seen
            if not events and before == seen:
                return  # the dice lie as before
        words = tuple(in_words(event).strip() for event in events)
        self._add(words or (f"{self._t:.2f} s  {seen} (no event: it means nothing to the game)",), sighting)

    def written(self, event: Event) -> None:
        """Take in a line of the log. Raises StammtischError if it cannot write.

        A card that the rules miss gets an entry here, since no sighting reports it.
        """
        if event.kind == "collected":
            self._taken_t = (self._taken_t[1], self._t)
        elif event.kind == "unsure" and event.get("reason") == "missed":
            self._tell_missed(event)

    def close(self) -> None:
        """Write the page, including what was proposed after the last event. Raises StammtischError."""
        self._tell_unread(math.inf)
        if self._attempts:
            self._add(("the end: what was proposed after the last event",))
        self._write_page()

    def _add(self, words: tuple[str, ...], sighting: Sighting | None = None) -> None:
        if self._frame is None:
            return
        places, self._attempts = self._attempts.by_place(), Attempts()
        proposed = [self._beside(place, letter) for place, letter in zip(places, letters(), strict=False)]
        marks = eye_marks(sighting, self._eye) + self._place_marks(places)
        picture = self._picture(draw_marks(self._frame.picture, marks))
        self._keep(TraceLine(self._t, words, picture, self._found(sighting), proposed))

    def _tell_unread(self, t: float) -> None:
        """Write an entry for each place that looked like a card and was given up."""
        for place in self._unread.given_up(t):
            seat = next((each.name for each in self._seats if holds(each.zone_mm, place.middle_mm)), None)
            before = "" if seat is None else f" before {seat}"
            x, y = place.middle_mm
            words = (
                f"{place.span}  no card was read{before} (at {round(x)}, {round(y)} mm): {place.best.refused}"
            )
            self._tell_place(place, words)

    def _tell_missed(self, event: Event) -> None:
        """Write an entry for a card that its player must have laid in the trick just taken."""
        words = in_words(event).strip()
        zone = next((seat.zone_mm for seat in self._seats if seat.name == event.seat), None)
        place = None if zone is None else self._unread.likeliest(zone, self._taken_t[0])
        if place is not None:
            x, y = place.middle_mm
            words += f"; proposed at {round(x)}, {round(y)} mm, {place.span}: {place.best.refused}"
            self._tell_place(place, words)
        elif self._frame is not None:
            picture = self._picture(self._frame.picture)
            words += f": {NOTHING_PROPOSED}"
            self._keep(TraceLine(self._t, (words,), picture, Beside("", None), missed=True))

    def _tell_place(self, place: UnreadPlace, words: str) -> None:
        tried = place.attempts.by_place()
        marks = [*place.marks, *self._place_marks(tried)]
        picture = self._picture(draw_marks(place.frame.picture, marks))
        proposed = [self._beside(each, letter) for each, letter in zip(tried, letters(), strict=False)]
        self._keep(TraceLine(place.last_t, (words,), picture, Beside("", None), proposed, True))

    def _keep(self, line: TraceLine) -> None:
        """Insert a line by its time: a place that was given up is known only later."""
        insort(self._lines, line, key=lambda each: each.t)
        if len(self._lines) > (1 + _GROWTH) * self._lines_written:
            self._write_page()

    def _place_marks(self, places: Sequence[Sequence[Attempt]]) -> list[OverlayMark]:
        """Marks of the refused places, each with the letter of its reasons."""
        registration = self._eye.registration if isinstance(self._eye, Eye) else None
        if registration is None:
            return []
        return [
            OverlayMark(registration.to_px(place[0].proposal.corners_mm), letter, REFUSED, fine=True)
            for place, letter in zip(places, letters(), strict=False)
            if place[0].proposal.refused is not None
        ]

    def _found(self, sighting: Sighting | None) -> Beside:
        """The flattened card or the dice that were seen, beside the likely faces."""
        crop = getattr(sighting, "crop", None)
        words = "" if crop is None else "what was seen"
        likely = [(guess.name, guess.confidence) for guess in _guesses(sighting)]
        return Beside(
            dice_in_words(sighting) if isinstance(sighting, ThrowSeen) else words,
            None if crop is None else self._picture(crop),
            [(f"{name} {belief:.2f}", self._face(name)) for name, belief in likely],
        )

    def _beside(self, place: Sequence[Attempt], letter: str) -> Beside:
        best, *others = place
        proposal, name = best.proposal, best.proposal.reading.name
        x, y = middle_of(proposal)
        tried = f"{round(x)}, {round(y)} mm, {best.span}, {best.times} times"
        words = f"{name or 'no name'} at {tried}: {proposal.measured}"
        crop = None if proposal.crop is None else self._picture(proposal.crop)
        faces = [] if name is None or crop is None else [(name, self._face(name))]
        if proposal.refused is None:
            return Beside(words, crop, faces, "read")
        also = [f"{each.proposal.refused} ({each.times} times, {each.proposal.measured})" for each in others]
        return Beside(words, crop, faces, f"{letter}: {proposal.refused}", refused=True, also=also)

    def _face(self, name: str) -> str | None:
        """The file of a card's enrolled face."""
        deck = self._deck
        if name not in self._faces and deck is not None and name in deck.names:
            self._faces[name] = self._picture(deck.pictures[deck.names.index(name)], "face")
        return self._faces.get(name)

    def _picture(self, picture: Picture, what: str = "seen") -> str:
        self._written += 1
        name = f"{self._written:05}-{what}.jpg"
        data = jpeg(picture, FACE)
        if data is None:
            raise StammtischError(f"{self._folder / name}: no JPEG can be made of this picture")
        self._write(name, data)
        return name

    def _page(self) -> str:
        missing = () if self._deck is None else self._deck.lacking
        return page(f"What the eye saw in {self._source}", self._lines, missing)

    def _write_page(self) -> None:
        self._lines_written = len(self._lines)
        self._write(INDEX, self._page().encode())

    def _write(self, name: str, data: bytes) -> None:
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            (self._folder / name).write_bytes(data)
        except OSError as wrong:
            why = (wrong.strerror or "cannot be written").lower()
            raise StammtischError(f"{self._folder / name}: {why}; give another --trace") from None


class _Behind:
    """A camera whose frames the trace sees, too."""

    def __init__(self, camera: Camera, trace: Trace) -> None:
        self._camera, self._trace = camera, trace

    @property
    def decode_s(self) -> float:
        return self._camera.decode_s

    def read(self) -> tuple[Picture, float] | None:
        return self._camera.read()

    def read_frame(self) -> tuple[Frame, float] | None:
        taken = self._camera.read_frame()
        if taken is not None:
            self._trace.show(*taken)
        return taken

    def close(self) -> None:
        self._camera.close()


class _Before(Interpreter):
    """Interprets as usual, and reports the outcome to the trace."""

    def __init__(self, layout: Layout, trace: Trace) -> None:
        super().__init__(layout)
        self._trace = trace

    def hear(self, sighting: Sighting, view: View) -> list[Event]:
        """As `Interpreter.hear`. Raises StammtischError if the trace cannot be written."""
        events = super().hear(sighting, view)
        self._trace.decided(sighting, events)
        return events


def _guesses(sighting: Sighting | None) -> Sequence[Guess]:
    return sighting.guesses[:_SHOWN] if isinstance(sighting, CardDown) else ()
