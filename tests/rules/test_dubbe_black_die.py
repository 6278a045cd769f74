"""Dubbe: the variant with the black die (D-40 to D-46, DA-4 to DA-7, D-I8, D-V4)."""

from __future__ import annotations

from typing import Any

import pytest

from tests.rules.evening import Evening, one_sided


def with_jammerlabbe(owner: str = "S3", **options: Any) -> Evening:
    """Trump red; blue was led first, then green; the second trick brought Jammerlabbe to `owner`."""
    t = Evening(black_die=True, **options)
    t.trump("red")
    t.play("blue-9 blue-1 blue-2")
    t.collect("S2")
    high = {"S2": "green-9 green-1 green-2", "S3": "green-1 green-9 green-2", "S1": "green-1 green-2 green-9"}
    t.play(high[owner])
    assert t.character("jammerlabbe")[2] == owner
    return t


@pytest.mark.parametrize("off", [{}, {"black_die": False}, {"black_die": "off"}])
def test_d_40_without_the_variant_everybody_may_touch(off: dict[str, Any]) -> None:
    t = Evening(**off)
    t.trump("red")
    t.play("blue-9 blue-1 blue-2 green-9 green-1 green-2")
    t.touch("S1")
    t.collect("S3")
    assert t.view.black_die is None
    assert t.proofs == []


def test_d_41_jammerlabbes_owner_collects_whoever_won() -> None:
    t = with_jammerlabbe("S3")
    t.collect("S3")
    t.play("yellow-1 yellow-9 yellow-2")  # S1 wins, S3 has to take the trick
    assert t.view.last_winner == "S1"
    assert ("collect", "S3") in [(p.what, p.seat) for p in t.view.prompts]
    t.collect("S3")
    assert t.proofs == []


def test_d_42_somebody_else_starts_to_collect_and_gets_the_black_die_with_1() -> None:
    t = with_jammerlabbe("S3")
    t.collect("S3")
    t.play("yellow-1 yellow-9 yellow-2")
    offence = t.collect("S1")  # the winner, from habit
    assert t.view.black_die == ("S1", 1)
    assert t.proofs == [("unauthorised_touch", "S1", offence, None)]


def test_d_42_touching_the_played_cards_is_enough() -> None:
    t = with_jammerlabbe("S3")
    t.collect("S3")
    t.play("yellow-1 yellow-9 yellow-2")
    offence = t.touch("S2")
    assert t.view.black_die == ("S2", 1)
    assert t.proofs == [("unauthorised_touch", "S2", offence, None)]


def test_d_43_d_v4_every_further_touch_adds_one_and_moves_the_die() -> None:
    t = Evening(black_die=True)
    t.trump("red")
    t.play("blue-9 blue-1 blue-2")
    t.touch("S2")  # Jammerlabbe is not in play yet
    assert t.view.black_die is None
    t.play("green-1 green-9 green-2")  # Jammerlabbe at S3
    t.touch("S1")
    assert t.view.black_die == ("S1", 1)
    t.play("yellow-9 yellow-1 yellow-2")
    t.touch("S2")
    assert t.view.black_die == ("S2", 2)
    t.play("blue-3 blue-4 blue-5")
    t.touch("S2")
    assert t.view.black_die == ("S2", 3)
    assert [seat for _, seat, _, _ in t.proofs] == ["S1", "S2", "S2"]


def green_second() -> dict[str, list[str]]:
    """S2 leads yellow once, green once, then wins everything: Jammerlabbe comes to S2 in trick 2."""
    hands = one_sided()
    hands["S2"] = ["yellow-9", "green-9", *(c for c in hands["S2"] if c != "yellow-9" and c != "red-2")]
    for seat in ("S3", "S1"):
        if "green-9" in hands[seat]:
            hands[seat][hands[seat].index("green-9")] = "red-2"
            hands[seat].sort(key=lambda card: card.startswith("red"))
    return hands


def test_d_44_d_v4_the_black_die_costs_its_holder_once_at_the_end() -> None:
    t = Evening(black_die=True)
    t.trump("red")
    t.play_out(green_second())
    before = t.points
    t.touch("S1")  # a complete last trick is on the table
    assert t.points == {**before, "S1": before["S1"] - 1}
    assert t.referee.result()["rounds"][0]["black_die"] == {"owner": "S1", "value": 1}


def test_d_44_before_the_end_the_black_die_costs_nothing() -> None:
    t = with_jammerlabbe("S3")
    t.touch("S1")
    assert t.points == {"S1": 0, "S2": 0, "S3": 0}


def test_d_45_in_the_next_round_the_black_die_lies_ready_again() -> None:
    t = Evening(black_die=True)
    t.trump("red")
    t.play_out(green_second())
    t.touch("S1")
    booked = t.points
    t.event("round")
    assert t.view.black_die is None
    assert t.points == booked


def test_d_46_the_winner_leads_though_another_collects() -> None:
    t = with_jammerlabbe("S3")
    t.collect("S3")
    t.play("yellow-1 yellow-9 yellow-2")
    t.collect("S3")
    assert t.view.turn == "S1"


def moved_from_s2_to_s3(**options: Any) -> Evening:
    t = with_jammerlabbe("S2", **options)
    t.collect("S2")
    t.play("green-3 green-8 green-4")
    assert t.character("jammerlabbe")[2] == "S3"
    return t


def test_da_4_when_jammerlabbe_moves_old_and_new_owner_may_take_that_trick() -> None:
    for seat in ("S2", "S3"):
        t = moved_from_s2_to_s3()
        t.collect(seat)
        assert t.proofs == []
    t = moved_from_s2_to_s3()
    t.touch("S1")
    assert t.view.black_die == ("S1", 1)


def test_da_4_black_grace_new_only_binds_the_old_owner_at_once() -> None:
    t = moved_from_s2_to_s3(black_grace="new_only")
    t.collect("S2")
    assert t.view.black_die == ("S2", 1)


def test_da_5_the_trick_that_brings_jammerlabbe_is_taken_by_its_winner() -> None:
    t = with_jammerlabbe("S3")
    t.collect("S3")
    assert t.proofs == []
    t = with_jammerlabbe("S3")
    t.collect("S2")
    assert t.view.black_die == ("S2", 1)


@pytest.mark.parametrize(("die_max", "value"), [(6, 6), ("unbounded", 7)])
def test_da_6_the_black_die_stops_at_six_like_the_others(die_max: object, value: int) -> None:
    t = with_jammerlabbe("S2", die_max=die_max)
    t.touch("S1")
    cards = [f"blue-{n} brown-{n} yellow-{n}" for n in range(8, 2, -1)]
    for trick in cards:
        t.play(trick)
        t.touch("S1")
    assert t.view.black_die == ("S1", value)
    assert bool([r for r in t.view.remarks if r[1:] == ("die_saturated", "black")]) == (die_max == 6)


def test_da_7_a_hand_at_an_incomplete_trick_is_no_offence() -> None:
    t = with_jammerlabbe("S3")
    t.collect("S3")
    t.play("yellow-1 yellow-9")
    t.touch("S1")
    t.collect("S1")
    assert t.view.black_die is None
    assert t.proofs == []


def test_da_7_a_trick_that_is_gone_cannot_be_touched() -> None:
    t = with_jammerlabbe("S3")
    t.collect("S3")
    t.touch("S1")
    assert t.proofs == []


@pytest.mark.parametrize(("confirm", "asked"), [("ask", True), ("auto", False)])
def test_da_7_the_table_asks_about_an_offence_unless_told_not_to(confirm: str, asked: bool) -> None:
    t = with_jammerlabbe("S3", black_confirm=confirm)
    offence = t.touch("S1")
    assert (("offence?", "S1") in [(p.what, p.seat) for p in t.view.prompts]) == asked
    t.correct(offence)  # nothing happened
    assert t.view.black_die is None
    assert t.proofs == []


def test_d_43_two_players_at_one_trick_both_pay() -> None:
    """events.md#hands: one offence per seat and trick, whether they touch it or claim to have taken it."""
    for hands in ("touch touch", "touch collected", "collected collected"):
        t = with_jammerlabbe("S3")
        first, second = hands.split()
        events = [t.event(first, seat="S1"), t.event(second, seat="S2")]
        assert t.view.black_die == ("S2", 2)
        assert t.proofs == [
            ("unauthorised_touch", seat, event, None)
            for seat, event in zip(("S1", "S2"), events, strict=True)
        ]
        asked = [p.seat for p in t.view.prompts if p.what == "offence?"]
        assert asked == ["S1", "S2"]
        t.event("collected", seat="S1")  # the same seat and the same trick again
        assert t.view.black_die == ("S2", 2)
        assert len(t.proofs) == 2


def test_d_43_what_its_owner_has_taken_nobody_takes_again() -> None:
    t = with_jammerlabbe("S3")
    t.collect("S3")
    t.collect("S1")
    assert t.proofs == []


def test_d_44_a_round_broken_off_books_nothing() -> None:
    """events.md#kinds: `end` scores nothing; findings already proven stay."""
    t = with_jammerlabbe("S2", rounds=1)
    t.touch("S1")
    t.play("green-3 green-8 green-4")
    assert any(t.points.values())  # S2 has lost Jammerlabbe and scored
    t.event("end")
    assert not any(t.points.values())
    assert [finding for finding, *_ in t.proofs] == ["unauthorised_touch"]
    assert not t.view.finished
    t.event("round")
    assert not any(t.points.values())


def test_one_trick_is_one_offence() -> None:
    """events.md#hands: touch and taking by the same seat count once per trick."""
    t = with_jammerlabbe("S3")
    t.touch("S1")
    t.collect("S1")
    assert t.view.black_die == ("S1", 1)
    assert len(t.proofs) == 1


def test_d_i8_an_unauthorised_touch_is_a_finding_only_in_the_variant() -> None:
    t = with_jammerlabbe("S3")
    offence = t.touch("S2")
    assert t.proofs == [("unauthorised_touch", "S2", offence, None)]
    plain = Evening()
    plain.trump("red")
    plain.play("blue-9 blue-1 blue-2 green-1 green-9 green-2")
    plain.touch("S2")
    assert plain.proofs == []


def test_d_41_a_taking_after_a_trick_that_nobody_saw_accuses_nobody() -> None:
    """Jammerlabbe grew and went to S1 while no card was seen, so S1 takes the next trick rightfully."""
    t = with_jammerlabbe("S3")
    t.event("die", spot="jammerlabbe", colour="green", value=1)
    t.collect("S3")
    t.event("die", spot="jammerlabbe", colour="green", value=2)
    t.collect("S3")
    t.play("yellow-1 yellow-9 yellow-2")
    t.event("die", spot="jo-lossen", colour="yellow", value=3)
    t.collect("S1")
    assert t.referee.findings() == []


def test_d_43_a_taking_that_was_never_his_is_no_earlier_one_told_late() -> None:
    """D-19: the trick without a recorded taking was another seat's, before anybody owned Jammerlabbe."""
    t = Evening(black_die=True)
    t.trump("red")
    t.play("yellow-1 yellow-5 yellow-2")
    t.collect("S3")
    t.play("yellow-6 yellow-4 yellow-3")  # S3's trick again, but its taking is not recorded
    t.play("green-5 green-3 green-4")
    assert t.character("jammerlabbe")[2] == "S3"
    t.collect("S3")
    t.play("blue-3 blue-4 blue-6")
    assert t.view.last_winner == "S2"
    offence = t.collect("S2")
    assert t.proofs == [("unauthorised_touch", "S2", offence, None)]
    assert t.view.black_die == ("S2", 1)


def test_d_41_a_taking_told_a_trick_late_accuses_nobody_and_a_second_one_does() -> None:
    t = with_jammerlabbe("S3", black_grace="new_only")
    t.play("yellow-1 yellow-9 yellow-2")  # S3 took the second trick, but that is not recorded
    t.collect("S3")
    t.play("green-7 green-3 green-4")  # S1 leads, wins and owns Jammerlabbe now
    assert t.character("jammerlabbe")[2] == "S1"
    t.collect("S3")  # may have been the second trick
    assert t.referee.findings() == []
    assert t.view.black_die is None
    again = t.collect("S3")
    assert t.proofs == [("unauthorised_touch", "S3", again, None)]
