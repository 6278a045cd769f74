"""`look`: what it reports of a picture with cards and dice side by side."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import cv2
import numpy as np
import pytest

from table.cli import look, main
from table.settings import read_table
from tests.shared import shared
from vision.cards.deck import Deck
from vision.cards.look_px import CardOutlined
from vision.cards.outline import sides_of
from vision.cards.reading import Reading
from vision.pictures import read_picture
from vision.sightings import DieSeen, Guess

CARD_PX = np.array([[100, 100], [160, 100], [160, 190], [100, 190]], float)
ON_IT, BESIDE_IT = (130.0, 150.0), (300.0, 150.0)


@pytest.mark.parametrize(
    ("sure", "guesses", "told"),
    [
        (True, (Guess("H3", 0.9),), [BESIDE_IT]),
        (False, (Guess("H3", 0.5), Guess("H2", 0.4)), [BESIDE_IT]),
        (False, (), [ON_IT, BESIDE_IT]),
    ],
    ids=["a card", "one of two cards", "any white sheet"],
)
def test_pips_on_a_card_of_the_deck_are_its_print_and_no_dice(
    monkeypatch: pytest.MonkeyPatch, sure: bool, guesses: tuple[Guess, ...], told: list[tuple[float, float]]
) -> None:
    """For the red seven of a film's deck, `look` once reported a card and seven white dice."""
    reading = SimpleNamespace(name="H3" if sure else None, guesses=guesses)
    card = SimpleNamespace(corners_px=CARD_PX, shown_px=CARD_PX, reading=reading, sure=sure, shown=1.0)
    dice = [DieSeen("white", "3", place, 0.0, "field") for place in (ON_IT, BESIDE_IT)]
    monkeypatch.setattr(look, "look_cards_px", lambda *_: [card])
    monkeypatch.setattr(look, "look_pips", lambda *_, **__: dice)
    deck: Any = object()
    said = look.look_at(np.zeros((240, 400, 3), np.uint8), None, deck)
    assert [tuple(die["center"]) for die in said["dice"]] == told


@pytest.mark.parametrize(("shown", "told"), [(0.6, [BESIDE_IT]), (1.0, [ON_IT, BESIDE_IT])])
def test_pips_on_a_card_under_others_are_print_though_nobody_can_read_it(
    monkeypatch: pytest.MonkeyPatch, shown: float, told: list[tuple[float, float]]
) -> None:
    """For a heap, `look` once reported the six cards and thirteen white dice."""
    card = SimpleNamespace(shown_px=CARD_PX, reading=Reading((), 0.0, 0.0, False), sure=False, shown=shown)
    dice = [DieSeen("white", "3", at, 0.0, "field") for at in (ON_IT, BESIDE_IT)]
    monkeypatch.setattr(look, "look_cards_px", lambda *_: [card])
    monkeypatch.setattr(look, "look_pips", lambda *_, **__: dice)
    deck = Deck(("C7",), (np.zeros((120, 80, 3), np.uint8),), None, 1.5)
    seen = look.look_at(np.zeros((400, 400, 3), np.uint8), None, deck)
    assert [tuple(die["center"]) for die in seen["dice"]] == told


def test_a_large_photograph_is_looked_at_smaller_and_told_in_its_own_pixels(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    card = CardOutlined(CARD_PX, 0.9, Reading((), 0.0, 0.0, False), 1.0, CARD_PX)
    looked: list[tuple[int, ...]] = []
    monkeypatch.setattr(look, "look_cards_px", lambda picture, _: looked.append(picture.shape) or [card])
    monkeypatch.setattr(look, "look_pips", lambda *_, **__: [DieSeen("white", "3", BESIDE_IT, 0.0, "field")])
    told = look.look_at(np.zeros((2400, 3200, 3), np.uint8), None, None)
    assert looked == [(1200, look.PHOTOGRAPH_PX, 3)]
    assert np.abs(np.array(told["cards"][0]["corners"]) - (2 * CARD_PX + 0.5)).max() < 0.1
    assert told["dice"][0]["center"] == [600.5, 300.5]


def test_dice_are_sought_beside_the_cards_and_of_a_size_that_goes_with_theirs(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked: list[dict[str, Any]] = []
    reading = Reading((Guess("H3", 0.9),), 0.9, 0.9, False)
    card = CardOutlined(CARD_PX, 0.9, reading, 1.0, CARD_PX)
    monkeypatch.setattr(look, "look_cards_px", lambda *_: [card])
    monkeypatch.setattr(look, "look_pips", lambda *_, **words: asked.append(words) or [])
    look.look_at(np.zeros((240, 400, 3), np.uint8), None, None)
    (words,) = asked
    (x, y), (beside_x, beside_y) = (map(round, at) for at in (ON_IT, BESIDE_IT))
    assert words["where"][y, x] == 0
    assert words["where"][beside_y, beside_x] == 1
    least, most = words["edges_px"]
    assert least < 16 / 63 * sides_of(CARD_PX)[0] < most, "a usual die beside a usual card"


def test_a_picture_that_cannot_be_read_stops_no_other(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    there = tmp_path / "bare.png"
    cv2.imwrite(str(there), np.full((60, 80, 3), 90, np.uint8))
    assert main(["look", str(tmp_path / "nix.png"), str(there)]) == 1
    said = capsys.readouterr()
    assert "nix.png: no such file" in said.err
    assert said.out.startswith(f"{there}: 0 cards, 0 dice")


def test_an_option_that_an_action_has_not_is_told_with_its_usage(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["print", "deck", "--game", "doppelkopf"])
    assert capsys.readouterr().err.startswith("usage: stammtisch print deck")


def test_without_a_deck_neither_print_of_cards_nor_of_places_is_told_as_dice() -> None:
    """For this one card `look` once reported eleven white dice, and a green one made of a place's letters."""
    film = shared("footage/dev-dubbe4")
    layout = read_table(film / "table.toml").layout
    said = look.look_at(read_picture(film / "deck" / "blue-10.jpg"), layout, None)
    assert said["dice"] == []
    assert any(np.abs(np.mean(card["corners"], axis=0)).max() < 10 for card in said["cards"])


def test_a_die_larger_than_the_table_file_says_is_named_with_what_to_do(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """It was once reported with a value read from a part of its face."""
    die = DieSeen("blue", None, (1.0, 2.0), 0.0, "field", doubt=("face",), edge_mm=25.4)
    picture = tmp_path / "dice.png"
    cv2.imwrite(str(picture), np.zeros((240, 400, 3), np.uint8))
    monkeypatch.setattr(look, "look_cards_px", lambda *_: [])
    monkeypatch.setattr(look, "look_pips", lambda *_, **__: [die])
    assert main(["look", str(picture)]) == 0
    assert "its edge of about 25 mm is longer than the table file's: measure it" in capsys.readouterr().out


@pytest.mark.parametrize(("edge_px", "cards"), [(75.0, 0), (50.0, 1)])
def test_an_outline_on_a_die_and_hardly_longer_is_no_card(
    monkeypatch: pytest.MonkeyPatch, edge_px: float, cards: int
) -> None:
    """In twenty pictures of dice `look` once found 36 cards; a card whose pips read as a die is longer."""
    card = SimpleNamespace(
        corners_px=CARD_PX, shown_px=CARD_PX, reading=Reading((), 0.0, 0.0, False), sure=False, shown=1.0
    )
    dice = [DieSeen("red", "3", at, 0.0, "field", edge_px=edge_px) for at in (ON_IT, BESIDE_IT)]
    monkeypatch.setattr(look, "look_cards_px", lambda *_: [card])
    monkeypatch.setattr(look, "look_pips", lambda *_, **__: dice)
    said = look.look_at(np.zeros((240, 400, 3), np.uint8), None, None)
    assert (len(said["cards"]), len(said["dice"])) == (cards, 2)
