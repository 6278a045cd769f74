"""The reasons that the ledger gives for a result: only what decided it, only for the seats concerned."""

from __future__ import annotations

import random

import pytest

from table.catalogue import LANGUAGES, Language
from table.rules import Referee
from table.rules.klapperjas.terms import HAND_SIZE, PACK
from table.rules.stories import story
from tests.rules.doko import Doko, normal, queens
from tests.rules.klapperjas_table import Klapper
from tests.rules.sixteen import WHOLE, Sixteen, called


def told(referee: Referee, language: Language = "de") -> list[str]:
    """The ledger with its reasons."""
    return [line.strip() for line in story(referee.result(), {}, {}, language, True).lines()]


def reasons(lines: list[str]) -> set[str]:
    return {line.rpartition("[")[2].rstrip("]") for line in lines if line.endswith("]")}


def orgi(players: int, seed: int, *, meld: bool = False, **options: str) -> Klapper:
    """S1 plays the Orgi with random hands; with `meld` S1 announces a Terz."""
    cards = list(PACK)
    random.Random(seed).shuffle(cards)
    table, size = Klapper(players, None, **options), HAND_SIZE[players]
    hands = {seat: cards[at * size : (at + 1) * size] for at, seat in enumerate(table.seats)}
    table.event("turned", card=hands["S4"][-2] if players == 4 else cards[players * size])
    table.say("S1:orgi", *(["S1:terz:DK"] if meld else []))
    table.play_out({seat: " ".join(hand) for seat, hand in hands.items()})
    return table


def test_ja_2_a_tie_that_the_declarer_wins_is_not_called_more() -> None:
    """J-36 asks for more than each opponent; it is no reason if the house rule decides."""
    lines = told(orgi(3, 25, tie3="declarer_wins").referee)
    assert "S1 hat 52, ein Gegner ebenso viele: nach Hausregel gewonnen, 2" in lines
    assert "J-36" not in reasons(lines)
    lines = told(orgi(3, 25).referee)
    assert "S1 hat 52, nicht mehr als 52: verloren, 4 für die Gegenseite" in lines
    assert {"J-36", "J-40"} <= reasons(lines)


def test_j_37_with_four_the_pair_is_named_whose_augen_are_told() -> None:
    lines = told(orgi(4, 1).referee)
    assert "S1+S3 haben 65, nicht mehr als 97: verloren, 4 für die Gegenseite" in lines
    assert "S1 hat 71, mehr als 12: gewonnen, 2" in told(orgi(2, 1).referee)


@pytest.mark.parametrize(("players", "rule"), [(2, "J-16"), (3, "J-16"), (4, "J-14")])
def test_j_14_with_four_both_partners_melds_are_explained(players: int, rule: str) -> None:
    """JA-4: a trick of either partner is enough there."""
    lines = told(orgi(players, 1, meld=True).referee)
    assert reasons(lines) & {"J-14", "J-16"} == {rule}


def test_u_24_where_a_missed_ansage_decides_nobody_is_told_that_53_are_needed() -> None:
    """U-08: 34 to 70, and yet the caller's side has won."""
    table = called("HA", ansagen=True)
    table.say("S1", "schneider")
    table.play(WHOLE)
    lines = told(table.referee)
    assert "S3+S4 gegen S1+S2: 34 zu 70 Augen, gewonnen" in lines
    assert reasons(lines) & {"U-08", "U-24", "U-26"} == {"U-24"}


def test_u_26_a_solodu_is_explained_by_the_tricks_it_needs() -> None:
    table = Sixteen()
    table.say("S4", "solodu")
    table.play(WHOLE)
    assert reasons(told(table.referee)) & {"U-08", "U-26"} == {"U-26"}


def test_u_08_a_call_and_a_solo_are_decided_by_their_augen() -> None:
    for call in ("ruf:HA", "solo"):
        table = Sixteen()
        table.say("S4", call)
        table.play(WHOLE)
        assert "U-08" in reasons(told(table.referee))


def test_k_18_a_stille_hochzeit_is_named_once_it_is_settled() -> None:
    """K-I5: it is not announced, so until then the round is called a normal game."""
    table = Doko(want=queens("S1", "S1"))
    table.gesund()
    table.hold("S1", 11)
    assert "Normalspiel" in told(table.referee)[0]
    table.finish()
    for language in LANGUAGES:
        lines = told(table.referee, language)
        assert "Hochzeit (S1)" in lines[0]
        assert {"K-18", "K-40"} <= reasons(lines)
    assert "stille Hochzeit (S1)" in told(table.referee)[0]


def test_k_18_who_announced_a_hochzeit_and_found_nobody_plays_alone_for_that_reason() -> None:
    table = Doko(want=lambda hands: [hands["S1"].count(card) for card in ("CQ", "HT")] == [2, 2])
    table.gesund(S1="hochzeit")
    for card in ("HT", "HT", "CQ"):
        table.card("S1", card)
        table.play(3)
    table.finish()
    lines = told(table.referee)
    assert "Hochzeit (S1)" in lines[0].split(" · ")
    assert "K-18" in reasons(lines)


def test_k_18_is_no_reason_where_two_played_together() -> None:
    table = normal()
    table.finish()
    lines = told(table.referee)
    assert "Normalspiel" in lines[0]
    assert "K-18" not in reasons(lines)


@pytest.mark.parametrize(("kind", "words"), [("doppelkopf", "schon zweimal da"), ("dulle", "schon da")])
def test_k_i7_of_a_third_copy_it_is_said_that_there_were_two(kind: str, words: str) -> None:
    """K-01: every card exists twice, so its second appearance is no fault; G-I3: elsewhere it is."""
    table = Doko() if kind == "doppelkopf" else Sixteen()
    third = {"finding": "duplicate_card", "rule": "G-I3", "seat": "S3", "event": 1, "about": None}
    lines = story(table.referee.result() | {"findings": [third]}).findings()
    assert f"S3: Karte war {words}, Zeile 1 [G-I3]" in [line.strip() for line in lines]
