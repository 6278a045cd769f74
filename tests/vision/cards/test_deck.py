"""A deck is learnt from one picture per card, saved in one file, and refused with a reason."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from tests.vision.evening import CARD_MM, FACES, LAYOUT, NAMES, deck, draw_mat
from vision.cards.deck import load_deck
from vision.cards.deck_folder import card_name
from vision.errors import VisionError
from vision.synthetic.scene import CardLying, Scene
from vision.synthetic.table import Flat, Painter


def photograph(folder: Path, names: tuple[str, ...]) -> Path:
    painter = Painter(Flat(draw_mat(), LAYOUT.size_mm), FACES, card_mm=CARD_MM)
    folder.mkdir(exist_ok=True)
    for number, name in enumerate(names):
        scene = Scene((CardLying(name, (5.0 * number, -4.0), 3.0 * number - 6.0),))
        cv2.imwrite(str(folder / f"{name}.png"), painter.render(scene, seed=number))
    return folder


def test_a_deck_is_learnt_from_stills_on_the_table_and_measured(tmp_path: Path) -> None:
    learnt = load_deck(photograph(tmp_path / "deck", ("red-8", "blue-3", "green-9")), LAYOUT)
    assert learnt.cards == ("blue-3", "green-9", "red-8")
    assert learnt.size_mm == pytest.approx(CARD_MM, abs=0.8)
    drawn = deck()
    for name, picture in zip(learnt.names, learnt.pictures, strict=True):
        assert drawn.faces.read(picture).name == name


def test_a_file_that_is_no_whole_picture_costs_its_card_and_what_a_computer_hides_costs_none(
    tmp_path: Path,
) -> None:
    folder = photograph(tmp_path / "deck", ("red-8", "blue-3", "green-9"))
    (folder / "._red-8.png").write_bytes(b"what macOS keeps beside a file on a stick")
    (folder / "yellow-2.HEIC").write_bytes(b"what a telephone writes")
    broken = (folder / "blue-3.png").read_bytes()
    (folder / "blue-4.png").write_bytes(broken[:40])
    learnt = load_deck(folder, LAYOUT, partial=True)
    assert learnt.cards == ("blue-3", "green-9", "red-8")
    assert learnt.missing == ("blue-4", "yellow-2")
    assert [Path(each.where).name for each in learnt.refused] == ["blue-4.png", "yellow-2.HEIC"]
    said = [str(each.reason) for each in learnt.refused]
    assert "cannot be read as a picture" in said[0]
    assert "set the phone to JPEG" in said[1]
    with pytest.raises(VisionError, match=r"refused, too: yellow-2\.HEIC"):
        load_deck(folder, LAYOUT)


def test_a_picture_of_the_bare_ground_that_shows_a_card_is_told_and_left_out(tmp_path: Path) -> None:
    folder = photograph(tmp_path / "deck", tuple(NAMES[:10]))
    bare = Painter(Flat(draw_mat(), LAYOUT.size_mm), FACES, card_mm=CARD_MM).render(Scene(()), seed=99)
    cv2.imwrite(str(folder / "empty.png"), bare)
    assert load_deck(folder, LAYOUT).refused == ()
    (folder / "empty.png").write_bytes((folder / f"{NAMES[3]}.png").read_bytes())
    learnt = load_deck(folder, LAYOUT)
    assert learnt.cards == tuple(sorted(NAMES[:10]))
    assert learnt.missing == ()
    assert learnt.size_mm == pytest.approx(CARD_MM, abs=0.8)
    assert [(Path(each.where).name, each.reason.code) for each in learnt.refused] == [("empty.png", "bare")]


def test_a_deck_of_crops_needs_no_table(tmp_path: Path) -> None:
    for name in ("red-1", "blue-2"):
        ground = np.full((460, 330, 3), (60, 80, 60), np.uint8)
        ground[48:412, 47:283] = FACES[name]
        cv2.imwrite(str(tmp_path / f"{name}.jpg"), ground)
    learnt = load_deck(tmp_path)
    assert learnt.size_mm is None
    assert learnt.ratio == pytest.approx(364 / 236, rel=0.02)
    assert [deck().faces.read(p).name for p in learnt.pictures] == ["blue-2", "red-1"]


def test_a_saved_deck_is_the_same_deck(tmp_path: Path) -> None:
    deck().save(tmp_path / "deck.npz")
    again = load_deck(tmp_path / "deck.npz")
    assert again.names == NAMES
    assert again.size_mm == CARD_MM
    assert np.array_equal(again.pictures[5], deck().pictures[5])


def test_a_further_picture_of_a_card_has_a_number() -> None:
    assert card_name(Path("green-11.jpg")) == "green-11"
    assert card_name(Path("green-11.2.jpg")) == "green-11"


def test_a_second_ending_that_windows_hides_is_no_part_of_a_cards_name() -> None:
    assert card_name(Path("deck/green-11.jpg.JPG")) == "green-11"
    assert card_name(Path("deck/green-11.2.jpg.png")) == "green-11"


def test_cards_that_look_alike_are_reported() -> None:
    face = deck().pictures[0]
    twin = deck().with_pictures(["twin"], [face])
    assert (twin.look_alikes()[0].first, twin.look_alikes()[0].second) == ("blue-1", "twin")


def test_of_many_pictures_that_show_no_card_the_first_is_told_and_the_rest_are_named(
    tmp_path: Path,
) -> None:
    for number in range(1, 8):
        cv2.imwrite(str(tmp_path / f"red-{number}.png"), np.full((300, 400, 3), 90, np.uint8))
    with pytest.raises(VisionError) as refused:
        load_deck(tmp_path)
    said = str(refused.value)
    assert said.count(str(tmp_path)) == 1, "one picture has its reason told"
    assert said.endswith("and 1 more (stammtisch enrol says why)")


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (lambda p: None, "there is no such deck"),
        (lambda p: p.mkdir(), "no pictures"),
        (lambda p: p.write_bytes(b"not a deck"), "not a saved deck"),
        (lambda p: p.write_bytes(b""), "not a saved deck"),
        (lambda p: (p.mkdir(), (p / "red-1.jpg").write_bytes(b"broken")), "cannot be read as a picture"),
        (
            lambda p: (p.mkdir(), cv2.imwrite(str(p / "red-1.png"), np.full((300, 900, 3), 90, np.uint8))),
            "no card found",
        ),
    ],
)
def test_a_deck_that_cannot_be_used_is_refused_in_one_sentence(
    tmp_path: Path, make: object, says: str
) -> None:
    place = tmp_path / "deck"
    make(place)  # type: ignore[operator]
    with pytest.raises(VisionError, match=says):
        load_deck(place)
