"""Names a flattened card by rendering and comparing, without training: one picture per card is enough.

Light is a gain that varies slowly over the card, separately in each colour channel, plus one veil of
haze or glare over all of them: `seen = (a + b x + c y) * (enrolled + veil)`. A veil for each channel could
turn one ink into another. These numbers are fitted by least squares for every enrolled face; the residual,
as a share of all ink on the card, measures how badly the face explains it. The best face is shifted
and turned into place (Lucas & Kanade 1981, with the light fitted along: Baker & Matthews 2004); then the
best few are compared only where two faces differ, so that a small index or the tint of an
ink weighs as much as a whole court figure.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.arrays import Float32
from vision.cards.alignment import UNMOVED, CutOut, after, carried, cut_out, inverse, shift_of, soften
from vision.cards.colour_twins import ColourTwins
from vision.cards.face_pyramid import FacePyramid
from vision.cards.reading import NOTHING, Reading, beliefs
from vision.cards.scoring import Compared, Lighting, SeenAs, hold, judge
from vision.cards.sharpness import blurred, variance_between
from vision.cards.shortlist import FaceShortlist
from vision.imgproc.colourless import is_colourless, without_colours
from vision.imgproc.photometry import believe, fit_glare, fit_light, fit_shade, ink, relight
from vision.imgproc.registration import Affine
from vision.sightings import Picture

FACE_PX = (80, 120)
"""Width and height of a flattened face."""
REACH_PX = 12
"""How far beyond a rectangle `Faces.seek` searches, in pixels of a flattened face."""
_SHORTLIST, _MOST_COMPARED = 6, 24
"""Number of faces compared at first, and at most, for a deck whose cards share most of their ink."""
_LENIENCE = 4.0
"""Leniency in aligning close rivals: a pip off its place must pull, and not be discounted like a finger."""
_SLIGHT_PX = 2.0
_LITTLE, _FOUND, _WELL = 0.2, 0.4, 0.85
"""Likeness above which a face is perhaps there, is found, and is well explained. Between the last two, the
card may be cut out too far off, and faces are tried at nearby offsets."""
_TOLD, _PLAIN = 0.65, 0.97
"""Likeness between which a face explains enough to be named, but another card at another pose may fit."""
_OFF_PX = 4.0
_TIE = 0.1
"""Share of the ink, at a third of the size, by which a face may trail the best and still be the card."""
_HOPELESS = -0.4
"""Likeness, at a third of the size, below which a place is no card: white paper is much more like a face."""
_UNEVEN, _ROUNDS = 0.15, 3
"""Least share of the residual that a lamp's image or a shadow's edge must explain to be removed; how often
that is tried at most: burnt-out paper distorts the first fit."""
_FAR_BEHIND = 0.9
"""Lead of the best face above which its rivals are not compared more closely."""
_BEGINS: list[Affine] = [UNMOVED] + [
    np.array([[1.0, 0, x], [0, 1, y]])
    for x in (-_OFF_PX, 0, _OFF_PX)
    for y in (-_OFF_PX, 0, _OFF_PX)
    if (x, y) != (0, 0)
]


class _PlaceSearch(NamedTuple):
    """Where to begin the alignment, how many faces to compare at most, and how leniently."""

    begin: Affine = UNMOVED
    most: int = _SHORTLIST
    lenience: float = 1.0


@dataclass(frozen=True, slots=True)
class Glimpse:
    """A flattened card at first glance: the cut-out, and the share of its ink that each face explains (n,).

    `picture` (120, 80, 3) is the flattened card, `visible` (120, 80) the part of it that is not covered.
    """

    seen: CutOut
    explained: Float32
    picture: Picture
    visible: NDArray[np.bool_] | None = None

    @property
    def likeness(self) -> float:
        """The share of ink that the likeliest face explains; below 0, white paper explains more."""
        return float(self.explained.max()) if len(self.explained) else 0.0


class Faces:
    """The enrolled faces, prepared once for comparing.

    `pictures` are (120, 80, 3) BGR uint8, `names` their cards; a name may come several times. `colourless`:
    the camera shows no colours now, so faces that differ in nothing else count as one.
    """

    def __init__(self, names: Sequence[str], pictures: Sequence[Picture], colourless: bool = False) -> None:
        if colourless:
            pictures = [without_colours(picture) for picture in pictures]
        self._learnt = list(zip(names, pictures, strict=True))
        self._colourless, self._colour_twins = colourless, ColourTwins(self._learnt)
        self.names: list[str] = []
        self.turned: list[bool] = []
        for name, _ in self._learnt:
            self.names += [name, name]
            self.turned += [False, True]
        self._small = FaceShortlist((way for picture in pictures for way in _both_ways(picture)), FACE_PX)
        self._faces = FacePyramid(map(soften, pictures), FACE_PX)

    def __len__(self) -> int:
        return len(self.names)

    def in_picture(self, picture: Picture) -> Faces:
        """The faces as the camera that took a whole picture (h, w, 3) shows them, perhaps without colours."""
        return self.in_grey if is_colourless(picture) else self

    @cached_property
    def in_grey(self) -> Faces:
        """The faces without their colours."""
        return Faces(*self._names_and_pictures(), colourless=True)

    def _names_and_pictures(self) -> tuple[list[str], list[Picture]]:
        return [name for name, _ in self._learnt], [picture for _, picture in self._learnt]

    def nearest_pairs(self) -> list[tuple[str, str, float]]:
        """Each card's nearest others: (card, other, share of ink that differs), nearest first."""
        pairs: dict[tuple[str, str], float] = {}
        grid = self._faces.grid
        whole = np.ones(FACE_PX[0] * FACE_PX[1], np.float32)
        for index in range(0, len(self.names), 2):  # every picture once, upright
            face = self._faces[index]
            picture = face.T.reshape(FACE_PX[1], FACE_PX[0], 3)
            alike = self._small.explained(picture, whole.reshape(FACE_PX[1], FACE_PX[0]))
            for other in np.argsort(-alike)[: 2 * _SHORTLIST]:
                first, second = sorted((self.names[index], self.names[int(other)]))
                if first == second:
                    continue
                rest = face - relight(grid, self._faces[int(other)], face, whole, 0.0)
                apart = float((rest * rest).sum()) / max(ink(grid, face, whole), 1e-6)
                pairs[first, second] = min(apart, pairs.get((first, second), np.inf))
        return sorted(((*pair, apart) for pair, apart in pairs.items()), key=lambda found: found[2])

    def read(
        self, picture: Picture, visible: NDArray[np.bool_] | None = None, fairly: bool = False
    ) -> Reading:
        """Name a flattened card (120, 80, 3) BGR; `visible` (120, 80) masks what is not covered.

        `fairly` as in `name`.
        """
        return self.name(self.glimpse(picture, visible), fairly)

    def name(self, glimpse: Glimpse, fairly: bool = False) -> Reading:
        """Name a card already glanced at.

        `fairly`: the runner-up is also shifted into place by itself, unless it is far behind. Where outlines
        are rough, an ace shifted to another ace's place is explained badly by its own face.
        """
        if not self.names:
            return NOTHING
        seen = glimpse.seen
        compared = self._named(seen, _PlaceSearch(), glimpse.explained)
        off = float(np.hypot(*shift_of(compared.seen_as.warp, FACE_PX)))
        if compared.likeness >= _FOUND:  # where the print lies, other faces may be likely
            begin = compared.seen_as.warp
            likely = self._explained(seen, begin) if off > _SLIGHT_PX or _crowded(glimpse.explained) else None
            if likely is not None and (off > _SLIGHT_PX or self._left_out(likely, compared)):
                again = self._named(seen, _PlaceSearch(begin, _MOST_COMPARED, _LENIENCE), likely)
                compared = again if again.likeness > compared.likeness else compared
        if _FOUND <= compared.likeness < _WELL:
            begin = max(_BEGINS, key=lambda warp: self._glance(seen, warp))
            again = compared if begin is UNMOVED else self._named(seen, _PlaceSearch(begin))
            compared = again if again.likeness > compared.likeness else compared
        if _TOLD <= compared.likeness < _PLAIN:
            again = self._from_own_place(seen, glimpse.explained, compared)
            compared = again if again.likeness > compared.likeness else compared
        for _ in range(_ROUNDS):
            clear = self._evenly_lit(compared, seen)
            if clear is None:
                break
            again = self._named(clear, _PlaceSearch(compared.seen_as.warp))
            if again.likeness <= compared.likeness:
                break
            compared, seen = again, clear
        if fairly and compared.likeness >= _LITTLE:
            compared = self._fairly(compared, seen)
        (a, b), (c, d) = compared.seen_as.warp[:, :2]
        reading = Reading(
            guesses=beliefs(self.names[compared.best], compared.leads),
            likeness=compared.likeness,
            margin=min(compared.leads.values(), default=1.0),
            turned=self.turned[compared.best],
            shift_px=shift_of(compared.seen_as.warp, FACE_PX),
            turn_rad=float(np.arctan2(c - b, a + d)),
        )
        return self._colour_twins.doubted(reading) if self._colourless else reading

    def glance(
        self, picture: Picture, visible: NDArray[np.bool_] | None = None, veiled: bool = False
    ) -> float:
        """The share of ink that the likeliest face explains at a third of the size: a fifth of `read`'s time.

        A card that scores very low here is not in its place; naming it needs `read`. `veiled` allows for
        haze, or a camera's faint colours, over the card: ink at half its strength still counts as ink.
        """
        if not self.names:
            return 0.0
        return self._glance(cut_out(picture, visible), UNMOVED, veiled)

    def glimpse(self, picture: Picture, visible: NDArray[np.bool_] | None = None) -> Glimpse:
        """As `glance` with a veil, for a caller that may want the name as well: pass the result to `name`."""
        seen = cut_out(picture, visible)
        likely = self._small.explained(seen.picture, seen.weight) if self.names else np.zeros(0, np.float32)
        return Glimpse(seen, likely, picture, visible)

    def seek(self, picture: Picture) -> tuple[float, float]:
        """Find a face in a wider cut-out: shift (x, y) of its middle in pixels of a flattened face.

        `picture` is (120 + 2 REACH_PX, 80 + 2 REACH_PX, 3): the rectangle and its surroundings. A seam
        between two white cards may be invisible, but the print shows where the card lies.
        """
        return self._small.seek(soften(picture))

    def _glance(self, seen: CutOut, begin: Affine, veiled: bool = False) -> float:
        return float(self._explained(seen, begin, veiled).max())

    def _explained(self, seen: CutOut, begin: Affine, veiled: bool = True) -> Float32:
        """The share of ink that each face explains at the pose `begin`, at a third of the size."""
        there = seen if begin is UNMOVED else seen.moved(begin)
        return self._small.explained(there.picture, there.weight, veiled)

    def _named(self, seen: CutOut, search: _PlaceSearch, explained: Float32 | None = None) -> Compared:
        """Compare the likely faces with the picture, aligned from where the search begins.

        `explained`: the share of ink that each face explains there, if it is known.
        """
        if explained is None:
            explained = self._explained(seen, search.begin)
        likeliest = float(explained.max())
        count = max(_SHORTLIST, min(search.most, int((explained >= likeliest - _TIE).sum())))
        order = [int(i) for i in np.argsort(-explained)[:count]]
        if likeliest < _HOPELESS:
            leads = {self.names[index]: 0.0 for index in order[1:]}
            return Compared(order, order[0], np.inf, likeliest, leads, SeenAs(search.begin, 0.0))
        near = [index for index in order if explained[index] >= likeliest - _TIE]
        compared = self._compare(order, near, order[0], seen, search)
        if self.names[compared.best] != self.names[order[0]]:  # aligned to a face that is not the best
            again = self._compare(order, near, compared.best, seen, search)
            compared = again if again.rest <= compared.rest else compared
        return compared

    def _left_out(self, explained: Float32, compared: Compared) -> bool:
        """Whether a face that was not compared may also be the card, at first glance."""
        likely = np.flatnonzero(explained >= explained.max() - _TIE)
        return not set(likely.tolist()) <= set(compared.order)

    def _from_own_place(self, seen: CutOut, explained: Float32, compared: Compared) -> Compared:
        """The card read at the pose of another likely card, if it explains more there.

        When turned, the card may lie millimetres from the best face's pose: too far to be reached from there.
        """
        near = np.flatnonzero(explained >= explained.max() - 2 * _TIE)
        likely = near[np.argsort(-explained[near])][:_SHORTLIST]
        others = [int(index) for index in likely if self.names[index] != self.names[compared.best]]
        places = [compared.seen_as.warp]
        for index in others:
            place = self._faces.rough_place(index, seen, UNMOVED)
            if all(_far_apart(place, known) for known in places):
                places.append(place)
        tried = [self._named(seen, _PlaceSearch(place)) for place in places[1:]]
        return max([compared, *tried], key=lambda each: each.likeness)

    def _evenly_lit(self, compared: Compared, whole: CutOut) -> CutOut | None:
        """The picture without a lamp's image or a shadow's edge, if that explains much of the residual."""
        if not _LITTLE <= compared.likeness < _WELL:
            return None
        seen = self._faces.seen(whole.moved(compared.seen_as.warp))
        face = blurred(seen.grid, self._faces[compared.best], compared.seen_as.blur_px2)
        lit, belief, _ = fit_light(seen.grid, face, seen.planes, seen.weight, _LENIENCE)
        glare, by_glare = fit_glare(seen.grid, lit, seen.planes, belief)
        shade, by_shade = fit_shade(seen.grid, lit, seen.planes, belief)
        if max(by_glare, by_shade) < _UNEVEN:
            return None
        if by_glare >= by_shade:
            return CutOut(whole.picture - glare.T.reshape(whole.picture.shape), whole.weight)
        return CutOut(whole.picture / shade.reshape(*whole.picture.shape[:2], 1), whole.weight)

    def _fairly(self, compared: Compared, whole: CutOut) -> Compared:
        """The better of the two best names, each aligned and lit by itself."""
        leads, blur = compared.leads, compared.seen_as.blur_px2
        rival = min(leads, key=lambda name: leads[name], default=None)
        if rival is None or leads[rival] > _FAR_BEHIND:
            return compared
        faces, grid = self._faces, self._faces.grid
        other = next(index for index in compared.order if self.names[index] == rival)
        # The pose may be another face's, at which the best was found.
        warp, own = (faces.place(i, whole, compared.seen_as.warp, _LENIENCE) for i in (compared.best, other))
        seen = faces.seen(whole.moved(warp))
        there = carried(grid, faces[other], after(own, inverse(warp)))
        lit = {
            index: fit_light(grid, blurred(grid, face, blur), seen.planes, seen.weight)[0]
            for index, face in {compared.best: faces[compared.best], other: there}.items()
        }
        trust = np.maximum.reduce([believe(model, seen.planes, seen.weight) for model in lit.values()])
        told = judge(self.names, lit, seen.trusted(trust), SeenAs(warp, blur))
        behind = {name: lead for name, lead in leads.items() if name not in (rival, self.names[told.best])}
        return replace(told, order=compared.order, leads=told.leads | behind)

    def _compare(
        self, order: list[int], near: list[int], first: int, whole: CutOut, search: _PlaceSearch
    ) -> Compared:
        """Compare the likely faces with the picture, aligned to where `first` fits best.

        No two cards are cut out alike, and a pixel or two beside its place the true face explains less than a
        similar one does. So the faces that are `near` are first moved into their own places, if it may
        matter.
        """
        warp = self._faces.place(first, whole, search.begin, search.lenience)
        there = whole.moved(warp)
        seen = self._faces.seen(there)
        # The enrolled faces are as sharp as their pictures were; a card seen from afar is not.
        variance, belief, veil = variance_between(seen.grid, self._faces[first], seen.planes, seen.weight)
        lighting = Lighting(SeenAs(warp, variance), veil, belief)

        def held(faces: dict[int, Float32]) -> Compared:
            soft = {index: blurred(seen.grid, face, variance) for index, face in faces.items()}
            return hold(self.names, soft, seen, lighting)

        faces = {index: self._faces[index] for index in order}
        others = [index for index in near if index != first]
        likeness = held({first: faces[first]}).likeness
        if not _FOUND <= likeness < _WELL:
            compared = held(faces)
            if compared.likeness < _LITTLE:
                # Most rectangles that are no card end here: no face explains anything, wherever it is moved.
                return compared
            far = min(compared.leads.values(), default=1.0) > _FAR_BEHIND
            if far and compared.likeness >= _WELL and compared.best == first:
                # Nearly all is explained: no face this far behind catches up in its own place.
                return compared
            if not others:  # and there is none to move
                return compared
        half = there.half
        for index in others:
            faces[index] = self._faces.own_place(index, half, veil)
        return held(faces)


def _far_apart(one: Affine, other: Affine) -> bool:
    """Whether two poses put a face's middle too far apart for one to be reached from the other."""
    (x, y), (u, v) = shift_of(one, FACE_PX), shift_of(other, FACE_PX)
    return float(np.hypot(x - u, y - v)) > _SLIGHT_PX


def _crowded(explained: Float32) -> bool:
    """Whether more faces may be the card than are compared: half a millimetre off, the true one may trail."""
    if len(explained) <= _SHORTLIST:
        return False
    likely = np.sort(explained)
    return bool(likely[-_SHORTLIST - 1] >= likely[-1] - _TIE)


def _both_ways(picture: Picture) -> Iterator[Float32]:
    """The softened picture as it is and turned by 180 degrees."""
    yield soften(picture)
    yield soften(cv2.rotate(picture, cv2.ROTATE_180))
