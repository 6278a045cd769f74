"""Cards in doubt: they keep their place, prove nothing false, and other cards may settle them."""

from __future__ import annotations

import pytest

from table.rules.readings import ReadingFold
from table.rules.referee import Referee
from tests.rules.evening import Evening, one_sided
from tests.rules.ill_told import numbered_round
from tests.rules.spoilt import cards, folded


def begun(players: int = 3) -> Evening:
    t = Evening(players)
    t.trump("red")
    return t


def settle(t: Evening) -> int:
    count = 0
    while corrections := t.referee.settle_by_rules():
        for correction in corrections:
            t.referee.add(correction)
            count += 1
    return count


def test_an_unsure_card_holds_its_seats_place() -> None:
    t = begun()
    t.play("blue-5")
    doubt = t.unsure("S3", "blue-6", "blue-9")
    assert t.view.turn == "S1"
    assert t.view.trick[1].card is None
    assert t.view.trick[1].event == doubt
    assert t.referee.result()["open"] == [doubt]
    assert t.referee.result()["finished"] is False
    assert [d.event for d in t.view.doubts] == [doubt]


def test_whose_turn_it_is_is_not_said_when_it_hangs_on_a_doubt() -> None:
    t = begun()
    t.play("blue-5")
    t.unsure("S3", "blue-6", "blue-9")
    t.play("S1:blue-7")
    assert t.view.turn is None


def test_whose_turn_it_is_is_said_when_every_candidate_agrees() -> None:
    t = begun()
    t.play("blue-5")
    t.unsure("S3", "blue-6", "blue-9")
    t.play("S1:red-1")
    assert t.view.turn == "S1"


def test_who_leads_next_is_taken_to_have_won() -> None:
    for leader, card in (("S3", "blue-9"), ("S1", "blue-6")):
        t = begun()
        t.play("blue-5")
        doubt = t.unsure("S3", "blue-6", "blue-9")
        t.play(f"S1:blue-7 {leader}:green-1")
        assert t.proofs == []
        assert t.view.last_winner == leader
        t.correct(doubt, "S3", card)
        assert t.proofs == []
        assert t.view.doubts == ()


def test_a_correction_may_show_that_the_wrong_one_led() -> None:
    t = begun()
    t.play("blue-5")
    doubt = t.unsure("S3", "blue-6", "blue-9")
    lead = t.play("S1:blue-7 S1:green-1")[1]
    t.correct(doubt, "S3", "blue-9")
    assert t.proofs == [("wrong_lead", "S1", lead, None)]


def test_nothing_is_proven_that_hangs_on_a_doubt() -> None:
    """S1 shows blue later: a revoke only if the led card was blue."""
    t = begun()
    lead = t.unsure("S2", "blue-6", "brown-6")
    about = t.play("S3:blue-1 S1:green-1")[1]
    t.play("S2:yellow-1 S3:yellow-2")
    proof = t.play("S1:blue-9")[0]
    assert t.proofs == []
    t.correct(lead, "S2", "blue-6")
    assert t.proofs == [("revoke", "S1", proof, about)]


def test_what_was_led_unsurely_proves_nothing_until_somebody_says_what_it_was() -> None:
    """events.md#doubts: a finding never rests on an unsure card, even if every candidate would prove it."""
    t = begun()
    lead = t.unsure("S2", "blue-6", "blue-8")
    about = t.play("S3:blue-9 S1:green-1")[1]
    t.play("S3:yellow-1")
    proof = t.play("S1:blue-1")[0]
    assert t.proofs == []
    t.correct(lead, "S2", "blue-8")
    assert t.proofs == [("revoke", "S1", proof, about)]


def test_what_every_reading_proves_by_seen_cards_is_proven() -> None:
    t = begun()
    about = t.play("S2:blue-8 S3:blue-9 S1:green-1")[2]
    t.unsure("S3", "yellow-1", "blue-7")
    proof = t.play("S1:blue-1")[0]
    assert t.proofs == [("revoke", "S1", proof, about)]


def test_a_candidate_seen_before_settles_the_doubt_at_once() -> None:
    t = begun()
    t.play("blue-6 blue-1 blue-2")
    doubt = t.unsure("S2", "blue-6", "blue-9")
    assert [each.to_dict() for each in t.referee.settle_by_rules()] == [
        {
            "kind": "correction",
            "of": doubt,
            "event": {"kind": "card", "seat": "S2", "card": "blue-9", "inferred": True},
            "source": "rules",
        }
    ]
    assert settle(t) == 1
    assert t.view.doubts == ()
    assert t.view.trick[0].card == "blue-9"


def test_a_candidate_seen_later_settles_the_doubt() -> None:
    t = begun()
    t.unsure("S2", "blue-6", "blue-9")
    t.play("S3:blue-1 S1:blue-2")
    assert t.referee.settle_by_rules() == []
    t.play("S2:green-1 S3:blue-6")
    assert settle(t) == 1
    assert t.view.seen["blue-9"] == 1


def test_a_card_outside_the_pack_is_no_candidate() -> None:
    t = begun()
    t.unsure("S2", "blue-13", "blue-9")
    assert settle(t) == 1
    assert t.view.seen == {"blue-9": 1}


def test_a_single_candidate_settles_nothing() -> None:
    t = begun()
    t.unsure("S2", "blue-6")
    assert t.referee.settle_by_rules() == []


def test_when_no_candidate_is_left_it_was_some_other_card() -> None:
    t = begun()
    t.unsure("S2", "blue-6", "blue-9")
    t.play("S3:blue-1 S1:blue-2 S2:blue-6 S3:blue-3 S1:blue-9")
    assert t.proofs == []
    assert t.referee.settle_by_rules() == []


def test_at_the_end_of_a_round_the_one_missing_card_settles_the_doubt() -> None:
    t = begun()
    hands = one_sided()
    names = {seat: list(cards) for seat, cards in hands.items()}
    lead = names["S2"].pop(0)
    doubt = t.unsure("S2")
    t.play(f"S3:{names['S3'].pop(0)} S1:{names['S1'].pop(0)}")
    for _ in range(14):
        t.play(" ".join(f"{seat}:{names[seat].pop(0)}" for seat in ("S2", "S3", "S1")))
    assert t.referee.result()["open"] == [doubt]
    assert settle(t) == 1
    assert "open" not in t.referee.result()
    assert t.referee.result()["rounds"][0]["tricks"][0]["cards"][0]["card"] == lead


def test_points_are_provisional_and_come_right_with_the_correction() -> None:
    t = begun()
    t.play("red-5")
    doubt = t.unsure("S3", "red-6", "red-2")
    t.play("S1:red-3 S3:blue-1")  # S3 leads, so it is taken to have played the 6
    assert t.points == {"S1": -1, "S2": 0, "S3": 0}
    t.correct(doubt, "S3", "red-2")
    assert t.points == {"S1": -1, "S2": 0, "S3": 0}
    assert t.character("aagewwer")[2] == "S2"


def test_a_doubt_that_nobody_settles_stops_nothing() -> None:
    t = Evening(rounds=1)
    t.trump("red")
    hands = one_sided()
    hands["S2"].pop(0)
    t.unsure("S2", "yellow-9", "red-1")
    t.play(f"S3:{hands['S3'].pop(0)} S1:{hands['S1'].pop(0)}")
    t.play_out(hands)
    assert t.view.phase == "settled"
    assert t.view.finished is False
    t.round("S1")
    assert t.view.phase == "declare"


def test_an_unsure_card_that_never_was_disappears() -> None:
    t = begun()
    t.play("blue-5")
    doubt = t.unsure("S3", "blue-6", "blue-9")
    t.correct(doubt)
    assert t.view.turn == "S3"
    assert t.view.doubts == ()


def test_between_the_rounds_a_doubt_hangs_on_nothing() -> None:
    t = begun()
    t.play_out(one_sided())
    t.unsure("S3", "blue-6", "blue-9")
    assert t.view.doubts == ()


def test_several_doubts_never_are_the_same_card() -> None:
    t = begun()
    t.unsure("S2", "blue-6", "blue-9")
    t.unsure("S3", "blue-6", "blue-9")
    assert t.view.turn == "S1"
    t.play("S1:blue-1")
    assert len(t.view.doubts) == 2
    for reading in t.referee._rounds[-1].readings:
        assert sorted(reading.cards.values()) == ["blue-6", "blue-9"]


def test_with_too_many_doubts_nothing_more_is_proven() -> None:
    t = begun()
    about = t.play("blue-5 green-1 blue-1")[1]
    for _ in range(2):
        for seat in ("S2", "S3", "S1"):
            t.unsure(seat)
    t.play("S3:blue-9")
    assert t.proofs == []
    assert len(t.referee._rounds[-1].readings) <= 128
    assert about


def test_while_a_doubt_is_open_nobody_leads_wrongly_after_it() -> None:
    """events.md#doubts: until a correction whoever leads next counts as the winner, against any candidate."""
    t = begun()
    t.play("blue-5")
    doubt = t.unsure("S3", "blue-6", "blue-9")
    lead = t.play("S1:blue-1 S2:green-1")[1]
    assert t.proofs == []
    t.correct(doubt, "S3", "blue-6")
    assert t.proofs == [("wrong_lead", "S2", lead, None)]


def test_an_honest_marriage_partner_is_not_told_by_candidates_that_the_next_lead_refutes() -> None:
    """K-I3, K-I2: by what the eye saw S2 would be the partner; the next lead shows that it is S3."""
    told = numbered_round("dieblich", 955)
    for number, names in ((11, ("DJ", "HT")), (13, ("HK",)), (14, ("CA", "DK"))):
        at = next(at for at, event in enumerate(told) if event["id"] == number)
        candidates = [[name, 0.4] for name in names]
        told[at] = {"kind": "unsure", "seat": told[at]["seat"], "candidates": candidates, "id": number}
    assert folded(told).findings() == []


def test_what_a_lead_refuted_is_not_told_anew_at_every_line(monkeypatch: pytest.MonkeyPatch) -> None:
    """G-I1: the reading in which it may be any card grows with each line instead of starting again."""
    log = numbered_round("ddv", 102)
    lead = cards(log)[8]
    at = next(at for at in cards(log)[4:8] if log[at]["seat"] == log[lead]["seat"])
    candidates = [["C9", 0.4], ["H9", 0.4]]  # neither of them wins
    log[at] = {"kind": "unsure", "seat": log[at]["seat"], "candidates": candidates, "id": log[at]["id"]}
    told: list[int] = []
    begin = ReadingFold._begin
    monkeypatch.setattr(ReadingFold, "_begin", lambda fold: (told.append(0), begin(fold)))
    referee = Referee()
    folds = []
    for line in log[: cards(log)[-1]]:
        referee.add(line)
        referee.settle_by_rules()
        folds.append(len(told))
    assert folds[lead] > folds[at], "the lead refutes it"
    assert folds[-1] <= folds[lead] + 3
