"""The host changes the table's settings on the page; the table can always start with the file."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from table.catalogue import LANGUAGES, tell
from table.cli.config import read_config, would_start
from table.journal import Journal
from table.settings.house import HouseFile
from table.settings.values import SettingsError
from table.web.host import HostDesk
from table.web.pin import HashedPin
from tests.table.browser import CHROMIUM, Browser
from tests.table.running_page import House

HOUSE = Path(__file__).parents[2]
PIN = "271828"


@pytest.fixture
def file(tmp_path: Path) -> HouseFile:
    (tmp_path / "tables").mkdir()
    shutil.copy(HOUSE / "hardware" / "tables" / "mat-4-A2.toml", tmp_path / "tables")
    shutil.copy(HOUSE / "hardware" / "deploy" / "stammtisch.toml", tmp_path)
    return HouseFile(tmp_path / "stammtisch.toml", would_start)


def test_a_change_leaves_comments_and_all_else_alone(file: HouseFile) -> None:
    file.path.write_text(file.path.read_text() + '[mqtt]\nhost = "h"\ntable = "window"\n')
    before = file.path.read_text()
    assert file.change({"camera": "pi:0", "deck": 'a "deck" #1', "keep_pictures": 3, "language": None})
    after = file.path.read_text()
    gone = 'camera = "usb:0"               # or "pi:0"\n'
    assert gone in before
    assert 'camera = "pi:0"               # or "pi:0"\n' in after
    assert file.read()["deck"] == 'a "deck" #1'
    config = read_config(file.path)
    assert (config.camera, config.keep_pictures, config.language) == ("pi:0", 3, None)
    assert config.mqtt is not None
    assert config.mqtt.table == "window", "a section keeps its keys"
    assert not file.change({"camera": "pi:0"}), "it stood so already"
    assert file.change({"camera": "usb:0", "deck": None, "keep_pictures": None, "language": "de"})
    assert read_config(file.path).deck is None


@pytest.mark.parametrize(
    ("wanted", "said"),
    [
        ({"pin": "123456"}, "pin cannot be set here"),
        ({"camera": 0}, "camera: this value does not fit"),
        ({"partial": "yes"}, "partial: this value does not fit"),
        ({"language": "latin"}, 'language: "latin" is unknown; known: de, en, pfl'),
        ({"keep_pictures": -1}, "keep_pictures: give a whole number from 0"),
        ({"table": "tables/none.toml"}, "none.toml"),
        ({"table": None}, "table is not set"),
    ],
)
def test_what_the_table_would_not_start_with_is_refused_and_nothing_is_written(
    file: HouseFile, wanted: dict[str, str | int | bool | None], said: str
) -> None:
    before = file.path.read_text()
    with pytest.raises(SettingsError, match=said) as wrong:
        file.change({"board": "none", **wanted})
    assert ".new" not in str(wrong.value)
    assert file.path.read_text() == before
    assert sorted(each.name for each in file.path.parent.iterdir()) == ["stammtisch.toml", "tables"]


@pytest.mark.parametrize(
    "wanted",
    [
        {"language": "latin"},
        {"attract": -1},
        {"attract": 1_000_001},
        {"table": None},
        {"table": "tables/none.toml"},
        {"table": "tables"},
        {"table": "tables/bad.toml"},
    ],
)
def test_what_is_refused_is_told_in_the_language_of_the_page(
    file: HouseFile, wanted: dict[str, str | int | bool | None]
) -> None:
    good = (file.path.parent / "tables" / "mat-4-A2.toml").read_text()
    (file.path.parent / "tables" / "bad.toml").write_text(
        good.replace("[[tag]]\nid = 0", '[[tag]]\nid = "0"')
    )
    with pytest.raises(SettingsError) as wrong:
        file.change(wanted)
    assert wrong.value.fact.code != "foreign"
    assert len({tell(wrong.value.fact, language) for language in LANGUAGES}) == 3


def test_a_file_that_cannot_be_read_is_told_in_the_language_of_the_page(file: HouseFile) -> None:
    file.path.write_text("table =")
    with pytest.raises(SettingsError) as wrong:
        file.read()
    assert len({tell(wrong.value.fact, language) for language in LANGUAGES}) == 3


def test_what_lies_beside_the_file_is_offered(file: HouseFile) -> None:
    (file.path.parent / "my.deck").write_text("")
    (file.path.parent / "decks" / "pub").mkdir(parents=True)
    (file.path.parent / "decks" / "pub" / "CA.jpg").write_text("")
    offers = file.offers()
    assert offers["table"] == ["tables/mat-4-A2.toml"]
    assert offers["deck"] == ["decks/pub", "my.deck"]


class SetTable:
    """A page with a settings file; counts how often the table was asked to restart."""

    def __init__(self, journal: Journal, file: HouseFile | None) -> None:
        self.starts = 0
        self.house = House(journal, desk=HostDesk(HashedPin.of(PIN)), file=file, start_anew=self._start)

    def _start(self) -> bool:
        self.starts += 1
        return True


@pytest.fixture
def table(tmp_path: Path, file: HouseFile) -> Iterator[SetTable]:
    with Journal.open(tmp_path / "evening.sqlite") as journal:
        table = SetTable(journal, file)
        table.house.open()
        yield table
        table.house.close()


def test_only_the_host_sees_and_changes_them(table: SetTable, file: HouseFile) -> None:
    phone = {"x-forwarded-for": "192.168.1.50"}
    wish = {"set": {"camera": "pi:0"}}
    with httpx.Client(base_url=table.house.page.url, trust_env=False, timeout=60, headers=phone) as guest:
        assert guest.get("/api/settings").status_code == 403
        assert guest.post("/api/set", json=wish).status_code == 403
        assert file.read()["camera"] == "usb:0"
        assert guest.post("/api/pin", json={"pin": PIN}).status_code == 200
        assert guest.get("/api/settings").json()["settings"]["camera"] == "usb:0"
        assert guest.post("/api/set", json=wish).json() == {"changed": True, "starts_anew": True}
        assert guest.post("/api/set", json=wish).json() == {"changed": False, "starts_anew": False}
        assert guest.post("/api/set", json={"set": {"camera": 7}}).status_code == 409
        assert guest.post("/api/set", json={"set": {"camera": []}}).status_code == 400
    assert table.starts == 1


@pytest.mark.skipif(CHROMIUM is None, reason="needs Chromium")
def test_by_touch_in_a_browser(table: SetTable, file: HouseFile, tmp_path: Path) -> None:
    with Browser(tmp_path / "chromium") as browser:
        browser.go(f"{table.house.page.url}/settings?lang=de")
        browser.wait("document.body?.dataset.shown")
        assert "Deutsch" in browser.text("#set-language"), "languages have names there, no codes"
        browser.ask("document.getElementById('set-camera').value = 'pi:0'")
        browser.tap("form button")
        browser.wait("document.body?.dataset.kept")
        assert "fängt neu an" in browser.text("#where")
        assert browser.complaints == []
    assert file.read()["camera"] == "pi:0"
