"""Steps of a first evening with one finger: the lens measured, the corners dragged, one step repeated."""

from __future__ import annotations

import time
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from table.journal import Journal
from table.settings import read_table
from table.setup.lens import WANTED
from table.virtual.rehearsal import rehearsal
from tests.table.browser import CHROMIUM, Browser
from tests.table.test_calibrate import FOCAL, seen
from tests.table.test_setup import PLAN, Pub, without_tags
from vision.geometry import corners_mm, register
from vision.sightings import Picture

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="needs chromium (apt-get install chromium)")

TILTS = [
    (0, 0),
    (32, 8),
    (-30, -12),
    (10, 33),
    (-8, -34),
    (26, -25),
    (-24, 24),
    (34, -6),
    (-33, 5),
    (-35, -25),
]
PICTURE = "document.querySelector('img.live')?.naturalWidth > 0"


@dataclass
class Shown:
    """A camera that sees the bare mat, or the sheet in somebody's hands, tilted differently each time."""

    mat: Picture
    sheets: list[Picture] = field(default_factory=list)
    at_s: float = 0.0
    begun_s: float | None = None

    def read(self) -> tuple[Picture, float]:
        self.at_s += 0.1
        if self.sheets:
            self.begun_s = self.at_s if self.begun_s is None else self.begun_s
            tilt = int((self.at_s - self.begun_s) / 0.8)  # held still for three looks
            return self.sheets[tilt % len(self.sheets)], self.at_s
        return self.mat, self.at_s

    def close(self) -> None:
        pass


@pytest.fixture
def mat() -> Picture:
    return rehearsal(PLAN, {}, lambda: None).frame()


@pytest.fixture
def browser(tmp_path: Path) -> Iterator[Browser]:
    with Browser(tmp_path / "chromium") as opened:
        opened.screen(390, 844, mobile=True)
        opened.call("Emulation.setTouchEmulationEnabled", enabled=True)
        yield opened
        opened.leave()


def test_the_lens_is_measured_and_kept_by_touch(tmp_path: Path, browser: Browser, mat: Picture) -> None:
    camera = Shown(mat)
    with Journal.open(tmp_path / "evening.sqlite") as journal, Pub(tmp_path, journal, camera) as pub:
        browser.go(f"{pub.page.url}/setup?lang=de#place")
        browser.wait("!!document.querySelector('#step .outline polygon')")
        browser.touch("#step summary", "Linse vermessen")
        browser.touch("#step details button", "Vermessen")
        browser.wait("document.querySelector('#step details').innerText.includes('nicht zu sehen')")
        sheets = [seen(tilt, far_mm=far) for far in (330, 480) for tilt in TILTS]
        camera.sheets = sheets[:1]  # a fast machine would measure all before anybody looks at the bar
        browser.wait("Number(document.querySelector('#step progress')?.value) > 0")
        assert f"von {WANTED} Bildern" in browser.text("#step details")
        camera.sheets = sheets
        browser.wait("document.querySelector('#step details').innerText.includes('Die Linse ist vermessen')")
        camera.sheets = []
        browser.touch("#step details button", "Behalten")
        browser.wait(
            "document.querySelector('#step details').innerText.includes('Der Tisch rechnet jetzt damit')"
        )
        assert browser.complaints == []
    measured = read_table(tmp_path / "mat.toml").layout.camera
    assert measured is not None
    assert measured.f_px == pytest.approx(FOCAL, rel=0.01)


def test_where_the_tags_fail_a_finger_drags_the_corners(
    tmp_path: Path, browser: Browser, mat: Picture
) -> None:
    height, width = mat.shape[:2]
    true = [
        (float(x) / width, float(y) / height)
        for x, y in register(mat, PLAN.layout).to_px(corners_mm(PLAN.layout))
    ]
    camera = Shown(without_tags(mat.copy()))
    with Journal.open(tmp_path / "evening.sqlite") as journal, Pub(tmp_path, journal, camera) as pub:
        browser.go(f"{pub.page.url}/setup?lang=de#place")
        browser.wait("document.querySelector('#step .bad')?.innerText.includes('Marken')")
        browser.wait(PICTURE)
        browser.touch("#step button", "Ecken mit dem Finger")
        browser.wait("document.querySelectorAll('.corner').length === 4")
        for at, share in enumerate(true):
            browser.drag(f".corner:nth-of-type({at + 1})", ".over", share)
        time.sleep(0.4)  # two touches close together within 0.3 s are a double tap, which clicks nothing
        browser.touch("#step button", "So passt es")
        browser.wait(
            "document.querySelector('#step .well')?.innerText.includes('Ecken, die du gezeigt hast')"
        )
        assert browser.complaints == []
    kept = tomllib.loads((tmp_path / "mat.toml").read_text())["camera"]["corners"]
    assert (
        max(
            abs(a - b) for one, other in zip(kept, true, strict=True) for a, b in zip(one, other, strict=True)
        )
        < 0.01
    )


def test_a_step_is_done_alone_again_and_leads_back_to_the_table(
    tmp_path: Path, browser: Browser, mat: Picture
) -> None:
    with Journal.open(tmp_path / "evening.sqlite") as journal, Pub(tmp_path, journal, Shown(mat)) as pub:
        browser.go(f"{pub.page.url}/?lang=de")
        browser.touch("#prompts button", "Spiel wählen")
        browser.touch("#begin a", "einrichten")
        browser.wait("document.body?.dataset.step === 'language'")
        for step, words in (("lamps", "Lampen"), ("camera", "Kamera")):
            browser.touch("#steps a", words)
            browser.wait(f"document.body.dataset.step === '{step}' && document.activeElement.id === 'what'")
        browser.wait("document.querySelectorAll('.checks .well').length > 0")
        browser.wait(PICTURE)
        assert browser.complaints == []
        browser.call("Network.enable")
        browser.call("Network.setBlockedURLs", urls=["*/api/setup"])
        browser.wait("document.querySelector('#troubles').innerText.includes('antwortet nicht')")
        browser.call("Network.setBlockedURLs", urls=[])
        browser.wait("document.querySelector('#troubles').innerText === ''")
        browser.complaints.clear()
        browser.touch("#back")
        browser.wait("!!document.querySelector('.waiting')")
        assert browser.complaints == []


def test_at_a_dice_box_nobody_is_told_to_show_cards(tmp_path: Path, browser: Browser, mat: Picture) -> None:
    boxed = """(() => { const get = fetch; window.fetch = async (...asked) => {
      const answer = await get(...asked);
      if (!`${asked[0]}`.endsWith("/api/setup")) return answer;
      return new Response(JSON.stringify({...await answer.json(), games: []}), {status: 200}); }; })()"""
    with Journal.open(tmp_path / "evening.sqlite") as journal, Pub(tmp_path, journal, Shown(mat)) as pub:
        browser.go(f"{pub.page.url}/setup?lang=de#deck")
        browser.wait("document.body?.dataset.step === 'deck'")
        assert "Zeig dem Tisch jede Karte" in browser.text("#why")
        browser.ask(boxed)
        browser.wait("document.querySelector('#step').innerText.includes('Karten gibt es keine')", 20)
        assert browser.text("#why") == ""
        assert browser.complaints == []
