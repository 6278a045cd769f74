"""The demo's guests choose another game on the page: another show replaces the present one."""

from __future__ import annotations

import argparse
import asyncio
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from table.cli.demo_house import Playhouse
from table.cli.demo_shows import DemoShow, equipment, show_of
from table.errors import StammtischError
from table.interpret import Interpreter
from table.journal import Journal
from table.live import Table
from table.printables import plan_mat
from table.rules.events import Event
from table.rules.games import GAMES
from table.rules.opening import as_event
from table.rules.referee import Referee
from table.rules.tonight import Agreement, first_lines, house_way
from table.session import Session, SessionError
from table.settings import default_lamps
from table.virtual import Players
from table.virtual.evening import Evening
from table.virtual.tonight import Tonight
from table.web.games import games
from tests.table.running_table import down
from tests.table.test_interpret import LAYOUT
from tests.vision.evening import deck as drawn
from vision.geometry import register

FOUR = ["S1", "S2", "S3", "S4"]


class Frames:
    """A camera that knows which show it belongs to."""

    def __init__(self, game: str) -> None:
        self.game = game

    def read(self) -> tuple[Any, float]:
        return np.full((1, 1, 3), len(self.game), np.uint8), 0.0

    def see(self, *_: object) -> list[str]:
        return [self.game]

    def close(self) -> None: ...


class Stage:
    """Makes shows that do nothing, and remembers them."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self.made: list[Tonight] = []
        self.left: list[str] = []

    def show(self, tonight: Tonight) -> DemoShow:
        self.made.append(tonight)
        evening = Evening(self.session, Players(), tonight)
        frames = Frames(tonight.game)

        def begin() -> tuple[Any, str]:
            return frames, evening.take_up()[1]

        def leave() -> None:
            self.left.append(tonight.game)
            evening.leave()

        seats = tuple(f"S{n + 1}" for n in range(tonight.players))
        return DemoShow(tonight.game, LAYOUT, seats, lambda: frames, begin, lambda: True, leave, lambda: 0)  # type: ignore[arg-type,return-value]


@pytest.fixture
def session(tmp_path: Path) -> Iterator[Session]:
    with Journal.open(tmp_path / "demo.sqlite") as journal:
        session = Session(journal)
        session.equipment = equipment()
        yield session


def lines(game: str, seats: list[str], dealer: str | None = None) -> list[Event]:
    return first_lines(house_way(game), seats, Agreement([f"Guest {seat}" for seat in seats], dealer=dealer))


async def until(true: Callable[[], object]) -> None:
    for _ in range(2000):
        if true():
            return
        await asyncio.sleep(0.005)
    raise AssertionError("it never came")


def test_another_show_plays_what_guests_choose(session: Session) -> None:
    stage = Stage(session)
    table = Table(session, Interpreter(LAYOUT), default_lamps(tuple(FOUR[:3])))
    first = stage.show(Tonight("dubbe", 3))
    house = Playhouse(table, first, first.eye(), stage.show)

    async def evening() -> None:
        serving = asyncio.ensure_future(house.serve())
        await asyncio.sleep(0)
        assert house.see(*house.read()) == ["dubbe"]
        session.start(lines("dulle", FOUR, "S3"))
        table.hear(down("red-7", "S2"))
        assert [entry.event.kind for entry in session.entries] == ["game", "round"], "the old show is unheard"
        assert table.health.sight.what == "starting", "who waits is told why"
        await until(lambda: house._ready)
        assert house.see(*house.read()) == ["dulle"]
        await asyncio.sleep(0)
        assert table.health.sight.what == "fine"
        table.hear(down("CA", "S4"))
        assert session.entries[-1].event.fields["card"] == "CA"
        serving.cancel()

    asyncio.run(evening())
    assert stage.left == ["dubbe"]
    assert [(t.game, t.players, t.first) for t in stage.made] == [("dubbe", 3, None), ("dulle", 4, "S3")]
    view = session.view
    assert (view.game, view.dealer, view.players[0]) == ("dulle", "S3", "Guest S1")
    assert table.plan is not None
    assert {lamp.seat for lamp in table.plan.lamps if lamp.shows == "turn"} == set(FOUR)


def test_the_last_of_two_hasty_wishes_is_played(session: Session) -> None:
    stage = Stage(session)
    table = Table(session, Interpreter(LAYOUT))
    first = stage.show(Tonight("dubbe", 3))
    house = Playhouse(table, first, first.eye(), stage.show)

    async def evening() -> None:
        session.start(lines("dulle", FOUR))
        session.start(lines("klapper-jas", FOUR[:2]))
        serving = asyncio.ensure_future(house.serve())
        await until(lambda: house._ready)
        serving.cancel()

    asyncio.run(evening())
    assert session.view.game == "klapper-jas"


@pytest.mark.parametrize("dealer", [None, "S3"])
def test_a_game_that_a_visitor_chooses_stands_once_in_the_journal_and_can_be_taken_back(
    session: Session, dealer: str | None
) -> None:
    stage = Stage(session)
    table = Table(session, Interpreter(LAYOUT), default_lamps(tuple(FOUR[:3])))
    first = stage.show(Tonight("dubbe", 3))
    house = Playhouse(table, first, first.eye(), stage.show)

    async def evening() -> None:
        serving = asyncio.ensure_future(house.serve())
        chosen = session.start(lines("dulle", FOUR, dealer) if dealer else lines("dulle", FOUR)[:1])
        await until(lambda: house._ready)
        assert (session.game, session.view.game, session.view.round) == (chosen, "dulle", 1)
        assert dealer in (None, session.view.dealer)
        house.read()
        session.correct(1, None)
        await until(lambda: house._ready)
        serving.cancel()

    asyncio.run(evening())
    assert (session.view.game, stage.made[-1].game) == ("dubbe", "dubbe")


def test_eight_throw_with_the_dice_that_the_virtual_guests_have() -> None:
    """There is no black die, which is no reason to refuse seven or eight players the other colours."""
    (dice,) = (game for game in games(equipment())["games"] if game["name"] == "doppelx")
    assert dice["players"] == [3, 4, 5, 6, 7, 8]
    assert len(dice["colours"]) == 8
    assert "black" not in dice["colours"]


@pytest.mark.parametrize(
    ("opening", "said"),
    [
        (lines("dubbe", ["S1", "S3"]), "the virtual guests sit side by side; use the seats S1 to S2"),
        (
            [{"kind": "game", "game": "doppelx", "players": ["black", "red", "blue"]}],
            "the virtual guests have no black die",
        ),
    ],
)
def test_what_the_virtual_guests_cannot_do_is_said(
    session: Session, opening: list[dict[str, Any]], said: str
) -> None:
    with pytest.raises(SessionError, match=said):
        session.start([*map(as_event, opening)])
    trial = Referee()
    trial.add(opening[0])
    with pytest.raises(StammtischError):
        equipment().suits(trial.view())


def test_a_game_begun_by_mistake_is_taken_back_and_the_last_one_goes_on(session: Session) -> None:
    stage = Stage(session)
    table = Table(session, Interpreter(LAYOUT), default_lamps(tuple(FOUR[:3])))
    first = stage.show(Tonight("dubbe", 3))
    house = Playhouse(table, first, first.eye(), stage.show)
    table.hear(down("red-7", "S1"))
    before = [entry.event for entry in session.entries]

    async def evening() -> None:
        serving = asyncio.ensure_future(house.serve())
        session.start(lines("dulle", FOUR))
        session.rejoin()
        await until(lambda: house._ready)
        serving.cancel()

    asyncio.run(evening())
    assert stage.made[-1].game == "dubbe"
    assert session.view.game == "dubbe"
    after = [entry.event for entry in session.entries]
    assert [after[0].without("resumes"), *after[1:]] == before, "it goes on where it stood"


def test_the_demos_camera_sees_the_mat_of_the_game_that_is_played(tmp_path: Path) -> None:
    with Journal.open(tmp_path / "evening.sqlite") as journal:
        usual = argparse.Namespace(rounds=None, speed=20.0)
        show = show_of(Tonight("dulle", 4), usual, Session(journal), 3)
        table, _ = show.begin()
        picture, _ = table.read()
        show.leave()
    assert show.layout.spots == ()
    row, trumps = plan_mat(4, "A2").row, GAMES["dulle"].mat_row
    pitch, high = row.size_mm[0] / len(trumps), row.size_mm[1]
    corners = [
        (row.center_mm[0] + (n - (len(trumps) - 1) / 2) * pitch, row.center_mm[1] - 0.46 * high)
        for n in range(len(trumps))
    ]
    places = register(picture, show.layout).to_px(corners).round().astype(int)
    assert all(picture[y, x].min() > 120 for x, y in places), "its trumps lie in a row"


@pytest.mark.parametrize("speaks", [True, False])
def test_a_demo_says_that_words_reach_the_page_only_where_its_game_has_any(
    speaks: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    game = GAMES["dulle"]
    kinds = tuple(kind for kind in game.kinds if speaks or kind != "say")
    monkeypatch.setattr(type(game), "kinds", kinds)
    monkeypatch.setattr("table.cli.demo_shows._deck", lambda *_: drawn())
    with Journal.open(tmp_path / "evening.sqlite") as journal:
        usual = argparse.Namespace(rounds=None, speed=20.0)
        show = show_of(Tonight("dulle", 4), usual, Session(journal), 3)
        show.eye()
        show.leave()
    assert ("what is said" in capsys.readouterr().out) is speaks
