"""A sixth game of tricks fits as one small module and a preset; referee, engine, audit, story come free."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from table.rules import Referee, games, opening
from table.rules.chance import Chance
from table.rules.engine import legal
from table.rules.evening import evening
from table.rules.presets import PresetError, preset, read_preset
from table.rules.stories import story
from tests.rules.schafkopf import EYES, PACK, Schafkopf

SEATS = ["S1", "S2", "S3", "S4"]
GAME = {"kind": "game", "game": "schafkopf", "seats": SEATS}
TOML = Path(__file__).with_name("schafkopf.toml")


@pytest.fixture(autouse=True)
def _schafkopf(monkeypatch: pytest.MonkeyPatch) -> None:
    """The house learns the game for as long as a test lasts."""
    game = Schafkopf()
    monkeypatch.setitem(games.GAMES, game.name, game)
    monkeypatch.setitem(games.TRICK_GAMES, game.name, game)

    def found(name: str) -> Any:
        return read_preset(TOML.read_text("utf-8"), TOML.name, name) if name == "schafkopf" else preset(name)

    monkeypatch.setattr(opening, "preset", found)


def rounds(seed: int, count: int = 3) -> list[dict[str, Any]]:
    """Legal rounds by chance."""
    chance = Chance(seed)

    def anything(position: Any, seat: str) -> Any:
        moves = legal(position)
        return moves[chance.below(len(moves))]

    return list(evening(GAME, seed, anything, rounds=count))


def fold(log: list[dict[str, Any]]) -> Referee:
    referee = Referee()
    for event in log:
        referee.add(event)
    return referee


def proofs(referee: Referee) -> list[tuple[str, str | None, int, int | None]]:
    return [(f.finding, f.seat, f.event, f.about) for f in referee.findings()]


def test_the_module_is_small() -> None:
    assert len(Path(__file__).with_name("schafkopf.py").read_text("utf-8").splitlines()) < 180
    assert sum(EYES[card[1]] for card in PACK) == 120


def test_legal_rounds_have_no_finding_and_sum_to_zero() -> None:
    for seed in range(25):
        log = rounds(seed)
        referee = fold(log)
        result = referee.result()
        assert result["findings"] == []
        assert result["finished"]
        for entry in result["rounds"]:
            assert entry["audit"] is True
            assert sum(trick["eyes"] for trick in entry["tricks"]) == 120
            assert sum(entry["points"].values()) == 0
            assert set(map(abs, entry["points"].values())) <= {2, 4, 6}  # the preset's price
        assert fold(log).state_hash() == referee.state_hash()


def test_a_revoke_is_found_at_the_card_that_proves_it() -> None:
    referee = fold([GAME, {"kind": "round", "dealer": "S4"}, say("S1", "CA")])
    ids = play(referee, "S1:C7 S2:SA S3:C8 S4:CA  S4:C9 S1:CT S2:CK")
    assert proofs(referee) == [("revoke", "S2", ids[6], ids[1])]


def test_the_called_ace_must_fall_when_its_suit_is_led() -> None:
    referee = fold([GAME, {"kind": "round", "dealer": "S4"}, say("S1", "CA")])
    ids = play(referee, "S1:C7 S2:C9 S3:C8 S4:CK  S4:S7 S1:S8 S2:CA")
    assert proofs(referee) == [("partner_duty", "S2", ids[6], ids[1])]


def test_a_doubtful_card_is_settled_by_the_others() -> None:
    log = rounds(3, 1)
    place = next(n for n, event in enumerate(log) if event["kind"] == "card") + 4
    doubtful = [*log]
    doubtful[place] = {"kind": "unsure", "seat": log[place]["seat"], "candidates": []}
    referee = fold(doubtful)
    assert referee.result()["open"] == [place + 1]
    for correction in referee.settle_by_rules():
        assert correction["event"]["card"] == log[place]["card"]
        referee.add(correction)
    assert referee.points() == fold(log).points()


def test_it_is_told_plainly_without_a_word_of_its_own() -> None:
    result = fold(rounds(1, 1)).result()
    lines = list(story(result, {}, {}).lines())
    assert lines[0].startswith("Runde 1 · Geber S4")
    assert sum("→" in line for line in lines) == 8


def test_its_house_rules_are_checked_like_all_others() -> None:
    with pytest.raises(PresetError, match=r"schafkopf\.toml, line 3: options\.prize"):
        read_preset('game = "schafkopf"\n[options]\nprize = 3\n', TOML.name, "schafkopf")


def say(seat: str, ace: str) -> dict[str, Any]:
    return {"kind": "say", "seat": seat, "what": f"rufspiel:{ace}"}


def play(referee: Referee, cards: str) -> list[int]:
    words = [word.split(":") for word in cards.split()]
    return [referee.add({"kind": "card", "seat": seat, "card": card}) for seat, card in words]
