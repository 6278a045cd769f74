"""Enrolment before a live camera: cards are laid down one after another, and each is learnt once it rests.

The order of the wanted names determines which card it is; a card laid down twice is recognised by its face.
The first picture at rest shows the bare ground; a card is what has come to lie on it since. In the end all
stills are learnt together.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.cards.deck import Deck, learn
from vision.cards.face_similarity import same_face
from vision.cards.outline import edge_offsets
from vision.cards.recognition import FACE_PX
from vision.cards.rectangle import edge_level
from vision.cards.still import Still
from vision.cards.together import Together, by_ground, on_table
from vision.geometry import flatten_px
from vision.layout import Layout
from vision.sightings import Picture
from vision.untagged.rest import Rest

SAME_LIKENESS = 0.975
"""Likeness (share of ink) below which a face is new. A face above it need not be the same card (♠9 and ♣9 of
a plain deck share .99): it is compared where the two differ most (`twins`)."""
_QUALITY = 95
"""JPEG quality of the stills that are kept, on libjpeg's scale to 100."""
_EDGE_PX = 1.5
"""Largest distance of a card's edge from a correct outline."""


@dataclass(frozen=True, slots=True)
class Shown:
    """Result for a card at rest: `name` was learnt or, if `again`, had been learnt before."""

    t: float
    name: str
    again: bool = False


class Showing:
    """Enrols cards before one camera. Pure: the caller passes pictures and times, in order.

    Args:
        names: the cards to be shown, each once, in this order.
        layout: the table, if the camera looks at one: sizes are then measured in millimetres.
    """

    def __init__(self, names: Sequence[str], layout: Layout | None = None) -> None:
        self._missing = list(dict.fromkeys(names))
        self._layout = layout
        self._rest = Rest()
        self._ground: Picture | None = None
        self._seen = Deck((), ())
        self._again: tuple[Picture, Picture] | None = None
        self._stills: dict[str, NDArray[np.uint8]] = {}
        self._before: dict[str, Picture] = {}
        self._twice: set[str] = set()

    @property
    def missing(self) -> tuple[str, ...]:
        """The cards still to be shown, the next one first."""
        return tuple(self._missing)

    @property
    def ready(self) -> bool:
        """Whether the bare ground was seen, so that a card may be laid on it."""
        return self._ground is not None

    @property
    def seen(self) -> Deck:
        """The faces so far, as they lay; not yet compared with each other."""
        return self._seen

    def forget(self, name: str) -> None:
        """Forget a card that was shown under the wrong name: it is the next one asked for."""
        if name not in self._stills:
            return
        del self._stills[name]
        self._twice.discard(name)
        self._before |= {each: face for each, face in self._faces() if each == name}
        kept = [pair for pair in self._faces() if pair[0] != name]
        self._seen = Deck((), ()).with_pictures(tuple(n for n, _ in kept), tuple(p for _, p in kept))
        self._missing.insert(0, name)

    def skip(self) -> None:
        """Move the next card to the end of the list."""
        self._missing = self._missing[1:] + self._missing[:1]

    def see(self, picture: Picture, t: float) -> Shown | None:
        """Take in one frame (h, w, 3) BGR; return a result when a card has just come to rest."""
        if not self._missing or not self._rest.reached(picture, t):
            return None
        learnt = self._changed(picture)
        if learnt is None:  # this is the first picture at rest, or the camera was moved
            self._ground = picture.copy()
            return None
        corners = learnt.corners.get(0)
        if corners is None:
            return None  # the change is a hand, or the bare table between two cards
        if _taken_away(picture, self._ground, corners):
            self._ground = picture.copy()
            return None
        face = flatten_px(picture, corners, FACE_PX)
        if self._seen.names:
            reading = self._seen.faces.read(face)
            near = reading.name is not None and reading.likeness >= SAME_LIKENESS
            if near and reading.name is not None and same_face(face, self._face(reading.name)):
                self._again = (face, picture)
                return Shown(t, reading.name, again=True)
        return Shown(t, self._take(face, picture))

    def insist(self, t: float) -> Shown | None:
        """Learn the card last rejected as `again` under the name that is asked for."""
        if self._again is None or not self._missing:
            return None
        return Shown(t, self._take(*self._again))

    def _faces(self) -> list[tuple[str, Picture]]:
        return list(zip(self._seen.names, self._seen.pictures, strict=True))

    def _face(self, name: str) -> Picture:
        return self._seen.pictures[self._seen.names.index(name)]

    def _take(self, face: Picture, picture: Picture) -> str:
        """Learn a face under the name that is asked for; return it."""
        self._again = None
        name = self._missing.pop(0)
        self._seen = self._seen.with_pictures((name,), (face,))
        if name in self._before and same_face(face, self._before[name]):
            self._twice.add(name)  # the same card was laid again for this name: it is intended
        # Decoded pictures of whole decks would fill a small computer's memory.
        _, packed = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, _QUALITY])
        self._stills[name] = np.asarray(packed, np.uint8)
        return name

    def still(self, name: str) -> Picture | None:
        """The picture in which a card was shown; None if it was not."""
        packed = self._stills.get(name)
        return None if packed is None else np.asarray(cv2.imdecode(packed, cv2.IMREAD_COLOR), np.uint8)

    def deck(self) -> Deck:
        """Learn the deck from all stills together; those that do not agree are `refused`."""
        names = [*self._stills, *(name for name in self._stills if name in self._twice)]
        stills = [Still(name, name, picture) for name in names if (picture := self.still(name)) is not None]
        return learn(stills, self._layout, self._ground) if stills else Deck((), ())

    def _changed(self, picture: Picture) -> Together | None:
        """What lies on the ground; None where this is another ground or none was seen."""
        if self._ground is None or self._ground.shape != picture.shape:
            return None
        if self._layout is not None and self._layout.tags:
            learnt = on_table([picture], self._layout, self._ground)
            if learnt is not None:
                return learnt
        return by_ground([picture], self._ground)


def _taken_away(picture: Picture, ground: Picture | None, corners: NDArray[np.float64]) -> bool:
    """Whether the outline is clearer in `ground` than in the picture: something lay there and is gone."""
    if ground is None:
        return False
    now, then = (_support(each, corners) for each in (picture, ground))
    return then > now


def _support(picture: Picture, corners: NDArray[np.float64]) -> float:
    grey = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY).astype(np.float32)
    level = edge_level(grey)
    offsets, strength, _ = edge_offsets(grey, corners, 2 * _EDGE_PX)
    power = np.abs(strength)
    return float(((np.abs(offsets) < _EDGE_PX) * power / (power + level)).mean())
