"""`look --overlay`: what was found and what was refused, drawn over the picture."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
import pytest

from table.cli import main
from table.cli.look_overlay import Looked, drawn, places_for
from table.errors import UsageError
from tests.vision.evening import CARD_MM, LAYOUT, Evening, deck
from vision.cards.look import CardSeen, look_cards
from vision.cards.proposal import Proposal
from vision.geometry import Registration, register
from vision.overlay import SURE, UNSURE
from vision.rectified import RegisteredPicture
from vision.sightings import DieSeen, Picture
from vision.synthetic.scene import Scene


@dataclass(frozen=True)
class Still:
    """One card on a drawn table, looked at once because that is slow."""

    picture: Picture
    registration: Registration
    cards: list[CardSeen]
    refused: list[Proposal]


@pytest.fixture(scope="module")
def still() -> Still:
    evening = Evening()
    evening.play("S1", "red-8", (0.0, -90.0), 0.0)
    picture = evening.painter.render(Scene(tuple(evening.cards), (), ()), seed=1)
    registration, refused = register(picture, LAYOUT), list[Proposal]()
    cards = look_cards(
        RegisteredPicture(picture, registration, LAYOUT), CARD_MM, deck(), listener=refused.append
    )
    return Still(picture, registration, cards, refused)


def test_who_looks_on_hears_what_was_refused_and_why(still: Still) -> None:
    assert [card.reading.name for card in still.cards if card.sure] == ["red-8"]
    assert still.refused
    assert all(each.refused and "needed" in each.refused for each in still.refused)


def test_a_sure_card_is_green_and_a_die_in_doubt_is_yellow(still: Still) -> None:
    die = DieSeen("red", None, (200.0, -100.0), 30.0, "field", doubt=("face",))
    out = drawn(still.picture, Looked(still.cards, [die], still.registration, 16.0, still.refused))
    sure = next(card for card in still.cards if card.sure)
    for outline, colour in ((sure.corners_mm, SURE), (np.array([die.center_mm]), UNSURE)):
        x, y = np.round(still.registration.to_px(outline).mean(axis=0)).astype(int)
        near = out[y - 90 : y + 90, x - 90 : x + 90].astype(int)
        assert (np.abs(near - colour).max(axis=2) < 12).sum() > 20
    assert (out[:20] == still.picture[:20]).all(), "what nobody found is left as it was"


def test_a_photograph_is_drawn_into_the_folder(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    image = tmp_path / "plain.png"
    cv2.imwrite(str(image), np.full((120, 160, 3), 90, np.uint8))
    assert main(["look", str(image), "--overlay", str(tmp_path / "out")]) == 0
    seen = cv2.imread(str(tmp_path / "out" / "plain.jpg"))
    assert seen is not None
    assert seen.shape == (120, 160, 3)
    assert main(["look", str(image), "--overlay", str(image)]) == 2
    assert "is an input" in capsys.readouterr().err


def test_pictures_of_one_name_do_not_hide_each_other() -> None:
    assert [place.name for place in places_for("out", ["a/x.jpg", "b/x.png"])] == ["x.jpg", "x-2.jpg"]
    with pytest.raises(UsageError, match="one picture cannot show 2"):
        places_for("out.png", ["a.jpg", "b.jpg"])
