"""Troubles of the eye are reported in every language wherever somebody at the table reads them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np
import pytest

from table.catalogue import LANGUAGES, sentences, tell
from table.eye_words import light_told, told_by, unlearnt_told
from table.printables import plan_mat
from table.settings import read_table
from tests.table.catalogue_files import reason_codes
from vision.box.dice_set import enrol_dice
from vision.box.moving_light import never_rests
from vision.calibration import calibrate
from vision.camera_health.colours import no_colours
from vision.cameras import open_camera
from vision.cards.deck import Deck, load_deck
from vision.cards.reasons import Reason
from vision.cards.recognition import FACE_PX
from vision.errors import DeckError, SourceError, VisionError
from vision.frame import Frame
from vision.geometry import lens_for, register
from vision.layout import CameraModel
from vision.pictures import read_picture
from vision.sightings import LightPoor


def test_a_table_without_tags_is_told_in_each_language() -> None:
    with pytest.raises(VisionError) as wrong:
        register(np.zeros((480, 640, 3), np.uint8), plan_mat(4, "A2").layout)
    told = told_by(wrong.value)
    assert told.code == "eye.tags.none"
    assert len({tell(told, language) for language in LANGUAGES}) == len(LANGUAGES)
    assert "von den Marken 0, 1, 2, 3 ist keine zu sehen" in tell(told, "de")
    assert str(wrong.value).startswith("too few of the table's tags"), "films and logs read on as before"


def test_a_lens_that_cannot_be_measured_is_told_in_each_language() -> None:
    with pytest.raises(VisionError) as wrong:
        calibrate([])
    told = told_by(wrong.value)
    assert told.code == "eye.lens.few"
    assert len({tell(told, language) for language in LANGUAGES}) == len(LANGUAGES)
    assert "erst in 0 Bildern" in tell(told, "de")


def test_every_reason_why_a_card_is_not_learnt_is_told_in_each_language() -> None:
    codes = reason_codes()
    told = {key.removeprefix("eye.enrol.") for key in sentences("en") if key.startswith("eye.enrol.")}
    assert codes == told
    assert len(codes) > 15
    for code in codes:
        assert len({sentences(language)[f"eye.enrol.{code}"] for language in LANGUAGES}) == len(LANGUAGES)


def test_a_blank_paper_is_refused_in_the_language_of_the_screen() -> None:
    reason = Reason("size.mm", "not {width} x {height}", width=59, height=91)
    assert reason == "not 59 x 91", "command line and contact sheet read on as before"
    assert "(59 × 91 mm)" in tell(unlearnt_told(reason), "de")


def test_a_deck_that_cannot_be_used_is_told_in_each_language(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "text.deck").write_text("no deck")
    for name, code in (("none.deck", "none"), ("empty", "empty"), ("text.deck", "file")):
        with pytest.raises(VisionError) as wrong:
            load_deck(tmp_path / name)
        told = told_by(wrong.value)
        assert told.code == f"eye.deck.{code}"
        assert str(tmp_path / name) in tell(told, "de")
        assert len({tell(told, language) for language in LANGUAGES}) == len(LANGUAGES)


def german(wrong: Callable[[], object]) -> str:
    """The German words for an error; they differ between languages, and every place in them is filled."""
    with pytest.raises(VisionError) as raised:
        wrong()
    told = told_by(raised.value)
    assert told.code == f"eye.{raised.value.code}"
    said = {tell(told, language) for language in LANGUAGES}
    assert len(said) == len(LANGUAGES)
    assert not [each for each in said if "?," in each or "{" in each or "(?" in each]
    return tell(told, "de")


def test_cards_that_are_missing_are_told_with_the_reason_for_each(tmp_path: Path) -> None:
    for name in ("red-1", "red-2"):
        cv2.imwrite(str(tmp_path / f"{name}.jpg"), np.full((240, 320, 3), 90, np.uint8))
    said = german(lambda: load_deck(tmp_path))
    assert "nichts gelernt" in said
    assert f"{tmp_path / 'red-1.jpg'}: auf dem, was zu finden war, ist nichts gedruckt" in said
    saved = tmp_path / "ours.deck"
    width, height = FACE_PX
    face = np.full((height, width, 3), 200, np.uint8)
    Deck(("blue-1",), (face,), None, 1.5, missing=("red-1",)).save(saved)
    assert "es fehlt noch: Rot 1; zeig" in german(lambda: load_deck(saved))
    queens = tuple(f"{suit}Q" for suit in "CSHD")
    Deck(("blue-1",), (face,), None, 1.5, missing=(*queens, "red-1", "red-2", "joker")).save(saved)
    said = german(lambda: load_deck(saved))
    assert "es fehlt noch: Kreuz Dame, Pik Dame, Herz Dame, Karo Dame, Rot 1, und noch 2; zeig" in said


def test_what_cannot_be_opened_or_read_is_told_in_each_language(tmp_path: Path) -> None:
    text = tmp_path / "text.avi"
    text.write_text("no picture")
    (tmp_path / "empty").mkdir()
    assert "diesen Film oder Ordner gibt es nicht" in german(lambda: open_camera(str(tmp_path / "none")))
    assert "eine Kamera heißt usb:0" in german(lambda: open_camera("usb:front"))
    assert "nicht als Film lesen" in german(lambda: open_camera(str(text)))
    assert "keine Bilder in diesem Ordner" in german(lambda: open_camera(str(tmp_path / "empty")))
    assert "nicht als Bild lesen" in german(lambda: read_picture(text))
    assert "prüf ihr Kabel" in german(lambda: Frame(jpeg=b"no picture").picture)


def test_dice_without_pictures_and_a_lens_of_another_size_are_told_in_each_language(tmp_path: Path) -> None:
    field = read_table(Path(__file__).parents[2] / "hardware" / "tables" / "doppelx-I-280.toml").layout
    assert "keine Bilder der Würfel" in german(lambda: enrol_dice(tmp_path, field))
    for name in ("empty", "blue-1"):
        cv2.imwrite(str(tmp_path / f"{name}.png"), np.zeros((240, 320, 3), np.uint8))
    assert "ist keine zu sehen" in german(lambda: enrol_dice(tmp_path, field))
    lens = CameraModel(900.0, (639.5, 359.5))
    assert "1280 x 720" in german(lambda: lens_for(lens, (480, 640)))


def test_dice_are_called_by_their_colours() -> None:
    def unseen() -> None:
        raise DeckError("as films say it", "dice.unseen", path="my-dice", dice=["blue", "red"])

    assert "auf keinem Bild von Blau, Rot ist ein Würfel zu erkennen" in german(unseen)


def test_what_has_no_word_of_its_own_stays_the_drivers_sentence() -> None:
    assert str(told_by(SourceError("usb:0: odd"))) == "usb:0: odd"
    assert str(told_by(OSError("no space"))) == "no space"


@pytest.mark.parametrize(("white", "code"), [(20, "eye.light.dark"), (254, "eye.light.burnt")])
def test_poor_light_says_which(white: int, code: str) -> None:
    told = light_told(LightPoor(1.0, "as the eye says it", {"white": white}))
    assert told is not None
    assert told.code == code
    assert light_told(LightPoor(1.0, "")) is None


def test_a_camera_without_colours_is_told_in_the_house_words() -> None:
    told = light_told(no_colours(1.0))
    assert told is not None
    assert told.code == "eye.light.grey"


def test_light_that_never_rests_has_words_in_every_language() -> None:
    told = light_told(never_rests(20.0, 20.0))
    assert told is not None
    assert told.code == "eye.light.restless"
