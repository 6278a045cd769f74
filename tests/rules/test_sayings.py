"""Words offered to a seat: all that it may say; the referee accepts each, and none is held against it."""

from __future__ import annotations

import random
from typing import Any

import pytest

from table.rules import Referee
from table.rules.doppelkopf.terms import LEVELS
from table.rules.doppelkopf.terms import SAYINGS as DOPPELKOPF
from table.rules.dulle.terms import ANSAGEN, PLAIN, SOLOS
from table.rules.engine import Position, apply, deal, legal
from table.rules.klapperjas.sayable import SAYINGS as KLAPPERJAS
from tests.rules.folded import state_hash
from tests.rules.ill_told_evenings import true_evening
from tests.rules.lines import of_kind

SEATS = ["S1", "S2", "S3", "S4"]
WORDS: dict[str, list[str]] = {
    "dubbe": [f"trump:{colour}" for colour in ("blue", "brown", "yellow", "green", "red")],
    "dulle": [*(f"ruf:{card}" for card in PLAIN), *SOLOS, "stoss", *ANSAGEN],
    "doppelkopf": sorted(DOPPELKOPF),
    "klapper-jas": sorted(KLAPPERJAS),
}
GAMES: list[dict[str, Any]] = [
    {"game": "dubbe"},
    {"game": "dulle"},
    {"game": "dulle", "options": {"ansagen": True, "stoss_until": "any", "pflichtstoss": True}},
    *({"game": "doppelkopf", "preset": preset} for preset in ("ddv", "bundeswehr", "dieblich", "club")),
    {"game": "klapper-jas"},
    {"game": "klapper-jas", "seats": ["S1", "S2", "S3"]},
    {"game": "klapper-jas", "seats": ["S1", "S2"]},
]


def named(game: dict[str, Any]) -> str:
    return "-".join(str(part) for part in game.values() if isinstance(part, str)) + str(len(game))


class Tried:
    """A round played at random, and the words that could be said in it."""

    def __init__(self, game: dict[str, Any], seed: int) -> None:
        self.chance = random.Random(seed)
        self.opening: dict[str, Any] = {"kind": "game", "seats": SEATS, **game}
        self.position: Position = deal(self.opening, seed)
        self.referee = Referee()
        self.referee.add(self.opening)
        self.referee.add({"kind": "round", "dealer": self.position.round.dealer})

    def words(self, seat: str) -> list[str]:
        return [saying.what for saying in self.referee.may_say(seat)]

    def is_held_against(self, seat: str, what: str) -> bool:
        """Whether a word leads to a finding or a remark."""
        return self._after(seat, what)[0]

    def _after(self, seat: str, what: str) -> tuple[bool, bool]:
        twin = self.referee.fork()
        twin.add({"kind": "say", "seat": seat, "what": what})
        wrong = twin.as_it_stands() != self.referee.as_it_stands()
        noted = twin.view().remarks != self.referee.view().remarks
        return wrong or noted, state_hash(twin) != state_hash(self.referee)

    def step(self) -> None:
        moves = legal(self.position)
        said = [move for move in moves if move.kind == "say"]
        move = self.chance.choice(said) if said and self.chance.random() < 0.4 else self.chance.choice(moves)
        self.position = apply(self.position, move)
        self.referee.add(move.to_dict())

    def moves(self) -> list[Any]:
        return [] if self.position.round.over else [m for m in legal(self.position) if m.kind == "say"]


@pytest.mark.parametrize("game", GAMES, ids=named)
@pytest.mark.parametrize("seed", range(2))
def test_what_is_offered_is_taken_up_and_what_players_may_say_is_offered(
    game: dict[str, Any], seed: int
) -> None:
    """Every word that the engine allows a player with these cards is offered; no offered word is a fault."""
    tried = Tried(game, seed)
    steps = 0
    while not tried.position.round.over:
        may = {seat: tried.words(seat) for seat in tried.opening["seats"]}
        for move in tried.moves():
            assert move.get("what") in may[str(move.seat)], (move.to_dict(), may)
        if steps % 3 == 0 or steps < 12:
            for seat, words in may.items():
                for what in tried.chance.sample(words, min(3, len(words))):
                    assert not tried.is_held_against(seat, what), (seat, what)
        tried.step()
        steps += 1
    assert not any(tried.words(seat) for seat in tried.opening["seats"])


@pytest.mark.parametrize("game", GAMES, ids=named)
def test_what_is_not_offered_once_cards_fall_is_held_against_its_speaker_or_says_nothing_new(
    game: dict[str, Any],
) -> None:
    tried = Tried(game, 5)
    while not tried.position.round.over:
        if tried.position.round.begun:
            for seat in tried.opening["seats"]:
                left = [word for word in WORDS[game["game"]] if word not in tried.words(seat)]
                for what in tried.chance.sample(left, min(2, len(left))):
                    wrong, new = tried._after(seat, what)
                    assert wrong or not new or counts_for_nothing(tried, seat, what), (
                        seat,
                        what,
                        tried.referee.view().contract,
                    )
        tried.step()


def counts_for_nothing(tried: Tried, seat: str, what: str) -> bool:
    """Whether the seat has spoken, the word or a higher level was said already, or a solo has no Fuchs."""
    view = tried.referee.view()
    ours = [word for whose, word in view.declared if view.sides.get(whose) == view.sides.get(seat)]
    said = any(word == what or whose == seat for whose, word in view.declared)
    more = what in LEVELS and any(LEVELS.index(word) > LEVELS.index(what) for word in ours if word in LEVELS)
    return said or more or (what == "schweinchen" and str(view.contract).startswith("solo"))


@pytest.mark.parametrize("game", ["dulle", "ddv", "klapper-jas"])
def test_in_a_round_that_somebody_tapped_each_may_say_what_he_may_say_in_the_first(game: str) -> None:
    """The page's line names no dealer: everybody knows it is the seat after the last one (J-35, K-03)."""
    log = true_evening(game, 1)
    second = of_kind(log, "round")[1]
    told, tapped = (
        [*log[:second], line] for line in (log[second], {"kind": "round", "id": log[second]["id"]})
    )
    named, unnamed = Referee(), Referee()
    named.read(told)
    unnamed.read(tapped)
    seats = log[0]["seats"]
    assert any(named.may_say(seat) for seat in seats)
    assert [unnamed.may_say(seat) for seat in seats] == [named.may_say(seat) for seat in seats]
