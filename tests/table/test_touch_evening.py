"""A whole evening with one finger, on a phone and without a camera, up to the printed sheet."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from table.catalogue import text
from table.equipment import Equipment
from table.journal import Journal
from table.rules import Referee
from table.rules.dice_evening import evening as dice_evening
from table.rules.events import Event
from table.rules.opening import open_game
from table.virtual import VirtualRound
from table.virtual.deeds import LayCard, LayDie, Tell
from tests.table.browser import CHROMIUM, Browser
from tests.table.running_page import House

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="needs chromium (apt-get install chromium)")

COLOURS = {"blue": "Blau", "brown": "Braun", "yellow": "Gelb", "green": "Grün", "red": "Rot"}


def card_name(card: str) -> str:
    colour, value = card.split("-")
    return f"{COLOURS[colour]} {value}"


@pytest.fixture
def browser(tmp_path: Path) -> Browser:
    return Browser(tmp_path / "chromium")


@contextmanager
def at_hand(folder: Path, browser: Browser, equipment: Equipment) -> Iterator[House]:
    """A table without a camera whose page is open on a phone."""
    with browser, Journal.open(folder / "evening.sqlite") as journal:
        house = House(journal)
        house.session.equipment = equipment
        house.open()
        browser.screen(390, 844, mobile=True)
        browser.call("Emulation.setTouchEmulationEnabled", enabled=True)
        browser.go(f"{house.page.url}/?lang=de")
        try:
            yield house
        finally:
            browser.leave()
            house.close()


def print_by_touch(browser: Browser) -> None:
    browser.touch("#hand .foot button", "Schließen")
    browser.wait("document.querySelector('#summary .winners')?.innerText.startsWith('Gewonnen')")
    browser.ask("window.print = () => { window.printed = true; }")
    browser.touch("#summary button", "Drucken")
    browser.wait("window.printed === true")


def holds_the_evening(browser: Browser, house: House, names: Mapping[str, str]) -> None:
    """Check the printed sheet: the winner, everybody's points, and no buttons."""
    browser.call("Emulation.setEmulatedMedia", media="print")
    paper = browser.text("body")
    view = house.session.view
    assert "Gewonnen: " + " + ".join(names[seat] for seat in view.winners) in paper
    rows = "[...document.querySelectorAll('.standing tbody tr')].filter((e) => e.getClientRects().length)"
    told = browser.ask(f"{rows}.map((e) => [e.cells[0].innerText, e.cells[3].innerText])")
    assert told == [[names[seat], f"{view.points[seat]}".replace("-", "−")] for seat in view.seats]
    assert "Rückgängig" not in paper
    assert "Drucken" not in paper


def begin_by_touch(browser: Browser) -> None:
    browser.touch("#prompts button", "Spiel wählen")
    browser.touch("#begin .chip", "Dubbe")
    for seat in ("S4", "S3"):
        browser.touch("#begin .place .chip", seat)
    browser.touch("#begin .chip", "Gast 2")  # the dealer
    browser.touch("#begin .stepper button", "mehr")
    browser.touch("#begin .stepper button", "weniger")
    browser.wait("document.querySelector('#begin output').innerText === '1 Runde'")
    browser.touch("#begin .foot button", "Beginnen")
    browser.wait("!document.getElementById('begin').open")


def play_by_touch(browser: Browser, round_: VirtualRound) -> None:
    while deeds := round_.deeds():
        for deed in deeds:
            if isinstance(deed, LayDie) and not round_.played:
                browser.touch("#hand .choices button", COLOURS[deed.colour])
                browser.wait("!document.querySelector('#hand article')")
            if isinstance(deed, LayCard):
                browser.touch("#hand .one", card_name(deed.card))
                gone = f"""!document.querySelector('#hand .one:has([aria-label="{card_name(deed.card)}"])')"""
                browser.wait(gone)


def test_an_evening_from_the_choice_of_the_game_to_the_printed_sheet(
    tmp_path: Path, browser: Browser
) -> None:
    with at_hand(tmp_path, browser, Equipment(("S1", "S2", "S3", "S4"))) as house:
        begin_by_touch(browser)
        opening, dealt = (entry.event for entry in house.session.entries)
        assert dealt.fields["dealer"] == "S2"
        round_ = VirtualRound(open_game(opening), Event("round", {**dealt.fields, "seed": 3}), (), 1, None)
        browser.touch("#events button", "Von Hand")
        play_by_touch(browser, round_)
        told = [entry.event for entry in house.session.entries if entry.event.kind == "card"]
        assert [(event.fields["seat"], event.fields["card"]) for event in told] == round_.played
        assert house.session.view.over
        print_by_touch(browser)
        holds_the_evening(browser, house, {f"S{n}": f"Gast {n}" for n in range(1, 5)})
        assert browser.complaints == []


def told(house: House) -> int:
    return len(house.session.entries)


def touch_and_see(browser: Browser, house: House, selector: str, words: str) -> None:
    """Touch, and wait until the journal and the page have one more line."""
    before = told(house)
    browser.touch(selector, words)
    deadline = time.monotonic() + 60
    while told(house) == before:
        assert time.monotonic() < deadline, f"nothing told by {selector} {words}"
        time.sleep(0.01)
    last = house.session.entries[-1].id
    browser.wait(f"document.querySelector('.events li .number')?.innerText >= {last}")


def say_by_touch(browser: Browser, house: House, seat: str, what: str) -> None:
    """Answer a question where the table asks it; otherwise choose who speaks and one of the offered words."""
    words = text(f"say.{what}", "de")
    asked = [prompt for prompt in house.session.view.prompts if what in prompt.words and prompt.seat == seat]
    if asked:
        touch_and_see(browser, house, "#hand article button", words)
        return
    browser.touch("#hand .foot button", "Ansage")
    choose = "(who => { who.value = 'SEAT'; who.dispatchEvent(new Event('change')); })"
    browser.ask(f"{choose.replace('SEAT', seat)}(document.querySelector('#dialog select'))")
    touch_and_see(browser, house, "#dialog .offered button", words)
    browser.wait("!document.getElementById('dialog').open")


@pytest.mark.soak
def test_an_evening_of_doppelkopf_with_a_hochzeit_and_re_to_the_printed_sheet(
    tmp_path: Path, browser: Browser
) -> None:
    with at_hand(tmp_path, browser, Equipment(("S1", "S2", "S3", "S4"))) as house:
        browser.touch("#prompts button", "Spiel wählen")
        browser.touch("#begin .chip", "Doppelkopf")
        browser.touch("#begin .chip", "Gast 4")  # the dealer
        browser.touch("#begin .foot button", "Beginnen")
        browser.wait("!document.getElementById('begin').open")
        opening, dealt = (entry.event for entry in house.session.entries)
        assert dealt.fields["dealer"] == "S4"
        hand = Event("round", {**dealt.fields, "seed": 4})
        round_, said = VirtualRound(open_game(opening), hand, (), 1, None), []
        browser.touch("#events button", "Von Hand")
        while deeds := round_.deeds():
            for deed in deeds:
                if isinstance(deed, Tell):
                    seat, what = str(deed.event.seat), str(deed.event.fields["what"])
                    said.append(what)
                    say_by_touch(browser, house, seat, what)
                if isinstance(deed, LayCard):
                    touch_and_see(browser, house, "#hand .one", card_of(deed.card))
        assert {"vorbehalt", "hochzeit", "re"} <= set(said)
        assert len(house.session.view.findings) == 0
        touch_and_see(browser, house, "#hand button", "Schluss")
        print_by_touch(browser)
        assert "Re" in browser.text("#summary .told")
        holds_the_evening(browser, house, {f"S{n}": f"Gast {n}" for n in range(1, 5)})
        assert browser.complaints == []


def card_of(card: str) -> str:
    return (
        f"{text(f'suit.{card[0]}', 'de')} {text(f'rank.{card[1]}', 'de') if card[1] in 'TJQKA' else card[1]}"
    )


def place_of(die: Mapping[str, Any]) -> str:
    return str(die["counts_as"] if die["where"] == "field" else die["where"])


def throw_by_touch(browser: Browser, house: House, event: Event, lying: dict[str, Any]) -> None:
    """Enter by touch each die that was thrown or is no longer as before (`lying` by colour)."""
    player = event.fields["player"]
    dice = {die["colour"]: die for die in event.fields["dice"]}
    taken_up = [colour for colour, die in lying.items() if die["where"] in ("hole", "outside")]
    for colour in (*taken_up, *(box.take_back if (box := house.session.view.box) else ())):
        lying.pop(colour, None)
    browser.touch(f"""#hand .chips [data-of="{player}"]""")
    for colour, die in dice.items():
        thrown = player == "all" or colour in (player, "white")
        if not thrown and colour in lying and as_it_lies(lying[colour]) == as_it_lies(die):
            continue
        browser.touch("#hand .dice-row button", text(f"colour.{colour}", "de"))
        if die.get("face"):
            browser.touch(f"""#hand [aria-label*="zeigt"] [data-of="{die["face"]}"]""")
        browser.touch(f"""#hand [aria-label*="liegt"] [data-of="{place_of(die)}"]""")
    touch_and_see(browser, house, "#hand .foot button.on", "")
    lying.clear()
    lying |= dice


def as_it_lies(die: Mapping[str, Any]) -> tuple[str, Any]:
    return place_of(die), die.get("face")


@pytest.mark.soak
@pytest.mark.parametrize(
    ("many", "seed"), [(3, 16), (5, 3), (8, 7)]
)  # with five players, dice on the field are knocked over
def test_an_evening_of_doppelx_told_throw_by_throw_to_the_printed_sheet(
    many: int, seed: int, tmp_path: Path, browser: Browser
) -> None:
    colours = ("blue", "green", "yellow", "red", "purple", "orange", "pink", "brown")[:many]
    log = [*dice_evening({"kind": "game", "game": "doppelx", "players": colours}, seed)]
    with at_hand(tmp_path, browser, Equipment(colours=colours)) as house:
        browser.touch("#prompts button", "Spiel wählen")
        browser.touch("#begin .chip", "DoppelX")
        for colour in colours[3:]:  # three are chosen to begin with
            browser.touch(f"#begin .colour.ink-{colour}")
        browser.touch("#begin .foot button", "Beginnen")
        browser.wait("!document.getElementById('begin').open")
        browser.touch("#events button", "Von Hand")
        lying: dict[str, Any] = {}
        true = Referee()
        true.read(log[:2])
        for event in log[2:]:
            true.read([event])
            if event.kind == "throw":
                throw_by_touch(browser, house, event, lying)
                assert house.session.view.points == true.view().points, event
        assert house.session.view.winners == true.view().winners
        assert house.session.view.over
        print_by_touch(browser)
        holds_the_evening(browser, house, {each: text(f"colour.{each}", "de") for each in colours})
        assert browser.complaints == []
