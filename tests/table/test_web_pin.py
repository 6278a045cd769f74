"""Where the page is open to the network, only the host begins, ends and changes what is old."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import numpy as np
import pytest

from table.rules.events import Event
from table.web.host import COOKIE
from table.web.openapi import OPERATIONS
from tests.table.browser import CHROMIUM, Browser
from tests.table.pin_house import PHONE, PIN, HandClock, phone, pin_house
from tests.table.running_page import House

DULLE = {"game": "dulle", "players": ["Anna", "Bernd", "Carla", "Dirk"]}


TRICKS = ["red-7", "red-8", "red-9", "red-10"], ["green-1", "green-2", "green-3", "green-4"]


@pytest.fixture
def clock() -> HandClock:
    return HandClock()


@pytest.fixture
def house(tmp_path: Path, clock: HandClock) -> Iterator[House]:
    with pin_house(tmp_path, clock) as house:
        yield house


@pytest.fixture
def guest(house: House) -> Iterator[httpx.Client]:
    with phone(house) as client:
        yield client


def play(house: House, *tricks: list[str]) -> list[int]:
    """Play whole tricks; return the ids of their cards."""
    ids = []
    for cards in tricks:
        for name in cards:
            seat = house.session.view.turn
            ids.append(house.do(house.session.add, Event("card", {"seat": seat, "card": name})))
    return [entry.id for entry in house.session.entries if entry.event.kind == "card"]


def asks(answer: httpx.Response) -> bool:
    """Whether the table asks for the PIN and nothing else is wrong."""
    if answer.status_code == 403:
        assert answer.json() == {
            "error": "this needs the PIN of the host",
            "code": "pin.needed",
            "args": {},
        }
        return True
    assert answer.status_code == 200, answer.text
    return False


def test_a_guest_s_phone_begins_breaks_off_and_ends_nothing(house: House, guest: httpx.Client) -> None:
    before = len(house.session.entries)
    for path, wish in (
        ("/api/begin", {**DULLE, "break_off": True}),
        ("/api/again", {}),
        ("/api/event", {"kind": "end"}),
        ("/api/event", {"kind": "round", "dealer": "S1"}),
        ("/api/correction", {"of": 1, "event": None}),
        ("/api/correction", {"of": 3, "event": {"kind": "end"}}),
        ("/api/begin?preview", {**DULLE, "break_off": True}),
    ):
        assert asks(guest.post(path, json=wish)), (path, wish)
    assert (house.session.game, len(house.session.entries)) == (1, before)


def test_the_reference_names_every_address_that_asks_for_the_pin(house: House, guest: httpx.Client) -> None:
    page = (Path(__file__).parents[2] / "docs" / "reference" / "http.md").read_text("utf-8")
    listed = page.partition("## The PIN of the host")[2].partition("Requests from the table's own machine")[0]
    asking = set()
    for path, told in OPERATIONS.items():
        at = re.sub(r"\{\w+\}", "1", path)
        body = {"/api/set": {"set": {}}, "/api/setup/do": {"do": "leave"}, "/api/pin": {"pin": PIN}}
        if told.wish is None:
            answers = [guest.get(at), guest.get(at, params={"game": 1})]
        elif path in body:
            answers = [guest.post(at, json=body[path])]
            guest.cookies.clear()
        else:
            continue  # whether these need the PIN depends on the wish
        if any(answer.status_code == 403 for answer in answers):
            asking.add(path)
    named = set(re.findall(r"`(/[^`?]+)`", listed))
    always = {"/api/begin", "/api/again"}
    sometimes = {"/api/event", "/api/correction", "/api/undo", "/api/redo"}
    assert named == asking | always | sometimes


def test_the_right_pin_makes_this_browser_the_host_s_and_no_other(house: House, guest: httpx.Client) -> None:
    answer = guest.post("/api/pin", json={"pin": PIN})
    assert answer.status_code == 200
    cookie = answer.headers["set-cookie"].lower()
    assert all(word in cookie for word in ("httponly", "samesite=strict", "path=/"))
    assert PIN not in cookie
    with phone(house) as other:
        assert asks(other.post("/api/again", json={}))
        other.cookies.set(COOKIE, "guessed")
        assert asks(other.post("/api/again", json={}))
    assert not asks(guest.post("/api/begin", json={**DULLE, "break_off": True}))
    assert house.session.view.game == "dulle"


def test_after_the_evening_it_is_asked_again(guest: httpx.Client, clock: HandClock) -> None:
    guest.post("/api/pin", json={"pin": PIN})
    clock.now += 13 * 3600
    assert asks(guest.post("/api/event", json={"kind": "end"}))


def test_at_the_table_itself_nobody_is_asked(house: House) -> None:
    with httpx.Client(base_url=house.page.url, trust_env=False, timeout=60) as table:
        assert not asks(table.post("/api/event", json={"kind": "end"}))


def test_guests_still_play_and_put_right_the_last_trick(house: House, guest: httpx.Client) -> None:
    played = play(house, *TRICKS)
    first, second = played[:4], played[4:]
    next_card = {"kind": "card", "seat": house.session.view.turn, "card": "blue-7"}
    assert not asks(guest.post("/api/event", json=next_card))

    def correct(of: int) -> bool:
        seat = house.session.entries[of - 1].event.fields["seat"]
        wish = {"of": of, "event": {"kind": "card", "seat": seat, "card": "blue-9"}, "seen": None}
        return asks(guest.post("/api/correction?preview", json=wish))

    assert [correct(of) for of in first] == [True] * 4
    assert [correct(of) for of in second] == [False] * 4
    assert correct(len(house.session.entries)) is False


def test_nobody_walks_back_trick_by_trick_with_undo(house: House, guest: httpx.Client) -> None:
    last = play(house, *TRICKS)[-4:]
    undone = []
    while not asks(guest.post("/api/undo", json={"id": (of := guest.get("/api/state").json()["undo"])})):
        undone.append(of)
    assert undone == last[::-1]
    assert not asks(guest.post("/api/redo", json={"id": guest.get("/api/state").json()["redo"]}))


def test_what_the_table_asks_about_may_be_answered_however_old(house: House, guest: httpx.Client) -> None:
    doubt = {"kind": "unsure", "seat": "S1", "candidates": [["red-6", 0.5], ["red-5", 0.4]]}
    asked = house.do(house.session.add, Event.from_dict(doubt))
    for n, cards in enumerate((TRICKS[0][1:], TRICKS[1])):
        for at, name in enumerate(cards):
            seat = f"S{(at + (1, 3)[n]) % 4 + 1}"  # the 10 takes the first trick
            house.do(house.session.add, Event("card", {"seat": seat, "card": name}))
    assert asked < min(card.event for card in house.session.view.last_trick)
    right = {"kind": "card", "seat": "S1", "card": "red-6"}
    assert not asks(guest.post("/api/correction?preview", json={"of": asked, "event": right}))
    house.do(house.session.correct, asked, Event.from_dict(right))
    assert asks(guest.post("/api/correction?preview", json={"of": asked, "event": None}))


def test_a_correction_cannot_be_turned_onto_something_old(house: House, guest: httpx.Client) -> None:
    first, *_, last = play(house, *TRICKS)
    seat = house.session.entries[last - 1].event.fields["seat"]
    right = {"kind": "card", "seat": seat, "card": "green-5"}
    made = guest.post("/api/correction", json={"of": last, "event": right}).json()["id"]
    onto = {"kind": "correction", "of": first, "event": None}
    assert asks(guest.post("/api/correction", json={"of": made, "event": onto}))


def test_only_the_host_sees_what_the_camera_sees(house: House, guest: httpx.Client) -> None:
    house.table.frame = lambda: np.full((90, 160, 3), 90, np.uint8)
    assert asks(guest.get("/camera.jpg"))
    assert guest.head("/camera.jpg").status_code == 403
    guest.post("/api/pin", json={"pin": PIN})
    assert guest.get("/camera.jpg").headers["content-type"] == "image/jpeg"


def test_what_guests_see_is_as_before(guest: httpx.Client) -> None:
    for path in ("/", "/api/state", "/api/result", "/api/games", "/api/sheet", "/api/events"):
        assert guest.get(path).status_code == 200, path


@contextmanager
def guests_browser(house: House, folder: Path) -> Iterator[Browser]:
    """The page on a guest's phone."""
    with Browser(folder / "chromium") as browser:
        browser.screen(390, 844, mobile=True)
        browser.call("Network.enable")
        browser.call("Network.setExtraHTTPHeaders", headers={"X-Forwarded-For": PHONE})
        browser.go(f"{house.page.url}/?lang=de")
        yield browser


@pytest.mark.skipif(CHROMIUM is None, reason="needs chromium (apt-get install chromium)")
def test_a_guest_who_lets_the_pin_be_keeps_the_dialog_that_asked_for_it(house: House, tmp_path: Path) -> None:
    with guests_browser(house, tmp_path) as browser:
        browser.tap("#events button", "Eintragen …")
        browser.tap("#dialog button", "Runde abbrechen")
        browser.wait("document.getElementById('pin').open")
        browser.tap("#pin .pad button", "Schließen")
        browser.wait("!document.getElementById('pin').open")
        assert browser.ask("document.getElementById('dialog').open")
        browser.tap("#dialog button", "Runde abbrechen")
        browser.wait("document.getElementById('pin').open")  # the keys typed before are still there
        for digit in PIN:
            browser.tap("#pin .pad button", digit)
        browser.wait("!document.getElementById('dialog').open")
        assert house.session.view.phase == "settled"


@pytest.mark.skipif(CHROMIUM is None, reason="needs chromium (apt-get install chromium)")
def test_who_lets_the_pin_be_is_told_what_needs_it_and_asks_himself(house: House, tmp_path: Path) -> None:
    asked = "document.getElementById('pin')?.open"
    looks = "performance.getEntriesByType('resource').filter(e => e.name.endsWith('/api/setup')).length"
    with guests_browser(house, tmp_path) as browser:
        browser.hasten(20)  # the setup page asks the table every 0.8 s
        for page in ("setup?lang=de#camera", "history?lang=de"):
            browser.go(f"{house.page.url}/{page}")
            browser.wait(asked)
            browser.tap("#pin .pad button", "Schließen")
            browser.wait("document.querySelector('#troubles').innerText.includes('Das braucht die PIN')")
            if page.startswith("setup"):
                seen = browser.ask(looks)
                browser.wait(f"{asked} || {looks} > {seen + 1}")
            browser.ask(
                "fetch('/api/history').then(answer => answer.text())"
            )  # the answers to earlier requests have come
            assert not browser.ask(asked)
            assert "nichts gespielt" not in browser.text("body")
            browser.tap("#troubles button", "PIN eingeben")
            browser.wait(asked)
        for digit in PIN:
            browser.tap("#pin .pad button", digit)
        browser.wait("document.querySelectorAll('.kept').length === 1")
        assert browser.text("#troubles") == ""


@pytest.mark.skipif(CHROMIUM is None, reason="needs chromium (apt-get install chromium)")
def test_the_phone_asks_for_the_pin_by_touch_and_the_wish_goes_on(house: House, tmp_path: Path) -> None:
    with guests_browser(house, tmp_path) as browser:
        browser.tap("#evening button")
        browser.tap("#begin .now button", "Runde abbrechen")
        asked = "document.getElementById('pin').open"
        browser.wait(asked)
        small = "[...document.querySelectorAll('#pin button')].filter((b) => b.offsetHeight < 44).length"
        assert (
            browser.ask(small),
            browser.ask("document.querySelector('#pin').scrollWidth > innerWidth"),
        ) == (
            0,
            False,
        )
        for digit in "000000":
            browser.tap("#pin .pad button", digit)
        browser.wait("document.querySelector('#pin .bad').innerText === 'Das ist nicht die PIN.'")
        assert house.session.view.phase != "settled"
        for digit in PIN:
            browser.tap("#pin .pad button", digit)
        browser.wait(f"!{asked} && document.querySelector('#where').innerText.includes('abgerechnet')")
        browser.wait("!document.getElementById('begin').open")
        assert [said for said in browser.complaints if "403" not in said] == []
