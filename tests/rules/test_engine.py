"""The full-information engine and the house's own players."""

from __future__ import annotations

from collections import Counter
from itertools import islice

import pytest

from table.rules import Event, Referee
from table.rules.bots import choose
from table.rules.chance import Chance
from table.rules.dubbe.terms import pack
from table.rules.engine import Position, apply, deal, legal, score, turn
from table.rules.evening import EveningRounds, evening

OPENING = {"kind": "game", "game": "dubbe", "seats": ["S1", "S2", "S3"], "options": {"rounds": 1}}


def test_chance_is_the_same_everywhere() -> None:
    """The first numbers of SplitMix64 from seed 1234567, as its authors' program prints them."""
    chance = Chance(1234567)
    assert [chance.number() for _ in range(3)] == [
        6457827717110365317,
        3203168211198807973,
        9817491932198370423,
    ]


def test_every_shuffle_is_possible_and_none_is_preferred() -> None:
    chance, seen = Chance(5), Counter(())
    seen = Counter(tuple(chance.shuffled("abc")) for _ in range(6000))
    assert len(seen) == 6
    assert max(seen.values()) < 1.2 * min(seen.values())


def test_the_same_seed_deals_the_same_hands() -> None:
    assert deal(OPENING, 7).hands == deal(OPENING, 7).hands
    assert deal(OPENING, 7).hands != deal(OPENING, 8).hands


def test_a_round_is_played_from_trump_to_the_last_card() -> None:
    position = deal(OPENING, 3, dealer="S3")
    assert turn(position) == "S1"
    assert [move.get("colour") for move in legal(position)] == ["blue", "brown", "yellow", "green", "red"]
    moves = 0
    while options := legal(position):
        position, moves = apply(position, options[0]), moves + 1
    assert moves == 46
    assert position.round.over
    assert turn(position) is None
    assert position.hands == ((), (), ())
    assert sum(abs(points) for points in score(position).values()) > 0


def test_apply_leaves_the_old_position_as_it_was() -> None:
    position = deal(OPENING, 3)
    after = apply(position, legal(position)[0])
    assert position.round.trump is None  # type: ignore[attr-defined]
    apply(after, legal(after)[0])
    assert len(after.hands[1]) == 15


def test_an_illegal_move_is_refused() -> None:
    position = apply(deal(OPENING, 3), legal(deal(OPENING, 3))[0])
    other = next(card for card in pack(3) if card not in position.hand("S2"))
    with pytest.raises(ValueError, match="not allowed"):
        apply(position, Event("card", {"seat": "S2", "card": other}))


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_the_houses_players_play_whole_evenings_without_a_finding(players: int) -> None:
    opening = {
        **OPENING,
        "seats": [f"S{n}" for n in range(1, players + 1)],
        "options": {"rounds": 2, "black_die": "on"},
    }
    referee, cards = Referee(), 0
    for event in evening(opening, seed=players):
        referee.add(event)
        cards += event.kind == "card"
    assert cards == 30 * players
    assert referee.findings() == []
    assert referee.view().finished
    view = referee.view()
    assert view.expected_dice == dict.fromkeys(view.expected_dice) | view.dice_seen


def test_without_agreed_rounds_the_evening_goes_on() -> None:
    opening = {**OPENING, "options": {}}
    rounds = sum(event.kind == "round" for event in islice(evening(opening, seed=1), 600))
    assert rounds >= 7


def test_a_table_can_be_watched_step_by_step() -> None:
    table = EveningRounds(OPENING, 1, choose)
    assert next(table).kind == "game"
    assert table.hand("S1") == ()
    assert next(table) == Event("round", {"dealer": "S3"})
    assert len(table.hand("S1")) == 15
    assert next(table).fields["spot"] == "aagewwer"
    card = next(table)
    assert card.fields["card"] not in table.hand(card.fields["seat"])


def test_the_houses_players_win_what_they_want() -> None:
    """The house's players beat players of random legal cards by far."""
    opening = {**OPENING, "seats": ["S1", "S2", "S3", "S4"], "options": {"rounds": 4}}
    total: Counter[str] = Counter()
    for seed in range(12):
        chance = Chance(seed)

        def player(position: Position, seat: str, chance: Chance = chance) -> Event:
            moves = legal(position)
            return choose(position, seat) if seat == "S1" else moves[chance.below(len(moves))]

        referee = Referee()
        for event in EveningRounds(opening, seed, player):
            referee.add(event)
        total.update(referee.points())
    assert total["S1"] > 50
    assert all(total["S1"] > total[seat] + 50 for seat in ("S2", "S3", "S4"))
