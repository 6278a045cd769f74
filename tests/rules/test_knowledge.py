"""What the table can and cannot know (G-01 to G-14)."""

from __future__ import annotations

import pytest

from table.rules import Referee
from table.rules.evening import EveningRounds
from table.rules.evidence import Duty, broken, owed
from table.rules.knowledge import ASIDE, known, legality
from tests.rules.evening import Evening, one_sided


def knowledge(t: Evening):  # type: ignore[no-untyped-def]
    return known(t.referee._rounds[-1].best.round)  # type: ignore[arg-type]


def test_g_01_per_seat_what_is_shown_what_is_lacking_and_where_the_rest_may_be() -> None:
    t = Evening()
    t.trump("red")
    t.play("blue-5 green-1 blue-1")
    now = knowledge(t)
    assert now.shown == {"S1": {"blue-1"}, "S2": {"blue-5"}, "S3": {"green-1"}}
    assert now.lacks["S3"] == {f"blue-{n}" for n in range(1, 10)}
    assert now.may_hold["blue-9"] == {"S1", "S2"}
    assert now.may_hold["green-9"] == {"S1", "S2", "S3"}
    assert "blue-5" not in now.may_hold


def test_g_01_with_two_players_a_card_may_also_lie_aside() -> None:
    t = Evening(2)
    t.trump("red")
    t.play("blue-5 green-1")
    assert knowledge(t).may_hold["blue-9"] == {"S2", ASIDE}


def test_g_02_not_following_is_no_offence_as_long_as_it_may_be_legal() -> None:
    t = Evening()
    t.trump("red")
    t.play("blue-5 green-1 yellow-1")
    assert t.proofs == []


def test_g_02_a_play_is_sure_assumed_or_impossible() -> None:
    t = Evening()
    t.trump("red")
    cards = t.play("blue-5 green-1 blue-1 yellow-1")
    opened = t.referee._rounds[-1].best.round
    told = legality(opened)  # type: ignore[arg-type]
    assert [told[card] for card in cards] == ["sure", "assumed", "sure", "sure"]
    t.play("S3:blue-3")
    assert legality(opened)[cards[1]] == "impossible"  # type: ignore[arg-type]


@pytest.mark.parametrize("card", ["S2:joker", "S2:blue-5", "S1:blue-9", "S2:blue-9 S2:blue-8"])
def test_g_02_what_is_illegal_for_sure_is_found_at_once(card: str) -> None:
    t = Evening()
    t.trump("red")
    t.play("blue-5 blue-6 blue-7")  # S1 has won
    t.play("S1:green-1")
    last = t.play(card.replace("S1:blue-9", "S3:blue-9"))[-1]
    if card == "S1:blue-9":
        assert t.proofs == [("out_of_turn", "S3", last, None)]
    assert t.proofs[0][2] == last


def test_g_03_a_refuted_claim_is_found_with_the_proving_card_and_never_earlier() -> None:
    t = Evening()
    t.trump("red")
    about = t.play("blue-5 green-1 blue-1")[1]
    t.play("yellow-1 yellow-2 yellow-3")
    assert t.proofs == []
    proof = t.play("S1:blue-2 S2:blue-9 S3:blue-8")[2]
    assert t.proofs == [("revoke", "S3", proof, about)]


def test_g_03_one_card_may_refute_the_claims_of_several_tricks() -> None:
    t = Evening()
    t.trump("red")
    first = t.play("blue-5 green-1 blue-1")[1]
    second = t.play("blue-9 green-2 blue-2")[1]
    proof = t.play("yellow-1 blue-3")[1]
    assert t.proofs == [("revoke", "S3", proof, first), ("revoke", "S3", proof, second)]


def test_g_04_a_claim_is_about_the_class_under_the_contract_that_held() -> None:
    """Dubbe's classes are its colours: a corrected trump keeps the claim and gives the trick to another."""
    t = Evening()
    trump = t.trump("red")
    about = t.play("blue-5 red-1 blue-9")[1]
    assert t.view.last_winner == "S3"
    t.event("correction", of=trump, event={"kind": "die", "colour": "green", "value": 1, "spot": "aagewwer"})
    assert t.view.last_winner == "S1"
    proof = t.play("S1:yellow-1 S2:yellow-2 S3:blue-8")[2]
    assert t.proofs == [("revoke", "S3", proof, about)]


def test_g_05_an_exempt_card_makes_no_claim() -> None:
    t = Evening()
    t.trump("red")
    t.play("blue-9 blue-1 blue-2 green-9 green-1 green-2 brown-9 brown-1 brown-2")  # Jo Lossen at S2
    t.play("blue-3 blue-8 blue-4 S3:yellow-1 S1:yellow-2 S2:green-3")
    assert knowledge(t).lacks["S2"] == set()
    t.play("S1:yellow-9 S2:yellow-8")
    assert t.proofs == []


def test_g_06_duties_beyond_following_make_claims_of_the_same_kind() -> None:
    """A ladder of duties (must go higher, must trump): the engine and the claims read the same rungs."""
    higher, trump = Duty("overtrump_duty", "G-06", 0b1000), Duty("trump_duty", "G-06", 0b1110)
    ladder = (higher, trump)
    assert owed(ladder, 0b1011) == 0b1000
    assert owed(ladder, 0b0011) == 0b0010
    assert owed(ladder, 0b0001) == 0b0001
    assert broken(ladder, 3) == ()
    assert broken(ladder, 1) == (higher,)
    assert broken(ladder, 0) == (higher, trump)


def test_g_07_at_the_end_of_a_round_the_audit_agrees() -> None:
    t = Evening()
    t.trump("red")
    t.play_out(one_sided())
    assert t.referee.result()["rounds"][0]["audit"] is True


def test_g_08_a_round_broken_off_is_audited_as_far_as_it_went() -> None:
    t = Evening()
    t.trump("red")
    about = t.play("blue-5 green-1 blue-1 S2:yellow-1")[1]
    proof = t.play("S3:blue-3")[0]
    t.event("end")
    assert t.proofs == [("revoke", "S3", proof, about)]
    assert t.referee.result()["rounds"][0]["audit"] is True


def test_g_09_the_cards_of_a_round_are_held_against_the_pack_and_a_misread_one_can_be_corrected() -> None:
    hands = one_sided()
    t = Evening()
    t.trump("red")
    true = hands["S1"][0]
    misread = hands["S2"][1]
    hands["S1"][0] = misread
    t.play_out(hands)
    doubles = [proof for proof in t.proofs if proof[0] == "duplicate_card"]
    assert len(doubles) == 1
    assert [name for name, *_ in t.proofs if name == "missing_card"] == []
    first = next(
        p for tr in t.referee.result()["rounds"][0]["tricks"] for p in tr["cards"] if p["card"] == misread
    )
    t.correct(first["event"], first["seat"], true)
    assert t.proofs == []


def test_g_10_a_correction_is_a_new_event_and_the_old_one_stays_in_its_place() -> None:
    t = Evening()
    t.trump("red")
    wrong = t.play("blue-5 blue-6 blue-7")[1]
    new = t.correct(wrong, "S3", "blue-8")
    assert new > wrong
    assert [p.event for p in t.view.last_trick][1] == wrong
    assert t.view.last_winner == "S3"


def test_g_11_nothing_hidden_is_in_the_view() -> None:
    t = Evening(2)
    t.trump("red")
    t.play("blue-5 green-1")
    assert set(t.view.seen) == {"blue-5", "green-1"}
    assert t.view.inference == {}


def test_g_12_what_only_one_hand_can_hold_is_there() -> None:
    t = Evening()
    t.trump("red")
    t.play("blue-5 green-1 yellow-1")  # S3 and S1 are out of blue
    assert knowledge(t).forced() == {f"blue-{n}": "S2" for n in (1, 2, 3, 4, 6, 7, 8, 9)}


def test_g_12_the_conclusions_hold_in_honest_rounds() -> None:
    opening = {"kind": "game", "game": "dubbe", "seats": ["S1", "S2", "S3", "S4"], "options": {"rounds": 1}}
    from table.rules.bots import choose

    table, checked = EveningRounds(opening, 11, choose), 0
    while (event := next(table, None)) is not None:
        if event.kind == "card" and table.position is not None:
            now = known(table.position.round)
            for seat in table.setup.seats:
                hand = set(table.hand(seat))
                assert not hand & now.lacks[seat] or seat == _jo(table)
                checked += len(hand)
    assert checked > 0


def _jo(table: EveningRounds) -> str | None:
    assert table.position is not None
    owner = table.position.round.tiles[3].owner  # type: ignore[attr-defined]
    return None if owner is None else table.setup.seats[owner]


def test_g_13_what_is_only_said_comes_as_an_event_and_a_die_says_it_too() -> None:
    t = Evening()
    assert [p.what for p in t.view.prompts] == ["declare-trump"]
    t.event("say", seat="S1", what="trump:blue")
    assert t.view.prompts == ()


@pytest.mark.parametrize(("option", "shown"), [("off", {}), ("on", {"S3": ("blue",)})])
def test_g_14_who_is_out_of_a_colour_is_shown_only_when_the_group_wants_it(
    option: str, shown: object
) -> None:
    t = Evening(show_inference=option)
    t.trump("red")
    t.play("blue-5 green-1 blue-1")
    assert t.view.inference == shown


def test_g_14_a_view_of_a_table_before_any_game_is_empty() -> None:
    view = Referee().view()
    assert (view.phase, view.seats, view.turn) == ("idle", (), None)
