"""What can be played at this table, for the page that begins an evening; all of it comes from the rules.

    {"seats": ["S1", …],             the seats of the mat; none at a dice box
     "games": [
       {"name": "dubbe", "title": "Dubbe",
        "players": [2, 3, 4],        how many may play it here
        "colours": [],               if people are called after their dice: the colours to choose from
        "rounds": true,              whether a number of rounds may be agreed on
        "why_not": null,             or why it cannot be played here: {"code": …, "args": {…}}
        "presets": [{"name": "dubbe", "title": "Dubbe", "options": {"black_die": false, …}}, …],
        "options": [{"name": "black_die", "rule": "D-40", "form": "switch", "choices": [true, false],
                     "words": {"de": "…", "en": "…"}, "called": {"de": [name of each choice], "en": …}}, …]},
       …]}

`form` says how an option is chosen: `switch`, `one` of the choices, `some` of them in order, a `number`
(`most`: the greatest), or `table`, a number for each name.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from table.catalogue import LANGUAGES, Fact, fact
from table.equipment import Equipment
from table.errors import StammtischError
from table.rules.events import EventError
from table.rules.games import GAMES, Game
from table.rules.option_words import choice_words, option_words
from table.rules.presets import complete, preset
from table.rules.referee import Referee
from table.rules.setup import SWITCH, Option
from table.rules.tonight import Agreement, first_lines, house_way


def games(equipment: Equipment) -> dict[str, Any]:
    """Every game of the house, and whether this equipment suits it, as the module docstring describes."""
    return {"seats": equipment.seats, "games": [_game(game, equipment) for game in GAMES.values()]}


def _game(game: Game, equipment: Equipment) -> dict[str, Any]:
    colours = _colours(game, equipment)
    refusals = {many: _why_not(game, many, colours, equipment) for many in game.players}
    may = [many for many, why in refusals.items() if why is None]
    return {
        "name": game.name,
        "title": game.title,
        "players": may,
        "colours": colours,
        "rounds": any(option.name == "rounds" for option in game.options),
        "why_not": None if may else next(iter(refusals.values())),
        "presets": [
            {"name": name, "title": preset(name).title, "options": complete(preset(name))}
            for name in game.presets
        ],
        "options": [_option(game.name, option) for option in game.options if option.name != "rounds"],
    }


def _colours(game: Game, equipment: Equipment) -> tuple[str, ...]:
    """The colours of the dice here after which people are called; none for a card game."""
    return tuple(each for each in game.colours if not equipment.colours or each in equipment.colours)


def _why_not(game: Game, many: int, colours: Sequence[str], equipment: Equipment) -> Fact | None:
    """Why that many people cannot play the game here; None if they can."""
    seats = equipment.seats or tuple(f"S{n}" for n in range(1, many + 1))
    if not game.colours and many > len(seats):
        return fact("opening.few", n=len(seats), game=game.title, least=min(game.players))
    names = tuple(colours[:many]) if game.colours else seats[:many]
    trial = Referee()
    try:
        for line in first_lines(house_way(game.name), seats[:many], Agreement(names), equipment.bets):
            trial.add(line)
        equipment.suits(trial.view())
    except (EventError, StammtischError) as wrong:
        return wrong.fact
    return None


def _option(game: str, option: Option) -> dict[str, Any]:
    form, choices = _form(option)
    return {
        "name": option.name,
        "rule": option.rule,
        "form": form,
        "choices": choices,
        "default": option.default,
        **({"most": option.most} if form == "number" else {}),
        "words": {language: option_words(game, option, language) for language in LANGUAGES},
        "called": {
            language: [choice_words(option.name, choice, language) for choice in choices]
            for language in LANGUAGES
        },
    }


def _form(option: Option) -> tuple[str, list[Any]]:
    choices = list(option.choices or ())
    if option.choices == SWITCH:
        return "switch", choices
    if isinstance(option.default, Mapping):
        return "table", list(option.default)
    if isinstance(option.default, list | tuple):
        return "some", choices
    return ("one", choices) if option.choices is not None else ("number", [])
