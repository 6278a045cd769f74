"""A folder of pictures is learnt once; after any change it is learnt anew."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from tests.vision.evening import FACES, LAYOUT
from vision import learnt
from vision.cards import deck as decks
from vision.cards.deck import Deck, load_deck
from vision.errors import DeckError


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with two cards on a plain ground, and a cache for this test alone."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    (tmp_path / "deck").mkdir()
    for name in ("red-1", "blue-2"):
        photograph(tmp_path / "deck", name)
    return tmp_path / "deck"


def photograph(folder: Path, name: str, grey: int = 60) -> None:
    ground = np.full((460, 330, 3), (grey, 80, grey), np.uint8)
    ground[48:412, 47:283] = FACES[name]
    cv2.imwrite(str(folder / f"{name}.jpg"), ground)


@pytest.fixture
def lessons(monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    """The folders that were learnt from their pictures."""
    taken: list[Path] = []
    learn = decks.learn_folder

    def learn_folder(folder: Path, *rest: object) -> Deck:
        taken.append(folder)
        return learn(folder, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr(decks, "learn_folder", learn_folder)
    return taken


def same(one: Deck, other: Deck) -> bool:
    return (one.names, one.size_mm, one.ratio, one.missing) == (
        other.names,
        other.size_mm,
        other.ratio,
        other.missing,
    ) and all(map(np.array_equal, one.pictures, other.pictures))


def test_a_deck_is_learnt_once_and_is_the_same_deck_again(folder: Path, lessons: list[Path]) -> None:
    first = load_deck(folder, keep=True)
    again = load_deck(folder, keep=True, partial=True)
    assert lessons == [folder]
    assert same(first, again)
    assert again.partial
    for name, points in first.prints.arrays().items():
        assert np.array_equal(again.prints.arrays()[name], points)


def test_further_pictures_have_points_of_their_own(folder: Path) -> None:
    load_deck(folder, keep=True)
    again = load_deck(folder, keep=True)
    more = again.with_pictures(["red-1"], [again.pictures[0]])
    assert len(more.prints.arrays()["faces"]) > len(again.prints.arrays()["faces"])


def test_nothing_is_kept_where_nobody_asks_for_it(folder: Path, lessons: list[Path]) -> None:
    load_deck(folder)
    load_deck(folder)
    assert len(lessons) == 2
    assert sorted(file.name for file in folder.iterdir()) == ["blue-2.jpg", "red-1.jpg"]


def test_another_picture_another_table_and_another_program_learn_anew(
    folder: Path, lessons: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    load_deck(folder, keep=True)
    photograph(folder, "red-1", grey=70)
    load_deck(folder, keep=True)
    assert len(lessons) == 2
    load_deck(folder, replace(LAYOUT, tags=()), keep=True)
    assert len(lessons) == 3
    monkeypatch.setattr(learnt, "_program", lambda: "another")
    load_deck(folder, replace(LAYOUT, tags=()), keep=True)
    assert len(lessons) == 4


def test_a_look_without_a_table_and_an_evening_on_one_do_not_make_each_other_learn_anew(
    folder: Path, lessons: list[Path]
) -> None:
    for layout in (LAYOUT, None, LAYOUT, None):
        load_deck(folder, layout, keep=True)
    assert len(lessons) == 2


@pytest.mark.parametrize("left", [0, 100, 5000])
def test_a_damaged_file_is_learnt_anew_and_written_again(
    folder: Path, lessons: list[Path], left: int
) -> None:
    first = load_deck(folder, keep=True)
    kept = folder / ".px.learnt.npz"
    kept.write_bytes(kept.read_bytes()[:left])
    assert same(load_deck(folder, keep=True), first)
    assert same(load_deck(folder, keep=True), first)
    assert len(lessons) == 2


def test_a_read_only_folder_stays_as_it_is_and_costs_no_second_lesson(
    folder: Path, lessons: list[Path], tmp_path: Path
) -> None:
    folder.chmod(0o555)
    try:
        first = load_deck(folder, keep=True)
        assert same(load_deck(folder, keep=True), first)
        assert lessons == [folder]
        assert not list(folder.glob(".*learnt*"))
    finally:
        folder.chmod(0o755)


def test_a_deck_plays_where_nothing_can_be_kept(
    folder: Path, lessons: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(folder / "red-1.jpg"))  # no folder can be made in a picture
    folder.chmod(0o555)
    try:
        assert load_deck(folder, keep=True).cards == load_deck(folder, keep=True).cards
        assert len(lessons) == 2
    finally:
        folder.chmod(0o755)


def test_a_saved_deck_that_was_cut_off_is_told_as_one(folder: Path, tmp_path: Path) -> None:
    load_deck(folder).save(tmp_path / "deck.npz")
    whole = (tmp_path / "deck.npz").read_bytes()
    (tmp_path / "deck.npz").write_bytes(whole[: len(whole) // 2])
    with pytest.raises(DeckError, match="not a saved deck"):
        load_deck(tmp_path / "deck.npz")
