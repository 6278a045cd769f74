"""The page across the room: how large its words are, measured as a share of the screen's height."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import cv2
import numpy as np
import pytest

from table.catalogue import foreign
from table.journal import Journal
from table.rules.evening import evening
from table.rules.events import Event
from table.rules.opening import as_event
from tests.table.browser import CHROMIUM, Browser
from tests.table.running_page import House
from tests.table.test_web_games import OPENING_THROW, PEOPLE, die

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="needs chromium (apt-get install chromium)")

STILL = {"name": "prefers-reduced-motion", "value": "reduce"}
LEAST = 0.026
"""Share of the screen's height that words need to be read from three metres (issue 21)."""

SMALLEST = """
(selectors) => Math.min(...selectors.flatMap((selector) => {
  const found = [...document.querySelectorAll(selector)].filter((e) => e.getClientRects().length);
  if (!found.length) throw new Error(`nothing is ${selector}`);
  return found.map((e) => parseFloat(getComputedStyle(e).fontSize) / innerHeight);
}))
"""

OFF_SCREEN = """
(() => {
  const seen = [...document.querySelectorAll("header > *, .player, .character, .party, .played .card, "
    + ".runner, .reasons li, .reasons b, .doppel, #last .card, #side > section:not(:empty), p.past")]
    .filter((e) => e.getClientRects().length && e.innerText !== "");
  const off = seen.filter((e) => {
    const r = e.getBoundingClientRect();
    return r.left < -1 || r.top < -1 || r.right > innerWidth + 1 || (!PHONE && r.bottom > innerHeight + 1);
  });
  const words = ".player h2, .character .owner, .runner .name, .doppel, .reasons b, header > *";
  const wide = [...document.querySelectorAll(words)]
    .filter((e) => e.scrollWidth > e.clientWidth + 1);
  return [...off, ...wide].map((e) => `${e.className || e.id || e.tagName} ${e.textContent}`);
})()
"""

COVERED = """
[...document.querySelectorAll(".played .card")].flatMap((card) => {
  const c = card.getBoundingClientRect();
  return [...document.querySelectorAll(".player, p.past, #side > section:not(:empty)")].filter((e) => {
    const r = e.getBoundingClientRect();
    const across = r.left < c.right - 1 && r.right > c.left + 1;
    const along = r.top < c.bottom - 1 && r.bottom > c.top + 1;
    return r.width && across && along;
  }).map((e) => e.textContent);
})
"""

CARD_GAMES = [
    ("dubbe", 26, [".player h2", "#trump", ".player .tag.on", ".character:not(.free) .owner", "#where"]),
    ("doppelkopf", 39, [".player h2", "#trump", ".player .tag.on", ".player .augen", ".party"]),
    ("dulle", 7, [".player h2", "#trump", ".player .tag.on", ".player .augen", ".party"]),
    ("klapper-jas", 11, [".player h2", "#trump", ".player .tag.on", ".player .augen", ".party"]),
]
Open = Callable[..., House]


def up_to_card(game: str, number: int, **line: Any) -> list[Event]:
    """An evening up to its `number`th card."""
    log = [*evening({"kind": "game", "game": game, **PEOPLE, **line}, 3, rounds=2)]
    return log[: [i for i, event in enumerate(log) if event.kind == "card"][number - 1] + 1]


def off_screen(browser: Browser, phone: bool = False) -> list[str]:
    return list(browser.ask(OFF_SCREEN.replace("PHONE", str(phone).lower())))


@pytest.fixture
def at(tmp_path_factory: pytest.TempPathFactory, browser: Browser) -> Iterator[Open]:
    opened: list[tuple[House, Journal]] = []

    def sit(events: list[Any]) -> House:
        journal = Journal.open(tmp_path_factory.mktemp("journal") / "evening.sqlite")
        house = House(journal)
        house.session.begin([as_event(events[0])])
        for event in events[1:]:
            house.session.add(as_event(event))
        house.open()
        opened.append((house, journal))
        browser.complaints.clear()
        return house

    yield sit
    browser.go("about:blank")
    for house, journal in opened:
        house.close()
        journal.close()


def show(browser: Browser, house: House, width: int, height: int, asked: str = "") -> None:
    browser.screen(width, height, mobile=width < 800)
    browser.call("Emulation.setEmulatedMedia", features=[STILL])
    browser.go(f"{house.page.url}/?lang=de{asked}")
    browser.wait(f"innerWidth === {width} && document.querySelectorAll('.player, .runner').length > 0")


@pytest.mark.parametrize(("game", "cards", "read"), CARD_GAMES, ids=[game for game, *_ in CARD_GAMES])
def test_words_are_large_and_nothing_is_cut_off_or_covered(
    at: Open, browser: Browser, game: str, cards: int, read: list[str]
) -> None:
    house = at(up_to_card(game, cards))
    for width, height in ((1920, 1080), (1280, 800)):
        for theme in ("dark", "light"):
            show(browser, house, width, height, f"&theme={theme}")
            assert browser.ask(f"({SMALLEST})({read})") >= LEAST
            assert off_screen(browser) == []
            assert browser.ask(COVERED) == []
            tallest = "Math.min(...[...document.querySelectorAll('.played .card')].map(e => e.clientHeight))"
            assert browser.ask(f"{tallest} / innerHeight") > 0.2, "cards fill the felt"
    show(browser, house, 390, 844)
    assert off_screen(browser, phone=True) == []
    assert browser.ask(COVERED) == []
    assert browser.ask("document.documentElement.scrollWidth") <= 390
    assert browser.complaints == []


def test_a_game_without_characters_shows_there_how_the_evening_stands(at: Open, browser: Browser) -> None:
    log = [*evening({"kind": "game", "game": "doppelkopf", **PEOPLE}, 3, rounds=2)]
    second = [i for i, event in enumerate(log) if event.kind == "round"][1]
    house = at(log[: second + 1])
    stands = house.session.view.points
    assert len(set(stands.values())) > 1
    for width, height, asked in ((1920, 1080, ""), (1280, 800, "&kiosk")):
        show(browser, house, width, height, asked)
        assert browser.ask(f"({SMALLEST})(['.standings tr'])") >= LEAST
        row = (
            "[...document.querySelectorAll('.standings tr')].map((e) => e.innerText.split(/\\s+/).join(' '))"
        )
        told = [
            f"{name} {stands[seat]}" for seat, name in zip(PEOPLE["seats"], PEOPLE["players"], strict=True)
        ]
        assert browser.ask(row) == [line.replace("-", "−") for line in told]
        first = "[...document.querySelectorAll('.standings .first th')].map((e) => e.innerText)"
        most = max(stands.values())
        leads = [PEOPLE["players"][PEOPLE["seats"].index(seat)] for seat in stands if stands[seat] == most]
        assert browser.ask(first) == leads
        assert off_screen(browser) == []
    show(browser, house, 390, 844)
    shown = "document.querySelector('.standings')?.getClientRects().length > 0"
    assert not browser.ask(shown), "a phone says it at the seats"
    dubbe = at(up_to_card("dubbe", 5))
    show(browser, dubbe, 1920, 1080)
    assert not browser.ask(shown)


@pytest.mark.parametrize("card", [3, 5])
def test_at_a_table_of_three_no_card_and_no_winner_lies_over_a_player(
    at: Open, browser: Browser, card: int
) -> None:
    people = ["Anna", "Maximilian", "Carla"]
    house = at(up_to_card("dubbe", card, seats=["S1", "S2", "S3"], players=people))
    for width, height in ((1920, 1080), (1280, 800)):
        show(browser, house, width, height)
        browser.wait(f"document.querySelectorAll('.played .card').length === {card if card == 3 else 2}")
        assert off_screen(browser) == []
        assert browser.ask(COVERED) == []
        assert browser.ask(COVERED.replace(".played .card", ".played.won figcaption")) == []


WORDS_HIDDEN = """
[...document.querySelectorAll(".player :is(h2, .augen, .points, .said .tag)")].filter((e) => {
  const [a, b] = [e, document.querySelector("OVER")].map((each) => each.getBoundingClientRect());
  return a.left < b.right && b.left < a.right && a.top < b.bottom - 1 && b.top < a.bottom - 1;
}).map((e) => e.textContent)
"""


@pytest.mark.parametrize(("game", "cards", "said"), [("dulle", 8, "Stoß"), ("klapper-jas", 12, "Passe")])
def test_who_wins_a_trick_hides_nothing_that_was_said(
    at: Open, browser: Browser, game: str, cards: int, said: str
) -> None:
    house = at(up_to_card(game, cards))
    for width, height, asked in ((1920, 1080, "&kiosk"), (1280, 800, "")):
        show(browser, house, width, height, asked)
        browser.wait("!!document.querySelector('.played.won') && !!document.querySelector('#troubles p')")
        assert said in browser.text(".player.above .said")
        for over in (".played.won figcaption", "#troubles"):
            assert browser.ask(WORDS_HIDDEN.replace("OVER", over)) == []
        assert browser.ask(COVERED) == []
        assert off_screen(browser) == []


@pytest.mark.parametrize(
    ("game", "headline"), [("klapper-jas", "ehe jemand gewonnen hat"), ("doppelkopf", "Gewonnen")]
)
def test_the_card_of_a_round_is_whole_beside_a_trouble_and_under_a_long_head(
    at: Open, browser: Browser, game: str, headline: str
) -> None:
    house = at([*evening({"kind": "game", "game": game, **PEOPLE}, 3, rounds=2), Event("end", {})])
    for width, height in ((1920, 1080), (1280, 800)):
        show(browser, house, width, height)
        browser.wait("!!document.querySelector('#summary .standing')")
        browser.wait("!!document.querySelector('#troubles p')")
        assert headline in browser.text("#summary .winners")
        over = """(([a, b]) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom)(
          ["summary", "troubles"].map((id) => document.getElementById(id).getBoundingClientRect()))"""
        assert not browser.ask(over)
        assert browser.ask("document.documentElement.scrollWidth") <= width
        assert browser.ask("document.getElementById('drawer').getBoundingClientRect().right") <= width


def test_a_full_table_with_long_names_fits_too(at: Open, browser: Browser) -> None:
    people = ["Anna", "Bernd", "Carla", "Maximilian", "Annelieschen"]
    house = at(up_to_card("dubbe", 24, seats=[f"S{n}" for n in range(1, 6)], players=people))
    for width, height in ((1920, 1080), (1280, 800)):
        show(browser, house, width, height)
        assert browser.ask(f"({SMALLEST})(['.player h2'])") >= LEAST
        assert off_screen(browser) == []
        assert browser.ask(COVERED) == []


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
        assert off_screen(browser) == []
        lines = "e => e.clientHeight > 1.9 * parseFloat(getComputedStyle(e).fontSize)"
        broken = f"[...document.querySelectorAll('.reasons .who, .runner .name')].filter({lines}).length"
        assert browser.ask(broken) == 0
    show(browser, house, 390, 844)
    assert browser.ask("document.documentElement.scrollWidth") <= 390
    assert browser.complaints == []


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


def test_three_troubles_at_once_hide_no_player_and_no_card(at: Open, browser: Browser) -> None:
    house = at(up_to_card("dubbe", 28))
    house.do(house.table.ail, "camera", "lost", foreign("told by a driver"))
    house.do(house.table.ail, "board", "lost", foreign("told by a driver"))
    house.do(house.table.ail, "journal", "stuck", foreign("told by a driver"))
    for width, height, asked in ((1920, 1080, ""), (1280, 800, ""), (1280, 720, "&kiosk")):
        show(browser, house, width, height, asked)
        browser.wait("document.querySelectorAll('#troubles p').length === 3")
        over = """[...document.querySelectorAll('.player, .played .card')].filter((e) => {
          const [a, b] = [e, document.getElementById('troubles')].map((each) => each.getBoundingClientRect());
          return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom; }).length"""
        assert browser.ask(over) == 0
        assert off_screen(browser) == []
        assert browser.ask(COVERED) == []


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


def test_a_whole_trick_is_bright_until_it_is_taken_then_small(at: Open, browser: Browser) -> None:
    house = at(up_to_card("dubbe", 4))
    winner = house.session.view.last_winner
    name = PEOPLE["players"][PEOPLE["seats"].index(str(winner))]
    for width, height in ((1280, 800), (390, 844)):
        show(browser, house, width, height)
        assert browser.ask("document.querySelectorAll('.played .card').length") == 4
        assert f"{name} sticht" in browser.text(".played.won")
        faint = (
            "[...document.querySelectorAll('.played')].filter(e => getComputedStyle(e).opacity < 1).length"
        )
        assert browser.ask(faint) == 0
        assert browser.text("#last") == ""
        assert browser.ask(COVERED) == []
    house.do(house.session.add, Event("collected", {"seat": winner}))
    browser.wait("document.querySelectorAll('.played').length === 0")
    assert f"Letzter Stich an {name}" in browser.text("#last p.past")
    assert browser.ask("document.querySelectorAll('#last .card').length") == 4
    assert f"{name} ist dran" in browser.text(".next")
    show(browser, house, 1280, 800)
    assert browser.ask("document.querySelector('#last .card').clientHeight / innerHeight") < 0.2


def test_a_question_is_whole_on_the_television(at: Open, browser: Browser) -> None:
    doubt = {"kind": "unsure", "seat": "S3", "candidates": [["blue-6", 0.4], ["blue-9", 0.3], ["red-8", 0.2]]}
    house = at([*up_to_card("dubbe", 26), doubt])
    for width, height, asked in ((1920, 1080, ""), (1280, 800, ""), (1280, 720, "&kiosk")):
        show(browser, house, width, height, asked)
        browser.wait("document.querySelectorAll('.doubt .choice').length === 3")
        assert browser.ask(f"({SMALLEST})(['.doubt > p'])") >= LEAST
        whole = "(e => e.scrollHeight <= e.clientHeight + 1)(document.getElementById('side'))"
        assert browser.ask(whole)
        assert off_screen(browser) == []


def test_a_television_shows_no_log_and_no_camera(at: Open, browser: Browser) -> None:
    house = at(up_to_card("dubbe", 5))
    shown = "['events', 'camera'].filter(id => document.getElementById(id).getClientRects().length)"
    for width, height, asked in ((1280, 720, "&kiosk"), (1920, 1080, "&kiosk"), (1280, 800, "")):
        show(browser, house, width, height, asked)
        assert browser.ask(shown) == []
    assert not browser.ask("document.body.classList.contains('kiosk')")
    browser.tap("#drawer")
    browser.wait(f"{shown}.length === 2")
    assert browser.ask("document.getElementById('drawer').getAttribute('aria-expanded')") == "true"
    show(browser, house, 1280, 720)
    assert browser.ask(shown) == ["events", "camera"], "a smaller screen has them beside the table"


def test_the_theme_is_chosen_by_a_tap_and_kept(at: Open, browser: Browser) -> None:
    house = at(up_to_card("dubbe", 5))
    ground = "getComputedStyle(document.body).backgroundColor + getComputedStyle(document.body).color"
    show(browser, house, 1280, 800, "&theme=dark")
    dark = browser.ask(ground)
    browser.tap("#theme")
    light = browser.ask(ground)
    assert light != dark
    show(browser, house, 1280, 800)
    assert browser.ask(ground) == light
    browser.ask("localStorage.removeItem('theme')")
