"""An evening is begun, broken off and replaced from the page, without a command line."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from table.cli.opening import check_deck
from table.equipment import Equipment
from table.journal import Journal
from table.rules.dubbe import DUBBE
from table.rules.dulle import DULLE as DULLE_GAME
from table.rules.events import Event
from table.rules.setup import Setup
from table.rules.view import View
from tests.table.running_page import OPENING, House

SEATS = ("S1", "S2", "S3", "S4")
FOUR = ["Anna", "Bernd", "Carla", "Dirk"]
DOKO: dict[str, Any] = {"game": "doppelkopf", "players": FOUR}
DULLE: dict[str, Any] = {"game": "dulle", "players": FOUR}


class NoNines:
    """A deck for Dubbe and Dulle."""

    cards = (*DUBBE.pack(Setup("dubbe", "dubbe", SEATS)), *DULLE_GAME.pack(Setup("dulle", "dulle", SEATS)))
    partial = False


def cards(view: View) -> None:
    check_deck(NoNines(), view.pack, "deck")  # type: ignore[arg-type]


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    with Journal.open(tmp_path / "evening.sqlite") as journal:
        house = House(journal)
        house.session.equipment = Equipment(SEATS, suits=cards)
        house.open()
        yield house
        house.close()


@pytest.fixture
def guest(house: House) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=house.page.url, trust_env=False, timeout=60) as client:
        yield client


def refused(answer: httpx.Response) -> str:
    assert answer.status_code == 409, answer.text
    return str(answer.json()["error"])


def test_the_page_learns_what_can_be_played_here(guest: httpx.Client) -> None:
    told = guest.get("/api/games").json()
    games = {game["name"]: game for game in told["games"]}
    assert told["seats"] == list(SEATS)
    assert games["dubbe"]["players"] == [2, 3, 4], "five need a seat more"
    assert games["dubbe"]["rounds"] is True
    assert games["dulle"]["players"] == [4]
    assert games["klapper-jas"]["players"] == []
    why_not = games["klapper-jas"]["why_not"]
    assert (why_not["code"], why_not["args"]["cards"][0]) == ("opening.deck.more", "C7")
    options = {option["name"]: option for option in games["dubbe"]["options"]}
    assert options["black_die"]["form"] == "switch"
    assert options["black_die"]["words"]["de"] == "mit dem schwarzen Würfel spielen"
    assert "rounds" not in options
    forms = {o["name"]: (o["form"], o.get("most")) for o in games["doppelkopf"]["options"]}
    assert (forms["soli"], forms["armut"], forms["tariff"]) == (("some", None), ("number", 12), ("one", None))
    assert games["doppelkopf"]["presets"][0]["name"] == "ddv"
    assert games["doppelx"]["colours"][0] == "blue"


def test_an_evening_begins_with_a_tap(house: House, guest: httpx.Client) -> None:
    assert guest.get("/api/state").json()["view"]["game"] is None
    wish = {
        "game": "dubbe",
        "players": ["Anna", "Bernd", "Carla"],
        "seats": ["S1", "S2", "S4"],
        "dealer": "S4",
        "rounds": 6,
        "options": {"black_die": True},
    }
    assert guest.post("/api/begin", json=wish).json() == {"id": 1}
    view = house.session.view
    assert (view.game, view.players, view.seats) == ("dubbe", ("Anna", "Bernd", "Carla"), ("S1", "S2", "S4"))
    assert (view.dealer, view.rounds_agreed, view.options["black_die"]) == ("S4", 6, True)


def test_names_for_all_seats_leave_the_empty_ones_free(house: House, guest: httpx.Client) -> None:
    guest.post("/api/begin", json={"game": "dubbe", "players": ["Anna", "", "", "Dirk"]})
    assert house.session.view.seats == ("S1", "S4")


@pytest.mark.parametrize(
    ("wish", "said"),
    [
        ({"game": "skat"}, 'there is no game "skat"; known:'),
        ({"game": "klapper-jas", "players": FOUR}, "the deck has no picture of C7"),
        ({**DULLE, "seats": ["S1", "S2", "S3", "S9"]}, 'there is no seat "S9" at this table; it has S1, S2'),
        ({**DULLE, "players": ["A", "B", "C", ""]}, "Dulle is for 4 players"),
        ({**DULLE, "players": ["A", "B", "C", "a"]}, "players: a appears twice"),
        ({**DULLE, "dealer": "Erna"}, "dealer Erna: nobody has that name"),
        ({**DULLE, "rounds": 4}, "leave it out"),
        ({**DULLE, "options": {"bock": "seldom"}}, "option \"bock\" is 'seldom'"),
        ({**DOKO, "options": {"spitze": True, "schweinchen": True}}, "choose one of them"),
        ({**DOKO, "preset": "club", "options": {"spitze": True}}, "play with 48 cards"),
        ({**DOKO, "preset": "club", "options": {"throw": ["5_neunen"]}}, "play with 48 cards"),
        ({**DOKO, "options": {"factors": ["re"]}}, "choose doubling"),
        ({**DOKO, "options": {"k90_cards": 1}}, "a higher Absage has an earlier deadline"),
        ({**DULLE, "preset": "ddv"}, 'Dulle has no preset "ddv"'),
        ({"game": "doppelx", "players": ["blue", "red", "mauve"]}, 'there is no die "mauve"'),
    ],
)
def test_what_cannot_be_played_is_refused_in_one_sentence(
    house: House, guest: httpx.Client, wish: dict[str, Any], said: str
) -> None:
    why = refused(guest.post("/api/begin", json=wish))
    assert said in why
    assert house.session.game is None


@pytest.mark.parametrize(
    "body",
    [{}, {"game": 3}, {**DULLE, "players": "Anna"}, {**DULLE, "color": "red"}, {**DULLE, "rounds": "x"}],
)
def test_what_is_no_wish_is_not_read(guest: httpx.Client, body: dict[str, Any]) -> None:
    assert guest.post("/api/begin", json=body).status_code == 400


def test_another_page_begins_nothing(house: House, guest: httpx.Client) -> None:
    answer = guest.post("/api/begin", json=DULLE, headers={"origin": "http://elsewhere.example"})
    assert answer.status_code == 403
    assert house.session.game is None


def test_a_running_round_is_broken_off_only_when_that_is_agreed_to(house: House, guest: httpx.Client) -> None:
    house.do(house.session.begin, OPENING)
    assert "a round is running" in refused(guest.post("/api/begin", json=DULLE))
    assert house.session.view.game == "dubbe"
    assert guest.post("/api/begin", json={**DULLE, "break_off": True}).json() == {"id": 2}
    assert house.session.view.game == "dulle"


def test_in_mid_round_another_game_of_the_same_people_is_refused_as_any_other(
    house: House, guest: httpx.Client
) -> None:
    house.do(house.session.begin, OPENING)
    house.do(house.session.add, Event("card", {"seat": "S2", "card": "red-7"}))
    again, begin = guest.post("/api/again", json={}), guest.post("/api/begin", json=DULLE)
    assert (again.status_code, again.json()) == (begin.status_code, begin.json())
    assert "a round is running" in refused(again)
    assert house.session.game == 1


def test_between_the_rounds_nobody_is_asked(house: House, guest: httpx.Client) -> None:
    house.do(house.session.begin, OPENING)
    house.do(house.session.tell, Event("end"))
    assert guest.post("/api/begin", json=DULLE).json() == {"id": 2}


def test_of_two_hosts_who_begin_at_once_one_counts(house: House, guest: httpx.Client) -> None:
    house.do(house.session.begin, OPENING)
    seen = {"game": 1, "id": 3}
    assert guest.post("/api/begin", json={**DULLE, "break_off": True, "seen": seen}).status_code == 200
    again = {"game": "dubbe", "players": FOUR, "break_off": True, "seen": seen}
    assert refused(guest.post("/api/begin", json=again)) == "another game has begun; look again"
    assert house.session.view.game == "dulle"


def test_of_two_hosts_who_begin_the_first_game_at_once_one_counts(house: House, guest: httpx.Client) -> None:
    seen = {"game": 0, "id": 0}
    assert guest.post("/api/begin", json={**DULLE, "seen": seen}).status_code == 200
    assert (
        refused(guest.post("/api/begin", json={**DULLE, "seen": seen}))
        == "another game has begun; look again"
    )


@pytest.mark.parametrize("game", ["dubbe", "dulle"])
def test_a_game_begun_by_mistake_gives_way_to_the_last_one(
    house: House, guest: httpx.Client, game: str
) -> None:
    """Even if it was quite another game; then none of its events belong to the last one."""
    house.do(house.session.begin, OPENING)
    house.do(house.session.add, Event("card", {"seat": "S2", "card": "red-7"}))
    rounds = {"rounds": 4} if game == "dubbe" else {}
    wish = {"game": game, "players": FOUR, "dealer": "S1", "break_off": True, **rounds}
    assert guest.post("/api/begin", json=wish).status_code == 200
    assert guest.post("/api/correction", json={"of": 1, "event": None}).status_code == 200
    view = house.session.view
    assert (view.game, view.round, [p.card for p in view.trick]) == ("dubbe", 1, ["red-7"])
