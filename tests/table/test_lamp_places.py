"""Where the camera saw the lamps: the doctor compares that with the seats, and a picture shows it."""

from __future__ import annotations

import shutil
from pathlib import Path
from xml.etree import ElementTree

import pytest

from table.checkup.lamps import placed
from table.cli import main
from table.settings import read_table
from vision.layout import Point

MAT = Path(__file__).parents[2] / "hardware" / "tables" / "mat-2-A3.toml"


def table_with(path: Path, *places: Point | None) -> Path:
    """A mat for two with the lamps S1 turn, S2 turn and doubt."""
    shutil.copy(MAT, path)
    said = path.read_text(encoding="utf-8")
    for index, (shows, place) in enumerate(
        zip(('turn"\nseat="S1', 'turn"\nseat="S2', "doubt"), places, strict=True)
    ):
        said += f'\n[[lamp]]\nindex = {index}\nshows = "{shows}"\n'
        said += f"place = [{place[0]}, {place[1]}]\n" if place else ""
    path.write_text(said, encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("places", "said"),
    [
        ([(0, -120), (0, 120), (150, 0)], ["3 are in their places"]),
        (
            [(0, 120), (0, -120), (150, 0)],
            ["lamp 0 (S1 turn) is at seat S2", "lamp 1 (S2 turn) is at seat S1"],
        ),
        ([(0, -120), (0, 120), (1, 120)], ["lamps 1 and 2 are in the same place"]),
        ([(0, -120), None, (150, 0)], ["1 of 3 have not been seen"]),
        ([None, None, None], ["the places of the 3 lamps have not been checked yet"]),
    ],
)
def test_the_doctor_says_which_lamps_hang_wrong(
    tmp_path: Path, places: list[Point | None], said: list[str]
) -> None:
    found = list(placed(read_table(table_with(tmp_path / "table.toml", *places))))
    assert [str(line.said) for line in found] == said


def test_a_chain_that_hangs_turned_is_not_told_lamp_by_lamp(tmp_path: Path) -> None:
    file = table_with(tmp_path / "table.toml", *[(0, 120), (0, -120), (150, 0)])
    for index in range(3, 9):
        seat, y = ("S1", 120) if index % 2 else ("S2", -120)
        lamp = (
            f'\n[[lamp]]\nindex = {index}\nshows = "finding"\nseat = "{seat}"\nplace = [{9 * index}, {y}]\n'
        )
        file.write_text(file.read_text() + lamp)
    found = list(placed(read_table(file)))
    assert len(found) == 4
    assert str(found[-1].said) == "other misplaced lamps: 5; does the chain start elsewhere?"


def test_lamps_are_drawn_where_they_hang(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = table_with(tmp_path / "table.toml", (0, -120), (0, 120), None)
    assert main(["board", "lamps", "--table", str(file), "--svg", str(tmp_path / "map.svg")]) == 0
    drawn = ElementTree.parse(tmp_path / "map.svg").getroot()
    lamps = [
        (float(one.get("cx", 0)), float(one.get("cy", 0))) for one in drawn if one.tag.endswith("circle")
    ]
    assert lamps == [(0, 120), (0, -120)], "y goes down in a picture"
    words = [one.text for one in drawn if one.tag.endswith("text")]
    assert {"S1", "S2", "S1 turn", "2 doubt: not seen yet"} <= set(words)
    assert main(["board", "lamps", "--table", str(file), "--svg", str(tmp_path / "no" / "map.svg")]) == 1
    assert "map.svg: no such file or directory; give another --svg" in capsys.readouterr().err
