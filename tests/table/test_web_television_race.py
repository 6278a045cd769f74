"""The dice race across the room."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from table.catalogue import foreign
from table.rules.opening import as_event
from tests.table.browser import CHROMIUM, Browser
from tests.table.shown_games import OPENING_THROW, die
from tests.table.television import LEAST, SMALLEST, Open, off_screen, show

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="needs chromium (apt-get install chromium)")


@pytest.mark.parametrize("many", [False, True])
def test_the_race_is_read_from_across_the_room_and_breaks_no_word(
    at: Open, browser: Browser, many: bool
) -> None:
    colours = ["blue", "green", "red", "yellow", "purple", "orange", "brown", "pink"][: 8 if many else 3]
    opening = {"kind": "throw", "player": "all", "dice": [die(colour, "2", "1x") for colour in colours]}
    crosses = [die("blue", "X", "1x"), die("red", "X", "3x")]
    rest = [die(colour, "3", "3x") for colour in colours if colour not in ("blue", "red")]
    game = {"kind": "game", "game": "doppelx", "players": colours}
    throw = {"kind": "throw", "player": "blue", "dice": crosses + rest}
    house = at([game, {"kind": "round", "first": "blue"}, opening, throw])
    for width, height, asked in ((1920, 1080, ""), (1280, 800, ""), (1280, 720, "&kiosk")):
        show(browser, house, width, height, asked)
        read = [
            ".runner .name",
            ".runner b",
            ".runner .tag",
            ".doppel",
            ".why",
            ".reasons .who",
            "#prompts p",
        ]
        assert browser.ask(f"({SMALLEST})({read})") >= LEAST
        dice = "Math.min(...[...document.querySelectorAll('.reasons .die')].map((e) => e.clientHeight))"
        assert browser.ask(f"{dice} / innerHeight") > 0.055, "pips are read, too"
        assert off_screen(browser) == []
        lines = "e => e.clientHeight > 1.9 * parseFloat(getComputedStyle(e).fontSize)"
        broken = f"[...document.querySelectorAll('.reasons .who, .runner .name')].filter({lines}).length"
        assert browser.ask(broken) == 0
    show(browser, house, 390, 844)
    assert browser.ask("document.documentElement.scrollWidth") <= 390
    assert browser.complaints == []


@pytest.mark.parametrize("language", ["de", "en", "pfl"])
def test_on_its_side_a_kiosk_shows_race_and_throw_of_eight_whole(
    at: Open, browser: Browser, language: str
) -> None:
    """The last line of a throw was cut off below the race."""
    colours = ["blue", "green", "red", "yellow", "purple", "orange", "brown", "pink"]
    opening = {"kind": "throw", "player": "all", "dice": [die(colour, "2", "1x") for colour in colours]}
    crosses = [die("blue", "X", "1x"), die("red", "X", "3x")]
    rest = [die(colour, "3", "3x") for colour in colours if colour not in ("blue", "red")]
    game = {"kind": "game", "game": "doppelx", "players": colours}
    throw = {"kind": "throw", "player": "blue", "dice": crosses + rest}
    house = at([game, {"kind": "round", "first": "blue"}, opening, throw])
    cut = "[...document.querySelectorAll('.race, .throw')].filter((e) => e.scrollHeight > e.clientHeight + 1)"
    for width, height in ((1080, 1920), (720, 1280)):
        browser.screen(width, height)
        browser.go(f"{house.page.url}/?kiosk&lang={language}")
        browser.wait(f"innerWidth === {width} && document.querySelectorAll('.reasons li').length === 8")
        assert browser.ask(f"{cut}.map((e) => e.innerText)") == []


def test_a_trouble_at_the_box_hides_nothing_and_the_throw_s_picture_is_large(
    at: Open, browser: Browser
) -> None:
    game = {"kind": "game", "game": "doppelx", "players": ["blue", "green", "red"]}
    house = at([game, {"kind": "round", "first": "blue"}])
    crop = cv2.imencode(".jpg", np.full((300, 400, 3), 200, np.uint8))[1].tobytes()
    house.do(house.session.add, as_event(OPENING_THROW), crop)
    house.do(house.table.ail, "camera", "lost", foreign("usb:0 is gone"))
    house.do(house.table.ail, "board", "lost", foreign("no answer"))
    for width, height in ((1920, 1080), (1280, 800)):
        show(browser, house, width, height)
        browser.wait(
            "document.querySelector('#troubles p') && document.querySelector('.thrown .crop')?.naturalWidth"
        )
        boxes = "[...document.querySelectorAll('#troubles p, .race, .throw, #prompts')]"
        over = f"""({boxes}.map((e) => e.getBoundingClientRect())
          .some((a, i, all) => all.slice(i + 1).some((b) => a.left < b.right
          && b.left < a.right && a.top < b.bottom && b.top < a.bottom)))"""
        assert not browser.ask(over)
        assert browser.ask("document.querySelector('.thrown .crop').clientHeight / innerHeight") > 0.2
        one_line = "e => e.clientHeight < 1.9 * parseFloat(getComputedStyle(e).fontSize)"
        assert browser.ask(f"[...document.querySelectorAll('.reasons .why')].every({one_line})")
        assert off_screen(browser) == []


def test_a_question_at_the_box_leaves_the_race_whole(at: Open, browser: Browser) -> None:
    on_line = die("blue", "2", "1x", touches=["1x", "2x"], doubt=["line"], margin_mm=0.1)
    dice = [on_line, die("green", "1", "1x"), die("red", "1", "3x")]
    game = {"kind": "game", "game": "doppelx", "players": ["blue", "green", "red"]}
    house = at([game, {"kind": "round", "first": "blue"}])
    crop = cv2.imencode(".jpg", np.full((180, 120, 3), 200, np.uint8))[1].tobytes()
    house.do(house.session.add, as_event({"kind": "throw", "player": "all", "dice": dice}), crop)
    for width, height in ((1920, 1080), (1280, 800)):
        show(browser, house, width, height)
        browser.wait("document.querySelectorAll('#doubts .choice').length === 2")
        cut = """[...document.querySelectorAll('.runner, .track, .reasons li')].filter((e) =>
          e.getBoundingClientRect().bottom > e.closest('section').getBoundingClientRect().bottom).length"""
        assert browser.ask(cut) == 0
        assert browser.ask("document.querySelectorAll('.crop').length") == 2
        seen = "[...document.querySelectorAll('.crop')].filter((e) => e.getClientRects().length).length"
        assert browser.ask(seen) == 1, "the same picture is not shown twice"


def test_a_die_tells_its_points_in_words(at: Open, browser: Browser) -> None:
    """X-12."""
    game = {"kind": "game", "game": "doppelx", "players": ["blue", "green", "red"]}
    house = at([game, {"kind": "round", "first": "blue"}, OPENING_THROW])
    show(browser, house, 1280, 800)
    assert "3 Augen in der 2×-Zone = 6" in browser.text(".reasons")
    assert "1 Auge in der 1×-Zone = 1" in browser.text(".reasons")
