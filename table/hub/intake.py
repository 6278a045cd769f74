"""Moves lines from broker to database in batches; acknowledges a line only once it is on the database's disk.

It uses Paho directly, because aiomqtt acknowledges a message before its reader has it. Several hubs share
one subscription (`$share/…`, MQTT 5), and the broker distributes the lines among them.
"""

from __future__ import annotations

import logging
import queue
import sys
import threading
import time
from dataclasses import dataclass, field
from typing import Any

import msgspec
import paho.mqtt.client as paho
import psycopg
from paho.mqtt.enums import CallbackAPIVersion
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties
from paho.mqtt.reasoncodes import ReasonCode
from paho.mqtt.subscribeoptions import SubscribeOptions

from table.hub import store
from table.hub.database import Connection, HubError, connect
from table.messages import (
    CLOCK_SET_S,
    ONLINE,
    JournalLine,
    Kept,
    TableState,
    encode,
    read_line,
    read_name,
    read_state,
    topic,
)

log = logging.getLogger(__name__)

BATCH = 500
"""Most messages in one transaction."""

UNDER_WAY = 4 * BATCH
"""Most messages that the broker sends unacknowledged, so that more arrive while a batch is written."""

LINGER_S = 0.1
"""How long a batch waits for more lines: a hundred cost hub and database little more than ten."""

SAY_S = 1.0
"""Shortest time between two reports to a table on how far its lines are stored."""

STOOD_S = 30.0
"""How long a connection must have lasted for its end to be logged even if the cause is the same as before."""

SLOW_S = 30.0
"""Time from which on a slow batch is reported."""

GAP_S = 5.0
"""Time between two searches for gaps."""

_SESSION_S = 7 * 86400
"""How long the broker keeps what a hub has not fetched."""


_UNWRITABLE = (psycopg.DataError, psycopg.errors.ProgramLimitExceeded, psycopg.errors.StatementTooComplex)
"""Errors of a database that answers but cannot store what it was given."""

Heard = tuple[str, JournalLine | TableState | tuple[str, bool] | None]
"""A topic and the message that came there: for `online` the table and whether it is online."""


def _understood(message: paho.MQTTMessage) -> JournalLine | TableState | tuple[str, bool] | None:
    """Parse a message; None for a topic that hubs ignore.

    Raises:
        msgspec.MsgspecError: no table sends such a message there.
    """
    _, _, name, what = message.topic.split("/", 3)
    table = read_name(name)
    if what == "online":
        return table, message.payload == ONLINE.encode()
    if what not in ("event", "state"):
        return None
    told = read_line(message.payload) if what == "event" else read_state(message.payload)
    if told.table != table:
        raise msgspec.ValidationError("a table publishes under its own name only")
    return told


@dataclass
class Counts:
    """What this hub has done since it started."""

    connected: bool = False
    """Whether the broker delivers lines to this hub."""
    lines: int = 0
    twice: int = 0
    refused: int = 0
    batches: int = 0
    lags_s: list[float] = field(default_factory=list)
    """For the latest lines: seconds from the table's time stamp until they were in the database."""


@dataclass(frozen=True, slots=True)
class BrokerAccess:
    """Where the broker is, how a hub logs in (user, password), and the CA's file if it uses TLS."""

    host: str
    port: int
    login: tuple[str, str] | None = None
    ca: str | None = None


class Intake:
    """One hub's connection to the broker. `start`, then `stop`; it outlives broker and database."""

    def __init__(self, dsn: str, broker: BrokerAccess, name: str) -> None:
        """`name` distinguishes hubs that run side by side, and stays the same after a restart.

        Raises:
            HubError: the CA's file cannot be used.
        """
        self._dsn = dsn
        self._place = (broker.host, broker.port)
        self.counts = Counts()
        self._came: queue.SimpleQueue[tuple[int, paho.MQTTMessage]] = queue.SimpleQueue()
        self._stopping = threading.Event()
        self._era = 0
        self._asked: dict[int | None, str] = {}
        """Subscriptions that the broker has not yet answered."""
        self._ailing = ""
        """The broker's trouble that was last logged; empty if none."""
        self._connected_at = 0.0
        self._said: dict[str, tuple[Kept, float]] = {}
        self._clockless: set[str] = set()
        """Tables whose wrong clock has been logged."""
        self._client = client = paho.Client(
            CallbackAPIVersion.VERSION2, f"stammtisch-hub-{name}", protocol=paho.MQTTv5, manual_ack=True
        )
        if broker.login is not None:
            client.username_pw_set(*broker.login)
        if broker.ca is not None:
            try:
                client.tls_set(ca_certs=broker.ca)
            except OSError as wrong:
                raise HubError(
                    f"{broker.ca}: no certificates ({wrong.strerror or wrong}); check --ca"
                ) from None
        client.reconnect_delay_set(1, 10)
        client.on_connect = self._connected
        client.on_connect_fail = lambda *_: self._ail(f"cannot be reached ({sys.exc_info()[1]})")
        client.on_subscribe = self._subscribed
        client.on_disconnect = self._disconnected
        client.on_message = lambda _client, _data, message: self._came.put((self._era, message))
        self._threads = [threading.Thread(target=self._work, name="intake", daemon=True)]

    def start(self) -> None:
        """Connect to the broker and start the writing thread."""
        properties = Properties(PacketTypes.CONNECT)  # type: ignore[no-untyped-call]
        properties.SessionExpiryInterval = _SESSION_S
        properties.ReceiveMaximum = UNDER_WAY
        self._client.connect_async(*self._place, keepalive=20, clean_start=False, properties=properties)
        self._client.loop_start()
        for thread in self._threads:
            thread.start()

    def stop(self) -> None:
        """Write what has arrived, then end."""
        self._stopping.set()
        for thread in self._threads:
            thread.join(10)
        self._client.disconnect()
        self._client.loop_stop()

    def _ail(self, what: str) -> None:
        """Log why nothing comes from the broker, whenever that changes."""
        if what != self._ailing:
            self._ailing = what
            log.warning("the broker %s:%d %s; this hub keeps trying", *self._place, what)

    def _connected(
        self, client: paho.Client, _data: Any, _flags: Any, reason: ReasonCode, _more: Any = None
    ) -> None:
        if reason.is_failure:
            self._ail(f"refuses this hub ({reason})")
            return
        self._era += 1  # acknowledging a message of the last connection would hit another one's id
        self._connected_at = time.monotonic()
        event = f"$share/hub/{topic('+', 'event')}"
        self._asked = {client.subscribe(event, options=SubscribeOptions(1))[1]: event}
        # A shared subscription gets no retained messages, so each hub subscribes to the states itself.
        for what in ("state", "online"):
            where = topic("+", what)
            self._asked[client.subscribe(where, options=SubscribeOptions(0))[1]] = where
        self._said.clear()

    def _subscribed(
        self, _client: paho.Client, _data: Any, mid: int | None, reasons: list[ReasonCode], _more: Any = None
    ) -> None:
        where = self._asked.pop(mid, "")
        if any(reason.is_failure for reason in reasons):
            self._ail(f"does not let this hub receive {where} ({', '.join(map(str, reasons))})")
        elif where.startswith("$share"):
            self.counts.connected = True
            if self._ailing:
                self._ailing = ""
                log.warning("the broker %s:%d sends lines to this hub again", *self._place)

    def _disconnected(
        self, _client: paho.Client, _data: Any, _flags: Any, reason: ReasonCode, _more: Any = None
    ) -> None:
        if self.counts.connected and reason.is_failure:
            if time.monotonic() - self._connected_at > STOOD_S:
                self._ailing = ""
            self._ail(f"has closed the connection ({reason})")
        self.counts.connected = False

    # --- the thread that writes ----------------------------------------------------------------------

    def _work(self) -> None:
        waiting: list[tuple[int, paho.MQTTMessage]] = []
        while not self._stopping.is_set():
            try:
                with connect(self._dsn) as base:
                    self._write_all(base, waiting)
            except (psycopg.Error, HubError) as wrong:
                log.warning("the database does not answer; messages wait at the broker (%s)", wrong)
                self._stopping.wait(1.0)
            except Exception:
                log.exception("the intake failed and starts again")
                self._stopping.wait(1.0)

    def _write_all(self, base: Connection, waiting: list[tuple[int, paho.MQTTMessage]]) -> None:
        """Write batches until stopped; a batch stays in `waiting` until written, so that it is retried."""
        looked = 0.0
        for table, mark in store.marks(base).items():
            self._say(table, mark)
        while not self._stopping.is_set() or waiting or not self._came.empty():
            self._take(waiting)
            if waiting:
                began = time.monotonic()
                self._write(base, [message for _, message in waiting])
                if (took := time.monotonic() - began) > SLOW_S:
                    log.warning("the database took %.0f s for %d messages", took, len(waiting))
                for era, message in waiting:
                    if era == self._era and message.qos:
                        self._client.ack(message.mid, message.qos)
                waiting.clear()
            if time.monotonic() - looked > GAP_S:
                looked = time.monotonic()
                for table, mark in store.behind(base).items():
                    self._say(table, mark, repeat=True)
                self._say_late(base)

    def _take(self, waiting: list[tuple[int, paho.MQTTMessage]]) -> None:
        try:
            if not waiting:
                waiting.append(self._came.get(timeout=0.2))
                if self._came.qsize() < BATCH:
                    self._stopping.wait(LINGER_S)
            while len(waiting) < BATCH:
                waiting.append(self._came.get_nowait())
        except queue.Empty:
            return

    def _write(self, base: Connection, messages: list[paho.MQTTMessage]) -> None:
        heard: list[Heard] = []
        for message in messages:
            try:
                heard.append((message.topic, _understood(message)))
            except msgspec.MsgspecError as wrong:
                self._refuse(message.topic, wrong)
        self._keep(base, heard)

    def _keep(self, base: Connection, heard: list[Heard]) -> None:
        """Store what was heard; a message that cannot be stored is skipped and does not block the others."""
        try:
            self._keep_together(base, heard)
        except Exception as wrong:
            if isinstance(wrong, psycopg.Error) and not isinstance(wrong, _UNWRITABLE):
                raise  # the database is away; nothing is wrong with the messages
            if len(heard) > 1:
                half = len(heard) // 2
                self._keep(base, heard[:half])
                self._keep(base, heard[half:])
            else:
                self._refuse(heard[0][0], wrong)

    def _refuse(self, where: str, wrong: Exception) -> None:
        self.counts.refused += 1
        why = str(wrong).partition("\n")[0]
        log.warning("%.80s: not understood and ignored (%s)", where, why)

    def _keep_together(self, base: Connection, heard: list[Heard]) -> None:
        lines: list[JournalLine] = []
        states: dict[str, TableState] = {}
        for _, told in heard:
            if isinstance(told, JournalLine):
                lines.append(told)
            elif isinstance(told, TableState):
                states[told.table] = told
            elif told is not None:
                store.keep_online(base, *told)
        store.keep_states(base, states.values())
        if not lines:
            return
        new, kept = store.keep(base, lines)
        now = time.time()
        self.counts.lines += new
        self.counts.twice += len(lines) - new
        self.counts.batches += 1
        lags = [now - line.wall for line in lines if line.wall >= CLOCK_SET_S]
        self.counts.lags_s = [*self.counts.lags_s[-5000:], *lags]
        for table in {line.table for line in lines if line.wall < CLOCK_SET_S} - self._clockless:
            self._clockless.add(table)
            log.warning("table %s: its clock was never set; set it, its games count in no evening", table)
        for table, mark in kept.items():
            self._say(table, mark)

    def _say(self, table: str, mark: Kept, repeat: bool = False) -> None:
        """Report to a table, not too often, how far its lines are stored; `repeat` has it resend the rest."""
        said, when = self._said.get(table, (None, -SAY_S))
        now = time.monotonic()
        if repeat or (said != mark and now - when >= SAY_S):
            self._said[table] = (mark, now)
            self._client.publish(topic(table, "kept"), encode(mark), qos=1, retain=True)

    def _say_late(self, base: Connection) -> None:
        """Send the marks that `_say` held back because the last report was too recent."""
        for table, mark in store.marks(base).items():
            if table in self._said:
                self._say(table, mark)
