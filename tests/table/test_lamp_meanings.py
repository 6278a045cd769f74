"""One table of the lamps' meanings: the pages show it unchanged, and no two lamps mean the same."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree
from datetime import time
from itertools import combinations, groupby
from pathlib import Path

import pytest

from firmware_bridge.lamps import dimmed
from table import markers
from table.cli import main
from table.cli.board_lamps import SAYS
from table.lamp_meanings import MEANINGS, samples, svg, table
from table.live import Table
from table.rules.view import Character, View
from table.settings import Brightness, Lamp, LampPlan, read_table
from tests.table.test_settings import GOOD, written

ROOT = Path(__file__).parents[2]


def test_the_reference_shows_the_table_and_the_picture_as_they_are() -> None:
    page = (ROOT / "docs" / "reference" / "lamps.md").read_text()
    assert "\n".join(table()) in page
    assert (ROOT / "docs" / "reference" / "lamps.svg").read_text() == svg(), "python -m table.lamp_meanings"
    ElementTree.fromstring(svg())


def test_every_lamp_of_the_table_file_has_a_meaning() -> None:
    assert {meaning.lamp.shows for meaning in MEANINGS} == {
        *("character", "trump", "turn", "finding", "doubt", "black")
    }


@pytest.mark.parametrize("meaning", MEANINGS, ids=lambda meaning: meaning.sign)
def test_every_example_is_lit(meaning: object) -> None:
    assert any(colour != markers.OFF for colour in samples(meaning))  # type: ignore[arg-type]


def test_no_two_meanings_of_one_lamp_look_the_same() -> None:
    for one, other in combinations(MEANINGS, 2):
        if one.lamp.shows == other.lamp.shows:
            assert samples(one) != samples(other)


def trump(colour: str, signs: bool) -> list[bool]:
    """Whether the trump lamp is lit at each redraw, as somebody without colour vision sees it."""
    plan = LampPlan((Lamp(0, "trump"),), 1, signs=signs)
    steps = range(round(markers.PERIOD_S / markers.REDRAW_S))
    shown = [markers.picture(View(trump=colour), plan, (step + 0.5) * markers.REDRAW_S) for step in steps]
    return [picture[0] != markers.OFF for picture in shown]


@pytest.mark.parametrize("colours", [("blue", "yellow", "green", "red", "brown"), ("C", "S", "H", "D")])
def test_with_signs_every_trump_is_told_without_its_colour(colours: tuple[str, ...]) -> None:
    seen = [trump(colour, signs=True) for colour in colours]
    gaps = [sum(not lit for lit, _ in groupby(shown)) for shown in seen]
    assert len(set(gaps)) == len(colours)
    assert all(all(trump(colour, signs=False)) for colour in colours)


def test_a_sign_does_not_hide_the_value_of_a_character() -> None:
    plan = LampPlan((Lamp(0, "character", "S1", "aagewwer"),), 1, signs=True)
    view = View(characters=(Character("aagewwer", "brown", 3, "S1"),))
    steps = range(round(markers.PERIOD_S / markers.REDRAW_S))
    seen = [markers.picture(view, plan, (step + 0.5) * markers.REDRAW_S)[0] for step in steps]
    runs = [colour for colour, _ in groupby(seen)]
    assert runs.count(markers.OFF) == 4, "brown"
    assert sum(colour not in (markers.OFF, markers.COLOURS["brown"]) for colour in runs) == 3


# --- brightness --------------------------------------------------------------------------------------

CLOCK = """
[lamps]
evening = 0.5
night = 0.3
day_from = 08:00:00
evening_from = 18:00:00
night_from = 22:30:00
"""


@pytest.mark.parametrize(
    ("hour", "name"), [(time(3), "night"), (time(8), "day"), (time(18, 1), "evening"), (time(23), "night")]
)
def test_the_clock_dims_the_lamps(tmp_path: Path, hour: time, name: str) -> None:
    assert read_table(written(tmp_path, GOOD + CLOCK)).lamps.brightness.by_clock(hour) == name


def test_without_times_it_is_always_day() -> None:
    assert Brightness().by_clock(time(23)) == "day"
    assert Brightness().share("day") == 1.0


class Standing:
    """The part of a sitting that the lamps need."""

    lost = apart = None
    glimpse = None
    view = View(trump="red")

    def listen(self, _watcher: object) -> None:
        pass


def test_a_button_dims_until_the_clock_changes_it() -> None:
    now = [10 * 3600.0]
    lights = Brightness(1.0, 0.5, 0.25, time(8), time(18), time(22))
    plan = LampPlan((Lamp(0, "trump"),), 1, brightness=lights)
    red = (markers.COLOURS["red"],)
    live = Table(Standing(), None, plan, clock=lambda: 0.0)  # type: ignore[arg-type]
    live._hour = lambda: time(int(now[0] // 3600))  # type: ignore[method-assign]
    assert live.strip() == red
    for share in (0.5, 0.25, 1.0, 0.5):
        live.press(0b0100)  # button D4 on the lamp board
        assert live.strip() == dimmed(red, share)
    now[0] = 23 * 3600.0
    assert live.strip() == dimmed(red, 0.25), "the clock says night"
    now[0] = 9 * 3600.0
    assert live.strip() == red


def test_lamps_have_names_of_their_own(tmp_path: Path) -> None:
    turn = '[[lamp]]\nindex = 1\nshows = "turn"\nseat = "S1"\n'
    own = '[[lamp]]\nindex = 0\nname = "the big one"\nshows = "trump"\n'
    plan = read_table(written(tmp_path, GOOD + own + turn)).lamps
    assert [lamp.title for lamp in plan.lamps] == ["the big one", "S1 turn"]


def test_a_command_names_every_lamp_of_a_table_file(capsys: pytest.CaptureFixture[str]) -> None:
    file = Path(__file__).parents[2] / "hardware" / "tables" / "mat-4-A2.toml"
    assert main(["board", "lamps", "--table", str(file)]) == 0
    said = capsys.readouterr().out.splitlines()
    assert len(said) == 30
    assert said[0].split()[:2] == ["0", "trump"]
    assert "S4 turn" in said[28]
    assert set(SAYS) == {meaning.lamp.shows for meaning in MEANINGS}


def test_the_picture_speaks_german_too() -> None:
    german = svg("de")
    ElementTree.fromstring(german)
    for meaning in MEANINGS:
        assert meaning.told("de") in german
        assert meaning.told("en") not in german
