"""People's choices become the first lines of a log; a choice that does not fit gets one sentence."""

from __future__ import annotations

from typing import Any

import pytest

from table.rules.events import EventError
from table.rules.games import GAMES
from table.rules.option_words import choice_words
from table.rules.referee import Referee
from table.rules.setup import SWITCH
from table.rules.tonight import Agreement, first_lines, house_way

SEATS = ["S1", "S2", "S3", "S4"]


@pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.name)
def test_a_game_says_how_many_may_play_it_and_takes_no_others(game: Any) -> None:
    for many in range(1, 10):
        names = list(game.colours[:many]) or [f"S{n}" for n in range(1, many + 1)]
        lines = first_lines(house_way(game.name), names, Agreement(names))
        trial = Referee()
        if many in game.players:
            for line in lines:
                trial.add(line)
        elif names and len(names) == many:
            with pytest.raises(EventError):
                trial.add(lines[0])


def test_house_rules_are_chosen_one_by_one_and_stand_in_the_line() -> None:
    rules = house_way("doppelkopf", "ddv", {"schweinchen": True, "soli": ["damen", "buben"]})
    (line,) = first_lines(rules, SEATS, Agreement(["Anna", "Bernd", "Carla", "Dirk"]))
    assert (line.fields["preset"], line.fields["options"]) == (
        "ddv",
        {"schweinchen": True, "soli": ("damen", "buben")},
    )


@pytest.mark.parametrize(
    ("game", "chosen", "said"),
    [
        ("skat", {}, 'there is no game "skat"; known:'),
        ("dulle", {"preset": "ddv"}, 'Dulle has no preset "ddv"'),
        ("dulle", {"options": {"bok": True}}, 'there is no option "bok"; did you mean "bock"?'),
        ("dulle", {"options": {"bock": 7}}, 'option "bock" is 7; give true or false'),
        ("dulle", {"players": ["Anna", "anna", "B", "C"]}, "players: anna appears twice"),
        ("dulle", {"players": ["x" * 41, "A", "B", "C"]}, "is not a name; give 1 to 40 letters"),
        ("dulle", {"players": ["A\u202e", "B", "C", "D"]}, 'players: "A\ufffd" is not a name'),
        ("dulle", {"players": ["A", "B"]}, "players: 2 players for 4 seats"),
        ("dulle", {"dealer": "S9"}, "dealer S9: nobody has that name; known: S1, S2"),
        ("dulle", {"rounds": 4}, "rounds 4: Dulle has no agreed number of rounds"),
        ("dubbe", {"rounds": 0}, "rounds 0: too few"),
        ("doppelx", {}, "players is missing; name the colours"),
        ("doppelx", {"players": ["blue", "red"], "dealer": "pink"}, "dealer pink: nobody plays that colour"),
    ],
)
def test_what_does_not_fit_is_said_with_its_remedy(game: str, chosen: dict[str, Any], said: str) -> None:
    def begin() -> None:
        rules = house_way(game, chosen.get("preset"), chosen.get("options"))
        agreed = Agreement(chosen.get("players"), chosen.get("rounds"), chosen.get("dealer"))
        first_lines(rules, SEATS, agreed)

    with pytest.raises(EventError) as wrong:
        begin()
    assert said in str(wrong.value)
    assert "; " in str(wrong.value), "with a remedy"


def test_every_choice_of_a_house_rule_has_words() -> None:
    for game in GAMES.values():
        for option in game.options:
            if option.choices == SWITCH:
                continue
            table = option.default if isinstance(option.default, dict) else ()
            for choice in (*(option.choices or ()), *table):
                words = choice_words(option.name, choice, "de")
                assert words != str(choice), f"{game.name}: {option.name} = {choice}"
