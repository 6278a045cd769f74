"""The page of one seat on its player's phone: what it offers to say, and that it speaks for this seat."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest

from table.journal import Journal
from table.rules.events import Event
from tests.table.browser import CHROMIUM, Browser
from tests.table.running_page import House

PEOPLE = ["Anna", "Bernd", "Carla", "Dirk"]
SEATS = ["S1", "S2", "S3", "S4"]


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    with Journal.open(tmp_path / "journal.db") as journal:
        house = House(journal)
        house.open()
        yield house
        house.close()


def begin(house: House, game: str, *events: dict[str, Any]) -> None:
    opening = {"kind": "game", "game": game, "seats": SEATS, "players": PEOPLE}
    house.do(house.session.start, [Event.from_dict(opening), Event("round", {"dealer": "S4"})])
    for event in events:
        house.do(house.session.add, Event.from_dict(event))


def says(seat: str, what: str) -> dict[str, Any]:
    return {"kind": "say", "seat": seat, "what": what}


def offered(house: House, seat: str) -> dict[str, Any]:
    answer = httpx.get(f"{house.page.url}/api/seat/{seat}", trust_env=False)
    return {str(each["event"]["what"]): each for each in answer.json()["offers"]}


HEALTHY = [says(seat, "gesund") for seat in SEATS]


def test_a_seat_is_offered_what_the_table_asks_it_and_another_one_nothing(house: House) -> None:
    begin(house, "doppelkopf")
    assert set(offered(house, "S1")) == {"gesund", "vorbehalt"}
    assert offered(house, "S1")["gesund"]["until"] == "now"
    assert offered(house, "S2") == {}


def test_re_is_offered_until_the_second_own_card(house: House) -> None:
    begin(house, "doppelkopf", *HEALTHY)
    assert (offered(house, "S1")["re"]["until"], offered(house, "S1")["re"]["n"]) == ("own_card", 2)
    for seat, card in zip(SEATS * 2, ("CA", "CT", "CK", "C9", "SA", "ST", "SK", "S9"), strict=True):
        house.do(house.session.add, Event("card", {"seat": seat, "card": card}))
    assert "re" not in offered(house, "S1")


def test_nobody_sits_at_a_seat_that_the_game_does_not_have(house: House) -> None:
    begin(house, "dubbe")
    assert httpx.get(f"{house.page.url}/api/seat/S9", trust_env=False).status_code == 404


def test_what_a_seat_may_say_stands_in_no_message_to_all(house: House) -> None:
    begin(house, "doppelkopf", *HEALTHY)
    assert '"until"' not in httpx.get(f"{house.page.url}/api/state", trust_env=False).text


@contextmanager
def phone_at(house: House, seat: str, tmp_path: Path) -> Iterator[Browser]:
    """A phone that shows a seat's page in a game that has begun."""
    begin(house, "doppelkopf", *HEALTHY)
    with Browser(tmp_path / "profile", 390, 844) as phone:
        phone.go(f"{house.page.url}/seat/{seat}?lang=de")
        yield phone


@pytest.mark.skipif(CHROMIUM is None, reason="no Chromium here; `make test` installs it")
def test_a_tap_on_the_phone_at_a_seat_says_re_for_this_seat(house: House, tmp_path: Path) -> None:
    with phone_at(house, "S2", tmp_path) as phone:
        phone.wait("document.querySelectorAll('.offer button').length > 1")
        tap = (
            "[...document.querySelectorAll('.offer button')].find((b) => b.innerText.trim() === 'Re').click()"
        )
        phone.ask(tap)
        phone.wait("document.querySelector('#mine').innerText.includes('Re')")
        assert house.do(lambda: house.session.entries[-1].event.to_dict()) == {
            **says("S2", "re"),
            "source": "touch",
        }
        assert phone.ask("document.documentElement.scrollWidth <= innerWidth")
        assert phone.complaints == []


@pytest.mark.skipif(CHROMIUM is None, reason="no Chromium here; `make test` installs it")
@pytest.mark.parametrize(
    ("language", "undo", "said"),
    [
        ("de", "↶ „Ruf Kreuz Ass“ zurücknehmen", "Ruf Kreuz Ass"),
        ("en", "↶ Take back “Call Ace of clubs”", "Call Ace of clubs"),
        ("pfl", "↶ „Ruf Kreuz Ass“ z'ricknemme", "Ruf Kreuz Ass"),
    ],
)
def test_what_was_said_is_quoted_as_it_was_spoken(
    house: House, tmp_path: Path, language: str, undo: str, said: str
) -> None:
    """U-19: the call itself, not a sentence about it; a card has the same name as in the ledger."""
    begin(house, "dulle", says("S1", "ruf:CA"))
    with Browser(tmp_path / "profile", 390, 844) as phone:
        phone.go(f"{house.page.url}/seat/S1?lang={language}")
        phone.wait("document.querySelectorAll('#mine button').length === 1")
        assert phone.text("#mine button") == undo
        assert phone.text("#mine li") == said
        assert phone.complaints == []


@pytest.mark.skipif(CHROMIUM is None, reason="no Chromium here; `make test` installs it")
def test_the_screen_of_the_table_offers_the_same_for_the_seat_that_is_chosen(
    house: House, tmp_path: Path
) -> None:
    begin(house, "doppelkopf", *HEALTHY)
    with Browser(tmp_path / "profile", 1280, 720) as screen:
        screen.go(f"{house.page.url}/?lang=de")
        buttons = "[...document.querySelectorAll('button')]"
        speak = f"{buttons}.find((b) => b.innerText.trim() === 'Ansage …' && !b.disabled)"
        screen.wait(f"!!{speak}")
        screen.ask(f"{speak}.click()")
        screen.wait("document.querySelectorAll('#dialog .offer button').length > 1")
        screen.ask(
            "(() => { const who = document.querySelector('#dialog select'); who.value = 'S3';"
            " who.dispatchEvent(new Event('change', {bubbles: true})); })()"
        )
        offers = "[...document.querySelectorAll('#dialog .offer button')]"
        screen.wait("document.querySelector('#dialog').innerText.includes('Bis zur 2. Karte von Carla')")
        kontra = f"{offers}.find((b) => b.innerText.trim() === 'Kontra')"
        screen.wait(f"!!{kontra}")
        screen.ask(f"{kontra}.click()")
        screen.wait("!document.querySelector('#dialog').open")
        assert house.do(lambda: house.session.entries[-1].event.to_dict()) == {
            **says("S3", "kontra"),
            "source": "touch",
        }
        assert screen.complaints == []


@pytest.mark.skipif(CHROMIUM is None, reason="no Chromium here; `make test` installs it")
def test_whose_turn_it_is_again_hears_it_again(house: House, tmp_path: Path) -> None:
    with phone_at(house, "S1", tmp_path) as phone:
        phone.wait("document.getElementById('said')?.textContent === 'Du bist dran'")
        house.do(house.session.add, Event("card", {"seat": "S1", "card": "CA"}))
        phone.wait("document.getElementById('said')?.textContent === ''")
        for seat, card in (("S2", "CT"), ("S3", "CK"), ("S4", "C9")):
            house.do(house.session.add, Event("card", {"seat": seat, "card": card}))
        phone.wait("document.getElementById('said')?.textContent === 'Du bist dran'")
        assert phone.complaints == []
        phone.leave()


@pytest.mark.skipif(CHROMIUM is None, reason="no Chromium here; `make test` installs it")
def test_a_seat_asks_who_deals_first_where_no_camera_sees_it(house: House, tmp_path: Path) -> None:
    opening = {"kind": "game", "game": "doppelkopf", "seats": SEATS, "players": PEOPLE}
    house.do(house.session.start, [Event.from_dict(opening)])
    house.do(house.table.ail, "camera", "unread")
    with Browser(tmp_path / "profile", 390, 844) as phone:
        phone.go(f"{house.page.url}/seat/S2?lang=de")
        phone.wait("document.querySelectorAll('#now article button').length === 4")
        assert "Der Tisch wartet" in phone.text("#now")
        assert "Wer gibt zuerst?" in phone.text("#now")
        assert "Einen Moment" not in phone.text("#now")
        phone.tap("#now button", "Carla")
        phone.wait("!document.querySelector('#now article')")
        assert house.do(lambda: house.session.view.dealer) == "S3"
        assert phone.complaints == []
        phone.leave()


@pytest.mark.skipif(CHROMIUM is None, reason="no Chromium here; `make test` installs it")
def test_a_seat_shows_what_ails_the_table_and_leads_to_its_page(house: House, tmp_path: Path) -> None:
    with phone_at(house, "S1", tmp_path) as phone:
        phone.wait("!!document.querySelector('#now .big')")
        house.do(house.table.ail, "sight", "dark")
        phone.wait("document.querySelector('#troubles').innerText.includes('Es ist zu dunkel')")
        house.do(house.table.ail, "board", "lost")
        house.do(house.table.ail, "camera", "lost")
        phone.wait("document.querySelector('#troubles').innerText.includes('Die Kamera ist weg')")
        assert phone.ask("document.querySelectorAll('#troubles p').length") == 2
        assert phone.ask("document.querySelector('#troubles a').pathname") == "/"
        assert " Zum ganzen Tisch" in phone.text("#troubles"), "the link keeps off the sentence before it"
        house.do(house.table.ail, "camera", "fine")
        house.do(house.table.ail, "sight", "fine")
        house.do(house.table.ail, "board", "fine")
        phone.wait("document.querySelector('#troubles').innerText === ''")
        assert phone.complaints == []
        phone.leave()


@pytest.mark.skipif(CHROMIUM is None, reason="no Chromium here; `make test` installs it")
def test_a_seat_is_told_that_the_game_is_over_and_not_the_round_alone(house: House, tmp_path: Path) -> None:
    with phone_at(house, "S1", tmp_path) as phone:
        phone.wait("!!document.querySelector('#now .big')")
        house.do(house.session.add, Event("end"))  # the round is broken off
        phone.wait("document.querySelector('#now .big').innerText === 'Die Runde ist vorbei'")
        house.do(house.session.add, Event("end"))
        phone.wait("document.querySelector('#now .big').innerText === 'Das Spiel ist aus'", 20)
        phone.leave()
