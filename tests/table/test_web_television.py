"""The page across the room: the size of its words as a share of the screen's height."""

from __future__ import annotations

import pytest

from table.catalogue import foreign
from table.equipment import Equipment
from table.rules.evening import evening
from table.rules.events import Event
from table.settings import default_lamps
from tests.table.browser import CHROMIUM, Browser
from tests.table.shown_games import PEOPLE
from tests.table.television import COVERED, LEAST, SMALLEST, Open, off_screen, show, up_to_card

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="needs chromium (apt-get install chromium)")

CARD_GAMES = [
    ("dubbe", 26, [".player h2", "#trump", ".player .tag.on", ".character:not(.free) .owner", "#where"]),
    ("doppelkopf", 39, [".player h2", "#trump", ".player .tag.on", ".player .augen", ".party"]),
    ("dulle", 7, [".player h2", "#trump", ".player .tag.on", ".player .augen", ".party"]),
    ("klapper-jas", 11, [".player h2", "#trump", ".player .tag.on", ".player .augen", ".party"]),
]


@pytest.mark.parametrize(("game", "cards", "read"), CARD_GAMES, ids=[game for game, *_ in CARD_GAMES])
def test_words_are_large_and_nothing_is_cut_off_or_covered(
    at: Open, browser: Browser, game: str, cards: int, read: list[str]
) -> None:
    house = at(up_to_card(game, cards))
    # A kiosk may be the Raspberry Pi's own touch display, which is as small as a phone on its side.
    for width, height, kiosk in ((1920, 1080, ""), (1280, 800, ""), (800, 480, "&kiosk")):
        for theme, language in (
            ("dark", "de"),
            ("light", "en"),
        ):  # the English words at the seats are longer
            show(browser, house, width, height, f"{kiosk}&theme={theme}&lang={language}")
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


LONG_NAMES = [
    "Maximilian-Alexander von Hohenzollern",
    "Annelieschen Müller-Lüdenscheidt",
    "Donaudampfschifffahrtskapitän",
    "Dorothea Katharina",
    "Wolfgang Amadeus",
]


def test_the_settlement_of_five_with_long_names_is_whole_where_nobody_scrolls(
    at: Open, browser: Browser
) -> None:
    people = {"seats": [f"S{n}" for n in range(1, 6)], "players": LONG_NAMES}
    house = at([*evening({"kind": "game", "game": "dubbe", **people}, 3, rounds=3), Event("end", {})])
    bottom = "document.querySelector('#summary').getBoundingClientRect().bottom"
    for width, height in ((1920, 1080), (800, 480)):
        show(browser, house, width, height, "&kiosk")
        browser.wait("!!document.querySelector('#summary .standing')")
        assert browser.ask(f"{bottom} <= innerHeight")


def test_on_its_side_a_kiosk_tells_all_that_decided_the_last_round(at: Open, browser: Browser) -> None:
    """The points once filled the card in huge letters, and the reasons were cut off below."""
    house = at([*evening({"kind": "game", "game": "doppelkopf", **PEOPLE}, 3, rounds=3), Event("end", {})])
    whole = "(e => e.scrollHeight <= e.clientHeight + 1 && e.scrollWidth <= e.clientWidth + 1)"
    for width, height in ((1080, 1920), (720, 1280)):
        for language in ("de", "pfl"):
            browser.screen(width, height)
            browser.go(f"{house.page.url}/?kiosk&lang={language}")
            browser.wait(f"innerWidth === {width} && !!document.querySelector('#summary .told')")
            assert browser.ask(f"{whole}(document.getElementById('summary'))")


def test_on_a_tablet_or_under_zoom_no_player_covers_a_card(at: Open, browser: Browser) -> None:
    people = LONG_NAMES[1:2] + LONG_NAMES[3:] + ["Bernd"]
    house = at(up_to_card("dubbe", 8, seats=["S1", "S2", "S3", "S4"], players=people))
    caption = "(e => e.scrollWidth <= e.clientWidth + 1)(document.querySelector('.won figcaption'))"
    for width, height in ((834, 1194), (768, 1024), (960, 540), (1024, 768)):
        show(browser, house, width, height, "&lang=en")
        assert browser.ask(COVERED) == []
        assert browser.ask("document.querySelector('.trick').getBoundingClientRect().bottom <= innerHeight")
        assert browser.ask(caption), "who takes the trick is told in full"
        assert browser.ask("document.documentElement.scrollWidth") <= width


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


@pytest.mark.parametrize(
    ("game", "cards", "many"),
    [("dulle", 8, 4), ("klapper-jas", 11, 3), ("klapper-jas", 12, 4), ("dubbe", 30, 5)],
)
def test_a_kiosk_on_its_side_shows_question_cards_and_players_whole(
    at: Open, browser: Browser, game: str, cards: int, many: int
) -> None:
    seats, names = [f"S{n}" for n in range(1, many + 1)], ["Anna", "Bernd", "Carla", "Dirk", "Egon"][:many]
    log = up_to_card(game, cards, seats=seats, players=names)
    question = {"kind": "unsure", "seat": "S1", "candidates": [["blue-6", 0.4], ["blue-9", 0.3]]}
    house = at([*log, question] if game == "dubbe" else log)
    for language in ("de", "en"):
        show(browser, house, 1080, 1920, f"&kiosk&lang={language}")
        browser.wait("document.querySelectorAll('.played').length > 0")
        assert browser.ask("document.getElementById('stage').clientWidth") > 900
        assert off_screen(browser) == []
        assert browser.ask(COVERED) == []


def test_no_card_lies_under_a_player_who_has_said_much(at: Open, browser: Browser) -> None:
    """Of three players the first sits where the card lies, and a box with many words grew over it."""
    seats, names = ["S1", "S2", "S3"], ["Anna", "Bernd", "Carla"]
    house = at(up_to_card("klapper-jas", 12, seats=seats, players=names))
    for width, height in ((1280, 720), (1024, 600)):
        show(browser, house, width, height, "&kiosk")
        browser.wait("document.querySelectorAll('.played').length > 0")
        assert browser.ask("!!document.querySelector('.player.across .said')")
        assert browser.ask(COVERED) == []
        assert off_screen(browser) == []


def test_the_first_player_stays_on_the_screen_however_long_the_names_are(at: Open, browser: Browser) -> None:
    """Five owners of two and three lines once pushed the foot of the table off the screen."""
    names = [f"{name} <Söhne> & Compagnie-Nachfolger" for name in ("Anna", "Bernd", "Carla", "Dirk", "Egon")]
    house = at(up_to_card("dubbe", 70, seats=[f"S{n}" for n in range(1, 6)], players=names))
    assert all(each.owner for each in house.session.view.characters)
    for width, height, asked in ((1280, 800, ""), (1920, 1080, "&kiosk")):
        show(browser, house, width, height, asked)
        browser.wait("document.querySelectorAll('.player').length === 5")
        feet = "[...document.querySelectorAll('.player')].map((e) => e.getBoundingClientRect().bottom)"
        assert max(browser.ask(feet)) <= height


def test_a_demo_says_that_it_is_one(at: Open, browser: Browser) -> None:
    house = at(up_to_card("dubbe", 5))
    show(browser, house, 1280, 720, "&kiosk")
    assert "Vorführung" not in browser.text("#troubles")
    house.session.equipment = Equipment(drawn=True)
    show(browser, house, 1280, 720, "&kiosk")
    browser.wait("document.querySelector('#troubles').innerText.includes('Vorführung')")


LAMPS_OVER = """
[...document.querySelectorAll(".player, .played .card, .character, #trump > *, #where")].filter((e) => {
  const [a, b] = [e, document.getElementById("lamps")].map((each) => each.getBoundingClientRect());
  return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
}).map((e) => e.textContent)
"""


@pytest.mark.parametrize(("game", "many"), [("dubbe", 4), ("dubbe", 5), ("doppelkopf", 4)])
def test_a_kiosk_says_what_the_lamps_mean_and_hides_nothing(
    at: Open, browser: Browser, game: str, many: int
) -> None:
    people = {"seats": [f"S{n}" for n in range(1, many + 1)], "players": LONG_NAMES[:many]}
    house = at(up_to_card(game, 40, **people))
    show(browser, house, 1280, 720, "&kiosk")
    assert browser.text("#lamps") == "", "no lamps hang here"
    house.table.plan = default_lamps(tuple(people["seats"]))
    house.do(house.table.ail, "board", "fine")
    signs = {
        "de": "dran Trumpf Frage Fehler",
        "en": "turn trump question fault",
        "pfl": "draa Trumpf Frooch Fehler",
    }
    whole = """(({left, top, right, bottom}) => left >= 0 && top >= 0 && right <= innerWidth
      && bottom <= innerHeight)(document.getElementById("lamps").getBoundingClientRect())"""
    for width, height in ((1280, 720), (1024, 768), (1280, 800), (800, 480), (1080, 1920), (720, 1280)):
        for language, words in signs.items():
            browser.screen(width, height)
            browser.go(f"{house.page.url}/?kiosk&lang={language}")
            browser.wait(f"innerWidth === {width} && !!document.querySelector('#lamps .of-turn')")
            shown = " ".join(browser.text("#lamps").split())
            assert words in shown
            assert ("haracter" in shown or "harakter" in shown) == (game == "dubbe")
            assert browser.ask(whole)
            assert browser.ask(LAMPS_OVER) == []
            assert off_screen(browser) == []
    house.do(house.table.ail, "board", "lost")
    browser.wait("document.getElementById('lamps').innerText === ''")


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
