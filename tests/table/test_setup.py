"""A first evening by touch: five steps on the page, with a virtual camera, until the table plays."""

from __future__ import annotations

import argparse
import threading
import tomllib
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import httpx
import numpy as np
import pytest

from table.camera_watch import Watching
from table.cli.config import would_start
from table.cli.seeing import Sight
from table.devices import FrameSource
from table.interpret import Interpreter
from table.journal import Journal
from table.live import LIT, Table
from table.markers import OFF
from table.printables import dubbe_deck, plan_mat, table_file
from table.runtime import Runtime
from table.session import Session
from table.settings import read_table
from table.settings.camera import write_corners
from table.settings.house import HouseFile
from table.setup.desk import Keeping, SetupDesk
from table.setup.enrolment import DeckEnrolment
from table.virtual.rehearsal import rehearsal
from table.web import HostTools, Page, PageAddress
from tests.table.browser import CHROMIUM, Browser
from tests.table.running_table import Film, Lamps
from vision.errors import TagsNotFoundError
from vision.geometry import corners_mm, register
from vision.layout import CameraModel
from vision.sightings import Picture

PLAN = plan_mat(4, "A2")
SHOWN = ("blue-1", "blue-2")


class Pub:
    """A table on its first evening: a printed mat, a camera, lamps, and settings without a deck."""

    def __init__(self, folder: Path, journal: Journal, camera: FrameSource) -> None:
        self.folder = folder
        (folder / "mat.toml").write_text(table_file(PLAN))
        (folder / "stammtisch.toml").write_text('# ours\ntable = "mat.toml"\n')
        options = argparse.Namespace(table=None, deck=None, dice=None, partial=None)
        mat = read_table(folder / "mat.toml")
        self.sight = Sight(options, mat, None)
        session = Session(journal)
        session.equipment = self.sight.equipment
        self.lamps = Lamps()
        self.table = Table(session, Interpreter(mat.layout), mat.lamps)
        self.runtime: Runtime
        file = HouseFile(folder / "stammtisch.toml", would_start)
        self.desk = SetupDesk(
            self.table,
            Keeping(file, mat.path, lambda changed: self.sight.renew(changed, self.runtime.relearn)),
        )
        self.page = Page(self.table, PageAddress(0), host=HostTools(house_file=file, setup_desk=self.desk))
        self.runtime = Runtime(
            self.table,
            Watching(
                lambda: camera,
                None,
                lambda: self.sight.serve(self.table, self.runtime.post),
                self.desk.visitor,
            ),
            self.lamps.open,
        )
        self._thread = threading.Thread(target=self.runtime.run, args=(self.page.serve,))

    def __enter__(self) -> Pub:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.runtime.stop()
        self._thread.join(60)

    def ask(self, path: str, body: dict[str, Any] | None = None) -> Any:
        url = f"{self.page.url}{path}"
        if body is None:
            return httpx.get(url, trust_env=False, timeout=60)
        return httpx.post(url, json=body, trust_env=False, timeout=60)


@pytest.fixture
def pub(tmp_path: Path) -> Iterator[Pub]:
    """Its guests have two cards and lay the one that is asked for."""
    asked: list[SetupDesk] = []

    def card() -> str | None:
        wanted = asked[0].asked if asked else None
        return wanted if wanted in SHOWN else None

    cards = {name: drawing for name, drawing in dubbe_deck().items() if name in SHOWN}
    camera = rehearsal(PLAN, cards, card, speed=20.0)
    with Journal.open(tmp_path / "evening.sqlite") as journal, Pub(tmp_path, journal, camera) as pub:
        asked.append(pub.desk)
        yield pub


@pytest.fixture
def quiet(tmp_path: Path) -> Iterator[Pub]:
    """Nothing happens in front of its camera."""
    with Journal.open(tmp_path / "evening.sqlite") as journal, Pub(tmp_path, journal, Film()) as pub:
        yield pub


SLOW_TO_LEAVE = """
const quick = fetch;
window.fetch = async (url, how) => {
  if (!String(how?.body).includes("leave")) return quick(url, how);
  window.leaves = (window.leaves ?? 0) + 1;
  await new Promise((later) => setTimeout(later, 1500));
  setTimeout(() => { window.left = true; }, 300);
  return quick(url, how);
};
"""
"""The table leaves a step so slowly that the page asks again in the meantime."""


@pytest.mark.skipif(CHROMIUM is None, reason="needs Chromium")
def test_five_steps_by_touch_and_the_table_plays(pub: Pub, tmp_path: Path) -> None:
    with Browser(tmp_path / "chromium") as browser:
        browser.go(f"{pub.page.url}/setup?lang=de")
        browser.wait("document.body?.dataset.step == 'language'")
        browser.ask("document.querySelectorAll('.chip input')[2].click()")
        browser.wait("document.documentElement.lang == 'pfl'")
        browser.tap("#on a")
        browser.wait("document.querySelectorAll('.checks .well').length == 5")
        browser.tap("#on a")
        browser.wait("!!document.querySelector('#step .outline polygon')")
        assert "4 vun 4 Marke" in browser.text("#step")
        browser.tap("#on a")
        browser.tap("#step button", "Kaarte zeiche")
        browser.wait(f"document.querySelectorAll('.face').length == {len(SHOWN)}")
        browser.tap("#step button", "Mehr Kaarte")
        browser.tap("#step button", "Mit dene Kaarte spiele")
        browser.wait("!!document.querySelector('#step .well')")
        browser.ask(SLOW_TO_LEAVE)
        browser.tap("#on a")
        browser.tap("#step button", "Aafange")
        browser.wait("window.left")
        for n in range(4):
            browser.wait(f"document.querySelector('#step .asked small')?.innerText.includes(' {n + 1} ')")
            browser.tap("#step button", "Nä" if n == 1 else "Jo")
        assert len(pub.ask("/api/setup").json()["lamps"]) == pub.table.plan.count
        browser.ask("dispatchEvent(new Event('pagehide'))")
        assert browser.complaints == []
    settings = tomllib.loads((pub.folder / "stammtisch.toml").read_text())
    assert settings == {"table": "mat.toml", "language": "pfl", "deck": "decks/dubbe.deck", "partial": True}
    alone = [
        strip.index(LIT) for strip in pub.lamps.shown if {*strip} == {LIT, OFF} and strip.count(LIT) == 1
    ]
    assert alone == sorted(alone), "one lamp after the other, each alone"
    assert alone
    assert set(pub.table.session.equipment.faces) == set(SHOWN), (
        "the table plays with the deck that was learnt"
    )


@pytest.mark.skipif(CHROMIUM is None, reason="needs Chromium")
def test_who_taps_on_while_a_step_is_being_left_comes_to_the_last_one_and_leaves_once(
    quiet: Pub, tmp_path: Path
) -> None:
    with Browser(tmp_path / "chromium") as browser:
        browser.go(f"{quiet.page.url}/setup?lang=de")
        browser.wait("document.body?.dataset.step == 'language'")
        browser.ask(SLOW_TO_LEAVE)
        browser.ask("location.hash = '#camera'")
        browser.wait("window.leaves")
        browser.ask("location.hash = '#lamps'")
        browser.wait("document.body.dataset.step == 'lamps'")
        browser.wait("window.left")
        browser.ask("new Promise((later) => setTimeout(later, 1700))")
        assert browser.ask("window.leaves") == 1
        assert browser.complaints == []


def test_nothing_is_learnt_while_people_play(quiet: Pub) -> None:
    quiet.ask("/api/begin", {"game": "dubbe", "players": ["Anna", "Bernd", "Carla", "Dirk"]})
    quiet.ask("/api/event", {"kind": "round", "dealer": "S1"})
    refused = quiet.ask("/api/setup/do", {"do": "deck", "game": "dubbe"})
    assert (refused.status_code, refused.json()["code"]) == (409, "setup.running")
    assert quiet.ask("/api/setup/do", {"do": "lamp", "index": 99}).json()["code"] == "setup.lamp"
    assert quiet.ask("/api/setup/do", {"do": "deck-keep"}).json()["code"] == "setup.deck.first"


def test_the_table_hears_of_a_deck_and_a_lens_in_its_own_thread(
    quiet: Pub, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Writing the deck and measuring the lens take seconds and happen in another thread."""
    told: list[threading.Thread] = []
    slow: list[threading.Thread] = []

    def keep(deck: DeckEnrolment, place: Path) -> bool:
        slow.append(threading.current_thread())
        return True

    monkeypatch.setattr(DeckEnrolment, "keep", keep)
    monkeypatch.setattr(HouseFile, "change", lambda *_: slow.append(threading.current_thread()))
    monkeypatch.setattr(quiet.table, "try_lamp", lambda _: told.append(threading.current_thread()))
    monkeypatch.setattr(quiet.sight, "renew", lambda *_: told.append(threading.current_thread()))
    monkeypatch.setattr(quiet.desk, "_learns", lambda: told.append(threading.current_thread()))
    for wish in ({"do": "deck", "game": "dubbe"}, {"do": "deck-keep"}, {"do": "lens"}):
        assert quiet.ask("/api/setup/do", wish).status_code == 200
    assert {*told} == {quiet._thread}
    assert (len(told), len(slow)) == (4, 2)
    assert quiet._thread not in slow


@pytest.mark.parametrize(("game", "code"), [("skat", "opening.game"), ("doppelx", "setup.deck.game")])
def test_a_game_that_nobody_knows_is_no_game_without_cards(quiet: Pub, game: str, code: str) -> None:
    refused = quiet.ask("/api/setup/do", {"do": "deck", "game": game})
    assert (refused.status_code, refused.json()["code"]) == (409, code)


def test_corners_shown_by_hand_are_kept_beside_what_was_measured(quiet: Pub) -> None:
    mat = quiet.folder / "mat.toml"
    mat.write_text(mat.read_text() + "\n[camera]\n# our lens\nf_px = 1200.0\n")
    corners = [[0.1, 0.1], [0.9, 0.12], [0.92, 0.9], [0.08, 0.88]]
    assert quiet.ask("/api/setup/do", {"do": "corners", "corners": corners}).status_code == 200
    camera = read_table(mat).layout.camera
    assert camera is not None
    assert camera.f_px == 1200.0
    assert camera.corners == tuple(map(tuple, corners))
    wrong = quiet.ask("/api/setup/do", {"do": "corners", "corners": corners[::-1]})
    assert (wrong.status_code, wrong.json()["code"]) == (409, "setup.corners.shape")
    quiet.ask("/api/setup/do", {"do": "corners", "corners": []})
    assert "corners" not in mat.read_text()
    assert "# our lens\nf_px = 1200.0" in mat.read_text()


def test_corners_count_before_any_deck_is_learnt(quiet: Pub) -> None:
    """The third step comes before the fourth, which needs the corners to learn the deck."""
    mat = quiet.folder / "mat.toml"
    options = argparse.Namespace(table=None, deck=None, dice=None, partial=None)
    sight = Sight(options, read_table(mat), None)
    corners = ((0.1, 0.1), (0.9, 0.12), (0.92, 0.9), (0.08, 0.88))
    write_corners(mat, corners)
    sight.renew({}, lambda: None)
    assert sight.serve(quiet.table, lambda *_: None) is None
    layout = sight.equipment.layout
    assert layout is not None
    assert layout.camera is not None
    assert layout.camera.corners == corners


def without_tags(picture: Picture) -> Picture:
    """The same mat with its tags papered over."""
    found = register(picture, PLAN.layout)
    for tag in PLAN.layout.tags:
        rim = 0.75 * tag.size_mm * np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]])
        over = found.to_px(rim + tag.center_mm[:2])
        cv2.fillPoly(picture, [over.round().astype(np.int32)], (90, 90, 90))
    return picture


def test_where_the_tags_fail_the_corners_that_a_person_showed_find_the_table() -> None:
    picture = rehearsal(PLAN, {}, lambda: None).frame()
    height, width = picture.shape[:2]
    true = register(picture, PLAN.layout).to_px(corners_mm(PLAN.layout))
    shown = tuple((float(x) / width, float(y) / height) for x, y in true)
    bare = without_tags(picture.copy())
    with pytest.raises(TagsNotFoundError):
        register(bare, PLAN.layout)
    layout = replace(PLAN.layout, camera=CameraModel(corners=shown))
    found = register(bare, layout)
    assert found.tags == ()
    middle = register(picture, PLAN.layout).to_px([(0.0, 0.0)])
    assert np.abs(found.to_mm(middle)).max() < 1.0
    assert len(register(picture, layout).tags) == len(PLAN.layout.tags), "where they are seen they count"
