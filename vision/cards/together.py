"""Stills of one ground learnt together: which share a ground, how large their cards are, where each lies.

What a still shows is believed if it agrees with the rest: it changed where the card lies and not beside it,
and the card has the size of the others. For every still that disagrees, the reason is given.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import cv2
import numpy as np

from vision.arrays import Float64, Mask
from vision.cards.changes import Fit, Fitted, fit_series
from vision.cards.one_place import ELSEWHERE, MARK, NOT_THERE, strays
from vision.cards.outline import order_corners, sides_of
from vision.cards.own_picture import on_own_edges
from vision.cards.plane import level
from vision.cards.print_only import only_print_changed
from vision.cards.quads import SHORT_SIDE_MM
from vision.cards.reasons import NO_CARD, Reason
from vision.cards.second_below import upper_cards
from vision.cards.series import LEAST, Series
from vision.cards.views import StillView, drawn, places_of, views_on_table
from vision.layout import Layout
from vision.sightings import Picture

CARD_PX = 60.0
"""Usual width of a card in a frame, in pixels: on a table a millimetre is about a pixel."""
_FIRST_PX = 360.0
"""Longer side, in pixels, of the frames of the first look: time against small cards."""
_LOOKS = 6
"""How often frames are drawn at most: nearer, levelled, and back."""
_NEAR = (0.8, 1.25)
"""Limits of wanted over present scale within which cards are large enough: time or exactness."""
_LEVEL_PX = 0.25
"""Least move of a corner by levelling, in pixels of the frame, that is worth another look."""
_MOST_OF_FRAME = 0.5
"""Largest share of the frame that a card may fill: above it the camera moved, and all has changed."""
_FINE = 0.9
"""Share of the wanted scale above which a frame that needs no levelling is fine enough."""
_AS_CLEAR = 0.85
"""Least support, relative to that before, of outlines that were levelled or drawn nearer."""
_CLEAR_STEP, _LEAST_STEP = 6.0, 2.5
"""`Fit.step` that shows a card by itself, and the least of any: faint rims learnt against shadows."""
_CLEAR_FILLED, _LEAST_FILLED = 0.88, 0.75
"""As above, for `Fit.filled`: cards that stick out of their change read against other things learnt."""
_LEAST_SUPPORT, _CLEAR_SUPPORT = 0.3, 0.4
"""`Fit.support` below which nothing is believed, and above which a fit on unseen ground may be."""
_SEEN = 0.05
"""`Fit.known` below which it is unknown what changed inside the outline."""
_BESIDE = 0.12
"""`Fit.beside` above which something lies over the card: touched cards refused against shadows at rims."""
_OTHER_SIZE = 0.15
"""Share by which a side may differ from all others' for a card to be used for levelling."""
_UNKNOWN = 0.04
"""Median of `Fit.known` below which the ground was never seen: all cards lay at exactly one place."""
_TRUSTED, _HALF = 0.6, 0.5
"""Least share that agrees on other ground, and on known tags: half may agree on a ghost of stacked cards."""
_STANDS = 0.02
"""Share of changed pixels below which a thing is fixed: even where cards lay at one place, print changed."""
_SNUG, _MOST_SNUG, _SURELY_KNOWN = 0.035, 0.7, 0.9
"""Largest difference of sides, share of the cards, and share of known ground: see `_are_snug`."""
_FAINT_SUPPORT, _FAINT_STEP, _FAINT_FILLED = 0.25, 2.5, 0.75
"""Least `Fit` values for cards of exactly one size on known ground: their agreement is no chance."""
_BARELY_KNOWN = 0.6
"""`Fit.known` below which the ground at an outline is half guessed, and the card's own edges are used."""
_MANY, _WELL_KNOWN = 6, 0.3
"""Number of pictures below which all must agree, and least median `Fit.known` for that."""
_TWO = Reason(
    "sheet",
    "what was found is the card and another one that sticks out from under it; take it again with nothing"
    " under the card",
)
"""Why nothing is learnt of two cards on one another."""


@dataclass(frozen=True)
class Together:
    """What stills of one ground teach. By number of the picture: `corners` (4, 2) in its pixels, or a reason.

    `size` is that of their cards (short, long), in millimetres on a table, else None; `ratio` long by short.
    `others` are the pictures that show another ground, or all if too few agree: then nothing is believed
    except that a card `changed` (by number: a frame, and where it shows something other than the ground).
    """

    corners: dict[int, Float64]
    reasons: dict[int, Reason]
    others: tuple[int, ...]
    size: Float64 | None
    ratio: float
    changed: Mapping[int, tuple[StillView, Mask]] = field(default_factory=dict)

    def stands(self, number: int, corners: Float64) -> bool:
        """Whether what lies within an outline (4, 2) in a picture is also there in the others."""
        if number not in self.changed:
            return False
        view, changed = self.changed[number]
        inside = np.zeros(changed.shape, np.uint8)
        cv2.fillConvexPoly(inside, np.round(view.to_frame(corners)).astype(np.int32), 1)
        clean = cv2.morphologyEx(changed.astype(np.uint8), cv2.MORPH_OPEN, np.ones((2, 2), np.uint8))
        return float(clean[inside > 0].mean()) < _STANDS if inside.any() else False


def on_table(pictures: Sequence[Picture], layout: Layout, empty: Picture | None = None) -> Together | None:
    """Learn the pictures that show the table's tags together; None if they teach nothing for certain."""
    views = views_on_table(pictures, layout)
    bare = views_on_table([empty], layout)[0] if empty is not None else None
    seen = [number for number, view in enumerate(views) if view is not None]
    shown = [view for view in views if view is not None]
    if len(seen) < (1 if bare else LEAST):
        return None
    given = np.array(layout.card_size_mm) if layout.card_size_mm else None
    series = Series([view.frame for view in shown], None if bare is None else bare.frame)
    fits, size = fit_series(series, given, SHORT_SIDE_MM)
    learnt = _believed(len(pictures), seen, shown, Fitted(fits, size, on_table=True))
    if bare is None and not _trusted(fits, learnt, _HALF):
        return None
    return _without_lower(learnt, seen, shown, series)


def by_ground(pictures: Sequence[Picture], empty: Picture | None = None) -> Together | None:
    """Learn pictures of one form that show one ground together; None if they teach nothing for certain."""
    places = places_of(pictures, empty)
    seen = [number for number, place in enumerate(places) if place is not None]
    if len(seen) < (LEAST if empty is None else 1):
        return None
    height, width = pictures[0].shape[:2]
    middle, unit = np.array([width / 2, height / 2]), max(width, height) / 2
    scale, levelled = min(1.0, _FIRST_PX / max(width, height)), np.eye(3)
    last, clear = False, 0.0
    known: list[Float64 | None] | None = None
    for _ in range(_LOOKS):
        views = [drawn(pictures[n], np.asarray(places[n]), scale, levelled) for n in seen]
        bare = None if empty is None else drawn(empty, np.eye(3), scale, levelled).frame
        before = known and [_in_frame(view, quad) for view, quad in zip(views, known, strict=True)]
        series = Series([view.frame for view in views], bare, doubts_unseen=True)
        fits, size = fit_series(series, cards=before)
        if size is not None and size[0] * size[1] > _MOST_OF_FRAME * views[0].frame[..., 0].size:
            fits, size = [None] * len(views), None  # everything has moved, so this is no card
        if size is None:
            break
        wanted = min(1.0, scale * CARD_PX / float(size[0]))
        if last:
            if np.array_equal(levelled, np.eye(3)) or _support(fits) > _AS_CLEAR * clear:
                break
            levelled = np.eye(3)  # the cards do not lie as those few that were used for levelling
            continue
        if _NEAR[0] < wanted / scale < _NEAR[1]:
            cards = [_in_full(fit.free, scale) for fit in fits if fit is not None and _agrees(fit, size)]
            levelled, last, clear = level(cards, middle, unit), True, _support(fits)
            if _bend_px(cards, levelled) * scale < _LEVEL_PX:
                levelled = np.eye(3)
                if scale > _FINE * wanted:
                    break
        known = _clear_cards(views, fits)
        scale = wanted
    learnt = _believed(len(pictures), seen, views, Fitted(fits, size, on_table=False))
    if empty is not None:
        return _without_lower(learnt, seen, views, series)
    if _trusted(fits, learnt, _TRUSTED):
        if only_print_changed(pictures, places, learnt.corners):
            return None
        return _without_lower(learnt, seen, views, series)
    # Nor may what a single such picture shows be believed: a row of squares is as good a card there.
    if _trusted(fits, learnt, _HALF):
        return _none_of(learnt)
    changed = {
        number: (view, series.changed(at)) for at, (number, view) in enumerate(zip(seen, views, strict=True))
    }
    return Together({}, {}, tuple(range(len(pictures))), None, learnt.ratio, changed)


def _without_lower(
    learnt: Together, seen: Sequence[int], views: Sequence[StillView], series: Series
) -> Together:
    """The same with only the upper cards, if the outlines are of two cards, one lying on the other."""
    at = {number: place for place, number in enumerate(seen) if number in learnt.corners}
    outlines = {at[n]: order_corners(views[at[n]].to_frame(learnt.corners[n])) for n in at}
    if not outlines:
        return learnt
    size = np.median([sides_of(outline) for outline in outlines.values()], axis=0)
    upper = upper_cards(series, outlines, size)
    if upper is None:
        return learnt
    corners = {n: order_corners(views[at[n]].to_picture(upper[at[n]])) for n in at if at[n] in upper}
    reasons = {**dict.fromkeys(learnt.corners, _TWO), **learnt.reasons}
    reasons = {n: why for n, why in reasons.items() if n not in corners}
    own = np.median([sides_of(card) for card in upper.values()], axis=0) if upper else None
    return replace(
        learnt,
        corners=corners,
        reasons=reasons,
        size=None if learnt.size is None or own is None else own,
        ratio=learnt.ratio if own is None else float(own[1] / own[0]),
    )


def _none_of(learnt: Together) -> Together:
    """The same with every picture refused, because too few agree."""
    why = Reason(
        "disagree",
        "only some of the pictures agree on where their cards lie; take them again from a stand, each "
        "card in another place, or with an empty.jpg of the bare ground",
    )
    return replace(learnt, corners={}, reasons={**dict.fromkeys(learnt.corners, why), **learnt.reasons})


def _clear_cards(views: Sequence[StillView], fits: Sequence[Fit | None]) -> list[Float64 | None] | None:
    """The corners (4, 2) of the clear cards, in pixels of each picture.

    None if the ground inside their outlines was never seen: then it is unknown what changed there.
    """
    if _ground_known(fits) < _UNKNOWN:
        return None
    clear = [fit.corners if fit is not None and fit.clear else None for fit in fits]
    return [None if quad is None else view.to_picture(quad) for view, quad in zip(views, clear, strict=True)]


def _ground_known(fits: Sequence[Fit | None]) -> float:
    """Median share of an outline whose ground was seen in other pictures."""
    known = [fit.known for fit in fits if fit is not None]
    return float(np.median(known)) if known else 0.0


def _in_frame(view: StillView, corners: Float64 | None) -> Float64 | None:
    """Corners (4, 2) in pixels of a picture, in pixels of its frame."""
    return None if corners is None else order_corners(view.to_frame(corners))


def _support(fits: Sequence[Fit | None]) -> float:
    """Median support of the cards' outlines."""
    return float(np.median([0.0 if fit is None else fit.support for fit in fits]))


def _in_full(corners: Float64, scale: float) -> Float64:
    return np.asarray((corners + 0.5) / scale - 0.5, np.float64)


def _agrees(fit: Fit, size: Float64) -> bool:
    return fit.support > _LEAST_SUPPORT and float(np.abs(sides_of(fit.free) / size - 1).max()) < _OTHER_SIZE


def _bend_px(cards: Sequence[Float64], levelled: Float64) -> float:
    """How far levelling moves a corner relative to its card's middle, in pixels of the picture."""
    most = 0.0
    for corners in cards:
        flat = cv2.perspectiveTransform(corners.reshape(-1, 1, 2), levelled).reshape(-1, 2)
        moved = flat - corners
        most = max(most, float(np.abs(moved - moved.mean(axis=0)).max()))
    return most


def _believed(
    count: int,
    seen: Sequence[int],
    views: Sequence[StillView],
    fitted: Fitted,
) -> Together:
    """Decide which fits are believed, and give the reason for each of the others."""
    fits, size, on_table = fitted.fits, fitted.size, fitted.on_table
    usual = size if on_table else None
    corners: dict[int, Float64] = {}
    reasons: dict[int, Reason] = {}
    snug = not on_table and _are_snug(fits, size)
    middles = [None if fit is None else fit.corners.mean(axis=0) for fit in fits]
    width = 0.0 if size is None else float(size[0])
    off_mark = strays(middles, MARK * width, ELSEWHERE * width)
    for number, view, fit, stray in zip(seen, views, fits, off_mark, strict=True):
        why = None if snug and fit is not None and _faintly_clear(fit) else _doubt(fit, usual)
        why = NOT_THERE if stray else why
        if why is None and fit is not None:
            guessed = not on_table and fit.known < _BARELY_KNOWN
            card = on_own_edges(view.frame, fit.corners) if guessed else fit.corners
            corners[number] = order_corners(view.to_picture(card))
        else:
            reasons[number] = why or NO_CARD
    others = tuple(number for number in range(count) if number not in seen)
    ratio = float(size[1] / size[0]) if size is not None else 1.5
    return Together(corners, reasons, others, size if on_table else None, ratio)


def _are_snug(fits: Sequence[Fit | None], size: Float64 | None) -> bool:
    """Whether most cards, each measured by itself, have exactly one size, on known ground."""
    if size is None or len(fits) < _MANY or _ground_known(fits) < _SURELY_KNOWN:
        return False
    far = [np.inf if fit is None else float(np.abs(sides_of(fit.free) / size - 1).max()) for fit in fits]
    return float(np.mean(np.array(far) < _SNUG)) >= _MOST_SNUG


def _faintly_clear(fit: Fit) -> bool:
    """Whether a fit of the shared size may be believed though it is faint."""
    return (
        fit.support >= _FAINT_SUPPORT
        and fit.step >= _FAINT_STEP
        and fit.filled >= _FAINT_FILLED
        and fit.beside <= _BESIDE
        and fit.known >= _SURELY_KNOWN
    )


def _trusted(fits: Sequence[Fit | None], learnt: Together, share: float) -> bool:
    """Whether that share agrees and the ground beside the cards was seen: otherwise nothing is certain."""
    if len(fits) < _MANY:
        return len(learnt.corners) == len(fits) and _ground_known(fits) >= _WELL_KNOWN
    return len(learnt.corners) >= max(1.0, share * len(fits)) and _ground_known(fits) >= _UNKNOWN


def _doubt(fit: Fit | None, size: Float64 | None) -> Reason | None:
    """Why a fit is not believed; None if it is."""
    nothing = _nothing(size)
    if fit is None or fit.support < _LEAST_SUPPORT:
        return nothing
    if fit.known < _SEEN:
        return None if fit.support > _CLEAR_SUPPORT and fit.filled > _CLEAR_FILLED else nothing
    if fit.step < _LEAST_STEP:
        return nothing
    if fit.beside > _BESIDE:
        return Reason(
            "touched",
            "something lies over the card or touches it; take it again with nothing else near the card",
        )
    clear = fit.step >= _CLEAR_STEP or fit.filled >= _CLEAR_FILLED
    return None if clear and fit.filled >= _LEAST_FILLED else nothing


def _nothing(size: Float64 | None) -> Reason:
    """The reason that no card is as large (short, long side in mm) as the others; None: no unit."""
    again = "take it again with one card wholly in view"
    if size is None:
        return Reason("unlike", f"no card as large as in the other pictures; {again}")
    return Reason.of_size(
        "unlike.mm",
        f"no card as large as in the other pictures ({{width:.0f}} x {{height:.0f}} mm); {again}",
        size,
    )
