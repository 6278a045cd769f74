"""Random games, counted by the referee and by somebody who read only the players' texts."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from table.rules import Referee
from tests.rules.doppelkopf_evenings import PRESETS, random_log
from tests.rules.second_opinion import doppelkopf, doppelx, dubbe, dulle, klapperjas
from tests.rules.second_opinion.opinion import Opinion

TIES = (151, 158, 220, 444)
"""Evenings of Klapper-Jas in which a declarer ties with the best of the others."""
EVENINGS = [
    *((preset, seed, 4) for preset in PRESETS for seed in range(15)),
    # Four tens in a trick, a Schweinchen that takes the last one, exactly the needed Augen: found by search.
    *(("ddv", 422, 4), ("dieblich", 349, 4), ("dieblich", 121, 4), ("dieblich", 179, 4), ("club", 76, 4)),
    *(("club", 353, 4), ("bundeswehr", 50, 4), ("bundeswehr", 249, 4)),
    # The second of two equal Füchse takes the trick.
    ("bundeswehr", 16, 4),
    # Long enough for Bock deals to run out.
    *(("dieblich", 5, 9), ("dieblich", 8, 9), ("dieblich", 18, 9)),
]


def part_of(entry: Any, told: Any) -> Any:
    """The parts of an entry that `told` also has."""
    if isinstance(told, dict) and isinstance(entry, dict):
        return {key: part_of(entry.get(key), told[key]) for key in told}
    if isinstance(told, list) and isinstance(entry, list) and len(told) == len(entry):
        return [part_of(*pair) for pair in zip(entry, told, strict=True)]
    return entry


def agree(opinion: Opinion) -> None:
    """The referee agrees on each round, on points and winners, and on who broke which rule where."""
    referee = Referee()
    for line, event in enumerate(opinion.log, 1):
        referee.add(event)
        assert line not in opinion.standing or referee.points() == opinion.standing[line], line
    result = referee.result()
    assert part_of(result["rounds"], opinion.ledger) == opinion.ledger
    assert result["points"] == opinion.points
    assert result["finished"] == opinion.finished
    assert not opinion.finished or result["winners"] == opinion.winners
    found = {
        (one["finding"], one["seat"], one.get("about", one["event"])): one["event"]
        for one in result["findings"]
    }
    assert found.keys() == opinion.faults.keys()
    for fault, proof in opinion.faults.items():
        assert proof in (None, found[fault]), fault


@pytest.mark.parametrize("seed", range(24))
def test_dubbe_comes_out_as_the_booklet_says(seed: int) -> None:
    """D-12 to D-18, D-22 to D-37, D-41 to D-46, D-I7, D-I8, DA-1, DA-4 to DA-6."""
    agree(dubbe.evening(seed))


@pytest.mark.parametrize("seed", range(32))
def test_dulle_comes_out_as_the_lehrblatt_says(seed: int) -> None:
    """U-03 to U-19, U-22 to U-30, U-I2, U-I3, U-I4, U-I6, UA-1 to UA-3, UA-5, UA-8 to UA-11."""
    agree(dulle.evening(seed))


@pytest.mark.parametrize("seed", [*range(24), *TIES])
def test_klapper_jas_comes_out_as_the_booklet_says(seed: int) -> None:
    """J-01 to J-27, J-33 to J-46, J-I1, J-I2, J-I4 to J-I7, JA-2 to JA-9, JA-11, JA-14, JA-17."""
    agree(klapperjas.evening(seed))


@pytest.mark.parametrize(("preset", "seed", "rounds"), EVENINGS)
def test_doppelkopf_comes_out_as_the_four_texts_say(preset: str, seed: int, rounds: int) -> None:
    """K-04 to K-18, K-24 to K-43, K-53 to K-55, K-59, K-60, K-66 to K-68, K-70 to K-72, KA-7 to KA-13."""
    agree(doppelkopf.evening(random_log(preset, seed, rounds, players=4 + seed % 2)))


@pytest.mark.parametrize("seed", range(50))
def test_doppelx_comes_out_as_the_booklet_says(seed: int) -> None:
    """X-06, X-08, X-10 to X-15, X-17 to X-29, XA-1 to XA-4, XA-6, XA-10, XA-11."""
    agree(doppelx.game(seed))


def test_the_random_players_break_every_rule_that_they_are_watched_for() -> None:
    """Otherwise the second opinion would have nothing to say about findings."""
    dubbes = {name for seed in range(24) for name, *_ in dubbe.evening(seed).faults}
    dulles = {name for seed in range(32) for name, *_ in dulle.evening(seed).faults}
    klapper = {name for seed in range(24) for name, *_ in klapperjas.evening(seed).faults}
    assert dubbes == {"revoke", "unauthorised_touch"}
    assert dulles == {"partner_duty", "trump_duty", "overtrump_duty", "missed_stoss"}
    talk = {"late_declaration", "wrong_side", "false_meld", "false_belle", "false_swap"}
    assert klapper == {"revoke", "trump_duty", "overtrump_duty"} | talk


def test_the_second_opinion_imports_nothing_of_the_house_but_itself() -> None:
    files = sorted((Path(__file__).parent / "second_opinion").glob("*.py"))
    imported = {
        name for file in files for name in re.findall(r"^(?:from|import) (\S+)", file.read_text(), re.M)
    }
    assert len(files) > 5
    ours = {name for name in imported if name.partition(".")[0] in ("table", "vision", "tests")}
    assert ours == {name for name in ours if name.startswith("tests.rules.second_opinion.")}
    assert any(ours)
