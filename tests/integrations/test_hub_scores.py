"""A hub's results from many tables' lines: points by the rules, ratings, and players who may be deleted."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable
from concurrent import futures
from typing import Any

import msgspec
import pytest

from table.cli import main
from table.hub import questions, store
from table.hub.database import Connection, HubError, connect
from table.hub.people import call, forget, player_of
from table.hub.scoring import folded, rate, rated, score_one
from table.messages import JournalLine, Kept, TableState
from table.rules.bots import choose
from table.rules.evening import evening
from table.rules.events import Event
from table.rules.referee import Referee
from tests.integrations.engines import until
from tests.integrations.hub_lines import NAMES, log, rows, score, told


def test_points_are_those_of_the_rules_also_when_the_table_began_a_new_boot(base: Connection) -> None:
    events = log()
    spoilt = [*events[:20], *({"kind": "end"} for _ in range(5))]
    store.keep(base, list(told(spoilt)))
    again = [line for line in told(events, boot=8) if line.id > 20]
    again[0] = JournalLine(**{**{f: getattr(again[0], f) for f in again[0].__struct_fields__}, "after": 0})
    _, marks = store.keep(base, again)
    assert marks == {"window": Kept(8, again[-1].sequence)}
    base.execute("UPDATE games SET dirty = now()")
    score(base)
    wanted = folded(list(enumerate(events, 1))).points()
    assert dict(rows(base, "SELECT seat, points FROM seats")) == wanted


def test_a_player_has_one_rating_at_all_tables_and_is_deleted_when_he_asks(base: Connection) -> None:
    for number, table in enumerate(("window", "corner", "window"), 1):
        store.keep(base, list(told([*log(), {"kind": "end"}], table, number)))
    base.execute("UPDATE games SET dirty = now()")
    score(base)
    given = {"kind": "dubbe", "days": 36500, "league": None}
    standings = questions.ask(base, questions.STANDINGS, **given)
    assert sorted((row["games"], row["tables"]) for row in standings) == [(3, 2)] * 3
    assert sum(row["rating"] for row in standings) == pytest.approx(3 * 1500, abs=3)
    call(base, "anna ", "Die Spinne")
    assert "Die Spinne" in {row["name"] for row in questions.ask(base, questions.STANDINGS, **given)}
    for name, pseudonym in (
        ("Bernd", "Die Spinne"),
        ("Bernd", " "),
        ("Bernd", "gast 3"),
        ("Berndt", "Bernd"),
    ):
        with pytest.raises(HubError):
            call(base, name, pseudonym)
    assert forget(base, "Anna") == 3
    score(base)
    assert len(questions.ask(base, questions.STANDINGS, **given)) == 2
    everything = [
        str(rows(base, f"SELECT * FROM {name}"))
        for (name,) in rows(base, "SELECT tablename FROM pg_tables WHERE schemaname = 'public'")
    ]
    assert not [name for name in (*NAMES, "Spinne") if name in "".join(everything)]
    with pytest.raises(HubError):
        forget(base, "Anna")


@pytest.mark.parametrize("order", [(1, 2, 3), (3, 1, 2)], ids=str)
def test_a_game_that_goes_on_with_an_earlier_one_counts_once(
    base: Connection, order: tuple[int, ...]
) -> None:
    """Even if its lines arrive before those of the games that it took over."""
    games = {1: log(), 2: [*log(), {"kind": "end"}], 3: [{**log()[0], "resumes": 1}, *log()[1:]]}
    for game in order:
        store.keep(base, list(told([*games[game], {"kind": "end"}], game=game)))
        score(base)
    played = rows(base, "SELECT game, rounds > 0 FROM games ORDER BY game")
    assert played == [(1, False), (2, False), (3, True)]
    given = {"kind": "dubbe", "days": 36500, "league": None}
    assert {row["games"] for row in questions.ask(base, questions.STANDINGS, **given)} == {1}


def test_who_is_deleted_while_his_game_is_scored_is_deleted_and_the_game_is_scored(
    base: Connection, dsn: str
) -> None:
    store.keep(base, list(told(log())))
    work = futures.ThreadPoolExecutor(2)

    def apart(act: Callable[[Connection], Any]) -> Any:
        with connect(dsn) as own:
            return act(own)

    def waiting() -> int:
        return int(rows(base, "SELECT count(DISTINCT pid) FROM pg_locks WHERE NOT granted")[0][0])

    with connect(dsn) as third, third.transaction():
        third.execute("UPDATE house SET rated = rated")  # both meet here, the deletion first
        deleted = work.submit(apart, lambda own: forget(own, "Anna"))
        until(lambda: waiting() == 1)
        scored = work.submit(apart, score_one)
        until(lambda: waiting() == 2)
    assert (deleted.result(30), scored.result(30)) == (0, True)
    assert [row[0] for row in rows(base, "SELECT player FROM seats ORDER BY seat")].count(None) == 1


def test_who_is_deleted_stays_so_when_a_table_tells_his_game_again(base: Connection) -> None:
    store.keep(base, list(told(log())))
    forget(base, "Anna")
    store.keep(base, list(told(log())))
    store.keep(base, list(told(log(), boot=8)))
    score(base)
    assert rows(base, "SELECT count(*) FROM players") == [(2,)]
    assert rows(base, "SELECT count(*) FROM seats WHERE player IS NULL") == [(1,)]


def test_whoever_deletes_somebody_is_told_where_the_name_still_stands(
    base: Connection, dsn: str, capsys: pytest.CaptureFixture[str]
) -> None:
    without = [{**log()[0], "players": ["Emil", "Bernd", "Carla"]}, *log()[1:]]
    for table, games in (("window", [log()]), ("corner", [log(), without]), ("lounge", [without])):
        for game, events in enumerate(games, 1):
            store.keep(base, list(told(events, table, game)))
        store.keep_states(base, [TableState(table, "dubbe", len(games), players=NAMES)])
    assert main(["hub", "forget", "anna", "--database", dsn]) == 0
    said = capsys.readouterr().out
    assert "tables' own journals" in said
    assert "mosquitto_pub -h BROKER -u window -P PASSWORD -r -n -t stammtisch/v1/window/state" in said
    assert "corner" not in said, "she has left there"
    assert "lounge" not in said


def test_a_name_is_the_same_in_whichever_form_unicode_writes_it(base: Connection) -> None:
    forms = ("Jürgen", unicodedata.normalize("NFD", "jürgen "), "Jür\u200bgen")
    assert len({player_of(base, form) for form in forms}) == 1


def test_two_of_one_name_at_a_table_stop_no_rating(base: Connection) -> None:
    twice = [{**log()[0], "players": ["Anna", "Anna", "Carla"]}, *log()[1:], {"kind": "end"}]
    store.keep(base, [*told(twice, "corner"), *told([*log(), {"kind": "end"}])])
    base.execute("UPDATE games SET over = true")
    score(base)
    assert {row[0] for row in rows(base, "SELECT DISTINCT table_name FROM ratings")} <= {"window"}


def test_who_beats_the_stronger_wins_more() -> None:
    assert sum(rated([1500, 1600, 1400], [(False, 3), (False, 1), (False, 2)])) == pytest.approx(4500)
    won = [(True, 1), (False, 0)]
    weak, strong = rated([1400, 1600], won), rated([1600, 1400], won)
    assert weak[0] - 1400 > strong[0] - 1600 > 0
    assert rated([1500, 1500], [(False, 5), (False, 5)]) == [1500, 1500]
    assert rated([1500, 1500], [(False, 5), (True, 5)]) == [1488, 1512], "the rules name one winner"


def test_an_evening_on_which_nothing_was_finished_is_no_game_that_somebody_won(base: Connection) -> None:
    opening = [log()[0], {"kind": "round"}, {"kind": "end"}]
    for number in (1, 2):
        store.keep(base, list(told(opening, game=number)))
    score(base)
    given = {"kind": "dubbe", "days": 36500, "league": None, "player": 1}
    for question in (questions.STANDINGS, questions.EVENINGS, questions.KINDS, questions.AGAINST):
        assert questions.ask(base, question, **given) == []
    assert rows(base, "SELECT DISTINCT won FROM seats") == [(False,)]
    assert rows(base, "SELECT * FROM ratings") == []


@pytest.fixture(scope="module")
def klapper() -> list[dict[str, Any]]:
    """A game that ends with its last card; with three players the first to the end wins."""
    opening = Event("game", {"game": "klapper-jas", "seats": ["S1", "S2", "S3"], "players": NAMES[:3]})
    return [event.to_dict() for event in evening(opening, seed=1, player=choose, rounds=60)]


@pytest.mark.parametrize("next_game", [0, 1])
def test_the_last_cards_of_a_game_count_also_when_they_come_after_how_it_stands(
    base: Connection, klapper: list[dict[str, Any]], next_game: int
) -> None:
    lines = list(told(klapper))
    store.keep(base, lines[:-9])
    score(base)
    phase = "idle" if next_game else "finished"
    state = TableState("window", "klapper-jas", 1 + next_game, phase=phase, over=not next_game)
    store.keep_states(base, [state])
    score(base)
    assert rows(base, "SELECT over FROM games") == [(False,)]
    store.keep(base, lines[-9:])
    score(base)
    assert rows(base, "SELECT over FROM games") == [(True,)]
    assert len(rows(base, "SELECT * FROM ratings")) == 3


def test_a_round_counts_with_its_last_card_although_nobody_begins_another(
    base: Connection, klapper: list[dict[str, Any]]
) -> None:
    second = [at for at, event in enumerate(klapper) if event["kind"] == "round"][1]
    lines = list(told(klapper[:second]))
    store.keep(base, lines[:-9])
    score(base)
    store.keep(base, lines[-9:])
    score(base)
    assert rows(base, "SELECT rounds FROM games") == [(0,)]
    store.keep_states(base, [TableState("window", "klapper-jas", 1, round=1, phase="settled")])
    score(base)
    assert rows(base, "SELECT rounds FROM games") == [(1,)]


@pytest.mark.parametrize("boots", [(7, 8), (8, 7)], ids=["clock-right", "clock-behind"])
def test_two_games_of_one_number_are_two(base: Connection, boots: tuple[int, int]) -> None:
    """A new SD card or a restored journal starts again from a game number that was already used."""
    first, second = log(), [{**log()[0], "players": ["Emil", "Fritz", "Gustav"]}, *log()[1:]]
    for number in (1, 2, 3):
        store.keep(base, list(told([*first, {"kind": "end"}], game=number, boot=boots[0])))
    score(base)
    later = [msgspec.structs.replace(line, wall=line.wall + 86400) for line in told(second, boot=boots[1])]
    store.keep(base, later[:5])
    score(base)
    store.keep(base, later[5:])
    store.keep_states(base, [TableState("window", "dubbe", 1, round=1, phase="settled")])
    score(base)
    dates = [line.wall for number in (1, 2, 3) for line in [next(told(first, game=number))]]
    assert {row[0] for row in rows(base, "SELECT extract(epoch FROM started)::float8 FROM games")} == {
        *dates,
        later[0].wall,
    }
    given = {"kind": "dubbe", "days": 36500, "league": None}
    assert (
        sorted(row["games"] for row in questions.ask(base, questions.STANDINGS, **given)) == [1] * 3 + [3] * 3
    )
    assert rows(base, "SELECT count(DISTINCT player) FROM seats") == [(6,)]
    if boots[1] > boots[0]:
        base.execute("UPDATE games SET over = false WHERE generation = 1")
        base.execute("UPDATE house SET rated = false")
        rate(base)
        assert len(rows(base, "SELECT * FROM ratings")) == 9, "the running game is rated when it is over"
        here = questions.ask(base, questions.TABLES)[0]["people"]
        assert not {*here.values()} & {f"Gast {number}" for number in (1, 2, 3)}, "those who play there now"
    store.keep(base, list(told([*first, {"kind": "end"}], game=1, boot=boots[0])))
    score(base)
    assert rows(base, "SELECT count(*) FROM games") == [(4,)], "told again it is no further game"


def test_a_game_that_is_told_once_more_after_another_of_its_number_is_no_third(base: Connection) -> None:
    """If its clock was behind, a table sends its new journal again to a hub that knows newer boots."""
    for boot, later_s in ((5, 86400.0), (7, 0.0), (8, 86400.0)):
        lines = told([*log(), {"kind": "end"}], boot=boot)
        store.keep(base, [msgspec.structs.replace(line, wall=line.wall + later_s) for line in lines])
        score(base)
    assert rows(base, "SELECT generation, boot FROM games ORDER BY 1") == [(0, 7), (1, 8)]


def test_a_game_of_the_old_journal_is_not_what_the_new_one_goes_on_with(base: Connection) -> None:
    over = [*log(), {"kind": "end"}]
    for number in (1, 2):
        store.keep(base, list(told(over, game=number)))
    again = {1: log(), 2: [{**log()[0], "resumes": 1}, *log()[1:]]}
    for number, events in again.items():
        lines = told([*events, {"kind": "end"}], game=number, boot=8)
        store.keep(base, [msgspec.structs.replace(line, wall=line.wall + 86400) for line in lines])
    score(base)
    assert rows(base, "SELECT game, generation, rounds > 0 FROM games ORDER BY game, generation") == [
        (1, 0, True),
        (1, 1, False),
        (2, 0, True),
        (2, 1, True),
    ]


@pytest.mark.parametrize("late", [False, True])
def test_a_game_that_goes_on_under_another_name_of_the_table_counts_once(
    base: Connection, late: bool
) -> None:
    """The table sends all of it again under the new name (mqtt.md)."""
    told_first = list(told(log()))[:60]
    batches = [told_first, list(told([*log(), {"kind": "end"}], "lounge", boot=8))]
    for batch in reversed(batches) if late else batches:
        store.keep(base, batch)
        score(base)
    assert rows(base, "SELECT table_name, rounds > 0 FROM games ORDER BY 1") == [
        ("lounge", True),
        ("window", False),
    ]
    given = {"kind": "dubbe", "days": 36500, "league": None}
    assert {row["games"] for row in questions.ask(base, questions.STANDINGS, **given)} == {1}


def test_a_game_of_somebody_deleted_that_goes_on_under_another_name_of_the_table_counts_once(
    base: Connection,
) -> None:
    """Under the new name he was once a new player: both parts counted, and he was back."""
    store.keep(base, list(told(log()))[:60])
    score(base)
    forget(base, "Anna")
    store.keep(base, list(told([*log(), {"kind": "end"}], "lounge", boot=8)))
    score(base)
    assert rows(base, "SELECT table_name, rounds > 0 FROM games ORDER BY 1") == [
        ("lounge", True),
        ("window", False),
    ]
    assert rows(base, "SELECT count(*) FROM players") == [(2,)]
    assert rows(base, "SELECT count(*) FROM seats WHERE table_name = 'lounge' AND player IS NULL") == [(1,)]


@pytest.mark.parametrize("batches", [1, 2])
def test_who_is_deleted_stays_so_in_corrections_told_under_another_name_of_the_table(
    base: Connection, batches: int
) -> None:
    opening = log()[0]
    seated = {"kind": "correction", "of": 1, "event": {**opening, "players": ["Anna", "Bernd", "Emil"]}}
    events = [*log()[:20], seated]
    store.keep(base, list(told(events)))
    forget(base, "Anna")
    again = list(told(events, "lounge", boot=8))
    for batch in [again] if batches == 1 else [again[:10], again[10:]]:
        store.keep(base, batch)
    assert rows(base, "SELECT count(*) FROM players") == [(3,)]
    lounge, window = rows(base, "SELECT event FROM lines WHERE id = 21 ORDER BY table_name")
    assert lounge == window


def test_a_hub_that_has_told_such_a_game_twice_already_counts_it_once(base: Connection) -> None:
    store.keep(base, list(told(log()))[:60])
    store.keep(base, list(told([*log(), {"kind": "end"}], "lounge", boot=8)))
    base.execute(
        'UPDATE lines SET event = jsonb_set(event, \'{players}\', \'["77", "78", "79"]\') '
        "WHERE id = 1 AND table_name = 'lounge'"
    )
    score(base)
    assert rows(base, "SELECT table_name, rounds > 0 FROM games ORDER BY 1") == [
        ("lounge", True),
        ("window", False),
    ]


def test_two_tables_that_begin_at_one_moment_play_two_games(base: Connection) -> None:
    """Each has names of its own, and so they are different games."""
    other = [{**log()[0], "rules": "another"}, *log()[1:]]
    store.keep(base, list(told(log())))
    store.keep(base, list(told(other, "lounge", boot=8)))
    score(base)
    assert rows(base, "SELECT table_name, rounds > 0 FROM games ORDER BY 1") == [
        ("lounge", True),
        ("window", True),
    ]


def test_the_winner_is_whom_the_rules_name_also_where_another_has_more_points(
    base: Connection, klapper: list[dict[str, Any]]
) -> None:
    points = folded(list(enumerate(klapper, 1))).points()
    assert points["S2"] > points["S1"]
    store.keep(base, list(told(klapper)))
    base.execute("UPDATE games SET dirty = now()")
    score(base)
    assert rows(base, "SELECT seat FROM seats WHERE won") == [("S1",)]
    best = "SELECT seat FROM ratings JOIN seats USING (player, table_name, game) ORDER BY rating DESC LIMIT 1"
    assert rows(base, best) == [("S1",)]


def test_a_line_on_which_the_rules_fail_costs_itself_only(
    base: Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    add = Referee.add

    def stumbles(referee: Referee, event: dict[str, Any]) -> Any:
        if event["kind"] == "touch":
            raise TypeError("half of it is done")
        return add(referee, event)

    monkeypatch.setattr(Referee, "add", stumbles)
    events = log()
    wanted = folded(list(enumerate(events, 1))).points()
    store.keep(base, list(told([*events, {"kind": "touch"}], "corner")))
    store.keep(base, list(told(events)))
    score(base)
    found = base.execute("SELECT table_name, seat, points FROM seats").fetchall()
    assert {(table, seat): points for table, seat, points in found} == {
        (table, seat): points for table in ("corner", "window") for seat, points in wanted.items()
    }


def test_a_game_that_cannot_be_scored_holds_no_other_up(
    base: Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    def view(referee: Referee) -> Any:
        raise IndexError("a fault in the rules")

    store.keep(base, list(told(log(), "corner")))
    with monkeypatch.context() as faulty:
        faulty.setattr(Referee, "view", view)
        score(base)
    store.keep(base, list(told(log())))
    score(base)
    assert {row[0] for row in rows(base, "SELECT table_name FROM seats")} == {"window"}
