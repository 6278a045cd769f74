"""Simulated tables in one process, to load-test a hub: each with its own connection, log and mark.

They send like real ones (integrations/mqtt/uplink.py): in order, acknowledged by the broker, and again
from the newest `kept` if something was lost. Their journals are lists in memory, of games that bots played
beforehand.
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import time
from collections.abc import Iterator
from typing import Any

import msgspec
import paho.mqtt.client as paho
from paho.mqtt.enums import CallbackAPIVersion
from paho.mqtt.reasoncodes import ReasonCode

from table.messages import JournalLine, encode, read_kept, topic
from table.rules.bots import choose
from table.rules.evening import evening
from table.rules.events import Event, PlainEvent
from table.rules.games import TRICK_GAMES

STEP_S = 0.05
BEAT_S = 1.0
MISSED_S = 4.0
BOOT = 1
AT_ONCE = 100
"""Most unacknowledged lines of a table, as with a real one."""
_LOGS = 8
_NAMES = ("Anna", "Bernd", "Carla", "Dirk", "Elke", "Franz", "Gerda", "Hans")


def played(number: int) -> list[PlainEvent]:
    """Lines of an evening of the first card game, two rounds long; `number` is the seed."""
    people = [f"{name} {number}" for name in _NAMES[:4]]
    game = next(iter(TRICK_GAMES))
    opening = Event("game", {"game": game, "seats": ["S1", "S2", "S3", "S4"], "players": people})
    rounds = evening(opening, seed=number, player=choose, rounds=2)
    return [event.to_dict() for event in (*rounds, Event("end"))]


class SimulatedTable:
    """One table; `lines` is everything that has happened there."""

    def __init__(self, name: str, log: list[dict[str, Any]], port: int) -> None:
        self.name, self.port = name, port
        self.lines: list[JournalLine] = []
        self._source = self._events(log)
        self._where = topic(name, "event")
        self._client: paho.Client | None = None
        """The connection while the broker answers, otherwise None."""
        self._sent = self._told = 0
        """How many of `lines` were sent, and how many the broker has acknowledged."""
        self._stale = 0
        """Number of acknowledgements still due for lines sent before a look back."""
        self._lost = asyncio.Event()
        self._kept: int | None = None
        self._kept_at = 0.0

    def _events(self, log: list[dict[str, Any]]) -> Iterator[tuple[int, int, dict[str, Any]]]:
        for game in itertools.count(1):
            for number, event in enumerate(log, 1):
                yield game, number, event

    def happen(self, count: int) -> None:
        """Add this many lines now; they are sent at once if the broker is connected."""
        for game, number, event in itertools.islice(self._source, count):
            after = self.lines[-1].sequence if self.lines else 0
            place = (game << 32) + number
            self.lines.append(JournalLine(self.name, BOOT, place, after, game, number, time.time(), event))
        self._tell()

    @property
    def untold(self) -> int:
        """Number of lines that the broker has not acknowledged."""
        return len(self.lines) - self._told

    async def serve(self) -> None:
        """Send the lines until cancelled, whatever happens to the broker."""
        while True:
            client = self._line()
            try:
                client.connect("127.0.0.1", self.port, keepalive=20)
                while not self._lost.is_set():
                    client.loop_misc()
                    self._look_back()
                    self._tell()
                    with contextlib.suppress(asyncio.TimeoutError):
                        await asyncio.wait_for(self._lost.wait(), BEAT_S)
            except OSError:  # the broker is not listening at the moment
                pass
            finally:
                self._client = None
                client.disconnect()
                client.loop_write()  # sends the DISCONNECT; then the socket is closed
            await asyncio.sleep(0.5)

    def _line(self) -> paho.Client:
        """A Paho client driven by this event loop."""
        loop = asyncio.get_running_loop()

        def leave_writing(_client: paho.Client, _data: Any, line: Any) -> None:
            loop.remove_writer(line)

        def leave_reading(_client: paho.Client, _data: Any, line: Any) -> None:
            loop.remove_reader(line)

        client = paho.Client(CallbackAPIVersion.VERSION2, f"simulated-{self.name}", protocol=paho.MQTTv5)
        client.max_inflight_messages_set(AT_ONCE)
        client.on_socket_open = lambda _client, _data, line: loop.add_reader(line, client.loop_read)
        client.on_socket_register_write = lambda _client, _data, line: loop.add_writer(
            line, client.loop_write
        )
        client.on_socket_unregister_write = leave_writing
        client.on_socket_close = leave_reading
        client.on_connect = self._connected
        client.on_disconnect = lambda *_: self._lost.set()
        client.on_publish = self._answered
        client.on_message = self._heard
        self._lost.clear()
        return client

    def _connected(
        self, client: paho.Client, _data: Any, _flags: Any, reason: ReasonCode, _more: Any
    ) -> None:
        if reason.is_failure:
            return
        client.subscribe(topic(self.name, "kept"), qos=1)
        self._client, self._sent, self._stale = client, self._told, 0
        self._tell()

    def _tell(self) -> None:
        if self._client is None:
            return
        for line in self.lines[self._sent : self._told + AT_ONCE]:
            self._client.publish(self._where, encode(line), qos=1)
            self._sent += 1

    def _answered(self, client: paho.Client, *_: Any) -> None:
        if client is not self._client:
            return
        if self._stale:
            self._stale -= 1
        else:
            self._told += 1
        self._tell()

    def _look_back(self) -> None:
        """Look back as a real table does: send again what the broker took but the hub lacks."""
        if self._kept is None or time.monotonic() - self._kept_at < MISSED_S:
            return
        kept, self._kept = self._kept, None
        missing = next((k for k, line in enumerate(self.lines) if line.sequence > kept), self._told)
        if missing < self._told:
            self._stale += self._sent - self._told
            self._sent = self._told = missing

    def _heard(self, _client: paho.Client, _data: Any, message: paho.MQTTMessage) -> None:
        with contextlib.suppress(msgspec.MsgspecError):
            self._kept, self._kept_at = read_kept(message.payload).sequence, time.monotonic()


async def simulate(tables: list[SimulatedTable], rate_hz: float, seconds: float) -> None:
    """Produce lines at this total rate for `seconds`; all tables send until this is cancelled."""
    serving = [asyncio.ensure_future(table.serve()) for table in tables]
    try:
        began, done, turn = time.monotonic(), 0, itertools.cycle(tables)
        while (now := time.monotonic() - began) < seconds:
            due = int(now * rate_hz)
            for table in itertools.islice(turn, due - done):
                table.happen(1)
            done = due
            await asyncio.sleep(STEP_S)
        await asyncio.Event().wait()
    finally:
        for task in serving:
            task.cancel()
        await asyncio.gather(*serving, return_exceptions=True)


def tables(count: int, port: int) -> list[SimulatedTable]:
    """Return `count` simulated tables."""
    logs = [played(number) for number in range(min(count, _LOGS))]
    return [SimulatedTable(f"t{number}", logs[number % len(logs)], port) for number in range(count)]
