"""One fault in a Doppelkopf round: it alone is found, at the first event that proves it and by the audit."""

from __future__ import annotations

from collections import Counter

import pytest

from table.rules import Referee
from tests.rules.doko import Doko, queens
from tests.rules.doppelkopf_faults import CARD_FAULTS, SAY_FAULTS, faulty_round

PRESETS = ("ddv", "bundeswehr", "dieblich", "club")


def check_fault(preset: str, seed: int, fault: str) -> bool:
    """G-07: no finding before the proof, and exactly this one from then on."""
    written = faulty_round(preset, seed, fault)
    if written is None:
        return False
    log, proof = written
    referee = Referee()
    for number, event in enumerate(log, 1):
        referee.add(event)
        found = [(f.finding, f.seat, f.event, f.about) for f in referee.as_it_stands()]
        assert found == ([proof] if number >= proof[2] else [])
        assert set(referee.findings()) <= set(referee.as_it_stands())
    assert referee.findings() == referee.as_it_stands()
    assert referee.result()["rounds"][0]["audit"] is True
    assert sum(referee.points().values()) == 0
    return True


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("fault", CARD_FAULTS + SAY_FAULTS)
def test_one_fault_is_found_at_the_first_event_that_proves_it(fault: str, preset: str) -> None:
    """K-I1 to K-I4, K-I6, K-I7"""
    assert sum(check_fault(preset, seed, fault) for seed in range(5)) >= 3


def test_g_i2_both_copies_of_a_card_may_be_laid_aside_and_played_later() -> None:
    """Every card exists twice: neither two seats' nor one seat's two copies are taken for a third."""
    for seats in (("S1", "S2"), ("S1", "S1")):
        t = Doko(want=lambda hands, seats=seats: all(  # type: ignore[misc]
            hands[seat].count("DK") >= seats.count(seat) and hands[seat].count("CK") == 0 for seat in seats
        ))  # fmt: skip
        t.gesund()
        laid = []
        for seat in seats:
            while not any(t.round.seats[play.seat] == seat for play in t.round.trick):
                t.play(avoid="DK CQ")
            laid.append(t.event("card", seat=seat, card="DK"))
        t.finish()
        assert t.proofs == [("two_cards", seat, event, None) for seat, event in zip(seats, laid, strict=True)]
        assert t.ledger["audit"] is True


def test_a_kreuz_dame_laid_aside_and_played_later_is_one_dame() -> None:
    """G-I2, K-08: a card shown twice exists once, and for every deadline it counts as back in the hand."""
    t = Doko(want=queens("S1", "S3"))
    t.gesund()
    t.play(2, avoid="CQ")
    laid = t.event("card", seat="S1", card="CQ")
    t.play(2, avoid="CQ")
    assert t.view.sides == {"S1": "re"}
    t.hold("S1", 11)
    t.say("S1 re")  # with eleven cards in hand, the Dame among them
    shown = t.card("S1", "CQ")
    assert t.view.sides == {"S1": "re"}
    assert [proof for proof in t.proofs if proof[2] not in (laid, shown)] == []
    t.finish()
    assert t.view.sides == {"S1": "re", "S2": "kontra", "S3": "re", "S4": "kontra"}


@pytest.mark.soak
def test_ten_thousand_rounds_of_doppelkopf_with_a_fault() -> None:
    """Issue 4: print how often there was an occasion."""
    found: Counter[str] = Counter()
    for fault in CARD_FAULTS + SAY_FAULTS:
        for preset in PRESETS:
            found[fault] += sum(check_fault(preset, seed, fault) for seed in range(2_500))
    print(f"faults found in rounds of Doppelkopf: {dict(found)}")
