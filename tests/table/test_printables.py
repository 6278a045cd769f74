"""Paper: mat, table file and deck have one source, and the eye finds them where the file says."""

from __future__ import annotations

import itertools
from pathlib import Path

import cv2
import numpy as np
import pytest

from table.catalogue import LANGUAGES, text
from table.printables import (
    Drawing,
    PrintError,
    draw_card,
    draw_mat,
    dubbe_deck,
    plan_mat,
    render,
    table_file,
)
from table.printables.drawing import Placed, Text, laid_out
from table.printables.pieces import calibration_sheet
from table.printables.plan import CHARACTERS, SEATS, TAG_MM, Area
from table.settings import CHARACTERS as KNOWN_CHARACTERS
from table.settings import read_table
from tests.table.printed_tags import tags_mm

MATS = list(itertools.product(SEATS, TAG_MM))


SHIPPED = Path(__file__).parents[2] / "hardware" / "tables"


@pytest.mark.parametrize(("seats", "sheet"), MATS)
def test_every_tag_lies_where_the_table_file_says_with_its_upper_edge_up(seats: int, sheet: str) -> None:
    plan = plan_mat(seats, sheet)
    found = tags_mm(render(draw_mat(plan), 3), 3)
    assert sorted(found) == [0, 1, 2, 3]
    for tag in plan.layout.tags:
        corners, half = found[tag.id], tag.size_mm / 2
        x, y = tag.center_mm[:2]
        stated = [(x - half, y + half), (x + half, y + half), (x + half, y - half), (x - half, y - half)]
        assert np.abs(corners - stated).max() < 0.35  # a pixel is 0.33 mm


@pytest.mark.parametrize(("seats", "sheet"), MATS)
def test_the_table_file_gives_the_plan_back(seats: int, sheet: str, tmp_path: Path) -> None:
    plan = plan_mat(seats, sheet)
    path = tmp_path / "table.toml"
    path.write_text(table_file(plan), encoding="utf-8")
    assert read_table(path).layout == plan.layout


@pytest.mark.parametrize("characters", [True, False])
@pytest.mark.parametrize(("seats", "sheet"), MATS)
def test_the_shipped_table_files_are_what_the_source_says(seats: int, sheet: str, characters: bool) -> None:
    plan = plan_mat(seats, sheet, characters=characters)
    shipped = SHIPPED / f"{plan.name}.toml"
    assert shipped.read_text(encoding="utf-8") == table_file(plan), "run: make -C hardware/tables"


@pytest.mark.parametrize(("seats", "sheet"), MATS)
def test_seats_stand_clockwise_seen_from_above_beginning_at_the_bottom(seats: int, sheet: str) -> None:
    plan = plan_mat(seats, sheet)
    centers = [complex(*area.center_mm) - complex(0, -1) for area in plan.seats]
    assert [s.name for s in plan.layout.seats] == [f"S{i + 1}" for i in range(seats)]
    assert centers[0].real == 0
    assert centers[0].imag < 0
    turns = [np.degrees(np.angle(c / centers[0])) % 360 for c in centers[1:]]
    assert turns == sorted(turns, reverse=True), "clockwise means falling angles"


@pytest.mark.parametrize(("seats", "sheet"), MATS)
def test_a_card_fits_every_zone_and_zones_stay_apart(seats: int, sheet: str) -> None:
    plan = plan_mat(seats, sheet)
    for area in plan.seats:
        assert min(area.size_mm) >= 59 + 2 * 5
        assert max(area.size_mm) >= 91 + 2 * 5
    for one, other in itertools.combinations([*plan.seats, plan.pile, plan.parking], 2):
        assert one.apart(other, 2.0)
    spots = [Area(spot.center_mm, (spot.size_mm, spot.size_mm)) for spot in plan.layout.spots]
    assert all(area.apart(spot) for area in plan.seats for spot in spots)


def test_the_characters_are_those_that_the_table_knows() -> None:
    assert tuple(CHARACTERS) == KNOWN_CHARACTERS


def test_too_large_cards_are_refused_with_the_reason() -> None:
    with pytest.raises(PrintError, match=r"5 seats with cards of 70×120 mm do not fit A3 .*; print it on A2"):
        plan_mat(5, "A3", (70, 120))


def test_six_and_nine_differ_also_upside_down() -> None:
    """No two faces of the deck look alike, whichever way round they lie (D-01)."""
    faces = {name: render(card, 1.2).astype(np.float32) for name, card in dubbe_deck().items()}
    assert len(faces) == 75
    for (_, one), (_, other) in itertools.combinations(faces.items(), 2):
        for turned in (other, other[::-1, ::-1]):
            assert np.abs(one - turned).mean() > 2.0
    six, nine = (render(draw_card("blue", v), 4) for v in (6, 9))
    corner = slice(4 * 3, 4 * 21), slice(4 * 3, 4 * 20)
    assert np.abs(six[corner].astype(int) - nine[::-1, ::-1][corner]).mean() > 5


def test_a_picture_shows_a_placed_drawing_where_the_paper_does() -> None:
    inner = Drawing((10, 10), (), (255, 0, 0))
    picture = render(Drawing((40, 20), (Placed(inner, (10, 0), (-5, -5, 0, 5)),)), 2)
    red = np.argwhere((picture == (0, 0, 255)).all(axis=2))
    assert red.min(axis=0).tolist() == [10, 50]
    assert red.max(axis=0).tolist() == [29, 59]


def test_umlauts_get_their_dots_in_pictures() -> None:
    plain, dotted = (render(Drawing((20, 10), (Text((0, -2), word, 4),)), 8) for word in ("manner", "männer"))
    above = slice(0, 8 * 4)
    assert dotted[above].min() < 100 < plain[above].min()


def test_equal_pieces_fill_sheets_row_by_row() -> None:
    pages = laid_out(list(dubbe_deck().values()), (210, 297))
    assert [len(page.marks) for page in pages] == [9] * 8 + [3]


def test_the_calibration_sheet_is_what_opencv_expects() -> None:
    board = cv2.aruco.CharucoBoard((9, 6), 25, 18, cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_5X5_100))
    corners, ids, _, _ = cv2.aruco.CharucoDetector(board).detectBoard(render(calibration_sheet(), 4))
    assert corners is not None
    assert len(ids) == 8 * 5
    steps = np.diff(corners.reshape(5, 8, 2), axis=1)[:, :, 0] / 4
    assert np.abs(steps - 25).max() < 0.3


def test_the_calibration_sheet_says_what_to_do_in_the_language_that_is_asked_for() -> None:
    for language in LANGUAGES:
        notes = [mark.words for mark in calibration_sheet(language).marks if isinstance(mark, Text)]
        assert text("paper.calibration", language) in notes
