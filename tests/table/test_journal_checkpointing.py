"""The main file keeps up with the evening, little is written for it, and only its owner may read it."""

from __future__ import annotations

import os
import random
import shutil
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from table.catalogue import sentences
from table.health import State
from table.journal import Journal
from table.live import Table
from table.rules.events import Event
from table.session import Session, SessionError
from tests.table.browser import CHROMIUM, Browser
from tests.table.running_page import House

GAME = Event(
    "game",
    {
        "game": "dubbe",
        "seats": ["S1", "S2", "S3", "S4"],
        "players": ["Anna", "Bernd", "Carla", "Dirk"],
    },
)


class NoEars:
    def hear(self, sighting: object, view: object) -> list[Event]:
        return []

    def written(self, _event: Event, number: int, game: int) -> None:
        pass

    def close(self) -> list[Event]:
        return []


class Sitting:
    """A table whose time the test moves."""

    def __init__(self, journal: Journal) -> None:
        self.now, self.wall = 0.0, 1_700_000_000.0
        self.session = Session(journal, clock=lambda: self.now, wall=lambda: self.wall)
        self.table = Table(self.session, NoEars(), clock=lambda: self.now, wall=lambda: self.wall)

    def play(self, *events: Event) -> None:
        for event in events:
            self.session.add(event)
            self.table.tick()
            self.now += 1
            self.wall += 1


def a_round(dealer: str, cards: int = 8) -> list[Event]:
    """The trump die and so many cards; `end` breaks the round off."""
    order = ["S1", "S2", "S3", "S4"]
    first = order.index(dealer) + 1
    trump = Event("die", {"colour": "red", "value": 1, "spot": "aagewwer"})
    plays = [
        Event("card", {"seat": order[(first + n) % 4], "card": f"{colour}-{n + 1}"})
        for n, colour in zip(range(cards), ["blue", "green"] * cards, strict=False)
    ]
    return [Event("round", {"dealer": dealer}), trump, *plays]


def resumed_from_main_file_alone(path: Path, folder: Path) -> tuple[list[Event], str]:
    folder.mkdir()
    shutil.copyfile(path, folder / path.name)
    with Journal.open(folder / path.name) as journal:
        session = Session(journal)
        assert session.resume()
        assert journal.lost is not None
        return [entry.event for entry in session.entries], str(journal.lost)


def test_the_main_file_alone_goes_on_at_the_last_finished_round(tmp_path: Path) -> None:
    path = tmp_path / "evening.sqlite"
    with Journal.open(path) as journal:
        sitting = Sitting(journal)
        sitting.session.begin([GAME])
        for number, dealer in enumerate(["S1", "S2", "S3"]):
            begun = len(sitting.session.entries)
            sitting.play(*a_round(dealer))
            kept, said = resumed_from_main_file_alone(path, tmp_path / f"{number} in the middle")
            assert kept == [entry.event for entry in sitting.session.entries[: len(kept)]]
            assert len(kept) >= begun, "all but the current round"
            assert "anything after that is lost" in said
            sitting.play(Event("end"))
            kept, said = resumed_from_main_file_alone(path, tmp_path / f"{number} at the end")
            assert kept == [entry.event for entry in sitting.session.entries]


def test_in_a_pause_the_main_file_catches_up_too(tmp_path: Path) -> None:
    path = tmp_path / "evening.sqlite"
    with Journal.open(path) as journal:
        sitting = Sitting(journal)
        sitting.session.begin([GAME])
        sitting.play(*a_round("S1"))
        sitting.now += 30
        sitting.table.tick()
        kept, _ = resumed_from_main_file_alone(path, tmp_path / "copy")
        assert kept == [entry.event for entry in sitting.session.entries]


def test_writing_a_line_never_waits_for_the_main_file(tmp_path: Path) -> None:
    path = tmp_path / "evening.sqlite"
    with Journal.open(path) as journal:
        game = journal.new_game(opening=[GAME])
        journal.settle()
        before = path.read_bytes()
        for event in a_round("S1", 40):
            journal.append(game, event)
        assert path.read_bytes() == before
        assert journal.unsettled
        journal.settle()
        assert path.read_bytes() != before
        assert not journal.unsettled


def a_real_round(chance: random.Random) -> list[Event]:
    """A round of four players as the demo's camera records it: as many lines of each kind, equally long."""
    events: list[Event] = [Event("die", {"t": 2.867, "colour": "brown", "value": 1, "spot": "aagewwer"})] * 14
    for n in range(60):
        seat, t = f"S{n % 4 + 1}", round(chance.uniform(1, 400), 3)
        corners = [[round(chance.uniform(-300, 300), 1) for _ in range(2)] for _ in range(4)]
        play = {"kind": "card", "t": t, "seat": seat, "card": "brown-1", "confidence": 0.921}
        events += [Event.from_dict({**play, "source": "camera", "corners": corners})]
        events += [Event("hand", {"t": t, "seat": seat, "until": t})] * (1 + n % 2)
        if n % 4 == 3:
            events += [Event("collected", {"t": t, "seat": seat, "source": "camera"})]
    return events


def test_a_round_of_dubbe_writes_less_than_a_megabyte(tmp_path: Path) -> None:
    """Counted by the kernel: bytes that the program wrote, and bytes sent to the disk in whole pages."""
    if not os.access("/proc/self/io", os.R_OK):
        pytest.skip("this kernel does not count bytes (/proc/self/io)")

    def written() -> int:
        lines = dict(
            line.split(": ") for line in Path("/proc/self/io").read_text(encoding="utf-8").splitlines()
        )
        return max(int(lines["wchar"]), int(lines["write_bytes"]))

    chance = random.Random(1)
    with Journal.open(tmp_path / "evening.sqlite") as journal:
        sitting = Sitting(journal)
        game = journal.new_game(opening=[GAME])
        events = a_real_round(chance)
        assert len(events) >= 170
        for _ in range(3):
            before = written()
            for event in events:
                journal.append(game, event)
            journal.settle()
            assert written() - before < 1_000_000
        assert sitting.session.lost is None


@contextmanager
def umask(mask: int) -> Iterator[None]:
    before = os.umask(mask)
    try:
        yield
    finally:
        os.umask(before)


@pytest.mark.parametrize("mask", [0o000, 0o022, 0o077])
def test_guests_names_are_for_the_owner_of_the_file_only(tmp_path: Path, mask: int) -> None:
    with umask(mask):
        path = tmp_path / "state" / "stammtisch" / "evening.sqlite"
        with Journal.open(path) as journal:
            journal.append(journal.new_game(), Event("end"))
            modes = {each.name: oct(each.stat().st_mode) for each in tmp_path.rglob("*")}
        files = {f"evening.sqlite{end}": "0o100600" for end in ("", "-wal", "-shm", ".lock")}
        assert modes == {"state": "0o40700", "stammtisch": "0o40700", **files}


def test_rights_that_somebody_gave_stay_with_a_rescued_file(tmp_path: Path) -> None:
    path = tmp_path / "evening.sqlite"
    with Journal.open(path) as journal:
        journal.new_game(opening=[GAME])
    path.chmod(0o640)
    path.write_bytes(path.read_bytes()[:3000])
    with Journal.open(path) as journal:
        assert journal.lost is not None
    assert stat.S_IMODE(path.stat().st_mode) == 0o640


@pytest.mark.parametrize("step", [-86_400.0, -10.0, 0.0, 86_400.0])
def test_a_clock_that_is_set_refuses_nothing_and_lets_nothing_through(tmp_path: Path, step: float) -> None:
    """A wish is a repeat within three seconds of the table's own time, whatever the wall clock says."""
    with Journal.open(tmp_path / "evening.sqlite") as journal:
        sitting = Sitting(journal)
        sitting.session.begin([GAME])
        sitting.play(*a_round("S1"), Event("end"))
        sitting.session.tell(Event("round"))
        sitting.wall += step
        sitting.now += 1
        with pytest.raises(SessionError, match="once is enough"):
            sitting.session.tell(Event("round"))
        sitting.now += 60
        sitting.session.tell(Event("round"))


def test_after_a_new_start_nothing_was_said_just_now(tmp_path: Path) -> None:
    with Journal.open(tmp_path / "evening.sqlite") as journal:
        sitting = Sitting(journal)
        sitting.session.begin([GAME])
        sitting.play(*a_round("S1"), Event("end"))
        sitting.session.tell(Event("round"))
        again = Sitting(journal)
        assert again.session.resume()
        again.session.tell(Event("round"))


def test_what_was_lost_stands_on_the_page_until_the_round_is_over(tmp_path: Path) -> None:
    path = tmp_path / "evening.sqlite"
    with Journal.open(path) as journal:
        sitting = Sitting(journal)
        sitting.session.begin([GAME])
        sitting.play(*a_round("S1"), Event("end"), *a_round("S2"))
    path.write_bytes(path.read_bytes().replace(b"green-8", b"green-9"))
    with Journal.open(path) as journal:
        sitting = Sitting(journal)
        assert sitting.session.resume()
        told = sitting.table.health.journal
        assert told == State("mended", journal.lost, sitting.wall)
        sitting.play(Event("hand", {"seat": "S1"}))
        assert sitting.table.health.journal == told
        sitting.play(Event("end"), Event("round", {"dealer": "S3"}))
        assert sitting.table.health.journal.what == "fine"


@pytest.mark.skipif(CHROMIUM is None, reason="no Chromium: apt install chromium")
def test_the_page_says_in_german_what_the_disk_took(tmp_path: Path) -> None:
    path = tmp_path / "evening.sqlite"
    with Journal.open(path) as journal:
        sitting = Sitting(journal)
        sitting.session.begin([GAME])
        sitting.play(*a_round("S1"))
    path.write_bytes(path.read_bytes().replace(b"green-8", b"green-9"))
    with Journal.open(path) as journal:
        house = House(journal)
        assert house.session.resume()
        house.open()
        try:
            with Browser(tmp_path / "profile") as browser:
                browser.go(house.page.url)
                browser.wait("document.body?.innerText.includes('Verloren')")
                said = browser.text("#troubles")
                if shot := os.environ.get("SHOT"):
                    Path(shot).write_bytes(browser.picture())
        finally:
            house.close()
    assert "Die Datei des Spiels ist beschädigt worden" in said
    assert "Eintrag 11 von Spiel 1 ist nicht mehr, wie er geschrieben wurde. Verloren: Eintrag 11" in said
    assert "event" not in said


def test_every_sentence_about_a_damaged_journal_has_german_words() -> None:
    english, german = sentences("en"), sentences("de")
    keys = [key for key in english if key.startswith(("journal.", "health.journal"))]
    assert len(keys) > 20
    assert all(german[key] != english[key] for key in keys)
