"""What a newcomer reads in findings, doubts and remarks: whose card, what was said, which of two Annas."""

from __future__ import annotations

from typing import Any

import pytest

from table.catalogue import Language
from table.rules import Referee
from table.rules.stories import story
from table.rules.words import names
from tests.rules.box import dice

SEATS = ["S1", "S2", "S3", "S4"]
PEOPLE = ["Anna", "Bernd", "Carla", "Dirk"]


def told(*events: dict[str, Any], language: Language = "de", people: list[str] | None = None) -> str:
    """The story of a log as `replay` prints it."""
    referee, known = Referee(), {}
    for event in events:
        number = referee.add(event)
        known[number] = referee.check({"id": number + 1000, **event})
    referee.conclude()
    assert referee.setup is not None
    players = dict(zip(referee.setup.seats, people or referee.setup.players, strict=True))
    return "\n".join(story(referee.result(), players, known, language).lines())


def game(name: str, **more: Any) -> dict[str, Any]:
    return {"kind": "game", "game": name, "seats": SEATS, "players": PEOPLE, **more}


def say(seat: str, what: str) -> dict[str, Any]:
    return {"kind": "say", "seat": seat, "what": what}


def card(seat: str, name: str) -> dict[str, Any]:
    return {"kind": "card", "seat": seat, "card": name}


ROUND = {"kind": "round", "dealer": "S4"}
GESUND = [say(seat, "gesund") for seat in SEATS]


def test_whose_card_it_was_is_said_where_it_was_not_the_accused_ones() -> None:
    """D-I1: Anna should have chosen trump; the card that proves it is Bernd's."""
    text = told(game("dubbe"), ROUND, card("S2", "red-1"))
    assert (
        "Anna: keinen Trumpf bestimmt, bevor die erste Karte fiel, Rot 1 von Bernd (Zeile 3) [D-I1]" in text
    )
    text = told(game("dubbe"), ROUND, card("S2", "red-1"), language="en")
    assert "Anna: chose no trump before the first card, Red 1 by Bernd" in text or "red 1 by Bernd" in text


@pytest.mark.parametrize(
    ("language", "words"),
    [
        (
            "de",
            "Carla: hatte „gesund“ gesagt, das lässt sich nicht zurücknehmen, „Vorbehalt“ (Zeile 7) [K-51]",
        ),
        ("en", "Carla: had said “gesund”, which cannot be taken back, “Vorbehalt” (line 7) [K-51]"),
    ],
)
def test_a_gesund_taken_back_is_not_called_too_late(language: Language, words: str) -> None:
    """K-51."""
    text = told(
        game("doppelkopf", preset="bundeswehr"), ROUND, *GESUND, say("S3", "vorbehalt"), language=language
    )
    assert words in text


def test_a_word_after_the_first_card_is_called_so() -> None:
    """G-I10."""
    events = [game("doppelkopf", preset="club"), ROUND, *GESUND, card("S1", "CA"), say("S3", "solo:as")]
    assert "Carla: erst nach der ersten Karte angesagt, das gilt nicht" in told(*events)


def test_an_armut_with_too_many_trumps_is_called_so() -> None:
    """K-I8: not "melded cards not held"."""
    events = [
        game("doppelkopf", preset="club"),
        ROUND,
        say("S1", "vorbehalt"),
        *GESUND[1:],
        say("S1", "armut"),
    ]
    events += [say("S2", "armut-nehmen"), say("S2", "armut-zurueck:0")]
    for trump in ("CQ", "SQ", "HQ", "DQ"):
        events += [card("S1", trump), card("S2", "CJ"), card("S3", "SJ"), card("S4", "HJ")]
    assert "Anna: Armut angesagt, aber zu viele Trümpfe gehabt, „Armut“ (Zeile 7)" in told(*events)


def test_what_is_remarked_before_the_first_card_is_told() -> None:
    """K-64: Dirk can read why he does not get the Armut."""
    events = [game("doppelkopf", preset="dieblich"), ROUND, say("S1", "gesund"), say("S2", "vorbehalt")]
    events += [say("S3", "vorbehalt"), say("S4", "gesund"), say("S2", "armut"), say("S3", "hochzeit")]
    text = told(*events, say("S4", "armut-nehmen"))
    assert "Dirk kann die Armut nicht nehmen" in text


def test_two_of_one_name_are_told_apart_by_their_seats() -> None:
    """Even if they differ only in capitals or invisible characters; marks that reverse text are removed."""
    assert names({"S1": "Anna", "S2": "anna", "S3": "Carla\u202e"}) == {
        "S1": "Anna (S1)",
        "S2": "anna (S2)",
        "S3": "Carla",
    }
    assert names({"S1": "", "S2": "\u202e", "S3": "A\nB"}) == {"S1": "S1", "S2": "S2", "S3": "A B"}
    text = told(game("dubbe"), ROUND, card("S2", "red-1"), people=["Anna", "Anna", "Carla", "Dirk"])
    assert "Anna (S1): keinen Trumpf" in text
    assert "von Anna (S2)" in text


def test_a_die_that_is_not_read_is_a_question_mark_in_a_sentence() -> None:
    """G-10."""
    players = {"kind": "game", "game": "doppelx", "players": ["blue", "red", "green"]}
    first = {"kind": "round", "first": "blue"}
    opening = {"kind": "throw", "player": "all", "dice": dice("blue 1@1x  red ?@2x")}
    text = told(players, first, opening)
    assert "Offen, Punkte vorläufig: Zeile 3, Wurf von allen, Rot zeigt ?" in text
    throw = {
        "kind": "throw",
        "player": "blue",
        "dice": [*dice("blue ?@1x"), {"colour": "white", "face": "1"}],
    }
    text = told(players, first, {**opening, "dice": dice("red 1@1x")}, throw, language="en")
    assert "thrown by blue: blue shows ?, white lies on ?" in text


def test_x_30_a_tie_is_announced_as_a_deciding_game() -> None:
    players = {"kind": "game", "game": "doppelx", "players": ["blue", "red", "green"]}
    level: dict[str, Any] = {"kind": "throw", "player": "all", "dice": dice("blue 3@3x  red 3@3x")}
    six = [{**level, "dice": [{**die, "yaw": float(yaw)} for die in level["dice"]]} for yaw in range(6)]
    events: list[dict[str, Any]] = [players, {"kind": "round", "first": "blue"}, *six]
    text = told(*events, {"kind": "throw", "player": "red", "dice": dice("red 1@1x  white 1@1x")})
    assert "Gleichstand: Blau und Rot spielen ein Entscheidungsspiel" in text
    assert "ein Wurf nach dem Gleichstand zählt erst, wenn das Entscheidungsspiel begonnen hat" in text
    text = told(*events, {"kind": "round"}, level, language="en")
    assert "deciding game: blue and red" in text


@pytest.mark.parametrize("name", ["dubbe", "dulle", "doppelkopf", "klapper-jas"])
def test_a_round_that_was_broken_off_says_that_it_books_nothing(name: str) -> None:
    """events.md#results: nor is it called "still going"."""
    text = told(game(name), ROUND, {"kind": "end"})
    assert "(abgebrochen)" in text
    assert "Abgebrochen: die Runde bucht nichts" in text
    assert "Anna 0, Bernd 0, Carla 0, Dirk 0" in text


def test_a_game_of_dice_that_was_broken_off_keeps_its_chips() -> None:
    players = {"kind": "game", "game": "doppelx", "players": ["blue", "red", "green"]}
    opening = {"kind": "throw", "player": "all", "dice": dice("blue 3@3x")}
    text = told(players, {"kind": "round", "first": "blue"}, opening, {"kind": "end"}, language="en")
    assert "(broken off)" in text
    assert "Broken off: the chips stay, nobody wins" in text
