"""Paper: the mat, its table file and the deck come from one source, and the eye finds them as stated."""

from __future__ import annotations

import itertools
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import cv2
import numpy as np
import pytest
from reportlab.pdfbase import pdfmetrics

from table import printables
from table.catalogue import LANGUAGES, Language
from table.cli import main
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
from table.printables.booklet import booklet, box_parts, card_parts, quick_rules
from table.printables.drawing import Placed, Polygon, Text, laid_out
from table.printables.field_plan import plan_field
from table.printables.paper import _HELVETICA_CAPITAL as CAPITAL
from table.printables.pieces import calibration_sheet
from table.printables.plan import CHARACTERS, SEATS, SHEETS, TAG_MM, Area
from table.rules.game import Game
from table.rules.games import GAMES
from table.settings import CHARACTERS as KNOWN_CHARACTERS
from table.settings import read_table

MATS = list(itertools.product(SEATS, TAG_MM))
SHIPPED = Path(__file__).parents[2] / "hardware" / "tables"


def tags_mm(picture: np.ndarray, px_per_mm: float) -> dict[int, np.ndarray]:
    """Corners of every tag in a straight picture, millimetres from its middle, as OpenCV orders them."""
    finder = cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50))
    corners, ids, _ = finder.detectMarkers(picture)
    assert ids is not None
    h, w = picture.shape[:2]
    return {
        int(i): np.column_stack([(c[0][:, 0] + 0.5 - w / 2), (h / 2 - c[0][:, 1] - 0.5)]) / px_per_mm
        for i, c in zip(ids.ravel(), corners, strict=True)
    }


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


@pytest.mark.parametrize(("seats", "sheet"), MATS)
def test_the_shipped_table_files_are_what_the_source_says(seats: int, sheet: str) -> None:
    plan = plan_mat(seats, sheet)
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
    """The deck has no two faces that look alike, whichever way round they lie (D-01)."""
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


# --- the command -------------------------------------------------------------------------------------


def test_printing_names_every_file_and_writes_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("reportlab")
    for words in (["mat", "--seats", "3", "--size", "a3"], ["deck"], ["dice"], ["tiles"], ["calibration"]):
        assert main(["print", *words, "--out", str(tmp_path)]) == 0
    said = capsys.readouterr().out
    written = sorted(path.name for path in tmp_path.iterdir())
    assert written == [
        "calibration.pdf", "dice.pdf", "dubbe-deck.pdf", "mat-3-A3.pdf", "mat-3-A3.toml", "tiles.pdf",
    ]  # fmt: skip
    assert all(str(tmp_path / name) in said for name in written)
    assert tomllib.loads((tmp_path / "mat-3-A3.toml").read_text())["mat"]["size"] == [420, 297]


@pytest.mark.skipif(shutil.which("pdftoppm") is None, reason="pdftoppm (poppler-utils) is not installed")
def test_the_pdf_has_its_tags_where_the_table_file_says(tmp_path: Path) -> None:
    pytest.importorskip("reportlab")
    plan = plan_mat(4, "A2")
    pdf = printables.write_pdf([draw_mat(plan)], tmp_path / "mat.pdf", "mat")
    subprocess.run(["pdftoppm", "-r", "76.2", "-png", pdf, tmp_path / "page"], check=True)
    picture = cv2.imread(str(tmp_path / "page-1.png"))
    assert picture is not None
    assert (picture.shape[1] / 3, picture.shape[0] / 3) == pytest.approx(SHEETS["A2"], abs=0.4)
    found = tags_mm(picture, 3)
    for tag in plan.layout.tags:
        assert np.abs(found[tag.id].mean(axis=0) - tag.center_mm[:2]).max() < 0.4


@pytest.mark.skipif(shutil.which("pdftotext") is None, reason="pdftotext (poppler-utils) is not installed")
def test_umlauts_are_printed(tmp_path: Path) -> None:
    pytest.importorskip("reportlab")
    assert main(["print", "mat", "--out", str(tmp_path)]) == 0
    words = subprocess.run(
        ["pdftotext", tmp_path / "mat-4-A2.pdf", "-"], check=True, capture_output=True, text=True
    )
    assert "Weschwieschmännchen" in words.stdout
    assert "Würfel" in words.stdout


def test_a_mat_cut_for_a4_keeps_its_size(tmp_path: Path) -> None:
    mat = draw_mat(plan_mat(4, "A2"))
    pages = printables.tiled(mat, "A4")
    windows = [mark.window_mm for page in pages for mark in page.marks if isinstance(mark, Placed)]
    assert sum((w[2] - w[0]) * (w[3] - w[1]) for w in windows if w) == pytest.approx(594 * 420)
    assert all(sorted(page.size_mm) == [210, 297] for page in pages)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["mat", "--seats", "6"], "a mat has 2 to 5 seats, not 6"),
        (["mat", "--size", "A4"], "a mat is printed on A3 or A2, not on 'A4'"),
        (["mat", "--tile", "A9"], "no paper called 'A9'; known are A5, A4, A3, A2"),
        (["mat", "--seats", "5", "--size", "A3", "--cards", "70x120"], "do not fit A3"),
    ],
)
def test_wrong_wishes_get_one_clear_sentence(
    words: list[str], said: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    assert main(["print", *words, "--out", str(tmp_path)]) == 2
    errors = capsys.readouterr().err
    assert said in errors
    assert errors.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


def test_without_reportlab_the_remedy_is_said(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "reportlab.pdfgen.canvas", None)
    assert main(["print", "deck", "--out", str(tmp_path)]) == 1
    assert 'pip install "stammtisch[print]"' in capsys.readouterr().err


def test_a_mat_printed_again_keeps_what_was_added_to_its_table_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Else the measured lens is lost, and with it every place on the table."""
    assert main(["print", "mat", "--seats", "4", "--out", str(tmp_path)]) == 0
    (path,) = tmp_path.glob("*.toml")
    fresh = path.read_text()
    lens = "fx = 1180.0  # measured by us\nfy = 1180.0"
    path.write_text(f'{fresh}\n[camera]\n{lens}\n\n[[lamp]]\nname = "turn-S1"\nindex = 3\n')
    assert main(["print", "mat", "--seats", "4", "--out", str(tmp_path)]) == 0
    again = path.read_text()
    assert again.startswith(fresh.rstrip())
    assert f"[camera]\n{lens}" in again
    assert tomllib.loads(again)["lamp"] == [{"name": "turn-S1", "index": 3}]
    assert "camera, lamp" in capsys.readouterr().out
    assert main(["print", "mat", "--seats", "4", "--out", str(tmp_path)]) == 0
    assert path.read_text() == again


def test_a_table_file_that_cannot_be_read_is_not_written_over(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["print", "mat", "--seats", "4", "--out", str(tmp_path)]) == 0
    (path,) = tmp_path.glob("*.toml")
    path.write_text("[camera\nfx = 1180\n")
    assert main(["print", "mat", "--seats", "4", "--out", str(tmp_path)]) == 1
    assert path.read_text() == "[camera\nfx = 1180\n"
    assert "mend that line" in capsys.readouterr().err


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.name)
def test_a_card_of_quick_rules_holds_all_its_lines(game: Game, language: Language) -> None:
    card = quick_rules(game.name, game.title, language)
    lines = [mark for mark in card.marks if isinstance(mark, Text)]
    assert len(lines) > 8
    assert min(mark.at_mm[1] for mark in lines) > -card.size_mm[1] / 2 + 5, "nothing runs off the card"


def test_the_cover_names_the_pages_of_every_part(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    parts = card_parts(GAMES["dubbe"], plan_mat(4, "A2"), "A4", "en")
    pages = booklet("Dubbe", parts, "mat-4-A2.toml", "en")
    said = [mark.words for mark in pages[0].marks if isinstance(mark, Text)]
    assert [part.name for part in parts] == ["rules", "mat", "deck", "dice", "figures", "tiles", "insert"]
    assert len(pages) == 1 + sum(len(part.pages) for part in parts)
    assert "Pages 3–10" in said
    assert f"Pages {len(pages) - 1}–{len(pages)}" in said
    assert main(["print", "all", "--game", "doppelx", "--out", str(tmp_path)]) == 0
    assert sorted(each.name for each in tmp_path.iterdir()) == ["doppelx-I-280.toml", "doppelx-booklet.pdf"]
    assert "7 pages" in capsys.readouterr().out


def words_of(drawing: Drawing) -> list[str]:
    return [mark.words for mark in drawing.marks if isinstance(mark, Text)]


def test_a_booklet_speaks_one_language_and_says_what_needs_larger_paper() -> None:
    def box(language: Language) -> list[list[str]]:
        parts = box_parts(GAMES["doppelx"], plan_field("I"), language)
        return [words_of(page) for page in booklet("DoppelX", parts, "t.toml", language)]

    german, english = box("de"), box("en")
    both = {line for page in german for line in page} & {line for page in english for line in page}
    assert [line for line in both if len(line.split()) > 2] == []
    assert "Die große Seite braucht A3: im Copyshop drucken, nicht verkleinern." in german[0]
    cards = booklet("Dulle", card_parts(GAMES["dulle"], plan_mat(4, "A2"), "A4", "de"), "t.toml", "de")
    assert not any("A3" in line for line in words_of(cards[0])), "all of it fits on A4"
    assert any(line.startswith("Reihe 1 von 2, Blatt 1 von 4") for line in words_of(cards[2]))


@pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.name)
def test_the_title_of_a_cover_fits_between_its_glasses(game: Game) -> None:
    cover = booklet(game.title, [], "t.toml", "de")[0]
    (title,) = [mark for mark in cover.marks if isinstance(mark, Text) and mark.words == game.title]
    glasses = [x for mark in cover.marks if isinstance(mark, Polygon) for x, _ in mark.points_mm]
    free = 2 * min(abs(x) for x in glasses)
    assert pdfmetrics.stringWidth(title.words, "Helvetica-Bold", title.height_mm / CAPITAL) < free


def test_printing_again_keeps_the_camera_of_the_table_file(tmp_path: Path) -> None:
    assert main(["print", "all", "--game", "dulle", "--out", str(tmp_path)]) == 0
    file = tmp_path / "mat-4-A2.toml"
    file.write_text(file.read_text() + "\n[camera]\nf_px = 1234.0 # ours\n")
    assert main(["print", "all", "--game", "dulle", "--out", str(tmp_path)]) == 0
    assert "f_px = 1234.0 # ours" in file.read_text()
