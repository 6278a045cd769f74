"""A table publishes each event to a real Mosquitto exactly once, and waits for nothing."""

from __future__ import annotations

import re
import time
from pathlib import Path

import msgspec
import pytest

from table.catalogue import foreign
from table.hub.engines import Mosquitto
from table.rules.events import Event
from tests.integrations.engines import mosquitto, until
from tests.integrations.mqtt_pub import Pub, retained
from tests.integrations.reader import Reader
from tests.table.running_page import OPENING


def test_each_line_comes_once_whatever_the_table_and_the_broker_suffer(tmp_path: Path) -> None:
    """A table without network plays on, a killed broker forgets, and both restart."""
    server = mosquitto(tmp_path / "broker")
    server.stop()
    pub = Pub(tmp_path, "window", server.port)
    pub.play("red-1", "red-2")
    assert not pub.uplink.connected, "it has played without a broker"
    server.start()
    reader = Reader(server.port, "window")
    if not reader.hears(5):
        reader.keep(0, 0)  # published before anybody subscribed, so a new reader has none of it
    until(lambda: len(reader.lines) == 5)
    line = next(iter(reader.lines.values()))
    came = reader.times
    reader.keep(line.boot, line.sequence + 1)  # everything else was lost on the way
    until(lambda: reader.times >= came + 3, "the table does not look back")
    server.stop(kill=True)
    pub.play("red-3")
    server.start()
    reader.keep(line.boot, line.sequence + 1)  # as a hub does when it is back
    until(lambda: len(reader.lines) == 6)
    pub.close()
    again = Pub(tmp_path, "window", server.port)
    again.play("red-4")
    until(lambda: len(reader.lines) == 7)
    again.close()
    reader.close()
    server.stop()
    told = sorted(reader.lines.values(), key=lambda line: line.sequence)
    assert len({line.boot for line in told}) == 1
    assert [line.event.get("card") for line in told[3:]] == ["red-1", "red-2", "red-3", "red-4"]
    assert [line.after for line in told] == [0, *(line.sequence for line in told[:-1])]


def test_what_follows_is_told_when_the_journal_was_taken_away_and_put_back(
    tmp_path: Path, broker: Mosquitto
) -> None:
    reader = Reader(broker.port, "swept")
    pub = Pub(tmp_path, "swept", broker.port)
    until(lambda: len(reader.lines) == 3)
    for each in tmp_path.glob("swept.sqlite*"):
        each.unlink()
    pub.play("red-1")
    until(lambda: "red-1" in {line.event.get("card") for line in reader.lines.values()})
    pub.close()
    reader.close()


def test_a_hub_that_asks_again_and_again_is_told_what_it_lacks(tmp_path: Path, broker: Mosquitto) -> None:
    reader = Reader(broker.port, "eager")
    pub = Pub(tmp_path, "eager", broker.port, missed_s=0.3)
    until(lambda: len(reader.lines) == 3)
    boot, came = next(iter(reader.lines.values())).boot, reader.times

    def asked() -> bool:
        reader.keep(boot, 0)  # as a hub does every few seconds while a line is missing
        return reader.times >= came + 3

    until(asked, "the table waits for the hub to fall silent")
    pub.close()
    reader.close()


def test_home_assistant_finds_the_table_sees_the_score_and_begins_another_game(
    tmp_path: Path, broker: Mosquitto
) -> None:
    reader = Reader(broker.port, "corner")  # first, because earlier messages do not come again
    pub = Pub(tmp_path, "corner", broker.port)
    until(lambda: reader.states and "homeassistant/device/stammtisch_corner/config" in reader.discovered)
    parts = reader.discovered["homeassistant/device/stammtisch_corner/config"]["components"]
    assert {"score", "turn", "trump", "camera", "board", "again"} <= parts.keys()
    fields = {field.name for field in msgspec.structs.fields(type(reader.states[0]))}
    for part in parts.values():
        assert set(re.findall(r"value_json\.(\w+)", part.get("value_template", ""))) <= fields
    pub.do(pub.table.ail, "camera", "lost", foreign("unplugged"))
    until(lambda: reader.states[-1].camera == "lost")
    assert reader.states[-1].turn == pub.session.view.turn
    assert reader.states[-1].players == ["Anna", "Bernd", "Carla", "Dirk"]
    reader.say("do", "again")
    pub.play("red-1")
    until(lambda: len(reader.lines) == 4)
    assert pub.session.game == 1, "a round is running: nobody breaks it off from afar"
    pub.do(pub.session.add, Event("end"))
    reader.say("do", "again")
    until(lambda: pub.session.game == 2)
    pub.close()
    until(lambda: reader.online[-1] == "offline")
    reader.close()


def test_names_stay_at_a_table_that_keeps_them(tmp_path: Path, broker: Mosquitto) -> None:
    reader = Reader(broker.port, "shy")  # first, as above
    pub = Pub(tmp_path, "shy", broker.port, names=False)
    pub.do(pub.session.correct, 1, OPENING[0].having(players=["Anna", "Bernd", "Carla", "Egon"]))
    until(lambda: len(reader.lines) == 4 and reader.states)
    pub.close()
    reader.close()
    told = f"{reader.lines} {reader.states}"
    assert not [name for name in ("Anna", "Egon") if name in told]


def test_the_broker_forgets_how_it_stood_at_a_table_that_is_gone(
    tmp_path: Path, broker: Mosquitto, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The state has names, and the broker must not keep those of a player whom the hub deleted."""
    monkeypatch.setattr("table.integrations.mqtt.uplink.STATE_LASTS_S", 3)
    monkeypatch.setattr("table.integrations.mqtt.uplink.STATE_AGAIN_S", 1.0)
    pub = Pub(tmp_path, "gone", broker.port)
    where = "stammtisch/v1/gone/state"
    time.sleep(5.0)
    assert where in retained(broker.port, where), "a table that is there says it again"
    pub.close()
    until(lambda: where not in retained(broker.port, where))
