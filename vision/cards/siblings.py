"""Faces that disagree with the others of their rank or suit: another card's picture, another deck's card.

Cards of one rank share their corner index and, courts aside, the layout of their pips; cards of one suit
share its colour; and all cards of a deck have corners that look the same both ways up. No card is tested for
what the rest of its deck does not show: each measure must first separate all other cards correctly (leave one
out). A second picture of the same card agrees with the first, so a user who insists takes two.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.arrays import Float32
from vision.cards.print_layout import layout_likeness, layouts
from vision.cards.reasons import Reason
from vision.cards.sibling_parameters import SIBLING
from vision.sightings import Picture


@dataclass(frozen=True, slots=True)
class Corner:
    """A part of a face at its upper left, in its pixels: `width` from the edge, rows `top` to `bottom`."""

    width: int
    top: int
    bottom: int


_INDEX, _SLIM, _BELOW = Corner(26, 0, 18), Corner(12, 1, 14), Corner(26, 14, 34)
"""Where indices are printed: the whole corner, a narrow column (French cards), and the area below."""
_CORNERS = (_INDEX, _SLIM, _BELOW)
_TINTED = (Corner(26, 0, 34), Corner(12, 1, 26))
"""Where the suit's colour is measured: a court's robe has other colours than its index."""
_SHORT = 3
"""Most letters of a name without a dash whose first letter is the suit."""
_MOST_OF_ONE_COLOUR = 2
"""Number of suits of a deck that share a colour: hearts and diamonds."""
_REACH_PX = 2
"""Largest offset, in pixels, between the cut-outs of two faces."""


@dataclass(frozen=True, slots=True)
class Disagreeing:
    """Faces by number: the reason for each `refused` one, and for each `doubted` one the card it looks like.

    `unchecked` are suits, or ranks, for which no measure could tell whether two of them bear each other's
    name.
    """

    refused: dict[int, Reason]
    doubted: dict[int, int]
    unchecked: tuple[tuple[str, ...], ...] = ()


@dataclass(frozen=True, slots=True)
class _SaidOfNames:
    """Verdicts on faces by number: surely another's card, perhaps another's; and names not checked."""

    wrong: dict[int, int]
    doubted: dict[int, int]
    unchecked: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class _SiblingMeasure:
    """Likeness of faces (n, n), the kind of each, least difference between kinds, and what `of`."""

    like: Float32
    kinds: tuple[str, ...]
    least: float
    of: tuple[str, ...]
    """What `kinds` are derived from: ranks, or suits (suits of one colour are one kind)."""


def disagreeing(
    names: Mapping[int, str], faces: Mapping[int, Picture], apart: Mapping[int, float]
) -> Disagreeing:
    """Faces (120, 80, 3) BGR that disagree with the others of their rank, suit or deck.

    `apart` is the share of its ink that the nearest other face leaves unexplained. The names are a suit and a
    rank, as in `red-7` or `HT`; where the faces show neither, no rank or suit is judged.
    """
    refused = dict.fromkeys(strange(names, faces, apart), _STRANGER)
    rest = {number: face for number, face in faces.items() if number not in refused}
    told = misnamed(names, rest)
    refused |= {number: _looks_like(names[other]) for number, other in told.wrong.items()}
    return Disagreeing(refused, told.doubted, told.unchecked)


_STRANGER = Reason(
    "stranger",
    "what it shows has nothing in common with the other cards, so it may not belong to this deck;"
    " if it does, take a second picture of it, named like red-5.2.jpg",
)


def _looks_like(other: str) -> Reason:
    return Reason(
        "misnamed",
        "looks like {other} and unlike the other cards of its rank or suit; if the name is right, take "
        "a second picture of it, named like red-5.2.jpg",
        other=other,
    )


def misnamed(names: Mapping[int, str], faces: Mapping[int, Picture]) -> _SaidOfNames:
    """Faces of another rank or suit than their name's, and those that may be; which card each looks like."""
    numbers = list(faces)
    if not numbers:
        return _SaidOfNames({}, {}, ())
    pictures = [faces[number] for number in numbers]
    suits, ranks = zip(*(_suit_and_rank(names[number]) for number in numbers), strict=True)
    if len(numbers) <= SIBLING.least_read:
        return _SaidOfNames({}, {}, _untold(ranks, []) + _untold(suits, []))
    by_rank = [
        _SiblingMeasure(corner_likeness(pictures, corner)[0], ranks, 0.0, ranks) for corner in _CORNERS
    ]
    layout = _SiblingMeasure(layout_likeness(pictures), layouts(ranks), SIBLING.least_layout, ranks)
    by_suit = []
    for corner in _TINTED:
        angles = tint_angles(pictures, corner)
        kinds = tuple(_told_apart(angles, suits))
        by_suit.append(_SiblingMeasure(-angles, kinds, SIBLING.least_angle, suits))
    said: dict[int, list[tuple[str, int]]] = {}
    alone: set[int] = set()
    read = []
    for measure in (*by_rank, layout, *by_suit):
        kinds = measure.kinds
        outsiders, clear = _outsiders(measure.like, kinds, measure.least)
        if not clear:
            outsiders = exchanged(measure.like, kinds, measure.least)
            clear = bool(outsiders)
        read += [measure] if clear else []
        for at, other in outsiders.items():
            said.setdefault(at, []).append((kinds[other], other))
            alone |= {at} if clear else set()
    wrong, doubted = {}, {}
    for at, told in said.items():
        kind, times = Counter(kind for kind, _ in told).most_common(1)[0]
        other = numbers[next(other for each, other in told if each == kind)]
        if times >= SIBLING.agreeing:
            wrong[numbers[at]] = other
        elif at in alone:
            doubted[numbers[at]] = other
    unchecked = [_untold(of, [each for each in read if each.of is of]) for of in (ranks, suits)]
    return _SaidOfNames(wrong, doubted, (*unchecked[0], *unchecked[1]))


def exchanged(like: Float32, kinds: Sequence[str], least_lead: float) -> dict[int, int]:
    """Pairs that bear each other's name, by a measure that reads all cards once the names are exchanged.

    Two wrong names among four of a rank also spoil what the other two are compared with: only exchanging
    them shows that all agree. Empty unless all cards then agree, and clearly.
    """
    most = max(1, int(SIBLING.most_led * len(kinds)))
    now = list(kinds)
    pairs: dict[int, int] = {}
    for _ in range(most):
        leads = _leads_of(like, now)
        if not (leads <= 0).any():
            break
        against = [int(at) for at in np.flatnonzero(leads <= 0) if at not in pairs]
        tried = [(one, other) for one, other in combinations(against, 2) if now[one] != now[other]]
        if not tried:
            return {}
        one, other = max(tried, key=lambda pair: _against(_leads_of(like, _with_exchanged(now, *pair))))
        now = _with_exchanged(now, one, other)
        pairs |= {one: other, other: one}
    leads = _leads_of(like, now)
    told = leads[np.isfinite(leads)]
    if not pairs or len(told) < SIBLING.least_read:
        return {}
    usual = float(np.median(told))
    clear = told.min() > 0 and usual >= least_lead and told.min() >= SIBLING.exchanged_least_lead * usual
    return pairs if clear and np.isfinite(leads[list(pairs)]).all() else {}


def _with_exchanged(kinds: Sequence[str], one: int, other: int) -> list[str]:
    now = list(kinds)
    now[one], now[other] = now[other], now[one]
    return now


def _against(leads: NDArray[Any]) -> float:
    """Sum of the evidence against the names, 0 or below."""
    return float(np.nansum(np.minimum(leads, 0)))


def _leads_of(like: Float32, kinds: Sequence[str]) -> NDArray[Any]:
    return _leads(like, _same(kinds), np.ones(len(kinds), bool))


def _same(kinds: Sequence[str]) -> NDArray[np.bool_]:
    """Which cards are of one kind (n, n); no card is paired with itself."""
    each = np.array(kinds)
    return np.asarray((each[:, None] == each[None, :]) & ~np.eye(len(kinds), dtype=bool), np.bool_)


def _untold(names: tuple[str, ...], read: Sequence[_SiblingMeasure]) -> tuple[tuple[str, ...], ...]:
    """Suits or ranks whose cards may bear each other's name, since no measure separated them.

    A kind with a single card is recognised by the others if it should be one of them, but by none of its own.
    """
    left = [tuple(sorted(set(names)))]
    for measure in read:
        kind_of = dict(zip(names, measure.kinds, strict=True))
        groups = [
            [name for name in group if kind_of[name] == kind] for group in left for kind in set(measure.kinds)
        ]
        left = [tuple(group) for group in groups if group]
    return tuple(sorted(group for group in left if len(group) > 1))


def strange(names: Mapping[int, str], faces: Mapping[int, Picture], apart: Mapping[int, float]) -> set[int]:
    """Faces that have nothing in common with the others; `apart` as in `disagreeing`."""
    numbers = list(faces)
    if len(numbers) <= SIBLING.least_read:
        return set()
    far, unturned = _aloof([faces[number] for number in numbers])
    ranks = Counter(_suit_and_rank(names[number])[1] for number in numbers)
    return {
        number
        for number, alone, bent in zip(numbers, far, unturned, strict=True)
        if alone > SIBLING.alone
        and apart.get(number, 0.0) > SIBLING.unexplained
        and (
            alone > SIBLING.quite_alone
            or bent > SIBLING.unturned
            or ranks[_suit_and_rank(names[number])[1]] > SIBLING.siblings
        )
    }


def aloof(names: Sequence[str], faces: Sequence[Picture], apart: Sequence[float], least: float) -> list[bool]:
    """Which of the faces may have nothing in common with the others, though this is not certain.

    A face with more than `least` ink that no other face explains counts as well, except for the only card of
    its rank: an ace, say, need not look like a king. The corners of that one must be quite unlike all
    others'.
    """
    ranks = [_suit_and_rank(name)[1] for name in names]
    of_rank = Counter(ranks)
    with_siblings = len(of_rank) < len(ranks)
    far = _aloof(faces)[0].tolist() if len(faces) > SIBLING.least_read else [0.0] * len(faces)
    return [
        ((alone > SIBLING.alone and ink > SIBLING.unexplained) or ink > least)
        and (of_rank[rank] > 1 or not with_siblings or alone > SIBLING.quite_alone)
        for rank, alone, ink in zip(ranks, far, apart, strict=True)
    ]


def _aloof(faces: Sequence[Picture]) -> tuple[Float32, Float32]:
    """How far each face's corners fall below the usual likeness, to any other's and to each other (n,)."""
    told = [corner_likeness(faces, corner) for corner in _CORNERS]
    like = np.mean([likeness.max(axis=1) for likeness, _ in told], axis=0)
    turned = np.mean([alike for _, alike in told[:2]], axis=0)
    return np.median(like) - like, np.median(turned) - turned


def corner_likeness(faces: Sequence[Picture], corner: Corner) -> tuple[Float32, Float32]:
    """Likeness of two faces' corners in any ink (n, n), and of a face's own two corners (n,); 1 = the same.

    The correlation of the darkest channel, in which every ink and every coloured ground is dark, at the best
    shift, either way up; the less alike of the two corners counts. A face with itself: -1.
    """
    count = len(faces)
    darkest = np.stack([each.min(axis=2) for face in faces for each in _both_ways(face)])
    reach = range(-_REACH_PX, _REACH_PX + 1)
    middle = _prints(darkest, corner, 0, 0)
    like = np.full((2 * count, 2 * count), -1, np.float32)
    for right in reach:
        for down in reach:
            np.maximum(like, middle @ _prints(darkest, corner, right, down).T, out=like)
    pairs = np.maximum(like, like.T).reshape(count, 2, count, 2)
    upright = np.minimum(pairs[:, 0, :, 0], pairs[:, 1, :, 1])
    over = np.minimum(pairs[:, 0, :, 1], pairs[:, 1, :, 0])
    both = np.maximum(upright, over)
    np.fill_diagonal(both, -1)
    own = np.arange(count)
    return both, np.asarray(pairs[own, 0, own, 1], np.float32)


def tint_angles(faces: Sequence[Picture], corner: Corner) -> Float32:
    """Degrees between the directions in which two corners' colours vary (n, n): from paper to ink."""
    axes = []
    for face in faces:
        axis = np.zeros(3, np.float32)
        for each in _both_ways(face):
            inks = each[corner.top : corner.bottom, : corner.width].reshape(-1, 3)
            inks = inks - inks.mean(axis=0)
            longest = np.linalg.eigh(inks.T @ inks)[1][:, -1]
            axis += longest if longest.sum() > 0 else -longest
        axes.append(axis / max(float(np.linalg.norm(axis)), 1e-6))
    cosines = np.clip(np.array(axes) @ np.array(axes).T, -1, 1)
    angles = np.degrees(np.arccos(cosines)).astype(np.float32)
    np.fill_diagonal(angles, 180.0)
    return np.asarray(angles, np.float32)


def _outsiders(like: Float32, kinds: Sequence[str], least_lead: float) -> tuple[dict[int, int], bool]:
    """Faces more like another kind than any of their own, and like which; whether the kinds lie far apart.

    Empty unless all other faces are of their own kind by this measure.
    """
    count = len(kinds)
    own = _same(kinds)
    kept = np.ones(count, bool)
    left: list[int] = []
    while True:
        leads = _leads(like, own, kept)
        told = leads[kept & np.isfinite(leads)]
        if len(told) < SIBLING.least_read or len(left) > max(1, round(SIBLING.most_led * count)):
            return {}, False
        if told.min() > 0:
            break
        left.append(int(np.nanargmin(np.where(kept, leads, np.nan))))
        kept[left[-1]] = False
    usual = float(np.median(told))
    if usual < least_lead:
        return {}, False
    nearest = np.where(own & kept[None, :], like, -np.inf).max(axis=1)
    insider = nearest[kept & np.isfinite(leads)].min()
    found = {}
    for at in left:
        other = int(np.argmax(np.where(kept & ~own[at], like[at], -np.inf)))
        # A card that hardly leans to another kind shows that the measure does not read this deck.
        if not -leads[at] > SIBLING.lead * _usual_lead(like, kinds, kept, kinds[at], kinds[other]):
            return {}, False
        if like[at, other] >= insider:
            found[at] = other
    if len(left) > max(1, SIBLING.most_led * count) and not _are_exchanged(found, kinds):
        return {}, False
    return found, bool(told.min() >= SIBLING.one_least_lead * usual)


def _are_exchanged(outsiders: Mapping[int, int], kinds: Sequence[str]) -> bool:
    """Whether the outsiders look like each other's kind: two wrong of a small deck are no chance then."""
    return Counter(kinds[at] for at in outsiders) == Counter(kinds[other] for other in outsiders.values())


def _usual_lead(like: Float32, kinds: Sequence[str], kept: NDArray[np.bool_], kind: str, other: str) -> float:
    """Median of how much more like their own kind than the other the kept cards of two kinds are."""
    at = {each: np.array([one == each for one in kinds]) & kept for each in (kind, other)}
    leads: list[float] = []
    for ours, theirs in ((at[kind], at[other]), (at[other], at[kind])):
        if ours.sum() > 1 and theirs.any():
            inside = like[np.ix_(ours, ours)].copy()
            np.fill_diagonal(inside, -np.inf)
            leads += list(inside.max(axis=1) - like[np.ix_(ours, theirs)].max(axis=1))
    return float(np.median(leads)) if leads else float("inf")


def _leads(like: Float32, own: NDArray[np.bool_], kept: NDArray[np.bool_]) -> NDArray[Any]:
    """How much more like a kept face of its own kind than any other kept one each is; nan: there is none."""
    others = kept[None, :] & ~own & ~np.eye(len(kept), dtype=bool)
    ours = np.where(own & kept[None, :], like, -np.inf).max(axis=1)
    theirs = np.where(others, like, -np.inf).max(axis=1)
    with np.errstate(invalid="ignore"):
        return np.where(np.isfinite(ours) & np.isfinite(theirs), ours - theirs, np.nan)


def _told_apart(angles: Float32, suits: Sequence[str]) -> list[str]:
    """The suits, with those of one colour under one name: hearts and diamonds are both red.

    Suits are of one colour if they are no farther from each other than each is from itself in this light.
    Medians of medians: one wrong name in each of two suits of four does not make a colour of its own.
    """
    kinds = {suit: suit for suit in suits}
    at = {suit: np.flatnonzero([one == suit for one in suits]) for suit in kinds}
    spread = {suit: _usual_angle(angles, own, own) for suit, own in at.items()}
    for one, other in combinations(sorted(kinds), 2):
        between = _usual_angle(angles, at[one], at[other])
        if between < max(SIBLING.least_angle, SIBLING.one_colour * max(spread[one], spread[other])):
            kinds = {suit: kinds[one] if kind == kinds[other] else kind for suit, kind in kinds.items()}
    if max(Counter(kinds.values()).values()) > _MOST_OF_ONE_COLOUR:
        return ["" for _ in suits]  # a chain of neighbours: this light does not separate the colours
    return [kinds[suit] for suit in suits]


def _usual_angle(angles: Float32, ours: NDArray[np.intp], theirs: NDArray[np.intp]) -> float:
    """The median angle between a card of `ours` and one of `theirs`; 0 if there is no other."""
    each = [np.median(angles[one, theirs[theirs != one]]) for one in ours if (theirs != one).any()]
    return float(np.median(each)) if each else 0.0


def _suit_and_rank(name: str) -> tuple[str, str]:
    """Split `red-7`, `Herz 7`, `HT` or `H10` into suit and rank; a longer single word is all rank."""
    suit, dash, rank = re.sub(r"[ _]", "-", name).partition("-")
    if dash:
        return suit, rank
    return (name[:1], name[1:]) if len(name) <= _SHORT else ("", name)


def _both_ways(face: Picture) -> tuple[Float32, Float32]:
    """The softened face as it is and turned by 180 degrees."""
    soft = np.asarray(cv2.GaussianBlur(face.astype(np.float32), (0, 0), 1.2), np.float32)
    return soft, soft[::-1, ::-1]


def _prints(darkest: Float32, corner: Corner, right: int, down: int) -> Float32:
    """Deviation from the mean of each corner, cut out at that offset: (faces, values) of length 1."""
    rows = slice(corner.top + _REACH_PX + down, corner.bottom + _REACH_PX + down)
    columns = slice(_REACH_PX + right, corner.width + _REACH_PX + right)
    inside = darkest[:, rows, columns].reshape(len(darkest), -1)
    inside = inside - inside.mean(axis=1, keepdims=True)
    least = SIBLING.least_print * np.sqrt(inside.shape[1])
    return np.asarray(inside / np.maximum(np.linalg.norm(inside, axis=1, keepdims=True), least), np.float32)
