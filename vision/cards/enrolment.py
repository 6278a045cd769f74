"""Enrolment: find the one card in every still of a deck, on any ground, and cut it out flat.

Stills of one camera are learnt together: the card is what changes from one to the next (`together`). A still
that stands alone is examined alone (`single`). All finds must agree in size, and no two cards may show the
same face; a still that disagrees is refused with its reason and costs no other card.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence, Set
from dataclasses import dataclass

import numpy as np

from vision.arrays import Float64
from vision.cards.lone import Lone
from vision.cards.motion import is_ground_nearer
from vision.cards.nested import hold_cards
from vision.cards.one_thing import are_one_thing, has_print
from vision.cards.outline import order_corners, sides_of
from vision.cards.reasons import FEW_LEARNT, FEW_NEARER, NO_CARD, PLAIN, Reason
from vision.cards.recognition import FACE_PX
from vision.cards.second_card import refuse_second
from vision.cards.series import LEAST
from vision.cards.siblings import disagreeing
from vision.cards.single import learn_alone
from vision.cards.still import Learnt, Pictures, Refusal, Still, Taken
from vision.cards.together import Together, by_ground, on_table
from vision.cards.twins import nearest_among, twins_among, unlike_namesakes
from vision.errors import TagsNotFoundError
from vision.geometry import Registration, flatten_px, register
from vision.layout import Layout
from vision.sightings import Picture

Found = dict[int, Float64]
Near = Sequence[tuple[int, int, float]]
_ODD = 0.08
"""Most that a find's shape may differ: cut by hand 6 %; with a strip of print taken for ground, 9 %."""
_ENOUGH = 8
"""Number of stills that show what a card looks like: it was known in 72 of 72 tries, in no bare ground."""
_SOME, _MOST, _ALIKE = 6, 0.7, 0.03
"""Number and share of cards that must agree within `_ALIKE` in shape before an odd one is refused."""


def learn_stills(
    stills: Sequence[Still], layout: Layout | None = None, empty: Picture | None = None
) -> Learnt:
    """Learn the faces from stills that each show one card; `empty` shows their ground without a card."""
    found: dict[int, Float64] = {}
    reasons: dict[int, Reason] = {}
    size = np.array(layout.card_size_mm) if layout and layout.card_size_mm else None
    ratio: float | None = float(size[1] / size[0]) if size is not None else None
    alone = list(range(len(stills)))
    if layout is not None and layout.tags:
        learnt = on_table(Pictures(stills, alone), layout, empty)
        alone = _note(learnt, alone, found, reasons)
        if learnt is not None:
            size, ratio = learnt.size, learnt.ratio
    sure = set(found)
    grounds: list[tuple[list[int], Together]] = []
    for group in _of_one_form(stills, alone):
        bare = empty if empty is not None and empty.shape == stills[group[0]].form else None
        if len(group) >= LEAST or bare is not None:
            learnt = by_ground(Pictures(stills, group), bare)
            rest = _note(learnt, group, found, reasons)
            alone = [n for n in alone if n not in group or n in rest]
            if learnt is not None:
                grounds.append((group, learnt))
                ratio = learnt.ratio if ratio is None and learnt.corners else ratio
    lone = {n: _lone(stills[n].picture, layout) for n in alone}
    learn_alone(list(lone.values()), layout, size, ratio)
    refuse_second(list(lone.values()))
    _refuse_unlike_group(stills, found, lone)
    _refuse_unchanged(grounds, lone)
    _refuse_squares(stills, lone)
    for number, each in lone.items():
        if each.corners is not None:
            found[number] = each.corners
        else:
            reasons[number] = each.reason or NO_CARD
    measured = [
        each.size for each in lone.values() if each.size is not None and each.registration is not None
    ]
    if size is None and measured:
        size = np.median(measured, axis=0)
    faces = _cut_out(stills, found)
    _refuse_things(stills, faces, found, reasons)
    _refuse_sheets(stills, found, reasons)
    return _told(stills, faces, found, reasons, _Known(size, ratio, sure))


def learn_scans(stills: Sequence[Still], layout: Layout | None = None) -> Learnt:
    """Learn pictures that are a card from edge to edge: nothing is searched for in them."""
    whole = {}
    for number, still in enumerate(stills):
        height, width = still.form[:2]
        whole[number] = order_corners([[0, 0], [width, 0], [width, height], [0, height]]) - 0.5
    size = np.array(layout.card_size_mm) if layout and layout.card_size_mm else None
    ratio = float(size[1] / size[0]) if size is not None else None
    return _told(stills, _cut_out(stills, whole), whole, {}, _Known(size, ratio, frozenset(whole)))


def shows_card(empty: Picture, stills: Sequence[Still], layout: Layout | None = None) -> bool:
    """Whether the picture of the bare ground shows a card, as some of these stills do."""
    alike = [still for still in stills if still.form == empty.shape]
    some = alike[:: max(1, len(alike) // _ENOUGH)][:_ENOUGH]
    if len(some) < LEAST:
        return False
    learnt = learn_stills([*some, Still("", "", lambda: empty)], layout)
    same = any(refusal.name == "" and refusal.reason.code == "twin" for refusal in learnt.refused)
    return same or "" in learnt.names


def _note(
    learnt: Together | None, numbers: Sequence[int], found: dict[int, Float64], reasons: dict[int, Reason]
) -> list[int]:
    """Take over what was learnt together; return the numbers that have still to be examined."""
    if learnt is None:
        return list(numbers)
    found.update({numbers[at]: corners for at, corners in learnt.corners.items()})
    reasons.update({numbers[at]: why for at, why in learnt.reasons.items()})
    return [numbers[at] for at in learnt.others]


def _of_one_form(stills: Sequence[Still], numbers: Sequence[int]) -> list[list[int]]:
    groups: dict[tuple[int, ...], list[int]] = defaultdict(list)
    for number in numbers:
        groups[stills[number].form].append(number)
    return list(groups.values())


def _lone(picture: Picture, layout: Layout | None) -> Lone:
    return Lone(picture, _registered(picture, layout))


def _registered(picture: Picture, layout: Layout | None) -> Registration | None:
    if layout is None or not layout.tags:
        return None
    try:
        return register(picture, layout)
    except TagsNotFoundError:
        return None  # a crop, or a still from another table: measured in its own pixels


def _refuse_unlike_group(stills: Sequence[Still], found: dict[int, Float64], lone: dict[int, Lone]) -> None:
    """Refuse what was found alone if it differs in size from the cards found together by the same camera."""
    for each in lone.values():
        form = each.picture.shape
        sides = [sides_of(corners) for n, corners in found.items() if stills[n].form == form]
        if each.corners is None or len(sides) < LEAST:
            continue
        usual = np.median(sides, axis=0)
        most = max(_ALIKE, *(float(np.abs(own / usual - 1).max()) for own in sides)) + _ALIKE
        if np.abs(sides_of(each.corners) / usual - 1).max() > most:
            each.refuse(
                Reason.of_size(
                    "size.ground",
                    "what was found is not as large as the cards in the other pictures (theirs are"
                    " {width:.0f} x {height:.0f} px); take it again on the same ground, from the same "
                    "distance",
                    usual,
                )
            )


def _refuse_unchanged(grounds: Sequence[tuple[list[int], Together]], lone: dict[int, Lone]) -> None:
    """Refuse finds that other pictures of the same ground show at the same place: they are ground."""
    for group, learnt in grounds:
        for at, number in enumerate(group):
            each = lone.get(number)
            if each is not None and each.corners is not None and learnt.stands(at, each.corners):
                each.refuse(
                    Reason(
                        "ground",
                        "what was found is in the other pictures, too, so it is no card; take it again"
                        " with one card wholly in view, on a ground that differs from it",
                    )
                )


def _refuse_squares(stills: Sequence[Still], lone: dict[int, Lone]) -> None:
    """Refuse the rest if half of what was found alone shows one face: a square of the cloth."""
    faces = {
        n: flatten_px(each.picture, each.corners, FACE_PX)
        for n, each in lone.items()
        if each.corners is not None
    }
    if len(faces) < LEAST:
        return
    names = {n: stills[n].name for n in faces}
    alike = {n for pair in twins_among(names, faces, nearest_among(faces)) for n in pair}
    if len(alike) < LEAST or len(alike) < len(faces) / 2:
        return
    for number in faces.keys() - alike:
        lone[number].refuse(
            Reason(
                "squares",
                "most pictures like this one show the same thing, so what was found here may be no card;"
                f" {PLAIN}",
            )
        )


def _refuse_things(
    stills: Sequence[Still], faces: dict[int, Picture], found: dict[int, Float64], reasons: dict[int, Reason]
) -> None:
    """Refuse finds without print, and pictures that all show one and the same thing."""
    for number in [n for n, face in faces.items() if not has_print(face)]:
        found.pop(number)
        reasons[number] = Reason(
            "blank",
            "what was found shows no print, or too little to know a card by; take it again, face up, "
            "with nothing else moving nearby; cards with nothing but small signs in their corners "
            "cannot be learnt, use a deck with larger print",
        )
    for group in _of_one_form(stills, sorted(found)):
        one_each = {stills[n].name: faces[n] for n in group}
        if are_one_thing(list(one_each.values())):
            for number in group:
                found.pop(number)
                reasons[number] = Reason(
                    "same",
                    "what was found looks the same in many pictures, so it is no card; take them again "
                    "with nothing else moving nearby (the rest of the pack, a note)",
                )


def _refuse_sheets(stills: Sequence[Still], found: dict[int, Float64], reasons: dict[int, Reason]) -> None:
    """Refuse finds that are a sheet moved along under each card."""
    for group in _of_one_form(stills, sorted(found)):
        if not hold_cards(Pictures(stills, group), [found[n] for n in group]):
            continue
        for number in group:
            found.pop(number)
            reasons[number] = Reason(
                "sheet",
                "what was found holds a smaller rectangle that lies differently in each picture, so it"
                " is what lies under the card; take it again with nothing under the card",
            )


def _refuse_twins(
    stills: Sequence[Still], faces: dict[int, Picture], near: Near, found: Found, reasons: dict[int, Reason]
) -> None:
    """Refuse both pictures where one card has two names: neither name is sure."""
    names = {n: stills[n].name for n in faces}
    for first, second in twins_among(names, faces, near):
        for number, other in ((first, second), (second, first)):
            found.pop(number, None)
            reasons[number] = Reason(
                "twin",
                "shows the same face as {other}; one of them is a copy, which should be deleted, or has the"
                " wrong name: take that one again (a further picture of one card is named like red-5.2.jpg)",
                other=stills[other].where,
            )


def _refuse_disagreeing(
    stills: Sequence[Still], faces: dict[int, Picture], near: Near, found: Found, reasons: dict[int, Reason]
) -> tuple[list[tuple[str, str]], tuple[tuple[str, ...], ...]]:
    """Refuse faces of another suit or rank than named, or unlike the deck; return doubted, unchecked."""
    names = {n: stills[n].name for n in faces}
    apart: dict[int, float] = {}
    for first, second, share in near:
        if first in faces and second in faces:
            apart |= {n: min(share, apart.get(n, share)) for n in (first, second)}
    told = disagreeing(names, faces, apart)
    for number, why in told.refused.items():
        found.pop(number)
        reasons[number] = why
    kept = {number: name for number, name in names.items() if number not in told.refused}
    pairs = {**dict(unlike_namesakes(kept, near)), **told.doubted}
    doubted = [(names[number], names[other]) for number, other in pairs.items()]
    return list(dict.fromkeys(doubted)), told.unchecked


def _refuse_few(
    stills: Sequence[Still], found: dict[int, Float64], reasons: dict[int, Reason], sure: Set[int]
) -> None:
    """Refuse the rest if most pictures of one camera taught nothing: the rest may be deceptive, too.

    `sure` are finds on a known table in the size of the others: they need no such check.
    """
    for group in _of_one_form(stills, range(len(stills))):
        doubted = [n for n in group if n not in sure]
        left = [n for n in doubted if n in found]
        if left and len(doubted) >= LEAST and len(left) < len(doubted) / 2:
            why = FEW_NEARER if is_ground_nearer(Pictures(stills, doubted)) else FEW_LEARNT
            for number in left:
                found.pop(number)
                reasons[number] = why


def _foreshortening(corners: Float64) -> float:
    """How much a card's opposite sides differ in length; foreshortening also shortens one pair of sides."""
    sides = np.linalg.norm(np.roll(corners, -1, axis=0) - corners, axis=1)
    return float(max(abs(np.log(sides[0] / sides[2])), abs(np.log(sides[1] / sides[3]))))


def _cut_out(stills: Sequence[Still], found: Found) -> dict[int, Picture]:
    """What was found, flattened to (120, 80, 3)."""
    return {n: flatten_px(stills[n].picture, found[n], FACE_PX) for n in found}


@dataclass(frozen=True, slots=True)
class _Known:
    """What is known of a deck: (short, long side) in mm, long by short, and which finds are surely cards."""

    size_mm: Float64 | None
    ratio: float | None
    sure: Set[int]


def _told(
    stills: Sequence[Still],
    faces: dict[int, Picture],
    found: dict[int, Float64],
    reasons: dict[int, Reason],
    known: _Known,
) -> Learnt:
    """The faces of all finds that pass the last checks: against each other, of shape, and of number."""
    near = nearest_among({n: faces[n] for n in sorted(found)})
    _refuse_twins(stills, {n: faces[n] for n in sorted(found)}, near, found, reasons)
    left = {n: faces[n] for n in sorted(found)}
    doubted, unchecked = _refuse_disagreeing(stills, left, near, found, reasons)
    numbers = sorted(found)
    shapes = {n: sides_of(found[n]) for n in numbers}
    own = {n: float(sides[1] / sides[0]) for n, sides in shapes.items()}
    usual = known.ratio or (float(np.median(list(own.values()))) if own else 1.5)
    off = {n: abs(each / usual - 1) for n, each in own.items()}
    strange = [n for n in numbers if off[n] > _ODD]
    if len(numbers) >= _SOME and np.mean([each < _ALIKE for each in off.values()]) >= _MOST:
        for n in [n for n in strange if off[n] > _ODD + _foreshortening(found[n])]:
            found.pop(n)
            reasons[n] = Reason(
                "ratio.edge",
                "what was found is {own:.2f} times as long as wide, the other cards are {usual:.2f} times;"
                " take it again on a ground that differs from its edge",
                own=round(own[n], 2),
                usual=round(usual, 2),
            )
    _refuse_few(stills, found, reasons, known.sure)
    numbers, strange = sorted(found), [n for n in strange if n in found]
    odd, size = [stills[n].name for n in strange], known.size_mm
    return Learnt(
        names=tuple(stills[n].name for n in numbers),
        pictures=tuple(faces[n] for n in numbers),
        size_mm=None if size is None else (float(size[0]), float(size[1])),
        ratio=float(size[1] / size[0]) if size is not None else usual,
        odd=tuple(odd),
        doubted=tuple(pair for pair in sorted(doubted) if pair[0] in {stills[n].name for n in numbers}),
        unchecked=unchecked if numbers else (),
        taken=tuple(Taken(stills[n].name, stills[n].where, found[n]) for n in numbers),
        refused=tuple(Refusal(stills[n].name, stills[n].where, why) for n, why in sorted(reasons.items())),
    )
