"""The command `print`: files, booklets and refusals."""

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
from table.catalogue import LANGUAGES, Language, sentences
from table.cli import main
from table.printables import (
    Drawing,
    draw_mat,
    plan_mat,
)
from table.printables.booklet import booklet, box_parts, card_parts, quick_rules
from table.printables.chalk import ornaments
from table.printables.drawing import Disc, Placed, PlainMark, Polygon, Stroke, Text
from table.printables.field_plan import plan_field
from table.printables.fields import draw_flat, tag_places
from table.printables.paper import _HELVETICA_CAPITAL as CAPITAL
from table.printables.plan import SEATS, SHEETS, TAG_MM, Area
from table.rules.game import Game
from table.rules.games import GAMES
from table.settings import read_table
from table.settings.kept import Renewed
from tests.table.printed_tags import tags_mm
from vision.layout import CameraModel

CARD_GAMES = [game for game in GAMES.values() if not game.boxed]


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
        (["mat", "--tile", "A9"], "no paper called 'A9'; known: A5, A4, A3, A2"),
        (["mat", "--seats", "5", "--size", "A3", "--cards", "70x120"], "do not fit A3"),
        (["mat", "--game", "dulle", "--seats", "3"], "Dulle is played by 4, not by 3; give --seats 4"),
        (["all", "--game", "klapper-jas", "--seats", "5"], "Klapper-Jas is played by 2 or 3 or 4, not by 5"),
        (["all", "--game", "dubbe", "--seats", "0"], "a mat has 2 to 5 seats, not 0"),
        (["all", "--game", "doppelx", "--seats", "9"], "DoppelX is played without seats; leave it out"),
        (["frame", "--rim", "nan"], "a rim is 0 to 120 mm high, not nan"),
        (["frame", "--rim", "500"], "a rim is 0 to 120 mm high, not 500"),
        (["stickers", "--edge", "30"], "a die for stickers measures 10 to 29 mm, not 30"),
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
    assert f"{sys.executable} -m pip install reportlab segno" in capsys.readouterr().err


def test_a_mat_printed_again_keeps_what_was_added_to_its_table_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Otherwise the measured lens is lost, and with it every place on the table."""
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
    assert "fix that line" in capsys.readouterr().err


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.name)
def test_a_card_of_quick_rules_holds_all_its_lines(game: Game, language: Language) -> None:
    card = quick_rules(game, language)
    lines = [mark for mark in card.marks if isinstance(mark, Text)]
    assert len(lines) > 8, f"quick.{game.name}.1 and on, in paper.json, are six sentences or so"
    assert min(mark.at_mm[1] for mark in lines) > -card.size_mm[1] / 2 + 5, "nothing runs off the card"
    for line in lines[1:]:
        wide = pdfmetrics.stringWidth(line.words, "Helvetica", line.height_mm / CAPITAL)
        assert line.at_mm[0] + wide < card.size_mm[0] / 2 - 4, line.words
        assert line.height_mm > 2.4, "read beside a glass"


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


def all_words(drawing: Drawing) -> list[str]:
    inner = [line for mark in drawing.marks if isinstance(mark, Placed) for line in all_words(mark.drawing)]
    return words_of(drawing) + inner


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.name)
def test_no_name_of_the_catalogue_stands_on_paper(game: Game, language: Language) -> None:
    """An untranslated text would be printed as its key, such as `paper.mat.trump`."""
    if game.boxed:
        parts = box_parts(game, plan_field("I"), language)
    else:
        plan = plan_mat(4, "A2", characters=game.character_dice)
        parts = card_parts(game, plan, "A4", language)
    said = {line for page in booklet(game.title, parts, "t", language) for line in all_words(page)}
    keys = {key for other in LANGUAGES for key in sentences(other)}
    assert said & keys == set()
    assert language == "de" or "Würfel" not in said


@pytest.mark.parametrize(("seats", "sheet", "characters"), [*itertools.product(SEATS, TAG_MM, (True, False))])
def test_what_adorns_a_mat_lies_where_nothing_else_has_its_place(
    seats: int, sheet: str, characters: bool
) -> None:
    plan = plan_mat(seats, sheet, characters=characters)
    size = plan.layout.size_mm
    drawn = [extent(mark) for mark in ornaments(plan.taken, size)]
    assert drawn, "every mat has room for one at least"
    for area in drawn:
        assert all(abs(area.center_mm[i]) + area.size_mm[i] / 2 < size[i] / 2 for i in (0, 1))
        assert all(area.apart(other, 1.0) for other in plan.taken)


def extent(mark: PlainMark) -> Area:
    """The upright rectangle around a mark that has no words."""
    match mark:
        case Disc():
            x, y = mark.center_mm
            return Area((x, y), (2 * mark.radius_mm, 2 * mark.radius_mm))
        case Polygon() | Stroke():
            low, high = (tuple(f(p[i] for p in mark.points_mm) for i in (0, 1)) for f in (min, max))
            return Area(
                ((low[0] + high[0]) / 2, (low[1] + high[1]) / 2), (high[0] - low[0], high[1] - low[1])
            )
    raise AssertionError(mark)


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


@pytest.mark.parametrize("game", CARD_GAMES, ids=lambda game: game.name)
def test_a_mat_shows_what_its_own_game_needs(game: Game) -> None:
    """Only Dubbe has characters; other mats have the trumps, clear of tags, places and edges."""
    plan = plan_mat(4, "A2", characters=game.character_dice)
    mats = {language: words_of(draw_mat(plan, game, language)) for language in LANGUAGES}
    assert any("Jammerlabbe" in line for line in mats["de"]) == game.character_dice
    assert ("Würfel" in mats["de"]) == ("die" in game.kinds)
    assert mats["de"].count("Name") == 4
    names = {"4 Jo Lossen"}
    both = {line for line in mats["de"] if line in mats["en"] and len(line.split()) > 2}
    assert both <= names
    if game.character_dice:
        return
    assert plan.layout.spots == ()
    assert plan.name == "mat-4-A2-cards"
    shown = [words for words in mats["en"] if words in ("A", "K", "Q", "J", "10", "9")]
    ranks = [card[1] for card in game.mat_row if len(card) == 2]
    assert shown == ["10" if rank == "T" else rank for rank in ranks]
    for language in LANGUAGES:
        captions = [
            mark for mark in draw_mat(plan, game, language).marks
            if isinstance(mark, Text) and mark.words.startswith(f"{game.title}:")
        ]  # fmt: skip
        assert len(captions) == bool(game.mat_row), "one line names the trumps, where the game has any"
        if not captions:
            continue
        caption = captions[0]
        wide = pdfmetrics.stringWidth(caption.words, "Helvetica-Bold", caption.height_mm / CAPITAL)
        ends = caption.at_mm[0] + (wide if caption.anchor == "start" else 0)
        assert -plan.row.size_mm[0] / 2 - 40 < ends - wide < ends < -1, "no seam of a cut mat goes through it"
    fixed = [Area(tag.center_mm[:2], (tag.size_mm * 4 / 3,) * 2) for tag in plan.layout.tags]
    assert all(plan.row.apart(area, 4.0) for area in (*fixed, *plan.seats))


def test_the_mats_of_two_games_lie_beside_each_other_with_one_table_file(tmp_path: Path) -> None:
    for words in (["dulle"], ["klapper-jas", "--language", "en", "--tile", "A4"]):
        assert main(["print", "mat", "--game", *words, "--out", str(tmp_path)]) == 0
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "mat-4-A2-cards-dulle.pdf", "mat-4-A2-cards-klapper-jas.pdf", "mat-4-A2-cards.toml",
    ]  # fmt: skip


def test_a_mat_and_the_marks_that_cut_it_speak_one_language(monkeypatch: pytest.MonkeyPatch) -> None:
    printed: list[Drawing] = []
    monkeypatch.setattr("table.cli.print_.write_pdf", lambda pages, *_: printed.extend(pages))
    monkeypatch.setattr("table.cli.print_.renewed", lambda path, *_: Renewed(path, None))
    for language, row, pile in (("de", "Reihe 1 von", "Ablage"), ("en", "row 1 of", "face down")):
        printed.clear()
        assert main(["print", "mat", "--game", "klapper-jas", "--tile", "A4", "--language", language]) == 0
        mat = next(mark.drawing for mark in printed[0].marks if isinstance(mark, Placed))
        assert any(line.lower().startswith(row.lower()) for line in words_of(printed[0]))
        assert any(pile in line for line in words_of(mat))


def test_a_game_that_names_no_row_gets_a_mat_without_one() -> None:
    class Plain(type(GAMES["dulle"])):  # type: ignore[misc]
        mat_row = ()

    plan = plan_mat(4, "A2", characters=False)
    assert not [line for line in words_of(draw_mat(plan, Plain())) if "Trumpf" in line]
    assert [line for line in words_of(draw_mat(plan, GAMES["dulle"])) if "Trumpf" in line]


@pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.name)
def test_the_title_of_a_cover_fits_between_its_glasses(game: Game) -> None:
    cover = booklet(game.title, [], "t.toml", "de")[0]
    (title,) = [mark for mark in cover.marks if isinstance(mark, Text) and mark.words == game.title]
    glasses = [x for mark in cover.marks if isinstance(mark, Polygon) for x, _ in mark.points_mm]
    free = 2 * min(abs(x) for x in glasses)
    assert pdfmetrics.stringWidth(title.words, "Helvetica-Bold", title.height_mm / CAPITAL) < free


def test_printing_again_keeps_the_camera_of_the_table_file(tmp_path: Path) -> None:
    assert main(["print", "all", "--game", "dulle", "--out", str(tmp_path)]) == 0
    file = tmp_path / "mat-4-A2-cards.toml"
    file.write_text(file.read_text() + "\n[camera]\nf_px = 1234.0 # ours\n")
    assert main(["print", "all", "--game", "dulle", "--out", str(tmp_path)]) == 0
    assert "f_px = 1234.0 # ours" in file.read_text()


def test_what_was_measured_by_hand_is_replaced_only_on_demand(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A box's tags are measured after they are glued, so neither file is replaced without being asked for."""
    words = ["print", "field", "--out", str(tmp_path)]
    assert main(words) == 0
    file, pdf = tmp_path / "doppelx-I-280.toml", tmp_path / "doppelx-I-280.pdf"
    measured = file.read_text().replace("center = [-165, 0, 45]", "center = [-164, 0, 47]")
    file.write_text(f"# by Anna\n{measured.replace('die_edge = 16', 'hole_depth = 30  # Loch')}")
    before, printed = file.read_text(), pdf.read_bytes()
    assert main(words) == 2
    said = capsys.readouterr().err
    assert "[field] lacks die_edge" in said
    assert "[[tag]] number 1 center = [-164, 0, 47], not [-165, 0, 45]" in said
    assert "add --force" in said
    assert (file.read_text(), pdf.read_bytes()) == (before, printed), "paper and table file go together"
    assert main([*words, "--force"]) == 0
    assert "replaced: [[tag]] number 1 center = [-164, 0, 47]" in capsys.readouterr().out
    assert "hole_depth = 30  # Loch" in file.read_text()
    read = read_table(file).layout
    assert (read.hole_depth_mm, read.die_edge_mm, read.tags[0].center_mm) == (30, 16, (-165, 0, 45))


def test_a_table_file_in_which_nothing_differs_keeps_every_remark(tmp_path: Path) -> None:
    words = ["print", "frame", "--out", str(tmp_path)]
    assert main(words) == 0
    file = tmp_path / "doppelx-frame.toml"
    added = file.read_text().replace("[field]\n", "[field]  # oak\noutside_z = -3\n")
    file.write_text(f"# the box of the club\n{added}")
    before = file.read_text()
    assert main(words) == 0
    assert file.read_text() == before


def test_a_field_printed_without_bets_has_none_in_its_table_file(tmp_path: Path) -> None:
    words = ["print", "field", "--out", str(tmp_path)]
    assert main(words) == 0
    assert main([*words, "--bets", ""]) == 2
    assert main([*words, "--bets", "", "--force"]) == 0
    assert read_table(tmp_path / "doppelx-I-280.toml").layout.bets == ()


def test_a_table_file_that_holds_a_lens_alone_gets_the_mat(tmp_path: Path) -> None:
    file = tmp_path / "mat-4-A2.toml"
    file.write_text("[camera]\nf_px = 900\n")
    assert main(["print", "mat", "--out", str(tmp_path)]) == 0
    assert read_table(file).layout.camera == CameraModel(900)


@pytest.mark.parametrize("sheet", ["A5", "A4", "A3"])
@pytest.mark.parametrize("name", ["I", "III"])
def test_no_cut_goes_through_a_tag_of_a_flat_field(name: str, sheet: str) -> None:
    plan = plan_field(name, rim_mm=0)
    flat = draw_flat(plan)
    pages = printables.tiled(flat, sheet, "de", tag_places(plan.layout))
    windows = [mark.window_mm for page in pages for mark in page.marks if isinstance(mark, Placed)]
    assert sum((w[2] - w[0]) * (w[3] - w[1]) for w in windows if w) == pytest.approx(flat.size_mm[0] ** 2)
    wide, high = pages[0].size_mm
    for left, low, right, top in filter(None, windows):
        assert right - left <= wide - 24 + 1e-6
        assert top - low <= high - 24 + 1e-6
        for tag in plan.layout.tags:
            (x, y), rim = tag.center_mm[:2], tag.size_mm * 2 / 3
            inside = left < x - rim and x + rim < right and low < y - rim and y + rim < top
            beside = x + rim < left or right < x - rim or y + rim < low or top < y - rim
            assert inside or beside


@pytest.mark.parametrize("bets", ["ABCD", ""])
@pytest.mark.parametrize("size", [200, 280, 400])
def test_a_flat_field_says_how_it_is_printed_beside_a_ruler(bets: str, size: float) -> None:
    plan = plan_field("II", size, 0, bets)
    flat = draw_flat(plan, "en", noted=True)
    (said,) = [mark for mark in flat.marks if isinstance(mark, Text) and "100 %" in mark.words]
    wide = pdfmetrics.stringWidth(said.words, "Helvetica", said.height_mm / CAPITAL)
    ruler = [extent(mark) for mark in flat.marks if isinstance(mark, Stroke)]
    long = max(ruler, key=lambda area: area.size_mm[0])
    assert long.size_mm[0] == pytest.approx(100)
    words = Area((said.at_mm[0], said.at_mm[1] + 0.9), (wide, 1.8))
    taken = [*tag_places(plan.layout), Area((0, 0), plan.layout.size_mm)]
    taken += [Area(bet.center_mm[:2], (bet.size_mm,) * 2) for bet in plan.layout.bets]
    for area in (long, words):
        assert all(area.apart(other, 1.0) for other in taken)
        assert all(abs(area.center_mm[i]) + area.size_mm[i] / 2 < flat.size_mm[i] / 2 for i in (0, 1))


def test_mats_for_cards_of_two_sizes_lie_beside_each_other(tmp_path: Path) -> None:
    for words in ([], ["--cards", "63x88"]):
        assert main(["print", "mat", *words, "--out", str(tmp_path)]) == 0
    assert {path.name for path in tmp_path.glob("*.toml")} == {"mat-4-A2.toml", "mat-4-A2-63x88.toml"}


def test_bet_tiles_speak_the_language_of_the_booklet() -> None:
    parts = {part.name: part.pages for part in box_parts(GAMES["doppelx"], plan_field("I"), "en")}
    said = [line for page in parts["bets"] for line in all_words(page)]
    assert "hole or outside" in said
    assert not {"Loch oder draußen", "trifft 2x"} & {*said}
