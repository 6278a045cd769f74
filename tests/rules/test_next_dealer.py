"""The next dealer where no text names one: the table may guess, and its guess accuses nobody."""

from __future__ import annotations

import pytest

from table.rules import Referee
from table.rules.events import Event
from tests.rules.doko import Doko
from tests.rules.ill_told_evenings import true_evening
from tests.rules.lines import of_kind
from tests.rules.spoilt import GAMES, Log, folded


def told_by_the_table(log: Log) -> Referee:
    """Fold a log whose round lines, except the first, the table writes itself."""
    referee = Referee()
    for event in log:
        if (line := referee.next_round(event)) is not None:
            referee.add(line)
        referee.add(event)
        for correction in referee.settle_by_rules():
            referee.add(correction)
    return referee


@pytest.mark.parametrize("game", [game for game in GAMES if game != "doppelx"])
def test_after_a_deal_that_was_broken_off_the_same_seat_may_deal_again(game: str) -> None:
    """G-I1, events.md#doubts: the table guessed that the deal had moved on, which puts nobody out of turn."""
    log = true_evening(game, 3)
    one, two, *_ = [*of_kind(log, "round"), len(log)]
    card = next(at for at in of_kind(log, "card") if at > one)
    begun = [{key: value for key, value in event.items() if key != "id"} for event in log[:two]]
    again = [*begun[: card + 1], {"kind": "end"}, *begun[one + 1 :]]
    whole, after = folded(begun), told_by_the_table(again)
    assert (after.points(), after.result()["findings"]) == (whole.points(), whole.result()["findings"])


def test_after_a_hand_that_was_thrown_in_either_dealer_may_deal() -> None:
    """K-65, K-68: no text says whether the deal moves on; the lead shows it."""
    for leads, dealer in (("S1", "S4"), ("S2", "S1")):
        table = Doko("bundeswehr")
        table.gesund(S1="schmeissen")
        line = table.referee.next_round({"kind": "say", "seat": leads, "what": "gesund"})
        assert line == Event("round", {"dealer": "S1", "inferred": True})
        table.referee.add(line)
        first = int(leads[1:]) - 1
        order = [f"S{(first + step) % 4 + 1}" for step in range(4)]
        table.say(", ".join(f"{seat} gesund" for seat in order))
        table.card(leads, "CA")
        assert (table.view.dealer, table.referee.result()["findings"]) == (dealer, [])


@pytest.mark.parametrize(
    ("preset", "solo", "sure"),
    [
        ("bundeswehr", "solo:as", True),
        ("dieblich", "solo:as", True),
        ("club", "solo:as", True),
        ("ddv", "solo:as", True),
        ("ddv", "pflichtsolo:as", False),
    ],
)
def test_after_a_solo_the_dealer_is_sure_where_the_text_names_him(preset: str, solo: str, sure: bool) -> None:
    """K-68: ddv's simplified text does not say whether a Pflichtsolo moves the deal on."""
    table = Doko(preset)
    table.gesund(S2=solo)
    table.finish()
    line = table.referee.next_round({"kind": "say", "seat": "S1", "what": "gesund"})
    assert line is not None
    assert line.get("inferred") is (None if sure else True)


def test_a_hochzeit_that_counts_as_a_solo_leaves_the_next_dealer_open() -> None:
    """K-55, K-68: »als Solo gewertet« is about the value, not about the dealer."""
    for seed in range(200):
        table = Doko("dieblich", want=lambda hands: hands["S1"].count("CQ") == 2)
        table.deal("S4", seed * 50)
        table.gesund(S1="hochzeit")
        table.finish()
        if table.round.alone is not None:
            break
    assert table.referee.next_round({"kind": "say", "seat": "S1", "what": "gesund"}) == Event(
        "round", {"dealer": "S4", "inferred": True}
    )
