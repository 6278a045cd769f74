"""Faces that two cards share: one picture under two names, or a thing that stood in for every card.

Also the opposite: pictures of one name that show two cards.

Two pictures of one card differ in light, noise and cut; two cards differ somewhere by as much as ink.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from vision.cards.face_similarity import SAME, unlike
from vision.cards.recognition import Faces
from vision.sightings import Picture

_NEAR = 0.2
"""Share of differing ink up to which faces are compared closely."""
_MOST_MISNAMED = 4
"""Number of further pictures that are named as another card's; more of them differ by their light."""


def nearest_among(faces: Mapping[int, Picture]) -> list[tuple[int, int, float]]:
    """Every face (120, 80, 3) BGR with its nearest others, by number, and the share of ink that differs."""
    numbers = {str(number): number for number in faces}
    near = Faces(list(numbers), [faces[number] for number in numbers.values()]).nearest_pairs()
    return [(numbers[first], numbers[second], apart) for first, second, apart in near]


def twins_among(
    names: Mapping[int, str], faces: Mapping[int, Picture], near: Sequence[tuple[int, int, float]]
) -> list[tuple[int, int]]:
    """Pairs of faces (120, 80, 3) BGR under different names that show the same, by number."""
    pairs = [
        (first, second)
        for first, second, apart in near
        if apart < _NEAR and first in faces and second in faces
    ]
    return [
        (first, second)
        for first, second in pairs
        if names[first] != names[second] and unlike(faces[first], faces[second]) < SAME
    ]


def unlike_namesakes(
    names: Mapping[int, str], near: Sequence[tuple[int, int, float]]
) -> list[tuple[int, int]]:
    """Further pictures of a card that look more like another card: their numbers and the other card's.

    Of 100 pictures of cards with a sound picture, relit, blurred or under a flash, one does so; of 100 under
    another card's name, 92 do. So such pictures are only named, and nothing is refused. Where many look like
    other cards, these pictures differ by their light, not their names: then none is named.
    """
    nearest: dict[int, tuple[float, int]] = {}
    for first, second, apart in near:
        for number, other in ((first, second), (second, first)):
            if number in names and other in names:
                nearest[number] = min((apart, other), nearest.get(number, (apart, other)))
    times = Counter(names.values())
    found = [
        (number, other)
        for number, (_, other) in nearest.items()
        if times[names[number]] > 1 and names[other] != names[number]
    ]
    return found if len(found) <= _MOST_MISNAMED else []
