"""Many tables in a real PostgreSQL: each line once, whatever happens, and the reason if none arrives."""

from __future__ import annotations

import asyncio
import itertools
import json
import re
import socket
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import httpx
import msgspec
import paho.mqtt.client as paho
import pytest
from paho.mqtt.enums import CallbackAPIVersion

from table.cli import main
from table.hub import questions, store
from table.hub.database import Connection, HubError, connect, migrate
from table.hub.engines import Mosquitto, Postgres, free_port
from table.hub.intake import BrokerAccess, Intake
from table.hub.page import application
from table.messages import JournalLine, Kept, TableState, encode, topic
from tests.integrations.engines import mosquitto, until
from tests.integrations.hub_lines import log, rows, score, told

DASHBOARD = Path(__file__).parents[2] / "hardware" / "hub" / "grafana.json"


def test_without_its_database_one_plain_sentence_says_what_to_do(tmp_path: Path) -> None:
    for reach in (connect, migrate):
        with pytest.raises(HubError) as wrong:
            reach(f"host={tmp_path}")
        assert str(tmp_path) in str(wrong.value)
        assert str(wrong.value).endswith("start PostgreSQL, or check --database")
        assert "\n" not in str(wrong.value)
        assert "sqlalche" not in str(wrong.value)


def test_a_database_that_no_hub_has_opened_is_told_in_a_sentence(
    cluster: Postgres, capsys: pytest.CaptureFixture[str]
) -> None:
    for words in (["forget", "Anna"], ["call", "Anna", "A"], ["league", "L", "window"]):
        assert main(["hub", *words, "--database", cluster.dsn]) == 1
        assert "this database has never been a hub's" in capsys.readouterr().err
    with pytest.raises(HubError, match="check --database"):
        migrate("foo bar")


@pytest.mark.parametrize(
    "words",
    [
        ["--broker", "127.0.0.1:0"],
        ["--broker", "127.0.0.1:99999"],
        ["--password-file", "p"],
        ["--zone", "Europe/Oberursel"],
    ],
)
def test_a_hub_that_is_started_wrongly_says_so(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["hub", "serve", *words]) == 2
    assert words[0] in capsys.readouterr().err


def test_a_league_of_a_table_that_nobody_knows_is_made_and_says_so(
    dsn: str, base: Connection, capsys: pytest.CaptureFixture[str]
) -> None:
    store.keep(base, list(told(log()[:3])))
    assert main(["hub", "league", "North", "window", "windwo", "--database", dsn]) == 0
    assert "table windwo has not reported to this hub yet" in capsys.readouterr().err
    assert main(["hub", "league", " ", "window", "--database", dsn]) == 2


def test_a_line_that_comes_twice_is_kept_once_and_a_gap_is_told(base: Connection) -> None:
    lines = list(told(log()))
    assert store.keep(base, lines[:10]) == (10, {"window": Kept(7, lines[9].sequence)})
    new, marks = store.keep(base, [*lines[5:10], *lines[12:20]])
    assert (new, marks["window"].sequence) == (8, lines[9].sequence), "two are missing"
    assert store.behind(base) == marks, "the table is asked for them"
    new, marks = store.keep(base, lines[10:14])
    assert (new, marks["window"].sequence) == (2, lines[19].sequence)
    assert store.behind(base) == {}


def test_two_hubs_share_what_comes_and_survive_the_database_and_the_broker(
    dsn: str, cluster: Postgres, broker: Mosquitto
) -> None:
    lines = [line for number in range(8) for line in told(log(), f"table-{number}")]
    hubs = [Intake(dsn, BrokerAccess("127.0.0.1", broker.port), f"{name}-{id(dsn)}") for name in "ab"]
    for hub in hubs:
        hub.start()
    client = paho.Client(CallbackAPIVersion.VERSION2, protocol=paho.MQTTv5)
    client.connect("127.0.0.1", broker.port)
    client.loop_start()
    until(lambda: all(hub.counts.connected for hub in hubs))

    def tell(part: Sequence[JournalLine]) -> None:
        sent = [client.publish(topic(line.table, "event"), encode(line), qos=1) for line in part]
        for each in sent:
            each.wait_for_publish(30)

    tell(lines[:200])
    cluster.stop(kill=True)
    tell(lines[200:])
    cluster.start()

    def kept() -> int:
        with connect(dsn) as base:
            return int(rows(base, "SELECT count(*) FROM lines")[0][0])

    until(lambda: kept() == len(lines))
    # Lines that were written without an answer when the database died count as repeated.
    until(lambda: all(hub.counts.lines + hub.counts.twice for hub in hubs), "one hub did it all")
    assert sum(hub.counts.lines for hub in hubs) <= len(lines)
    for hub in hubs:
        hub.stop()
    client.disconnect()
    client.loop_stop()


def test_what_no_database_can_hold_is_passed_over_and_holds_nobody_up(
    base: Connection, dsn: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    keep = store.keep

    def refuses(own: Connection, lines: Sequence[JournalLine]) -> Any:
        if any("bad" in line.event for line in lines):  # only PostgreSQL knows that this is invalid
            own.execute("""SELECT '"\\u0000"'::jsonb""")
        return keep(own, lines)

    monkeypatch.setattr(store, "keep", refuses)
    server = mosquitto(tmp_path)  # no other test's broker: a hub that has gone keeps its share of what comes
    sound = list(told(log()[:20], "good"))
    damaged = [
        encode(line)
        for line in told(
            [{"kind": "say", "what": "a\0"}, {"kind": "say", "what": "x", "\0": 1}, {"kind": "end"}], "evil"
        )
    ]
    plain = damaged.pop()
    for word, instead in (
        (b'"boot":7', b'"boot":9223372036854775808'),
        (b'"sequence":4294967299', b'"sequence":9223372036854775808'),
        (b'"id":3', b'"id":2147483648'),
        (b'"wall":1000001003.0', b'"wall":1e300'),
        (b'"wall":1000001003.0', b'"wall":-1e18'),
        (b'"sequence":4294967299', b'"sequence":4294967298'),
        (b'"after":4294967298', b'"after":4294967299'),
        (b'{"kind":"end"}', b'{"kind":' + b"[" * 2000 + b"]" * 2000 + b"}"),
        (b'{"kind":"end"}', b'{"kind":"end","bad":true}'),
    ):
        assert word in plain
        damaged.append(plain.replace(word, instead))
    other = [
        (topic("evil", "state"), encode(TableState("evil", phase="\0"))),
        (topic("evil", "state"), encode(TableState("evil", number=2**70))),
        (topic("evil", "state"), encode(TableState("good"))),
        (topic("e" * 8000, "online"), b"online"),
    ]
    hub = Intake(dsn, BrokerAccess("127.0.0.1", server.port), f"a-{id(dsn)}")
    hub.start()
    client = paho.Client(CallbackAPIVersion.VERSION2, protocol=paho.MQTTv5)
    client.connect("127.0.0.1", server.port)
    client.loop_start()
    until(lambda: hub.counts.connected)
    messages = [(topic("good", "event"), encode(line)) for line in sound]
    messages[10:10] = [*((topic("evil", "event"), line) for line in damaged), *other]
    for where, body in messages:
        client.publish(where, body, qos=1)
    until(lambda: hub.counts.lines == len(sound) and hub.counts.refused == len(damaged) + len(other))
    hub.stop()
    client.disconnect()
    client.loop_stop()
    server.stop()
    assert dict(rows(base, "SELECT table_name, count(*) FROM lines GROUP BY 1")) == {"good": len(sound)}


def test_a_clock_that_was_never_set_is_told_once_and_spoils_no_lag(
    base: Connection, dsn: str, caplog: pytest.LogCaptureFixture
) -> None:
    hub = Intake(dsn, BrokerAccess("127.0.0.1", 1), "x")
    early = [msgspec.structs.replace(line, wall=60.0 + line.id) for line in told(log()[:4])]
    right = [msgspec.structs.replace(line, wall=time.time()) for line in told(log()[:4], "corner")]
    for line in (*early, *right):
        hub._keep_together(base, [("", line)])
    assert hub.counts.lines == 8
    assert len(hub.counts.lags_s) == 4
    assert max(hub.counts.lags_s) < 60
    assert ["window" in line for line in caplog.messages] == [True]


def test_lines_that_follow_each_other_in_a_circle_end(base: Connection) -> None:
    def line(sequence: int, after: int) -> JournalLine:
        return JournalLine("window", 7, sequence, after, 1, 1, 1e9, {"kind": "touch"})

    store.keep(base, [line(3, 0), line(5, 3)])
    _, marks = store.keep(base, [line(2, 5), line(5, 2)])
    assert marks == {"window": Kept(7, 5)}


def test_the_page_answers_and_says_what_it_uses(dsn: str, base: Connection) -> None:
    store.keep(base, list(told(log())))
    score(base)
    lists = ("kinds", "leagues", "tables", "evenings", "standings?kind=dubbe&days=36500", "standings")
    foul = ("evenings?league=%00", "evenings?days=99999999", "course?kind=%00&player=1")
    store.keep_states(base, [TableState("window")])
    paths = (*lists, "against?kind=dubbe&player=1", "course?kind=dubbe&player=1", *foul)

    async def ask() -> list[httpx.Response]:
        way = httpx.ASGITransport(application(dsn, None))
        async with httpx.AsyncClient(transport=way, base_url="http://hub") as page:
            return [await page.get(path) for path in ("/", "/metrics", *(f"/api/{path}" for path in paths))]

    first, used, *answers = asyncio.run(ask())
    assert "Stammtisch" in first.text
    assert [answer.status_code for answer in answers] == [
        *(200, 200, 200, 200, 200, 400, 200, 200),
        *(400, 400, 400),
    ]
    (table,) = answers[2].json()["tables"]
    assert abs(table["seen"] - time.time()) < 60, "seconds since 1970, as a number"
    assert answers[0].json() == [{"kind": "dubbe", "games": 1, "title": "Dubbe", "boxed": False}]
    names = re.findall(r"^(\w+)(?:\{.*\})? [\d.]+$", used.text, re.M)
    assert {"stammtisch_process_memory_bytes", "stammtisch_process_written_bytes_total"} <= set(names)


def test_an_evening_ends_at_six_by_the_clocks_of_the_house(base: Connection) -> None:
    store.keep(base, list(told(log())))
    score(base)
    base.execute("UPDATE games SET started = '2026-03-02 04:30Z'")
    given = {"days": 36500, "league": None}
    evenings = {
        zone: questions.ask(base, questions.EVENINGS, zone=zone, **given)[0]["evening"]
        for zone in ("Europe/Berlin", "Asia/Tokyo")
    }
    assert evenings == {"Europe/Berlin": "2026-03-01", "Asia/Tokyo": "2026-03-02"}


@pytest.mark.parametrize(
    ("listener", "said"),
    [
        ("allow_anonymous false", "refuses this hub (Not authorized)"),
        (None, "cannot be reached ([Errno 111] Connection refused)"),
    ],
)
def test_why_nothing_comes_from_the_broker_is_said(
    tmp_path: Path, dsn: str, listener: str | None, said: str, caplog: pytest.LogCaptureFixture
) -> None:
    server = mosquitto(tmp_path / "broker", listener) if listener else None
    hub = Intake(dsn, BrokerAccess("127.0.0.1", server.port if server else free_port()), "1")
    hub.start()
    until(lambda: any(said in line for line in caplog.messages))
    assert not hub.counts.connected
    if server is not None:
        hub.stop()
        server.stop()
        return
    back = Mosquitto(tmp_path / "back", port=hub._place[1]).start()
    until(lambda: any("sends lines to this hub again" in line for line in caplog.messages))
    hub.stop()
    back.stop()


def test_a_broker_that_lets_a_hub_hear_nothing_is_no_broker(
    dsn: str, caplog: pytest.LogCaptureFixture
) -> None:
    """Mosquitto accepts every subscription; other brokers do not."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        hub = Intake(dsn, BrokerAccess("127.0.0.1", server.getsockname()[1]), "1")
        hub.start()
        line, _ = server.accept()
        with line:
            line.recv(1024)
            line.sendall(bytes((0x20, 3, 0, 0, 0)))  # CONNACK: accepted
            line.recv(1024)
            for mid in (1, 2, 3):
                line.sendall(bytes((0x90, 4, 0, mid, 0, 0x87)))  # SUBACK: not authorized
            said = "does not let this hub receive stammtisch/v1/+/online (Not authorized)"
            until(lambda: any(said in line for line in caplog.messages))
            assert not hub.counts.connected
        hub.stop()


def test_the_dashboard_asks_what_the_database_knows(base: Connection) -> None:
    panels = json.loads(DASHBOARD.read_text())["panels"]
    asked = list(itertools.chain.from_iterable(panel["targets"] for panel in panels))
    assert asked
    for target in asked:
        question = re.sub(r"\$__timeFilter\((\w+)\)", r"\1 > now() - interval '1 day'", target["rawSql"])
        base.execute(re.sub(r"\$__timeGroup\((\w+), *'1m'\)", r"date_trunc('minute', \1)", question).encode())


def test_an_older_database_has_its_games_scored_anew(dsn: str, base: Connection) -> None:
    store.keep(base, list(told(log())))
    base.execute("UPDATE games SET dirty = NULL, rounds = 99")
    base.execute("UPDATE tables SET state = %s", ('{"number": 1180591620717411303424}',))
    base.execute("UPDATE alembic_version SET version_num = '0001'")
    migrate(dsn)
    score(base)
    assert [row[0] for row in rows(base, "SELECT rounds FROM games")] != [99]
    assert questions.ask(base, questions.TABLES) == []


def test_a_database_is_brought_up_to_date_once(dsn: str) -> None:
    migrate(dsn)
    with pytest.raises(HubError):
        connect("host=/nowhere dbname=none")
