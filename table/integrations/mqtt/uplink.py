"""The connection to the broker: a thread with its own loop, so that no handshake delays the table.

The table hands over its newest state and nothing else; lines are read from the journal over a read-only
connection. Requests that arrive from the broker are posted to the table's loop.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import math
import ssl
import threading
import time
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path
from typing import Any

import aiomqtt
import msgspec
import paho.mqtt.client as paho
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties
from paho.mqtt.reasoncodes import ReasonCode

from table.integrations.mqtt.discovery import discovery, place
from table.integrations.mqtt.outbox import BATCH, Outbox
from table.integrations.mqtt.remedies import remedy
from table.integrations.mqtt.report import report
from table.integrations.mqtt.unawaited import Unawaited
from table.journal import JournalError
from table.live import Table
from table.messages import AGAIN, OFFLINE, ONLINE, Kept, TableState, encode, read_kept, topic
from table.session import SessionError
from table.settings.broker import Broker
from table.standing import running

log = logging.getLogger(__name__)

_QUIET = logging.getLogger(f"{__name__}.client")
"""Logger for aiomqtt, which warns of many messages in flight; a hundred are intended."""
_QUIET.setLevel(logging.ERROR)

STOOD_S = 30.0
"""How long a connection must have lasted to count as sound: when it breaks, waits start from the shortest."""

_THROWN_OUT = (0x80, 0x8E)
"""MQTT 5: another client took over this one's id. Mosquitto 2.0 closes the connection without a reason."""

RETRY_S = (1.0, 2.0, 5.0, 10.0, 30.0)
"""Waits before successive attempts to connect; the last one repeats forever."""

MISSED_S = 10.0
"""Silence after which a hub that reports less than was sent has lost the rest."""

STATE_LASTS_S = 86400
"""How long the broker retains the state of a table that is gone, with its names (MQTT 5, message expiry)."""

STATE_AGAIN_S = 3600.0
"""How often a connected table repeats an unchanged state."""

FORMER_S = 5.0
"""How long a table waits for a sign that another table now has its old name."""

_VAIN = 9
"""Number of vain retries over which the wait doubles if a hub cannot store a line: up to 1.5 hours."""

SAVE_S = 5.0
"""Shortest time between two writes of the mark, to spare the disk; lines sent twice have the same key."""


@contextlib.asynccontextmanager
async def connected(client: aiomqtt.Client) -> AsyncIterator[aiomqtt.Client]:
    """Connect the client for the block.

    aiomqtt connects in a thread, which goes on when its caller is cancelled: the socket would be left to the
    garbage collector, which finds the loop closed. So a cancelled connection is awaited and then released.
    """
    connecting = asyncio.ensure_future(client.__aenter__())
    try:
        await asyncio.shield(connecting)
    except asyncio.CancelledError:
        with contextlib.suppress(aiomqtt.MqttError):
            await connecting
            await client.__aexit__(None, None, None)
        raise
    try:
        yield client
    finally:
        await client.__aexit__(None, None, None)


@contextlib.contextmanager
def _named(*files: str | None) -> Iterator[None]:
    """Add the certificate files' names to an OSError: TLS errors name no file."""
    try:
        yield
    except OSError as wrong:
        named = ", ".join(file for file in files if file)
        raise OSError(f"{named}: {wrong.strerror or wrong}" if named else str(wrong)) from None


class TellingClient(aiomqtt.Client):
    """aiomqtt's client, but it also notes if the broker refuses a message, which the original ignores."""

    refused: ReasonCode | None = None

    def _on_publish(
        self, client: paho.Client, userdata: Any, mid: int, reason_code: ReasonCode, properties: Properties
    ) -> None:
        if reason_code.is_failure:
            self.refused = reason_code
        super()._on_publish(client, userdata, mid, reason_code, properties)

    async def tell(
        self, where: str, body: bytes | str, retain: bool = False, lasts_s: int | None = None
    ) -> None:
        """Publish a message and wait until the broker has it. `lasts_s`: expiry at the broker, in seconds.

        Raises:
            aiomqtt.MqttError: the broker did not get the message, or refuses it.
        """
        properties = None
        if lasts_s is not None:
            properties = Properties(PacketTypes.PUBLISH)  # type: ignore[no-untyped-call]
            properties.MessageExpiryInterval = lasts_s
        await self.publish(where, body, qos=1, retain=retain, properties=properties)
        if self.refused is not None:
            raise aiomqtt.MqttError(f"the broker refuses what is published at {where}: {self.refused}")


class Uplink:
    """Runs beside the table (`serve`) until cancelled; its errors never end the table."""

    def __init__(
        self,
        table: Table,
        broker: Broker,
        journal: Path,
        retry_s: tuple[float, ...] = RETRY_S,
        missed_s: float = MISSED_S,
    ) -> None:
        self._table, self._broker, self._path = table, broker, journal
        self._retry_s, self._missed_s = retry_s, missed_s
        self._state: TableState | None = None
        self._kept: Kept | None = None
        self._kept_since = 0.0
        self._looked_back: Kept | None = None
        """The hub's report after which the rest was last sent again; `_in_vain`: how often it was in vain."""
        self._in_vain = 0
        self._former: dict[str, str] = {}
        """What the broker retains at `online` for former names of this table, by name."""
        self._house: asyncio.AbstractEventLoop | None = None
        self._net: asyncio.AbstractEventLoop | None = None
        self._wake = asyncio.Event()
        self._task: asyncio.Task[None] | None = None
        self.connected = False
        """Whether the broker answers; for tests and the doctor."""

    async def serve(self) -> None:
        """Run the connection until cancelled."""
        self._house = asyncio.get_running_loop()
        self._table.watch(self._changed)
        thread = threading.Thread(target=self._run, name="mqtt", daemon=True)
        thread.start()
        try:
            await asyncio.Event().wait()
        finally:
            self._post(self._stop)
            # A socket that hangs must not keep the table from ending: its thread is a daemon.
            await asyncio.to_thread(thread.join, 2.0)

    def _changed(self) -> None:
        try:
            self._state = report(self._table, self._broker.table, self._broker.names)
        except Exception:  # a fault here must not stop the event that is being handled
            log.exception("the state could not be sent over the network")
        self._post(self._wake.set)

    def _post(self, call: Callable[[], object]) -> None:
        if self._net is not None:
            with contextlib.suppress(RuntimeError):  # the thread's loop has ended
                self._net.call_soon_threadsafe(call)

    # --- the thread ----------------------------------------------------------------------------------

    def _run(self) -> None:
        try:
            asyncio.run(self._online())
        except Exception:
            log.exception("the connection to the broker failed; the table goes on without it")

    def _stop(self) -> None:
        if self._task is not None:
            self._task.cancel()

    async def _online(self) -> None:
        self._net, self._task = asyncio.get_running_loop(), asyncio.current_task()
        self._net.set_default_executor(Unawaited())
        tries, said, told = 0, "", False
        with contextlib.suppress(asyncio.CancelledError):
            while True:
                since = math.inf
                try:
                    with contextlib.closing(
                        Outbox(self._path, self._broker.table, self._broker.names)
                    ) as outbox:
                        client = self._client()
                        async with connected(client):
                            since, self.connected = time.monotonic(), True
                            if told:
                                told = False
                                log.warning("%s: the connection to the broker is back", self._broker.host)
                            await self._talk(client, outbox)
                except (aiomqtt.MqttError, OSError, JournalError, ValueError) as wrong:
                    if time.monotonic() - since > STOOD_S:
                        tries, said = 0, ""
                    why = self._why(wrong, made=since < math.inf, again=tries > 0)
                    told = told or why != said
                    say = log.debug if why == said else log.warning
                    where = (self._broker.host, self._broker.at_port)
                    say("%s:%d: no connection to the broker (%s); the table goes on", *where, why)
                    said = why
                finally:
                    self.connected = False
                await asyncio.sleep(self._retry_s[min(tries, len(self._retry_s) - 1)])
                tries += 1

    def _why(self, wrong: Exception, made: bool, again: bool) -> str:
        """What broke a connection, or prevented it (not `made`); `again`: soon after the last one."""
        cause = wrong.__cause__ if isinstance(wrong.__cause__, aiomqtt.MqttCodeError) else wrong
        code = getattr(cause, "rc", None)
        if made and again and isinstance(code, ReasonCode) and code.value in _THROWN_OUT:
            name = self._broker.table
            return f"it breaks as soon as it is made: is another table called {name} here, too? rename one"
        return f"{cause}; {remedy(wrong)}"

    def _client(self) -> TellingClient:
        place = self._broker
        password = Path(place.password_file).read_text("utf-8").strip() if place.password_file else None
        context = None
        if place.tls:
            with _named(place.ca):
                context = ssl.create_default_context(cafile=place.ca)
            if place.cert:
                with _named(place.cert, place.key):
                    context.load_cert_chain(place.cert, place.key)
        return TellingClient(
            place.host,
            place.at_port,
            username=place.who if password is not None or place.user else None,
            password=password,
            identifier=f"stammtisch-{place.table}",
            protocol=aiomqtt.ProtocolVersion.V5,
            logger=_QUIET,
            will=aiomqtt.Will(topic(place.table, "online"), OFFLINE, qos=1, retain=True),
            tls_context=context,
            keepalive=20,
            timeout=10,
            max_concurrent_outgoing_calls=2 * BATCH,
        )

    async def _talk(self, client: TellingClient, outbox: Outbox) -> None:
        name = self._broker.table
        await client.tell(topic(name, "online"), ONLINE, retain=True)
        if self._broker.discovery:
            where = place(self._broker.discovery, name)
            try:
                await client.tell(where, encode(discovery(name)), retain=True)
            except aiomqtt.MqttError as wrong:
                if client.refused is None:
                    raise
                client.refused = None  # Home Assistant will not find the table, but all else is sent
                log.warning("%s: %s", self._broker.host, wrong)
        for what in ("do", "kept"):
            for code in await client.subscribe(topic(name, what), qos=1):
                if isinstance(code, ReasonCode) and code.is_failure:
                    log.warning(
                        "%s: the broker lets nobody receive %s: %s",
                        self._broker.host,
                        topic(name, what),
                        code,
                    )
        log.info("%s: the broker hears of table %s", self._broker.host, name)
        listening = asyncio.ensure_future(self._listen(client))
        telling = asyncio.ensure_future(self._tell(client, outbox))
        try:
            done, _ = await asyncio.wait({listening, telling}, return_when=asyncio.FIRST_COMPLETED)
            for task in done:
                task.result()
        except asyncio.CancelledError:
            # The last will is for accidents only: when it closes, the table itself says that it is offline.
            with contextlib.suppress(aiomqtt.MqttError, asyncio.TimeoutError):
                await asyncio.wait_for(client.publish(topic(name, "online"), OFFLINE, qos=1, retain=True), 1)
            raise
        finally:
            for task in (listening, telling):
                task.cancel()
            await asyncio.gather(listening, telling, return_exceptions=True)

    async def _clear(self, client: TellingClient, outbox: Outbox) -> None:
        """Clear what the broker retains for this table's old names that no other table has now."""
        self._former.clear()
        for name in outbox.mark.left:
            await client.subscribe(topic(name, "online"), qos=1)
        deadline = time.monotonic() + FORMER_S
        for name in outbox.mark.left:
            while name not in self._former and time.monotonic() < deadline:
                await asyncio.sleep(FORMER_S / 50)
            await client.unsubscribe(topic(name, "online"))
            if self._former.get(name) != ONLINE and not await self._cleared(client, name):
                self._say_who_clears(name)
            outbox.leave(name)

    async def _cleared(self, client: TellingClient, name: str) -> bool:
        """Clear a former name's retained messages; return False if the broker refuses."""
        topics = [topic(name, what) for what in ("state", "online")]
        if self._broker.discovery:
            topics.append(place(self._broker.discovery, name))
        for where in topics:
            try:
                await client.tell(where, b"", retain=True)
            except aiomqtt.MqttError:
                if client.refused is None:
                    raise
                client.refused = None
                return False
        return True

    def _say_who_clears(self, name: str) -> None:
        log.warning(
            "%s: this table may not clear what the broker keeps of the old name %s; with its password, "
            "run: mosquitto_pub -h %s -p %d -u %s -P PASSWORD -r -n -t %s (or by itself in a day)",
            *(self._broker.host, name, self._broker.host, self._broker.at_port, name, topic(name, "state")),
        )

    async def _tell(self, client: TellingClient, outbox: Outbox) -> None:
        await self._clear(client, outbox)  # first, so that a refusal there is not taken for a later one
        shown: TableState | None = None
        saved = shown_at = time.monotonic()
        while True:
            self._wake.clear()
            stale = time.monotonic() - shown_at > STATE_AGAIN_S
            if (state := self._state) is not None and (state != shown or stale):
                where = topic(self._broker.table, "state")
                await client.tell(where, encode(state), retain=True, lasts_s=STATE_LASTS_S)
                shown, shown_at = state, time.monotonic()
            lines = outbox.batch()
            where = topic(self._broker.table, "event")
            await asyncio.gather(*(client.tell(where, encode(line)) for line in lines))
            outbox.confirm_batch()
            if time.monotonic() - saved > SAVE_S:
                outbox.save()
                saved = time.monotonic()
            if len(lines) == BATCH:
                continue
            self._look_back(outbox)
            with contextlib.suppress(asyncio.TimeoutError):
                await asyncio.wait_for(self._wake.wait(), 1.0)

    def _look_back(self, outbox: Outbox) -> None:
        """Send again what a broker may have lost in a crash, judging by how far a hub reports to be.

        Each report causes one look back at most, so that without a hub nothing is sent again and again.
        """
        kept = self._kept
        if kept is None:
            return
        if kept != self._looked_back:
            self._in_vain = 0
        if time.monotonic() - self._kept_since >= self._missed_s * 2**self._in_vain:
            self._kept = None
            if outbox.back_to(kept.boot, kept.sequence):
                self._looked_back, self._in_vain = kept, min(self._in_vain + 1, _VAIN)
                log.info("a hub has only a part of what was sent; the rest is sent again")

    async def _listen(self, client: aiomqtt.Client) -> None:
        async for message in client.messages:
            body = message.payload if isinstance(message.payload, bytes) else b""
            if str(message.topic).endswith("/kept"):
                with contextlib.suppress(msgspec.MsgspecError):
                    kept = read_kept(body)
                    if kept != self._kept:  # a hub that lacks something repeats its report every few seconds
                        self._kept, self._kept_since = kept, time.monotonic()
            elif str(message.topic).endswith("/online"):
                self._former[str(message.topic).split("/")[-2]] = body.decode("utf-8", "replace")
            elif body == AGAIN.encode() and not message.retain and self._house is not None:
                with contextlib.suppress(RuntimeError):
                    self._house.call_soon_threadsafe(self._again)

    def _again(self) -> None:
        """Start another game at a request over the network; runs on the table's loop."""
        if running(self._table.session.view):
            log.info("another game was requested over the network during a round; it is refused")
            return
        try:
            self._table.session.again()
        except SessionError as wrong:
            log.info("another game was requested over the network: %s", wrong)
        except JournalError as wrong:
            self._table.ail("journal", "stuck", wrong.fact)
