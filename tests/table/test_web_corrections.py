"""Undo, redo, corrections in a real browser: two phones at a table, old entries, foreseen consequences."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from table.journal import Journal
from table.rules.events import Event
from tests.table.browser import CHROMIUM, Browser
from tests.table.running_page import OPENING, House

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="needs chromium (apt-get install chromium)")

LINES = "document.querySelectorAll('.events li').length"
CARDS = "document.querySelectorAll('.trick .card').length"


def card(seat: str, name: str) -> dict[str, Any]:
    return {"kind": "card", "seat": seat, "card": name}


@pytest.fixture(scope="module")
def phones(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Browser, Browser]]:
    home = tmp_path_factory.mktemp("chromium")
    with Browser(home / "a") as one, Browser(home / "b") as other:
        yield one, other


@pytest.fixture
def house(tmp_path: Path, phones: tuple[Browser, Browser]) -> Iterator[House]:
    with Journal.open(tmp_path / "evening.sqlite") as journal:
        house = House(journal)
        house.session.begin(OPENING)
        house.open()
        for phone in phones:
            phone.screen(390, 844, mobile=True)
            phone.complaints.clear()
            phone.go(f"{house.page.url}/?lang=de")
            phone.wait("!!document.querySelector('.player')")
        yield house
        for phone in phones:
            phone.leave()
        house.close()


@pytest.fixture
def phone(house: House, phones: tuple[Browser, Browser]) -> Browser:
    return phones[0]


def pencil(phone: Browser, words: str) -> None:
    """Tap the pencil on the line with these words."""
    found = f"[...document.querySelectorAll('#events li')].find(e => e.innerText.includes({words!r}))"
    phone.wait(f"!!{found}?.querySelector('button')")
    phone.ask(f"{found}.querySelector('button').click()")
    phone.wait("document.getElementById('dialog').open")


def choose(phone: Browser, label: str, value: str) -> None:
    """Choose in the select under this label."""
    found = f"[...document.querySelectorAll('#dialog label')].find(e => e.innerText.startsWith({label!r}))"
    phone.wait(f"!!{found}")
    phone.ask(
        f"(() => {{ const s = {found}.querySelector('select'); s.value = {value!r};"
        " s.dispatchEvent(new Event('change', {bubbles: true})); })()"
    )


def standing(house: House) -> list[tuple[str, str | None]]:
    return [(p.seat, p.card) for p in house.session.view.trick]


def test_undo_and_redo_go_back_and_forth(house: House, phone: Browser) -> None:
    for seat, name in (("S2", "red-7"), ("S3", "red-9")):
        house.do(house.session.add, Event.from_dict(card(seat, name)))
    phone.wait(f"{CARDS} === 2")
    for left in (1, 0):
        phone.tap("#events .controls button", "Rückgängig")
        phone.wait(f"{CARDS} === {left}")
    for back in (1, 2):
        phone.tap("#events .controls button", "Wiederherstellen")
        phone.wait(f"{CARDS} === {back}")
    phone.wait(
        "![...document.querySelectorAll('button')].some(b => b.innerText.includes('Wiederherstellen'))"
    )
    assert standing(house) == [("S2", "red-7"), ("S3", "red-9")]
    assert phone.complaints == []


def test_undo_on_two_telephones_at_once_takes_back_one_card(
    house: House, phones: tuple[Browser, Browser]
) -> None:
    for seat, name in (("S2", "red-7"), ("S3", "red-9"), ("S4", "red-1")):
        house.do(house.session.add, Event.from_dict(card(seat, name)))
    for phone in phones:
        phone.wait(f"{CARDS} === 3")
    undo = (
        "[...document.querySelectorAll('#events .controls button')].find(b => b.innerText.includes('Rück'))"
    )
    slow = (
        "const real = fetch;"
        " fetch = async (...a) => { await new Promise(r => setTimeout(r, 300)); return real(...a); };"
    )
    phones[1].ask(f"{slow} {undo}.click()")  # a slow line: this phone taps first and comes second
    phones[0].ask(f"{undo}.click()")
    phones[1].wait("document.getElementById('troubles').innerText.includes('nicht mehr das Letzte')")
    for phone in phones:
        phone.wait(f"{CARDS} === 2")
    assert standing(house) == [("S2", "red-7"), ("S3", "red-9")]
    assert phones[0].ask("document.querySelectorAll('#troubles .bad').length") == 0


def test_never_happened_on_two_telephones_at_once_takes_back_one_thing(
    house: House, phones: tuple[Browser, Browser]
) -> None:
    house.do(house.session.add, Event.from_dict(card("S2", "red-7")))
    house.do(house.session.add, Event.from_dict(card("S3", "red-9")))
    for phone in phones:
        phone.wait(f"{CARDS} === 2")
        pencil(phone, "Carla: Rot 9")
    phones[0].tap("#dialog button", "Nie geschehen")
    phones[0].wait(f"{CARDS} === 1")
    phones[1].wait(f"{CARDS} === 1")
    phones[1].tap(
        "#dialog button", "Nie geschehen"
    )  # the dialog on this phone is older than the page behind it
    phones[1].wait("document.getElementById('troubles').innerText.includes('schon jemand berichtigt')")
    assert [e.event.kind for e in house.session.entries].count("correction") == 1
    assert phones[0].complaints == []


def test_the_third_of_two_hundred_entries_can_be_reached_and_corrected(house: House, phone: Browser) -> None:
    for n in range(197):
        house.do(house.session.add, Event("die", {"colour": "red", "value": n % 6 + 1, "spot": "jo-lossen"}))
    house.do(house.session.add, Event.from_dict(card("S2", "red-7")))
    phone.wait("document.querySelectorAll('.trick .card').length === 1")  # by now it has received all of them
    phone.wait(f"{LINES} === 30")
    shown = 30
    while shown < 201:
        phone.tap("#events button.more", "Ältere zeigen")
        shown = min(201, shown + 50)
        phone.wait(f"{LINES} === {shown}")
    phone.wait("!document.querySelector('#events button.more')")
    pencil(phone, "Würfel Blau zeigt 1")
    choose(phone, "Farbe", "green")
    phone.tap("#dialog button", "Speichern")
    phone.wait("document.getElementById('trump').innerText.includes('Grün')")
    phone.wait("[...document.querySelectorAll('#events li')].at(-3).innerText.includes('Grün')")
    assert phone.ask(LINES) == 202, "older ones stay where they are while the game goes on"
    assert house.session.view.trump == "green"
    assert phone.complaints == []


def test_the_dealer_of_a_round_is_corrected(house: House, phone: Browser) -> None:
    phone.wait("document.querySelector('.player.turn')?.innerText.includes('Bernd')")
    pencil(phone, "Neue Runde, Dirk gibt")
    choose(phone, "Wer gibt", "S1")
    phone.tap("#dialog button", "Speichern")
    phone.wait("document.querySelector('.player.turn')?.innerText.includes('Carla')")
    assert house.session.view.dealer == "S1"


def test_a_card_that_was_a_hand_is_corrected_to_another_kind(house: House, phone: Browser) -> None:
    house.do(house.session.add, Event.from_dict(card("S2", "red-7")))
    house.do(house.session.add, Event.from_dict(card("S3", "red-9")))
    phone.wait(f"{CARDS} === 2")
    pencil(phone, "Carla: Rot 9")
    choose(phone, "Oder war es", "touch")
    phone.tap("#dialog button", "Speichern")
    phone.wait(f"{CARDS} === 1")
    assert house.session.entries[-1].event.instead == Event("touch", {"seat": "S3"})


def test_what_was_taken_back_long_ago_comes_back_by_its_pencil(house: House, phone: Browser) -> None:
    house.do(house.session.add, Event("collected", {"seat": "S2"}))
    house.do(house.session.correct, 4, None)
    house.do(house.session.add, Event.from_dict(card("S2", "red-7")))
    phone.wait(f"{CARDS} === 1")
    pencil(phone, "Bernd nimmt den Stich")
    phone.tap("#dialog button", "Doch, so war es")
    phone.wait("!document.getElementById('dialog').open")
    assert house.session.entries[-1].event.instead == Event("collected", {"seat": "S2"})


def test_a_correction_that_accuses_is_shown_with_what_follows_and_can_be_left(
    house: House, phone: Browser
) -> None:
    house.do(house.session.add, Event.from_dict(card("S2", "red-7")))
    phone.wait(f"{CARDS} === 1")
    for answer, accused in (("Nein, so lassen", 0), ("Ja, so war es", 1)):
        pencil(phone, "Bernd: Rot 7")
        choose(phone, "Wer", "S4")
        phone.tap("#dialog button", "Speichern")
        phone.wait("document.getElementById('consequences').open")
        told = phone.text("#consequences")
        assert "Dirk war nicht dran (Rot 7)." in told, told
        assert house.session.view.findings == ()
        phone.tap("#consequences button", answer)  # one tap is not enough to agree
        if accused:
            assert phone.ask("document.getElementById('consequences').open")
            phone.ask(
                "document.querySelector('#consequences .hold').dispatchEvent(new PointerEvent('pointerdown'))"
            )
        phone.wait("!document.getElementById('consequences').open")
        if not accused:
            phone.tap("#dialog button", "Schließen")
    phone.wait("[...document.querySelectorAll('#events li')].some(l => l.innerText.includes('Dirk: Rot 7'))")
    phone.wait("document.querySelectorAll('#findings .findings li').length === 0")
    # It is held against nobody while a missed card may explain it.
    assert house.session.view.findings == ()
    assert [f.seat for f in house.session._fold.referee.as_it_stands()] == ["S4"]
    assert all("409" in each for each in phone.complaints)


def test_who_cannot_hold_a_button_taps_a_second_one_that_comes_elsewhere(
    house: House, phone: Browser
) -> None:
    house.do(house.session.add, Event.from_dict(card("S4", "red-7")))
    house.do(house.session.correct, 4, Event.from_dict(card("S2", "red-7")))
    phone.wait(f"{CARDS} === 1 && !document.querySelector('.findings')")
    phone.tap("#events .controls button", "Rückgängig")
    phone.wait("document.getElementById('consequences').open")
    sure = "document.querySelector('#consequences .sure')"
    assert phone.ask(f"{sure}.hidden")
    phone.tap("#consequences button", "Ja, so war es")
    phone.tap("#consequences button", "Ja, so war es")
    assert phone.ask(f"{sure}.hidden"), "a double tap meets nothing"
    phone.wait(f"!{sure}.hidden")
    assert standing(house) == [("S2", "red-7")]
    phone.tap("#consequences button", "Ich bin sicher")
    phone.wait(
        "[...document.querySelectorAll('#events li')].some((l) => l.innerText.includes('Dirk: Rot 7'))"
    )
    phone.wait(f"{CARDS} === 1 && !document.getElementById('consequences').open")
    deadline = time.monotonic() + 20
    while standing(house) != [("S4", "red-7")]:
        assert time.monotonic() < deadline


def test_an_undo_that_accuses_is_asked_first(house: House, phone: Browser) -> None:
    house.do(house.session.add, Event.from_dict(card("S4", "red-7")))
    house.do(house.session.correct, 4, Event.from_dict(card("S2", "red-7")))
    phone.wait(f"{CARDS} === 1 && !document.querySelector('.findings')")
    phone.tap("#events .controls button", "Rückgängig")
    phone.wait("document.getElementById('consequences').open")
    phone.tap("#consequences button", "Nein, so lassen")
    phone.wait("!document.getElementById('consequences').open")
    assert standing(house) == [("S2", "red-7")]


def test_the_proof_of_a_finding_is_opened_by_a_tap(house: House, phone: Browser) -> None:
    house.do(house.session.add, Event.from_dict(card("S2", "red-16")))
    phone.tap(".findings summary", "Warum?")
    phone.tap(".findings button.link", "Rot 16")
    phone.wait("document.getElementById('dialog').open")
    house.do(house.session.correct, 4, None)
    phone.wait("!document.querySelector('.findings')")
    assert house.session.view.findings == ()


def test_older_findings_are_asked_for(house: House, phone: Browser) -> None:
    for n in range(60):
        house.do(house.session.add, Event.from_dict(card(f"S{(n + 1) % 4 + 1}", f"red-{16 + n}")))
    many = len(house.session.view.findings)
    assert many > 30
    phone.wait("!!document.querySelector('#findings button.more')")
    while phone.ask("!!document.querySelector('#findings button.more')"):
        before = phone.ask("document.querySelectorAll('#findings .findings li').length")
        phone.tap("#findings button.more")
        phone.wait(f"document.querySelectorAll('#findings .findings li').length > {before}")
    assert phone.ask("document.querySelectorAll('#findings .findings li').length") == many
    assert "?" not in phone.text("#findings .findings").replace("Warum?", ""), "every proof is there"


def test_nothing_sticks_out_of_the_dialogs(house: House, phone: Browser) -> None:
    house.do(
        house.session.correct,
        1,
        OPENING[0].having(players=["Maximiliane-Friederike von und zu Gutental"] * 4),
    )
    house.do(house.session.add, Event.from_dict(card("S2", "red-7")))
    for width, height in ((390, 844), (1280, 800)):
        phone.screen(width, height, mobile=width < 800)
        phone.wait(f"innerWidth === {width}")
        pencil(phone, "Rot 7")
        choose(phone, "Wer", "S4")
        phone.tap("#dialog button", "Speichern")
        phone.wait("document.getElementById('consequences').open")
        for name in ("dialog", "consequences"):
            inside = f"(() => {{ const r = document.getElementById('{name}').getBoundingClientRect();"
            assert phone.ask(
                f"{inside} return r.left >= 0 && r.right <= innerWidth && r.bottom <= innerHeight; }})()"
            )
        phone.tap("#consequences button", "Nein")
        phone.tap("#dialog button", "Schließen")
