"""Further pictures of a card that show another one are named; many at once are a matter of light."""

from __future__ import annotations

from vision.cards.twins import unlike_namesakes


def near(*pairs: tuple[int, int]) -> list[tuple[int, int, float]]:
    """Pairs of pictures that look alike."""
    return [(first, second, 0.1) for first, second in pairs]


def test_a_second_picture_that_looks_like_another_card_is_named_with_it() -> None:
    names = {0: "red-7", 1: "red-7", 2: "yellow-4"}
    assert unlike_namesakes(names, [(0, 1, 0.5), (1, 2, 0.05), (0, 2, 0.6)]) == [(1, 2)]


def test_a_single_picture_of_a_card_is_never_named() -> None:
    assert unlike_namesakes({0: "red-7", 1: "yellow-4"}, near((0, 1))) == []


def test_where_many_second_pictures_look_like_other_cards_none_is_named() -> None:
    """All of them under a flash: their light differs, not their names."""
    names = {number: f"red-{number % 8}" for number in range(16)}
    crossed = near(*((number, 15 - number) for number in range(8)))
    assert unlike_namesakes(names, crossed) == []
    assert len(unlike_namesakes(names, crossed[:2])) == 4
