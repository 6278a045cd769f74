"""Words reach the table by touch (G-13): entered twice, late or not at all, they accuse nobody innocent."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from table.rules.chance import Chance
from tests.rules.doko import Doko, Hands, queens
from tests.rules.spoilt import GAMES, Log, cards, folded, true_round

SEEDS = range(4)
DOPPELKOPF = ("ddv", "bundeswehr", "dieblich", "club")
OWN = {"missing_declaration", "late_declaration"}


def round_of(game: str, seed: int) -> Log:
    return [dict(event, id=number) for number, event in enumerate(true_round(game, seed), 1)]


def words(log: Log) -> list[int]:
    return [at for at, event in enumerate(log) if event["kind"] == "say"]


def found(log: Log) -> list[tuple[str, str | None]]:
    return [(one.finding, one.seat) for one in folded(log).findings()]


@pytest.mark.parametrize("game", GAMES)
def test_a_word_that_is_told_twice_was_said_once(game: str) -> None:
    """G-13: two phones enter the same word, or one is tapped twice."""
    for seed in SEEDS:
        log = round_of(game, seed)
        for at in words(log):
            again = {**log[at], "id": 900}
            assert found([*log[: at + 1], again, *log[at + 1 :]]) == [], (seed, again)


@pytest.mark.parametrize("game", ["dulle", *DOPPELKOPF])
def test_a_declaration_that_is_told_late_accuses_nobody_but_its_player_of_being_late(game: str) -> None:
    """G-I10: the word is void, but others who play by it neither revoke nor lead wrongly."""
    told = 0
    for seed in SEEDS:
        log = round_of(game, seed)
        first = cards(log)[:1]
        for at in [at for at in words(log) if first and at < first[0]]:
            late = [*log[:at], *log[at + 1 : first[0] + 1], log[at], *log[first[0] + 1 :]]
            speaker = log[at]["seat"]
            assert set(found(late)) <= {(finding, speaker) for finding in OWN}, (seed, log[at])
            told += 1
    assert told >= 4


@pytest.mark.parametrize("game", DOPPELKOPF)
def test_where_nobody_told_what_was_declared_only_that_is_missing(game: str) -> None:
    """G-I9: the players may play a solo of which the table never heard, without a revoke or a wrong lead."""
    for seed in SEEDS:
        log = [event for event in round_of(game, seed) if event["kind"] != "say"]
        assert {finding for finding, _ in found(log)} <= {"missing_declaration"}, seed


@pytest.mark.parametrize("game", [game for game in GAMES if game not in ("dulle", "klapper-jas")])
def test_who_owes_a_declaration_is_not_concluded_from_a_dealer_whom_nobody_named(game: str) -> None:
    """G-I9, G-12"""
    for seed in SEEDS:
        log = [event for event in round_of(game, seed) if event["kind"] not in ("say", "die")]
        log[1] = {key: value for key, value in log[1].items() if key != "dealer"}
        assert found(log) == [], seed


@pytest.mark.parametrize("game", DOPPELKOPF)
def test_a_word_in_the_mouth_of_another_who_has_spoken_is_the_one_that_is_missing(game: str) -> None:
    """G-I9: one of the four answers is recorded for a seat that had already answered."""
    for seed in SEEDS:
        log = round_of(game, seed)
        said = [at for at in words(log) if log[at]["what"] == "gesund"]
        for at in said:
            other = next(log[each]["seat"] for each in words(log) if log[each]["seat"] != log[at]["seat"])
            wrong = [*log[:at], {**log[at], "seat": other}, *log[at + 1 :]]
            assert found(wrong) == [], (seed, log[at], other)


def test_a_revoke_is_still_found_where_a_declaration_was_told_late() -> None:
    """G-03, G-I10: a solo is no explanation for it."""
    tried = 0
    for seed in range(20):
        log = round_of("ddv", seed)
        if any(log[at]["what"] not in ("gesund",) for at in words(log)):
            continue
        where = cards(log)
        twin = [dict(event) for event in log]
        revoked = _swap_for_a_revoke(twin, where)
        if revoked is None:
            continue
        plain = found(twin)
        gesund = words(twin)[-1]
        late = [*twin[:gesund], *twin[gesund + 1 : where[0] + 1], twin[gesund], *twin[where[0] + 1 :]]
        assert {one for one in plain if one[0] == "revoke"} <= set(found(late))
        tried += ("revoke", revoked) in plain
    assert tried >= 3


def _swap_for_a_revoke(log: Log, where: list[int]) -> str | None:
    """Make a seat discard in the second trick a card with which it follows later; return the seat."""
    lead = log[where[4]]["card"][0]
    for at in where[5:8]:
        seat, own = log[at]["seat"], log[at]["card"]
        for later in where[8:]:
            other = log[later]["card"]
            if log[later]["seat"] == seat and own[0] == lead != other[0] and "Q" not in other + own:
                log[at]["card"], log[later]["card"] = other, own
                return str(seat)
    return None


@pytest.mark.parametrize("game", GAMES)
def test_a_table_that_is_switched_on_in_mid_round_accuses_nobody(game: str) -> None:
    """G-I1, G-I9: the seat that leads is not the one that is due, and no word was heard."""
    for seed in SEEDS:
        log = round_of(game, seed)
        where = cards(log)
        if len(where) < 16:
            continue  # the round was not played
        begin, seats = where[5 + Chance(seed).below(8)], log[0]["seats"]
        due = {log[where[0]]["seat"], seats[(seats.index(log[1]["dealer"]) + 1) % len(seats)]}
        rest = [event for event in log[begin:] if event["kind"] != "die"]
        if rest[0]["seat"] not in due:
            assert found([*log[:2], *rest]) == [], (seed, rest[0])


@pytest.mark.parametrize("preset", DOPPELKOPF)
@pytest.mark.parametrize("named", ["hochzeit", "solo:trumpf"])
def test_k_06_two_who_did_not_follow_are_both_found_beside_a_vorbehalt(preset: str, named: str) -> None:
    """Swapped words would not explain it: a swap that leaves the game unnamed proves nothing at all."""
    play = "S1:CQ S2:CT S3:CK S4:CJ S1:CQ S2:SJ S3:CJ S4:HT"
    log: Log = [
        {"kind": "game", "game": "doppelkopf", "preset": preset, "seats": ["S1", "S2", "S3", "S4"]},
        {"kind": "round", "dealer": "S4"},
        {"kind": "say", "seat": "S1", "what": "vorbehalt"},
        *({"kind": "say", "seat": seat, "what": "gesund"} for seat in ("S2", "S3", "S4")),
        {"kind": "say", "seat": "S1", "what": named},
        *({"kind": "card", "seat": card[:2], "card": card[3:]} for card in play.split()),
    ]
    assert found(log) == [("revoke", "S2"), ("revoke", "S3")]


@pytest.mark.parametrize(("game", "first", "second"), [
    ("dubbe", "trump:red", "trump:blue"), ("dulle", "ruf:HA", "ruf:CA"),
])  # fmt: skip
def test_g_i10_who_declares_once_more_in_the_play_is_late_once_the_round_is_whole(
    game: str, first: str, second: str
) -> None:
    """DA-11: while cards are missing, it may be a word about the next deal."""
    log = [line for line in round_of(game, 1) if line["kind"] in ("game", "round", "card")]
    seats, leader = log[0]["seats"], log[2]["seat"]
    queen = next((line["seat"] for line in log if line.get("card") == "CQ"), None)
    who = queen or seats[seats.index(leader) - 1]
    said = [
        {"kind": "say", "seat": who, "what": what, "id": 900 + n} for n, what in enumerate((first, second))
    ]
    told = [*log[:2], said[0], *log[2:7], said[1], *log[7:]]
    assert ("late_declaration", who) in found(told)
    assert ("late_declaration", who) not in found(told[:-3])


def test_k_i2_where_a_gesund_was_not_heard_an_ansage_was_not_too_early() -> None:
    """The table once believed the bidding still open, so Re came too early and the Absage had no Ansage."""
    for unheard in ("S1", "S3"):
        table = Doko("ddv", want=queens("S1", "S3"))
        for seat in ("S1", "S2", "S3", "S4"):
            if seat != unheard:
                table.say(f"{seat} gesund")
        table.say("S1 re")
        table.play()
        table.say("S3 k90")
        table.finish()
        assert [(one.finding, one.seat) for one in table.referee.findings()] == [
            ("missing_declaration", unheard)
        ]


def test_k_i3_who_named_no_game_for_his_vorbehalt_leaves_the_sides_open() -> None:
    """S4 plays a solo that the table does not know, so Kontra from a holder of a Kreuz Dame is right."""
    table = Doko("dieblich", want=queens("S2", "S3"))
    table.say("S1 gesund, S2 gesund, S3 gesund, S4 vorbehalt")
    table.play()
    table.say("S2 kontra")
    table.finish()
    assert "wrong_side" not in [one.finding for one in table.referee.findings()]


def test_k_58_a_word_beside_a_card_that_nobody_saw_was_not_too_early() -> None:
    """The last card of the Klärungsstich was missed: it may have been played before or after the Re."""
    checked = 0
    for skip in range(12):
        table = Doko("club", want=at_least(skip, "S2"))
        table.gesund(S2="hochzeit")
        table.play(4)
        winner = table.round.seats[table.round.tricks[0].winner]
        if winner == "S2":
            continue
        table.say(f"{winner} re, {winner} k90")
        table.finish()
        log = [{**slot.first.to_dict(), "id": slot.id} for slot in table.referee._slots.values()]
        assert found(log) == []
        unseen = log[cards(log)[3]]["id"]
        assert found([line for line in log if line["id"] != unseen]) == []
        checked += 1
    assert checked


def at_least(skip: int, seat: str) -> Callable[[Hands], bool]:
    """Want a deal with a Hochzeit of this seat, after skipping so many."""
    seen = 0

    def wanted(hands: Hands) -> bool:
        nonlocal seen
        its = hands[seat].count("CQ") == 2
        seen += its
        return its and seen > skip

    return wanted


@pytest.mark.parametrize("named", [True, False])
def test_j_30_a_guessed_dealer_makes_nobodys_belle_a_false_one(named: bool) -> None:
    """With four the dealer has the turned card, so another seat's Belle is false only with a sure dealer."""
    log: Log = [
        {"kind": "game", "game": "klapper-jas", "seats": ["S1", "S2", "S3", "S4"]},
        {"kind": "round", "dealer": "S4"} | ({} if named else {"inferred": True}),
        {"kind": "turned", "card": "HK"},
        {"kind": "say", "seat": "S1", "what": "orgi"},
        {"kind": "card", "seat": "S1", "card": "H7"},
        {"kind": "say", "seat": "S2", "what": "belle"},
        {"kind": "card", "seat": "S2", "card": "HQ"},
    ]
    assert found(log) == ([("false_belle", "S2")] if named else [])
