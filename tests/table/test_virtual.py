"""The virtual table: hands play whole rounds by the rules, and go on where a power cut left them."""

from __future__ import annotations

import itertools
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from table.journal import Journal
from table.printables import MatPlan, plan_mat
from table.rules.events import Event
from table.rules.opening import as_event, open_game
from table.rules.referee import Referee
from table.session import Session
from table.virtual import Choreography, Lying, Players, VirtualRound, VirtualTable
from table.virtual.camera import Pace
from table.virtual.evening import Evening
from table.virtual.stage import Motion, Waypoint, reach
from table.virtual.tonight import Tonight
from vision.sightings import Picture
from vision.synthetic.scene import Scene

PLAN = plan_mat(4, "A2")
BLANK = np.zeros((2, 2, 3), np.uint8)


class Watcher:
    """Takes the painter's place: remembers the scenes instead of drawing them."""

    def __init__(self) -> None:
        self.scene = Scene()

    def render(self, scene: Scene, seed: int) -> Picture:
        self.scene = scene
        return BLANK


def staged(watcher: Watcher, hands: Choreography, players: Players, lying: Lying) -> VirtualTable:
    return VirtualTable(watcher, hands, players, hands.opening(lying))


def opening(seats: int, **options: Any) -> dict[str, Any]:
    names = [f"S{i + 1}" for i in range(seats)]
    return {"kind": "game", "game": "dubbe", "seats": names, "players": names, "options": options}


def played_out(seats: int, seed: int, so_far: list[Event] | None = None) -> VirtualRound:
    round_ = {"kind": "round", "dealer": f"S{seats}", "seed": seed}
    return VirtualRound(open_game(as_event(opening(seats))), Event.from_dict(round_), so_far or [])


def events_of(table: VirtualTable, players: Players, watcher: Watcher, plan: MatPlan) -> list[Event]:
    """What a perfect eye would report of a round: cards, dice on spots, tricks taken away."""
    spots = {spot.name: spot for spot in plan.layout.spots}
    zones = dict(zip((place.name for place in plan.layout.seats), plan.seats, strict=True))
    events: list[Event] = []
    cards: set[str] = set()
    dice: dict[str, tuple[str, int]] = {}
    while not players.waiting:
        table.frame()
        lying = {card.face: card for card in watcher.scene.cards if card.face != "back"}
        for name in lying.keys() - cards:
            seat = next(s for s, a in zones.items() if math.dist(a.center_mm, lying[name].center_mm) < 40)
            events.append(Event("card", {"seat": seat, "card": name}))
        if cards and not lying:
            events.append(Event("collected"))
        cards = set(lying)
        for name, spot in spots.items():
            for colour, die in table.stage.dice.items():
                value = int(die.top)
                if math.dist(die.center_mm, spot.center_mm) < 15 and dice.get(name) != (colour, value):
                    dice[name] = (colour, value)
                    events.append(Event("die", {"colour": colour, "value": value, "spot": name}))
    return events


def play(seats: int, seed: int, so_far: list[Event] | None = None) -> tuple[VirtualRound, list[Event]]:
    plan, players, watcher = plan_mat(seats, "A2"), Players(), Watcher()
    round_ = played_out(seats, seed, so_far)
    players.sit(round_)
    table = staged(watcher, Choreography(plan, seed), players, round_.lying)
    return round_, events_of(table, players, watcher, plan)


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_what_lies_on_the_table_is_a_whole_round_by_the_rules(seats: int) -> None:
    """A referee that folds what a perfect eye sees finds nothing, and counts as the players do (G-07)."""
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
    """Whatever the journal holds, what it does not hold yet is done again, and nothing twice."""
    whole, events = play(4, 21)
    so_far = events[: cut if cut >= 0 else len(events)]
    taken_up, rest = play(4, 21, so_far)
    assert taken_up.played == whole.played
    before = {e.fields["spot"]: e for e in so_far if e.kind == "die"}
    lying = played_out(4, 21, so_far).lying
    assert lying.dice == {spot: (e.fields["colour"], e.fields["value"]) for spot, e in before.items()}
    # What lies there when the camera starts is seen once more; the house knows it already.
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
    """Every card that was played is in the hand, on the table or in the pile in every frame."""
    players, watcher, round_ = Players(), Watcher(), played_out(4, 8)
    players.sit(round_)
    table = staged(watcher, Choreography(PLAN, 8), players, Lying())
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
        Choreography(PLAN, 1),
        Players(),
        Choreography(PLAN, 1).opening(),
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


# --- the evening -------------------------------------------------------------------------------------


class Company:
    """An evening whose journal is written by a perfect eye."""

    def __init__(self, path: Path, seats: int = 2, game: str = "dubbe", **more: Any) -> None:
        self.journal = Journal.open(path)
        self.session = Session(self.journal, Referee)
        self.players, self.now, self.lines = Players(), 0.0, list[str]()
        tonight = Tonight(game, seats, seed=1, **more)
        self.evening = Evening(
            self.session, self.players, tonight, tell=self.lines.append, clock=lambda: self.now
        )
        self.lying, self.said = self.evening.take_up()
        self.plan, self.watcher = plan_mat(seats, "A2"), Watcher()
        self.table = staged(self.watcher, Choreography(self.plan, 1), self.players, self.lying)

    def play_round(self, upto: int | None = None) -> None:
        for event in events_of(self.table, self.players, self.watcher, self.plan)[:upto]:
            self.session.add(event)

    def close(self) -> None:
        self.journal.close()


def test_game_follows_game_and_the_journal_keeps_the_last_ones(tmp_path: Path) -> None:
    company = Company(tmp_path / "demo.sqlite", keep_games=2)
    for _ in range(13):
        company.play_round()
        assert company.evening.tend()
    assert len(company.journal.games()) == 2
    assert company.session.view.round == 2
    assert company.evening.differences == 0
    assert all("as the players count" in line for line in company.lines)
    dealers = [e.event.fields["dealer"] for e in company.session.entries if e.event.kind == "round"]
    assert dealers == ["S2", "S1"]
    company.close()


def test_the_evening_ends_after_the_wished_rounds(tmp_path: Path) -> None:
    company = Company(tmp_path / "demo.sqlite", limit=2)
    company.play_round()
    assert company.evening.tend()
    company.play_round()
    assert not company.evening.tend()
    company.close()


def test_a_killed_demo_goes_on_with_the_cards_that_lie_there(tmp_path: Path) -> None:
    first = Company(tmp_path / "demo.sqlite")
    first.play_round(upto=9)
    first.close()
    second = Company(tmp_path / "demo.sqlite")
    assert "goes on" in second.said
    assert second.session.view.round == 1
    cards = [e.event.fields["card"] for e in second.session.entries if e.event.kind == "card"]
    assert [card for _, card in second.lying.cards] == cards[len(cards) // 2 * 2 :]
    assert second.lying.pile == len(cards) // 2 * 2
    second.close()


def test_a_journal_of_another_company_is_left_alone_and_a_new_game_begins(tmp_path: Path) -> None:
    Company(tmp_path / "demo.sqlite", seats=3).close()
    company = Company(tmp_path / "demo.sqlite", seats=2)
    assert "begins" in company.said
    assert len(company.journal.games()) == 2
    company.close()


def test_what_the_eye_misread_is_noted_and_not_mended(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    company = Company(tmp_path / "demo.sqlite")
    events = events_of(company.table, company.players, company.watcher, company.plan)
    wrong = next(i for i, event in enumerate(events) if event.kind == "card")
    events[wrong] = events[wrong].having(card="red-15")
    for event in events:
        company.session.add(event)
    assert company.evening.differences == 1
    assert "the table saw red-15" in caplog.text
    assert sum(e.event.kind == "correction" for e in company.session.entries) == 0
    company.close()


def test_a_card_that_was_never_seen_is_counted_once_and_named(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    company = Company(tmp_path / "demo.sqlite", seats=3)
    events = events_of(company.table, company.players, company.watcher, company.plan)
    unseen = [i for i, event in enumerate(events) if event.kind == "card"][7]
    for event in events[:unseen] + events[unseen + 1 :]:
        company.session.add(event)
    assert company.evening.differences == 1
    assert f"has not seen {events[unseen].card} by {events[unseen].seat}" in caplog.text
    company.close()


def test_a_round_that_the_table_did_not_see_to_its_end_is_broken_off_and_said(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    company = Company(tmp_path / "demo.sqlite")
    company.play_round(upto=20)
    assert company.evening.tend()
    assert company.session.view.round == 1, "the table gets some time to see the rest"
    company.now += 10
    assert company.evening.tend()
    assert company.session.view.round == 2
    assert "has not seen all of it" in caplog.text
    company.close()


# --- the other games ---------------------------------------------------------------------------------


GUESTS = [("dulle", 4), ("doppelkopf", 4), ("doppelkopf", 5), ("klapper-jas", 2), ("klapper-jas", 3)]


def watch_round(company: Company) -> None:
    """A perfect eye looks at one round, cards that exist twice included, and hears nothing."""
    zones = dict(zip((p.name for p in company.plan.layout.seats), company.plan.seats, strict=True))
    lay: set[Any] = set()
    first = company.session.view.round
    while company.session.view.round == first:
        company.table.frame()
        lies = {(card.face, card.center_mm) for card in company.watcher.scene.cards if card.face != "back"}
        for name, center in lies - lay:
            seat = next(s for s, a in zones.items() if math.dist(a.center_mm, center) < 40)
            company.session.add(Event("card", {"seat": seat, "card": name, "source": "camera"}))
        if lay and not lies:
            company.session.add(Event("collected", {"seat": company.session.view.last_winner}))
        lay = lies
        if not company.evening.tend():
            return


@pytest.mark.parametrize(("game", "seats"), GUESTS)
def test_every_trick_game_is_played_as_its_players_count(tmp_path: Path, game: str, seats: int) -> None:
    """Cards come from the camera, words through the page; the table counts as the players do."""
    company = Company(tmp_path / "demo.sqlite", seats=seats, game=game, limit=3)
    for _ in range(3):
        watch_round(company)
    assert len(company.lines) == 3
    assert all("as the players count" in line for line in company.lines), company.lines
    assert company.evening.differences == 0
    assert company.session.view.findings == ()
    assert {e.event.kind for e in company.session.entries} & {"say", "turned"}
    company.close()


@pytest.mark.parametrize("cut", range(0, 40, 9))
def test_a_killed_evening_of_klapper_jas_says_nothing_twice(tmp_path: Path, cut: int) -> None:
    """Deal, words and cards of an earlier round and of this one come back from the journal alone."""
    whole = Company(tmp_path / "whole.sqlite", seats=3, game="klapper-jas", limit=2)
    watch_round(whole)
    watch_round(whole)
    told = [e.event for e in whole.session.entries]
    second = [i for i, event in enumerate(told) if event.kind == "round"][1]
    journal = Journal.open(tmp_path / "cut.sqlite")
    half = Session(journal, Referee)
    half.begin(told[:1])
    for event in told[1 : second + 1 + cut]:
        half.add(event)
    journal.close()
    company = Company(tmp_path / "cut.sqlite", seats=3, game="klapper-jas", limit=1)
    lying = {card for _, card in company.lying.cards}
    company.table.frame()
    kept = company.session.add

    def once(event: Event, crop: bytes | None = None) -> int:
        if event.kind == "card" and event.card in lying:
            lying.discard(event.card)  # the interpreter knows what lay there before the cut
            return 0
        return kept(event, crop)

    company.session.add = once  # type: ignore[method-assign]
    watch_round(company)
    fresh = [e.event for e in company.session.entries]

    def said(events: list[Event]) -> list[tuple[object, ...]]:
        return [(e.kind, e.get("card"), e.seat, e.get("what")) for e in events if e.kind != "collected"]

    assert said(fresh) == said(told)
    company.close()
    whole.close()
