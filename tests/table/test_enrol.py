"""`stammtisch enrol` says what it learnt, which cards are near each other and which picture is strange."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from table.cli.enrol import register, run
from vision.cards.deck import load_deck


def folder(place: Path, strange: bool = False) -> Path:
    """Three cards with a mark each, 120 x 180 pixels on dark felt; with `strange` a beer mat, too."""
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


def test_a_strange_picture_among_the_cards_is_said(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    place = str(folder(tmp_path, strange=True))
    assert enrol(place) == 0
    said = capsys.readouterr().out
    assert "another shape than the rest" in said
    assert "  mat\n" in said
    assert enrol(place, "--json") == 0
    assert json.loads(capsys.readouterr().out)["odd"] == ["mat"]


def pips(place: Path) -> Path:
    """Nine cards that have pips in common, a copy of one of them, and a lattice: the back of the deck."""
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
    assert enrol(place) == 0
    said = capsys.readouterr().out
    assert "These look like no other card" in said
    assert "\n  back\n" in said
    assert "is one card there under two names?\n  red-10 and red-5\n" in said
    assert enrol(place, "--json") == 0
    assert json.loads(capsys.readouterr().out)["strangers"] == ["back"]


def test_a_folder_is_held_against_the_names_of_the_cards(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    names = tmp_path / "names.txt"
    names.write_text("one\ntwo\nfour\n", "utf-8")
    assert enrol(str(folder(tmp_path)), "--names", str(names)) == 1
    said = capsys.readouterr().out
    assert "Missing: four" in said
    assert "Cards of these names are not asked for" in said
    assert "\n  three\n" in said
