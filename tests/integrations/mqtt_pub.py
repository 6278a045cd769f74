"""A table that publishes to a broker, and what the broker keeps: shared by the MQTT tests."""

from __future__ import annotations

import asyncio
import contextlib
import json
import subprocess
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, ParamSpec, TypeVar

import paho.mqtt.client as paho
from paho.mqtt.enums import CallbackAPIVersion
from paho.mqtt.subscribeoptions import SubscribeOptions

from table.integrations.mqtt.uplink import Uplink
from table.journal import Journal
from table.live import HearsNothing, Table
from table.rules.events import Event
from table.session import Session
from table.settings.broker import Broker
from tests.table.running_page import OPENING

P = ParamSpec("P")
T = TypeVar("T")


class Pub:
    """A table on an event loop of its own that publishes to a broker."""

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


def told_mark(pub: Pub) -> dict[str, Any]:
    return dict(json.loads(Path(f"{pub.journal.path}.told").read_text()))


def retained(port: int, *topics: str) -> dict[str, bytes]:
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


def by_password(folder: Path, *users: str) -> str:
    passwords, rights = folder / "passwd", folder / "acl"
    passwords.touch(0o600)
    for user in users:
        made = ["mosquitto_passwd", "-b", str(passwords), user, f"secret of {user}"]
        subprocess.run(made, check=True, capture_output=True)
    rights.write_text((Path(__file__).parents[2] / "hardware/hub/mosquitto/stammtisch.acl").read_text())
    rights.chmod(0o600)
    return f"allow_anonymous false\npassword_file {passwords}\nacl_file {rights}"
