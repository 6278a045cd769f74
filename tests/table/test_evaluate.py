"""`stammtisch evaluate`: figures for the eye on labelled pictures, and the effect of a threshold."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import cv2
import numpy as np
import pytest

from table.cli import evaluate, main
from table.cli.evaluate_plot import plot_sets, plot_sweep
from table.cli.evaluate_sets import WHOLE, Portion, evaluate_set
from table.cli.evaluate_stage import sweep_stage
from tests.vision.evening import DAYLIGHT, Evening
from vision.cards.parameters import FACE, STILL_CARD
from vision.evaluate.stages import fingerprint, threshold_named, thresholds
from vision.evaluate.swept import COUNTS, Swept, read_swept
from vision.synthetic.scene import Scene
from vision.synthetic.shapes import DieLying, six_sided


@pytest.fixture(scope="module")
def dice(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A cut from a drawn table with a three and a five; the five is labelled as a four, a human error."""
    folder = tmp_path_factory.mktemp("sets") / "two-dice"
    folder.mkdir()
    white, ink = (235, 235, 235), (20, 20, 20)
    lying = {3: (-40.0, 20.0), 5: (30.0, -10.0)}
    painter = Evening().painter
    scene = Scene(
        (),
        tuple(DieLying(str(v), at, 15.0, white, ink, sides=six_sided(v)) for v, at in lying.items()),
        light=DAYLIGHT,
    )
    places = {v: painter.to_px([at], 16.0)[0] for v, at in lying.items()}
    x0, y0 = (int(min(p[i] for p in places.values()) - 90) for i in (0, 1))
    x1, y1 = (int(max(p[i] for p in places.values()) + 90) for i in (0, 1))
    cv2.imwrite(str(folder / "a.png"), painter.render(scene, seed=1)[y0:y1, x0:x1])
    labels = [
        {"value": 4 if v == 5 else v, "box": [x - x0 - 14, y - y0 - 14, x - x0 + 14, y - y0 + 14]}
        for v, (x, y) in places.items()
    ]
    (folder / "labels.json").write_text(json.dumps([{"image": "a.png", "dice": labels}]))
    return folder


@pytest.fixture
def said(dice: Path, capsys: pytest.CaptureFixture[str]) -> dict[str, object]:
    assert main(["evaluate", str(dice), "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def test_it_counts_what_agrees_with_the_labels_and_what_was_taken_for_what(said: dict[str, object]) -> None:
    (told,) = said["sets"]  # type: ignore[misc]
    assert told["set"] == "two-dice", "no path of this machine"
    die = told["things"]["die"]
    assert (die["labels"], die["right"], die["wrong"], die["invented"]) == (2, 1, 1, 0)
    assert die["confusion"] == {"4>5": 1}
    assert told["seconds"] > 0
    assert said["parameters"] == fingerprint()


def test_the_result_is_drawn(said: dict[str, object]) -> None:
    drawn = ElementTree.fromstring(plot_sets(said))
    assert len(drawn.findall(".//{*}rect")) == 1 + 2 + 5, "paper, right and wrong, five words"
    assert any("two-dice: die" in (text.text or "") for text in drawn.findall(".//{*}text"))


def test_each_value_of_a_sweep_holds_while_the_sets_are_looked_at(
    dice: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    held = []

    def look(folder: Path, part: Portion) -> dict[str, object]:
        held.append((folder.name, STILL_CARD.sure_likeness))
        return evaluate_set(folder, part)

    monkeypatch.setattr(evaluate, "evaluate_set", look)
    sweep = ["evaluate", str(dice), "--sweep", "still-card.sure_likeness", "--values", "0.6,0.9"]
    assert main([*sweep, "--json", "--svg", str(tmp_path / "sweep.svg")]) == 0
    assert held == [("two-dice", 0.6), ("two-dice", 0.72), ("two-dice", 0.9)]
    assert STILL_CARD.sure_likeness == 0.72
    told = json.loads(capsys.readouterr().out)
    assert [row["value"] for row in told["values"]] == [0.6, 0.72, 0.9]
    assert told["now"] == 0.72
    assert len(ElementTree.parse(tmp_path / "sweep.svg").getroot().findall(".//{*}polyline")) == 5
    assert plot_sweep(told) == (tmp_path / "sweep.svg").read_text()


def test_thresholds_are_listed_with_their_evidence(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["evaluate", "--thresholds"]) == 0
    listed = capsys.readouterr().out
    assert f"still-card.sure_likeness = {STILL_CARD.sure_likeness:g}, 0.5 to 0.95" in listed


@pytest.mark.parametrize(
    ("words", "why"),
    [
        ([], "at least one SET"),
        (["x", "--values", "1"], "--sweep"),
        (["x", "--sweep", "likeness"], "did you mean"),
        (["x", "--sweep", "die.round_off", "--values", "a"], "numbers"),
        (["x", "--sweep", "die.round_off", "--values", "9"], "die.round_off takes"),
        (["--thresholds", "--svg", "x.svg"], "leave out --svg"),
        (["--thresholds", "--values", "1"], "leave out --values"),
    ],
)
def test_wrong_use_is_said_in_one_sentence(
    words: list[str], why: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["evaluate", *words]) == 2
    assert why in capsys.readouterr().err


def test_a_folder_without_labels_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["evaluate", str(tmp_path)]) == 1
    assert "no labels" in capsys.readouterr().err


def test_a_file_given_as_a_set_is_called_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    picture = tmp_path / "picture.jpg"
    picture.write_bytes(b"")
    assert main(["evaluate", str(picture)]) == 1
    assert f"{picture}: this is a file" in capsys.readouterr().err


@pytest.mark.parametrize("sweep", [[], ["--sweep", "die.round_off"]])
def test_who_names_no_folder_hears_that_alone(sweep: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["evaluate", "nope", *sweep]) == 1
    said = capsys.readouterr()
    assert "nope: there is no such folder" in said.err
    assert said.out == ""


def test_a_stage_is_tried_at_the_values_beside_its_own_and_only_once(
    dice: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    record = tmp_path / "swept.json"
    sweep = ["evaluate", str(dice), "--first", "1", "--sweep", "face", "--keep", str(record)]
    assert main([*sweep, "--json"]) == 0
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [line["name"] for line in lines] == [t.name for t in thresholds() if t.name.startswith("face.")]
    assert lines[0]["sets"] == ["two-dice (1)"]
    assert lines[0]["now"]["right"] == 1
    assert set(lines[0]["tried"].values()) == {None}, "no card is there: nothing is told otherwise"
    assert [each.name for each in read_swept(record)] == sorted(line["name"] for line in lines)
    assert main(sweep) == 0
    assert "has all of them already" in capsys.readouterr().out


def test_what_was_kept_of_a_threshold_is_listed(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    now = dict.fromkeys(COUNTS, 0)
    kept = Swept("face.least_likeness", FACE.least_likeness, ("two-dice",), "2026-11-28", now, {"0.24": None})
    monkeypatch.setattr(evaluate, "read_swept", lambda: [kept])
    assert main(["evaluate", "--thresholds"]) == 0
    assert kept.sentence() in capsys.readouterr().out
    assert main(["evaluate", "--thresholds", "--json"]) == 0
    first = json.loads(capsys.readouterr().out)["thresholds"][0]
    assert (first["name"], first["swept"]) == ("face.least_likeness", [kept.sentence()])


def test_only_the_beginning_of_a_set_is_looked_at_where_that_is_asked(
    dice: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    parts = []
    monkeypatch.setattr(
        evaluate, "evaluate_set", lambda folder, part: parts.append(part) or evaluate_set(folder, part)
    )
    assert main(["evaluate", str(dice), "--first", "1", "--seconds", "5", "--json"]) == 0
    assert parts == [Portion(1, 5.0)]
    assert json.loads(capsys.readouterr().out)["sets"][0]["count"] == 1


def test_of_a_film_only_so_many_seconds_are_watched(tmp_path: Path) -> None:
    film = cv2.VideoWriter(str(tmp_path / "clip.avi"), cv2.VideoWriter.fourcc(*"MJPG"), 15, (320, 240))
    for number in range(30):
        film.write(np.full((240, 320, 3), 80 + number, np.uint8))
    film.release()
    (tmp_path / "truth.jsonl").write_text('{"kind": "card", "t": 0.5, "card": "CQ"}\n')
    assert evaluate_set(tmp_path)["count"] == 30
    told = evaluate_set(tmp_path, Portion(seconds=1.0))
    assert (told["count"], told["things"]["card"]["labels"]) == (16, 0), "told too late to be heard"


def test_a_value_that_changes_what_is_told_is_found(dice: Path) -> None:
    steep = replace(threshold_named("die-face.rim_step"), value=250.0)
    steep = replace(steep, note=replace(steep.note, high=1000.0))  # no die stands out that far
    (swept,) = sweep_stage([steep], [dice], WHOLE, jobs=2)
    assert list(swept.tried) == ["200", "312.5"]
    assert swept.costs("312.5") == {"right": -1, "wrong": -1, "missed": 2}, swept.sentence()
