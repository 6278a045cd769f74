"""A table under faults loses nothing and reports its problem; the full version is `stammtisch torture`."""

from __future__ import annotations

from pathlib import Path

import pytest

from table import cli
from table.cli import torture
from table.cli.ordeal import Ordeal
from table.cli.torture import FAULTS, GAMES, ordeals
from table.cli.torture_page import page
from table.rules.klapperjas import KLAPPERJAS


@pytest.mark.parametrize(
    ("kind", "faults"),
    [("kill -9", 2), ("power cut between two writes", 1), ("database is damaged", 1), ("disk is full", 1)],
)
def test_a_table_that_is_hurt_loses_no_event_and_counts_right(kind: str, faults: int) -> None:
    (ordeal,) = ordeals(faults, seed=3, kind=kind)
    assert ordeal.strikes == faults
    assert ordeal.well, ordeal


@pytest.mark.soak
@pytest.mark.parametrize("kind", FAULTS)
def test_every_fault_over_and_over(kind: str) -> None:
    assert all(ordeal.well for ordeal in ordeals(40, seed=4, kind=kind))


def test_a_game_that_is_over_before_it_is_struck_counts_for_nothing_and_a_bad_one_for_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    came = iter([(0, ""), (2, ""), (0, "it ended by itself"), (0, ""), (1, "")])

    def undergo(ordeal: Ordeal, *_: object) -> None:
        ordeal.strikes, ordeal.wrong = next(came)

    monkeypatch.setattr(torture, "_undergo", undergo)
    assert [ordeal.strikes for ordeal in ordeals(4, seed=1, kind="kill -9")] == [0, 2, 0, 0, 1]


@pytest.mark.parametrize("game", GAMES)
def test_a_lost_a_doubled_and_a_changed_event_are_found(game: str, tmp_path: Path) -> None:
    """This tests the judge itself: it never accepts a journal that differs from the log."""
    from table.journal import Journal

    log = torture.script(game, 5)
    changed = [log[0].having(preset="another"), *log[1:]]
    for number, events in enumerate((log, log[:-1], [*log, log[-1]], changed)):
        place = tmp_path / f"{number}.sqlite"
        with Journal.open(place) as journal:
            journal.new_game(opening=events)
        ordeal = Ordeal("kill -9", game)
        torture._judge(ordeal, place, log)
        assert ordeal.well is (events is log)


def test_a_game_that_four_cannot_play_is_tortured_with_as_many_as_can(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(KLAPPERJAS.__class__, "players", (2, 3))
    opening = torture.script(KLAPPERJAS.name, 5)[0]
    assert opening.fields["seats"] == ["S1", "S2", "S3"]
    assert opening.fields["players"] == ["Anna", "Bernd", "Carla"]


def test_a_fault_that_nobody_knows_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["torture", "--kind", "flood"]) == 2
    assert "known: kill -9" in capsys.readouterr().err


def test_the_report_counts_and_marks_what_went_wrong() -> None:
    told = page([Ordeal("kill -9", "dubbe", 3), Ordeal("disk is full", "dulle", 1, lost=2, wrong="<gone>")])
    assert "<b>4</b> faults in <b>2</b> games: <b>2</b> events lost" in told
    assert told.count('class="bad"') == 1
    assert "&lt;gone&gt;" in told
