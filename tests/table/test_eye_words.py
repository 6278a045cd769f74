"""What the eye says of its troubles is told in every language where somebody at the table reads it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from table.catalogue import LANGUAGES, sentences, tell
from table.eye_words import light_told, told_by, unlearnt_told
from table.printables import plan_mat
from tests.table.test_catalogue import reason_codes
from vision.calibration import calibrate
from vision.cards.deck import load_deck
from vision.cards.reasons import Reason
from vision.errors import SourceError, VisionError
from vision.geometry import register
from vision.sightings import LightPoor


def test_a_table_without_tags_is_told_in_each_language() -> None:
    with pytest.raises(VisionError) as wrong:
        register(np.zeros((480, 640, 3), np.uint8), plan_mat(4, "A2").layout)
    told = told_by(wrong.value)
    assert told.code == "eye.tags.few"
    assert len({tell(told, language) for language in LANGUAGES}) == len(LANGUAGES)
    assert "sind nur 0 zu sehen" in tell(told, "de")
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


def test_what_has_no_word_of_its_own_stays_the_drivers_sentence() -> None:
    assert str(told_by(SourceError("usb:0: odd"))) == "usb:0: odd"
    assert str(told_by(OSError("no space"))) == "no space"


@pytest.mark.parametrize(("white", "code"), [(20, "eye.light.dark"), (254, "eye.light.burnt")])
def test_poor_light_says_which(white: int, code: str) -> None:
    told = light_told(LightPoor(1.0, "as the eye says it", {"white": white}))
    assert told is not None
    assert told.code == code
    assert light_told(LightPoor(1.0, "")) is None
