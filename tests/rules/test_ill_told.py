"""However badly a true round is recorded, nobody who followed the rules is accused (events.md#doubts)."""

from __future__ import annotations

import pytest

from tests.rules.ill_told import WAYS, accused, numbered_round
from tests.rules.ill_told_faults import is_a_fault_so_far, lost_whole_tricks
from tests.rules.ill_told_more import NEXT
from tests.rules.ill_told_throws import THROWS
from tests.rules.ill_told_throws import accused as throws_accused
from tests.rules.lines import without
from tests.rules.spoilt import GAMES, cards, folded


@pytest.mark.parametrize("way", WAYS)
def test_a_round_that_was_told_badly_accuses_nobody(way: str) -> None:
    """G-I1, G-I2, G-I9, G-12"""
    which = list(WAYS).index(way)
    for seed, game in list(enumerate(GAMES, 210))[which % 4 :: 4]:
        assert not accused(game, seed, way), (game, seed)


@pytest.mark.parametrize(
    ("game", "seed", "way"),
    [
        ("klapper-jas", 1095, "late_by_a_person"),  # in the next trick: as if both tricks broke suit
        ("ddv", 507, "missed_run"),  # a trick and a card of the last one: as if the wrong seat led
        ("ddv", 535, "first_cards"),  # an Absage too late only if a guessed card was played
        ("dulle", 506, "any_lines"),  # a Stoß missing with four cards
        ("dubbe", 538, "seats_wrong_3"),  # two of three seats wrong in one trick: as if out of turn
        ("dulle", 514, "seats_wrong_3"),
        ("klapper-jas", 518, "seats_wrong_3"),  # a meld refuted by a card with a wrong seat
        ("klapper-jas", 528, "seats_wrong_3"),
        ("klapper-jas", 537, "seats_wrong_3"),
        ("dulle", 604, "word_late"),  # a Stoß recorded late, and its answer
        ("dieblich", 714, "block_twice"),  # a Kontra late because of cards recorded twice
        ("dulle", 708, "block_twice"),
        ("club", 714, "block_twice"),
        ("dulle", 904, "block_twice"),  # the call again, before a word that its card had followed
        ("dubbe", 902, "die_early"),  # a die recorded before both cards of its trick
        ("bundeswehr", 901, "blind_bidding"),  # a solo said while blind: the leader is unsure
        ("bundeswehr", 903, "evening_switched_on"),  # an Armut taken that nobody had offered
        ("bundeswehr", 904, "evening_hole_across_told"),  # a round's first line without the rest of the round
        ("klapper-jas", 901, "evening_rounds_gone"),  # a deal passed out, then no line for the next round
        ("klapper-jas", 901, "evening_hole_across"),
        ("ddv", 952, "words_gone"),  # the unheard seat leads: a Pflichtsolo
        ("dieblich", 955, "mouths_swapped"),  # one seat said Vorbehalt and gesund, another Hochzeit
        ("klapper-jas", 951, "evening_hole_across"),  # another deal's meld, of a card played in this one
        ("dieblich", 968, "evening_hole_across"),
        ("klapper-jas", 962, "evening_hole"),
        ("klapper-jas", 971, "word_of_another"),  # taking up the turned card, recorded for the seat before
        ("ddv", 977, "mouths_swapped"),  # two soli swapped: not the game that was played
        ("dieblich", 975, "word_early"),  # an Absage recorded before the Ansage said with it
        ("club", 975, "evening_dealer_wrong"),  # the first seat asked shows that another dealt
        ("dubbe", 977, "evening_round_early"),  # the last die and taking after the next round's line
        ("bundeswehr", 985, "evening_hole"),  # the next deal's Hochzeit, four cards after the hole
        ("dieblich", 965, "evening_round_again"),  # the line repeated while a Vorbehalt is unnamed
        ("bundeswehr", 994, "evening_round_late"),  # new bidding after a hand that was thrown in
        ("bundeswehr", 998, "word_of_another"),  # an unnamed Vorbehalt, and its seat leads: its solo
        ("dubbe", 997, "die_late"),  # a character's first die, recorded with its second
        ("dulle", 997, "word_early"),  # a Stoß recorded before the call said with it, and its answer
        ("klapper-jas", 1002, "mixed"),  # a card recorded three times, first before its turn
        ("klapper-jas", 1004, "mouths_swapped"),  # a meld and a Kontra swapped
        ("dulle", 1039, "seats_wrong_3"),  # three of the last five cards: as if three players had erred
        ("bundeswehr", 1047, "evening_hole"),  # two deals' answers with nothing between them
        ("dieblich", 1058, "evening_hole"),  # the same; the second dealer's first seat leads
        ("klapper-jas", 1058, "evening_hole"),  # the end of the next deal's bidding, in the first trick
        ("klapper-jas", 1079, "evening_hole_across"),  # the turned card of the deal before
        ("klapper-jas", 1087, "evening_hole"),  # a swap, and the 7 of the next deal
    ],
)
def test_a_round_in_which_the_table_erred_proves_nothing_by_what_else_is_odd(
    game: str, seed: int, way: str
) -> None:
    """G-I1, G-I2, G-I7, G-I9, G-I10, J-I4: each of these logs once accused somebody."""
    assert not accused(game, seed, way)


def test_tricks_in_a_row_that_nobody_saw_look_like_a_wrong_lead_until_the_next_round_begins() -> None:
    """G-I7: the log can be played on to a whole round in which that lead is the only fault."""
    log = numbered_round("klapper-jas", 989)
    told = without(log, set(cards(log)[2:8]))
    (lead,) = found = folded(told).findings()
    assert (lead.finding, lead.seat) == ("wrong_lead", log[cards(log)[8]]["seat"])
    assert lost_whole_tricks(log, told)
    assert is_a_fault_so_far(told, found)
    assert folded([*told, NEXT]).findings() == []
    one_card = without(log, {cards(log)[2]})
    assert not lost_whole_tricks(log, one_card)
    assert not is_a_fault_so_far(one_card, found)


def test_a_die_beside_a_trick_of_which_only_the_taking_was_told_is_not_held_against_its_owner() -> None:
    """D-I3: the characters moved with a trick that the table does not know."""
    log = numbered_round("dubbe", 602)
    played = cards(log)
    told = [line for at, line in enumerate(log[: played[-6]]) if at not in {10, 13, 14, 15, 18, 19}]
    assert folded(told).findings() == []


@pytest.mark.parametrize("way", THROWS)
def test_a_game_of_doppelx_that_was_told_badly_accuses_nobody(way: str) -> None:
    """X-I1, X-I3, X-I5"""
    assert [seed for seed in range(700, 720) if throws_accused(seed, way)] == []


@pytest.mark.parametrize("seed", [325, 632, 660, 725])
def test_in_a_game_of_doppelx_of_which_throws_are_missing_dice_prove_nothing_of_before(seed: int) -> None:
    """X-I3, X-I5: all dice may have been thrown again, or a deciding game of two players begun."""
    assert throws_accused(seed, "cut_out") == []


@pytest.mark.soak
@pytest.mark.parametrize("way", WAYS)
def test_of_hundreds_of_rounds_that_were_told_badly_hardly_one_accuses_somebody(way: str) -> None:
    found = [accused(game, seed, way) for seed in range(300, 340) for game in GAMES]
    assert sum(bool(one) for one in found) <= 2
