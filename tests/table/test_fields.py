"""DoppelX fields: print, table file and zones agree; a field is traced from its picture (X-12 to X-16)."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import cv2
import numpy as np
import pytest

from table.cli import main
from table.printables import PrintError, render
from table.printables.drawing import Drawing
from table.printables.field_plan import FIELDS, FieldPlan, plan_field, plan_frame
from table.printables.fields import ZONE_INKS, draw_flat
from table.printables.marks import tag
from table.printables.tablefile import field_file
from table.settings import read_table
from tests.shared import FOOTAGE, needs
from vision.box.field import BETTER, Field
from vision.box.pose_fit import register_box
from vision.box.trace import KINDS, trace
from vision.geometry import register
from vision.layout import Layout, Point, Tag, Zone
from vision.tags import find_tags

SIZE = (1440, 1080)
MATRIX = np.array([[1180.0, 0, 719.5], [0, 1180.0, 539.5], [0, 0, 1]])
RED = (70, 12, 18)


def covered(zones: tuple[Zone, ...], kind: str, size_mm: Point, scale: float = 3) -> np.ndarray:
    """A mask of the zones of one kind."""
    w, h = size_mm
    mask = np.zeros((round(h * scale), round(w * scale)), bool)
    for zone in zones:
        if zone.kind == kind:
            points = np.array(
                [((x + w / 2) * scale - 0.5, (h / 2 - y) * scale - 0.5) for x, y in zone.polygon_mm]
            )
            one = np.zeros(mask.shape, np.uint8)
            cv2.fillPoly(one, [np.round(points * 16).astype(np.int32)], 1, shift=4)
            mask |= one > 0
    return mask


def alike(found: Layout, true: Layout) -> dict[str, float]:
    """Intersection over union for each kind of zone."""
    said = {}
    for kind in sorted({zone.kind for zone in true.zones}):
        a, b = (covered(layout.zones, kind, true.size_mm) for layout in (found, true))
        said[kind] = float((a & b).sum() / max(1, (a | b).sum()))
    return said


def pose() -> tuple[np.ndarray, np.ndarray]:
    """A camera 760 mm above the floor, not quite vertical; the field is turned a little."""
    turn, _ = cv2.Rodrigues(np.array([0.0, 0.0, 0.06]))
    lean, _ = cv2.Rodrigues(np.array([0.05, -0.03, 0.0]))
    rotation = lean @ np.diag([1.0, -1.0, -1.0]) @ turn
    return rotation, -rotation @ np.array([15.0, -28.0, 760.0])


def seen_at(points_mm: np.ndarray, z_mm: float) -> np.ndarray:
    rotation, shift = pose()
    points = np.column_stack([points_mm, np.full(len(points_mm), z_mm)]) @ rotation.T + shift
    flat = points @ MATRIX.T
    return flat[:, :2] / flat[:, 2:]


def square(x: float, y: float, half: float) -> np.ndarray:
    return np.array([[x - half, y + half], [x + half, y + half], [x + half, y - half], [x - half, y - half]])


def photographed(plan: FieldPlan, tags: tuple[Tag, ...], lamp: Point | None = None) -> np.ndarray:
    """The printed field in a box with a rim, through a lens; `lamp`: warm light and a shadow along a wall."""
    w = plan.layout.size_mm[0]
    flat = render(draw_flat(plan), 4)
    rim = tags[0].center_mm[2]
    picture = np.full((*SIZE[::-1], 3), (120, 140, 150), np.uint8)
    inside, outside = square(0, 0, w / 2), square(0, 0, w / 2 + 9)
    for line, z, ink in ((outside, rim, (205, 215, 220)), (inside, rim, (18, 12, 70))):
        cv2.fillPoly(picture, [np.round(seen_at(line, z) * 16).astype(np.int32)], ink, cv2.LINE_AA, 4)
    floor = flat[tuple(slice(round(s / 2 - w * 2), round(s / 2 + w * 2)) for s in flat.shape[:2])]
    laid(picture, floor, seen_at(inside, 0.0), lamp is not None)
    for one in tags:
        side = one.size_mm * 4 / 3
        paper = render(Drawing((side, side), tuple(tag(one.id, (0, 0), one.size_mm))), 8)
        laid(picture, paper, seen_at(square(*one.center_mm[:2], side / 2), rim))
    picture = cv2.GaussianBlur(picture, (0, 0), 0.7).astype(np.float64) * 0.85
    if lamp is not None:
        picture *= (lamp[0], lamp[1], 1.0)
    return np.clip(picture + np.random.default_rng(3).normal(0, 2.0, picture.shape), 0, 255).astype(np.uint8)


def laid(picture: np.ndarray, paper: np.ndarray, corners_px: np.ndarray, shaded: bool = False) -> None:
    h, w = paper.shape[:2]
    if shaded:
        paper = paper.copy()
        paper[:, : round(w * 0.07)] = paper[:, : round(w * 0.07)] * 0.5
        paper[: round(h * 0.05)] = paper[: round(h * 0.05)] * 0.5
    source = np.array([[0, 0], [w, 0], [w, h], [0, h]], np.float32) - 0.5
    onto = cv2.getPerspectiveTransform(source, corners_px.astype(np.float32))
    soft = cv2.GaussianBlur(paper, (0, 0), 1.2)
    there = cv2.warpPerspective(np.full((h, w), 255, np.uint8), onto, SIZE)[..., None] / 255
    picture[:] = cv2.warpPerspective(soft, onto, SIZE, borderMode=cv2.BORDER_REPLICATE) * there + picture * (
        1 - there
    )


@pytest.mark.parametrize("name", FIELDS)
def test_x_16_every_place_of_the_print_has_the_colour_of_its_zone_and_lines_are_the_better_zones(
    name: str,
) -> None:
    plan = plan_field(name)
    scale, size = 4.0, plan.layout.size_mm
    flat = render(draw_flat(plan), scale)
    cut = [round((s - size[0] * scale) / 2) for s in flat.shape[:2]]
    printed = flat[cut[0] : cut[0] + round(size[1] * scale), cut[1] : cut[1] + round(size[0] * scale)]
    zones = {kind: covered(plan.layout.zones, kind, size, scale) for kind in KINDS}
    # Except for the pixel on the border, each place belongs to exactly one kind.
    deep = {k: cv2.erode(m.astype(np.uint8), np.ones((5, 5), np.uint8)) > 0 for k, m in zones.items()}
    assert sum(m.astype(int) for m in deep.values()).max() == 1
    assert np.any(list(zones.values()), axis=0).mean() > 0.999
    white = (printed > 235).all(axis=2)
    for kind, inside in deep.items():
        if not inside.any():
            continue
        ink = np.array(ZONE_INKS[kind][::-1], int)
        same = (np.abs(printed.astype(int) - ink) < 12).all(axis=2)
        other = inside & ~same
        # Another colour inside a zone is its white border line or a letter.
        if kind in ("X", "-1", "hole"):
            assert other.sum() < 0.12 * inside.sum(), kind
            border = inside & (cv2.erode(inside.astype(np.uint8), np.ones((9, 9), np.uint8)) == 0)
            assert (white & border).sum() < 0.02 * border.sum(), kind
        else:
            assert (other & ~white).sum() < 0.12 * inside.sum(), kind
    for kind in ("3x", "2x"):
        if not zones[kind].any():
            continue
        rim = deep[kind] & (cv2.erode(deep[kind].astype(np.uint8), np.ones((3, 3), np.uint8)) == 0)
        rim &= ~(cv2.dilate(zones["hole"].astype(np.uint8), np.ones((9, 9), np.uint8)) > 0)
        if kind == "2x":
            rim &= ~(cv2.dilate(zones["3x"].astype(np.uint8), np.ones((9, 9), np.uint8)) > 0)
        rim[:8], rim[-8:], rim[:, :8], rim[:, -8:] = False, False, False, False  # no line at the wall's foot
        assert (printed[rim].min(axis=1) > 120).mean() > 0.9, kind


@pytest.mark.parametrize("name", FIELDS)
def test_a_die_on_the_printed_field_counts_as_its_zone(name: str) -> None:
    plan = plan_field(name)
    field = Field(plan.layout)
    for kind in BETTER:
        mask = covered(plan.layout.zones, kind, plan.layout.size_mm)
        far = cv2.distanceTransform(mask.astype(np.uint8), cv2.DIST_L2, 5)
        if far.max() / 3 < 12.5:  # too small for a whole die
            continue
        y, x = np.unravel_index(int(far.argmax()), far.shape)
        place = (x / 3 - plan.layout.size_mm[0] / 2, plan.layout.size_mm[1] / 2 - y / 3)
        verdict = field.judge(place, 20.0)
        assert verdict.counts_as == kind
        assert verdict.touches == (kind,)


@pytest.mark.parametrize("name", FIELDS)
def test_the_printed_table_file_says_what_is_drawn(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["print", "field", "--field", name, "--out", str(tmp_path), "--bets", "EFGH"]) == 0
    layout = read_table(tmp_path / f"doppelx-{name}-280.toml").layout
    assert layout.zones == plan_field(name).layout.zones
    shipped = Path(__file__).parents[2] / "hardware" / "tables" / f"doppelx-{name}-280.toml"
    assert read_table(shipped).layout.zones == layout.zones, "run: make -C hardware/tables"
    assert {t.center_mm[2] for t in layout.tags} == {45.0}
    assert [bet.kind for bet in layout.bets] == list("EFGH")
    assert (tmp_path / f"doppelx-{name}-280.pdf").read_bytes().startswith(b"%PDF")
    assert f"doppelx-{name}-280.toml" in capsys.readouterr().out


def test_no_two_fields_share_a_tag_and_none_has_that_of_a_bought_box() -> None:
    ids = [tag.id for name in FIELDS for tag in plan_field(name).layout.tags]
    ids += [tag.id for tag in plan_frame().tags]
    assert len(set(ids)) == len(ids) == 20


def test_a_flat_field_is_found_by_its_tags() -> None:
    plan = plan_field("II", 240, 0)
    picture = render(draw_flat(plan), 3)
    assert sorted(find_tags(picture)) == [18, 19, 20, 21]
    fit = register(picture, plan.layout)
    h, w = picture.shape[:2]
    for x, y in ((-100.0, 80.0), (110.0, -110.0), (0.0, 0.0)):
        there = fit.to_px([[x, y]])[0]
        assert there == pytest.approx((w / 2 + 3 * x - 0.5, h / 2 - 3 * y - 0.5), abs=1.0)


def test_a_boxed_field_is_found_to_half_a_millimetre() -> None:
    plan = plan_field("I")
    fit = register_box(photographed(plan, plan.layout.tags), plan.layout)
    places = np.array([(x, y) for x in (-120.0, 0.0, 120.0) for y in (-120.0, 0.0, 120.0)])
    assert np.abs(fit.to_mm(seen_at(places, 0.0)) - places).max() < 0.5


@pytest.mark.parametrize("name", FIELDS)
def test_a_field_is_traced_from_its_picture(name: str, tmp_path: Path) -> None:
    frame = plan_frame()
    plan = plan_field(name)
    photo = photographed(plan, frame.tags, lamp=(0.72, 0.9) if name in ("II", "IV") else None)
    cv2.imwrite(str(tmp_path / "photo.png"), photo)
    out, check = tmp_path / "field.toml", tmp_path / "check.png"
    assert (
        main(["field", "trace", str(tmp_path / "photo.png"), "--out", str(out), "--check", str(check)]) == 0
    )
    found = read_table(out).layout
    said = alike(found, plan.layout)
    assert min(said.values()) > 0.9, said
    counts = (Counter(zone.kind for zone in layout.zones) for layout in (found, plan.layout))
    assert next(counts) == next(counts)
    drawn = cv2.imread(str(check))
    assert drawn is not None
    assert 0.002 < (np.abs(drawn.astype(int) - photo).max(axis=2) > 60).mean() < 0.2


def test_a_table_file_that_was_mended_is_not_written_over(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "field.toml"
    out.write_text("# mended\n")
    assert main(["field", "trace", "photo.png", "--out", str(out)]) == 2
    assert "--force" in capsys.readouterr().err
    assert out.read_text() == "# mended\n"


def test_a_check_that_could_not_be_drawn_is_refused_before_a_table_file_is_written(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    photo, out = tmp_path / "photo.png", tmp_path / "field.toml"
    cv2.imwrite(str(photo), photographed(plan_field("III"), plan_frame().tags))
    assert main(["field", "trace", str(photo), "--out", str(out), "--check", "check.txt"]) == 2
    assert "end it in .png or .jpg" in capsys.readouterr().err
    assert not out.exists()


def test_a_dark_picture_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    photo = tmp_path / "photo.png"
    dark = photographed(plan_field("III"), plan_frame().tags) * 0.4
    cv2.imwrite(str(photo), dark.astype(np.uint8))
    assert main(["field", "trace", str(photo), "--out", str(tmp_path / "field.toml")]) == 0
    assert "the picture is dark" in capsys.readouterr().out


def test_a_picture_of_something_else_is_refused_in_a_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    photo = tmp_path / "photo.png"
    frame = plan_frame()
    grey = Drawing(
        (400.0, 400.0), tuple(m for t in frame.tags for m in tag(t.id, t.center_mm[:2], t.size_mm))
    )
    cv2.imwrite(str(photo), render(Drawing(grey.size_mm, grey.marks, (120, 120, 120)), 2))
    assert main(["field", "trace", str(photo), "--out", str(tmp_path / "f.toml")]) == 1
    assert "no blue floor" in capsys.readouterr().err
    cv2.imwrite(str(photo), np.full((200, 300, 3), 90, np.uint8))
    assert main(["field", "trace", str(photo), "--out", str(tmp_path / "f.toml")]) == 1
    assert "too few of the table's tags" in capsys.readouterr().err


def test_a_floor_of_another_size_is_noticed_under_a_measured_lens(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    photo, tags = tmp_path / "photo.png", tmp_path / "tags.toml"
    frame = plan_frame()
    cv2.imwrite(str(photo), photographed(plan_field("I", 260), frame.tags))
    lens = "\n[camera]\nf_px = 1180\n"
    tags.write_text(field_file(frame, ()) + lens, "utf-8")
    arguments = ["field", "trace", str(photo), "--tags", str(tags), "--out", str(tmp_path / "f.toml")]
    assert main(arguments) == 1
    assert "92.9%" in capsys.readouterr().err


def test_what_cannot_be_printed_is_said() -> None:
    for wrong, words in ((("V",), "no field"), (("I", 100), "200 to 400"), (("I", 280, 45, "AAB"), "bets")):
        with pytest.raises(PrintError, match=words):
            plan_field(*wrong)  # type: ignore[arg-type]


@needs("footage")
@pytest.mark.parametrize("clip", ["dev-doppelx3", "dev-doppelx4"])
def test_a_bought_field_is_traced_between_its_tags(clip: str) -> None:
    true = read_table(FOOTAGE / clip / "table.toml").layout
    picture = cv2.imread(str(FOOTAGE / clip / "enrol" / "empty.jpg"))
    assert picture is not None
    said = alike(trace(np.asarray(picture, np.uint8), true).layout, true)
    assert min(said.values()) > 0.9, said
