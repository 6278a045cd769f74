"""What just happened: the card after a round, the sheet at the end, and what can be taken home."""

from __future__ import annotations

import base64
import csv
import io
import re

import httpx
import pytest

from table.rules.dice_evening import evening as dice_evening
from table.rules.evening import evening
from table.rules.events import Event
from table.rules.notation import read_text_lines
from tests.table.browser import CHROMIUM, Browser
from tests.table.running_page import House
from tests.table.shown_games import PEOPLE
from tests.table.television import Open, up_to_card

needs_chromium = pytest.mark.skipif(CHROMIUM is None, reason="needs chromium (apt-get install chromium)")

FIVE_SECONDS_ARE_NOTHING = """
const [later, now] = [window.setTimeout, Date.now];
window.setTimeout = (f, ms) => later(() => {
  if (ms === 5000) Date.now = () => now() + ms;
  f();
}, ms === 5000 ? 0 : ms);
"""
GAMES = ("dubbe", "dulle", "doppelkopf", "klapper-jas")


def rounds_of(game: str, rounds: int) -> list[Event]:
    return [*evening({"kind": "game", "game": game, **PEOPLE}, 3, rounds=rounds)]


def asked(house: House, path: str) -> httpx.Response:
    return httpx.get(f"{house.page.url}{path}", timeout=30, trust_env=False)


@pytest.mark.parametrize("game", GAMES)
def test_every_round_tells_its_reasons_and_its_points_add_up(at: Open, game: str) -> None:
    house = at(rounds_of(game, 2))
    told = {lang: asked(house, f"/api/sheet?lang={lang}").json() for lang in ("de", "en")}
    sheet = told["de"]
    assert [each["round"] for each in sheet["rounds"]] == [1, 2]
    assert sheet["rounds"][-1]["points"] == sheet["points"] == house.session.view.points
    for german, english in zip(sheet["rounds"], told["en"]["rounds"], strict=True):
        assert german["reasons"]
        assert len(german["reasons"]) == len(english["reasons"])
        assert german["reasons"] != english["reasons"]
    rules = [why["rule"] for each in sheet["rounds"] for reason in each["reasons"] for why in reason["why"]]
    assert rules, "each reason is one tap away from its rule"


def test_a_name_from_right_to_left_turns_no_sentence_of_the_house_round(at: Open, browser: Browser) -> None:
    """The house writes the sheet and the page writes refusals: both isolate such a name."""
    log = rounds_of("dulle", 1)
    log[0] = log[0].having(players=["Anna", "Bernd", "Carla", "محمد"])
    house = at(log)
    (told,) = asked(house, "/api/sheet?lang=de").json()["rounds"]
    assert told["head"][0] == "Geber \u2068محمد\u2069"
    assert not any("\u2068" in word for word in told["head"][1:]), "others stand as they are"
    show(browser, house, 1280, 800)
    refused = "{code: 'opening.players.twice', args: {name: 'محمد', n: 2}}"
    said = browser.ask(f"import('/static/words.js').then(({{ told }}) => told({refused}))")
    assert "\u2068محمد\u2069" in said
    assert "\u20682" not in said


def test_a_round_that_goes_on_is_not_told_yet(at: Open) -> None:
    log = rounds_of("dubbe", 2)
    house = at(log[:-5])
    assert [each["round"] for each in asked(house, "/api/sheet").json()["rounds"]] == [1]


def test_a_race_tells_its_last_throw_and_its_course(at: Open) -> None:
    game = {"kind": "game", "game": "doppelx", "players": ["blue", "green", "red"]}
    house = at([*dice_evening(game, 3)])
    (told,) = asked(house, "/api/sheet?lang=en").json()["rounds"]
    assert told["steps"][-1] == told["points"] == house.session.view.points
    assert len(told["steps"]) == house.session.view.box.throw
    (reason,) = told["reasons"]
    assert reason["text"].startswith("Last throw (")
    assert "totals" not in reason["text"], "they stand in the table beside it"


def test_the_sheet_is_taken_away_as_a_table_and_as_text(at: Open) -> None:
    log = rounds_of("dubbe", 2)
    log[0] = log[0].having(players=["=1+1", "Bernd", "Carla", "Dirk"])
    house = at(log)
    answer = asked(house, "/api/sheet.csv?lang=de")
    assert "attachment" in answer.headers["content-disposition"]
    head, *rows, total = csv.reader(io.StringIO(answer.content.decode("utf-8-sig")), delimiter=";")
    assert head == ["Runde", "'=1+1", "Bernd", "Carla", "Dirk"], "no spreadsheet computes a name"
    assert len(rows) == 2
    points = house.session.view.points
    assert [int(each) for each in total[1:]] == [points[seat] for seat in PEOPLE["seats"]]
    again = [event for _, event in read_text_lines(asked(house, "/api/sheet.txt").text)]
    cards = [event.fields["card"] for event in log if event.kind == "card"]
    assert [event.fields["card"] for event in again if event.kind == "card"] == cards


def show(browser: Browser, house: House, width: int, height: int, more: str = "") -> None:
    browser.screen(width, height, mobile=width < 800)
    browser.complaints.clear()
    browser.go(f"{house.page.url}/?lang=de{more}")
    browser.wait(f"innerWidth === {width} && document.querySelectorAll('.player, .runner').length > 0")


@needs_chromium
def test_a_card_comes_when_the_last_trick_is_taken_and_goes_with_the_next_round(
    at: Open, browser: Browser
) -> None:
    log = rounds_of("dulle", 2)
    second = [i for i, event in enumerate(log) if event.kind == "round"][1]
    ended = max(i for i, event in enumerate(log[:second]) if event.kind == "card") + 1
    house = at(log[:ended])
    show(browser, house, 1280, 800)
    browser.wait("document.querySelectorAll('.played').length === 4")
    assert browser.text("#summary") == "", "the last trick lies bright first"
    house.do(house.session.add, Event("collected", {"seat": house.session.view.last_winner}))
    browser.wait("!!document.querySelector('#summary .standing')")
    told = browser.text("#summary")
    assert "Spiel +1 Schneider +1 Stoß ×2 = 4" in told
    assert "Jeder Stoß verdoppelt" in told
    assert "−4" in browser.text("#summary .standing")
    assert browser.ask("document.querySelectorAll('#summary .spark polyline').length") == 4
    assert browser.ask("document.querySelector('#summary').getBoundingClientRect().bottom <= innerHeight")
    browser.tap("#summary .small")
    browser.wait("!document.querySelector('#summary .standing')")
    browser.tap("#summary .open")
    browser.wait("!!document.querySelector('#summary .standing')")
    browser.tap("#language")
    words = "document.querySelector('#summary').innerText"
    browser.wait(f"{words}.includes('Before') && !{words}.includes('Jeder Stoß')")
    browser.tap("#language")
    house.do(house.session.add, Event("round", {"dealer": "S1"}))
    browser.wait("document.getElementById('summary').childElementCount === 0")
    assert browser.complaints == []


@needs_chromium
def test_a_trick_that_nobody_was_seen_to_take_makes_room_by_itself(at: Open, browser: Browser) -> None:
    log = rounds_of("dulle", 1)
    house = at(log[: max(i for i, event in enumerate(log) if event.kind == "card") + 1])
    script = browser.call("Page.addScriptToEvaluateOnNewDocument", source=FIVE_SECONDS_ARE_NOTHING)
    show(browser, house, 390, 844)
    browser.wait("!!document.querySelector('#summary .standing')")
    browser.call("Page.removeScriptToEvaluateOnNewDocument", identifier=script["identifier"])
    assert browser.ask("document.documentElement.scrollWidth") <= 390


@needs_chromium
def test_the_sheet_of_an_evening_names_the_winners_and_prints_alone(at: Open, browser: Browser) -> None:
    house = at([*rounds_of("dulle", 3), {"kind": "end"}])
    show(browser, house, 1280, 800)
    browser.wait("!!document.querySelector('#summary .winners')")
    assert "Gewonnen" in browser.text("#summary .winners")
    assert browser.ask("document.querySelectorAll('#summary .whole tbody tr').length") == 3
    links = "[...document.querySelectorAll('#summary a[download]')].map(a => a.getAttribute('href'))"
    for path in browser.ask(links):
        assert asked(house, path).status_code == 200
    browser.call("Emulation.setEmulatedMedia", media="print")
    visible = (
        "[...document.querySelectorAll('header > *, main > *, #summary button')]"
        ".filter(e => e.getClientRects().length).map(e => e.id || e.tagName)"
    )
    assert browser.ask(visible) == ["H1", "summary"]
    browser.call("Emulation.setEmulatedMedia", media="")
    browser.ask("window.print = () => { window.printed = (window.printed ?? 0) + 1; }")
    browser.touch("#summary button", "Drucken")
    assert browser.ask("window.printed") == 1
    paper = base64.b64decode(browser.call("Page.printToPDF", preferCSSPageSize=True)["data"])
    assert paper.startswith(b"%PDF")
    assert len(re.findall(rb"/Type\s*/Page\b", paper)) == 1, "one sheet, no empty one behind it"
    browser.call("Network.enable")
    browser.call("Network.setBlockedURLs", urls=["*/api/sheet.svg*"])
    browser.touch("#summary button", "Als Bild")
    browser.wait("document.querySelector('#summary .untaken')?.innerText.includes('antwortet nicht')")
    browser.call("Network.setBlockedURLs", urls=[])
    show(browser, house, 1280, 720, "&kiosk")
    browser.wait("!!document.querySelector('#summary .winners')")
    assert browser.ask("document.querySelectorAll('#summary button, #summary a').length") == 0
    fits = "(e => e.scrollHeight <= e.clientHeight + 1)(document.getElementById('summary'))"
    assert browser.ask(fits), "nobody can scroll a television"
    assert browser.complaints == []


@needs_chromium
def test_a_game_that_runs_prints_its_score(at: Open, browser: Browser) -> None:
    """The paper had nothing on it but the name of the game."""
    house = at(up_to_card("dulle", 8))
    browser.go(f"{house.page.url}/?lang=de")
    browser.wait("document.querySelectorAll('.player').length === 4")
    browser.call("Emulation.setEmulatedMedia", media="print")
    printed = "[...document.querySelectorAll('.player h2')].filter((e) => e.getClientRects().length).length"
    assert browser.ask(printed) == 4
    assert not browser.ask("document.getElementById('side').getClientRects().length")
    browser.call("Emulation.setEmulatedMedia", media="")
