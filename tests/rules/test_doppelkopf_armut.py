"""A declared Armut that was none: what the cards prove, and when (K-61, K-62, K-I8)."""

from __future__ import annotations

from tests.rules.doko import Doko, Hands

NAME = "false_meld"


def is_trump(card: str) -> bool:
    return card[0] == "D" or card[1] in "QJ" or card == "HT"


def four(fuchs: int) -> Doko:
    """Dieblich: S1 says Armut with four trumps, so many of them Füchse; S2 takes it, no trump goes back."""

    def poor(hands: Hands) -> bool:
        mine = hands["S1"]
        return sum(is_trump(card) for card in mine) == 4 and mine.count("DA") == fuchs

    table = Doko("dieblich", want=poor)
    table.gesund(S1="armut")
    table.say("S2 armut-nehmen, S2 armut-zurueck:0")
    return table


def lay(table: Doko, *, foxes_first: bool) -> dict[str, list[int]]:
    """Play all cards, S1's trumps first; only K-I8 matters. Return events by card, S1's under `S1`."""
    hands = {
        seat: sorted(hand, key=lambda card: (card == "DA") != foxes_first)
        for seat, hand in table.hands.items()
    }
    hands["S1"].sort(key=lambda card: (not is_trump(card), card == "DA"))
    events: dict[str, list[int]] = {}
    for falls in zip(*(hands[seat] for seat in table.seats), strict=True):
        for seat, card in zip(table.seats, falls, strict=True):
            events.setdefault("S1" if seat == "S1" else card, []).append(
                table.event("card", seat=seat, card=card)
            )
    return events


def false_melds(table: Doko) -> list[tuple[str | None, int, int | None]]:
    return [(seat, event, about) for name, seat, event, about in table.proofs if name == NAME]


def test_k_i8_four_trumps_with_the_fuchs_are_an_armut_in_dieblich() -> None:
    table = four(fuchs=1)
    lay(table, foxes_first=False)
    assert false_melds(table) == []


def test_k_i8_four_others_are_proven_when_both_foxes_are_elsewhere() -> None:
    """K-61: no proof when the fourth is played, because the Fuchs may still come."""
    table = four(fuchs=0)
    said = table.round.bid.event if table.round.bid else 0
    events = lay(table, foxes_first=True)
    assert max(events["DA"]) < events["S1"][3]
    assert false_melds(table) == [("S1", events["S1"][3], said)]


def test_k_i8_four_others_are_proven_by_the_last_card_at_the_latest() -> None:
    table = four(fuchs=0)
    said = table.round.bid.event if table.round.bid else 0
    events = lay(table, foxes_first=False)
    assert max(events["DA"]) > events["S1"][-1]
    assert false_melds(table) == [("S1", events["S1"][-1], said)]


def test_k_i8_a_card_that_was_misread_may_be_the_fuchs() -> None:
    """G-09: then only both Füchse in other hands are a proof."""
    table = four(fuchs=0)
    said = table.round.bid.event if table.round.bid else 0
    mine = table.hands["S1"]
    mine[next(at for at, card in enumerate(mine) if not is_trump(card))] = "S7"
    events = lay(table, foxes_first=False)
    assert max(events["DA"]) > events["S1"][-1]
    assert false_melds(table) == [("S1", max(events["DA"]), said)]


def test_k_i3_in_an_armut_the_sides_are_known_and_a_wrong_word_is_void_at_once() -> None:
    """K-62: the poor seat and the taker are Re, whoever holds the Kreuz Damen."""
    table = four(fuchs=1)
    wrong = table.say("S2 kontra")
    assert ("wrong_side", "S2", wrong, None) in table.proofs
    right = table.say("S3 kontra")
    assert [call["event"] for call in table.ledger["said"]] == [right]


def test_two_armuten_are_thrown_in_only_where_there_are_two() -> None:
    """K-63: even a house that throws in two of them plays a single one."""
    for others, thrown in (({"S1": "armut"}, False), ({"S1": "armut", "S3": "armut"}, True)):
        table = Doko("bundeswehr", armut_twice="thrown_in")
        table.gesund(**others)
        assert (table.ledger["contract"] == "thrown") == thrown


def test_k_62_as_many_trumps_may_come_back_as_an_armut_may_have() -> None:
    """K-61: four in bundeswehr, in dieblich if the Fuchs is among them; three in the club."""
    for preset, most in (("bundeswehr", 4), ("dieblich", 4), ("club", 3)):
        table = Doko(preset)
        table.say("S1 vorbehalt, S2 gesund, S3 gesund, S4 gesund, S1 armut, S2 armut-nehmen")
        may = [saying.what for saying in table.referee.may_say("S2") if saying.what.startswith("armut-zur")]
        assert may == [f"armut-zurueck:{many}" for many in range(most + 1)]
