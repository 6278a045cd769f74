"""Past evenings from the page alone: what was played, by whom, each game line by line, its sheet."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import cv2
import httpx
import numpy as np
import pytest

from table.journal import Journal
from table.rules.evening import evening
from table.rules.events import Event
from table.session import Session
from table.web.host import HostDesk
from table.web.kept_games import KeptGames
from table.web.pin import HashedPin
from table.web.sheet_picture import sheet_picture
from tests.table.browser import CHROMIUM, Browser
from tests.table.running_page import House
from tests.table.test_web_pin import PIN, phone

GAMES = Path(__file__).parents[1] / "data" / "games"
CROP = cv2.imencode(".jpg", np.full((90, 60, 3), 200, np.uint8))[1].tobytes()


def lines(name: str) -> list[dict[str, Any]]:
    told = (json.loads(line) for line in (GAMES / f"{name}.jsonl").read_text("utf-8").splitlines())
    return [{key: value for key, value in event.items() if key != "id"} for event in told]


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    """Three games on two evenings."""
    with Journal.open(tmp_path / "evening.sqlite") as journal:
        for wall, name in (
            (1e9, "doppelkopf-ddv-one-round"),
            (1e9 + 3600, "dubbe-doubt"),
            (1e9 + 90000, "dubbe-three-players"),
        ):
            game, events = journal.new_game(wall), lines(name)
            for event in [{**events[0], "players": [*"ABCD"][: len(events[0]["seats"])]}, *events[1:]]:
                journal.append(
                    game, Event.from_dict(event), wall, CROP if event["kind"] == "unsure" else None
                )
        yield journal


@pytest.fixture
def house(journal: Journal) -> Iterator[House]:
    house = House(journal)
    house.session.resume()
    house.open()
    yield house
    house.close()


def ask(house: House, path: str) -> httpx.Response:
    return httpx.get(f"{house.page.url}{path}", trust_env=False)


def test_every_game_is_listed_with_its_result(house: House) -> None:
    told = ask(house, "/api/history").json()
    assert [(game["game"], game["kind"]) for game in told["games"]] == [
        (3, "dubbe"),
        (2, "dubbe"),
        (1, "doppelkopf"),
    ]
    assert (told["running"], told["left_out"]) == (3, 0)
    last = json.loads((GAMES / "dubbe-three-players.result.json").read_text("utf-8"))
    assert told["games"][0]["points"] == last["points"]
    assert told["games"][0]["winners"] == last["winners"]
    assert told["games"][1]["open"] == 1
    older = ask(house, "/api/history?before=3&limit=1").json()
    assert ([game["game"] for game in older["games"]], older["left_out"]) == ([2], 1)


def test_a_moment_is_told_as_the_table_knew_it_then(house: House) -> None:
    steps = ask(house, "/api/history/1").json()["steps"]
    cards = [step["id"] for step in steps if step["event"]["kind"] == "card"]
    for way in (cards[:3], cards[2::-1]):  # forwards and back
        shown = [len(ask(house, f"/api/history/1/{at}").json()["view"]["trick"]) for at in way]
        assert shown == ([1, 2, 3] if way[0] < way[-1] else [3, 2, 1])
    assert ask(house, "/api/history/1/9999").status_code == 404
    assert ask(house, "/api/history/9").status_code == 404


def test_an_older_game_has_its_sheet_in_every_form(house: House) -> None:
    assert ask(house, "/api/sheet?game=1").json()["game"] == 1
    assert ask(house, "/api/sheet.csv?game=1").text.splitlines()[0].endswith("A;B;C;D")
    assert ask(house, "/api/sheet.txt?game=2").text != ask(house, "/api/sheet.txt").text
    drawn = ElementTree.fromstring(ask(house, "/api/sheet.svg?game=1&lang=en").text)
    words = ["".join(text.itertext()) for text in drawn.iter("{http://www.w3.org/2000/svg}text")]
    assert {"Doppelkopf (DDV)", "A", "B", "C", "D", "Round", "Total"} <= {*words}
    assert len(list(drawn.iter("{http://www.w3.org/2000/svg}polyline"))) == 4
    assert ask(house, "/api/sheet?game=9").status_code == 404


def test_a_sheets_picture_bears_the_day_of_the_first_line_and_leaves_joined_letters_joined(
    tmp_path: Path,
) -> None:
    name = "\U0001f468\u200d\U0001f469 \u0645\u06cc\u200c\u062e"
    begun = datetime(2026, 10, 23, 21, 0).timestamp()
    events = [Event.from_dict(event) for event in lines("dubbe-three-players")]
    events[0] = events[0].having(players=[name, "Bernd", "Carla"])
    with Journal.open(tmp_path / "evening.sqlite") as journal:
        game = journal.new_game(begun, events)
        journal.append(game, Event("end"), begun + 7200)
        session = Session(journal)
        session.resume()
        told = KeptGames(session).now()
        drawn = sheet_picture(told, "de")
    assert name in drawn
    assert "23.10.2026" in drawn


def test_former_evenings_are_the_hosts(journal: Journal) -> None:
    house = House(journal, desk=HostDesk(HashedPin.of(PIN)))
    house.open()
    asked = ("/api/history", "/api/history/1", "/api/history/1/3", "/api/sheet?game=1", "/crop/2/5.jpg")
    with phone(house) as guest:
        assert {guest.get(path).status_code for path in asked} == {403}
        assert guest.get("/api/sheet").status_code == guest.get("/history").status_code == 200
        guest.post("/api/pin", json={"pin": PIN})
        assert {guest.get(path).status_code for path in asked} == {200}
    house.close()


@pytest.mark.skipif(CHROMIUM is None, reason="needs chromium (apt-get install chromium)")
def test_a_game_that_goes_on_or_was_broken_off_is_none_that_somebody_has_played(
    tmp_path: Path, browser: Browser
) -> None:
    people = {"seats": ["S1", "S2", "S3", "S4"], "players": ["Anna", "Bernd", "Carla", "Gast 2"]}
    whole = [*evening({"kind": "game", "game": "dulle", **people}, 3, rounds=1)]
    with Journal.open(tmp_path / "evenings.sqlite") as journal:
        journal.new_game(1e9, whole)
        journal.new_game(2e9, [*whole, Event("round", {"dealer": "S1"}), Event("end")])
        journal.new_game(3e9, whole)
        house = House(journal)
        house.session.resume()
        house.open()
        try:
            for played in ("1", "2"):
                browser.go(f"{house.page.url}/history?lang=en#")
                browser.wait("document.querySelectorAll('.kept').length === 3")
                cells = "[...document.querySelectorAll('tbody td:nth-child(2)')].map((e) => e.innerText)"
                assert browser.ask(cells) == [played] * 3, "a guest without a name is nobody twice"
                tags = "[...document.querySelectorAll('.kept .tag')].map((e) => e.innerText)"
                assert browser.ask(tags) == (["running"] if played == "1" else [])
                browser.leave()
                house.do(house.session.add, Event("end"))
        finally:
            browser.leave()
            house.close()


@pytest.mark.skipif(CHROMIUM is None, reason="needs chromium (apt-get install chromium)")
def test_an_evening_bears_the_day_on_which_it_began_also_where_a_clock_was_set_back(
    tmp_path: Path, browser: Browser
) -> None:
    friday, hour = datetime(2026, 10, 23, 18, tzinfo=UTC).timestamp(), 3600.0
    times = [(friday + hour * at, friday + hour * (at + 0.85)) for at in (0, 2, 4.5, 30.5)]
    opening, *further = (Event.from_dict(event) for event in lines("dubbe-three-players"))
    with Journal.open(tmp_path / "evenings.sqlite") as journal:
        for began, ended in (*times, (2 * hour, hour)):
            game = journal.new_game(began, [opening])
            for event in further:
                journal.append(game, event, ended)
        house = House(journal)
        house.session.resume()
        house.open()
        try:
            browser.call("Emulation.setTimezoneOverride", timezoneId="Europe/Berlin")
            browser.go(f"{house.page.url}/history?lang=de")
            browser.wait("document.querySelectorAll('.kept').length === 5")
            heads = "[...document.querySelectorAll('.evening h2')].map((e) => e.innerText)"
            days = ["Donnerstag, 1. Januar 1970", "Sonntag, 25. Oktober 2026", "Freitag, 23. Oktober 2026"]
            assert browser.ask(heads)[:3] == days
            spans = "[...document.querySelectorAll('SMALL')].map((e) => e.innerText.split('·')[0].trim())"
            told = ["02:00", "02:30 MESZ–02:21 MEZ", "00:30–01:21", "22:00–22:51", "20:00–20:51"]
            assert browser.ask(spans.replace("SMALL", ".kept small")) == told
        finally:
            browser.call("Emulation.setTimezoneOverride", timezoneId="")
            browser.leave()
            house.close()


@pytest.mark.skipif(CHROMIUM is None, reason="needs chromium (apt-get install chromium)")
def test_a_replay_steps_through_a_game_with_its_pictures(house: House, tmp_path: Path) -> None:
    with Browser(tmp_path / "chromium") as browser:
        browser.go(f"{house.page.url}/history?lang=en")
        browser.wait("document.querySelectorAll('.kept').length === 3")
        browser.screen(390, 2400, mobile=True)
        gap = "document.getElementById('list').offsetTop - document.querySelector('header').offsetHeight"
        assert browser.ask(gap) < 30, "on a phone the list begins under the head"
        browser.screen(1280, 720)
        assert browser.ask("document.querySelectorAll('.evening').length") == 3  # two, and who won how often
        browser.ask("document.querySelector('a[href=\"#2\"]').click()")
        browser.wait("document.querySelector('#step .told')?.innerText.includes('Step 1 of')")
        doubt = next(n for n, event in enumerate(lines("dubbe-doubt"), 1) if event["kind"] == "unsure")
        for n in range(2, doubt + 1):
            browser.tap("#step button", "›")
            browser.wait(f"document.querySelector('#step .told').innerText.includes('Step {n} of')")
        browser.wait("document.querySelector('#step .crop')?.naturalWidth === 60")
        browser.wait(f"document.querySelectorAll('.trick .card').length === {doubt - 3}")
        browser.ask("dispatchEvent(new KeyboardEvent('keydown', {key: 'ArrowLeft'}))")
        browser.wait("!document.querySelector('#step .crop')")
        png = browser.ask(
            "import('/static/picture.js').then(({ drawn }) => drawn('/api/sheet.svg?game=1&lang=en'))"
            ".then((png) => new Promise((take) => { const reader = new FileReader();"
            " reader.onload = () => take(reader.result.split(',')[1]); reader.readAsDataURL(png); }))"
        )
        picture = cv2.imdecode(np.frombuffer(base64.b64decode(png), np.uint8), cv2.IMREAD_COLOR)
        assert picture is not None
        assert picture.shape[1] == 2160
        assert picture.std() > 10, "something is drawn on it"
        browser.ask("location.hash = '#999'")
        browser.wait("document.querySelector('#troubles').innerText === 'Game 999 cannot be read here.'")
        assert browser.ask("document.querySelectorAll('.kept').length === 3 && location.hash === ''")
        assert browser.complaints.pop().startswith("Failed to load"), "as the browser itself says it"
        browser.screen(390, 844, mobile=True)
        browser.go(f"{house.page.url}/history?lang=de#2")
        browser.wait("document.querySelector('#step .told')?.innerText.includes('Schritt 1 von')")
        tops = (
            "[...document.querySelectorAll('SELECTOR')].map((e) => Math.round(e.getBoundingClientRect().top))"
        )
        head = browser.ask(tops.replace("SELECTOR", "header > :is(.button, button)"))
        assert len(head) == 2
        assert max(head) - min(head) < 2, "the head of a replay is one line on a phone"
        assert len({*browser.ask(tops.replace("SELECTOR", "#step .choices button"))}) == 1
        assert browser.complaints == []
