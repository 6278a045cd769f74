"""`calibrate`: the lens from pictures of our own printed sheet, seen through a lens that the test knows."""

from __future__ import annotations

import functools
import json
import tomllib
from pathlib import Path

import cv2
import numpy as np
import pytest

from table.cli import main
from table.printables import plan_mat, render, table_file
from table.printables.pieces import calibration_sheet
from table.settings import read_table
from tests.shared import FOOTAGE, needs

SIZE = (960, 540)
FOCAL = 912.0
SCALE = 4.0
MATRIX = np.array([[FOCAL, 0, 484.0], [0, FOCAL, 266.0], [0, 0, 1]])
BEND = np.array([-0.16, 0.04, 0.0008, -0.0006, 0.0])
TURNS = ((0, 0), (32, 8), (-30, -12), (10, 33), (-8, -34), (26, -25), (-24, 24))


@functools.cache
def printed() -> np.ndarray:
    return cv2.GaussianBlur(render(calibration_sheet(), SCALE), (0, 0), 1.2)


def seen(turn_deg: tuple[float, float], size: tuple[int, int] = SIZE, far_mm: float = 330) -> np.ndarray:
    """Our sheet, tilted about x and y, as a lens of `MATRIX` and `BEND` shows it, with some noise."""
    scale, sheet = SCALE, printed()
    xs, ys = np.meshgrid(np.arange(size[0]), np.arange(size[1]))
    pixels = np.column_stack([xs.ravel(), ys.ravel()]).astype(np.float64)
    flat = cv2.undistortPoints(pixels.reshape(-1, 1, 2), MATRIX, BEND).reshape(-1, 2)
    rays = np.column_stack([flat, np.ones(len(flat))])
    across, _ = cv2.Rodrigues(np.radians([turn_deg[0], 0, 4.0]))
    along, _ = cv2.Rodrigues(np.radians([0, turn_deg[1], 0]))
    turn = across @ along @ np.diag([1.0, -1.0, -1.0])
    shift = np.array([turn_deg[1] * 1.5, turn_deg[0] * -0.8, far_mm])
    normal = turn[:, 2]
    hit = rays * ((normal @ shift) / (rays @ normal))[:, None]
    on = (hit - shift) @ turn
    h, w = sheet.shape[:2]
    to_x = ((on[:, 0] * scale) + w / 2 - 0.5).reshape(size[::-1]).astype(np.float32)
    to_y = (h / 2 - 0.5 - on[:, 1] * scale).reshape(size[::-1]).astype(np.float32)
    picture = cv2.remap(sheet, to_x, to_y, cv2.INTER_LINEAR, borderValue=(70, 80, 90))
    noise = np.random.default_rng(round(abs(turn_deg[0]) * 100 + abs(turn_deg[1]))).normal(
        0, 2, picture.shape
    )
    return np.clip(picture * 0.8 + 15 + noise, 0, 255).astype(np.uint8)


@pytest.fixture(scope="module")
def pictures(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    folder = tmp_path_factory.mktemp("sheets")
    files = []
    for i, turn in enumerate(TURNS):
        files.append(str(folder / f"{i:02}.png"))
        cv2.imwrite(files[-1], seen(turn))
    return files


def refused(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> str:
    assert main(["calibrate", *arguments]) == 1
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    return said


def test_the_lens_is_measured_to_half_a_percent_with_our_own_sheet(
    pictures: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["calibrate", *pictures, "--json"]) == 0
    lens = json.loads(capsys.readouterr().out)
    assert lens["pictures"] == len(TURNS)
    assert lens["f_px"] == pytest.approx(FOCAL, rel=0.005)
    assert lens["center_px"] == pytest.approx(MATRIX[:2, 2], abs=4)
    assert lens["distortion"][0] == pytest.approx(BEND[0], abs=0.02)
    assert lens["error_px"] < 0.3
    assert lens["error_mm"] == pytest.approx(lens["error_px"] * 950 / lens["f_px"], abs=1e-3)


def test_the_camera_is_written_into_a_table_file_and_the_rest_stays(
    pictures: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table = tmp_path / "table.toml"
    text = table_file(plan_mat(4, "A3"))
    old = "\n[camera]  # the old one\n# hung on a rope\nf_px = 700\ndistortion = [\n  0.1,\n]\n[board]\n"
    table.write_text(text + old, "utf-8")
    assert main(["calibrate", *pictures, "--out", str(table)]) == 0
    written = table.read_text("utf-8")
    assert written.startswith(text)
    assert "# hung on a rope" in written
    camera = read_table(table).layout.camera
    assert camera is not None
    assert camera.f_px == pytest.approx(FOCAL, rel=0.005)
    assert len(camera.distortion) == 5
    assert "mm on a mat" in capsys.readouterr().out
    assert main(["calibrate", *pictures, "--out", str(table)]) == 0
    assert table.read_text("utf-8") == written


def test_without_a_table_file_one_is_begun(pictures: list[str], tmp_path: Path) -> None:
    out = tmp_path / "lens.toml"
    assert main(["calibrate", *pictures, "--out", str(out)]) == 0
    assert list(tomllib.loads(out.read_text("utf-8"))) == ["camera"]
    assert main(["calibrate", *pictures[:-1], "--out", str(out)]) == 0, "with better pictures, once more"


def test_too_few_pictures_are_refused(pictures: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert "in 3 pictures, at least 4" in refused(pictures[:3], capsys)


def test_pictures_from_one_angle_are_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    files = []
    for i, far in enumerate((300, 330, 360, 400, 450)):
        files.append(str(tmp_path / f"{i}.png"))
        cv2.imwrite(files[-1], seen((1, -1), far_mm=far))
    assert "tilt the sheet" in refused(files, capsys)


def test_pictures_of_two_sizes_are_refused(
    pictures: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    other = tmp_path / "wide.png"
    cv2.imwrite(str(other), seen((5, 5), (960, 600)))
    assert "960×600" in refused([*pictures, str(other)], capsys)


def test_a_picture_without_the_sheet_is_named_and_left_out(
    pictures: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    other = tmp_path / "cat.png"
    cv2.imwrite(str(other), np.full((*SIZE[::-1], 3), 90, np.uint8))
    assert "no picture shows a ChArUco sheet of 9x6" in refused([str(other), "--json"], capsys)
    assert main(["calibrate", *pictures, str(other)]) == 0
    assert "cat.png: the sheet is not seen well enough" in capsys.readouterr().out


def test_a_sheet_that_cannot_be_is_refused(pictures: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert "smaller than its square" in refused([*pictures, "--marker", "30"], capsys)


def test_a_dictionary_that_opencv_does_not_have_is_refused_with_all_that_it_has(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with pytest.raises(SystemExit) as end:
        main(["calibrate", "none.jpg", "--dictionary", "FOO"])
    assert end.value.code == 2
    said = capsys.readouterr().err
    assert "'FOO' is not a dictionary of ArUco markers; choose one of DICT_4X4_100, " in said
    assert "DICT_APRILTAG_36H11" in said


@needs("footage/dev-doko-lens/calib")
def test_a_cheap_webcam_is_measured_to_half_a_percent(capsys: pytest.CaptureFixture[str]) -> None:
    pictures = FOOTAGE / "dev-doko-lens/calib"
    truth = json.loads((pictures / "truth.json").read_text())
    assert main(["calibrate", str(pictures), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["f_px"] == pytest.approx(truth["f_px"], rel=0.005)


def test_a_sheet_that_was_only_in_the_middle_measures_no_lens(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Beyond the middle the lens would fit noise: a small residual, but a mat that is centimetres off."""
    files = []
    for i, turn in enumerate(TURNS):
        files.append(str(tmp_path / f"{i}.png"))
        cv2.imwrite(files[-1], seen(turn, far_mm=700))
    assert "hold the sheet there" in refused(files, capsys)


def test_squeezed_pictures_are_told_from_such_of_one_angle(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files = []
    for i, turn in enumerate(TURNS):
        files.append(str(tmp_path / f"{i}.png"))
        cv2.imwrite(files[-1], cv2.resize(seen(turn), (720, 540), interpolation=cv2.INTER_AREA))
    assert "a pixel is 1.33 times as wide as high" in refused(files, capsys)


def test_a_picture_that_is_given_twice_counts_once(
    pictures: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    copy = tmp_path / "copy.jpg"
    cv2.imwrite(str(copy), seen(TURNS[0]))
    assert "in 3 pictures, at least 4" in refused([*pictures[:3], str(copy), *pictures[:3]], capsys)
    assert main(["calibrate", *pictures, str(copy), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["pictures"] == len(TURNS)
    assert told["left_out"] == [
        {"picture": str(copy), "why": "shows the sheet in the same place as another picture"}
    ]
    assert told["reach"] == pytest.approx(0.75, abs=0.02)
