"""`stammtisch enrol` reports what it learnt, which cards are alike and which picture is odd."""

from __future__ import annotations

import argparse
import json
import tempfile
import unicodedata
from pathlib import Path

import cv2
import numpy as np
import pytest

from table.cli import enrol_names, sheet
from table.cli.enrol import register, run
from table.cli.enrol_names import fewer_players, wanted_names
from table.cli.enrol_report import Files, in_words
from table.errors import StammtischError, UsageError
from vision.cards.deck import Deck, load_deck
from vision.errors import DeckError


def folder(place: Path, strange: bool = False) -> Path:
    """Three cards with one mark each, 120 x 180 pixels on dark felt; with `strange` also a beer mat."""
    for number, name in enumerate(("one", "two", "three")):
        picture = np.full((260, 200, 3), (50, 70, 40), np.uint8)
        cv2.rectangle(picture, (40, 40), (159, 219), (225, 228, 226), -1)
        cv2.circle(picture, (100, 70 + 50 * number), 22, (30, 30, 160), -1)
        cv2.imwrite(str(place / f"{name}.png"), picture)
    if strange:
        picture = np.full((260, 260, 3), (50, 70, 40), np.uint8)
        cv2.rectangle(picture, (20, 40), (239, 219), (225, 228, 226), -1)
        cv2.circle(picture, (130, 130), 60, (40, 120, 60), -1)
        cv2.imwrite(str(place / "mat.png"), picture)
    return place


def enrol(*words: str) -> int:
    parser = argparse.ArgumentParser()
    register(parser)
    return run(parser.parse_args(list(words)))


def test_the_report_names_the_nearest_pair_and_how_the_deck_is_used(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "my.deck"
    assert enrol(str(folder(tmp_path)), "--out", str(out)) == 0
    said = capsys.readouterr().out
    assert "3 cards learnt from 3 pictures." in said
    assert "No two look alike; the nearest are" in said
    assert f"--deck {out}" in said
    assert load_deck(out).cards == ("one", "three", "two")


def scans(place: Path) -> Path:
    """Eight cards that fill their pictures: dots on paper, all of one shape."""
    place.mkdir()
    for number in range(1, 9):
        picture = np.full((300, 200, 3), (225, 228, 226), np.uint8)
        for dot in range(number):
            cv2.circle(picture, (60 + 80 * (dot % 2), 40 + 60 * (dot // 2)), 18, (30, 30, 160), -1)
        cv2.imwrite(str(place / f"red-{number}.png"), picture)
    return place


def test_who_learns_scans_as_pictures_of_a_table_hears_of_scans(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    place = scans(tmp_path / "printed")
    assert enrol(str(place)) == 1
    assert "is a card from edge to edge, as in a scan, add --scans" in capsys.readouterr().out
    assert enrol(str(place), "--scans", "--out", str(tmp_path / "my.deck")) == 0
    assert "8 cards learnt from 8 pictures." in capsys.readouterr().out
    assert len(load_deck(tmp_path / "my.deck").cards) == 8


def test_neither_a_camera_nor_a_saved_deck_holds_scans(tmp_path: Path) -> None:
    for source in ("usb:0", str(tmp_path / "my.deck")):
        with pytest.raises(UsageError, match="not a folder of pictures"):
            enrol(source, "--scans")


def test_a_strange_picture_among_the_cards_is_said(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    place = str(folder(tmp_path, strange=True))
    assert enrol(place) == 0
    said = capsys.readouterr().out
    assert "a different shape from the rest" in said
    assert "  mat\n" in said
    assert enrol(place, "--json") == 0
    assert json.loads(capsys.readouterr().out)["odd"] == ["mat"]


def pips(place: Path) -> Path:
    """Nine cards with similar pips, a copy of one of them, and a lattice: the back of the deck."""
    for number in range(1, 10):
        picture = np.full((260, 200, 3), (50, 70, 40), np.uint8)
        cv2.rectangle(picture, (40, 40), (159, 219), (225, 228, 226), -1)
        for row in range(number):
            at = (70 + 60 * (row % 2), 60 + 17 * row)
            cv2.circle(picture, at, 11, (30, 30, 160), -1)
        cv2.imwrite(str(place / f"red-{number}.png"), picture)
        if number == 5:
            cv2.imwrite(str(place / "red-10.png"), picture)
    back = np.full((260, 200, 3), (50, 70, 40), np.uint8)
    cv2.rectangle(back, (40, 40), (159, 219), (225, 228, 226), -1)
    for y in range(52, 210, 12):
        cv2.line(back, (48, y), (152, y + 4), (170, 60, 40), 4)
    cv2.imwrite(str(place / "back.png"), back)
    return place


def test_a_back_and_a_copy_in_the_folder_are_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    place = str(pips(tmp_path))
    assert enrol(place, "--out", str(tmp_path / "my.deck")) == 1
    said = capsys.readouterr().out
    assert "These look like no other card" in said
    assert "\n  back\n" in said
    assert "Not learnt, 2 of 11 pictures:" in said
    assert "red-10.png: shows the same face as" in said
    assert "Not saved." in said
    assert not (tmp_path / "my.deck").exists()
    assert enrol(place, "--json") == 1
    told = json.loads(capsys.readouterr().out)
    assert told["strangers"] == ["back"]
    assert [each["card"] for each in told["refused"]] == ["red-10", "red-5"]


def test_a_partial_deck_is_saved_when_asked_and_says_how_it_is_used(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "my.deck"
    assert enrol(str(pips(tmp_path)), "--partial", "--out", str(out)) == 1
    assert f"--deck {out} --partial" in capsys.readouterr().out
    with pytest.raises(DeckError, match="no face of red-10, red-5 was learnt; with --partial"):
        load_deck(out)
    deck = load_deck(out, partial=True)
    assert deck.missing == ("red-10", "red-5")
    assert len(deck.cards) == 9


def test_the_contact_sheet_shows_every_face_and_every_refused_picture(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    place, out = str(pips(tmp_path)), tmp_path / "my.deck"
    assert enrol(place, "--partial", "--out", str(out)) == 1
    page = Path(f"{out}.html").read_text("utf-8")
    assert page.count("data:image/jpeg;base64,") == 9 * 2 + 2
    assert "Not learnt: 2" in page
    assert 'src="http' not in page
    assert enrol(place, "--sheet", str(tmp_path / "sheet.png")) == 1
    assert cv2.imread(str(tmp_path / "sheet.png")) is not None
    with pytest.raises(UsageError, match=r"end its name in \.html or \.png"):
        enrol(place, "--sheet", str(tmp_path / "sheet.pdf"))


def test_a_folder_is_held_against_the_names_of_the_cards(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    names = tmp_path / "names.txt"
    names.write_text("one\ntwo\nfour\n", "utf-8")
    assert enrol(str(folder(tmp_path)), "--names", str(names)) == 1
    said = capsys.readouterr().out
    assert "Missing: four" in said
    assert "Cards of these names are not needed" in said
    assert "\n  three\n" in said


def test_a_folder_of_pictures_that_bear_other_names_is_no_film(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("rot-1", "blau-2", "grün-3", "gelb-4"):
        cv2.imencode(".png", np.zeros((8, 8, 3), np.uint8))[1].tofile(str(tmp_path / f"{name}.png"))
    with pytest.raises(UsageError, match="none of its 4 pictures has the name"):
        enrol(str(tmp_path), "--game", "dubbe")


def test_a_folder_of_a_cameras_file_names_hears_how_pictures_are_named(tmp_path: Path) -> None:
    for number in range(4):
        cv2.imwrite(str(tmp_path / f"IMG_{number}.png"), np.full((120, 160, 3), 90, np.uint8))
    with pytest.raises(StammtischError, match=r"where each shows one card, name them like blue-1\.jpg"):
        enrol(str(tmp_path), "--game", "dubbe")


def test_names_that_no_game_knows_are_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    place = folder(tmp_path)
    assert enrol(str(place)) == 0
    assert "No game of this table has cards of these names" in capsys.readouterr().out
    for old, new in (("one", "HT"), ("two", "C9"), ("three", "CJ (1)")):
        (place / f"{old}.png").rename(place / f"{new}.png")
    assert enrol(str(place)) == 0
    said = capsys.readouterr().out
    assert "In doppelkopf, of which the other cards are, no card has these names" in said
    assert said.rstrip().endswith("cards: CJ (1)")


def test_of_two_pictures_of_one_name_that_show_two_cards_both_are_doubted(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    place = pips(tmp_path)
    (place / "back.png").unlink()
    (place / "red-10.png").unlink()
    assert enrol(str(place), "--scans") == 0
    assert "rather like another card" not in capsys.readouterr().out
    (place / "red-8.png").rename(place / "red-1.2.png")
    assert enrol(str(place), "--scans") == 0
    said = capsys.readouterr().out
    assert "These look rather like another card" in said
    assert "red-1 (like red-" in said


def test_pictures_without_colours_are_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    place = folder(tmp_path)
    assert enrol(str(place)) == 0
    assert "no colours" not in capsys.readouterr().out
    grey = cv2.imread(str(place / "two.png"), cv2.IMREAD_GRAYSCALE)
    assert grey is not None
    cv2.imwrite(str(place / "two.png"), grey)
    enrol(str(place))
    said = capsys.readouterr().out
    assert "These pictures show no colours" in said
    assert said.count("two.png") == 1


def test_names_that_a_mac_takes_apart_are_the_names_of_the_list(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder(tmp_path)
    (tmp_path / "one.png").rename(tmp_path / unicodedata.normalize("NFD", "grün-1.png"))
    names = tmp_path / "names.txt"
    names.write_text(unicodedata.normalize("NFC", "grün-1\ntwo\nthree\n"), "utf-8")
    assert enrol(str(tmp_path), "--names", str(names)) == 0
    assert "Missing" not in capsys.readouterr().out


def test_names_in_other_letters_are_told_as_such(tmp_path: Path) -> None:
    for name in ("ca", "cj", "sa", "h9"):
        cv2.imwrite(str(tmp_path / f"{name}.png"), np.zeros((8, 8, 3), np.uint8))
    with pytest.raises(UsageError, match=r"in upper and lower case; name them like CA\.jpg"):
        enrol(str(tmp_path), "--game", "doppelkopf")


def test_the_bare_ground_is_known_whatever_letters_its_name_has(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    cv2.imwrite(str(folder(tmp_path) / "Empty.JPG"), np.full((260, 200, 3), (50, 70, 40), np.uint8))
    assert enrol(str(tmp_path)) == 0
    assert "Empty" not in capsys.readouterr().out


@pytest.mark.parametrize(
    ("game", "said"),
    [("doppelx", "this game is played without cards"), ("skat", "--game skat: neither a game")],
)
def test_a_game_without_cards_is_told_from_one_that_is_not_there(
    tmp_path: Path, game: str, said: str
) -> None:
    with pytest.raises(UsageError, match=said):
        enrol(str(tmp_path), "--game", game)


def test_what_was_learnt_and_not_kept_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert enrol(str(folder(tmp_path))) == 0
    assert "--out my.deck" in capsys.readouterr().out


@pytest.mark.parametrize(("players", "cards"), [(None, 75), (5, 75), (4, 60), (3, 45), (2, 45)])
def test_d_06_a_game_is_learnt_with_all_its_cards_or_with_those_of_the_players(
    players: int | None, cards: int
) -> None:
    assert len(wanted_names(None, "dubbe", players)) == cards


def test_cards_that_only_more_players_need_are_told_as_such(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    place = scans(tmp_path / "printed")
    with pytest.raises(UsageError, match="dubbe is for 2 or 3 or 4 or 5 players"):
        enrol(str(place), "--game", "dubbe", "--players", "6")
    with pytest.raises(UsageError, match="--players belongs to --game"):
        enrol(str(place), "--players", "3")
    assert enrol(str(place), "--game", "dubbe", "--scans") == 1
    assert "Missing: " in (said := capsys.readouterr().out)
    assert "These are the cards for up to" not in said
    assert fewer_players("dubbe", None, ["red-13", "red-15"]) == 4
    assert fewer_players("dubbe", None, ["red-1"]) is None
    assert fewer_players("dubbe", 5, ["red-15"]) is None


def test_the_tables_seats_say_whose_cards_are_asked_for(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """D-06: a table of three plays with 1 to 9."""
    place = scans(tmp_path / "printed")
    table = Path(__file__).parents[2] / "hardware/tables/mat-3-A2.toml"
    assert enrol(str(place), "--game", "dubbe", "--scans", "--table", str(table)) == 1
    missing = capsys.readouterr().out.partition("Missing: ")[2].partition("\n")[0]
    assert "green-9" in missing
    assert "green-10" not in missing


def test_the_cards_for_fewer_players_are_a_whole_deck(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def cards(game: str, players: int) -> list[str]:
        return ["one", "two", "three", "four"][: 3 if players < 5 else 4]

    monkeypatch.setattr(enrol_names, "_cards", cards)
    out = tmp_path / "my.deck"
    assert enrol(str(folder(tmp_path)), "--game", "dubbe", "--out", str(out)) == 0
    said = capsys.readouterr().out
    assert "These are the cards for up to 4 players" in said
    assert "Missing" not in said
    assert load_deck(out).missing == ()


def test_where_the_deck_goes_is_made_before_the_first_card(tmp_path: Path) -> None:
    place = tmp_path / "cards"
    place.mkdir()
    out = tmp_path / "new" / "deep" / "my.deck"
    assert enrol(str(folder(place)), "--out", str(out)) == 0
    assert len(load_deck(out).cards) == 3
    with pytest.raises(UsageError, match="this is a folder; name a file in it"):
        enrol("usb:77", "--game", "dubbe", "--out", str(tmp_path))
    (tmp_path / "file").write_text("no folder")
    for option, name in (("--out", "my.deck"), ("--sheet", "my.html")):
        with pytest.raises(StammtischError, match="its folder cannot be made"):
            enrol("usb:77", "--game", "dubbe", option, str(tmp_path / "file" / name))


def test_what_was_shown_is_kept_where_the_deck_cannot_be_written(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The disk has filled up in the meantime."""
    save = Deck.save

    def full(deck: Deck, path: Path) -> None:
        if not path.parent.name.startswith("stammtisch-"):
            path.write_bytes(b"half a deck")
            raise OSError(28, "No space left on device")
        save(deck, path)

    monkeypatch.setattr(Deck, "save", full)
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    (tmp_path / "my.deck").write_bytes(b"the deck of last week")
    with pytest.raises(StammtischError, match="no space left on device; the deck was saved as") as failed:
        enrol(str(folder(tmp_path)), "--out", str(tmp_path / "my.deck"))
    (kept,) = tmp_path.glob("stammtisch-*/enrolled.deck")
    assert str(kept) in str(failed.value)
    assert len(load_deck(kept).cards) == 3
    assert "3 cards learnt" in capsys.readouterr().out
    assert (tmp_path / "my.deck").read_bytes() == b"the deck of last week"
    assert not list(tmp_path.glob(".my.deck*"))


def test_where_nothing_can_be_written_at_all_the_report_blames_no_picture(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(deck: Deck, path: Path) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Deck, "save", full)
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    with pytest.raises(StammtischError, match="no space left on device; give another file"):
        enrol(str(folder(tmp_path)), "--out", str(tmp_path / "my.deck"))
    said = capsys.readouterr().out
    assert "Not saved." in said
    assert "Take those pictures again" not in said
    assert not list(tmp_path.glob("stammtisch-*"))


def test_a_sheet_that_cannot_be_written_takes_no_report_away(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise StammtischError("my.html: no space left on device; give another file for the contact sheet")

    monkeypatch.setattr(sheet, "write", full)
    with pytest.raises(StammtischError, match="give another file for the contact sheet"):
        enrol(str(folder(tmp_path)), "--sheet", str(tmp_path / "my.html"))
    assert "3 cards learnt" in capsys.readouterr().out


def test_where_nothing_was_learnt_no_size_is_told() -> None:
    deck = Deck((), (), size_mm=(62.9, 87.9))
    said = in_words(deck, (), (), Files(None, None), wanted=False)
    assert said[0] == "No card was learnt."
    assert not any("mm" in line for line in said)
