"""Two equal cards in one hand, one laid aside: nobody sees which one is played later (G-I2, G-I6)."""

from __future__ import annotations

from table.rules.evidence import owed
from tests.rules.doko import Doko


def laid_aside() -> Doko:
    """S1 holds both Karo Könige and has laid one of them beside its card in the first trick."""
    t = Doko(want=lambda hands: hands["S1"].count("DK") == 2 and hands["S1"].count("CQ") < 2)
    t.gesund()
    t.play(avoid="DK CQ")
    t.card("S1", "DK")
    return t


def play_out(t: Doko) -> None:
    """Every seat that is due and has a card plays one."""
    while not t.round.over:
        at = next(at for at in t.round.due() if t.hands[t.round.seats[at]])
        seat = t.round.seats[at]
        hand = t.hands[seat]
        may = owed(t.round.duties(at), t.round.family.mask(hand))
        t.card(seat, next(card for card in hand if may >> t.round.family.number[card] & 1))


def test_g_i6_the_equal_of_a_card_laid_aside_may_fall_and_one_card_is_missing() -> None:
    """The first copy never returns: whoever plays past S1 in the last trick is not out of turn."""
    t = laid_aside()
    laid = t.proofs[0][2]
    play_out(t)
    t.referee.conclude()
    last = t.round.tricks[-1].plays[-1].event
    assert len(t.round.tricks[-1].plays) == 3
    assert t.proofs == [("two_cards", "S1", laid, None), ("missing_card", "S1", last, None)]
    assert t.ledger["complete"] is True
    assert sum(t.points.values()) == 0


def test_g_i2_the_card_laid_aside_comes_back_and_its_equal_falls_too() -> None:
    t = laid_aside()
    laid = t.proofs[0][2]
    t.hands["S1"].append("DK")
    play_out(t)
    t.referee.conclude()
    assert t.proofs == [("two_cards", "S1", laid, None)]
    assert len(t.round.tricks[-1].plays) == 4
    assert t.ledger["audit"] is True
