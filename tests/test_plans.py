"""`hardware/plans`: the parts list, drawings and printed parts agree with table files and firmware."""

from __future__ import annotations

import re
import runpy
import shutil
import subprocess
import xml.etree.ElementTree as ElementTree
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from firmware_bridge.lamps import CHANNEL_MA, IDLE_MA, current_ma
from firmware_bridge.link import BUDGET_MA
from table.settings import read_table
from vision.arrays import Float64
from vision.geometry import USUAL_FOCAL

HARDWARE = Path(__file__).parents[1] / "hardware"
PLANS = HARDWARE / "plans"
MADE = runpy.run_path(str(PLANS / "plans.py"))
PARTS, TABLE = MADE["load"]()
SIZES = MADE["sizes"](PARTS, TABLE)
TABLE_FILE = read_table(HARDWARE / "tables" / PARTS["table"])


def test_what_is_made_of_the_list_is_up_to_date() -> None:
    old = [path.name for path, text in MADE["files"]().items() if path.read_text() != text]
    assert not old, "make -C hardware/plans"


def test_lamps_and_supply_are_those_of_the_table_file() -> None:
    assert SIZES["lamps"] == TABLE_FILE.lamps.count
    at_a_seat = [lamp for lamp in TABLE_FILE.lamps.lamps if lamp.seat == "S1"]
    assert PARTS["holder"]["lamps"] == len(at_a_seat)
    (supply,) = (part for part in PARTS["part"] if "amps" in part)
    assert 1000 * supply["amps"] == TABLE_FILE.lamps.limit_ma == BUDGET_MA


def test_the_wiring_tells_of_each_lamp_of_the_chain_where_it_lies_and_what_it_shows() -> None:
    text = (HARDWARE / "board" / "README.md").read_text("utf-8")
    told: list[tuple[int, str, str]] = []
    same = ""
    for lamps, place, shows in re.findall(r"^  \| (\d[^|]*) \| ([^|]+) \| ([^|]+) \|$", text, re.M):
        first, last = (int(number) for number in re.findall(r"\d+", lamps))
        same = same if shows == "the same" else shows
        told += zip(range(first, last + 1), [place] * 9, same.split(", "), strict=False)
    known = [(lamp.index, lamp.seat, lamp.character or lamp.shows) for lamp in TABLE_FILE.lamps.lamps]
    assert told == [(at, seat or "where everybody sees them", shows) for at, seat, shows in known]


def test_the_supply_bears_all_lamps_in_full_white_as_its_note_says() -> None:
    (supply,) = (part for part in PARTS["part"] if "amps" in part)
    white_a = current_ma([(255, 255, 255)] * int(SIZES["lamps"])) / 1000
    assert f"full white draw {white_a:.2f} A" in supply["note"]
    assert white_a <= supply["amps"]


def test_firmware_and_house_reckon_with_the_same_current_of_a_lamp() -> None:
    times = (HARDWARE / "core" / "times.h").read_text()
    assert {name: float(ma) for name, ma in re.findall(r"#define (\w+_MA) +(\d+)", times)} == {
        "CHANNEL_MA": CHANNEL_MA,
        "IDLE_MA": IDLE_MA,
    }


def test_a_usual_camera_sees_the_whole_mat_from_the_height_that_is_drawn() -> None:
    width, height = TABLE_FILE.layout.size_mm
    seen = PARTS["camera"]["least"] / USUAL_FOCAL
    assert seen > width
    assert seen * 9 / 16 > height


def test_lamp_holders_lie_before_their_seats_and_reach_round_no_corner() -> None:
    width, height = TABLE_FILE.layout.size_mm
    for seat in TABLE_FILE.layout.seats:
        x, y = seat.enters_from_mm
        room = height / 2 - abs(y) if abs(x) > abs(y) else width / 2 - abs(x)
        assert SIZES["holder"] / 2 < room


def test_the_wiring_uses_the_firmwares_pins() -> None:
    config = (HARDWARE / "board" / "config.h").read_text()
    lamp, first, mask = (
        re.search(rf"#define {name} +(?:PD)?(\w+)", config)
        for name in ("LAMP_BIT", "BUTTON_SHIFT", "BUTTON_MASK")
    )
    assert lamp
    assert first
    assert mask
    buttons = [f"D{int(first[1]) + bit}" for bit in range(int(mask[1], 16).bit_length())]
    (nano,) = (box for box in PARTS["box"] if box["id"] == "nano")
    assert nano["right"] == [f"D{lamp[1]}", "GND", *buttons]


def test_every_wire_ends_at_pins_and_every_pin_has_a_wire() -> None:
    pins = {
        f"{box['id']}.{pin}"
        for box in PARTS["box"]
        for side in ("left", "right")
        for pin in box.get(side, ())
    }
    assert pins == {wire[end] for wire in PARTS["wire"] for end in ("from", "to")}


@pytest.mark.parametrize("name", ["wiring", "table", "camera"])
def test_a_drawing_is_small_and_whole(name: str) -> None:
    text = (PLANS / f"{name}.svg").read_text()
    assert len(text) < 20_000
    root = ElementTree.fromstring(text)
    _, _, width, height = map(float, root.attrib["viewBox"].split())
    for words in root.iter("{http://www.w3.org/2000/svg}text"):
        assert 0 <= float(words.attrib["x"]) <= width
        assert 0 <= float(words.attrib["y"]) <= height


def _printed(tmp_path: Path, source: str, *options: str) -> Float64:
    """Render a part to STL; return its triangles (n, 3, 3) in millimetres."""
    if shutil.which("openscad") is None:
        pytest.skip("no openscad: apt install openscad")
    out = tmp_path / "part.stl"
    command = ["openscad", "--hardwarnings", *options, "-o", str(out), str(PLANS / source)]
    subprocess.run(command, check=True, capture_output=True)
    found = re.findall(r"vertex (\S+) (\S+) (\S+)", out.read_text())
    return np.array(found, dtype=float).reshape(-1, 3, 3)


def _sizes(triangles: Float64) -> list[float]:
    corners = triangles.reshape(-1, 3)
    return list(np.ptp(corners, axis=0))


def _solid_cm3(triangles: Float64) -> float:
    """Volume in cm³ that the surface encloses."""
    a, b, c = triangles.transpose(1, 0, 2)
    return float(np.einsum("ij,ij->i", a, np.cross(b, c)).sum() / 6000)


def test_the_lamp_holder_is_as_long_as_its_lamps_need(tmp_path: Path) -> None:
    length, *_ = _sizes(_printed(tmp_path, "lamp_holder.scad"))
    assert length == pytest.approx(SIZES["holder"], abs=0.01)
    last = (PARTS["holder"]["lamps"] - 1) * PARTS["holder"]["pitch"]
    assert length > last + PARTS["holder"]["window"]


@pytest.mark.parametrize("part", ["foot", "elbow", "head"])
def test_a_part_of_the_arm_is_printed_as_it_is_drawn(tmp_path: Path, part: str) -> None:
    arm: dict[str, Any] = PARTS["arm"]
    outer = arm["tube"] + 0.4 + 2 * arm["wall"]
    x, y, z = _sizes(_printed(tmp_path, "camera_arm.scad", "-D", f'part="{part}"'))
    clamped = outer + arm["boss"]
    wanted = {
        "foot": (arm["foot"], arm["foot"], arm["socket"]),
        "elbow": (arm["socket"] + clamped - outer / 2, outer, arm["socket"] + clamped),
        "head": (arm["plate"], clamped, arm["socket"]),
    }
    assert (x, y, z) == pytest.approx(wanted[part], abs=0.2)


def test_the_camera_s_screw_finds_room_behind_the_head(tmp_path: Path) -> None:
    with pytest.raises(subprocess.CalledProcessError) as nothing:
        _printed(tmp_path, "camera_arm.scad", "-D", 'part="in the screw\'s way"')
    assert b"object is empty" in nothing.value.stderr


def test_every_clamp_has_a_screw_that_reaches_the_tube_and_a_nut() -> None:
    arm: dict[str, Any] = PARTS["arm"]
    (screws,) = (part["name"] for part in PARTS["part"] if part["name"].startswith("screws"))
    listed = re.search(r"(\d) M4×(\d+) with nuts", screws)
    assert listed is not None
    drawn = (PLANS / "camera_arm.scad").read_text().split("module foot()")[1]
    assert int(listed[1]) == drawn.count("clamp();") + drawn.count("sleeve(")
    assert int(listed[2]) > arm["wall"] + arm["boss"] + 0.2, "through the wall and on to the tube"


def test_the_list_says_how_much_plastic_is_printed(tmp_path: Path) -> None:
    arm = [
        _printed(tmp_path, "camera_arm.scad", "-D", f'part="{part}"') for part in ("foot", "elbow", "head")
    ]
    holder = _printed(tmp_path, "lamp_holder.scad")
    solid = sum(map(_solid_cm3, arm)) + SIZES["seats"] * _solid_cm3(holder)
    (note,) = (part["note"] for part in PARTS["part"] if part["name"].startswith("printed parts"))
    assert note == f"{solid:.0f} cm³ of plastic when solid"


def test_every_part_has_a_price_and_a_use() -> None:
    assert all(part["euro"] > 0 and part["for"] for part in PARTS["part"])
    assert "November 2026" in (HARDWARE / "README.md").read_text()
