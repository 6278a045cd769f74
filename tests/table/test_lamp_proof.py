"""`board test --camera`: the firmware in the emulator lights lamps, and pictures show them to the eye."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import numpy as np
import pytest

from firmware_bridge.lamps import RGB
from firmware_bridge.link import Link
from firmware_bridge.transports.emulated import BoardSetup, EmulatedBoard
from firmware_bridge.transports.serial_port import SerialPort
from table.cli.board_camera import proven, report
from table.lamp_proof import Proof
from table.settings import TableFile, read_table
from table.virtual.box import box_painter, plan_box
from tests.firmware_bridge.tools import tools_missing
from tests.firmware_bridge.wire import enduring
from tests.table.lamp_film import LampFilm
from vision.layout import Point
from vision.lights import find_glow

MAT = Path(__file__).parents[2] / "hardware" / "tables" / "mat-2-A3.toml"
COUNT = 6
LAMPS = """
[[lamp]]
index = 0
shows = "trump"
[[lamp]]
index = 1
shows = "turn"
seat = "S1"
[[lamp]]
index = 2
shows = "finding"
seat = "S1"
[[lamp]]
index = 3
shows = "doubt"
[[lamp]]
index = 4
shows = "turn"
seat = "S2"
[[lamp]]
index = 5
shows = "finding"
seat = "S2"
"""
PLACES: list[Point] = [(-150, 0), (-60, -125), (60, -125), (150, 0), (60, 110), (-60, 110)]
Wiring = Callable[[Sequence[RGB]], Sequence[RGB]]


@pytest.fixture
def table_file(tmp_path: Path) -> TableFile:
    """A mat for two with six lamps."""
    path = tmp_path / "table.toml"
    shutil.copy(MAT, path)
    path.write_text(path.read_text() + LAMPS)
    return read_table(path)


def test_the_lamps_of_a_dice_box_are_proved_on_its_rim(tmp_path: Path) -> None:
    """They are 45 mm above the floor: at the floor's height they would appear up to 11 mm off."""
    path = tmp_path / "box.toml"
    shutil.copy(MAT.parent / "doppelx-I-280.toml", path)
    shows = ("turn", "turn", "doubt", "trump")
    path.write_text(
        path.read_text() + "".join(f'\n[[lamp]]\nindex = {i}\nshows = "{x}"\n' for i, x in enumerate(shows))
    )
    table_file, plan = read_table(path), plan_box()[0]
    places: list[Point] = [(-150, -60), (-60, 150), (60, 150), (150, -60)]
    film = LampFilm(places, painter=box_painter(plan), height_mm=plan.rim_mm)
    shown: list[Sequence[RGB]] = []
    proof = proven(shown.append, lambda: film.picture(shown[-1]), table_file)
    assert proof.odd == ()
    assert report(proof, table_file) == 0
    for lamp, place in zip(read_table(path).lamps.lamps, places, strict=True):
        assert lamp.place_mm == pytest.approx(place, abs=2.0)


@pytest.fixture(scope="module")
def film() -> LampFilm:
    return LampFilm(PLACES)


@pytest.fixture
def watch(table_file: TableFile, film: LampFilm) -> Iterator[Callable[[Wiring], Proof]]:
    """Prove the lamps of the emulated board; `wiring` turns what the firmware wrote into what shines."""
    if missing := tools_missing():
        pytest.skip(f"no emulated board without: apt install {' '.join(missing)}")
    with (
        EmulatedBoard(BoardSetup(COUNT), pace="asked") as board,
        Link(lambda: SerialPort(board.port), session=enduring, budget_ma=1e6) as link,
    ):
        wanted: list[Sequence[RGB]] = []

        def show(colours: Sequence[RGB]) -> None:
            link.show(colours)
            wanted.append(colours)

        def prove(wiring: Wiring) -> Proof:
            def look() -> np.ndarray:  # type: ignore[type-arg]
                assert board.await_colours(tuple(wanted[-1]))
                return film.picture(wiring(wanted[-1]))

            return proven(show, look, table_file)

        yield prove


def test_a_good_strip_is_proved_and_its_places_stand_in_the_table_file(
    watch: Callable[[Wiring], Proof], table_file: TableFile
) -> None:
    proof = watch(list)
    assert proof.odd == ()
    assert proof.order == "GRB"
    assert report(proof, table_file) == 0
    written = read_table(table_file.path).lamps
    for lamp, place in zip(written.lamps, PLACES, strict=True):
        assert lamp.place_mm == pytest.approx(place, abs=2.0)
    assert report(proof, table_file) == 0, "a second run replaces the places"


def test_a_strip_that_takes_red_first_is_found_and_told_right_from_then_on(
    watch: Callable[[Wiring], Proof], table_file: TableFile
) -> None:
    def swapped(colours: Sequence[RGB]) -> list[RGB]:
        return [(g, r, b) for r, g, b in colours]

    proof = watch(swapped)
    assert proof.order == "RGB"
    assert report(proof, table_file) == 0
    plan = read_table(table_file.path).lamps
    assert swapped(plan.on_wire([(1, 2, 3)])) == [(1, 2, 3)]


def test_a_dead_lamp_and_one_without_blue_are_named(watch: Callable[[Wiring], Proof]) -> None:
    proof = watch(lambda c: [*c[:2], (0, 0, 0), (c[3][0], c[3][1], 0), *c[4:]])
    assert [place.place_mm is None for place in proof.lamps] == [False, False, True, False, False, False]
    assert proof.odd[0].startswith("lamp 2: stays dark")
    assert proof.odd[1] == "lamp 3: stays dark when set to blue"


def test_a_broken_chain_is_one_sentence(watch: Callable[[Wiring], Proof]) -> None:
    proof = watch(lambda c: [*c[:3], *[(0, 0, 0)] * 3])
    assert proof.odd == ("lamps 3 to 5 all stay dark: check the wire from lamp 2 to lamp 3",)


def test_lamps_at_the_wrong_seat_are_named(watch: Callable[[Wiring], Proof]) -> None:
    proof = watch(lambda c: [c[0], c[4], c[2], c[3], c[1], c[5]])
    assert proof.odd == ("lamp 1 (S1 turn) is at seat S2", "lamp 4 (S2 turn) is at seat S1")


def test_two_lamps_that_shine_for_one_are_no_place(watch: Callable[[Wiring], Proof]) -> None:
    proof = watch(lambda c: [*c[:5], c[1] if any(c[1]) else c[5]])
    assert proof.lamps[1].place_mm is None
    assert "two places lit up" in proof.lamps[1].why


def test_daylight_that_changes_is_no_lamp(film: LampFilm) -> None:
    off: list[RGB] = [(0, 0, 0)] * COUNT
    dark, brighter = film.picture(off), film.picture(off, daylight=1.15)
    assert find_glow(dark, brighter, film.picture(off, daylight=1.1)) is None
    assert find_glow(dark, film.picture(off, daylight=1.1), brighter) is None
