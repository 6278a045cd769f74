"""The lamps: a pure picture of the view, readable across the table, rebuilt from the view alone."""

from __future__ import annotations

import colorsys
import itertools

import pytest

from firmware_bridge.lamps import RGB
from table import markers
from table.markers import ALARM, COLOURS, DOUBT, OFF, PERIOD_S, STEADY_S, WHITE, WINK_S, picture
from table.rules.view import Character, Doubt, Finding, Played, Prompt, ThrowView, View
from table.settings import CHARACTERS, Lamp, LampPlan, default_lamps

SEATS = ("S1", "S2", "S3")
PLAN = default_lamps(SEATS)


def lamp(
    view: View, shows: str, seat: str | None = None, character: str | None = None, t: float = 0.0
) -> RGB:
    index = next(x.index for x in PLAN.lamps if (x.shows, x.seat, x.character) == (shows, seat, character))
    return picture(view, PLAN, t)[index]


def test_before_a_game_all_lamps_are_dark() -> None:
    assert set(picture(View(), PLAN)) == {OFF}
    assert len(picture(View(), PLAN)) == PLAN.count


def test_a_character_burns_in_its_card_colour_at_its_owners_seat_only() -> None:
    """D-22, D-24: the character goes to the winner, and its lamp with it."""
    view = View(seats=SEATS, characters=(Character("jammerlabbe", "green", 2, "S2"),))
    lit = {x for x, rgb in zip(PLAN.lamps, picture(view, PLAN), strict=True) if rgb != OFF}
    assert lit == {x for x in PLAN.lamps if (x.seat, x.character) == ("S2", "jammerlabbe")}
    assert lamp(view, "character", "S2", "jammerlabbe") == COLOURS["green"]


def test_a_character_that_nobody_owns_yet_is_dark() -> None:
    """D-34: its colour was never led, or its first trick is not yet decided."""
    view = View(
        seats=SEATS, characters=(Character("gliggsridder"), Character("jo-lossen", "red", None, None))
    )
    assert set(picture(view, PLAN)) == {OFF}


@pytest.mark.parametrize("value", range(1, 7))
def test_a_single_lamp_winks_the_die_value_countably(value: int) -> None:
    view = View(seats=SEATS, characters=(Character("aagewwer", "red", value, "S1"),))
    steps = [i * markers.REDRAW_S for i in range(round(PERIOD_S / markers.REDRAW_S))]
    seen = [lamp(view, "character", "S1", "aagewwer", t + 0.01) for t in steps]
    runs = [colour for colour, _ in itertools.groupby(seen)]
    assert sum(colour != COLOURS["red"] for colour in runs) == value
    assert OFF not in seen, "a wink is dim, not dark: the owner keeps his character"
    assert all(colour == COLOURS["red"] for colour in seen[: round(STEADY_S / markers.REDRAW_S)])
    assert WINK_S / 2 >= 2 * markers.REDRAW_S, "no wink may fall between two redraws"


def test_a_value_beyond_six_winks_like_six() -> None:
    """DA-1: die_max=unbounded."""
    seven, six = (View(characters=(Character("aagewwer", "red", n, "S1"),)) for n in (7, 6))
    assert all(picture(seven, PLAN, t / 10) == picture(six, PLAN, t / 10) for t in range(60))


def test_pips_show_the_value_at_once() -> None:
    plan = LampPlan(tuple(Lamp(i, "character", "S1", "aagewwer", i + 1) for i in range(6)), 6)
    view = View(characters=(Character("aagewwer", "blue", 4, "S1"),))
    assert picture(view, plan) == (COLOURS["blue"],) * 4 + (OFF,) * 2


def test_trump_and_turn() -> None:
    view = View(seats=SEATS, trump="brown", turn="S3")
    assert lamp(view, "trump") == COLOURS["brown"]
    assert [lamp(view, "turn", seat) for seat in SEATS] == [OFF, OFF, WHITE]


def test_the_seat_that_must_declare_is_asked_by_a_pulse() -> None:
    """D-10."""
    view = View(seats=SEATS, prompts=(Prompt("declare-trump", "S2"),))
    pulse = {lamp(view, "turn", "S2", t=t / 10) for t in range(8)}
    assert len(pulse) == 2
    assert {lamp(view, "turn", "S1", t=t / 10) for t in range(8)} == {OFF}


def test_a_question_about_an_offence_is_for_the_page_and_accuses_nobody_with_a_lamp() -> None:
    view = View(seats=SEATS, prompts=(Prompt("offence?", "S2"),))
    assert set(picture(view, PLAN)) == {OFF}


def test_a_finding_blinks_at_its_seat_until_the_next_trick_is_over() -> None:
    finding = Finding("revoke", "G-03", "S2", event=20, about=12)
    last = (Played("S1", "red-1", 18), Played("S2", "red-2", 20), Played("S3", "red-3", 21))
    fresh = View(seats=SEATS, findings=(finding,), last_trick=last, trick=(Played("S3", "red-4", 22),))
    assert {lamp(fresh, "finding", "S2", t=t / 10) for t in range(8)} == {ALARM, OFF}
    assert {lamp(fresh, "finding", "S1", t=t / 10) for t in range(8)} == {OFF}
    later = View(seats=SEATS, findings=(finding,), last_trick=(Played("S3", "red-4", 22),))
    assert {lamp(later, "finding", "S2", t=t / 10) for t in range(8)} == {OFF}


def test_a_doubt_pulses_at_the_lamp_of_the_house_until_it_is_settled() -> None:
    view = View(seats=SEATS, doubts=(Doubt(4, "S2"),))
    assert DOUBT in {lamp(view, "doubt", t=t / 10) for t in range(8)}
    assert lamp(View(seats=SEATS), "doubt") == OFF


def test_a_table_that_does_not_see_shows_nobody_s_turn_and_flashes_at_every_seat() -> None:
    character = Character("jammerlabbe", "green", 2, "S2")
    view = View(seats=SEATS, turn="S2", prompts=(Prompt("collect", "S2"),), characters=(character,))
    steps = [i * markers.REDRAW_S + 0.01 for i in range(round(PERIOD_S / markers.REDRAW_S))]
    for seat in SEATS:
        seen = [picture(view, PLAN, t, blind=True)[_turn_lamp(seat)] for t in steps]
        assert set(seen) == {DOUBT, OFF}
        assert seen.count(OFF) > 2 * seen.count(DOUBT), "a flash, neither a pulse nor a turn"
    whole = picture(view, PLAN, blind=True)
    owned = next(x.index for x in PLAN.lamps if (x.seat, x.character) == ("S2", "jammerlabbe"))
    assert whole[owned] == COLOURS["green"], "what lies there was seen before"


def _turn_lamp(seat: str) -> int:
    return next(x.index for x in PLAN.lamps if (x.shows, x.seat) == ("turn", seat))


def test_lamps_of_the_chain_without_a_job_stay_dark() -> None:
    plan = LampPlan((Lamp(3, "trump"),), 8)
    assert picture(View(trump="red"), plan) == (OFF,) * 3 + (COLOURS["red"],) + (OFF,) * 4


def test_colours_are_far_enough_apart_to_be_told_across_a_table() -> None:
    """Brown and yellow share a hue on a WS2812, so colours must differ in hue, saturation or brightness."""
    lit = {name: COLOURS[name] for name in ("blue", "brown", "yellow", "green", "red")} | {
        "white": WHITE,
        "alarm": ALARM,
        "doubt": DOUBT,
    }
    for (a, x), (b, y) in itertools.combinations(lit.items(), 2):
        (hue_x, sat_x, light_x), (hue_y, sat_y, light_y) = (
            colorsys.rgb_to_hsv(*(part / 255 for part in rgb)) for rgb in (x, y)
        )
        hue = abs(hue_x - hue_y) % 1
        hue = min(hue, 1 - hue) * 360
        assert (
            hue > 25
            or abs(sat_x - sat_y) > 0.4
            or abs(light_x - light_y) > 0.5
            or (hue > 12 and abs(light_x - light_y) > 0.3)
        ), (a, b)


def test_every_character_has_a_lamp_at_every_seat_by_default() -> None:
    assert {(x.seat, x.character) for x in PLAN.lamps if x.character} == set(
        itertools.product(SEATS, CHARACTERS)
    )


# --- the other games ---------------------------------------------------------------------------------


def test_a_solo_lights_its_suit_and_one_without_a_suit_a_colour_of_its_own() -> None:
    """U-25, K-40 ff.: everybody has heard the contract."""
    assert lamp(View(seats=SEATS, contract="solo:H"), "trump") == COLOURS["H"]
    assert lamp(View(seats=SEATS, contract="solo:damen"), "trump") == markers.SOLO
    assert lamp(View(seats=SEATS, contract="solodu"), "trump") == markers.SOLO
    assert lamp(View(seats=SEATS, contract="orgi", trump="C"), "trump") == COLOURS["C"]
    assert lamp(View(seats=SEATS, contract="normal"), "trump") == OFF
    assert lamp(View(seats=SEATS, contract="ruf:CA"), "trump") == OFF


def test_who_is_asked_pulses_and_nobody_else_seems_to_be_next() -> None:
    """K-13, J-31: while Vorbehalte and bids are asked, the leader of the first trick waits."""
    view = View(seats=SEATS, turn="S1", phase="declare", prompts=(Prompt("vorbehalt?", "S2"),))
    seen = {lamp(view, "turn", "S2", t=t) for t in (0.1, 0.6)}
    assert len(seen) == 2
    assert {lamp(view, "turn", "S1", t=t) for t in (0.1, 0.6)} == {OFF}
    call = View(seats=SEATS, turn="S1", phase="declare", prompts=(Prompt("call"),))
    assert lamp(call, "turn", "S1") == WHITE, "nobody in particular is asked"


def test_the_box_shows_whose_throw_it_is_in_the_colour_of_his_die() -> None:
    """X-07."""
    colours = ("blue", "purple", "black")
    plan = default_lamps(colours)
    view = View(game="doppelx", seats=colours, players=colours, turn="purple", box=ThrowView())
    lit = {x.seat: rgb for x, rgb in zip(plan.lamps, picture(view, plan), strict=True) if x.shows == "turn"}
    assert lit == {"blue": OFF, "purple": COLOURS["purple"], "black": OFF}
    one = LampPlan((Lamp(0, "turn"),), 1)
    assert picture(view, one) == (COLOURS["purple"],)
    assert all(max(COLOURS[colour]) > 0 for colour in ("black", "white", "orange", "pink", "brown"))


def test_the_black_die_winks_at_its_owner_s_seat() -> None:
    """D-42: it lies with the last offender."""
    plan = LampPlan((Lamp(0, "black", "S1"), Lamp(1, "black", "S2"), Lamp(2, "black")), 3)
    view = View(seats=SEATS, black_die=("S2", 2))
    assert picture(view, plan) == (OFF, markers.BLACK, markers.BLACK)
    dim = picture(view, plan, STEADY_S + 0.01)
    assert OFF != dim[1] != markers.BLACK
    assert set(picture(View(seats=SEATS), plan)) == {OFF}
