"""A sixth trick game fits in one small module and a preset; the rest, page included, comes for free."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from table.equipment import Equipment
from table.journal import Journal
from table.printables import draw_mat, plan_mat
from table.printables.booklet import quick_rules
from table.printables.drawing import Polygon, Text
from table.printables.suits import DARK, RED
from table.rules import Referee, games
from table.rules.bots import choose
from table.rules.chance import Chance
from table.rules.engine import legal
from table.rules.evening import evening
from table.rules.events import Event
from table.rules.presets import PresetError, read_preset
from table.rules.stories import story
from tests.rules.folded import accusations, fold, state_hash
from tests.rules.schafkopf import EYES, PACK, SAYINGS, Schafkopf
from tests.table.browser import CHROMIUM, Browser
from tests.table.running_page import House

SEATS = ["S1", "S2", "S3", "S4"]
GAME = {"kind": "game", "game": "schafkopf", "seats": SEATS}
TOML = Path(__file__).with_name("schafkopf.toml")


@pytest.fixture(autouse=True)
def _schafkopf(monkeypatch: pytest.MonkeyPatch) -> None:
    """Register the game for the duration of a test."""
    game = Schafkopf()
    monkeypatch.setitem(games.GAMES, game.name, game)
    monkeypatch.setitem(games.TRICK_GAMES, game.name, game)


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    with Journal.open(tmp_path / "journal.db") as journal:
        house = House(journal)
        house.session.equipment = Equipment(tuple(SEATS))
        house.open()
        yield house
        house.close()


def rounds(seed: int, count: int = 3) -> list[dict[str, Any]]:
    """Random legal rounds."""
    chance = Chance(seed)

    def anything(position: Any, seat: str) -> Any:
        moves = legal(position)
        return moves[chance.below(len(moves))]

    return [event.to_dict() for event in evening(GAME, seed, anything, rounds=count)]


def test_the_pack_holds_120_eyes() -> None:
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
            assert set(map(abs, entry["points"].values())) <= {2, 4, 6}  # the price is the preset's
        assert state_hash(fold(log)) == state_hash(referee)


def test_a_revoke_is_found_at_the_card_that_proves_it() -> None:
    referee = fold([GAME, {"kind": "round", "dealer": "S4"}, say("S1", "CA")])
    ids = play(referee, "S1:C7 S2:SA S3:C8 S4:CA  S4:C9 S1:CT S2:CK")
    assert accusations(referee) == [("revoke", "S2", ids[6], ids[1])]


def test_the_called_ace_must_fall_when_its_suit_is_led() -> None:
    referee = fold([GAME, {"kind": "round", "dealer": "S4"}, say("S1", "CA")])
    ids = play(referee, "S1:C7 S2:C9 S3:C8 S4:CK  S4:S7 S1:S8 S2:CA")
    assert accusations(referee) == [("partner_duty", "S2", ids[6], ids[1])]


def test_a_doubtful_card_is_settled_by_the_others() -> None:
    log = rounds(3, 1)
    place = next(n for n, event in enumerate(log) if event["kind"] == "card") + 4
    doubtful = [*log]
    doubtful[place] = {"kind": "unsure", "seat": log[place]["seat"], "candidates": []}
    referee = fold(doubtful)
    assert referee.result()["open"] == [place + 1]
    for correction in referee.settle_by_rules():
        assert correction.fields["event"].fields["card"] == log[place]["card"]
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


def test_its_paper_shows_suits_and_no_row_that_it_does_not_name() -> None:
    plan = plan_mat(4, "A2", characters=False)
    words = [mark.words for mark in draw_mat(plan, Schafkopf(), "en").marks if isinstance(mark, Text)]
    assert words
    assert not any("Schafkopf" in line for line in words), "no caption without a row"
    told = type("Told", (Schafkopf,), {"name": "dulle"})()  # a game that has quick rules
    inks = {mark.fill for mark in quick_rules(told, "en").marks if isinstance(mark, Polygon)}
    assert {RED, DARK} <= inks


def say(seat: str, ace: str) -> dict[str, Any]:
    return {"kind": "say", "seat": seat, "what": f"rufspiel:{ace}"}


def play(referee: Referee, cards: str) -> list[int]:
    words = [word.split(":") for word in cards.split()]
    return [referee.add({"kind": "card", "seat": seat, "card": card}) for seat, card in words]


def test_guests_begin_it_on_the_page_say_what_is_offered_and_keep_its_score_by_hand(house: House) -> None:
    with httpx.Client(base_url=house.page.url, trust_env=False) as guest:
        games_here = {game["name"]: game for game in guest.get("/api/games").json()["games"]}
        assert games_here["schafkopf"]["title"] == "Schafkopf"
        assert [option["name"] for option in games_here["schafkopf"]["options"]] == ["price"]
        begun = guest.post(
            "/api/begin", json={"game": "schafkopf", "players": ["Anna", "Bernd", "Carla", "Dirk"]}
        )
        assert begun.status_code == 200, begun.text

        played = evening(GAME, 5, choose, rounds=1)
        log = [event.to_dict() for event in played if event.kind in ("say", "card")]
        dealt = guest.post("/api/event", json={"kind": "round", "dealer": "S4"})
        assert dealt.status_code == 200, dealt.text
        for event in log:
            offers = guest.get(f"/api/seat/{event['seat']}").json()["offers"]
            assert (event in [offer["event"] for offer in offers]) == (event["kind"] == "say")
            told = guest.post("/api/event", json=event)
            assert told.status_code == 200, told.text

        refused = guest.post("/api/event", json={"kind": "die", "colour": "red", "value": 1})
        assert "does not belong to Schafkopf" in refused.text
        state = guest.get("/api/state").json()
        assert state["form"]["sayings"] == [*SAYINGS]
        assert state["view"]["phase"] == "finished"
        assert state["view"]["findings"] == []
        assert state["view"]["points"] == fold([GAME, {"kind": "round", "dealer": "S4"}, *log]).points()


@pytest.mark.skipif(CHROMIUM is None, reason="needs chromium (apt-get install chromium)")
def test_its_cards_are_tapped_on_a_phone(house: House, tmp_path: Path) -> None:
    house.do(
        house.session.start,
        [Event.from_dict(GAME), Event("round", {"dealer": "S4"}), Event.from_dict(say("S1", "CA"))],
    )
    with Browser(tmp_path / "profile", 390, 844) as phone:
        phone.go(f"{house.page.url}/?lang=en")
        phone.wait("document.querySelector('#game')?.innerText === 'Schafkopf'")
        phone.ask("[...document.querySelectorAll('button')].find((b) => b.innerText === 'By hand …').click()")
        phone.wait("""!!document.querySelector('#hand .one:has([aria-label="7 of clubs"])')""")
        phone.ask("""document.querySelector('#hand .one:has([aria-label="7 of clubs"])').click()""")
        phone.wait("document.querySelector('.player.turn h2')?.innerText.includes('S2')")
        assert house.do(lambda: house.session.entries[-1].event.fields["card"]) == "C7"
        assert phone.complaints == []
