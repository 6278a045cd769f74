"""Klapper-Jas: bids, the turned card and the 7, the dealer."""

from __future__ import annotations

import pytest

from table.rules import EventError
from table.rules.engine import apply, deal, legal, turn
from table.rules.klapperjas import KLAPPERJAS
from table.rules.klapperjas.fold import KlapperHanded
from table.rules.klapperjas.round import KlapperRound
from table.rules.opening import as_event, open_game
from tests.rules.klapperjas_table import Klapper


def opening(players: int) -> dict[str, object]:
    return {"kind": "game", "game": "klapper-jas", "seats": [f"S{n}" for n in range(1, players + 1)]}


def game(table: Klapper) -> tuple[str | None, str | None, str | None]:
    view = table.view
    declarer = next((seat for seat, side in view.sides.items() if side == "declarer"), None)
    return view.contract, view.trump, declarer


def test_j_20_first_the_orgi_is_asked_then_the_kleines() -> None:
    table = Klapper(3, "HA")
    assert table.prompts() == [("orgi?", "S1")]
    table.say("passe", "passe", "passe")
    assert table.prompts() == [("kleines?", "S1")]
    table.say("passe", "kleines")
    assert table.prompts() == [("besser?", "S3")]
    table.say("passe")
    assert table.prompts() == [("name-suit", "S2")]
    assert (table.view.phase, table.view.turn) == ("declare", "S2")
    table.say("farbe:S")
    assert game(table) == ("kleines", "S", "S2")
    assert (table.view.phase, table.view.turn) == ("play", "S1")


def test_j_20_an_orgi_of_whose_suit_nobody_told_the_table_was_declared_all_the_same() -> None:
    """G-I9: everybody saw the turned card; only the table missed it."""
    table = Klapper(turned=None)
    table.say("S1:orgi")
    table.play("C7 C8 C9")
    assert table.proofs == []


def test_j_20_the_orgi_is_the_turned_suit() -> None:
    table = Klapper(3, "HA")
    table.say("passe", "orgi")
    assert game(table) == ("orgi", "H", "S2")


def test_j_20_if_nobody_plays_the_deal_is_a_round_with_zeros_and_the_same_dealer_deals_again() -> None:
    table = Klapper(3, "HA")
    table.say(*["passe"] * 6)
    assert table.last["passed_out"]
    assert table.last["complete"]
    assert table.points == {"S1": 0, "S2": 0, "S3": 0}
    assert table.view.phase == "settled"
    table.round(None, "CA")
    assert table.view.dealer == "S3"
    assert table.view.round == 2
    assert table.proofs == []


def test_j_21_besser_is_kreuz_and_gets_the_game() -> None:
    table = Klapper(4, "HA")
    table.say(*["passe"] * 4, "kleines", "passe", "besser")
    assert game(table)[:2] == ("kleines", "C")
    assert table.view.sides == {"S1": "declarer", "S3": "declarer", "S2": "others", "S4": "others"}
    assert table.game.bidding.declarer == 2
    table.say("S1:kontra")
    assert [(name, seat) for name, seat, *_ in table.proofs] == [("wrong_side", "S1")]


def test_j_21_who_passed_before_the_kleines_cannot_be_besser() -> None:
    table = Klapper(3, "HA")
    table.say(*["passe"] * 4, "S2:kleines", "S1:besser")
    assert table.view.remarks[-1][1:] == ("bid_void", "S1")
    assert game(table) == ("kleines", None, "S2")


def test_ja_10_nobody_is_asked_for_what_he_cannot_say() -> None:
    """The Orgi would be Kreuz, so a Kleines must name its suit at once."""
    table = Klapper(3, "CA")
    table.say(*["passe"] * 3, "S1:kleines")
    assert table.prompts() == [("name-suit", "S1")]
    assert table.view.turn == "S1"


def passed_out_before(*words: str) -> Klapper:
    """A deal for two that nobody plays, and another deal."""
    table = Klapper(2, "H8")
    table.say(*["passe"] * 4)
    table.round("S2", "H7")
    table.say(*words)
    return table


def test_j_20_a_deal_that_nobody_played_hides_no_late_word_of_the_next_one() -> None:
    """J-27: everybody passes twice in the first deal; that does not begin the next one."""
    table = passed_out_before("passe", "S2:orgi")
    table.play("S1:HA S2:H9 S2:C8 S1:CK S1:SQ S2:S9")
    late = table.say("S1:kontra")
    table.play("S1:DQ S2:DK")
    assert table.proofs == [("late_declaration", "S1", late, None)]


def test_j_20_nor_a_missing_one() -> None:
    """G-I9."""
    table = passed_out_before()
    first = table.play("S1:CA S2:CK")[0]
    assert table.proofs == [("missing_declaration", "S1", first, None)]


def test_ja_10_nobody_is_besser_when_the_orgi_is_kreuz_and_of_two_the_first_keeps_it() -> None:
    table = Klapper(4, "CA")
    table.say(*["passe"] * 4, "kleines", "S2:besser")
    assert (table.game.bidding.declarer, table.view.trump) == (0, None)
    assert table.view.remarks == ((1, "bid_void", "S2"),)
    table = Klapper(4, "HA")
    table.say(*["passe"] * 4, "kleines", "S2:besser", "S3:besser")
    assert table.game.bidding.declarer == 1


def test_j_22_left_of_the_dealer_bids_and_leads() -> None:
    table = Klapper(4, "HA")
    assert table.view.turn == "S1"
    table.say("passe", "orgi")
    assert table.view.turn == "S1"
    table.play("C7")
    assert table.proofs == []


def test_j_31_with_two_and_three_one_bids_on_six_cards() -> None:
    for players, looked in ((2, 6), (3, 6), (4, 8)):
        dealt = deal(opening(players), 5)
        assert isinstance(dealt.round, KlapperRound)
        assert [len(cards) for cards in dealt.round.first_look] == [looked] * players
        assert all(
            set(cards) <= set(hand) for cards, hand in zip(dealt.round.first_look, dealt.hands, strict=True)
        )


def test_j_32_and_j_i8_who_took_up_all_nine_has_to_play_the_orgi_also_after_passing() -> None:
    """No camera sees how many cards are taken up: the group says `orgi` for that seat, and it counts."""
    table = Klapper(2, "HA")
    table.say("passe", "passe", "kleines", "S2:orgi")
    assert game(table) == ("orgi", "H", "S2")
    table = Klapper(2, "HA")
    table.say(*["passe"] * 4, "S1:orgi")
    assert game(table) == ("orgi", "H", "S1")
    assert (table.view.phase, table.proofs) == ("play", [])
    table.say("S2:orgi")
    assert game(table) == ("orgi", "H", "S1")


def test_bids_out_of_place_change_nothing_and_are_told() -> None:
    table = Klapper(3, "HA")
    table.say("orgi", "S2:kleines", "S3:besser", "S2:farbe:C")
    assert game(table) == ("orgi", "H", "S1")
    assert [what for _, what, _ in table.view.remarks] == ["bid_void"] * 3
    assert table.proofs == []


def test_a_suit_that_is_named_unasked_is_a_kleines() -> None:
    table = Klapper(3, "HA")
    table.say("S2:farbe:D")
    assert game(table) == ("kleines", "D", "S2")
    table = Klapper(3, "HA")
    table.say("S2:farbe:H")
    assert table.view.remarks == ((1, "kleines_in_turned_suit", "S2"),)


def test_g_i9_without_a_game_the_first_card_shows_that_somebody_has_not_declared() -> None:
    table = Klapper(3, "HA")
    table.say("passe")
    (number,) = table.play("S1:C7")
    assert table.proofs == [("missing_declaration", "S2", number, None)]
    table = Klapper(3, "HA")
    table.say(*["passe"] * 3, "kleines", "passe", "passe")
    (number,) = table.play("S1:C7")
    assert table.proofs == [("missing_declaration", "S1", number, None)]
    late = table.say("S1:farbe:S")
    assert table.proofs[1:] == [("late_declaration", "S1", late, None)]
    assert table.view.trump is None


def test_a_correction_reaches_back_to_the_bidding() -> None:
    """G-10: an Orgi corrected to a Kleines changes the duties."""
    table = Klapper(3, "HA")
    said = table.say("orgi")
    table.play("C7 C8 S7")
    assert table.view.turn == "S2"
    table.correct(said, {"kind": "say", "seat": "S1", "what": "farbe:S"})
    assert game(table) == ("kleines", "S", "S1")
    assert table.view.turn == "S3"


def test_words_that_nobody_says_and_cards_that_do_not_exist_are_refused() -> None:
    table = Klapper(3, "HA")
    with pytest.raises(EventError, match='nobody says "orgy" in Klapper-Jas; did you mean "orgi"'):
        table.event("say", seat="S1", what="orgy")
    with pytest.raises(EventError, match='there is no card "H6" in Klapper-Jas'):
        table.event("turned", card="H6")
    with pytest.raises(EventError, match='there is no card "X1"'):
        table.event("shown", seat="S1", cards=["HA", "X1"])
    with pytest.raises(EventError, match="2 to 4 players, not 5"):
        Klapper(5)


# Cards dealt and turned -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("players", "size", "rest", "turned"), [(2, 9, 14, 19), (3, 9, 5, 28), (4, 8, 0, 31)]
)
def test_j_28_j_29_j_30_cards_are_dealt_in_packets_and_one_is_turned(
    players: int, size: int, rest: int, turned: int
) -> None:
    """J-V10: the 19th, the 28th; with four the 31st, the middle one of the dealer's last three."""
    setup = open_game(as_event(opening(players)))
    opened = KLAPPERJAS.open_round(setup, 1, as_event({"kind": "round"}), None)
    pack = list(KLAPPERJAS.pack(setup))
    hands, left = opened.deal(pack)
    assert [len(hand) for hand in hands] == [size] * players
    assert (len(left), KLAPPERJAS.hidden(setup)) == (rest, rest)
    assert opened.to_turn == pack[turned - 1]
    assert hands[0][:3] == tuple(pack[:3])
    assert hands[1][:3] == tuple(pack[3:6])
    if players == 4:
        assert opened.to_turn in hands[3]
        assert hands[0][3:5] == tuple(pack[12:14])


def test_the_dealer_turns_the_card_before_anybody_bids() -> None:
    dealt = deal(opening(3), 3)
    assert turn(dealt) == "S3"
    assert [move.kind for move in legal(dealt)] == ["turned"]
    after = apply(dealt, legal(dealt)[0])
    assert turn(after) == "S1"
    assert [move.get("what") for move in legal(after)] == ["passe", "orgi"]


def test_j_33_the_seven_may_be_swapped_for_the_turned_card() -> None:
    """JA-6: also in a Kleines, unless the house allows it only in the Orgi."""
    for options, said in (({}, "orgi"), ({}, "farbe:S"), ({"seven_swap": "orgi_only"}, "orgi")):
        table = Klapper(3, "HA", **options)
        table.say(f"S1:{said}", "S1:tausch")
        table.play("HA")
        assert table.proofs == []
    table = Klapper(3, "HA", seven_swap="orgi_only")
    number = table.say("S1:farbe:S", "S1:tausch")
    assert table.proofs == [("false_swap", "S1", number, None)]
    table = Klapper(3, "HA", seven_swap="orgi_only")
    swap = table.say("S1:tausch", "S2:farbe:S")
    (number,) = table.play("C7")
    assert table.proofs == [("false_swap", "S1", number, swap - 1)]


def test_j_33_in_the_engine_the_swapped_card_is_in_the_hand() -> None:
    for seed in range(200):
        position = deal(opening(3), seed)
        position = apply(position, legal(position)[0])
        position = apply(position, legal(position)[1])
        swaps = [move for move in legal(position) if move.get("what") == "tausch"]
        if swaps:
            after = apply(position, swaps[0])
            turned = position.round.turned[0]  # type: ignore[attr-defined]
            assert turned in after.hand("S1")
            assert f"{turned[0]}7" not in after.hand("S1")
            assert all(move.get("what") != "tausch" for move in legal(after))
            return
    raise AssertionError("nobody held a seven")


# Who deals ------------------------------------------------------------------------------------------------


def next_dealer(players: int, **handed: object) -> str:
    setup = open_game(as_event(opening(players)))
    return KLAPPERJAS.next_dealer(setup, KlapperHanded(points=(0,) * players, **handed))  # type: ignore[arg-type]


def test_j_34_with_two_the_winner_of_a_deal_deals_next() -> None:
    assert next_dealer(2, dealer="S2", winner="S2") == "S2"
    assert next_dealer(2, dealer="S2", winner="S1") == "S1"
    assert next_dealer(2, dealer="S2", again=True) == "S2"


def test_j_35_with_three_and_four_the_deal_moves_on() -> None:
    assert next_dealer(3, dealer="S3") == "S1"
    assert next_dealer(4, dealer="S2") == "S3"
    assert KLAPPERJAS.next_dealer(open_game(as_event(opening(4))), None) == "S4"
