"""The four rule sets of Doppelkopf, row by row as in RULES.md (K-50 to K-73)."""

from __future__ import annotations

import pytest

from tests.rules.doko import Doko

PRESETS = ("bundeswehr", "dieblich", "club", "ddv")
SHARED = {"karlchen", "karlchen_gefangen", "fuchs_gefangen", "doppelkopf"}
MANY = SHARED | {"doppel_karlchen", "fuchs_letzter_stich", "dulle_mit_dulle", "zweiter_fuchs"}
DDV_SOLI = {"damen", "buben", "as", "trumpf", "C", "S", "H", "D"}
CLUB_SOLI = {"as", "damen", "buben", "C", "S", "H", "trumpf"}
THROWN = {"5_koenige", "6_zehnen", "fuchs_unterlegen"}

ROWS = {
    "K-50 cards": (48, 40, 40, 48),
    "K-51 withdraw": (True, False, True, False),
    "K-52 soli": (CLUB_SOLI, {"as", "damen", "buben", "trumpf"}, CLUB_SOLI, DDV_SOLI),
    "K-53 solo_order": (
        ["as", "farbe", "buben", "damen", "trumpf"],
        ["as", "buben", "damen", "trumpf"],
        ["as", "buben", "damen", "farbe", "trumpf"],
        [],
    ),
    "K-54 hochzeit": ({"fehl", "trumpf", "fremd"}, {"fremd"}, {"fremd"}, {"fremd"}),
    "K-55 hz_limit": ("own3", "own3", "own3", "first3"),
    "K-56 ansage_cards": (9, 7, 9, 11),
    "K-57 k90_cards": (9, 7, 8, 10),
    "K-57 k60_cards": (7, 5, 7, 9),
    "K-57 k30_cards": (5, 3, 6, 8),
    "K-57 schwarz_cards": (3, 1, 5, 7),
    "K-59 specials": (
        MANY | {"dulle_mit_spitze"},
        MANY | {"dulle_mit_schweinchen"},
        SHARED,
        {"gegen_die_alten", "doppelkopf", "fuchs_gefangen", "karlchen"},
    ),
    "K-60 solo_specials": (False, False, False, False),
    "K-61 armut": (4, 3, 3, 0),
    "K-61 armut_fuchs": ("shown", "fourth", "shown", "shown"),
    "K-63 armut_twice": ("first", "first", "first", "first"),
    "K-64 armut_hochzeit": ("free", "together", "free", "free"),
    "K-65 throw": (THROWN | {"5_neunen"}, THROWN, {"2_truempfe"}, set()),
    "K-66 schweinchen": (False, True, True, False),
    "K-66 spitze": (True, False, False, False),
    "K-67 solo_leads": ("always", "always", "never", "pflichtsolo"),
    "K-68 deal_after_solo": ("same", "same", "next", "next"),
    "K-69 pflichtsolo": ("after_lost_solo", "none", "none", "one_each"),
    "K-70 bock": ("none", "lost_call", "none", "none"),
    "K-71 kontra_alone": (False, False, False, True),
    "K-72 tariff": ("factors", "factors", "factors", "points"),
    "K-72 factors": (
        {"solo", "lost_solo", "re", "kontra"},
        {"solo", "lost_solo", "re", "kontra"},
        {"re", "kontra"},
        set(),
    ),
    "K-73 silent_kontra": (False, False, True, False),
    "KA-7 second_beats_first": ({"HT", "DA"}, {"HT", "DA"}, set(), set()),
    "KA-9 swine_call": ("at_play", "at_play", "at_play", "at_play"),
    "KA-18 solo_is_re": (False, False, True, False),
}


@pytest.mark.parametrize("row", ROWS)
def test_the_rule_sets_differ_as_the_list_of_rules_says(row: str) -> None:
    """K-50 to K-57, K-59 to K-73; options whose order has no meaning are compared as sets."""
    option = row.split()[1]
    for preset, wanted in zip(PRESETS, ROWS[row], strict=True):
        chosen = Doko(preset).referee.view().options[option]
        shown = type(wanted)(chosen) if isinstance(wanted, set | list) else chosen
        assert shown == wanted, preset


@pytest.mark.parametrize(
    ("preset", "factors"), [("bundeswehr", ["solo"]), ("dieblich", ["solo"]), ("club", ["re"])]
)
def test_a_won_solo_nobody_announced_is_re_only_at_the_club(preset: str, factors: list[str]) -> None:
    """KA-18, K-72: the factors of the deal; a lost solo doubles once more, except at the club."""
    table = Doko(preset)
    table.gesund(S1="solo:damen")
    table.finish()
    lost = [] if table.ledger["winner"] == "re" or preset == "club" else ["lost_solo"]
    assert table.ledger["doubled"] == factors + lost
