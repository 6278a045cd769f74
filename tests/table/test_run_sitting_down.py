"""`run`: games resumed, begun and refused."""

from __future__ import annotations

import argparse
import contextlib
import errno
import socket
from pathlib import Path
from typing import Any

import pytest

from table import cli
from table.cli import real_table, run, seeing
from table.cli.network import phones_find
from table.cli.opening import check_deck
from table.cli.sitting import sit_down
from table.equipment import Equipment
from table.errors import StammtischError, UsageError
from table.journal import Journal
from table.rules.events import Event
from table.rules.view import View
from table.session import Session
from table.settings import read_table
from table.web.page import bind
from tests.table.run_options import GAME
from vision.errors import SourceError

MAT = Path(__file__).parents[2] / "hardware" / "tables" / "mat-4-A2.toml"


def options(*words: str) -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    run.register(parser)
    return parser.parse_args(words)


def test_an_unfinished_game_goes_on_and_new_begins_another(tmp_path: Path) -> None:
    table = read_table(MAT)
    with Journal.open(tmp_path / "e.sqlite") as journal:
        assert (
            sit_down(Session(journal), options("--game", "dubbe"), table)
            == "a new game of dubbe with S1, S2, S3, S4"
        )
        again = Session(journal)
        assert "going on with dubbe, before the first round" in sit_down(again, options(), table)
        assert again.game == 1
        fresh = Session(journal)
        sit_down(fresh, options("--game", "dubbe", "--new", "--players", "A,B,C,D"), table)
        assert (fresh.game, fresh.view.players) == (2, ("A", "B", "C", "D"))


def test_another_game_than_the_unfinished_one_is_not_gone_on_with(tmp_path: Path) -> None:
    table = read_table(MAT)
    with Journal.open(tmp_path / "e.sqlite") as journal:
        sit_down(Session(journal), options("--game", "club"), table)
        for asked in ("dubbe", "ddv"):
            with pytest.raises(StammtischError, match=r"--game \w+: a game of doppelkopf.* is not finished"):
                sit_down(Session(journal), options("--game", asked), table, asked={"game": asked})
        for asked in ("doppelkopf", "club"):
            going = sit_down(Session(journal), options(), table, asked={"game": asked})
            assert going.startswith("going on with doppelkopf")
        assert sit_down(Session(journal), options(), table).startswith("going on with doppelkopf")
        # The settings of every evening name a game only for when there is none yet.
        assert sit_down(Session(journal), options("--game", "dubbe"), table).startswith("going on")


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        (
            {"players": ["Anna", "Bernd", "", "Dirk"]},
            "--players Anna,Bernd,,Dirk: a game of dubbe",
        ),
        ({"rounds": 3}, "--rounds 3: a game of dubbe with S1, S2, S3, S4, 2 rounds is not finished"),
        ({"rules": "ddv"}, "--rules ddv: a game of dubbe"),
    ],
)
def test_wishes_that_the_unfinished_game_does_not_meet_are_not_passed_over(
    tmp_path: Path, asked: dict[str, Any], said: str
) -> None:
    """After a first try, somebody who gives other names would see the old ones and wonder."""
    table = read_table(MAT)
    with Journal.open(tmp_path / "e.sqlite") as journal:
        sit_down(Session(journal), options("--game", "dubbe", "--rounds", "2"), table)
        with pytest.raises(StammtischError, match=said):
            sit_down(Session(journal), options(), table, asked=asked)
        same = {"game": "dubbe", "players": ["S1", "S2", "S3", "S4"], "rounds": 2, "rules": "dubbe"}
        assert sit_down(Session(journal), options(), table, asked=same).startswith("going on")


def test_where_the_port_is_taken_no_game_is_begun(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(seeing, "eye_for", lambda *_: (None, Equipment()))
    with contextlib.closing(bind("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        words = ["run", "--table", str(MAT), "--game", "dubbe", "--journal", str(tmp_path / "e.sqlite")]
        assert cli.main([*words, "--port", port]) == 1
    assert "choose another port (--port)" in capsys.readouterr().err
    with Journal.open(tmp_path / "e.sqlite") as journal:
        assert journal.games() == ()


def test_who_lets_phones_in_is_told_where_they_find_the_page() -> None:
    assert phones_find("127.0.0.1", 8080) == ""
    assert phones_find("192.168.1.5", 8080) == ", for phones http://192.168.1.5:8080"
    assert phones_find("fd00::5", 80) == ", for phones http://[fd00::5]:80"
    anywhere = phones_find("0.0.0.0", 8080)
    assert anywhere.startswith(", for phones http://")
    assert "0.0.0.0" not in anywhere


def test_where_there_is_only_ipv6_phones_are_told_that_address(monkeypatch: pytest.MonkeyPatch) -> None:
    """The table once gave phones a name, which many cannot look up."""

    class Way:
        def __init__(self, family: socket.AddressFamily, _kind: int) -> None:
            self._family = family

        def __enter__(self) -> Way:
            return self

        def __exit__(self, *_: object) -> None:
            pass

        def connect(self, _far: object) -> None:
            if self._family == socket.AF_INET:
                raise OSError(errno.ENETUNREACH, "Network is unreachable")

        def getsockname(self) -> tuple[str, int]:
            return "fd00::5", 9

    monkeypatch.setattr("table.cli.network.socket.socket", Way)
    assert phones_find("::", 8080) == ", for phones http://[fd00::5]:8080"
    assert phones_find("0.0.0.0", 8080) == f", for phones http://{socket.gethostname()}.local:8080"


BOX = """
[field]
size = [280, 280]
[[tag]]
id = 10
center = [-165, 0, 45]
size = 24
[[tag]]
id = 11
center = [0, 165, 45]
size = 24
[[tag]]
id = 12
center = [165, 0, 45]
size = 24
[[bet]]
kind = "B"
center = [-172, 172, 45]
size = 60
[[bet]]
kind = "A"
center = [172, 172, 45]
size = 60
"""


def test_doppelx_is_played_by_the_colours_of_its_dice(tmp_path: Path) -> None:
    """X-01, X-07: the bets are those of the box; the first player named begins."""
    file = tmp_path / "box.toml"
    file.write_text(BOX)
    table = read_table(file)
    with Journal.open(tmp_path / "e.sqlite") as journal:
        session = Session(journal)
        session.equipment = Equipment(bets=tuple(bet.kind for bet in table.layout.bets))
        asked = options("--game", "doppelx", "--players", "red,blue,green")
        assert sit_down(session, asked, table) == "a new game of doppelx with red, blue, green"
        assert session.view.players == ("red", "blue", "green")
        assert session.view.box is not None
        assert session.view.box.bets == ("A", "B")
        lamps = seeing.lamps_of(table, session.view)
        assert {lamp.seat for lamp in lamps.lamps if lamp.shows == "turn"} == {None, "red", "blue", "green"}
        for words, said in (
            (("--players", "red,blue"), "3 to 8 players"),
            ((), "--players is missing"),
            (("--players", "red,blue,mauve"), 'no die "mauve"'),
            (("--players", "red,blue,green", "--rounds", "3"), "leave it out"),
            (("--players", "red,blue,green", "--rules", "ddv"), "rules of doppelkopf, not of doppelx"),
        ):
            with pytest.raises(StammtischError, match=said):
                sit_down(session, options("--game", "doppelx", "--new", *words), table)


def test_house_rules_of_the_evening_come_from_a_file(tmp_path: Path) -> None:
    file = tmp_path / "loewen.toml"
    file.write_text('extends = "dubbe"\n[options]\nblack_die = true\n')
    with Journal.open(tmp_path / "e.sqlite") as journal:
        session = Session(journal)
        sit_down(session, options("--game", "dubbe", "--rules", str(file)), read_table(MAT))
        assert session.view.options["black_die"] is True


def test_without_a_game_in_journal_and_options_the_page_is_asked(tmp_path: Path) -> None:
    with Journal.open(tmp_path / "e.sqlite") as journal:
        session = Session(journal)
        assert sit_down(session, options(), read_table(MAT)) == "no game is on: choose one on the page"
        assert session.game is None
        for asked in ({"players": ["Anna"]}, {"rounds": 4}, {"rounds": 0}, {"dealer": "S1"}):
            with pytest.raises(UsageError, match="--game is missing"):
                sit_down(session, options(), read_table(MAT), asked)


def test_a_game_of_another_table_is_not_mixed_up(tmp_path: Path) -> None:
    with Journal.open(tmp_path / "e.sqlite") as journal:
        Session(journal).begin([Event.from_dict({**GAME, "seats": ["S1", "S2", "S3", "S5"]})])
        with pytest.raises(StammtischError, match=r"played at seat S5, which .* does not have"):
            sit_down(Session(journal), options(), read_table(MAT))


def test_a_new_game_that_the_deck_does_not_suit_leaves_the_old_one(tmp_path: Path) -> None:
    def only_dubbe(view: View) -> None:
        if view.game != "dubbe":
            raise StammtischError("the deck has no picture of C9")

    table = read_table(MAT)
    with Journal.open(tmp_path / "e.sqlite") as journal:

        def sitting() -> Session:
            session = Session(journal)
            session.equipment = Equipment(suits=only_dubbe)
            return session

        sit_down(sitting(), options("--game", "dubbe"), table)
        with pytest.raises(StammtischError, match="no picture of C9"):
            sit_down(sitting(), options("--game", "dulle", "--new"), table)
        assert "going on with dubbe" in sit_down(sitting(), options(), table)
        sit_down(Session(journal), options("--game", "dulle", "--new"), table)
        with pytest.raises(StammtischError, match="--new begins another game"):
            sit_down(sitting(), options(), table)


@pytest.mark.parametrize(
    ("table", "game", "said"),
    [
        ("doppelx-I-280", ["--players", "blau"], "--players: DoppelX is for 3 to 8 players, not 1"),
        ("doppelx-I-280", ["--players", "blue,rot,red"], '--players: there is no die "rot"'),
        (
            "mat-4-A2",
            ["--game", "doppelkopf", "--players", "A,B,,"],
            "--players: Doppelkopf is for 4 players",
        ),
        ("mat-3-A2", ["--game", "doppelkopf"], "--game: Doppelkopf is for 4 players"),
        ("mat-4-A2", ["--game", "dubbe", "--rules", "foo"], '--rules: there is no preset "foo"'),
    ],
)
def test_who_names_players_hears_of_them_and_of_no_event(
    tmp_path: Path, table: str, game: list[str], said: str
) -> None:
    file = read_table(MAT.with_name(f"{table}.toml"))
    with Journal.open(tmp_path / "e.sqlite") as journal, pytest.raises(UsageError) as wrong:
        sit_down(Session(journal), options("--game", "doppelx", *game), file)
    assert str(wrong.value).startswith(said)


@pytest.mark.parametrize(
    ("key", "said"),
    [
        ('players = ["Anna", "Bernd"]', "line 3: key 'players': 2 players for 4 seats"),
        ('players = ["A", "B", "", ""]\nrules = "ddv"', "line 3: key 'players': Doppelkopf is for 4 players"),
        ('dealer = "Zoe"', "line 3: key 'dealer' Zoe: nobody has that name"),
        ('rules = "dubbe"', "line 3: key 'rules' dubbe: these are rules of dubbe"),
        ('listen = "0.0.0.0"\npin = "12"', "line 4: key 'pin': a PIN has six digits"),
    ],
)
def test_what_the_settings_file_gives_is_named_as_its_key(
    tmp_path: Path, key: str, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    config = tmp_path / "evening.toml"
    config.write_text(f'table = "{MAT}"\ngame = "doppelkopf"\n{key}\n')
    words = ["--config", str(config), "--camera", "usb:7", "--board", "none", "--port", "0"]
    assert cli.main(["run", *words, "--journal", str(tmp_path / "e.sqlite")]) == 2
    assert f"stammtisch run: {config}, {said}" in capsys.readouterr().err


def test_a_film_that_is_not_there_is_no_camera_to_wait_for() -> None:
    with pytest.raises(SourceError, match="no such film"):
        real_table.camera("missing.mp4")
    for camera in ("usb:x", "usb:-1", "pi:"):
        with pytest.raises(SourceError, match=f"{camera}: a camera is called"):
            real_table.camera(camera)


def test_a_deck_without_a_card_of_the_game_is_named() -> None:
    class Pile:
        cards = ("red-1", "red-2")
        partial = False

    check_deck(Pile(), {"red-1": 1}, "deck")  # type: ignore[arg-type]
    with pytest.raises(
        StammtischError, match="deck: the deck has no picture of red-3, red-4; add one picture"
    ):
        check_deck(Pile(), {f"red-{n}": 1 for n in range(1, 5)}, "deck")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("words", "status", "said"),
    [
        (["run"], 2, "--table is missing"),
        (
            ["demo", "--game", "skat"],
            2,
            'there is no game "skat"; known: doppelkopf, doppelx, dubbe, dulle, klapper-jas',
        ),
        (["demo", "--game", "dulle", "--players", "3"], 2, "Dulle is for 4 players, not 3"),
        (["demo", "--game", "doppelx", "--players", "2"], 2, "DoppelX is for 3 to 8 players, not 2"),
        (["run", "--table", "none.toml", "--deck", "d"], 1, "none.toml: there is no such table file"),
        (["run", "--config", "none.toml"], 1, "none.toml: there is no such config file"),
        (["torture", "--report", "."], 1, "--report .: is a folder; give a file"),
        (["torture", "--report", "nowhere/x.html"], 1, "--report nowhere/x.html: there is no such folder"),
        (["run", "--config", "."], 1, ".: is a folder; give a file"),
        (["run", "--table", "."], 1, ".: is a folder; give a file"),
        (["restore", ".", "--journal", "none"], 1, "this is a folder; name the copy"),
        (["demo", "--game", "dubb"], 2, 'there is no game "dubb"; did you mean "dubbe"?'),
        (
            ["enrol", ".", "--game", "dubb"],
            2,
            '--game dubb: neither a game nor a file; did you mean "dubbe"?',
        ),
        (["print", "bets", "--out", "/dev/null"], 1, "/dev/null: is not a folder; choose another --out"),
    ],
)
def test_a_mistake_costs_one_sentence_and_the_right_exit_status(
    words: list[str], status: int, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(words) == status
    err = capsys.readouterr().err
    assert said in err
    assert err.count("\n") == 1


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["board", "test", "--lamps", "many"], "'many': a strip has 1 to 255 lamps"),
        (["board", "test", "--lamps", "0"], "'0': a strip has 1 to 255 lamps"),
        (["board", "torture", "--noise", "some"], "'some': give a share of 0 to 0.1"),
        (["board", "torture", "--noise", "nan"], "'nan': give a share of 0 to 0.1"),
        (["run", "--port", "99999"], "'99999': a port is a whole number from 0 to 65535"),
        (["demo", "--port", "abc"], "'abc': a port is a whole number from 0 to 65535"),
        (["hub", "serve", "--port", "-1"], "'-1': a port is a whole number from 0 to 65535"),
        (["run", "--keep-pictures", "-1"], "'-1': give a whole number from 0"),
        (["run", "--attract", "soon"], "'soon': give a whole number from 0"),
        (["run", "--keep-pictures", "1000001"], "'1000001': give a whole number from 0 to 1000000"),
        (["evaluate", "x", "--first", "0"], "'0': give a whole number from 1"),
        (["evaluate", "x", "--seconds", "-1"], "'-1': give a number greater than 0"),
        (["evaluate", "x", "--jobs", "0"], "'0': give a whole number from 1"),
        (["torture", "--faults", "0"], "'0': give a whole number from 1"),
        (["hub", "demo", "--tables", "0"], "'0': give a whole number from 1"),
        (["hub", "demo", "--speed", "0"], "'0': give a number from 0.1 to 20"),
        (["hub", "bench", "--rate", "nan"], "'nan': give a number greater than 0"),
        (["hub", "bench", "--hubs", "0"], "'0': give a whole number from 1"),
        (["board", "test", "--pause", "-1"], "'-1': give a number greater than 0"),
        (["board", "monitor", "--seconds", "inf"], "'inf': give a number greater than 0"),
        (["board", "torture", "--seconds", "0"], "'0': give a number greater than 0"),
        (["run", "--name", "a b"], "'a b': a host name of letters, digits"),
        (["relpay", "x"], 'there is no command "relpay"; did you mean "replay"?'),
        (["run", "--pin", "123456", "--no-pin"], "--no-pin: not allowed with argument --pin"),
    ],
)
def test_an_option_that_is_none_is_said_in_words(
    words: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        cli.main(words)
    assert ended.value.code == 2
    assert said in capsys.readouterr().err
