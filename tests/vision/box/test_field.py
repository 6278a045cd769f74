"""A die's foot and the zones: X-12 to X-16, in plain millimetres."""

from __future__ import annotations

import pytest

from vision.box.field import FAR_MM, Field
from vision.layout import Bet, Layout, Zone

FIELD = Field(
    Layout(
        kind="field",
        size_mm=(280.0, 280.0),
        tags=(),
        zones=(
            Zone("1x", ((-140, -140), (0, -140), (0, 140), (-140, 140))),
            Zone("2x", ((0, -140), (60, -140), (60, 140), (0, 140))),
            Zone("3x", ((60, -140), (140, -140), (140, 0), (60, 0))),
            Zone("X", ((60, 0), (140, 0), (140, 70), (60, 70))),
            Zone("-1", ((60, 70), (140, 70), (140, 140), (60, 140))),
            Zone("hole", ((-100, -20), (-60, -20), (-60, 20), (-100, 20))),
        ),
        bets=(Bet("A", (-172.0, 172.0, 48.0), 60.0),),
        die_edge_mm=16.0,
    )
)


@pytest.mark.parametrize(
    ("at", "touches", "counts_as"),
    [
        ((-30, 60), ("1x",), "1x"),
        ((-7.9, 60), ("1x", "2x"), "2x"),
        ((53, -50), ("2x", "3x"), "3x"),
        ((100, 65), ("-1", "X"), "X"),
        ((100, 100), ("-1",), "-1"),
        ((-58, 0), ("1x", "hole"), "1x"),
    ],
)
def test_the_better_zone_counts(at: tuple[float, float], touches: tuple[str, ...], counts_as: str) -> None:
    """X-15; an edge over a hole changes nothing."""
    verdict = FIELD.judge(at, 0.0)
    assert (verdict.touches, verdict.counts_as) == (touches, counts_as)


def test_a_turned_die_touches_with_its_corner() -> None:
    """X-16: the corner over the line counts, and it is a worn corner."""
    assert FIELD.judge((-10.0, 60.0), 0.0).counts_as == "1x"
    assert FIELD.judge((-10.0, 60.0), 45.0).counts_as == "2x"
    assert FIELD.judge((-11.2, 60.0), 45.0).counts_as == "1x"


def test_the_margin_is_the_way_to_the_line() -> None:
    assert FIELD.judge((-10.0, 60.0), 0.0).margin_mm == pytest.approx(2.0, abs=0.05)
    assert FIELD.judge((-5.0, 60.0), 0.0).margin_mm == pytest.approx(3.0, abs=0.05)
    assert FIELD.judge((-40.0, 60.0), 30.0).margin_mm == FAR_MM
    assert FIELD.judge((-8.5, 60.0), 0.0).on_the_line()
    assert not FIELD.judge((-10.0, 60.0), 0.0).on_the_line()
    assert FIELD.judge((-10.0, 60.0), 0.0).on_the_line(error_mm=2.5)


def test_a_margin_never_lies() -> None:
    """A shift by less than the margin changes nothing, in any direction."""
    import math

    for x, y, yaw in ((55.0, 3.0, 20.0), (-3.0, 0.0, 70.0), (62.0, 64.0, 33.0), (47.3, -6.0, 45.0)):
        verdict = FIELD.judge((x, y), yaw)
        for k in range(24):
            way = (math.cos(k * math.pi / 12), math.sin(k * math.pi / 12))
            near = (x + 0.9 * verdict.margin_mm * way[0], y + 0.9 * verdict.margin_mm * way[1])
            assert FIELD.judge(near, yaw).counts_as == verdict.counts_as


def test_outside_every_zone_nothing_counts() -> None:
    assert FIELD.judge((400.0, 0.0), 0.0).counts_as is None
    assert not FIELD.in_box((400.0, 0.0))


def test_a_bet_tile_and_a_hole_are_known_by_their_places() -> None:
    assert FIELD.bet_under((-150.0, 190.0)) == "A"
    assert FIELD.bet_under((0.0, 0.0)) is None
    assert FIELD.over_hole((-80.0, 0.0))
    assert not FIELD.over_hole((-30.0, 0.0))
