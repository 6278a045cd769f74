"""Dulle and DoppelX in words: a ledger that a player can follow, in German and English."""

from __future__ import annotations

from typing import Literal

import pytest

from table.catalogue import known
from table.rules import Referee
from table.rules.doppelx.scoring import score
from table.rules.doppelx.terms import BETS, PLACES, ZONES, Die
from table.rules.stories import story
from tests.rules.box import Box, after
from tests.rules.sixteen import WHOLE, Sixteen, called


def told(referee: Referee, language: Literal["de", "en"] = "de", explain: bool = False) -> list[str]:
    return [line.strip() for line in story(referee.result(), {}, {}, language, explain).lines()]


def test_dulle_tells_the_call_the_augen_and_the_value() -> None:
    table = called("HA")
    table.say("S1", "stoss")
    table.play(WHOLE)
    lines = told(table.referee)
    assert lines[0] == "Runde 1 · Geber S4 · S4 ruft Herz Ass · S1: Stoß"
    assert lines[1].endswith("→ S3   34 Augen")
    assert lines[5] == "S3+S4 gegen S1+S2: 34 zu 70 Augen, verloren"
    assert lines[6] == "Spiel +1 Stoß ×2 = 2"
    assert lines[7] == "Runde bringt: S1 +2, S2 +2, S3 −2, S4 −2"


def test_dulle_explains_every_line_of_the_settlement() -> None:
    table = Sixteen(ansagen=True, bock=True)
    table.say("S4", "solodu")
    table.say("S1", "stoss")
    table.say("S1", "schwarz")
    table.play(WHOLE)
    table.event("round", dealer="S4")
    table.say("S4", "solo")
    table.play(WHOLE)
    for language in ("de", "en"):
        lines = told(table.referee, language, explain=True)
        for rule in ("U-08", "U-10", "U-11", "U-22", "U-24", "U-25", "U-26", "U-27"):
            assert any(line.endswith(f"[{rule}]") for line in lines), (language, rule)


def test_dulle_says_when_it_could_not_settle() -> None:
    table = Sixteen()
    table.play(WHOLE)
    lines = told(table.referee, "en")
    assert lines[0] == "Round 1 · dealt by S4 · nobody called"
    assert "not settled, nobody knows the pairs" in lines
    assert "S4: did not call before the first card, ace of clubs by S1" in lines[-1]


def test_doppelx_tells_every_die_and_the_totals() -> None:
    box = after("blue 2@2x  white X@-1  red 1@hole  green 3@bet:C  yellow 1@X", players=4)
    assert told(box.referee)[:5] == [
        "Runde 1 · bis 50 Chips (läuft noch)",
        "1. alle:",
        "nichts; gesamt: Blau 0, Grün 0, Gelb 0, Rot 0",
        "2. Blau: Blau 2 auf 2× = 4 · Weiß X auf −1 = −1 · Rot 1 im Loch · Grün Wette C = 3 "
        "· Gelb 1 auf X = 0",
        "Blau +3, Grün +3; gesamt: Blau 3, Grün 3, Gelb 0, Rot 0",
    ]


def test_doppelx_tells_a_doppel_x() -> None:
    box = after("blue X@2x  white X@1x  red 1@1x  green 3@bet:A", players=4)
    assert told(box.referee, "en")[3] == (
        "2. blue, Doppel X: blue Doppel X = 10 · white X: nothing · red 1: nothing · green bet A = 5"
    )


@pytest.mark.parametrize("language", ["de", "en"])
def test_every_reason_a_die_can_have_is_explained(language: Literal["de", "en"]) -> None:
    dice = [Die("blue", face, "field", zone) for face in ("1", "X", None) for zone in (*ZONES, None)]
    dice += [Die("green", "1", place) for place in PLACES if place != "field"]
    rules = set()
    for die in dice:
        for white in (Die("white", "X", "field", "2x"), Die("white", "1", "field", "2x")):
            other = Die("red", "X", "field", "2x")
            for lot in ([die, white], [die, white, other], [Die("blue", "1", "field", "2x"), white, die]):
                rules |= {gain.rule for gain in score(lot, "blue", ("blue", "green", "red")).gains}
    assert [rule for rule in rules if not known(f"why.{rule}")] == []
    assert len(rules) >= 8
    assert len(BETS) == 8


def test_doppelx_explains_in_the_words_of_the_rules() -> None:
    box = Box(3)
    box.open("blue 3@3x  green X@1x  yellow X@1x")
    lines = told(box.referee, "de", explain=True)
    assert "Beim Doppel X kriegen alle anderen nix. [X-20]" in lines


def test_doppelx_says_of_a_lost_bet_that_it_brings_nothing() -> None:
    """X-24."""
    box = after("blue 2@2x  white X@-1  red 1@hole  green 3@bet:D  yellow 1@X", players=4)
    lines = told(box.referee, "de", explain=True)
    assert any("Grün Wette D: nichts" in line for line in lines)
    assert not any("[X-24]" in line for line in lines)
