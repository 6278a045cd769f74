"""The table tells a real Mosquitto what is played, exactly once, and waits for nothing."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import json
import re
import socket
import ssl
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, ParamSpec, TypeVar

import aiomqtt
import msgspec
import paho.mqtt.client as paho
import pytest
from paho.mqtt.enums import CallbackAPIVersion
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.reasoncodes import ReasonCode
from paho.mqtt.subscribeoptions import SubscribeOptions

from table.catalogue import foreign
from table.cli import main
from table.hub.engines import Mosquitto, free_port
from table.integrations.mqtt.asyncapi import asyncapi
from table.integrations.mqtt.outbox import Outbox
from table.integrations.mqtt.remedies import remedy
from table.integrations.mqtt.uplink import Uplink, connected
from table.journal import Journal
from table.live import HearsNothing, Table
from table.rules.events import Event
from table.session import Session
from table.settings.broker import Broker
from tests.integrations.engines import mosquitto, until
from tests.integrations.reader import Reader
from tests.table.running_page import OPENING

P = ParamSpec("P")
T = TypeVar("T")

PAGES = Path(__file__).parents[2] / "docs" / "reference"


class Pub:
    """A table on a loop of its own that tells a broker."""

    def __init__(self, folder: Path, name: str, port: int, missed_s: float = 0.2, **broker: Any) -> None:
        self.journal = Journal.open(folder / f"{name}.sqlite")
        self.session = Session(self.journal)
        if not self.session.resume():
            self.session.begin(OPENING)
        self.table = Table(self.session, HearsNothing())
        place = Broker(host="127.0.0.1", port=port, table=name, **broker)
        self.uplink = Uplink(self.table, place, self.journal.path, (0.05,), missed_s)
        self._loop = asyncio.new_event_loop()
        self._serving = self._loop.create_task(self.uplink.serve())
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def _run(self) -> None:
        with contextlib.suppress(asyncio.CancelledError):
            self._loop.run_until_complete(self._serving)
        self._loop.close()

    def do(self, call: Callable[P, T], *arguments: P.args, **named: P.kwargs) -> T:
        async def called() -> T:
            return call(*arguments, **named)

        return asyncio.run_coroutine_threadsafe(called(), self._loop).result(30)

    def play(self, *cards: str) -> None:
        for card in cards:
            seat = self.session.view.turn
            self.do(self.session.add, Event("hand", {"seat": seat}))
            self.do(self.session.add, Event("card", {"seat": seat, "card": card}))

    def close(self) -> None:
        self._loop.call_soon_threadsafe(self._serving.cancel)
        self._thread.join(30)
        self.journal.close()


DEAF_AT_FIRST = """#!/usr/bin/env python3
import signal, socket, sys
asked = []
signal.signal(signal.SIGTERM, lambda *_: asked.append(1) if not asked else sys.exit(0))
port = next(line.split()[1] for line in open(sys.argv[2]) if line.startswith("listener"))
with socket.create_server(("127.0.0.1", int(port))):
    while True:
        signal.pause()
"""


def test_a_broker_that_misses_the_first_word_is_asked_again(tmp_path: Path) -> None:
    """One that has only just begun to listen may not hear the signal yet."""
    deaf = tmp_path / "deaf"
    deaf.write_text(DEAF_AT_FIRST, "utf-8")
    deaf.chmod(0o755)
    server = mosquitto(tmp_path / "broker")
    server.stop()
    server.program = str(deaf)
    server.start()
    server.stop()
    assert server.pid == 0


def test_each_line_comes_once_whatever_the_table_and_the_broker_suffer(tmp_path: Path) -> None:
    """A table without network plays on; a broker that is killed forgets; both start again."""
    server = mosquitto(tmp_path / "broker")
    server.stop()
    pub = Pub(tmp_path, "window", server.port)
    pub.play("red-1", "red-2")
    assert not pub.uplink.connected, "it has played without a broker"
    server.start()
    reader = Reader(server.port, "window")
    if not reader.hears(5):
        reader.keep(0, 0)  # told before anybody read along: who is new has nothing of it
    until(lambda: len(reader.lines) == 5)
    line = next(iter(reader.lines.values()))
    came = reader.times
    reader.keep(line.boot, line.sequence + 1)  # all else is lost on the way
    until(lambda: reader.times >= came + 3, "the table does not look back")
    server.stop(kill=True)
    pub.play("red-3")
    server.start()
    reader.keep(line.boot, line.sequence + 1)  # as a hub does that is back
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
    reader = Reader(broker.port, "corner")  # first: nothing that was sent before it listens comes again
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


def test_what_is_told_has_no_text_that_a_hub_cannot_keep(tmp_path: Path) -> None:
    with Journal.open(tmp_path / "a.sqlite") as journal:
        journal.new_game(1.0, (*OPENING, Event("say", {"seat": "S1", "what": "\\u0000 \0"})))
    with contextlib.closing(Outbox(tmp_path / "a.sqlite", "window")) as outbox:
        assert outbox.batch()[-1].event["what"] == "\\u0000 \ufffd"


def test_a_broker_that_hangs_holds_nothing_up(tmp_path: Path) -> None:
    """It takes the call and never answers: cards are written down all the same."""
    import socket

    with socket.create_server(("127.0.0.1", 0)) as deaf:
        pub = Pub(tmp_path, "window", deaf.getsockname()[1])
        pub.play("red-1", "red-2", "red-3")
        assert len(pub.session.view.trick) == 3
        pub.close()


def test_a_journal_that_does_not_go_on_as_it_was_told_begins_a_new_boot(tmp_path: Path) -> None:
    def table(file: Path, *cards: str) -> None:
        with Journal.open(file) as journal:
            game = journal.games()[-1] if journal.games() else journal.new_game(1.0, OPENING)
            for card in cards:
                journal.append(game, Event("card", {"seat": "S1", "card": card}))

    def told(file: Path) -> list[tuple[int, int, Any]]:
        outbox = Outbox(file, "window", wall=lambda: 1000.0)
        with contextlib.closing(outbox):
            lines = outbox.batch()
            outbox.confirm_batch()
        return [(line.boot, line.id, line.event.get("card")) for line in lines]

    file = tmp_path / "a.sqlite"
    table(file, "red-1")
    assert [line[:2] for line in told(file)] == [(1000, 1), (1000, 2), (1000, 3), (1000, 4)]
    copy = file.read_bytes()
    table(file, "red-2")
    assert told(file) == [(1000, 5, "red-2")]
    file.write_bytes(copy)  # somebody restored yesterday's copy
    assert told(file) == []
    table(file, "red-9")
    assert told(file) == [(1001, 5, "red-9")]


def test_a_table_that_is_renamed_tells_nothing_a_second_time(tmp_path: Path) -> None:
    file = tmp_path / "a.sqlite"

    def told(name: str, *heard: int) -> list[tuple[str, int, int, int]]:
        with contextlib.closing(Outbox(file, name, wall=lambda: 1000.0)) as outbox:
            for boot in heard:
                outbox.back_to(boot, 0)
            lines = outbox.batch()
            outbox.confirm_batch()
        return [(line.table, line.boot, line.game, line.after) for line in lines]

    with Journal.open(file) as journal:
        journal.new_game(1.0, OPENING)
        assert {line[:3] for line in told("window")} == {("window", 1000, 1)}
        assert told("lounge") == []
        journal.new_game(2.0, OPENING)
        first, *more = told("lounge", 1000)
        assert first == ("lounge", 1001, 2, 0), "nothing of what was told before"
        assert {line[:3] for line in more} == {("lounge", 1001, 2)}
        assert {line[2] for line in told("lounge", 1001, 1000)} == {2}, "nor when a hub has nothing of it yet"
        assert told("window", 1000) == [], "the old name again: what it told is there"


def test_a_game_that_goes_on_under_a_new_name_is_told_whole(tmp_path: Path) -> None:
    file = tmp_path / "a.sqlite"

    def told(name: str) -> list[tuple[str, int, int, int]]:
        with contextlib.closing(Outbox(file, name, wall=lambda: 1000.0)) as outbox:
            lines = outbox.batch()
            outbox.confirm_batch()
        return [(line.table, line.boot, line.game, line.id) for line in lines]

    with Journal.open(file) as journal:
        journal.new_game(1.0, OPENING)
        assert told("window") == [("window", 1000, 1, number) for number in (1, 2, 3)]
        assert told("lounge") == []
        assert told("corner") == [], "renamed once more before anything was played"
        journal.append(1, Event("card", {"seat": "S1", "card": "red-1"}))
        assert told("corner") == [("corner", 1002, 1, number) for number in (1, 2, 3, 4)]
        journal.append(1, Event("card", {"seat": "S2", "card": "red-2"}))
        assert told("corner") == [("corner", 1002, 1, 5)]


def test_a_new_journal_under_a_clock_that_is_behind_is_told_as_of_a_later_boot(tmp_path: Path) -> None:
    file = tmp_path / "a.sqlite"
    with Journal.open(file) as journal:
        journal.new_game(1.0, OPENING)
    with contextlib.closing(Outbox(file, "window", wall=lambda: 50.0)) as outbox:
        assert [line.boot for line in outbox.batch()] == [50, 50, 50]
        outbox.confirm_batch()
        assert outbox.back_to(2000, 9), "a hub has the boots of the old card"
        assert {line.boot for line in outbox.batch()} == {2001}
        assert outbox.batch()[0].after == 0
        outbox.confirm_batch()
        assert not outbox.back_to(2001, outbox.mark.told)
        assert not outbox.back_to(3000, outbox.mark.told) or outbox.mark.boot == 2001, (
            "two tables of one name must not drive each other up"
        )


def test_a_disk_that_was_put_back_with_its_mark_tells_no_other_lines_under_the_same_keys(
    tmp_path: Path,
) -> None:
    file, mark = tmp_path / "a.sqlite", tmp_path / "a.sqlite.told"

    def told(*kept: int) -> list[tuple[int, int]]:
        with contextlib.closing(Outbox(file, "window", wall=lambda: 1000.0)) as outbox:
            for sequence in kept:
                outbox.back_to(1000, sequence)
            lines = outbox.batch()
            outbox.confirm_batch()
        return [(line.boot, line.id) for line in lines]

    with Journal.open(file) as journal:
        journal.new_game(1.0, OPENING)
    assert told() == [(1000, 1), (1000, 2), (1000, 3)]
    image = file.read_bytes(), mark.read_bytes()
    with Journal.open(file) as journal:
        for card in ("red-1", "red-2"):
            journal.append(1, Event("card", {"seat": "S1", "card": card}))
    assert told() == [(1000, 4), (1000, 5)]
    file.write_bytes(image[0])
    mark.write_bytes(image[1])
    Path(f"{file}.lock").unlink()
    with Journal.open(file) as journal:
        journal.append(1, Event("card", {"seat": "S1", "card": "red-9"}))
    assert told((1 << 32) + 5) == [(1001, 4)]
    assert told() == []


@pytest.mark.parametrize("taken", [False, True])
def test_a_renamed_table_clears_its_old_name_unless_another_table_has_it(
    tmp_path: Path, broker: Mosquitto, taken: bool
) -> None:
    old, new = f"old-{taken:d}", f"new-{taken:d}"
    pub = Pub(tmp_path, old, broker.port)
    reader = Reader(broker.port, old)
    until(lambda: reader.states)
    pub.close()
    until(lambda: reader.online[-1:] == ["offline"])
    reader.close()
    if taken:
        other = Reader(broker.port, old)
        other.say("online", "online", retain=True)
        other.close()
    (tmp_path / f"{old}.sqlite").rename(tmp_path / f"{new}.sqlite")
    (tmp_path / f"{old}.sqlite.told").rename(tmp_path / f"{new}.sqlite.told")
    again = Pub(tmp_path, new, broker.port)
    until(lambda: _mark(again)["table"] == new and not _mark(again)["left"])
    again.close()
    kept = _retained(broker.port, f"stammtisch/v1/{old}/state", f"stammtisch/v1/{old}/online")
    assert (len(kept) == 2) is taken
    assert (
        f"homeassistant/device/stammtisch_{old}/config" in _retained(broker.port, "homeassistant/#")
    ) is taken


def _mark(pub: Pub) -> dict[str, Any]:
    return dict(json.loads(Path(f"{pub.journal.path}.told").read_text()))


def _retained(port: int, *topics: str) -> dict[str, bytes]:
    kept: dict[str, bytes] = {}
    client = paho.Client(CallbackAPIVersion.VERSION2, protocol=paho.MQTTv5)

    def hear(_client: paho.Client, _data: Any, message: paho.MQTTMessage) -> None:
        kept[message.topic] = bytes(message.payload)

    client.on_message = hear
    client.connect("127.0.0.1", port)
    client.subscribe([(each, SubscribeOptions(1)) for each in topics])
    deadline = time.monotonic() + 0.5
    while time.monotonic() < deadline:
        client.loop(0.1)
    client.disconnect()
    return kept


def test_a_renamed_table_that_may_not_clear_its_old_name_says_who_may(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Under the rights of hardware/hub/mosquitto; its lines are told all the same."""
    monkeypatch.setattr("table.integrations.mqtt.uplink.FORMER_S", 0.2)
    with Journal.open(tmp_path / "lounge.sqlite") as journal:
        journal.new_game(1.0, OPENING)
    with contextlib.closing(Outbox(tmp_path / "lounge.sqlite", "window")):
        pass  # it told under that name
    server = mosquitto(tmp_path / "broker", _by_password(tmp_path, "lounge"))
    (tmp_path / "password").write_text("secret of lounge\n")
    pub = Pub(tmp_path, "lounge", server.port, password_file=str(tmp_path / "password"))
    until(
        lambda: any("-u window -P PASSWORD -r -n -t stammtisch/v1/window/state" in x for x in caplog.messages)
    )
    pub.play("red-1")
    until(lambda: not _mark(pub)["left"])
    until(lambda: pub.uplink.connected)
    pub.close()
    server.stop()
    with contextlib.closing(Outbox(pub.journal.path, "lounge")) as outbox:
        assert outbox.batch() == [], "all is told"
        assert len([x for x in caplog.messages if "PASSWORD" in x]) == 1


def _by_password(folder: Path, *users: str) -> str:
    passwords, rights = folder / "passwd", folder / "acl"
    passwords.touch(0o600)
    for user in users:
        made = ["mosquitto_passwd", "-b", str(passwords), user, f"secret of {user}"]
        subprocess.run(made, check=True, capture_output=True)
    rights.write_text((PAGES.parents[1] / "hardware/hub/mosquitto/stammtisch.acl").read_text())
    rights.chmod(0o600)
    return f"allow_anonymous false\npassword_file {passwords}\nacl_file {rights}"


def test_the_broker_forgets_how_it_stood_at_a_table_that_is_gone(
    tmp_path: Path, broker: Mosquitto, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Names stand in it: whoever is deleted at the hub is not kept there for ever."""
    monkeypatch.setattr("table.integrations.mqtt.uplink.STATE_LASTS_S", 3)
    monkeypatch.setattr("table.integrations.mqtt.uplink.STATE_AGAIN_S", 1.0)
    pub = Pub(tmp_path, "gone", broker.port)
    where = "stammtisch/v1/gone/state"
    time.sleep(5.0)
    assert where in _retained(broker.port, where), "a table that is there says it again"
    pub.close()
    until(lambda: where not in _retained(broker.port, where))


def test_a_mark_of_an_earlier_release_goes_on_as_it_was(tmp_path: Path) -> None:
    file = tmp_path / "a.sqlite"
    with Journal.open(file) as journal:
        journal.new_game(1.0, OPENING)
        with contextlib.closing(Outbox(file, "window", wall=lambda: 1000.0)) as outbox:
            outbox.batch()
            outbox.confirm_batch()
        mark = Path(f"{file}.told")
        mark.write_text(
            json.dumps(
                {k: v for k, v in json.loads(mark.read_text(encoding="utf-8")).items() if k != "table"}
            ),
            encoding="utf-8",
        )
        journal.append(1, Event("card", {"seat": "S1", "card": "red-1"}))
    with contextlib.closing(Outbox(file, "window", wall=lambda: 2000.0)) as outbox:
        assert [(line.boot, line.event.get("card")) for line in outbox.batch()] == [(1000, "red-1")]


def test_a_hub_that_has_nothing_of_this_boot_is_told_all_of_it_again(tmp_path: Path) -> None:
    with Journal.open(tmp_path / "a.sqlite") as journal:
        journal.new_game(1.0, (Event("game", {"game": "dubbe"}),))
        journal.new_game(2.0, OPENING)
    with contextlib.closing(Outbox(tmp_path / "a.sqlite", "window", wall=lambda: 1000.0)) as outbox:
        told = outbox.batch()
        outbox.confirm_batch()
        assert told
        assert not outbox.back_to(1000, told[-1].sequence)
        for boot in (1000, 3):
            assert outbox.back_to(boot, 0), "it lacks the first line"
            assert outbox.batch() == told
            outbox.confirm_batch()


def test_with_tls_a_table_writes_under_its_own_name_only(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    ca, key = tmp_path / "ca.crt", tmp_path / "ca.key"
    words = (
        "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj /CN=127.0.0.1 "
        "-addext subjectAltName=IP:127.0.0.1 -keyout"
    )
    subprocess.run([*words.split(), str(key), "-out", str(ca)], check=True, capture_output=True)
    rights = _by_password(tmp_path, "window", "hub")
    server = mosquitto(
        tmp_path / "broker",
        f"cafile {ca}\ncertfile {ca}\nkeyfile {key}\n{rights}",
    )
    (tmp_path / "password").write_text("secret of window\n")
    safe: dict[str, Any] = {"tls": True, "ca": str(ca), "password_file": str(tmp_path / "password")}
    hub = {"ca": str(ca), "user": "hub", "password": "secret of hub"}
    heard, stranger = Reader(server.port, "window", **hub), Reader(server.port, "corner", **hub)
    pub = Pub(tmp_path, "window", server.port, **safe)
    liar = Pub(tmp_path, "corner", server.port, user="window", **safe)
    until(lambda: len(heard.lines) == 3)
    until(lambda: any("the broker refuses what is told" in line for line in caplog.messages))
    for each in (pub, liar, heard, stranger):
        each.close()
    server.stop()
    assert not [*stranger.lines, *stranger.states]
    with contextlib.closing(Outbox(liar.journal.path, "corner")) as outbox:
        assert len(outbox.batch()) == 3, "what was refused is not told"


def test_why_there_is_no_line_is_said_once_whenever_it_changes(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "ca.crt").write_text("no certificate")
    pub = Pub(tmp_path, "window", free_port(), tls=True, ca=str(tmp_path / "ca.crt"))
    until(lambda: caplog.messages)
    (tmp_path / "ca.crt").unlink()
    until(lambda: len(caplog.messages) > 1)
    pub.close()
    assert [str(tmp_path / "ca.crt") in line for line in caplog.messages] == [True, True]
    assert "No such file" in caplog.messages[1]


def test_a_line_that_is_not_made_says_what_helps(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """It told the system's words alone: [SSL: CERTIFICATE_VERIFY_FAILED], and no port."""
    port = free_port()
    pub = Pub(tmp_path, "window", port)
    until(lambda: caplog.messages)
    pub.close()
    assert caplog.messages[0].startswith(f"127.0.0.1:{port}: no line to the broker (")
    assert "check `host` and `port` in [mqtt], and whether the broker runs); the table goes on" in caplog.text


HANGS = """
import socket, sys, time
from pathlib import Path
from tests.integrations.test_mqtt import Pub

asked = []
def hung(*_, **__):
    asked.append(1)
    time.sleep(600)

socket.getaddrinfo = hung
pub = Pub(Path(sys.argv[1]), "window", 1883)
while not asked:
    time.sleep(0.01)
pub.close()
print("closed")
"""


def test_a_name_server_that_hangs_does_not_keep_the_table_from_ending(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", HANGS, str(tmp_path)],
        cwd=Path(__file__).parents[2],
        stdout=subprocess.PIPE,
        text=True,
        timeout=60,
        check=True,
    )
    assert done.stdout == "closed\n"


def told_again(wrong: Exception) -> Exception:
    """As aiomqtt tells an error of the system."""
    try:
        try:
            raise wrong
        except OSError as below:
            raise aiomqtt.MqttError(str(below)) from None
    except aiomqtt.MqttError as above:
        return above


def answered(name: str) -> ReasonCode:
    return ReasonCode(PacketTypes.CONNACK, name)  # type: ignore[no-untyped-call]


@pytest.mark.parametrize(
    ("wrong", "helps"),
    [
        (told_again(ssl.SSLCertVerificationError(1, "self-signed")), "check `ca` and `host`"),
        (told_again(ssl.SSLError(1, "wrong version number")), "check `tls`, `ca` and `port`"),
        (told_again(socket.gaierror(-3, "Temporary failure in name resolution")), "the network's DNS"),
        (told_again(OSError(113, "No route to host")), "check [mqtt] of the settings file and the network"),
        (FileNotFoundError(2, "No such file", "/etc/pw"), "check /etc/pw and its rights"),
        (aiomqtt.MqttError("Operation timed out"), "whether the broker runs"),
        (TimeoutError("no answer within 5 s"), "whether the broker runs"),
        (aiomqtt.MqttCodeError(answered("Not authorized")), "check user, password_file"),
        (aiomqtt.MqttCodeError(answered("Unspecified error")), "whether the broker runs"),
    ],
)
def test_what_helps_fits_what_is_wrong_with_the_line(wrong: Exception, helps: str) -> None:
    assert helps in remedy(wrong)


def test_two_tables_of_one_name_are_told_so(
    tmp_path: Path, broker: Mosquitto, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    twins = [Pub(tmp_path / folder, "twin", broker.port) for folder in "ab"]
    until(lambda: any("is another table called twin here, too?" in line for line in caplog.messages))
    for twin in twins:
        twin.close()


def test_the_doctor_asks_the_broker(
    tmp_path: Path, broker: Mosquitto, capsys: pytest.CaptureFixture[str]
) -> None:
    closed = mosquitto(tmp_path / "closed", "allow_anonymous false")
    told = []
    for number, port in enumerate((broker.port, closed.port, free_port())):
        house = tmp_path / f"{number}.toml"
        house.write_text(
            'camera = "none.mp4"\nboard = "none"\njournal = "e.sqlite"\nport = 0\n'
            f'[mqtt]\nhost = "127.0.0.1"\ntable = "window"\nport = {port}\n'
        )
        main(["doctor", "--config", str(house)])
        told += [line for line in capsys.readouterr().out.splitlines() if line[5:11] == "broker"]
    closed.stop()
    takes, refuses, away = told
    assert takes.startswith("ok")
    assert refuses.startswith("BAD")
    assert "refuses window" in refuses
    assert away.startswith("BAD")
    assert "no line" in away


def test_the_written_schema_is_what_the_table_sends() -> None:
    written = json.loads((PAGES / "asyncapi.json").read_text("utf-8"))
    assert written == asyncapi(), (
        "run: python -m table.integrations.mqtt.asyncapi > docs/reference/asyncapi.json"
    )


def test_every_setting_of_mqtt_and_every_topic_is_explained_and_no_other() -> None:
    text = (PAGES / "mqtt.md").read_text("utf-8")
    rows = {
        part: re.findall(r"^\| (`[^|]+`) \|", text[text.index(f"## {part}") :].split("\n## ")[0], re.M)
        for part in ("Settings", "Topics")
    }
    words = {
        part: {word for row in found for word in re.findall(r"`(\w+)`", row)} for part, found in rows.items()
    }
    assert words["Settings"] == {field.name for field in msgspec.structs.fields(Broker)}
    assert words["Topics"] == asyncapi()["channels"].keys()
    assert free_port() > 0


def test_a_line_that_is_cut_while_it_is_made_leaves_no_socket_behind() -> None:
    """aiomqtt's thread connects after all, and the garbage collector found the loop closed."""
    was_cut = threading.Event()
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(20)

        def answer() -> None:
            line, _ = server.accept()
            with line:
                line.recv(1024)
                was_cut.wait(20)
                line.sendall(bytes((0x20, 3, 0, 0, 0)))  # CONNACK: taken
                while line.recv(1024):
                    pass

        thread = threading.Thread(target=answer)
        thread.start()

        async def cut() -> None:
            port = server.getsockname()[1]
            client = aiomqtt.Client("127.0.0.1", port, protocol=aiomqtt.ProtocolVersion.V5, timeout=20)

            async def talk() -> None:
                async with connected(client):
                    raise AssertionError("it was cut before")

            talking = asyncio.ensure_future(talk())
            await asyncio.sleep(0)
            talking.cancel()
            asyncio.get_running_loop().call_later(0.05, was_cut.set)
            with pytest.raises(asyncio.CancelledError):
                await talking

        asyncio.run(cut())
        thread.join(20)
        assert not thread.is_alive(), "the line was let go"
    gc.collect()
