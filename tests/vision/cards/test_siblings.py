"""A picture of another deck's card, or of another card than its name says, disagrees with its siblings."""

from __future__ import annotations

from itertools import product

import cv2
import numpy as np

from table.cli.enrol_report import Files, in_words
from vision.cards.deck import Deck
from vision.cards.siblings import Disagreeing, disagreeing
from vision.cards.twins import nearest_among
from vision.sightings import Picture

SUITS = {"red": (40, 40, 190), "blue": (170, 80, 30), "green": (60, 130, 40)}
RANKS = "13479"


def face(suit: str, rank: str, seed: int = 0, ink: tuple[int, int, int] | None = None) -> Picture:
    """A number in its suit's colour in both corners and in the middle, as a camera sees it."""
    ink = ink or SUITS[suit]
    picture = np.full((480, 320, 3), (222, 228, 230), np.uint8)
    for _ in range(2):
        cv2.putText(picture, rank, (20, 62), cv2.FONT_HERSHEY_SIMPLEX, 2.0, ink, 8, cv2.LINE_AA)
        picture = np.asarray(cv2.rotate(picture, cv2.ROTATE_180), np.uint8)
    cv2.putText(picture, rank, (110, 300), cv2.FONT_HERSHEY_SIMPLEX, 5.0, ink, 20, cv2.LINE_AA)
    small = cv2.resize(picture, (80, 120), interpolation=cv2.INTER_AREA)
    noise = np.random.default_rng(seed).normal(0, 3, small.shape)
    return np.clip(small + noise, 0, 255).astype(np.uint8)


def mandala() -> Picture:
    """A card of another kind: no index, one figure in the middle and another in a corner."""
    picture = np.full((120, 80, 3), (150, 190, 215), np.uint8)
    cv2.circle(picture, (12, 14), 9, (90, 20, 60), -1)
    for radius in range(6, 36, 6):
        cv2.circle(picture, (44, 66), radius, (20, 70, 90), 2)
    return picture


def deck(*without: str) -> dict[str, Picture]:
    """The faces of all cards by name, except those in `without`."""
    names = [f"{suit}-{rank}" for suit, rank in product(SUITS, RANKS)]
    return {name: face(*name.split("-"), seed=n) for n, name in enumerate(names) if name not in without}


def told(pictures: list[tuple[str, Picture]]) -> tuple[dict[str, str], Disagreeing]:
    """The codes of all refusals by name, and the whole verdict."""
    names = {n: name for n, (name, _) in enumerate(pictures)}
    faces = {n: picture for n, (_, picture) in enumerate(pictures)}
    apart: dict[int, float] = {}
    for first, second, share in nearest_among(faces):
        apart |= {n: min(share, apart.get(n, share)) for n in (first, second)}
    said = disagreeing(names, faces, apart)
    return {names[n]: why.code for n, why in said.refused.items()}, said


def test_a_whole_deck_agrees() -> None:
    refused, said = told(list(deck().items()))
    assert refused == {}
    assert said.doubted == {}


def test_a_card_of_another_deck_is_refused_and_costs_no_other() -> None:
    refused, said = told(list((deck() | {"blue-4": mandala()}).items()))
    assert refused == {"blue-4": "stranger"}
    assert said.doubted == {}


def test_three_cards_of_another_deck_do_not_vouch_for_each_other() -> None:
    rng = np.random.default_rng(5)
    pictures = deck()
    for name in ("blue-4", "red-1", "green-9"):
        pictures[name] = np.full((120, 80, 3), rng.integers(120, 250, 3), np.uint8)
        for _ in range(9):
            middle = (int(rng.integers(8, 72)), int(rng.integers(8, 112)))
            ink = tuple(int(v) for v in rng.integers(0, 200, 3))
            cv2.circle(pictures[name], middle, int(rng.integers(4, 12)), ink, -1)
    refused, _ = told(list(pictures.items()))
    assert refused == dict.fromkeys(("red-1", "blue-4", "green-9"), "stranger")


def test_a_picture_of_another_card_is_refused_though_that_card_has_no_picture() -> None:
    """The twin that would give it away is missing, but its siblings give it away."""
    refused, said = told(list((deck("blue-9") | {"red-7": face("blue", "9", 77)}).items()))
    assert refused == {"red-7": "misnamed"}
    (why,) = said.refused.values()
    assert why.told["other"] in ("green-9", "red-9", "blue-1", "blue-3", "blue-4", "blue-7")


def test_whoever_shows_a_card_twice_means_it() -> None:
    """A drawn card in place of a lost one looks like no other, and is played with all the same."""
    pictures = [*(deck() | {"blue-4": mandala()}).items(), ("blue-4", mandala())]
    assert told(pictures)[0] == {}
    pictures = [
        *(deck("blue-9") | {"red-7": face("blue", "9", 77)}).items(),
        ("red-7", face("blue", "9", 78)),
    ]
    assert told(pictures)[0] == {}


def test_of_a_few_cards_nobody_can_say_what_a_deck_looks_like() -> None:
    few = list(deck().items())[:4]
    assert told([*few, ("blue-4", mandala())])[0] == {}


def test_a_card_that_is_only_doubted_is_named_with_the_one_that_it_looks_like() -> None:
    faces = deck()
    learnt = Deck(tuple(faces), tuple(faces.values()), doubted=(("red-7", "blue-9"),))
    said = "\n".join(in_words(learnt, (), (), Files(None, None), False))
    assert "look rather like another card" in said
    assert "  red-7 (like blue-9)" in said


def test_two_cards_that_bear_each_others_name_are_doubted() -> None:
    """Two of three sevens and nines spoil what the third is compared with; once exchanged, all agree."""
    pictures = deck()
    pictures["red-7"], pictures["red-9"] = pictures["red-9"], pictures["red-7"]
    refused, said = told(list(pictures.items()))
    names = list(pictures)
    doubted = {names[at] for at in said.doubted} | set(refused)
    assert doubted == {"red-7", "red-9"}


def test_an_ace_of_clubs_and_one_of_hearts_that_bear_each_others_name_are_doubted() -> None:
    """With four cards a suit, one wrong card spoils a quarter of each suit's colours: black stays black."""
    inks = {"C": (50, 50, 50), "S": (45, 50, 50), "H": (40, 30, 190), "D": (40, 30, 195)}
    pictures = {
        f"{suit}{rank}": face(suit, rank, seed=31 * n, ink=ink)
        for n, ((suit, ink), rank) in enumerate(product(inks.items(), "A79J"))
    }
    assert told(list(pictures.items()))[1].doubted == {}
    pictures["CA"], pictures["HA"] = pictures["HA"], pictures["CA"]
    refused, said = told(list(pictures.items()))
    names = list(pictures)
    assert {names[at] for at in said.doubted} | set(refused) == {"CA", "HA"}


def test_suits_of_one_colour_are_said_not_to_be_checked() -> None:
    """An ace of hearts under the name of the ace of diamonds: the colour of its corner does not show it."""
    pictures = deck()
    for rank in RANKS:
        pictures[f"pink-{rank}"] = face("red", rank, 900 + int(rank))
    _, said = told(list(pictures.items()))
    assert said.unchecked == (("pink", "red"),)
    learnt = Deck(tuple(pictures), tuple(pictures.values()), unchecked=said.unchecked)
    words = "\n".join(in_words(learnt, (), (), Files(None, None), False))
    assert "Names not checked against each other: cards of pink, red." in words


def test_of_a_deck_that_was_checked_nothing_is_said() -> None:
    _, said = told(list(deck().items()))
    assert said.unchecked == ()
    learnt = Deck(tuple(deck()), tuple(deck().values()))
    assert "not checked" not in "\n".join(in_words(learnt, (), (), Files(None, None), False))


def test_of_a_few_cards_it_is_said_that_nothing_was_checked() -> None:
    _, said = told(list(deck().items())[:4])
    assert said.unchecked == (("1", "3", "4", "7"),)


def test_of_a_word_the_first_letter_is_no_suit_and_a_space_parts_as_a_dash_does() -> None:
    pictures = list(deck().values())[:4]
    named = ["Herz 7", "Herz 8", "Karo_7", "Joker"]
    assert told(list(zip(named, pictures, strict=True)))[1].unchecked == (
        ("7", "8", "Joker"),
        ("", "Herz", "Karo"),
    )


def short_series(extra: Picture) -> Deck:
    """Nine cards of three ranks and the only ace, whose picture is `extra`."""
    faces = {name: picture for name, picture in deck().items() if name[-1] in "347"} | {"red-A": extra}
    return Deck(tuple(faces), tuple(faces.values()))


def test_the_only_card_of_its_rank_may_look_like_no_other() -> None:
    """An ace of hearts in a short series: whoever threw its picture away would throw a good one away."""
    ace = face("red", "A", 31)
    ace[30:90] = (222, 228, 230)
    assert short_series(ace).strangers == ()


def test_the_only_card_of_its_rank_is_told_where_its_corners_are_quite_unlike_all() -> None:
    assert short_series(mandala()).strangers == ("red-A",)
