"""What a deal is worth: winner, points, Sonderpunkte, factors, and its effect on the next deal."""

from __future__ import annotations

import json
from typing import Any

import pytest

from table.rules.cards import FRENCH_CARDS
from table.rules.doppelkopf.score import (
    DDV,
    Deal,
    FinishedTrick,
    Tariff,
    decided_by,
    settle,
    specials,
    winner,
)
from table.rules.doppelkopf.terms import D7, DA, KONTRA, RE
from tests.rules.doko import Doko
from tests.shared import SHARED, needs

VECTORS = SHARED / "vectors/ddv_scoring.json"


CLUB = Tariff(kontra_alone=False, alten=False, factors=("solo", "lost_solo", "re", "kontra"))


def worth(re: int, re_level: int = -1, kontra_level: int = -1, **more: Any) -> tuple[int, int]:
    """(winner, value for Re)"""
    done = settle(Deal(re, 240 - re, re_level, kontra_level, **more))
    return done.winner, done.value


def rules(deal: Deal, tariff: Tariff = DDV) -> list[str]:
    return [line.rule for line in settle(deal, tariff).lines]


@needs("vectors/ddv_scoring.json")
@pytest.mark.parametrize("case", json.loads(VECTORS.read_text()) if VECTORS.exists() else [])
def test_the_thirty_worked_settlements(case: dict[str, Any]) -> None:
    """K-24 to K-43, KA-1"""
    counted = 0 if case["solo"] else 1
    extra = (("special", RE),) * case["specials_re"] + (("special", KONTRA),) * case["specials_kontra"]
    deal = Deal(
        case["re_eyes"],
        case["kontra_eyes"],
        case["re_level"],
        case["kontra_level"],
        kontra_no_trick=case["kontra_no_trick"],
        solo=case["solo"],
        specials=extra * counted,
    )
    done = settle(deal)
    assert {0: None, RE: "re", KONTRA: "kontra"}[done.winner] == case["winner"]
    assert done.value * (3 if case["solo"] else 1) == case["points_re"]
    assert -done.value == case["points_kontra"]


def test_who_wins_with_how_much() -> None:
    """K-24, K-25, K-26"""
    assert [worth(re)[0] for re in (120, 121)] == [KONTRA, RE]
    assert [worth(re, kontra_level=0)[0] for re in (119, 120)] == [KONTRA, RE]
    assert [worth(re, 0, 0)[0] for re in (120, 121)] == [KONTRA, RE]
    assert [worth(re, 0)[0] for re in (120, 121)] == [KONTRA, RE]


@pytest.mark.parametrize(("level", "needed", "enough"), [(1, 151, 90), (2, 181, 60), (3, 211, 30)])
def test_what_an_absage_needs_and_what_beats_it(level: int, needed: int, enough: int) -> None:
    """K-27, K-28"""
    assert [worth(re, level)[0] for re in (needed - 1, needed)] == [KONTRA, RE]
    assert [winner(Deal(re, 240 - re, 0, level)) for re in (enough - 1, enough)] == [KONTRA, RE]


def test_schwarz_is_about_tricks() -> None:
    """K-27, K-28, K-43: even a trick without Augen prevents it."""
    assert worth(240, 4, kontra_no_trick=True)[0] == RE
    assert worth(240, 4)[0] == KONTRA
    assert "schwarz" not in [line.what for line in settle(Deal(240, 0)).lines]
    assert "schwarz" in [line.what for line in settle(Deal(240, 0, kontra_no_trick=True)).lines]
    assert settle(Deal(0, 240, kontra_level=4, re_no_trick=True)).winner == KONTRA


def test_when_both_miss_nobody_wins() -> None:
    """K-29, K-32: only steps, points for bounds reached, and Sonderpunkte count."""
    deal = Deal(131, 109, 1, 4, specials=(("fuchs_gefangen", RE),))
    assert settle(deal).winner == 0
    assert set(rules(deal)) == {"K-34", "K-37"}
    assert settle(deal).value == 5
    under = Deal(200, 40, 4, 1)
    assert [line.what for line in settle(under).lines if line.rule == "K-32"] == ["unter_90", "unter_60"]
    assert {line.side for line in settle(under).lines if line.rule == "K-32"} == {RE}


def test_every_point_has_its_rule() -> None:
    """K-30, K-31, K-32, K-33, K-34, K-35"""
    assert rules(Deal(121, 119)) == ["K-30"]
    assert rules(Deal(121, 119, 0, 0)) == ["K-30", "K-31", "K-31"]
    assert rules(Deal(152, 88)) == ["K-30", "K-32"]
    assert rules(Deal(155, 85, 1)) == ["K-30", "K-31", "K-32", "K-33"]
    assert rules(Deal(100, 140, 1)) == ["K-30", "K-31", "K-33", "K-34", "K-35"]
    assert rules(Deal(100, 140)) == ["K-30", "K-35"]
    assert rules(Deal(100, 140, solo=True)) == ["K-30"]


@pytest.mark.parametrize(
    ("re", "levels", "rule"),
    [
        (130, (0, -1), "K-24"),
        (120, (-1, 0), "K-25"),
        (151, (1, -1), "K-27"),
        (150, (1, -1), "K-28"),
        (90, (-1, 1), "K-28"),
        (130, (1, 1), "K-29"),
    ],
)
def test_the_winner_has_his_rule_too(re: int, levels: tuple[int, int], rule: str) -> None:
    """K-24, K-25, K-27, K-28, K-29"""
    assert decided_by(worth(re, *levels)[0], levels, DDV) == rule


def test_without_kontra_alone_only_121_win_for_re() -> None:
    """K-71, K-24"""
    assert decided_by(KONTRA, (-1, 0), CLUB) == "K-24"


def trick(cards: str, best: int = 0) -> FinishedTrick:
    """Seats 0 and 2 are Re; `best` is the seat whose card wins."""
    return best, tuple(FRENCH_CARDS.number[card] for card in cards.split())


def made(*tricks: FinishedTrick, top: int | None = None) -> list[tuple[str, int, int]]:
    return specials([*tricks, trick("C9 C9 CK CK")], [RE, KONTRA, RE, KONTRA], top)


def last(one: FinishedTrick, top: int | None = None) -> list[str]:
    return [name for name, _, _ in specials([one], [RE, KONTRA, RE, KONTRA], top)]


def test_a_doppelkopf_is_a_trick_of_forty() -> None:
    """K-36"""
    assert made(trick("CA CA CT CT", best=1)) == [("doppelkopf", KONTRA, 1)]
    assert made(trick("CA CA CT CK")) == []


def test_a_fuchs_is_caught_by_the_other_side() -> None:
    """K-37: not by the partner; a Schweinchen is no Fuchs (KA-10)."""
    assert made(trick("CQ DA D9 DA")) == [("fuchs_gefangen", RE, 1)] * 2
    assert made(trick("CQ D9 DA D9")) == []
    assert made(trick("CQ DA D9 D9"), top=DA) == []


def test_karlchen_wins_the_last_trick() -> None:
    """K-38, KA-11: caught ones and a Doppelkarlchen count where the house says so."""
    assert last(trick("CJ DJ D9 D9")) == ["karlchen"]
    assert made(trick("CJ DJ D9 D9")) == []
    assert last(trick("CQ CJ D9 CJ")) == ["karlchen_gefangen", "karlchen_gefangen"]
    assert last(trick("CQ D9 CJ D9")) == []
    assert last(trick("CJ D9 CJ D9")) == ["karlchen", "doppel_karlchen"]
    assert last(trick("CJ CJ D9 D9")) == ["karlchen_gefangen", "karlchen"]


def test_the_clubs_know_more_of_them() -> None:
    """K-59, KA-7, KA-12: overlapping ones all count."""
    assert last(trick("D9 DA DK DK", best=1)) == ["fuchs_letzter_stich"]
    assert last(trick("D9 DA DK DK", best=1), top=DA) == []
    second = [name for name, _, _ in made(trick("DA DA DK DK", best=1))]
    assert second == ["fuchs_gefangen", "zweiter_fuchs"]
    assert made(trick("HT HT DK DK", best=1)) == [("dulle_mit_dulle", KONTRA, 1)]
    assert made(trick("HT DK HT DK", best=2)) == []
    assert made(trick("HT D7 DK DK", best=1), top=D7) == [("dulle_mit_spitze", KONTRA, 1)]
    assert made(trick("HT DA HT DK", best=1), top=DA) == [("dulle_mit_schweinchen", KONTRA, 1)] * 2
    told = {
        preset: set(Doko(preset).view.options["specials"])
        for preset in ("ddv", "bundeswehr", "dieblich", "club")
    }
    assert told["ddv"] == {"gegen_die_alten", "doppelkopf", "fuchs_gefangen", "karlchen"}
    assert told["club"] == {"karlchen", "karlchen_gefangen", "fuchs_gefangen", "doppelkopf"}
    assert told["bundeswehr"] ^ told["dieblich"] == {"dulle_mit_spitze", "dulle_mit_schweinchen"}
    assert len(told["bundeswehr"]) == 9


def test_sonderpunkte_are_netted() -> None:
    """K-39: DK-S16"""
    extra = (("fuchs_gefangen", RE), ("doppelkopf", KONTRA), ("karlchen", KONTRA))
    assert settle(Deal(130, 110, specials=extra)).value == 0


def test_clubs_win_with_121_and_120_whatever_was_said() -> None:
    """K-71"""
    assert [winner(Deal(re, 240 - re, -1, 0), CLUB) for re in (120, 121)] == [KONTRA, RE]
    for preset, alone in (("ddv", True), ("bundeswehr", False), ("dieblich", False), ("club", False)):
        assert Doko(preset).round.tariff.kontra_alone is alone


def test_in_the_clubs_solo_lost_solo_re_and_kontra_double() -> None:
    """K-72, KA-10: game, steps and Absagen are multiplied, Sonderpunkte are not."""
    assert settle(Deal(121, 119), CLUB).value == 1
    assert settle(Deal(152, 88, 0, 0), CLUB).value == 2 * 4
    assert settle(Deal(152, 88, 1), CLUB).value == 3 * 2
    assert settle(Deal(130, 110, solo=True), CLUB).value == 2
    assert settle(Deal(110, 130, solo=True), CLUB).value == -4
    fox = (("fuchs_gefangen", RE),)
    assert settle(Deal(130, 110, 0, specials=fox), CLUB).value == 3
    assert settle(Deal(130, 110, 0, specials=fox), CLUB._replace(specials_too=True)).value == 4
    assert Doko("club").round.tariff.factors == ("re", "kontra")
    assert Doko("bundeswehr", factor_scope="all").round.tariff.specials_too
    assert rules(Deal(100, 140, 1), CLUB) == ["K-30", "K-33"]


@pytest.mark.parametrize("preset", ["ddv", "bundeswehr", "dieblich", "club"])
def test_a_round_adds_up(preset: str) -> None:
    """K-40, K-41, K-42: a sum of zero, 240 Augen, the soloist's points threefold."""
    table = Doko(preset)
    table.gesund(S2="solo:damen")
    table.finish()
    assert sum(table.points.values()) == 0
    assert table.points["S2"] == -3 * table.points["S1"] != 0
    assert sum(table.ledger["eyes"].values()) == 240
    assert sum(table.view.augen.values()) == 240
    assert not any(trick["specials"] for trick in table.ledger["tricks"])


def test_sonderpunkte_in_a_solo_only_where_the_house_says_so() -> None:
    """K-60"""
    seeds = 0
    houses: list[dict[str, Any]] = [{}, {"solo_specials": "on"}]
    for options in houses:
        table = Doko("bundeswehr", **options)
        table.gesund(S2="solo:trumpf")
        table.finish()
        seeds += bool(table.round.bonus)
        assert bool(table.round.bonus) == bool(options)
    assert seeds == 1
