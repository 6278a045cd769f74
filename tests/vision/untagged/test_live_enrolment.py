"""A deck is learnt live: one card after another before the camera, in the order of a list."""

from __future__ import annotations

import argparse
from pathlib import Path

import cv2
import pytest

from table.cli.enrol import register, run
from tests.vision.untagged.test_laid_cards import Places, photograph
from vision.cards.deck import load_deck
from vision.untagged.live_enrolment import Showing

SHOWN: list[Places] = [
    {},
    {"red-7": (300, 240, 5)},
    {},
    {"red-7": (340, 220, 12)},
    {},
    {"blue-5": (310, 250, -8)},
]


def frames() -> list[tuple[float, Places]]:
    return [(0.1 * (8 * scene + frame), cards) for scene, cards in enumerate(SHOWN) for frame in range(8)]


def test_each_card_at_rest_takes_the_next_name_and_a_known_one_is_known_again() -> None:
    showing = Showing(["red-7", "blue-5", "green-6"])
    told = []
    for number, (t, cards) in enumerate(frames()):
        if (shown := showing.see(photograph(cards, number), t)) is not None:
            told.append((shown.name, shown.again))
    assert told == [("red-7", False), ("red-7", True), ("blue-5", False)]
    assert showing.missing == ("green-6",)
    assert showing.deck().cards == ("blue-5", "red-7")
    assert showing.deck().ratio == pytest.approx(91 / 59, rel=0.03)


def test_enrolment_from_a_film_saves_what_came_and_names_what_is_missing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    film = cv2.VideoWriter(str(tmp_path / "f.avi"), cv2.VideoWriter.fourcc(*"MJPG"), 10.0, (640, 480))
    for number, (_, cards) in enumerate(frames()):
        film.write(photograph(cards, number))
    film.release()
    (tmp_path / "names").write_text("red-7\nblue-5\ngreen-6\n", "utf-8")
    parser = argparse.ArgumentParser()
    register(parser)
    words = [str(tmp_path / "f.avi"), "--names", str(tmp_path / "names"), "--out", str(tmp_path / "my.deck")]
    assert run(parser.parse_args(words)) == 1
    said = capsys.readouterr().out
    assert "Got red-7. Show blue-5 (2 of 3)." in said
    assert "This is red-7 again." in said
    assert "Missing: green-6" in said
    assert "my.deck --partial" in said
    assert load_deck(tmp_path / "my.deck", partial=True).cards == ("blue-5", "red-7")


def test_a_beer_mat_that_lies_there_from_the_beginning_is_no_card() -> None:
    showing = Showing(["red-7", "blue-5"])
    told = []
    for number, (t, cards) in enumerate(frames()):
        picture = photograph(cards, number)
        cv2.rectangle(picture, (20, 300), (130, 460), (190, 210, 220), -1)
        cv2.circle(picture, (75, 380), 40, (40, 40, 160), -1)
        if (shown := showing.see(picture, t)) is not None:
            told.append(shown.name)
    assert told == ["red-7", "red-7", "blue-5"]
    assert showing.deck().cards == ("blue-5", "red-7")
    middles = [taken.corners.mean(axis=0) for taken in showing.deck().taken]
    assert all(abs(float(x) - 305) < 12 for x, _ in middles)


def test_a_card_that_is_asked_for_again_and_laid_again_speaks_twice_for_itself() -> None:
    """It counts like a second picture in a folder: its siblings may not overrule it."""
    showing = Showing(["red-7", "blue-5"])
    for number, (t, cards) in enumerate(frames()):
        showing.see(photograph(cards, number), t)
    assert showing.deck().names == ("red-7", "blue-5")
    showing.forget("blue-5")
    again: list[Places] = [{}, {"blue-5": (320, 230, 4)}]
    for frame in range(16):
        showing.see(photograph(again[frame // 8], 90 + frame), 10 + 0.1 * frame)
    assert showing.missing == ()
    assert sorted(showing.deck().names) == ["blue-5", "blue-5", "red-7"]
