"""`watch` and `look` as people and programs call them; on shared footage if it lies beside the project."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from table.cli import main
from table.cli.event_words import in_words as human
from table.cli.event_words import sums_in_words
from table.rules.events import Event
from table.settings import read_table
from tests.shared import FOOTAGE, needs
from vision.geometry import register

DUBBE = FOOTAGE / "dev-dubbe4"
needs_footage = needs("footage/dev-dubbe4")


def rows(text: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in text.splitlines()]


def cut(source: Path, out: Path, seconds: float) -> Path:
    """The first seconds of a clip."""
    film = cv2.VideoCapture(str(source))
    writer = cv2.VideoWriter(str(out), cv2.VideoWriter.fourcc(*"MJPG"), 15, (1280, 720))
    writer.set(cv2.VIDEOWRITER_PROP_QUALITY, 95)
    for _ in range(round(seconds * 15)):
        writer.write(film.read()[1])
    writer.release()
    return out


@needs_footage
def test_the_first_trick_of_dubbe_from_film_to_log(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    film = cut(DUBBE / "clip.mp4", tmp_path / "start.avi", 12.5)
    words = ["--table", str(DUBBE / "table.toml"), "--deck", str(DUBBE / "deck"), "--json", "--stats"]
    words += ["--game", str(DUBBE / "game.jsonl"), "--events", str(tmp_path / "out.jsonl")]
    status = main(["watch", str(film), *words])
    out, complaint = capsys.readouterr()
    assert (status, complaint) == (0, "")
    told = rows(out)
    assert [(e["seat"], e["card"]) for e in told if e.get("kind") == "card"] == [
        ("S4", "yellow-8"), ("S1", "yellow-10"), ("S2", "yellow-9"), ("S3", "yellow-5")
    ]  # fmt: skip
    assert [e["seat"] for e in told if e.get("kind") == "collected"] == ["S1"]
    assert ("red", 1, "aagewwer") in [
        (e["colour"], e["value"], e["spot"]) for e in told if e.get("kind") == "die"
    ]
    assert [e["kind"] for e in told[:2]] == ["game", "round"]
    assert told[-2]["game"] == "dubbe"
    assert told[-1]["frames"] == 188
    assert rows((tmp_path / "out.jsonl").read_text()) == told[:-2]
    (tmp_path / "log.jsonl").write_text("\n".join(json.dumps(e) for e in told[:-2]))
    assert main(["replay", str(tmp_path / "log.jsonl"), "--json"]) == 0
    assert rows(capsys.readouterr().out)[-1]["points"] == told[-2]["points"]


@needs_footage
def test_the_trace_of_a_film_lists_the_card_that_nobody_saw(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """While S1 lays its card, the film shows the bare mat."""
    table = read_table(DUBBE / "table.toml").layout
    bright = cv2.VideoCapture(str(DUBBE / "clip.mp4"))
    film = cv2.VideoWriter(str(tmp_path / "hidden.avi"), cv2.VideoWriter.fourcc(*"MJPG"), 15, (1280, 720))
    bare: Any = bright.read()[1]
    zone = next(seat.zone_mm for seat in table.seats if seat.name == "S1")
    there = np.zeros(bare.shape[:2], np.uint8)
    cv2.fillPoly(there, [np.asarray(register(bare, table).to_px(zone), np.int32)], 1)
    for _ in range(16 * 15):
        picture: Any = bright.read()[1]
        picture[there > 0] = bare[there > 0]
        film.write(picture)
    film.release()
    words = ["--table", str(DUBBE / "table.toml"), "--deck", str(DUBBE / "deck")]
    words += ["--game", str(DUBBE / "game.jsonl"), "--trace", str(tmp_path / "why")]
    assert main(["watch", str(tmp_path / "hidden.avi"), *words]) == 0
    assert "S1 played a card that was not seen" in capsys.readouterr().out
    page = (tmp_path / "why" / "index.html").read_text()
    assert re.search("class=missed>.* S1 played a card that was not seen[:;].* proposed", page)


@needs_footage
def test_lights_off_over_a_finished_trick_take_nothing_and_are_written_with_their_end(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """It is dark for two seconds from 7.9 s, and a hand is on the lens when the film ends."""
    bright = cv2.VideoCapture(str(cut(DUBBE / "clip.mp4", tmp_path / "bright.avi", 12.9)))
    film = cv2.VideoWriter(str(tmp_path / "dark.avi"), cv2.VideoWriter.fourcc(*"MJPG"), 15, (1280, 720))
    chance = np.random.default_rng(3)
    for number in range(193):
        picture: Any = bright.read()[1]
        if 7.9 * 15 <= number < 9.9 * 15:
            picture = picture * 0.05 + chance.normal(0, 2.0, picture.shape)
        elif number >= 12.2 * 15:
            picture = np.full(picture.shape, (118, 146, 196)) + chance.normal(0, 2.0, picture.shape)
        film.write(np.clip(picture, 0, 255).astype(np.uint8))
    film.release()
    words = ["--table", str(DUBBE / "table.toml"), "--deck", str(DUBBE / "deck"), "--json"]
    words += ["--game", str(DUBBE / "game.jsonl")]
    assert main(["watch", str(tmp_path / "dark.avi"), *words]) == 0
    told = rows(capsys.readouterr().out)
    assert [e["card"] for e in told if e.get("kind") == "card"] == [
        "yellow-8", "yellow-10", "yellow-9", "yellow-5"
    ]  # fmt: skip
    assert [e["seat"] for e in told if e.get("kind") == "collected"] == ["S1"]
    dark, covered = (e for e in told if e.get("kind") == "blind")
    assert (dark["why"], covered["why"]) == ("dark", "covered")
    assert (dark["t"], dark["until"]) == (pytest.approx(7.9, abs=0.1), pytest.approx(9.9, abs=0.4))
    assert "until" not in covered
    assert told[-1]["findings"] == []


@needs_footage
def test_a_still_names_its_card_in_millimetres(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    deck = tmp_path / "deck"
    deck.mkdir()
    for name in ("yellow-8", "yellow-9", "red-5"):
        (deck / f"{name}.jpg").write_bytes((DUBBE / "deck" / f"{name}.jpg").read_bytes())
    still = str(DUBBE / "deck" / "red-5.jpg")
    assert main(["look", still, "--table", str(DUBBE / "table.toml"), "--deck", str(deck), "--json"]) == 0
    (told,) = rows(capsys.readouterr().out)
    (card,) = told["cards"]
    assert card["card"] == "red-5"
    assert np.abs(np.mean(card["corners"], axis=0)).max() < 60


@pytest.mark.parametrize(
    ("words", "status", "says"),
    [
        (["watch", "nowhere.mp4"], 1, "no such film or folder"),
        (["watch", "nowhere.mp4", "--table", "no.toml"], 1, "no.toml"),
        (["watch", "nowhere.mp4", "--game", "no.jsonl"], 1, "no.jsonl"),
        (["look", "nowhere.jpg"], 1, "nowhere.jpg: no such file or directory; give a JPEG"),
        (["enrol", "nowhere"], 1, "there is no such deck"),
    ],
)
def test_what_is_not_there_is_named_in_one_sentence(
    words: list[str], status: int, says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(words) == status
    complaint = capsys.readouterr().err
    assert says in complaint
    assert complaint.count("\n") == 1


def test_lines_without_a_game_are_refused_before_anything_is_watched(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = tmp_path / "game.jsonl"
    lines.write_text('{"kind": "say", "seat": "S1", "what": "re", "t": 3.0}\n')
    assert main(["watch", "nowhere.mp4", "--game", str(lines)]) == 1
    assert f"{lines}: there is no game in it" in capsys.readouterr().err


def test_a_film_without_tags_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    table = tmp_path / "table.toml"
    tags = "".join(
        f"[[tag]]\nid = {i}\ncenter = [{x}, 165]\nsize = 36\n" for i, x in enumerate((-300, 0, 300))
    )
    table.write_text("[mat]\nsize = [680, 380]\n" + tags)
    for number in range(3):
        cv2.imwrite(str(tmp_path / f"{number}.png"), np.full((72, 128, 3), 90, np.uint8))
    assert main(["watch", str(tmp_path), "--table", str(table)]) == 1
    assert "too few of the table's tags" in capsys.readouterr().err


def test_no_file_that_is_read_is_written_over(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    film, game = tmp_path / "film.mp4", tmp_path / "game.jsonl"
    film.write_bytes(b"film")
    game.write_text('{"kind": "game", "game": "nonsense"}\n')
    assert main(["watch", str(film), "--events", str(film)]) == 2
    assert "that file is read here" in capsys.readouterr().err
    assert film.read_bytes() == b"film"
    cv2.imwrite(str(tmp_path / "0.png"), np.full((72, 128, 3), 90, np.uint8))
    kept = tmp_path / "kept.jsonl"
    kept.write_text("an old evening")
    cards = tmp_path / "cards"
    assert main(["watch", str(tmp_path), "--deck", str(cards), "--events", str(kept)]) == 1
    assert main(["watch", str(tmp_path), "--game", str(game), "--events", str(kept)]) == 1
    assert kept.read_text() == "an old evening", "a mistake found before the first frame costs nothing"


BOX = FOOTAGE / "dev-doppelx3"


@needs("footage/dev-doppelx3")
def test_the_first_throws_into_a_box_from_film_to_points(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """X-06, X-08, X-23: the opening throw, a bet, the first player's throw; points after each."""
    film = cut(BOX / "clip.mp4", tmp_path / "start.avi", 9.6)
    words = ["--table", str(BOX / "table.toml"), "--dice", str(BOX / "enrol"), "--json", "--stats"]
    status = main(["watch", str(film), *words, "--game", str(BOX / "game.jsonl")])
    out, complaint = capsys.readouterr()
    assert (status, complaint) == (0, "")
    told = rows(out)
    throws = [e for e in told if e.get("kind") == "throw"]
    truth = [e for e in rows((BOX / "truth.jsonl").read_text()) if e["kind"] == "throw"][:2]
    assert [(e["player"], e["points"]) for e in throws] == [(e["player"], e["scores"]) for e in truth]
    for mine, true in zip(throws, truth, strict=True):
        on_field = [
            {(d["colour"], d["face"], d["counts_as"]) for d in e["dice"] if d["where"] == "field"}
            for e in (mine, true)
        ]
        assert on_field[0] == on_field[1]
    assert [d["where"] for d in throws[1]["dice"] if d["colour"] == "green"] == ["bet:C"]
    assert told[-2]["finished"] is False
    (tmp_path / "log.jsonl").write_text("\n".join(json.dumps(e) for e in told[:-2]))
    assert main(["replay", str(tmp_path / "log.jsonl"), "--json"]) == 0
    assert rows(capsys.readouterr().out)[-1]["points"] == told[-2]["points"]


def test_a_box_without_its_dice_is_told_what_to_give(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table = tmp_path / "box.toml"
    places = enumerate(([-165, 0, 46], [0, 165, 46], [165, 0, 46]), 10)
    tags = "".join(f"[[tag]]\nid = {i}\ncenter = {at}\nsize = 24\n" for i, at in places)
    table.write_text(f"[field]\nsize = [280, 280]\n{tags}")
    cv2.imwrite(str(tmp_path / "0.png"), np.full((72, 128, 3), 90, np.uint8))
    assert main(["watch", str(tmp_path), "--table", str(table)]) == 2
    assert "--dice" in capsys.readouterr().err


def test_a_throw_is_told_to_people_die_by_die() -> None:
    dice = [
        {"colour": "blue", "face": "3", "where": "field", "counts_as": "2x", "doubt": ["line"]},
        {"colour": "white", "face": None, "where": "outside"},
    ]
    throw = {"kind": "throw", "t": 8.6, "player": "blue", "dice": dice, "points": {"blue": 9}}
    assert (
        human(Event.from_dict(throw))
        == "    8.60 s  blue throws: blue 3 on 2x (line in doubt), white ? outside; points: blue 9"
    )
    assert human(Event("throw", {"dice": []})).strip() == "thrown: nothing in view"
    in_pixels = {"colour": "red", "face": "4", "where": None, "counts_as": None}
    assert human(Event("throw", {"dice": [in_pixels]})).strip() == "thrown: red 4"


def test_a_film_in_which_nothing_is_seen_says_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    cv2.imwrite(str(tmp_path / "empty.png"), np.full((240, 320, 3), 90, np.uint8))
    assert main(["watch", str(tmp_path)]) == 0
    assert "nothing was seen" in capsys.readouterr().err
    assert main(["watch", str(tmp_path), "--json"]) == 0
    assert capsys.readouterr().out == ""


def test_the_result_is_told_in_words_and_not_in_brackets() -> None:
    assert (
        sums_in_words({"points": {"S1": -3, "S2": 3}, "winners": ["S2"]})
        == "points: S1 -3, S2 3; winners: S2"
    )
    assert sums_in_words({"points": {}, "winners": []}) == "points: ; winners: none"
    assert sums_in_words({"frames": 3, "idle_ms": None}) == "frames: 3; idle_ms: None"
