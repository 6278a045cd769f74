"""A subscriber at the broker: keeps every line by its key and answers like a hub."""

from __future__ import annotations

import threading
import time
from typing import Any

import msgspec
import paho.mqtt.client as paho
from paho.mqtt.enums import CallbackAPIVersion
from paho.mqtt.subscribeoptions import SubscribeOptions

from table.messages import JournalLine, Kept, TableState, encode, read_line, read_state, topic


class Reader:
    def __init__(self, port: int, table: str, **tls: Any) -> None:
        self.table = table
        self.lines: dict[tuple[str, int, int], JournalLine] = {}
        self.times = 0
        """How many lines came, repeated ones included."""
        self.states: list[TableState] = []
        self.online: list[str] = []
        self.discovered: dict[str, Any] = {}
        self._ready = threading.Event()
        self._client = paho.Client(CallbackAPIVersion.VERSION2, protocol=paho.MQTTv5)
        self._client.on_message = self._hear
        self._client.on_connect = lambda client, *_: client.subscribe(
            [(topic(table, "+"), SubscribeOptions(1)), ("homeassistant/#", SubscribeOptions(1))]
        )
        self._client.on_subscribe = lambda *_: self._ready.set()
        self._client.on_disconnect = lambda *_: self._ready.clear()
        if tls:
            self._client.tls_set(ca_certs=tls["ca"])
            self._client.username_pw_set(tls["user"], tls["password"])
        self._client.connect("127.0.0.1", port)
        self._client.loop_start()
        assert self._ready.wait(10)

    def _hear(self, _client: Any, _data: Any, message: Any) -> None:
        what = message.topic.rpartition("/")[2]
        if what == "event":
            line = read_line(message.payload)
            self.times += 1
            self.lines.setdefault((line.table, line.boot, line.sequence), line)
        elif what == "state":
            self.states.append(read_state(message.payload))
        elif what == "online":
            self.online.append(message.payload.decode())
        elif what == "config":
            self.discovered[message.topic] = msgspec.json.decode(message.payload)

    def hears(self, lines: int) -> bool:
        """Whether so many lines arrive soon without being asked for."""
        for _ in range(300):
            if len(self.lines) >= lines:
                return True
            time.sleep(0.01)
        return False

    def say(self, what: str, body: bytes | str, retain: bool = False) -> None:
        assert self._ready.wait(30), "the broker is away"
        self._client.publish(topic(self.table, what), body, qos=1, retain=retain).wait_for_publish(10)

    def keep(self, boot: int, sequence: int) -> None:
        self.say("kept", encode(Kept(boot, sequence)), retain=True)

    def close(self) -> None:
        self._client.disconnect()
        self._client.loop_stop()

    def ids(self) -> list[int]:
        """Ids of the lines of the newest game that arrived, sorted."""
        newest = max((line.game for line in self.lines.values()), default=0)
        return sorted(line.id for line in self.lines.values() if line.game == newest)
