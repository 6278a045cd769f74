"""The virtual table: hands play whole rounds by the rules and go on after a power cut."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest

from table.printables import plan_mat
from table.rules.events import Event
from table.rules.opening import as_event, open_game
from table.rules.referee import Referee
from table.virtual import Lying, MatHands, Players, VirtualRound, VirtualTable
from table.virtual.camera import Pace
from table.virtual.stage import Motion, Waypoint, reach
from tests.table.virtual_watcher import Watcher, events_of, staged

PLAN = plan_mat(4, "A2")


def opening(seats: int, **options: Any) -> dict[str, Any]:
    names = [f"S{i + 1}" for i in range(seats)]
    return {"kind": "game", "game": "dubbe", "seats": names, "players": names, "options": options}


def played_out(seats: int, seed: int, so_far: list[Event] | None = None) -> VirtualRound:
    round_ = {"kind": "round", "dealer": f"S{seats}", "seed": seed}
    return VirtualRound(open_game(as_event(opening(seats))), Event.from_dict(round_), so_far or [])


def play(seats: int, seed: int, so_far: list[Event] | None = None) -> tuple[VirtualRound, list[Event]]:
    plan, players, watcher = plan_mat(seats, "A2"), Players(), Watcher()
    round_ = played_out(seats, seed, so_far)
    players.sit(round_)
    table = staged(watcher, MatHands(plan, seed), players, round_.lying)
    return round_, events_of(table, players, watcher, plan)


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_what_lies_on_the_table_is_a_whole_round_by_the_rules(seats: int) -> None:
    """A referee that folds what a perfect eye sees has no finding and counts as the players do (G-07)."""
    round_, events = play(seats, 11)
    referee = Referee()
    begun = Event("round", {"dealer": f"S{seats}"})
    for event in [Event.from_dict(opening(seats, rounds=1)), begun, *events]:
        referee.add(event)
    result = referee.result()
    assert result["finished"]
    assert result["findings"] == []
    assert result["points"] == round_.position.round.points()
    assert [e.card for e in events if e.kind == "card"] == [card for _, card in round_.played]
    assert sum(e.kind == "collected" for e in events) == 15


def test_the_same_seed_plays_the_same_evening() -> None:
    assert play(4, 3)[1] == play(4, 3)[1]
    assert play(4, 3)[1] != play(4, 4)[1]


@pytest.mark.parametrize("cut", [0, 1, 2, 5, 6, 7, 8, 9, 30, 47, 60, 61, 62, -1])
def test_after_a_power_cut_the_round_goes_on_where_it_was(cut: int) -> None:
    """Whatever the journal lacks is done again, and nothing is done twice."""
    whole, events = play(4, 21)
    so_far = events[: cut if cut >= 0 else len(events)]
    taken_up, rest = play(4, 21, so_far)
    assert taken_up.played == whole.played
    before = {e.fields["spot"]: e for e in so_far if e.kind == "die"}
    lying = played_out(4, 21, so_far).lying
    assert lying.dice == {spot: (e.fields["colour"], e.fields["value"]) for spot, e in before.items()}
    # The camera sees at its start what already lies there; the house knows it.
    old_cards = [card for _, card in lying.cards]
    again = [e for e in rest if e not in before.values() and e.get("card") not in old_cards]
    assert [e for e in so_far + again if e.kind == "card"] == [e for e in events if e.kind == "card"]
    assert [e for e in so_far + again if e.kind == "die"] == [e for e in events if e.kind == "die"]


def test_a_doubt_holds_its_place_when_the_round_is_taken_up() -> None:
    _, events = play(4, 5)
    so_far = events[:4]
    doubted = [Event("unsure", {"seat": e.seat}) if e.kind == "card" else e for e in so_far]
    assert played_out(4, 5, doubted).lying == played_out(4, 5, so_far).lying


def test_cards_in_a_hand_are_neither_lost_nor_doubled() -> None:
    """In every frame each card that was played is in the hand, on the table or in the pile."""
    players, watcher, round_ = Players(), Watcher(), played_out(4, 8)
    players.sit(round_)
    table = staged(watcher, MatHands(PLAN, 8), players, Lying())
    most = 0
    for _ in range(1200):
        table.frame()
        open_cards = [
            card.face for card in (*watcher.scene.cards, *watcher.scene.carried) if card.face != "back"
        ]
        assert len(set(open_cards)) == len(open_cards) <= 4
        assert len(table.stage.dice) + (table.stage.held_die is not None) == 5
        most = max(most, len(open_cards))
    assert most == 4


def test_a_hand_comes_from_its_players_side_and_stays_out_of_the_picture_otherwise() -> None:
    for place in PLAN.layout.seats:
        motion = reach(place.enters_from_mm, [(0.5, (0.0, 0.0), None)])
        start, arm = motion.arm(0.0), motion.arm(0.5)
        assert start is not None
        assert arm is not None
        assert arm.tip_mm == pytest.approx((0, 0))
        side = np.array(place.enters_from_mm) / np.linalg.norm(place.enters_from_mm)
        assert np.dot(start.tip_mm, side) > np.linalg.norm(place.enters_from_mm) + 150
        assert np.dot(arm.from_mm, side) > np.dot(start.tip_mm, side)


def test_every_change_of_a_motion_happens_once_however_the_frames_fall() -> None:
    done: list[int] = []
    motion = Motion(tuple(Waypoint(i * 0.1, (0, 0), lambda _stage, i=i: done.append(i)) for i in range(1, 6)))
    times = [0.0, 0.04, 0.1, 0.1000001, 0.33, 0.5]
    for before, now in itertools.pairwise(times):
        for change in motion.changes(before, now):
            change(None)  # type: ignore[arg-type]
    assert done == [1, 2, 3, 4, 5]


def test_frames_keep_to_the_clock_and_a_slow_computer_skips_none() -> None:
    now, slept = [0.0], list[float]()

    def sleep(seconds: float) -> None:
        slept.append(seconds)
        now[0] += seconds

    table = VirtualTable(
        Watcher(),
        MatHands(PLAN, 1),
        Players(),
        MatHands(PLAN, 1).opening(),
        Pace(2.0, clock=lambda: now[0], sleep=sleep),
    )
    times = [table.read()[1] for _ in range(31)]
    assert np.diff(times) == pytest.approx(1 / 15)
    assert now[0] == pytest.approx(1.0)
    now[0] += 20.0  # the computer was busy
    slept.clear()
    assert table.read()[1] == pytest.approx(31 / 15)
    assert slept == []
    table.read()
    assert sum(slept) == pytest.approx(1 / 30)
